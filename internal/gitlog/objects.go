package gitlog

// objects.go: the files of one commit, for a reader that is given the name of the commit and not a history.

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Common returns the directory of the repository that its worktrees share; empty outside of one.
func (p Place) Common() string { return p.common }

// Objects reads objects by their names.
type Objects struct{ store *store }

// OpenObjects opens the directory "objects" in dir and its alternates. It need not exist. Reading is charged to the budget as
// in [Place.Open].
func OpenObjects(dir string, budget *durable.Budget) *Objects {
	dirs, more := Place{common: dir, budget: budget}.objects()
	s := newStore(dirs, budget)
	s.more = more
	return &Objects{s}
}

// Close closes the files.
func (o *Objects) Close() error { return o.store.close() }

// Has reports whether an object is here and can be read.
func (o *Objects) Has(name string) bool {
	var id plumbing.Hash
	if !parseHash([]byte(name), &id) {
		return false
	}
	_, err := o.store.get(id)
	return err == nil
}

// FileLimits are the most that [Objects.Files] reads.
type FileLimits struct {
	Entries int   // files and directories
	Bytes   int   // of files and of directories' lists
	Depth   int   // of directories
	Work    int64 // bytes that are inflated and computed from deltas, and what else is charged to the budget; 0 for all of it
}

// Files returns the files of a commit without parents, by their paths with slashes. ErrTruncated means that the commit or
// something in it is not here. Anything but a regular file or a directory is an error, and so are a path that is not printable
// text, and whatever exceeds the limits.
func (o *Objects) Files(commit string, limits FileLimits) (files map[string][]byte, err error) {
	all := o.store.budget
	if limits.Work > 0 && all.Left() > limits.Work {
		part := durable.NewBudget(limits.Work)
		o.store.budget = part
		defer func() {
			o.store.budget = all
			_ = all.Spend(limits.Work - part.Left()) // it had more
			if errors.Is(err, durable.ErrBudget) {
				err = fmt.Errorf("commit %s: %w", commit, errTooLarge)
			}
		}()
	}
	return o.filesOf(commit, limits)
}

func (o *Objects) filesOf(commit string, limits FileLimits) (map[string][]byte, error) {
	var id plumbing.Hash
	if !parseHash([]byte(commit), &id) {
		return nil, fmt.Errorf("%w: %q is no object name", errCorrupt, commit)
	}
	data, err := o.store.getKind(id, plumbing.CommitObject)
	if err != nil {
		return nil, err
	}
	c, err := parseCommit(data.data)
	if err == nil && len(c.parents) > 0 {
		err = fmt.Errorf("%w: it has a parent", errCorrupt)
	}
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", commit, err)
	}
	r := filesReader{store: o.store, limits: limits, files: map[string][]byte{}}
	if err := r.tree(c.tree, "", 0); err != nil {
		return nil, fmt.Errorf("commit %s: %w", commit, err)
	}
	return r.files, nil
}

// filesReader counts what is read of one commit: a directory may be in a commit any number of times.
type filesReader struct {
	store  *store
	limits FileLimits // what is left
	files  map[string][]byte
}

func (r *filesReader) get(id plumbing.Hash, kind plumbing.ObjectType) ([]byte, error) {
	o, err := r.store.getKind(id, kind)
	if err != nil {
		return nil, err
	}
	if r.limits.Bytes -= len(o.data); r.limits.Bytes < 0 {
		return nil, errTooLarge
	}
	return o.data, nil
}

func (r *filesReader) tree(id plumbing.Hash, dir string, depth int) error {
	if depth > r.limits.Depth {
		return fmt.Errorf("directories in directories: %w", errTooLarge)
	}
	rest, err := r.get(id, plumbing.TreeObject)
	for err == nil && len(rest) > 0 {
		var e treeEntry
		if e, rest, err = nextEntry(rest); err != nil {
			break
		}
		if r.limits.Entries--; r.limits.Entries < 0 {
			return fmt.Errorf("number of files: %w", errTooLarge)
		}
		path := dir + string(e.name)
		switch {
		case !printable(path):
			return fmt.Errorf("%w: a file named %q", errCorrupt, path)
		case e.isTree():
			err = r.tree(e.id, path+"/", depth+1)
		case e.mode&modeKind != modeFile:
			return fmt.Errorf("%w: %q is no regular file", errCorrupt, path)
		case r.files[path] != nil:
			return fmt.Errorf("%w: two files named %q", errCorrupt, path)
		default:
			var data []byte
			if data, err = r.get(e.id, plumbing.BlobObject); err == nil {
				r.files[path] = append([]byte{}, data...) // not nil, and not the store's
			}
		}
	}
	return err
}

func printable(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsFunc(path, func(c rune) bool { return c == '\\' || !unicode.IsPrint(c) })
}
