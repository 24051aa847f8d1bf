package statefile

// merge.go: the values of two versions of a STATE.md that were changed apart. Each value is merged on its own; where both
// sides changed it, the one that is further on wins. What is not a known value is left to a merge of lines.

import (
	"cmp"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Reduce merges the values of a STATE.md that it knows, and returns the three texts with the merged values in place, so that
// a merge of lines has only the rest to merge. A value that both sides changed and that is not comparable, such as one in a
// person's words, is not touched. Lines that both sides added to a list of upstream's are kept, ours first. both reports whether
// each side changed a value of the position.
func Reduce(base, ours, theirs []byte) (b, o, t []byte, both bool) {
	m := threeWay{open(base), open(ours), open(theirs)}
	lead, later := m.lead(), m.later()
	merged := map[string]string{} // by name
	var changed [3]bool
	for i := range m[ourSide].places {
		ours := &m[ourSide].places[i]
		at := [3]*place{m[0].find(ours.name), ours, m[theirSide].find(ours.name)}
		switch {
		case at[theirSide] == nil:
		case ours.row.list:
			if text, ok := unite(cmp.Or(at[0], &place{}).raw, ours.raw, at[theirSide].raw); ok {
				merged[ours.name] = text
			}
		case at[0] != nil:
			for side, p := range at {
				changed[side] = changed[side] || ours.row.print != nil && p.raw != at[0].raw
			}
			if side := choose(at, lead, later); side != none {
				merged[ours.name] = at[side].raw
			}
		}
	}
	return m[0].splice(merged), m[1].splice(merged), m[2].splice(merged), changed[ourSide] && changed[theirSide]
}

// threeWay is the common ancestor, our version and theirs. A side is an index of it.
type threeWay [3]*document

const (
	none      = 0 // neither side; the index of the common ancestor
	ourSide   = 1
	theirSide = 2
)

// choose returns the side whose value is the merged one, or none if the values do not say. lead is the side whose phase
// counts or none, later the one that was written later.
func choose(at [3]*place, lead, later int) int {
	base, ours, theirs := at[0], at[ourSide], at[theirSide]
	words := [3]bool{ourSide: hasWords(ours, base), theirSide: hasWords(theirs, base)}
	// A value that belongs to the phase is the one of the side whose phase counts, also if only the other side changed it: there it
	// is about another phase. What a person wrote there is kept.
	if other := 3 - lead; lead != none && ours.row.states&ofPhase != 0 && (!words[other] || at[other].raw == base.raw) {
		return lead
	}
	switch {
	case ours.raw == theirs.raw, theirs.raw == base.raw:
		return ourSide
	case ours.raw == base.raw:
		return theirSide
	case ours.row.note && !ours.own && !theirs.own:
		return later
	case words[ourSide], words[theirSide], ours.row.order == nil:
		return none
	case ours.title != theirs.title && planref.Compare(ours.phase, theirs.phase) == 0:
		return none // two names of one phase
	}
	switch n := ours.row.order(ours.value, theirs.value); {
	case n < 0:
		return theirSide
	case n > 0:
		return ourSide
	}
	return later
}

// hasWords reports whether a value has a person's words, or another name for the phase of the common ancestor.
func hasWords(p, base *place) bool {
	return p.own || p.title != base.title && planref.Compare(p.phase, base.phase) == 0
}

// unite returns the lines of a list to whose end both sides added some, ours first. It returns false if one of them did anything
// else to the list: two edits of one line contradict each other.
func unite(base, ours, theirs string) (text string, ok bool) {
	added, ok := strings.CutPrefix(theirs, base)
	if !ok || added == "" || ours == base || !strings.HasPrefix(ours, base) {
		return "", false
	}
	known, all := map[string]bool{}, []string{ours}
	for line := range strings.Lines(ours) {
		known[line] = true
	}
	for line := range strings.Lines(added) {
		if !known[line] {
			all = append(all, line)
		}
	}
	return strings.Join(all, ""), true
}

// lead returns the side whose phase counts: the only one that changed it, also to an earlier one, as a revert does, else the
// one that is further on. It is none if both have the same phase, or if one is unknown.
func (m threeWay) lead() int {
	for _, name := range []string{labelPhase, keyPhase} {
		var phase [3]planref.Number
		for side, d := range m {
			if at := d.find(name); at != nil {
				phase[side] = at.phase
			}
		}
		switch n := planref.Compare(phase[ourSide], phase[theirSide]); {
		case n == 0, phase[ourSide].IsZero(), phase[theirSide].IsZero():
		case planref.Compare(phase[0], phase[theirSide]) == 0:
			return ourSide
		case planref.Compare(phase[0], phase[ourSide]) == 0, n < 0:
			return theirSide
		default:
			return ourSide
		}
	}
	return none
}

// later returns the side that was written later, by the times and dates in it: ours if they are the same.
func (m threeWay) later() int {
	for _, name := range []string{keyUpdated, labelSession, keyActivity, labelActivity} {
		ours, theirs := m[ourSide].find(name), m[theirSide].find(name)
		switch {
		case ours == nil, theirs == nil, ours.date == "", theirs.date == "", ours.date == theirs.date:
		case ours.date < theirs.date:
			return theirSide
		default:
			return ourSide
		}
	}
	return ourSide
}
