package roadmap

// status.go: the words and signs by which people say how far a phase is. Table cells and Status: lines are nothing
// but status, so the first known word in them decides; titles are mostly name, so there a whole part, in brackets
// or behind a dash, must be a status.

import (
	"cmp"
	"strings"
	"unicode"
)

// Status is what the roadmap says of a phase or a milestone.
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
	return [...]string{"unknown", "not started", "in progress", "complete", "deferred"}[s]
}

// word is the status that a word begins. The words that only come before another (`not started`, `planning
// complete`, `partially done`, `gap closure`) decide on their own, because the first wins.
func word(w string) Status {
	switch w {
	case "not", "planned", "planning", "pending", "todo", "ready", "upcoming", "next",
		"researched", "discussed", "open":
		return NotStarted
	case "progress", "wip", "active", "executing", "started", "current",
		"partial", "partially", "gap", "gaps", "verifying":
		return InProgress
	case "complete", "completed", "done", "shipped", "verified", "validated", "implemented", "executed",
		"closed", "released", "archived":
		return Complete
	case "deferred", "blocked", "paused", "cancelled", "canceled", "skipped", "dropped",
		"superseded", "backlog", "abandoned", "failed", "hold":
		return Deferred
	}
	return Unknown
}

// sign is the status that an emoji stands for.
func sign(r rune) Status {
	switch r {
	case '✅', '✓', '✔', '☑', '🟢', '🗄':
		return Complete
	case '🚧', '🔄', '🟡', '🏗', '◆', '◐', '🔨', '▶':
		return InProgress
	case '⬜', '○', '☐', '📋', '🔲', '⚪', '🔜':
		return NotStarted
	case '⏸', '🚫', '⛔', '🔴', '🧊', '⏭':
		return Deferred
	}
	return Unknown
}

// statusIn is the status in a text that is nothing but status: the first word that is one, else the first sign.
func statusIn(s string) Status { return cmp.Or(firstWord(s), firstSign(s)) }

func firstWord(s string) Status {
	for w := range strings.FieldsFuncSeq(s, notLetter) {
		if strings.EqualFold(w, "to") {
			return NotStarted // to do, to be completed
		}
		if st := word(strings.ToLower(w)); st != Unknown {
			return st
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

// statusOnly is the status of s if s is a status from end to end, such as `COMPLETE`, `shipped 2026-01-18`, `In
// Progress`; Unknown for a title that merely has such a word in it.
func statusOnly(s string) Status {
	first := Unknown
	for w := range strings.FieldsFuncSeq(s, notLetter) {
		w = strings.ToLower(w)
		switch w {
		case "in", "on", "to", "yet", "start", "execute", "all", "phase", "milestone", "locally", "closure", "implementation",
			"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec":
		default:
			if word(w) == Unknown {
				return Unknown
			}
		}
		first = cmp.Or(first, word(w))
	}
	return cmp.Or(first, firstSign(s))
}

// titleStatus is the status in a title without its number: the first part behind a dash or in brackets that is
// one from end to end, else a sign in front of the name or behind it.
func titleStatus(title string) Status {
	for part := range titleParts(title) {
		if st := statusOnly(part.text); st != Unknown && part.start > 0 {
			return st
		}
	}
	name := cutName(title)
	if at := strings.Index(title, name); at >= 0 {
		title = title[:at] + title[at+len(name):]
	}
	return firstSign(title)
}
