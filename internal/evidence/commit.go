package evidence

// commit.go: the commits that the rules see, and how they are read from gitlog.

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// Commit is one commit. Its methods read git objects, which costs more than its fields, so they are called for few
// commits.
type Commit struct {
	Objects
	ID      string // in hex; of a repository below the project as gitlog.IDBelow has it
	When    time.Time
	Subject string // the first paragraph in one line

	log     *Log // nil: errors are dropped
	hidden  bool // the planning directory is not in git, so nothing is known of plans
	changes *[]gitlog.Change
	outside *outside
	files   *[]string
}

// Objects are the methods of a [gitlog.Commit] that Commit uses.
type Objects interface {
	Merge() bool
	Body() string
	Changes() ([]gitlog.Change, error)
	Outside() (changed, foreign bool, err error)
	Files() ([]string, error)
	Version(path string) (string, error)
}

type outside struct{ changed, foreign bool }

// Changes returns the files below the planning directory that the commit changed.
func (c *Commit) Changes() []gitlog.Change {
	if c.changes == nil {
		c.changes = new([]gitlog.Change)
		if c.readable() && !c.hidden {
			changes, err := c.Objects.Changes()
			c.log.keep(err)
			*c.changes = changes
		}
	}
	return *c.changes
}

// Version returns the object name of a file below the planning directory, "" if it does not exist, and reports whether
// that is known.
func (c *Commit) Version(file string) (string, bool) {
	if c.hidden {
		return "", false
	}
	if !c.readable() {
		return "", true
	}
	version, err := c.Objects.Version(file)
	c.log.keep(err)
	return version, !errors.Is(err, gitlog.ErrTruncated)
}

// Has reports whether a file below the planning directory is or may be in the commit.
func (c *Commit) Has(file string) bool {
	version, known := c.Version(file)
	return !known || version != ""
}

// Elsewhere reports whether the commit changed files of another project of the repository, or of another root of this
// one (a workstream), and none below root. Files that all roots share, such as PROJECT.md, do not count.
func (c *Commit) Elsewhere(root string) bool {
	top, _, _ := strings.Cut(root, "/")
	others := false
	for _, change := range c.Changes() {
		below, inTop := strings.CutPrefix(change.Path, top+"/")
		dir, _, _ := strings.Cut(below, "/")
		switch {
		case strings.HasPrefix(change.Path, root+"/") && (root != top || dir != "workstreams"):
			return false
		case inTop && slices.Contains([]string{"phases", "milestones", "quick", "workstreams"}, dir):
			others = true
		}
	}
	return others || len(c.Changes()) == 0 && c.readOutside().foreign
}

// Outside reports whether the commit changed files outside the planning directory that are not another project's.
func (c *Commit) Outside() bool { return c.readOutside().changed }

func (c *Commit) readOutside() outside {
	if c.outside == nil {
		c.outside = new(outside)
		if c.readable() {
			changed, foreign, err := c.Objects.Outside()
			c.log.keep(err)
			*c.outside = outside{changed, foreign}
		}
	}
	return *c.outside
}

// Files returns the files that the commit changed, those below the planning directory last.
func (c *Commit) Files() []string {
	if c.files == nil {
		c.files = new([]string)
		if c.readable() {
			files, err := c.Objects.Files()
			c.log.keep(err)
			for _, change := range c.Changes() {
				files = append(files, change.Path)
			}
			*c.files = files
		}
	}
	return *c.files
}

// readable reports whether objects may still be read. After an error they are not, because it may be provoked.
func (c *Commit) readable() bool { return c.log == nil || c.log.Err == nil }

// Log is a history, newest first, and why it is incomplete. Its commits are read when they are first asked for, and kept.
type Log struct {
	Err       error // the first error; what was read before it counts
	Truncated bool  // the repository lacks commits or files: the clone is shallow or partial

	kept   []*Commit
	next   func() (*gitlog.Commit, error, bool)
	stop   func()
	hidden bool // the newest commit has no planning directory
}

// Read returns a Log of commits from gitlog. Close ends it.
func Read(commits iter.Seq2[*gitlog.Commit, error]) *Log {
	next, stop := iter.Pull2(commits)
	return &Log{next: next, stop: stop}
}

// Close says that no more commits are read.
func (l *Log) Close() { l.stop() }

// Commits iterates over the commits.
func (l *Log) Commits() iter.Seq[*Commit] {
	return func(yield func(*Commit) bool) {
		for i := 0; ; i++ {
			if i == len(l.kept) && !l.read() || !yield(l.kept[i]) {
				return
			}
		}
	}
}

// read reads another commit, if there is one.
func (l *Log) read() bool {
	c, err, ok := l.next()
	if err != nil {
		if l.keep(err); len(l.kept) == 0 && l.Err == nil {
			l.Err = err // without even the newest commit there is nothing to show
		}
	}
	if !ok || err != nil {
		return false
	}
	if len(l.kept) == 0 {
		planned, err := c.HasPlanning()
		l.keep(err)
		l.hidden = !planned
	}
	l.kept = append(l.kept, &Commit{Objects: c, ID: c.ID, When: c.When, Subject: c.Subject, log: l, hidden: l.hidden})
	return true
}

// keep keeps the first error, except that ErrTruncated only sets Truncated.
func (l *Log) keep(err error) {
	switch {
	case l == nil || err == nil:
	case errors.Is(err, gitlog.ErrTruncated):
		l.Truncated = true
	case l.Err == nil:
		l.Err = err
	}
}
