package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/text"
)

// maxRestored is how many tasks, or unassigned commits, are shown.
const maxRestored = 100

// Restored prints what is known about a plan, task by task, and the restored session.
func (p *Printer) Restored(r *hydrate.Restored) {
	if r.From == hydrate.FromGit || r.Session == "" {
		p.known(r)
	}
	switch {
	case r.Bootstrapped != nil:
		p.Bootstrapped(r.Bootstrapped)
		return
	case r.Session != "":
		p.restored(r)
		return
	case r.Make != nil:
		p.Commands([]hydrate.Command{*r.Make})
	}
	p.Warnings(r.Warnings)
}

// known prints what the commits or the breadcrumb show.
func (p *Printer) known(r *hydrate.Restored) {
	if r.Summary != "" {
		p.Printf("%s is done: its summary is %s\n", text.Line(r.Plan), text.Line(r.Summary))
	}
	source := "commits show"
	switch r.From {
	case hydrate.FromCrumb:
		source = "its breadcrumb has"
	case hydrate.FromRemote:
		source = "gsd sync knows"
	}
	p.Printf("%s: %s %d of %s complete\n\n", text.Line(r.Plan), source, r.Done(), Count(len(r.Tasks), "task"))
	if r.Why != "" {
		p.Printf("no commit belongs to it: %s\n\n", text.Line(r.Why))
	}
	digits := len(strconv.Itoa(len(r.Tasks)))
	indent := strings.Repeat(" ", digits+3)
	for i, t := range r.Tasks {
		if i == maxRestored {
			p.Printf("%sand %d more\n", indent, len(r.Tasks)-i)
			break
		}
		p.Printf("%*d  %s  %s\n", digits+1, t.Number, PadColumns(string(t.Status), len("in-progress")), TaskTitle(t.Name, t.Number))
		for _, e := range t.Commits {
			p.Printf("%s%s\n", indent, p.evidence(e))
		}
	}
	p.notRestored(r.Left)
	if len(r.Unassigned) > 0 {
		p.Printf("\ncommits of the plan that match no task with certainty:\n")
	}
	for i, e := range r.Unassigned {
		if i == maxRestored {
			p.Printf("  and %d more\n", len(r.Unassigned)-i)
			break
		}
		p.Printf("  %s\n", p.evidence(e))
	}
	if r.Limited {
		p.Printf("\nsearched only the latest %s; --commits 0 searches all\n", Count(r.Looked, "commit"))
	}
	p.Printf("\n")
}

func (p *Printer) notRestored(left []history.Dropped) {
	for _, l := range left {
		p.Printf("%s: task %d, %s, was %s: %s\n", p.Style.Yellow("not restored"), l.From, TaskTitle(l.Name, l.From), l.Status, l.Why)
	}
}

// restored prints the session that was restored.
func (p *Printer) restored(r *hydrate.Restored) {
	p.Printf("restored %s in %s\n", text.Line(r.Session), text.Line(r.Project))
	if r.Archived != "" {
		p.Printf("the session that was there is archived: %s\n", text.Line(r.Archived))
	}
	p.notRestored(r.Left)
	if r.Others { // what a report says to run would act on another session
		return
	}
	p.Printf("\n")
	p.Report(r.Report)
}

func (p *Printer) evidence(e hydrate.Evidence) string {
	sure := fmt.Sprintf("(%.0f%%: %s)", 100*e.Confidence, text.Line(e.Reason))
	return p.Style.Yellow(hydrate.ShortID(e.ID)) + " " + Title(e.Subject) + " " + p.Style.Dim(sure)
}
