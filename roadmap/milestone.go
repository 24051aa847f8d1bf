package roadmap

// milestone.go: milestones are told in up to four places (a heading, the <summary> of a fold, the list at
// the top, a column of the progress table), and each says a part: they are merged by version.

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Milestone is what the roadmap says of one milestone.
type Milestone struct {
	Version string // as it is compared: 1.10, and 1 for v1.0; "" where it has none
	Label   string // the version as it is written: v1.0
	Name    string // without version, status, dates, ranges and signs
	Status  Status
	Line    int // of its heading, else of its <summary>, else of the line that tells most
	// Folded milestones are told in a closed <details>.
	Folded bool
	// First and Last are the phases that it is said to have, such as `Phases 5-8`; zero where none are.
	First, Last planref.Number
}

// The places of a milestone, the best last.
const (
	phaseRank   = iota // told by a phase that belongs to it
	rowRank            // a row of a table
	listRank           // the list of milestones
	summaryRank        // the summary of a fold
	headingRank
)

// mention is what one line says of a milestone.
type mention struct {
	Milestone
	rank   int
	ranges []phaseRange // all of its phases, as in `Phases 1-4, 6`
}

// phaseRange is a first and a last phase of a milestone.
type phaseRange struct {
	first, last planref.Number
	milestone   string
}

// holds tells whether n is one of the phases, or squeezed in behind the last.
func (r phaseRange) holds(n planref.Number) bool {
	return planref.Compare(n, r.first) >= 0 && (planref.Compare(n, r.last) <= 0 || strings.HasPrefix(n.String(), r.last.String()+"."))
}

func (p *parser) tell(m mention) {
	m.Folded = p.folded()
	p.told = append(p.told, m)
}

// milestoneItem reads an item of a list of milestones: `✅ **v1.0 Name** — Phases 1-4 (shipped …)`. Elsewhere
// than below a heading that says so, the phases must be there.
func (p *parser) milestoneItem(no int, mark byte, text string) bool {
	m, ok := milestoneTitle(text)
	if !ok && p.list && !m.First.IsZero() && m.Name != "" {
		ok = true // **Name** — Phases 1-4
	}
	if !ok || !p.list && m.First.IsZero() {
		return false
	}
	if (mark == 'x' || mark == 'X') && m.Status == Unknown {
		m.Status = Complete
	}
	m.Line, m.rank = no, listRank
	p.tell(m)
	return true
}

// milestoneField reads what upstream writes below the heading of an archived milestone: `**Status:** ✅
// SHIPPED 2026-01-18`, `**Phases:** 1-7`.
func (p *parser) milestoneField(key, value string) {
	m := &p.told[p.release-1]
	switch key {
	case "status":
		m.Status = cmp.Or(m.Status, statusField(value))
	case "phases":
		if phases := cutRanges(plain(value)); len(phases) > 0 && m.First.IsZero() {
			m.setPhases(phases)
		}
	}
}

// milestoneRow reads a row that tells of a milestone's phases together: `| 1-8 | v1.0 | 44/44 | Complete |`.
func (p *parser) milestoneRow(t table, cells []string, f Fact) {
	text := cell(cells, t.milestone)
	m, _ := milestoneTitle(text)
	m.Status = cmp.Or(f.Status, m.Status)
	if phases := cutRanges(cell(cells, t.phase)); len(phases) > 0 {
		m.setPhases(phases)
	}
	m.Line, m.rank = f.Line, rowRank
	p.tell(m)
}

// isMilestoneList tells whether a heading stands above a list of milestones.
func isMilestoneList(text string) bool {
	return hasWordFold(plain(text), "milestones")
}

// milestoneTitle reads what a milestone's heading, summary or item begins with: `v1.2 Polish`, `🚧 v1.2`,
// `Current Milestone: v2 — Name`, `Milestone 2: Name`. False where it is none; a version inside a title
// makes none (upstream #2619).
func milestoneTitle(text string) (m mention, ok bool) {
	text = dropTags(text)
	s := skipMarkup(text)
	before := text[:len(text)-len(s)]
	rest := s
	after, word := cutMilestone(s)
	if word {
		rest = strings.TrimLeft(after, " \t:*_-–—")
	}
	var label string
	m.Version, label = cutVersion(rest)
	if m.Version == "" && word && rest != "" && isDigit(rest[0]) {
		if n, tail, isNumber := planref.CutNumber(rest); isNumber && !isRange(tail) {
			m.Version, label = trimZeros(n.Key()), rest[:len(rest)-len(tail)]
		}
	}
	m.Label = label
	rest = rest[len(label):]
	title := plain(rest)
	m.Name = cutText(cutName(plain(strings.TrimLeft(wrapped(before, rest), " \t:-–—*_~`]"))))
	for part := range titleParts(title) {
		if phases := cutRanges(part.text); len(phases) > 0 && m.First.IsZero() {
			m.setPhases(phases)
		}
		for text := range strings.SplitSeq(part.text, ",") {
			if st := statusOnly(text); m.Status == Unknown && (part.start > 0 || m.Name == "") {
				m.Status = st
			}
		}
	}
	m.Status = cmp.Or(m.Status, firstSign(before), signAtEnds(title))
	named := word && m.Name != "" && strings.IndexAny(strings.TrimLeft(after, " \t*_"), ":-–—") == 0
	return m, m.Version != "" || named
}

// cutMilestone drops the word milestone, and a word such as current before it.
func cutMilestone(s string) (string, bool) {
	const milestone = "milestone"
	if first, rest, found := strings.Cut(s, " "); found {
		switch strings.ToLower(first) {
		case "active", "current", "next", "new", "previous", "last", "upcoming", "completed", "future", "planned":
			s = rest
		}
	}
	if len(s) <= len(milestone) || !strings.EqualFold(s[:len(milestone)], milestone) || isWord(s[len(milestone)]) {
		return s, false
	}
	return s[len(milestone):], true
}

// versionAt is the version at the start of s, without its v.
func versionAt(s string) string {
	v, _ := cutVersion(s)
	return v
}

// cutVersion is the version at the start of s as it is compared, and as it is written.
func cutVersion(s string) (version, label string) {
	if s == "" || s[0] != 'v' && s[0] != 'V' {
		return "", ""
	}
	end := 1
	for end < len(s) && (isDigit(s[end]) || s[end] == '.' && end > 1 && isDigit(s[end-1])) {
		end++
	}
	if s[end-1] == '.' {
		end--
	}
	n, _, ok := planref.CutNumber(s[1:end])
	if !ok || end < len(s) && isWord(s[end]) {
		return "", ""
	}
	return trimZeros(n.String()), s[:end]
}

// trimZeros makes v1.0 the same as v1.
func trimZeros(version string) string {
	for strings.HasSuffix(version, ".0") {
		version = version[:len(version)-2]
	}
	return version
}

// cutPhases drops `Phase ` or `Phases ` before a number.
func cutPhases(s string) (string, bool) {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(s) < 7 || !strings.EqualFold(s[:5], "phase") {
		return s, false
	}
	rest := s[5:]
	if rest[0] == 's' || rest[0] == 'S' {
		rest = rest[1:]
	}
	rest = strings.TrimLeft(rest, " \t:")
	return rest, rest != "" && isDigit(rest[0])
}

// cutRanges reads `Phases 1-4, 6 & 8–9`, in a cell also `1-4`.
func cutRanges(s string) []phaseRange {
	rest, ok := cutPhases(s)
	if !ok {
		if n := digits(s); n == 0 || !isRange(s[n:]) {
			return nil
		}
		rest = s
	}
	var ranges []phaseRange
	for len(ranges) < 100 {
		first, tail, ok := planref.CutNumber(rest)
		if !ok {
			break
		}
		last := first
		for _, dash := range []string{"-", "–", "—", " - ", " – ", " to ", " through "} {
			if after, found := strings.CutPrefix(tail, dash); found {
				if n, t, ok := planref.CutNumber(after); ok && planref.Compare(n, first) >= 0 {
					last, tail = n, t
				}
				break
			}
		}
		ranges = append(ranges, phaseRange{first: first, last: last})
		next := strings.TrimLeft(tail, " ")
		switch {
		case strings.HasPrefix(next, ","), strings.HasPrefix(next, "&"), strings.HasPrefix(next, "+"):
			next = next[1:]
		case strings.HasPrefix(next, "and "):
			next = next[4:]
		default:
			return ranges
		}
		next = strings.TrimLeft(next, " ")
		if n, after, ok := planref.CutNumber(next); !ok || n.IsZero() || strings.HasPrefix(strings.TrimLeft(after, " "), "plan") {
			return ranges // Phases 1-7, 22 plans
		}
		rest = next
	}
	return ranges
}

func (m *mention) setPhases(ranges []phaseRange) {
	m.First, m.Last = ranges[0].first, ranges[len(ranges)-1].last
	m.ranges = ranges
}

// mergeMilestones makes one milestone of all that is said of a version, those without one each for
// itself, and of their phases the ranges by which a phase is looked up. Every version that a fact has gets
// a milestone.
func mergeMilestones(told []mention, facts []Fact) ([]Milestone, []phaseRange) {
	for _, f := range facts {
		if f.Milestone != "" {
			m := mention{Milestone: Milestone{Version: f.Milestone, Label: "v" + f.Milestone, Line: f.Line, Folded: f.Folded}}
			told = append(told, m)
		}
	}
	slices.SortStableFunc(told, func(a, b mention) int { return cmp.Compare(a.Line, b.Line) })
	var all []mention
	byVersion := map[string]int{}
	for _, m := range told {
		at, known := byVersion[m.Version]
		if !known || m.Version == "" {
			byVersion[m.Version] = len(all)
			all = append(all, m)
			continue
		}
		all[at] = joinMentions(all[at], m)
	}
	sortVersions(all)
	merged := make([]Milestone, len(all))
	var ranges []phaseRange
	for i, m := range all {
		merged[i] = m.Milestone
		if m.Status == Unknown && m.Folded {
			merged[i].Status = Complete // upstream folds what is over
		}
		for _, r := range m.ranges {
			r.milestone = m.Version
			ranges = append(ranges, r)
		}
	}
	slices.SortStableFunc(ranges, func(a, b phaseRange) int { return planref.Compare(a.first, b.first) })
	if len(merged) == 0 {
		return nil, nil
	}
	return merged, ranges
}

// joinMentions takes from the better place what it tells, and the rest from the other; of equal places
// from the earlier.
func joinMentions(a, b mention) mention {
	if b.rank > a.rank {
		a, b = b, a
	}
	a.Name = cmp.Or(a.Name, b.Name)
	a.Status = cmp.Or(a.Status, b.Status)
	if a.First.IsZero() {
		a.First, a.Last, a.ranges = b.First, b.Last, b.ranges
	}
	if a.rank <= listRank && a.rank == b.rank {
		a.Folded = a.Folded && b.Folded
	}
	return a
}

// sortVersions orders the milestones that have a version by it; one without keeps its place.
func sortVersions(all []mention) {
	var at []int
	var versions []mention
	for i, m := range all {
		if m.Version != "" {
			at, versions = append(at, i), append(versions, m)
		}
	}
	slices.SortStableFunc(versions, func(a, b mention) int { return compareMilestones(a.Version, b.Version) })
	for i, m := range versions {
		all[at[i]] = m
	}
}

// rangeOf is the milestone whose phases hold n by the list of milestones; "" where none do, or where numbers
// start again and the later milestone is not known to have n.
func rangeOf(ranges []phaseRange, n planref.Number) string {
	i, _ := slices.BinarySearchFunc(ranges, n, func(r phaseRange, n planref.Number) int {
		if planref.Compare(r.first, n) <= 0 {
			return -1
		}
		return 1
	})
	if i == 0 || !ranges[i-1].holds(n) {
		return ""
	}
	return ranges[i-1].milestone
}
