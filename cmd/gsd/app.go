package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/view"
)

// app is one execution of the program, with everything around it that a test may replace.
type app struct {
	stdin          io.Reader // nil for a terminal, because gsd never waits for a person
	stdout, stderr io.Writer
	terminal       io.Writer // stderr, if it is a terminal that can rewrite a line; nil otherwise
	env            environ
	dir            string // the working directory
	called         string // how this program was called, as in os.Args[0]; empty for gsd
	now            func() time.Time
	style          view.Style
	rows           func() int                        // how many lines stdout shows at once, 0 for any number; may be nil
	around         func(hydrate.World) hydrate.World // replaces what a command depends on, in tests; may be nil

	in        string        // the directory that -C names; may be empty
	out       bytes.Buffer  // text for stdout, not yet defanged
	raw       bytes.Buffer  // output that is written unchanged: JSON, HTML and scripts have their own escapes
	inProject func()        // for a hook: called once a project has been found; may be nil
	progress  *progressLine // nil for a hook, and without a terminal
	deadline  time.Duration // for a hook; zero for its host's
	fallback  func(answer)  // for a hook: stores what to print if it runs out of time

	printed atomic.Pointer[func(ok bool)] // for a hook: called once it has printed its answer, or failed to; may be nil
}

// run executes a command line, without the program's name, and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	arranged := arrange(args)
	if isHook(arranged) || isHook(args) { // arrange keeps little of a line whose last flag lacks its value
		return a.runHook(ctx, arranged)
	}
	a.fallback = func(answer) {}
	if a.terminal != nil {
		a.progress = &progressLine{terminal: a.terminal}
	}
	err := a.execute(ctx, arranged)
	a.progress.hide()
	if _, failed := io.WriteString(a.stdout, a.output()); failed != nil && err == nil {
		err = &hydrate.Error{
			Kind: hydrate.IO, Text: "cannot write the output: " + failed.Error(),
			Hint: "the command was carried out; only its output is lost", Err: failed,
		}
	}
	return a.exit(err)
}

// execute carries out an arranged command line and leaves its output in a.out and a.raw.
func (a *app) execute(ctx context.Context, args []string) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	a.in, _ = findFlag(args, "C")
	return a.commandLine(name).RunContext(ctx, append([]string{"gsd"}, args...))
}

// commandLine returns the parser for a command line that begins with the word name. It knows that command alone: building
// all of them takes longer than most commands run.
func (a *app) commandLine(name string) *cli.App {
	line := &cli.App{
		Name:            "gsd",
		Version:         version(),
		HideHelpCommand: true,
		Writer:          &a.out,
		ErrWriter:       io.Discard, // exit prints errors
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    usageError,
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return unknownCommand("gsd", c.Args().First(), a.words())
			}
			a.printf("%s", a.help())
			return nil
		},
		// A function, because only --help needs it and it builds every command.
		ExtraInfo:             func() map[string]string { return map[string]string{"help": a.help()} },
		CustomAppHelpTemplate: "{{range ExtraInfo}}{{.}}{{end}}",
	}
	if command := a.find(name); command != nil {
		command.Name = name
		line.Commands = []*cli.Command{command}
	}
	return line
}

// command completes the definition of a command. Its arguments are checked against its ArgsUsage.
func command(c *cli.Command) *cli.Command {
	c.OnUsageError = usageError
	c.HideHelpCommand = true
	if len(c.Subcommands) == 0 {
		c.Before = checkArguments
	}
	return c
}

// inDirectory is command for commands that act in a directory: it adds -C.
func inDirectory(c *cli.Command) *cli.Command {
	c.Flags = append(c.Flags, &cli.StringFlag{Name: "C", Usage: "run as if started in `DIR`"})
	return command(c)
}

// answering is inDirectory for commands that print an answer: it adds --json.
func answering(c *cli.Command) *cli.Command {
	c = inDirectory(c)
	c.Flags = append(c.Flags, boolFlag("json", "print JSON, as described by schema.json"))
	return c
}

// reply prints an answer, as JSON if that was asked for.
func reply[T any](a *app, c *cli.Context, answer T, err error, print func(*view.Printer, T)) error {
	switch {
	case err != nil:
		return err
	case c.Bool("json"):
		return view.JSON(&a.raw, answer)
	}
	print(a.printer(), answer)
	return nil
}

func boolFlag(name, usage string) cli.Flag {
	return &cli.BoolFlag{Name: name, Usage: usage, DisableDefaultText: true}
}

// exclusive refuses a command line with more than one of these flags.
func exclusive(c *cli.Context, names ...string) error {
	given := slices.DeleteFunc(names, func(name string) bool { return !c.IsSet(name) })
	if len(given) > 1 {
		return usage("use one of them", "--%s and --%s can't be used together", given[0], given[1])
	}
	return nil
}

// usage is the error of an invalid command line.
func usage(hint, format string, args ...any) error {
	return &hydrate.Error{Kind: hydrate.Usage, Text: fmt.Sprintf(format, args...), Hint: hint}
}

func usageError(c *cli.Context, err error, _ bool) error {
	hint := "gsd --help"
	if c.Command != nil && c.Command.HelpName != "" {
		hint = c.Command.HelpName + " --help"
	}
	return &hydrate.Error{Kind: hydrate.Usage, Text: err.Error(), Hint: hint, Err: err}
}

// checkArguments counts the arguments of a command: its ArgsUsage has a WORD for each that is required, a [WORD] for each
// that is optional, ends with [WORD…] if there may be any number of them, and begins with -- if there may be anything.
func checkArguments(c *cli.Context) error {
	words := strings.Fields(c.Command.ArgsUsage)
	if len(words) > 0 && (words[0] == "--" || strings.HasSuffix(c.Command.ArgsUsage, "…]")) {
		return nil
	}
	optional := 0
	for _, word := range words {
		if word[0] == '[' {
			optional++
		}
	}
	if n := c.NArg(); n < len(words)-optional || n > len(words) {
		name := c.Command.HelpName
		return usage(strings.TrimSpace(name+" "+c.Command.ArgsUsage), "%s: %s given",
			strings.TrimPrefix(name, "gsd "), view.Count(n, "argument"))
	}
	return nil
}

// quoted returns a word of the command line as an error shows it.
func quoted(word string) string { return `"` + text.Cut(text.Line(word), longestWord) + `"` }

const longestWord = 40

// workingDir is where the command acts.
func (a *app) workingDir(c *cli.Context) string { return join(a.dir, c.String("C")) }

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

// open finds the project of a directory.
func (a *app) open(dir string) (*hydrate.Project, error) {
	p, err := hydrate.Open(dir)
	if err != nil {
		return nil, err
	}
	limit, err := a.env.limit() // only now, because outside a project a hook reports nothing
	if err != nil {
		p.Close()
		return nil, err
	}
	p.Allow(limit, hydrate.CommandFiles)
	p.ChooseRoot(a.env.get("GSD_PROJECT"), a.env.get("GSD_WORKSTREAM"))
	p.World = a.world()
	return p, nil
}

// world is what a command depends on besides its project.
func (a *app) world() hydrate.World {
	w := hydrate.World{StateDir: hydrate.StateDirOf(a.env.get), Caller: a.env.caller(), Now: a.now()}
	if a.progress != nil {
		w.Progress = a.progress.show
	}
	if a.around != nil {
		w = a.around(w)
	}
	return w
}

// user determines who works in dir. It drops the warning of a missing git program, which only gsd whoami shows.
func (a *app) user(ctx context.Context, dir string) identity.User {
	u := a.whoIs(ctx, dir)
	u.Warnings = slices.DeleteFunc(u.Warnings, func(w identity.Warning) bool { return w.Code == identity.WarnGitMissing })
	return u
}

func (a *app) whoIs(ctx context.Context, dir string) identity.User {
	return identity.Find(ctx, identity.SystemWorld(a.env), dir)
}

// refuseGuess refuses to write under a name that may differ the next time: that session would not be found again.
func refuseGuess(u identity.User) error {
	if !u.Guessed {
		return nil
	}
	text := "git cannot say who you are here"
	for _, w := range u.Warnings {
		if w.Code != identity.WarnUnusable {
			text += ": " + w.Detail
			break
		}
	}
	return &hydrate.Error{
		Kind: hydrate.Refused, Text: text,
		Hint: "nothing was written; once git config user.name works here, run the command again",
	}
}

// withWriter is withUser for commands that write, which must not guess whose session it is.
func (a *app) withWriter(c *cli.Context, do func(*hydrate.Project, identity.User) error) error {
	return a.withUser(c, func(p *hydrate.Project, u identity.User) error {
		if err := refuseGuess(u); err != nil {
			return err
		}
		return do(p, u)
	})
}

// withUser calls do with the project and the user of the working directory. If do does not find something, a
// warning about the user's name is added to the hint: the wrong name may be the reason.
func (a *app) withUser(c *cli.Context, do func(*hydrate.Project, identity.User) error) error {
	return a.inDir(c.Context, a.workingDir(c), do)
}

func (a *app) inDir(ctx context.Context, dir string, do func(*hydrate.Project, identity.User) error) error {
	p, err := a.open(dir)
	if err != nil {
		return err
	}
	defer p.Close() // it was only read through
	u := a.user(ctx, dir)
	p.UserWarnings = userWarnings(u)
	err = do(p, u)
	var failed *hydrate.Error
	if errors.As(err, &failed) && failed.Kind == hydrate.MissingInput && len(u.Warnings) > 0 {
		return hinting(failed, "the user is "+u.Name+": "+u.Warnings[0].Detail)
	}
	return err
}

// hinting returns a copy of an error with a further hint.
func hinting(err *hydrate.Error, hint string) error {
	more := *err
	more.Hint = strings.TrimPrefix(more.Hint+"; "+hint, "; ")
	return &more
}

func userWarnings(u identity.User) (warnings []hydrate.Warning) {
	for _, w := range u.Warnings {
		warnings = append(warnings, hydrate.Warning(w))
	}
	return warnings
}

// printer prints answers on standard output.
func (a *app) printer() *view.Printer {
	return &view.Printer{Out: &a.out, Style: a.style, Now: a.now(), In: a.in}
}

func (a *app) printf(format string, args ...any) { fmt.Fprintf(&a.out, format, args...) }

// output returns what goes to standard output.
func (a *app) output() string { return text.Defang(a.out.String()) + a.raw.String() }

// complain prints a line on standard error.
func (a *app) complain(prefix, what string) {
	fmt.Fprintf(a.stderr, "%s: %s\n", prefix, text.Defang(text.Cut(text.Line(what), longestError)))
}

// longestError is how many characters of an error are printed: a path in it may be longer than anyone reads.
const longestError = 1000
