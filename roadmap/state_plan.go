package roadmap

// state_plan.go: the value of `Plan:`, as the template has it, `2 of 3 in current phase`, and as people and models
// write it: `2/3 complete`, `03-02-PLAN.md`, `0 of TBD`, `All 5 plans executed`, `Not started`.

import (
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// statePlan is the value in parts; all of them together are the value.
type statePlan struct {
	lead   string         // `Plan `
	phase  planref.Number // of an id such as `03-02`
	id     string         // `03-`, as it is written
	text   string         // the number as it is written
	number int
	file   string // `-PLAN.md`, or a slug
	of     string
	total  string
	where  string // ` in current phase`
	tail   string
}

// cutStatePlan reads a value; false where it is not understood, such as several plans.
func cutStatePlan(s string) (statePlan, bool) {
	var v statePlan
	rest := s
	if len(rest) > 5 && strings.EqualFold(rest[:5], "plan ") {
		v.lead, rest = rest[:5], rest[5:]
	}
	phase, after, ok := planref.CutNumber(rest)
	if !ok {
		return v, false
	}
	if len(after) > 1 && after[0] == '-' && isDigit(after[1]) {
		n := digits(after[1:])
		if n > 4 {
			return v, false
		}
		v.phase, v.id = phase, rest[:len(rest)-len(after)+1]
		rest = after[1:]
		v.text, rest = rest[:n], rest[n:]
		end := strings.IndexAny(rest, " \t,;(/")
		if end < 0 {
			end = len(rest)
		}
		v.file, rest = rest[:end], rest[end:]
		if v.file != "" && v.file[0] != '-' || len(v.file) > 1 && isDigit(v.file[1]) || !startsPhase(rest) {
			return v, false // 2026-01-18; 03-01, 03-02
		}
	} else {
		n := digits(rest)
		if n == 0 || n > 4 || !startsPhase(rest[n:]) || n < len(rest) && strings.IndexByte(" /(", rest[n]) < 0 {
			return v, false
		}
		v.text, rest = rest[:n], rest[n:]
		if v.of, v.total, rest, ok = cutStateOf(rest); !ok || digits(v.total) > 4 {
			return v, false
		}
	}
	v.number = small(v.text)
	v.where, rest = cutStateWhere(rest)
	v.tail = rest
	return v, true
}

// cutStateWhere cuts ` in current phase` or ` in Phase 3` off the start of s.
func cutStateWhere(s string) (where, rest string) {
	lower := strings.ToLower(s)
	if len(lower) != len(s) {
		return "", s
	}
	for _, words := range []string{
		" in current phase", " in the current phase", " in this phase", " (in phase)", " plans",
	} {
		if strings.HasPrefix(lower, words) && (len(s) == len(words) || !isWord(s[len(words)])) {
			return s[:len(words)], s[len(words):]
		}
	}
	for _, words := range []string{" in phase ", " of phase "} {
		if strings.HasPrefix(lower, words) {
			if _, rest, ok := planref.CutNumber(s[len(words):]); ok && planref.CutProject(s[len(words):]) == s[len(words):] {
				return s[:len(s)-len(rest)], rest
			}
		}
	}
	return "", s
}

func (v statePlan) String() string {
	return v.lead + v.id + v.text + v.file + v.of + v.total + v.where + v.tail
}

// plan is the rule of `Plan:`.
func (u stateUpdate) plan(old string) string {
	p := u.p
	v, ok := cutStatePlan(old)
	class, _ := stateClassOf(old)
	if p.Plans == 0 && p.Plan == 0 {
		want, _ := stateClassOf(p.Status)
		stale := ok && (v.number > 0 || u.moved && v.total != "" && !isStateUnknown(v.total)) ||
			!ok && class&(statePhaseDone|stateAllDone) != 0
		if want == stateToPlan && stale && (u.moved || !p.Phase.IsZero()) {
			return "Not started" // a phase that is still to be planned has no plan
		}
		return old
	}
	if !ok {
		return u.noPlan(old, class)
	}
	same := v.number == p.Plan && (v.id == "" || p.Phase.IsZero() || planref.Compare(v.phase, p.Phase) == 0)
	if p.Plans > 0 && v.total != "" {
		same = same && digits(v.total) == len(v.total) && small(v.total) == p.Plans
	}
	if same && !u.moved {
		return u.inPhase(v).String()
	}
	if !same && v.id != "" && p.Plan == 0 {
		return "Not started"
	}
	if !same {
		v.text = stateDigits(p.Plan, v.text)
		if v.id != "" {
			if !p.Phase.IsZero() {
				v.id = statePadded(p.Phase, v.id) + "-"
			}
			if v.file != "-PLAN.md" {
				v.file = "" // another plan has another slug
			}
		}
		if p.Plans > 0 && v.total != "" && !(digits(v.total) == len(v.total) && small(v.total) == p.Plans) {
			v.total = stateDigits(p.Plans, v.total)
		}
		if p.Plans == 0 && digits(v.total) == len(v.total) && v.total != "" && small(v.total) < p.Plan {
			v.total = "TBD"
		}
	}
	v.tail = stateTail(v.tail, func(mark, text string) bool {
		if u.planDone() && stateStillSays(text, p) {
			return true
		}
		// In a bracket and without a dash stands what the plan is about.
		return mark != "(" && mark != "" && stateFree(text)
	})
	return u.inPhase(v).String()
}

// planDone tells whether no plan of the phase is left.
func (u stateUpdate) planDone() bool {
	class, _ := stateClassOf(u.p.Status)
	return class&(statePhaseDone|stateAllDone) != 0 && u.p.Plan == u.p.Plans
}

// inPhase puts the phase's number in ` in Phase 3`.
func (u stateUpdate) inPhase(v statePlan) statePlan {
	at := strings.IndexAny(v.where, "0123456789")
	if at < 0 || u.p.Phase.IsZero() {
		return v
	}
	if n, ok := planref.ParseNumber(v.where[at:]); ok && planref.Compare(n, u.p.Phase) != 0 {
		v.where = v.where[:at] + statePadded(u.p.Phase, v.where[at:])
	}
	return v
}

// noPlan is the rule where the value names no plan: `Not started`, `All 5 plans executed`, `—`.
func (u stateUpdate) noPlan(old string, class stateClass) string {
	p := u.p
	switch {
	case class&(statePhaseDone|stateAllDone) != 0:
		if u.planDone() && !u.moved && u.allOf(old) {
			return old
		}
	case p.Plans > 0 && class == stateToPlan: // `— (not yet planned)`, and there are plans
	case statePlaceholder(old), class != 0 && class&^(stateToPlan|stateToExecute) == 0, stateSame(old, "pending"):
		if p.Plan == 0 && old != "" {
			return old
		}
	case u.moved, strings.Contains(strings.ToLower(old), "next plan"):
	default:
		return old
	}
	total := "TBD"
	if p.Plans > 0 {
		total = strconv.Itoa(p.Plans)
	}
	return strconv.Itoa(p.Plan) + " of " + total + " in current phase"
}

// allOf tells whether `All 5 plans executed` counts right, or does not count.
func (u stateUpdate) allOf(old string) bool {
	lower := strings.ToLower(old)
	_, after, ok := strings.Cut(lower, "all ")
	return !ok || digits(after) == 0 || digits(after) <= 6 && small(after[:digits(after)]) == u.p.Plans
}
