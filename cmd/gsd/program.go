package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/hookinput"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/self"
	"github.com/gsd-cli/gsd/internal/terminal"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/view"
)

// A program is gsd with everything around it that a test may replace.
type program struct {
	stdin          io.Reader // nil for a terminal, because gsd never waits for a person
	keys           *os.File  // the terminal at which a person types who sees stdout; nil if there is none
	stdout, stderr io.Writer
	terminal       io.Writer // stderr, if it is a terminal that can rewrite a line; nil otherwise
	env            environ
	dir            string // the working directory
	called         string // how this program was called, as in os.Args[0]; empty for gsd
	now            func() time.Time
	style          printer.Style
	size           func(io.Writer) (columns, rows int) // of a terminal; 0 and 0 for anything else; may be nil
	patience       time.Duration                       // how long to wait for another process that is writing, 0 for app.Patience; tests set it
	lifetime       time.Duration                       // of a run whose process cannot be checked, 0 for run.DefaultTTL; tests set it
	around         func(verdict.World) verdict.World   // replaces what a command depends on, in tests; may be nil
}

// wait returns how long to wait for another process that is writing.
func (g *program) wait() time.Duration { return cmp.Or(g.patience, app.Patience) }

// run executes a command line, without the program's name, and returns the exit code.
func (g *program) run(ctx context.Context, args []string) int {
	arranged := arrange(args)
	if isHook(arranged) || isHook(args) { // arrange keeps little of a line whose last flag lacks its value
		host, _ := findFlag(arranged, "host")
		return g.runHook(ctx, arranged, agent.Deadline(host, slices.Contains(arranged[1:min(2, len(arranged))], "end")))
	}
	inv := &invocation{program: g, arranged: arranged}
	if len(args) > 0 {
		inv.first = args[0]
	}
	if g.terminal != nil {
		inv.progress = &terminal.Progress{Terminal: g.terminal}
	}
	err := inv.execute(ctx, arranged)
	inv.progress.Hide()
	if _, failed := io.WriteString(g.stdout, inv.contents()); failed != nil && err == nil {
		const hint = "the command was carried out; only its output is lost"
		err = &problem.Error{Kind: problem.IO, Text: "cannot write the output: " + failed.Error(), Hint: hint, Err: failed}
	}
	value, asks := findFlag(arranged, "json") // the flags of a line with a mistake may not have been read
	if inv.json || asks && value != "false" {
		return end(err, func(failed view.Failed) { _ = inv.envelope().JSONLine(g.stderr, failed) }) // there is nobody else to tell
	}
	return end(err, inv.fail)
}

// What lines on standard error begin with.
var ourError, ourWarning = printer.Sprintf("gsd"), printer.Sprintf("warning")

// complain prints a message on standard error, in one line unless it is too wide.
func (g *program) complain(label printer.Text, what any) {
	g.tell(action.Place{}, func(p *view.Printer) { p.Printf("%s: %s\n", label, what) })
}

// fail prints an error on standard error.
func (inv *invocation) fail(failed view.Failed) {
	inv.tell(inv.at(), func(p *view.Printer) {
		p.Printf("gsd: %s\n", failed.Error)
		if failed.Hint != "" {
			p.Printf("hint: %s\n", printer.Sentence(failed.Hint))
		}
		p.Try(failed.Do...)
	})
}

// tell prints on standard error, with commands as they are typed at a place.
func (g *program) tell(at action.Place, print func(*view.Printer)) {
	columns, _ := g.room(g.stderr)
	var b printer.Buffer
	p := view.Printer{Writer: printer.NewWriter(&b, printer.Style{}, columns)}
	p.At = at
	print(&p)
	_, _ = io.WriteString(g.stderr, text.Defang(b.String())) // there is nobody else to tell
}

// room returns how wide a line of text for people may be, and how many lines w shows at once, 0 for any number.
func (g *program) room(w io.Writer) (columns, rows int) {
	if g.size != nil {
		columns, rows = g.size(w)
	}
	if columns == 0 {
		return g.env.columns(), 0
	}
	return columns, rows
}

// self is this program, as others may call it.
func (g *program) self() self.Program {
	return self.Program{Called: g.called, Path: g.env.get("PATH"), Env: g.env}
}

// selfIn is this program, as an agent of a host may call it.
func (g *program) selfIn(host string) self.Program {
	executable := g.self()
	executable.Login = agent.RunsLoginShell(host)
	return executable
}

// join returns name as seen from dir. It does not clean the result: link/.. is the parent of the link's target.
func join(dir, name string) string {
	if name == "" {
		return dir
	}
	if filepath.IsAbs(name) {
		return name
	}
	return dir + string(filepath.Separator) + name
}

// readInput reads the JSON that a host writes to its hook.
func (g *program) readInput() (hookinput.Input, error) {
	if g.stdin == nil {
		return hookinput.Input{}, nil
	}
	return hookinput.Read(g.stdin, inputWait)
}
