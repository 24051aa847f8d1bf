package view

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/roadmap"
)

func TestBecause(t *testing.T) {
	t.Parallel()
	commit := func(code roadmap.Code, count int) roadmap.Reason {
		return roadmap.Reason{Code: code, Phase: "3", Count: count, Commit: "0123456789", Subject: `say "x"`}
	}
	closed := commit(roadmap.HasCommits, 2)
	closed.Closed = true
	on := time.Date(2026, 2, 3, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		want    string
		reasons []roadmap.Reason
	}{
		{"not complete until verified: phase 2 (gaps_found), phase 3 (human_needed)", []roadmap.Reason{{Code: roadmap.NotVerified, Phases: []roadmap.PhaseVerification{{Phase: "2", Status: "gaps_found"}, {Phase: "3", Status: "human_needed"}}}}},
		{"all of its tasks are complete in the session of ada, but it has no summary yet", []roadmap.Reason{{Code: roadmap.TasksOver, User: "ada"}}},
		{"all of its tasks are complete or skipped in the session of ada, but it has no summary yet", []roadmap.Reason{{Code: roadmap.TasksOver, User: "ada", Skipped: true}}},
		{"all of its tasks are complete in a former session of ada, but it has no summary yet", []roadmap.Reason{{Code: roadmap.TasksOver, User: "ada", Former: true}}},
		{"your session is on it", []roadmap.Reason{{Code: roadmap.OwnSession}}},
		{`1 commit on it, 0123456 "say 'x'", and no summary yet|phase 3 is active by that commit`, []roadmap.Reason{commit(roadmap.HasCommits, 1), commit(roadmap.ActivePhase, 0)}},
		{`2 commits on it and no summary yet, the last 0123456 "say 'x'"; one of them calls it complete, so its summary is missing`, []roadmap.Reason{closed}},
		{`phase 3 is active by its latest commit, 0123456 "say 'x'"`, []roadmap.Reason{commit(roadmap.ActivePhase, 0)}},
		{"a plan of phase 3 is in flight", []roadmap.Reason{{Code: roadmap.InFlightPhase, Phase: "3"}}},
		{"phase 3 is the current one in the roadmap (R:7)", []roadmap.Reason{{Code: roadmap.RoadmapPhase, Phase: "3", Path: "R", Line: 7}}},
		{"setup is the lowest with an open plan", []roadmap.Reason{{Code: roadmap.LowestPhase, Directory: "setup"}}},
		{"it was left behind, and nothing else is to be done", []roadmap.Reason{{Code: roadmap.OnlyLeft}}},
		{"wave 2 is the lowest open wave of phase 3", []roadmap.Reason{{Code: roadmap.LowestWave, Phase: "3", Wave: 2}}},
		{"every open plan of the phase depends on another; this one is the first", []roadmap.Reason{{Code: roadmap.AllWait}}},
		{"its dependencies are done: 03-01, 03-02", []roadmap.Reason{{Code: roadmap.DependenciesDone, Plans: []string{"03-01", "03-02"}}}},
		{"bob has a session on it, too|bob has a session at lab on 03-02", []roadmap.Reason{{Code: roadmap.Taken, User: "bob", Too: true}, {Code: roadmap.Taken, User: "bob", Machine: "lab", Plan: "03-02"}}},
		{"your session in the worktree /w is on it", []roadmap.Reason{{Code: roadmap.Taken, User: "ada", Own: true, Worktree: "/w"}}},
		{"bob has an old session on it (1 of 3 complete, last changed 2026-02-03)", []roadmap.Reason{{Code: roadmap.Taken, User: "bob", Old: true, Over: 1, Tasks: 3, Changed: on}}},
		{"its session was lost, and at work on it is somebody, run 1", []roadmap.Reason{{Code: roadmap.LostAtWork, Run: "1"}}},
		{"phase 3 is next in the roadmap and has no open plan (R:7)", []roadmap.Reason{{Code: roadmap.NothingOpen, Phase: "3", Path: "R", Line: 7}}},
		{"phase 3 has no open plan, and its verification says gaps_found", []roadmap.Reason{{Code: roadmap.NotPassed, Phase: "3", Verification: "gaps_found"}}},
		{"phase 3 has a context and research, but no plan yet", []roadmap.Reason{{Code: roadmap.Prepared, Phase: "3", Documents: []string{"context", "research"}}}},
		{"phase 3 is next in the roadmap and has no plan yet", []roadmap.Reason{{Code: roadmap.Unplanned, Phase: "3"}}},
		{"1 plan blocked by a halted plan, the first of them 03-02", []roadmap.Reason{{Code: roadmap.BehindHalted, Count: 1, Plan: "03-02"}}},
		{"every plan has its summary", []roadmap.Reason{{Code: roadmap.AllDone}}},
		{"every plan without a summary was left behind", []roadmap.Reason{{Code: roadmap.AllLeft}}},
		{"no phase has a plan yet", []roadmap.Reason{{Code: roadmap.NoPlanYet}}},
		{"2 plans without a summary in phases that are over according to the roadmap", []roadmap.Reason{{Code: roadmap.OpenInOver, Count: 2}}},
		{"2 plans without a summary that cannot be carried out or is in another milestone", []roadmap.Reason{{Code: roadmap.OpenElsewhere, Count: 2}}},
		{"not everything was read; see the warnings", []roadmap.Reason{{Code: roadmap.NotAllRead}}},
		{`phase 3 has been worked on since, 0123456 "say 'x'"`, []roadmap.Reason{commit(roadmap.WorkedSince, 0)}},
	} {
		if got := strings.Join(Because(test.reasons), "|"); got != test.want {
			t.Errorf("%s\nwant\n%s", got, test.want)
		}
	}
	g := generator{t, map[string]*source{}, nil, nil}
	for _, c := range g.sourceOf(reflect.TypeFor[roadmap.Code]()).constants["Code"] {
		if got := because(&roadmap.Reason{Code: roadmap.Code(c.value), Phase: "3", Commit: "0123456789"}); got == "" {
			t.Errorf("%s has no words", c.value)
		}
	}
	for _, c := range g.sourceOf(reflect.TypeFor[verdict.Lost]()).constants["Lost"] {
		if lostBecause[verdict.Lost(c.value)] == "" {
			t.Errorf("%s has no words", c.value)
		}
	}
}
