package history

// dispatched.go: how far a plan is that an agent is sent to carry out by another one.

import (
	"time"

	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Dispatched returns how far a plan is that an agent is sent to carry out. It is as [SoFar], but sessions in worktrees that were removed count,
// because that is where executors work. r is on the user's current session, whatever plan that is on.
func Dispatched(p *verdict.Project, r *verdict.Report, at string, plan *planfile.File, now time.Time) *verdict.PlanProgress {
	its, _ := findWithin(p, nil, removed(p, crumbList(p), r.User, now), nil, r, at, plan, now).soFar()
	return its
}
