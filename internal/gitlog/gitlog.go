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
	"strings"
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

func (k Kind) String() string {
	switch k {
	case Added:
		return "added"
	case Modified:
		return "modified"
	case Removed:
		return "removed"
	}
	return "unknown"
}

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

	repo    *Repo
	id      plumbing.Hash
	root    *rootTree
	parent  plumbing.Hash   // the first; zero for a root
	merged  []plumbing.Hash // the others
	shallow bool            // the parent is known by name only
	was     *rootTree       // of the parent, once that was read
	// The commit of parent, from when it is read until the walk has come to it: who keeps one commit keeps no others.
	older *Commit
}

// rootTree is the tree that a commit has at its top.
type rootTree struct {
	tree     plumbing.Hash
	planning *plumbing.Hash // the tree of the planning directory, zero for none; nil before it was looked for
}

// Repo is an open repository, seen from one project. It is not for use by several goroutines at a time.
type Repo struct {
	head    plumbing.Hash
	path    []string // from the top of the repository's trees down to the planning directory
	name    string   // of the planning directory, as Open was told
	shallow map[plumbing.Hash]bool
	objects *store
}

// Open finds the repository of the project in dir, an absolute path, as git would: upwards, the first
// ".git" that is a repository or points to one (linked worktrees, submodules). planning is the path of the
// planning directory below dir, with slashes. No object is read yet, so HEAD may name one that
// is missing. Errors: ErrNone, ErrUnsupported, or that of a file.
//
// What is read of the repository, now and later, is taken from the budget: objects by what they inflate to, and looking
// for one in many places by the places. Once it is spent, every read fails with [durable.ErrBudget].
func Open(dir, planning string, budget *durable.Budget) (*Repo, error) {
	// git goes by the physical directory too.
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
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
	r := &Repo{head: head, name: planning, shallow: shallow, objects: newStore(dirs, budget)}
	r.objects.more = more
	for _, part := range strings.Split(filepath.ToSlash(below)+"/"+planning, "/") {
		if part != "." && part != "" {
			r.path = append(r.path, part)
		}
	}
	return r, nil
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
		c, err := r.headCommit()
		for {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(c, nil) || c.parent.IsZero() {
				return
			}
			older, err2 := c.firstParent()
			c.older = nil
			c, err = older, err2
		}
	}
}

// headCommit reads the commit that HEAD names, through tags if need be, which git allows to be there.
func (r *Repo) headCommit() (*Commit, error) {
	at := r.head
	for range 5 {
		o, err := r.objects.get(at)
		if err != nil {
			return nil, err
		}
		if o.kind != plumbing.TagObject {
			break
		}
		if at, err = parseTag(o.data); err != nil {
			return nil, fmt.Errorf("tag %s: %w", r.head, err)
		}
	}
	return r.commit(at)
}

func (r *Repo) commit(id plumbing.Hash) (*Commit, error) {
	o, err := r.objects.getKind(id, plumbing.CommitObject)
	if err != nil {
		return nil, err
	}
	c, err := parseCommit(o.data)
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", id, err)
	}
	c.ID, c.id, c.repo, c.shallow = id.String(), id, r, r.shallow[id] && !c.parent.IsZero()
	return c, nil
}

// firstParent reads the parent of a commit that has one.
func (c *Commit) firstParent() (*Commit, error) {
	if c.shallow {
		return nil, fmt.Errorf("%w: shallow at %s", ErrTruncated, c.ID)
	}
	if c.older == nil {
		older, err := c.repo.commit(c.parent)
		if err != nil {
			return nil, err
		}
		c.older, c.was = older, older.root
	}
	return c.older, nil
}

// parentRoot is the tree of the first parent of a commit that has one.
func (c *Commit) parentRoot() (*rootTree, error) {
	if c.was == nil {
		if _, err := c.firstParent(); err != nil {
			return nil, err
		}
	}
	return c.was, nil
}

// Merge tells a commit that has several parents.
func (c *Commit) Merge() bool { return len(c.merged) > 0 }

// Changes gives the files that c changed in the planning directory against its first parent, in git's
// order; all of them for a root. sessions/ in it is left out. Whatever a tree lists and is no tree counts
// as a file. At the edge of a shallow clone, where git would call every file added, there is no telling:
// ErrTruncated.
func (c *Commit) Changes() ([]Change, error) {
	var was plumbing.Hash
	if !c.parent.IsZero() {
		older, err := c.parentRoot()
		if err != nil {
			return nil, err
		}
		if older.tree == c.root.tree {
			return nil, nil
		}
		if was, err = c.repo.planningTree(older); err != nil {
			return nil, err
		}
	}
	is, err := c.repo.planningTree(c.root)
	if err != nil {
		return nil, err
	}
	d := differ{
		objects: c.repo.objects, budget: maxTreeBytes, most: maxChanges,
		skip: c.repo.name + "/sessions", // the program's own, written all the time
	}
	if err := d.compare(was, is, c.repo.name, 0); err != nil {
		return nil, fmt.Errorf("changes of %s: %w", c.ID, err)
	}
	return d.changes, nil
}

// planningTree gives the name of the tree of the planning directory, zero if there is none.
func (r *Repo) planningTree(in *rootTree) (plumbing.Hash, error) {
	if in.planning != nil {
		return *in.planning, nil
	}
	at := in.tree
	for _, name := range r.path {
		o, err := r.objects.getKind(at, plumbing.TreeObject)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		if at, err = findTree(o.data, name); err != nil {
			return plumbing.ZeroHash, fmt.Errorf("tree %s: %w", at, err)
		}
		if at.IsZero() {
			break
		}
	}
	in.planning = &at
	return at, nil
}
