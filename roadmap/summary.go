package roadmap

// summary.go: a plan is done when its summary exists, so taking another plan's summary for it would
// throw a live session away. The prefix is trusted only where one plan alone has it.

import (
	"path"
	"strings"
)

// Summary is the name of plan's summary among siblings, the names in its directory; plan may be a
// path. It is the one with the same stem (`03-01-auth-PLAN.md` and `03-01-auth-SUMMARY.md`), else the
// one with the same `NN-MM`, padded or not, slug or not (upstream phase.cjs:380; #3101), unless another
// plan has that stem or that `NN-MM`. Numbers are read as they are meant in the plan's directory, if its path
// tells that: `01-PLAN.md` of phase 5 has the summary `05-01-SUMMARY.md`. `03-01` is neither `03-010` nor `03-01A`.
func Summary(plan string, siblings []string) (string, bool) {
	n, ok := parseName(path.Base(plan))
	if !ok || n.kind != planFile {
		return "", false
	}
	return newSiblings(siblings, phaseOfDir(path.Dir(plan))).summary(n)
}

// phaseOfDir is the phase that the plans in dir have from it; zero for none.
func phaseOfDir(dir string) Number {
	n, _ := PhaseOfPlan(path.Join(dir, "PLAN.md")) // which has no number of its own
	return n
}

// siblings are the plans and summaries of one directory, read once for all of its plans.
type siblings struct {
	phase  Number // that the directory gives them, zero for none
	parsed map[string]fileName
	byID   map[string]string // summaries, as ids makes them; nil until somebody asks
}

func newSiblings(names []string, phase Number) *siblings {
	s := &siblings{phase: phase, parsed: make(map[string]fileName, len(names))}
	for _, name := range names {
		if n, ok := parseName(name); ok {
			s.parsed[name] = n
		}
	}
	return s
}

// summary is the name of a plan's summary among the siblings.
func (s *siblings) summary(plan fileName) (string, bool) {
	exact := plan.summary()
	if n, ok := s.parsed[exact]; ok && n.kind == summaryFile {
		return exact, true
	}
	if plan = plan.in(s.phase); plan.plan.IsZero() {
		return "", false
	}
	if s.byID == nil {
		s.byID = s.ids()
	}
	name, ok := s.byID[plan.id()]
	return name, ok
}

// ids gives the summaries by the id that they and plans carry in the directory, where one plan alone has it; of
// several summaries the first by name.
func (s *siblings) ids() map[string]string {
	byID, plans := map[string]string{}, map[string]int{}
	for name, n := range s.parsed {
		n = n.in(s.phase)
		if n.plan.IsZero() {
			continue
		}
		if n.kind == planFile {
			plans[n.id()]++
		} else if was, ok := byID[n.id()]; !ok || name < was {
			byID[n.id()] = name
		}
	}
	for id, count := range plans {
		if count > 1 {
			delete(byID, id)
		}
	}
	return byID
}

// SummaryName is what the summary of plan is to be called, in the same directory; false where plan has no
// plan's name, and so no file could be known for its summary.
func SummaryName(plan string) (string, bool) {
	n, ok := parseName(path.Base(plan))
	return n.summary(), ok && n.kind == planFile
}

// summary is the name that belongs to the plan exactly.
func (n fileName) summary() string {
	switch {
	case n.nested:
		return "SUMMARY-" + strings.TrimPrefix(n.stem, "PLAN-") + ".md"
	case n.stem == "":
		return "SUMMARY.md"
	}
	return n.stem + "-SUMMARY.md"
}

// id is one string for all names that carry the same phase and plan number.
func (n fileName) id() string { return n.phase.key() + "-" + n.plan.key() }
