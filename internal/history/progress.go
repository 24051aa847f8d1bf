package history

// progress.go: where progress on a plan is known from: the session here; archived and lost sessions, those in worktrees that were removed;
// the user's sessions, archived and lost ones in other worktrees, and under former names; and what gsd sync knows of other clones.

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// A source is a record of what one session, or gsd sync, knows of a plan, and where that is.
type source struct {
	progress.Record
	answer.Origin
	When    time.Time // when it last changed
	Here    bool      // it is or was a session of this working tree
	summary string    // the digest of the summary that the plan had when the session began
}

// sources returns all that is known of the plan.
func (g *Former) sources(r *answer.Report) (all []source) {
	lost := func(torn bool) {
		for i := range g.crumbs {
			if l := &g.crumbs[i]; l.Why != "" && torn == (l.Why == answer.LostTorn) && l.Crumb.Project == g.p.Dir {
				all = append(all, g.ofCrumb(l))
			}
		}
	}
	lost(true) // it has more than what is left of the file
	if r.Session != nil {
		all = append(all, g.ofFile(g.p, r.Path, "", r.Written(), r.Changed)...)
	}
	all = append(all, g.archives(g.p)...)
	lost(false)
	others := append(elsewhere(g.p, g.user), g.others...)
	for i := range others {
		if other := &others[i]; other.at == g.p || other.isOthers {
			all = append(all, g.ofOther(other)...)
		}
	}
	for _, at := range g.p.Worktrees() {
		all = append(all, g.ofWorktree(at)...)
	}
	all = append(all, g.ofRemoved()...)
	return append(all, g.synced()...)
}

// ofFile returns what a session file that was last changed at a time has, if it is on the plan. archive is its name if it is archived.
func (g *Former) ofFile(at *verdict.Project, file, archive string, s *planfile.File, changed time.Time) []source {
	on, record := at.Named(s.Header).Path, at.Recorded(g.user, s, archive, changed)
	how := g.relation(on, s.Header.Digest, func() []progress.Task { return record.Tasks })
	if how == "" || !s.HasStatus() {
		return nil
	}
	record.Same = strings.EqualFold(s.Header.Digest, g.digest)
	if at == g.p {
		at.SetApart(record.Tasks)
	}
	return []source{{
		Record: record,
		Origin: answer.Origin{Session: file, Plan: on, How: how}, When: changed, Here: true, summary: s.Header.Summary,
	}}
}

// ofCrumb returns what the breadcrumb of a lost session has.
func (g *Former) ofCrumb(l *answer.LostSession) source {
	c, record := &l.Crumb, verdict.CrumbRecord(&l.Crumb, g.digest)
	if c.Project == g.p.Dir {
		g.p.SetApart(record.Tasks)
	}
	return source{
		Record: record,
		Origin: answer.Origin{Lost: c.ID, Plan: c.Plan, How: g.relationOfCrumb(c)}, When: l.Updated, Here: true, summary: c.Summary,
	}
}

// archives returns what the user's archived sessions in a worktree have. One of which gsd has no record was last changed when its file was, or when
// it was archived, whichever is earlier: a copied directory has new times. By their names they are in order,
// whatever the clock was.
func (g *Former) archives(at *verdict.Project) (all []source) {
	budget := g.budget
	if budget == nil {
		budget = durable.NewBudget(formerFiles * at.Planning.Limit)
	}
	var changed time.Time
	for _, a := range archiveHeads(at, g.user, verdict.MaxArchiveHeads) {
		tasks := func() []progress.Task {
			src, _ := readArchive(at, g.user, a.Name, budget) // without it, it has none
			return progress.Describe(planfile.ParseSession(src))
		}
		if g.relation(at.Named(a.Header).Path, a.Header.Digest, tasks) == "" {
			continue
		}
		for _, at := range []time.Time{a.At, a.Changed} {
			if changed.IsZero() || at.Before(changed) {
				changed = at
			}
		}
		if src, err := readArchive(at, g.user, a.Name, budget); err == nil {
			file := path.Join(at.Session(g.user).Path(), a.Name)
			all = append(all, g.ofFile(at, file, a.Name, planfile.ParseSession(src), changed)...)
		}
	}
	return all
}

// ofOther returns what a session under a former name, or of somebody else that is taken over, has.
func (g *Former) ofOther(other *otherSession) []source {
	record := other.at.Recorded(other.User, other.Written(), "", other.Changed)
	how := g.relation(other.Plan.Path, other.Session.Header.Digest, func() []progress.Task { return record.Tasks })
	if how == "" {
		return nil
	}
	record.Same = strings.EqualFold(other.Session.Header.Digest, g.digest)
	if other.at != g.p {
		g.p.OnlyHere(record.Tasks, record.Head, other.at.Planning.HeadID())
	}
	there := source{Record: record, Origin: answer.Origin{Session: other.File, Plan: other.Plan.Path, How: how}, When: other.Changed}
	if other.isOthers {
		for i := range record.Tasks { // what the one who gives way has started counts where nothing else is known
			if t := &record.Tasks[i]; t.Status == planfile.InProgress {
				t.Set = time.Time{}
			}
		}
		there.User, there.Settled, there.Origin.Tasks = other.User, other.Done+other.Skipped, other.Total
	}
	there.Fresh, there.Counts = time.Time{}, progress.Worked
	return []source{there}
}

// ofWorktree returns what the user's sessions in another worktree say together: the one there, archived and lost ones. Other work was done
// there at the same time: what is complete or skipped counts, for that was decided of the plan; what is in progress there says nothing about
// this place.
func (g *Former) ofWorktree(at *verdict.Project) (all []source) {
	r, err := at.Hydrate(g.user)
	if err != nil {
		return nil
	}
	if r.Session != nil && r.Verdict != answer.Corrupt {
		all = g.ofFile(at, r.Path, "", r.Written(), r.Changed)
	}
	all = append(all, g.archives(at)...)
	crumbs := remembered(at, r)
	for i := range crumbs {
		if l := &crumbs[i]; l.Why != "" && g.relationOfCrumb(&l.Crumb) != "" {
			all = append(all, g.ofCrumb(l))
		}
	}
	g.together(all, at.Planning.HeadID(), planfile.Status.Settled)
	for i := range all {
		entry := &all[i]
		entry.Here = false
		if entry.Session != "" {
			entry.Session = filepath.Join(at.Dir, filepath.FromSlash(entry.Session))
		}
	}
	return all
}

// ofRemoved returns what the user's lost sessions in each worktree that was removed say together. What was started there is at a standstill, and
// counts; what was set back there was set back in that worktree alone.
func (g *Former) ofRemoved() (all []source) {
	there := map[string][]source{}
	for i := range g.crumbs {
		if l := &g.crumbs[i]; l.Why != "" && l.Crumb.Project != g.p.Dir {
			there[l.Crumb.Project] = append(there[l.Crumb.Project], g.ofCrumb(l))
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(there)) {
		g.together(there[dir], "", progress.Worked)
		all = append(all, there[dir]...)
	}
	return all
}

// together leaves of the sources of one other place, where HEAD is at the commit head, what they say together, as far as it is done here and
// counts.
func (g *Former) together(all []source, head string, counts func(planfile.Status) bool) {
	records := make([]progress.Record, len(all))
	for i := range all {
		records[i] = all[i].Record
	}
	for i, alone := range progress.Alone(g.tasks, g.plan.Dialect == planfile.DialectPlan, records) {
		g.p.OnlyHere(alone.Tasks, alone.Head, head)
		alone.Counts = counts
		all[i].Record = alone
	}
}

// synced returns the statuses that were set in any clone, as far as gsd sync knows.
func (g *Former) synced() (all []source) {
	for _, r := range team.RecordsInClones(g.p, g.user, g.path, g.plan) {
		all = append(all, source{Record: r.OnlyHere(), Origin: r.Origin, When: r.Changed})
	}
	return all
}
