package hydrate

import (
	"context"
	"errors"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/evidence"
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
	log := evidence.Read(repo.Reachable(context.Background()), 0)
	ev := roadmap.Gather(log.Commits(), d)
	return ev, log.Err
}

// history opens the repository of the working directory; nil where there is none.
func (p *Project) history() (*gitlog.Repo, error) {
	repo, err := gitlog.Open(p.work, p.git)
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
