package view

import (
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/leftover"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/settings"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/team"
)

// TestWarningText: every code has its sentence, with its values. What others said is not mistaken for gsd's words.
func TestWarningText(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	agentRun := &run.Run{ID: "0123456789ab", Host: "claude", PID: 7, Started: at}
	taken := func(r next.Reason) *next.Reason {
		r.Code, r.Plan = next.Taken, "a/03-01-PLAN.md"
		return &r
	}
	type warning = problem.Warning
	const dir = ".planning/phases"
	var got []string
	for _, w := range []warning{
		{Code: "of-somebody", Path: "a.md", Line: 7, Says: "task 1 has no status"},
		{Code: "of-somebody", Says: "look; `gsd run sweep` helps"},
		{Code: "of-somebody", More: true},

		{Code: problem.HistoryTruncated},
		{Code: problem.HistoryUnreadable, Says: "it is broken"},
		{Code: problem.DirectoryUnreadable, Path: dir},
		{Code: problem.SubmoduleEmpty, Path: dir},
		{Code: problem.DirectoryOutside, Path: dir},
		{Code: problem.DirectoryRepeated, Path: dir, Other: "b"},
		{Code: problem.PlanUnreadable, Path: "a.md", Says: "is large"},
		{Code: app.NextRefused, Plan: "a.md", Says: "a.md is large"},
		{Code: problem.PlanUnusable, Path: "a.md", Says: "is empty"},
		{Code: problem.ConflictMarkers, Path: "a.md", Says: "has markers"},
		{Code: problem.RoadmapUnrecognized, Path: "R.md"},
		{Code: problem.RoadmapCut, Path: "R.md", Count: 9},
		{Code: problem.ReadingStopped, Path: "a.md"},
		{Code: problem.ReadingStopped},
		{Code: problem.TooManyUsers, Count: 8, Of: 9},
		{Code: problem.TooManyWorktrees, Count: 8, Of: 9},
		{Code: problem.TooManyRepositories, Count: 8},
		{Code: problem.TooManyRoots, Count: 8, Of: 9},
		{Code: problem.TooManyFiles, Count: 8},
		{Code: problem.TooManyFindings, Name: "a-code"},
		{Code: problem.WorkstreamUnknown, Name: "beta", Other: "GSD_WORKSTREAM"},
		{Code: app.PlanStatus, Plan: "a.md", Says: "blocked"},
		{Code: app.WaitsOpen, Plan: "a.md", Names: []string{"03-01"}},
		{Code: app.WaitsOpen, Plan: "a.md", Names: []string{"03-01", "03-02"}, Count: 3},
		{Code: app.WaitsHalted, Plan: "a.md", Names: []string{"03-01"}},
		{Code: app.Deadline},
		{Code: app.DeadlineEarly},
		{Code: app.FilesUnread, Says: "why"},
		{Code: settings.Unread, Says: "why"},
		{Code: leftover.ItemsUnread, Count: 2},
		{Code: status.PhaseRepeated, Path: "a", Other: "b", Phase: "3"},
		{Code: status.StateDiffers, Path: "S.md", Line: 2, Phase: "3", Other: "2"},
		{Code: answer.WaveContradicted, Plan: "03-02", Wave: 1, Other: "03-01", OtherWave: 1, Count: 1},
		{Code: answer.WaveContradicted, Plan: "03-02", Wave: 1, Other: "03-01", OtherWave: 1, Count: 3},
		{Code: answer.WaveContradicted, Path: "a.md", Line: 2, Plan: "03-02", Wave: 1, Other: "03-01", OtherWave: 1},

		{Code: answer.PlanEdited, Path: "a.md"},
		{Code: string(answer.PhaseAdvanced), Path: "R.md"},
		{Code: answer.RoadmapLags, Path: "R.md", Line: 3, Phase: "2"},
		{Code: answer.TaskNumber, Task: 2, Name: "4"},
		{Code: answer.TaskUntouched, Task: 2, Status: "in-progress"},
		{Code: answer.TaskUntouched, Task: 2, Status: "pending"},
		{Code: answer.SessionClosed, Says: "a is a link", Hint: "see what it is"},
		{Code: app.Drift, Task: 2, Status: "in-progress", ID: "0123456789abcdef", Subject: "feat: `gsd run sweep` \"x\""},
		{Code: app.SetApart, Task: 2, Status: "complete", Name: "a`b", ID: "0123456789abcdef"},
		{Code: app.SetApart, Task: 2, Status: "complete", ID: "0123456789abcdef"},
		{Code: app.CommitGone, Task: 2, Status: "complete", ID: "0123456789abcdef"},
		{Code: answer.WordUnclear, Path: ".planning/phases/03-api/03-01-PLAN.md", Task: 2, Status: "COMPLETE (modified by somebody who had a lot to say about it)"},
		{Code: history.PerhapsBegun, Task: 2, ID: "0123456789abcdef"},
		{Code: app.NotPaused, Says: "why"},
		{Code: app.TasksNotReset, Says: "why"},
		{Code: answer.LeaseElsewhere, Plan: ".planning/phases/03-api/03-01-PLAN.md", Run: agentRun},
		{Code: answer.SessionSwitched, Plan: ".planning/phases/03-api/03-01-PLAN.md", Run: agentRun},
		{Code: answer.RunsProblem, Path: "runs.json", Says: "denied"},
		{Code: answer.RunsDamaged, Path: "runs.json", Says: "is empty"},
		{Code: answer.RunsMoved, Path: "runs.json", Other: "r"},
		{Code: app.OddLeft, Path: "d/*", Count: 2},
		{Code: answer.CrumbMissing},
		{Code: answer.CrumbMissing, Says: "denied"},
		{Code: answer.CrumbInProject},
		{Code: answer.CrumbInProject, Says: "denied"},
		{Code: answer.CrumbOlder, Says: "denied"},
		{Code: app.ArchiveCrumb, Says: "denied"},
		{Code: app.CrumbsUnreadable, Says: "denied"},
		{Code: app.CrumbUnswept, ID: "1a", Says: "denied"},
		{Code: app.CrumbsKept, Says: "denied"},
		{Code: history.CrumbsUnread, Count: 1},
		{Code: history.CrumbDamaged, ID: "1a", Says: "no JSON"},
		{Code: history.CrumbsDamaged, Count: 1},

		{Code: answer.PlanTaken, Taken: taken(next.Reason{User: "bob", Too: true})},
		{Code: answer.PlanTaken, Taken: taken(next.Reason{User: "bob", Machine: "desk", Too: true})},
		{Code: team.PlanShared, Taken: taken(next.Reason{User: "bob", Machine: "desk", Too: true})},
		{Code: answer.PlanTaken, Taken: taken(next.Reason{User: "ada", Own: true, Worktree: "/w", Too: true})},
		{Code: answer.PlanTaken, Taken: taken(next.Reason{User: "bob", Old: true, Settled: 1, Tasks: 3, Changed: at})},
		{Code: history.SessionOld, Plan: "a/03-01-PLAN.md", User: "bob", Path: "/w", Count: 1, Of: 3, Since: at},
		{Code: history.SessionFormer, Plan: "a/03-01-PLAN.md", User: "bob", Since: at},
		{Code: team.ClaimLost, User: "bob", Plan: "a/03-01-PLAN.md", Machine: "desk", Since: at},
		{Code: app.ClaimProblem, Says: "no remote"},
		{Code: history.PhaseClaimed, Phase: "3", Since: at},
		{Code: history.PhaseInUse, Name: "x", Phase: "3", Since: at},
		{Code: history.PositionShared, Name: "x", Phase: "3", Since: at},
		{Code: team.SyncNameless, User: "ada"},
		{Code: team.SyncTeamUnread, Says: "why"},
		{Code: team.SyncPartly, Name: "refs/gsd/x", Says: "why"},
		{Code: team.SyncDropped, Name: "refs/gsd/x", Machine: "laptop"},
		{Code: team.SyncClonesUnread, Count: 3, Of: 203},
		{Code: team.SyncWithoutClaims, Says: "origin takes none", Hint: "ask"},
		{Code: team.SyncFailing, Since: at, Says: "why"},

		{Code: identity.WarnGitMissing},
		{Code: identity.WarnGitMissing, Says: "no git"},
		{Code: identity.WarnConfigBroken, Says: "bad line"},
		{Code: doctor.GitRefuses, Name: "/x"},
		{Code: doctor.GitUnreadable, Name: "/x/.git"},
		{Code: doctor.UserFallback, User: "ada", Other: string(identity.SourceOS)},
		{Code: doctor.UserFallback, User: "ada", Other: string(identity.SourceHostname), Says: "X=/dev/null hides it"},
		{Code: doctor.ProgramMissing, Name: "/opt/gsd"},
		{Code: doctor.ProgramOther, Name: "/opt/gsd", Other: "/bin/gsd"},
		{Code: doctor.ProgramOther, Name: "/opt/gsd", Other: "/bin/gsd", Says: "gsd version 0"},
		{Code: doctor.ProgramAliased, Name: "/h/.zshrc", Says: "alias gsd=x"},
		{Code: doctor.StateMissing},
		{Code: doctor.StateUnwritten, Says: "/s: denied"},
		{Code: doctor.StateUnwritten, Says: "/s: denied", Name: "/s"},
		{Code: doctor.HooksUnread, Host: "claude", Scope: "user", Says: "no JSON"},
		{Code: doctor.HooksInactive, Host: "claude", Scope: "user", Says: "hooks are off"},
		{Code: doctor.HooksPartly, Host: "claude", Scope: "user"},
		{Code: doctor.HooksOutdated, Host: "claude", Scope: "user"},
		{Code: doctor.NotPermitted, Host: "claude", Scope: "project"},
		{Code: doctor.NotPermitted, Host: "claude", Scope: "user"},
		{Code: doctor.HooksTwice, Host: "claude", Names: []string{"user", "project"}},
		{Code: doctor.HooksBeside, Host: "claude", Scope: "project", Says: "bash -lc 'gsd hydrate'"},
		{Code: doctor.HooksNeeded, Host: "claude", Names: []string{"user", "project"}},
		{Code: doctor.LoginMissing, Host: "codex", Scope: "user"},
		{Code: doctor.LoginMissing, Host: "codex", Scope: "project", Name: "/opt"},
		{Code: doctor.HooksMissing},
		{Code: doctor.HooksMissing, Names: []string{"claude", "codex"}},
		{Code: doctor.HooksMissing, Names: []string{"claude"}, Scope: "user"},
		{Code: doctor.NotCommitted, Says: "worktrees have none"},

		{Code: doctor.DriverMissing},
		{Code: doctor.DriverUnused, Says: "S.md: merge: x"},
		{Code: doctor.SessionsTracked, User: "ada", Path: "d"},
		{Code: doctor.SessionsSeen, Path: "d"},
		{Code: doctor.SessionsSeen, Path: "d", Other: "d/.gitignore"},
		{Code: doctor.RepositoriesMissing, Path: "c.json", Paths: []string{"api", "web"}, Count: 3},
		{Code: doctor.SyncImpossible, Says: "no remote"},
		{Code: doctor.SessionLost, Plan: "a/03-01-PLAN.md"},
		{Code: doctor.SessionCorrupt, Path: "s.md", Says: "it is empty"},
		{Code: doctor.RunCrashed, Run: agentRun},
		{Code: doctor.RunExpired, Run: agentRun},
		{Code: doctor.RunUnchecked, Run: agentRun},
		{Code: doctor.TempsLeft, Count: 1},
		{Code: doctor.NoteOld, Path: "n.md", Count: 9},

		{Code: doctor.PlanRepeated, Path: "a.md", ID: "03-01", Other: "b.md", Name: "c.md"},
		{Code: doctor.PlanRepeated, Path: "a.md", ID: "03-01", Other: "b.md"},
		{Code: doctor.PlanTooLarge, Path: "a.md", Says: "it is larger than 2 GiB"},
		{Code: doctor.PlanEmpty, Path: "a.md", Says: "it is empty", Committed: true},
		{Code: doctor.PlanBinary, Path: "a.md", Says: "it is binary"},
		{Code: doctor.FrontMatterUnread, Path: "a.md", Line: 2, Says: "no value"},
		{Code: doctor.DependencyUnknown, Path: "a.md", Line: 2, Name: "09"},
		{Code: doctor.DependencyCycle, Path: "a.md", Line: 2, Names: []string{"03-01", "03-02"}},
		{Code: doctor.FilesOverlap, Wave: 2, Names: []string{"1", "2", "3"}, Paths: []string{"a", "b"}, Count: 3},
		{Code: doctor.SummaryDraft, Path: "a.md"},
		{Code: doctor.DraftWritten, Path: "a.md"},
		{Code: doctor.DraftOver, Path: "a.md"},
		{Code: doctor.DraftOrphaned, Path: "a.md"},
		{Code: "part-unclosed", Path: "a.md", Line: 2, Says: "<action> is open", End: 9},
		{Code: doctor.Unreadable, Path: "a.md", Says: "is empty", Committed: true},
	} {
		text := WarningText(&w).String()
		if text == "" {
			t.Errorf("%s has no words", w.Code)
		}
		got = append(got, w.Code+": "+text)
	}
	golden(t, "warnings.txt", strings.Join(got, "\n")+"\n")
}

// TestFindingText: what helps a person is said where no command does, and what became of a lost session.
func TestFindingText(t *testing.T) {
	t.Parallel()
	fix := action.Action{Kind: action.BringBack, ID: "a.md"}
	lost := &answer.LostSession{Why: answer.LostFile}
	gone := &answer.LostSession{Why: answer.LostFile, Gone: true}
	var got []string
	for _, f := range []doctor.Finding{
		{Warning: problem.Warning{Code: doctor.PlanEmpty, Path: "a.md", Says: "it is empty"}},
		{Warning: problem.Warning{Code: doctor.PlanEmpty, Path: "a.md", Says: "it is empty"}, Fix: fix},
		{Warning: problem.Warning{Code: doctor.PlanBinary, Path: "a.md", Says: "it is binary", Committed: true}},
		{Warning: problem.Warning{Code: doctor.PlanBinary, Path: "a.md", Says: "it is binary"}, Fix: fix},
		{Warning: problem.Warning{Code: doctor.SessionLost, Plan: "a/03-01-PLAN.md"}, Lost: lost},
		{Warning: problem.Warning{Code: doctor.SessionLost, Plan: "a/03-01-PLAN.md"}, Lost: gone},
	} {
		got = append(got, f.Code+": "+FindingText(&f).String())
	}
	golden(t, "findings.txt", strings.Join(got, "\n")+"\n")
}
