package statefile

// merge.go: the values of two versions of a STATE.md that were changed apart. Each value is merged on its own; where both
// sides changed it, the one that is further on wins. What is not a known value is left to a merge of lines.

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Reduce merges the values of a STATE.md that it knows, and returns the three texts with the merged values in place, so that
// a merge of lines has only the rest to merge. A value that both sides changed and that is not comparable, such as one in a
// person's words, is not touched. Lines that both sides added to a list of upstream's are kept, ours first. both reports whether each side changed a value of the position.
func Reduce(base, ours, theirs []byte) (b, o, t []byte, both bool) {
	m := &threeWay{open(base), open(ours), open(theirs)}
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
		if at[1].row.print != nil {
			changed[1], changed[2] = changed[1] || raw[1] != raw[0], changed[2] || raw[2] != raw[0]
		}
		if side := choose(at, raw, lead, later); side >= 0 {
			for to, p := range at {
				edits[to] = append(edits[to], replacement{p.from, p.to, raw[side]})
			}
		}
	}
	for _, form := range added {
		for side, more := range m.unite(form()) {
			edits[side] = append(edits[side], more...)
		}
	}
	return m[0].splice(edits[0]), m[1].splice(edits[1]), m[2].splice(edits[2]), changed[1] && changed[2]
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
	r := at[1].row
	switch {
	case goesWithPhase(at, raw, lead):
		return lead
	case raw[1] == raw[2], raw[2] == raw[0]:
		return ourSide
	case raw[1] == raw[0]:
		return theirSide
	case hasWords(at[1], at[0]) || hasWords(at[2], at[0]) || r.order == nil:
		if r.note && !at[1].own && !at[2].own {
			return later
		}
		return none
	}
	switch n := r.order(at[1].value, at[2].value); {
	case at[1].title != at[2].title && planref.Compare(at[1].phase, at[2].phase) == 0:
		return none // two names of one phase
	case n < 0:
		return theirSide
	case n > 0:
		return ourSide
	}
	return later
}

// goesWithPhase is the rule that a value which belongs to the phase is the one of the side whose phase counts, also if only the
// other side changed it: there it is about another phase. What a person wrote there is kept.
func goesWithPhase(at [3]*place, raw [3]string, lead int) bool {
	if at[1].row.states&ofPhase == 0 || lead == none {
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
	for _, name := range []string{keyUpdated, labelSession, keyActivity, labelActivity} {
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

// The lines that upstream's commands add at the end of a list when a plan is finished: decisions, and the time of each plan
// (state.cjs, add-decision and record-metric).
var added = []form{newForm(`^- \[Phase [^\]]+\]: `), newForm(`^\| Phase \S+ P\S+ \|`)}

// nothingYet is what upstream's template has in an empty list; its commands replace it by the first line.
var nothingYet = newForm(`(?i)^(?:none|no decisions) yet\.?\s*$`)

// unite returns the edits that put the lines which both sides added at the end of a list into all three texts, ours first. It changes
// nothing unless both sides did nothing else to the list: two edits of one line contradict each other.
func (m *threeWay) unite(form *regexp.Regexp) (edits [3][]replacement) {
	b, o, t := m[0].lists(form), m[1].lists(form), m[2].lists(form)
	for above, base := range b {
		ours, theirs := o[above], t[above]
		begins := func(l list) bool {
			return len(l.lines) > len(base.lines) && slices.Equal(l.lines[:len(base.lines)], base.lines) && l.next == base.next
		}
		if !begins(ours) || !begins(theirs) {
			continue
		}
		all, known := slices.Clone(ours.lines), map[string]bool{}
		for _, line := range all {
			known[line] = true
		}
		for _, line := range theirs.lines[len(base.lines):] {
			if !known[line] {
				all = append(all, line)
			}
		}
		for side, l := range [3]list{base, ours, theirs} {
			edits[side] = append(edits[side], replacement{l.from, l.to, strings.Join(all, "")})
		}
	}
	return edits
}

// list is a run of lines of a form, at src[from:to], which may be empty.
type list struct {
	from, to int
	lines    []string
	next     string // the line below it
}

// spot is where a list may be: the heading that it is below, the line above it, and whether there is a blank one between.
type spot struct {
	heading, line string
	blank         bool
}

// lists returns the lists of a document; those at two equal spots are left out.
func (d *document) lists(form *regexp.Regexp) map[spot]list {
	all, twice, above, at := map[spot]list{}, map[spot]bool{}, spot{}, 0
	add := func(from int, rest []string) {
		l := list{from: from, to: from}
		if len(rest) > 0 && nothingYet().MatchString(rest[0]) {
			l.to, rest = l.to+len(rest[0]), rest[1:]
		}
		for _, l.next = range rest {
			if !form.MatchString(l.next) || !strings.HasSuffix(l.next, "\n") {
				break
			}
			l.lines, l.to = append(l.lines, l.next), l.to+len(l.next)
		}
		_, known := all[above]
		all[above], twice[above] = l, twice[above] || known
	}
	isBlank := func(line string) bool { return strings.TrimSpace(line) == "" }
	lines := strings.SplitAfter(d.src, "\n")
	for i, line := range lines {
		at += len(line)
		if isBlank(line) || form.MatchString(line) {
			continue
		}
		if line[0] == '#' {
			above.heading = line
		}
		above.line, above.blank = line, false
		add(at, lines[i+1:])
		if above.blank = i+1 < len(lines) && isBlank(lines[i+1]); above.blank {
			add(at+len(lines[i+1]), lines[i+2:])
		}
	}
	maps.DeleteFunc(all, func(at spot, _ list) bool { return twice[at] })
	return all
}
