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
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// Commands that a host's hooks run have their own rules: they exit with 0 whatever happens, print nothing on standard error,
// print what the host reads or nothing, and never wait for long. An agent's start, its prompts and its tools wait for them,
// and hosts treat anything else as a failure, show it to people, or pass it to the model. Only an unknown host is reported:
// it cannot have such a hook, so the command line is a mistake.

// isHook reports whether a command line is a hook's.
func isHook(args []string) bool {
	if len(args) == 0 || slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return false
	}
	switch args[0] {
	case "statusline":
		return true
	case "hook":
		name, _ := findFlag(args, "host")
		return len(args) > 1 && slices.Contains([]string{"start", "prompt", "compact", "task", "end"}, args[1]) && (name == "" || agent.Known(name))
	case "hydrate", "resume":
		found := func(name string) bool { _, ok := findFlag(args, name); return ok }
		return found("inline") && !found("json") && !found("porcelain") && !found("exit-code")
	}
	return false
}

// findFlag looks for a flag, and its value, in a command line that may be invalid.
func findFlag(args []string, name string) (value string, ok bool) {
	for i, arg := range args {
		flag, found := strings.CutPrefix(arg, "-")
		flag, value, hasValue := strings.Cut(strings.TrimPrefix(flag, "-"), "=")
		switch {
		case arg == "--":
			return "", false
		case !found || flag != name:
		case hasValue:
			return value, true
		case i+1 < len(args):
			return args[i+1], true
		default:
			return "", true
		}
	}
	return "", false
}

type hookOptions struct {
	dir, host, pid string
}

func (a *app) hookCommand() *cli.Command {
	verb := func(name, says string, do func(context.Context, hookOptions) error) *cli.Command {
		return inDirectory(&cli.Command{
			Name: name, Usage: says,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "host", Usage: "whose hook it is: `HOST` is " + strings.Join(agent.Names(), ", ")},
				&cli.StringFlag{Name: "pid", Usage: "the agent's process, as `N`; non-numbers are ignored"},
			},
			Action: func(c *cli.Context) error {
				o := hookOptions{dir: c.String("C"), host: c.String("host"), pid: c.String("pid")}
				if o.host != "" && !agent.Known(o.host) {
					return usage("one of "+strings.Join(agent.Names(), ", "), "--host is %s", quoted(o.host))
				}
				return do(c.Context, o)
			},
		})
	}
	return verbs(&cli.Command{
		Name:   "hook",
		Hidden: true,
		Usage:  "answer a host's hook: when a conversation starts or ends, is compacted, gets a prompt, or a task changes",
		Description: `gsd install puts these commands into a host's settings; nobody has to type them. They read the host's JSON from standard
input, exit with status 0 and print nothing on standard error. Only an unknown HOST is an error.

start prints what an agent has to know, as Markdown of at most 9,000 bytes in the host's envelope, and nothing outside a
project. At the start of a conversation it also records the run. A second hook for the same start prints nothing.
prompt prints the same with a prompt, once, if it is due: after a compaction, or if the host may have dropped what start printed.
compact records that it is due, because the conversation is about to be compacted.
task updates the tasks of the session that the host's own task list has started or finished, if its item has the task's name:
"Add a note", "Task 2: Add a note" or "03-01 T2: Add a note". If the name is ambiguous, nothing is marked.
end records how the conversation's run ended: successfully, or interrupted if a task is still in progress.

EXAMPLES
   gsd hook start --host claude --pid=$PPID < input.json
   gsd hook task --host claude < input.json
   gsd hook end --host claude --pid=$PPID < input.json`,
		Subcommands: []*cli.Command{
			verb("start", "print what an agent has to know, and record its run", func(ctx context.Context, o hookOptions) error {
				return a.brief(ctx, briefOptions{dir: o.dir, host: o.host, pid: o.pid})
			}),
			verb("prompt", "print what an agent has to know, if it is due", func(ctx context.Context, o hookOptions) error {
				return a.brief(ctx, briefOptions{dir: o.dir, host: o.host, pid: o.pid, ifDue: true})
			}),
			verb("compact", "record that what an agent has to know is due with the next prompt", a.hookCompact),
			verb("task", "mark the tasks that the host's own list has started or finished", a.hookTask),
			verb("end", "record how the conversation's run ended", a.hookEnd),
		},
	})
}

// How long a hook waits at most: for another process that is writing, for the host to write the input, and for git, which is
// asked for the name if a plain configuration does not have it. At the end of a session, Claude gives all hooks together 1.5
// seconds, and Codex three.
const (
	hookWait  = time.Second
	inputWait = time.Second
	gitWait   = time.Second
)

// errNothingToDo is returned by a hook's action if it has nothing to do in this project.
var errNothingToDo = errors.New("nothing to do in this project")

// inHook calls act with the user and the project of each directory in turn, until act does not return errNothingToDo. It does
// nothing outside a project, in another person's project, or if another host runs the hook: some also run those
// in the settings of others, and ignore what they print. Whose session it is must not be guessed, so it is an error if git does
// not answer in time.
func (a *app) inHook(ctx context.Context, dirs []string, caller run.Caller, act func(*hydrate.Project, identity.User) error) error {
	if agent.Borrows(caller.Host, a.env.get, caller.Conversation) {
		return nil
	}
	for _, dir := range dirs {
		if err := a.inHookAt(ctx, dir, caller, act); !errors.Is(err, errNothingToDo) {
			return err
		}
	}
	return nil
}

func (a *app) inHookAt(ctx context.Context, dir string, caller run.Caller, act func(*hydrate.Project, identity.User) error) error {
	p, err := a.open(dir)
	var known *hydrate.Error
	switch {
	case errors.As(err, &known) && known.Kind != hydrate.Usage:
		return errNothingToDo
	case err != nil:
		return err
	}
	defer p.Close() // it was only read through
	if p.Foreign() {
		return errNothingToDo
	}
	p.Caller = caller
	p.Allow(p.Limit(), hydrate.HookFiles)
	if a.inProject != nil {
		a.inProject()
	}
	ctx, cancel := context.WithTimeout(ctx, gitWait)
	defer cancel()
	u := a.user(ctx, dir)
	if ctx.Err() != nil {
		text := fmt.Sprintf("git did not say within %v who you are", gitWait)
		return &hydrate.Error{Kind: hydrate.IO, Text: text, Hint: "gsd whoami asks git, too"}
	}
	if err := refuseGuess(u); err != nil {
		return err
	}
	p.UserWarnings = userWarnings(u)
	return act(p, u)
}

// startDirs returns the directories in which to look for the project of a conversation that starts: the one it is in, those
// in which it may have been started, the one in which the hook runs. -C overrides them.
func (a *app) startDirs(given, cwd string) []string {
	return a.hookDirs(given, append([]string{cwd}, a.startedIn()...))
}

// laterDirs is startDirs for a conversation that may have moved to another project since: it begins with where it started.
func (a *app) laterDirs(given, cwd string) []string {
	return a.hookDirs(given, append(a.startedIn(), cwd))
}

func (a *app) startedIn() []string {
	return []string{a.env.get("CLAUDE_PROJECT_DIR"), a.env.get("GEMINI_PROJECT_DIR"), a.env.get("CURSOR_PROJECT_DIR"), a.dir}
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

// hookCaller returns the agent that a hook is about. pid is the parent of the hook's shell ($PPID). It is ignored if it is 1,
// which is usually init: that adopts the processes of an agent that is gone, and never dies. (An agent that is process 1
// itself, in a container, is identified by its environment, see agent.Caller, or by its conversation.) It is also ignored on
// Windows, where shells have process numbers of their own.
func (a *app) hookCaller(name, pid string, in agent.Input) run.Caller {
	caller := a.env.callerIn(name)
	if in.Conversation != "" {
		caller.Conversation = in.Conversation
	}
	if n, err := strconv.ParseUint(pid, 10, 31); err == nil && n > 1 && runtime.GOOS != "windows" {
		caller.PID, caller.Sure = int(n), true
	}
	caller.Cleared = in.Source == "clear"
	return caller
}

// hookCompact records that a brief is due with the conversation's next prompt: the host is about to replace what was said so
// far, the brief with it, by a summary.
func (a *app) hookCompact(ctx context.Context, o hookOptions) error {
	in, _ := a.readInput()
	caller := a.hookCaller(o.host, o.pid, in)
	if caller.Conversation == "" || in.Subagent {
		return nil
	}
	return a.inHook(ctx, a.startDirs(o.dir, in.CWD), caller, func(p *hydrate.Project, _ identity.User) error {
		return p.StateDir.Conversation(caller.Host, caller.Conversation).SetDue(true, a.now())
	})
}

// hookEnd records the end of a conversation's run. If a task is in progress, the run was interrupted, whatever the
// host says: only the agent knows which tasks are done. The end of a subagent does not count.
func (a *app) hookEnd(ctx context.Context, o hookOptions) error {
	in, _ := a.readInput()
	caller := a.hookCaller(o.host, o.pid, in)
	caller.Token, caller.SureHost = "", o.host != "" // the conversation ends, not the run in which it was started
	if caller.Anonymous() || in.Subagent {
		return nil
	}
	_ = a.world().StateDir.Conversation(caller.Host, caller.Conversation).Forget() // it expires, otherwise
	return a.inHook(ctx, a.laterDirs(o.dir, in.CWD), caller, func(p *hydrate.Project, u identity.User) error {
		_, err := p.EndRun(ctx, hydrate.EndOptions{
			User: u.Name, Status: endStatus(in.Reason), Cause: run.CauseUser, BreaksOff: true, Now: a.now(), Wait: hookWait,
		})
		var none *hydrate.Error
		if errors.As(err, &none) && none.Kind == hydrate.MissingInput { // it has no run here
			return errNothingToDo
		}
		a.syncLater(ctx, p, u, true)
		return err
	})
}

// endStatus maps the reason that a host gives for the end of a conversation: clear, resume, logout, prompt_input_exit, other
// (Claude, Gemini: exit); complete, error, abort, timeout, user_exit (Copilot); completed, aborted, error, window_close,
// user_close (Cursor). An unknown reason is a normal end.
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

// hookTask copies the host's own task list to the session's tasks.
func (a *app) hookTask(ctx context.Context, o hookOptions) error {
	in, err := a.readInput()
	if err != nil || len(in.Todos) == 0 {
		return err
	}
	agent.NameTodos(o.host, a.env.get, a.env.home(), in.Conversation, in.Todos)
	var items []hydrate.Item
	for _, todo := range in.Todos {
		status := planfile.InProgress
		if todo.Done {
			status = planfile.Complete
		}
		items = append(items, hydrate.Item{Subject: todo.Subject, Status: status})
	}
	caller := a.hookCaller(o.host, o.pid, in)
	return a.inHook(ctx, a.ownDirs(ctx, a.laterDirs(o.dir, in.CWD), caller), caller, func(p *hydrate.Project, u identity.User) error {
		marked, err := p.Mirror(ctx, hydrate.MirrorOptions{User: u.Name, Items: items, Now: a.now(), Wait: hookWait})
		if err == nil && len(marked) == 0 {
			return errNothingToDo
		}
		if err == nil {
			a.syncLater(ctx, p, u, false)
		}
		return err
	})
}

// ownDirs returns the first of the directories in whose project the caller's run is open, or all of them if it is in none. In a
// worktree that Claude has made, CLAUDE_PROJECT_DIR is the main one, where the same plan may be in work.
func (a *app) ownDirs(ctx context.Context, dirs []string, caller run.Caller) []string {
	if len(dirs) < 2 {
		return dirs
	}
	for _, dir := range dirs {
		own := false
		_ = a.inHook(ctx, []string{dir}, caller, func(p *hydrate.Project, u identity.User) error {
			own = p.HasRun(u.Name, a.now())
			return nil
		})
		if own {
			return []string{dir}
		}
	}
	return dirs
}

// readInput reads the JSON that a host writes to its hook.
func (a *app) readInput() (agent.Input, error) {
	if a.stdin == nil {
		return agent.Input{}, nil
	}
	return agent.ReadInput(a.stdin, inputWait)
}
