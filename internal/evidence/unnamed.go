package evidence

// unnamed.go: commits that do not name their plan in their scope. Whole projects are written like that, and executors forget it. Such a
// commit is work on the plan only if both its words and its files are those of one of its tasks, and no plan was closed after it. Of one
// that names the phase, or a number that several plans share, the files say enough. At 982 real moments, no task of a plan that nobody had
// started is called complete by that.

import (
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
)

// fits reports whether a commit whose scope does not name the plan is clearly work on it, and completes its item.
func (p *plan) fits(c *Commit, it *item) bool {
	ofPhase := !it.Phase.IsZero() || slices.Contains(it.Plans, p.shared())
	if !p.on(RuleUnnamed) || it.IsBookkeeping() || it.namesOther(p) || it.Type == "fix" && !ofPhase || p.compared > maxSteps {
		return false
	}
	p.compared += len(p.names)
	words, similar := p.words(it.Text), make([]bool, len(p.names))
	for t, name := range p.names {
		similar[t] = ofPhase || similarity(words, name) > p.MinSimilarity
	}
	if !slices.Contains(similar, true) || p.Root != "" && p.on(RuleElsewhere) && c.Elsewhere(p.Root) {
		return false
	}
	it.touched = p.files.touchedBy(c.Files())
	if 2*it.touched.named < it.touched.changed {
		return false
	}
	for t := range similar {
		if !similar[t] || p.files.similarity(it.touched, t) <= p.MinFiles {
			continue
		}
		it.read(p)
		it.commit.Confidence, it.commit.Reason = p.Unnamed, "does not name the plan; "
		switch {
		case !it.Phase.IsZero():
			it.commit.Confidence, it.commit.Reason = p.PhaseOnly, "has the phase in its scope; "
		case ofPhase:
			it.commit.Confidence, it.commit.Reason = p.PhaseOnly, "names the number, which another plan has as well; "
		}
		return true
	}
	return false
}

// namesOther reports whether an item names another plan or phase.
func (it *item) namesOther(p *plan) bool {
	other := func(ref planref.Ref) bool { return ref != p.ref && ref != p.shared() }
	return slices.ContainsFunc(it.Plans, other) || !it.Phase.IsZero() && it.Phase.Key() != p.phase
}

// shared returns the reference that several plans of the plan's number may mean; zero for a number of its own.
func (p *plan) shared() planref.Ref {
	if ref := p.ref.Numbered(); ref != p.ref {
		return ref
	}
	return planref.Ref{}
}

// closesPlan reports whether a change adds a summary. A commit before it that names no plan is likelier work on the one that it closes.
func closesPlan(change gitlog.Change) bool {
	name, ok := planref.ParseName(path.Base(change.Path))
	return ok && name.Kind == planref.Summary && change.Kind == gitlog.Added
}
