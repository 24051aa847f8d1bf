package roadmap

// milestone.go: milestones are told in up to four places (a heading, the <summary> of a fold, the list at the top, a
// column of the progress table), and each says a part: they are merged by version.

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Milestone is what the roadmap says of one milestone.
type Milestone struct {
	Version string // as it is compared: 1.10, and 1 for v1.0
	Label   string // the version as it is written: v1.0
	Name    string // without version, status, ranges and signs
	Status  Status
	Line    int // of its heading, else of its <summary>, else of the line that tells most
	// Folded milestones are told in a closed <details>.
	Folded bool
}

// Over reports whether a milestone is shipped or was given up.
func (m Milestone) Over() bool { return m.Status == Complete || m.Status == Deferred }

// The places of a milestone, the best last.
const (
	phaseRank   = iota // told by a phase that belongs to it
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
	widest      int // of those up to this one, in the order of ranges, the one with the highest last
}

// holds reports whether n is one of the phases, or squeezed in behind the last.
func (r phaseRange) holds(n planref.Number) bool {
	return planref.Compare(n, r.first) >= 0 && (planref.Compare(n, r.last) <= 0 || strings.HasPrefix(n.String(), r.last.String()+"."))
}

func (p *parser) tell(m mention) {
	m.Folded = p.folded()
	p.told = append(p.told, m)
}

// milestoneItem reads an item of a list of milestones: `✅ **v1.0 Name** — Phases 1-4 (shipped …)`. Elsewhere than below a
// heading that says so, its phases must be there.
func (p *parser) milestoneItem(no int, mark byte, text string) {
	if m, ok := milestoneTitle(text); ok && (p.list || len(m.ranges) > 0) {
		m.Line, m.rank, m.Status = no, listRank, cmp.Or(m.Status, boxStatus(mark))
		p.tell(m)
	}
}

// milestoneField reads what upstream writes below the heading of an archived milestone: `**Status:** ✅ SHIPPED
// 2026-01-18`, `**Phases:** 1-7`.
func (p *parser) milestoneField(key, value string) {
	m := &p.told[p.release-1]
	switch key {
	case "status":
		m.Status = cmp.Or(m.Status, statusIn(value))
	case "phases":
		if len(m.ranges) == 0 {
			m.ranges = cutRanges(value)
		}
	}
}

// milestoneTitle reads what a milestone's heading, summary or item begins with: `v1.2 Polish`, `🚧 v1.2`, `Current
// Milestone: v2 — Name`, `Roadmap v2.0: Name`, `Archived: v1.0`, `Milestone 2: Name`, `[GSD.02] Name` (ADR-612). False
// where it is none; a version inside a title makes none (upstream #2619).
func milestoneTitle(text string) (m mention, ok bool) {
	text = dropTags(text)
	bare := skipMarkup(text)
	before := text[:len(text)-len(bare)]
	lead, rest := cutLead(bare)
	if tag, after, tagged := cutTag(text[max(0, len(before)-1):], '[', ']'); tagged && bracketVersion(tag) != "" {
		m.Version, m.Label, rest = bracketVersion(tag), tag, after
	} else {
		m.Version, m.Label = cutVersion(rest)
		if m.Version == "" && lead == "milestone" && !isRange(rest[digits(rest):]) {
			m.Version, m.Label = cutVersion("v" + rest)
			m.Label = strings.TrimPrefix(m.Label, "v")
		}
		rest = rest[len(m.Label):]
	}
	if m.Version == "" {
		return m, false
	}
	title := plain(rest)
	m.Name = cutText(cutName(plain(strings.TrimLeft(wrapped(before, rest), " \t:-–—*_~`]"))))
	m.Status = milestoneStatus(text, cmp.Or(titleStatus(title), firstWord(bare[:len(bare)-len(rest)]), firstSign(before)))
	for part := range titleParts(title) {
		if len(m.ranges) == 0 {
			m.ranges = cutRanges(part.text)
		}
	}
	return m, true
}

// cutLead drops the words that stand before a version, `Current Milestone: `, `Shipped milestone `, and gives the last
// of them in lower case.
func cutLead(s string) (last, rest string) {
	for {
		end := strings.IndexFunc(s, notLetter)
		w := strings.ToLower(s[:max(end, 0)])
		switch w {
		case "milestone", "roadmap", "release", "previous", "last", "new":
		default:
			if word(w) == Unknown {
				return last, s
			}
		}
		last, s = w, strings.TrimLeft(s[end:], " \t:*_-–—")
	}
}

// milestoneStatus is what a milestone's line says of it: shipped if a word or a sign says so anywhere, unless another
// says that it is under way, as upstream has it (MILESTONE_CLOSED_MARKER_PATTERN and MILESTONE_ACTIVE_MARKER_PATTERN,
// roadmap-parser.cjs; Released is ours); else st.
func milestoneStatus(text string, st Status) Status {
	closed, active := Unknown, strings.ContainsAny(text, "🚧🔄")
	if strings.ContainsAny(text, "✅🗄") {
		closed = Complete
	}
	before := ""
	for w := range strings.FieldsFuncSeq(text, notLetter) {
		w = strings.ToLower(w)
		switch w {
		case "closed", "archived", "shipped", "released":
			closed = Complete
		case "abandoned", "failed":
			closed = Deferred
		case "started", "active", "wip":
			active = true
		case "progress":
			active = active || before == "in"
		}
		before = w
	}
	switch {
	case closed == Unknown:
		return st
	case active:
		return InProgress
	}
	return closed
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
	version = n.String()
	for strings.HasSuffix(version, ".0") { // v1.0 is v1
		version = version[:len(version)-2]
	}
	return version, s[:end]
}

// cutPhases drops `Phase ` or `Phases ` before a number.
func cutPhases(s string) (string, bool) {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	rest, ok := cutWord(s, "phases")
	if !ok {
		rest, ok = cutWord(s, "phase")
	}
	rest = strings.TrimLeft(rest, " \t:")
	return rest, ok && digits(rest) > 0
}

// maxRanges is how many ranges of one line are read.
const maxRanges = 100

// cutRanges reads `Phases 1-4, 6 & 8–9`, `55-64 + 55.1, 57.8`.
func cutRanges(s string) []phaseRange {
	rest, ok := cutPhases(s)
	if n := digits(s); !ok && (n == 0 || !isRange(s[n:])) {
		return nil
	} else if !ok {
		rest = s
	}
	var ranges []phaseRange
	for len(ranges) < maxRanges {
		first, tail, ok := planref.CutNumber(rest)
		if !ok || strings.HasPrefix(strings.TrimLeft(tail, " "), "plan") {
			break // Phases 1-7, 22 plans
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
		rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(next, ",&+ "), "and "), " ")
		if rest == next {
			break
		}
	}
	return ranges
}

// mergeMilestones makes one milestone of all that is said of a version, and of their phases the ranges by which a phase
// is looked up. Every version that a fact has gets a milestone.
func mergeMilestones(told []mention, facts []Fact) ([]Milestone, ranges) {
	for _, f := range facts {
		if f.Milestone != "" {
			told = append(told, mention{Milestone: Milestone{Version: f.Milestone, Label: "v" + f.Milestone, Line: f.Line, Folded: f.Folded}})
		}
	}
	slices.SortStableFunc(told, func(a, b mention) int {
		return cmp.Or(compareMilestones(a.Version, b.Version), cmp.Compare(a.Line, b.Line))
	})
	var all []Milestone
	var phases ranges
	for len(told) > 0 {
		m, n := told[0], 1
		for ; n < len(told) && told[n].Version == m.Version; n++ {
			m = joinMentions(m, told[n])
		}
		told = told[n:]
		if m.Status == Unknown && m.Folded {
			m.Status = Complete // upstream folds what is over
		}
		all = append(all, m.Milestone)
		for _, r := range m.ranges {
			r.milestone = m.Version
			phases = append(phases, r)
		}
	}
	phases.sort()
	return all, phases
}

// joinMentions takes from the better place what it tells, and the rest from the other; of equal places from the
// earlier. Of several headings of a version one that is not over tells most (upstream's selectMilestoneHeading).
func joinMentions(a, b mention) mention {
	if b.rank > a.rank || b.rank == a.rank && a.Over() && b.Status != Unknown && !b.Over() {
		a, b = b, a
	}
	a.Name = cmp.Or(a.Name, b.Name)
	a.Status = cmp.Or(a.Status, b.Status)
	if len(a.ranges) == 0 {
		a.ranges = b.ranges
	}
	if a.rank <= listRank && a.rank == b.rank {
		a.Folded = a.Folded && b.Folded
	}
	return a
}

// ranges are the phases that milestones are said to have, by their first. They may overlap: `55-64 + 55.1`.
type ranges []phaseRange

func (all ranges) sort() {
	slices.SortStableFunc(all, func(a, b phaseRange) int { return planref.Compare(a.first, b.first) })
	for i := range all {
		all[i].widest = i
		if i > 0 && planref.Compare(all[all[i-1].widest].last, all[i].last) > 0 {
			all[i].widest = all[i-1].widest
		}
	}
}

// rangeOf is the milestone whose phases hold n: the last that begins at or before it, else the one that goes on the
// longest; "" where none do.
func rangeOf(all ranges, n planref.Number) string {
	at, _ := slices.BinarySearchFunc(all, n, func(r phaseRange, n planref.Number) int {
		if planref.Compare(r.first, n) <= 0 {
			return -1
		}
		return 1
	})
	if at == 0 {
		return ""
	}
	for _, r := range []phaseRange{all[at-1], all[all[at-1].widest]} {
		if r.holds(n) {
			return r.milestone
		}
	}
	return ""
}
