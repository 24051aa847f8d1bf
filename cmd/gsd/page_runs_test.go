package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
)

// TestPageUnfinished: the part is there only where there is something of it, and says no more than there is.
func TestPageUnfinished(t *testing.T) {
	run := func(user string, state hydrate.RunState) hydrate.UserRun {
		return openRun(user, state, "claude", 7, "", time.Hour, time.Hour)
	}
	work := hydrate.Incomplete{Kind: hydrate.WorkPlan, Path: "a/03-01-PLAN.md"}
	for _, test := range []struct {
		name   string
		status hydrate.Status
		want   string // empty for no such part
	}{
		{"clean", hydrate.Status{}, ""},
		{"at work", hydrate.Status{Runs: []hydrate.UserRun{run("ada", hydrate.RunActive), run("ada", hydrate.RunIdle), run("bo", hydrate.RunUnknown)}}, ""},
		{"one lost", hydrate.Status{Lost: 1}, "Unfinished 1 1 lost session: gsd orphans"},
		{
			"died",
			hydrate.Status{Runs: []hydrate.UserRun{run("ada", hydrate.RunOrphaned), run("ada", hydrate.RunOrphaned), run("bo", hydrate.RunOrphaned)}},
			"Unfinished 3 3 runs died without an end: gsd sweep by ada, bo",
		},
		{
			"of many",
			hydrate.Status{Runs: []hydrate.UserRun{
				run("a", hydrate.RunOrphaned), run("b", hydrate.RunOrphaned), run("c", hydrate.RunOrphaned), run("d", hydrate.RunOrphaned), run("", hydrate.RunOrphaned),
			}},
			"Unfinished 5 5 runs died without an end: gsd sweep by a, b, c and 2 more",
		},
		{"no id", hydrate.Status{Incomplete: []hydrate.Incomplete{work}}, "Unfinished 1 Plan 03-01-PLAN.md has commits and neither a session nor a summary a/03-01-PLAN.md"},
		{
			"no node",
			hydrate.Status{Incomplete: []hydrate.Incomplete{{Kind: hydrate.WorkItem, ID: "E1", Path: "w/WORK.md"}}},
			"Unfinished 1 Work item E1 is still open w/WORK.md",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := parsePage(t, renderedPage(t, &test.status))
			there := slices.ContainsFunc(root.all("section"), func(e *element) bool { return e.attr["id"] == "unfinished" })
			linked := slices.ContainsFunc(root.all("a"), func(e *element) bool { return e.attr["href"] == "#unfinished" })
			if want := test.want != ""; there != want || linked != want {
				t.Fatalf("there: %v, linked: %v", there, linked)
			}
			if !there {
				if strings.Contains(root.all("body")[0].words(), "Unfinished") {
					t.Error("it is mentioned")
				}
				return
			}
			if got := root.byID(t, "unfinished").words(); got != test.want {
				t.Errorf("it says %q", got)
			}
		})
	}
}

// TestPageRun says each state in words.
func TestPageRun(t *testing.T) {
	for _, test := range []struct {
		state   hydrate.RunState
		expired bool
		want    string
		note    string
		seen    bool
	}{
		{hydrate.RunActive, false, "At work", "", false},
		{hydrate.RunIdle, false, "Idle", "It lives, and does not hold the session.", false},
		{hydrate.RunUnknown, false, "May be at work", "Nobody here can tell whether it lives.", true},
		{hydrate.RunUnknown, true, "May be over", "Nobody here can tell whether it lives, and its time is up.", true},
		{hydrate.RunOrphaned, false, "Its run died", "Its process is gone, and it never ended.", true},
		{"of a later version", false, "May be at work", "Nobody here can tell whether it lives.", false},
	} {
		r := openRun("ada", test.state, "claude", 7, "", time.Hour, time.Minute)
		r.Expired = test.expired
		v := newRun(&r.Run, pageNow)
		if v.Says != test.want || v.Note != test.note || (v.Seen.ISO != "") != test.seen || v.Host != "claude" || v.Where != "7" {
			t.Errorf("%s: %+v", test.state, v)
		}
		if !slices.Contains(runStates, hydrate.RunState(v.Kind)) || v.Icon == "" {
			t.Errorf("%s: kind %q, icon %q", test.state, v.Kind, v.Icon)
		}
	}
}

// TestPageRunsOfUsers: each run stands with its user, what may live first, and the many that died are folded away.
func TestPageRunsOfUsers(t *testing.T) {
	s := &hydrate.Status{Sessions: []hydrate.Session{{User: "ada", Verdict: hydrate.Finished}, {User: "bo", Verdict: hydrate.Finished}}}
	for i := range 6 {
		s.Runs = append(s.Runs, openRun("bo", hydrate.RunOrphaned, "dead-"+number(i), 0, "", time.Hour, time.Hour))
	}
	for _, r := range []struct{ user, host string }{{"bo", "first"}, {"bo", "second"}, {"cy", "alone"}} {
		s.Runs = append(s.Runs, openRun(r.user, hydrate.RunActive, r.host, 0, "", time.Hour, time.Hour))
	}
	p := newPage(s, pageNow)
	hosts := func(runs []runView) string {
		var names []string
		for _, r := range runs {
			names = append(names, r.Host)
		}
		return strings.Join(names, " ")
	}
	var got []string
	for _, v := range p.Sessions {
		got = append(got, v.User+" "+v.Says+": "+hosts(v.Runs)+"; "+hosts(v.MoreRuns))
	}
	want := []string{
		"ada Summary is due: ; ",
		"bo Summary is due: second first dead-5; dead-4 dead-3 dead-2 dead-1 dead-0",
		"cy No session: alone; ",
	}
	if !slices.Equal(got, want) || p.SessionCount != 2 {
		t.Errorf("%d sessions: %q", p.SessionCount, got)
	}
	if !slices.Equal(runHosts(s.Runs), []string{"dead-0", "dead-1", "dead-2", "dead-3", "dead-4", "dead-5", "first", "second", "alone"}) {
		t.Error("the status was changed")
	}
}

func runHosts(runs []hydrate.UserRun) []string {
	var names []string
	for i := range runs {
		names = append(names, runs[i].Host)
	}
	return names
}
