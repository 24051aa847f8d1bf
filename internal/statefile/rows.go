package statefile

// rows.go: the values of the position, as rows of one table, and one principle for all of them. A value is replaced if its row
// reads it whole, which is that nothing in it is its author's own, and if the position is not behind it. One that is about the
// phase is behind any that is about a later phase, whatever else it says.

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
)

// row is one value: of a line of the template, whose name is its label, or of a key in front matter.
type row struct {
	states fact // what a value of the position states here
	note   bool // upstream writes it with every change of the position: when, and where the work stopped
	list   bool // it is a list of lines, which only Reduce knows
	read   func(text string) value
	// print returns what a place has to say for the position, which is empty if nobody knows. It returns false if the position
	// says nothing about the place. It is nil for a value that only Reduce knows.
	print func(u *update, at *place) (want string, ok bool)
	// order compares two values: below 0 if a is earlier than b. It is nil for a value that belongs to another one.
	order func(a, b value) int
}

// fact is a set of the facts that values state.
type fact int

const (
	ofPhase  fact = 1 << iota // which phase is current; also of a value that is about this phase
	ofPlan                    // which plan of it is current, and of how many
	ofStatus                  // how far the phase or the milestone is
	ofCounts                  // how many phases and plans there are, and how many are done
)

// The names that more than one function uses.
const (
	labelPhase     = "Phase"
	labelLegacy    = "Current phase" // which upstream's commands before the template wrote, and still read
	labelProgress  = "Progress"
	labelActivity  = "Last activity"
	labelSession   = "Last session"
	keyMilestone   = "milestone"
	keyPhase       = "current_phase"
	keyPhaseName   = "current_phase_name"
	keyActivity    = "last_activity"
	keyUpdated     = "last_updated"
	keyTotalPhases = "progress.total_phases"
	keyDonePhases  = "progress.completed_phases"
	keyTotalPlans  = "progress.total_plans"
	keyDonePlans   = "progress.completed_plans"
	keyPercent     = "progress.percent"
	keyHead        = "state_head"
)

// rows has the template's lines by label and the position's keys in front matter (upstream's state-md-schema.cjs).
var rows = map[string]row{
	labelPhase: phaseRow, labelLegacy: phaseRow, keyPhase: phaseRow,
	keyPhaseName: {states: ofPhase, read: textForm.read, print: func(u *update, at *place) (string, bool) {
		return u.p.PhaseName, u.moved(at) // it is the author's own unless the phase changes
	}},
	"Plan": planRow, "current_plan": planRow,
	"Status": statusRow, "status": statusRow,
	labelActivity: activityRow, keyActivity: activityRow,
	"last_activity_desc": {read: textForm.read, print: printWhat, note: true},

	keyTotalPhases: countRow(func(p *Position) int { return p.TotalPhases }),
	keyDonePhases:  countRow(func(p *Position) int { return p.DonePhases }),
	keyTotalPlans:  countRow(func(p *Position) int { return p.TotalPlans }),
	keyDonePlans:   countRow(func(p *Position) int { return p.DonePlans }),
	keyPercent:     countRow(func(p *Position) int { return p.Percent }),
	labelProgress: {states: ofCounts, read: progressForm.read, order: byNumber, print: func(u *update, at *place) (string, bool) {
		return drawProgress(u.p.Percent, at.width), u.counts()
	}},

	keyMilestone: {read: textForm.read, print: func(u *update, _ *place) (string, bool) {
		return u.p.Milestone, u.otherMilestone // it is never replaced, because upstream's commands for milestones write it
	}},
	keyHead: {read: headForm.read, note: true, print: func(u *update, at *place) (head string, ok bool) {
		if u.p.Head != nil && !at.own { // the commit that the file was written at (upstream's state.cjs, readGitHeadSha)
			head = u.p.Head()
		}
		return head, head != ""
	}},

	keyUpdated: noteRow, "stopped_at": noteRow, labelSession: noteRow, "Stopped at": noteRow, "Resume file": noteRow,
}

var (
	phaseRow    = row{states: ofPhase, read: phaseForm.read, print: printPhase, order: byPhase}
	planRow     = row{states: ofPhase | ofPlan, read: planForm.read, print: printPlan, order: byNumber}
	statusRow   = row{states: ofPhase | ofStatus, read: readStatus, print: printStatus, order: byStage}
	activityRow = row{read: activityForm.read, print: printActivity, order: byDate}
	noteRow     = row{read: textForm.read, note: true}
)

// countRow returns the row of a count or a percentage.
func countRow(of func(p *Position) int) row {
	return row{states: ofCounts, read: countForm.read, order: byNumber, print: func(u *update, _ *place) (string, bool) {
		return strconv.Itoa(of(&u.p)), u.counts()
	}}
}

// The orders of values.

// byPhase does not compare a total that one of them does not state.
func byPhase(a, b value) int {
	n := planref.Compare(a.phase, b.phase)
	if n == 0 && a.total > 0 && b.total > 0 {
		n = cmp.Compare(a.total, b.total)
	}
	return n
}

func byNumber(a, b value) int { return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.total, b.total)) }

func byStage(a, b value) int { return cmp.Compare(a.stage, b.stage) }

func byDate(a, b value) int { return cmp.Compare(a.date, b.date) }

// The printers.

// printPhase prints a phase; in the template's line a greater total is kept, because it may count the phases of all milestones, and so
// is the name of a phase that stays the current one.
func printPhase(u *update, at *place) (string, bool) {
	p := u.p
	text, same := p.Phase.String(), planref.Compare(at.phase, p.Phase) == 0
	if at.name == labelPhase && !p.Phase.IsZero() {
		total, name := max(p.TotalPhases, at.total), p.PhaseName
		past, _ := planref.ParseNumber(strconv.Itoa(total + 1))
		if planref.Compare(p.Phase, past) >= 0 || planref.Compare(p.LastPhase, past) >= 0 {
			total = 0 // the numbers continue from earlier milestones, but the total does not: 8 of 8 would be read as the last
		}
		if same && at.total > 0 {
			name = at.title
		}
		if total > 0 {
			text += " of " + strconv.Itoa(total)
		}
		if name != "" {
			text += " (" + name + ")"
		}
	}
	return text, !p.Phase.IsZero() && !(same && at.own)
}

// printPlan prints a plan. A phase without plans is not started.
func printPlan(u *update, at *place) (string, bool) {
	p := u.p
	switch same := at.n == p.Plan && (at.total == p.Plans || at.total == 0); {
	case p.Phase.IsZero(), same && !at.own:
		return "", false
	case p.Plans == 0:
		return "Not started", u.moved(at) && !at.none
	case at.front:
		return strconv.Itoa(p.Plan), true
	}
	return fmt.Sprintf("%d of %d in current phase", p.Plan, p.Plans), true
}

// printStatus prints a status, or upstream's token for it. Only people know when what they paused or discuss is over, and the disk does
// not show that a plan was started.
func printStatus(u *update, at *place) (string, bool) {
	text, stays := string(u.p.Status), at.stage == paused || at.stage == running && u.stage == toExecute && !at.front
	if at.front {
		text = tokens[u.stage]
	}
	return text, u.p.Status != "" && (u.about(at) != 0 || !stays)
}

// printActivity prints the latest activity, unless the file has one of that day or later.
func printActivity(u *update, at *place) (string, bool) {
	text := u.today()
	isNew := text > at.date
	if u.p.LastWhat != "" && (at.what != "" || at.none && !at.front) {
		text += " — " + u.p.LastWhat
	}
	return text, isNew
}

// printWhat prints the activity that belongs to the date in last_activity.
func printWhat(u *update, _ *place) (string, bool) {
	date := u.find(keyActivity)
	return u.p.LastWhat, date != nil && !date.own && u.today() > date.date
}

// today returns the date of the latest activity, empty if it is unknown.
func (u *update) today() string { return stamp(u.p.LastActivity, time.DateOnly) }

// counts reports whether the position's counts are known.
func (u *update) counts() bool { return u.p.TotalPhases > 0 || u.p.TotalPlans > 0 }
