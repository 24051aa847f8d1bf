package hydrate

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/roadmap"
)

// StatusOptions are the options of Status.
type StatusOptions struct {
	User     string // who asks
	Now      time.Time
	Timeline bool // fill in Status.Timeline, which takes reading the whole history
}

// Status returns an overview of the project. It only reads. A session that cannot be read is a warning.
func (p *Project) Status(o StatusOptions) (*Status, error) {
	own := p.ownReport(o.User)
	disk := p.project.DiskFor(own.Plan.Path)
	disk.Quick = p.project.Quick(disk.Root)
	s := p.project.Survey(disk, p.Progress)
	st := &Status{User: o.User}
	p.sessions(st, own, o.Now) // before next, which needs to know their plans
	st.Sessions = p.addTeam(st.Sessions, o.User, disk)
	st.Next = p.next(s, own)
	st.Warnings = slices.Concat(st.Next.Warnings, st.Warnings, p.syncFailure())
	b := p.buildStatus(st, s)
	st.Latest = Activity{s.Evidence.Newest.When, s.Evidence.Newest.Subject}
	st.Warnings = append(st.Warnings, repeated(disk)...)
	st.Incomplete = append(p.handOffs(o.Now, p.project.HandOffNotes()...), p.workItems()...)
	b.addInFlight()
	p.workstreams(st)
	if o.Timeline {
		p.timeline(st, disk)
		b.waiting()
	}
	st.Warnings = p.warnings(st.Warnings, p.project.Warned())
	return st, nil
}

// PhaseRepeated warns that two live directories have the same phase number, like upstream's ambiguous_matches
// (phase-locator.cjs).
const PhaseRepeated = "phase-repeated"

func repeated(d *roadmap.Disk) (found []Warning) {
	for i := 1; i < len(d.Phases); i++ { // they are sorted by number
		a, b := &d.Phases[i-1], &d.Phases[i]
		if !a.Number.IsZero() && planref.Compare(a.Number, b.Number) == 0 {
			found = append(found, Warning{Code: PhaseRepeated, Detail: fmt.Sprintf(
				"%s and %s are both phase %s; an id that matches plans of both is ambiguous", a.Path, b.Path, a.Number)})
		}
	}
	return found
}

// ownReport returns the report on the session of user. If that cannot be read, there is none, and p.sessions adds a warning.
func (p *Project) ownReport(user string) *Report {
	own, err := p.Hydrate(user)
	if err != nil {
		own = &Report{User: user, Verdict: None}
	}
	return own
}

type statusBuilder struct {
	status   *Status
	survey   *project.Survey
	next     roadmap.Answer  // what comes next independent of the user, which determines the position
	inFlight map[string]bool // plans with a live session or commits, by path
	ready    map[string]bool // next and also ready
	versions map[string]int  // index of a milestone by its version
}

func (p *Project) buildStatus(st *Status, s *project.Survey) *statusBuilder {
	b := &statusBuilder{
		status: st, survey: s, next: roadmap.Next(s.Question), inFlight: map[string]bool{},
		ready: map[string]bool{},
	}
	st.Root, st.Roadmap = s.Disk.Root, s.Path
	st.Project = cmp.Or(s.Roadmap.Title, path.Base(strings.ReplaceAll(p.Dir, `\`, "/")))
	st.Activity = activity(s.Evidence.By)
	for plan := range s.Evidence.Work {
		b.inFlight[plan] = true
	}
	for _, their := range st.Sessions {
		if their.Verdict.Live() {
			b.inFlight[their.Plan] = true
		}
	}
	if n := st.Next; n != nil && n.Plan != "" {
		b.ready[n.Plan] = true
		for _, also := range n.AlsoReady {
			b.ready[also.Plan] = true
		}
	}
	b.milestones()
	st.Phases = make([]Phase, 0, len(s.Entries))
	for _, e := range s.Entries {
		b.phase(e)
	}
	for _, q := range s.Disk.Quick {
		plan := b.plan(&q, "")
		plan.Title = quickName(q)
		st.Quick = append(st.Quick, plan)
	}
	b.position()
	return b
}

// milestones lists those of the roadmap, after archived ones that the roadmap does not list.
func (b *statusBuilder) milestones() {
	st, known := b.status, map[string]bool{"": true}
	b.versions = map[string]int{}
	add := func(m Milestone) {
		b.versions[m.Version] = len(st.Milestones)
		st.Milestones = append(st.Milestones, m)
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

func (b *statusBuilder) phase(e roadmap.Entry) {
	ph := Phase{
		Number: e.Number.String(), Name: e.Title, Milestone: -1, Line: e.Line, Done: e.Done, Total: e.Total,
	}
	if at, ok := b.versions[e.Milestone]; ok && e.Milestone != "" {
		ph.Milestone, ph.Version = at, e.Milestone
	}
	if e.Dir != nil {
		ph.Dir, ph.Archived, ph.Verification = e.Dir.Path, e.Dir.Milestone != "", e.Dir.Verified
		ph.Plans = make([]StatusPlan, 0, len(e.Dir.Plans))
		for i := range e.Dir.Plans {
			ph.Plans = append(ph.Plans, b.plan(&e.Dir.Plans[i], e.Milestone))
		}
	}
	ph.Status = phaseStatus(e.Status, len(ph.Plans))
	begun := slices.ContainsFunc(ph.Plans, func(plan StatusPlan) bool { return plan.Status == PlanInFlight })
	if ph.Status == PhasePlanned && begun {
		ph.Status = PhaseInProgress
	}
	b.status.Phases = append(b.status.Phases, ph)
}

func (b *statusBuilder) plan(p *roadmap.Plan, milestone string) StatusPlan {
	plan := StatusPlan{ID: p.ID, Path: p.Path, Title: b.survey.Roadmap.PlanTitle(milestone, p.ID), Status: PlanOpen}
	switch {
	case p.Done():
		plan.Status = PlanDone
	case b.inFlight[p.Path]:
		plan.Status = PlanInFlight
	case b.ready[p.Path]:
		plan.Status = PlanReady
	}
	return plan
}

// position finds the current phase, which is that of the next plan, else the next one to plan. It counts the phases of the
// current milestone. The result does not depend on the user.
func (b *statusBuilder) position() {
	st, pos, entries := b.status, &b.status.Position, b.survey.Entries
	scope := b.survey.Roadmap.Scope(entries)
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
	if pos.Percent, known = all.Percent(); !known || scope.Unbounded || b.survey.Unread || b.survey.Roadmap.Cut > 0 {
		pos.Percent = -1
	}
	for i := range st.Milestones {
		st.Milestones[i].settle()
	}
}

func (m *Milestone) count(ph *Phase) {
	m.Phases, m.Plans, m.PlansDone = m.Phases+1, m.Plans+ph.Total, m.PlansDone+ph.Done
	if ph.Status == PhaseComplete {
		m.PhasesDone++
	}
}

// settle sets the status of a milestone that has phases and that the roadmap does not call complete.
func (m *Milestone) settle() {
	switch {
	case m.Phases == 0 || m.Status == PhaseComplete || m.Status == PhaseDeferred:
	case m.PhasesDone == m.Phases:
		m.Status = PhaseComplete
	case m.PhasesDone > 0 || m.PlansDone > 0 || m.Current:
		m.Status = PhaseInProgress
	}
}

// current returns the index of the phase of the next plan, else of the phase to plan next; -1 if there is none.
func (b *statusBuilder) current() int {
	st, numbered := b.status, -1
	for i, ph := range st.Phases {
		if slices.ContainsFunc(ph.Plans, b.isNext) {
			return i
		}
		if ph.Number != "" && ph.Number == b.next.Phase.String() && !ph.Archived {
			numbered = i // if numbers restart, the last phase with that number
		}
	}
	return numbered
}

func (b *statusBuilder) isNext(p StatusPlan) bool {
	return b.next.Plan != nil && p.Path == b.next.Plan.Path
}

// sessions lists everyone's sessions and open runs, the asking user's first, and counts the lost sessions. The sessions of other
// worktrees follow.
func (p *Project) sessions(st *Status, own *Report, now time.Time) {
	p.addSessions(st, own, p, now)
	for _, other := range p.worktrees() {
		p.addSessions(st, own, other, now)
	}
}

// addSessions adds those of the worktree at.
func (p *Project) addSessions(st *Status, own *Report, at *Project, now time.Time) {
	users := at.users()
	at.sessionPlans = map[string]sessionOn{}
	if at == p && !slices.Contains(users, own.User) {
		users = append(users, own.User) // the directory may be gone, but not the breadcrumbs
	}
	slices.SortFunc(users, func(a, b string) int {
		switch own.User {
		case a:
			return -1
		case b:
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, user := range users {
		r := own
		if at != p || user != own.User || own.Session == nil {
			var err error
			if r, err = at.Hydrate(user); err != nil {
				st.Warnings = append(st.Warnings, Warning{Code: SessionUnreadable, Detail: err.Error()})
				continue
			}
		}
		if r.Session != nil {
			at.sessionPlans[user] = sessionOnPlan(r.Session, r.Changed)
		}
		if at != p {
			if at.CheckInterrupted(r, now); r.Verdict != None {
				its := r.shown(user == own.User)
				its.Worktree = at.Dir
				st.Sessions = append(st.Sessions, its)
			}
			continue
		}
		runs, warnings := p.Runs(r, now)
		for _, its := range runs.Runs {
			if its.Open() {
				st.Runs = append(st.Runs, UserRun{User: user, Run: its, Mine: user == own.User})
			}
		}
		st.Lost += len(runs.Lost)
		st.Warnings = append(st.Warnings, warnings...)
		if r.Verdict != None {
			p.setProgress(r, &runs)
			st.Sessions = append(st.Sessions, r.shown(user == own.User))
		}
	}
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

func (b *statusBuilder) waiting() {
	ref := func(p *roadmap.Plan) PlanRef { return PlanRef{Plan: p.Path, ID: p.ID} }
	for _, w := range roadmap.Waits(b.survey.Question, b.next.Phase) {
		its := Waiting{PlanRef: ref(w.Plan)}
		for _, p := range w.For {
			its.For = append(its.For, ref(p))
		}
		b.status.Waiting = append(b.status.Waiting, its)
	}
}

func (b *statusBuilder) addInFlight() {
	begun := map[string]bool{}
	for _, s := range b.status.Sessions {
		begun[s.Plan] = true
	}
	for _, ph := range b.status.Phases {
		for _, plan := range ph.Plans {
			if b.survey.Evidence.Work[plan.Path] != nil && plan.Status == PlanInFlight && !begun[plan.Path] {
				b.status.Incomplete = append(b.status.Incomplete, Incomplete{Kind: WorkPlan, ID: plan.ID, Path: plan.Path})
			}
		}
	}
}

// SessionUnreadable warns that one user's session could not be read.
const SessionUnreadable = "session-unreadable"

func (r *Report) shown(own bool) Session {
	s := Session{
		User: r.User, Own: own, Plan: r.Plan.Path, Verdict: r.Verdict, Token: r.Token, Done: r.Done, Total: r.Total,
		Stale: r.Stale, Started: r.StartedAt, Changed: r.Changed,
	}
	s.ID, _ = planref.PlanID(r.Plan.Path)
	if r.Resume != nil {
		s.ResumeTask = ResumeTask{r.Resume.Number, r.Resume.Name, r.Resume.Interrupted, r.Resume.Checkpoint()}
	}
	return s
}

func (p *Project) workstreams(st *Status) {
	for _, root := range p.project.Roots() {
		if root == st.Root {
			continue
		}
		w := Workstream{Name: path.Base(root), Root: root}
		for _, dir := range p.project.Phases(root).Phases {
			w.Done, w.Total = w.Done+dir.Done(), w.Total+len(dir.Plans)
		}
		if w.Total > 0 || root != project.Planning {
			st.Workstreams = append(st.Workstreams, w)
		}
	}
}

// timeline adds the plans by their commits. It follows first parents only, because a moved plan can only be followed along one
// line of history.
func (p *Project) timeline(st *Status, d *roadmap.Disk) {
	repo, err := p.project.History()
	if repo != nil {
		defer repo.Close() // it was only read
		log := project.ReadLog(repo.Log(context.Background()), 0, p.Progress)
		for _, s := range roadmap.Timeline(log.Commits(), d) {
			st.Timeline = append(st.Timeline, Span{
				ID: s.Plan.ID, Path: s.Plan.Path, Phase: s.Plan.Phase.String(), First: s.First, Last: s.Last,
				Commits: s.Commits, Done: s.Plan.Done(), Finished: s.Finished,
			})
		}
		err = log.Err
	}
	if err != nil {
		st.Warnings = append(st.Warnings, project.HistoryWarning(err))
	}
}
