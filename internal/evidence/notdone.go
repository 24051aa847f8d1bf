package evidence

// notdone.go: which commits say themselves that what they are about is not done: it was begun, is a stand-in for it,
// waits for something, or was removed. Such a commit is at most unsure evidence.

import (
	"fmt"
	"slices"
	"strings"
)

// begun tells why a commit says that its work was begun and not done: `wip(03-01): …`, `login endpoint (part 1/2)`, `task 2
// blocked on credentials`. Empty for all other commits.
func (p *plan) begun(it *item) string {
	switch {
	case provisional(it.Type):
		return fmt.Sprintf("is of type %s", it.Type)
	case it.Type == "checkpoint" || it.Type == "handoff" || it.Type == "save":
		return fmt.Sprintf("is a %s", it.Type)
	}
	if p.isPart(it.Text) {
		return "is one part of several"
	}
	if w := p.unfinished(it); w != "" {
		return fmt.Sprintf("says %q", w)
	}
	if said := fields(it.Text); removes(said) && !p.means(it, p.removals) {
		// What it takes away stands before `from the parser`, or `and use pnpm`.
		end := slices.IndexFunc(said, func(w string) bool { return slices.Contains([]string{"from", "in", "on", "for", "of", "with"}, w) })
		if end < 0 {
			end = len(said)
		}
		of := strings.Join(said[1:max(1, end)], " ")
		first, _, _ := strings.Cut(of, " and ")
		if p.isName(words(of), false) || p.isName(words(first), true) {
			return fmt.Sprintf("says %q", said[0])
		}
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
			if !p.spend(1) {
				break
			}
			if !slices.Contains(told, t) && like != t && !touched[t] {
				continue
			}
			if own := fields(p.Tasks[t].Name); !slices.ContainsFunc(own, leftOver) { // `Task 2: Open modal`
				return fmt.Sprintf("says that task %d is not done", n)
			}
		}
	}
	if aside && !slices.ContainsFunc(told, func(t int) bool {
		return touched[t] || p.alike(it.words, t) > 0
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
		return slices.ContainsFunc(told, func(t int) bool { _, is := slices.BinarySearch(of, t); return is })
	}
	said, most := words(it.Text), 0.0
	for _, t := range of {
		most = max(most, p.alike(said, t))
	}
	return most >= p.best(said)
}

// removals lists the tasks that are to take something away, or to put something else in its place.
func removals(plan []Task) (tasks []int) {
	for i, t := range plan {
		said := fields(t.Name)
		for k, w := range said {
			if removes(said[k:]) || strings.HasPrefix(w, "prun") || strings.HasPrefix(w, "clean") || strings.HasPrefix(w, "replac") {
				tasks = append(tasks, i)
				break
			}
		}
	}
	return tasks
}

// isName tells whether some words are a task's name, as good as whole; with more, others may stand beside it.
func (p *plan) isName(said wordSet, more bool) bool {
	return slices.ContainsFunc(p.names, func(name wordSet) bool {
		if !p.spend(len(said) + len(name)) {
			return false
		}
		has := !slices.ContainsFunc(name, func(w string) bool { return !said.has(w) })
		if !more && slices.ContainsFunc(said, func(w string) bool { return !name.has(w) }) {
			return false
		}
		// How many tasks have a word does not matter here, so words weigh the same.
		return has && len(name) > 1 || slices.Equal(said, name) || likeness(said, name, nil, nil) >= wholeName
	})
}

// unfinished gives a word by which an item says that it is not done; empty if it does not. Most words can say that, and
// something else as well (`loading skeleton`, `create orders as pending`): they count only where a clause says nothing
// but that, or nothing but that of a task: `login endpoint (stub)`, `mock login endpoint`. Words of a task's own name
// mean the task: `start the server`.
func (p *plan) unfinished(it *item) string {
	for _, clause := range append(clauses(it.Text), it.Text) {
		said := fields(clause)
		var in wordSet // its words, once they are asked for
		for i, w := range said {
			says := saysOpen(said, i)
			if says == maybeOpen {
				if in == nil {
					in = words(clause)
				}
				rest := slices.DeleteFunc(slices.Clone(in), func(r string) bool { return r == stem(w) || isFiller(r) })
				ofTask := i+1 < len(said) && said[i+1] == "task" && len(appendTasks(nil, clause)) > 0 // skip task 2, …
				if ofTask || len(rest) == 0 || p.isName(rest, false) {
					says = surelyOpen
				}
			}
			if says == surelyOpen && !p.means(it, p.byWord[stem(w)]) {
				return w
			}
		}
	}
	switch said := append(fields(it.Text), ""); said[0] {
	case "need", "needs", "cannot":
		return said[0]
	}
	return ""
}

// isFiller tells a stem that changes nothing of what a clause says.
func isFiller(w string) bool {
	switch w {
	case "first", "initial", "not", "still", "yet":
		return true
	}
	return len(w) == digits(w)
}

// clauses divides a text where a dash or a bracket does: `login endpoint - not working`, `login (stub)`. A colon does not, but
// behind some words: `wizard: start page`, `TODO: wizard`.
func clauses(text string) []string {
	text = strings.NewReplacer(" - ", ";", "next:", ";next;", "Next:", ";next;", "todo:", ";todo;", "TODO:", ";todo;", ", TODO", ";todo;",
		"note that ", ";").Replace(text)
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";()[]–—", r) })
}

// openSort is how surely a word tells that work is not done.
type openSort int

const (
	notOpen openSort = iota
	maybeOpen
	surelyOpen
)

// saysOpen sorts a word of a clause.
func saysOpen(said []string, i int) openSort {
	at := func(i int) string {
		if i < 0 || i >= len(said) {
			return ""
		}
		return said[i]
	}
	prev, next := at(i-1), at(i+1)
	first, last := prev == "", next == ""
	surely, maybe := false, false
	switch said[i] {
	case "wip":
		surely = true
	case "progress":
		surely = prev == "in" && (last || i == 1) || next == "on" && begins(prev)
	case "work":
		surely = next == "on" && begins(prev)
		fallthrough
	case "done", "finished", "complete", "completed", "implemented", "works", "working", "ready":
		not := prev
		if prev == "yet" {
			not = at(i - 2)
		}
		negated := not == "not" || not == "t" || not == "cannot" // doesn't
		surely = surely || last && prev == "half" || (last || next == "yet") && negated
	case "part":
		maybe = next == "of" && (first || prev == "first")
	case "do":
		maybe = prev == "to" && last
	case "pending", "missing", "failed", "planned", "next", "tbd":
		maybe = last
	case "blocked", "paused":
		surely = next == "on" || next == "at"
		maybe = first || last
	case "unfinished", "incomplete", "halfway", "deferred", "start", "started", "starting", "begin", "began", "begun", "beginning",
		"pause", "pausing", "block", "skip", "skipped", "skipping", "defer", "deferring", "postpone", "postponed", "prepare", "try",
		"attempt", "todo":
		maybe = first || last
	case "half", "partial", "partially", "partly", "stub", "stubbed", "scaffold", "scaffolded", "scaffolding", "skeleton", "placeholder",
		"draft", "mock":
		maybe = first && stem(next) != "" || last || next == "of" || next == "for" // not `partial updates`
	}
	switch prev {
	case "for", "as", "with", "from": // `endpoints for todo`
		maybe = false
	}
	switch {
	case surely:
		return surelyOpen
	case maybe:
		return maybeOpen
	}
	return notOpen
}

// begins tells what may stand before `work on` and `progress on` where they mean the commit.
func begins(w string) bool {
	switch w {
	case "", "initial", "first", "some", "more", "start", "begin", "continue", "save":
		return true
	}
	return false
}

// isPart tells whether a text is about one of several parts that is not the last: `part 1/2`, `part 1 of 3`, `part 1`,
// `(1/2)`. The last may also count the tasks.
func (p *plan) isPart(text string) bool {
	_, rest, named := strings.Cut(asciiLower(text), "part ")
	if !named {
		text = strings.TrimRight(text, ")]")
		rest = text[strings.LastIndexAny(text, "([")+1:]
	}
	part, n := cutInt(rest)
	after := strings.TrimLeft(strings.TrimPrefix(rest[n:], " of "), "/")
	all, m := cutInt(after)
	if named {
		return n > 0 && (part < all || m == 0 && part == 1)
	}
	return n > 0 && m > 0 && m == len(after) && strings.HasPrefix(rest[n:], "/") && part < all && all != len(p.Tasks)
}

// provisional tells a type of commits whose work is still to come, or to go again.
func provisional(kind string) bool {
	switch kind {
	case "wip", "temp", "tmp", "spike", "poc", "draft", "experiment":
		return true
	}
	return false
}

// removes tells whether a text begins by taking something away: that did not make what it names.
func removes(said []string) bool {
	if len(said) == 0 {
		return false
	}
	switch w := said[0]; w {
	case "drop", "drops", "dropped", "dropping":
		return true
	case "comment", "commented":
		return len(said) > 1 && said[1] == "out"
	default:
		return strings.HasPrefix(w, "revert") || strings.HasPrefix(w, "remov") || strings.HasPrefix(w, "delet") || strings.HasPrefix(w, "disabl")
	}
}
