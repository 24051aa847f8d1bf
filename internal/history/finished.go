package history

// finished.go: plans that only lack their summary, though no session is on them: another plan took the session's place first.

import (
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Finished returns how far those plans are that the user has archived with all tasks complete or skipped, of those that asked is true for,
// where nothing says otherwise since. Only the latest archives are looked at, and one of each plan is read, so that it costs little to ask.
func Finished(p *verdict.Project, r *answer.Report, asked func(plan string) bool) map[string]*answer.PlanProgress {
	found := map[string]*answer.PlanProgress{}
	seen := map[string]bool{}
	for _, a := range archiveHeads(p, r.User, mostLookedAt) {
		h := a.Header
		plan := p.Named(h).Path
		if plan != "" && !p.Planning.Exists(plan) {
			plan = MovedTo(p, &session.Crumb{Plan: plan, Digest: h.Digest})
		}
		if seen[plan] || !asked(plan) {
			continue
		}
		seen[plan] = true
		src, err := readArchive(p, r.User, a.Name, lookBudget(p))
		if s := planfile.ParseSession(src); err != nil || !s.HasStatus() || answer.FirstOpen(s) != nil {
			continue
		}
		file, problem := p.Planning.ReadPlan(plan)
		if problem != nil {
			continue
		}
		if progress := SoFar(p, r, plan, file, verdict.MostCommits); progress != nil && progress.Resume == nil {
			found[plan] = progress
		}
	}
	return found
}
