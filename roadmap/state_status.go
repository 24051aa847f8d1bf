package roadmap

// state_status.go: the value of `Status:`. It is changed only where no part of it says what the position says,
// in whatever words, and only if it is a status: what else somebody wrote there is theirs. What gsd cannot know
// from disk (paused, under review) stays while the phase does, and longer if it says why.

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

// stateClass is what a text about status may mean.
type stateClass uint8

const (
	stateToPlan stateClass = 1 << iota
	stateToExecute
	stateRunning
	statePhaseDone
	stateAllDone
	stateHeld // paused, discussed, verified: only people know when that is over
)

// stateClassOf is what all parts of s mean together, and the phase that it names last.
func stateClassOf(s string) (stateClass, planref.Number) {
	var class stateClass
	var phase planref.Number
	for _, clause := range stateClauses(s) {
		c, n := stateClause(clause)
		class |= c
		if !n.IsZero() {
			phase = n
		}
	}
	return class, phase
}

// stateClauses splits a text: `Phase 4 complete, ready for Phase 5` says two things.
func stateClauses(s string) []string {
	for _, mark := range []string{" — ", " – ", " -- ", " - ", ". ", ": ", "(", ")", ","} {
		s = strings.ReplaceAll(s, mark, ";")
	}
	return strings.Split(s, ";")
}

// stateClause is what one part means, and the phase that it names.
func stateClause(s string) (class stateClass, phase planref.Number) {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return notLetter(r) && r != '.' && (r < '0' || r > '9')
	})
	has := func(any ...string) bool {
		for _, w := range words {
			for _, a := range any {
				if w == a {
					return true
				}
			}
		}
		return false
	}
	for i, w := range words {
		if w == "phase" && i+1 < len(words) {
			if n, ok := planref.ParseNumber(strings.Trim(words[i+1], ".")); ok {
				phase = n
			}
		}
	}
	done := has("complete", "completed", "done", "finished", "shipped", "archived", "closed", "executed", "released")
	switch {
	case len(words) == 0:
	case words[0] == "not":
		switch {
		case has("planned"):
			class = stateToPlan
		case has("started", "yet"):
			class = stateToPlan | stateToExecute
		}
	case has("ready", "between", "awaiting"):
		switch {
		case has("verification", "verify", "uat", "review", "testing", "audit", "checkpoint"):
			class = stateHeld
		case has("milestone", "milestones"):
			class = stateAllDone
		case has("plan", "planning", "discuss"):
			class = stateToPlan
		case has("execute", "execution", "executing", "implement", "start", "begin"):
			class = stateToExecute
		case len(words) == 1, has("phase"):
			class = stateToPlan | stateToExecute
		default:
			class = stateHeld // for what people do
		}
	case has("paused", "blocked", "hold", "discussing", "verifying", "verification", "uat", "review", "audit",
		"audited", "auditing", "testing", "waiting", "pending", "verified", "validated"):
		class = stateHeld
	case has("planning") && done, has("planned"):
		class = stateToExecute
	case has("planning", "unplanned", "defining", "researching", "roadmap"):
		class = stateToPlan
	case done && has("shipped", "archived", "released", "milestone", "milestones"):
		class = stateAllDone
	case done && has("phases") && has("all"):
		class = stateAllDone
	case done && has("plan", "plans", "task", "tasks", "wave") && !has("all", "phase"):
		class = stateRunning
	case done && has("phase", "plan", "plans", "executed", "all"):
		class = statePhaseDone
	case done:
		class = statePhaseDone | stateAllDone
	case has("progress", "inprogress", "executing", "active", "wip", "started", "ongoing", "underway", "implementing",
		"building", "running"):
		class = stateRunning
	case words[0] == "todo" || words[0] == "upcoming":
		class = stateToPlan | stateToExecute
	}
	return class, phase
}

// stateSays tells whether a text already says the status of p, about its phase or about none by number.
func stateSays(s string, p StatePosition) bool {
	if stateSame(s, p.Status) {
		return true
	}
	want, _ := stateClassOf(p.Status)
	for _, clause := range stateClauses(s) {
		class, phase := stateClause(clause)
		if class&want != 0 && (phase.IsZero() || p.Phase.IsZero() || planref.Compare(phase, p.Phase) == 0) {
			return true
		}
	}
	return false
}

// stateNames tells whether a text says the status of p and names its phase.
func stateNames(s string, p StatePosition) bool {
	want, _ := stateClassOf(p.Status)
	for _, clause := range stateClauses(s) {
		class, phase := stateClause(clause)
		if class&want != 0 && !phase.IsZero() && planref.Compare(phase, p.Phase) == 0 {
			return true
		}
	}
	return false
}

// stateMaySay tells whether a remark on the phase does not contradict p.
func stateMaySay(s string, p StatePosition) bool {
	class, _ := stateClassOf(s)
	return p.Status == "" || class == 0 || class&stateHeld != 0 || stateSays(s, p)
}

// stateStillSays tells whether a remark made on another phase is true of p's too.
func stateStillSays(s string, p StatePosition) bool {
	class, phase := stateClassOf(s)
	return p.Status != "" && class != 0 && class&stateHeld == 0 && phase.IsZero() &&
		!strings.ContainsAny(s, "0123456789") && stateSays(s, p)
}

// status is the rule of `Status:`.
func (u stateUpdate) status(old string) string {
	p := u.p
	switch {
	case p.Status == "" || !u.moved && stateSays(old, p) || u.moved && stateNames(old, p):
		return old
	case u.moved && stateSays(old[:stateStop(old)], p):
		// It happens to be true again, but what follows is about the phase that is left behind.
		head := old[:stateStop(old)]
		return head + stateTail(old[len(head):], func(_, text string) bool { return stateFree(text) || stateTold(text) })
	}
	if old == "" || strings.Trim(old, "—–-?") == "" {
		return p.Status
	}
	class, _ := stateClassOf(old)
	first, _ := stateClause(stateClauses(old)[0])
	held := first&stateHeld != 0 || class == stateHeld
	switch {
	case held && (!u.moved || stateTold(old)):
		return old
	case class == 0 && !statePlaceholder(old):
		return old
	}
	head := old[:stateStop(old)]
	tail := stateTail(old[len(head):], func(_, text string) bool { return !u.moved && stateFree(text) || stateTold(text) })
	return stateStyle(p.Status, head) + tail
}

// stateTold tells whether a text says that something is held up and, in words of its own, by what: `waiting for
// the API key`, and not `Paused` or `Verifying phase 2`.
func stateTold(s string) bool {
	if class, _ := stateClassOf(s); class&stateHeld == 0 {
		return false
	}
	for _, w := range wordsOf(s) {
		switch {
		case !strings.ContainsFunc(w, unicode.IsLetter), word(w) != Unknown, slices.Contains(stateHeldWords, w):
		default:
			return true
		}
	}
	return false
}

// stateHeldWords are those of a status that holds something up, and of what gsd itself can tell.
var stateHeldWords = []string{
	"paused", "blocked", "hold", "discussing", "verifying", "verification", "verify", "uat", "review", "reviewed", "audit", "audited",
	"auditing", "testing", "tested", "waiting", "awaiting", "pending", "checkpoint", "human", "user", "passed", "approved", "phase",
	"phases", "plan", "plans", "milestone", "execution", "work", "on", "for", "of", "at", "in", "to", "the", "and", "is", "all", "now", "after",
}

// stateStyle writes a status as its predecessor was written: `phase-complete`, `executing`, `COMPLETE`.
func stateStyle(status, like string) string {
	if class, _ := stateClassOf(like); class == 0 {
		return status // it was no status
	}
	lower, joined := strings.ToLower(like), !strings.Contains(like, " ")
	switch {
	case versionAt(like) != "" || strings.Contains(like, "/"): // `v1.0 complete`: its small letter is the version's
		return status
	case lower == like && joined && strings.Contains(like, "-"):
		return strings.ReplaceAll(strings.ToLower(status), " ", "-")
	case lower == like && joined && strings.Contains(like, "_"):
		return strings.ReplaceAll(strings.ToLower(status), " ", "_")
	case lower == strings.ToUpper(like): // no letters
		return status
	case lower == like:
		return strings.ToLower(status)
	case strings.ToUpper(like) == like:
		return strings.ToUpper(status)
	}
	return status
}

// stateEnum is the word that upstream has in front matter for a status (get-shit-done/bin/lib/state.cjs, which
// normalises to paused, executing, planning, discussing, verifying, completed or unknown).
func stateEnum(status string) (string, bool) {
	class, _ := stateClassOf(status)
	switch {
	case class&stateHeld != 0:
	case class&stateRunning != 0:
		return "executing", true
	case class&stateToPlan != 0:
		return "planning", true
	case class&stateToExecute != 0:
		return "executing", true
	case class&(statePhaseDone|stateAllDone) != 0:
		return "completed", true
	}
	return "", false
}

// frontStatus is the rule of the key `status`.
func (u stateUpdate) frontStatus(old string) string {
	word, known := stateEnum(u.p.Status)
	switch old {
	case "paused", "discussing", "verifying":
		if !u.moved {
			return old
		}
	case "executing", "planning", "completed", "unknown", "":
	default:
		return u.status(old)
	}
	if !known || word == old {
		return old
	}
	return word
}
