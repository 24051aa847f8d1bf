package hydrate

import (
	"cmp"
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
	own, err := p.Hydrate(o.User)
	if err != nil {
		own = &Report{User: o.User, Judgement: Judgement{Verdict: None}} // p.sessions says why
	}
	disk := p.diskFor(own)
	disk.Quick = roadmap.ScanQuick(p.list, disk.Root)
	v := p.survey(disk)
	st := &Status{Root: v.disk.Root, Roadmap: v.path, Next: p.next(&v, own)}
	st.Project = cmp.Or(v.roadmap.Title.Text, path.Base(strings.ReplaceAll(p.Dir, `\`, "/")))
	st.Warnings = st.Next.Warnings
	st.Activity = Activity{v.evidence.By.When, v.evidence.By.Subject}
	p.sessions(st, own, o.Now)
	b := layout{status: st, survey: &v}
	b.fill()
	st.Incomplete = append(p.passedHandOffs(), p.workItems()...)
	b.inFlight()
	p.workstreams(st)
	if o.Timeline {
		p.timeline(st, v.disk)
	}
	for _, w := range p.warned {
		st.warn(w.Code, w.Detail)
	}
	return st, nil
}

// layout turns what a survey found into what is shown.
type layout struct {
	status   *Status
	survey   *survey
	flying   map[string]bool // plans with a live session or commits, by path
	ready    map[string]bool // next and also ready
	titles   map[title]string
	versions map[string]int // index of a milestone by its version
}

func (b *layout) fill() {
	b.flying, b.ready, b.titles = map[string]bool{}, map[string]bool{}, map[title]string{}
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
	for _, item := range b.survey.roadmap.Items {
		b.titles[title{item.Milestone, item.ID}] = item.Title
	}
	entries := roadmap.Join(b.survey.disk, b.survey.roadmap)
	b.milestones(entries)
	for _, e := range entries {
		b.phase(e)
	}
	for _, q := range b.survey.disk.Quick {
		b.status.Quick = append(b.status.Quick, b.plan(&q, ""))
	}
	b.position()
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
func state(s roadmap.Status, plans int) string {
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
		ph.Milestone = at
	}
	if e.Dir != nil {
		ph.Dir, ph.Archived = e.Dir.Path, e.Dir.Milestone != ""
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

// title names a plan of the roadmap: ids start again with each milestone.
type title struct{ milestone, id string }

func (b *layout) plan(p *roadmap.Plan, milestone string) StatusPlan {
	plan := StatusPlan{ID: p.ID, Path: p.Path, Title: b.titles[title{milestone, p.ID}], Status: PlanOpen}
	if plan.Title == "" && milestone != "" {
		plan.Title = b.titles[title{"", p.ID}]
	}
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

// position finds the current phase: the next plan's, else that of the next phase to plan; and counts.
func (b *layout) position() {
	st, pos := b.status, &b.status.Position
	current := b.current()
	milestone := -1
	if current >= 0 {
		st.Phases[current].Current = true
		milestone = st.Phases[current].Milestone
		pos.Phase, pos.PhaseName = st.Phases[current].Number, st.Phases[current].Name
		pos.Plans, pos.PlansDone = st.Phases[current].Total, st.Phases[current].Done
		for i, plan := range st.Phases[current].Plans {
			if plan.Path == st.Next.Plan {
				pos.Plan = i + 1
			}
		}
	}
	if milestone >= 0 {
		m := &st.Milestones[milestone]
		m.Current = true
		pos.Milestone = strings.TrimSpace(m.Label + " " + m.Name)
	}
	for i := range st.Phases {
		ph := &st.Phases[i]
		done := 0
		if ph.Status == PhaseComplete {
			done = 1
		}
		if ph.Milestone >= 0 {
			m := &st.Milestones[ph.Milestone]
			m.Phases, m.PhasesDone, m.Plans, m.PlansDone = m.Phases+1, m.PhasesDone+done, m.Plans+ph.Total, m.PlansDone+ph.Done
		}
		if milestone >= 0 && ph.Milestone != milestone {
			continue
		}
		pos.Phases, pos.PhasesDone, pos.AllPlans, pos.AllDone = pos.Phases+1, pos.PhasesDone+done, pos.AllPlans+ph.Total, pos.AllDone+ph.Done
		if i == current {
			pos.PhaseIndex = pos.Phases
		}
	}
	for i := range st.Milestones {
		if m := &st.Milestones[i]; m.Status != PhaseComplete && m.Phases > 0 {
			m.settle()
		}
	}
	if pos.Percent = roadmap.Percent(pos.AllDone, pos.AllPlans); pos.AllPlans == 0 {
		pos.Percent = roadmap.Percent(pos.PhasesDone, pos.Phases)
	}
}

// current is the phase that the next plan lies in, else the one that is to be planned; -1 where there is none.
func (b *layout) current() int {
	st, numbered := b.status, -1
	for i, ph := range st.Phases {
		if st.Next.Plan != "" && slices.ContainsFunc(ph.Plans, func(p StatusPlan) bool { return p.Path == st.Next.Plan }) {
			return i
		}
		if ph.Number != "" && ph.Number == st.Next.Phase && !ph.Archived {
			numbered = i // of a number that started again, the last
		}
	}
	return numbered
}

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
	for _, run := range a.Runs {
		if run.Open() {
			st.Runs = append(st.Runs, UserRun{run, r.User, mine})
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
		User: r.User, Own: own, Plan: r.Plan.Path, Verdict: r.Verdict, Token: r.Token(), Resume: r.Resume,
		Stale: r.Stale, Changed: r.Changed,
	}
	s.ID, _ = planref.PlanID(r.Plan.Path)
	if r.Session == nil {
		return s
	}
	s.Done, s.Total = r.Done(), len(r.Session.Tasks)
	if r.Resume > 0 {
		s.ResumeName = r.Session.Name(r.Resume)
	}
	s.Started, _ = r.Session.Header.StartedAt()
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
