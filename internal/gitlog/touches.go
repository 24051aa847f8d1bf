package gitlog

// touches.go: what a commit changed outside of the planning directory.

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Touches tells whether c changed, against its first parent, what is at name: a path relative to the project, with
// slashes, of a file or a directory; "" is the project. At the edge of a shallow clone there is no telling: ErrTruncated.
func (c *Commit) Touches(name string) (bool, error) {
	is, err := c.repo.entry(c.root.tree, name)
	if err != nil {
		return false, err
	}
	var was plumbing.Hash
	if !c.parent.IsZero() {
		older, err := c.parentRoot()
		if err != nil {
			return false, err
		}
		if was, err = c.repo.entry(older.tree, name); err != nil {
			return false, err
		}
	}
	return is != was, nil
}

// Outside gives the files that c changed outside of the planning directory against its first parent, as Changes does for
// those in it. What lies beside the project in its repository begins with "../"; what lies in another project there, in a
// directory with a planning directory of its own, is left out. more tells that these are not all: at most 1,000 are looked
// at. foreign tells that some were left out, and that none of the rest is the project's own. At the edge of a shallow clone
// there is no telling: ErrTruncated.
func (c *Commit) Outside() (changes []Change, more, foreign bool, err error) {
	var was plumbing.Hash
	if !c.parent.IsZero() {
		older, err := c.parentRoot()
		if err != nil {
			return nil, false, false, err
		}
		was = older.tree
	}
	d := differ{objects: c.repo.objects, budget: maxTreeBytes, most: maxOutside, skip: strings.Join(c.repo.path, "/")}
	err = d.compare(was, c.root.tree, "", 0)
	if more = errors.Is(err, errTooLarge); err != nil && !more {
		return nil, false, false, fmt.Errorf("changes of %s: %w", c.ID, err)
	}
	own, owners := false, map[string]string{}
	for _, change := range d.changes {
		owner, err := c.owner(path.Dir(change.Path), owners)
		switch {
		case err != nil:
			return nil, false, false, err
		case owner != "" && owner != c.repo.project():
			foreign = true
			continue
		}
		own = own || owner != ""
		changes = append(changes, Change{c.repo.fromProject(change.Path), change.Kind})
	}
	return changes, more, foreign && !own, nil
}

// owner gives the project that a directory lies in, both from the top of the repository, "." for that; empty for none. known
// is what was found out before.
func (c *Commit) owner(dir string, known map[string]string) (string, error) {
	if owner, ok := known[dir]; ok {
		return owner, nil
	}
	owner := ""
	id, err := c.repo.at(c.root.tree, path.Join(dir, c.repo.name))
	switch {
	case err != nil:
		return "", err
	case !id.IsZero() || dir == c.repo.project(): // whose planning directory may be ignored
		owner = dir
	case dir != ".":
		if owner, err = c.owner(path.Dir(dir), known); err != nil {
			return "", err
		}
	}
	known[dir] = owner
	return owner, nil
}

// project is where the project is from the top of the repository, "." for that.
func (r *Repo) project() string { return path.Join(".", path.Join(r.path[:r.top()]...)) }

// fromProject makes a path from the top of the repository one from the project.
func (r *Repo) fromProject(name string) string {
	up := r.path[:r.top()]
	for len(up) > 0 {
		below, ok := strings.CutPrefix(name, up[0]+"/")
		if !ok {
			break
		}
		name, up = below, up[1:]
	}
	return strings.Repeat("../", len(up)) + name
}

// top is how deep below the top of the repository the project is.
func (r *Repo) top() int { return len(r.path) - 1 - strings.Count(r.name, "/") }

// entry gives the name of the object at a path relative to the project, zero where there is none.
func (r *Repo) entry(tree plumbing.Hash, name string) (plumbing.Hash, error) {
	project := strings.Join(r.path[:r.top()], "/")
	if project != "" && name != "" {
		project += "/"
	}
	return r.at(tree, project+name)
}

// at is entry with a path from the top of the repository.
func (r *Repo) at(tree plumbing.Hash, name string) (plumbing.Hash, error) {
	at := tree
	for part := range strings.SplitSeq(name, "/") {
		o, err := r.objects.get(at)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		if o.kind != plumbing.TreeObject { // a file where the name wants a directory
			return plumbing.ZeroHash, nil
		}
		e, err := findEntry(o.data, part, func(treeEntry) bool { return true })
		if err != nil || e.mode == 0 {
			return plumbing.ZeroHash, err
		}
		at = e.id
	}
	return at, nil
}
