package main

import (
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type jsonStatus struct {
	Schema       int              `json:"schema"`
	User         string           `json:"user"`
	Project      string           `json:"project"`
	Root         string           `json:"root"`
	Roadmap      *string          `json:"roadmap"`
	Position     jsonPosition     `json:"position"`
	LastActivity *jsonActivity    `json:"last_activity"`
	Milestones   []jsonMilestone  `json:"milestones"`
	Phases       []jsonPhase      `json:"phases"`
	Quick        []jsonPlan       `json:"quick"`
	Workstreams  []jsonWorkstream `json:"workstreams"`
	Sessions     []jsonSession    `json:"sessions"`
	Runs         []jsonUserRun    `json:"runs"`
	Orphans      int              `json:"orphans"`
	Incomplete   []jsonIncomplete `json:"incomplete"`
	Next         jsonNext         `json:"next"`
	Warnings     []jsonWarning    `json:"warnings"`
}

type jsonPosition struct {
	Milestone  *string `json:"milestone"`
	Phase      *string `json:"phase"`
	PhaseName  *string `json:"phase_name"`
	PhaseIndex int     `json:"phase_index"`
	Phases     int     `json:"phases"`
	PhasesDone int     `json:"phases_done"`
	Plan       int     `json:"plan"`
	Plans      int     `json:"plans"`
	PlansDone  int     `json:"plans_done"`
	AllPlans   int     `json:"all_plans"`
	AllDone    int     `json:"all_plans_done"`
	Percent    *int    `json:"percent"`
}

type jsonMilestone struct {
	Version    *string `json:"version"`
	Label      *string `json:"label"`
	Name       string  `json:"name"`
	Status     string  `json:"status"`
	Current    bool    `json:"current"`
	Line       *int    `json:"line"`
	Phases     int     `json:"phases"`
	PhasesDone int     `json:"phases_done"`
	Plans      int     `json:"plans"`
	PlansDone  int     `json:"plans_done"`
}

type jsonPhase struct {
	Number    *string    `json:"number"`
	Name      string     `json:"name"`
	Milestone *string    `json:"milestone"`
	Index     *int       `json:"milestone_index"`
	Status    string     `json:"status"`
	Current   bool       `json:"current"`
	Archived  bool       `json:"archived"`
	Verified  *string    `json:"verification"`
	Line      *int       `json:"line"`
	Directory *string    `json:"directory"`
	Done      int        `json:"done"`
	Total     int        `json:"total"`
	Plans     []jsonPlan `json:"plans"`
}

type jsonPlan struct {
	ID     *string `json:"id"`
	Plan   string  `json:"plan"`
	Title  string  `json:"title"`
	Status string  `json:"status"`
}

type jsonWorkstream struct {
	Name string `json:"name"`
	Root string `json:"root"`
	Done int    `json:"done"`
	All  int    `json:"total"`
}

type jsonSession struct {
	User    string       `json:"user"`
	Own     bool         `json:"own"`
	Plan    *string      `json:"plan"`
	ID      *string      `json:"id"`
	Verdict string       `json:"verdict"`
	Token   string       `json:"token"`
	Done    int          `json:"done"`
	Total   int          `json:"total"`
	Resume  *jsonResume  `json:"resume"`
	Stale   []jsonReason `json:"stale"`
	Started *string      `json:"started"`
	Changed *string      `json:"changed"`
}

func statusJSON(st *hydrate.Status, u identity.User) jsonStatus {
	j := jsonStatus{
		Schema: schemaNumber, User: u.Name, Project: st.Project, Root: st.Root, Roadmap: known(st.Roadmap),
		Position: positionJSON(st.Position), LastActivity: activityJSON(st.Activity),
		Milestones: []jsonMilestone{}, Phases: []jsonPhase{}, Quick: plansJSON(st.Quick),
		Workstreams: []jsonWorkstream{}, Sessions: []jsonSession{},
		Runs: []jsonUserRun{}, Orphans: st.Lost, Incomplete: incompleteJSON(st.Incomplete),
		Next: nextJSON(st.Next), Warnings: warningsJSON(u, st.Warnings...),
	}
	for _, m := range st.Milestones {
		j.Milestones = append(j.Milestones, jsonMilestone{
			known(m.Version), known(m.Label), m.Name, m.Status, m.Current, lineNumber(m.Line), m.Phases, m.PhasesDone, m.Plans, m.PlansDone,
		})
	}
	for _, ph := range st.Phases {
		phase := jsonPhase{
			Number: known(ph.Number), Name: ph.Name, Status: ph.Status, Current: ph.Current, Archived: ph.Archived,
			Verified: known(ph.Verification), Line: lineNumber(ph.Line), Directory: known(ph.Dir), Done: ph.Done, Total: ph.Total, Plans: plansJSON(ph.Plans),
		}
		if at := ph.Milestone; at >= 0 {
			phase.Milestone, phase.Index = known(st.Milestones[at].Version), &at
		}
		j.Phases = append(j.Phases, phase)
	}
	for _, w := range st.Workstreams {
		j.Workstreams = append(j.Workstreams, jsonWorkstream{w.Name, w.Root, w.Done, w.Total})
	}
	for _, s := range st.Sessions {
		j.Sessions = append(j.Sessions, sessionJSON(s))
	}
	for i := range st.Runs {
		j.Runs = append(j.Runs, jsonUserRun{st.Runs[i].User, runJSON(&st.Runs[i].Run)})
	}
	return j
}

func positionJSON(p hydrate.Position) jsonPosition {
	return jsonPosition{
		Milestone: known(p.Milestone), Phase: known(p.Phase), PhaseName: known(p.PhaseName),
		PhaseIndex: p.PhaseIndex, Phases: p.Phases, PhasesDone: p.PhasesDone,
		Plan: p.Plan, Plans: p.Plans, PlansDone: p.PlansDone,
		AllPlans: p.AllPlans, AllDone: p.AllDone, Percent: percentJSON(p.Percent),
	}
}

// percentJSON is null where nobody knows the share.
func percentJSON(percent int) *int {
	if percent < 0 {
		return nil
	}
	return &percent
}

func plansJSON(plans []hydrate.StatusPlan) []jsonPlan {
	all := []jsonPlan{}
	for _, p := range plans {
		all = append(all, jsonPlan{known(p.ID), p.Path, p.Title, p.Status})
	}
	return all
}

func sessionJSON(s hydrate.Session) jsonSession {
	j := jsonSession{
		User: s.User, Own: s.Own, Plan: known(s.Plan), ID: known(s.ID), Verdict: string(s.Verdict), Token: s.Token,
		Done: s.Done, Total: s.Total, Stale: []jsonReason{}, Started: timeJSON(s.Started), Changed: timeJSON(s.Changed),
	}
	if s.Resume > 0 {
		j.Resume = &jsonResume{Number: s.Resume, Name: s.ResumeName, Interrupted: s.Interrupted}
	}
	for _, r := range s.Stale {
		j.Stale = append(j.Stale, jsonReason{r.Reason, r.Detail})
	}
	return j
}

// lineNumber is null for a thing that stands on no line.
func lineNumber(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
