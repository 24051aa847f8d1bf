package main

import (
	"cmp"
	"context"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/agent"
)

// callerOptions are the flags that identify the agent that calls gsd run start or end.
type callerOptions struct {
	host, id string
	pid      int
	hook     bool
	ends     bool // its run ends
}

func (o *callerOptions) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "host", Usage: "the program that the agent runs in, such as claude, as `NAME`", Destination: &o.host},
		&cli.StringFlag{Name: "id", Usage: "the host's `ID` of the conversation", Destination: &o.id},
		&cli.IntFlag{Name: "pid", Usage: "the agent's process, as `N`", Destination: &o.pid},
		boolFlag(&o.hook, "hook", "read what is not given from a hook's JSON on standard input"),
	}
}

func (o *callerOptions) check() error {
	if err := checkHost(o.host); err != nil {
		return err
	}
	switch {
	case o.id != "" && !agent.ValidConversation(o.id):
		return usage("at most 128 letters, digits and ._:-", "--id is %s", quoted(o.id))
	case o.pid < 0:
		return usage("a process id, such as $PPID", "--pid is %d", o.pid)
	}
	return nil
}

// withProject is withProject of an invocation that writes, for the agent that the flags, a hook's input and the environment
// identify, in this order.
func (o *callerOptions) withProject(ctx context.Context, inv *invocation, do func(p *hydrate.Project, user string) error) error {
	if err := o.check(); err != nil {
		return err
	}
	dir, caller := inv.workingDir(), inv.env.callerIn(o.host)
	if o.hook {
		in, err := o.readHook(inv)
		if err != nil {
			return err
		}
		caller.Conversation = cmp.Or(in.Conversation, caller.Conversation)
		if inv.in == "" {
			dir = join(dir, in.CWD)
		}
	}
	caller.Conversation = cmp.Or(o.id, caller.Conversation)
	if o.pid > 0 {
		caller.PID, caller.Sure = o.pid, true
	}
	if o.ends { // flags take precedence over what the shell has inherited
		if o.id != "" || o.pid > 0 || o.hook {
			caller.Token = ""
		}
		caller.SureHost = o.host != ""
	}
	return inv.projectAt(ctx, dir, writes, func(p *hydrate.Project, user string) error {
		p.Caller = caller
		return do(p, user)
	})
}

// readHook reads the input of a hook, which has to name the conversation if no flag does: it must not be guessed.
func (o *callerOptions) readHook(inv *invocation) (agent.Input, error) {
	in, err := inv.readInput()
	switch {
	case err != nil:
		return in, &hydrate.Error{Kind: hydrate.BadData, Text: err.Error(), Hint: "drop --hook, or pipe the host's JSON in", Err: err}
	case in.Conversation == "" && o.id == "" && o.pid == 0:
		return in, &hydrate.Error{Kind: hydrate.BadData, Text: "the hook's input names no conversation", Hint: "it needs a session_id; or use --id or --pid"}
	}
	return in, nil
}

// checkHost refuses a host's name that could not be stored or shown as it is.
func checkHost(name string) error {
	if name != "" && !isName(name) {
		return usage("letters, digits, - and _, such as claude", "--host is %s", quoted(name))
	}
	return nil
}

// isName reports whether s can be the name of a host.
func isName(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return s != "" && s[0] != '-' && len(s) <= longestWord
}

// stdinOf returns standard input, nil for a terminal.
func stdinOf(f *os.File) io.Reader {
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil
	}
	return f
}
