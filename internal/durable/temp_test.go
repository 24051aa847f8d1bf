package durable

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSweepTempsBefore(t *testing.T) {
	root, dir := newRoot(t)
	before := time.Now().Add(-time.Hour).Truncate(time.Second)
	for name, at := range map[string]time.Time{
		".a.0000000000000001.tmp": before.Add(-time.Second),
		".a.0000000000000002.tmp": before,
		".a.0000000000000003.tmp": before.Add(time.Second),
		"a":                       before.Add(-time.Second),
	} {
		write(t, dir, name, "x")
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if n := TempsBefore(root, ".", before); n != 1 {
		t.Errorf("counted %d, want 1", n)
	}
	if n, all := TempsBefore(root, ".", before.Add(time.Hour)), Temps(root, "."); n != 3 || all != 3 {
		t.Errorf("counted %d before later, %d in all, want 3", n, all)
	}
	if n, err := SweepTempsBefore(root, ".", before); n != 1 || err != nil {
		t.Errorf("swept %d, %v; want 1", n, err)
	}
	wantNames(t, dir, ".a.0000000000000002.tmp", ".a.0000000000000003.tmp", "a")

	if n := TempsBefore(root, ".", before); n != 0 {
		t.Errorf("counted %d that are gone", n)
	}

	_, err := SweepTempsBefore(root, "missing", before)
	wantErr(t, err, fs.ErrNotExist)
	if n := TempsBefore(root, "missing", before); n != 0 {
		t.Errorf("counted %d of nothing", n)
	}
}
