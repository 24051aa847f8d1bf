package view

// because.go words the reasons for which a plan is next, or none is. Below this package they are codes with values.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/next"
)

// Because says why, a short sentence for each reason. A commit that was just named is not named again.
func Because(reasons []next.Reason) (says []string) {
	for i, r := range reasons {
		if i > 0 && r.Code == next.ActivePhase && reasons[i-1].Code == next.HasCommits && r.Commit == reasons[i-1].Commit {
			says = append(says, inPhase(&r)+" is active by that commit")
			continue
		}
		says = append(says, because(&r))
	}
	return says
}

// becauseWords are the sentences that have no value.
var becauseWords = map[next.Code]string{
	next.OwnSession: "your session is on it",
	next.OnlyLeft:   "it was left behind, and nothing else is to be done",
	next.AllWait:    "every open plan of the phase depends on another; this one is the first",
	next.AllDone:    "every plan has its summary",
	next.AllShipped: "every milestone is shipped: what comes next is a new one",
	next.AllLeft:    "every plan without a summary was left behind",
	next.NoPlanYet:  "no phase has a plan yet",
	next.NotAllRead: "not everything was read; see the warnings",
}

// phaseWords are the sentences about a phase.
var phaseWords = map[next.Code]string{
	next.InFlightPhase: "a plan of %s is in flight",
	next.LowestPhase:   "%s is the lowest with an open plan",
	next.RoadmapPhase:  "%s is the current one in the roadmap",
	next.NothingOpen:   "%s is next in the roadmap and has no open plan",
	next.Unplanned:     "%s is next in the roadmap and has no plan yet",
}

func because(r *next.Reason) string {
	says := becauseWords[r.Code]
	if format, ok := phaseWords[r.Code]; ok {
		says = fmt.Sprintf(format, inPhase(r))
	}
	switch r.Code {
	case next.NotVerified:
		var phases []string
		for _, verification := range r.Phases {
			phases = append(phases, fmt.Sprintf("phase %s (%s)", verification.Phase, verification.Status))
		}
		return "not complete until verified: " + strings.Join(phases, ", ")
	case next.TasksOver:
		session := "the session of "
		if r.Former {
			session = "a former session of "
		}
		return "all of its tasks are " + answer.SettledWord(r.Skipped) + " in " + session + r.User + ", but it has no summary yet"
	case next.HasCommits:
		return commitsWords(r)
	case next.ActivePhase:
		return inPhase(r) + " is active by its latest commit, " + commitWords(r)
	case next.LowestWave:
		return fmt.Sprintf("wave %d is the lowest open wave of %s", r.Wave, inPhase(r))
	case next.DependenciesDone:
		return "its dependencies are done: " + strings.Join(r.Plans, ", ")
	case next.Taken:
		return takenWords(r, cmp.Or(r.Plan, "it"))
	case next.LostAtWork:
		return "its session was lost, and at work on it is " + cmp.Or(r.Host, "somebody") + ", run " + r.Run
	case next.NotPassed:
		says = fmt.Sprintf("%s has no open plan, and its verification says %s", inPhase(r), r.Verification)
	case next.NotTested:
		says = fmt.Sprintf("%s has no open plan, and its UAT says %s", inPhase(r), r.Verification)
	case next.Prepared:
		documents := strings.Replace(strings.Join(r.Documents, " and "), "context", "a context", 1)
		says = fmt.Sprintf("%s has %s, but no plan yet", inPhase(r), documents)
		if r.Commit != "" {
			says += "; " + commitWords(r) + " is about it"
		}
	case next.BehindHalted:
		return Count(r.Count, "plan") + " behind one that is halted or blocked, the first of them " + r.Plan
	case next.OpenInOver:
		return Count(r.Count, "plan") + " without a summary in phases that the roadmap calls complete"
	case next.OpenElsewhere:
		return Count(r.Count, "plan") + " without a summary that cannot be carried out or is in another milestone"
	case next.CompletedSince:
		return "work on it ended with " + commitWords(r)
	case next.WorkedSince:
		return inPhase(r) + " has been worked on since, " + commitWords(r)
	}
	if r.Line > 0 {
		says += fmt.Sprintf(" (%s:%d)", r.Path, r.Line)
	}
	return says
}

// inPhase names the phase of a reason, or the directory of a plan that is in none.
func inPhase(r *next.Reason) string {
	if r.Directory != "" {
		return r.Directory
	}
	return "phase " + r.Phase
}

// commitWords names a commit in a sentence.
func commitWords(r *next.Reason) string {
	return app.ShortID(r.Commit) + " " + quotation(r.Subject)
}

// commitsWords says how many commits work on a plan, and what they say of it.
func commitsWords(r *next.Reason) string {
	says, which := fmt.Sprintf("%d commits on it and no summary yet, the last %s", r.Count, commitWords(r)), "one of them"
	if r.Count == 1 {
		says, which = "1 commit on it, "+commitWords(r)+", and no summary yet", "that"
	}
	if r.Closed {
		says += "; " + which + " calls it complete, so its summary is missing"
	}
	return says
}

// takenWords says who else has a session on a plan, which the sentence calls so.
func takenWords(r *next.Reason, plan string) string {
	where := ""
	switch {
	case r.Machine != "":
		where = " at " + r.Machine
	case r.Worktree != "":
		where = " in the worktree " + r.Worktree
	}
	if r.Too {
		plan += ", too"
	}
	var far []string
	if r.Tasks > 0 && (r.Settled > 0 || r.Old) {
		far = append(far, fmt.Sprintf("%d of %d complete", r.Settled, r.Tasks))
	}
	subject := "your session" + where + " is"
	switch {
	case r.Old:
		subject, far = r.User+" has an old session"+where, append(far, "last changed "+r.Changed.UTC().Format(time.DateOnly))
	case !r.Own:
		subject = r.User + " has a session" + where
	}
	if len(far) > 0 {
		plan += " (" + strings.Join(far, ", ") + ")"
	}
	return subject + " on " + plan
}

// IsUnplanned reports whether no plan is next because no phase has one yet.
func IsUnplanned(n *answer.Next) bool { return hasReason(n, next.NoPlanYet) }

// IsPartial reports whether no plan is next because none is left of those that were read, and not everything was.
func IsPartial(n *answer.Next) bool { return hasReason(n, next.NotAllRead) }

// IsUntested reports whether no plan is next because the phase waits for its UAT.
func IsUntested(n *answer.Next) bool { return hasReason(n, next.NotTested) }

// hasReason reports whether one of the reasons for an answer has a code.
func hasReason(n *answer.Next, code next.Code) bool {
	return slices.ContainsFunc(n.Because, func(r next.Reason) bool { return r.Code == code })
}
