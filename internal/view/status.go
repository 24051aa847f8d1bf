package view

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/planfile"
)

// Status prints a status for people. Without all, it lists only the phases of open milestones, and folds long lists; more
// of them if it would have more than p.Rows lines, and what is then still too much is left out.
func (p *Printer) Status(st *status.Status, all bool) {
	fitted := *p
	fitted.Columns = min(max(cmp.Or(p.Columns, usualColumns), leastColumns), mostColumns)
	b := board{Printer: &fitted, status: st, all: all}
	if p.Listed {
		b.lists = tasksOf(st)
	}
	parts := b.parts()
	if most := p.Rows; most > 0 && !all && b.rowsOf(parts) > most {
		b.tight = true
		if parts = b.parts(); b.rowsOf(parts) > most {
			b.cut(parts, most)
		}
	}
	for _, part := range parts {
		for _, line := range part.lines {
			p.Put(line.Line)
		}
	}
}

// Widths in columns; what is wider is cut.
const (
	usualColumns = 80 // of a line, unless the terminal says otherwise
	leastColumns = 60
	mostColumns  = 120
	longestID    = 32 // of a plan that has a title
	longestUser  = 16
	longestPlan  = 12 // of a session
	longestLabel = 40 // of a plan in a sentence
	barSize      = 24 // of the whole project
	smallBar     = 10 // of a phase or a milestone
)

// A board prints a status. Whatever the names are, no line is wider than Columns, but for a path in a warning.
type board struct {
	*Printer
	status *status.Status
	lists  []planTasks // of the plans that are being worked on, the reader's first
	all    bool
	tight  bool // there is too little room for all lines

	printed func() int // how many lines of a part were printed
	ranks   []rankFrom // of these lines
}

func (b *board) warnings() {
	if len(b.status.Warnings) > 0 {
		b.as(heading)
		b.Printf("\n")
		b.as(usual)
	}
	for _, w := range b.status.Warnings {
		b.Warnings([]problem.Warning{w})
	}
}

// head says which project this is, where it is and how far.
func (b *board) head() {
	st := b.status
	b.as(current)
	head := printer.Sprintf("unnamed project")
	if title := Title(st.Project); title != "" {
		head = printer.Sprintf("project: %s", title)
	}
	if st.Root != ".planning" {
		head = printer.Sprintf("%s, %s", head, Title(st.Root))
	}
	b.Printf("%s\n", printer.Bold("%s", printer.Cut(head, b.Columns)))
	if where := b.where(); where != "" {
		b.Printf("%s\n", layout.Cut(where, b.Columns))
	}
	if p := st.Position; p.AllPlans > 0 {
		done, total := Overall(p)
		share := "    ?"
		if p.Percent >= 0 {
			share = fmt.Sprintf("%3d %%", p.Percent)
		}
		counts := layout.Cut(share+"  "+Shares(p), b.Columns)
		b.Printf("%s%s\n", b.bar(done, total, min(barSize, b.Columns-1-layout.Columns(counts))), counts)
	}
}

// where says which phase and plan the project is on. It is empty if nextPlan will say why there is none.
func (b *board) where() string {
	const longestMilestone = 30
	p := b.status.Position
	milestone, phase, plan := layout.Cut(Title(p.Milestone), longestMilestone), "", ""
	if p.Plan > 0 {
		plan = fmt.Sprintf("plan %d of %d", p.Plan, p.Plans)
	}
	if p.Phase != "" {
		phase = "phase " + layout.Cut(Title(p.Phase), LongestNumber) + PhasePlace(p)
		if p.PhaseName != "" {
			phase += ": " + Title(p.PhaseName)
		}
		phase = layout.Cut(phase, b.Columns-layout.Columns(milestone)-layout.Columns(plan)-4)
	}
	parts := slices.DeleteFunc([]string{milestone, phase, plan}, func(s string) bool { return s == "" })
	if len(parts) == 0 && len(b.status.Phases) == 0 {
		return "no roadmap and no phases yet"
	}
	return strings.Join(parts, ", ")
}

// bar draws done of total, on a terminal with room for it.
func (b *board) bar(done, total, size int) printer.Text {
	if !b.Style.Bars || size < 2 {
		return printer.Text{}
	}
	full := 0
	if total > 0 {
		full = int(float64(size) * float64(min(max(0, done), total)) / float64(total))
	}
	return printer.Sprintf("%s%s ", printer.Green("%s", strings.Repeat("█", full)), printer.Dim("%s", strings.Repeat("░", size-full)))
}

// phases lists the milestones, and the phases of the open ones.
func (b *board) phases() {
	st := b.status
	if len(st.Phases) > 0 {
		b.as(heading)
		b.Printf("\n")
		b.as(usual)
	}
	numbers := b.numbers()
	b.phasesOf(-1, "  ", numbers)
	complete := 0
	for i, m := range st.Milestones {
		over := !b.all && m.Status == overview.PhaseComplete
		if over && b.tight {
			complete++
			continue
		}
		b.counted("  ", complete, "complete milestone")
		complete = 0
		b.row(printer.Of("  "), strings.TrimSpace(Title(m.Label)+" "+Title(m.Name)), m.Status, m.PlansDone, m.Plans, m.Current)
		if b.all || !over && (m.Current || m.Status == overview.PhaseInProgress) {
			b.phasesOf(i, "    ", numbers)
		}
	}
	b.counted("  ", complete, "complete milestone")
}

// numbers is how wide the numbers of the phases are.
func (b *board) numbers() int {
	widest := 0
	for _, ph := range b.status.Phases {
		widest = max(widest, layout.Columns(Title(ph.Number)))
	}
	return min(widest, LongestNumber)
}

// counted stands for entries of a list that are not listed.
func (b *board) counted(indent string, n int, what string) {
	if n > 0 {
		b.Printf("%s%s\n", indent, printer.Dim("%s; --all lists them", Count(n, what)))
	}
}

// folds is how many entries a list may have before some are only counted, where there is room for that many.
const folds = 20

func (b *board) folds() int {
	if b.tight {
		return 0
	}
	return folds
}

func (b *board) phasesOf(milestone int, indent string, numbers int) {
	var phases []*overview.Phase
	for i := range b.status.Phases {
		if b.status.Phases[i].Milestone == milestone {
			phases = append(phases, &b.status.Phases[i])
		}
	}
	inner := indent + strings.Repeat(" ", numbers+4)
	n, what := 0, ""
	for _, ph := range phases {
		if folded := b.folded(ph, len(phases)); folded != "" {
			if folded != what {
				b.counted(inner, n, what)
				n, what = 0, folded
			}
			n++
			continue
		}
		b.counted(inner, n, what)
		n = 0
		number := layout.Cut(Title(ph.Number), numbers)
		label := printer.Of(indent + mark(ph.Current) + strings.Repeat(" ", numbers-layout.Columns(number)) + number + "  ")
		if ph.Current {
			b.as(current)
		}
		b.row(label, Title(ph.Name), ph.Status, ph.Done, ph.Total, ph.Current)
		b.as(usual)
		for _, note := range phaseNotes(ph) {
			b.Printf("%s%s\n", inner, layout.Cut(note, b.Columns-layout.Columns(inner)))
		}
		if b.all || ph.Current {
			b.phasePlans(inner, ph)
		}
	}
	b.counted(inner, n, what)
}

// phasePlans lists the plans of a phase. In too little room, those that are done are counted, unless one is what somebody is on.
func (b *board) phasePlans(indent string, ph *overview.Phase) {
	plans := ph.Plans
	if b.tight {
		plans = slices.DeleteFunc(slices.Clone(plans), func(plan overview.StatusPlan) bool { return plan.Status == overview.PlanDone && !b.isOn(&plan) })
	}
	b.as(finished)
	b.counted(indent, len(ph.Plans)-len(plans), "done plan")
	b.planRows(indent, ph.Dir, plans)
}

// phaseNotes says what the row of a phase does not show: how its verification ended, or how far its UAT is, which plans have no file, and that it does not
// count.
func phaseNotes(ph *overview.Phase) (notes []string) {
	if v := ph.Unverified(); v != "" {
		notes = append(notes, "verification: "+Title(v))
	}
	if ph.UAT != "" {
		notes = append(notes, "UAT: "+Title(ph.UAT))
	}
	switch {
	case ph.Orphans == 1:
		notes = append(notes, "1 summary without its plan")
	case ph.Orphans > 1:
		notes = append(notes, fmt.Sprintf("%d summaries without their plans", ph.Orphans))
	}
	if ph.LeftOut != "" {
		notes = append(notes, "not counted: "+NotCounted(ph))
	}
	return notes
}

// folded returns what a phase is counted as, one of so many in a list; "" if it is listed.
func (b *board) folded(ph *overview.Phase, of int) string {
	switch {
	case b.all || ph.Current:
		return ""
	case ph.Status == overview.PhaseComplete && ph.LeftOut == "" && of > b.folds():
		return "complete phase"
	case b.tight && ph.Status != overview.PhaseComplete && ph.Status != overview.PhaseDone && ph.Status != overview.PhaseInProgress:
		return "later phase"
	}
	return ""
}

// row prints a phase or a milestone.
func (b *board) row(indent printer.Text, name string, state overview.PhaseStatus, done, total int, current bool) {
	const most, others = 9, 38 // columns of the counts, and of all but the name
	counts := "-"
	if total > 0 {
		counts = layout.Cut(fmt.Sprintf("%d/%d", done, total), most)
	}
	label := printer.Pad(name, b.Columns-others-indent.Columns())
	if current {
		label = printer.Bold("%s", label)
	}
	word := printer.Pad(StateWord(state), len(overview.PhaseInProgress))
	switch state {
	case overview.PhaseComplete:
		word = printer.Green("%s", word)
	case overview.PhaseInProgress, overview.PhaseDone:
		word = printer.Yellow("%s", word)
	default:
		word = printer.Dim("%s", word)
	}
	b.line(indent, label, word, printer.Of(fmt.Sprintf("%7s", counts)), b.bar(done, total, smallBar))
}

// planRows lists plans. One without an id is named by its path below dir.
func (b *board) planRows(indent, dir string, plans []overview.StatusPlan) {
	width := len(overview.PlanInProgress)
	for _, plan := range plans {
		width = max(width, layout.Columns(PlanState(plan)))
	}
	most, rows := b.Columns-layout.Columns(indent)-2-width, make([][]printer.Text, len(plans))
	for i, plan := range plans {
		if rows[i] = cells(Title(plan.ID)); plan.ID == "" {
			rows[i] = cells(Title(strings.TrimPrefix(plan.Path, dir+"/")))
		}
		if plan.Title != "" {
			most = min(most, longestID)
		}
	}
	most = printer.Align(rows, most)[0]
	for i, plan := range plans {
		state := printer.Pad(PlanState(plan), width)
		switch plan.Status {
		case overview.PlanDone:
			state = printer.Green("%s", state)
		case overview.PlanInProgress, overview.PlanDue:
			state = printer.Yellow("%s", state)
		}
		s := indent
		switch {
		case b.isOn(&plan):
			b.as(current)
			s = strings.TrimSuffix(indent, mark(false)) + mark(true)
		case plan.Status == overview.PlanDone:
			b.as(finished)
		default:
			b.as(usual)
		}
		b.line(printer.Of(s), rows[i][0], state, printer.Cut(Title(plan.Title), b.Columns-layout.Columns(indent)-most-width-4))
	}
}

// PlanState is how far a plan is, in words: an open one may wait for another.
func PlanState(plan overview.StatusPlan) string {
	if len(plan.Branches) > 0 && plan.Branches[0].Held {
		return "taken, " + shortBranch(&plan.Branches[0])
	}
	if len(plan.Branches) > 0 {
		return StateWord(plan.Status) + ", " + shortBranch(&plan.Branches[0])
	}
	if !Waits(plan) {
		return StateWord(plan.Status)
	}
	says := "waits for " + layout.Cut(Title(plan.WaitsFor[0]), LongestNumber)
	if more := len(plan.WaitsFor) - 1; more > 0 {
		says += fmt.Sprintf(" and %d more", more)
	}
	return says
}

// Waits reports whether a plan waits for others, which is said of an open one on which there is no work elsewhere.
func Waits(plan overview.StatusPlan) bool {
	return plan.Status == overview.PlanOpen && len(plan.WaitsFor) > 0 && len(plan.Branches) == 0
}

// line prints cells with two spaces between them.
func (p *Printer) line(indent any, cells ...printer.Text) {
	p.Printf("%s\n", printer.Sprintf("%s%s", indent, printer.Join(cells, "  ")).TrimRight())
}

// cells returns the cells of a row of a table.
func cells(words ...string) (all []printer.Text) {
	for _, word := range words {
		all = append(all, printer.Of(word))
	}
	return all
}

// quick lists the quick tasks that are not done.
func (b *board) quick() {
	var plans []overview.StatusPlan
	for _, q := range b.status.Quick {
		if q.Status != overview.PlanDone || b.all {
			plans = append(plans, q)
		}
	}
	b.planRows("  ", b.status.Root, plans)
}

// nextPlan is Printer.Next in few columns: without paths.
func (b *board) nextPlan() {
	n := b.status.Next
	b.as(current)
	b.Printf("\n")
	head := nextHead(n, printer.Of(planLabel(n.Plan, n.ID)))
	marks := ""
	for _, mark := range nextMarks(n) {
		marks += ", " + mark
	}
	b.Printf("%s%s\n", head, printer.Cut(marks, b.Columns-head.Columns()))
	b.as(usual)
	for i := range n.Workstreams {
		b.Printf("  %s\n", printer.Cut(workstreamWords(&n.Workstreams[i]).String(), b.Columns-2))
	}
	for _, why := range Because(n.Because) {
		b.Printf("  %s\n", Title(why))
	}
	for i := range n.Branches[:min(len(n.Branches), listed)] {
		b.Printf("  %s\n", printer.Cut(BranchWords(&n.Branches[i]), b.Columns-2))
	}
	if n.Progress != nil {
		b.Printf("  in flight: %s\n", FarWords(n.Progress))
	}
	var also []string
	for _, p := range AlsoReady(n) {
		label := planLabel(p.Plan, p.ID)
		switch {
		case p.TakenBy != "":
			label += " (" + takenBy(p.TakenBy) + ")"
		case len(p.Branches) > 0:
			label += " (" + shortBranch(&p.Branches[0]) + ")"
		case n.Due[p.Plan].Code != "":
			label += " (summary due)"
		case p.Progress != nil:
			label += fmt.Sprintf(" (in flight, %d of %d)", progress.Count(p.Progress.Tasks, planfile.Complete), len(p.Progress.Tasks))
		}
		also = append(also, label)
	}
	if len(also) > 0 {
		label := alsoLabel(n) + ":"
		b.Printf("%s %s\n", printer.Dim("%s", label), layout.Cut(strings.Join(also, ", "), b.Columns-1-len(label)))
	}
	if left := leftIDs(n); left != "" {
		b.Printf("%s %s\n", printer.Dim("left over:"), layout.Cut(left, b.Columns-len("left over: ")))
	}
}

// planLabel is a plan's id, or else its file name.
func planLabel(plan, id string) string {
	if id == "" {
		id = path.Base(plan)
	}
	return layout.Cut(Title(id), longestLabel)
}

// sessions prints one line per session: where its user is. Those of other worktrees and other clones
// have a line above them that says so.
func (b *board) sessions() {
	if len(b.status.Sessions) == 0 {
		return
	}
	b.heading("sessions")
	here := slices.IndexFunc(b.status.Sessions, func(s answer.Session) bool { return s.Machine != "" })
	if here < 0 {
		here = len(b.status.Sessions)
	}
	listed := b.status.Sessions
	if !b.all { // there may be ten thousand in other clones
		listed = listed[:min(len(listed), here+b.folds())]
	}
	var rows [][]printer.Text
	for i := range listed {
		rows = append(rows, cells(Title(listed[i].User), sessionPlan(listed[i])))
	}
	printer.Align(rows, longestUser, longestPlan)
	worktree, workstream := "", ""
	for i, s := range listed {
		switch {
		case i == here:
			b.Printf("  %s\n", printer.Dim("%s", printer.Cut(printer.Sprintf("through %s, as of the last %s:", Title(s.Remote), printer.Command("gsd sync")), b.Columns-2)))
		case i < here && (s.Worktree != worktree || s.Workstream != workstream):
			worktree, workstream = s.Worktree, s.Workstream
			b.Printf("  %s\n", printer.Dim("in %s:", sessionPlace(&s)))
		}
		b.session(rows[i], s)
	}
	if more := len(b.status.Sessions) - len(listed); more > 0 {
		b.Printf("  %s\n", printer.Dim("and %d more; --all lists them", more))
	}
}

// sessionPlace says where a session is that is not in the root or the worktree that the board shows.
func sessionPlace(s *answer.Session) printer.Text {
	tree := printer.Sprintf("the worktree %s", printer.Unbroken(s.Worktree))
	switch stream := Title(s.Workstream); {
	case s.Workstream == "":
		return tree
	case s.Worktree == "":
		return printer.Sprintf("workstream %s", stream)
	default:
		return printer.Sprintf("workstream %s, %s", stream, tree)
	}
}

func (b *board) session(row []printer.Text, s answer.Session) {
	tasks := "-"
	if s.Verdict != answer.Corrupt {
		tasks = layout.Cut(fmt.Sprintf("%d/%d", s.Done, s.Total), longestPlan)
	}
	isOwn := s.Own && s.IsHere()
	head := printer.Sprintf("  %s%s  %s  %s", mark(isOwn), row[0], row[1], fmt.Sprintf("%5s", tasks))
	age := ""
	if !s.Changed.IsZero() {
		age = b.when(s.Changed)
	}
	says := printer.Pad(sessionSays(s), b.Columns-head.Columns()-layout.Columns(age)-4)
	switch {
	case s.Verdict == answer.Stale, s.Verdict == answer.Corrupt, s.Resume != nil && s.Resume.Checkpoint():
		says = printer.Yellow("%s", says)
	case s.Verdict == answer.Finished:
		says = printer.Green("%s", says)
	}
	b.asCurrent(isOwn)
	b.line("", head, says, printer.Of(age))
	b.as(usual)
}

// mark points at what is the reader's own, or current.
func mark(is bool) string {
	if is {
		return "> "
	}
	return "  "
}

// sessionPlan is a short name of a session's plan.
func sessionPlan(s answer.Session) string {
	switch {
	case s.ID != "":
		return Title(s.ID)
	case s.Plan == "":
		return "-"
	}
	return Title(path.Base(s.Plan))
}

// openRuns lists who is at work, and whose run crashed. Runs that may be alive are never folded.
func (b *board) openRuns() {
	st := b.status
	if len(st.Runs) > 0 {
		b.heading("runs")
	}
	var rows [][]printer.Text
	for i := range st.Runs {
		r := &st.Runs[i]
		rows = append(rows, cells(Title(r.User), Title(orDash(r.Host)), Title(RunWhere(&r.Run))))
	}
	widths := printer.Align(rows, longestUser, longestHost, longestWhere)
	where := min(widths[2], b.Columns-len("  > ")-widths[0]-widths[1]-len(run.StateCrashed)-whenWidth-4*len("  "))
	dead, more, mine := 0, 0, printer.Text{}
	for i := range st.Runs {
		r := &st.Runs[i]
		if r.State == run.StateCrashed {
			if r.Mine {
				mine = printer.Sprintf(": %s cleans up after yours", printer.Command("gsd run sweep"))
			}
			if dead++; dead > b.folds() && !b.all {
				more++
				continue
			}
		}
		state := b.runState(&r.Run, len(run.StateCrashed))
		b.asCurrent(r.State == run.StateActive)
		b.line("  "+mark(r.Mine), rows[i][0], rows[i][1], state, printer.Pad(rows[i][2].TrimRight(), where), printer.Cut(b.when(r.Started), whenWidth))
	}
	b.as(usual)
	if more > 0 && more < dead { // else the next line says it
		b.Printf("  %s\n", printer.Dim("and %d more that crashed; --all lists them", more))
	}
	if dead > 0 {
		b.Printf("  %s\n", printer.Yellow("%s crashed%s", Count(dead, "run"), mine))
	}
	if c := st.PhaseClaim; c != nil {
		if len(st.Runs) == 0 {
			b.heading("runs")
		}
		b.Printf("  %s\n", layout.Cut("phase "+Title(c.Phase)+": claimed "+b.when(c.Renewed)+" by "+Title(CoreSession(c.Session)), b.Columns-2))
	}
	if st.Lost > 0 {
		b.Printf("\n%s\n", printer.Yellow("%s: %s", Count(st.Lost, "lost session"), printer.Command("gsd restore --list")))
	}
}

// unfinished lists other work in progress. Plans in flight are listed with their phases.
func (b *board) unfinished() {
	var texts []string
	for _, w := range b.status.Incomplete {
		if w.Kind != answer.BegunPlan {
			texts = append(texts, Title(incompleteWords(w)))
		}
	}
	if len(texts) == 0 {
		return
	}
	b.heading("unfinished")
	for i, text := range texts {
		if more := len(texts) - i; more > 1 && i == b.folds() && !b.all {
			says := fmt.Sprintf("and %d more; --all lists them", more)
			if i == 0 {
				says = fmt.Sprintf("%d; --all lists them", more)
			}
			b.Printf("  %s\n", printer.Dim("%s", says))
			return
		}
		b.Printf("  %s\n", layout.Cut(text, b.Columns-2))
	}
}

func (b *board) workstreams() {
	if len(b.status.Workstreams) == 0 {
		return
	}
	b.heading("other workstreams")
	var rows [][]printer.Text
	for _, w := range b.status.Workstreams {
		counts := "no plans yet"
		if w.Total > 0 {
			counts = fmt.Sprintf("%d of %s done", w.Done, Count(w.Total, "plan"))
		}
		rows = append(rows, cells(Title(w.Name), counts))
	}
	printer.Align(rows, b.Columns/2, b.Columns/2-4)
	for _, row := range rows {
		b.line("  ", row...)
	}
}

// NotCounted says why a phase counts in no milestone.
func NotCounted(ph *overview.Phase) string {
	switch ph.LeftOut {
	case roadmap.Reserved:
		return "phases 0 and 999 never count"
	case roadmap.StruckOut:
		return "it is struck out of the roadmap"
	case roadmap.Repeated:
		return "another directory of phase " + ph.Number
	case roadmap.Unmentioned:
		return "the roadmap does not mention it"
	}
	return string(ph.LeftOut)
}
