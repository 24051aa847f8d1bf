package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/planfile"
)

func (a *app) printf(format string, args ...any) { fmt.Fprintf(&a.out, format, args...) }

func number(n int) string { return strconv.Itoa(n) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return number(n) + " " + what + "s"
}

// printReport says what an agent or a person needs at this moment, and no more. next is nil where nobody asked
// for it, and runs where nobody can be at work.
func (a *app) printReport(r *hydrate.Report, next *hydrate.Next, runs *hydrate.Assessment) {
	switch r.Verdict {
	case hydrate.None:
		a.printf("no session for %s\n", r.User)
		a.printRun("gsd next", "which plan comes next")
		a.printRun("gsd bootstrap PLAN", "a path, or an id such as 03-01")
	case hydrate.Corrupt:
		a.printf("%s is no session: %s\n", line(r.Path), line(r.Corrupt))
		a.printRun("gsd next", "which plan comes next")
		a.printRun("gsd bootstrap PLAN", "archives that file and starts a new session")
	case hydrate.Stale:
		a.printHead(r)
		a.printf("\n%s\n", a.style.yellow(staleHeadline(r)))
		for _, s := range r.Stale {
			a.printf("  %s: %s\n", s.Reason, line(s.Detail))
		}
		a.printf("\n")
		if command, does := afterStale(r); command != "" {
			a.printRun(command, does)
		} else {
			a.printBootstrap(next)
		}
	case hydrate.Finished:
		a.printHead(r)
		a.printf("\n")
		a.printFinished(r)
		if next != nil && next.Plan != r.Plan.Path {
			a.printBootstrap(next)
		} else if next != nil {
			a.printAlso(next)
			a.printRun("gsd next", "once it is written: which plan comes next")
		}
	case hydrate.Resume:
		a.printHead(r)
		a.printf("\n")
		a.printResume(r, runs)
	}
}

func staleHeadline(r *hydrate.Report) string {
	if len(r.Stale) == 1 && r.Stale[0].Reason == hydrate.PlanCompleted {
		return "the plan is done, and this session is over:"
	}
	return "the session is stale, do not go on with it:"
}

func (a *app) printHead(r *hydrate.Report) {
	a.printf("session of %s on %s\n", r.User, line(r.Plan.Path))
	since := ""
	if t, ok := r.Session.Header.StartedAt(); ok {
		since = ", begun " + t.UTC().Format("2006-01-02 15:04 UTC")
	}
	a.printf("%d of %s complete%s\n", r.Done(), count(len(r.Session.Tasks), "task"), since)
}

// shown are the children of a task that say what to do and when it is done, in the order in which they
// are wanted; the action is read in the session file, which the reader has at hand.
var shown = []string{"files", "precondition", "what-built", "how-to-verify", "decision", "context", "options", "verify", "done", "resume-signal"}

// shownOf are those of the task that a session goes on with.
func shownOf(r *hydrate.Report) []planfile.Child {
	children, _ := r.Session.Children(r.Resume) // the task is there
	var all []planfile.Child
	for _, name := range shown {
		for _, c := range children {
			if c.Name == name {
				all = append(all, c)
			}
		}
	}
	return all
}

func (a *app) printResume(r *hydrate.Report, runs *hydrate.Assessment) {
	task := r.Session.Tasks[r.Resume-1]
	a.printf("%s %s\n", a.style.bold(fmt.Sprintf("resume at task %d:", r.Resume)), taskTitle(r.Session.Name(r.Resume), r.Resume))
	switch {
	case !r.InProgress:
	case runs == nil || runs.Interrupted(r):
		a.printf("  %s\n", a.style.yellow("it was interrupted: run it again from its beginning"))
	case runs.Holder.Own:
		a.printf("  it is in progress\n")
	default:
		a.printf("  it is in progress: whoever is at work may be at it\n")
	}
	if strings.HasPrefix(task.Type, "checkpoint") {
		a.printf("  a checkpoint (%s): stop and ask the user\n", line(task.Type))
	}
	for _, c := range shownOf(r) {
		a.printField(c.Name, c.Text)
	}
	a.printf("  %s  %s:%d\n", a.label("text"), line(r.Path), task.Line)
	a.printf("\n")
	if task.Status != planfile.InProgress {
		a.printRun(fmt.Sprintf("gsd mark %d in-progress", r.Resume), "when you begin")
	}
	a.printRun(fmt.Sprintf("gsd mark %d complete", r.Resume), "when it is done")
}

const labelWidth = len("how-to-verify")

func (a *app) label(name string) string {
	return a.style.dim(name) + strings.Repeat(" ", max(0, labelWidth-len(name)))
}

// printField prints a text beside its label, at most a dozen lines of it.
func (a *app) printField(name, text string) {
	const most = 12
	lines := strings.Split(strings.TrimSpace(host.Clean(text)), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return
	}
	more := len(lines) - most
	if more > 0 {
		lines = lines[:most]
	}
	for i, text := range lines {
		label := strings.Repeat(" ", labelWidth)
		if i == 0 {
			label = a.label(name)
		}
		a.printf("%s\n", strings.TrimRight("  "+label+"  "+cut(text, 500), " "))
	}
	if more > 0 {
		a.printf("  %s  (%s more)\n", strings.Repeat(" ", labelWidth), count(more, "line"))
	}
}

func (a *app) printFinished(r *hydrate.Report) {
	all := "the task is complete"
	if n := len(r.Session.Tasks); n > 1 {
		all = fmt.Sprintf("all %d tasks are complete", n)
	}
	a.printf("%s\n", a.style.green(all))
	if r.Summary != "" {
		a.printf("write its summary now: %s\n", line(r.Summary))
	}
}

// afterStale gives the command to run on a session that is stale for a reason which its own plan can mend,
// and what it does; "" where another plan is to be done.
func afterStale(r *hydrate.Report) (command, does string) {
	reasons := map[string]bool{}
	for _, s := range r.Stale {
		reasons[s.Reason] = true
	}
	switch {
	case reasons[hydrate.PlanCompleted] || reasons[hydrate.PhaseAdvanced]:
		return "", ""
	case r.Plan.Moved != "":
		return "gsd bootstrap " + quote(r.Plan.Moved) + " --carry", "goes on with the plan where it is now"
	case reasons[hydrate.PlanMissing]:
		return "", ""
	}
	return "gsd bootstrap " + quote(r.Plan.Path) + " --carry", "takes the new tasks over and keeps what is done"
}

// printBootstrap says with which plan to go on where a session is over: the next one, if it is known. next is
// nil where nobody asked for it.
func (a *app) printBootstrap(next *hydrate.Next) {
	if next != nil {
		a.printNext(next)
	}
	switch {
	case next == nil:
		a.printRun("gsd bootstrap PLAN", "the plan that is to be done now; this session is archived")
	case next.Summary != "": // nothing of the plan is left to start on
	case next.Plan != "":
		a.printRun("gsd bootstrap "+planWord(next.Plan, next.ID, next.Ambiguous), "starts on it; this session is archived")
	case next.Phase != "":
		a.printRun("gsd bootstrap PLAN", "once a plan of phase "+fitted(title(next.Phase), longestNumber)+" is written")
	}
}

func (a *app) printRun(command, does string) { a.printf("run: %s   (%s)\n", command, does) }

// printWarnings prints those of the user's name and others.
func (a *app) printWarnings(u identity.User, more ...hydrate.Warning) {
	for _, w := range warningsJSON(u, more...) {
		a.printf("%s: %s (%s)\n", a.style.yellow("warning"), line(w.Detail), w.Code)
	}
}

// printReportWarnings prints a report's, and the command to run about one.
func (a *app) printReportWarnings(u identity.User, r *hydrate.Report) {
	a.printWarnings(u, r.Warnings...)
	if r.Verdict == hydrate.Stale {
		return
	}
	for _, w := range r.Warnings {
		if w.Code == hydrate.PlanEdited {
			a.printRun("gsd bootstrap "+quote(r.Plan.Path)+" --fresh --carry", "takes the new text over and keeps what is done")
		}
	}
}
