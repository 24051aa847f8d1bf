package app

import (
	"context"
	"errors"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// ClaimProblem warns that the plan of a session could not be claimed.
const ClaimProblem = "unclaimed"

// claimBefore claims the plan of a session that may be started or kept. Without o.Claim, that is left to the next sync, which takes the
// plan over.
func (p *Project) claimBefore(ctx context.Context, o *BootstrapOptions, s *history.Starter, may claim.Availability) (*team.ClaimRecord, *problem.Warning, error) {
	started, _ := time.Parse(time.RFC3339, p.newStart(o.User, o.Plan))
	if may.Decision == claim.Continue {
		started, _ = s.Report().Session.Header.StartedAt()
	}
	if o.Claim != nil {
		return p.claimToStart(ctx, o, started, s, may.Owned)
	}
	name, ok := p.SharedPlan(o.Plan)
	if _, claimed := team.LastSeen(p.Project).Claims[share.ClaimRef(name)]; !ok || !claimed {
		return nil, nil, nil
	}
	record := team.NewRecord(name, started)
	record.TakeOver = true
	return record, nil, nil
}

// keepRecord stores what came of a claim for the session that was started. It reports whether that is the one which it was for.
func (p *Project) keepRecord(ctx context.Context, r *answer.Report, record team.ClaimRecord, wait time.Duration) bool {
	if r.Session == nil {
		return false
	}
	name, _ := p.SharedPlan(r.Plan.Path)
	if name != record.Plan {
		return false
	}
	started, _ := r.Session.Header.StartedAt()
	record.Started = team.InHeader(started)
	_ = p.Change(ctx, r.User, wait, func(l *verdict.Locked) error {
		team.SetClaimRecord(p.Project, l, record)
		return nil
	})
	return true
}

// claimToStart claims a plan at the remote for the session that is about to be on it, started at a time. It returns the record of
// it for the session's directory. An error of kind Busy says that somebody else has the plan, which is a warning if a session
// continues; whatever else is wrong is one, because a session can be started without a network.
func (p *Project) claimToStart(ctx context.Context, o *BootstrapOptions, started time.Time, s *history.Starter, continues bool) (record *team.ClaimRecord, warning *problem.Warning, err error) {
	name, ok := p.SharedPlan(o.Plan)
	if !ok {
		return nil, nil, nil
	}
	record = team.NewRecord(name, started)
	record.TakeOver = o.TakeOver
	ctx, cancel := context.WithTimeout(ctx, gitremote.DefaultTimeout)
	defer cancel()
	exchange, err := team.Begin(ctx, p.Project, *o.Claim)
	if err == nil {
		err = exchange.ClaimNow(ctx, record)
	}
	var failure *problem.Error
	switch {
	case errors.As(err, &failure) && failure.Kind == problem.Busy && record.Outcome == share.Lost:
		if warning := team.LostClaimWarning(p.Project, record); continues {
			return record, &warning, nil
		}
		failure.Hint, failure.Do = "", p.insteadOf(o.User)
		return nil, nil, failure
	case err != nil:
		s = s.With(s.Report())
		s.Here = false // what the last sync saw counts
		if may := s.MayStart(o.Plan, o.ignored()); may.Decision == claim.Held {
			return nil, nil, p.refusal(s.Report(), may)
		}
		w := &problem.Warning{Code: ClaimProblem, Says: err.Error()}
		if errors.As(err, &failure) && failure.Kind == problem.MissingInput {
			w.Hint = failure.Hint
		}
		record.Outcome = ""
		return record, w, nil
	}
	return record, nil, nil
}
