package durable

import (
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
	noError(t, err)
	defer sub.Close()
	before := time.Now().Add(-time.Hour).Truncate(time.Second)
	for base, at := range map[string]time.Time{
		"a": before.Add(-time.Second), "current-plan.md": before, ".gitignore": before.Add(time.Second),
	} {
		f, name, err := createTemp(sub, base, 0o600)
		noError(t, err)
		f.Close()
		noError(t, os.Chtimes(filepath.Join(in, name), at, at))
	}
	all := time.Time{}
	for _, tt := range []struct {
		dir    string
		before time.Time
		want   int
	}{{"d", before, 1}, {"d", time.Now(), 3}, {"d", all, 3}, {"missing", all, 0}} {
		if n := SweepTemps(root, tt.dir, tt.before, true); n != tt.want {
			t.Errorf("%d in %s before %v, want %d", n, tt.dir, tt.before, tt.want)
		}
	}
	if n, rest := SweepTemps(root, "d", before, false), SweepTemps(root, "d", all, false); n != 1 || rest != 2 {
		t.Errorf("removed %d, then %d", n, rest)
	}
	wantNames(t, in, keep...)
}
