package history

// touches.go: what a commit changed outside of the planning directory, without listing it.

import (
	"bytes"
	"slices"
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

// Elsewhere tells whether c changed, against its first parent, anything outside of the planning directory. Only the trees
// on the way to it are read. At the edge of a shallow clone there is no telling: ErrTruncated.
func (c *Commit) Elsewhere() (bool, error) {
	var was plumbing.Hash
	if !c.parent.IsZero() {
		older, err := c.firstParent()
		if err != nil {
			return false, err
		}
		was = older.tree
	}
	is := c.tree
	for _, name := range c.repo.path {
		if is == was {
			return false, nil
		}
		mine, err := c.siblings(is, name)
		if err != nil {
			return false, err
		}
		its, err := c.siblings(was, name)
		if err != nil {
			return false, err
		}
		if !bytes.Equal(mine.others, its.others) {
			return true, nil
		}
		is, was = mine.id, its.id
	}
	return false, nil
}

// Here tells whether c changed, against its first parent, anything in the project's own directory: in a repository of several
// projects the others' commits may be of plans with the same numbers. At the edge of a shallow clone there is no
// telling: ErrTruncated.
func (c *Commit) Here() (bool, error) {
	if c.repo.top() == 0 {
		return true, nil
	}
	return c.Touches("")
}

// top is how deep below the top of the repository the project is.
func (r *Repo) top() int { return len(r.path) - 1 - strings.Count(r.name, "/") }

// level is a tree without one of its entries, and that entry.
type level struct {
	others []byte
	id     plumbing.Hash
}

func (c *Commit) siblings(tree plumbing.Hash, name string) (level, error) {
	var l level
	if tree.IsZero() {
		return l, nil
	}
	o, err := c.repo.objects.get(tree)
	if err != nil || o.kind != plumbing.TreeObject {
		return l, err
	}
	for data := o.data; len(data) > 0; {
		e, rest, err := nextEntry(data)
		if err != nil {
			return l, err
		}
		if string(e.name) == name {
			l.id = e.id
		} else {
			l.others = append(l.others, data[:len(data)-len(rest)]...)
		}
		data = rest
	}
	return l, nil
}

// entry gives the name of the object at a path relative to the project, zero where there is none.
func (c *Commit) entry(name string) (plumbing.Hash, error) {
	parts := slices.Clone(c.repo.path[:c.repo.top()])
	if name != "" {
		parts = append(parts, strings.Split(name, "/")...)
	}
	at := c.tree
	for _, part := range parts {
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
