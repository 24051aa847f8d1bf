package statefile

// forms.go: the forms of values that the template has and that upstream's commands write (its state-transition.cjs).
// A value of another form is read as far as upstream reads it, and never replaced.

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/planref"
)

// form is what kind of value it is.
type form int

const (
	words    form = iota // somebody's own
	standard             // of the template, or of a command
	nothing              // it says that there is none yet, as the template does before it is filled in
)

// unfilled are the values that say so, in lower case: the template's own, what commands reset them to, and what gsd
// wrote before it knew.
var unfilled = map[string][]string{
	labelPhase:    {"[x] of [y] ([phase name])", "not started", "not started (defining requirements)"},
	labelPlan:     {"[a] of [b] in current phase", "not started", "—"},
	labelActivity: {"[yyyy-mm-dd] — [what happened]", "none"},
}

func formOf(label, s string) form {
	if s == "" || slices.Contains(unfilled[label], strings.ToLower(s)) {
		return nothing
	}
	return words
}

// phaseValue is the value of `Phase:`: `2 of 5 (Core)`, and `2 (Core) — EXECUTING`, which commands write.
type phaseValue struct {
	form   form
	number planref.Number // also of words that begin with it
	total  int
	name   string
	marked bool // a command's mark is behind it
	unsure bool // it is standard if its name is one
	closed bool // it says that a milestone is complete, as a command writes it
}

// phaseMarks are what commands write behind a phase.
var phaseMarks = []string{" — EXECUTING", " — READY TO EXECUTE", " — COMPLETE"}

func readPhase(s string) phaseValue {
	v := phaseValue{form: formOf(labelPhase, s), closed: strings.HasPrefix(s, "Milestone ") && strings.HasSuffix(s, " complete")}
	if v.form == nothing {
		return v
	}
	rest := s
	if len(s) > 6 && strings.EqualFold(s[:6], "phase ") {
		rest = s[6:]
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !isNumberRune(r) })
	if end < 0 {
		end = len(rest)
	}
	number, ok := planref.ParseNumber(rest[:end])
	if !ok || !upstreamReads(number) || len(rest) > end+1 && rest[end] == '-' && isDigits(rest[end+1:end+2]) {
		return v // a range, or an id of two parts
	}
	v.number = number
	plain := len(rest) == len(s)
	rest = rest[end:]
	for _, mark := range phaseMarks {
		if cut, ok := strings.CutSuffix(rest, mark); ok {
			rest, v.marked = cut, true
			break
		}
	}
	if after, ok := strings.CutPrefix(rest, " of "); ok {
		n := digits(after)
		if v.total = integer(after[:n]); v.total == 0 {
			return v
		}
		rest = after[n:]
	}
	if name, ok := strings.CutPrefix(rest, " ("); ok {
		if name, ok = strings.CutSuffix(name, ")"); ok && name != "" && !strings.ContainsAny(name, "()") {
			v.name, rest = name, ""
		}
	}
	if rest == "" && plain {
		v.form = standard
		if v.unsure = v.name != "" && !isName(v.name); v.unsure {
			v.form = words
		}
	}
	return v
}

// isName reports whether a text in brackets behind a phase's number is surely its name: a title, or a directory's slug,
// and not a remark such as `all phases complete`, or a version.
func isName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLower(first) || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func isNumberRune(r rune) bool {
	return r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// upstreamReads reports whether upstream reads a phase's number whole out of a value: digits, a letter, and more digits
// behind points (its phase-id.cjs, parsePhaseFromProse).
func upstreamReads(n planref.Number) bool {
	first, rest, dotted := strings.Cut(n.String(), ".")
	if d := digits(first); d == 0 || d < len(first)-1 {
		return false
	}
	for dotted {
		var part string
		part, rest, dotted = strings.Cut(rest, ".")
		if !isDigits(part) {
			return false
		}
	}
	return true
}

// planValue is the value of `Plan:`: `1 of 3 in current phase`, `1 of 3`, `1`.
type planValue struct {
	form          form
	number, total int // also of words that begin with both; a total that the file calls TBD or ? is 0
	tail          string
	bare          bool
}

const inPhase = " in current phase"

func readPlan(s string) planValue {
	v := planValue{form: formOf(labelPlan, s), tail: inPhase}
	n := digits(s)
	if v.form == nothing || n == 0 || n > maxDigits {
		return v
	}
	v.number, v.tail = integer(s[:n]), ""
	rest := s[n:]
	if rest == "" {
		v.form, v.bare = standard, true
		return v
	}
	after, ok := strings.CutPrefix(rest, " of ")
	if !ok {
		return v
	}
	n = max(digits(after), len("TBD")*count(strings.HasPrefix(after, "TBD")), count(strings.HasPrefix(after, "?")))
	v.total = integer(after[:n])
	if rest = after[n:]; n > 0 && (rest == "" || rest == inPhase) {
		v.form, v.tail = standard, rest
	}
	return v
}

// activityValue is the value of `Last activity:`: `2026-01-18 — Completed 03-01-PLAN.md`, or the date alone.
type activityValue struct {
	form form
	date string
	what string
}

func readActivity(s string) activityValue {
	v := activityValue{form: formOf(labelActivity, s)}
	if v.form == nothing || len(s) < len(time.DateOnly) {
		return v
	}
	date, rest := s[:len(time.DateOnly)], s[len(time.DateOnly):]
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return v
	}
	v.date = date
	for _, dash := range []string{" — ", " -- ", " - "} {
		if what, ok := strings.CutPrefix(rest, dash); ok {
			v.what, rest = strings.TrimSpace(what), ""
		}
	}
	if rest == "" {
		v.form = standard
	}
	return v
}

// progressValue is the value of `Progress:`: `[████░░░░░░] 40%`, `40%`.
type progressValue struct {
	form    form
	percent int // also of words that have one percentage; -1 without
	width   int // of the bar, 0 without one
}

const (
	full  = "█"
	empty = "░"
)

func readProgress(s string) progressValue {
	v := progressValue{percent: -1, width: 10}
	if s == "" {
		v.form = nothing
		return v
	}
	head, tail, ok := strings.Cut(s, "%")
	number := head[len(strings.TrimRight(head, "0123456789")):]
	if !ok || len(number) == 0 || len(number) > 3 || strings.Contains(tail, "%") {
		return v
	}
	v.percent = integer(number)
	bar := head[:len(head)-len(number)]
	if bar == "" {
		v.width = 0
	} else {
		inner, ok := strings.CutPrefix(bar, "[")
		inner, closed := strings.CutSuffix(inner, "] ")
		cells := strings.TrimRight(strings.TrimLeft(inner, full), empty)
		width := len(inner) / len(full)
		if !ok || !closed || cells != "" || width == 0 || width > maxBar {
			return v
		}
		v.width = width
	}
	if tail == "" {
		v.form = standard
	}
	return v
}

// maxBar is how many characters of a bar are drawn.
const maxBar = 100

// drawProgress draws a bar as upstream does: a full one is 100, and nothing else is.
func drawProgress(percent, width int) string {
	text := strconv.Itoa(percent) + "%"
	if width == 0 {
		return text
	}
	n := (percent*width + 50) / 100
	if percent < 100 {
		n = min(n, width-1)
	}
	return "[" + strings.Repeat(full, n) + strings.Repeat(empty, width-n) + "] " + text
}

// maxDigits is how many digits a number of plans or phases has at most.
const maxDigits = 6

// digits is how many bytes at the start of s are ASCII digits.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func isDigits(s string) bool { return s != "" && digits(s) == len(s) }

// integer is the number that s is; 0 where it is none, or has too many digits.
func integer(s string) int {
	if !isDigits(s) || len(s) > maxDigits {
		return 0
	}
	n, _ := strconv.Atoi(s)
	return n
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
