package main

import (
	"cmp"
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

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/hookinput"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
)

// Commands that a host's hooks run have their own rules: they exit with 0 whatever happens, print nothing on standard error,
// print what the host reads or nothing, and never wait for long. An agent's start, its prompts and its tools wait for them,
// and hosts treat anything else as a failure, show it to people, or pass it to the model. A hook, a host or a flag that is unknown
// is nothing to do: a later gsd of somebody else may have put it into settings that people share.

// isHook reports whether a command line is a hook's.
func isHook(args []string) bool {
	if len(args) == 0 || slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return false
	}
	switch args[0] {
	case "hook", "statusline":
		return true
	case "hydrate":
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

// hookOptions are the flags of a hook.
type hookOptions struct {
	host, pid string
	inline    bool // no envelope, for a slash command; no conversation starts
	ifDue     bool // it is a prompt's hook: nothing, unless a brief is due
}

func hookCommand(inv *invocation) *cli.Command {
	verb := func(name, summary string, do func(*hook, context.Context) error) *cli.Command {
		o := hookOptions{ifDue: name == "prompt"}
		return inDirectory(inv, &cli.Command{
			Name: name, Usage: summary,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "host", Usage: "whose hook it is: `HOST` is " + strings.Join(agent.Names(), ", "), Destination: &o.host},
				&cli.StringFlag{Name: "pid", Usage: "number `N` of the agent's process; anything else is ignored", Destination: &o.pid},
			},
			Action: func(c *cli.Context) error {
				if o.host != "" && !agent.Known(o.host) {
					return nil
				}
				return do(newHook(inv, o), c.Context)
			},
		})
	}
	return verbs(&cli.Command{
		Name:   "hook",
		Hidden: true,
		Usage:  "answer a hook of the host that an agent runs in",
		Description: `gsd install puts these commands into a host's settings; nobody has to type them. They read the host's JSON from standard
input, exit with status 0 and print nothing on standard error, even if they do not know the hook, the HOST or a flag.

start prints what an agent has to know, as Markdown of at most 9,000 bytes in the host's envelope. Outside of a project it prints
nothing, but at the top of a repository the projects below. At the start of a conversation it also records the run. A second hook for the
same start prints nothing.

prompt prints the same with a prompt, once, if it is due: after a compaction, or if the host may have dropped what start printed. With the
first prompt that sends the conversation to carry out a plan, it prints how far that is.

compact records that it is due, because the conversation is about to be compacted.

agent is for an agent that the host's own agent starts. If its prompt sends it to carry out a plan of which something is done, the prompt gets
what that is, and the task to continue with. At its start it prints in a line which session the conversation that started it is on; an executor reads
how far the plan is that its worktree is about, if it is in another one than the conversation.

ask is for Claude, before its agent runs a command of gsd. A person is asked where gsd install has allowed the command, but it would write in plan
mode or complete a checkpoint, unless that person lets Claude do anything.

end records how the conversation's run ended: interrupted if a task of its own is still in progress or the host says that it was
aborted, cancelled after a /clear, failure if the host reports an error, and otherwise success.

EXAMPLES
   gsd hook start --host claude --pid=$PPID < input.json
   gsd hook end --host claude --pid=$PPID < input.json`,
		Subcommands: []*cli.Command{
			verb("start", "print what an agent has to know, and record its run", (*hook).brief),
			verb("prompt", "print what an agent has to know, if it is due, or of the plan that it is sent to", (*hook).brief),
			verb("compact", "record that what an agent has to know is due with the next prompt", (*hook).compact),
			verb("agent", "add to an agent's prompt how far the plan is that it is sent to", (*hook).agent),
			verb("ask", "have a person asked before a command that they did not mean to allow", (*hook).ask),
			verb("end", "record how the conversation's run ended", (*hook).end),
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

// hookFiles is project.CommandFiles for a hook, which reads less because an agent waits for it.
const hookFiles = 4

// errNothingToDo is returned by a hook's action if it has nothing to do in this project.
var errNothingToDo = errors.New("nothing to do in this project")

// A hook is an invocation by a host, or by its slash command.
type hook struct {
	*invocation
	hookOptions
	input  hookinput.Input // empty if it cannot be read
	caller run.Caller      // the agent that it is about
	began  time.Time
	found  func() // called once a project has been found; may be nil
	told   string // the plan of which the brief says how far it is
}

// newHook reads the hook's input. The --pid is the parent of the hook's shell ($PPID). It is ignored if it is 1,
// which is usually init: that adopts the processes of an agent that is gone, and never dies. (An agent that is process 1
// itself, in a container, is identified by its environment, see agent.Caller, or by its conversation.) It is also ignored on
// Windows, where shells have process numbers of their own.
func newHook(inv *invocation, o hookOptions) *hook {
	h := &hook{invocation: inv, hookOptions: o, caller: inv.env.callerIn(o.host), began: inv.now()}
	if !o.inline {
		h.input, _ = inv.readInput()
	}
	h.caller.Conversation = cmp.Or(h.input.Conversation, h.caller.Conversation)
	h.caller.Log = h.input.Log
	if n, err := strconv.ParseUint(o.pid, 10, 31); err == nil && n > 1 && runtime.GOOS != "windows" {
		h.caller.PID, h.caller.Sure = int(n), true
	}
	h.caller.Cleared = h.input.Source == "clear"
	return h
}

// inProject calls act with the user and the project of each directory in turn, until act does not return errNothingToDo. It does
// nothing outside a project, in another person's project, where GSD_OFF is set, or if another host runs the hook: some also run those
// in the settings of others, and ignore what they print. Whose session it is must not be guessed, so it is an error if git does
// not answer in time.
func (h *hook) inProject(ctx context.Context, dirs []string, act func(p *app.Project, user string) error) error {
	if h.env.get("GSD_OFF") != "" || agent.Borrows(h.caller.Host, h.env.get, h.caller.Conversation) {
		return nil
	}
	for _, dir := range dirs {
		if err := h.inProjectAt(ctx, dir, act); !errors.Is(err, errNothingToDo) {
			return err
		}
	}
	return nil
}

func (h *hook) inProjectAt(ctx context.Context, dir string, act func(p *app.Project, user string) error) error {
	p, err := h.opened(h.given().Find(dir, h.world()))
	var known *problem.Error
	switch {
	case errors.As(err, &known) && known.Kind != problem.Usage:
		return errNothingToDo
	case err != nil:
		return err
	}
	defer p.Close() // what was written is synced
	if p.Foreign() {
		return errNothingToDo
	}
	if in := cmp.Or(h.input.CWD, h.dir); h.in == "" && in != dir && filepath.IsAbs(in) {
		if at, err := filepath.EvalSymlinks(in); err == nil {
			p.Planning.From = at
		}
	}
	p.Caller = h.caller
	p.Planning.Allow(p.Planning.Limit, hookFiles)
	if h.found != nil {
		h.found()
	}
	ctx, cancel := context.WithTimeout(ctx, gitWait)
	defer cancel()
	u := h.given().User(ctx, p, dir)
	if ctx.Err() != nil {
		text := fmt.Sprintf("git did not say within %v who you are", gitWait)
		return &problem.Error{Kind: problem.IO, Text: text, Hint: "`gsd whoami` asks git, too"}
	}
	if err := p.As(u, app.Writes); err != nil {
		return err
	}
	return act(p, u.Name)
}

// startDirs returns the directories in which to look for the project of a conversation that starts: the one it is in, those
// in which it may have been started, the one in which the hook runs. -C overrides them.
func (h *hook) startDirs() []string {
	return h.dirs(append([]string{h.input.CWD}, h.startedIn()...))
}

// laterDirs is startDirs for a conversation that may have moved to another project since: it begins with where it started.
func (h *hook) laterDirs() []string { return h.dirs(append(h.startedIn(), h.input.CWD)) }

func (h *hook) startedIn() (dirs []string) {
	for _, name := range agent.StartedIn() {
		dirs = append(dirs, h.env.get(name))
	}
	return append(dirs, h.dir)
}

func (h *hook) dirs(all []string) (dirs []string) {
	if h.in != "" {
		return []string{h.workingDir()}
	}
	for _, dir := range all {
		if filepath.IsAbs(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// compact records that a brief is due with the conversation's next prompt: the host is about to replace what was said so
// far, the brief with it, by a summary.
func (h *hook) compact(ctx context.Context) error {
	if h.caller.Conversation == "" || h.input.Subagent {
		return nil
	}
	return h.inProject(ctx, h.startDirs(), func(p *app.Project, _ string) error {
		return p.StateDir.Conversation(h.caller.Host, h.caller.Conversation).SetDue(true, h.now())
	})
}

// end records the end of a conversation's run. If a task of its own is in progress, the run was interrupted, whatever the
// host says: only the agent knows which tasks are done. The end of a subagent does not count.
func (h *hook) end(ctx context.Context) error {
	h.caller.Token, h.caller.SureHost = "", h.host != "" // the conversation ends, not the run in which it was started
	if h.caller.Anonymous() || h.input.Subagent {
		return nil
	}
	_ = h.world().StateDir.Conversation(h.caller.Host, h.caller.Conversation).Forget() // it expires, otherwise
	status, cause := endOf(h.input.Reason)
	return h.inProject(ctx, h.laterDirs(), func(p *app.Project, user string) error {
		err := p.EndRuns(ctx, app.EndRunOptions{
			User: user, Status: status, Cause: cause, Wait: hookWait,
		})
		if none, ok := errors.AsType[*problem.Error](err); ok && none.Kind == problem.MissingInput { // it has no run here
			history.EndBehind(p.Project, user, h.caller.Conversation)
			return errNothingToDo
		}
		h.syncLater(p, true)
		return err
	})
}

// endOf is how a run ended whose conversation ended for a reason, in the host's words.
func endOf(reason string) (run.Status, run.Cause) {
	switch agent.EndingOf(reason) {
	case agent.Cleared:
		return run.Cancelled, run.CauseCleared
	case agent.Erred:
		return run.Failure, run.CauseUser
	case agent.BrokenOff:
		return run.Interrupted, run.CauseUser
	}
	return run.Success, run.CauseUser
}
