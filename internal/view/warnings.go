package view

// warnings.go words what a person should know, and what doctor finds. Below this package they are codes with values.

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/leftover"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/settings"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/planfile"
)

// plainWarning words what has no value.
func plainWarning(w *problem.Warning) (none printer.Text) {
	switch w.Code {
	case problem.HistoryTruncated:
		return printer.Sprintf("this clone lacks older commits, which may show more; in a shallow clone, run git fetch --unshallow")
	case app.Deadline:
		return printer.Sprintf("the hook ran out of time; left out: what is not committed, work on other branches, and which plan comes next")
	case app.DeadlineEarly:
		return printer.Sprintf("the hook ran out of time; left out: who is at work, and what was interrupted or lost, " +
			"what is not committed, work on other branches, and which plan comes next")
	case doctor.DriverMissing:
		return printer.Sprintf("git's attributes name gsd as the merge driver of STATE.md and ROADMAP.md, but merge.gsd.driver is not " +
			"configured in this clone, so git merges as usual; `gsd state merge --help` has both settings")
	case doctor.StateMissing:
		return printer.Sprintf("there is no directory for breadcrumbs outside of the project: set HOME or XDG_STATE_HOME")
	}
	return none
}

// WarningText is a warning as a sentence. One without a sentence of its own is what somebody else said.
func WarningText(w *problem.Warning) printer.Text {
	if text := plainWarning(w); !text.IsEmpty() {
		return text
	}
	if w.More {
		return printer.Sprintf("more warnings of this kind were left out")
	}
	for _, words := range []func(w *problem.Warning) printer.Text{
		readWarning, sessionWarning, crumbWarning, sharedWarning, machineFinding, hostFinding, projectFinding, planFinding,
	} {
		if text := words(w); !text.IsEmpty() {
			return text
		}
	}
	text := says(w)
	if w.End > 0 {
		text = printer.Sprintf("%s; it belongs at the end of line %d", text, w.End)
	}
	return at(w, committed(w, text))
}

// committed adds that git has a file.
func committed(w *problem.Warning, text printer.Text) printer.Text {
	if w.Committed {
		return printer.Sprintf("%s; git has it as it was committed", text)
	}
	return text
}

// FindingText is what doctor found, as a sentence.
func FindingText(f *doctor.Finding) printer.Text {
	text := WarningText(&f.Warning)
	switch {
	case f.Lost != nil && f.Lost.Gone:
		return printer.Sprintf("%s: %s; it can be brought back once the plan is there again; `gsd forget --help` says how to forget it",
			text, printer.Sentence(lostBecause[f.Lost.Why]))
	case f.Lost != nil:
		return printer.Sprintf("%s: %s", text, printer.Sentence(lostBecause[f.Lost.Why]))
	case f.Fix.Kind != "":
	case f.Code == doctor.PlanEmpty:
		return printer.Sprintf("%s; write it, or remove it until it is written", text)
	case f.Code == doctor.PlanBinary:
		return printer.Sprintf("%s; save it as UTF-8, or give it the name of something else if it is no plan", text)
	}
	return text
}

// says is what somebody else said of a warning, in which no command is gsd's, and gsd's hint.
func says(w *problem.Warning) printer.Text {
	if w.Hint != "" {
		return printer.Sprintf("%s; %s", w.Says, printer.Sentence(w.Hint))
	}
	return printer.Of(w.Says)
}

// at begins a sentence with its file and line, as compilers print it.
func at(w *problem.Warning, text printer.Text) printer.Text {
	switch name := printer.Unbroken(w.Path); {
	case w.Path == "":
		return text
	case w.Line > 0:
		return printer.Sprintf("%s:%d: %s", name, w.Line, text)
	default:
		return printer.Sprintf("%s: %s", name, text)
	}
}

// saysWhy is what somebody else said, after a colon.
func saysWhy(w *problem.Warning) printer.Text {
	if w.Says == "" {
		return printer.Text{}
	}
	return printer.Sprintf(": %s", says(w))
}

// readWarning words what was not read of the project and of git's history.
func readWarning(w *problem.Warning) (none printer.Text) {
	name := printer.Unbroken(w.Path)
	switch w.Code {
	case problem.DirectoryUnreadable:
		return printer.Sprintf("%s cannot be read; its plans do not count", name)
	case problem.SubmoduleEmpty:
		return printer.Sprintf("%s is a submodule that was not checked out here, so its plans are not known; git submodule update --init checks it out", name)
	case problem.DirectoryOutside:
		return printer.Sprintf("%s leads out of the project; its plans do not count", name)
	case problem.DirectoryRepeated:
		return printer.Sprintf("%s is the same directory as %s; its plans count once", name, printer.Unbroken(w.Other))
	case problem.PlanUnusable:
		return printer.Sprintf("%s %s; it does not count", name, w.Says)
	case problem.RoadmapUnrecognized:
		return printer.Sprintf("no phase is recognised in %s, so how far the project is, and whether it is complete, is not known; a phase is a heading or a list item that begins with \"Phase 1:\"", name)
	case problem.RoadmapCut:
		return printer.Sprintf("%s: only the first %d lines are read", name, w.Count)
	case problem.ReadingStopped:
		if w.Path == "" {
			name = printer.Of("git's history")
		}
		return printer.Sprintf("gsd stopped reading at %s: it has reached its read limit, which GSD_MAX_FILE_MIB raises", name)
	case problem.TooManyUsers:
		return printer.Sprintf("only the sessions of the first %d of %d users are read", w.Count, w.Of)
	case problem.TooManyWorktrees:
		return printer.Sprintf("only the sessions of the first %d of %d worktrees are read", w.Count, w.Of)
	case problem.TooManyRepositories:
		return printer.Sprintf("only the commits of the first %d repositories below the project are read", w.Count)
	case problem.TooManyRoots:
		return printer.Sprintf("only the first %d of %d workstreams and sub-projects are read", w.Count, w.Of)
	case problem.TooManyFiles:
		return printer.Sprintf("only the front matter of the first %d files is read", w.Count)
	case problem.TooManyFindings:
		return printer.Sprintf("only the first of the code %s are listed", w.Name)
	case problem.WorkstreamUnknown:
		return printer.Sprintf("%s names %q, but there is no such workstream", w.Other, w.Name)
	case problem.ConflictMarkers:
		return at(w, printer.Sprintf("%s; resolve the merge: until then gsd ignores it", w.Says))
	case app.NextRefused:
		return printer.Sprintf("`gsd bootstrap` refuses the next plan: %s", says(w))
	case app.FilesUnread:
		return printer.Sprintf("the files of the commits are missing%s", saysWhy(w))
	case settings.Unread:
		return printer.Sprintf("git's configuration is not read, so its settings are shown as not set%s", saysWhy(w))
	case leftover.ItemsUnread:
		return printer.Of(ItemsUnread(w.Count))
	case status.PhaseRepeated:
		return printer.Sprintf("%s and %s are both phase %s; an id that matches plans of both is ambiguous", name, printer.Unbroken(w.Other), w.Phase)
	case status.StateDiffers:
		return at(w, printer.Sprintf("it says phase %s, but according to roadmap, summaries and commits it is phase %s", w.Other, w.Phase))
	case answer.WaveContradicted:
		text := printer.Sprintf("%s is in wave %d and depends on %s in wave %d", w.Plan, w.Wave, w.Other, w.OtherWave)
		switch {
		case w.Path != "":
			return at(w, printer.Sprintf("%s; wave %d would be right", text, w.OtherWave+1))
		case w.Count > 1:
			return printer.Sprintf("%s; %d more like it", text, w.Count-1)
		}
		return text
	}
	return none
}

// ItemsUnread says how many work items were not read.
func ItemsUnread(left int) string {
	return answer.Counted(left, "work item was", "work items were") + " not read: there are too many"
}

// sessionWarning words what is odd about a session, its runs and its breadcrumb.
func sessionWarning(w *problem.Warning) (none printer.Text) {
	name := printer.Unbroken(w.Path)
	switch w.Code {
	case answer.PlanEdited:
		return printer.Sprintf("%s was edited since the session began", name)
	case string(answer.PhaseAdvanced):
		return printer.Sprintf("%s is past the plan's phase, but commits have worked on the plan since the session was started", name)
	case answer.RoadmapLags:
		return printer.Sprintf("the roadmap still shows an earlier phase in progress: phase %s (%s:%d)", w.Phase, name, w.Line)
	case answer.TaskNumber:
		return printer.Sprintf("the plan calls task %d \"Task %s\"; gsd counts tasks in the order of the file", w.Task, w.Name)
	case answer.TaskUntouched:
		since := printer.Sprintf("since task %d was set in progress", w.Task)
		if w.Status != string(planfile.InProgress) {
			since = printer.Sprintf("task %d was not in progress, and since the last mark", w.Task)
		}
		return printer.Sprintf("%s, nothing was committed and none of its files has changed; it is marked complete", since)
	case answer.SessionClosed:
		return printer.Sprintf("nothing can be marked or started%s", saysWhy(w))
	case app.Drift:
		done := typed(action.Action{Kind: action.Done, Task: w.Task})
		return printer.Sprintf("task %d is %s, and commit %s seems to have carried it out: %q; %s, if it did", w.Task, w.Status, app.ShortID(w.ID), w.Subject, done)
	case app.SetApart:
		place := printer.Sprintf("at commit %s, which is not in this repository", app.ShortID(w.ID))
		if w.Name != "" {
			place = printer.Sprintf("on branch %s, at commit %s, which is not here", printer.Unbroken(w.Name), app.ShortID(w.ID))
		}
		return printer.Sprintf("task %d was set %s %s: that does not count here", w.Task, w.Status, place)
	case app.CommitGone:
		return printer.Sprintf("task %d was set %s at commit %s, which this branch no longer has: check that its work is still here", w.Task, w.Status, app.ShortID(w.ID))
	case history.PerhapsBegun:
		return printer.Sprintf("task %d may have been started by commit %s: verify before you start it", w.Task, app.ShortID(w.ID))
	case answer.WordUnclear:
		return printer.Sprintf("%s calls task %d \"%s\", which is no status that gsd knows: it counts as pending until it is marked",
			name, w.Task, printer.Cut(w.Status, 40))
	case app.PlanStatus:
		return printer.Sprintf("%s gives its status as %s", printer.Unbroken(w.Plan), w.Says)
	case app.WaitsOpen:
		return dependsOn(w, printer.Sprintf("has no summary"), printer.Sprintf("have no summary"))
	case app.WaitsHalted:
		return dependsOn(w, printer.Sprintf("was halted on purpose"), printer.Sprintf("were halted on purpose"))
	case app.NotPaused:
		return printer.Sprintf("your run could not be paused%s", saysWhy(w))
	case app.TasksNotReset:
		return printer.Sprintf("the tasks in progress were not reset%s", saysWhy(w))
	case answer.LeaseElsewhere:
		return printer.Sprintf("also at work on %s now: %s", answer.PlanInText(w.Plan), w.Run.Who())
	case answer.SessionSwitched:
		return printer.Sprintf("%s", answer.Switched(answer.PlanInText(w.Plan), w.Run))
	case answer.RunsProblem:
		return at(w, says(w))
	case answer.RunsDamaged:
		return at(w, printer.Sprintf("%s; the next run that starts moves it out of the way, and so does `gsd run sweep`", says(w)))
	case answer.RunsMoved:
		return printer.Sprintf("%s had no records of runs in it, and was moved to %s", name, printer.Unbroken(w.Other))
	case app.OddLeft:
		return printer.Sprintf("%s not empty: %s", answer.Counted(w.Count, "directory that was put aside is", "directories that were put aside are"), name)
	}
	return none
}

// dependsOn words what is so of one or several plans on which a plan depends.
func dependsOn(w *problem.Warning, is, are printer.Text) printer.Text {
	if len(w.Names)+w.Count == 1 {
		return printer.Sprintf("the plan depends on %s, which %s", w.Names[0], is)
	}
	more := printer.Text{}
	if w.Count > 0 {
		more = printer.Sprintf(" and %d more", w.Count)
	}
	return printer.Sprintf("the plan depends on %s%s, which %s", strings.Join(w.Names, ", "), more, are)
}

// crumbWarning words what is wrong with breadcrumbs.
func crumbWarning(w *problem.Warning) (none printer.Text) {
	switch w.Code {
	case answer.CrumbMissing:
		if w.Says == "" {
			return printer.Sprintf("there is no directory for breadcrumbs, so `gsd restore` will not find the session if it is lost")
		}
		return printer.Sprintf("there is no breadcrumb, so `gsd restore` will not find the session if it is lost%s", saysWhy(w))
	case answer.CrumbInProject:
		if w.Says == "" {
			return printer.Sprintf("there is no directory for breadcrumbs but the session's own, so `gsd restore` cannot help if that is deleted")
		}
		return printer.Sprintf("the breadcrumb is in the session's own directory, so `gsd restore` cannot help if that is deleted%s", saysWhy(w))
	case answer.CrumbOlder:
		return printer.Sprintf("the breadcrumb is older than the session, so `gsd restore` brings back less if the session is lost%s", saysWhy(w))
	case app.ArchiveCrumb:
		return printer.Sprintf("if the archive is lost, `gsd bootstrap` will not find its progress%s", saysWhy(w))
	case app.CrumbsUnreadable:
		return printer.Sprintf("the breadcrumbs cannot be read%s", saysWhy(w))
	case app.CrumbUnswept:
		return printer.Sprintf("breadcrumb %s cannot be removed%s", w.ID, saysWhy(w))
	case app.CrumbsKept:
		return printer.Sprintf("the breadcrumbs of former sessions cannot be brought up to date%s", saysWhy(w))
	case history.CrumbsUnread:
		return printer.Sprintf("%s not read: there are too many; `gsd run sweep` drops those that are no longer needed",
			answer.Counted(w.Count, "breadcrumb was", "breadcrumbs were"))
	case history.CrumbDamaged:
		return printer.Sprintf("breadcrumb %s cannot be read%s; if its session is lost, gsd cannot bring it back; `gsd forget --help` says how to forget it",
			w.ID, saysWhy(w))
	case history.CrumbsDamaged:
		return printer.Sprintf("%s cannot be read; `gsd restore --list` lists them", answer.Counted(w.Count, "more breadcrumb", "more breadcrumbs"))
	}
	return none
}

// sharedWarning words what others do, and what was shared with them.
func sharedWarning(w *problem.Warning) (none printer.Text) {
	switch w.Code {
	case answer.PlanTaken:
		text := printer.Of(takenWords(w.Taken, "this plan"))
		if !w.Taken.Old {
			return printer.Sprintf("%s; `gsd next` avoids such plans", text)
		}
		return text
	case history.SessionOld, history.SessionFormer:
		return leftSession(w)
	case team.PlanShared:
		return printer.Of(takenWords(w.Taken, "this plan"))
	case team.ClaimLost:
		return printer.Sprintf("%s, as of the last `gsd sync`; `gsd next` shows what else is ready, and `gsd help takeover` says how to take it over",
			answer.HasClaimed(w.User, answer.PlanInText(w.Plan), w.Machine, w.Since))
	case app.ClaimProblem:
		return printer.Sprintf("nobody else knows of this session, because it could not be claimed%s", saysWhy(w))
	case history.PhaseClaimed:
		return phaseClaimed(w)
	case history.PhaseInUse:
		return printer.Sprintf("%s; it may be at work on it", phaseClaimed(w))
	case history.PositionShared:
		return printer.Sprintf("%s; both would write one position into STATE.md", phaseClaimed(w))
	case team.SyncNameless:
		return printer.Sprintf("git config user.email is not set: another %s without an address would be mistaken for you", w.User)
	case team.SyncTeamUnread:
		return printer.Sprintf("what others have shared is read at the next sync%s", saysWhy(w))
	case team.SyncPartly:
		return printer.Sprintf("a part of what %s has is left out%s", printer.Unbroken(w.Name), saysWhy(w))
	case team.SyncDropped:
		return printer.Sprintf("%s at %s has not synced for 30 days, and all that it shared is also elsewhere: its ref was deleted", printer.Unbroken(w.Name), w.Machine)
	case team.SyncClonesUnread:
		return printer.Sprintf("%d of your %d clones are not read: those in which nothing was changed for the longest time", w.Count, w.Of)
	case team.SyncFailing:
		return printer.Sprintf("since %s, every sync in the background fails%s", answer.Minute(w.Since), saysWhy(w))
	}
	return none
}

func phaseClaimed(w *problem.Warning) printer.Text {
	return printer.Sprintf("%s has claimed phase %s, and renewed that at %s", CoreSession(w.Name), w.Phase, answer.Minute(w.Since))
}

// CoreSession names a session of gsd-core.
func CoreSession(name string) string {
	if name == "" {
		return "a session of gsd-core without a name"
	}
	return "gsd-core's session " + name
}

// machineFinding words what doctor finds around the project.
func machineFinding(w *problem.Warning) (none printer.Text) {
	name := printer.Unbroken(w.Name)
	switch w.Code {
	case identity.WarnGitMissing:
		if w.Says == "" {
			return printer.Sprintf("there is no git program in PATH: names, worktrees and syncs may need it; install git")
		}
	case doctor.GitRefuses:
		return printer.Sprintf("git refuses to work in %s, which belongs to somebody else; a person who trusts it can add it to safe.directory in git's configuration", name)
	case doctor.GitUnreadable:
		return printer.Sprintf("git cannot read %s: permission denied; its owner decides who may", name)
	case doctor.UserFallback:
		text := printer.Sprintf("git has no user.name, so you are %s, %s", w.User, map[identity.Source]string{
			identity.SourceOS: "the operating system's name for you", identity.SourceHostname: "the name of the machine", identity.SourceDefault: "the last resort",
		}[identity.Source(w.Other)])
		if w.Says != "" {
			return printer.Sprintf("%s; git may have your name, but %s", text, says(w))
		}
		return printer.Sprintf("%s; to change it, set user.name in git's configuration", text)
	case doctor.ProgramMissing:
		return printer.Sprintf("no directory in PATH has gsd, and hooks and agents need it there; this one is %s; %s", name, firstInPath(w))
	case doctor.ProgramOther:
		is := printer.Of("another program")
		if w.Says != "" {
			is = printer.Sprintf("another version: %s", says(w))
		}
		return printer.Sprintf("%s comes first in PATH, and is %s; this one is %s; %s", printer.Unbroken(w.Other), is, name, firstInPath(w))
	case doctor.ProgramAliased:
		return printer.Sprintf("in your shell, gsd is something else: %s in %s; remove that, or undo it with the command below", says(w), name)
	case doctor.StateUnwritten:
		text := printer.Sprintf("the state directory cannot be written, so a session whose directory is deleted could not be brought back%s", saysWhy(w))
		if w.Name != "" {
			return printer.Sprintf("%s; make %s your own directory, or set XDG_STATE_HOME to another one", text, name)
		}
		return text
	}
	return none
}

// firstInPath says how this program comes first.
func firstInPath(w *problem.Warning) printer.Text {
	return printer.Sprintf("put %s first in PATH, where your shell sets it", printer.Unbroken(filepath.Dir(w.Name)))
}

// hostFinding words what doctor finds in the settings of agents' hosts.
func hostFinding(w *problem.Warning) (none printer.Text) {
	of := printer.Sprintf("%s, scope %s", w.Host, w.Scope)
	switch w.Code {
	case doctor.HooksUnread, doctor.HooksInactive:
		return printer.Sprintf("%s%s", of, saysWhy(w))
	case doctor.HooksPartly:
		return printer.Sprintf("%s: some of gsd's hooks or commands are missing, as after another installer", of)
	case doctor.HooksOutdated:
		return printer.Sprintf("%s: the hooks are of another version of gsd, or were changed", of)
	case doctor.NotPermitted:
		suggested := action.Action{Kind: action.Install, ID: w.Host}
		if w.Scope != string(agent.Project) {
			suggested.Scope = w.Scope
		}
		removal := suggested
		removal.Kind = action.Uninstall
		return printer.Sprintf("%s: `gsd mark` is no longer allowed, so the agent asks each time; if that was not intended, %s and then %s allow it again",
			of, typed(removal), typed(suggested))
	case doctor.HooksTwice:
		return printer.Sprintf("%s: the hooks run more than once, from %s", w.Host, strings.Join(w.Names, " and "))
	case doctor.HooksBeside:
		return printer.Sprintf("%s: gsd may run twice, as another hook names it%s", of, saysWhy(w))
	case doctor.HooksNeeded:
		return printer.Sprintf("%s: the hooks run more than once, from %s; keep both until a login shell finds gsd: "+
			"only yours name a gsd that the agent finds, and the project's hooks are shared", w.Host, strings.Join(w.Names, " and "))
	case doctor.LoginMissing:
		text := printer.Sprintf("%s: the agent's commands run in a login shell, which does not find gsd", of)
		if w.Name != "" {
			return printer.Sprintf("%s: %s", text, agent.LoginAdvice(w.Name))
		}
		return text
	case doctor.HooksMissing:
		const missing = "no agent calls gsd here: its hooks are installed in no host"
		if len(w.Names) == 0 {
			return printer.Sprintf("%s, and none was found on this machine; a person can install them with `gsd install HOST`", printer.Of(missing))
		}
		suggested := action.Action{Kind: action.Install, ID: w.Names[0], Scope: w.Scope}
		return printer.Sprintf("%s; found on this machine: %s; a person can install them with %s, which says what the agent may then run without asking",
			printer.Of(missing), strings.Join(w.Names, ", "), typed(suggested))
	}
	return none
}

// paths are those of a warning, and how many more there are.
func paths(w *problem.Warning) string {
	all := strings.Join(w.Paths, ", ")
	if more := w.Count - len(w.Paths); more > 0 {
		all += " and " + strconv.Itoa(more) + " more"
	}
	return all
}

// projectFinding words what doctor finds wrong with sessions and with how the project uses git.
func projectFinding(w *problem.Warning) (none printer.Text) {
	name := printer.Unbroken(w.Path)
	switch w.Code {
	case doctor.DriverUnused:
		return printer.Sprintf("merge.gsd.driver is configured, but git's attributes do not use it: %s; `gsd state merge --help` has both settings", says(w))
	case doctor.SessionsTracked:
		return printer.Sprintf("git tracks the session of %s, which belongs to one person on one machine; take %s out of git's index, and leave the files where they are", w.User, name)
	case doctor.SessionsSeen:
		text := printer.Sprintf("git does not ignore %s, so somebody may commit it", name)
		if w.Other != "" {
			return printer.Sprintf("%s; %s should have the line *", text, printer.Unbroken(w.Other))
		}
		return text
	case doctor.RepositoriesMissing:
		return at(w, printer.Sprintf("sub_repos names %s, where the project has no repository of its own, so no commits there count (a link is not followed); clone what is missing, or take it off the list", paths(w)))
	case doctor.SyncImpossible:
		return printer.Sprintf("background sync is on, but no sync can succeed%s", saysWhy(w))
	case doctor.SessionLost:
		return printer.Sprintf("the session on %s is lost", answer.PlanInText(w.Plan))
	case doctor.RunCrashed:
		return printer.Sprintf("it crashed: its process is gone, and no end was recorded: %s", w.Run.Who())
	case doctor.RunExpired:
		return printer.Sprintf("its time to live has expired: %s", w.Run.Who())
	case doctor.RunUnchecked:
		return printer.Sprintf("its time to live has expired, and it cannot be checked from here: %s", w.Run.Who())
	case doctor.TempsLeft:
		return printer.Sprintf("%s left by a crash", answer.Counted(w.Count, "temporary file is", "temporary files are"))
	case doctor.NoteOld:
		return at(w, printer.Sprintf("a hand-off note is %d days old", w.Count))
	}
	return none
}

// planFinding words what doctor finds wrong with plans.
func planFinding(w *problem.Warning) (none printer.Text) {
	var text printer.Text
	switch w.Code {
	case doctor.PlanRepeated:
		text = printer.Sprintf("%s is also the id of %s", w.ID, printer.Unbroken(w.Other))
		if w.Name != "" {
			text = printer.Sprintf("%s; it could be called %s", text, printer.Unbroken(path.Base(w.Name)))
		}
	case doctor.PlanTooLarge, doctor.PlanEmpty, doctor.PlanBinary:
		text = printer.Sprintf("it has no usable task%s", saysWhy(w))
	case doctor.DependencyUnknown:
		text = printer.Sprintf("it depends on %s, but there is no such plan here; perhaps it was never committed, or another is meant", w.Name)
	case doctor.DependencyCycle:
		text = printer.Sprintf("it waits for itself: %s -> %s", strings.Join(w.Names, " -> "), w.Names[0])
	case doctor.FilesOverlap:
		last := len(w.Names) - 1
		text = printer.Sprintf("in wave %d, %s and %s change %s; they can conflict if carried out at the same time",
			w.Wave, strings.Join(w.Names[:last], ", "), w.Names[last], paths(w))
	case doctor.SummaryDraft:
		text = printer.Sprintf("its summary has a draft; `gsd done --summary` in a session on the plan makes it the summary once it is complete")
	case doctor.DraftWritten:
		text = printer.Sprintf("the draft of the summary is complete")
	case doctor.DraftOver:
		text = printer.Sprintf("it is no longer read, because the plan has its summary; keep what you need of it, and remove it")
	case doctor.DraftOrphaned:
		text = printer.Sprintf("it is the draft of a summary, and no plan has that summary; keep what you need of it, and remove it")
	default:
		return none
	}
	return at(w, committed(w, text))
}

// leftSession says that a session was left.
func leftSession(w *problem.Warning) printer.Text {
	subject := printer.Sprintf("the session of %s", w.User)
	if w.Code == history.SessionFormer {
		subject = printer.Sprintf("your session under the name %s", w.User)
	}
	if w.Path != "" {
		subject = printer.Sprintf("%s in the worktree %s", subject, printer.Unbroken(w.Path))
	}
	far := ""
	if w.Of > 0 {
		far = strconv.Itoa(w.Count) + " of " + strconv.Itoa(w.Of) + " complete, "
	}
	return printer.Sprintf("%s on %s is old: %slast changed %s; anybody can start the plan",
		subject, answer.PlanInText(w.Plan), far, w.Since.UTC().Format(time.DateOnly))
}
