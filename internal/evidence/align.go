package evidence

// align.go: which task each commit of a plan carried out. An executor works through the tasks in order and commits each
// when it is done, so each commit, from the oldest, goes to the task that fits it best after the one before: continuing
// with the next task is likely, skipping a task or going back is not, and a commit is drawn to a task whose words are
// in its subject. The confidence of a commit's task follows from the margin over the next best. (Viterbi's algorithm, which looks
// at the commits that follow, too, came to the same figures at the labelled moments of 33 projects.)

import (
	"fmt"
	"math"
	"slices"
)

// maxSteps limits the pairs of a commit and a task that are compared. A plan of ten tasks with fifty commits has 500.
const maxSteps = 1 << 18

// assignment is the task of an item.
type assignment struct {
	task       int // index, -1 for none
	confidence float64
	reason     string
}

// assign assigns the items, oldest first, to tasks.
func (p *plan) assign(items []item, found *Found) {
	found.Tasks = make([]TaskEvidence, len(p.Tasks))
	for i, t := range p.Tasks {
		found.Tasks[i] = TaskEvidence{Number: t.Number, checkpoint: t.IsCheckpoint(), index: i}
	}
	assignments := p.align(items)
	if assignments == nil {
		found.Exhausted = true
	}
	for i, it := range items {
		a := assignment{task: -1, reason: fmt.Sprintf("is one of %d commits of a plan with %d tasks: too many to compare", len(items), len(p.Tasks))}
		if assignments != nil {
			a = assignments[i]
		}
		if it.strange {
			a.confidence, a.reason = min(a.confidence, unsure), a.reason+", but names a task that the plan does not have"
		}
		e := it.commit
		e.Confidence *= a.confidence
		e.Reason += a.reason
		if a.task < 0 {
			addEvidence(&found.Unassigned, e)
			continue
		}
		p.give(&found.Tasks[a.task], it, e)
		for _, t := range it.tasks {
			if t != a.task {
				e.Reason = it.commit.Reason + fmt.Sprintf("names task %d", p.Tasks[t].Number)
				p.give(&found.Tasks[t], it, e)
			}
		}
	}
	if assignments != nil && p.on(RuleSeveral) {
		p.assignSeveral(items, assignments, found)
	}
	for i, t := range p.Tasks {
		found.Tasks[i].part = found.Tasks[i].part || t.Indistinct && p.on(RuleIndistinct)
	}
}

// give gives a commit to a task.
func (p *plan) give(task *TaskEvidence, it item, e Evidence) {
	addEvidence(&task.Commits, e)
	if p.isPart(it, task.index) {
		task.part = task.part || task.Confidence <= unsure
		e.Confidence = min(e.Confidence, unsure)
	} else if e.Confidence > unsure {
		task.part = false
	}
	task.Confidence = max(task.Confidence, e.Confidence)
}

// addEvidence appends a commit. Of the lines of one squashed commit, which are consecutive, the most confident counts.
func addEvidence(to *[]Evidence, e Evidence) {
	if last := len(*to) - 1; last < 0 || (*to)[last].ID != e.ID {
		*to = append(*to, e)
	} else if (*to)[last].Confidence < e.Confidence {
		(*to)[last] = e
	}
}

// align aligns items with tasks; it returns nil if there are too many.
func (p *plan) align(items []item) []assignment {
	all, n := make([]assignment, len(items)), len(p.Tasks)
	switch {
	case n == 0:
		for i := range all {
			all[i] = assignment{task: -1, reason: "the plan has no tasks"}
		}
		return all
	case n == 1 && p.on(RuleOneTask):
		reason := "is work on the plan, which has one task"
		if p.Tasks[0].Indistinct {
			reason = "is work on the plan, which names no tasks: how far it is, is not known"
		}
		for i, it := range items {
			all[i] = assignment{confidence: p.MaxConfidence, reason: reason}
			if isBeside(it) && p.similarity(it, 0) <= p.MinSimilarity && p.files.similarity(it.touched, 0) <= p.MinFiles {
				all[i].confidence = p.Beside
			}
		}
		return all
	case len(items) > maxSteps/n:
		return nil
	}
	skip := make([]float64, n+1) // the cost of skipping the tasks before each
	for t, task := range p.Tasks {
		skip[t+1] = skip[t]
		if !task.IsCheckpoint() || !p.on(RuleCheckpoints) {
			skip[t+1] += p.Skip
		}
	}
	last := -1 // the task of the item before, -1 at the start
	for i := range items {
		best, second := fit{task: -1, score: p.NoTask}, math.Inf(-1)
		for t := range n {
			its := p.fit(items, i, t)
			switch {
			case t > last:
				if its.score += max(skip[t]-skip[last+1], p.Far); !p.isAside(items[i], its) {
					its.score += p.Next
				}
			case t == last:
				its.score += its.same
			default:
				its.score += p.Back
			}
			if its.score > best.score {
				best, second = its, best.score
			} else {
				second = max(second, its.score)
			}
		}
		all[i] = p.judge(items, i, best, best.score-second)
		if best.task >= 0 {
			last = best.task
		}
	}
	return all
}

// fit is how well an item fits a task.
type fit struct {
	task         int     // index, -1 for none
	score        float64 // of the item and, in align, its place behind the one before
	same         float64 // the score of that place if the one before is at the same task
	words, files float64 // how similar the item is to the task's name and files, from 0 to 1
}

// fit returns how well item i fits a task.
func (p *plan) fit(items []item, i, t int) fit {
	it, task := items[i], p.Tasks[t]
	its := fit{task: t, words: p.similarity(it, t)}
	its.score = p.Name * its.words
	if len(it.tasks) > 0 && !slices.Contains(it.tasks, t) {
		its.score = math.Inf(-1) // it is about those that it names
	}
	if p.on(RuleFiles) && it.Type != "fix" {
		its.files = p.files.similarity(it.touched, t)
		its.score += p.Files * its.files
	}
	if task.IsCheckpoint() && p.on(RuleCheckpoints) {
		its.score += p.Checkpoint
	}
	switch {
	case i > 0 && it.Type != "test" && (p.isPart(items[i-1], t) || it.Type == "refactor" && task.TDD && p.on(RuleTests)):
		its.same = p.SameRest
	case p.on(RuleUsedUp):
		its.same = p.Same - p.UsedUp*p.Name*its.words
	default:
		its.same = p.Same
	}
	return its
}

// isAside reports whether nothing but its place behind the one before says that an item is work on a task, and its type does not say so.
func (p *plan) isAside(it item, its fit) bool {
	return isBeside(it) && its.words <= p.MinSimilarity && its.files <= p.MinFiles
}

// isBeside reports whether commits of an item's type also come beside the work on a task, so that without its words or files they say
// nothing of it.
func isBeside(it item) bool {
	return slices.Contains([]string{"chore", "docs", "style", "ci", "build", "fix"}, it.Type)
}

// judge returns the assignment of item i to the task that it fits best, with the confidence that follows from the margin.
func (p *plan) judge(items []item, i int, its fit, margin float64) assignment {
	task := its.task
	a := assignment{task: task, confidence: p.MaxConfidence - (p.MaxConfidence-0.5)*math.Exp(-p.Slope*margin)}
	if task < 0 {
		a.reason = "matches no task"
		return a
	}
	a.reason = fmt.Sprintf("is commit %d of %d in order", i+1, len(items))
	n := p.Tasks[task].Number
	switch words, files := its.words > p.MinSimilarity, its.files > p.MinFiles; {
	case words && files:
		a.reason = fmt.Sprintf("has words and files of task %d and %s", n, a.reason)
	case words:
		a.reason = fmt.Sprintf("has words of task %d and %s", n, a.reason)
	case files:
		a.reason = fmt.Sprintf("has files of task %d and %s", n, a.reason)
	case p.Inferred && p.on(RuleIndistinct):
		a.confidence = min(a.confidence, unsure)
	case p.on(RuleOrderAlone) && p.on(RuleFiles) && !p.Tasks[task].IsCheckpoint() && items[i].touched.others(task):
		a.confidence = min(a.confidence, unsure)
	case p.on(RuleOrderAlone) && isBeside(items[i]):
		a.confidence = min(a.confidence, p.Beside)
	case p.on(RuleOrderAlone):
		a.confidence = min(a.confidence, p.OrderAlone)
	}
	return a
}

// similarity returns how well the subject of an item fits a task, from 0 to 1: by its words, unless it names tasks.
func (p *plan) similarity(it item, task int) float64 {
	switch {
	case len(it.tasks) == 0:
		return similarity(it.words, p.names[task])
	case slices.Contains(it.tasks, task):
		return 1
	}
	return 0
}
