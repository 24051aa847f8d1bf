package hydrate

import (
	"slices"

	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/team"
)

// Startable returns the ids of the plans on which Bootstrap starts or continues a session with these options, but for o.Plan, in the order
// of planref.CompareIDs. It does not ask whether a run is at work on the session that would be replaced: that may be over once a plan
// is chosen.
func Startable(p *Project, o BootstrapOptions) (ids []string) {
	own := ""
	if r, err := p.Hydrate(o.User); err == nil && r.Verdict.Live() {
		own = r.Plan.Path
	}
	claims := append(history.ClaimsHere(p.Project, o.User), team.ClaimsElsewhere(p.Project, o.User)...)
	for _, plan := range p.Planning.Plans() {
		id, ok := planref.PlanID(plan)
		switch {
		case !ok, plan != own && !o.Again && p.Planning.SummaryOf(plan) != "":
			continue
		case plan != own && !o.TakeOver && history.InHandBy(p.Project, claims, o.User, plan) != nil:
			continue
		}
		if meant, err := p.ResolvePlan(p.Dir, id); err != nil || meant != plan {
			continue
		}
		if _, err := p.Planning.ReadPlan(plan); err == nil {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, planref.CompareIDs)
	return ids
}
