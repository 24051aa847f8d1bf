package view

import (
	"strconv"

	"github.com/gsd-cli/gsd/internal/action"
)

// does says what actions of a kind do, or when to run them.
var does = map[action.Kind]string{
	action.Start:         "starts a session on it",
	action.StartWith:     "starts a session on it, with that progress",
	action.StartNext:     "once the summary is written, starts a session on the next plan that is ready",
	action.StartReady:    "starts a session on a plan that is ready",
	action.StartLeft:     "starts a session on one that was left behind",
	action.StartFresh:    "starts a session on it, without what is known of its tasks",
	action.Again:         "starts the plan again, although it has a summary",
	action.AgainFresh:    "starts the plan again from its first task, although it has a summary",
	action.Refresh:       "copies what is new in the plan and keeps what is done",
	action.Follow:        "continues with the plan at its new path",
	action.Adopt:         "continues that session under your present name",
	action.Bring:         "continues it here",
	action.TakeUp:        "continues it",
	action.Continue:      "continues it",
	action.Visit:         "shows your session in that worktree",
	action.Choose:        "shows what there is to do there",
	action.Begin:         "when you start",
	action.GoOn:          "when you continue with it",
	action.Approve:       "once the user has approved it",
	action.Done:          "when it is done",
	action.Reset:         "sets it back, so that it is done again",
	action.ListTasks:     "lists its tasks",
	action.DraftSummary:  "writes a draft of its summary",
	action.FinishSummary: "makes that draft its summary",
	action.ShowNext:      "shows what comes next",
	action.Archive:       "archives this session, which has ended",
	action.Restore:       "brings it back",
	action.ListLost:      "lists the lost sessions",
	action.ArchiveNote:   "archives that note, once you have read it",
	action.Sweep:         "records the end of crashed runs",
	action.SweepLeft:     "records the end of crashed runs; --reset-tasks sets their tasks back to pending",
	action.ResetTasks:    "sets the tasks that a run left in progress back to pending",
	action.CleanUp:       "cleans up after it",
	action.Ignore:        "ignores it",
	action.EndRun:        "records the end of that run, which has expired",
	action.HowToEnd:      "says how to end the run at work, if you know that it has ended",
	action.ShowSession:   "shows the state of the session, and what comes next",
	action.ShowRuns:      "shows who is at work",
	action.ShowHolder:    "shows who is working on that plan",
	action.WriteState:    "creates STATE.md",
	action.Fetch:         "may fetch the plan",
	action.BringPlan:     "brings the plan",
	action.Merge:         "brings it here",
	action.BringBack:     "brings back what was committed",
	action.AllowReading:  "lets you read it",
	action.AllowWriting:  "lets you write in it",
	action.AllowAll:      "lets you read and write in it",
	action.Install:       "installs them again",
	action.InstallThere:  "installs it there",
	action.InstallAt:     "calls it where it is now",
	action.Uninstall:     "removes one of them",
	action.UndoInstall:   "undoes it",
	action.HowToTake:     "says how to take it over",
	action.HowToForget:   "says how to forget one for good",
	action.StartRun:      "records that an agent starts to work; `gsd exec -- COMMAND` does it for you",
	action.UpdateState:   "changes these values and nothing else",
	action.Sync:          "tries it again, and says what it does",
	action.EndSyncs:      "ends the syncs in the background here",
}

// Does says what an action does, or when to run it.
func Does(a action.Action) string {
	if a.Kind == action.ReadTask {
		return "prints the whole text of task " + strconv.Itoa(a.Task)
	}
	words := does[a.Kind]
	switch a.Replaces {
	case action.Session:
		words += "; this session is archived"
	case action.File:
		words += "; that file is archived"
	case action.InPlace:
		words += ", and archives what is in its place"
	}
	return words
}
