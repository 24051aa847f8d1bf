package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// longTask is a report on a task with prose, code and a command that are all wider or longer than a terminal.
func longTask() *answer.Report {
	r := &answer.Report{User: "ada", Verdict: answer.Resume, Total: 2, On: "p", Path: "s"}
	action := "Keep the order of the notes, as `sort --stable --key=1 notes.txt` does, wherever one was removed.\n```\n" +
		strings.Repeat("x ", 50) + "\n```"
	for i := range 30 {
		action += fmt.Sprintf("\n%d. one", i)
	}
	r.Resume = &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 1, Name: "Sort"}}}
	r.Resume.Line = 7
	r.Resume.Children = []planfile.Child{
		{Name: "action", Text: action}, {Name: "files", Text: "a.go"}, {Name: "verify", Text: "go test " + strings.Repeat("./x ", 30)},
	}
	r.Do = r.Actions()
	return r
}

// TestReportFits: on a terminal the end of a task's text is left out, and nothing else.
func TestReportFits(t *testing.T) {
	t.Parallel()
	r := longTask()
	person := func(rows int) string {
		return printed(printer.Style{Bars: true}, func(p *Printer) { p.Columns, p.Rows = 80, rows; p.Report(r) })
	}
	whole := person(0)
	if got := person(1000); strings.Count(got, "\n") != strings.Count(whole, "\n") || strings.Contains(got, "gsd tasks") {
		t.Errorf("there is room for all of it:\n%s", got)
	}
	lines := strings.Count(whole, "\n")
	for rows := 16; rows < lines; rows++ {
		got := person(rows)
		before, after, _ := strings.Cut(got, " more lines: `gsd tasks 1`\n")
		if strings.Count(got, "\n") > rows || strings.Count(got, "\n") < rows-4 {
			t.Errorf("%d rows: %d lines:\n%s", rows, strings.Count(got, "\n"), got)
		}
		for _, part := range []string{"resume at task 1: Sort", "files: a.go\n  action:", "Keep the order"} {
			if !strings.Contains(before, part) {
				t.Errorf("%d rows: no %q:\n%s", rows, part, got)
			}
		}
		if !strings.HasPrefix(after, "\ntry: ") {
			t.Errorf("%d rows: no commands:\n%s", rows, got)
		}
	}
	if got := person(1); !strings.Contains(got, "Keep the order") {
		t.Errorf("a small terminal:\n%s", got)
	}
}

// TestFilesFit: of many files few are shown, so that the action is in sight, whether they stand on one line or on many.
func TestFilesFit(t *testing.T) {
	t.Parallel()
	var files []string
	for i := range 40 {
		files = append(files, fmt.Sprintf("internal/service/module_%02d/handler.go", i))
	}
	for _, test := range []struct{ between, shown string }{
		{", ", "_02/handler.go\n    37"},
		{",\t,", "_02/handler.go\n    37"},
		{"\n", "_02/handler.go\n    37"},
		{" (new, tested), ", "_02/handler.go (new, tested)\n    37"},
		{"/{a,b}.go, ", "_02/handler.go/{a,b}.go\n    37"},
		{", `a,b`, ", "_01/handler.go\n    76"},
		{"\n\n", "_01/handler.go\n    38"},
	} {
		r := longTask()
		r.Resume.Children[1].Text = strings.Join(files, test.between)
		got := printed(printer.Style{Bars: true}, func(p *Printer) { p.Columns, p.Rows = 80, 23; p.Report(r) })
		want := test.shown + " more files: `gsd tasks 1`\n  action:\n    Keep the order"
		if strings.Count(got, "\n") > 23 || !strings.Contains(got, want) || !strings.HasPrefix(got, "session of ada") || !strings.Contains(got, "\ntry: ") {
			t.Errorf("%d lines:\n%s", strings.Count(got, "\n"), got)
		}
		if whole := printed(printer.Style{Bars: true}, func(p *Printer) { p.Columns, p.Rows = 80, 1000; p.Report(r) }); strings.Contains(whole, "more file") || !strings.Contains(whole, "_39/handler.go") {
			t.Errorf("there is room for all of it:\n%s", whole)
		}
	}
}

// TestAnswersFit: so do the answers that have a report in them, of which nothing else is left out either, and the command says where.
func TestAnswersFit(t *testing.T) {
	t.Parallel()
	r := longTask()
	at := &answer.PlanProgress{Tasks: make([]progress.Task, 1), Resume: r.Resume}
	for _, test := range []struct {
		first, whole string
		print        func(*Printer)
	}{
		{"started a session: ", "1", func(p *Printer) { p.Bootstrapped(&app.Bootstrapped{Report: r}) }},
		{"restored s in /p\n", "1", func(p *Printer) { p.Restored(&app.Restored{Session: "s", Project: "/p", Report: r}) }},
		{"next: 01-02 x\n", "01-02 1", func(p *Printer) {
			p.NextAnswer(&app.NextAnswer{Next: &answer.Next{ID: "01-02", Plan: "x", Autonomous: true, Progress: at}})
		}},
	} {
		got := printed(printer.Style{Bars: true}, func(p *Printer) { p.Columns, p.Rows, p.At.In = 80, 20, "../notes"; test.print(p) })
		if n := strings.Count(got, "\n"); n > 20 || !strings.HasPrefix(got, test.first) || strings.Count(got, " more lines: `gsd tasks "+test.whole+" -C ../notes`\n") != 1 {
			t.Errorf("%d lines:\n%s", n, got)
		}
	}
}

// TestTaskText: a pipe gets the plan's own lines; on a terminal those of a text are broken, and those of code are not.
func TestTaskText(t *testing.T) {
	t.Parallel()
	const first = "    Keep the order of the notes, as `sort --stable --key=1 notes.txt` does, wherever one was removed.\n"
	r := longTask()
	piped := printed(printer.Style{}, func(p *Printer) { p.Columns = 60; p.Report(r) })
	seen := printed(printer.Style{Bars: true}, func(p *Printer) { p.Columns = 60; p.Report(r) })
	const broken = "    Keep the order of the notes, as\n      `sort --stable --key=1 notes.txt` does, wherever one\n      was removed.\n"
	if !strings.Contains(piped, first) || !strings.Contains(seen, broken) {
		t.Errorf("in a pipe:\n%s\non a terminal:\n%s", piped, seen)
	}
	for _, code := range []string{strings.Repeat("x ", 49) + "x\n", "  verify: go test " + strings.Repeat("./x ", 29) + "./x\n"} {
		if !strings.Contains(piped, code) || !strings.Contains(seen, code) {
			t.Errorf("%q is broken:\n%s\n%s", code, piped, seen)
		}
	}
	if strings.Index(piped, "action:") > strings.Index(piped, "files:") {
		t.Errorf("a pipe has not the plan's order:\n%s", piped)
	}
}
