package gitlog

// tree.go: parsing trees, and the differences between two of them.

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	modeKind      = 0o170000
	modeTree      = 0o040000
	modeFile      = 0o100000
	modeLink      = 0o120000
	modeSubmodule = 0o160000 // a submodule: the commit that it is at
)

// treeEntry is one entry of a tree. Its name is a slice of the tree's bytes.
type treeEntry struct {
	mode uint32
	name []byte
	id   plumbing.Hash
}

func (e treeEntry) isTree() bool { return e.mode&modeKind == modeTree }

func (e treeEntry) isSubmodule() bool { return e.mode&modeKind == modeSubmodule }

// nextEntry parses the first entry of a tree that is not empty. Like git it rejects names that would lead out of the
// directory.
func nextEntry(tree []byte) (e treeEntry, rest []byte, err error) {
	i := 0
	for ; i < len(tree) && i < 7 && '0' <= tree[i] && tree[i] <= '7'; i++ {
		e.mode = e.mode<<3 | uint32(tree[i]-'0')
	}
	if e.mode == 0 || i >= len(tree) || tree[i] != ' ' {
		return e, nil, fmt.Errorf("%w: a mode that is no number", errCorrupt)
	}
	tree = tree[i+1:]
	end := bytes.IndexByte(tree, 0)
	if end <= 0 || len(tree) < end+1+len(e.id) {
		return e, nil, fmt.Errorf("%w: an entry cut short", errCorrupt)
	}
	e.name = tree[:end]
	if s := string(e.name); s == "." || s == ".." || bytes.IndexByte(e.name, '/') >= 0 {
		return e, nil, fmt.Errorf("%w: an entry named %q", errCorrupt, s)
	}
	copy(e.id[:], tree[end+1:])
	if e.mode&modeKind == modeFile { // of the permissions only the executable bit counts
		e.mode = modeFile | e.mode&0o100
	}
	return e, tree[end+1+len(e.id):], nil
}

// at returns the entry at a path with slashes in a tree, "." for the tree itself. Its mode is 0 if there is none.
func (s *store) at(tree plumbing.Hash, name string) (treeEntry, error) {
	e := treeEntry{mode: modeTree, id: tree}
	for part := range strings.SplitSeq(name, "/") {
		if part == "." {
			continue
		}
		if !e.isTree() { // a file where the path needs a directory
			return treeEntry{}, nil
		}
		o, err := s.getKind(e.id, plumbing.TreeObject)
		if err == nil {
			e, err = findEntry(o.data, part)
		}
		if err != nil {
			return treeEntry{}, err
		}
	}
	return e, nil
}

// findEntry returns the first entry called name. Its mode is 0 if there is none.
func findEntry(tree []byte, name string) (treeEntry, error) {
	for len(tree) > 0 {
		e, rest, err := nextEntry(tree)
		if err != nil {
			return treeEntry{}, err
		}
		if string(e.name) == name {
			return e, nil
		}
		tree = rest
	}
	return treeEntry{}, nil
}

// compareEntries compares by the order of entries in a tree: the name of a tree sorts as if it ended in a slash.
func compareEntries(a, b treeEntry) int {
	n := min(len(a.name), len(b.name))
	if c := bytes.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return cmp.Compare(a.at(n), b.at(n))
}

// at returns the byte of the name at n; after the name it returns the slash of a tree, or 0.
func (e treeEntry) at(n int) int {
	switch {
	case n < len(e.name):
		return int(e.name[n])
	case e.isTree():
		return '/'
	}
	return 0
}

// Limits on the cost of a hostile tree: ten levels of trees that each name the next one ten times have 10¹⁰ paths in a
// kilobyte. The largest planning directory of the replayed histories has 2,000 files in 0.2 MB.
const (
	maxTreeBytes  = 64 << 20 // read to compare two trees
	maxTreeDepth  = 64
	maxChanges    = 200_000
	maxOutside    = 1000    // outside the planning directory, where one commit may add whole libraries
	treeVisitCost = 1 << 10 // of a visit, in addition to the bytes
)

// differ collects the differences between two trees.
type differ struct {
	objects *store
	skip    string // a directory to leave out
	budget  int    // bytes of trees that may still be read
	limit   int    // of changes
	changes []Change
	below   map[string]bool // submodules that are read themselves
	pointed bool            // one of them is at another commit, which is no change of a file
}

// compare adds the differences between two trees, either of which may be zero if it does not exist.
func (d *differ) compare(was, is plumbing.Hash, dir string, depth int) error {
	if was == is {
		return nil
	}
	if depth > maxTreeDepth {
		return fmt.Errorf("%s: %w: too deep", dir, errTooLarge)
	}
	old, err := d.open(was)
	if err != nil {
		return err
	}
	now, err := d.open(is)
	if err != nil {
		return err
	}
	for old.more || now.more {
		c := order(old, now)
		var before, after treeEntry
		if c <= 0 {
			before = old.treeEntry
		}
		if c >= 0 {
			after = now.treeEntry
		}
		if err := d.add(before, after, dir, depth); err != nil {
			return err
		}
		if c <= 0 {
			err = old.next()
		}
		if c >= 0 && err == nil {
			err = now.next()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add records the change between two entries with the same name and place in the order. Either may be absent, with mode
// 0.
func (d *differ) add(old, now treeEntry, dir string, depth int) error {
	if old.id == now.id && old.mode == now.mode {
		return nil
	}
	change := Change{Path: max(string(old.name), string(now.name)), Kind: Modified}
	if dir != "" {
		change.Path = dir + "/" + change.Path
	}
	switch {
	case old.mode == 0:
		change.Kind = Added
	case now.mode == 0:
		change.Kind = Removed
	}
	if old.isTree() || now.isTree() {
		if change.Path == d.skip {
			return nil
		}
		return d.compare(old.id, now.id, change.Path, depth+1)
	}
	if d.below[change.Path] && (old.isSubmodule() || now.isSubmodule()) {
		d.pointed = true
		return nil
	}
	if len(d.changes) >= d.limit {
		return fmt.Errorf("%w: more than %d changes", errTooLarge, d.limit)
	}
	if err := d.objects.budget.Spend(changeCost); err != nil {
		return err
	}
	d.changes = append(d.changes, change)
	return nil
}

// cursor is a position in a tree.
type cursor struct {
	treeEntry
	more bool
	rest []byte
}

func (d *differ) open(id plumbing.Hash) (*cursor, error) {
	c := &cursor{}
	if id.IsZero() {
		return c, nil
	}
	o, err := d.objects.getKind(id, plumbing.TreeObject)
	if err != nil {
		return nil, err
	}
	if d.budget -= len(o.data) + treeVisitCost; d.budget < 0 {
		return nil, fmt.Errorf("%w: too many trees", errTooLarge)
	}
	c.rest = o.data
	return c, c.next()
}

// next moves to the next entry. Comparing two trees in one pass requires them to be sorted, so any other order is an
// error.
func (c *cursor) next() error {
	if len(c.rest) == 0 {
		c.more = false
		return nil
	}
	e, rest, err := nextEntry(c.rest)
	if err != nil {
		return err
	}
	if c.more && compareEntries(c.treeEntry, e) >= 0 {
		return fmt.Errorf("%w: a tree out of order", errCorrupt)
	}
	c.treeEntry, c.rest, c.more = e, rest, true
	return nil
}

// order compares the current entries of two cursors; a cursor at its end comes last.
func order(a, b *cursor) int {
	switch {
	case !b.more:
		return -1
	case !a.more:
		return 1
	}
	return compareEntries(a.treeEntry, b.treeEntry)
}
