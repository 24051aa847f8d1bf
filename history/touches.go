package history

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
	is, err := c.entry(name)
	if err != nil {
		return false, err
	}
	var was plumbing.Hash
	if !c.parent.IsZero() {
		older, err := c.firstParent()
		if err != nil {
			return false, err
		}
		if was, err = older.entry(name); err != nil {
			return false, err
		}
	}
	return is != was, nil
}

// Outside gives the files that c changed outside of the planning directory against its first parent, as Changes does for
// those in it. What lies beside the project in its repository begins with "../". more tells that these are not all:
// they are at most 1,000. At the edge of a shallow clone there is no telling: ErrTruncated.
func (c *Commit) Outside() (changes []Change, more bool, err error) {
	changes, more, err = c.outside()
	for i := range changes {
		changes[i].Path = c.repo.fromProject(changes[i].Path)
	}
	return changes, more, err
}

// outside is Outside with paths from the top of the repository.
func (c *Commit) outside() (changes []Change, more bool, err error) {
	var was plumbing.Hash
	if !c.parent.IsZero() {
		older, err := c.firstParent()
		if err != nil {
			return nil, false, err
		}
		was = older.tree
	}
	d := differ{objects: c.repo.objects, budget: maxTreeBytes, most: maxOutside, skip: strings.Join(c.repo.path, "/")}
	err = d.compare(was, c.tree, "", 0)
	if more = errors.Is(err, errTooLarge); err != nil && !more {
		return nil, false, fmt.Errorf("changes of %s: %w", c.ID, err)
	}
	return d.changes, more, nil
}

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

// Foreign tells whether all that c changed against its first parent is other projects' of the same repository, which may
// have plans of the same numbers: it lies below directories with a planning directory of their own. What belongs to no
// project may be work for any. At the edge of a shallow clone there is no telling: ErrTruncated.
func (c *Commit) Foreign() (bool, error) {
	if c.repo.top() == 0 {
		return false, nil
	}
	if here, err := c.Touches(""); here || err != nil {
		return false, err
	}
	changes, more, err := c.outside()
	if more || err != nil {
		return false, err
	}
	known := map[string]bool{}
	for _, change := range changes {
		if owned, err := c.owned(path.Dir(change.Path), known); !owned || err != nil {
			return false, err
		}
	}
	return len(changes) > 0, nil
}

// owned tells whether a directory, from the top of the repository, lies in a project. known is what was found out before.
func (c *Commit) owned(dir string, known map[string]bool) (bool, error) {
	if is, ok := known[dir]; ok {
		return is, nil
	}
	id, err := c.at(path.Join(dir, c.repo.name))
	is := !id.IsZero()
	if !is && err == nil && dir != "." {
		is, err = c.owned(path.Dir(dir), known)
	}
	known[dir] = is
	return is, err
}

// top is how deep below the top of the repository the project is.
func (r *Repo) top() int { return len(r.path) - 1 - strings.Count(r.name, "/") }

// entry gives the name of the object at a path relative to the project, zero where there is none.
func (c *Commit) entry(name string) (plumbing.Hash, error) {
	project := strings.Join(c.repo.path[:c.repo.top()], "/")
	if project != "" && name != "" {
		project += "/"
	}
	return c.at(project + name)
}

// at is entry with a path from the top of the repository.
func (c *Commit) at(name string) (plumbing.Hash, error) {
	at := c.tree
	for part := range strings.SplitSeq(name, "/") {
		o, err := c.repo.objects.get(at)
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
