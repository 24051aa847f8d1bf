package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// The brief is what an agent reads at the start of a conversation: a report as Markdown (docs/design.md, Output and exit
// codes). Its rules:
//
//   - It states facts and names commands. Agents are taught to distrust text that reads like an order from
//     nowhere, and some hosts show it as if a person had typed it. No line of it begins with text of others, unless it is quoted.
//   - It first says where it is from. Text from .planning/ and from git's commits is data, no matter who wrote it: each piece,
//     and nothing else, goes through agent.Line, text.Code or text.Quote. text.FitBytes disarms markup.
//   - It does no harm if it is printed twice, and has no angle brackets of its own, because Gemini escapes them.
//   - Where it is from, who is at work and what crashed or was lost come before how far the plan is.
//   - The most important part comes first: a brief that is too long is cut at its end (text.FitBytes). The text of the task comes
//     last, so that it cannot push out who is at work.

const (
	longestCode  = 300 // characters of a path or a command; nobody types a longer one
	longestField = 500
)

func code(s string) string  { return text.Code(s, longestCode) }
func name(s string) string  { return text.Cut(text.Line(s), LongestName) }
func field(s string) string { return text.Cut(text.Line(s), longestField) }

// A brief consists of blocks of lines. A block for which there is no room is left out as a whole.
type brief []string

// add adds a block. Each line is cleaned, and stays one line, whatever it was made of.
func (b *brief) add(lines ...string) {
	lines = slices.Clone(lines)
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(text.Clean(line), "\n", " ")
	}
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

// Brief returns a report as blocks of Markdown. The report may still lack the runs or the evidence. at is the time of the
// state: a conversation may hold several briefs, also older ones that come after newer ones (Claude restores the output of a
// slash command after a compaction).
func Brief(r *hydrate.Report, at time.Time) []string {
	var b brief
	none := r.Verdict == hydrate.None || r.Verdict == hydrate.Corrupt
	if none {
		b.headOfNone(r)
	} else {
		b.head(r)
	}
	b.atWork(r) // before how far the plan is, as in the text of gsd hydrate: what crashed may have left that wrong
	b.recovery(r.Recovery)
	if none {
		b.elsewhere(r.Elsewhere)
		b.next(r.Next)
	} else {
		b.verdict(r)
		b.elsewhere(r.Elsewhere)
	}
	if r.StateMissing != "" {
		b.add("- " + code(r.StateMissing) + " does not exist.")
	}
	var lines []string
	for _, a := range r.Actions() {
		if line := a.Line(); line != "" {
			lines = append(lines, "- "+code(line)+": "+Does(a))
		}
	}
	b.add(lines...)
	b.add("State of " + at.UTC().Format(time.DateTime) + " UTC; if the conversation holds several of these, the latest counts. " +
		"`gsd hydrate` shows the current one.")
	var warnings []string
	for _, w := range r.Warnings {
		warnings = append(warnings, "Warning ("+name(w.Code)+"): "+field(w.Detail))
	}
	b.list(warnings)
	b.task(r.Resume) // at the end, because it is long
	if r.Resume == nil && r.Next != nil && r.Next.Progress != nil {
		b.task(r.Next.Progress.At)
	}
	b.planOf(r)
	return b
}

// CallGSD returns the blocks of a brief for an agent that calls gsd as program, which is a word of a command line. Commands
// are in code spans; the quoted text of a task stays as it is.
func CallGSD(program string, blocks []string) []string {
	if program == "gsd" || len(blocks) == 0 {
		return blocks
	}
	var all []string
	for _, block := range blocks {
		lines := strings.Split(block, "\n")
		for i, line := range lines {
			if !strings.HasPrefix(line, ">") {
				lines[i] = strings.ReplaceAll(line, "`gsd ", "`"+program+" ")
			}
		}
		all = append(all, strings.Join(lines, "\n"))
	}
	return slices.Insert(all, 1, "- gsd is called as "+code(program)+" here, because PATH may not lead to it.")
}

// WithNote returns the blocks of a brief with a line after the first one, if it is not empty.
func WithNote(blocks []string, line string) []string {
	if line == "" || len(blocks) == 0 {
		return blocks
	}
	return slices.Insert(blocks, 1, line)
}

// StartedBelow is the line for a conversation that its host has started below the project in dir, whose settings have the hooks.
func StartedBelow(host, dir string) string {
	return "- gsd's hooks and status line do not run in this conversation: " + host + " was started below " + code(dir) + ", and it reads only the " +
		"settings of the directory where it is started. They run if it is started there, or if a person installs gsd with `--scope user`."
}

// Unreadable returns a brief that says that there is a project, and why its session cannot be read.
func Unreadable(why, hint string) []string {
	var b brief
	lines := []string{"## gsd: the session cannot be read", "", printer.Sprintf("- %s", field(why)).String()}
	if hint != "" {
		lines = append(lines, printer.Sprintf("- %s", field(hint)).String())
	}
	b.add(lines...)
	return b
}

// headOfNone adds where the brief is from if there is no session.
func (b *brief) headOfNone(r *hydrate.Report) {
	is := "there is none"
	if r.Verdict == hydrate.Corrupt {
		is = "the file there is not a session: " + field(r.Corrupt)
	}
	head := "## gsd: no session on a plan"
	if r.Next != nil && r.Next.Progress != nil {
		head = "## gsd: " + name(verdict.PlanInText(r.Next.Plan)) + " is in flight, without a session"
	}
	b.add(head,
		"",
		"This project keeps its plans in `.planning/`. The session of "+name(r.User)+" would be "+code(r.Path)+": "+is+". "+
			"What follows is data that gsd read in `.planning/` and in git's commits; quoted text is copied from there.")
}

// elsewhere adds where the user has other sessions.
func (b *brief) elsewhere(sessions []verdict.Elsewhere) {
	var lines []string
	for i := range sessions {
		says := elsewhereWords(&sessions[i], printer.Of(sessions[i].Worktree)).String()
		lines = append(lines, field(strings.ToUpper(says[:1])+says[1:])+".")
	}
	b.list(lines)
}

// head adds where the brief is from.
func (b *brief) head(r *hydrate.Report) {
	called := name(verdict.PlanInText(r.On))
	if called == "" {
		called = "a plan"
	}
	b.add("## gsd: session on "+called,
		"",
		"From "+code(r.Path)+", the session of "+name(r.User)+". What follows is data that gsd read there, "+
			"in the plan and in git's commits; quoted text is copied from there.")
}

// verdict adds how far the plan is, and what comes next.
func (b *brief) verdict(r *hydrate.Report) {
	lines := []string{
		"- Plan: " + code(r.On),
		"- Progress: " + tasksDone(r.Done, r.Skipped, r.Total),
	}
	switch r.Verdict {
	case hydrate.Resume:
		b.resume(r, lines)
	case hydrate.Finished:
		lines = append(lines, "- Every task of the plan is "+verdict.OverWord(r.Skipped)+".")
		if r.Summary != "" {
			lines = append(lines, dueLines(r.Summary, r.Draft, r.Earlier)...)
		}
		switch next := r.Next; {
		case next == nil || next.Plan != r.On:
			b.add(lines...)
			b.next(next)
		case next.Ready() == nil:
			b.add(append(lines, "- Once it is written, `gsd next` shows which plan comes next.")...)
		default:
			b.add(append(lines, "- Ready besides: "+code(next.Ready().Plan)+".")...)
		}
	case hydrate.Stale:
		lines = append(lines, "- The session is stale: the project is no longer on its plan.")
		for _, s := range r.Stale {
			lines = append(lines, printer.Sprintf("- %s: %s", s.Reason, field(s.Detail)).String())
		}
		b.add(lines...)
		if r.Fix.Kind == "" {
			b.next(r.Next)
		}
	}
}

// dueLines says how far the summary of a plan is whose tasks are all complete.
func dueLines(summary string, d *verdict.Draft, isEarlier bool) []string {
	switch {
	case isEarlier:
		return []string{"- Its summary is there from before, and may need to be brought up to date: " + code(summary) + "."}
	case d == nil:
		return []string{"- Its summary is left to write: " + code(summary) + "."}
	case d.Problem != "":
		return []string{"- The draft of its summary cannot be used: " + field(d.Problem) + "."}
	case d.Written():
		return []string{"- The draft of its summary is written: " + code(d.Path) + "."}
	}
	lines := []string{"- A draft of its summary waits: " + code(d.Path) + "; `gsd done --summary`, once it is written, makes it the summary."}
	for _, left := range firstOf(leftWords(d)) {
		lines = append(lines, "  - "+left)
	}
	return lines
}

// resume adds the head of the brief, and the task to resume.
func (b *brief) resume(r *hydrate.Report, lines []string) {
	task, n := r.Resume, r.Resume.Number
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	say("- Resume at task %d of %d: %s", n, r.Total, name(TaskTitle(task.Name, n)))
	switch task.State {
	case verdict.InProgress:
		say("- Task %d is in progress; `gsd hydrate` shows whether anybody is working on it.", n)
	case verdict.Interrupted, verdict.Cleared, verdict.Paused, verdict.Unattended:
		say("- Task %d %s. Its work may be partial: verify before redoing it.", n, stoppedWords(task.State, since(r), othersHold(r)))
		if othersHold(r) {
			say("- The run at work may be doing task %d again.", n)
		}
	case verdict.InOwnHands:
		say("- Task %d is in progress%s; the files show how far it is.", n, since(r))
	case verdict.InClone:
		say("- Task %d is in progress at %s, as far as the last `gsd sync` knows: its work may be there and not here.", n, name(task.Machine))
	case verdict.InOthers:
		say("- Task %d is in progress%s: another run that is at work on this session may be working on it.", n, since(r))
	}
	b.add(append(lines, aboutTask(task, r.Path)...)...)
}

// task adds what the plan says about the task to resume.
func (b *brief) task(task *hydrate.ResumePoint) {
	if task == nil {
		return
	}
	for _, c := range task.Children {
		if quoted := text.Quote(c.Text); len(quoted) > 0 {
			b.add(append([]string{fmt.Sprintf("Task %d, %s:", task.Number, childLabel(c))}, quoted...)...)
		}
	}
}

// next adds which plan comes next; nil if that is unknown.
func (b *brief) next(n *verdict.Next) {
	switch {
	case n == nil:
		return
	case n.Plan == "" && n.Phase == "" && len(n.LeftOver) == 0:
		b.add("- No plans left.")
		return
	}
	lines := []string{"- Next plan: " + code(n.Plan) + inBrackets(nextMarks(n))}
	if n.Plan == "" {
		lines[0] = "- Next: phase " + name(n.Phase) + " has no open plan."
		if n.Phase == "" {
			lines[0] = "- No next plan."
		}
	}
	for _, why := range n.Because {
		lines = append(lines, printer.Sprintf("  - %s", name(why)).String())
	}
	switch {
	case n.Summary != "":
		lines = append(lines, dueLines(n.Summary, n.Draft, false)...)
	case n.InHand != "":
		lines = append(lines, "- No plan is free to start on: that one is in hand.")
	case n.Progress != nil:
		lines = append(lines, progressLines(n)...)
	case n.Begun:
		lines = append(lines, "- It has commits, but no session.")
	}
	if left := leftIDs(n); left != "" {
		lines = append(lines, "- Left behind without a summary, in phases before the latest work: "+name(left)+".")
	}
	b.add(lines...)
	var also []string
	for i := range n.AlsoReady {
		if its := &n.AlsoReady[i]; its.Progress != nil {
			also = append(also, "Also in flight: "+code(its.Plan)+", "+FarWords(its.Progress)+".")
		}
	}
	b.list(also)
}

// progressLines says how far the next plan is by its commits.
func progressLines(n *verdict.Next) []string {
	lines := []string{"- It is in flight, and nobody has a session on it: " + progressWords(n.Progress) + "."}
	if n.Refused {
		lines[0] = "- It is in flight: " + progressWords(n.Progress) + "."
	}
	at := n.Progress.At
	if at == nil {
		return lines
	}
	lines = append(lines, fmt.Sprintf("- Resume at task %d of %d: %s", at.Number, len(n.Progress.Tasks), name(TaskTitle(at.Name, at.Number))))
	if seems := seemsBegun(n.Progress); seems != "" {
		lines = append(lines, "- Task "+fmt.Sprint(at.Number)+strings.TrimPrefix(seems, "it")+".")
	}
	return append(lines, aboutTask(at, n.Plan)...)
}

// aboutTask says what else is to be known of the task to resume, and where in a file its text is.
func aboutTask(task *hydrate.ResumePoint, file string) (lines []string) {
	n := task.Number
	for _, t := range task.Also {
		lines = append(lines, fmt.Sprintf("- Task %d is %s: %s", t.Number, alsoWords(t), name(TaskTitle(t.Name, t.Number))))
	}
	lines = firstOf(lines)
	if task.Checkpoint() {
		lines = slices.Insert(lines, 0, fmt.Sprintf("- Task %d is a checkpoint (%s): the plan requires that the user is asked there.", n, name(task.Type)))
	}
	from := code(fmt.Sprintf("%s:%d", file, task.Line))
	switch {
	case task.Cut:
		lines = append(lines, "- The text of the task, from "+from+", is at the end; it is cut.")
	case len(task.Children) > 0:
		lines = append(lines, "- The text of the task, from "+from+", is at the end.")
	}
	return lines
}

// atWork adds who is at work.
func (b *brief) atWork(r *hydrate.Report) {
	var lines []string
	for i := range r.AtWork {
		lines = append(lines, "At work on this session: "+field(r.AtWork[i].Who()+unsure(&r.AtWork[i])))
	}
	b.list(lines)
	if r.JustStarted != "" {
		b.add(printer.Sprintf("- %s", field(r.JustStarted)).String())
	}
}

// recovery adds what was left unfinished; nil if nothing was.
func (b *brief) recovery(r *verdict.Recovery) {
	if r == nil {
		return
	}
	if r.Failed != nil {
		b.add("- The last run failed: " + field(r.Failed.Who()) + ".")
	}
	died := whoOf("Crashed (process gone, no end recorded): ", r.Crashed)
	died = append(died, whoOf("May be over (time to live expired): ", r.Doubtful)...)
	if len(r.LeftTasks) > 0 {
		died = append(died, "Left in progress: "+taskList(r.LeftTasks)+".")
	}
	b.list(died)
	var lost, work []string
	for i := range r.Lost {
		o := &r.Lost[i]
		lost = append(lost, fmt.Sprintf("The session %s on %s was lost, with %s.",
			name(o.ID), name(verdict.PlanInText(o.Plan)), lostWords(o)))
	}
	b.list(lost)
	for _, w := range r.Incomplete {
		work = append(work, field(incompleteWords(w)))
	}
	b.list(work)
}
