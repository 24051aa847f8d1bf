package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/printer"
)

// branches prints the work on a plan that is not here, and how it comes here.
func (p *Printer) branches(all []evidence.Branch) {
	for i := range all[:min(len(all), listed)] {
		b := &all[i]
		p.Item("%s: %s", printer.Yellow("%s", BranchWords(b)), bringWords(b))
		if b.Next > 0 && !b.Held {
			p.Sub("then task %d is next", b.Next)
		}
		if len(b.Uncommitted) > 0 {
			var files []printer.Text
			for _, name := range b.Uncommitted {
				files = append(files, printer.Unbroken(name))
			}
			p.Sub("not committed there: %s", printer.Join(files, ", "))
		}
	}
	if more := len(all) - listed; more > 0 {
		p.Item("and on %s more", Count(more, "branch"))
	}
}

// BranchWords says how far a plan is on a branch, and where that is.
func BranchWords(b *evidence.Branch) printer.Text {
	far := tasksDone(b.Done, b.Skipped, b.Total)
	if b.Summary != "" {
		far = "its summary and " + far
	}
	place := printer.Sprintf("branch %s", printer.Unbroken(b.Name))
	switch {
	case b.Machine != "":
		return printer.Sprintf("%s at %s, at commit %s, which is not here yet", far, printer.Unbroken(b.Machine), app.ShortID(b.Tip))
	case b.Name == "":
		place = printer.Sprintf("no branch, at %s", app.ShortID(b.Tip))
	}
	var notes []printer.Text
	switch _, name := gitlog.CutID(b.Name); {
	case b.Worktree != "":
		notes = append(notes, printer.Sprintf("in the worktree %s", printer.Unbroken(b.Worktree)))
	case strings.HasPrefix(name, "worktree-"):
		notes = append(notes, printer.Sprintf("its worktree was removed"))
	}
	switch {
	case b.PID > 0:
		notes = append(notes, printer.Sprintf("process %d may be at work on it", b.PID))
	case b.Alive:
		notes = append(notes, printer.Sprintf("an agent may be at work on it"))
	}
	if len(notes) == 0 {
		return printer.Sprintf("%s on %s", far, place)
	}
	return printer.Sprintf("%s on %s (%s)", far, place, printer.Join(notes, ", "))
}

// bringWords says how the work on a branch comes here.
func bringWords(b *evidence.Branch) printer.Text {
	bring, how := typed(b.Bring), printer.Sprintf("merge that branch first, or continue on it")
	switch {
	case b.Machine != "":
		return printer.Sprintf("fetch and merge it first, or continue there")
	case b.Held:
		return printer.Sprintf("nobody else should start on that")
	case b.Bring.Kind != "" && !bring.IsEmpty():
		how = printer.Sprintf("%s brings it here", bring)
	case b.Worktree != "":
		how = printer.Sprintf("merge that first, or continue there")
	}
	if b.Alive { // the caller's own process made that worktree, and knows
		return printer.Sprintf("once its agent has ended, %s", how)
	}
	return how
}

// shortBranch says in few columns how far a plan is on a branch.
func shortBranch(b *evidence.Branch) string {
	const longest = 28
	far := fmt.Sprintf("%d of %d", b.Done, b.Total)
	if b.Summary != "" {
		far = "summary"
	}
	name := Title(cmp.Or(b.Name, b.Machine))
	if name == "" {
		name = app.ShortID(b.Tip)
	}
	return far + " on " + layout.Cut(name, longest)
}
