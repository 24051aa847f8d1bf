package evidence

// belong.go: which commits are work on a plan. A commit says what it is about in its scope: `feat(03-01): …`.

import (
	"fmt"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
)

// item is one line of evidence, a commit or a line of a squashed one; or a revert, which takes others back.
type item struct {
	planref.Subject
	commit Evidence // the commit, and how sure it is the plan's
	line   string   // its subject
	id     string   // its hash
	takes  []string // the hashes of the commits that it takes back
	words  wordSet
}

func (it item) reverts() bool { return it.Reverts != "" || len(it.takes) > 0 }

// plan is a Plan prepared for many commits.
type plan struct {
	Plan
	*Weights
	ref   planref.Ref // zero for the only plan of a phase
	phase string      // the key of its phase
	names []wordSet
	named []string // the files that tasks name, sorted by their last parts
}

func prepare(p Plan) *plan {
	prepared := &plan{Plan: p, Weights: p.Weights}
	if p.Weights == nil {
		prepared.Weights = &Standard
	}
	prepared.identify(p.ID)
	for _, t := range p.Tasks {
		prepared.names = append(prepared.names, p.words(t.Name))
		for _, f := range t.Files {
			prepared.named = append(prepared.named, path.Base(f))
		}
	}
	slices.Sort(prepared.named)
	return prepared
}

// identify takes a plan's id.
func (p *plan) identify(id string) {
	ref, phase := planref.ParseID(id)
	p.ref, p.phase = ref, phase.Key()
}

// follow goes on with the plan at another path.
func (p *plan) follow(file string) {
	p.Path = file
	id, _ := planref.PlanID(file)
	p.identify(id)
}

// items returns what a commit says about the plan, the newest first, and counts one that is passed over.
func (p *plan) items(c *Commit, passed *Passed) []item {
	if c.Merge() {
		return nil // what it brought in is on the walk itself
	}
	s := planref.ParseSubject(c.Subject)
	if s.Reverts == "" && p.on(RuleSquash) {
		if lines := squashed(c.Subject, c.Body()); len(lines) > 0 {
			return p.lines(c, lines, passed)
		}
	}
	it := p.item(c, s, c.Subject, c.ID, revertedHashes(c.Body()))
	switch {
	case it.reverts():
		return []item{it}
	case !p.owns(&it, passed) || !p.isWork(c, s, passed):
		return nil
	}
	return []item{it}
}

// longestEvidence is how many runes of a subject are handed on.
const longestEvidence = 200

// item makes an item of a commit or of a line that it lists.
func (p *plan) item(c *Commit, s planref.Subject, line, id string, takes []string) item {
	it := item{Subject: s, line: line, id: id, takes: takes}
	it.commit = Evidence{ID: c.ID, When: c.When, Subject: fmt.Sprintf("%.*s", longestEvidence, c.Subject), Confidence: 1}
	if !p.on(RuleReverts) {
		it.Reverts, it.takes = "", nil
	}
	return it
}

// owns reports whether the scope of an item means the plan.
func (p *plan) owns(it *item, passed *Passed) bool {
	switch {
	case it.Scoped && p.ref != planref.Ref{} && slices.Contains(it.Plans, p.ref):
	case it.Phase.IsZero() || it.Phase.Key() != p.phase:
		return false
	case p.ref == planref.Ref{}: // the phase's number is the plan's id
	case it.Writes(): // docs(03): create phase plan
		return false
	case !p.Alone || !p.on(RulePhase):
		passed.Phase++
		return false
	default:
		it.commit.Confidence, it.commit.Reason = p.ByPhase, "has the phase in its scope, which has one plan; "
	}
	it.words = p.words(it.Text)
	return true
}

// isWork reports whether a commit carries the plan out, and does not write about it: it made or revised the plan, its
// summary or the project's state. The work of a task can be a document too.
func (p *plan) isWork(c *Commit, s planref.Subject, passed *Passed) bool {
	if p.Root != "" && p.on(RuleElsewhere) && c.Elsewhere(p.Root) {
		passed.Elsewhere++
		return false
	}
	about := s.Writes() || s.Type == ""
	if !about || !p.on(RulePlanning) || len(c.Changes()) == 0 || c.Outside() || slices.ContainsFunc(c.Changes(), p.isNamed) {
		return true
	}
	passed.Wrote++
	return false
}

// isNamed reports whether a change is of a file that a task names, by its last part.
func (p *plan) isNamed(change gitlog.Change) bool {
	_, ok := slices.BinarySearch(p.named, path.Base(change.Path))
	return ok
}
