package roadmap

// status.go: the words and signs by which people say how far a phase is. Table cells and Status: lines
// are nothing but status, so the first known word in them decides; headings and check boxes are
// mostly title, so there the whole of a bracket or of what follows a dash must be a status.

import (
	"cmp"
	"strings"
	"unicode"
)

// Status is what the roadmap says of a phase.
type Status int

// Unknown is the zero value: mentioned, and nothing said about how far it is.
const (
	Unknown Status = iota
	NotStarted
	InProgress
	Complete
	Deferred // put off, blocked, dropped: work neither goes on nor is done
)

func (s Status) String() string {
	switch s {
	case NotStarted:
		return "not started"
	case InProgress:
		return "in progress"
	case Complete:
		return "complete"
	case Deferred:
		return "deferred"
	}
	return "unknown"
}

// word is the status that a word begins. The words that only come before another (`not started`,
// `planning complete`, `partially done`, `gap closure`) decide on their own, because the first wins.
func word(w string) Status {
	switch w {
	case "not", "planned", "planning", "pending", "todo", "ready", "queued", "upcoming", "next",
		"researched", "discussed", "unplanned", "unstarted", "future", "open":
		return NotStarted
	case "progress", "inprogress", "wip", "active", "executing", "started", "current", "ongoing",
		"underway", "doing", "working", "partial", "partially", "mostly", "almost", "nearly", "gap", "gaps",
		"implementing", "building", "verifying", "reopened":
		return InProgress
	case "complete", "completed", "done", "shipped", "verified", "validated", "implemented", "executed",
		"finished", "closed", "merged", "released", "archived", "delivered":
		return Complete
	case "deferred", "blocked", "paused", "postponed", "cancelled", "canceled", "skipped", "dropped",
		"superseded", "backlog", "parked", "removed", "abandoned", "hold":
		return Deferred
	}
	return Unknown
}

// sign is the status that an emoji stands for.
func sign(r rune) Status {
	switch r {
	case '✅', '✓', '✔', '☑', '🟢', '🎉', '🚢':
		return Complete
	case '🚧', '🔄', '🟡', '🏗', '◆', '◐', '🔨', '▶':
		return InProgress
	case '⬜', '○', '☐', '📋', '🔲', '⚪', '🔜', '📅':
		return NotStarted
	case '⏸', '🚫', '⛔', '🔴', '🧊', '⏭':
		return Deferred
	}
	return Unknown
}

// statusIn is the status in a text that is nothing but status: the first word that is one, else the
// first sign.
func statusIn(s string) Status {
	if s == "" {
		return Unknown
	}
	if w := firstWord(s); w != Unknown {
		return w
	}
	return firstSign(s)
}

func firstWord(s string) Status {
	n, to := 0, false
	for w := range strings.FieldsFuncSeq(s, notLetter) {
		w = strings.ToLower(w)
		if to {
			return NotStarted // to do, to be completed
		}
		if to = w == "to"; to {
			continue
		}
		if st := word(w); st != Unknown {
			return st
		}
		// What comes later is a remark.
		if n++; n == 8 {
			break
		}
	}
	return Unknown
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

func firstSign(s string) Status {
	for _, r := range s {
		if st := sign(r); st != Unknown {
			return st
		}
	}
	return Unknown
}

// statusOnly is the status of s if s is a status from end to end, such as `COMPLETE`, `shipped
// 2026-01-18`, `In Progress`; Unknown for a title that merely has such a word in it.
func statusOnly(s string) Status {
	first := Unknown
	for w := range strings.FieldsFuncSeq(s, notLetter) {
		st := word(strings.ToLower(w))
		if first == Unknown {
			first = st
		}
		if st != Unknown {
			continue
		}
		switch strings.ToLower(w) {
		case "in", "on", "to", "yet", "start", "execute", "status", "closure", "needed",
			"all", "phase", "milestone", "implementation", "locally",
			"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec":
		default:
			return Unknown
		}
	}
	if first == Unknown {
		return firstSign(s)
	}
	return first
}

// label is the status in a title after the phase's number: in a bracket, after a dash, or a sign at
// either end.
func label(title string) Status {
	title = strings.TrimSpace(title)
	if st := statusOnly(lastBracket(title)); st != Unknown {
		return st
	}
	cut := -1
	for _, dash := range []string{" - ", " — ", " – ", " -- "} {
		if i := strings.LastIndex(title, dash); i >= 0 {
			cut = max(cut, i+len(dash))
		}
	}
	if cut >= 0 {
		if st := statusOnly(title[cut:]); st != Unknown {
			return st
		}
	}
	return signAtEnds(title)
}

// signAtEnds is the status of a sign at either end of a title.
func signAtEnds(title string) Status {
	return cmp.Or(firstSign(title[:min(len(title), 8)]), firstSign(title[max(0, len(title)-8):]))
}

// lastBracket is what the last pair of () or [] in s holds.
func lastBracket(s string) string {
	end := strings.LastIndexAny(s, ")]")
	if end < 0 {
		return ""
	}
	open := strings.LastIndexAny(s[:end], "([")
	return s[open+1 : end]
}
