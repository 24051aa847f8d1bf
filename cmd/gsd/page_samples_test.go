package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
)

// The projects that the tests of the page show. pageNow is when they are looked at.

var pageNow = time.Date(2026, 3, 20, 15, 4, 5, 0, time.UTC)

func pageSamples() map[string]*hydrate.Status {
	return map[string]*hydrate.Status{
		"empty":   {Project: "notes", Root: ".planning"},
		"small":   smallStatus(),
		"big":     bigStatus(),
		"hostile": hostileStatus(),
	}
}

func smallStatus() *hydrate.Status {
	names := []string{"Foundations", "Storage and sync", "Sign-in with passkeys", "Sharing a notebook", "Polish"}
	plans := [][]string{
		{"Project skeleton and continuous integration", "Design tokens"},
		{"Schema and migrations", "Write-ahead log", "Conflict-free merge of two devices"},
		{"Registration ceremony", "Sign-in and recovery codes", "Session hardening", "Audit of the sign-in flow"},
		{"Invitations", "Roles"},
		nil,
	}
	s := &hydrate.Status{
		Project: "Fieldnotes", Root: ".planning", Roadmap: ".planning/ROADMAP.md",
		Position: hydrate.Position{
			Milestone: "v1.1 Together", Phase: "3", PhaseName: names[2], PhaseIndex: 3, Phases: 5, PhasesDone: 2,
			Plan: 3, Plans: 4, PlansDone: 2, AllPlans: 11, AllDone: 7, Percent: 63,
		},
		Milestones: []hydrate.Milestone{
			{Version: "1", Label: "v1.0", Name: "Alone", Status: hydrate.PhaseComplete, Line: 5, Phases: 1, PhasesDone: 1, Plans: 2, PlansDone: 2},
			{Version: "1.1", Label: "v1.1", Name: "Together", Status: hydrate.PhaseInProgress, Line: 9, Current: true, Phases: 4, PhasesDone: 1, Plans: 9, PlansDone: 5},
			{Version: "2", Label: "v2.0", Name: "Everywhere", Status: hydrate.PhaseNotPlanned, Line: 31},
		},
		Latest: hydrate.Activity{When: pageNow.Add(-25 * time.Minute), What: "03-03: rotate the session key"},
		Next: &hydrate.Next{
			Plan: ".planning/phases/03-sign-in/03-03-PLAN.md", ID: "03-03", Phase: "3", Wave: 2,
			Because:   []string{"phase 3 is in progress (roadmap, line 17)", "03-01 and 03-02, which it depends on, are done"},
			AlsoReady: []hydrate.PlanRef{{Plan: ".planning/phases/03-sign-in/03-04-PLAN.md", ID: "03-04"}, {Plan: ".planning/phases/04-sharing/04-01-PLAN.md", ID: "04-01"}},
		},
		Quick: []hydrate.StatusPlan{
			{ID: "q1", Path: ".planning/quick/001-typo/001-PLAN.md", Title: "Mend the typo on the start page", Status: hydrate.PlanDone},
			{ID: "q2", Path: ".planning/quick/002-icon/002-PLAN.md", Status: hydrate.PlanOpen},
		},
		Workstreams: []hydrate.Workstream{{Name: "mobile", Root: ".planning/workstreams/mobile", Done: 3, Total: 8}},
		Sessions: []hydrate.Session{
			{
				User: "ada-lovelace", Own: true, Plan: ".planning/phases/03-sign-in/03-03-PLAN.md", ID: "03-03", Verdict: hydrate.Resume, Token: "3",
				Done: 2, Total: 5, Resume: 3, ResumeName: "Task 3: Rotate the session key on every change of rights", Interrupted: true,
				Started: pageNow.Add(-5 * time.Hour), Changed: pageNow.Add(-12 * time.Minute),
			},
			{
				User: "grace-hopper", Plan: ".planning/phases/02-storage/02-03-PLAN.md", ID: "02-03", Verdict: hydrate.Stale, Token: "STALE", Done: 1, Total: 3,
				Stale: []hydrate.Reason{
					{Reason: hydrate.PlanCompleted, Detail: ".planning/phases/02-storage/02-03-SUMMARY.md is there"},
					{Reason: hydrate.PhaseAdvanced, Detail: "phase 2 is complete (.planning/ROADMAP.md:13); in progress: phase 3 (.planning/ROADMAP.md:17)"},
				},
				Changed: pageNow.AddDate(0, 0, -9),
			},
		},
		Runs: []hydrate.UserRun{
			openRun("ada-lovelace", hydrate.RunIdle, "codex", 4021, "lab-3", 3*time.Hour, 3*time.Hour),
			openRun("ada-lovelace", hydrate.RunActive, "claude", 4711, "lab-3", 2*time.Hour, 4*time.Minute),
			openRun("grace-hopper", hydrate.RunOrphaned, "gemini", 312, "mark-1", 9*24*time.Hour, 8*24*time.Hour),
			openRun("katherine", hydrate.RunUnknown, "", 0, "", 40*time.Minute, 40*time.Minute),
		},
		Lost: 2,
		Incomplete: []hydrate.Incomplete{
			{Kind: hydrate.WorkHandOff, Path: ".planning/phases/03-sign-in/.continue-here.md"},
			{Kind: hydrate.WorkItem, ID: "E2-014", Path: "docs/work/active/E2-014/WORK.md", Detail: "implement"},
			{Kind: hydrate.WorkPlan, ID: "04-02", Path: ".planning/phases/04-sharing/04-02-PLAN.md"},
		},
		Warnings: []hydrate.Warning{{Code: "roadmap-lags", Detail: "the roadmap says that phase 2 has 2 plans, and there are 3"}},
	}
	done, states := 7, []string{hydrate.PlanInFlight, hydrate.PlanReady, hydrate.PlanReady, hydrate.PlanOpen}
	at := time.Date(2026, 2, 2, 9, 30, 0, 0, time.UTC)
	for i, name := range names {
		ph := hydrate.Phase{
			Number: number(i + 1), Name: name, Milestone: min(i, 1), Status: hydrate.PhaseComplete, Line: 9 + 4*i,
			Dir: fmt.Sprintf(".planning/phases/%02d-%s", i+1, strings.ToLower(strings.Fields(name)[0])), Current: i == 2, Total: len(plans[i]),
		}
		for j, title := range plans[i] {
			p := hydrate.StatusPlan{ID: fmt.Sprintf("%02d-%02d", i+1, j+1), Title: title, Status: hydrate.PlanDone}
			p.Path = ph.Dir + "/" + p.ID + "-PLAN.md"
			if done > 0 {
				done--
				ph.Done++
			} else {
				p.Status, states = states[0], states[1:]
			}
			if p.Status == hydrate.PlanDone || p.Status == hydrate.PlanInFlight {
				span := hydrate.Span{ID: p.ID, Path: p.Path, Phase: ph.Number, First: at, Last: at.Add(time.Duration(i*7+j*30) * time.Hour), Commits: 3 + i + j, Done: p.Status == hydrate.PlanDone}
				if span.Done {
					span.Finished = span.Last.Add(26 * time.Hour * time.Duration(j%2))
				}
				s.Timeline = append(s.Timeline, span)
				at = at.Add(time.Duration(60+30*i) * time.Hour)
			}
			ph.Plans = append(ph.Plans, p)
		}
		switch i {
		case 2:
			ph.Status = hydrate.PhaseInProgress
		case 3:
			ph.Status = hydrate.PhasePlanned
		case 4:
			ph.Status, ph.Dir = hydrate.PhaseNotPlanned, ""
		}
		s.Phases = append(s.Phases, ph)
	}
	return s
}

// openRun is a run that began and was last seen so long before pageNow.
func openRun(user string, state hydrate.RunState, host string, pid int, machine string, begun, seen time.Duration) hydrate.UserRun {
	r := hydrate.UserRun{User: user}
	r.State, r.Holds, r.Host, r.At, r.Renewed = state, state == hydrate.RunActive, host, pageNow.Add(-begun), pageNow.Add(-seen)
	r.Owner.PID, r.Owner.HostName = pid, machine
	return r
}

// bigStatus has 300 phases, 2,000 plans, 50 sessions, 135 runs and a timeline of 420 plans over three years.
func bigStatus() *hydrate.Status {
	const phases, plans, current = 300, 2000, 230
	s := &hydrate.Status{
		Project: "Interlocking for a main-line railway station", Root: ".planning", Roadmap: ".planning/ROADMAP.md",
		Position: hydrate.Position{Milestone: "v24 Axle counters", Phase: "231", PhaseName: "Work of phase 231", PhaseIndex: 1, Phases: 20, Plan: 3, Plans: 7, PlansDone: 2, AllPlans: 140, AllDone: 2, Percent: 1},
		Next:     &hydrate.Next{Plan: ".planning/phases/231-work/231-03-PLAN.md", ID: "231-03", Phase: "231", Because: []string{"phase 231 is in progress (roadmap, line 2412)"}},
	}
	for i := range 30 {
		m := hydrate.Milestone{Version: number(i + 1), Label: "v" + number(i+1), Name: fmt.Sprintf("Stage %d", i+1), Status: hydrate.PhaseComplete, Phases: 10, PhasesDone: 10, Plans: 66, PlansDone: 66}
		switch {
		case i == current/10:
			m.Status, m.Current, m.PhasesDone, m.PlansDone = hydrate.PhaseInProgress, true, 0, 2
		case i > current/10:
			m.Status, m.PhasesDone, m.PlansDone = hydrate.PhasePlanned, 0, 0
		}
		s.Milestones = append(s.Milestones, m)
	}
	at := time.Date(2023, 2, 14, 8, 0, 0, 0, time.UTC)
	for i := range phases {
		ph := hydrate.Phase{Number: number(i + 1), Name: fmt.Sprintf("Work of phase %d", i+1), Milestone: i / 10, Status: hydrate.PhaseComplete, Line: 10 * i, Dir: fmt.Sprintf(".planning/phases/%d-work", i+1), Current: i == current}
		for j := range plans/phases + min(1, max(0, plans%phases-i)) {
			p := hydrate.StatusPlan{ID: fmt.Sprintf("%d-%02d", i+1, j+1), Title: "What is to be done, as the roadmap names it", Status: hydrate.PlanDone}
			p.Path = ph.Dir + "/" + p.ID + "-PLAN.md"
			if i > current || i == current && j > 1 {
				p.Status = hydrate.PlanOpen
			} else {
				ph.Done++
			}
			if len(s.Timeline) < 420 && (i+j)%3 == 0 {
				s.Timeline = append(s.Timeline, hydrate.Span{ID: p.ID, Path: p.Path, Phase: ph.Number, First: at, Last: at.Add(time.Duration(j*j*19) * time.Hour), Commits: 1 + j, Done: j != 5})
				at = at.Add(64 * time.Hour)
			}
			ph.Plans = append(ph.Plans, p)
		}
		ph.Total = len(ph.Plans)
		if i >= current {
			ph.Status = hydrate.PhasePlanned
		}
		s.Phases = append(s.Phases, ph)
	}
	for i := range 50 {
		s.Sessions = append(s.Sessions, hydrate.Session{
			User: fmt.Sprintf("engineer-%02d", i), Own: i == 0, Plan: fmt.Sprintf(".planning/phases/%d-work/%d-01-PLAN.md", 200+i, 200+i), ID: fmt.Sprintf("%d-01", 200+i),
			Verdict: []hydrate.Verdict{hydrate.Resume, hydrate.Finished, hydrate.Corrupt, hydrate.None}[i%4], Done: i % 7, Total: 7, Resume: i%7 + 1, ResumeName: "Wire it up", Changed: pageNow.Add(-time.Duration(i*i) * time.Hour),
		})
	}
	for i := range 135 {
		state := []hydrate.RunState{hydrate.RunOrphaned, hydrate.RunActive, hydrate.RunUnknown}[i/45]
		age := time.Duration(i) * time.Hour
		s.Runs = append(s.Runs, openRun(fmt.Sprintf("engineer-%02d", i%9), state, "claude", 1000+i, "signal-box", age, age/2))
		s.Incomplete = append(s.Incomplete, hydrate.Incomplete{Kind: hydrate.WorkPlan, ID: fmt.Sprintf("200-%02d", i), Path: fmt.Sprintf(".planning/phases/200-work/200-%02d-PLAN.md", i)})
	}
	for i := range 30 {
		s.Next.AlsoReady = append(s.Next.AlsoReady, hydrate.PlanRef{ID: fmt.Sprintf("231-%02d", i+4), Plan: fmt.Sprintf(".planning/phases/231-work/231-%02d-PLAN.md", i+4)})
	}
	return s
}

// hostileText has all that a text may try: to end an element, to be a template, an entity or a style, to act
// on a terminal, to turn the line round, to hide, to be no XML, to be endless.
const hostileText = "</title></style></bdi><script>alert(1)</script><img src=http://x.invalid/ onerror=alert(2)>" +
	"{{.CSS}} \"'`&amp;&lt; ]]><!-- --> \x1b[31m\x1b]8;;http://y.invalid\x07 \u202eabc\u202c \u200b\U000e0041 \uffff\x00\xff z\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301 "

func hostileStatus() *hydrate.Status {
	long := strings.Repeat("Übermäßiglangundohneleerzeichen", 2000/31)
	evil := []string{hostileText, long, "مشروع طويل جدا " + hostileText, "👩‍👩‍👧‍👦 " + strings.Repeat("🦀", 300), hostileText + long}
	next := 0
	text := func() string { next++; return evil[next%len(evil)] }
	s := &hydrate.Status{Project: hostileText + long, Root: long, Roadmap: text(), Timeline: []hydrate.Span{}, Lost: math.MaxInt32}
	s.Position = hydrate.Position{Milestone: text(), Phase: text(), PhaseName: text(), PhaseIndex: math.MaxInt32, Phases: 3, PhasesDone: -4, Plan: 9, Plans: 2, AllPlans: 3, AllDone: math.MaxInt32, Percent: math.MaxInt32}
	s.Latest = hydrate.Activity{When: pageNow, What: text()}
	s.Next = &hydrate.Next{Plan: text(), ID: text(), Phase: text(), Wave: math.MaxInt32, Because: evil, Warnings: []hydrate.Warning{{Code: text(), Detail: text()}}}
	for i := range 12 {
		s.Milestones = append(s.Milestones, hydrate.Milestone{Label: text(), Name: text(), Status: text(), Current: i == 1, Phases: 1, PhasesDone: math.MaxInt32})
		ph := hydrate.Phase{Number: text(), Name: text(), Milestone: i - 1, Status: text(), Dir: text(), Current: i%2 == 0, Done: math.MaxInt32, Total: 3}
		for range 3 {
			ph.Plans = append(ph.Plans, hydrate.StatusPlan{ID: text(), Path: text(), Title: text(), Status: text()})
		}
		s.Phases = append(s.Phases, ph)
		s.Quick = append(s.Quick, hydrate.StatusPlan{ID: text(), Path: text(), Title: text(), Status: text()})
		s.Workstreams = append(s.Workstreams, hydrate.Workstream{Name: text(), Root: text(), Done: math.MaxInt32, Total: -3})
		run := openRun(text(), []hydrate.RunState{hydrate.RunOrphaned, hydrate.RunActive, hydrate.RunState(text())}[i%3], text(), math.MaxInt32, text(), 0, 0)
		run.Renewed, run.Expired = time.Unix(1<<40, 0), i%2 == 0
		s.Runs = append(s.Runs, run)
		s.Incomplete = append(s.Incomplete, hydrate.Incomplete{Kind: []string{hydrate.WorkHandOff, hydrate.WorkItem, text()}[i%3], ID: text(), Path: text(), Detail: text()})
		s.Sessions = append(s.Sessions, hydrate.Session{
			User: text(), Plan: text(), ID: text(), Verdict: []hydrate.Verdict{hydrate.Resume, hydrate.Stale, hydrate.Corrupt, hydrate.Verdict(text())}[i%4],
			Stale: []hydrate.Reason{{Reason: text(), Detail: text()}, {Reason: hydrate.PlanMissing, Detail: text()}}, Done: math.MaxInt32, Total: 3, Resume: -1, ResumeName: text(), Interrupted: true,
			Started: time.Unix(1<<40, 0), Changed: pageNow.AddDate(400*(i-6), 0, 0),
		})
		s.Timeline = append(s.Timeline, hydrate.Span{ID: text(), Path: text(), Phase: text(), First: pageNow.AddDate(60*i, 0, 0), Last: pageNow.AddDate(-60*i, 0, 0), Commits: math.MaxInt32, Finished: time.Unix(1<<60, 0)})
		s.Next.AlsoReady = append(s.Next.AlsoReady, hydrate.PlanRef{ID: text(), Plan: text()})
		s.Warnings = append(s.Warnings, hydrate.Warning{Code: text(), Detail: text() + number(i)})
	}
	return s
}
