package view

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/run"
)

// The state of a session, in words that several output formats share. They begin in lower case.

// staleWords says what the reasons of a stale session mean.
var staleWords = map[answer.StaleReason]string{
	answer.PlanMissing:   "plan is gone",
	answer.PlanCompleted: "plan is done",
	answer.PhaseAdvanced: "phase is finished",
	answer.TaskCount:     "tasks differ",
}

// stoppedWord is how far a task is that was left in progress, in a word.
var stoppedWord = map[answer.State]string{
	answer.Interrupted: "interrupted",
	answer.Cleared:     "cleared",
	answer.Paused:      "paused",
	answer.Unattended:  "in progress",
}

// stoppedWords says how far a task is that was left in progress, after its name; since is from when, and others whether another run is at
// work on the session.
func stoppedWords(s answer.State, since string, others bool) string {
	switch s {
	case answer.Interrupted:
		return "was interrupted"
	case answer.Cleared:
		return "was in progress when its conversation was cleared or replaced"
	case answer.Paused:
		return "was paused"
	}
	if others {
		return "is in progress" + since + ", and no known run is working on it"
	}
	return "is in progress" + since + ", and no agent is known to be working on it"
}

// since says from when the task to resume is in progress: from its mark, if a run recorded that, else it was so when the session was
// last changed.
func since(r *answer.Report) string {
	switch {
	case !r.Resume.Began.IsZero():
		return " since " + answer.Minute(r.Resume.Began)
	case !r.Changed.IsZero():
		return " as of " + answer.Minute(r.Changed)
	}
	return ""
}

// SessionState is the verdict without details such as the name of the task or the reasons.
func SessionState(s answer.Session) string {
	switch s.Verdict {
	case answer.Resume:
		if word, ok := stoppedWord[s.Resume.State]; ok {
			return fmt.Sprintf("task %d, %s", s.Resume.Number, word)
		}
		if s.Resume.Checkpoint() {
			return fmt.Sprintf("task %d waits for a person", s.Resume.Number)
		}
		if s.Resume.State == answer.InOwnHands || s.Resume.State == answer.InOthers {
			return fmt.Sprintf("task %d, in progress", s.Resume.Number)
		}
		return fmt.Sprintf("task %d", s.Resume.Number)
	case answer.Finished:
		if s.Skipped > 0 {
			return fmt.Sprintf("summary is due, %d skipped", s.Skipped)
		}
		return "summary is due"
	case answer.Stale:
		return "stale"
	case answer.Corrupt:
		return "corrupt"
	case answer.None:
		return "no session"
	}
	return string(s.Verdict)
}

// staleReasons returns words for the reasons of a stale session.
func staleReasons(stale []answer.Staleness) []string {
	var words []string
	for _, r := range stale {
		word, ok := staleWords[r.Reason]
		if !ok {
			word = string(r.Reason)
		}
		words = append(words, word)
	}
	return words
}

// sessionSays is the verdict with its details, on one line.
func sessionSays(s answer.Session) string {
	says := SessionState(s)
	switch s.Verdict {
	case answer.Resume:
		if s.Machine != "" { // the names of its tasks are not shared
			return fmt.Sprintf("task %d, at %s", s.Resume.Number, Title(s.Machine))
		}
		return says + ": " + TaskTitle(s.Resume.Name, s.Resume.Number)
	case answer.Finished:
		if s.Machine != "" {
			return says + ", at " + Title(s.Machine)
		}
	case answer.Stale:
		return says + ": " + strings.Join(staleReasons(s.Stale), ", ")
	}
	return says
}

// incompleteWords describes other unfinished work.
func incompleteWords(w answer.Incomplete) string {
	switch w.Kind {
	case answer.ContinueHere, answer.HandOffJSON:
		text := "a hand-off note: " + w.Path
		if role := Title(w.Role); role != "" {
			text += ", for the role " + role
		}
		if by := Title(w.Claimed); w.Mine {
			text += ", taken up by this conversation"
		} else if by != "" {
			text += ", taken up by session " + by
		}
		if !w.Written.IsZero() {
			text += ", written " + Ago(w.Written, w.Written.Add(w.Age))
		}
		if at := Title(w.Position()); at != "" {
			text += "; at " + at
		}
		if next := Title(w.Detail); next != "" {
			text += "; next: " + next
		}
		return text
	case answer.WorkItem:
		return fmt.Sprintf("work item %s is still in %q: %s", Title(w.ID), Title(w.Detail), w.Path)
	case answer.QuickTask:
		return fmt.Sprintf("quick task %s has no summary: %s", Title(cmp.Or(strings.TrimPrefix(w.ID, "quick/"), path.Base(path.Dir(w.Path)))), w.Path)
	case answer.DebugSession:
		text := fmt.Sprintf("debug session %s is %s: %s", Title(w.ID), strings.ReplaceAll(w.Status, "_", " "), w.Path)
		if next := Title(w.Detail); next != "" {
			text += "; next: " + next
		}
		return text
	}
	return fmt.Sprintf("plan %s has commits, but neither a session nor a summary: %s", Title(w.ID), w.Path)
}

// alsoWords says how far a task is that is in progress beside the one to resume.
func alsoWords(t *answer.PlannedTask) string {
	return "also " + cmp.Or(stoppedWord[t.State], "in progress")
}

// lostBecause says why a session counts as lost, without its name.
var lostBecause = map[answer.Lost]string{
	answer.LostFile:    "its file is gone",
	answer.LostProject: "its project no longer exists",
	answer.LostTree:    "its worktree was removed; it can be restored in another one of its repository",
	answer.LostBehind:  "its worktree was removed",
	answer.LostPlans:   "its project no longer has a .planning directory",
	answer.LostPlace:   "another session is in its place",
	answer.LostTorn:    "its file is incomplete, and has less than the breadcrumb",
	answer.LostCorrupt: "its breadcrumb is corrupt",
}

// lostWords says how far a lost session was, and whether its plan is left.
func lostWords(l *answer.LostSession) string {
	gone := ""
	if l.Gone {
		gone = "; its plan is gone, too"
	}
	if l.Why == answer.LostBehind {
		gone += "; its worktree " + l.Project + " was removed"
	}
	if at := workerWords(l.Run); at != "" {
		gone += "; " + at
	}
	return tasksDone(l.Done, l.Skipped, l.Total) + gone
}

// workerWords says who was at work on a lost session, and whether the process still lives; "" if nobody was.
func workerWords(r *run.Run) string {
	switch {
	case r == nil:
		return ""
	case r.Own:
		return "this run was at work on it: " + r.Who()
	case r.State == run.StateCrashed:
		return "at work on it was " + r.Who() + ", which crashed: its process is gone"
	case r.State == run.StateUnknown:
		return "at work on it was " + r.Who() + unsure(r)
	}
	return "still at work on it is " + r.Who()
}

// WorkItems says in a line what was started and not finished.
func WorkItems(items []answer.Incomplete) string {
	var words []string
	for _, w := range items {
		words = append(words, incompleteWords(w))
	}
	return strings.Join(firstOf(words), "; ")
}
