package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

// formats are what --format takes.
var formats = []string{"text", "json", "html"}

type statusOptions struct {
	dir        string
	format     string // one of formats; empty for text
	all, watch bool
}

func (a *app) statusCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:  "status",
		Usage: "show phases and plans, the position, everyone's sessions and runs",
		Description: `What a person looks at. Phases and plans are counted by the summaries that are there; where a phase has no
directory, as the roadmap counts. Reads, writes nothing.

EXAMPLES
   gsd status
   gsd status --watch
   gsd status --format html > status.html
   gsd status --json | jq '.sessions[] | select(.verdict == "stale") | .user'

` + exitStatusHelp,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "print `FORMAT`: text, json, or html for one page with a timeline", DefaultText: "text"},
			boolFlag("all", "in text, list the phases of every milestone and the plans of every phase"),
			boolFlag("watch", "show it anew whenever something changes, until interrupted"),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			o := statusOptions{dir: a.workingDir(c), format: c.String("format"), all: c.Bool("all"), watch: c.Bool("watch")}
			if c.Bool("json") {
				if o.format != "" && o.format != "json" {
					return &hydrate.Error{Kind: hydrate.Usage, Text: "--json and --format " + o.format + " exclude each other", Hint: "leave one away"}
				}
				o.format = "json"
			}
			if o.format != "" && !slices.Contains(formats, o.format) {
				return &hydrate.Error{Kind: hydrate.Usage, Text: fmt.Sprintf("no format %q", o.format), Hint: "text, json or html"}
			}
			if o.watch {
				return a.watchStatus(c.Context, o)
			}
			return a.withUser(c.Context, o.dir, func(p *hydrate.Project, u identity.User) error { return a.status(p, u, o) })
		},
	})
}

func (a *app) status(p *hydrate.Project, u identity.User, o statusOptions) error {
	st, err := p.Status(hydrate.StatusOptions{User: u.Name, Now: a.now(), Timeline: o.format == "html"})
	if err != nil {
		return err
	}
	switch o.format {
	case "json":
		return a.writeJSON(statusJSON(st, u))
	case "html":
		for _, w := range u.Warnings {
			st.Warnings = append(st.Warnings, hydrate.Warning(w))
		}
		return renderPage(&a.raw, st, a.now())
	}
	a.printStatus(st, u, o.all)
	return nil
}

// printStatus prints a status for people.
func (a *app) printStatus(st *hydrate.Status, u identity.User, all bool) {
	b := board{app: a, status: st, all: all}
	b.print()
	warnings := warningsJSON(u, st.Warnings...)
	if len(warnings) > 0 {
		a.printf("\n")
	}
	for _, w := range warnings {
		b.paragraph("", "warning", ": "+cut(line(w.Detail), longestError)+" ("+w.Code+")")
	}
}

// Columns of the text, all of which are cut to fit.
const (
	columns       = 80 // how wide a line may be
	longestNumber = 12 // of a phase
	longestID     = 32 // of a plan that has a title
	longestUser   = 16
	longestPlan   = 12 // of a session
	barSize       = 24 // of the whole project
	smallBar      = 10 // of a phase or a milestone
)

// board is a status that is printed. Whatever the names are, no line is wider than columns.
type board struct {
	*app
	status *hydrate.Status
	all    bool
}

func (b *board) print() {
	st := b.status
	head := title(st.Project)
	if head == "" {
		head = "a project without a name"
	}
	if st.Root != ".planning" {
		head += ", " + title(st.Root)
	}
	b.printf("%s\n", b.style.bold(fitted(head, columns)))
	if where := b.where(); where != "" {
		b.printf("%s\n", fitted(where, columns))
	}
	if p := st.Position; p.AllPlans > 0 {
		share := "    ?"
		if p.Percent >= 0 {
			share = fmt.Sprintf("%3d %%", p.Percent)
		}
		counts := fitted(fmt.Sprintf("%s  %d of %s done, %d of %s complete", share,
			p.AllDone, count(p.AllPlans, "plan"), p.PhasesDone, count(p.Phases, "phase")), columns)
		b.printf("%s%s\n", b.bar(p.AllDone, p.AllPlans, min(barSize, columns-1-width(counts))), counts)
	}
	b.printPhases()
	b.printQuick()
	b.printf("\n")
	b.printNextPlan()
	b.printSessions()
	b.printOpenRuns()
	b.printUnfinished()
	b.printWorkstreams()
}

// where says in words which phase and plan the project is on; nothing where printNextPlan will say why it is on
// none.
func (b *board) where() string {
	const longestMilestone = 30
	p := b.status.Position
	milestone, phase, plan := fitted(title(p.Milestone), longestMilestone), "", ""
	if p.Plan > 0 {
		plan = fmt.Sprintf("plan %d of %d", p.Plan, p.Plans)
	}
	if p.Phase != "" {
		phase = fmt.Sprintf("phase %s (%d of %d)", fitted(title(p.Phase), longestNumber), p.PhaseIndex, p.Phases)
		if p.PhaseName != "" {
			phase += ": " + title(p.PhaseName)
		}
		phase = fitted(phase, columns-width(milestone)-width(plan)-4)
	}
	parts := slices.DeleteFunc([]string{milestone, phase, plan}, func(s string) bool { return s == "" })
	if len(parts) == 0 && len(b.status.Phases) == 0 {
		return "no roadmap and no phase yet"
	}
	return strings.Join(parts, ", ")
}

// bar draws done of total, on a terminal that has room for it.
func (b *board) bar(done, total, size int) string {
	if !b.style.bars || size < 2 {
		return ""
	}
	full := 0
	if total > 0 {
		full = int(float64(size) * float64(min(max(0, done), total)) / float64(total))
	}
	return b.style.green(strings.Repeat("█", full)) + b.style.dim(strings.Repeat("░", size-full)) + " "
}

// printPhases lists the milestones, and the phases of those that are not over.
func (b *board) printPhases() {
	st := b.status
	if len(st.Phases) > 0 {
		b.printf("\n")
	}
	numbers := 0
	for _, ph := range st.Phases {
		numbers = max(numbers, width(title(ph.Number)))
	}
	numbers = min(numbers, longestNumber)
	b.phasesOf(-1, "  ", numbers)
	for i, m := range st.Milestones {
		b.row("  ", strings.TrimSpace(title(m.Label)+" "+title(m.Name)), m.Status, m.PlansDone, m.Plans, m.Current)
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
			b.printf("%s%s\n", inner, b.style.dim(count(complete, "complete phase")+"; --all lists them"))
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
		number := fitted(title(ph.Number), numbers)
		label := indent + mark + strings.Repeat(" ", numbers-width(number)) + number + "  "
		b.row(label, title(ph.Name), ph.Status, ph.Done, ph.Total, ph.Current)
		if v := ph.Unverified(); v != "" {
			b.printf("%s%s\n", inner, fitted("verification: "+title(v), columns-width(inner)))
		}
		if b.all || ph.Current {
			b.planRows(inner, ph.Dir, ph.Plans)
		}
	}
	flush()
}

// row prints one phase or milestone.
func (b *board) row(indent, name, status string, done, total int, current bool) {
	const names, most = 42, 9
	counts := "-"
	if total > 0 {
		counts = fitted(fmt.Sprintf("%d/%d", done, total), most)
	}
	name = fit(name, names-width(indent))
	if current {
		name = b.style.bold(name)
	}
	word := fit(line(status), len(hydrate.PhaseInProgress))
	switch status {
	case hydrate.PhaseComplete:
		word = b.style.green(word)
	case hydrate.PhaseInProgress:
		word = b.style.yellow(word)
	default:
		word = b.style.dim(word)
	}
	text := fmt.Sprintf("%s%s  %s  %7s  %s", indent, name, word, counts, b.bar(done, total, smallBar))
	b.printf("%s\n", strings.TrimRight(text, " "))
}

// planRows lists plans below dir. One without an id goes by its place there.
func (b *board) planRows(indent, dir string, plans []hydrate.StatusPlan) {
	const state = len(hydrate.PlanInFlight)
	labels, most, titled := make([]string, len(plans)), 0, false
	for i, plan := range plans {
		if labels[i] = title(plan.ID); labels[i] == "" {
			labels[i] = title(strings.TrimPrefix(plan.Path, dir+"/"))
		}
		most, titled = max(most, width(labels[i])), titled || plan.Title != ""
	}
	most = min(most, columns-width(indent)-2-state)
	if titled {
		most = min(most, longestID)
	}
	for i, plan := range plans {
		status := fit(line(plan.Status), state)
		switch plan.Status {
		case hydrate.PlanDone:
			status = b.style.green(status)
		case hydrate.PlanInFlight:
			status = b.style.yellow(status)
		}
		text := indent + fit(labels[i], most) + "  " + status
		if name := title(plan.Title); name != "" {
			text += "  " + fitted(name, columns-width(indent)-most-state-4)
		}
		b.printf("%s\n", strings.TrimRight(text, " "))
	}
}

// printQuick names the quick tasks that are not done.
func (b *board) printQuick() {
	var plans []hydrate.StatusPlan
	for _, q := range b.status.Quick {
		if q.Status != hydrate.PlanDone || b.all {
			plans = append(plans, q)
		}
	}
	b.planRows("  ", b.status.Root, plans)
}

// printNextPlan is printNext in few columns: without paths, and its reasons wrapped.
func (b *board) printNextPlan() {
	n := b.status.Next
	marks := ""
	for _, mark := range nextMarks(n) {
		marks += ", " + mark
	}
	b.printf("%s%s\n", b.nextHead(n, planLabel(n.Plan, n.ID)), fitted(marks, columns/2))
	for _, why := range n.Because {
		b.paragraph("  ", "", title(why))
	}
	var also []string
	for _, p := range n.AlsoReady {
		also = append(also, planLabel(p.Plan, p.ID))
	}
	if len(also) > 0 {
		label := alsoLabel(n) + ":"
		b.printf("%s %s\n", b.style.dim(label), fitted(strings.Join(also, ", "), columns-1-len(label)))
	}
}

// paragraph prints a text in as many lines as it takes, a label of a warning before it.
func (b *board) paragraph(indent, label, text string) {
	lines := wrap(label+text, columns-len(indent)-2)
	if lines[0] == "" {
		return
	}
	lines[0] = b.style.yellow(label) + strings.TrimPrefix(lines[0], label)
	for i, part := range lines {
		if i == 1 {
			indent += "  "
		}
		b.printf("%s%s\n", indent, part)
	}
}

// planLabel is a plan's id, else its file's name.
func planLabel(plan, id string) string {
	if id == "" {
		id = path.Base(plan)
	}
	return fitted(title(id), columns/2)
}

// printSessions says in one line a user where everyone is.
func (b *board) printSessions() {
	if len(b.status.Sessions) == 0 {
		return
	}
	b.printf("\n%s\n", b.style.bold("sessions"))
	users, plans := 0, 0
	for _, s := range b.status.Sessions {
		users = max(users, width(title(s.User)))
		plans = max(plans, width(sessionPlan(s)))
	}
	users, plans = min(users, longestUser), min(plans, longestPlan)
	for _, s := range b.status.Sessions {
		mark := "  "
		if s.Own {
			mark = "> "
		}
		tasks := "-"
		if s.Verdict != hydrate.Corrupt {
			tasks = fitted(fmt.Sprintf("%d/%d", s.Done, s.Total), longestPlan)
		}
		head := fmt.Sprintf("  %s%s  %s  %5s  ", mark, fit(title(s.User), users), fit(sessionPlan(s), plans), tasks)
		age := b.age(s)
		says := fit(sessionSays(s), columns-width(head)-width(age)-2)
		switch s.Verdict {
		case hydrate.Stale, hydrate.Corrupt:
			says = b.style.yellow(says)
		case hydrate.Finished:
			says = b.style.green(says)
		}
		b.printf("%s\n", strings.TrimRight(head+says+"  "+age, " "))
	}
}

// sessionPlan is a short name for a session's plan.
func sessionPlan(s hydrate.Session) string {
	switch {
	case s.ID != "":
		return title(s.ID)
	case s.Plan == "":
		return "-"
	}
	return title(path.Base(s.Plan))
}

// age is when a session was last written: how long ago for people, the time for programs.
func (b *board) age(s hydrate.Session) string {
	if s.Changed.IsZero() {
		return ""
	}
	return b.when(s.Changed)
}

// printOpenRuns says who is at work, and whose work died. What may live is always listed.
func (b *board) printOpenRuns() {
	st := b.status
	if len(st.Runs) > 0 {
		b.printf("\n%s\n", b.style.bold("runs"))
	}
	users, hosts, wheres := 0, 0, 0
	for i := range st.Runs {
		r := &st.Runs[i]
		users, hosts, wheres = max(users, width(title(r.User))), max(hosts, width(title(orDash(r.Host)))), max(wheres, width(title(runWhere(&r.Run))))
	}
	users, hosts = min(users, longestUser), min(hosts, longestHost)
	wheres = min(wheres, longestWhere, columns-len("  > ")-users-hosts-len(hydrate.RunOrphaned)-whenWidth-4*len("  "))
	dead, more := 0, 0
	for i := range st.Runs {
		r := &st.Runs[i]
		if r.State == hydrate.RunOrphaned {
			if dead++; dead > folds && !b.all {
				more++
				continue
			}
		}
		mark := "  "
		if r.Mine {
			mark = "> "
		}
		state := b.runState(&r.Run, len(hydrate.RunOrphaned))
		b.printf("  %s%s  %s  %s  %s  %s\n", mark, fit(title(r.User), users), fit(title(orDash(r.Host)), hosts), state,
			fit(title(runWhere(&r.Run)), wheres), fitted(b.when(r.At), whenWidth))
	}
	if more > 0 {
		b.printf("  %s\n", b.style.dim(fmt.Sprintf("and %d more that died; --all lists them", more)))
	}
	if dead > 0 {
		b.printf("  %s\n", b.style.yellow(count(dead, "run")+" died without an end: gsd sweep ends your own"))
	}
	if st.Lost > 0 {
		b.printf("\n%s\n", b.style.yellow(count(st.Lost, "lost session")+": gsd orphans"))
	}
}

// printUnfinished names other work that was begun. Plans in flight stand among the others.
func (b *board) printUnfinished() {
	var texts []string
	for _, w := range b.status.Incomplete {
		if w.Kind != hydrate.WorkPlan {
			texts = append(texts, title(incompleteWords(w)))
		}
	}
	if len(texts) == 0 {
		return
	}
	b.printf("\n%s\n", b.style.bold("unfinished"))
	for i, text := range texts {
		if i == folds && !b.all {
			b.printf("  %s\n", b.style.dim(fmt.Sprintf("and %d more; --all lists them", len(texts)-i)))
			return
		}
		b.printf("  %s\n", fitted(text, columns-2))
	}
}

func (b *board) printWorkstreams() {
	if len(b.status.Workstreams) == 0 {
		return
	}
	b.printf("\n%s\n", b.style.bold("other workstreams"))
	names := 0
	for _, w := range b.status.Workstreams {
		names = max(names, width(title(w.Name)))
	}
	names = min(names, columns/2)
	for _, w := range b.status.Workstreams {
		counts := "no plan yet"
		if w.Total > 0 {
			counts = fmt.Sprintf("%d of %s done", w.Done, count(w.Total, "plan"))
		}
		b.printf("  %s  %s\n", fit(title(w.Name), names), fitted(counts, columns-names-4))
	}
}
