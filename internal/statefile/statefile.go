// Package statefile reads, updates and makes STATE.md, the page that says in a few lines where a project is.
//
// Upstream's template has five lines for that, below the heading `Current Position`, and its commands keep the same
// facts in front matter. Whatever else stands in the file is somebody's own. So the law of this package is: a value is
// replaced as a whole or not at all. It is replaced where it has one of the forms that the template or upstream's own
// commands write, so that no word of a person is lost, and where nothing in it goes backwards. Every other value that
// differs from the position is left alone, and Update says why.
package statefile

import (
	"bytes"
	"errors"
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
	// Names gives the names of other phases, empty for one that is not known; nil knows none.
	Names func(planref.Number) string

	Plan, Plans int // which plan of the phase, from 1, and how many there are; with 0 of some, none has begun

	Status string // one of the four

	LastActivity time.Time // its date is written as it is in its own time zone
	LastWhat     string    // such as `Completed 03-01-PLAN.md`

	// Those of the milestone, or of the project where it has none. A total of 0 is unknown.
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
	Words      Reason = "words"      // it says more than the template has a place for, or says it in another form
	Backwards  Reason = "backwards"  // the position is behind what it says
	Unlike     Reason = "milestone"  // the file is at a milestone that is not the roadmap's current one
	OtherPhase Reason = "phase"      // it belongs to a phase that was left alone
	Repeated   Reason = "repeated"   // there are two such lines
	Unreadable Reason = "unreadable" // upstream could not read what would be written
)

// Facts is what a STATE.md itself says.
type Facts struct {
	Milestone string         // of the front matter, such as v1.2
	Phase     planref.Number // of the line `Phase:`, else of the front matter
	PhaseLine int            // the line that says it; 0 for none
	Section   int            // the line of the heading `Current Position`; 0 for none
	Problems  []Problem
}

// Problem is something in a STATE.md that a person should mend.
type Problem struct {
	Line   int // 0 for the whole file
	Detail string
}

// ErrEncoding means that a file is not UTF-8 text: UTF-16, or binary.
var ErrEncoding = errors.New("it is not UTF-8 text; save it as UTF-8")

// Check reports whether src can be a STATE.md: ErrEncoding where it is binary or UTF-16.
func Check(src []byte) error {
	if bytes.IndexByte(src, 0) >= 0 || bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return ErrEncoding
	}
	return nil
}

// Read reads a STATE.md. It takes any bytes.
func Read(src []byte) Facts {
	d := open(string(src))
	f := Facts{Section: d.section, Problems: d.problems}
	if v, ok := d.front[keyMilestone]; ok {
		f.Milestone = v.text
	}
	for _, v := range []value{d.body[labelPhase], d.front[keyPhase]} {
		if n := readPhase(v.text).number; f.PhaseLine == 0 && !n.IsZero() {
			f.Phase, f.PhaseLine = n, v.line
		}
	}
	if d.section == 0 {
		f.Problems = append(f.Problems, Problem{0, "there is no section Current Position"})
	}
	return f
}

// document is a STATE.md with the places of its position.
type document struct {
	src      string
	section  int
	body     map[string]value // by label
	front    map[string]value // by key; nil without front matter that can be read
	problems []Problem
}

// value is the value of a line or key: src[from:to] is replaced by another.
type value struct {
	line     int
	from, to int
	text     string // without quotes
	quote    byte   // in front matter 0, '"' or '\''
	repeated bool   // there are several such lines
	free     bool   // it goes on in the next line, or is of another form altogether
}

// open finds the places in src.
func open(src string) *document {
	d := &document{src: src}
	rest := d.openFront()
	d.openBody(rest)
	return d
}

// nextLine is the line at offset at of s without its end, and where the next one begins.
func nextLine(s string, at int) (text string, next int) {
	next = len(s)
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		next = at + i + 1
	}
	return strings.TrimRight(s[at:next], "\r\n"), next
}
