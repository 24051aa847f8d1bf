package project

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/roadmap"
)

// gather reads from git's objects what was worked on. A project without git or without commits has no evidence, which is
// not an error. Evidence that was read before an error is returned with it.
func (p *Project) gather(d *roadmap.Disk, progress func(doing string)) (roadmap.Evidence, error) {
	repo, err := p.History()
	if repo == nil {
		return roadmap.Evidence{}, err
	}
	defer repo.Close() // it was only read
	log := ReadLog(repo.Reachable(context.Background()), 0, progress)
	ev := roadmap.Gather(log.Commits(), d)
	return ev, log.Err
}

// History opens the repository of the working directory; nil if there is none.
func (p *Project) History() (*gitlog.Repo, error) {
	repo, err := gitlog.Open(p.Work, p.git)
	if errors.Is(err, gitlog.ErrNone) {
		return nil, nil
	}
	return repo, err
}

// ReadLog is evidence.Read, and tells progress, now and then, how many commits have been read; nil for nobody.
func ReadLog(commits iter.Seq2[*gitlog.Commit, error], limit int, progress func(doing string)) *evidence.Log {
	if progress == nil {
		return evidence.Read(commits, limit)
	}
	return evidence.Read(func(yield func(*gitlog.Commit, error) bool) {
		seen := 0
		for c, err := range commits {
			if seen++; seen%1000 == 0 {
				progress(fmt.Sprintf("reading git's history: %d commits", seen))
			}
			if !yield(c, err) {
				return
			}
		}
	}, limit)
}
