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
	for _, session := range team.InOtherClones(p, r.User) {
		root := p.Planning.RootOfPlan(session.Plan)
		isOther := root != p.Base() && !p.Undecided() && p.Planning.Exists(root) // that workstream tells of it
		if isOther || p.Planning.SummaryOf(session.Plan) != "" {
			continue
		}
		id, _ := p.Planning.PlanID(session.Plan)
		other := answer.Elsewhere{Session: session.Row(r.User, true, session.Plan, id, team.LastSeen(p).Remote), Branch: session.Branch}
		if p.Planning.Exists(session.Plan) {
			other.May, other.Do = s.TakeUp(session.Plan, action.Bring, claim.Options{})
		} else {
			other.Missing, other.Do = team.MissingPlan(p, &session)
		}
		r.Elsewhere = append(r.Elsewhere, other)
	}
}
