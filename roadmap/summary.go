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
// plan has that stem or that `NN-MM`. `03-01` is neither `03-010` nor `03-01A`.
func Summary(plan string, siblings []string) (string, bool) {
	n, ok := parseName(path.Base(plan))
	if !ok || n.kind != planFile {
		return "", false
	}
	return summaryIndex(siblings).of(n)
}

// summaries is the summaries of one directory: by name, and by the id that they and plans carry.
type summaries struct {
	names map[string]bool
	byID  map[string]string // by fileName.id, where one plan alone has it; of several the first by name
}

// summaryIndex sorts the names of one directory once, for all of its plans.
func summaryIndex(siblings []string) summaries {
	s := summaries{names: map[string]bool{}, byID: map[string]string{}}
	plans := map[string]int{}
	for _, name := range siblings {
		n, ok := parseName(name)
		switch {
		case !ok:
		case n.kind == planFile && !n.plan.IsZero():
			plans[n.id()]++
		case n.kind == summaryFile:
			s.names[name] = true
			if was, ok := s.byID[n.id()]; !n.plan.IsZero() && (!ok || name < was) {
				s.byID[n.id()] = name
			}
		}
	}
	for id, count := range plans {
		if count > 1 {
			delete(s.byID, id)
		}
	}
	return s
}

func (s summaries) of(plan fileName) (string, bool) {
	if exact := plan.summary(); s.names[exact] {
		return exact, true
	}
	if plan.plan.IsZero() {
		return "", false
	}
	name, ok := s.byID[plan.id()]
	return name, ok
}

// SummaryName is what the summary of plan is to be called, in the same directory; false where plan has no
// plan's name, and so no file could be known for its summary.
func SummaryName(plan string) (string, bool) {
	n, ok := parseName(path.Base(plan))
	return n.summary(), ok && n.kind == planFile
}

// summary is the name that belongs to the plan exactly.
func (n fileName) summary() string {
	if rest, ok := strings.CutPrefix(n.stem, "PLAN-"); ok {
		return "SUMMARY-" + rest + ".md"
	}
	return strings.TrimPrefix(n.stem+"-SUMMARY.md", "-")
}

// id is one string for all names that carry the same phase and plan number.
func (n fileName) id() string { return n.phase.key() + "-" + n.plan.key() }
