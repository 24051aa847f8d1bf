package main

import (
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
)

// listed is how many of a kind the recovery part names: it is read at every turn.
const listed = 5

// printRecovery says first what began and never properly ended; nothing where there is nothing. It tells who is
// at work, too, where that is somebody else.
func (a *app) printRecovery(r *hydrate.Recovery) {
	var atWork []string
	for i := range r.Runs {
		switch run := &r.Runs[i]; {
		case !othersWork(run):
		case run.Holds:
			atWork = append(atWork, line(run.Who())+unsure(run))
		default: // the lease was taken from it, and it goes on
			atWork = append(atWork, line(run.Who())+unsure(run)+"; without the lease")
		}
	}
	for i, text := range atWork {
		if i == listed {
			text = fmt.Sprintf("and %d more", len(atWork)-listed)
		}
		a.printf("%s %s\n", a.style.yellow("at work:"), text)
		if i == listed {
			break
		}
	}
	if len(atWork) > 0 {
		a.printf("\n")
	}
	if !r.Any() {
		return
	}
	a.printf("%s\n", a.style.yellow("recovery:"))
	var lines []string
	for i := range r.Orphans {
		lines = append(lines, "never ended, and its process is gone: "+line(r.Orphans[i].Who()))
	}
	a.printListed(lines)
	lines = nil
	for i := range r.Doubtful {
		lines = append(lines, "may be over, its time is up: "+line(r.Doubtful[i].Who()))
	}
	a.printListed(lines)
	if len(r.Left) > 0 {
		a.printf("  left in progress: %s\n", taskList(r.Left))
	}
	lines = nil
	for i := range r.Lost {
		o := &r.Lost[i]
		lines = append(lines, fmt.Sprintf("lost session %s on %s, %d of %s complete: gsd restore %s", line(o.ID), line(hydrate.PlanName(o.Plan)), o.Done, count(len(o.Tasks), "task"), quote(o.ID)))
	}
	a.printListed(lines)
	lines = nil
	for _, w := range r.Incomplete {
		lines = append(lines, incompleteWords(w))
	}
	a.printListed(lines)
	switch {
	case len(r.Orphans) > 0 && len(r.Left) > 0:
		a.printRun("gsd sweep", "records the end of what died; --reset-tasks puts its tasks back to pending")
	case len(r.Orphans) > 0:
		a.printRun("gsd sweep", "records the end of what died")
	case len(r.Left) > 0:
		a.printRun("gsd sweep --reset-tasks", "puts what a dead run left back to pending")
	}
	for _, w := range r.Incomplete {
		if w.Kind == hydrate.WorkPlan {
			a.printRun("gsd recover "+planWord(w.Path, w.ID, w.Ambiguous), "makes its session from the commits")
		}
	}
	if len(r.Doubtful) > 0 {
		a.printRun("gsd sweep --force", "ends what nobody can look at, where you know that it is over")
	}
	a.printf("\n")
}

func (a *app) printListed(lines []string) {
	for i, text := range lines {
		if i == listed {
			a.printf("  and %d more\n", len(lines)-listed)
			return
		}
		a.printf("  %s\n", text)
	}
}

func unsure(r *hydrate.Run) string {
	if r.State == hydrate.RunUnknown {
		return "; nobody here can tell whether it lives"
	}
	return ""
}

// taskList names tasks by their numbers.
func taskList(numbers []int) string {
	var words []string
	for i, n := range numbers {
		if i == 2*listed {
			words = append(words, fmt.Sprintf("and %d more", len(numbers)-i))
			break
		}
		words = append(words, number(n))
	}
	if len(numbers) == 1 {
		return "task " + words[0]
	}
	return "tasks " + strings.Join(words, ", ")
}

// incompleteWords says what other work waits.
func incompleteWords(w hydrate.Incomplete) string {
	switch w.Kind {
	case hydrate.WorkHandOff:
		return "a note to go on from: " + line(w.Path)
	case hydrate.WorkItem:
		return fmt.Sprintf("work item %s is still in %q: %s", title(w.ID), title(w.Detail), line(w.Path))
	}
	return fmt.Sprintf("plan %s has commits and neither a session nor a summary: %s", title(w.ID), line(w.Path))
}
