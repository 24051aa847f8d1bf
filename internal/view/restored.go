package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// maxRestored is how many tasks, or unassigned commits, are shown.
const maxRestored = 100

// Restored prints the session that was restored, or would be.
func (p *Printer) Restored(r *app.Restored) {
	if r.Session != "" {
		fitting(p, func(p *Printer) { p.restored(r) })
		return
	}
	p.Printf("%s: its breadcrumb has %s\n\n", printer.Unbroken(r.Plan), tasksDone(progress.Count(r.Tasks, planfile.Complete), progress.Count(r.Tasks, planfile.Skipped), len(r.Tasks)))
	printKnown(p, len(r.Tasks), func(i int) (planfile.Status, string, []evidence.Evidence) {
		return r.Tasks[i].Status, r.Tasks[i].Name, nil
	})
	printNotRestored(p, r.Left)
	p.Printf("\n")
	p.Try(r.Do...)
	p.Warnings(r.Warnings)
}

// Preview prints what gsd bootstrap would do, and every commit of the plan.
func (p *Printer) Preview(f *app.Preview) {
	if f.Summary != "" {
		p.Printf("%s is done: its summary is %s\n", printer.Unbroken(f.Plan), printer.Unbroken(f.Summary))
	}
	p.branches(f.Branches)
	if f.Kept {
		p.Printf("the valid session on this plan would be kept\n")
	}
	p.Printf("%s: %s\n", printer.Unbroken(f.Plan), tasksDone(progress.Count(f.Tasks, planfile.Complete), progress.Count(f.Tasks, planfile.Skipped), len(f.Tasks)))
	p.from(f.From)
	p.Printf("\n")
	if f.NoCommits {
		p.Printf("no commit carries out a task of it: %s\n\n", noCommits(f))
	}
	printKnown(p, len(f.Tasks), func(i int) (planfile.Status, string, []evidence.Evidence) {
		return f.Tasks[i].Status, f.Tasks[i].Name, f.Evidence[i].Commits
	})
	printNotCarried(p, f.Left)
	if len(f.Unassigned) > 0 {
		p.Printf("\ncommits of the plan that match no task with certainty:\n")
	}
	for i, e := range f.Unassigned {
		if i == maxRestored {
			p.Printf("  and %d more\n", len(f.Unassigned)-i)
			break
		}
		p.Printf("  %s\n", evidenceWords(e))
	}
	if f.Limited {
		p.Printf("\nsearched only the latest %s\n", Count(f.Looked, "commit"))
	}
	p.Printf("\n")
	p.Try(f.Do...)
	p.Warnings(f.Warnings)
}

// printKnown prints the first of n tasks, with their statuses and commits.
func printKnown(p *Printer, n int, task func(i int) (planfile.Status, string, []evidence.Evidence)) {
	digits := len(strconv.Itoa(n))
	indent := strings.Repeat(" ", digits+3)
	for i := range n {
		if i == maxRestored {
			p.Printf("%sand %d more\n", indent, n-i)
			break
		}
		status, name, commits := task(i)
		p.Printf("%*d  %s  %s\n", digits+1, i+1, printer.Pad(statusWord(status), len(planfile.InProgress)), TaskTitle(name, i+1))
		for _, e := range commits {
			p.Printf("%s%s\n", indent, evidenceWords(e))
		}
	}
}

func printNotRestored(p *Printer, left []progress.Task) {
	for _, l := range left {
		p.Printf("%s: task %d, %s, was %s: %s\n", printer.Yellow("not restored"), l.Number, TaskTitle(l.Name, l.Number), statusWord(l.Status), mismatchWords[l.Why])
	}
}

// restored prints the session that was restored.
func (p *Printer) restored(r *app.Restored) {
	p.Printf("restored %s in %s\n", printer.Unbroken(r.Session), printer.Unbroken(r.Project))
	if r.Archived != "" {
		p.Printf("the session that was there is archived: %s\n", printer.Unbroken(r.Archived))
	}
	if at := workerWords(r.Run); at != "" {
		p.Printf("%s\n", at)
	}
	printNotRestored(p, r.Left)
	if r.Others { // what a report says to run would act on another session
		return
	}
	p.Printf("\n")
	p.Report(r.Report)
}

func evidenceWords(e evidence.Evidence) printer.Text {
	sure := printer.Dim("(%.0f%%: %s)", 100*e.Confidence, e.Reason)
	return printer.Sprintf("%s %s %s", printer.Yellow("%s", app.ShortID(e.ID)), Title(e.Subject), sure)
}

// mismatchWords say why a status was not carried over.
var mismatchWords = map[progress.Mismatch]string{
	progress.NoSuchTask:  "the new plan has no such task",
	progress.SeveralFit:  "several tasks of the new plan have that name",
	progress.SeveralLike: "it matches more than one task",
}

// noCommits says why no commit carries out a task of a plan.
func noCommits(f *app.Preview) string {
	switch {
	case f.Looked == 0:
		return "there are no commits"
	case f.ID == "":
		return "it has no number that a commit could name"
	}
	var all []string
	add := func(n int, one, more string) {
		if n > 0 {
			all = append(all, answer.Counted(n, "commit "+one, "commits "+more))
		}
	}
	add(f.Excluded.Reverted, "was reverted", "were reverted")
	add(f.Excluded.Wrote, "names it and changes planning files only", "name it and change planning files only")
	add(f.Excluded.Elsewhere, "names it and changes another project or workstream only", "name it and change another project or workstream only")
	add(f.Excluded.Phase, "names its phase, which has other plans", "name its phase, which has other plans")
	if all == nil {
		return fmt.Sprintf("none of %d names it, as feat(%s) does", f.Looked, f.ID)
	}
	return strings.Join(all, "; ")
}
