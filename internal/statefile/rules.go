package statefile

// rules.go: which values are replaced, and by what. Each value states some facts. One that must stay as it is and disagrees with the
// position about a fact keeps all others that state this fact, so that the file does not contradict itself in what was written.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/text"
)

// rule says how to handle one kind of value. judge sets order and want of a place.
type rule struct {
	states fact // what a value of the position states here
	read   func(text string) value
	judge  func(u *update, at *place)
	// further compares two values, for Reduce: it returns more than 0 if v is further on than w. It is nil for a value that
	// belongs to another one.
	further func(v, w *place) int
}

// fact is a set of the facts that values state.
type fact int

const (
	ofPhase  fact = 1 << iota // which phase is current; also of a value that is about this phase
	ofPlan                    // which plan of it is current, and of how many
	ofStatus                  // how far the phase or the milestone is
	ofCounts                  // how many phases and plans there are, and how many are done
)

// The names that more than one rule uses.
const (
	labelPhase     = "Phase"
	labelLegacy    = "Current phase" // which upstream's commands before the template wrote, and still read
	labelProgress  = "Progress"
	keyPhase       = "current_phase"
	keyPhaseName   = "current_phase_name"
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
	"Plan":          {ofPhase | ofPlan, planForm.read, (*update).plan, furtherPlan},
	"Status":        {ofPhase | ofStatus, readStatus, (*update).status, furtherStatus},
	"Last activity": {0, activityForm.read, (*update).activity, furtherDate},
	labelProgress:   {ofCounts, progressForm.read, (*update).count, furtherCount},

	"milestone":          {0, textForm.read, (*update).milestone, nil},
	keyPhase:             {ofPhase, phaseForm.read, (*update).phase, furtherPhase},
	keyPhaseName:         {ofPhase, textForm.read, (*update).phaseName, nil},
	"current_plan":       {ofPhase | ofPlan, planForm.read, (*update).plan, furtherPlan},
	"status":             {ofPhase | ofStatus, readStatus, (*update).status, furtherStatus},
	keyActivity:          {0, activityForm.read, (*update).activity, furtherDate},
	"last_activity_desc": {0, textForm.read, (*update).activityText, nil},
	keyTotalPhases:       {ofCounts, countForm.read, (*update).count, furtherCount},
	keyDonePhases:        {ofCounts, countForm.read, (*update).count, furtherCount},
	keyTotalPlans:        {ofCounts, countForm.read, (*update).count, furtherCount},
	keyDonePlans:         {ofCounts, countForm.read, (*update).count, furtherCount},
	keyPercent:           {ofCounts, countForm.read, (*update).count, furtherCount},
	keyHead:              {0, headForm.read, (*update).head, nil},
}

// update is the state of Update.
type update struct {
	*document
	p Position

	otherMilestone bool // the file is at a milestone that is not the roadmap's current one
	begun          bool // the file says that the next milestone has begun, which has no phases yet
	noPhase        bool // the file has no phase
	grew           bool // there are more phases or plans than the file has, so that a percentage may fall
	wider          bool // the file counts more phases or plans than there are
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
	u.noPhase = u.bodyPhase() == nil && u.find(keyPhase) == nil && !u.p.Phase.IsZero()
	for i := range u.places {
		u.places[i].rule.judge(u, &u.places[i])
	}
	u.settle()
	return u
}

// settle sets the reason of each place that is left alone although it differs. A place that is left alone may keep others.
func (u *update) settle() {
	for i := range u.places {
		if at := &u.places[i]; at.differs() {
			at.reason = u.reason(at)
		}
	}
	for again := true; again; {
		again = false
		for i := range u.places {
			if at := &u.places[i]; at.edited() {
				at.because = u.dissenter(u.stated(at))
			}
		}
		for i := range u.places { // after all have been asked, so that each names the one that is left for a reason of its own
			if at := &u.places[i]; at.edited() && at.because != nil {
				at.reason, again = Contradicts, true
			}
		}
	}
}

// stated returns the facts that a place states once it has the value for the position.
func (u *update) stated(at *place) fact {
	if at.rule.states&ofStatus != 0 && u.p.Status == MilestoneComplete {
		return at.rule.states | ofPlan | ofCounts // complete with all that belongs to it
	}
	return at.rule.states
}

// dissenter returns the first place that stays as it is and disagrees with the position about one of the facts; nil for none.
func (u *update) dissenter(about fact) *place {
	for _, places := range [][]place{u.loose, u.places} {
		for i := range places {
			if at := &places[i]; !at.edited() && u.disputed(at)&about != 0 {
				return at
			}
		}
	}
	return nil
}

// disputed returns the facts about which a place, with the value that it has in the file, disagrees with the position.
func (u *update) disputed(at *place) (facts fact) {
	p := u.p
	if at.none {
		return 0
	}
	switch states := at.rule.states; {
	case at.name == keyPhaseName:
		if u.moved(at) && letters(at.text) != letters(p.PhaseName) {
			facts |= ofPhase
		}
	case states == ofPhase:
		if !p.Phase.IsZero() && planref.Compare(at.phase, p.Phase) != 0 {
			facts |= ofPhase
		}
	case states&ofPlan != 0:
		if known := p.Plans > 0 || u.moved(at); known && at.n >= 0 && (at.n != p.Plan || at.total > 0 && at.total != p.Plans) {
			facts |= ofPlan
		}
	case states&ofStatus != 0:
		if len(at.phases) > 0 && !p.Phase.IsZero() && !slices.ContainsFunc(at.phases, func(n planref.Number) bool { return planref.Compare(n, p.Phase) == 0 }) {
			facts |= ofPhase
		}
		if len(at.plans) > 0 && !slices.Contains(at.plans, p.Plan) {
			facts |= ofPlan
		}
		if at.differs() && at.stage > unstated {
			facts |= ofStatus
			if complete := p.Status == MilestoneComplete; at.stage == closed && !complete {
				facts |= ofPlan | ofCounts
			} else if at.stage == checking && !complete {
				facts |= ofPlan
			}
		}
	case states&ofCounts != 0:
		if n, known := u.countOf(at.name); known && at.n >= 0 && at.n != n {
			facts |= ofCounts
		}
	}
	return facts
}

// reason returns why a place that differs is left alone whatever the others say; it is empty if the place may be replaced.
func (u *update) reason(at *place) Reason {
	switch {
	case u.otherMilestone:
		return OtherMilestone
	case at.own || at.want == "":
		return Words
	case at.rule.states&ofCounts != 0 && u.wider:
		return Scope
	case at.order > 0:
		return Backwards
	case at.rule.read(at.want).own:
		return Unreadable
	case at.rule.states&ofPhase != 0 && u.noPhase:
		return NoPhase
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

// phase is the rule for `Phase:`, `Current Phase:` and current_phase. The name in brackets must be that of the phase in the roadmap or of
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
	n, known := u.countOf(at.name)
	if !known {
		return
	}
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
}

// countOf returns the position's value of a count or a percentage; false if it is unknown.
func (u *update) countOf(name string) (n int, known bool) {
	p := u.p
	return map[string]int{
		keyTotalPhases: p.TotalPhases, keyDonePhases: p.DonePhases, keyTotalPlans: p.TotalPlans, keyDonePlans: p.DonePlans,
		keyPercent: p.Percent, labelProgress: p.Percent,
	}[name], p.TotalPhases > 0 || p.TotalPlans > 0
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
	p.Milestone, p.MilestoneName, p.LastWhat = text.OneLine(p.Milestone), text.OneLine(p.MilestoneName), text.OneLine(p.LastWhat)
	if len(letters(p.LastWhat)) < 3 {
		p.LastWhat = "" // such a subject says nothing
	}
	p.PhaseName = strings.NewReplacer("(", "[", ")", "]").Replace(text.OneLine(p.PhaseName))
	if year := p.LastActivity.Year(); year < 1000 || year > 9999 {
		p.LastActivity = time.Time{}
	}
	return p
}
