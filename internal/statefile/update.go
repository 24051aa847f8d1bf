package statefile

import (
	"cmp"
	"slices"
	"strings"
)

// Update brings the position in a STATE.md up to p. Only values change: those of the template's lines in the section
// Current Position, and of the position's keys in front matter; nothing is added or removed, and every other byte
// stays. text is src itself where nothing changes. edits and left are in the order of their lines.
func Update(src []byte, p Position) (text []byte, edits []Edit, left []Left) {
	u := update{document: open(string(src)), p: p.clean()}
	u.judge()
	var splices []splice
	for _, f := range u.fields() {
		v := u.change(f)
		switch {
		case v.reason == "" && (v.want == "" || v.want == f.value.text):
		case v.reason != "":
			left = append(left, Left{f.value.line, f.name, f.value.text, v.want, v.reason})
		default:
			s := f.splice(u.src, v.want)
			splices = append(splices, s)
			edits = append(edits, Edit{f.value.line, f.name, u.src[f.value.from:f.value.to], strings.TrimSpace(s.text)})
		}
	}
	if len(splices) == 0 {
		return src, nil, left
	}
	var b strings.Builder
	at := 0
	for _, s := range splices {
		b.WriteString(u.src[at:s.from])
		b.WriteString(s.text)
		at = s.to
	}
	b.WriteString(u.src[at:])
	return []byte(b.String()), edits, left
}

// field is one place of the position.
type field struct {
	name  string
	front bool
	value value
}

type splice struct {
	from, to int
	text     string
}

// splice puts text in the place of the field's value. What was empty is filled in behind one space.
func (f field) splice(src, text string) splice {
	if f.front {
		text = f.value.written(text)
	}
	if from := f.value.from; from == f.value.to && src[from-1] != ' ' && src[from-1] != '\t' {
		text = " " + text
	}
	return splice{f.value.from, f.value.to, text}
}

// verdict is what becomes of a value. Without want and reason it says what the position says, as far as that is known;
// with a reason it is left alone.
type verdict struct {
	want   string
	reason Reason
}

// update is one run of Update.
type update struct {
	*document
	p Position

	unlike bool   // the file is at a milestone that is not the roadmap's current one
	held   Reason // why its phase is left alone; empty where it is, or becomes, that of p
	behind bool   // p counts less than the file
}

// fields lists the fields in the order of their lines.
func (u *update) fields() []field {
	var all []field
	for name, v := range u.front {
		if rules[name] != nil {
			all = append(all, field{name, true, v})
		}
	}
	for name, v := range u.body {
		all = append(all, field{name, false, v})
	}
	slices.SortFunc(all, func(a, b field) int { return cmp.Compare(a.value.line, b.value.line) })
	return all
}

// rules give for each field what becomes of its text.
var rules = map[string]func(*update, field) verdict{
	labelPhase: (*update).phase, labelPlan: (*update).plan, labelStatus: (*update).status,
	labelActivity: (*update).activity, labelProgress: (*update).progress,
	keyMilestone: (*update).atMilestone, keyPhase: (*update).phase, keyPhaseName: (*update).phaseName, keyPlan: (*update).plan,
	keyStatus: (*update).status, keyActivity: (*update).activity, keyActivityText: (*update).activityText,
	keyTotalPhases: (*update).counter, keyCompletedPhases: (*update).counter, keyTotalPlans: (*update).counter,
	keyCompletedPlans: (*update).counter, keyPercent: (*update).counter,
}

// change decides on one field.
func (u *update) change(f field) verdict {
	v := rules[f.name](u, f)
	switch {
	case v.want == "" && v.reason == "":
	case u.unlike:
		v.reason = Unlike
	case f.value.repeated:
		v.reason = Repeated
	case f.value.free:
		v.reason = Words
	}
	return v
}
