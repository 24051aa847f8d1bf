package view

import (
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/host"
	"github.com/gsd-cli/gsd/planfile"
)

// Report prints the state of a session: what an agent or a person needs right now, and no more.
func (p *Printer) Report(r *hydrate.Report) {
	p.atWork(r.AtWork)
	p.recovery(r.Recovery)
	p.verdict(r)
	p.reportWarnings(r)
}

func (p *Printer) verdict(r *hydrate.Report) {
	switch r.Verdict {
	case hydrate.None:
		p.Printf("no session for %s\n", r.User)
		p.Try("gsd next", "shows the next plan")
		p.Try("gsd bootstrap PLAN", "a path, or an id such as 03-01")
	case hydrate.Corrupt:
		p.Printf("%s is not a session: %s\n", Line(r.Path), Line(r.Corrupt))
		p.Try("gsd next", "shows the next plan")
		p.Try("gsd bootstrap PLAN", "archives that file and starts a new session")
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
			p.Try("gsd next", "shows the next plan once it is written")
		}
	case hydrate.Resume:
		p.head(r)
		p.resume(r)
	}
}

func (p *Printer) head(r *hydrate.Report) {
	p.Printf("session of %s on %s\n", r.User, Line(r.On))
	since := ""
	if !r.StartedAt.IsZero() {
		since = ", started " + r.StartedAt.UTC().Format("2006-01-02 15:04 UTC")
	}
	p.Printf("%d of %s complete%s\n\n", r.Done, Count(r.Total, "task"), since)
}

func (p *Printer) stale(r *hydrate.Report) {
	headline := "the session is stale, don't continue it:"
	if len(r.Stale) == 1 && r.Stale[0].Reason == hydrate.PlanCompleted {
		headline = "the plan is done, and this session is over:"
	}
	p.Printf("%s\n", p.Style.Yellow(headline))
	for _, s := range r.Stale {
		p.Printf("  %s: %s\n", s.Reason, Line(s.Detail))
	}
	p.Printf("\n")
	switch {
	case r.Fix != nil:
		p.Try(CommandLine(*r.Fix), r.Fix.Does)
	case r.Next != nil:
		p.next(r.Next)
	default:
		p.Try("gsd bootstrap PLAN", "starts on another plan; this session is archived")
	}
}

// next prints the next plan for a session that is over.
func (p *Printer) next(n *hydrate.Next) {
	p.Next(n)
	switch {
	case n.Summary != "": // nothing of the plan is left to start on
	case n.Plan != "":
		p.Try("gsd bootstrap "+Quote(n.Name()), "starts on it; this session is archived")
	case n.Phase != "":
		p.Try("gsd bootstrap PLAN", "once a plan of phase "+Fitted(Title(n.Phase), longestNumber)+" is written")
	}
}

func (p *Printer) resume(r *hydrate.Report) {
	n := r.Resume
	p.Printf("%s %s\n", p.Style.Bold(fmt.Sprintf("resume at task %d:", n.Number)), TaskTitle(n.Name, n.Number))
	switch n.Progress {
	case hydrate.Interrupted:
		p.Printf("  %s\n", p.Style.Yellow("it was interrupted: start it again from the beginning"))
	case hydrate.InOwnHands:
		p.Printf("  it is in progress\n")
	case hydrate.InOthers:
		p.Printf("  it is in progress: the run at work may be working on it\n")
	}
	if n.Checkpoint() {
		p.Printf("  a checkpoint (%s): stop and ask the user\n", Line(n.Type))
	}
	for _, c := range n.Says {
		p.field(c)
	}
	p.Printf("  %s  %s:%d\n\n", p.label("text"), Line(r.Path), n.Line)
	if n.Progress == hydrate.NotBegun {
		p.Try(fmt.Sprintf("gsd mark %d in-progress", n.Number), "when you start")
	}
	p.Try(fmt.Sprintf("gsd mark %d complete", n.Number), "when it is done")
}

const labelWidth = len("how-to-verify")

func (p *Printer) label(name string) string {
	return p.Style.Dim(name) + strings.Repeat(" ", max(0, labelWidth-len(name)))
}

// field prints the first lines of a text next to its label.
func (p *Printer) field(c planfile.Child) {
	lines := strings.Split(strings.TrimSpace(host.Clean(c.Text)), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return
	}
	label, noLabel := p.label(c.Name), strings.Repeat(" ", labelWidth)
	for i, text := range lines {
		if i == mostLines {
			p.Printf("  %s  (%s more)\n", noLabel, Count(len(lines)-mostLines, "line"))
			break
		}
		p.Printf("%s\n", strings.TrimRight("  "+label+"  "+Cut(text, longestField), " "))
		label = noLabel
	}
}

func (p *Printer) finished(r *hydrate.Report) {
	all := "the task is complete"
	if r.Total > 1 {
		all = fmt.Sprintf("all %d tasks are complete", r.Total)
	}
	p.Printf("%s\n", p.Style.Green(all))
	if r.Summary != "" {
		p.Printf("write its summary now: %s\n", Line(r.Summary))
	}
}

// reportWarnings prints the warnings of a report, and the command that fixes one.
func (p *Printer) reportWarnings(r *hydrate.Report) {
	p.Warnings(r.Warnings)
	if r.Verdict != hydrate.Stale && r.Fix != nil {
		p.Try(CommandLine(*r.Fix), r.Fix.Does)
	}
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
			p.Printf("%s: the session is stale, %s: %s\n", p.Style.Yellow("warning"), s.Reason, Line(s.Detail))
		}
	}
	p.reportWarnings(m.Report)
}

// Bootstrapped prints the session that was started or kept.
func (p *Printer) Bootstrapped(b *hydrate.Bootstrapped) {
	switch {
	case b.CarryNeedless:
		p.Printf("kept the valid session on this plan, so there is nothing to carry; --fresh --carry starts a new one\n")
	case b.Kept:
		p.Printf("kept the valid session on this plan; --fresh starts a new one\n")
	default:
		p.Printf("started a session: %s\n", Line(b.Path))
	}
	if b.Archived != "" {
		was := string(b.Was)
		if b.Was == hydrate.Resume {
			was = "unfinished"
		}
		p.Printf("archived the %s one: %s\n", was, Line(b.Archived))
	}
	for _, c := range b.Carried {
		from := ""
		if c.From != c.Number {
			from = fmt.Sprintf(" (it was task %d)", c.From)
		}
		if c.Changed {
			from += "; its text has changed: check that this still holds"
		}
		p.Printf("carried: task %d %s%s\n", c.Number, c.Status, from)
	}
	for _, l := range b.Left {
		p.Printf("not carried: old task %d %s, %s: %s\n", l.From, l.Status, TaskTitle(l.Name, l.From), l.Why)
	}
	p.Printf("\n")
	p.Report(b.Report)
}
