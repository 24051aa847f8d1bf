package gitlog

// touches.go: what a commit has and changed at given places.

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Touches reports whether c changed, against its first parent, what is at name: a path relative to the project, with
// slashes, of a file or a directory. At the edge of a shallow clone there is no telling: ErrTruncated.
func (c *Commit) Touches(name string) (bool, error) {
	older, err := c.older()
	if err != nil {
		return false, err
	}
	name = c.repo.project + "/" + name
	is, err := c.repo.objects.at(c.tree, name)
	var was treeEntry
	if err == nil && older != nil {
		was, err = c.repo.objects.at(older.tree, name)
	}
	return err == nil && is.id != was.id, err
}

// Outside reports whether c changed files outside of the planning directory against its first parent. What lies in another
// project of the repository, in a directory with a planning directory of its own, does not count: foreign tells that there
// is such a file, and none of the project's own. At most 1,000 files are looked at. At the edge of a shallow clone there is
// no telling: ErrTruncated.
func (c *Commit) Outside() (changed, foreign bool, err error) {
	older, err := c.older()
	if err != nil {
		return false, false, err
	}
	var was plumbing.Hash
	if older != nil {
		was = older.tree
	}
	d := differ{objects: c.repo.objects, budget: maxTreeBytes, most: maxOutside, skip: path.Join(c.repo.project, planning)}
	err = d.compare(was, c.tree, "", 0)
	if changed = errors.Is(err, errTooLarge); err != nil && !changed {
		return false, false, fmt.Errorf("changes of %s: %w", c.ID, err)
	}
	owners := map[string]string{}
	for _, change := range d.changes {
		owner, err := c.owner(path.Dir(change.Path), owners)
		if err != nil {
			return false, false, err
		}
		switch owner {
		case c.repo.project:
			return true, false, nil
		case "":
			changed = true
		default:
			foreign = true
		}
	}
	return changed, foreign, nil
}

// owner gives the project that a directory lies in, both from the top of the repository, "." for that; empty for none. known
// is what was found out before.
func (c *Commit) owner(dir string, known map[string]string) (string, error) {
	owner, ok := known[dir]
	if ok {
		return owner, nil
	}
	e, err := c.repo.objects.at(c.tree, dir+"/"+planning)
	switch {
	case err != nil:
		return "", err
	case e.mode != 0 || dir == c.repo.project: // whose planning directory may be ignored
		owner = dir
	case dir != ".":
		if owner, err = c.owner(path.Dir(dir), known); err != nil {
			return "", err
		}
	}
	known[dir] = owner
	return owner, nil
}

// Version names the content that a file at name, a path like Change.Path, has in c; empty where there is none. Where it
// cannot be told, the error says why.
func (c *Commit) Version(name string) (string, error) {
	below, ok := strings.CutPrefix(name, planning+"/")
	if !ok {
		return "", nil
	}
	tree, err := c.planningTree()
	if err != nil || tree.IsZero() {
		return "", err
	}
	e, err := c.repo.objects.at(tree, below)
	if err != nil || e.mode == 0 || e.isTree() {
		return "", err
	}
	return e.id.String(), nil
}

// Planned reports whether c has the planning directory at all: some projects keep it out of git.
func (c *Commit) Planned() (bool, error) {
	tree, err := c.planningTree()
	return !tree.IsZero(), err
}
