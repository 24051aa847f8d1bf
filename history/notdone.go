package history

// notdone.go: which commits say themselves that what they are about is not done: it was begun, is a stand-in for it,
// waits for something, or was removed. Such a commit is at most unsure evidence.

import (
	"fmt"
	"slices"
	"strings"
)

// begun tells why a commit says that its work was begun and not done: `wip(03-01): …`, `start task 2`, `login endpoint
// (part 1/2)`, `task 2 blocked on credentials`. Words of the task's own name mean the task: `start the server`. Empty
// for all other commits.
func (p *plan) begun(it *item) string {
	switch it.Type {
	case "wip":
		return "is work in progress"
	case "checkpoint", "handoff", "save":
		return fmt.Sprintf("is a %s", it.Type)
	}
	for _, w := range unfinished(it.Text) {
		if !p.means(it, p.byWord[stem(w)]) {
			return fmt.Sprintf("says %q", w)
		}
	}
	if said := fields(it.Text); len(said) > 0 && removes(said[0]) && !p.means(it, p.removals()) {
		return fmt.Sprintf("says %q", said[0])
	}
	told := p.toldTasks(*it)
	// Documents and chores may just as well be about tasks as be them: `docs(03-01): order of tasks 2-4`, `split (task 3)`.
	aside := (it.Type == "docs" || it.Type == "chore") &&
		(len(it.Tasks) > 1 || len(told) == 1 && strings.ContainsAny(it.Text, "([") && len(appendTasks(nil, it.Text)) > 0)
	if len(it.open) == 0 && !aside {
		return ""
	}
	touched := it.tasks
	like := p.byWords(*it).task
	for _, n := range it.open {
		for _, t := range p.told[n] {
			if slices.Contains(told, t) || like == t || touched[t] {
				return fmt.Sprintf("says that task %d is not done", n)
			}
		}
	}
	if aside && !slices.ContainsFunc(told, func(t int) bool {
		return touched[t] || likeness(it.words, p.names[t], p.files[t], p.weight) > 0
	}) {
		return "may only be about it"
	}
	return ""
}

// means tells whether an item is about one of some tasks: one that it tells by number, or else the one whose name is
// most like it.
func (p *plan) means(it *item, of []int) bool {
	if len(of) == 0 {
		return false
	}
	if told := p.toldTasks(*it); len(told) > 0 {
		return slices.ContainsFunc(told, func(t int) bool { return slices.Contains(of, t) })
	}
	said, most := words(it.Text), 0.0
	for _, t := range of {
		most = max(most, likeness(said, p.names[t], p.files[t], p.weight))
	}
	return most >= p.best(said)
}

// removals lists the tasks that are to take something away.
func (p *plan) removals() (tasks []int) {
	for i, t := range p.Tasks {
		if slices.ContainsFunc(fields(t.Name), removes) {
			tasks = append(tasks, i)
		}
	}
	return tasks
}

// unfinished lists the words by which a text says that something is not done. Most words can say that, and something
// else as well (`partial index`, `mock server`): they count where nothing but that is likely, by their sort.
func unfinished(text string) []string {
	if lastPart(text) {
		return nil
	}
	var found []string
	for _, clause := range clauses(text) {
		said := fields(clause)
		at := func(i int) string {
			if i < 0 || i >= len(said) {
				return ""
			}
			return said[i]
		}
		for i, w := range said {
			prev, next := at(i-1), at(i+1)
			first, last := prev == "", next == ""
			negated := prev == "not" || prev == "t" || prev == "cannot" // doesn't
			var says bool
			switch sortOf(w) {
			case alwaysOpen:
				says = true
			case isState:
				says = last || negated
			case isAct:
				says = first || last || negated
			case isThing:
				says = first || last || next == "of" || next == "for" || next == "at"
			case isEnd:
				says = negated || prev == "half"
			}
			switch w {
			case "on":
				says = i <= 2 && (prev == "work" || prev == "progress") // initial work on
			case "progress":
				says = prev == "in" && (last || i == 1)
			case "do":
				says = prev == "to" && last
			}
			if says {
				found = append(found, w)
			}
		}
	}
	return found
}

// clauses divides a text where a dash or a bracket does: `login endpoint - not working`, `login (stub)`. A colon does not, but
// behind `next`: `wizard: start page`.
func clauses(text string) []string {
	text = strings.NewReplacer(" - ", ";", "next:", "next;", "Next:", "Next;").Replace(text)
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";()[]–—", r) })
}

// openSort is how a word tells that work is not done.
type openSort int

const (
	noneOpen   openSort = iota
	alwaysOpen          // wherever it stands
	isState             // of what was said: `login pending`
	isAct               // that begins or stops it: `start login`, `login blocked`
	isThing             // that stands in for it: `mock login`, `login stub`, `skeleton of login`
	isEnd               // if negated: `login not working`
)

func sortOf(w string) openSort {
	switch w {
	case "wip", "paused", "unfinished", "incomplete", "halfway", "deferred", "yet":
		return alwaysOpen
	case "pending", "missing", "failed", "planned", "next", "tbd":
		return isState
	case "start", "started", "starting", "begin", "began", "begun", "beginning", "pause", "pausing", "block", "blocked", "skip", "skipped",
		"skipping", "defer", "deferring", "postpone", "postponed", "prepare", "try", "attempt", "need", "needs", "cannot", "todo":
		return isAct
	case "half", "part", "partial", "partially", "partly", "stub", "scaffold", "scaffolding", "skeleton", "placeholder", "draft", "mock":
		return isThing
	case "done", "finished", "complete", "completed", "work", "works", "working", "ready":
		return isEnd
	}
	return noneOpen
}

// lastPart tells whether a text is about the last of several parts: `part 2/2`, `part 3 of 3`.
func lastPart(text string) bool {
	_, rest, ok := strings.Cut(asciiLower(text), "part ")
	part, n := cutInt(rest)
	if rest = rest[n:]; !ok || n == 0 {
		return false
	}
	if of, ok := strings.CutPrefix(rest, " of "); ok {
		rest = of
	}
	all, n := cutInt(strings.TrimPrefix(rest, "/"))
	return n > 0 && part == all
}

// removes tells a word of taking something away: a commit that begins with it did not make what it names.
func removes(w string) bool {
	return strings.HasPrefix(w, "revert") || strings.HasPrefix(w, "remov") || strings.HasPrefix(w, "delet") || strings.HasPrefix(w, "disabl") ||
		w == "drop" || w == "drops" || w == "dropped" || w == "dropping"
}

// isDone tells the word by which a `Status:` says that work is done.
func isDone(w string) bool {
	switch w {
	case "complete", "completed", "done", "finished", "passed", "success", "ok":
		return true
	}
	return false
}
