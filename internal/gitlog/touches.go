package gitlog

// touches.go: what a commit contains and changed at given paths.

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Outside reports whether c changed files outside the planning directory relative to its first parent, not counting those of other projects of the
// repository, which have planning directories of their own. foreign reports whether it changed such files, or moved a submodule whose commits are
// read themselves; it is false if c also changed the project's own. If more than 1,000 files changed, changed is true. At the boundary of a shallow
// clone Outside returns ErrTruncated.
func (c *Commit) Outside() (changed, foreign bool, err error) {
	d, err := c.outside()
	if changed = errors.Is(err, errTooLarge); err != nil && !changed {
		return false, false, err
	}
	foreign = d.pointed
	owners := map[string]string{}
	for _, change := range d.changes {
		owner, err := c.owner(path.Dir(change.Path), owners)
		if err != nil {
			return false, false, err
		}
		switch owner {
		case c.place():
			return true, false, nil
		case "":
			changed = true
		default:
			foreign = true
		}
	}
	return changed, foreign, nil
}

// Files returns the files outside the planning directory that c changed relative to its first parent, relative to the project, those
// of other projects among them; of more than 1,000 only some. At the boundary of a shallow clone it returns ErrTruncated.
func (c *Commit) Files() ([]string, error) {
	changes, err := c.FileChanges()
	if err != nil && !errors.Is(err, errTooLarge) {
		return nil, err
	}
	names := make([]string, len(changes))
	for i, change := range changes {
		names[i] = change.Path
	}
	return names, nil
}

// FileChanges is Files with what was done to each; that there are more than 1,000 is an error, with which it returns some.
func (c *Commit) FileChanges() ([]Change, error) {
	d, err := c.outside()
	for i := range d.changes {
		name := &d.changes[i].Path
		*name = path.Join(c.repo.at.name, strings.TrimPrefix(*name, c.place()+"/"))
	}
	return d.changes, err
}

// outside finds the changes outside the planning directory relative to the first parent, with paths from the top of the repository. If there
// are more than 1,000, it returns some and errTooLarge.
func (c *Commit) outside() (*differ, error) {
	d := &differ{objects: c.repo.objects, budget: maxTreeBytes, limit: maxOutside, skip: path.Join(c.place(), planning), below: c.repo.below}
	if c.repo.isPlanning() {
		return d, nil
	}
	older, err := c.older()
	if err != nil {
		return d, err
	}
	var was plumbing.Hash
	if older != nil {
		was = older.tree
	}
	if err := d.compare(was, c.tree, "", 0); err != nil {
		return d, fmt.Errorf("changes of %s: %w", c.ID, err)
	}
	return d, nil
}

// owner returns the project that a directory belongs to, "" for none. Both are relative to the top of the repository,
// which is ".". known caches the results.
func (c *Commit) owner(dir string, known map[string]string) (string, error) {
	owner, ok := known[dir]
	if ok {
		return owner, nil
	}
	e, err := c.repo.objects.at(c.tree, dir+"/"+planning)
	switch {
	case err != nil:
		return "", err
	case e.mode != 0 || dir == c.place(): // the project's own planning directory may not be in git
		owner = dir
	case dir != ".":
		if owner, err = c.owner(path.Dir(dir), known); err != nil {
			return "", err
		}
	}
	known[dir] = owner
	return owner, nil
}

// Version returns the object name of the file at name, a path like Change.Path, in c; "" if there is no such file.
func (c *Commit) Version(name string) (string, error) {
	below, ok := strings.CutPrefix(name, planning+"/")
	if !ok {
		return "", nil
	}
	if c.beside != nil {
		if c.beside.planned == nil {
			return "", c.beside.err
		}
		return c.beside.planned.Version(name)
	}
	tree, err := c.planningTree()
	if err != nil || tree.IsZero() {
		return "", err
	}
	last := &c.repo.version // most commits change nothing in the planning directory
	if last.tree == tree && last.name == name {
		return last.version, nil
	}
	e, err := c.repo.objects.at(tree, below)
	if err != nil {
		return "", err
	}
	last.tree, last.name, last.version = tree, name, ""
	if e.mode != 0 && !e.isTree() {
		last.version = e.id.String()
	}
	return last.version, nil
}

// HasPlanning reports whether c has the planning directory; some projects keep it out of git.
func (c *Commit) HasPlanning() (bool, error) {
	if c.beside != nil {
		return true, nil
	}
	tree, err := c.planningTree()
	return !tree.IsZero(), err
}
