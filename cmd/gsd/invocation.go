package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/terminal"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/view"
)

// An invocation is one command line while it is carried out: what it prints, and the flags that most commands have.
type invocation struct {
	*program
	output
	in       string             // the directory that -C names; may be empty
	root     string             // the workstream or sub-project that --ws names; may be empty
	project  *app.Project       // that the command acts in; nil until it is open
	json     bool               // the value of --json
	lines    bool               // JSON is one object a line
	first    string             // the first word after the name of the program
	arranged []string           // the command line, see arrange
	progress *terminal.Progress // nil for a hook, and without a terminal
	late     handover           // what a hook prints if its time runs out
	callable string             // how to call gsd again; empty until name
}

// An output is what a command prints on standard output, in one write at the end.
type output struct {
	out  printer.Buffer // text that is not yet defanged
	help bytes.Buffer   // what --help prints, not yet wrapped
	raw  bytes.Buffer   // what is written unchanged: JSON, HTML and scripts have their own escapes
}

// command returns the name of the command that is carried out, such as mark or run list; "" if there is none of that name.
func (inv *invocation) command() string {
	if len(inv.arranged) == 0 {
		return ""
	}
	names := commandWords(inv.arranged)
	found := inv.find(names[0])
	if found == nil {
		return ""
	}
	if len(names) > 1 && slices.ContainsFunc(found.Subcommands, func(sub *cli.Command) bool { return sub.Name == names[1] }) {
		return names[0] + " " + names[1]
	}
	return names[0]
}

// envelope is what JSON says of an answer besides what is in it.
func (inv *invocation) envelope() view.Envelope {
	return view.Envelope{Command: inv.command(), At: inv.at()}
}

// contents returns what is to be written to standard output.
func (inv *invocation) contents() string {
	columns, _ := inv.room(inv.stdout)
	return text.Defang(inv.out.String()) + fitHelp(inv.help.String(), columns) + inv.raw.String()
}

// execute carries out an arranged command line.
func (inv *invocation) execute(ctx context.Context, args []string) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	if name == "--version" { // one line, however wide the terminal is: others compare it
		fmt.Fprintf(&inv.raw, "gsd version %s\n", version())
		return nil
	}
	return inv.commandLine(name).RunContext(ctx, append([]string{"gsd"}, args...))
}

// commandLine returns the parser for a command line that begins with the word name. It knows that command alone: building
// all of them takes longer than most commands run.
func (inv *invocation) commandLine(name string) *cli.App {
	line := &cli.App{
		Name:            "gsd",
		HideVersion:     true,
		Compiled:        time.Unix(1, 0), // nothing prints it; else the parser asks the system for the program's time
		HideHelpCommand: true,
		Writer:          &inv.help,
		ErrWriter:       io.Discard, // exit prints errors
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    usageError,
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return unknownCommand("gsd", c.Args().First(), names())
			}
			inv.help.WriteString(help())
			return nil
		},
		// A function, because only --help needs it and it builds every command.
		ExtraInfo:             func() map[string]string { return map[string]string{"help": help()} },
		CustomAppHelpTemplate: "{{range ExtraInfo}}{{.}}{{end}}",
	}
	if command := inv.find(name); command != nil {
		columns, _ := inv.room(inv.stdout)
		reflow(command, columns)
		line.Commands = []*cli.Command{command}
	}
	return line
}

// printer prints answers.
func (inv *invocation) printer() *view.Printer {
	columns, _ := inv.room(inv.stdout) // each time again: a terminal may have been resized
	w := printer.NewWriter(&inv.out, inv.style, columns)
	w.At = inv.at()
	return &view.Printer{Writer: w, Now: inv.now()}
}

// plain prints words for programs, which are never broken.
func (inv *invocation) plain() *printer.Writer {
	w := printer.NewWriter(&inv.out, printer.Style{}, 0)
	return &w
}

// reply prints an answer, as JSON if that was asked for.
func reply[T any](inv *invocation, answer T, err error, print func(*view.Printer, T)) error {
	switch {
	case err != nil:
		return err
	case inv.json && inv.lines:
		return inv.envelope().JSONLine(&inv.raw, answer)
	case inv.json:
		return inv.envelope().JSON(&inv.raw, answer)
	}
	print(inv.printer(), answer)
	return nil
}

// onScreen has a printer leave out of a task's text what takes more than the terminal, which gsd tasks shows.
func onScreen[T any](inv *invocation, print func(*view.Printer, T)) func(*view.Printer, T) {
	return func(p *view.Printer, answer T) {
		if inv.style.Bars {
			_, p.Rows = inv.room(inv.stdout)
		}
		print(p, answer)
	}
}

// name is how a caller in the same shell can call this program again.
func (inv *invocation) name() string {
	if inv.callable == "" {
		inv.callable = inv.self().Name()
	}
	return inv.callable
}

// at is where the commands that are printed are typed.
func (inv *invocation) at() action.Place {
	at := action.Place{In: inv.in, Root: inv.root, Program: inv.name()}
	if inv.project != nil {
		at.Root = inv.project.Planning.Naming()
	}
	return at
}

// workingDir is where the command acts.
func (inv *invocation) workingDir() string { return join(inv.dir, inv.in) }

// given is the environment, for what depends on it below.
func (g *program) given() app.Environ { return app.Environ(g.env) }

// open finds the project of a directory.
func (inv *invocation) open(dir string) (*app.Project, error) {
	return inv.opened(inv.given().Open(dir, inv.world()))
}

// opened makes a project the one in which the command acts, in the root that --ws names.
func (inv *invocation) opened(p *app.Project, err error) (*app.Project, error) {
	if err == nil {
		p.Planning.Flag, inv.project = inv.root, p
	}
	return p, err
}

// world is what a command depends on besides its project.
func (inv *invocation) world() verdict.World {
	w := inv.given().World(inv.now())
	w.Processes = run.Remember(run.NewSystem(w.StateDir.Machine))
	if inv.progress != nil {
		w.Progress = inv.progress.Show
	}
	if inv.around != nil {
		w = inv.around(w)
	}
	return w
}

// withProject calls do with the project and the user of the directory in which the command acts. If it writes, whose session it
// is must not be guessed.
func (inv *invocation) withProject(ctx context.Context, use app.Access, do func(p *app.Project, user string) error) error {
	return inv.projectAt(ctx, inv.workingDir(), use, do)
}

// projectAt is withProject for a directory.
func (inv *invocation) projectAt(ctx context.Context, dir string, use app.Access, do func(p *app.Project, user string) error) error {
	p, err := inv.open(dir)
	if err != nil {
		return err
	}
	defer p.Close() // what was written is synced
	u := inv.given().User(ctx, p, dir)
	if err := p.As(u, use); err != nil {
		return err
	}
	return app.AboutUser(do(p, u.Name), u)
}
