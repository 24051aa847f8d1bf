package evidence

// several.go: commits that carried out several tasks at once. The alignment gives a commit to one task, and such a commit leaves nothing
// for the others.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

const (
	maxNamed     = 50  // tasks, and labels, that one subject names
	maxSaid      = 500 // words of a message that are compared with a task's name
	minSaidWords = 3   // that the two must have in common
	maxHeard     = 100 // messages that are read for it
)

// namedTasks returns the indices of the tasks whose labels a subject names: behind the word task, or as its first word if that is more than
// a number (`P1.2 ledger`). A plan whose tasks have no labels has their numbers for labels. A label that was copied with its task names
// neither; isStrange reports that no task has any of the labels.
func (p *plan) namedTasks(text string) (tasks []int, isStrange bool) {
	if !p.on(RuleSeveral) {
		return nil, false
	}
	spans := planref.NamedLabels(text, maxNamed)
	if len(spans) == 0 {
		label, _ := planref.CutLabel(text)
		key := planref.LabelKey(label)
		if _, ok := p.at[key]; ok && len(label) > 1 && strings.Trim(label, "0123456789") != "" {
			spans = [][2]string{{key, key}}
		}
	}
	isStrange = len(spans) > 0
	for _, span := range spans {
		from, ok := p.at[span[0]]
		to, isEnd := p.at[span[1]]
		if !ok || !isEnd {
			continue
		}
		isStrange = false
		for t := from; 0 <= from && t <= to && len(tasks) < maxNamed; t++ {
			if at, ok := p.at[p.labels[t]]; ok && at == t && !slices.Contains(tasks, t) {
				tasks = append(tasks, t)
			}
		}
	}
	return tasks, isStrange
}

// assignSeveral gives each task that has no commit the one that did all of it beside another task: it changed every file that the task
// names. If a later task is done, this one was skipped because nothing of it was left. If not, it may only have been started, as with
// a skeleton of all files, so the message must say it, too, and that is not enough to call it complete.
func (p *plan) assignSeveral(items []item, assignments []assignment, found *Found) {
	last := -1
	for _, a := range assignments {
		last = max(last, a.task)
	}
	for t := range found.Tasks {
		task := &found.Tasks[t]
		if len(task.Commits) > 0 || task.checkpoint || p.files.count[t] == 0 {
			continue
		}
		for i, it := range items {
			of, most := assignments[i], p.Several
			if t > last {
				most = p.Beside
			}
			if of.task < 0 || it.Type == "fix" || len(it.tasks) > 0 || it.strange || it.touched.of(t).files < p.files.count[t] || t > last && p.said(it, t) < p.Said {
				continue
			}
			e := it.commit
			e.Confidence *= min(of.confidence, most)
			e.Reason += fmt.Sprintf("changed all files of task %d beside task %d", task.Number, p.Tasks[of.task].Number)
			p.give(task, it, e)
			break
		}
	}
}

// said returns the share of the words of a task's name that a commit's message has; 0 if these are very few, or too many messages were
// read.
func (p *plan) said(it item, task int) float64 {
	if p.heard++; p.heard > maxHeard {
		return 0
	}
	message := p.someWords(it.line+"\n"+it.source.Body(), maxSaid)
	both := 0
	for _, w := range p.names[task] {
		if _, ok := slices.BinarySearch(message, w); ok {
			both++
		}
	}
	if both < minSaidWords {
		return 0
	}
	return float64(both) / float64(len(p.names[task]))
}
