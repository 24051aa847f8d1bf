package view

import (
	"cmp"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
)

// A Briefer makes what agents read without having asked for it: at the start of a conversation, above all. A brief has the lines of the
// answer that people get, as Markdown (docs/design.md, Output and exit codes). Its rules:
//
//   - It states facts and names commands. Agents are taught to distrust text that reads like an order from
//     nowhere, and some hosts show it as if a person had typed it. No line of it begins with text of others, unless it is quoted.
//   - It first says where it is from. Text from .planning/ and from git's commits is data, no matter who wrote it. Package printer cleans it,
//     and text.FitBytes disarms markup.
//   - It does no harm if it is printed twice, and has no angle brackets of its own, because Gemini escapes them.
//   - Where it is from, who is at work and what crashed or was lost come before how far the plan is.
//   - The most important part comes first: a brief that is too long is cut at its end (text.FitBytes). The text of the task comes
//     last, so that it cannot push out who is at work.
type Briefer struct {
	// At is the time of the state: a conversation may hold several briefs, also older ones that come after newer ones (Claude restores the
	// output of a slash command after a compaction).
	At    time.Time
	Place action.Place // where its reader types commands
}

// brief is a brief while it is made.
type brief struct {
	*Printer
	out *printer.Buffer
}

func (by *Briefer) start() brief {
	var out printer.Buffer
	w := printer.NewWriter(&out, printer.Style{}, 0)
	w.At = by.Place
	return brief{&Printer{Writer: w, Now: by.At, brief: true}, &out}
}

// blocks returns the blocks of a brief.
func (b brief) blocks() []string { return b.out.Markdown() }

// called says as what gsd is called, where PATH may not lead to it.
func (b brief) called() {
	if b.At.Program != "" && b.At.Program != "gsd" {
		b.Item("gsd is called as %s here, because PATH may not lead to it.", printer.Unbroken(b.At.Program))
		b.Gap()
	}
}

// Report returns the brief on a report, which may still lack the runs or the evidence, as blocks of Markdown. below is the directory of
// the settings that have the hooks, if the host has started the conversation below it; "" otherwise.
func (by *Briefer) Report(r *answer.Report, below string) []string {
	b := by.start()
	b.head(r)
	b.away(r.Dir)
	b.called()
	if below != "" {
		b.Item("gsd's hooks and status line do not run in this conversation, which was started below %s: its host reads only the settings of the directory "+
			"where it is started. They run if it is started there, or if a person installs gsd with %s.", printer.Unbroken(below), printer.Unbroken("--scope user"))
		b.Gap()
	}
	b.atWork(r.AtWork) // before how far the plan is: what crashed may have left that wrong
	if r.JustStarted != "" {
		b.Item("%s", r.JustStarted)
	}
	b.recovery(r.Recovery)
	b.verdict(r)
	b.state(r)
	b.Gap()
	b.Try(r.Do...)
	b.Gap()
	b.Printf("State of %s UTC; if the conversation holds several of these, the latest counts. %s shows the current one.\n",
		by.At.UTC().Format(time.DateTime), printer.Command("gsd hydrate"))
	b.Gap()
	b.warnings(r.Warnings)
	b.taskBelow(r.Resume) // at the end, because it is long
	if r.Resume == nil && r.Next != nil && r.Next.Progress != nil {
		b.taskBelow(r.Next.Progress.Resume)
	}
	b.planOf(r)
	return b.blocks()
}

// head prints where the brief is from.
func (b brief) head(r *answer.Report) {
	file := printer.Unbroken(r.Path)
	switch {
	case r.Verdict != answer.None && r.Verdict != answer.Corrupt:
		plan := printer.Of(Title(r.PlanInText()))
		if plan.IsEmpty() {
			plan = printer.Sprintf("a plan")
		}
		b.Headline("gsd: session on %s", plan)
		b.Gap()
		b.Printf("From %s. What follows is data that gsd read there, in the plan and in git's commits; quoted text is copied from there.\n", file)
		b.Gap()
		return
	case r.Next != nil && r.Next.Progress != nil:
		b.Headline("gsd: %s is in flight, without a session", Title(cmp.Or(r.Next.ID, answer.PlanInText(r.Next.Plan))))
	default:
		b.Headline("gsd: no session on a plan")
	}
	b.Gap()
	b.Printf("This project keeps its plans in %s. The session of %s would be %s. "+
		"What follows is data that gsd read in %s and in git's commits; quoted text is copied from there.\n",
		printer.Unbroken(".planning/"), r.User, file, printer.Unbroken(".planning/"))
	b.Gap()
}

// warnings prints the first warnings.
func (b brief) warnings(all []problem.Warning) {
	b.Warnings(all[:min(len(all), listed)])
	if more := len(all) - listed; more > 0 {
		b.Item("and %d more", more)
	}
}

// taskBelow prints what the plan says about the task to resume.
func (b brief) taskBelow(task *answer.ResumePoint) {
	if task == nil {
		return
	}
	for _, c := range task.Children {
		if lines := printer.Lines(c.Text); len(lines) > 0 {
			b.Gap()
			b.Printf("Task %d, %s:\n", task.Number, childLabel(c))
			b.Quote("", lines...)
		}
	}
	if task.Cut {
		b.Gap()
		b.Printf("(The text of the task is cut.)\n")
	}
}

// Unreadable returns a brief that says that there is a project, and why its session cannot be read.
func (by *Briefer) Unreadable(why, hint string, do ...action.Action) []string {
	b := by.start()
	b.Headline("gsd: the session cannot be read")
	b.Gap()
	b.called()
	b.Item("%s", why)
	if hint != "" {
		b.Item("%s", printer.Sentence(hint))
	}
	b.Try(do...)
	return b.blocks()
}

// Below returns a brief that names the projects below a directory that has none itself.
func (by *Briefer) Below(names []string) []string {
	b := by.start()
	b.Headline("gsd: the plans are in projects below")
	b.Gap()
	b.Printf("This directory has no %s of its own. What follows are names of directories below it that have one.\n", printer.Unbroken(".planning/"))
	b.Gap()
	b.called()
	for _, name := range names[:min(len(names), listed)] {
		b.Item("%s", printer.Unbroken(name))
	}
	if more := len(names) - listed; more > 0 {
		b.Item("and %d more", more)
	}
	b.Gap()
	b.Printf("In one of them, %s shows which plan is in flight there.\n", printer.Command("gsd hydrate"))
	return b.blocks()
}

// Shortened is the last line of a brief that was cut.
func (by *Briefer) Shortened() string {
	b := by.start()
	b.Printf("(Shortened. %s prints all of it.)\n", printer.Command("gsd hydrate"))
	return b.blocks()[0]
}
