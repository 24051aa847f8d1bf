package worktree

import (
	"errors"
	"io/fs"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
)

// TracksLink reports whether git tracks a symbolic link at a path relative to the top of a working tree, in its index or in the commit at
// HEAD, so that the repository's author may have chosen where it leads. It does, too, where that cannot be read, or the index has the
// name in another case.
func TracksLink(at gitlog.Place, name string) bool {
	_, own := at.WorkingTree()
	x, err := readIndex(own, []string{name}, nil)
	switch {
	case err == nil && (x.entries[name].mode&kindMask == symlink || x.unclear[name]):
		return true
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return true
	}
	repo, err := at.Open((*durable.Budget)(nil))
	if errors.Is(err, gitlog.ErrNone) { // no commit yet
		return false
	} else if err != nil {
		return true
	}
	defer repo.Close() // it was only read
	isLink, err := repo.HasLink(name)
	return isLink || err != nil
}
