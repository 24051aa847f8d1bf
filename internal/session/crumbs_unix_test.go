//go:build unix

package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestStateIsPrivate: no other user may read it, whatever the umask. An existing file keeps its mode.
func TestStateIsPrivate(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	s, dir := newState(t)
	c := writeCrumb(t, s, sample())
	s.MakeMachine()
	modes := map[string]fs.FileMode{
		filepath.Dir(dir):               fs.ModeDir | 0o700,
		dir:                             fs.ModeDir | 0o700,
		filepath.Join(dir, crumbsDir):   fs.ModeDir | 0o700,
		filepath.Join(dir, machineFile): 0o600,
		crumbPath(dir, c.ID):            0o600,
	}
	for path, want := range modes {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s is %v, %v; want %v", filepath.Base(path), info.Mode(), err, want)
		}
	}
	noError(t, os.Chmod(crumbPath(dir, c.ID), 0o640))
	c.Summary = "another"
	writeCrumb(t, s, c)
	if info, err := os.Lstat(crumbPath(dir, c.ID)); err != nil || info.Mode() != 0o640 {
		t.Errorf("the mode is now %v, %v", info.Mode(), err)
	}
}
