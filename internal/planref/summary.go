package planref

// summary.go: which summary belongs to which plan. A plan is done when its summary exists, so mistaking another plan's
// summary for it would end a live session. An id therefore counts only if a single plan has it.

import (
	"path"
	"slices"
	"strings"
)

// SummaryOf returns the name of a plan's summary among the names in its directory; plan may be a path. It is the one
// with the same stem (03-01-auth-PLAN.md and 03-01-auth-SUMMARY.md), else the one with the same NN-MM, padded or not,
// with or without a slug, unless another plan has that stem or NN-MM. If the path has a phase, numbers are read as
// [Name.In] does: 01-PLAN.md of phase 5 has the summary 05-01-SUMMARY.md. 03-01 is neither 03-010 nor 03-01A. The only
// plan of a quick task may have a bare SUMMARY.md.
func SummaryOf(plan string, names []string) (string, bool) {
	n, ok := ParseName(path.Base(plan))
	if !ok || n.Kind != Plan {
		return "", false
	}
	dir := path.Dir(plan)
	return NewSiblings(dir, PhaseOfDir(dir), names).Summary(n)
}

// Siblings are the plans and summaries of one directory, parsed once for all of its plans.
type Siblings struct {
	Plans []Sibling // sorted by file name

	summaries []Sibling
	phase     Number         // of the directory, zero for none
	quick     bool           // the directory is that of a quick task
	byRef     map[Ref]string // the result of refs; nil until needed
	named     Named          // the result of Named; nil until needed
}

// Sibling is a plan or a summary in a directory.
type Sibling struct {
	File string
	Name
}

// NewSiblings parses the file names in dir, the directory of a phase, zero for none.
func NewSiblings(dir string, phase Number, files []string) *Siblings {
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
	s := &Siblings{Plans: all[:plans], summaries: all[summaries:], phase: phase, quick: path.Base(path.Dir(dir)) == "quick"}
	sorted := func(a, b Sibling) int { return byFile(a, b.File) }
	slices.SortFunc(s.Plans, sorted)
	slices.SortFunc(s.summaries, sorted)
	s.findShared()
	return s
}

// findShared finds the plans that share their numbers, if slugs may tell them apart.
func (s *Siblings) findShared() {
	if !slices.ContainsFunc(s.Plans, func(plan Sibling) bool { return plan.mayShare() }) {
		return
	}
	first := map[Ref]int{} // the indexes of the plans with a number
	for i := range s.Plans {
		ref := s.Plans[i].In(s.phase).Ref().Numbered()
		if at, known := first[ref]; known && ref != (Ref{}) {
			s.Plans[i].shared, s.Plans[at].shared = true, true
		} else {
			first[ref] = i
		}
	}
}

// Named returns the plans that have a word in their references.
func (s *Siblings) Named() Named {
	if s.named == nil {
		s.named = Named{}
		for _, plan := range s.Plans {
			if plan.Word() != "" {
				s.named[plan.In(s.phase).Ref()] = true
			}
		}
	}
	return s.named
}

// PlanID returns the ID of one of the plans, given its path: that of [PlanID], but of two plans with one number, those with a slug are
// 03-01-auth and 03-01-db.
func (s *Siblings) PlanID(plan string) (string, bool) {
	at, known := slices.BinarySearchFunc(s.Plans, path.Base(plan), byFile)
	return planID(plan, known && s.Plans[at].shared)
}

// byFile compares a sibling with the name of a file.
func byFile(s Sibling, file string) int { return strings.Compare(s.File, file) }

// Summary returns the name of a plan's summary among the siblings.
func (s *Siblings) Summary(plan Name) (string, bool) {
	if len(s.summaries) == 0 {
		return "", false
	}
	names := plan.summaries()
	if s.quick && len(s.Plans) == 1 {
		names = append(names, "SUMMARY.md")
	}
	for _, exact := range names {
		if _, ok := slices.BinarySearchFunc(s.summaries, exact, byFile); ok {
			return exact, true
		}
	}
	ref := plan.In(s.phase).Ref().Numbered()
	if ref == (Ref{}) {
		return "", false
	}
	if s.byRef == nil {
		s.byRef = s.refs()
	}
	name, ok := s.byRef[ref]
	return name, ok
}

// Orphans returns the file names of the summaries of plans that are gone: those with the number of a plan that is not among plans,
// each number once, and without any plan that of the phase as a whole. Others, as 03-CLOSEOUT-SUMMARY.md, are of no plan.
func (s *Siblings) Orphans(plans []Number) (files []string) {
	known := map[string]bool{}
	for _, n := range plans {
		known[n.Key()] = true
	}
	for _, summary := range s.summaries {
		n := summary.In(s.phase)
		if known[n.Plan.Key()] || n.Plan.IsZero() && (len(plans) > 0 || n.Slug != "" || n.Phase.IsZero()) {
			continue
		}
		known[n.Plan.Key()] = true
		files = append(files, summary.File)
	}
	return files
}

// refs maps references to the file names of their summaries, except references that several plans share. If several
// summaries have one reference, the first by name counts.
func (s *Siblings) refs() map[Ref]string {
	byRef, plans := map[Ref]string{}, map[Ref]int{}
	for _, summary := range slices.Backward(s.summaries) {
		byRef[summary.In(s.phase).Ref().Numbered()] = summary.File
	}
	for _, plan := range s.Plans {
		ref := plan.In(s.phase).Ref().Numbered()
		if plans[ref]++; plans[ref] > 1 {
			delete(byRef, ref)
		}
	}
	return byRef
}

// SummaryName returns the file name of the summary that plan, a path, should get in its directory; false if plan is not
// named like a plan, because no file would then be recognised as its summary.
func SummaryName(plan string) (string, bool) {
	n, ok := ParseName(path.Base(plan))
	if !ok || n.Kind != Plan {
		return "", false
	}
	return n.summaries()[0], true
}

// PlanName returns the usual file name of the plan with the stem of n, which may be a summary's name.
func (n Name) PlanName() string { return strings.TrimPrefix(n.Stem+"-PLAN.md", "-") }

// summaries returns the names of a plan's summary that have its stem, the usual one first.
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

// DraftName returns the file name of the draft of a summary: 03-01-SUMMARY.draft.md for 03-01-SUMMARY.md. Nobody takes a draft for a
// plan or a summary, neither gsd nor upstream, to which a name with PLAN-2 or SUMMARY-2 in it is one whatever follows (plan-scan.cjs:
// isRootPlanFile, isNestedSummaryFile), unless it ends in something other than .md: SUMMARY-01-x.md has the draft SUMMARY-01-x.md.draft.
func DraftName(summary string) string {
	stem := strings.TrimSuffix(summary, ".md")
	name := stem + ".draft.md"
	if _, taken := ParseName(name); taken || hasNumbered(stem, "PLAN-") || hasNumbered(stem, "SUMMARY-") {
		return summary + ".draft"
	}
	return name
}

// hasNumbered reports whether a part of a stem is the word, in any case, and a number follows.
func hasNumbered(stem, word string) bool {
	stem = "-" + strings.ToUpper(stem)
	for {
		_, after, found := strings.Cut(stem, "-"+word)
		if !found || digits(after) > 0 {
			return found
		}
		stem = "-" + after
	}
}

// DraftOf returns the file name of the summary whose draft is called name; false if that is no draft.
func DraftOf(name string) (summary string, ok bool) {
	stem, ok := strings.CutSuffix(name, ".draft.md")
	if !ok {
		stem, ok = strings.CutSuffix(name, ".md.draft")
	}
	n, is := ParseName(stem + ".md")
	return stem + ".md", ok && is && n.Kind == Summary
}
