//go:build unix

package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/durable"
)

func mkfifo(t *testing.T, path string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := unix.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestStateFIFOsDoNotHang: a FIFO in the place of anything of ours is never waited for.
func TestStateFIFOsDoNotHang(t *testing.T) {
	id := sample().filled().ID
	s, dir := newState(t)
	mkfifo(t, crumbPath(dir, id))
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Bad: []BadCrumb{{id, "it is not a regular file"}}})
	wantErr(t, s.WriteCrumb(durable.Writer{}, sample()), durable.ErrNotRegular)
	if err := s.RemoveCrumb(durable.Writer{}, id); err != nil {
		t.Error(err)
	}
	wantDir(t, filepath.Join(dir, crumbsDir))

	for _, name := range []string{crumbsDir, "."} {
		s, dir := newState(t)
		mkfifo(t, filepath.Join(dir, name))
		_, err := s.Crumbs()
		wantErr(t, err, unix.ENOTDIR)
		wantErr(t, s.WriteCrumb(durable.Writer{}, sample()), unix.ENOTDIR)
		wantErr(t, s.RemoveCrumb(durable.Writer{}, id), unix.ENOTDIR)
		if n := s.OldTemps(time.Now()) + s.SweepTemps(time.Now()); n != 0 {
			t.Errorf("swept %d in a FIFO", n)
		}
	}
	for _, name := range []string{machineFile, "."} {
		s, dir := newState(t)
		mkfifo(t, filepath.Join(dir, name))
		s.MakeMachine()
		if id := s.Machine(); id != "" {
			t.Errorf("a FIFO said %q", id)
		}
	}
}

// TestStateIsPrivate: nobody else may look, whatever the umask, and what was there keeps its mode.
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
	if err := os.Chmod(crumbPath(dir, c.ID), 0o640); err != nil {
		t.Fatal(err)
	}
	c.Run = "another"
	writeCrumb(t, s, c)
	if info, err := os.Lstat(crumbPath(dir, c.ID)); err != nil || info.Mode() != 0o640 {
		t.Errorf("the mode is now %v, %v", info.Mode(), err)
	}
}

// TestStateWithoutPermission: what may be read is read, what may not be written is an error.
func TestStateWithoutPermission(t *testing.T) {
	s, dir := newState(t)
	c := writeCrumb(t, s, sample())
	hidden := sample()
	hidden.Started = "hidden"
	hidden = writeCrumb(t, s, hidden)
	for path, mode := range map[string]fs.FileMode{
		filepath.Dir(dir): 0o755, dir: 0o755, filepath.Join(dir, crumbsDir): 0o755,
		crumbPath(dir, c.ID): 0o644, crumbPath(dir, hidden.ID): 0,
	} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	project := filepath.Dir(filepath.Dir(dir))
	os.Chmod(project, 0o755)
	asNobody(t, project, []string{dir, filepath.Join(dir, crumbsDir)}, func() {
		wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}, Bad: []BadCrumb{{hidden.ID, "there is no permission to read it"}}})
		changed := c
		changed.Run = "another"
		wantErr(t, s.WriteCrumb(durable.Writer{}, changed), fs.ErrPermission)
		changed.Started = "anew"
		wantErr(t, s.WriteCrumb(durable.Writer{}, changed), fs.ErrPermission)
		wantErr(t, s.RemoveCrumb(durable.Writer{}, c.ID), fs.ErrPermission)
		s.MakeMachine()
		if id := s.Machine(); id != "" {
			t.Errorf("a machine was made: %q", id)
		}
		if n := s.SweepTemps(time.Now()); n != 0 {
			t.Errorf("swept %d", n)
		}
		below := StateDir(filepath.Join(dir, "below"))
		wantErr(t, below.WriteCrumb(durable.Writer{}, changed), fs.ErrPermission)
	})
	wantDir(t, dir, crumbsDir)
}
