package hydrate

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/roadmap"
)

// gather reads from git's objects what was worked on. A project without git or without commits has no evidence, which is
// not an error. Evidence that was read before an error is returned with it.
func (p *Project) gather(d *roadmap.Disk) (roadmap.Evidence, error) {
	repo, err := p.history()
	if repo == nil {
		return roadmap.Evidence{}, err
	}
	defer repo.Close() // it was only read
	log := p.readLog(repo.Reachable(context.Background()), 0)
	ev := roadmap.Gather(log.Commits(), d)
	return ev, log.Err
}

// history opens the repository of the working directory; nil if there is none.
func (p *Project) history() (*gitlog.Repo, error) {
	repo, err := gitlog.Open(p.work, p.git)
	if errors.Is(err, gitlog.ErrNone) {
		return nil, nil
	}
	return repo, err
}

// readLog is evidence.Read with progress.
func (p *Project) readLog(commits iter.Seq2[*gitlog.Commit, error], limit int) *evidence.Log {
	if p.Progress == nil {
		return evidence.Read(commits, limit)
	}
	return evidence.Read(func(yield func(*gitlog.Commit, error) bool) {
		seen := 0
		for c, err := range commits {
			if seen++; seen%1000 == 0 {
				p.Progress(fmt.Sprintf("reading git's history: %d commits", seen))
			}
			if !yield(c, err) {
				return
			}
		}
	}, limit)
}

func (p *Project) historyWarning(err error) Warning {
	if errors.Is(err, durable.ErrBudget) {
		return Warning{ReadingStopped, stopped("git's history")}
	}
	return Warning{HistoryUnreadable, err.Error()}
}

// timeline adds the plans by their commits. It follows first parents only, because a moved plan can only be followed along one
// line of history.
func (p *Project) timeline(st *Status, d *roadmap.Disk) {
	repo, err := p.history()
	if repo != nil {
		defer repo.Close() // it was only read
		log := p.readLog(repo.Log(context.Background()), 0)
		for _, s := range roadmap.Timeline(log.Commits(), d) {
			st.Timeline = append(st.Timeline, Span{
				ID: s.Plan.ID, Path: s.Plan.Path, Phase: s.Plan.Phase.String(), First: s.First, Last: s.Last,
				Commits: s.Commits, Done: s.Plan.Done(), Finished: s.Finished,
			})
		}
		err = log.Err
	}
	if err != nil {
		st.Warnings = append(st.Warnings, p.historyWarning(err))
	}
}
