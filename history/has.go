package history

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Has tells whether c holds a file at name, a path like Change.Path. Where it cannot be told, the error says
// why.
func (c *Commit) Has(name string) (bool, error) {
	below, ok := strings.CutPrefix(name, c.repo.name+"/")
	if !ok {
		return false, nil
	}
	at, err := c.planningTree()
	for err == nil && !at.IsZero() {
		var tree object
		if tree, err = c.repo.objects.getKind(at, plumbing.TreeObject); err != nil {
			break
		}
		dir, rest, more := strings.Cut(below, "/")
		if !more {
			e, err := findEntry(tree.data, dir, func(e treeEntry) bool { return !e.isTree() })
			return e.mode != 0, err
		}
		at, err = findTree(tree.data, dir)
		below = rest
	}
	return false, err
}

// Planned tells whether c has the planning directory at all: some projects keep it out of git.
func (c *Commit) Planned() (bool, error) {
	at, err := c.planningTree()
	return err == nil && !at.IsZero(), err
}
