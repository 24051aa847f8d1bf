// Package gitlog reads what git objects tell about a planning directory: which commits touched it, when, and what they
// changed.
//
// Its law: it reads files and nothing else. It never runs git, never writes, never asks the network for an
// object that is missing, and hands on nothing that it has not checked: the content of every object must
// hash to the name it was asked by. Reading executes nothing, so whose repository it is (safe.directory)
// does not matter here. What cannot be read is an error, and every commit before the error stays good.
//
// Only the disk counts: GIT_DIR, GIT_OBJECT_DIRECTORY and the other variables of git are not looked at, and
// neither is any configuration (core.worktree among it), nor refs/replace and the old info/grafts.
package gitlog

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

var (
	// ErrNone says that there is no history: no repository around the directory, or no commit in it yet.
	ErrNone = errors.New("no git history")
	// ErrUnsupported says that the repository is kept in a way this package does not read (the reftable
	// format, SHA-256 object names).
	ErrUnsupported = errors.New("unsupported git repository")
	// ErrTruncated says that there is more history than can be seen: the clone is shallow, or an object is
	// missing, as in a partial clone.
	ErrTruncated = errors.New("truncated git history")
)

var (
	errCorrupt  = errors.New("corrupt git object")
	errTooLarge = errors.New("too large")
)

// Kind is what happened to a file.
type Kind int

// The kinds of change. A rename is a Removed and an Added, as in git without rename detection.
const (
	Added Kind = iota + 1
	Modified
	Removed
)

// Change is one file that a commit changed. Path has slashes and starts at the project directory, with the
// name of the planning directory. It is git's bytes: not necessarily UTF-8, nor a name that this operating
// system takes, but never absolute and without "." or "..".
type Change struct {
	Path string
	Kind Kind
}

// Commit is one commit.
type Commit struct {
	ID      string    // in hex
	When    time.Time // the committer's, in the committer's zone
	Subject string    // the first paragraph in one line, like git's %s; valid UTF-8

	repo     *Repo
	id, tree plumbing.Hash
	parents  []plumbing.Hash
	shallow  bool           // they are known by name only, if there are any
	planning *plumbing.Hash // the tree of the planning directory, zero for none; nil before it was looked for
}

// planning is the name of the planning directory, which lies in the project's.
const planning = ".planning"

// Repo is an open repository, seen from one project. It is not for use by several goroutines at a time.
type Repo struct {
	head    plumbing.Hash
	project string // where it is from the top of the repository's trees, with slashes; "." for the top
	shallow map[plumbing.Hash]bool
	objects *store
	recent  *Commit // the last that was read: a parent is asked for by its child first, and has its turn next
}

// Open finds the repository of the project in dir, an absolute path without links, as git would: upwards, the first
// ".git" that is a repository or points to one (linked worktrees, submodules). No object is read yet, so HEAD may name one
// that is missing. Errors: ErrNone, ErrUnsupported, or that of a file.
//
// What is read of the repository, now and later, is taken from the budget: objects by what they inflate to, and looking
// for one in many places by the places. Once it is spent, every read fails with [durable.ErrBudget].
func Open(dir string, budget *durable.Budget) (*Repo, error) {
	at, err := findRepository(dir)
	if err != nil {
		return nil, err
	}
	at.budget = budget
	head, err := at.head()
	if err != nil {
		return nil, err
	}
	shallow, err := at.shallow()
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(at.top, dir)
	if err != nil {
		return nil, err
	}
	dirs, more := at.objects()
	objects := newStore(dirs, budget)
	objects.more = more
	return &Repo{head: head, project: filepath.ToSlash(below), shallow: shallow, objects: objects}, nil
}

// Close lets go of the repository's files. Commits that were read stay good, but can be asked for no more
// Changes.
func (r *Repo) Close() error {
	return r.objects.close()
}

// Log goes from HEAD back by first parents, newest first. It ends at the root. Where it must end before,
// the last pair is no commit but the reason: ErrTruncated, an error of ctx, a file that cannot be read or
// makes no sense. The commits that came before it are good in each case.
func (r *Repo) Log(ctx context.Context) iter.Seq2[*Commit, error] {
	return func(yield func(*Commit, error) bool) {
		c, err := r.commit(r.head)
		for c != nil || err != nil {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(c, nil) {
				return
			}
			c, err = c.older()
		}
	}
}

func (r *Repo) commit(id plumbing.Hash) (*Commit, error) {
	if r.recent != nil && r.recent.id == id {
		return r.recent, nil
	}
	o, err := r.objects.getKind(id, plumbing.CommitObject)
	if err != nil {
		return nil, err
	}
	c, err := parseCommit(o.data)
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", id, err)
	}
	c.ID, c.id, c.repo, c.shallow = id.String(), id, r, r.shallow[id]
	r.recent = c
	return c, nil
}

// older reads the first parent; nil for that of a root.
func (c *Commit) older() (*Commit, error) {
	switch {
	case len(c.parents) == 0:
		return nil, nil
	case c.shallow:
		return nil, fmt.Errorf("%w: shallow at %s", ErrTruncated, c.ID)
	}
	return c.repo.commit(c.parents[0])
}

// Merge reports whether c has several parents.
func (c *Commit) Merge() bool { return len(c.parents) > 1 }

// Changes gives the files that c changed in the planning directory against its first parent, in git's
// order; all of them for a root. sessions/ in it is left out. Whatever a tree lists and is no tree counts
// as a file. At the edge of a shallow clone, where git would call every file added, there is no telling:
// ErrTruncated.
func (c *Commit) Changes() ([]Change, error) {
	older, err := c.older()
	if err != nil || older != nil && older.tree == c.tree {
		return nil, err
	}
	was, err := older.planningTree()
	if err != nil {
		return nil, err
	}
	is, err := c.planningTree()
	if err != nil {
		return nil, err
	}
	d := differ{
		objects: c.repo.objects, budget: maxTreeBytes, most: maxChanges,
		skip: planning + "/sessions", // the program's own, written all the time
	}
	if err := d.compare(was, is, planning, 0); err != nil {
		return nil, fmt.Errorf("changes of %s: %w", c.ID, err)
	}
	return d.changes, nil
}

// planningTree gives the name of the tree of the planning directory; zero if there is none, or c is nil: what a root had
// before.
func (c *Commit) planningTree() (plumbing.Hash, error) {
	if c == nil {
		return plumbing.ZeroHash, nil
	}
	if c.planning == nil {
		e, err := c.repo.objects.at(c.tree, c.repo.project+"/"+planning)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		c.planning = new(plumbing.Hash)
		if e.isTree() {
			*c.planning = e.id
		}
	}
	return *c.planning, nil
}
