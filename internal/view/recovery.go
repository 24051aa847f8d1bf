package view

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
)

// listed is how many entries of a list are named in what is read often.
const listed = 5

// firstOf returns the first lines of a list, and a line that counts the others.
func firstOf(lines []string) []string {
	if more := len(lines) - listed; more > 0 {
		return append(lines[:listed:listed], fmt.Sprintf("and %d more", more))
	}
	return lines
}

// atWork prints which other runs may be active.
func (p *Printer) atWork(runs []run.Run) {
	for i := range runs {
		if i == listed {
			p.Item("and %d more", len(runs)-listed)
			break
		}
		without := ""
		if !runs[i].Holds {
			without = "; it does not hold the lease"
		}
		p.Item("%s %s%s%s", printer.Yellow("at work:"), runs[i].Who(), unsure(&runs[i]), without)
	}
	if len(runs) > 0 {
		p.Gap()
	}
}

// othersHold reports whether another run than the reader's is at work on the session.
func othersHold(r *answer.Report) bool {
	return slices.ContainsFunc(r.AtWork, func(agentRun run.Run) bool { return agentRun.Holds })
}

// unsure says what is not known of a run at work: its process may live on without its conversation, as Codex's does for a minute after its
// terminal was killed.
func unsure(r *run.Run) string {
	switch {
	case r.State == run.StateUnknown:
		return "; it cannot be checked from here whether it is alive"
	case r.MayLive() && r.PID > 0 && agent.SharesProcess(r.Host):
		return "; that process has all conversations of " + r.Host + ", and this one may have ended"
	}
	return ""
}

// recovery prints what was left unfinished.
func (p *Printer) recovery(r *answer.Recovery) {
	if r == nil {
		return
	}
	p.Item("%s", printer.Yellow("recovery:"))
	p.indented(whoOf("crashed (process gone, no end recorded): ", r.Crashed))
	if r.Failed != nil {
		p.Sub("the last run failed: %s%s", r.Failed.Who(), saysReason(r.Failed))
	}
	p.indented(whoOf("may have ended (time to live expired): ", r.Doubtful))
	if len(r.LeftTasks) > 0 {
		p.Sub("left in progress: %s", taskList(r.LeftTasks))
	}
	var lost, work []string
	for i := range r.Lost {
		o := &r.Lost[i]
		lost = append(lost, fmt.Sprintf("lost session %s on %s, %s", o.ID, answer.PlanInText(o.Plan), lostWords(o)))
	}
	for _, w := range r.Incomplete {
		work = append(work, incompleteWords(w))
	}
	p.indented(lost)
	p.indented(work)
	p.Gap()
}

// elsewhere says where the user has other sessions, and how far they are.
func elsewhere(sessions []answer.Elsewhere) (lines []printer.Text) {
	for i := range sessions {
		lines = append(lines, elsewhereWords(&sessions[i]))
	}
	return lines
}

func elsewhereWords(s *answer.Elsewhere) printer.Text {
	where := printer.Sprintf("in the worktree %s", printer.Unbroken(s.Worktree))
	switch {
	case s.Machine != "":
		where = printer.Of(atMachine(s.Machine, s.Branch))
	case s.Worktree == "":
		where = printer.Sprintf("under the name %s", s.User)
	}
	more := ""
	if at := s.Resume; at != nil && at.State.Left() {
		more = fmt.Sprintf(", task %d %s", at.Number, stoppedWord[at.State])
	}
	if s.Missing != nil {
		more += "; " + s.Missing.String()
	}
	return sessionWords(s.Plan, where, tasksDone(s.Done, s.Skipped, s.Total)+more)
}

// atMachine says where a clone is: two on one machine have other branches, mostly.
func atMachine(machine, branch string) string {
	if branch == "" {
		return "at " + machine
	}
	return "at " + machine + " on branch " + branch
}

// sessionWords says that the reader has a session on a plan somewhere, and how far it is.
func sessionWords(plan string, where printer.Text, far string) printer.Text {
	return printer.Sprintf("you have a session on %s %s: %s", planOfRoot(plan), where, far)
}

// planOfRoot names a plan with its workstream or sub-project: plans of several have one id.
func planOfRoot(plan string) string {
	inText := answer.PlanInText(plan)
	if root, ok := project.RootOf(plan); ok && root != planref.Planning {
		inText += " of " + Title(path.Base(root))
	}
	return inText
}

// indented prints the first lines of a list below an item.
func (p *Printer) indented(lines []string) {
	for _, text := range firstOf(lines) {
		p.Sub("%s", text)
	}
}

// list prints the first of some texts, one a line.
func (p *Printer) list(texts []printer.Text) {
	for i, text := range texts {
		if i == listed {
			p.Item("and %d more", len(texts)-listed)
			return
		}
		p.Item("%s", text)
	}
}

// whoOf returns a line about each run.
func whoOf(says string, runs []run.Run) []string {
	var lines []string
	for i := range runs {
		lines = append(lines, says+runs[i].Who())
	}
	return lines
}

// taskList formats task numbers.
func taskList(numbers []int) string {
	var words []string
	for i, n := range numbers {
		if i == 2*listed {
			words = append(words, fmt.Sprintf("and %d more", len(numbers)-i))
			break
		}
		words = append(words, strconv.Itoa(n))
	}
	if len(numbers) == 1 {
		return "task " + words[0]
	}
	return "tasks " + strings.Join(words, ", ")
}

// LostSessions prints the lost sessions of all projects.
func (p *Printer) LostSessions(l *history.LostSessions) {
	if len(l.Lost) == 0 {
		p.Printf("no lost sessions\n")
	}
	for i := range l.Lost {
		p.lostSession(&l.Lost[i])
	}
	if len(l.Lost) > 0 {
		p.Try(action.Action{Kind: action.HowToForget})
	}
	p.Warnings(l.Warnings)
}

func (p *Printer) lostSession(o *answer.LostSession) {
	id := printer.Bold("%s", o.ID)
	if o.Corrupt != "" {
		p.Printf("%s  %s: %s\n", id, lostBecause[o.Why], o.Corrupt)
		return
	}
	seen := printer.Sprintf("last changed %s", p.when(o.Updated))
	if o.Expired {
		seen = printer.Sprintf("%s; %s drops it", seen, printer.Command("gsd run sweep"))
	}
	p.Printf("%s  %s of %s, %s, %s\n",
		id, answer.PlanInText(o.Plan), o.User, tasksDone(o.Done, o.Skipped, o.Total), seen)
	p.Printf("  project  %s\n", printer.Unbroken(o.Project))
	p.Printf("  plan     %s\n", printer.Unbroken(o.Plan))
	if o.Current > 0 && o.Current <= o.Total {
		p.Printf("  at       task %d: %s\n", o.Current, TaskTitle(o.Task, o.Current))
	}
	p.Printf("  lost     %s\n", printer.Yellow("%s", lostBecause[o.Why]))
	if at := workerWords(o.Run); at != "" {
		p.Printf("  run      %s\n", at)
	}
	if o.Gone && !o.Why.IsHomeless() {
		p.Printf("  gone     its plan no longer exists either; it can be restored once that is back\n")
	}
	if !o.Gone {
		p.Try(o.Restore())
	}
}

// Forgotten prints which lost session was forgotten.
func (p *Printer) Forgotten(f *history.Forgotten) { p.Printf("forgot %s\n", f.Forgotten.ID) }
