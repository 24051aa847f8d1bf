// Package statefile reads, updates and makes STATE.md, the page that says in a few lines where a project is.
//
// Upstream's template has five lines for that, below the heading `Current Position`, and its commands keep the same
// facts in front matter. Whatever else stands in the file is somebody's own. So the law of this package is: a value is
// replaced as a whole or not at all. It is replaced where it has one of the forms that the template or upstream's own
// commands write, so that no word of a person is lost, and where nothing in it goes backwards. Every other value that
// differs from the position is left alone, and Update says why.
package statefile

import (
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
)

// MaxSize is how large a STATE.md may be, in bytes; the largest that we know has a tenth of it.
const MaxSize = 1 << 20

// The statuses of a Position, in the template's words; upstream reads them as planning, executing, executing and
// completed.
const (
	ReadyToPlan       = "Ready to plan"
	ReadyToExecute    = "Ready to execute"
	InProgress        = "In progress"
	MilestoneComplete = "Milestone complete"
)

// Position is where the project is. A zero field is unknown, and changes nothing.
type Position struct {
	// Milestones reports whether the roadmap has milestones, and Milestone is the version of the current one as it is
	// written there, such as v1.2; MilestoneName may be empty.
	Milestones               bool
	Milestone, MilestoneName string

	Phase     planref.Number
	PhaseName string
	// Names gives the names of the other phases, empty for one that is not known; nil knows none.
	Names func(planref.Number) string

	Plan, Plans int // which plan of the phase, from 1, and how many there are; with 0 of some, none has begun

	Status string // one of the four

	LastActivity time.Time // its date is written as it is in its own time zone
	LastWhat     string    // such as `Completed 03-01-PLAN.md`

	// Those of the milestone, or of the project where it has none. Where both totals are 0, none of them is known.
	DonePhases, TotalPhases int
	DonePlans, TotalPlans   int
	Percent                 int // from 0 to 100; known where one of the totals is
}

// Edit is one value that Update replaced.
type Edit struct {
	Line     int    // from 1
	Field    string // its label, `Phase`, or its key in the front matter, `progress.percent`
	Old, New string
}

// Left is one value that differs from the position and was left alone.
type Left struct {
	Line   int
	Field  string
	Value  string
	Want   string // what the position makes of it; empty where that cannot be said
	Reason Reason
}

// Reason is why a value was left alone.
type Reason string

// The reasons.
const (
	Words          Reason = "words"      // it says more than the template has a place for, or says it in another form
	Backwards      Reason = "backwards"  // the position is behind what it says
	OtherMilestone Reason = "milestone"  // the file is at a milestone that is not the roadmap's current one
	OtherPhase     Reason = "phase"      // it belongs to a phase that was left alone
	Unreadable     Reason = "unreadable" // upstream could not read what would be written
)

// Facts is what a STATE.md itself says.
type Facts struct {
	Phase     planref.Number // of the line `Phase:`, else of the front matter
	PhaseLine int            // the line that says it; 0 for none
	Problems  []Problem
}

// Problem is something in a STATE.md that a person should mend.
type Problem struct {
	Line   int // 0 for the whole file
	Detail string
}

// Read reads a STATE.md. It takes any bytes.
func Read(src []byte) Facts {
	d := open(src)
	f := Facts{Problems: d.problems}
	for _, name := range []string{labelPhase, keyPhase} {
		if at := d.find(name); at != nil && f.PhaseLine == 0 && !at.phase.IsZero() {
			f.Phase, f.PhaseLine = at.phase, at.line
		}
	}
	if d.section == 0 {
		f.Problems = append(f.Problems, Problem{0, "there is no section Current Position"})
	}
	return f
}

// Update brings the position in a STATE.md up to p. Only values change: those of the template's lines in the section
// Current Position, and of the position's keys in front matter; nothing is added or removed, and every other byte
// stays. text is src itself where nothing changes. edits and left are in the order of their lines.
func Update(src []byte, p Position) (text []byte, edits []Edit, left []Left) {
	u := newUpdate(open(src), p)
	var b strings.Builder
	done := 0
	for i := range u.places {
		at := &u.places[i]
		if at.order == 0 || at.want == at.text {
			continue
		}
		if reason := u.reason(at); reason != "" {
			left = append(left, Left{at.line, at.name, at.text, at.want, reason})
			continue
		}
		now := at.written()
		edits = append(edits, Edit{at.line, at.name, u.src[at.from:at.to], now})
		b.WriteString(u.src[done:at.from])
		if at.from == at.to && strings.IndexByte(" \t", u.src[at.from-1]) < 0 {
			b.WriteByte(' ')
		}
		b.WriteString(now)
		done = at.to
	}
	if len(edits) == 0 {
		return src, nil, left
	}
	b.WriteString(u.src[done:])
	return []byte(b.String()), edits, left
}
