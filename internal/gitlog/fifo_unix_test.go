//go:build unix

package gitlog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Opening a FIFO would block until there is a writer.
func TestFIFO(t *testing.T) {
	t.Parallel()
	if _, err := Find(fifo(t, t.TempDir(), ".git")).Open(nil); !errors.Is(err, ErrNone) {
		t.Errorf(".git: %v, want ErrNone", err)
	}
	dir := newRepo(t, "", true)
	truth := gitLog(t, dir, "")
	head := truth[0].ID
	// A FIFO takes the place of each file in turn.
	pack, err := filepath.Rel(filepath.Join(dir, ".git"), only(t, dir, "*.pack"))
	noError(t, err)
	for _, name := range []string{
		"HEAD", "refs/heads/main", "packed-refs", "shallow", "commondir", pack, strings.TrimSuffix(pack, ".pack") + ".idx",
	} {
		path, aside := filepath.Join(dir, ".git", name), filepath.Join(dir, "aside")
		os.Rename(path, aside)
		fifo(t, dir, ".git/"+name)
		if got, err := ourLog(t, dir); err == nil || errors.Is(err, ErrTruncated) {
			t.Errorf("%s: %d commits, %v", name, len(got), err)
		}
		os.Remove(path)
		os.Rename(aside, path)
	}
	if !holdsTrue(t, dir, truth) {
		t.Error("not restored")
	}

	packs, aside := filepath.Join(dir, ".git", "objects", "pack"), filepath.Join(dir, "aside")
	os.Rename(packs, aside)
	fifo(t, dir, ".git/objects/pack")
	if got, err := ourLog(t, dir); err == nil || len(got) > 0 {
		t.Errorf("a FIFO in place of the packs: %d commits, %v", len(got), err)
	}
	os.Remove(packs)
	os.Rename(aside, packs)

	fifo(t, dir, ".git/objects/info/alternates")
	if !holdsTrue(t, dir, truth) { // git would wait
		t.Error("an unreadable alternates file is an error")
	}
	os.Remove(filepath.Join(dir, ".git", pack))
	noError(t, os.Mkdir(filepath.Join(dir, ".git", "objects", head[:2]), 0o777))
	fifo(t, dir, ".git/objects/"+head[:2]+"/"+head[2:])
	if got, err := ourLog(t, dir); err == nil || errors.Is(err, ErrTruncated) {
		t.Error(got, err)
	}
}

func fifo(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	os.Remove(path)
	noError(t, syscall.Mkfifo(path, 0o666))
	return dir
}
