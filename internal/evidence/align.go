package evidence

// align.go: which task each commit of a plan carried out. An executor goes through the tasks in order and commits each
// when it is done, so the commits are aligned with the tasks: the Viterbi algorithm with tasks for states. Going on to the
// next task is likely, leaving out a task or going back is not, and a subject with a task's words attracts it. The margin
// of the best alignment over the best in which a commit has another task says how sure its task is.

import (
	"fmt"
	"math"
	"slices"
)

// mostSteps is how many pairs of a commit and a task are compared. A plan of ten tasks and its fifty commits take 500.
const mostSteps = 1 << 18

// assignment is the task of an item; task is an index, -1 for none.
type assignment struct {
	task       int
	confidence float64
	reason     string
}

// assign gives each item, the oldest first, its task.
func (p *plan) assign(items []item, found *Found) {
	found.Tasks = make([]TaskEvidence, len(p.Tasks))
	for i, t := range p.Tasks {
		found.Tasks[i] = TaskEvidence{Number: t.Number, checkpoint: t.IsCheckpoint()}
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
		e := it.commit
		e.Confidence *= a.confidence
		e.Reason += a.reason
		if a.task < 0 {
			addEvidence(&found.Unassigned, e)
			continue
		}
		of := &found.Tasks[a.task]
		addEvidence(&of.Commits, e)
		if p.on(RuleTests) && it.Type == "test" && p.Tasks[a.task].TDD { // its code comes after them
			of.tests = of.tests || of.Confidence <= unsure
			e.Confidence = min(e.Confidence, unsure)
		} else if e.Confidence > unsure {
			of.tests = false
		}
		of.Confidence = max(of.Confidence, e.Confidence)
	}
}

// addEvidence adds a commit to others. Of the lines of one squash, which follow each other, the most confident counts.
func addEvidence(to *[]Evidence, e Evidence) {
	if last := len(*to) - 1; last < 0 || (*to)[last].ID != e.ID {
		*to = append(*to, e)
	} else if (*to)[last].Confidence < e.Confidence {
		(*to)[last] = e
	}
}

// scores are what each step along the plan is worth.
type scores struct {
	*Weights
	emission [][]float64 // of item i at task t
	same     [][]float64 // of item i at the task of the one before it
	skip     []float64   // of all tasks before t together: what lies between two tasks is their difference
	alike    [][]float64 // how much item i is like task t
}

// align aligns items with tasks; nil where that is too much.
func (p *plan) align(items []item) []assignment {
	all, n := make([]assignment, len(items)), len(p.Tasks)
	switch {
	case n == 0:
		for i := range all {
			all[i] = assignment{task: -1, reason: "the plan has no task"}
		}
		return all
	case n == 1 && p.on(RuleOneTask):
		for i := range all {
			all[i] = assignment{confidence: p.MostSure, reason: "is work on the plan, which has one task"}
		}
		return all
	case len(items) > mostSteps/n:
		return nil
	}
	s := p.score(items)
	// State t: the last task that was worked on is t-1; 0 is the start.
	forward := make([][]float64, len(items)+1) // the best alignment of the items before i that ends in state t
	at := make([][]float64, len(items))        // the best one that ends with item i at task t-1
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
		all[i] = p.judge(s, i, task, best-second)
		backward = s.backward(i, backward)
	}
	return all
}

// judge says how sure a task is, given the margin, and why.
func (p *plan) judge(s *scores, i, task int, margin float64) assignment {
	a := assignment{task: task, confidence: p.MostSure - (p.MostSure-0.5)*math.Exp(-p.Slope*margin)}
	if task < 0 {
		a.reason = "fits no task"
		return a
	}
	a.reason = fmt.Sprintf("is commit %d of %d in order", i+1, len(s.alike))
	if s.alike[i][task] > p.FewWords {
		a.reason = fmt.Sprintf("has words of task %d and %s", p.Tasks[task].Number, a.reason)
	} else if p.on(RuleOrderAlone) {
		a.confidence = min(a.confidence, p.OrderAlone)
	}
	return a
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
		emission, same, alike := make([]float64, len(p.Tasks)), make([]float64, len(p.Tasks)), make([]float64, len(p.Tasks))
		for t, task := range p.Tasks {
			alike[t] = likeness(it.words, p.names[t])
			emission[t] = p.Name * alike[t]
			if task.IsCheckpoint() && p.on(RuleCheckpoints) {
				emission[t] += p.Checkpoint
			}
			switch {
			case i > 0 && it.Type != "test" && task.TDD && p.on(RuleTests) && (items[i-1].Type == "test" || it.Type == "refactor"):
				same[t] = p.SameTests
			case p.on(RuleUsedUp):
				same[t] = p.Same - p.UsedUp*p.Name*alike[t]
			default:
				same[t] = p.Same
			}
		}
		s.emission, s.same, s.alike = append(s.emission, emission), append(s.same, same), append(s.alike, alike)
	}
	return s
}

// forward returns the best alignment that ends with item i at each task, given the best of those before it.
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

// backward returns the best alignment of item i and those after it, from each state.
func (s *scores) backward(i int, on []float64) []float64 {
	n := len(on) - 1
	from := make([]float64, n+1)
	ahead, far := math.Inf(-1), math.Inf(-1)
	for t := n; t >= 0; t-- {
		from[t] = max(on[t]+s.NoTask, max(ahead-s.skip[t], far)+s.Next)
		if t > 0 {
			worth := s.emission[i][t-1] + on[t]
			from[t] = max(from[t], worth+s.same[i][t-1])
			ahead, far = max(ahead, worth+s.skip[t-1]), max(far, worth+s.Far)
		}
	}
	behind := math.Inf(-1)
	for t := 1; t <= n; t++ {
		from[t] = max(from[t], behind+s.Back)
		behind = max(behind, s.emission[i][t-1]+on[t])
	}
	return from
}
