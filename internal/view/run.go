package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

// Widths in columns.
const (
	runIDWidth   = 12
	longestHost  = 10
	longestWhere = 28
	leastWhere   = 8
	whenWidth    = 17
	lastedWidth  = 7
	runBar       = 10
)

// Runs prints a user's runs, and marks the one that holds the lease.
func (p *Printer) Runs(list *answer.RunList) {
	if len(list.Runs) == 0 {
		p.Printf("no runs yet\n")
		p.Try(list.Do...)
	}
	rows, longest := runCells(p, list.Runs)
	if len(list.Runs) > 0 {
		cells := append([]printer.Text{printer.Pad("run", runIDWidth), printer.Pad("state", len(run.StateInterrupted))}, rows[0]...)
		head := printer.Join(append(cells, printer.Pad("started", whenWidth), printer.Of("lasted")), "  ")
		p.Printf("%s%s\n", mark(false), printer.Dim("%s", head))
	}
	for i := range list.Runs {
		r := &list.Runs[i]
		cells := append([]printer.Text{printer.Pad(r.ID, runIDWidth), p.runState(r, len(run.StateInterrupted))}, rows[i+1]...)
		cells = append(cells, printer.Pad(p.when(r.Started), whenWidth), printer.Pad(Lasted(r.Lasted(p.Now)), lastedWidth))
		if bar := p.durationBar(r, longest); !bar.IsEmpty() {
			cells = append(cells, bar)
		}
		p.line(mark(r.Holds), append(cells, printer.Of(runEnd(r)))...)
		printMore(p, r)
	}
	p.Warnings(list.Warnings)
}

// runCells returns the cells of a heading and of each run that are as wide as what they say: host, process and plan. longest is the duration that a
// bar of full length stands for, 0 if there is no room for bars.
func runCells(p *Printer, runs []run.Run) (rows [][]printer.Text, longest time.Duration) {
	rows = [][]printer.Text{cells("host", "process", "plan")}
	for i := range runs {
		r := &runs[i]
		longest = max(longest, r.Lasted(p.Now))
		rows = append(rows, cells(orDash(r.Host), RunWhere(r), orDash(answer.PlanInText(r.Plan))))
	}
	widths := printer.Align(rows, longestHost, longestWhere, longestPlan)
	others := len(mark(false)) + runIDWidth + len(run.StateInterrupted) + widths[0] + widths[2] + whenWidth + lastedWidth + 6*len("  ")
	room := cmp.Or(p.Columns, mostColumns) - others
	process := min(widths[1], max(room, leastWhere))
	for i := range rows {
		rows[i][1] = printer.Pad(rows[i][1], process)
	}
	if room < process+runBar+len("  ") {
		longest = 0
	}
	return rows, longest
}

// printMore prints what the columns of a run have no room for: its conversation, the tasks that it works on or left, and the
// command that resumes it.
func printMore(p *Printer, r *run.Run) {
	how := resumeLine(r)
	var more []string
	if r.Conversation != "" && how == "" {
		more = append(more, "conversation "+r.Conversation)
	}
	if doing := r.Doing(); doing != "" {
		more = append(more, doing)
	}
	if len(more) > 0 {
		p.Printf("    %s\n", strings.Join(more, ", "))
	}
	if r.Reason != "" {
		p.Printf("    because: %s\n", r.Reason)
	}
	if r.Log != "" && how == "" {
		p.Printf("    log %s\n", printer.Unbroken(r.Log))
	}
	if how != "" {
		p.Printf("    %s   %s\n", printer.Bold("%s", printer.Unbroken(how)), printer.Dim("(resumes its conversation)"))
	}
}

// resumeLine returns the host's own command that resumes the conversation of a run, "" if none is offered or it is not known.
func resumeLine(r *run.Run) string {
	words := agent.Resume(r.Host, r.ResumeID)
	if words == nil {
		return ""
	}
	return action.Line(words)
}

// runState returns the state of a run, padded.
func (p *Printer) runState(r *run.Run, columns int) printer.Text {
	state := printer.Pad(r.State, columns)
	switch r.State {
	case run.StateActive:
		return printer.Green("%s", state)
	case run.StateCrashed, run.StateUnknown, run.StateFailure:
		return printer.Yellow("%s", state)
	case run.StateIdle:
		return state
	}
	return printer.Dim("%s", state)
}

// when returns a time: as an age for people, as it is for programs.
func (p *Printer) when(t time.Time) string {
	t = InCalendar(t)
	switch {
	case t.IsZero():
		return "-"
	case p.Style.Bars:
		return Ago(t, p.Now)
	}
	return t.UTC().Format("2006-01-02T15:04Z")
}

// durationBar draws how long a run took compared with the longest one.
func (p *Printer) durationBar(r *run.Run, longest time.Duration) printer.Text {
	if !p.Style.Bars || longest <= 0 {
		return printer.Text{}
	}
	full := int(float64(runBar) * float64(r.Lasted(p.Now)) / float64(longest))
	full = min(max(full, 1), runBar)
	return printer.Sprintf("%s%s", strings.Repeat("█", full), printer.Dim("%s", strings.Repeat("░", runBar-full)))
}

// Lasted formats a duration in at most two units.
func Lasted(d time.Duration) string {
	switch seconds := int64(d / time.Second); {
	case seconds < 60:
		return fmt.Sprintf("%ds", max(seconds, 0))
	case seconds < 3600:
		return fmt.Sprintf("%dm%02ds", seconds/60, seconds%60)
	case seconds < 86400:
		return fmt.Sprintf("%dh%02dm", seconds/3600, seconds%3600/60)
	default:
		return fmt.Sprintf("%dd%02dh", seconds/86400, seconds%86400/3600)
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// RunWhere returns the process and the machine of a run.
func RunWhere(r *run.Run) string {
	at := r.HostName
	if r.PID > 0 {
		at = strings.TrimSuffix(fmt.Sprintf("%d@%s", r.PID, at), "@")
	}
	return orDash(at)
}

// saysReason says why a run ended as it did, if somebody gave a reason.
func saysReason(r *run.Run) string {
	if r.Reason == "" {
		return ""
	}
	return ", because: " + r.Reason
}

// runEnd says more of how a run ended than its state does.
func runEnd(r *run.Run) string {
	switch {
	case r.Open() && r.Expired:
		return "expired"
	case r.Open():
		return ""
	case r.Cause == run.CauseExpired:
		return "expired"
	case r.Cause == run.CauseCleared:
		return "cleared"
	case r.Cause == run.CauseSuperseded:
		return "superseded"
	}
	return ""
}

// Started prints the run that was started.
func (p *Printer) Started(s *app.StartedRun) {
	if s.Reentered {
		p.Printf("run %s continues\n", s.Run.ID)
	} else {
		p.Printf("run %s started\n", s.Run.ID)
	}
	for i := range s.Superseded {
		if s.Superseded[i].PID == 0 {
			p.Printf("run %s ended: it named no process, so this start is taken for its next\n", s.Superseded[i].ID)
			continue
		}
		p.Printf("run %s of the same process ended\n", s.Superseded[i].ID)
	}
	for i := range s.Crashed {
		p.Printf("%s\n", RunClosed(&s.Crashed[i]))
	}
	if s.From != nil && !slices.ContainsFunc(s.Crashed, func(r run.Run) bool { return r.ID == s.From.ID }) {
		p.Printf("it took the lease from %s\n", s.From.Who())
	}
	if s.Run.State == run.StateUnknown {
		p.Printf("it cannot be checked whether the run is alive: without activity, its lease expires after %s\n", s.Run.TTL)
	}
	p.Warnings(s.Warnings)
}

// Ended prints how a run ended.
func (p *Printer) Ended(e *app.EndedRun) {
	switch {
	case e.GoesOn && e.Run.Supervised:
		p.Printf("run %s continues: %s will record its end\n", e.Run.ID, printer.Command("gsd exec"))
	case e.GoesOn:
		p.Printf("run %s continues: others are at work on it\n", e.Run.ID)
	case e.Already:
		p.Printf("run %s had already ended: %s\n", e.Run.ID, e.Run.State)
	default:
		p.Printf("run %s ended: %s\n", e.Run.ID, e.Run.State)
	}
	if how := resumeLine(&e.Run); how != "" && !e.Already {
		p.Printf("its conversation can be resumed: %s\n", how)
	}
	if len(e.Left) > 0 {
		p.Printf("it left %s in progress, so it counts as interrupted, and its conversation is not offered to be resumed\n", taskList(e.Left))
	}
	p.Warnings(e.Warnings)
}

// Swept prints what a sweep did, or would do.
func (p *Printer) Swept(s *app.Swept) {
	did := func(past, plain string) string {
		if s.DryRun {
			return "would " + plain
		}
		return past
	}
	if s.Nothing() {
		p.Printf("nothing to sweep\n")
	}
	for i := range s.Ended {
		p.Printf("%s %s\n", did("ended", "end"), s.Ended[i].Who())
	}
	if s.Lease {
		p.Printf("%s the lease\n", did("released", "release"))
	}
	for _, n := range s.Reset {
		p.Printf("%s task %d back to pending\n", did("set", "set"), n)
	}
	if s.Forgotten > 0 {
		p.Printf("%s the id of %s, not safe to resume\n", did("dropped", "drop"), Count(s.Forgotten, "conversation"))
	}
	for i := range s.Dismissed {
		d := &s.Dismissed[i]
		p.Printf("%s: %s the lost session %s on %s in %s: unclaimed for %d days\n",
			printer.Yellow("warning"), did("dismissed", "dismiss"),
			d.ID, answer.PlanInText(d.Plan), printer.Unbroken(d.Project), session.CrumbLife/(24*time.Hour))
	}
	for i := range s.Noticed {
		n := &s.Noticed[i]
		p.Printf("the lost session %s on %s in %s is kept for %d days from now%s\n",
			n.ID, answer.PlanInText(n.Plan), printer.Unbroken(n.Project), session.CrumbLife/(24*time.Hour), then(n.Restore()))
	}
	if s.Crumbs > 0 {
		p.Printf("%s %s no longer needed\n", did("dropped", "drop"), Count(s.Crumbs, "breadcrumb"))
	}
	if s.Temps > 0 {
		p.Printf("%s %s\n", did("removed", "remove"), Count(s.Temps, "left-over file"))
	}
	for i := range s.Spared {
		r := &s.Spared[i]
		p.Printf("left %s: it cannot be checked from here whether it is alive\n", r.Who())
		if end := answer.EndsExpired(r); end.Kind != "" {
			p.Try(end)
		}
	}
	p.Warnings(s.Warnings)
}

// RunClosed says that the end of a run was recorded, and why.
func RunClosed(r *run.Run) string {
	says := "over (time to live expired): "
	if r.State == run.StateCrashed {
		says = "crashed (process gone, no end recorded): "
	}
	return says + r.Who() + "; its end is recorded now"
}
