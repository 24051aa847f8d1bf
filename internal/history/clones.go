package history

import (
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/team"
)

// addShared adds to a report without a session those that the user has in other clones, as far as the last gsd sync knows.
func addShared(s *Starter) {
	p, r := s.p, s.r
	for _, its := range team.InOtherClones(p, r.User) {
		root := p.Planning.RootOfPlan(its.Plan)
		isOther := root != p.Base() && !p.Undecided() && p.Planning.Exists(root) // that workstream tells of it
		if isOther || p.Planning.SummaryOf(its.Plan) != "" {
			continue
		}
		id, _ := p.Planning.PlanID(its.Plan)
		other := answer.Elsewhere{Session: its.Row(r.User, true, its.Plan, id, team.LastSeen(p).Remote), Branch: its.Branch}
		if p.Planning.Exists(its.Plan) {
			other.May, other.Do = s.TakeUp(its.Plan, action.Bring, claim.Options{})
		} else {
			other.Missing, other.Do = team.MissingPlan(p, &its)
		}
		r.Elsewhere = append(r.Elsewhere, other)
	}
}
