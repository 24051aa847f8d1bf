package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/host"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// Commands that a host's hooks run have rules of their own: they exit with 0 whatever happens, print nothing on standard
// error, print what the host reads or nothing, and never wait for long. An agent's start, its prompt and its tools wait
// for them, and hosts take anything else for an error of theirs, show it to people, or feed it to the model. A host that
// nobody knows has no such hook: its name is a mistake in the command line, and reported.

// hooked reports whether a command line, as arrange leaves it, is a hook's.
func hooked(args []string) bool {
	if len(args) == 0 || slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return false
	}
	switch args[0] {
	case "statusline":
		return true
	case "hook":
		name := flagValue(args, "host")
		return len(args) > 1 && slices.Contains(hookVerbs, args[1]) && (name == "" || host.Known(name))
	case "hydrate", "resume":
		return hasFlag(args, "inline") && !hasFlag(args, "json", "porcelain", "exit-code")
	}
	return false
}

// hasFlag finds one of some switches in a command line that may not be one.
func hasFlag(args []string, names ...string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		flag, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		return slices.Contains(names, flag) && strings.HasPrefix(arg, "-")
	})
}

// flagValue finds the value of a flag in a command line that may not be one.
func flagValue(args []string, name string) string {
	for i, arg := range args {
		flag := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
		switch {
		case arg == "--":
			return ""
		case !strings.HasPrefix(arg, "-"):
		case flag == name && i+1 < len(args):
			return args[i+1]
		case strings.HasPrefix(flag, name+"="):
			return flag[len(name)+1:]
		}
	}
	return ""
}

// hookVerbs are what a hook may report.
var hookVerbs = []string{"start", "task", "end"}

type hookOptions struct {
	dir, host, pid string
}

func (a *app) hookCommand() *cli.Command {
	verb := func(name, usage string, do func(context.Context, hookOptions) error) *cli.Command {
		return inDirectory(&cli.Command{
			Name: name, Usage: usage, Flags: hostFlags(),
			Action: func(c *cli.Context) error {
				if err := arguments(c, 0, 0); err != nil {
					return err
				}
				o := hookOptions{dir: c.String("C"), host: c.String("host"), pid: c.String("pid")}
				if err := knownHost(o.host); err != nil {
					return err
				}
				return do(c.Context, o)
			},
		})
	}
	return &cli.Command{
		Name:            "hook",
		Hidden:          true,
		Usage:           "answer a host's hook: a conversation starts or ends, a task is done",
		HideHelpCommand: true,
		OnUsageError:    usageError,
		Description: `gsd install puts these into a host's settings; nobody has to type them. Each reads the host's JSON from standard input. The
exit status is always 0, and nothing is printed on standard error: only a HOST that nobody knows is an error of the line.

start prints what an agent has to know, as Markdown of at most 9,000 bytes in that host's envelope, and nothing outside a
project. At the start of a conversation it records the run.
task marks the tasks of the session that the host's own task list has begun or finished, if its item has the task's
name: "Add a note", "Task 2: Add a note" or "03-01 T2: Add a note". If that is ambiguous, nothing is marked.
end records how the conversation's run ended: in success, or interrupted if a task is still in progress.

EXAMPLES
   gsd hook start --host claude --pid=$PPID < input.json
   gsd hook task --host claude < input.json
   gsd hook end --host claude --pid=$PPID < input.json`,
		Subcommands: []*cli.Command{
			verb("start", "print what an agent has to know, and record its run", func(ctx context.Context, o hookOptions) error {
				return a.brief(ctx, briefOptions{dir: o.dir, host: o.host, pid: o.pid})
			}),
			verb("task", "mark the tasks that the host's own list has begun or finished", a.hookTask),
			verb("end", "record how the conversation's run ended", a.hookEnd),
		},
		Action: func(c *cli.Context) error {
			return usage("gsd hook start, task or end", "no command \"%s\"", strings.TrimSpace("hook "+view.Cut(view.Line(c.Args().First()), longestWord)))
		},
	}
}

// knownHost refuses the name of a host that nobody knows; no name is none.
func knownHost(name string) error {
	if name == "" || host.Known(name) {
		return nil
	}
	return usage("one of "+strings.Join(host.Names(), ", "), "--host is %q", view.Cut(view.Line(name), longestWord))
}

func hostFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "host", Usage: "whose hook it is: `HOST` is " + strings.Join(host.Names(), ", ")},
		&cli.StringFlag{Name: "pid", Usage: "the agent's process, as `N`; non-numbers are ignored"},
	}
}

// What a hook waits for, at most: somebody else who is writing, the host that writes its input, and git, which is asked
// for the name where a plain configuration does not tell it. Claude gives all hooks of a session's end 1.5 seconds
// together, Codex three.
const (
	hookWait  = time.Second
	inputWait = time.Second
	gitWait   = time.Second
)

// errElsewhere is what the act of a hook gives where the project is not the one that it is about.
var errElsewhere = errors.New("not about this project")

// inHook finds the project and the user of a hook's input, and does act there. Outside of a project there is nothing to
// do, nor in another person's, nor where another host runs the hook: Copilot and Cursor run those of Claude's settings
// too, and do not read what they print. Whose session it is must not be guessed, so a git that does not answer, or not in
// time, is an error.
func (a *app) inHook(ctx context.Context, dirs []string, claim run.Caller, act func(*hydrate.Project, identity.User) error) error {
	if claim.Host == host.Claude && host.Borrows(a.getenv, claim.Conversation) {
		return nil
	}
	for _, dir := range dirs {
		if err := a.inHookAt(ctx, dir, claim, act); !errors.Is(err, errElsewhere) {
			return err
		}
	}
	return nil
}

func (a *app) inHookAt(ctx context.Context, dir string, claim run.Caller, act func(*hydrate.Project, identity.User) error) error {
	p, err := a.open(dir)
	var known *hydrate.Error
	switch {
	case errors.As(err, &known) && known.Kind != hydrate.Usage:
		return errElsewhere
	case err != nil:
		return err
	}
	defer p.Close() // it was only read through
	if p.Foreign() {
		return errElsewhere
	}
	p.Caller = claim
	p.Allow(p.Limit, hydrate.HookFiles)
	if a.inProject != nil {
		a.inProject()
	}
	ctx, cancel := context.WithTimeout(ctx, gitWait)
	defer cancel()
	u := a.user(ctx, dir)
	if ctx.Err() != nil {
		return &hydrate.Error{Kind: hydrate.IO, Text: fmt.Sprintf("git did not tell within %v who you are", gitWait), Hint: "gsd whoami asks it, too"}
	}
	if err := refuseGuess(u); err != nil {
		return err
	}
	p.UserWarnings = userWarnings(u)
	return act(p, u)
}

// startDirs are the directories from which the project of a conversation is looked for, in order: where it is, where
// it was begun, where the hook runs. -C alone counts where it is given.
func (a *app) startDirs(given, cwd string) []string {
	return a.hookDirs(given, append([]string{cwd}, a.begunIn()...))
}

// laterDirs are the same once a conversation has begun: it may have gone into another project since, and where it was
// begun comes first.
func (a *app) laterDirs(given, cwd string) []string {
	return a.hookDirs(given, append(a.begunIn(), cwd))
}

// begunIn are the directories that may be the one where a conversation was begun.
func (a *app) begunIn() []string {
	return []string{a.getenv("CLAUDE_PROJECT_DIR"), a.getenv("GEMINI_PROJECT_DIR"), a.getenv("CURSOR_PROJECT_DIR"), a.dir}
}

func (a *app) hookDirs(given string, dirs []string) []string {
	if given != "" {
		return []string{join(a.dir, given)}
	}
	var all []string
	for _, dir := range dirs {
		if filepath.IsAbs(dir) && !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}

// hookClaim is who a hook's agent is. What the environment says of another host is about another agent. A process's
// number is what the hook's shell calls its parent ($PPID): 1 is mostly init, which takes the place of an agent that has
// gone and never dies, so an agent that is process 1 itself, in a container, goes by what its environment says (see
// host.Caller) or by its conversation; and the shells that Windows has count in numbers of their own.
func (a *app) hookClaim(name, pid string, in host.Input) run.Caller {
	claim := a.claimAs(name)
	if in.Conversation != "" {
		claim.Conversation = in.Conversation
	}
	if n, err := strconv.ParseUint(pid, 10, 31); err == nil && n > 1 && runtime.GOOS != "windows" {
		claim.PID, claim.Sure = int(n), true
	}
	return claim
}

// hookEnd records the end of a conversation's run. One that leaves a task in progress was interrupted, whatever its
// host says; which tasks are done is for the agent to say, not for its end. A subagent's end is nobody's.
func (a *app) hookEnd(ctx context.Context, o hookOptions) error {
	in := a.readInput()
	claim := a.hookClaim(o.host, o.pid, in)
	claim.Token, claim.SureHost = "", o.host != "" // the conversation ends, and not what has started it
	if claim.Anonymous() || in.Subagent {
		return nil
	}
	return a.inHook(ctx, a.laterDirs(o.dir, in.CWD), claim, func(p *hydrate.Project, u identity.User) error {
		_, err := p.EndRun(ctx, hydrate.EndOptions{
			User: u.Name, Status: endStatus(in.Reason), Cause: run.CauseUser, BreaksOff: true, Now: a.now(), Wait: hookWait,
		})
		var none *hydrate.Error
		if errors.As(err, &none) && none.Kind == hydrate.MissingInput { // it has no run here
			return errElsewhere
		}
		return err
	})
}

// endStatus reads the reason for which a host says that a conversation ended: clear, resume, logout, prompt_input_exit,
// other (Claude, Gemini: exit); complete, error, abort, timeout, user_exit (Copilot); completed, aborted, error,
// window_close, user_close (Cursor). What is not known is an end like others.
func endStatus(reason string) run.Status {
	switch strings.ToLower(reason) {
	case "clear":
		return run.Cancelled
	case "error":
		return run.Failure
	case "abort", "aborted", "timeout":
		return run.Interrupted
	}
	return run.Success
}

// hookTask marks what the host's own task list says of the session's tasks.
func (a *app) hookTask(ctx context.Context, o hookOptions) error {
	if a.stdin == nil {
		return nil
	}
	in, todos, err := host.ReadTodos(a.stdin, inputWait)
	if err != nil || len(todos) == 0 {
		return err
	}
	return a.inHook(ctx, a.laterDirs(o.dir, in.CWD), a.hookClaim(o.host, o.pid, in), func(p *hydrate.Project, u identity.User) error {
		var items []hydrate.Item
		for _, todo := range todos {
			status := planfile.InProgress
			if todo.Status == host.TodoDone {
				status = planfile.Complete
			}
			items = append(items, hydrate.Item{Subject: todo.Subject, Status: status})
		}
		marked, err := p.Mirror(ctx, hydrate.MirrorOptions{User: u.Name, Items: items, Now: a.now(), Wait: hookWait})
		if err == nil && len(marked) == 0 {
			return errElsewhere
		}
		return err
	})
}

// readInput reads what the host tells its hook. A hook does without what cannot be read.
func (a *app) readInput() host.Input {
	if a.stdin == nil {
		return host.Input{}
	}
	in, err := host.ReadInput(a.stdin, inputWait)
	if err != nil {
		return host.Input{}
	}
	return in
}
