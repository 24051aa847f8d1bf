package hydrate

import (
	"context"
	"errors"
	"iter"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/roadmap"
)

// gather asks git's objects what was worked on. A project without git, or without a commit, has no evidence,
// which is no error; what was read before an error counts.
func (p *Project) gather(d *roadmap.Disk) (roadmap.Evidence, error) {
	repo, err := p.history()
	if repo == nil {
		return roadmap.Evidence{}, err
	}
	defer repo.Close() // it was only read
	read := reading{commits: repo.Reachable(context.Background())}
	ev := roadmap.Gather(read.all(), d)
	return ev, read.err
}

// history opens the repository of the working directory; nil where there is none.
func (p *Project) history() (*gitlog.Repo, error) {
	repo, err := gitlog.Open(p.work, planning, p.git)
	if errors.Is(err, gitlog.ErrNone) {
		return nil, nil
	}
	return repo, err
}

// historyWarning says why not all of git's history was read.
func (p *Project) historyWarning(err error) Warning {
	if errors.Is(err, durable.ErrBudget) {
		return Warning{ReadingStopped, stopped("git's history")}
	}
	return Warning{HistoryUnreadable, err.Error()}
}

// reading gives what history reads in roadmap's terms, and keeps the first error.
type reading struct {
	commits iter.Seq2[*gitlog.Commit, error]
	err     error
}

// keep keeps an error. After one no more files are asked for: what made the first one fail may be meant to.
func (r *reading) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reading) all() iter.Seq[roadmap.Commit] {
	return func(yield func(roadmap.Commit) bool) {
		first, planned := true, false
		for c, err := range r.commits {
			if err != nil {
				if first || !errors.Is(err, gitlog.ErrTruncated) { // what a shallow clone has is enough
					r.keep(err)
				}
				return
			}
			if first {
				planned, err = c.Planned()
				r.keep(err)
				first = false
			}
			next := roadmap.Commit{ID: c.ID, When: c.When, Subject: c.Subject}
			if planned {
				next.Changes = func() []roadmap.Change { return r.changes(c) }
				next.Has = func(file string) bool { return r.has(c, file) }
			}
			if !yield(next) {
				return
			}
		}
	}
}

func (r *reading) changes(c *gitlog.Commit) []roadmap.Change {
	if r.err != nil {
		return nil
	}
	changes, err := c.Changes()
	if err != nil && !errors.Is(err, gitlog.ErrTruncated) {
		r.keep(err)
	}
	all := make([]roadmap.Change, len(changes))
	for i, change := range changes {
		all[i] = roadmap.Change{Path: change.Path, Kind: kinds[change.Kind]}
	}
	return all
}

func (r *reading) has(c *gitlog.Commit, file string) bool {
	if r.err != nil {
		return false
	}
	version, err := c.Version(file)
	if err != nil && !errors.Is(err, gitlog.ErrTruncated) {
		r.keep(err)
	}
	return version != ""
}

var kinds = map[gitlog.Kind]roadmap.ChangeKind{
	gitlog.Added: roadmap.Added, gitlog.Modified: roadmap.Modified, gitlog.Removed: roadmap.Removed,
}
