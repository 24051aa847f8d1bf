package overview

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// Of computes the overview of what a survey read. live are the plans that somebody has a session on, ready those that come next, and due
// those that only lack their summary, all by path; they determine the status of a plan, and nothing else.
func Of(s *project.Survey, live, ready map[string]bool, due map[string]next.Reason) *Overview {
	b := &builder{
		Overview: &Overview{
			Root: s.Disk.Root, Roadmap: s.Path, Title: s.Roadmap.Title, Activity: activity(s.Evidence.By), Next: next.Order(s.Question),
			Phases: make([]Phase, 0, len(s.Entries)), unread: s.Unread,
		},
		survey: s, live: live, ready: ready, due: due, versions: map[string]int{}, waits: map[string][]string{},
	}
	for _, w := range next.Waits(s.Question, b.Next.Phase) {
		for _, p := range w.For {
			b.waits[w.Plan.Path] = append(b.waits[w.Plan.Path], cmp.Or(p.ID, path.Base(p.Path)))
		}
	}
	b.addMilestones()
	for _, e := range s.Entries {
		b.addPhase(e)
	}
	for _, q := range s.Disk.Quick {
		plan := b.plan(&q, "")
		plan.Title = quickName(q)
		b.Quick = append(b.Quick, plan)
	}
	b.setPosition()
	return b.Overview
}

type builder struct {
	*Overview
	survey      *project.Survey
	live, ready map[string]bool
	due         map[string]next.Reason
	versions    map[string]int      // index of a milestone by its version
	waits       map[string][]string // for which plans a plan of the current phase waits, by path
}

// addMilestones lists those of the roadmap, after archived ones that the roadmap does not list.
func (b *builder) addMilestones() {
	known := map[string]bool{"": true}
	add := func(m Milestone) {
		b.versions[m.Version] = len(b.Milestones)
		b.Milestones = append(b.Milestones, m)
	}
	for _, m := range b.survey.Roadmap.Milestones {
		known[m.Version] = true
	}
	for _, e := range b.survey.Entries {
		if version := e.Milestone; !known[version] {
			known[version] = true
			label := version // as people write it: v1.2, and mvp
			if label[0] >= '0' && label[0] <= '9' {
				label = "v" + label
			}
			add(Milestone{Version: version, Label: label, Status: PhaseComplete})
		}
	}
	for _, m := range b.survey.Roadmap.Milestones {
		add(Milestone{Version: m.Version, Label: m.Label, Name: m.Name, Status: phaseStatus(m.Status, 0), Line: m.Line})
	}
}

func phaseStatus(s roadmap.Status, plans int) PhaseStatus {
	switch {
	case s == roadmap.Complete:
		return PhaseComplete
	case s == roadmap.InProgress:
		return PhaseInProgress
	case s == roadmap.Deferred:
		return PhaseDeferred
	case plans > 0:
		return PhasePlanned
	}
	return PhaseNotPlanned
}

func (b *builder) addPhase(e roadmap.Entry) {
	ph := Phase{
		Number: e.Number.String(), Name: e.Title, Milestone: -1, Line: e.Line, Done: e.Done, Total: e.Total, LeftOut: e.Left,
	}
	if at, ok := b.versions[e.Milestone]; ok && e.Milestone != "" {
		ph.Milestone, ph.Version = at, e.Milestone
	}
	if e.Dir != nil {
		ph.Dir, ph.Archived, ph.Verification, ph.Orphans = e.Dir.Path, e.IsArchived(), e.Dir.Verified, len(e.Dir.Orphans)
		ph.UAT = e.Dir.Tested
		ph.Plans = make([]StatusPlan, 0, len(e.Dir.Plans))
		for i := range e.Dir.Plans {
			ph.Plans = append(ph.Plans, b.plan(&e.Dir.Plans[i], e.Milestone))
		}
	}
	ph.Status = phaseStatus(e.Status, len(ph.Plans))
	if e.WorkDone() && ph.Status != PhaseComplete {
		ph.Status = PhaseDone
	}
	started := slices.ContainsFunc(ph.Plans, func(plan StatusPlan) bool { return plan.Status == PlanInProgress || plan.Status == PlanDue })
	if ph.Status == PhasePlanned && started {
		ph.Status = PhaseInProgress
	}
	b.Phases = append(b.Phases, ph)
}

func (b *builder) plan(p *roadmap.Plan, milestone string) StatusPlan {
	plan := StatusPlan{ID: p.ID, Path: p.Path, Title: b.survey.Roadmap.PlanTitle(milestone, p.ID), Status: PlanOpen, WaitsFor: b.waits[p.Path]}
	switch {
	case p.Done():
		plan.Status = PlanDone
	case b.due[p.Path].Code != "":
		plan.Status = PlanDue
	case b.live[p.Path] || b.survey.Evidence.Work[p.Path] != nil:
		plan.Status = PlanInProgress
	case b.ready[p.Path]:
		plan.Status = PlanReady
	}
	return plan
}

// setPosition finds the current phase, which is that of the next plan, else the next one to plan. It counts the phases of the
// current milestone. The result does not depend on the user.
func (b *builder) setPosition() {
	pos, entries := &b.Position, b.survey.Entries
	scope := b.survey.Roadmap.Scope(entries)
	if at, ok := b.versions[scope.Milestone]; ok {
		m := &b.Milestones[at]
		m.Current = true
		pos.Milestone = strings.TrimSpace(m.Label + " " + m.Name)
	}
	current := b.currentPhase()
	if current >= 0 {
		ph := &b.Phases[current]
		ph.Current = true
		pos.Phase, pos.PhaseName, pos.Plans, pos.PlansDone = ph.Number, ph.Name, ph.Total, ph.Done
		pos.Plan = slices.IndexFunc(ph.Plans, b.isNext) + 1
	} else {
		pos.Phase = b.Next.Phase.String() // one without plans that no roadmap lists
	}
	var all roadmap.Progress
	for i := range b.Phases {
		ph := &b.Phases[i]
		if ph.Milestone >= 0 {
			b.Milestones[ph.Milestone].count(ph)
		}
		if ph.Counted = scope.Has(&entries[i]); !ph.Counted {
			continue
		}
		all.Add(&entries[i])
		if current >= 0 && (i == current || ph.Number == pos.Phase && ph.Version == b.Phases[current].Version) { // or another directory of it is
			pos.PhaseIndex = all.Phases
		}
	}
	pos.Phases, pos.PhasesDone, pos.AllPlans, pos.AllDone, pos.Unverified = all.Phases, all.PhasesDone, all.Plans, all.PlansDone, all.Waiting
	var known bool
	if pos.Percent, known = all.Percent(); !known || scope.Unbounded || b.survey.Unread || b.survey.Roadmap.Cut > 0 {
		pos.Percent = -1
	}
	if b.unread { // which phases there are is not known
		pos.Phases, pos.PhasesDone, pos.PhaseIndex = 0, 0, 0
	}
	for i := range b.Milestones {
		b.Milestones[i].setStatus()
	}
}

// count adds a phase, unless it is left out.
func (m *Milestone) count(ph *Phase) {
	if ph.LeftOut != "" {
		return
	}
	m.Phases, m.Plans, m.PlansDone = m.Phases+1, m.Plans+ph.Total, m.PlansDone+ph.Done
	if ph.Status == PhaseComplete || ph.Status == PhaseDone {
		m.PhasesDone++
	}
	m.unverified = m.unverified || ph.Status == PhaseDone
}

// setStatus sets the status of a milestone that has phases and that the roadmap does not call complete. The current one is not
// complete while a plan is open, although the roadmap may call the plan's phase complete.
func (m *Milestone) setStatus() {
	switch {
	case m.Phases == 0 || m.Status == PhaseComplete || m.Status == PhaseDeferred:
	case m.PhasesDone == m.Phases && !m.unverified && !(m.Current && m.PlansDone < m.Plans):
		m.Status = PhaseComplete
	case m.PhasesDone > 0 || m.PlansDone > 0 || m.Current:
		m.Status = PhaseInProgress
	}
}

// currentPhase returns the index of the phase of the next plan, else of the phase to plan next; -1 if there is none.
func (b *builder) currentPhase() int {
	numbered := -1
	for i, ph := range b.Phases {
		if slices.ContainsFunc(ph.Plans, b.isNext) {
			return i
		}
		if ph.Number != "" && ph.Number == b.Next.Phase.String() && !ph.Archived {
			numbered = i // if numbers restart, the last phase with that number
		}
	}
	return numbered
}

func (b *builder) isNext(p StatusPlan) bool {
	return b.Next.Plan != nil && p.Path == b.Next.Plan.Path
}

// quickName returns the name of a quick task, from that of its directory: 001-fix-the-menu. A plan that lies in quick/ itself
// has none.
func quickName(q roadmap.Plan) string {
	dir := path.Base(path.Dir(q.Path))
	number := strings.TrimPrefix(q.ID, "quick/")
	if dir == "quick" || dir == number {
		return ""
	}
	return strings.ReplaceAll(strings.TrimPrefix(dir, number+"-"), "-", " ")
}
