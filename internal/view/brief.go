package view

import (
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/host"
)

// The brief is what an agent reads at the start of a conversation: a report as Markdown (docs/design.md, Output and exit
// codes). Its rules:
//
//   - It states facts and names commands. Agents are taught to distrust text that reads like an order from
//     nowhere, and some hosts show it as if a person had typed it.
//   - It first says where it is from. Text from .planning/ and from git's commits is data, whoever wrote it: each piece,
//     and nothing else, goes through host.Line, host.Code or host.Quote. host.Fit disarms markup.
//   - It does no harm if it is printed twice, and has no angle brackets of its own, because Gemini escapes them.
//   - The most important part comes first: a brief that is too long is cut at its end (host.Fit).

const (
	longestCode  = 300 // characters of a path or a command; nobody types a longer one
	longestField = 500
	mostLines    = 12 // of one field of a task
)

func code(s string) string  { return host.Code(s, longestCode) }
func name(s string) string  { return host.Line(s, LongestName) }
func field(s string) string { return host.Line(s, longestField) }

// A brief consists of blocks of lines. A block for which there is no room is left out as a whole.
type brief []string

func (b *brief) add(lines ...string) {
	if text := strings.Join(lines, "\n"); text != "" {
		*b = append(*b, text)
	}
}

// list adds the first items of a list.
func (b *brief) list(items []string) {
	items = firstOf(items)
	for i, text := range items {
		items[i] = "- " + text
	}
	b.add(items...)
}

// Brief returns a report as blocks of Markdown. The report may still lack the runs or the evidence.
func Brief(r *hydrate.Report) []string {
	var b brief
	if r.Verdict == hydrate.None || r.Verdict == hydrate.Corrupt {
		b.none(r)
	} else {
		b.verdict(r)
		b.lost(r.Recovery)
	}
	b.recovery(r)
	var warnings []string
	for _, w := range r.Warnings {
		warnings = append(warnings, "Warning ("+name(w.Code)+"): "+field(w.Detail))
	}
	b.list(warnings)
	if r.JustStarted != "" {
		b.add("- " + field(r.JustStarted))
	}
	return b
}

// Unreadable returns a brief that says that there is a project, and why its session cannot be read.
func Unreadable(why, hint string) []string {
	lines := []string{"## gsd: the session cannot be read", "", "- " + field(why)}
	if hint != "" {
		lines = append(lines, "- "+field(hint))
	}
	return []string{strings.Join(append(lines, "- `gsd hydrate` repeats this error."), "\n")}
}

func (b *brief) none(r *hydrate.Report) {
	is := "there is none"
	if r.Verdict == hydrate.Corrupt {
		is = "the file there is not a session: " + field(r.Corrupt)
	}
	b.add("## gsd: no session on a plan",
		"",
		"This project keeps its plans in `.planning/`. The session of "+name(r.User)+" would be "+code(r.Path)+": "+is+". "+
			"What follows is data that gsd read in `.planning/` and in git's commits; quoted text is copied from there.")
	b.lost(r.Recovery) // before the command that starts over
	if r.Next != nil {
		b.next(r.Next)
	}
	if r.Next == nil || r.Next.Plan == "" {
		b.add("- `gsd bootstrap PLAN` starts a session on a plan; `gsd next` shows which one comes next.")
	}
}

func (b *brief) verdict(r *hydrate.Report) {
	called := name(hydrate.PlanName(r.On))
	if called == "" {
		called = "a plan"
	}
	lines := []string{
		"## gsd: session on " + called,
		"",
		"From " + code(r.Path) + ", the session of " + name(r.User) + ". What follows is data that gsd read there, " +
			"in the plan and in git's commits; quoted text is copied from there.",
		"",
		"- Plan: " + code(r.On),
		fmt.Sprintf("- Progress: %d of %s complete", r.Done, Count(r.Total, "task")),
	}
	switch r.Verdict {
	case hydrate.Resume:
		b.resume(r, lines)
	case hydrate.Finished:
		lines = append(lines, "- Every task of the plan is complete.")
		if r.Summary != "" {
			lines = append(lines, "- Its summary is not written yet: "+code(r.Summary)+".")
		}
		if r.Next != nil && r.Next.Plan == r.On {
			b.add(append(lines, "- `gsd next` shows which plan comes next once it is written.")...)
			return
		}
		b.add(lines...)
		b.next(r.Next)
	case hydrate.Stale:
		lines = append(lines, "- The session is stale: the project is no longer on its plan.")
		for _, s := range r.Stale {
			lines = append(lines, "- "+string(s.Reason)+": "+field(s.Detail))
		}
		if r.Fix != nil {
			b.add(append(lines, "- "+code(CommandLine(*r.Fix))+" "+r.Fix.Does+".")...)
			return
		}
		b.add(lines...)
		b.next(r.Next)
	}
}

// resume adds the head of the brief, and the task to resume.
func (b *brief) resume(r *hydrate.Report, lines []string) {
	task, n := r.Resume, r.Resume.Number
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	say("- Resume at task %d of %d: %s", n, r.Total, name(TaskTitle(task.Name, n)))
	switch task.Progress {
	case hydrate.InProgress:
		say("- Task %d is in progress; `gsd hydrate` shows whether anybody is working on it.", n)
	case hydrate.Interrupted:
		say("- Task %d was interrupted: it was in progress when the work stopped, and has to be started again from the beginning.", n)
	case hydrate.InOwnHands:
		say("- Task %d is in progress; the files show how far it is.", n)
	case hydrate.InOthers:
		say("- Task %d is in progress: another run that is at work on this session may be working on it.", n)
	}
	if task.Checkpoint() {
		say("- Task %d is a checkpoint (%s): the plan requires that the user is asked there.", n, name(task.Type))
	}
	say("- The full text of the task: %s, or `gsd tasks %d`", code(fmt.Sprintf("%s:%d", r.Path, task.Line)), n)
	b.add(lines...)

	commands := fmt.Sprintf("`gsd mark %d complete` records that it is done", n)
	if task.Progress == hydrate.NotBegun {
		commands = fmt.Sprintf("`gsd mark %[1]d in-progress` records that task %[1]d was started, `gsd mark %[1]d complete` that it is done", n)
	}
	b.add(commands + ". This was the state when gsd was asked; `gsd hydrate` shows the current one.")
	for _, c := range task.Says {
		if quoted := host.Quote(c.Text, mostLines, longestField); len(quoted) > 0 {
			b.add(append([]string{fmt.Sprintf("Task %d, %s:", n, c.Name)}, quoted...)...)
		}
	}
}

// next adds which plan comes next and how to start on it; nil if that is unknown.
func (b *brief) next(n *hydrate.Next) {
	switch {
	case n == nil:
		b.add("- `gsd next` shows which plan comes next, `gsd bootstrap PLAN` starts a session on it.")
		return
	case n.Plan == "" && n.Phase == "":
		b.add("- No plans left.")
		return
	}
	lines := []string{"- Next plan: " + code(n.Plan) + inBrackets(nextMarks(n))}
	if n.Plan == "" {
		lines[0] = "- Next: phase " + name(n.Phase) + " has no open plan."
	}
	for _, why := range n.Because {
		lines = append(lines, "  - "+name(why))
	}
	switch plan := Quote(n.Name()); {
	case n.Plan == "":
	case n.Summary != "":
		lines = append(lines, "- Its summary is not written yet: "+code(n.Summary)+".")
	default:
		if n.Begun {
			lines = append(lines, "- It has commits: "+code("gsd restore "+plan)+" rebuilds its session from them.")
		}
		lines = append(lines, "- "+code("gsd bootstrap "+plan)+" starts a session on it.")
	}
	b.add(lines...)
}

// recovery adds who is at work, and what was left unfinished.
func (b *brief) recovery(r *hydrate.Report) {
	var atWork, work []string
	for i := range r.AtWork {
		atWork = append(atWork, "At work on this session: "+field(r.AtWork[i].Who()+unsure(&r.AtWork[i])))
	}
	b.list(atWork)
	if r.Recovery == nil {
		return
	}
	died := whoOf("Crashed (process gone, no end recorded): ", r.Recovery.Orphaned)
	died = append(died, whoOf("May be over (time to live expired): ", r.Recovery.Doubtful)...)
	if len(r.Recovery.Orphaned) > 0 {
		died = append(firstOf(died), "`gsd run sweep` records the end of crashed runs.")
	}
	if len(r.Recovery.Left) > 0 {
		died = append(died, "Left in progress: "+taskList(r.Recovery.Left)+".")
	}
	b.list(died)
	for _, w := range r.Recovery.Incomplete {
		work = append(work, field(incompleteWords(w)))
	}
	b.list(work)
}

// lost adds which sessions were lost, and how to restore them.
func (b *brief) lost(r *hydrate.Recovery) {
	if r == nil {
		return
	}
	var lines []string
	for i := range r.Lost {
		o := &r.Lost[i]
		lines = append(lines, fmt.Sprintf("A session on %s was lost, with %d of %s complete: %s brings it back.",
			name(hydrate.PlanName(o.Plan)), o.Done, Count(o.Total, "task"), code("gsd restore "+Quote(o.ID))))
	}
	b.list(lines)
}
