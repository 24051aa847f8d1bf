package statefile

// merge.go: the values of two versions of a STATE.md that were changed apart. Each value is merged on its own; where both
// sides changed it, the one that is further on wins. What is not a known value is left to a merge of lines.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/planref"
)

// Reduce merges the values of a STATE.md that it knows, and returns the three texts with the merged values in place, so that
// a merge of lines has only the rest to merge. A value that both sides changed and that is not comparable, such as one in a
// person's words, is not touched. Lines that both sides added to a list of upstream's are kept, ours first. both reports whether each side changed a value of the position.
func Reduce(base, ours, theirs []byte) (b, o, t []byte, both bool) {
	m := &threeWay{openAll(base), openAll(ours), openAll(theirs)}
	lead, later := m.lead(), m.later()
	var edits [3][]replacement
	var changed [3]bool
	for i := range m[1].places {
		at := [3]*place{1: &m[1].places[i]}
		at[0], at[2] = m[0].find(at[1].name), m[2].find(at[1].name)
		if at[0] == nil || at[2] == nil {
			continue
		}
		var raw [3]string
		for side, p := range at {
			raw[side] = m[side].src[p.from:p.to]
		}
		if _, position := rules[at[1].name]; position {
			changed[1], changed[2] = changed[1] || raw[1] != raw[0], changed[2] || raw[2] != raw[0]
		}
		if side := choose(at, raw, lead, later); side >= 0 {
			for to, p := range at {
				edits[to] = append(edits[to], replacement{p.from, p.to, raw[side]})
			}
		}
	}
	texts := [3][]byte{m[0].splice(edits[0]), m[1].splice(edits[1]), m[2].splice(edits[2])}
	for _, form := range added {
		texts = unite(texts, form())
	}
	return texts[0], texts[1], texts[2], changed[1] && changed[2]
}

// threeWay is the common ancestor, our version and theirs. A side is an index of it.
type threeWay [3]*document

const (
	none      = -1
	ourSide   = 1
	theirSide = 2
)

// choose returns the side whose value is the merged one, or none if the values do not say. lead is the side whose phase
// counts or none, later the one that was written later.
func choose(at [3]*place, raw [3]string, lead, later int) int {
	r := at[1].rule
	switch {
	case goesWithPhase(at, raw, lead):
		return lead
	case raw[1] == raw[2], raw[2] == raw[0]:
		return ourSide
	case raw[1] == raw[0]:
		return theirSide
	case hasWords(at[1], at[0]) || hasWords(at[2], at[0]) || r.further == nil:
		if _, follows := notes[at[1].name]; follows && !at[1].own && !at[2].own {
			return later
		}
		return none
	}
	switch n := r.further(at[2], at[1]); {
	case at[1].title != at[2].title && planref.Compare(at[1].phase, at[2].phase) == 0:
		return none // two names of one phase
	case n > 0:
		return theirSide
	case n < 0:
		return ourSide
	}
	return later
}

// goesWithPhase is the rule that a value which belongs to the phase is the one of the side whose phase counts, also if only the
// other side changed it: there it is about another phase. What a person wrote there is kept.
func goesWithPhase(at [3]*place, raw [3]string, lead int) bool {
	if at[1].rule.states&ofPhase == 0 || lead == none {
		return false
	}
	other := 3 - lead
	return !hasWords(at[other], at[0]) || raw[other] == raw[0]
}

// hasWords reports whether a value has a person's words, or another name for the phase of the common ancestor.
func hasWords(p, base *place) bool {
	return p.own || p.title != base.title && planref.Compare(p.phase, base.phase) == 0
}

// lead returns the side whose phase counts: the only one that changed it, also to an earlier one, as a revert does, else the
// one that is further on. It is none if both have the same phase, or if one is unknown.
func (m *threeWay) lead() int {
	for _, name := range []string{labelPhase, keyPhase} {
		b, o, t := m[0].find(name), m[1].find(name), m[2].find(name)
		if o == nil || t == nil || o.phase.IsZero() || t.phase.IsZero() {
			continue
		}
		switch n := planref.Compare(o.phase, t.phase); {
		case n == 0:
		case b != nil && planref.Compare(b.phase, t.phase) == 0:
			return ourSide
		case b != nil && planref.Compare(b.phase, o.phase) == 0:
			return theirSide
		case n > 0:
			return ourSide
		default:
			return theirSide
		}
	}
	return none
}

// later returns the side that was written later, by the times and dates in it: ours if they are the same.
func (m *threeWay) later() int {
	for _, name := range []string{"last_updated", "Last session", keyActivity, "Last activity"} {
		o, t := m[1].find(name), m[2].find(name)
		if o == nil || t == nil {
			continue
		}
		when, than := timeIn(t.text), timeIn(o.text)
		if !when.IsZero() && !than.IsZero() && !when.Equal(than) {
			if when.After(than) {
				return theirSide
			}
			return ourSide
		}
	}
	return ourSide
}

// timeIn parses the time at the beginning of a value, in the forms that upstream writes; zero for any other.
func timeIn(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04", time.DateOnly} {
		n := len(s)
		if layout != time.RFC3339 {
			n = min(n, len(layout))
		}
		if when, err := time.Parse(layout, s[:n]); err == nil {
			return when
		}
	}
	return time.Time{}
}

// notes are the values that upstream writes with every change of the position: when, and where the work stopped. They belong
// together, so they are taken from the side that was written later.
var notes = map[string]bool{
	"last_updated": true, "stopped_at": true, "last_activity_desc": true, keyHead: true,
	"Last session": true, "Stopped at": true, "Resume file": true,
}

// The comparisons of values that both sides changed: above 0 if v is further on than w.
var (
	furtherPhase = func(v, w *place) int {
		return cmp.Or(planref.Compare(v.phase, w.phase), cmp.Compare(v.total, w.total))
	}
	furtherPlan   = func(v, w *place) int { return cmp.Or(cmp.Compare(v.n, w.n), cmp.Compare(v.total, w.total)) }
	furtherStatus = func(v, w *place) int { return cmp.Compare(v.stage, w.stage) }
	furtherDate   = func(v, w *place) int { return cmp.Compare(v.date, w.date) }
	furtherCount  = func(v, w *place) int { return cmp.Compare(v.n, w.n) }
)

// openAll is open with the notes: those in front matter, and those below the heading `Session Continuity`.
func openAll(src []byte) *document {
	d := open(src)
	block, _, closed := markdown.CutFrontMatter(src)
	front := 0
	if closed {
		front = strings.IndexByte(d.src, '\n') + 1 + len(block)
	}
	inside, at := false, 0
	for line := range strings.Lines(d.src) {
		at += len(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			inside = strings.EqualFold(strings.TrimSpace(title), "session continuity")
			continue
		}
		var p place
		if at <= front {
			key, value, _ := strings.Cut(line, ":")
			value = strings.TrimRight(value, "\r\n")
			p = frontPlace(key, 0, at-len(line)+len(key)+1, value)
		} else if label, value, ok := cutLabel(line); ok && inside {
			from := at - len(value)
			value = strings.TrimRight(value, " \t\r\n")
			p = place{name: label, from: from, to: from + len(value), text: value}
		}
		if notes[p.name] && d.find(p.name) == nil {
			d.places = append(d.places, p)
		}
	}
	return d
}

// The lines that upstream's commands add at the end of a list when a plan is finished: decisions, and the time of each plan
// (state.cjs, add-decision and record-metric).
var added = []form{newForm(`^- \[Phase [^\]]+\]: `), newForm(`^\| Phase \S+ P\S+ \|`)}

// nothingYet is what upstream's template has in an empty list; its commands replace it by the first line.
var nothingYet = newForm(`(?i)^(?:none|no decisions) yet\.?\s*$`)

// unite puts the lines that both sides added at the same place of a list into all three texts, ours first. It changes nothing
// unless both sides did nothing but add: two edits of one line contradict each other.
func unite(texts [3][]byte, form *regexp.Regexp) [3][]byte {
	var lines [3][]string
	var runs [3]insertion
	for i, text := range texts {
		lines[i] = strings.SplitAfter(string(text), "\n")
	}
	old := map[string]bool{}
	for _, line := range lines[0] {
		old[line] = true
	}
	for _, side := range []int{ourSide, theirSide} {
		run, ok := inserted(lines[side], old, form)
		if !ok {
			return texts
		}
		runs[side] = run
	}
	at, ok := placeOf(lines[0], runs[1])
	if !ok || runs[1].after != runs[2].after || runs[1].blanks != runs[2].blanks {
		return texts
	}
	for _, side := range []int{ourSide, theirSide} {
		if !onlyAdded(lines[0], lines[side], at, runs[side], form) {
			return texts
		}
	}
	all, known := slices.Clone(runs[1].lines), map[string]bool{}
	for _, line := range all {
		known[line] = true
	}
	for _, line := range runs[2].lines {
		if !known[line] {
			known[line] = true
			all = append(all, line)
		}
	}
	for i, from := range [3]int{at, runs[1].at, runs[2].at} {
		merged := slices.Replace(slices.Clone(lines[i]), from, from+len(runs[i].lines), all...)
		texts[i] = []byte(strings.Join(merged, ""))
	}
	return texts
}

// insertion is a run of lines that one side added.
type insertion struct {
	at     int // index of the first
	lines  []string
	after  string // the line before them that is not blank
	blanks int    // the number of blank lines between
}

// inserted returns the only run of lines of a form that are not in old; false if there is none, or another one.
func inserted(lines []string, old map[string]bool, form *regexp.Regexp) (run insertion, ok bool) {
	for i, line := range lines {
		if old[line] || !form.MatchString(line) {
			continue
		}
		if !strings.HasSuffix(line, "\n") || len(run.lines) > 0 && run.at+len(run.lines) != i {
			return run, false
		} else if len(run.lines) == 0 {
			run.at = i
		}
		run.lines = append(run.lines, line)
	}
	if len(run.lines) == 0 {
		return run, false
	}
	for i := run.at - 1; i >= 0; i-- {
		if strings.TrimSpace(lines[i]) != "" {
			run.after = lines[i]
			return run, true
		}
		run.blanks++
	}
	return run, false
}

// onlyAdded reports whether a side has all lines of the form that the common ancestor has, in the same order, and after its run
// the line that the common ancestor has at that place.
func onlyAdded(base, side []string, at int, run insertion, form *regexp.Regexp) bool {
	end := run.at + len(run.lines)
	if at >= len(base) || end >= len(side) || base[at] != side[end] && !nothingYet().MatchString(base[at]) {
		return false
	}
	others := func(line string) bool { return !form.MatchString(line) }
	rest := slices.Concat(side[:run.at], side[end:])
	return slices.Equal(slices.DeleteFunc(slices.Clone(base), others), slices.DeleteFunc(rest, others))
}

// placeOf returns where in the common ancestor the lines were added.
func placeOf(lines []string, run insertion) (at int, ok bool) {
	at = slices.Index(lines, run.after) + 1
	if at == 0 || slices.Contains(lines[at:], run.after) {
		return 0, false
	}
	for range run.blanks {
		if at >= len(lines) || strings.TrimSpace(lines[at]) != "" {
			return 0, false
		}
		at++
	}
	return at, true
}
