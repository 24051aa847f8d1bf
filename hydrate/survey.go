package hydrate

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/roadmap"
)

// StatusOptions says what to look at.
type StatusOptions struct {
	User     string // who asks
	Now      time.Time
	Timeline bool // walk through the whole history for Status.Timeline
}

// Status surveys the project for a person. It only reads. A session that cannot be read is a warning.
func (p *Project) Status(o StatusOptions) (*Status, error) {
	own := p.ownReport(o.User)
	disk := p.diskFor(own)
	disk.Quick = p.quick(disk.Root)
	v := p.survey(disk)
	st := &Status{User: o.User, Root: v.disk.Root, Roadmap: v.path, unread: v.unread}
	p.sessions(st, own, o.Now) // next asks what they are on
	st.Next = p.next(&v, own)
	told := st.Warnings
	st.Warnings = st.Next.Warnings
	for _, w := range told {
		st.warn(w.Code, w.Detail)
	}
	st.Project = p.title(&v)
	st.Activity = activity(v.evidence.By)
	st.Latest = Activity{v.evidence.Newest.When, v.evidence.Newest.Subject}
	b := layout{status: st, survey: &v, at: p.position(&v)}
	b.fill()
	st.Warnings = append(st.Warnings, repeated(v.disk)...)
	st.Incomplete = append(p.passedHandOffs(), p.workItems()...)
	b.inFlight()
	p.workstreams(st)
	if o.Timeline {
		p.timeline(st, v.disk)
	}
	for _, w := range p.warned {
		st.warn(w.Code, w.Detail)
	}
	st.Warnings = p.warnings(st.Warnings)
	return st, nil
}

// PhaseRepeated warns that two live directories have the number of one phase, as upstream's ambiguous_matches
// (phase-locator.cjs).
const PhaseRepeated = "phase-repeated"

// repeated lists the live directories that share their number with another.
func repeated(d *roadmap.Disk) []Warning {
	var found []Warning
	for i := 1; i < len(d.Phases); i++ { // they are sorted by number
		a, b := &d.Phases[i-1], &d.Phases[i]
		if !a.Number.IsZero() && planref.Compare(a.Number, b.Number) == 0 {
			found = append(found, Warning{PhaseRepeated, fmt.Sprintf(
				"%s and %s are both phase %s; an id that matches plans of both is ambiguous", a.Path, b.Path, a.Number)})
		}
	}
	return found
}

// ownReport is how the session of user stands; none where it cannot be read, which p.sessions tells of.
func (p *Project) ownReport(user string) *Report {
	own, err := p.Hydrate(user)
	if err != nil {
		own = &Report{User: user, Verdict: None}
	}
	return own
}

// title is what a project is called: as its roadmap is, else as its directory.
func (p *Project) title(s *survey) string {
	return cmp.Or(s.roadmap.Title, path.Base(strings.ReplaceAll(p.Dir, `\`, "/")))
}

// layout turns what a survey found into what is shown.
type layout struct {
	status   *Status
	survey   *survey
	at       roadmap.Answer  // what comes next in the project, whoever asks: its position
	flying   map[string]bool // plans with a live session or commits, by path
	ready    map[string]bool // next and also ready
	versions map[string]int  // index of a milestone by its version
}

func (b *layout) fill() {
	b.flying, b.ready = map[string]bool{}, map[string]bool{}
	for plan := range b.survey.evidence.Work {
		b.flying[plan] = true
	}
	for _, s := range b.status.Sessions {
		if s.Verdict.Live() {
			b.flying[s.Plan] = true
		}
	}
	if n := b.status.Next; n.Plan != "" {
		b.ready[n.Plan] = true
		for _, also := range n.AlsoReady {
			b.ready[also.Plan] = true
		}
	}
	entries := b.survey.entries
	b.status.Phases = make([]Phase, 0, len(entries))
	b.milestones(entries)
	for _, e := range entries {
		b.phase(e)
	}
	for _, q := range b.survey.disk.Quick {
		b.status.Quick = append(b.status.Quick, b.plan(&q, ""))
	}
	b.position(entries)
}

// milestones lists those of the roadmap and, before them, archives that it does not know.
func (b *layout) milestones(entries []roadmap.Entry) {
	b.versions = map[string]int{}
	known := map[string]bool{}
	for _, m := range b.survey.roadmap.Milestones {
		known[m.Version] = true
	}
	for _, e := range entries {
		if e.Milestone != "" && !known[e.Milestone] {
			known[e.Milestone] = true
			b.versions[e.Milestone] = len(b.status.Milestones)
			b.status.Milestones = append(b.status.Milestones, Milestone{Version: e.Milestone, Label: archiveLabel(e.Milestone), Status: PhaseComplete})
		}
	}
	for _, m := range b.survey.roadmap.Milestones {
		b.versions[m.Version] = len(b.status.Milestones)
		b.status.Milestones = append(b.status.Milestones, Milestone{
			Version: m.Version, Label: m.Label, Name: m.Name, Status: state(m.Status, 0), Line: m.Line,
		})
	}
}

// archiveLabel is how people write the version of an archive: v1.2, and mvp.
func archiveLabel(version string) string {
	if version[0] < '0' || version[0] > '9' {
		return version
	}
	return "v" + version
}

// state is how a phase or a milestone is called that the roadmap and the disk give a status.
func state(s roadmap.Status, plans int) PhaseStatus {
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

func (b *layout) phase(e roadmap.Entry) {
	ph := Phase{
		Number: e.Number.String(), Name: e.Title, Milestone: -1, Line: e.Line, Done: e.Done, Total: e.Total,
	}
	onDisk := 0
	if e.Dir != nil {
		onDisk = len(e.Dir.Plans)
	}
	ph.Status = state(e.Status, onDisk)
	if at, ok := b.versions[e.Milestone]; ok && e.Milestone != "" {
		ph.Milestone, ph.Version = at, b.status.Milestones[at].Version
	}
	if e.Dir != nil {
		ph.Dir, ph.Archived, ph.Verification = e.Dir.Path, e.Dir.Milestone != "", e.Dir.Verified
		ph.Plans = make([]StatusPlan, 0, onDisk)
		for i := range e.Dir.Plans {
			plan := b.plan(&e.Dir.Plans[i], e.Milestone)
			if plan.Status == PlanInFlight && ph.Status == PhasePlanned {
				ph.Status = PhaseInProgress
			}
			ph.Plans = append(ph.Plans, plan)
		}
	}
	b.status.Phases = append(b.status.Phases, ph)
}

func (b *layout) plan(p *roadmap.Plan, milestone string) StatusPlan {
	plan := StatusPlan{ID: p.ID, Path: p.Path, Title: b.survey.roadmap.PlanTitle(milestone, p.ID), Status: PlanOpen}
	switch {
	case p.Done():
		plan.Status = PlanDone
	case b.flying[p.Path]:
		plan.Status = PlanInFlight
	case b.ready[p.Path]:
		plan.Status = PlanReady
	}
	return plan
}

// position finds the current phase, the next plan's, else that of the next phase to plan, and counts the phases of the
// current milestone. None of it depends on who asks.
func (b *layout) position(entries []roadmap.Entry) {
	st, pos, scope := b.status, &b.status.Position, b.survey.roadmap.Scope(entries)
	if at, ok := b.versions[scope.Milestone]; ok {
		m := &st.Milestones[at]
		m.Current = true
		pos.Milestone = strings.TrimSpace(m.Label + " " + m.Name)
	}
	current := b.current()
	if current >= 0 {
		ph := &st.Phases[current]
		ph.Current = true
		pos.Phase, pos.PhaseName, pos.Plans, pos.PlansDone = ph.Number, ph.Name, ph.Total, ph.Done
		pos.Plan = slices.IndexFunc(ph.Plans, b.isNext) + 1
	}
	var all roadmap.Progress
	for i := range st.Phases {
		if ph := &st.Phases[i]; ph.Milestone >= 0 {
			st.Milestones[ph.Milestone].count(ph)
		}
		if !scope.Counts(entries[i].Milestone, entries[i].Number) {
			continue
		}
		if all.Add(&entries[i]); i == current {
			pos.PhaseIndex = all.Phases
		}
	}
	pos.Phases, pos.PhasesDone, pos.AllPlans, pos.AllDone = all.Phases, all.PhasesDone, all.Plans, all.PlansDone
	var known bool
	if pos.Percent, known = all.Percent(); !known || scope.Unbounded || b.survey.unread || b.survey.roadmap.Cut > 0 {
		pos.Percent = -1
	}
	for i := range st.Milestones {
		if m := &st.Milestones[i]; m.Status != PhaseComplete && m.Phases > 0 {
			m.settle()
		}
	}
}

// count adds a phase to its milestone.
func (m *Milestone) count(ph *Phase) {
	m.Phases, m.Plans, m.PlansDone = m.Phases+1, m.Plans+ph.Total, m.PlansDone+ph.Done
	if ph.Status == PhaseComplete {
		m.PhasesDone++
	}
}

// current is the phase that the next plan lies in, else the one that is to be planned; -1 where there is none.
func (b *layout) current() int {
	st, numbered := b.status, -1
	for i, ph := range st.Phases {
		if slices.ContainsFunc(ph.Plans, b.isNext) {
			return i
		}
		if ph.Number != "" && ph.Number == b.at.Phase.String() && !ph.Archived {
			numbered = i // of a number that started again, the last
		}
	}
	return numbered
}

func (b *layout) isNext(p StatusPlan) bool { return b.at.Plan != nil && p.Path == b.at.Plan.Path }

// settle gives a milestone that the roadmap does not call complete the status of its phases.
func (m *Milestone) settle() {
	switch {
	case m.Status == PhaseDeferred:
	case m.PhasesDone == m.Phases:
		m.Status = PhaseComplete
	case m.PhasesDone > 0 || m.PlansDone > 0 || m.Current:
		m.Status = PhaseInProgress
	}
}

// sessions lists everyone's, the asking user's first.
func (p *Project) sessions(st *Status, own *Report, now time.Time) {
	users := p.users()
	p.looked = map[string]sessionOn{}
	if !slices.Contains(users, own.User) {
		users = append(users, own.User) // whose directory may be gone, and whose breadcrumbs are not
	}
	for _, user := range users {
		r := own
		if user != own.User || own.Session == nil {
			var err error
			if r, err = p.Hydrate(user); err != nil {
				st.warn(SessionUnreadable, err.Error())
				continue
			}
		}
		if r.Session != nil {
			p.looked[user] = looked(r.Session)
		}
		runs := p.runs(st, r, user == own.User, now)
		if r.Verdict == None {
			continue
		}
		shown := r.shown(user == own.User)
		shown.Interrupted = runs.Interrupted(r)
		st.Sessions = append(st.Sessions, shown)
	}
	slices.SortStableFunc(st.Runs, func(a, b UserRun) int { return ownFirst(a.User, b.User, own.User) })
	slices.SortStableFunc(st.Sessions, func(a, b Session) int { return ownFirst(a.User, b.User, own.User) })
}

// ownFirst orders users by name, behind the one that asks.
func ownFirst(a, b, own string) int {
	switch {
	case a == b:
		return 0
	case a == own:
		return -1
	case b == own:
		return 1
	}
	return strings.Compare(a, b)
}

// runs lists those of one user that are open, and counts the lost sessions. It gives what was assessed.
func (p *Project) runs(st *Status, r *Report, mine bool, now time.Time) Assessment {
	a, warnings := p.Runs(r, now)
	for _, its := range a.Runs {
		if its.Open() {
			st.Runs = append(st.Runs, UserRun{User: r.User, Run: its, Mine: mine})
		}
	}
	st.Lost += len(a.Lost)
	for _, w := range warnings {
		st.warn(w.Code, w.Detail)
	}
	return a
}

// inFlight adds the plans that commits work on and nobody has a session on.
func (b *layout) inFlight() {
	begun := map[string]bool{}
	for _, s := range b.status.Sessions {
		begun[s.Plan] = true
	}
	for _, ph := range b.status.Phases {
		for _, plan := range ph.Plans {
			if _, committed := b.survey.evidence.Work[plan.Path]; committed && plan.Status == PlanInFlight && !begun[plan.Path] {
				b.status.Incomplete = append(b.status.Incomplete, Incomplete{Kind: WorkPlan, ID: plan.ID, Path: plan.Path})
			}
		}
	}
}

func (st *Status) warn(code, detail string) {
	st.Warnings = withWarning(st.Warnings, Warning{code, detail})
}

// SessionUnreadable warns that one user's session could not be read.
const SessionUnreadable = "session-unreadable"

// shown is what is shown of a session, but for what its runs tell.
func (r *Report) shown(own bool) Session {
	s := Session{
		User: r.User, Own: own, Plan: r.Plan.Path, Verdict: r.Verdict, Token: r.Token,
		Stale: r.Stale, Changed: r.Changed,
	}
	s.ID, _ = planref.PlanID(r.Plan.Path)
	if r.Session == nil {
		return s
	}
	s.Done, s.Total, s.Started = r.Done, r.Total, r.Begun
	if r.Resume != nil {
		s.Resume, s.ResumeName = r.Resume.Number, r.Resume.Name
	}
	return s
}

// workstreams lists the other roots of the project.
func (p *Project) workstreams(st *Status) {
	for _, root := range p.roots() {
		if root == st.Root {
			continue
		}
		w := Workstream{Name: path.Base(root), Root: root}
		for _, dir := range p.phases(root).Phases {
			w.Done, w.Total = w.Done+dir.Done(), w.Total+len(dir.Plans)
		}
		if w.Total > 0 || root != planning {
			st.Workstreams = append(st.Workstreams, w)
		}
	}
}
