package evidence

// belong.go: which commits are work on a plan. A commit names its plan in its scope: `feat(03-01): …`.

import (
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
)

// item is a commit, or one of those that a squashed commit lists. It may be a revert.
type item struct {
	planref.Subject
	commit              Evidence // the commit itself, with the confidence that it is the plan's
	line                string   // the item's subject
	id                  string   // the item's hash
	reverts             []string // the hashes of the commits that it reverts
	words               wordSet
	tasks               []int // that it names
	strange             bool  // it names only labels that no task has
	unfinished, failing bool  // it says so
	source              *Commit
	touched             *touched // nil for a line of a squashed commit
}

func (it item) isRevert() bool { return it.Reverts != "" || len(it.reverts) > 0 }

// plan is a Plan prepared for many commits.
type plan struct {
	Plan
	*Weights
	ref    planref.Ref    // zero for the only plan of a phase
	phase  string         // the key of its phase
	names  []wordSet      // of the tasks
	labels []string       // by which subjects name them, as planref.LabelKey has them; "" for one without a label
	at     map[string]int // the index of the task with a label; -1 if several have it
	files  fileSet

	compared int // pairs of a task and a commit that names no plan
	heard    int // messages that were read for what they say of a task
}

func prepare(p Plan) *plan {
	prepared := &plan{Plan: p, Weights: p.Weights}
	if p.Weights == nil {
		prepared.Weights = &Standard
	}
	prepared.identify(p.ID)
	labelled := false
	for _, t := range p.Tasks {
		label, name := planfile.SplitLabel(t.Name)
		labelled = labelled || label != ""
		prepared.labels, prepared.names = append(prepared.labels, planref.LabelKey(label)), append(prepared.names, p.words(name))
	}
	prepared.at = map[string]int{}
	for i, t := range p.Tasks {
		if !labelled {
			prepared.labels[i] = strconv.Itoa(t.Number)
		}
		label := prepared.labels[i]
		if _, twice := prepared.at[label]; twice { // a label that was copied with its task names neither
			prepared.at[label] = -1
		} else if label != "" {
			prepared.at[label] = i
		}
	}
	prepared.files = nameFiles(p.Tasks)
	return prepared
}

// identify sets the plan's reference and phase from its id.
func (p *plan) identify(id string) {
	ref, phase := planref.ParseID(id)
	p.ref, p.phase = ref, phase.Key()
}

// follow continues with the plan at another path.
func (p *plan) follow(file string) {
	p.Path = file
	id, _ := planref.PlanID(file)
	p.identify(id)
}

// items returns the items of a commit for the plan, newest first, or counts the commit as excluded. Unnamed commits are those whose
// scope does not name the plan.
func (p *plan) items(c *Commit, unnamed bool, excluded *Excluded) []item {
	if c.Merge() {
		return nil // the walk visits the commits that it merged
	}
	s := planref.ParseSubject(c.Subject, p.Named)
	if s.Reverts == "" && p.on(RuleSquash) {
		if lines := squashed(c.Subject, c.Body(), p.Named); len(lines) > 0 {
			return p.lines(c, lines, excluded)
		}
	}
	it := p.item(c, s, c.Subject, c.ID, revertedHashes(c.Body()))
	switch {
	case it.isRevert():
		return []item{it}
	case p.owns(&it, excluded) && p.isWork(c, excluded):
		it.touched = p.files.touchedBy(c.Files())
	case !unnamed || !p.fits(c, &it):
		return nil
	}
	return []item{it}
}

// maxSubject is the number of runes of a subject that are returned.
const maxSubject = 200

// item returns the item of a commit or of a line that it lists.
func (p *plan) item(c *Commit, s planref.Subject, line, id string, reverts []string) item {
	it := item{Subject: s, line: line, id: id, reverts: reverts, source: c}
	it.commit = Evidence{ID: c.ID, When: c.When, Subject: fmt.Sprintf("%.*s", maxSubject, c.Subject), Confidence: 1}
	if !p.on(RuleReverts) {
		it.Reverts, it.reverts = "", nil
	}
	return it
}

// owns reports whether the scope of an item names the plan.
func (p *plan) owns(it *item, excluded *Excluded) bool {
	switch {
	case (it.Scoped || it.Led && p.on(RuleUnnamed)) && p.ref != planref.Ref{} && slices.Contains(it.Plans, p.ref):
	case it.Phase.IsZero() || it.Phase.Key() != p.phase:
		return false
	case p.ref == planref.Ref{}: // the phase's number is the plan's id
	case it.IsBookkeeping(): // docs(03): create phase plan
		return false
	case !p.Alone || !p.on(RulePhase):
		excluded.Phase++
		return false
	default:
		it.commit.Confidence, it.commit.Reason = p.PhaseOnly, "has the phase in its scope, which has one plan; "
	}
	it.tasks, it.strange = p.namedTasks(it.Text)
	it.read(p)
	return true
}

// read reads what the text of an item says.
func (it *item) read(p *plan) {
	it.words, it.unfinished, it.failing = p.words(it.Text), isUnfinished(it.Subject), saysFailing(it.Text)
}

// isWork reports whether a commit carries out the plan, rather than writing the plan, its summary or the project's
// state. The work of a task may be a document, too.
func (p *plan) isWork(c *Commit, excluded *Excluded) bool {
	if p.Root != "" && p.on(RuleElsewhere) && c.Elsewhere(p.Root) {
		excluded.Elsewhere++
		return false
	}
	if !p.on(RulePlanning) || len(c.Changes()) == 0 || c.Outside() || slices.ContainsFunc(c.Changes(), p.isNamed) {
		return true
	}
	excluded.Wrote++
	return false
}

// isNamed reports whether a change is to a file that a task names, by its base name.
func (p *plan) isNamed(change gitlog.Change) bool {
	return len(p.files.byBase[path.Base(change.Path)]) > 0
}
