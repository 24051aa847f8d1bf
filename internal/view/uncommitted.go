package view

import (
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/printer"
)

// uncommitted prints what no commit has of the files of the task to resume, and of its plan. No command is named: what shows or brings
// back uncommitted work may also overwrite some.
func (p *Printer) uncommitted(n *answer.ResumePoint) {
	if n.Uncommitted == nil {
		return
	}
	own, others := uncommittedFiles(n.Uncommitted, n.Number)
	if len(own) > 0 {
		p.Sub("%s", printer.Yellow("not committed, of its files: %s; look at them before redoing it", printer.Join(own, ", ")))
	}
	if len(others) > 0 {
		p.Sub("not committed besides: %s", printer.Join(others, ", "))
	}
	p.stashes(n.Uncommitted)
}

// uncommittedOn prints the same of a plan that nothing else shows to be started.
func (p *Printer) uncommittedOn(uncommitted *answer.Uncommitted) {
	if uncommitted == nil {
		return
	}
	_, all := uncommittedFiles(uncommitted, 0)
	p.Item("%s", printer.Yellow("not committed, of its files: %s; look at them first", printer.Join(all, ", ")))
	p.stashes(uncommitted)
}

// uncommittedFiles returns the files of a task, and the others of its plan, with how they differ from the last commit.
func uncommittedFiles(uncommitted *answer.Uncommitted, task int) (own, others []printer.Text) {
	for _, f := range uncommitted.Files {
		switch name := printer.Unbroken(f.Path); {
		case f.Task == 0:
			others = append(others, printer.Sprintf("%s (%s)", name, f.State))
		case f.Task == task:
			own = append(own, printer.Sprintf("%s (%s)", name, f.State))
		default:
			others = append(others, printer.Sprintf("%s (%s, of task %d)", name, f.State, f.Task))
		}
	}
	if more := printer.Sprintf("and %d more", uncommitted.More); uncommitted.More > 0 && len(others) == 0 {
		own = append(own, more)
	} else if uncommitted.More > 0 {
		others = append(others, more)
	}
	return own, others
}

// stashes prints that there are stashes.
func (p *Printer) stashes(uncommitted *answer.Uncommitted) {
	switch {
	case uncommitted.Stashes == 1:
		p.Sub("there is a stash, made %s: it may hold work", Ago(uncommitted.Stashed, p.Now))
	case uncommitted.Stashes > 1:
		p.Sub("there are %d stashes, the latest made %s: they may hold work", uncommitted.Stashes, Ago(uncommitted.Stashed, p.Now))
	}
}
