package evidence

// several.go: commits that carried out several tasks at once. The alignment gives a commit to one task, and such a commit leaves nothing
// for the others.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	maxNamed     = 50  // tasks, and numbers, that one subject names
	maxSaid      = 500 // words of a message that are compared with a task's name
	minSaidWords = 3   // that the two must have in common
	maxHeard     = 100 // messages that are read for it
)

// namedTasks returns the indices of the tasks that a subject names, in any of the forms `(Task 2)`, `Task 2/5`, `Tasks 1 and 2`,
// `Task 1+2` and `tasks 2-4`. A number is that of a task's name, if it begins with one, else its place in the plan.
func (p *plan) namedTasks(text string) (tasks []int) {
	if !p.on(RuleSeveral) {
		return nil
	}
	led, numbered, numbers := false, false, 0 // by the word task, and a number after it
	for word := range strings.FieldsFuncSeq(strings.ReplaceAll(text, "\u2013", "-"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '/'
	}) {
		number, _, _ := strings.Cut(word, "/")
		number, end, isRange := strings.Cut(number, "-")
		from, err := strconv.Atoi(number)
		to := from
		if isRange && err == nil {
			to, err = strconv.Atoi(end)
		}
		switch {
		case strings.EqualFold(word, "task") || strings.EqualFold(word, "tasks"):
			led, numbered = true, false
		case led && err == nil && numbers < maxNamed:
			tasks, numbered = p.addNamed(tasks, from, to), true
			numbers++
		default:
			led = led && numbered && word == "and"
		}
	}
	return tasks
}

// addNamed adds the tasks of a range of numbers.
func (p *plan) addNamed(tasks []int, from, to int) []int {
	for t, n := range p.numbers {
		if from <= n && n <= to && len(tasks) < maxNamed && !slices.Contains(tasks, t) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// cutNumber cuts the number off the name of a task, if it begins with one (`Task 3: …`); it may not be its place, because checkpoints are
// not always counted. Else it returns the place.
func cutNumber(t Task) (number int, name string) {
	label, rest, _ := strings.Cut(t.Name, ":")
	word, digits, _ := strings.Cut(label, " ")
	if n, err := strconv.Atoi(digits); err == nil && strings.EqualFold(word, "task") {
		return n, rest
	}
	return t.Number, t.Name
}

// assignSeveral gives each task that has no commit the one that did all of it beside another task: it changed every file that the task
// names. If a later task is done, this one was passed over because nothing of it was left. If not, it may only have been begun, as with
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
			if of.task < 0 || it.Type == "fix" || it.touched.of(t).files < p.files.count[t] || t > last && p.said(it, t) < p.Said {
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
