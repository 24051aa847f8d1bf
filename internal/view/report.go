package view

import (
	"fmt"
	"slices"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// Report prints the state of a session: what an agent or a person needs right now, and no more. If that has more than p.Rows lines, the
// text of the task is cut.
func (p *Printer) Report(r *hydrate.Report) {
	fitting(p, func(p *Printer) { printReport(p, r) })
}

func printReport(p *Printer, r *hydrate.Report) {
	p.atWork(r.AtWork)
	p.recovery(r.Recovery)
	p.verdict(r)
	if r.StateMissing != "" {
		p.Printf("\n%s does not exist\n", printer.Unbroken(r.StateMissing))
	}
	if do := r.Actions(); len(do) > 0 {
		p.Printf("\n")
		p.Try(do...)
	}
	p.Warnings(r.Warnings)
}

func (p *Printer) verdict(r *hydrate.Report) {
	switch r.Verdict {
	case hydrate.None:
		p.Printf("no session for %s\n", r.User)
		p.elsewhere(r.Elsewhere)
		p.next(r.Next)
	case hydrate.Corrupt:
		p.Printf("%s is not a session: %s\n", printer.Unbroken(r.Path), r.Corrupt)
		p.elsewhere(r.Elsewhere)
		p.next(r.Next)
	case hydrate.Stale:
		p.head(r)
		p.stale(r)
	case hydrate.Finished:
		p.head(r)
		p.finished(r)
		switch next := r.Next; {
		case next == nil:
		case next.Plan != r.On:
			p.next(next)
		default:
			p.alsoReady(next)
			if next.Ready() == nil {
				p.Printf("once it is written, gsd next shows the next plan\n")
			}
		}
	case hydrate.Resume:
		p.head(r)
		p.resume(r)
	}
}

// next prints the next plan, if it is known.
func (p *Printer) next(n *verdict.Next) {
	if n == nil {
		return
	}
	p.Printf("\n")
	p.Next(n)
	if n.Plan == "" && n.Phase != "" {
		p.Printf("gsd bootstrap PLAN starts a session once a plan of phase %s is written\n", layout.Cut(Title(n.Phase), LongestNumber))
	}
}

func (p *Printer) head(r *hydrate.Report) {
	p.Printf("session of %s on %s\n", r.User, printer.Unbroken(r.On))
	since := ""
	if !r.StartedAt.IsZero() {
		since = ", started " + r.StartedAt.UTC().Format("2006-01-02 15:04 UTC")
	}
	p.Printf("%s%s\n\n", tasksDone(r.Done, r.Skipped, r.Total), since)
}

func (p *Printer) stale(r *hydrate.Report) {
	headline := "the session is stale, don't continue it:"
	if len(r.Stale) == 1 && r.Stale[0].Reason == hydrate.PlanCompleted {
		headline = "the plan is done, and this session is over:"
	}
	p.Printf("%s\n", p.Style.Yellow("%s", headline))
	for _, s := range r.Stale {
		p.Printf("  %s: %s\n", s.Reason, s.Detail)
	}
	if r.Fix.Kind == "" {
		p.next(r.Next)
	}
}

func (p *Printer) resume(r *hydrate.Report) {
	n := r.Resume
	p.Printf("%s %s\n", p.Style.Bold("resume at task %d:", n.Number), TaskTitle(n.Name, n.Number))
	switch n.State {
	case verdict.Interrupted, verdict.Cleared, verdict.Paused, verdict.Unattended:
		p.Printf("  %s\n", p.Style.Yellow("it %s", stoppedWords(n.State, since(r), othersHold(r))))
		p.Printf("  its work may be partial: verify before redoing it\n")
		if othersHold(r) {
			p.Printf("  the run at work may be doing it again\n")
		}
	case verdict.InOwnHands:
		p.Printf("  it is in progress%s\n", since(r))
	case verdict.InClone:
		p.Printf("  it is in progress at %s, as far as the last gsd sync knows: its work may be there and not here\n", n.Machine)
	case verdict.InOthers:
		p.Printf("  it is in progress%s: the run at work may be working on it\n", since(r))
	}
	p.checkpoint(n.Checkpoint(), n.Type)
	var also []string
	for _, t := range n.Also {
		also = append(also, fmt.Sprintf("%s: task %d: %s", alsoWords(t), t.Number, TaskTitle(t.Name, t.Number)))
	}
	p.indented(also)
	p.taskText(r.Path, n.Line, n.Children, action.Action{Kind: action.ReadTask, Task: n.Number})
}

func (p *Printer) checkpoint(is bool, taskType string) {
	if is {
		p.Printf("  a checkpoint (%s): stop and ask the user\n", taskType)
	}
}

func (p *Printer) finished(r *hydrate.Report) {
	is := verdict.OverWord(r.Skipped)
	all := "the task is " + is
	if r.Total > 1 {
		all = fmt.Sprintf("all %d tasks are %s", r.Total, is)
	}
	p.Printf("%s\n", p.Style.Green("%s", all))
	switch {
	case r.Summary == "":
	case r.Earlier:
		p.Printf("its summary is there from before; bring it up to date: %s\n", printer.Unbroken(r.Summary))
	case r.Draft != nil:
		printDraft(p, r.Draft)
	default:
		p.Printf("write its summary now: %s\n", printer.Unbroken(r.Summary))
	}
}

// draftWords says what is to be done about the draft of a summary.
func draftWords(d *verdict.Draft) string {
	switch {
	case d.Problem != "":
		return "the draft of its summary cannot be used: " + d.Problem
	case d.Written():
		return "the draft of its summary is written: " + d.Path
	}
	return "a draft of its summary waits: " + d.Path + "; gsd done --summary, once it is written, makes it the summary"
}

// longestHint is how many characters are shown of what is to be written.
const longestHint = 50

// leftWords says what is still to be written in a draft, by lines.
func leftWords(d *verdict.Draft) (lines []string) {
	for _, left := range d.Left {
		lines = append(lines, fmt.Sprintf("line %d: %s", left.Line, text.Cut(left.Text, longestHint)))
	}
	return lines
}

// printDraft prints what is to be done about the draft of a summary.
func printDraft(p *Printer, d *verdict.Draft) {
	p.Printf("%s\n", draftWords(d))
	p.indented(leftWords(d))
}

// Marked prints the task that was marked, and what comes next.
func (p *Printer) Marked(m *hydrate.Marked) {
	already := ""
	if !m.Task.Changed {
		already = "already "
	}
	p.Printf("task %d of %d is %s%s: %s\n", m.Task.Number, m.Total, already, m.Task.Status, TaskTitle(m.Task.Name, m.Task.Number))
	switch m.Verdict {
	case hydrate.Resume:
		if n := m.Resume; n.Number != m.Task.Number {
			p.Printf("next: task %d: %s\n", n.Number, TaskTitle(n.Name, n.Number))
		}
	case hydrate.Finished:
		p.finished(m.Report)
	case hydrate.Stale:
		for _, s := range m.Stale {
			p.Printf("%s: the session is stale, %s: %s\n", p.Style.Yellow("warning"), s.Reason, s.Detail)
		}
	}
	p.Warnings(m.Warnings)
	switch {
	case m.Fix.Kind != "":
		p.Try(m.Fix)
	case m.Summarize().Kind != "":
		p.Try(m.Summarize())
	}
}

// Summarized prints which draft or summary was written.
func (p *Printer) Summarized(s *hydrate.Summarized) {
	if s.Draft == nil {
		p.Printf("wrote %s from its draft: the plan is done\n", printer.Unbroken(s.Summary))
		p.Printf("gsd next shows the next plan\n")
	} else {
		p.Printf("wrote %s: %s, %s\n", printer.Unbroken(s.Draft.Path), Count(s.Commits, "commit"), Count(s.Files, "file"))
		p.indented(leftWords(s.Draft))
		p.Printf("write what is in brackets, then run gsd done --summary again: that makes it the summary\n")
	}
	p.Warnings(s.Warnings)
}

// Bootstrapped prints the session that was started or kept.
func (p *Printer) Bootstrapped(b *hydrate.Bootstrapped) {
	fitting(p, func(p *Printer) { printBootstrapped(p, b) })
}

func printBootstrapped(p *Printer, b *hydrate.Bootstrapped) {
	switch {
	case b.Kept:
		p.Printf("kept the valid session on this plan; gsd bootstrap PLAN --fresh starts a new one\n")
	default:
		p.Printf("started a session: %s\n", printer.Unbroken(b.Path))
	}
	if b.Archived != "" {
		was := string(b.Was)
		if b.Was == hydrate.Resume {
			was = "unfinished"
		}
		p.Printf("archived the %s one: %s\n", was, printer.Unbroken(b.Archived))
	}
	p.from(b.From)
	p.carried(b.Carried)
	printNotCarried(p, b.Left)
	p.Printf("\n")
	p.Report(b.Report)
}

// from says which former sessions progress is from.
func (p *Printer) from(sessions []hydrate.Origin) {
	for _, from := range sessions {
		if from.User != "" {
			p.Printf("carried from %s's session: %s\n", from.User, from.HowFar)
			continue
		}
		what, plan, at := printer.Sprintf("session %s", printer.Unbroken(from.Session)), printer.Unbroken(from.Plan), printer.Text{}
		if from.Plan != "" { // its header may have been damaged
			at = printer.Sprintf(" at %s", plan)
		}
		switch {
		case from.Lost != "":
			what = printer.Sprintf("lost session %s", from.Lost)
		case from.Here:
			what = printer.Sprintf("session that was here, as gsd sync knows it")
		case from.Session == "":
			what = printer.Sprintf("session at %s", from.Machine)
		}
		if !from.Changed.IsZero() {
			what = printer.Sprintf("%s, last changed %s", what, Ago(from.Changed, p.Now))
		}
		p.Printf("progress is from the %s%s\n", what, map[verdict.Relation]printer.Text{
			verdict.ByDigest: printer.Sprintf(", on the same text%s", at),
			verdict.ByMove:   printer.Sprintf(", on the plan when it was %s", plan),
			verdict.ByID:     printer.Sprintf(", on the plan when it was %s", plan),
			verdict.ByTasks:  printer.Sprintf(", on a plan with the same tasks, %s", plan),
		}[from.How])
	}
}

// carried says which statuses were carried over, as far as they should be checked.
func (p *Printer) carried(all []history.Carried) {
	former := slices.DeleteFunc(slices.Clone(all), func(c history.Carried) bool { return c.Commits != nil })
	if len(former) > 0 {
		p.Printf("carried: the status of %s\n", Count(len(former), "task"))
	}
	for _, c := range all {
		from := ""
		switch {
		case c.Commits != nil:
			if from = " by " + shortIDs(c.Commits) + ": verify that"; len(c.Commits) == 0 {
				from = ", a checkpoint that later tasks have passed"
			}
		case c.From != c.Number:
			from = fmt.Sprintf(" (it was task %d)", c.From)
		case !c.Changed:
			continue
		}
		if c.Changed {
			from += "; its text has changed: check that this still holds"
		}
		p.Printf("carried: task %d %s%s\n", c.Number, c.Status, from)
	}
}

// printNotCarried says which statuses were not carried over.
func printNotCarried(p *Printer, left []hydrate.Dropped) {
	for _, l := range left {
		p.Printf("not carried: old task %d %s, %s: %s\n", l.From, l.Status, TaskTitle(l.Name, l.From), l.Why)
	}
}
