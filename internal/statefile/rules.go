package statefile

// rules.go: what becomes of each value. One that tells of the phase is replaced only where the file's phase is, or
// becomes, that of the position; the counts are one statement, and none of them is replaced where one would go
// backwards.

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/roadmap"
)

// rule is how one kind of value is read, and judged: judge sets order and want of a place.
type rule struct {
	group group
	read  func(text string) value
	judge func(u *update, at *place)
}

// group is which values are replaced together or not at all.
type group int

const (
	alone group = iota
	ofPhase
	ofCounts
)

// The names that more than one rule looks at.
const (
	labelPhase     = "Phase"
	labelProgress  = "Progress"
	keyPhase       = "current_phase"
	keyActivity    = "last_activity"
	keyTotalPhases = "progress.total_phases"
	keyDonePhases  = "progress.completed_phases"
	keyTotalPlans  = "progress.total_plans"
	keyDonePlans   = "progress.completed_plans"
	keyPercent     = "progress.percent"
)

// rules are those of the template's lines, by label, and of the position's keys in front matter (upstream's
// state-md-schema.cjs).
var rules = map[string]rule{
	labelPhase:      {ofPhase, phaseForm.read, (*update).phase},
	"Plan":          {ofPhase, planForm.read, (*update).plan},
	"Status":        {ofPhase, readStatus, (*update).status},
	"Last activity": {alone, activityForm.read, (*update).activity},
	labelProgress:   {ofCounts, progressForm.read, (*update).count},

	"milestone":          {alone, textForm.read, (*update).milestone},
	keyPhase:             {ofPhase, phaseForm.read, (*update).phase},
	"current_phase_name": {ofPhase, textForm.read, (*update).phaseName},
	"current_plan":       {ofPhase, planForm.read, (*update).plan},
	"status":             {ofPhase, readStatus, (*update).status},
	keyActivity:          {alone, activityForm.read, (*update).activity},
	"last_activity_desc": {alone, textForm.read, (*update).activityText},
	keyTotalPhases:       {ofCounts, countForm.read, (*update).count},
	keyDonePhases:        {ofCounts, countForm.read, (*update).count},
	keyTotalPlans:        {ofCounts, countForm.read, (*update).count},
	keyDonePlans:         {ofCounts, countForm.read, (*update).count},
	keyPercent:           {ofCounts, countForm.read, (*update).count},
}

// update is one run of Update.
type update struct {
	*document
	p Position

	otherMilestone bool // the file is at a milestone that is not the roadmap's current one
	held           bool // its phase is left alone, or it names none
	grew           bool // there are more phases or plans than it says, so that a percentage may fall
	behind         bool // the position counts less than it does
}

// newUpdate judges all places of a document.
func newUpdate(d *document, p Position) *update {
	u := &update{document: d, p: p.clean()}
	phase := u.find(labelPhase)
	if phase != nil && phase.own && phase.phase.IsZero() && p.Status == MilestoneComplete {
		u.p.Phase = planref.Number{} // no phase is current, and somebody says so already
	}
	u.held = phase == nil && u.find(keyPhase) == nil && !u.p.Phase.IsZero()
	for i := range u.places {
		u.places[i].rule.judge(u, &u.places[i])
	}
	return u
}

// reason is why a place that differs is left alone; empty where it is not.
func (u *update) reason(at *place) Reason {
	switch {
	case u.otherMilestone:
		return OtherMilestone
	case at.own || at.want == "":
		return Words
	case at.order > 0:
		return Backwards
	case at.rule.read(at.want).own:
		return Unreadable
	case at.rule.group == ofPhase && u.held:
		return OtherPhase
	case at.rule.group == ofCounts && u.behind:
		return Backwards
	}
	return ""
}

// moved reports whether the phase of a place's part of the file, else of the other part, becomes another.
func (u *update) moved(at *place) bool {
	own, other := u.find(labelPhase), u.find(keyPhase)
	if at.front {
		own, other = other, own
	}
	own = cmp.Or(own, other)
	return own != nil && !u.p.Phase.IsZero() && planref.Compare(own.phase, u.p.Phase) != 0
}

// phase is the rule of `Phase:` and of current_phase. What stands in brackets must be what the roadmap calls the phase,
// or its directory. A greater total of the file's stays: it may count the phases of all milestones.
func (u *update) phase(at *place) {
	p := u.p
	if p.Phase.IsZero() {
		return
	}
	at.order, at.want = planref.Compare(at.phase, p.Phase), p.Phase.String()
	if !at.front {
		total, name := max(p.TotalPhases, at.total), p.PhaseName
		if past, _ := planref.ParseNumber(strconv.Itoa(total + 1)); planref.Compare(p.Phase, past) >= 0 {
			total = 0 // the phases count on from earlier milestones, and the total does not
		}
		switch {
		case at.order == 0 && at.total > 0 && at.total < total && !at.own:
			at.order, name = -1, at.title
		case at.order < 0 && at.title != "":
			at.own = at.own || p.Names == nil || letters(p.Names(at.phase)) != letters(at.title)
		}
		if total > 0 {
			at.want += " of " + strconv.Itoa(total)
		}
		if name != "" {
			at.want += " (" + name + ")"
		}
	}
	if u.moved(at) && u.reason(at) != "" {
		u.held = true
	}
}

// letters is s without what the name of a directory does not have.
func letters(s string) string {
	other := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), other), "")
}

// phaseName is the rule of current_phase_name. The name of the phase that the file is at is its author's.
func (u *update) phaseName(at *place) {
	if u.moved(at) {
		at.order, at.want = -1, u.p.PhaseName
	}
}

// plan is the rule of `Plan:` and of current_plan. A phase without plans has none that began.
func (u *update) plan(at *place) {
	p, moved := u.p, u.moved(at)
	switch {
	case p.Phase.IsZero() || p.Plans == 0 && (!moved || at.none):
		return
	case p.Plans == 0:
		at.order, at.want = -1, "Not started"
		return
	case at.front:
		at.want = strconv.Itoa(p.Plan)
	default:
		at.want = fmt.Sprintf("%d of %d in current phase", p.Plan, p.Plans)
	}
	switch same := at.n == p.Plan && (at.total == p.Plans || at.total == 0 && !at.own); {
	case same && !(moved && at.own):
	case !moved && (at.n > p.Plan || at.total > p.Plans):
		at.order = 1
	default:
		at.order = -1
	}
}

// status is the rule of `Status:` and of the key status, whose words are upstream's tokens.
func (u *update) status(at *place) {
	if u.p.Status == "" {
		return
	}
	own, moved := readStatus(u.p.Status).stage, u.moved(at)
	at.want = u.p.Status
	if at.front {
		at.want = tokens[own]
	}
	if !at.phase.IsZero() && !u.p.Phase.IsZero() { // it says itself of which
		at.order = planref.Compare(at.phase, u.p.Phase)
		moved = at.order < 0
	}
	switch {
	case at.order > 0:
	case moved, at.front && tokens[at.stage] == tokens[own]:
		at.order = -1 // or the same, maybe in other words
	case at.stage == paused:
	case at.stage == running && own == toExecute: // what the disk does not show
	default:
		at.order = cmp.Compare(at.stage, own)
	}
}

// activity is the rule of `Last activity:` and of last_activity. A file that knows of one on the same day or later is
// right.
func (u *update) activity(at *place) {
	if u.p.LastActivity.IsZero() {
		return
	}
	at.want = u.p.LastActivity.Format(time.DateOnly)
	at.order = min(0, cmp.Compare(at.date, at.want))
	if u.p.LastWhat != "" && (at.what != "" || at.none && !at.front) {
		at.want += " — " + u.p.LastWhat
	}
}

// activityText is the rule of last_activity_desc, which goes with the date in last_activity.
func (u *update) activityText(at *place) {
	if date := u.find(keyActivity); date != nil && !date.own {
		u.activity(date)
		at.order, at.want = date.order, u.p.LastWhat
	}
}

// count is the rule of `Progress:` and of the keys in progress.
func (u *update) count(at *place) {
	p := u.p
	if p.TotalPhases == 0 && p.TotalPlans == 0 {
		return
	}
	n := map[string]int{
		keyTotalPhases: p.TotalPhases, keyDonePhases: p.DonePhases, keyTotalPlans: p.TotalPlans, keyDonePlans: p.DonePlans,
		keyPercent: p.Percent, labelProgress: p.Percent,
	}[at.name]
	at.order, at.want = cmp.Compare(at.n, n), strconv.Itoa(n)
	switch at.name {
	case keyTotalPhases, keyTotalPlans:
		u.grew = u.grew || at.order < 0
	case labelProgress:
		at.want = drawProgress(n, at.width)
		fallthrough
	case keyPercent:
		if u.grew {
			at.order = min(at.order, -at.order)
		}
	}
	u.behind = u.behind || at.order > 0
}

// milestone is the rule of milestone, which is never replaced: upstream's commands for milestones write it.
func (u *update) milestone(at *place) {
	if at.text != "" && u.p.Milestones && version(at.text) != version(u.p.Milestone) {
		u.otherMilestone = true
		at.order, at.want = -1, u.p.Milestone
	}
}

// version is a milestone as it is compared: v1.0 and v1.0.0 are 1.
func version(s string) string {
	s = strings.TrimLeft(strings.ToLower(s), "v")
	return strings.TrimSuffix(strings.TrimSuffix(s, ".0"), ".0")
}

// clean makes p such that it cannot change the form of the file. Upstream takes a name to end at the first closing
// bracket.
func (p Position) clean() Position {
	p.Milestone, p.MilestoneName, p.LastWhat = roadmap.OneLine(p.Milestone), roadmap.OneLine(p.MilestoneName), roadmap.OneLine(p.LastWhat)
	p.PhaseName = strings.NewReplacer("(", "[", ")", "]").Replace(roadmap.OneLine(p.PhaseName))
	if year := p.LastActivity.Year(); year < 1000 || year > 9999 {
		p.LastActivity = time.Time{}
	}
	return p
}
