package roadmap

// plan.go: one reading of plan and summary names for every command. Upstream had four scanners that
// disagreed (its lesson #3262); here a name is taken apart once and everything asks the parts.

import (
	"path"
	"strings"
)

// IsPlan tells whether a file of this name is a plan: `PLAN.md`, `NN-MM-PLAN.md`,
// `NN-MM-slug-PLAN.md`, `NNN-PLAN.md` of a quick task, and the `NN-PLAN-MM-slug.md` that upstream also
// accepts (#2893), and the `PLAN-MM-slug.md` of its nested layout (#3139). Outlines and backups
// (`-PLAN-OUTLINE.md`, `-PLAN.pre-bounce.md`) are not, nor are hidden files.
func IsPlan(name string) bool {
	n, ok := parseName(name)
	return ok && n.kind == planFile
}

// IsOther tells whether a file of this name is known to be something else than a plan: a document of the
// project, or what a phase keeps beside its plans. A name that nobody knows may still be a plan's.
func IsOther(name string) bool {
	stem, ok := strings.CutSuffix(strings.ToUpper(name), ".MD")
	if !ok {
		return false
	}
	switch stem {
	case "ROADMAP", "STATE", "PROJECT", "REQUIREMENTS", "MILESTONES", "RETROSPECTIVE":
		return true
	}
	switch stem[strings.LastIndexByte(stem, '-')+1:] {
	case "SUMMARY", "CONTEXT", "RESEARCH", "VERIFICATION", "VALIDATION", "UAT", "DISCOVERY":
		return true
	}
	return false
}

// PlanID is the short name of the plan at path (slashes), such as `03-01` or `02.1-03` for a plan of a
// phase, `03` for the `PLAN.md` of a phase directory, `quick/001` for a quick task. It answers false
// for a plan that has no number: the `auth-PLAN.md` of a phase is not the one that its number means.
func PlanID(plan string) (string, bool) {
	n, ok := parseName(path.Base(plan))
	if !ok || n.kind != planFile {
		return "", false
	}
	dirs := strings.Split(path.Dir(plan), "/")
	for i, dir := range dirs {
		if dir == "quick" {
			return quickID(dirs[i+1:], n)
		}
	}
	own, _ := PhaseOfPlan(plan)
	return n.planID(own)
}

// planID is PlanID of a plan in a phase's directory, zero for none.
func (n fileName) planID(phase Number) (string, bool) {
	if n.isNamed() {
		return "", false
	}
	switch n = n.in(phase); {
	case n.phase.IsZero():
		return "", false
	case n.plan.IsZero():
		return n.phase.Padded(), true
	}
	return n.phase.Padded() + "-" + n.plan.Padded(), true
}

// isNamed tells whether the name says what the plan is about and no number.
func (n fileName) isNamed() bool { return n.stem != "" && n.phase.IsZero() && n.plan.IsZero() }

// in is the name in a directory of a phase: `PLAN-01.md` has its phase from there, and the `01-PLAN.md` of
// another phase's directory is its plan 1.
func (n fileName) in(dir Number) fileName {
	if !dir.IsZero() && n.plan.IsZero() && !n.phase.IsZero() && Compare(n.phase, dir) != 0 {
		n.plan = n.phase
		n.phase = dir
	}
	if n.phase.IsZero() {
		n.phase = dir
	}
	return n
}

// quickID names a quick task by its file (`001-PLAN.md`), else by the start of its directory's name.
func quickID(dirs []string, n fileName) (string, bool) {
	switch {
	case n.stem != "":
		return "quick/" + n.stem, true
	case len(dirs) > 0 && dirs[0] != "":
		token, _, _ := strings.Cut(dirs[0], "-")
		return "quick/" + token, true
	}
	return "", false
}

// fileKind is what a name in a phase directory says of its file.
type fileKind int

const (
	planFile fileKind = iota + 1
	summaryFile
)

// fileName is the name of a plan or a summary in its parts. For `02.1-03-auth-PLAN.md` the stem is
// `02.1-03-auth`, phase 2.1, plan 3, slug `auth`; for `PLAN.md` all of them are empty; for
// `001-PLAN.md` there is a phase and no plan.
type fileName struct {
	kind   fileKind
	stem   string
	phase  Number
	plan   Number
	slug   string
	nested bool // of the layout that nestedName reads: its summary has the number, too, behind the word
}

// parseName takes a base name apart; false where it is neither a plan's nor a summary's.
func parseName(name string) (fileName, bool) {
	stem, ok := strings.CutSuffix(name, ".md")
	if !ok || strings.HasPrefix(name, ".") { // hidden: what systems and editors put beside a plan
		return fileName{}, false
	}
	switch stem {
	case "PLAN":
		return fileName{kind: planFile}, true
	case "SUMMARY":
		return fileName{kind: summaryFile}, true
	}
	if n, ok := nestedName(stem); ok {
		return n, true
	}
	n := fileName{}
	if n.stem, ok = strings.CutSuffix(stem, "-PLAN"); ok {
		n.kind = planFile
	} else if n.stem, ok = strings.CutSuffix(stem, "-SUMMARY"); ok {
		n.kind = summaryFile
	} else {
		n.stem = stem // still a plan if it turns out to be NN-PLAN-MM-slug
	}
	if n.stem == "" {
		return fileName{}, false
	}
	rest := n.cutPhase()
	infix := false
	if after, ok := strings.CutPrefix(rest, "-PLAN-"); ok && digits(after) > 0 {
		rest, infix = "-"+after, true
	}
	if n.kind == 0 {
		if !infix {
			return fileName{}, false
		}
		n.kind = planFile
	}
	n.cutPlan(rest)
	return n, true
}

// cutPhase reads the phase at the start of the stem and answers what follows it, a dash first.
func (n *fileName) cutPhase() string {
	phase, rest, ok := cutNumber(n.stem)
	if !ok || rest != "" && rest[0] != '-' {
		n.slug = n.stem
		return ""
	}
	n.phase = phase
	return rest
}

// cutPlan reads `-MM` and `-slug`. What is no number is slug, so `03-auth-PLAN.md` has no plan number.
func (n *fileName) cutPlan(rest string) {
	rest = strings.TrimPrefix(rest, "-")
	if rest == "" {
		return
	}
	// A project code belongs in front of a phase: the AB of 03-AB-1 is slug.
	if isDigit(rest[0]) {
		if plan, slug, ok := cutNumber(rest); ok && (slug == "" || slug[0] == '-') {
			n.plan, n.slug = plan, strings.TrimPrefix(slug, "-")
			return
		}
	}
	n.slug = rest
}

// nestedName reads `PLAN-01-setup`, `SUMMARY-01` and `PLAN-01-SUMMARY`, which get their phase from the directory.
func nestedName(stem string) (fileName, bool) {
	n := fileName{kind: planFile, stem: stem, nested: true}
	rest, ok := strings.CutPrefix(stem, "PLAN-")
	if !ok {
		n.kind = summaryFile
		rest, ok = strings.CutPrefix(stem, "SUMMARY-")
	}
	if !ok || digits(rest) == 0 || strings.HasSuffix(rest, "-OUTLINE") {
		return fileName{}, false
	}
	if plan, ok := strings.CutSuffix(rest, "-SUMMARY"); ok {
		n.kind, rest = summaryFile, plan
	}
	n.cutPlan("-" + rest)
	return n, !n.plan.IsZero()
}
