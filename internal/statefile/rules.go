package statefile

// rules.go: what becomes of each value. A value that tells of the phase is replaced only where the file's phase is, or
// becomes, that of the position; the counts are one statement, and none of them is replaced where one would go
// backwards.

import (
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/roadmap"
)

// judge looks at what more than one field hangs on.
func (u *update) judge() {
	if r := readPhase(u.body[labelPhase].text); r.closed && u.p.Status == MilestoneComplete {
		u.p.Phase = planref.Number{} // both say so, and after that no phase is current
	}
	v, named := u.front[keyMilestone]
	u.unlike = named && v.text != "" && u.p.Milestones && !sameVersion(v.text, u.p.Milestone)
	u.held = u.judgePhase()
	u.behind = u.judgeCounts()
}

// judgePhase finds out whether every place that names a phase names that of p or can be made to; else it answers why
// not.
func (u *update) judgePhase() Reason {
	if u.p.Phase.IsZero() {
		return ""
	}
	named := false
	for _, v := range []value{u.body[labelPhase], u.front[keyPhase]} {
		if v.line == 0 {
			continue
		}
		named = true
		r := u.readPhase(v.text)
		switch order := planref.Compare(r.number, u.p.Phase); {
		case order > 0:
			return Backwards
		case order < 0 && (r.form == words || v.free || v.repeated):
			return Words
		case order < 0 && !upstreamReads(u.p.Phase):
			return Unreadable
		}
	}
	if !named {
		return OtherPhase
	}
	return ""
}

// readPhase is readPhase with the names that p knows.
func (u *update) readPhase(s string) phaseValue {
	v := readPhase(s)
	if v.unsure && u.p.Names != nil && v.name == cleanName(u.p.Names(v.number)) {
		v.form = standard
	}
	return v
}

// judgeCounts reports whether p counts less than the file does. A percentage may fall where the file's own counts show
// why: there is more to do now.
func (u *update) judgeCounts() bool {
	grew := false
	for _, c := range u.p.counts() {
		v, ok := u.front[c.key]
		if !ok || !c.known || c.key == keyPercent {
			continue
		}
		was := integer(v.text)
		if was > c.n {
			return true
		}
		grew = grew || c.total && was < c.n
	}
	was := max(integer(u.front[keyPercent].text), readProgress(u.body[labelProgress].text).percent)
	return was > u.p.Percent && !grew
}

// counted is one number of a position.
type counted struct {
	key   string
	n     int
	known bool
	total bool
}

func (p Position) counts() []counted {
	phases, plans := p.TotalPhases > 0, p.TotalPlans > 0
	return []counted{
		{keyTotalPhases, p.TotalPhases, phases, true},
		{keyCompletedPhases, p.DonePhases, phases, false},
		{keyTotalPlans, p.TotalPlans, plans, true},
		{keyCompletedPlans, p.DonePlans, plans, false},
		{keyPercent, p.Percent, phases || plans, false},
	}
}

// moves reports whether the phase of f's part of the file, else of the other part, becomes another.
func (u *update) moves(f field) bool {
	own, other := u.body[labelPhase], u.front[keyPhase]
	if f.front {
		own, other = other, own
	}
	if own.line == 0 {
		own = other
	}
	return !u.p.Phase.IsZero() && planref.Compare(readPhase(own.text).number, u.p.Phase) != 0
}

// ofPhase is what becomes of a value that tells of the phase.
func (u *update) ofPhase(want string) verdict {
	if u.held != "" {
		return verdict{want, OtherPhase}
	}
	return verdict{want: want}
}

// phase is the rule of `Phase:` and of current_phase. A greater total of the file's stays: it may count the phases of
// all milestones.
func (u *update) phase(f field) verdict {
	p := u.p
	if p.Phase.IsZero() {
		return verdict{}
	}
	r := u.readPhase(f.value.text)
	total := within(p.Phase, p.TotalPhases)
	order := planref.Compare(r.number, p.Phase)
	if order == 0 {
		if f.front || r.form == words || r.marked || r.total == 0 || total == 0 || total == r.total {
			return verdict{}
		}
		v := verdict{want: phaseText(p.Phase, total, r.name)}
		if total < r.total {
			v.reason = Backwards
		}
		return v
	}
	want := p.Phase.String()
	if !f.front {
		want = phaseText(p.Phase, max(total, within(p.Phase, r.total)), p.PhaseName)
	}
	switch {
	case order > 0:
		return verdict{want, Backwards}
	case r.form == words:
		return verdict{want, Words}
	case u.held == Unreadable:
		return verdict{want, Unreadable}
	}
	return u.ofPhase(want)
}

// phaseText is a value of `Phase:` in the template's form; without a total, or a name, where they are not known.
func phaseText(n planref.Number, total int, name string) string {
	text := n.String()
	if total > 0 {
		text += " of " + strconv.Itoa(total)
	}
	if name != "" {
		text += " (" + name + ")"
	}
	return text
}

// within is total, or 0 where the phase's number is past it: then the numbers count on from earlier milestones, and the
// total does not.
func within(n planref.Number, total int) int {
	whole := n.String()
	if whole = whole[:digits(whole)]; whole == "" || len(whole) > maxDigits || integer(whole) > total {
		return 0
	}
	return total
}

// phaseName is the rule of current_phase_name. The name of the phase that the file is at is its author's.
func (u *update) phaseName(f field) verdict {
	switch {
	case !u.moves(f):
		return verdict{}
	case u.p.PhaseName == "":
		return verdict{"", OtherPhase}
	}
	return u.ofPhase(u.p.PhaseName)
}

// plan is the rule of `Plan:` and of current_plan. A phase without plans has none that began.
func (u *update) plan(f field) verdict {
	p := u.p
	r := readPlan(f.value.text)
	moves := u.moves(f)
	want := "Not started"
	switch {
	case p.Phase.IsZero(), p.Plans == 0 && (!moves || r.form == nothing):
		return verdict{}
	case p.Plans == 0:
	case r.number == p.Plan && (r.total == p.Plans || r.bare) && (r.form == standard || !moves):
		return verdict{}
	case r.bare || f.front && r.form == nothing:
		want = strconv.Itoa(p.Plan)
	default:
		want = strconv.Itoa(p.Plan) + " of " + strconv.Itoa(p.Plans) + r.tail
	}
	switch {
	case r.form == words:
		return verdict{want, Words}
	case !moves && (r.number > p.Plan || r.total > p.Plans):
		return verdict{want, Backwards}
	}
	return u.ofPhase(want)
}

// status is the rule of `Status:` and of the key status, whose words are upstream's tokens.
func (u *update) status(f field) verdict {
	p := u.p
	if p.Status == "" {
		return verdict{}
	}
	own, r := readStatus(p.Status).stage, readStatus(f.value.text)
	want := p.Status
	if f.front {
		want = own.token()
	}
	moves := u.moves(f)
	order := 0
	if !r.phase.IsZero() && !p.Phase.IsZero() {
		order = planref.Compare(r.phase, p.Phase)
		moves = order != 0
	}
	switch {
	case r.stage == ownWords:
		return verdict{want, Words}
	case order > 0:
		return verdict{want, Backwards}
	case order == 0 && (f.value.text == want || !f.front && r.stage == own):
		return verdict{}
	case !moves && (r.stage == paused || !f.front && r.stage == running && own == toExecute):
		return verdict{} // what the disk does not show
	case !moves && r.stage > own && (!f.front || r.stage.token() != want):
		return verdict{want, Backwards}
	}
	return u.ofPhase(want)
}

// activity is the rule of `Last activity:` and of last_activity. A file that knows of one on the same day or later is
// right.
func (u *update) activity(f field) verdict {
	p := u.p
	if year := p.LastActivity.Year(); p.LastActivity.IsZero() || year < 1000 || year > 9999 {
		return verdict{}
	}
	r := readActivity(f.value.text)
	want := p.LastActivity.Format(time.DateOnly)
	if r.date >= want {
		return verdict{}
	}
	if p.LastWhat != "" && (r.what != "" || !f.front && r.form == nothing) {
		want += " — " + p.LastWhat
	}
	if r.form == words {
		return verdict{want, Words}
	}
	return verdict{want: want}
}

// activityText is the rule of last_activity_desc, which belongs to the date in last_activity.
func (u *update) activityText(field) verdict {
	date, ok := u.front[keyActivity]
	if !ok || date.free {
		return verdict{}
	}
	if v := u.activity(field{keyActivity, true, date}); v.want == "" || v.reason != "" {
		return verdict{}
	}
	return verdict{want: u.p.LastWhat}
}

// progress is the rule of `Progress:`.
func (u *update) progress(f field) verdict {
	p := u.p
	r := readProgress(f.value.text)
	if p.TotalPhases == 0 && p.TotalPlans == 0 || r.percent == p.Percent {
		return verdict{}
	}
	return u.ofCounts(drawProgress(p.Percent, r.width), r.form)
}

// counter is the rule of the keys in progress.
func (u *update) counter(f field) verdict {
	for _, c := range u.p.counts() {
		if c.key != f.name {
			continue
		}
		text := f.value.text
		if !c.known || isDigits(text) && integer(text) == c.n {
			return verdict{}
		}
		form := standard
		if text != "" && !isDigits(text) {
			form = words
		}
		return u.ofCounts(strconv.Itoa(c.n), form)
	}
	return verdict{}
}

// ofCounts is what becomes of a value that counts.
func (u *update) ofCounts(want string, f form) verdict {
	switch {
	case f == words:
		return verdict{want, Words}
	case u.behind:
		return verdict{want, Backwards}
	}
	return verdict{want: want}
}

// atMilestone is the rule of milestone, which is never replaced.
func (u *update) atMilestone(field) verdict {
	if u.unlike {
		return verdict{u.p.Milestone, Unlike}
	}
	return verdict{}
}

// sameVersion reports whether two milestones are one: v1.0 and 1.
func sameVersion(a, b string) bool {
	norm := func(s string) string {
		s = strings.TrimLeft(strings.TrimSpace(s), "vV")
		for strings.HasSuffix(s, ".0") {
			s = s[:len(s)-2]
		}
		return s
	}
	return strings.EqualFold(norm(a), norm(b))
}

// clean makes the texts of p such that they cannot change the form of the file.
func (p Position) clean() Position {
	p.Milestone, p.MilestoneName = roadmap.OneLine(p.Milestone), roadmap.OneLine(p.MilestoneName)
	p.PhaseName = cleanName(p.PhaseName)
	p.LastWhat = roadmap.OneLine(p.LastWhat)
	for _, n := range []*int{&p.Plan, &p.Plans, &p.DonePhases, &p.TotalPhases, &p.DonePlans, &p.TotalPlans, &p.Percent} {
		*n = max(*n, 0)
	}
	p.Percent = min(p.Percent, 100)
	p.Plan = min(p.Plan, p.Plans)
	return p
}

// cleanName makes a phase's name such that upstream reads it back as it is: it takes a name to end at the first closing
// bracket, and some words for a mark.
func cleanName(s string) string {
	s = strings.NewReplacer("(", "[", ")", "]").Replace(roadmap.OneLine(s))
	if runes := []rune(s); len(runes) > maxName {
		s = strings.TrimSpace(string(runes[:maxName-1])) + "…"
	}
	switch strings.ToLower(s) {
	case "complete", "executing", "not started":
		return ""
	}
	return s
}

// maxName is the length of the longest name that upstream reads, in runes that may take two of its characters.
const maxName = 100
