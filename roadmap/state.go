package roadmap

// state.go: STATE.md says in a few lines where the project is. The law of this file and of its state_*
// neighbours: what a person wrote is spliced, never written again. UpdateState changes values of the
// position lines and of the position keys in front matter, and of a value only the part that is position; no
// other byte, no line more or less. What already says the same in other words, and what is not understood, is
// left alone. Doing it twice is doing it once (DESIGN.md, roadmap; the faults to avoid are upstream's:
// research/upstream.md, section 3, lessons 1, 2, 25, 26 and 28).

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
)

// The statuses that a StatePosition may have. Upstream's template (templates/state.md) knows Phase complete, too,
// which is read; on disk that is Ready to plan or Ready to execute the next.
const (
	StateReadyToPlan       = "Ready to plan"
	StateReadyToExecute    = "Ready to execute"
	StateInProgress        = "In progress"
	StateMilestoneComplete = "Milestone complete"
)

// StatePosition is where the project is. A zero field is unknown and leaves its line alone.
type StatePosition struct {
	Milestone, MilestoneName string // `1.2`, with or without its v, and `Polish`

	Phase     planref.Number
	PhaseName string
	// Phases is Y of `Phase: X of Y`. As X may count on from earlier milestones, it is used only where it is not
	// less than X.
	Phases int

	// Plan of Plans in the phase. A plan 0 of a known number of plans says that none has begun.
	Plan, Plans int

	Status string // one of the four above; another text is written as it is

	LastActivity time.Time // its date is written as it is in its own time zone
	LastWhat     string    // `Completed 03-01-PLAN.md`

	// Done and total of the milestone. A total of 0 is unknown.
	DonePhases, TotalPhases int
	DonePlans, TotalPlans   int
}

// Percent is how far the project is, 0 to 100, as Progress has it.
func (p StatePosition) Percent() int {
	percent, _ := Progress{p.TotalPhases, p.DonePhases, p.TotalPlans, p.DonePlans}.Percent()
	return percent
}

// Percent is how much done of total is, rounded; but only all of it is 100, and only nothing of it, or of
// nothing, is 0.
func Percent(done, total int) int {
	switch {
	case total <= 0 || done <= 0:
		return 0
	case done >= total:
		return 100
	}
	return max(1, min(99, int(float64(done)*100/float64(total)+0.5)))
}

// StateEdit is one value that UpdateState changed: what the line, counted from 1, held and what it holds.
type StateEdit struct {
	Line     int
	Field    string // `Phase`, or `progress.percent` for a key of the front matter
	Old, New string
}

// UpdateState brings the position in a STATE.md up to p: the lines `Phase:`, `Plan:`, `Status:`, `Last
// activity:`, `Progress:` and `Milestone:` of the first `Current Position` section, and the position keys of
// YAML front matter. A line or key that does not exist is not added. Front matter that is no YAML is left
// alone, which ReadState tells. The answer is src itself where nothing changes.
func UpdateState(src []byte, p StatePosition) ([]byte, []StateEdit) {
	p = p.clean()
	out, edits := statePass(src, p)
	if len(edits) == 0 {
		return src, nil
	}
	// A change that would not stay as it is has been misunderstood, and is not made.
	if _, again := statePass(out, p); len(again) > 0 {
		return src, nil
	}
	return out, edits
}

// stateSplice is one change: src[from:to] becomes text.
type stateSplice struct {
	from, to int
	text     string
	edit     StateEdit
}

// statePass finds what p changes in src, and changes it.
func statePass(src []byte, p StatePosition) ([]byte, []StateEdit) {
	doc := openState(string(src))
	u := stateUpdate{p: p}
	front, body := doc.frontSaid(), doc.bodySaid()
	u.agreed = p.Status == "" || body.Status != "" && stateSays(body.Status, p)
	u.moved = stateMoved(body, front, p)
	splices := doc.bodySplices(u)
	u.moved = stateMoved(front, body, p)
	splices = append(splices, doc.frontSplices(u)...)
	if len(splices) == 0 {
		return src, nil
	}
	slices.SortFunc(splices, func(a, b stateSplice) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	at := 0
	edits := make([]StateEdit, len(splices))
	for i, s := range splices {
		b.Write(src[at:s.from])
		b.WriteString(s.text)
		at = s.to
		edits[i] = s.edit
	}
	b.Write(src[at:])
	return []byte(b.String()), edits
}

// stateMoved tells whether p is at another phase than the file says: by its own part, else by the other. A
// phase line that names none, such as `Not started`, is another phase.
func stateMoved(own, other StateSaid, p StatePosition) bool {
	switch {
	case p.Phase.IsZero():
		return false
	case !own.Phase.IsZero():
		return planref.Compare(own.Phase, p.Phase) != 0
	case own.noPhase:
		return true
	case !other.Phase.IsZero():
		return planref.Compare(other.Phase, p.Phase) != 0
	}
	return other.noPhase
}

// stateUpdate is what the values of a file are changed by.
type stateUpdate struct {
	p     StatePosition
	moved bool // the file is at another phase, so what it says of the phase is over
	// agreed: its status line says the status already, so that a remark to the contrary is its author's.
	agreed bool
}

// settle applies a rule until it changes nothing more, so that a second update finds nothing to do. A value
// that does not settle was misunderstood and stays.
func (u stateUpdate) settle(old string, rule func(stateUpdate, string) string) string {
	value := rule(u, old)
	u.moved = false
	for range 3 {
		next := rule(u, value)
		if next == value {
			return value
		}
		value = next
	}
	return old
}

// clean makes the texts of p such that they cannot change the form of the file.
func (p StatePosition) clean() StatePosition {
	p.Milestone = OneLine(strings.TrimSpace(p.Milestone))
	if version := strings.TrimLeft(p.Milestone, "vV"); version != "" && isDigit(version[0]) {
		p.Milestone = version
	}
	// A version of signs alone, or in code, would be read as markup when it stands on its line.
	p.Milestone = strings.ReplaceAll(p.Milestone, "`", "")
	if len(wordsOf(p.Milestone)) == 0 {
		p.Milestone = ""
	}
	p.MilestoneName = strings.TrimSpace(strings.ReplaceAll(OneLine(p.MilestoneName), "`", ""))
	p.PhaseName = OneLine(p.PhaseName)
	if !nests(p.PhaseName) { // it is written in a bracket
		p.PhaseName = strings.NewReplacer("(", "[", ")", "]").Replace(p.PhaseName)
	}
	p.Status = OneLine(p.Status)
	p.LastWhat = OneLine(p.LastWhat)
	p.Phases, p.TotalPhases, p.TotalPlans = max(p.Phases, 0), max(p.TotalPhases, 0), max(p.TotalPlans, 0)
	p.Plan, p.Plans = max(p.Plan, 0), max(p.Plans, 0)
	p.DonePhases, p.DonePlans = max(p.DonePhases, 0), max(p.DonePlans, 0)
	return p
}

// stateDoc is a STATE.md cut in its front matter and the position lines of its body.
type stateDoc struct {
	src      string
	front    stateFront
	section  int // the line of the heading, 0 for none
	lines    []stateLine
	warnings []StateWarning
}

// openState finds the places in src.
func openState(src string) stateDoc {
	doc := stateDoc{src: src}
	doc.front, doc.warnings = openStateFront(src)
	doc.section, doc.lines = stateLines(src, doc.front.end)
	return doc
}

// bodySplices is what changes in the lines of the section.
func (doc stateDoc) bodySplices(u stateUpdate) []stateSplice {
	var splices []stateSplice
	for _, l := range doc.lines {
		old := doc.src[l.from:l.to]
		value := u.settle(old, l.field.rule())
		if l.cell {
			value = strings.ReplaceAll(value, "|", "/")
		}
		if value == old || value == "" || strings.ContainsAny(value, "\r\n") {
			continue
		}
		splices = append(splices, l.splice(doc.src, value))
	}
	return splices
}

// rule is how the value of a field of the body changes.
func (f stateField) rule() func(stateUpdate, string) string {
	switch f {
	case stateMilestoneLine:
		return stateUpdate.milestone
	case statePhaseLine:
		return stateUpdate.phase
	case statePhaseNameLine:
		return stateUpdate.phaseName
	case stateTotalPhasesLine:
		return func(u stateUpdate, old string) string { return u.count(old, u.p.Phases) }
	case statePlanLine:
		return stateUpdate.plan
	case stateTotalPlansLine:
		return func(u stateUpdate, old string) string { return u.count(old, u.p.Plans) }
	case stateStatusLine:
		return stateUpdate.status
	case stateActivityLine:
		return stateUpdate.activity
	}
	return stateUpdate.progress
}

// count is a value that is nothing but a number.
func (u stateUpdate) count(old string, n int) string {
	if n <= 0 || old != "" && !statePlaceholder(old) && digits(old) != len(old) {
		return old
	}
	if old != "" && digits(old) == len(old) && len(old) <= 6 && small(old) == n {
		return old
	}
	return stateDigits(n, old)
}

// stateDigits writes n as wide as its predecessor was where that was padded.
func stateDigits(n int, like string) string {
	s := strconv.Itoa(n)
	if len(like) > 1 && like[0] == '0' && len(s) < len(like) && digits(like) == len(like) {
		s = strings.Repeat("0", len(like)-len(s)) + s
	}
	return s
}
