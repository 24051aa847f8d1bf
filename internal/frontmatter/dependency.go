package frontmatter

// dependency.go: the entries of depends_on. The forms are those of the front matter of 960 real plans, 03-01, 01 and
// Phase 3, and the name of a plan's file, which upstream also accepts. An entry that is not understood is ignored,
// because a plan that never becomes ready is worse than one that is offered early.

import (
	"path"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/text"
)

// Dependency is one entry of depends_on. Either Ref or Number is set.
type Dependency struct {
	Text    string         // as written, on one line
	Ref     planref.Ref    // 03-01, 03-01-auth, 03-01-PLAN.md, 11-fix-auth; the last may be a phase with its slug, which means nothing
	Number  planref.Number // 01: a plan of the same phase, else a phase
	IsPhase bool           // Phase 3: Number is a phase
}

// parseDependency parses one entry; it returns false if the entry is not understood.
func parseDependency(entry string) (Dependency, bool) {
	d := Dependency{Text: text.OneLine(entry)}
	word, _, _ := strings.Cut(d.Text, " ")
	if len(word) >= len("phase") && strings.EqualFold(word[:len("phase")], "phase") {
		number, _, ok := planref.CutNumber(strings.TrimLeft(d.Text[len("phase"):], " -_"))
		d.Number, d.IsPhase = number, true
		return d, ok
	}
	if strings.Contains(word, "quick/") { // quick tasks have no phase
		return d, false
	}
	word = strings.TrimSuffix(path.Base(word), ".md")
	word = strings.TrimSuffix(strings.TrimSuffix(word, "-PLAN"), "-SUMMARY")
	name, ok := planref.ParseName(word + ".md") // 3-PLAN-01-setup
	if !ok {
		if d.Ref, d.Number = planref.ParseID(word); d.Ref != (planref.Ref{}) {
			d.Number = planref.Number{}
			return d, true
		}
		name, _ = planref.ParseName(word + "-PLAN.md")
	}
	switch {
	case name.Phase.IsZero():
		d.Number = name.Plan // PLAN-03
	case !name.Plan.IsZero():
		d.Ref = name.Ref()
	case name.Slug == "":
		d.Number = name.Phase
	}
	return d, d.Ref != (planref.Ref{}) || !d.Number.IsZero()
}
