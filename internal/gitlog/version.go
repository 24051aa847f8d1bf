package gitlog

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Version names the content that a file at name, a path like Change.Path, has in c; empty where there is none. Where it
// cannot be told, the error says why.
func (c *Commit) Version(name string) (string, error) {
	below, ok := strings.CutPrefix(name, c.repo.name+"/")
	if !ok {
		return "", nil
	}
	at, err := c.repo.planningTree(c.root)
	for err == nil && !at.IsZero() {
		var tree object
		if tree, err = c.repo.objects.getKind(at, plumbing.TreeObject); err != nil {
			break
		}
		dir, rest, more := strings.Cut(below, "/")
		if !more {
			e, err := findEntry(tree.data, dir, func(e treeEntry) bool { return !e.isTree() })
			if err != nil || e.mode == 0 {
				return "", err
			}
			return e.id.String(), nil
		}
		at, err = findTree(tree.data, dir)
		below = rest
	}
	return "", err
}

// Content reads what a version names. The error is ErrTruncated where it is missing, as in a partial clone.
func (r *Repo) Content(version string) ([]byte, error) {
	o, err := r.objects.getKind(plumbing.NewHash(version), plumbing.BlobObject)
	return o.data, err
}

// Planned tells whether c has the planning directory at all: some projects keep it out of git.
func (c *Commit) Planned() (bool, error) {
	at, err := c.repo.planningTree(c.root)
	return err == nil && !at.IsZero(), err
}
