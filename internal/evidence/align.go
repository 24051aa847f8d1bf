package evidence

// align.go: which task each commit of a plan carried out. An executor works through the tasks in order and commits each
// when it is done, so the commits are aligned with the tasks by the Viterbi algorithm, with tasks as states. Continuing
// with the next task is likely, skipping a task or going back is not, and a commit is drawn to a task whose words are
// in its subject, or whose files it changed. The confidence of a commit's task follows from the margin between the best alignment and the best one
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
		p.give(found, a.task, it, e)
		for _, t := range it.tasks {
			if t != a.task {
				e.Reason = it.commit.Reason + fmt.Sprintf("names task %d", p.Tasks[t].Number)
				p.give(found, t, it, e)
			}
		}
	}
	if assignments != nil {
		p.assignSeveral(items, assignments, found)
	}
	for i, t := range p.Tasks {
		found.Tasks[i].part = found.Tasks[i].part || t.Indistinct
	}
}

// give gives a commit to a task.
func (p *plan) give(found *Found, t int, it item, e Evidence) {
	task := &found.Tasks[t]
	addEvidence(&task.Commits, e)
	if p.isPart(it, t) {
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

// fit says how well an item fits a task, from 0 to 1 each.
type fit struct{ words, files float64 }

func (f fit) hasWords() bool { return f.words > least }
func (f fit) hasFiles() bool { return f.files > least }

// fit compares an item with a task. One that names tasks fits these and no others. The files of a fix are those of what was done before, if
// there is another task.
func (p *plan) fit(it item, task int) (f fit) {
	if len(it.tasks) == 0 {
		f.words = similarity(it.words, p.names[task])
	} else if slices.Contains(it.tasks, task) {
		f.words = 1
	}
	if it.Type != "fix" || len(p.Tasks) == 1 {
		f.files = p.files.similarity(it.touched, task)
	}
	return f
}

// scores holds the emission and transition scores of an alignment.
type scores struct {
	fits     [][]fit     // of item i and task t
	emission [][]float64 // of item i at task t
	same     [][]float64 // transition of item i from task t to itself
	skip     []float64   // sum over the tasks before t, so that the cost of skipping is a difference
}

// align aligns items with tasks; it returns nil if there are too many.
func (p *plan) align(items []item) []assignment {
	n := len(p.Tasks)
	if len(items) > maxSteps/max(n, 1) {
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
			forward[i+1][t] = max(at[i][t], forward[i][t])
		}
	}
	all := make([]assignment, len(items))
	backward := make([]float64, n+1) // the best alignment of the items after i, from state t
	for i := len(items) - 1; i >= 0; i-- {
		best, second, task := math.Inf(-1), math.Inf(-1), -1
		for t := range n + 1 {
			through := at[i][t] + backward[t]
			if t == 0 { // no task, from any state
				for state := range n + 1 {
					through = max(through, forward[i][state]+backward[state])
				}
			}
			if through > best {
				best, second, task = through, best, t-1
			} else {
				second = max(second, through)
			}
		}
		margin := best - second
		if n == 1 {
			task, margin = 0, math.Inf(1) // all work on a plan with one task is that task's
		}
		all[i] = p.judge(s, items, i, task, margin)
		backward = s.backward(i, backward)
	}
	return all
}

// judge returns the assignment of item i to a task, with the confidence that follows from the margin.
func (p *plan) judge(s *scores, items []item, i, task int, margin float64) assignment {
	a := assignment{task: task, confidence: sure - (sure-0.5)*math.Exp(-margin)}
	if task < 0 {
		a.reason = "matches no task"
		return a
	}
	a.reason = fmt.Sprintf("is commit %d of %d in order", i+1, len(items))
	n := p.Tasks[task].Number
	switch f := s.fits[i][task]; {
	case f.hasWords() && f.hasFiles():
		a.reason = fmt.Sprintf("has words and files of task %d and %s", n, a.reason)
	case f.hasWords():
		a.reason = fmt.Sprintf("has words of task %d and %s", n, a.reason)
	case f.hasFiles():
		a.reason = fmt.Sprintf("has files of task %d and %s", n, a.reason)
	case p.Inferred && len(p.Tasks) > 1, items[i].touched.others(task), isBeside(items[i]):
		a.confidence = min(a.confidence, unsure)
	default:
		a.confidence = min(a.confidence, orderAlone)
	}
	return a
}

// isBeside reports whether commits of an item's type also come beside the work on a task, so that without its words or files they say
// nothing of it.
func isBeside(it item) bool {
	return slices.Contains([]string{"chore", "docs", "style", "ci", "build", "fix"}, it.Type)
}

func (p *plan) score(items []item) *scores {
	n := len(p.Tasks)
	s := &scores{skip: make([]float64, n+1)}
	for t, task := range p.Tasks {
		s.skip[t+1] = s.skip[t]
		if !task.IsCheckpoint() {
			s.skip[t+1] += skip
		}
	}
	for i, it := range items {
		fits, emission, same := make([]fit, n), make([]float64, n), make([]float64, n)
		for t, task := range p.Tasks {
			fits[t] = p.fit(it, t)
			emission[t] = match * (fits[t].words + fits[t].files)
			if (len(it.tasks) > 0 || task.IsCheckpoint()) && fits[t].words < 1 {
				emission[t] = math.Inf(-1) // it is about those that it names, and a checkpoint leaves no commit, unless that has its whole name
			}
			same[t] = again
			if i > 0 && it.Type != "test" && (p.isPart(items[i-1], t) || it.Type == "refactor" && task.TDD) {
				same[t] = rest
			}
		}
		s.fits, s.emission, s.same = append(s.fits, fits), append(s.emission, emission), append(s.same, same)
	}
	return s
}

// forward returns the scores of the best alignments that end with item i at each task, given those of the items before.
func (s *scores) forward(i int, from []float64) []float64 {
	n := len(from) - 1
	to := slices.Repeat([]float64{math.Inf(-1)}, n+1)
	ahead, far := math.Inf(-1), math.Inf(-1)
	for t := 1; t <= n; t++ {
		ahead, far = max(ahead, from[t-1]-s.skip[t-1]), max(far, from[t-1]+back)
		to[t] = max(max(ahead+s.skip[t-1], far)+next, from[t]+s.same[i][t-1])
	}
	behind := math.Inf(-1)
	for t := n; t >= 1; t-- {
		to[t] = max(to[t], behind+back) + s.emission[i][t-1]
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
		from[t] = max(after[t], max(ahead-s.skip[t], far)+next)
		if t > 0 {
			worth := s.emission[i][t-1] + after[t]
			from[t] = max(from[t], worth+s.same[i][t-1])
			ahead, far = max(ahead, worth+s.skip[t-1]), max(far, worth+back)
		}
	}
	behind := math.Inf(-1)
	for t := 1; t <= n; t++ {
		from[t] = max(from[t], behind+back)
		behind = max(behind, s.emission[i][t-1]+after[t])
	}
	return from
}
