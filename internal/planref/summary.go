package planref

// summary.go: a plan is done when its summary exists, so taking another plan's summary for it would throw a live session
// away. An id is trusted only where one plan alone has it.

import (
	"path"
	"slices"
	"strings"
)

// SummaryOf returns the name of a plan's summary among the names in its directory; plan may be a path. It is the one with
// the same stem (03-01-auth-PLAN.md and 03-01-auth-SUMMARY.md), else the one with the same NN-MM, padded or not, slug or
// not, unless another plan has that stem or that NN-MM. Numbers are read as they are meant in the plan's directory, if its
// path has a phase: 01-PLAN.md of phase 5 has the summary 05-01-SUMMARY.md. 03-01 is neither 03-010 nor 03-01A.
func SummaryOf(plan string, names []string) (string, bool) {
	n, ok := ParseName(path.Base(plan))
	if !ok || n.Kind != Plan {
		return "", false
	}
	return NewSiblings(names, PhaseOfDir(path.Dir(plan))).Summary(n)
}

// Siblings are the plans and summaries of one directory, read once for all of its plans.
type Siblings struct {
	Plans []Sibling // in the order of their names

	summaries []Sibling
	phase     Number         // that the directory gives them, zero for none
	byRef     map[Ref]string // summaries, as refs makes them; nil until somebody asks
}

// A Sibling is a file in a directory.
type Sibling struct {
	File string
	Name
}

// NewSiblings reads the names in the directory of a phase, zero for none.
func NewSiblings(files []string, phase Number) *Siblings {
	all := make([]Sibling, len(files)) // the plans from the front, the summaries from the back
	plans, summaries := 0, len(all)
	for _, file := range files {
		switch n, _ := ParseName(file); n.Kind {
		case Plan:
			all[plans] = Sibling{file, n}
			plans++
		case Summary:
			summaries--
			all[summaries] = Sibling{file, n}
		}
	}
	s := &Siblings{Plans: all[:plans], summaries: all[summaries:], phase: phase}
	byFile := func(a, b Sibling) int { return strings.Compare(a.File, b.File) }
	slices.SortFunc(s.Plans, byFile)
	slices.SortFunc(s.summaries, byFile)
	return s
}

// Summary returns the name of a plan's summary among the siblings.
func (s *Siblings) Summary(plan Name) (string, bool) {
	if len(s.summaries) == 0 {
		return "", false
	}
	for _, exact := range plan.summaries() {
		if _, ok := slices.BinarySearchFunc(s.summaries, exact, func(s Sibling, file string) int { return strings.Compare(s.File, file) }); ok {
			return exact, true
		}
	}
	ref := plan.In(s.phase).Ref()
	if ref == (Ref{}) {
		return "", false
	}
	if s.byRef == nil {
		s.byRef = s.refs()
	}
	name, ok := s.byRef[ref]
	return name, ok
}

// refs gives the summaries by what they and plans refer to in the directory, where one plan alone does; of several
// summaries the first by name.
func (s *Siblings) refs() map[Ref]string {
	byRef, plans := map[Ref]string{}, map[Ref]int{}
	for _, summary := range slices.Backward(s.summaries) {
		byRef[summary.In(s.phase).Ref()] = summary.File
	}
	for _, plan := range s.Plans {
		ref := plan.In(s.phase).Ref()
		if plans[ref]++; plans[ref] > 1 {
			delete(byRef, ref)
		}
	}
	return byRef
}

// SummaryName returns what the summary of plan is to be called, in the same directory; false where plan has no plan's
// name, and so no file could be known for its summary.
func SummaryName(plan string) (string, bool) {
	n, ok := ParseName(path.Base(plan))
	if !ok || n.Kind != Plan {
		return "", false
	}
	return n.summaries()[0], true
}

// PlanName returns the usual name of the plan that has the stem of n, which may be a summary's.
func (n Name) PlanName() string { return strings.TrimPrefix(n.Stem+"-PLAN.md", "-") }

// summaries are the names that belong to the plan exactly, the usual one first.
func (n Name) summaries() []string {
	switch {
	case n.Stem == "":
		return []string{"SUMMARY.md", "PLAN-SUMMARY.md"}
	case n.infix && strings.HasPrefix(n.Stem, "PLAN-"):
		return []string{"SUMMARY-" + n.Stem[len("PLAN-"):] + ".md", n.Stem + "-SUMMARY.md"}
	case n.infix:
		return []string{n.Stem + "-SUMMARY.md", strings.Replace(n.Stem, "PLAN", "SUMMARY", 1) + ".md"}
	}
	return []string{n.Stem + "-SUMMARY.md", n.Stem + "-PLAN-SUMMARY.md"}
}
