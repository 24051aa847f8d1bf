package main

import (
	"fmt"
	"html/template"
	"path"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
)

// page is what the template shows. Every text in it is clean, every number ready to be printed.
type page struct {
	CSS       template.CSS
	Policy    string
	Generated pageTime

	Project, Root, Roadmap string
	Position               positionView
	Activity               activityView
	Next                   *nextView
	Sessions               []sessionView // and, behind them, who is at work without one
	SessionCount           int           // without those
	ManySessions           bool          // too many to stand beside the phases
	Unfinished             *unfinishedView
	Groups                 []groupView
	NoPhases               string // why there are no groups
	Quick                  []planView
	Workstreams            []workstreamView
	Timeline               *timelineView
	Warnings               []hydrate.Warning
}

type barView struct {
	Percent     string
	Done, Total int
	Full        bool
}

func newBar(done, total int) barView {
	return barView{Percent: percent(done, total), Done: done, Total: total, Full: total > 0 && done >= total}
}

type positionView struct {
	Milestone    string
	Number, Name string // of the phase; both empty where Says tells what there is to tell
	Says         string
	Facts        []string
	Bar          barView
	Percent      int // of the share, if HasPercent
	HasPercent   bool
}

// activityView is the latest commit.
type activityView struct {
	What string
	When pageTime
}

type nextView struct {
	ID, Plan, Title string // ID is empty where nothing is left, and Says tells it
	Says            string
	Wave            int
	Because         []string
	AlsoReady, More []planView // More folds away what is less likely
}

type planView struct{ ID, Title, Path, State, Icon string }

type sessionView struct {
	User             string
	ID, Title, Plan  string
	Own              bool
	Bar              barView
	Kind, Icon       string // of the verdict
	Says             string // the verdict in words
	Task             string // the name of the task to go on with
	Interrupted      bool
	Reasons          []reasonView
	Started, Changed pageTime
	Runs, MoreRuns   []runView // MoreRuns folds away what is less likely
}

type reasonView struct{ Words, Detail string }

type groupView struct {
	Milestone    bool // else phases that belong to none
	Name, State  string
	Icon         string
	Current      bool
	Open         bool
	Phases, Plan barView
	Rows         []phaseView
}

type phaseView struct {
	Number, Name, State, Icon, Dir string
	Verification                   string // unless it passed
	Line                           int
	Archived, Current              bool
	Bar                            barView
	Plans                          []planView
}

type workstreamView struct {
	Name, Root string
	Bar        barView
}

func newPage(s *hydrate.Status, now time.Time) *page {
	titles := planTitles(s)
	p := &page{
		Generated: newPageTime(now, now),
		Project:   pageText(s.Project), Root: pageText(s.Root), Roadmap: pageText(s.Roadmap),
		Position: newPosition(s), Activity: activityView{pageText(s.Latest.What), newPageTime(s.Latest.When, now)},
		Next: newNext(s, titles), Groups: newGroups(s), Quick: planViews(s.Quick),
		Unfinished: newUnfinished(s), Timeline: newTimeline(s), Warnings: pageWarnings(s),
	}
	if p.Project == "" {
		p.Project = "A project without a name"
	}
	if len(p.Groups) == 0 {
		p.NoPhases = "The roadmap names no phase, and there is no directory of one."
		if s.Roadmap == "" {
			p.NoPhases = "There is no roadmap, and no directory of a phase."
		}
	}
	for _, w := range s.Workstreams {
		p.Workstreams = append(p.Workstreams, workstreamView{pageText(w.Name), pageText(w.Root), newBar(w.Done, w.Total)})
	}
	for _, session := range s.Sessions {
		p.Sessions = append(p.Sessions, newSession(session, titles[session.Plan], now))
	}
	p.SessionCount = len(p.Sessions)
	p.addRuns(s, now)
	const besidePhases = 8
	p.ManySessions = len(p.Sessions) > besidePhases
	return p
}

func newPosition(s *hydrate.Status) positionView {
	at := s.Position
	v := positionView{
		Milestone: pageText(at.Milestone), Number: pageName(at.Phase), Name: pageText(at.PhaseName),
		Bar: newBar(at.AllDone, at.AllPlans), Percent: min(max(at.Percent, 0), 100), HasPercent: at.Percent >= 0,
	}
	switch {
	case at.Phase != "":
		if at.PhaseIndex > 0 {
			v.Facts = append(v.Facts, fmt.Sprintf("phase %d of %d", at.PhaseIndex, at.Phases))
		}
		switch {
		case at.Plan > 0:
			v.Facts = append(v.Facts, fmt.Sprintf("plan %d of %d", at.Plan, at.Plans))
		case at.Plans == 0:
			v.Facts = append(v.Facts, "no plan in it yet")
		case at.PlansDone >= at.Plans:
			v.Facts = append(v.Facts, "all its plans are done")
		}
	case at.Phases > 0 && at.PhasesDone >= at.Phases:
		v.Says = "Every phase is complete"
	case at.Phases == 0 && at.AllPlans > 0 && at.AllDone >= at.AllPlans:
		v.Says = "Every plan is done"
	case at.Phases == 0 && at.AllPlans == 0:
		v.Says = "Nothing is planned yet"
	default:
		v.Says = "No phase is the current one"
	}
	if at.Phases > 0 {
		v.Facts = append(v.Facts, fmt.Sprintf("%d of %s complete", at.PhasesDone, count(at.Phases, "phase")))
	}
	return v
}

// planTitles gives the titles of all plans by their paths.
func planTitles(s *hydrate.Status) map[string]string {
	titles := map[string]string{}
	for _, plan := range s.Quick {
		titles[plan.Path] = plan.Title
	}
	for _, ph := range s.Phases {
		for _, plan := range ph.Plans {
			titles[plan.Path] = plan.Title
		}
	}
	return titles
}

func newNext(s *hydrate.Status, titles map[string]string) *nextView {
	n := s.Next
	if n == nil {
		return nil
	}
	v := &nextView{Wave: n.Wave}
	for _, why := range n.Because {
		v.Because = append(v.Because, pageText(why))
	}
	for _, ref := range n.AlsoReady {
		plan := hydrate.StatusPlan{ID: ref.ID, Path: ref.Plan, Title: titles[ref.Plan]}
		v.AlsoReady = append(v.AlsoReady, newPlan(plan))
	}
	const shownAtOnce = 4
	if len(v.AlsoReady) > shownAtOnce+1 {
		v.AlsoReady, v.More = v.AlsoReady[:shownAtOnce], v.AlsoReady[shownAtOnce:]
	}
	switch {
	case n.Plan != "":
		plan := newPlan(hydrate.StatusPlan{ID: n.ID, Path: n.Plan, Title: titles[n.Plan]})
		v.ID, v.Title, v.Plan = plan.ID, plan.Title, plan.Path
	case n.Verification != "":
		v.Says = "Phase " + pageName(n.Phase) + " is to be finished: its verification did not pass."
	case n.Phase != "":
		v.Says = "Phase " + pageName(n.Phase) + " is to be planned."
	case len(n.AlsoReady) > 0: // left behind by the roadmap
		v.Says = "No plan is up next."
	default:
		v.Says = "No plan is left to do."
	}
	return v
}

// newPlan shows a plan; one without a number goes by its file's name.
func newPlan(p hydrate.StatusPlan) planView {
	v := planView{
		ID: pageName(p.ID), Title: pageText(p.Title), Path: pageText(p.Path),
		State: pageName(p.Status), Icon: icon(p.Status),
	}
	if v.ID == "" {
		v.ID = pageName(path.Base(p.Path))
	}
	return v
}

func planViews(plans []hydrate.StatusPlan) []planView {
	var all []planView
	for _, p := range plans {
		all = append(all, newPlan(p))
	}
	return all
}

func newSession(s hydrate.Session, planTitle string, now time.Time) sessionView {
	v := sessionView{
		User: pageUser(s.User), ID: pageName(s.ID), Title: pageText(planTitle), Plan: pageText(s.Plan),
		Own: s.Own, Bar: newBar(s.Done, s.Total),
		Interrupted: s.Interrupted, Started: newPageTime(s.Started, now), Changed: newPageTime(s.Changed, now),
		Kind: string(s.Verdict), Icon: "open",
	}
	for i, words := range staleReasons(s.Stale) {
		v.Reasons = append(v.Reasons, reasonView{pageText(words), pageText(s.Stale[i].Detail)})
	}
	v.Says = sentence(pageText(sessionState(s)))
	switch s.Verdict {
	case hydrate.Resume:
		v.Icon, v.Task = "half", pageText(taskTitle(s.ResumeName, s.Resume))
	case hydrate.Finished:
		v.Icon = "done"
	case hydrate.Stale:
		v.Icon = "stale"
	case hydrate.Corrupt:
		v.Icon, v.Bar = "stale", barView{} // its tasks are none
	case hydrate.None:
	default:
		v.Kind = "none"
	}
	return v
}

// newGroups puts the phases under their milestones. The current milestone is open; where none is, the first
// that is not complete.
func newGroups(s *hydrate.Status) []groupView {
	groups := make([]groupView, len(s.Milestones), len(s.Milestones)+1)
	open := slices.IndexFunc(s.Milestones, func(m hydrate.Milestone) bool { return m.Current })
	if open < 0 {
		open = slices.IndexFunc(s.Milestones, func(m hydrate.Milestone) bool { return m.Status != hydrate.PhaseComplete })
	}
	for i, m := range s.Milestones {
		groups[i] = groupView{
			Milestone: true, Name: milestoneName(m), State: pageName(m.Status), Icon: icon(m.Status), Current: m.Current,
			Open: i == open, Phases: newBar(m.PhasesDone, m.Phases), Plan: newBar(m.PlansDone, m.Plans),
		}
	}
	rest := groupView{Open: true}
	if len(groups) > 0 {
		rest.Name = "In no milestone"
	}
	for _, ph := range s.Phases {
		v := phaseView{
			Number: pageName(ph.Number), Name: pageText(ph.Name), State: pageName(ph.Status), Icon: icon(ph.Status),
			Dir: pageText(ph.Dir), Line: ph.Line, Archived: ph.Archived, Current: ph.Current,
			Bar: newBar(ph.Done, ph.Total), Plans: planViews(ph.Plans),
		}
		v.Verification = pageText(ph.Unverified())
		if i := ph.Milestone; i >= 0 && i < len(groups) {
			groups[i].Rows = append(groups[i].Rows, v)
		} else {
			rest.Rows = append(rest.Rows, v)
		}
	}
	if len(rest.Rows) > 0 {
		groups = append(groups, rest)
	}
	return groups
}

// pageWarnings are those of the status and of what is next, each once.
func pageWarnings(s *hydrate.Status) []hydrate.Warning {
	all := s.Warnings
	if s.Next != nil {
		all = slices.Concat(all, s.Next.Warnings)
	}
	var clean []hydrate.Warning
	for _, w := range all {
		w = hydrate.Warning{Code: pageText(w.Code), Detail: pageText(w.Detail)}
		if !slices.Contains(clean, w) {
			clean = append(clean, w)
		}
	}
	return clean
}
