package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/host"
	"github.com/gsd-cli/gsd/internal/view"
)

// app is one run of the program with its surroundings, all of which a test may replace.
type app struct {
	stdin          io.Reader // nil where that is a terminal: nobody is waited for
	stdout, stderr io.Writer
	env            []string // as os.Environ gives it
	dir            string   // the working directory
	now            func() time.Time
	style          view.Style

	out       bytes.Buffer  // text that goes to stdout at the end, harmless by then
	raw       bytes.Buffer  // what goes there as it is: JSON, HTML and scripts, which have escapes of their own
	inProject func()        // of a hook: called when it knows that there is a project; may be nil
	deadline  time.Duration // of a hook; zero for its host's
	leave     func(answer)  // of a hook: what is printed if its time is up before it ends
}

// run carries out one command line, without the program's name, and gives the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	arranged := arrange(args)
	if hooked(arranged) || hooked(args) { // of a flag without its value little is left
		return a.runHook(ctx, arranged)
	}
	a.leave = func(answer) {}
	err := a.execute(ctx, arranged)
	_, failed := io.WriteString(a.stdout, a.output())
	if closedPipe(failed) { // as of gsd status | head: who reads has read enough
		return a.exit(err)
	}
	if failed != nil && err == nil {
		err = &hydrate.Error{Kind: hydrate.IO, Text: "cannot write the output: " + failed.Error(), Hint: "what was asked for was done; only the answer is lost", Err: failed}
	}
	return a.exit(err)
}

// execute carries out a command line. What it prints is in a.out.
func (a *app) execute(ctx context.Context, args []string) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	return a.commandLine(name).RunContext(ctx, append([]string{"gsd"}, args...))
}

// commandLine returns the command line for one that begins with the word name. It has that command alone, because making
// them all takes as long as many a command does.
func (a *app) commandLine(name string) *cli.App {
	line := &cli.App{
		Name:            "gsd",
		Version:         version(),
		HideHelpCommand: true,
		Writer:          &a.out,
		ErrWriter:       io.Discard, // errors are printed once, by exit
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    usageError,
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return a.unknownCommand(c.Args().First())
			}
			a.printf("%s", a.help())
			return nil
		},
		// The overview makes every command, so only who asks for it pays.
		ExtraInfo:             func() map[string]string { return map[string]string{"help": a.help()} },
		CustomAppHelpTemplate: "{{range ExtraInfo}}{{.}}{{end}}",
	}
	if command := a.find(name); command != nil {
		command.Name = name
		line.Commands = []*cli.Command{command}
	}
	return line
}

// boolFlag is a switch; its default goes without saying.
func boolFlag(name, usage string) cli.Flag {
	return &cli.BoolFlag{Name: name, Usage: usage, DisableDefaultText: true}
}

// answering adds what all commands have in common that print an answer.
func answering(c *cli.Command) *cli.Command {
	c = inDirectory(c)
	c.Flags = append(c.Flags, boolFlag("json", "print JSON, which schema.json describes"))
	return c
}

// inDirectory adds what commands have in common that act in a directory.
func inDirectory(c *cli.Command) *cli.Command {
	c.Flags = append(c.Flags, &cli.StringFlag{Name: "C", Usage: "run as if started in `DIR`"})
	c.OnUsageError = usageError
	c.HideHelpCommand = true
	return c
}

// usage is the error of a command line that makes no sense.
func usage(hint, format string, args ...any) error {
	return &hydrate.Error{Kind: hydrate.Usage, Text: fmt.Sprintf(format, args...), Hint: hint}
}

func usageError(_ *cli.Context, err error, _ bool) error {
	return &hydrate.Error{Kind: hydrate.Usage, Text: err.Error(), Hint: "gsd --help, gsd COMMAND --help", Err: err}
}

// arguments checks how many words a command was given.
func arguments(c *cli.Context, least, most int) error {
	if n := c.NArg(); n < least || n > most {
		name := c.Command.HelpName
		return usage(strings.TrimSpace(name+" "+c.Command.ArgsUsage), "%s: %s given", strings.TrimPrefix(name, "gsd "), view.Count(n, "argument"))
	}
	return nil
}

// workingDir is where the command acts: -C, else the working directory.
func (a *app) workingDir(c *cli.Context) string { return join(a.dir, c.String("C")) }

// join gives name as seen from dir. It does not clean: link/.. is above where the link leads to.
func join(dir, name string) string {
	if name == "" {
		return dir
	}
	if filepath.IsAbs(name) {
		return name
	}
	return dir + string(filepath.Separator) + name
}

func (a *app) getenv(name string) string {
	for i := len(a.env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(a.env[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// open finds the project of a directory.
func (a *app) open(dir string) (*hydrate.Project, error) {
	p, err := hydrate.Open(dir)
	if err != nil {
		return nil, err
	}
	limit, err := a.limit() // not before: outside of a project a hook says nothing
	if err != nil {
		p.Close()
		return nil, err
	}
	p.Allow(limit, hydrate.CommandFiles)
	p.Subproject, p.Workstream = a.getenv("GSD_PROJECT"), a.getenv("GSD_WORKSTREAM")
	p.World = a.world()
	return p, nil
}

// limit is the largest file that is read, in bytes.
func (a *app) limit() (int64, error) {
	text := a.getenv("GSD_MAX_FILE_MIB")
	if text == "" {
		return hydrate.DefaultLimit, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 || n > 2047 {
		return 0, &hydrate.Error{Kind: hydrate.Usage, Text: fmt.Sprintf("GSD_MAX_FILE_MIB is %q", text), Hint: "a whole number of MiB, from 1 to 2047", Err: err}
	}
	return n << 20, nil
}

// world is what surrounds a command besides its project.
func (a *app) world() hydrate.World {
	return hydrate.World{StateDir: hydrate.StateDirOf(a.getenv), Caller: a.caller()}
}

// user is who works in dir. That there is no git program is for gsd whoami to say, and not for every command.
func (a *app) user(ctx context.Context, dir string) identity.User {
	u := a.whoIs(ctx, dir)
	u.Warnings = slices.DeleteFunc(u.Warnings, func(w identity.Warning) bool { return w.Code == identity.WarnGitMissing })
	return u
}

func (a *app) whoIs(ctx context.Context, dir string) identity.User {
	return identity.Find(ctx, identity.SystemWorld(a.env), dir)
}

// errGuessed means that git may know the user by another name, and could not be asked.
var errGuessed = errors.New("the user's name is a guess")

// refuseGuess refuses to write under a name that may be another one the next time: the session would be nobody's.
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
		Kind: hydrate.Refused, Text: text, Err: errGuessed,
		Hint: "nothing was written; once git config user.name answers here, or has none to tell, run the command again",
	}
}

// withWriter is withUser for the commands that write: they refuse to guess whose session it is.
func (a *app) withWriter(ctx context.Context, dir string, do func(*hydrate.Project, identity.User) error) error {
	return a.withUser(ctx, dir, func(p *hydrate.Project, u identity.User) error {
		if err := refuseGuess(u); err != nil {
			return err
		}
		return do(p, u)
	})
}

// withUser gives the project and the user of a directory, for the commands that need both. Where they
// fail, the reader is also told what is wrong with the name: it may be why there is no session.
func (a *app) withUser(ctx context.Context, dir string, do func(*hydrate.Project, identity.User) error) error {
	p, err := a.open(dir)
	if err != nil {
		return err
	}
	defer p.Close() // it was only read through
	u := a.user(ctx, dir)
	p.UserWarnings = userWarnings(u)
	err = do(p, u)
	var failed *hydrate.Error
	if errors.As(err, &failed) && len(u.Warnings) > 0 && !errors.Is(err, errGuessed) {
		told := *failed
		told.Hint = strings.TrimPrefix(told.Hint+"; the user is "+u.Name+": "+u.Warnings[0].Detail, "; ")
		return &told
	}
	return err
}

func userWarnings(u identity.User) (warnings []hydrate.Warning) {
	for _, w := range u.Warnings {
		warnings = append(warnings, hydrate.Warning(w))
	}
	return warnings
}

// printer prints answers on standard output.
func (a *app) printer() *view.Printer {
	return &view.Printer{Out: &a.out, Style: a.style, Now: a.now()}
}

func (a *app) printf(format string, args ...any) { fmt.Fprintf(&a.out, format, args...) }

// output is all that goes to standard output.
func (a *app) output() string { return host.Defang(a.out.String()) + a.raw.String() }

// complain writes a text to standard error.
func (a *app) complain(format string, args ...any) {
	fmt.Fprintf(a.stderr, "%s", host.Defang(fmt.Sprintf(format, args...)))
}
