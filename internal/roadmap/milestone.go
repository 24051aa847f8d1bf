package roadmap

// milestone.go: up to four places mention a milestone (a heading, the <summary> of a fold, the list at the top, a
// column of the progress table). Each has some of the facts, so they are merged by version.

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Milestone is one milestone of the roadmap.
type Milestone struct {
	Version string // normalised: 1.10, and 1 for v1.0
	Label   string // the version as written: v1.0
	Name    string // without version, status, ranges and emoji
	Status  Status
	Line    int // of its heading, else of its <summary>, else of another line

	rank   int
	ranges []phaseRange // all of its phases, as in `Phases 1-4, 6`
}

// folded reports whether all that says something of a milestone is folded, as upstream folds what was shipped, without saying so.
func (m Milestone) folded() bool { return m.rank == summaryRank && m.Status == Unknown }

// Closed reports whether a milestone was shipped or given up.
func (m Milestone) Closed() bool { return m.Status.Closed() }

// The ranks of the places that mention a milestone, the best last.
const (
	phaseRank   = iota // a phase that belongs to it
	listRank           // the list of milestones
	summaryRank        // the summary of a fold
	headingRank
)

// milestoneTitle parses the heading, summary or list item of a milestone: `v1.2 Polish`, `🚧 v1.2`, `Current Milestone:
// v2 — Name`, `Roadmap v2.0: Name`, `Archived: v1.0`, `[GSD.02] Name` (ADR-612). It returns false for any other text; a
// version inside a title does not make it a milestone (upstream #2619).
func milestoneTitle(text string) (m Milestone, ok bool) {
	text = tagForm().ReplaceAllString(text, "")
	before, tag, bare := cutMarks(text)
	rest := cutLead(bare)
	m.Version, m.Label = cutVersion(rest)
	lead, rest := bare[:len(bare)-len(rest)], rest[len(m.Label):]
	if version := bracketVersion(tag); version != "" {
		m.Version, m.Label, lead, rest = version, tag, "", bare
	}
	if m.Version == "" {
		return m, false
	}
	t := readTitle(strings.TrimLeft(rest, "*_~`]"))
	m.Name, m.ranges = cutText(t.name), t.ranges
	m.Status = cmp.Or(milestoneStatus(text), t.status, statusIn(before+lead))
	if strings.EqualFold(m.Name, "archive") { // `V1 Archive` has what remains of it
		m.Name, m.Status = "", cmp.Or(m.Status, Complete)
	}
	return m, true
}

// cutLead drops the words before a version: `Current Milestone: `, `Shipped milestone `.
func cutLead(s string) string {
	for {
		end := max(0, strings.IndexFunc(s, notLetter))
		w := strings.ToLower(s[:end])
		if w != "milestone" && w != "roadmap" && words()[w] == Unknown {
			return s
		}
		s = strings.TrimLeft(s[end:], " \t:*_-–—")
	}
}

// milestoneStatus returns the status that upstream reads anywhere in a milestone's line: Complete if a word or an emoji
// says so, unless another says that it is in progress; else Unknown (MILESTONE_CLOSED_MARKER_PATTERN and
// MILESTONE_ACTIVE_MARKER_PATTERN, roadmap-parser.cjs; only gsd reads Released).
func milestoneStatus(text string) Status {
	switch {
	case !closedForm().MatchString(text):
		return Unknown
	case activeForm().MatchString(text):
		return InProgress
	}
	return Complete
}

var (
	tagForm    = newForm(`</?[A-Za-z][^<>]*>`) // `<b>v1.0</b>`
	closedForm = newForm(`(?i)[✅🗄]|\b(?:closed|archived|shipped|released)\b`)
	activeForm = newForm(`(?i)[🚧🔄]|in progress|\b(?:started|active|wip)\b`)
)

// versionAt returns the normalised version at the start of s, or "".
func versionAt(s string) string {
	v, _ := cutVersion(s)
	return v
}

// cutVersion returns the version at the start of s, normalised and as written.
func cutVersion(s string) (version, label string) {
	if s == "" || s[0] != 'v' && s[0] != 'V' {
		return "", ""
	}
	n, rest, ok := planref.CutNumber(s[1:])
	label = s[:len(s)-len(rest)]
	if !ok || strings.Trim(label[1:], ".0123456789") != "" {
		return "", ""
	}
	version = n.String()
	for strings.HasSuffix(version, ".0") { // v1.0 is v1
		version = version[:len(version)-2]
	}
	return version, label
}

// compareMilestones compares versions: "" comes first, then words in alphabetical order (mvp), then numbers by value (0.9
// before 0.10).
func compareMilestones(a, b string) int {
	x, _ := planref.ParseNumber(a)
	y, _ := planref.ParseNumber(b)
	return cmp.Or(planref.Compare(x, y), strings.Compare(a, b))
}

// mergeMilestones merges the mentions of each milestone, and returns the ranges of all milestones sorted for rangeOf.
func mergeMilestones(mentions []Milestone) (all []Milestone, phases []phaseRange) {
	slices.SortStableFunc(mentions, func(a, b Milestone) int {
		return cmp.Or(compareMilestones(a.Version, b.Version), cmp.Compare(a.Line, b.Line))
	})
	for i, m := range mentions {
		if last := len(all) - 1; i > 0 && all[last].Version == m.Version {
			all[last] = all[last].join(m)
		} else {
			all = append(all, m)
		}
	}
	for _, m := range all {
		for _, r := range m.ranges {
			r.milestone = m.Version
			phases = append(phases, r)
		}
	}
	slices.SortStableFunc(phases, func(a, b phaseRange) int { return planref.Compare(a.first, b.first) })
	return all, phases
}

// join merges two mentions of a milestone, preferring the one in the better place, or the earlier one. But what one of them calls
// complete is not in progress: people add that it was shipped, and leave the sign of the work where it was.
func (m Milestone) join(other Milestone) Milestone {
	if other.rank > m.rank {
		m, other = other, m
	}
	m.Name = cmp.Or(m.Name, other.Name)
	if m.Status == Unknown || m.Status == InProgress && other.Status == Complete {
		m.Status = other.Status
	}
	if len(m.ranges) == 0 {
		m.ranges = other.ranges
	}
	return m
}

// phaseRange is a range of phases that belongs to a milestone.
type phaseRange struct {
	first, last planref.Number
	milestone   string
}

// holds reports whether n is in the range, or was inserted after its last phase.
func (r phaseRange) holds(n planref.Number) bool {
	return planref.Compare(n, r.first) >= 0 && (planref.Compare(n, r.last) <= 0 || strings.HasPrefix(n.String(), r.last.String()+"."))
}

// rangeOf returns the milestone of the phase n by its range, or "". It looks at the first range that begins at n, else at
// the last that begins before it.
func rangeOf(all []phaseRange, n planref.Number) string {
	at, exact := slices.BinarySearchFunc(all, n, func(r phaseRange, n planref.Number) int { return planref.Compare(r.first, n) })
	if !exact {
		at--
	}
	if at < 0 || !all[at].holds(n) {
		return ""
	}
	return all[at].milestone
}

// cutRanges parses `Phases 1-4, 6 & 8–9` and `55-64 + 55.1, 57.8`. A phase that is in the range before it is left out.
func cutRanges(s string) (all []phaseRange) {
	const limit = 100
	rest, ok := cutPhases(s)
	if n := digits(s); !ok && n > 0 && isRange(s[n:]) {
		rest, ok = s, true
	}
	for ok && len(all) < limit {
		var r phaseRange
		if r.first, rest, ok = planref.CutNumber(rest); !ok || strings.HasPrefix(rest, " plan") {
			break // Phases 1-7, 22 plans
		}
		r.last = r.first
		if isRange(rest) {
			r.last, rest, _ = planref.CutNumber(strings.TrimLeft(rest, "-–—"))
		}
		if len(all) == 0 || !all[len(all)-1].holds(r.first) {
			all = append(all, r)
		}
		next := strings.TrimLeft(rest, " ,&+")
		rest, ok = next, next != rest
	}
	return all
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
