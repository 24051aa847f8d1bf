package hydrate

import (
	"context"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/roadmap"
)

// timeline walks back along the first parents, as far as the history can be read: a plan that was moved is only
// followed on one line.
func (p *Project) timeline(st *Status, d *roadmap.Disk) {
	repo, err := p.history()
	if repo != nil {
		defer repo.Close() // it was only read
		log := evidence.Read(repo.Log(context.Background()), 0)
		for _, s := range roadmap.Timeline(log.Commits(), d) {
			st.Timeline = append(st.Timeline, Span{
				ID: s.Plan.ID, Path: s.Plan.Path, Phase: s.Plan.Phase.String(), First: s.First, Last: s.Last,
				Commits: s.Commits, Done: s.Plan.Done(), Finished: s.Finished,
			})
		}
		err = log.Err
	}
	if err != nil {
		why := p.historyWarning(err)
		st.warn(why.Code, why.Detail)
	}
}
