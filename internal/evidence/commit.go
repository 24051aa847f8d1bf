package evidence

// commit.go: the commits that the rules see, and the one place where they are made from git's objects.

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// Commit is one commit. Its fields are known; its methods ask git's objects, which costs more, so few commits are asked.
type Commit struct {
	Objects
	ID      string // in hex
	When    time.Time
	Subject string // the first paragraph in one line

	log     *Log // nil: errors are not kept
	hidden  bool // the planning directory is not in git, so nothing is known of plans
	changes *[]gitlog.Change
	outside *outside
}

// Objects is what a commit is asked for: it is a [gitlog.Commit].
type Objects interface {
	Merge() bool
	Body() string
	Changes() ([]gitlog.Change, error)
	Outside() (changed, foreign bool, err error)
	Version(path string) (string, error)
}

type outside struct{ changed, foreign bool }

// Changes returns the files below the planning directory that the commit changed.
func (c *Commit) Changes() []gitlog.Change {
	if c.changes == nil {
		c.changes = new([]gitlog.Change)
		if c.askable() && !c.hidden {
			changes, err := c.Objects.Changes()
			c.log.keep(err)
			*c.changes = changes
		}
	}
	return *c.changes
}

// Version names the content of a file below the planning directory, "" where there is none; false where it is not known.
func (c *Commit) Version(file string) (string, bool) {
	if c.hidden {
		return "", false
	}
	if !c.askable() {
		return "", true
	}
	version, err := c.Objects.Version(file)
	c.log.keep(err)
	return version, !errors.Is(err, gitlog.ErrTruncated)
}

// Has reports whether a file below the planning directory is in the commit, or may be.
func (c *Commit) Has(file string) bool {
	version, known := c.Version(file)
	return !known || version != ""
}

// Elsewhere reports whether the commit changed what belongs to another project of its repository, or to another root of
// this one (a workstream), and nothing of the root. What all roots share, such as PROJECT.md, says nothing.
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
	return others || len(c.Changes()) == 0 && c.look().foreign
}

// Outside reports whether the commit changed files outside of the planning directory that are not another project's.
func (c *Commit) Outside() bool { return c.look().changed }

func (c *Commit) look() outside {
	if c.outside == nil {
		c.outside = new(outside)
		if c.askable() {
			changed, foreign, err := c.Objects.Outside()
			c.log.keep(err)
			*c.outside = outside{changed, foreign}
		}
	}
	return *c.outside
}

// askable reports whether files may be asked for. After an error they are not: what made the first one fail may be meant
// to.
func (c *Commit) askable() bool { return c.log == nil || c.log.Err == nil }

// Log is a history that is read once, newest first, and what kept from reading more of it.
type Log struct {
	Err       error // the first; what was read before counts
	Truncated bool  // there are commits or files that the repository does not have: the clone is shallow or partial
	Limited   bool  // there are commits beyond the limit

	commits iter.Seq2[*gitlog.Commit, error]
	limit   int
}

// Read makes a Log of commits as gitlog gives them; limit is how many are read at most, 0 for all.
func Read(commits iter.Seq2[*gitlog.Commit, error], limit int) *Log {
	return &Log{commits: commits, limit: limit}
}

// Commits goes through the commits.
func (l *Log) Commits() iter.Seq[*Commit] {
	return func(yield func(*Commit) bool) {
		seen, hidden := 0, false
		for c, err := range l.commits {
			if err != nil {
				if l.keep(err); seen == 0 && l.Err == nil {
					l.Err = err // a clone without its newest commit shows nothing
				}
				return
			}
			if l.limit > 0 && seen == l.limit {
				l.Limited = true
				return
			}
			if seen++; seen == 1 {
				planned, err := c.Planned()
				l.keep(err)
				hidden = !planned
			}
			if !yield(&Commit{Objects: c, ID: c.ID, When: c.When, Subject: c.Subject, log: l, hidden: hidden}) {
				return
			}
		}
	}
}

// keep keeps the first error. That the history is cut off is none: what is there counts.
func (l *Log) keep(err error) {
	switch {
	case l == nil || err == nil:
	case errors.Is(err, gitlog.ErrTruncated):
		l.Truncated = true
	case l.Err == nil:
		l.Err = err
	}
}
