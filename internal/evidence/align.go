package evidence

// align.go: which task each commit of a plan carried out. An executor works through the tasks in order and commits each
// when it is done, so the commits are aligned with the tasks by the Viterbi algorithm, with tasks as states. Continuing
// with the next task is likely, skipping a task or going back is not, and a commit is drawn to a task whose words are
// in its subject. The confidence of a commit's task follows from the margin between the best alignment and the best one
// that gives the commit another task.

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

// scores holds the emission and transition scores of an alignment.
type scores struct {
	*Weights
	emission   [][]float64 // of item i at task t
	same       [][]float64 // transition of item i from task t to itself
	skip       []float64   // sum over the tasks before t, so that the cost of skipping is a difference
	similarity [][]float64 // of item i and the name of task t
	common     [][]float64 // of the files of item i and those of task t
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
	s := p.score(items)
	// State t means that the last task worked on is t-1; state 0 is the start.
	forward := make([][]float64, len(items)+1) // the best alignment of the items before i that ends in state t
	at := make([][]float64, len(items))        // the best alignment that ends with item i at task t-1
	forward[0] = slices.Repeat([]float64{math.Inf(-1)}, n+1)
	forward[0][0] = 0
	for i := range items {
		at[i] = s.forward(i, forward[i])
		forward[i+1] = make([]float64, n+1)
		for t := range forward[i+1] {
			forward[i+1][t] = max(at[i][t], forward[i][t]+s.NoTask)
		}
	}
	backward := make([]float64, n+1) // the best alignment of the items after i, from state t
	for i := len(items) - 1; i >= 0; i-- {
		best, second, task := math.Inf(-1), math.Inf(-1), -1
		for t := range n + 1 {
			through := at[i][t] + backward[t]
			if t == 0 { // no task, from any state
				through = math.Inf(-1)
				for state := range n + 1 {
					through = max(through, forward[i][state]+s.NoTask+backward[state])
				}
			}
			if through > best {
				best, second, task = through, best, t-1
			} else {
				second = max(second, through)
			}
		}
		all[i] = p.judge(s, items, i, task, best-second)
		backward = s.backward(i, backward)
	}
	return all
}

// isBeside reports whether commits of an item's type also come beside the work on a task, so that without its words or files they say
// nothing of it.
func isBeside(it item) bool {
	return slices.Contains([]string{"chore", "docs", "style", "ci", "build", "fix"}, it.Type)
}

// judge returns the assignment of item i to a task, with the confidence that follows from the margin.
func (p *plan) judge(s *scores, items []item, i, task int, margin float64) assignment {
	a := assignment{task: task, confidence: p.MaxConfidence - (p.MaxConfidence-0.5)*math.Exp(-p.Slope*margin)}
	if task < 0 {
		a.reason = "matches no task"
		return a
	}
	a.reason = fmt.Sprintf("is commit %d of %d in order", i+1, len(s.similarity))
	n := p.Tasks[task].Number
	switch words, files := s.similarity[i][task] > p.MinSimilarity, s.common[i][task] > p.MinFiles; {
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

func (p *plan) score(items []item) *scores {
	s := &scores{Weights: p.Weights, skip: make([]float64, len(p.Tasks)+1)}
	for t, task := range p.Tasks {
		s.skip[t+1] = s.skip[t]
		if !task.IsCheckpoint() || !p.on(RuleCheckpoints) {
			s.skip[t+1] += p.Skip
		}
	}
	for i, it := range items {
		n := len(p.Tasks)
		emission, same, similar, common := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for t, task := range p.Tasks {
			similar[t] = p.similarity(it, t)
			emission[t] = p.Name * similar[t]
			if len(it.tasks) > 0 && !slices.Contains(it.tasks, t) {
				emission[t] = math.Inf(-1) // it is about those that it names
			}
			if p.on(RuleFiles) && it.Type != "fix" {
				common[t] = p.files.similarity(it.touched, t)
				emission[t] += p.Files * common[t]
			}
			if task.IsCheckpoint() && p.on(RuleCheckpoints) && (t == 0 || it.Type != "fix" || !p.on(RuleFixes)) {
				emission[t] += p.Checkpoint
			}
			switch {
			case i > 0 && it.Type != "test" && (p.isPart(items[i-1], t) || it.Type == "refactor" && task.TDD && p.on(RuleTests)):
				same[t] = p.SameRest
			case p.on(RuleUsedUp) && (i == 0 || it.Text != items[i-1].Text): // the same words again mean that it was done again
				same[t] = p.Same - p.UsedUp*p.Name*similar[t]
			default:
				same[t] = p.Same
			}
		}
		s.emission, s.same = append(s.emission, emission), append(s.same, same)
		s.similarity, s.common = append(s.similarity, similar), append(s.common, common)
	}
	return s
}

// forward returns the scores of the best alignments that end with item i at each task, given those of the items before.
func (s *scores) forward(i int, from []float64) []float64 {
	n := len(from) - 1
	to := slices.Repeat([]float64{math.Inf(-1)}, n+1)
	ahead, far := math.Inf(-1), math.Inf(-1)
	for t := 1; t <= n; t++ {
		ahead, far = max(ahead, from[t-1]-s.skip[t-1]), max(far, from[t-1]+s.Far)
		to[t] = max(max(ahead+s.skip[t-1], far)+s.Next, from[t]+s.same[i][t-1])
	}
	behind := math.Inf(-1)
	for t := n; t >= 1; t-- {
		to[t] = max(to[t], behind+s.Back) + s.emission[i][t-1]
		behind = max(behind, from[t])
	}
	return to
}

// backward returns the scores of the best alignments of item i and the items after it from each state, given those of
// the items after it.
func (s *scores) backward(i int, after []float64) []float64 {
	n := len(after) - 1
	from := make([]float64, n+1)
	ahead, far := math.Inf(-1), math.Inf(-1)
	for t := n; t >= 0; t-- {
		from[t] = max(after[t]+s.NoTask, max(ahead-s.skip[t], far)+s.Next)
		if t > 0 {
			worth := s.emission[i][t-1] + after[t]
			from[t] = max(from[t], worth+s.same[i][t-1])
			ahead, far = max(ahead, worth+s.skip[t-1]), max(far, worth+s.Far)
		}
	}
	behind := math.Inf(-1)
	for t := 1; t <= n; t++ {
		from[t] = max(from[t], behind+s.Back)
		behind = max(behind, s.emission[i][t-1]+after[t])
	}
	return from
}
