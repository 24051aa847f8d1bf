package statefile

// rules.go: which values are replaced, and by what. A value that belongs to the phase is replaced only if the file's
// phase is or becomes that of the position. The counts belong together: if one would go backwards, none is replaced.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/roadmap"
)

// rule says how to handle one kind of value. judge sets order and want of a place.
type rule struct {
	group group
	read  func(text string) value
	judge func(u *update, at *place)
	// further compares two values, for Reduce: it returns more than 0 if v is further on than w. It is nil for a value that
	// belongs to another one.
	further func(v, w *place) int
}

// group is a set of values that are replaced together or not at all.
type group int

const (
	alone group = iota
	ofPhase
	ofCounts
)

// The names that more than one rule uses.
const (
	labelPhase     = "Phase"
	labelLegacy    = "Current phase" // which upstream's commands before the template wrote, and still read
	labelProgress  = "Progress"
	keyPhase       = "current_phase"
	keyActivity    = "last_activity"
	keyTotalPhases = "progress.total_phases"
	keyDonePhases  = "progress.completed_phases"
	keyTotalPlans  = "progress.total_plans"
	keyDonePlans   = "progress.completed_plans"
	keyPercent     = "progress.percent"
	keyHead        = "state_head"
)

// rules has the rules of the template's lines, by label, and of the position's keys in front matter (upstream's
// state-md-schema.cjs).
var rules = map[string]rule{
	labelPhase:      {ofPhase, phaseForm.read, (*update).phase, furtherPhase},
	labelLegacy:     {ofPhase, phaseForm.read, (*update).phase, furtherPhase},
	"Plan":          {ofPhase, planForm.read, (*update).plan, furtherPlan},
	"Status":        {ofPhase, readStatus, (*update).status, furtherStatus},
	"Last activity": {alone, activityForm.read, (*update).activity, furtherDate},
	labelProgress:   {ofCounts, progressForm.read, (*update).count, furtherCount},

	"milestone":          {alone, textForm.read, (*update).milestone, nil},
	keyPhase:             {ofPhase, phaseForm.read, (*update).phase, furtherPhase},
	"current_phase_name": {ofPhase, textForm.read, (*update).phaseName, nil},
	"current_plan":       {ofPhase, planForm.read, (*update).plan, furtherPlan},
	"status":             {ofPhase, readStatus, (*update).status, furtherStatus},
	keyActivity:          {alone, activityForm.read, (*update).activity, furtherDate},
	"last_activity_desc": {alone, textForm.read, (*update).activityText, nil},
	keyTotalPhases:       {ofCounts, countForm.read, (*update).count, furtherCount},
	keyDonePhases:        {ofCounts, countForm.read, (*update).count, furtherCount},
	keyTotalPlans:        {ofCounts, countForm.read, (*update).count, furtherCount},
	keyDonePlans:         {ofCounts, countForm.read, (*update).count, furtherCount},
	keyPercent:           {ofCounts, countForm.read, (*update).count, furtherCount},
	keyHead:              {alone, headForm.read, (*update).head, nil},
}

// update is the state of Update.
type update struct {
	*document
	p Position

	otherMilestone bool // the file is at a milestone that is not the roadmap's current one
	begun          bool // the file says that the next milestone has begun, which has no phases yet
	held           bool // the file's phase is left alone, or it has none
	grew           bool // there are more phases or plans than the file has, so that a percentage may fall
	wider          bool // the file counts more phases or plans than there are
	behind         bool // one of the position's counts is lower than the file's
}

// newUpdate judges all places of a document.
func newUpdate(d *document, p Position) *update {
	u := &update{document: d, p: p.clean()}
	phase := u.find(labelPhase)
	if phase != nil && p.Status == MilestoneComplete {
		u.begun = strings.EqualFold(phase.text, beginMilestone)
		if phase.own && phase.phase.IsZero() || u.begun {
			u.p.Phase = planref.Number{} // no phase is current, and somebody wrote so already
		}
	}
	u.held = u.bodyPhase() == nil && u.find(keyPhase) == nil && !u.p.Phase.IsZero() || slices.ContainsFunc(u.loose, u.differs)
	for i := range u.places {
		u.places[i].rule.judge(u, &u.places[i])
	}
	return u
}

// reason returns why a place that differs is left alone; it is empty if the place is replaced.
func (u *update) reason(at *place) Reason {
	switch {
	case u.otherMilestone:
		return OtherMilestone
	case at.own || at.want == "":
		return Words
	case at.rule.group == ofCounts && u.wider:
		return Scope
	case at.order > 0:
		return Backwards
	case at.rule.read(at.want).own:
		return Unreadable
	case at.rule.group == ofPhase && u.held:
		return OtherPhase
	case at.rule.group == ofCounts && u.behind:
		return Counts
	}
	return ""
}

// moved reports whether the phase changes in the part of the file that a place is in (the section or the front matter),
// or in the other part if that one has no phase.
func (u *update) moved(at *place) bool {
	own, other := u.bodyPhase(), u.find(keyPhase)
	if at.front {
		own, other = other, own
	}
	own = cmp.Or(own, other)
	return own != nil && !u.p.Phase.IsZero() && planref.Compare(own.phase, u.p.Phase) != 0
}

// bodyPhase returns the place of the phase in the section; nil for none.
func (u *update) bodyPhase() *place { return cmp.Or(u.find(labelPhase), u.find(labelLegacy)) }

// differs reports whether a phase is another one than that of the position.
func (u *update) differs(phase planref.Number) bool {
	return !phase.IsZero() && !u.p.Phase.IsZero() && planref.Compare(phase, u.p.Phase) != 0
}

// phase is the rule for `Phase:`, `Current Phase:` and current_phase. If one of them cannot be moved, none is, because upstream
// calls a file contradicting in which they differ. The name in brackets must be that of the phase in the roadmap or of
// its directory. A greater total in the file is kept, because it may count the phases of all milestones.
func (u *update) phase(at *place) {
	p := u.p
	if p.Phase.IsZero() {
		return
	}
	at.order, at.want = planref.Compare(at.phase, p.Phase), p.Phase.String()
	if at.name == labelPhase {
		total, name := max(p.TotalPhases, at.total), p.PhaseName
		if past, _ := planref.ParseNumber(strconv.Itoa(total + 1)); planref.Compare(p.Phase, past) >= 0 {
			total = 0 // the numbers continue from earlier milestones, but the total does not
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
	if (u.moved(at) || u.differs(at.phase)) && u.reason(at) != "" {
		u.held = true
	}
}

// letters returns the words of s in lower case without punctuation, to compare it with the name of a directory.
func letters(s string) string {
	other := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), other), "")
}

// phaseName is the rule for current_phase_name. It is the author's own unless the phase changes.
func (u *update) phaseName(at *place) {
	if u.moved(at) {
		at.order, at.want = -1, u.p.PhaseName
	}
}

// plan is the rule for `Plan:` and current_plan. A phase without plans is not started.
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

// status is the rule for `Status:` and for the key status, whose values are upstream's tokens.
func (u *update) status(at *place) {
	if u.p.Status == "" {
		return
	}
	own, moved := readStatus(string(u.p.Status)).stage, u.moved(at)
	at.want = string(u.p.Status)
	if at.front {
		at.want = tokens[own]
	}
	if !at.phase.IsZero() && !u.p.Phase.IsZero() { // the status names its phase
		at.order = planref.Compare(at.phase, u.p.Phase)
		moved = at.order < 0
	}
	switch {
	case at.order > 0:
	case u.begun:
		at.order = 1
	case moved, at.front && tokens[at.stage] == tokens[own]:
		at.order = -1 // or the same status in other words
	case at.stage == paused:
	case at.stage == running && own == toExecute: // what the disk does not show
	default:
		at.order = cmp.Compare(at.stage, own)
	}
}

// activity is the rule for `Last activity:` and last_activity. An activity on the same day or later is kept.
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

// activityText is the rule for last_activity_desc, which belongs to the date in last_activity.
func (u *update) activityText(at *place) {
	if date := u.find(keyActivity); date != nil && !date.own {
		u.activity(date)
		at.order, at.want = date.order, u.p.LastWhat
	}
}

// count is the rule for `Progress:` and for the keys below progress.
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
		u.grew, u.wider = u.grew || at.order < 0, u.wider || at.order > 0 && !at.own
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

// head is the rule for state_head, the commit that the file was written at (upstream's state.cjs, readGitHeadSha).
func (u *update) head(at *place) {
	if u.p.Head != nil && !at.own {
		if at.want = u.p.Head(); at.want != "" && at.want != at.text {
			at.order = -1
		}
	}
}

// milestone is the rule for milestone, which is never replaced, because upstream's commands for milestones write it.
func (u *update) milestone(at *place) {
	if at.text != "" && u.p.Milestones && version(at.text) != version(u.p.Milestone) {
		u.otherMilestone = true
		at.order, at.want = -1, u.p.Milestone
	}
}

// version normalises a milestone: v1.0 and v1.0.0 become 1.
func version(s string) string {
	s = strings.TrimLeft(strings.ToLower(s), "v")
	return strings.TrimSuffix(strings.TrimSuffix(s, ".0"), ".0")
}

// clean returns p with texts that cannot change the form of the file. In upstream a name ends at the first closing
// bracket.
func (p Position) clean() Position {
	p.Milestone, p.MilestoneName, p.LastWhat = roadmap.OneLine(p.Milestone), roadmap.OneLine(p.MilestoneName), roadmap.OneLine(p.LastWhat)
	if len(letters(p.LastWhat)) < 3 {
		p.LastWhat = "" // such a subject says nothing
	}
	p.PhaseName = strings.NewReplacer("(", "[", ")", "]").Replace(roadmap.OneLine(p.PhaseName))
	if year := p.LastActivity.Year(); year < 1000 || year > 9999 {
		p.LastActivity = time.Time{}
	}
	return p
}
