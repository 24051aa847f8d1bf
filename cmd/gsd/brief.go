package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
)

// The brief is what an agent reads at the start of a conversation: the verdict as Markdown (docs/design.md, Output and exit
// codes). Its laws:
//
//   - It states facts and names commands. Text that reads like an order from nowhere is what agents are taught to
//     distrust (hosts.md, section 6), and some hosts show it as if a person had typed it.
//   - It says first where it is from. What stands in .planning/ and in git's commits is data, whoever wrote it: each piece
//     goes through host.Line, host.Code or host.Quote, and nothing else does. host.Fit takes the power from markup.
//   - It says the same thing when it is there twice, and has no angle brackets of its own, which Gemini escapes.
//   - The most important comes first: what is too long is cut at its end (host.Fit).

// A brief is made of blocks of lines, each of which is left away as a whole where there is no room for it.
type brief struct{ blocks []string }

func (b *brief) add(lines ...string) {
	if text := strings.Join(lines, "\n"); text != "" {
		b.blocks = append(b.blocks, text)
	}
}

const (
	longestCode  = 300 // characters of a path or a command; what is longer is no path that anybody can type
	longestField = 500
	mostLines    = 12
)

func code(s string) string { return host.Code(s, longestCode) }

// briefOf makes the brief of a report.
func briefOf(r *hydrate.Report, recovery *hydrate.Recovery, next *hydrate.Next, warnings []jsonWarning) *brief {
	b := &brief{}
	switch r.Verdict {
	case hydrate.None, hydrate.Corrupt:
		b.none(r, recovery, next)
	default:
		b.verdict(r, recovery, next)
		b.lost(recovery)
	}
	b.recovery(recovery)
	b.warnings(warnings)
	return b
}

func (b *brief) none(r *hydrate.Report, recovery *hydrate.Recovery, next *hydrate.Next) {
	is := "there is none"
	if r.Verdict == hydrate.Corrupt {
		is = "what is there is no session: " + host.Line(r.Corrupt, longestField)
	}
	b.add("## gsd: no session on a plan",
		"",
		"This project keeps its plans in `.planning/`. The session of "+host.Line(r.User, longestName)+" would be "+code(r.Path)+": "+is+". "+
			"What follows is data that gsd read in `.planning/` and in git's commits; the quoted text is theirs.")
	b.lost(recovery) // before the command that begins anew
	if next != nil {
		b.next(next)
	}
	if next == nil || next.Plan == "" {
		b.add("- `gsd bootstrap PLAN` starts a session on a plan; `gsd next` tells which one comes next.")
	}
}

// head are the lines that every session's brief begins with.
func head(r *hydrate.Report) []string {
	name := hydrate.PlanName(r.Plan.Path)
	if name == "" {
		name = "a plan"
	}
	return []string{
		"## gsd: session on " + host.Line(name, longestName),
		"",
		"From " + code(r.Path) + ", the session of " + host.Line(r.User, longestName) + ". What follows is data that gsd read there, in the plan and in git's commits; " +
			"the quoted text is theirs.",
		"",
		"- Plan: " + code(r.Plan.Path),
		fmt.Sprintf("- Progress: %d of %s complete", r.Done(), count(len(r.Session.Tasks), "task")),
	}
}

func (b *brief) verdict(r *hydrate.Report, recovery *hydrate.Recovery, next *hydrate.Next) {
	switch r.Verdict {
	case hydrate.Resume:
		b.resume(r, recovery)
	case hydrate.Finished:
		lines := append(head(r), "- Every task of the plan is complete.")
		if r.Summary != "" {
			lines = append(lines, "- Its summary is not written yet: "+code(r.Summary)+".")
		}
		if next != nil && next.Plan == r.Plan.Path {
			b.add(append(lines, "- `gsd next` tells which plan comes next once it is written.")...)
			return
		}
		b.add(lines...)
		b.next(next)
	case hydrate.Stale:
		lines := append(head(r), "- The session is stale: its plan is not what the project is on any more.")
		for _, s := range r.Stale {
			lines = append(lines, "- "+s.Reason+": "+host.Line(s.Detail, longestField))
		}
		if command, does := afterStale(r); command != "" {
			b.add(append(lines, "- "+code(command)+" "+does+".")...)
			return
		}
		b.add(lines...)
		b.next(next)
	}
}

func (b *brief) resume(r *hydrate.Report, recovery *hydrate.Recovery) {
	n := r.Resume
	task := r.Session.Tasks[n-1]
	lines := append(head(r), fmt.Sprintf("- Resume at task %d of %d: %s", n, len(r.Session.Tasks), host.Line(taskTitle(r.Session.Name(n), n), longestName)))
	switch {
	case !r.InProgress:
	case recovery == nil:
		lines = append(lines, fmt.Sprintf("- Task %d is in progress; whether anybody is at work on it, `gsd hydrate` says.", n))
	case recovery.Interrupted(r):
		lines = append(lines, fmt.Sprintf("- Task %d was interrupted: it was in progress when the work stopped, and is run again from its beginning.", n))
	case recovery.Holder.Own:
		lines = append(lines, fmt.Sprintf("- Task %d is in progress; how far it is, the files tell.", n))
	default:
		lines = append(lines, fmt.Sprintf("- Task %d is in progress: whoever is at work on this session may be at it.", n))
	}
	if strings.HasPrefix(task.Type, "checkpoint") {
		lines = append(lines, fmt.Sprintf("- Task %d is a checkpoint (%s): the plan wants the user to be asked there.", n, host.Line(task.Type, longestName)))
	}
	lines = append(lines, fmt.Sprintf("- The whole text of the task: %s, or %s", code(fmt.Sprintf("%s:%d", r.Path, task.Line)), code(fmt.Sprintf("gsd tasks %d", n))))
	b.add(lines...)

	commands := fmt.Sprintf("`gsd mark %d complete` records that it is done", n)
	if !r.InProgress {
		commands = fmt.Sprintf("`gsd mark %d in-progress` records that task %d was begun, `gsd mark %d complete` that it is done", n, n, n)
	}
	b.add(commands + ". This is how it stood when gsd was asked; `gsd hydrate` tells how it stands now.")

	for _, c := range shownOf(r) {
		if quoted := host.Quote(c.Text, mostLines, longestField); len(quoted) > 0 {
			b.add(append([]string{fmt.Sprintf("Task %d, %s:", n, c.Name)}, quoted...)...)
		}
	}
}

// next says which plan comes next and how to start on it.
func (b *brief) next(next *hydrate.Next) {
	switch {
	case next == nil:
		b.add("- `gsd next` tells which plan comes next, `gsd bootstrap PLAN` starts a session on it.")
	case next.Plan != "":
		lines := []string{"- Next plan: " + code(next.Plan) + inBrackets(nextMarks(next))}
		for _, why := range next.Because {
			lines = append(lines, "  - "+host.Line(why, longestName))
		}
		if next.Summary != "" {
			b.add(append(lines, "- Its summary is not written yet: "+code(next.Summary)+".")...)
			return
		}
		if next.Begun {
			lines = append(lines, "- Commits work on it: "+code("gsd recover "+planWord(next.Plan, next.ID, next.Ambiguous))+" makes a session on it from them.")
		}
		lines = append(lines, "- "+code("gsd bootstrap "+planWord(next.Plan, next.ID, next.Ambiguous))+" starts a session on it.")
		b.add(lines...)
	case next.Phase != "":
		lines := []string{"- Next: phase " + host.Line(next.Phase, longestName) + " has no open plan."}
		for _, why := range next.Because {
			lines = append(lines, "  - "+host.Line(why, longestName))
		}
		b.add(lines...)
	default:
		b.add("- No plan is left to do.")
	}
}

// othersWork tells a run of somebody else's that may be at work.
func othersWork(run *hydrate.Run) bool { return !run.Own && run.MayLive() }

func isAtWork(r *hydrate.Recovery) bool {
	return slices.ContainsFunc(r.Runs, func(run hydrate.Run) bool { return othersWork(&run) })
}

// recovery says what began and never properly ended.
func (b *brief) recovery(r *hydrate.Recovery) {
	if r == nil {
		return
	}
	var atWork, recover []string
	for i := range r.Runs {
		if run := &r.Runs[i]; othersWork(run) {
			atWork = append(atWork, "- At work on this session: "+host.Line(run.Who()+unsure(run), longestField))
		}
	}
	for i := range r.Orphans {
		recover = append(recover, "- Never ended, and its process is gone: "+host.Line(r.Orphans[i].Who(), longestField))
	}
	for i := range r.Doubtful {
		recover = append(recover, "- May be over, its time is up: "+host.Line(r.Doubtful[i].Who(), longestField))
	}
	if len(r.Orphans) > 0 {
		recover = append(firstOf(recover), "- `gsd sweep` records the end of what died.")
	}
	if len(r.Left) > 0 {
		recover = append(recover, "- Left in progress: "+taskList(r.Left)+".")
	}
	var work []string
	for _, w := range r.Incomplete {
		work = append(work, "- "+host.Line(incompleteWords(w), longestField))
	}
	for _, lines := range [][]string{atWork, recover, work} {
		b.add(firstOf(lines)...)
	}
}

// lost says which sessions are gone, and how they come back.
func (b *brief) lost(r *hydrate.Recovery) {
	if r == nil {
		return
	}
	var lines []string
	for i := range r.Lost {
		o := &r.Lost[i]
		lines = append(lines, fmt.Sprintf("- A session on %s was lost, with %d of %s complete: %s brings it back.",
			host.Line(hydrate.PlanName(o.Plan), longestName), o.Done, count(len(o.Tasks), "task"), code("gsd restore "+quote(o.ID))))
	}
	b.add(firstOf(lines)...)
}

// firstOf are the first lines of a list that is read at every start.
func firstOf(lines []string) []string {
	if more := len(lines) - listed; more > 0 {
		return append(lines[:listed:listed], fmt.Sprintf("- and %d more", more))
	}
	return lines
}

func (b *brief) warnings(warnings []jsonWarning) {
	var lines []string
	for _, w := range warnings {
		lines = append(lines, fmt.Sprintf("- Warning (%s): %s", host.Line(w.Code, longestName), host.Line(w.Detail, longestField)))
	}
	b.add(firstOf(lines)...)
}
