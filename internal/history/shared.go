package history

// shared.go: what a worktree knows of the user's sessions in other clones, and what becomes of it. It is in shared.json beside the
// session; sync.go exchanges it with the remote.

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// takeShared takes the statuses that were set in any clone after a time, and those that are newer than what knew has of the task.
func (g *FormerProgress) takeShared(after time.Time, knew map[string]share.Task) {
	if g.shared == nil || g.closed {
		return
	}
	for n, t := range g.shared.Tasks {
		before, has := knew[t.ID]
		isNewer := t.Stamp.Time().After(after) || has && t.Stamp.Compare(before.Stamp) > 0
		if g.Statuses[n] != "" || !isNewer {
			continue
		}
		g.Statuses[n] = t.Status
		if verdict.WorthCarrying(t.Status) {
			g.Carried = append(g.Carried, Carried{Number: n, From: n, Status: t.Status})
			if !slices.Contains(g.From, t.From) {
				g.From = append(g.From, t.From)
			}
		}
	}
	slices.SortStableFunc(g.Carried, func(a, b Carried) int { return a.Number - b.Number })
}

// addShared adds to a report without a session those that the user has in other clones, as far as the last gsd sync knows.
func addShared(p *verdict.Project, r *verdict.Report) {
	replica, _, err := p.Replica(r.User)
	if err != nil {
		return
	}
	for _, its := range team.InOtherClones(p, replica) {
		if p.Planning.SummaryOf(its.Plan) != "" {
			continue
		}
		id, _ := planref.PlanID(its.Plan)
		other := verdict.Elsewhere{Session: its.Shown(r.User, true, its.Plan, id, team.LastSeen(p).Remote), Branch: its.Branch}
		if p.Planning.Exists(its.Plan) && inHand(p, r.User, its.Plan) != nil {
			other.Command = *ShowHolder()
		} else if p.Planning.Exists(its.Plan) {
			other.Command = verdict.Command{Words: []string{"gsd", "restore", verdict.PlanWord(its.Plan, id, p.Planning.IsAmbiguous(id, its.Plan))}, Does: "continues it here, with its statuses"}
		} else {
			other.Missing, other.Command = team.MissingPlan(p, &its)
		}
		r.Elsewhere = append(r.Elsewhere, other)
	}
}
