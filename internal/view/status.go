package view

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/run"
)

// Status prints a status for people. Unless all is asked for, it lists the phases of the milestones that are not over, and
// folds long lists.
func (p *Printer) Status(st *hydrate.Status, all bool) {
	b := board{Printer: p, status: st, all: all}
	b.print()
	if len(st.Warnings) > 0 {
		p.Printf("\n")
	}
	for _, w := range st.Warnings {
		b.paragraph("", "warning", ": "+Cut(Line(w.Detail), longestWarning)+" ("+w.Code+")")
	}
}

// Columns of the text, all of which are cut to fit.
const (
	columns     = 80 // how wide a line may be
	longestID   = 32 // of a plan that has a title
	longestUser = 16
	longestPlan = 12 // of a session
	barSize     = 24 // of the whole project
	smallBar    = 10 // of a phase or a milestone

	longestWarning = 1000 // in characters
)

// board is a status that is printed. Whatever the names are, no line is wider than columns.
type board struct {
	*Printer
	status *hydrate.Status
	all    bool
}

func (b *board) print() {
	st := b.status
	head := Title(st.Project)
	if head == "" {
		head = "unnamed project"
	}
	if st.Root != ".planning" {
		head += ", " + Title(st.Root)
	}
	b.Printf("%s\n", b.Style.Bold(Fitted(head, columns)))
	if where := b.where(); where != "" {
		b.Printf("%s\n", Fitted(where, columns))
	}
	if p := st.Position; p.AllPlans > 0 {
		share := "    ?"
		if p.Percent >= 0 {
			share = fmt.Sprintf("%3d %%", p.Percent)
		}
		counts := Fitted(fmt.Sprintf("%s  %d of %s done, %d of %s complete", share,
			p.AllDone, Count(p.AllPlans, "plan"), p.PhasesDone, Count(p.Phases, "phase")), columns)
		b.Printf("%s%s\n", b.bar(p.AllDone, p.AllPlans, min(barSize, columns-1-Columns(counts))), counts)
	}
	b.phases()
	b.quick()
	b.Printf("\n")
	b.nextPlan()
	b.sessions()
	b.openRuns()
	b.unfinished()
	b.workstreams()
}

// where says in words which phase and plan the project is on; nothing where nextPlan will say why it is on
// none.
func (b *board) where() string {
	const longestMilestone = 30
	p := b.status.Position
	milestone, phase, plan := Fitted(Title(p.Milestone), longestMilestone), "", ""
	if p.Plan > 0 {
		plan = fmt.Sprintf("plan %d of %d", p.Plan, p.Plans)
	}
	if p.Phase != "" {
		phase = fmt.Sprintf("phase %s (%d of %d)", Fitted(Title(p.Phase), longestNumber), p.PhaseIndex, p.Phases)
		if p.PhaseName != "" {
			phase += ": " + Title(p.PhaseName)
		}
		phase = Fitted(phase, columns-Columns(milestone)-Columns(plan)-4)
	}
	parts := slices.DeleteFunc([]string{milestone, phase, plan}, func(s string) bool { return s == "" })
	if len(parts) == 0 && len(b.status.Phases) == 0 {
		return "no roadmap and no phase yet"
	}
	return strings.Join(parts, ", ")
}

// bar draws done of total, on a terminal that has room for it.
func (b *board) bar(done, total, size int) string {
	if !b.Style.Bars || size < 2 {
		return ""
	}
	full := 0
	if total > 0 {
		full = int(float64(size) * float64(min(max(0, done), total)) / float64(total))
	}
	return b.Style.Green(strings.Repeat("█", full)) + b.Style.Dim(strings.Repeat("░", size-full)) + " "
}

// phases lists the milestones, and the phases of those that are not over.
func (b *board) phases() {
	st := b.status
	if len(st.Phases) > 0 {
		b.Printf("\n")
	}
	numbers := 0
	for _, ph := range st.Phases {
		numbers = max(numbers, Columns(Title(ph.Number)))
	}
	numbers = min(numbers, longestNumber)
	b.phasesOf(-1, "  ", numbers)
	for i, m := range st.Milestones {
		b.row("  ", strings.TrimSpace(Title(m.Label)+" "+Title(m.Name)), m.Status, m.PlansDone, m.Plans, m.Current)
		if b.all || m.Current || m.Status == hydrate.PhaseInProgress {
			b.phasesOf(i, "    ", numbers)
		}
	}
}

// folds is how many phases are listed before those that are complete make way for a count of them.
const folds = 20

func (b *board) phasesOf(milestone int, indent string, numbers int) {
	var phases []*hydrate.Phase
	for i := range b.status.Phases {
		if b.status.Phases[i].Milestone == milestone {
			phases = append(phases, &b.status.Phases[i])
		}
	}
	inner := indent + strings.Repeat(" ", numbers+4)
	complete := 0
	flush := func() {
		if complete > 0 {
			b.Printf("%s%s\n", inner, b.Style.Dim(Count(complete, "complete phase")+"; --all lists them"))
		}
		complete = 0
	}
	for _, ph := range phases {
		if !b.all && len(phases) > folds && ph.Status == hydrate.PhaseComplete && !ph.Current {
			complete++
			continue
		}
		flush()
		mark := "  "
		if ph.Current {
			mark = "> "
		}
		number := Fitted(Title(ph.Number), numbers)
		label := indent + mark + strings.Repeat(" ", numbers-Columns(number)) + number + "  "
		b.row(label, Title(ph.Name), ph.Status, ph.Done, ph.Total, ph.Current)
		if v := ph.Unverified(); v != "" {
			b.Printf("%s%s\n", inner, Fitted("verification: "+Title(v), columns-Columns(inner)))
		}
		if b.all || ph.Current {
			b.planRows(inner, ph.Dir, ph.Plans)
		}
	}
	flush()
}

// row prints one phase or milestone.
func (b *board) row(indent, name string, status hydrate.PhaseStatus, done, total int, current bool) {
	const names, most = 42, 9
	counts := "-"
	if total > 0 {
		counts = Fitted(fmt.Sprintf("%d/%d", done, total), most)
	}
	name = Fit(name, names-Columns(indent))
	if current {
		name = b.Style.Bold(name)
	}
	word := Fit(string(status), len(hydrate.PhaseInProgress))
	switch status {
	case hydrate.PhaseComplete:
		word = b.Style.Green(word)
	case hydrate.PhaseInProgress:
		word = b.Style.Yellow(word)
	default:
		word = b.Style.Dim(word)
	}
	text := fmt.Sprintf("%s%s  %s  %7s  %s", indent, name, word, counts, b.bar(done, total, smallBar))
	b.Printf("%s\n", strings.TrimRight(text, " "))
}

// planRows lists plans below dir. One without an id goes by its place there.
func (b *board) planRows(indent, dir string, plans []hydrate.StatusPlan) {
	const state = len(hydrate.PlanInFlight)
	labels, most, titled := make([]string, len(plans)), 0, false
	for i, plan := range plans {
		if labels[i] = Title(plan.ID); labels[i] == "" {
			labels[i] = Title(strings.TrimPrefix(plan.Path, dir+"/"))
		}
		most, titled = max(most, Columns(labels[i])), titled || plan.Title != ""
	}
	most = min(most, columns-Columns(indent)-2-state)
	if titled {
		most = min(most, longestID)
	}
	for i, plan := range plans {
		status := Fit(string(plan.Status), state)
		switch plan.Status {
		case hydrate.PlanDone:
			status = b.Style.Green(status)
		case hydrate.PlanInFlight:
			status = b.Style.Yellow(status)
		}
		text := indent + Fit(labels[i], most) + "  " + status
		if name := Title(plan.Title); name != "" {
			text += "  " + Fitted(name, columns-Columns(indent)-most-state-4)
		}
		b.Printf("%s\n", strings.TrimRight(text, " "))
	}
}

// quick names the quick tasks that are not done.
func (b *board) quick() {
	var plans []hydrate.StatusPlan
	for _, q := range b.status.Quick {
		if q.Status != hydrate.PlanDone || b.all {
			plans = append(plans, q)
		}
	}
	b.planRows("  ", b.status.Root, plans)
}

// nextPlan is printNext in few columns: without paths, and its reasons wrapped.
func (b *board) nextPlan() {
	n := b.status.Next
	marks := ""
	for _, mark := range nextMarks(n) {
		marks += ", " + mark
	}
	b.Printf("%s%s\n", b.nextHead(n, planLabel(n.Plan, n.ID)), Fitted(marks, columns/2))
	for _, why := range n.Because {
		b.paragraph("  ", "", Title(why))
	}
	var also []string
	for _, p := range n.AlsoReady {
		also = append(also, planLabel(p.Plan, p.ID))
	}
	if len(also) > 0 {
		label := alsoLabel(n) + ":"
		b.Printf("%s %s\n", b.Style.Dim(label), Fitted(strings.Join(also, ", "), columns-1-len(label)))
	}
}

// paragraph prints a text in as many lines as it takes, a label of a warning before it.
func (b *board) paragraph(indent, label, text string) {
	lines := Wrap(label+text, columns-len(indent)-2)
	if lines[0] == "" {
		return
	}
	lines[0] = b.Style.Yellow(label) + strings.TrimPrefix(lines[0], label)
	for i, part := range lines {
		if i == 1 {
			indent += "  "
		}
		b.Printf("%s%s\n", indent, part)
	}
}

// planLabel is a plan's id, else its file's name.
func planLabel(plan, id string) string {
	if id == "" {
		id = path.Base(plan)
	}
	return Fitted(Title(id), columns/2)
}

// sessions says in one line a user where everyone is.
func (b *board) sessions() {
	if len(b.status.Sessions) == 0 {
		return
	}
	b.Printf("\n%s\n", b.Style.Bold("sessions"))
	users, plans := 0, 0
	for _, s := range b.status.Sessions {
		users = max(users, Columns(Title(s.User)))
		plans = max(plans, Columns(sessionPlan(s)))
	}
	users, plans = min(users, longestUser), min(plans, longestPlan)
	for _, s := range b.status.Sessions {
		mark := "  "
		if s.Own {
			mark = "> "
		}
		tasks := "-"
		if s.Verdict != hydrate.Corrupt {
			tasks = Fitted(fmt.Sprintf("%d/%d", s.Done, s.Total), longestPlan)
		}
		head := fmt.Sprintf("  %s%s  %s  %5s  ", mark, Fit(Title(s.User), users), Fit(sessionPlan(s), plans), tasks)
		age := b.age(s)
		says := Fit(sessionSays(s), columns-Columns(head)-Columns(age)-2)
		switch s.Verdict {
		case hydrate.Stale, hydrate.Corrupt:
			says = b.Style.Yellow(says)
		case hydrate.Finished:
			says = b.Style.Green(says)
		}
		b.Printf("%s\n", strings.TrimRight(head+says+"  "+age, " "))
	}
}

// sessionPlan is a short name for a session's plan.
func sessionPlan(s hydrate.Session) string {
	switch {
	case s.ID != "":
		return Title(s.ID)
	case s.Plan == "":
		return "-"
	}
	return Title(path.Base(s.Plan))
}

// age is when a session was last written: how long ago for people, the time for programs.
func (b *board) age(s hydrate.Session) string {
	if s.Changed.IsZero() {
		return ""
	}
	return b.when(s.Changed)
}

// openRuns says who is at work, and whose work died. What may live is always listed.
func (b *board) openRuns() {
	st := b.status
	if len(st.Runs) > 0 {
		b.Printf("\n%s\n", b.Style.Bold("runs"))
	}
	users, hosts, wheres := 0, 0, 0
	for i := range st.Runs {
		r := &st.Runs[i]
		users, hosts = max(users, Columns(Title(r.User))), max(hosts, Columns(Title(orDash(r.Host))))
		wheres = max(wheres, Columns(Title(runWhere(&r.Run))))
	}
	users, hosts = min(users, longestUser), min(hosts, longestHost)
	wheres = min(wheres, longestWhere, columns-len("  > ")-users-hosts-len(run.StateOrphaned)-whenWidth-4*len("  "))
	dead, more := 0, 0
	for i := range st.Runs {
		r := &st.Runs[i]
		if r.State == run.StateOrphaned {
			if dead++; dead > folds && !b.all {
				more++
				continue
			}
		}
		mark := "  "
		if r.Mine {
			mark = "> "
		}
		state := b.runState(&r.Run, len(run.StateOrphaned))
		b.Printf("  %s%s  %s  %s  %s  %s\n", mark, Fit(Title(r.User), users), Fit(Title(orDash(r.Host)), hosts), state,
			Fit(Title(runWhere(&r.Run)), wheres), Fitted(b.when(r.Started), whenWidth))
	}
	if more > 0 {
		b.Printf("  %s\n", b.Style.Dim(fmt.Sprintf("and %d more that crashed; --all lists them", more)))
	}
	if dead > 0 {
		b.Printf("  %s\n", b.Style.Yellow(Count(dead, "run")+" crashed: gsd run sweep cleans up after yours"))
	}
	if st.Lost > 0 {
		b.Printf("\n%s\n", b.Style.Yellow(Count(st.Lost, "lost session")+": gsd restore --list"))
	}
}

// unfinished names other work that was begun. Plans in flight stand among the others.
func (b *board) unfinished() {
	var texts []string
	for _, w := range b.status.Incomplete {
		if w.Kind != hydrate.WorkPlan {
			texts = append(texts, Title(incompleteWords(w)))
		}
	}
	if len(texts) == 0 {
		return
	}
	b.Printf("\n%s\n", b.Style.Bold("unfinished"))
	for i, text := range texts {
		if i == folds && !b.all {
			b.Printf("  %s\n", b.Style.Dim(fmt.Sprintf("and %d more; --all lists them", len(texts)-i)))
			return
		}
		b.Printf("  %s\n", Fitted(text, columns-2))
	}
}

func (b *board) workstreams() {
	if len(b.status.Workstreams) == 0 {
		return
	}
	b.Printf("\n%s\n", b.Style.Bold("other workstreams"))
	names := 0
	for _, w := range b.status.Workstreams {
		names = max(names, Columns(Title(w.Name)))
	}
	names = min(names, columns/2)
	for _, w := range b.status.Workstreams {
		counts := "no plan yet"
		if w.Total > 0 {
			counts = fmt.Sprintf("%d of %s done", w.Done, Count(w.Total, "plan"))
		}
		b.Printf("  %s  %s\n", Fit(Title(w.Name), names), Fitted(counts, columns-names-4))
	}
}
