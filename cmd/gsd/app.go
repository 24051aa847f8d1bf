package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

// app is one run of the program with its surroundings, all of which a test may replace.
type app struct {
	stdin          io.Reader // nil where that is a terminal: nobody is waited for
	stdout, stderr io.Writer
	env            []string // as os.Environ gives it
	dir            string   // the working directory
	now            func() time.Time
	style          style

	out       bytes.Buffer  // text that goes to stdout at the end, harmless (see clean.go)
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
	if _, failed := io.WriteString(a.stdout, a.output()); failed != nil && err == nil {
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

// commands gives the command of a name alone, because making them all takes as long as many a command does; all, in
// the order of the help, for any other word, and for completion, which tells what there is.
func (a *app) commands(name string) []*cli.Command {
	makers := []struct {
		name string
		make func() *cli.Command
	}{
		{"hydrate", a.hydrateCommand},
		{"bootstrap", a.bootstrapCommand},
		{"mark", a.markCommand},
		{"tasks", a.tasksCommand},
		{"next", a.nextCommand},
		{"recover", a.recoverCommand},
		{"status", a.statusCommand},
		{"state", a.stateCommand},
		{"run", a.runCommand},
		{"exec", a.execCommand},
		{"runs", a.runsCommand},
		{"orphans", a.orphansCommand},
		{"restore", a.restoreCommand},
		{"sweep", a.sweepCommand},
		{"unlock", a.unlockCommand},
		{"install", a.installCommand},
		{"statusline", a.statuslineCommand},
		{"hook", a.hookCommand},
		{"whoami", a.whoamiCommand},
		{"demo", a.demoCommand},
		{"completion", a.completionCommand},
	}
	var all []*cli.Command
	for _, m := range makers {
		if m.name == name {
			return []*cli.Command{m.make()}
		}
	}
	for _, m := range makers {
		all = append(all, m.make())
	}
	return append(all, a.completeCommand())
}

// commandLine is the command line for one that begins with the word name.
func (a *app) commandLine(name string) *cli.App {
	return &cli.App{
		Name:  "gsd",
		Usage: "find the place again in a plan that an agent was working on",
		Description: `gsd keeps, for each user of a project, a working copy of the plan that is being carried out, and tells
at any moment whether it still stands and which task comes next.

EXAMPLES
   gsd hydrate                  where was I?
   gsd bootstrap 03-01          start on plan 03-01
   gsd mark 2 complete          task 2 is done
   gsd next                     which plan comes next, and why?
   gsd recover                  the session is gone: what do the commits say?
   gsd status                   where does the project stand, and who is on what?
   gsd runs                     who worked on it, and how did it end?
   gsd exec -- ./agent.sh       run an agent, and know how it ended
   gsd orphans                  which sessions were lost?
   gsd install claude           let Claude Code ask gsd by itself
   gsd demo                     watch the whole story in a temporary folder

` + exitStatusHelp + `

ENVIRONMENT
   GSD_MAX_FILE_MIB   the largest plan or session that is read, in MiB (default 16); a command reads 16 times as much in all
   GSD_WORKSTREAM     the workstream that ids, next, status and state mean where no session says
   GSD_PROJECT        the same for a sub-project; with both, the workstream of that sub-project
   GSD_RUN            the run that the caller belongs to; gsd exec sets it, gsd run start --porcelain prints it
   XDG_STATE_HOME     where the breadcrumbs are kept (default ~/.local/state; %LocalAppData% on Windows)
   NO_COLOR, FORCE_COLOR, TERM=dumb   colour, which only a terminal gets otherwise`,
		Version:         version(),
		HideHelpCommand: true,
		Writer:          &a.out,
		ErrWriter:       io.Discard, // errors are printed once, by exit
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    usageError,
		Commands:        a.commands(name),
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return a.unknownCommand(c.App, c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
}

// boolFlag is a switch; its default goes without saying.
func boolFlag(name, usage string) cli.Flag {
	return &cli.BoolFlag{Name: name, Usage: usage, DisableDefaultText: true}
}

// command fills in what all commands have in common.
func (a *app) command(c *cli.Command) *cli.Command {
	c = inDirectory(c)
	c.Flags = append(c.Flags, boolFlag("json", "print JSON; schema.json describes it"))
	return c
}

// inDirectory is what also those commands have that print no JSON.
func inDirectory(c *cli.Command) *cli.Command {
	c.Flags = append(c.Flags, &cli.StringFlag{Name: "C", Usage: "run as if started in `DIR`"})
	c.OnUsageError = usageError
	c.HideHelpCommand = true
	return c
}

func usageError(_ *cli.Context, err error, _ bool) error {
	return &hydrate.Error{Kind: hydrate.Usage, Text: err.Error(), Hint: "gsd --help, gsd COMMAND --help", Err: err}
}

func (a *app) unknownCommand(app *cli.App, name string) error {
	hint := "gsd --help lists the commands"
	for _, command := range app.VisibleCommands() { // the library's own guess always finds something
		if len(name) > 2 && strings.HasPrefix(command.Name, name[:3]) {
			hint = "did you mean gsd " + command.Name + "?"
		}
	}
	return &hydrate.Error{Kind: hydrate.Usage, Text: fmt.Sprintf("no command %q", name), Hint: hint}
}

// arguments checks how many words a command was given.
func arguments(c *cli.Context, least, most int) error {
	if n := c.NArg(); n < least || n > most {
		return &hydrate.Error{Kind: hydrate.Usage, Text: c.Command.Name + ": " + count(n, "argument") + " given", Hint: "gsd " + c.Command.Name + " " + c.Command.ArgsUsage}
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

func (a *app) user(ctx context.Context, dir string) identity.User {
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
	err = do(p, u)
	var failed *hydrate.Error
	if errors.As(err, &failed) && len(u.Warnings) > 0 && !errors.Is(err, errGuessed) {
		told := *failed
		told.Hint = strings.TrimPrefix(told.Hint+"; the user is "+u.Name+": "+u.Warnings[0].Detail, "; ")
		return &told
	}
	return err
}
