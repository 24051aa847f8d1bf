package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/text"
)

// Report prints the state of a session: what an agent or a person needs right now, and no more. If that has more than p.Rows lines, the
// text of the task is cut.
func (p *Printer) Report(r *answer.Report) {
	fitting(p, func(p *Printer) { printReport(p, r) })
}

func printReport(p *Printer, r *answer.Report) {
	p.away(r.Dir)
	p.atWork(r.AtWork)
	p.recovery(r.Recovery)
	p.verdict(r)
	p.state(r)
	if len(r.Do) > 0 {
		p.Gap()
		p.Try(r.Do...)
	}
	p.Warnings(r.Warnings)
}

// away says where the paths of an answer begin; dir is empty where that is the reader's own directory.
func (p *Printer) away(dir string) {
	if dir != "" {
		p.Item("the project's root is %s; its files are named from there", printer.Unbroken(dir))
	}
}

// state prints what STATE.md tells the one who continues, as a quotation.
func (p *Printer) state(r *answer.Report) {
	if r.StateSays == nil {
		return
	}
	p.Gap()
	file := printer.Unbroken(r.StateSays.Path)
	if stopped := Title(r.StateSays.Stopped); stopped != "" {
		p.Item("%s says: stopped at %s", file, quotation(stopped))
	}
	if len(r.StateSays.Blockers) == 0 {
		return
	}
	last := quotation(Title(r.StateSays.Blockers[len(r.StateSays.Blockers)-1]))
	if n := r.StateSays.Total; n == 1 {
		p.Item("%s lists a blocker: %s", file, last)
	} else {
		p.Item("%s lists %d blockers, the last %s", file, n, last)
	}
}

// quotation returns words of others in quotes, which they cannot end.
func quotation(words string) string { return `"` + strings.ReplaceAll(words, `"`, "'") + `"` }

// verdict prints which session there is, how far its plan is, and what comes next.
func (p *Printer) verdict(r *answer.Report) {
	switch r.Verdict {
	case answer.None:
		p.Item("no session for %s", r.User)
	case answer.Corrupt:
		p.Item("%s is not a session: %s", printer.Unbroken(r.Path), r.Corrupt)
	default:
		p.head(r)
	}
	p.branches(r.Branches)
	switch r.Verdict {
	case answer.None, answer.Corrupt:
		p.list(elsewhere(r.Elsewhere))
		p.next(r.Next)
	case answer.Stale:
		p.stale(r)
	case answer.Finished:
		p.finished(r)
		switch next := r.Next; {
		case next == nil:
		case next.Plan != r.On:
			p.next(next)
		case next.Ready() == nil:
			p.alsoReady(next)
			p.Item("once it is written, %s shows the next plan", printer.Command("gsd next"))
		case p.brief:
			p.Item("ready besides: %s", printer.Unbroken(next.Ready().Plan))
		default:
			p.alsoReady(next)
		}
	case answer.Resume:
		p.resume(r)
	}
	if p.brief && r.Verdict != answer.None && r.Verdict != answer.Corrupt {
		p.Gap()
		p.list(elsewhere(r.Elsewhere))
	}
}

// next prints the next plan, if it is known, without why it comes before others: gsd next is asked that.
func (p *Printer) next(n *answer.Next) {
	if n == nil {
		return
	}
	p.Gap()
	isOrder := func(r next.Reason) bool { return n.Plan != "" && r.IsOrder() }
	p.nextBecause(n, slices.DeleteFunc(slices.Clone(n.Because), isOrder))
	if n.Plan == "" && n.Phase != "" && !IsUntested(n) {
		p.Item("%s starts a session once a plan of phase %s is written", printer.Command("gsd bootstrap PLAN"), layout.Cut(Title(n.Phase), LongestNumber))
	}
}

func (p *Printer) head(r *answer.Report) {
	p.Item("session of %s on %s", r.User, printer.Unbroken(r.On))
	since := ""
	if !r.Started.IsZero() && !p.brief {
		since = ", started " + r.Started.UTC().Format("2006-01-02 15:04 UTC")
	}
	p.Item("%s%s%s", tasksDone(r.Done, r.Skipped, r.Total), byCommits(r.Unmarked), since)
	p.Gap()
}

func (p *Printer) stale(r *answer.Report) {
	says := printer.Yellow("the session is stale: the project is no longer on its plan")
	if len(r.Stale) == 1 && r.Stale[0].Reason == answer.PlanCompleted {
		says = printer.Yellow("the plan is done, so this session has ended")
	}
	p.Item("%s", says)
	for _, s := range r.Stale {
		p.Sub("%s: %s", s.Reason, StaleDetail(s))
	}
	if r.Fix.Kind == "" {
		p.next(r.Next)
	}
}

func (p *Printer) resume(r *answer.Report) {
	n := r.Resume
	p.resumeAt(n)
	switch n.State {
	case answer.InProgress:
		p.Sub("it is in progress; %s shows whether anybody is working on it", printer.Command("gsd hydrate"))
	case answer.Interrupted, answer.Cleared, answer.Paused, answer.Unattended:
		p.Sub("%s", printer.Yellow("it %s", stoppedWords(n.State, since(r), othersHold(r))))
		p.Sub("its work may be partial: verify before redoing it")
		if othersHold(r) {
			p.Sub("the run at work may be doing it again")
		}
	case answer.InOwnHands:
		p.Sub("it is in progress%s; the files show how far it is", since(r))
	case answer.InClone:
		p.Sub("it is in progress at %s, as far as the last %s knows: its work may be there and not here", n.Machine, printer.Command("gsd sync"))
	case answer.InOthers:
		p.Sub("it is in progress%s: the run at work may be working on it", since(r))
	}
	p.task(n, r.Path, action.Action{Kind: action.ReadTask, Task: n.Number})
}

// resumeAt prints which task is the one to resume.
func (p *Printer) resumeAt(n *answer.ResumePoint) {
	p.Item("%s %s", printer.Bold("resume at task %d:", n.Number), TaskTitle(n.Name, n.Number))
}

// task prints what else is to be known of the task to resume, and what a file says about it, which whole prints if it is cut.
func (p *Printer) task(n *answer.ResumePoint, file string, whole action.Action) {
	p.checkpoint(n.Checkpoint(), n.Type)
	var also []string
	for _, t := range n.Also {
		also = append(also, fmt.Sprintf("%s: task %d: %s", alsoWords(&t), t.Number, TaskTitle(t.Name, t.Number)))
	}
	p.indented(also)
	p.uncommitted(n)
	p.taskText(file, n.Line, n.Children, whole)
}

func (p *Printer) checkpoint(is bool, taskType string) {
	if is {
		p.Sub("a checkpoint (%s): the plan requires that the user is asked here", taskType)
	}
}

func (p *Printer) finished(r *answer.Report) {
	is := answer.SettledWord(r.Skipped > 0)
	all := "the task is " + is
	if r.Total > 1 {
		all = fmt.Sprintf("all %d tasks are %s", r.Total, is)
	}
	p.Item("%s", printer.Green("%s", all))
	if r.Summary != "" {
		p.summaryDue(r.Summary, r.Draft, r.Earlier)
	}
}

// summaryDue prints how far the summary of a plan is whose tasks are all complete.
func (p *Printer) summaryDue(summary string, d *answer.Draft, isEarlier bool) {
	switch {
	case isEarlier:
		p.Item("its summary is there from before, and may need to be brought up to date: %s", printer.Unbroken(summary))
	case d == nil:
		p.Item("its summary is left to write: %s", printer.Unbroken(summary))
	case d.Problem != "":
		p.Item("the draft of its summary cannot be used: %s", d.Problem)
	case d.Written():
		p.Item("the draft of its summary is complete: %s", printer.Unbroken(d.Path))
	default:
		p.Item("its summary has a draft: %s; %s makes it the summary once it is complete", printer.Unbroken(d.Path), printer.Command("gsd done --summary"))
		p.indented(leftWords(d))
	}
}

// longestHint is how many characters are shown of what is to be written.
const longestHint = 50

// leftWords says what is still to be written in a draft, by lines.
func leftWords(d *answer.Draft) (lines []string) {
	for _, left := range d.Left {
		lines = append(lines, fmt.Sprintf("line %d: %s", left.Line, text.Cut(left.Text, longestHint)))
	}
	return lines
}

// Marked prints the task that was marked, and what comes next.
func (p *Printer) Marked(m *app.Marked) {
	already := ""
	if !m.Changed() {
		already = "already "
	}
	p.Printf("task %d of %d is %s%s: %s\n", m.Task.Number, m.Total, already, statusWord(m.Task.Status), TaskTitle(m.Task.Name, m.Task.Number))
	switch m.Verdict {
	case answer.Resume:
		if n := m.Resume; n.Number != m.Task.Number {
			p.Printf("next: task %d: %s\n", n.Number, TaskTitle(n.Name, n.Number))
		}
	case answer.Finished:
		p.finished(m.Report)
	case answer.Stale:
		for _, s := range m.Stale {
			p.Printf("%s: the session is stale, %s: %s\n", printer.Yellow("warning"), s.Reason, StaleDetail(s))
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
func (p *Printer) Summarized(s *app.Summarized) {
	if s.Draft == nil {
		p.Printf("wrote %s from its draft: the plan is done\n", printer.Unbroken(s.Summary))
		p.Printf("commit it, with what of the plan's work is not committed yet\n")
		p.Printf("STATE.md and the roadmap are as they were: %s brings STATE.md up to date, and the plan's box in the roadmap is ticked by hand, "+
			"or by gsd-core's roadmap.update-plan-progress\n", printer.Command("gsd state --write"))
		p.Printf("%s shows the next plan\n", printer.Command("gsd next"))
	} else {
		p.Printf("wrote %s: %s, %s\n", printer.Unbroken(s.Draft.Path), Count(s.Commits, "commit"), Count(s.Files, "file"))
		p.indented(leftWords(s.Draft))
		p.Printf("write what is in brackets and commit the plan's work, then run %s again: that makes it the summary\n", printer.Command("gsd done --summary"))
	}
	p.Warnings(s.Warnings)
}

// Bootstrapped prints the session that was started or kept.
func (p *Printer) Bootstrapped(b *app.Bootstrapped) {
	fitting(p, func(p *Printer) { printBootstrapped(p, b) })
}

func printBootstrapped(p *Printer, b *app.Bootstrapped) {
	p.branches(b.Branches) // first: its tasks need not be done again
	switch {
	case b.Kept && slices.ContainsFunc(b.Warnings, func(w problem.Warning) bool { return w.Code == answer.LeaseElsewhere }): // who may keep it
		p.Printf("kept the valid session on this plan\n")
	case b.Kept:
		p.Printf("kept the valid session on this plan; %s starts a new one\n", printer.Command("gsd bootstrap PLAN --fresh"))
	default:
		p.Printf("started a session: %s\n", printer.Unbroken(b.Path))
	}
	if b.Archived != "" {
		was := string(b.Was)
		if b.Was == answer.Resume {
			was = "unfinished"
		}
		p.Printf("archived the %s one: %s\n", was, printer.Unbroken(b.Archived))
	}
	p.from(b.From)
	p.carried(b.Carried)
	printNotCarried(p, b.Left)
	p.Printf("\n")
	r := *b.Report
	r.Branches = nil
	p.Report(&r)
}

// from says which former sessions progress is from.
func (p *Printer) from(sessions []answer.Origin) {
	for _, from := range sessions {
		if from.User != "" {
			p.Printf("carried from %s's session: %d of %d complete\n", from.User, from.Settled, from.Tasks)
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
			what = printer.Sprintf("session that was here, as %s knows it", printer.Command("gsd sync"))
		case from.Session == "":
			what = printer.Sprintf("session at %s", from.Machine)
		}
		if !from.Changed.IsZero() {
			what = printer.Sprintf("%s, last changed %s", what, Ago(from.Changed, p.Now))
		}
		p.Printf("progress is from the %s%s\n", what, map[answer.Relation]printer.Text{
			answer.ByDigest: printer.Sprintf(", on the same text%s", at),
			answer.ByMove:   printer.Sprintf(", on the plan when it was %s", plan),
			answer.ByID:     printer.Sprintf(", on the plan when it was %s", plan),
			answer.ByTasks:  printer.Sprintf(", on a plan with the same tasks, %s", plan),
		}[from.How])
	}
}

// carried says which statuses were carried over, as far as they should be checked.
func (p *Printer) carried(all []progress.Task) {
	former := slices.DeleteFunc(slices.Clone(all), func(c progress.Task) bool { return c.Shown() })
	if len(former) > 0 {
		p.Printf("carried: the status of %s\n", Count(len(former), "task"))
	}
	for _, c := range all {
		from := ""
		switch {
		case c.Shown() && c.Word != "":
			from = ", as the plan itself says: verify that"
		case c.Shown():
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
		p.Printf("carried: task %d %s%s\n", c.Number, statusWord(c.Status), from)
	}
}

// printNotCarried says which statuses were not carried over.
func printNotCarried(p *Printer, left []progress.Task) {
	for _, l := range left {
		p.Printf("not carried: old task %d %s, %s: %s\n", l.Number, statusWord(l.Status), TaskTitle(l.Name, l.Number), mismatchWords[l.Why])
	}
}
