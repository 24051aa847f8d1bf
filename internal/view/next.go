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
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// LongestNumber is the width of a phase's number, in columns.
const LongestNumber = 12

// NextAnswer prints which plan comes next and why, and the commands to continue with.
func (p *Printer) NextAnswer(a *app.NextAnswer) {
	fitting(p, func(p *Printer) {
		p.away(a.Dir)
		p.Next(a.Next)
		for _, w := range a.Incomplete[:min(len(a.Incomplete), listed)] {
			p.Printf("%s  %s\n", printer.Dim("unfinished"), Title(incompleteWords(w)))
		}
		p.Try(a.Do...)
		p.Warnings(a.Warnings)
	})
}

// Next prints which plan comes next and why, and what else is ready.
func (p *Printer) Next(n *answer.Next) { p.nextBecause(n, n.Because) }

// nextBecause prints the next plan with some of the reasons.
func (p *Printer) nextBecause(n *answer.Next, reasons []next.Reason) {
	plan, place := printer.Of(n.ID), printer.Sprintf(" %s", printer.Unbroken(n.Plan))
	if n.ID == "" {
		plan, place = printer.Unbroken(n.Plan), printer.Text{}
	}
	if n.Plan == "" {
		place = printer.Text{}
	}
	if n.Summary != "" {
		place = printer.Sprintf(" %s", printer.Unbroken(n.Summary))
	}
	p.Item("%s%s%s", nextHead(n, plan), place, inBrackets(nextMarks(n)))
	for _, why := range Because(reasons) {
		p.Sub("%s", Title(why))
	}
	for i := range n.Workstreams {
		p.Sub("%s", workstreamWords(&n.Workstreams[i]))
	}
	if n.MoreWorkstreams > 0 {
		p.Sub("and %d more", n.MoreWorkstreams)
	}
	if n.Draft != nil {
		p.summaryDue(n.Summary, n.Draft, false)
	}
	p.branches(n.Branches)
	p.progress(n)
	p.uncommittedOn(n.Uncommitted)
	p.inFlight(n)
	p.alsoReady(n)
	p.leftOver(n)
}

// inFlight prints which other plans are in flight, and which were left behind: of what else is ready, an agent needs no more.
func (p *Printer) inFlight(n *answer.Next) {
	if !p.brief {
		return
	}
	if left := leftIDs(n); left != "" {
		p.Item("left behind without a summary: %s", left)
	}
	var also []printer.Text
	for i := range n.AlsoReady {
		ref := &n.AlsoReady[i]
		if ref.Progress != nil {
			also = append(also, printer.Sprintf("also in flight: %s, %s", printer.Unbroken(ref.Plan), FarWords(ref.Progress)))
		}
		if len(ref.Branches) > 0 {
			also = append(also, printer.Sprintf("%s: %s", printer.Unbroken(ref.Plan), BranchWords(&ref.Branches[0])))
		}
	}
	p.list(also)
}

// leftOver prints the plans that were left behind, and the reason once for all that have it in common.
func (p *Printer) leftOver(n *answer.Next) {
	if p.brief {
		return
	}
	left, more := leftOver(n)
	for i, plan := range left {
		p.Printf("%s  %s\n", printer.Dim("left over"), idAndPath(plan.ID, plan.Plan))
		if i == len(left)-1 || because(&left[i+1].Why) != because(&plan.Why) {
			p.Printf("  %s\n", Title(because(&plan.Why)))
		}
	}
	if more > 0 {
		p.Printf("%s  %d more\n", printer.Dim("left over"), more)
	}
}

// idAndPath returns a plan's id, if it has one, and its path.
func idAndPath(id, plan string) printer.Text {
	if id == "" {
		return printer.Unbroken(plan)
	}
	return printer.Sprintf("%s  %s", id, printer.Unbroken(plan))
}

// AlsoReady returns the other plans that are ready, but for those that leftOver returns. They are in the order that people look for
// them in, by their numbers: n has the most likely first.
func AlsoReady(n *answer.Next) []answer.PlanRef {
	also := slices.DeleteFunc(slices.Clone(n.AlsoReady), func(also answer.PlanRef) bool {
		return slices.ContainsFunc(n.LeftOver, func(left answer.LeftOver) bool { return left.Plan == also.Plan })
	})
	slices.SortStableFunc(also, func(a, b answer.PlanRef) int { return planref.ComparePlans(a.Plan, b.Plan) })
	return also
}

// LeftBehind returns the plans that were left behind, but for the next plan.
func LeftBehind(n *answer.Next) []answer.LeftOver {
	return slices.DeleteFunc(slices.Clone(n.LeftOver), func(left answer.LeftOver) bool { return left.Plan == n.Plan })
}

// mostLeft is how many plans that were left behind are named.
const mostLeft = 3

// leftOver returns the last of LeftBehind, and how many there are before them.
func leftOver(n *answer.Next) (last []answer.LeftOver, more int) {
	last = LeftBehind(n)
	more = max(0, len(last)-mostLeft)
	return last[more:], more
}

// leftIDs names the last plans that were left behind in a line, "" for none.
func leftIDs(n *answer.Next) string {
	left, more := leftOver(n)
	var names []string
	for _, plan := range left {
		names = append(names, planLabel(plan.Plan, plan.ID))
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// progress prints how far the next plan is by its commits, and the task to resume.
func (p *Printer) progress(n *answer.Next) {
	if n.Progress == nil {
		return
	}
	p.Item("%s %s", printer.Bold("in flight:"), progressWords(n.Progress))
	p.progressAt(n.Progress, n.Plan, action.Action{Kind: action.ReadTask, Plan: n.Name()})
}

// progressAt prints the task of a plan to resume, which whole prints if it is cut.
func (p *Printer) progressAt(planProgress *answer.PlanProgress, plan string, whole action.Action) {
	at := planProgress.Resume
	if at == nil {
		return
	}
	p.resumeAt(at)
	if seems := seemsBegun(planProgress); seems != "" {
		p.Sub("%s", printer.Yellow("%s", seems))
	}
	whole.Task = at.Number
	p.task(at, plan, whole)
}

// progressWords says how many tasks of a plan are complete, and by which commits.
func progressWords(planProgress *answer.PlanProgress) string {
	if by := begunBy(planProgress); by != "" {
		return "started by " + by + "; its progress is unknown, because the plan names no tasks"
	}
	says := tasksDone(progress.Count(planProgress.Tasks, planfile.Complete), progress.Count(planProgress.Tasks, planfile.Skipped), len(planProgress.Tasks))
	ids, words := progress.ShownBy(planProgress.Tasks), saidComplete(planProgress.Tasks) > 0
	var by []string
	if len(ids) > 0 {
		by = append(by, shortIDs(ids))
	}
	if planProgress.Former {
		by = append(by, "a former session")
	}
	if words {
		by = append(by, "the plan's own words")
	}
	if len(by) > 0 {
		says += " by " + strings.Join(by, " and ")
	}
	switch {
	case planProgress.Resume == nil && len(ids) == 0 && !words: // all were marked
		says += "; its summary is due"
	case planProgress.Resume == nil:
		says += "; only its summary seems to be missing"
	}
	return says
}

// byCommits says how many tasks of a session are complete though nobody has marked them, and by which commits, or that the plan itself
// says so; "" for none.
func byCommits(unmarked []progress.Task) string {
	words := ""
	said := saidComplete(unmarked)
	if said > 0 {
		words = fmt.Sprintf(", %d of them by the plan's own words", said)
	}
	n := progress.Count(unmarked, planfile.Complete) - said
	switch by := progress.ShownBy(unmarked); {
	case n == 0:
		return words
	case len(by) == 0: // a checkpoint that later tasks have passed
		return fmt.Sprintf(", %d of them unmarked", n) + words
	default:
		return fmt.Sprintf(", %d of them unmarked, by %s", n, shortIDs(by)) + words
	}
}

// saidComplete counts the tasks that are complete because the plan itself says so.
func saidComplete(tasks []progress.Task) (n int) {
	for i := range tasks {
		if t := &tasks[i]; t.Shown() && t.Word != "" && t.Status == planfile.Complete {
			n++
		}
	}
	return n
}

// begunBy lists the commits that have started a plan which names no tasks; "" for any other plan.
func begunBy(planProgress *answer.PlanProgress) string {
	if !planProgress.Whole || planProgress.Tasks[0].Status.Settled() || len(planProgress.Tasks[0].Commits) == 0 {
		return ""
	}
	return shortIDs(planProgress.Tasks[0].Commits)
}

// FarWords says in a line how far a plan is.
func FarWords(planProgress *answer.PlanProgress) string {
	says := progressWords(planProgress)
	if planProgress.Resume != nil && begunBy(planProgress) == "" {
		says += fmt.Sprintf("; resume at task %d", planProgress.Resume.Number)
	}
	return says
}

// seemsBegun says what seems to have started the task to resume; "" if nothing does.
func seemsBegun(planProgress *answer.PlanProgress) string {
	task := planProgress.Tasks[planProgress.Resume.Number-1]
	commits := task.Commits
	switch {
	case begunBy(planProgress) != "":
		return "parts of it may be done: verify before redoing it"
	case len(commits) > 0:
	case task.Status == planfile.InProgress && task.Word != "":
		return "the plan itself calls it in progress: its work may be partial, verify before redoing it"
	case task.Status == planfile.InProgress:
		return "it was in progress in a former session: its work may be partial, verify before redoing it"
	default:
		return ""
	}
	return "it may have been started by " + shortIDs(commits) + ": verify before redoing it"
}

// shortIDs lists the first commits.
func shortIDs(ids []string) string {
	var short []string
	for _, id := range ids[:min(len(ids), 2*listed)] {
		short = append(short, app.ShortID(id))
	}
	says := strings.Join(short, ", ")
	if more := len(ids) - len(short); more > 0 {
		says += fmt.Sprintf(" and %d more", more)
	}
	return says
}

// alsoReady prints what else is ready.
func (p *Printer) alsoReady(n *answer.Next) {
	if p.brief {
		return
	}
	label := alsoLabel(n)
	for _, plan := range AlsoReady(n) {
		var note printer.Text
		switch {
		case len(plan.Branches) > 0 && plan.Branches[0].Held:
			note = printer.Dim("  (taken: %s)", BranchWords(&plan.Branches[0]))
		case plan.TakenBy != "":
			note = printer.Dim("  (%s)", takenBy(plan.TakenBy))
		case len(plan.Branches) > 0:
			note = printer.Dim("  (%s)", BranchWords(&plan.Branches[0]))
		case plan.Progress != nil:
			note = printer.Dim("  (in flight: %s)", FarWords(plan.Progress))
		case plan.Begun:
			note = printer.Dim("  (in flight)")
		}
		if plan.Says != "" {
			note = printer.Sprintf("%s%s", note, printer.Dim("  (status %s)", plan.Says))
		}
		p.Printf("%s  %s%s\n", printer.Dim("%s", label), idAndPath(plan.ID, plan.Plan), note)
		label = strings.Repeat(" ", len(label))
	}
}

// nextHead returns the answer in a few words. plan is what the plan is called.
func nextHead(n *answer.Next, plan printer.Text) printer.Text {
	phase := layout.Cut(Title(n.Phase), LongestNumber)
	switch {
	case len(n.Workstreams) > 0:
		return printer.Bold("several workstreams have something to do; GSD_WORKSTREAM or --ws chooses one")
	case n.Summary != "":
		return printer.Bold("next: write the summary of %s", plan)
	case n.Plan != "":
		return printer.Bold("next: %s", plan)
	case n.Verification != "":
		return printer.Bold("next: finish phase %s", phase)
	case n.Phase != "":
		return printer.Bold("next: plan phase %s", phase)
	case len(n.AlsoReady)+len(n.LeftOver) > 0:
		return printer.Bold("no next plan")
	case IsUnplanned(n):
		return printer.Bold("no plans yet")
	case IsPartial(n):
		return printer.Bold("no plan is left of those that were read")
	}
	return printer.Green("no plans left")
}

// workstreamWords says what there is to do in a workstream.
func workstreamWords(w *answer.Choice) printer.Text {
	name, plan, lost := Title(w.Name), printer.Of(planLabel(w.Plan, w.ID)), ""
	if w.Lost > 0 {
		lost = ", " + Count(w.Lost, "lost session")
	}
	switch {
	case w.Session:
		return printer.Sprintf("%s: your session is on %s, %s%s", name, plan, tasksDone(w.Done, 0, w.Total), lost)
	case w.Plan == "":
		return printer.Sprintf("%s: no plan is ready%s", name, lost)
	}
	return printer.Sprintf("%s: %s comes next%s", name, plan, lost)
}

// alsoLabel says what the other plans are. Without a next plan they are leftovers of phases that are over, unless a phase
// waits for its verification.
func alsoLabel(n *answer.Next) string {
	if n.Plan == "" && n.Verification == "" {
		return "left open"
	}
	return "also ready"
}

// nextMarks lists properties of the next plan.
func nextMarks(n *answer.Next) []string {
	var marks []string
	isSaid := slices.ContainsFunc(n.Because, func(r next.Reason) bool { return r.Code == next.LowestWave })
	if n.Wave != nil && n.Plan != "" && !isSaid {
		marks = append(marks, fmt.Sprintf("wave %d", *n.Wave))
	}
	if !n.Autonomous {
		marks = append(marks, "not autonomous")
	}
	if n.Gaps {
		marks = append(marks, "closes gaps")
	}
	if n.TakenBy != "" {
		marks = append(marks, takenBy(n.TakenBy))
	}
	return marks
}

// takenBy says whose a plan is.
func takenBy(user string) string { return "taken by " + Title(user) }

// inBrackets returns words as they follow a text.
func inBrackets(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "  (" + strings.Join(words, ", ") + ")"
}
