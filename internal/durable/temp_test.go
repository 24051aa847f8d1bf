package durable

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSweepTemps(t *testing.T) {
	root, dir := newRoot(t)
	in := filepath.Join(dir, "d")
	os.MkdirAll(filepath.Join(in, ".dir.0123456789abcdef.tmp"), 0o755)
	keep := []string{
		".dir.0123456789abcdef.tmp", "a.0123456789abcdef.tmp", ".a.0123456789abcdef", ".a.0123456789abcde.tmp",
		".a.0123456789abcdef0.tmp", ".a.0123456789ABCDEF.tmp", ".0123456789abcdef.tmp", ".a.tmp", ".tmp",
		"..0123456789abcdef.tmp", ".guard", "current-plan.md",
	}
	for _, name := range keep[1:] {
		write(t, in, name, "x")
	}
	if os.Symlink("a", filepath.Join(in, ".link.0123456789abcdef.tmp")) == nil {
		keep = append(keep, ".link.0123456789abcdef.tmp")
	}
	sub, err := OpenRoot(root, "d")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	before := time.Now().Add(-time.Hour).Truncate(time.Second)
	for base, at := range map[string]time.Time{
		"a": before.Add(-time.Second), "current-plan.md": before, ".gitignore": before.Add(time.Second),
	} {
		f, name, err := createTemp(sub, base, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		if err := os.Chtimes(filepath.Join(in, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	all := time.Time{}
	if n, later, every := Temps(root, "d", before), Temps(root, "d", time.Now()), Temps(root, "d", all); n != 1 || later != 3 || every != 3 {
		t.Errorf("counted %d before, %d before now, %d in all", n, later, every)
	}
	for i, sweep := range []func() (int, error){
		func() (int, error) { return SweepTemps(root, "d", before, 9) },
		func() (int, error) { return SweepTemps(root, "d", all, 1) },
		func() (int, error) { return SweepTemps(root, "d", all, 9) },
	} {
		if n, err := sweep(); n != 1 || err != nil || Temps(root, "d", all) != 2-i {
			t.Errorf("swept %d, %v, and %d are left", n, err, Temps(root, "d", all))
		}
	}
	wantNames(t, in, keep...)
	_, err = SweepTemps(root, "missing", all, 9)
	wantErr(t, err, fs.ErrNotExist)
	if n := Temps(root, "missing", all); n != 0 {
		t.Errorf("counted %d of nothing", n)
	}
}
