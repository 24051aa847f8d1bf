package statefile

// update.go: which values are replaced. Each value states some facts. One that must stay as it is and disagrees with the position about
// a fact keeps all others that state this fact, so that the file does not contradict itself in what was written.

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/text"
)

// update is the state of Update.
type update struct {
	*document
	p     Position
	stage stage // of its status

	otherMilestone bool // the file is at a milestone that is not the roadmap's current one
	begun          bool // the file says that the next milestone has started, which has no phases yet
	noPhase        bool // the file has no phase
	grew           bool // there are more phases or plans than the file has, so that a percentage may fall
	wider          bool // the file counts more phases or plans than there are
}

// newUpdate judges all places of a document.
func newUpdate(d *document, p Position) *update {
	u := &update{document: d, p: p.clean(), stage: readStatus(string(p.Status)).stage}
	phase, milestone := u.find(labelPhase), u.find(keyMilestone)
	if phase != nil && p.Status == MilestoneComplete {
		u.begun = strings.EqualFold(phase.text, beginMilestone)
		if phase.own && phase.phase.IsZero() || u.begun {
			u.p.Phase = planref.Number{} // no phase is current, and somebody wrote so already
		}
	}
	u.noPhase = u.bodyPhase() == nil && u.find(keyPhase) == nil && !u.p.Phase.IsZero()
	u.otherMilestone = p.Milestones && milestone != nil && milestone.text != "" && version(milestone.text) != version(u.p.Milestone)
	for name, n := range map[string]int{keyTotalPhases: p.TotalPhases, keyTotalPlans: p.TotalPlans} {
		if at := u.find(name); at != nil && u.counts() {
			u.grew, u.wider = u.grew || at.n < n, u.wider || at.n > n && !at.own
		}
	}
	for i := range u.places {
		if u.places[i].row.print != nil {
			u.judge(&u.places[i])
		}
	}
	u.settle()
	return u
}

// judge sets what a place has to say, and its order.
func (u *update) judge(at *place) {
	if at.title != "" && u.about(at) < 0 && (u.p.Names == nil || letters(u.p.Names(at.phase)) != letters(at.title)) {
		at.own = true // the name is in no other place
	}
	want, ok := at.row.print(u, at)
	if !ok {
		return
	}
	at.want, at.order = want, u.about(at)
	switch {
	case at.row.order == nil, at.order == 0 && at.front && at.row.states&ofStatus != 0 && tokens[at.stage] == tokens[u.stage]:
		at.order = -1 // whatever it is, or the same status in other words
	case at.order == 0 && at.row.states&ofStatus != 0:
		at.order = byStage(at.value, value{stage: u.stage})
	case at.order == 0:
		at.order = at.row.order(at.value, at.row.read(want))
	}
	if u.grew && (at.name == keyPercent || at.name == labelProgress) {
		at.order = min(at.order, -at.order)
	}
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
				stated := at.row.states
				if stated&ofStatus != 0 {
					stated |= implied[u.stage]
				}
				at.because = u.dissenter(stated)
			}
		}
		for i := range u.places { // after all have been asked, so that each names the one that is left for a reason of its own
			if at := &u.places[i]; at.edited() && at.because != nil {
				at.reason, again = Contradicts, true
			}
		}
	}
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
	p, states := u.p, at.row.states
	isCurrent := func(n planref.Number) bool { return p.Phase.IsZero() || planref.Compare(n, p.Phase) == 0 }
	switch {
	case at.none:
	case at.name == keyPhaseName && at.differs(), states == ofPhase && at.name != keyPhaseName && !isCurrent(at.phase):
		facts = ofPhase
	case states&ofPlan != 0 && at.n >= 0 && (p.Plans > 0 || u.moved(at)):
		if at.n != p.Plan || at.total > 0 && at.total != p.Plans {
			facts = ofPlan
		}
	case states&ofStatus != 0:
		if len(at.phases) > 0 && !slices.ContainsFunc(at.phases, isCurrent) {
			facts |= ofPhase
		}
		if len(at.plans) > 0 && !slices.Contains(at.plans, p.Plan) {
			facts |= ofPlan
		}
		if at.differs() && at.stage > unstated {
			facts |= ofStatus
			if p.Status != MilestoneComplete {
				facts |= implied[at.stage]
			}
		}
	case states&ofCounts != 0 && at.n >= 0 && at.differs():
		facts = ofCounts
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
	case at.row.states&ofCounts != 0 && u.wider:
		return Scope
	case at.order > 0:
		return Backwards
	case at.row.read(at.want).own:
		return Unreadable
	case at.row.states&ofPhase != 0 && u.noPhase:
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

// about compares the phase that a place is about with the position's; 0 for a place that is about none.
func (u *update) about(at *place) int {
	switch {
	case at.row.states&ofPhase == 0:
	case at.row.states&ofStatus != 0 && u.begun:
		return 1 // it is about the next milestone
	case !at.phase.IsZero() && !u.p.Phase.IsZero():
		return planref.Compare(at.phase, u.p.Phase)
	case u.moved(at):
		return -1
	}
	return 0
}

// letters returns the words of s in lower case without punctuation, to compare it with the name of a directory.
func letters(s string) string {
	other := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), other), "")
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
