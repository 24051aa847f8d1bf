// Package gitlog reads the history of a planning directory from git objects: which commits touched it, when, and what
// they changed.
//
// It only reads files. It never runs git, never writes, never fetches a missing object, and returns nothing unchecked:
// the content of every object must hash to its name. Reading executes nothing, so the repository's owner
// (safe.directory) does not matter. What cannot be read is an error, and every commit before the error is valid.
//
// GIT_DIR, GIT_OBJECT_DIRECTORY and git's other variables are ignored, and so are its configuration (such as
// core.worktree), refs/replace and the old info/grafts.
//
// go-git's own storage takes two to seven times as long on large repositories, and believes what a hostile object says of its size.
// Its tree diff of the 300 newest commits of the largest real history takes 350 ms, where git log --raw takes 20 and the whole of
// gsd next 9. So only its hashes and deltas are used here; its readers are the oracles of the tests.
package gitlog

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

var (
	// ErrNone means that there is no history: no repository around the directory, or no commit in it yet.
	ErrNone = errors.New("no git history")
	// ErrUnsupported means that the repository has a format that this package does not read: reftable, or SHA-256
	// object names.
	ErrUnsupported = errors.New("unsupported git repository")
	// ErrTruncated means that part of the history is not in the repository: the clone is shallow, or an object is
	// missing, as in a partial clone.
	ErrTruncated = errors.New("truncated git history")
)

var (
	errCorrupt  = errors.New("corrupt git object")
	errTooLarge = errors.New("too large")
)

// Kind is the kind of a change.
type Kind int

// The kinds of change. A rename is a Removed and an Added file, as in git without rename detection.
const (
	Added Kind = iota + 1
	Modified
	Removed
)

// Change is one file that a commit changed. Path has slashes, is relative to the project and begins with the name of
// the planning directory. Its bytes are git's: not necessarily UTF-8, nor valid on this operating system, but never
// absolute and without "." or "..".
type Change struct {
	Path string
	Kind Kind
}

// Commit is one commit.
type Commit struct {
	ID      string    // in hex; of a repository below the project as IDBelow has it
	When    time.Time // the committer's time and zone
	Subject string    // the first paragraph in one line, like git's %s; valid UTF-8

	repo     *Repo
	id, tree plumbing.Hash
	parents  []plumbing.Hash
	shallow  bool           // the parents, if any, are not in the clone
	planning *plumbing.Hash // the tree of the planning directory, zero for none; nil until it is read
	project  string         // where the project is in it, known with planning
	beside   *beside        // nil if it is of the repository that has the planning directory, or of the only one
}

// planning is the name of the planning directory in the project's.
const planning = ".planning"

// Repo is an open repository, seen from one project. It is not safe for concurrent use.
type Repo struct {
	at      Place
	head    plumbing.Hash
	branch  string   // that HEAD is on, "" for none
	project []string // relative to the top of the repository, with slashes; "." for the top. Then where it was before, as far as known
	shallow map[plumbing.Hash]bool
	objects *store
	below   map[string]bool // the repositories below the project that Together reads, relative to the top
	recent  *Commit         // the last one read: a child reads its parent for Changes, and Log does so next
	version struct {        // the last that was looked up
		tree          plumbing.Hash
		name, version string
	}
}

// Open opens the repository. No object is read yet, so HEAD may name a missing one. Open returns ErrNone, ErrUnsupported or the error of a
// file.
//
// All reading, now and later, is charged to the budget: objects by their inflated size, and lookups by the number of
// files that are searched. Once it is spent, every read fails with [durable.ErrBudget].
func (p Place) Open(budget *durable.Budget) (*Repo, error) {
	if err := p.Err(); err != nil {
		return nil, err
	}
	p.budget = budget
	head, branch, err := p.head()
	if err != nil {
		return nil, err
	}
	shallow, err := p.shallow()
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(p.top, p.of)
	if err != nil {
		return nil, err
	}
	dirs, more := p.objects()
	objects := newStore(dirs, budget)
	objects.more = more
	return &Repo{at: p, head: head, branch: branch, project: []string{filepath.ToSlash(below)}, shallow: shallow, objects: objects}, nil
}

// Head returns the object name of HEAD, which need not exist, in hex.
func (r *Repo) Head() string { return r.head.String() }

// SameHead reports whether HEAD is the same commit on the same branch as in other, which is the same repository.
func (r *Repo) SameHead(other *Repo) bool {
	return r.head == other.head && r.branch == other.branch && r.at.dir == other.at.dir
}

// Close closes the repository's files. Commits already read remain valid, but their methods fail.
func (r *Repo) Close() error {
	return r.objects.close()
}

// Log iterates over HEAD and its first parents, newest first, back to the root. If it must end earlier, the last pair
// is a nil commit and the reason: ErrTruncated, the error of ctx, or that of a file that is unreadable or corrupt. The
// commits before it are valid.
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
	c.ID, c.id, c.repo, c.shallow = IDBelow(r.at.name, id.String()), id, r, r.shallow[id]
	r.recent = c
	return c, nil
}

// older returns the first parent, nil for a root.
func (c *Commit) older() (*Commit, error) {
	switch {
	case len(c.parents) == 0:
		return nil, nil
	case c.shallow:
		return nil, fmt.Errorf("%w: shallow at %s", ErrTruncated, c.ID)
	}
	return c.repo.commit(c.parents[0])
}

// Merge reports whether c has more than one parent.
func (c *Commit) Merge() bool { return len(c.parents) > 1 }

// Changes returns the files in the planning directory that c changed relative to its first parent, in git's order; all
// of them for a root. Its sessions/ are left out. Any entry that is not a tree counts as a file. A commit that moved the
// whole directory changed what differs from where it was, and older ones are seen from there. At the boundary of a
// shallow clone, where git would report every file as added, Changes returns ErrTruncated.
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
	if err == nil && older != nil && was.IsZero() && !is.IsZero() {
		was, err = c.moved(older)
	}
	if err != nil {
		return nil, err
	}
	d := differ{
		objects: c.repo.objects, budget: maxTreeBytes, limit: maxChanges,
		skip: planning + "/sessions", // gsd's own files, which change all the time
	}
	if err := d.compare(was, is, planning, 0); err != nil {
		return nil, fmt.Errorf("changes of %s: %w", c.ID, err)
	}
	return d.changes, nil
}

// moved returns the planning directory of the first parent which c, that has one where the parent has none, moved there; zero if the
// project begins with c.
func (c *Commit) moved(older *Commit) (plumbing.Hash, error) {
	d := differ{objects: c.repo.objects, budget: maxTreeBytes, limit: maxChanges}
	if err := d.compare(older.tree, c.tree, "", 0); err != nil && !errors.Is(err, errTooLarge) {
		return plumbing.ZeroHash, fmt.Errorf("changes of %s: %w", c.ID, err)
	}
	for _, change := range d.changes {
		dir, file := path.Split(change.Path)
		if change.Kind != Removed || file != "ROADMAP.md" || path.Base(dir) != planning {
			continue
		}
		c.repo.project = append(c.repo.project, path.Dir(path.Clean(dir)))
		older.planning = nil
		return older.planningTree()
	}
	return plumbing.ZeroHash, nil
}

// planningTree returns the tree of the planning directory, zero if there is none or if c is nil, the parent of a root.
func (c *Commit) planningTree() (plumbing.Hash, error) {
	if c == nil {
		return plumbing.ZeroHash, nil
	}
	if c.planning != nil {
		return *c.planning, nil
	}
	c.project = c.repo.project[0]
	found := plumbing.ZeroHash
	if c.repo.at.name != "" {
		if c.repo.isPlanning() {
			found = c.tree
		}
		c.planning = &found
		return found, nil
	}
	for _, dir := range c.repo.project {
		e, err := c.repo.objects.at(c.tree, dir+"/"+planning)
		if err != nil {
			return found, err
		}
		if e.isTree() {
			found, c.project = e.id, dir
			break
		}
	}
	c.planning = &found
	return found, nil
}

// place returns where the project was in c.
func (c *Commit) place() string {
	if _, err := c.planningTree(); err != nil {
		return c.repo.project[0]
	}
	return c.project
}
