package gitlog

// workingtree.go: what package worktree needs of a repository: where it is, what HEAD has at a path, and its stashes.

import (
	"bytes"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// WorkingTree returns the top of the working tree, and the directory with its own HEAD and index; empty outside of a repository.
func (p Place) WorkingTree() (top, own string) { return p.top, p.dir }

// Dir returns the directory whose repository it is.
func (p Place) Dir() string { return p.of }

// InHead returns the object name of what the commit at HEAD has at a path relative to the top of the repository, zero for nothing.
func (r *Repo) InHead(name string) (plumbing.Hash, error) {
	c, err := r.commit(r.head)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	e, err := r.objects.at(c.tree, name)
	return e.id, err
}

// HasLink reports whether the commit at HEAD has a symbolic link at a path relative to the top of the repository.
func (r *Repo) HasLink(name string) (bool, error) {
	c, err := r.commit(r.head)
	if err != nil {
		return false, err
	}
	e, err := r.objects.at(c.tree, name)
	return e.mode&modeKind == modeLink, err
}

// Size returns the size of a file's content, by its object name.
func (r *Repo) Size(id plumbing.Hash) (int, error) {
	o, err := r.objects.getKind(id, plumbing.BlobObject)
	return len(o.data), err
}

// Stashes returns how many stashes the repository has with that shared directory, and when the latest was made. Each is a line of the
// reference's log (git-stash(1)).
func Stashes(common string) (n int, latest time.Time) {
	const limit = 1 << 20 // 5,000 stashes
	data, err := (*durable.Budget)(nil).ReadAt(filepath.Join(common, "logs", "refs", "stash"), limit)
	if err != nil || len(data) == 0 {
		return 0, time.Time{}
	}
	if _, err := (Place{common: common}).ref("refs/stash"); err != nil {
		return 0, time.Time{}
	}
	for line := range bytes.Lines(data) {
		n++
		who, _, _ := bytes.Cut(line, []byte("\t"))
		latest = parseWhen(who)
	}
	return n, latest
}
