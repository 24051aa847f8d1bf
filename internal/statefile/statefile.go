// Package statefile reads, updates and creates STATE.md, which states the position of a project in a few lines.
//
// Upstream's template has five lines for the position, below the heading `Current Position`, and its commands keep the
// same facts in front matter. Everything else in the file belongs to its authors. So a value is replaced as a whole or
// not at all: only if it is understood whole, as one of the forms that the template or upstream's own commands write, so that no word of a
// person is lost, if the position is not behind it, and if the new one contradicts no value that is left alone. Every other value that
// differs from the position is left alone, and Update says why.
package statefile

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
)

// MaxSize is the maximum size of a STATE.md in bytes; the largest known one has a tenth of it.
const MaxSize = 1 << 20

// Status is the status of a Position, in the template's words.
type Status string

// The statuses; upstream reads them as planning, executing, executing and completed.
const (
	ReadyToPlan       Status = "Ready to plan"
	ReadyToExecute    Status = "Ready to execute"
	InProgress        Status = "In progress"
	MilestoneComplete Status = "Milestone complete"
)

// Position is where the project is. A zero field is unknown and changes nothing.
type Position struct {
	// Milestones reports whether the roadmap has milestones. Milestone is the version of the current one as written
	// there, such as v1.2; MilestoneName may be empty.
	Milestones               bool
	Milestone, MilestoneName string

	Phase     planref.Number
	PhaseName string
	LastPhase planref.Number // the greatest number that counts among TotalPhases
	// Names returns the names of the other phases, empty if unknown. It may be nil.
	Names func(planref.Number) string

	Plan, Plans int // the number of the current plan in the phase, from 1 (0 if none has started), and of all its plans

	Status Status

	LastActivity time.Time // its date is written in its own time zone
	LastWhat     string    // such as `Completed 03-01-PLAN.md`

	// Of the milestone, or of the project if it has none; unknown if both totals are 0.
	DonePhases, TotalPhases int
	DonePlans, TotalPlans   int
	Percent                 int // from 0 to 100

	// Head returns the full hash of the commit that is checked out, empty if unknown. It is called only if the file has a
	// state_head, and may be nil.
	Head func() string
}

// Edit is a value of STATE.md that was replaced, or would be.
type Edit struct {
	Line  int    `json:"line"`  // its line, from 1
	Field string `json:"field"` // its label, such as Phase, or its key in the front matter, such as progress.percent
	Old   string `json:"old"`   // the former value
	New   string `json:"new"`   // the new value
}

// Left is a value of STATE.md that differs from the position and was left alone.
type Left struct {
	Line   int    `json:"line"`              // its line, from 1
	Field  string `json:"field"`             // its label, such as Phase, or its key in the front matter, such as progress.percent
	Value  string `json:"value"`             // the value in the file
	Want   string `json:"want" empty:"null"` // the value for the position; null if unknown
	Reason Reason `json:"reason"`

	Because Statement `json:"because" empty:"null"` // what Want would contradict; null for another reason
}

// Statement is a value of STATE.md that is left alone.
type Statement struct {
	Line  int    `json:"line"`  // its line, from 1
	Field string `json:"field"` // its label, such as Status, or its key in the front matter, such as current_phase
	Value string `json:"value"` // the value in the file
}

// Reason is why a value was left alone.
type Reason string

// The reasons.
const (
	Words          Reason = "words"       // it has more words than the template, or another form
	Backwards      Reason = "backwards"   // the position is behind it
	Scope          Reason = "scope"       // it belongs to counts of more phases or plans than the current milestone has
	OtherMilestone Reason = "milestone"   // the file is at a milestone that is not the roadmap's current one
	NoPhase        Reason = "phase"       // it belongs to a phase, and the file has none
	Contradicts    Reason = "contradicts" // it would contradict another value that is left alone
	Unreadable     Reason = "unreadable"  // upstream could not read the new value
)

// Facts is what a STATE.md itself states.
type Facts struct {
	Phase     planref.Number // in the line `Phase:`, else in the front matter
	PhaseLine int            // the line of Phase; 0 for none
	Problems  []Problem

	DonePlans, Percent int // -1 if it does not state them
}

// Problem is a mistake in a STATE.md that a person should fix.
type Problem struct {
	Line   int // 0 for the whole file
	Detail string
}

// Read parses a STATE.md. It accepts any input.
func Read(src []byte) Facts {
	d := open(src)
	f := Facts{Problems: d.problems}
	for _, name := range []string{labelPhase, labelLegacy, keyPhase} {
		if at := d.find(name); at != nil && f.PhaseLine == 0 && !at.phase.IsZero() {
			f.Phase, f.PhaseLine = at.phase, at.line
		}
	}
	count := func(names ...string) int {
		for _, name := range names {
			if at := d.find(name); at != nil && !at.none && at.n >= 0 {
				return at.n
			}
		}
		return -1
	}
	f.DonePlans, f.Percent = count(keyDonePlans), count(keyPercent, labelProgress)
	if d.section == 0 {
		f.Problems = append(f.Problems, Problem{0, "there is no section Current Position"})
	}
	return f
}

// Update updates the position in a STATE.md to p. It only replaces values, those of the template's lines in the section
// Current Position and of the position's keys in front matter, and keeps every other byte. text is src itself if
// nothing changes. state_head, the commit that the file was written at, moves only with another value. edits and left are in the
// order of lines.
func Update(src []byte, p Position) (text []byte, edits []Edit, left []Left) {
	u := newUpdate(open(src), p)
	values := map[string]string{} // by name
	written := slices.ContainsFunc(u.places, func(at place) bool { return at.name != keyHead && at.edited() })
	for i := range u.places {
		at := &u.places[i]
		if !at.differs() || at.name == keyHead && !written {
			continue
		}
		if at.reason != "" {
			l := Left{Line: at.line, Field: at.name, Value: at.text, Want: at.want, Reason: at.reason}
			if by := at.because; by != nil {
				l.Because = Statement{by.line, by.name, by.text}
			}
			left = append(left, l)
			continue
		}
		now := at.written()
		edits = append(edits, Edit{at.line, at.name, at.raw, now})
		values[at.name] = now
	}
	if len(edits) == 0 {
		return src, nil, left
	}
	return u.splice(values), edits, left
}
