package view

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/next"
)

func TestBecause(t *testing.T) {
	t.Parallel()
	commit := func(code next.Code, count int) next.Reason {
		return next.Reason{Code: code, Phase: "3", Count: count, Commit: "0123456789", Subject: `say "x"`}
	}
	closed := commit(next.HasCommits, 2)
	closed.Closed = true
	prepared := commit(next.Prepared, 0)
	prepared.Documents = []string{"context"}
	on := time.Date(2026, 2, 3, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		want    string
		reasons []next.Reason
	}{
		{"not complete until verified: phase 2 (gaps_found), phase 3 (human_needed)", []next.Reason{{Code: next.NotVerified, Phases: []next.PhaseVerification{{Phase: "2", Status: "gaps_found"}, {Phase: "3", Status: "human_needed"}}}}},
		{"all of its tasks are complete in the session of ada, but it has no summary yet", []next.Reason{{Code: next.TasksOver, User: "ada"}}},
		{"all of its tasks are complete or skipped in the session of ada, but it has no summary yet", []next.Reason{{Code: next.TasksOver, User: "ada", Skipped: true}}},
		{"all of its tasks are complete in a former session of ada, but it has no summary yet", []next.Reason{{Code: next.TasksOver, User: "ada", Former: true}}},
		{"your session is on it", []next.Reason{{Code: next.OwnSession}}},
		{`1 commit on it, 0123456 "say 'x'", and no summary yet|phase 3 is active by that commit`, []next.Reason{commit(next.HasCommits, 1), commit(next.ActivePhase, 0)}},
		{`2 commits on it and no summary yet, the last 0123456 "say 'x'"; one of them calls it complete, so its summary is missing`, []next.Reason{closed}},
		{`phase 3 is active by its latest commit, 0123456 "say 'x'"`, []next.Reason{commit(next.ActivePhase, 0)}},
		{"a plan of phase 3 is in flight", []next.Reason{{Code: next.InFlightPhase, Phase: "3"}}},
		{"phase 3 is the current one in the roadmap (R:7)", []next.Reason{{Code: next.RoadmapPhase, Phase: "3", Path: "R", Line: 7}}},
		{"setup is the lowest with an open plan", []next.Reason{{Code: next.LowestPhase, Directory: "setup"}}},
		{"it was left behind, and nothing else is to be done", []next.Reason{{Code: next.OnlyLeft}}},
		{"wave 2 is the lowest open wave of phase 3", []next.Reason{{Code: next.LowestWave, Phase: "3", Wave: 2}}},
		{"every open plan of the phase depends on another; this one is the first", []next.Reason{{Code: next.AllWait}}},
		{"its dependencies are done: 03-01, 03-02", []next.Reason{{Code: next.DependenciesDone, Plans: []string{"03-01", "03-02"}}}},
		{"bob has a session on it, too|bob has a session at lab on 03-02", []next.Reason{{Code: next.Taken, User: "bob", Too: true}, {Code: next.Taken, User: "bob", Machine: "lab", Plan: "03-02"}}},
		{"your session in the worktree /w is on it", []next.Reason{{Code: next.Taken, User: "ada", Own: true, Worktree: "/w"}}},
		{"bob has an old session on it (1 of 3 complete, last changed 2026-02-03)", []next.Reason{{Code: next.Taken, User: "bob", Old: true, Settled: 1, Tasks: 3, Changed: on}}},
		{"its session was lost, and at work on it is somebody, run 1", []next.Reason{{Code: next.LostAtWork, Run: "1"}}},
		{"phase 3 is next in the roadmap and has no open plan (R:7)", []next.Reason{{Code: next.NothingOpen, Phase: "3", Path: "R", Line: 7}}},
		{"phase 3 has no open plan, and its verification says gaps_found", []next.Reason{{Code: next.NotPassed, Phase: "3", Verification: "gaps_found"}}},
		{"phase 3 has no open plan, and its UAT says testing", []next.Reason{{Code: next.NotTested, Phase: "3", Verification: "testing"}}},
		{"phase 3 has a context and research, but no plan yet", []next.Reason{{Code: next.Prepared, Phase: "3", Documents: []string{"context", "research"}}}},
		{"phase 3 is next in the roadmap and has no plan yet", []next.Reason{{Code: next.Unplanned, Phase: "3"}}},
		{"1 plan behind one that is halted or blocked, the first of them 03-02", []next.Reason{{Code: next.BehindHalted, Count: 1, Plan: "03-02"}}},
		{"every plan has its summary", []next.Reason{{Code: next.AllDone}}},
		{"every milestone is shipped: what comes next is a new one", []next.Reason{{Code: next.AllShipped}}},
		{"every plan without a summary was left behind", []next.Reason{{Code: next.AllLeft}}},
		{"no phase has a plan yet", []next.Reason{{Code: next.NoPlanYet}}},
		{"2 plans without a summary in phases that the roadmap calls complete", []next.Reason{{Code: next.OpenInOver, Count: 2}}},
		{"2 plans without a summary that cannot be carried out or is in another milestone", []next.Reason{{Code: next.OpenElsewhere, Count: 2}}},
		{"not everything was read; see the warnings", []next.Reason{{Code: next.NotAllRead}}},
		{`phase 3 has a context, but no plan yet; 0123456 "say 'x'" is about it`, []next.Reason{prepared}},
		{`work on it ended with 0123456 "say 'x'"`, []next.Reason{commit(next.CompletedSince, 0)}},
		{`phase 3 has been worked on since, 0123456 "say 'x'"`, []next.Reason{commit(next.WorkedSince, 0)}},
	} {
		if got := strings.Join(Because(test.reasons), "|"); got != test.want {
			t.Errorf("%s\nwant\n%s", got, test.want)
		}
	}
	g := generator{t, map[string]*source{}, nil, nil}
	for _, c := range g.sourceOf(reflect.TypeFor[next.Code]()).constants["Code"] {
		if got := because(&next.Reason{Code: next.Code(c.value), Phase: "3", Commit: "0123456789"}); got == "" {
			t.Errorf("%s has no words", c.value)
		}
	}
	for _, c := range g.sourceOf(reflect.TypeFor[answer.Lost]()).constants["Lost"] {
		if lostBecause[answer.Lost(c.value)] == "" {
			t.Errorf("%s has no words", c.value)
		}
	}
}
