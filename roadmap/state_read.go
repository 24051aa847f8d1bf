package roadmap

// state_read.go: what a STATE.md itself says, so that gsd can tell where it differs from the disk.

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// StateSaid is what one part of a STATE.md says. Fields that it does not say, or not so that it is understood, are
// zero.
type StateSaid struct {
	StatePosition
	PhaseLine int // the line, counted from 1, that tells of the phase; 0 where none does

	noPhase bool // it says that there is no phase now
}

// StateWarning is something in a STATE.md that a person should mend.
type StateWarning struct {
	Line   int
	Code   string // front-matter-broken, front-matter-open, section-missing
	Detail string
}

// StateFacts is what a STATE.md says: in the lines of its position section, and in its front matter. They
// may differ.
type StateFacts struct {
	Section     int // the line of the section's heading; 0 for none
	Body, Front StateSaid
	Warnings    []StateWarning
}

// Phase is the phase that the file says the project is at, and on which line: by its section, which people
// read, else by its front matter.
func (f StateFacts) Phase() (planref.Number, int) {
	if !f.Body.Phase.IsZero() {
		return f.Body.Phase, f.Body.PhaseLine
	}
	return f.Front.Phase, f.Front.PhaseLine
}

// ReadState reads a STATE.md. It takes any bytes.
func ReadState(src []byte) StateFacts {
	doc := openState(string(src))
	f := StateFacts{Section: doc.section, Body: doc.bodySaid(), Front: doc.frontSaid(), Warnings: doc.warnings}
	if doc.section == 0 {
		f.Warnings = append(f.Warnings, StateWarning{0, "section-missing", "there is no section Current Position"})
	}
	return f
}

// bodySaid is what the position section says.
func (doc stateDoc) bodySaid() StateSaid {
	var s StateSaid
	for _, l := range doc.lines {
		value := doc.src[l.from:l.to]
		switch l.field {
		case stateMilestoneLine:
			s.sayMilestone(value)
		case statePhaseLine:
			s.PhaseLine = l.no
			s.sayPhase(value)
		case statePhaseNameLine:
			s.PhaseName = value
		case stateTotalPhasesLine:
			s.Phases = stateInt(value)
		case statePlanLine:
			s.sayPlan(value)
		case stateTotalPlansLine:
			s.Plans = stateInt(value)
		case stateStatusLine:
			s.Status = value
		case stateActivityLine:
			s.sayActivity(value)
		case stateProgressLine:
			s.sayProgress(value)
		}
	}
	return s
}

// frontSaid is what the front matter says.
func (doc stateDoc) frontSaid() StateSaid {
	var s StateSaid
	keys := doc.front.keys
	s.PhaseLine = keys[keyPhase].no
	s.Milestone = keys[keyMilestone].text
	s.MilestoneName = keys[keyMilestoneName].text
	if k, ok := keys[keyPhase]; ok {
		s.sayPhase(k.text)
	}
	if name := keys[keyPhaseName].text; name != "" {
		s.PhaseName = name
	}
	s.sayPlan(keys[keyPlan].text)
	s.Status = keys[keyStatus].text
	s.sayActivity(keys[keyActivity].text)
	s.TotalPhases, s.DonePhases = stateInt(keys[keyTotalPhases].text), stateInt(keys[keyCompletedPhases].text)
	s.TotalPlans, s.DonePlans = stateInt(keys[keyTotalPlans].text), stateInt(keys[keyCompletedPlans].text)
	return s
}

// stateInt is the number that a value is; 0 for none.
func stateInt(s string) int {
	if n := digits(s); n != len(s) || n > 6 {
		return 0
	}
	return small(s)
}

func (s *StateSaid) sayMilestone(value string) {
	version, name, _ := strings.Cut(value, " ")
	if versionAt(version) != "" {
		s.Milestone, s.MilestoneName = version, name
	}
}

func (s *StateSaid) sayPhase(value string) {
	v, ok := cutStatePhase(value)
	if !ok {
		s.noPhase = isNoPhase(value)
		return
	}
	s.Phase, s.PhaseName, s.Phases = v.number, v.name, stateInt(v.total)
}

func (s *StateSaid) sayPlan(value string) {
	if v, ok := cutStatePlan(value); ok {
		s.Plan, s.Plans = v.number, stateInt(v.total)
	}
}

func (s *StateSaid) sayActivity(value string) {
	if v, ok := cutStateActivity(value); ok {
		s.LastActivity, s.LastWhat = v.date, v.what
	}
}

func (s *StateSaid) sayProgress(value string) {
	v := cutStateProgress(value)
	if v.odd {
		return
	}
	for _, c := range v.counts {
		done, total := small(value[c.done.from:c.done.to]), stateInt(value[c.total.from:c.total.to])
		if c.phases {
			s.DonePhases, s.TotalPhases = done, total
		} else {
			s.DonePlans, s.TotalPlans = done, total
		}
	}
}
