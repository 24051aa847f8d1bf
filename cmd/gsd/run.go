package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type runOptions struct {
	dir, verb                             string
	host, id, run, status                 string
	pid                                   int
	ttl, wait                             time.Duration
	hook, force, json, porcelain, gaveTTL bool
}

func (a *app) runCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:      "run",
		Usage:     "tell that an agent begins or ends to work on the session",
		ArgsUsage: "start|end",
		Description: `A run is one agent process or conversation at work. start records it and takes the session's lease: another
live run is then told who is at work (exit status 75), and bootstrap does not replace the session under it.
The same run may start again; the lease of a process that is gone is taken over. gsd mark renews it. end
records how the run ended and gives the lease back. hydrate and mark work without any of this.

The agent is known by its host's conversation (--id), by its process (--pid), or by the word that start
--porcelain prints, in the variable GSD_RUN. What is not given is taken from the host's environment, or from a
hook's input (--hook). Name the process wherever you can: only then a crash is known at once. Without it
nobody can tell whether the run lives, until its time to live is up.

EXAMPLES
   gsd run start --host codex --id "$ID" --pid $PPID
   export GSD_RUN=$(gsd run start --porcelain --pid $$)
   gsd run end --status success
   gsd run end --run 3f2a41 --status aborted

` + exitStatusHelp,
		Flags: append(claimFlags(),
			&cli.StringFlag{Name: "status", Usage: "end: `HOW`: success, failure, cancelled, interrupted or aborted"},
			&cli.StringFlag{Name: "run", Usage: "end: the run `ID`, or the beginning of it, instead of the caller's own"},
			&cli.DurationFlag{Name: "ttl", Usage: "start: how long a run that nobody can look at keeps the lease after its latest sign of life, as `D`", Value: hydrate.DefaultTTL},
			boolFlag("force", "start: take the lease from whoever holds it"),
			boolFlag("hook", "read a hook's JSON from standard input for what is not given"),
			boolFlag("porcelain", "start: print the word for GSD_RUN and nothing else"),
			waitFlag(),
		),
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			o := runOptions{
				dir: a.workingDir(c), verb: c.Args().First(), host: c.String("host"), id: c.String("id"), pid: c.Int("pid"),
				run: c.String("run"), status: c.String("status"), ttl: c.Duration("ttl"), wait: c.Duration("wait"),
				hook: c.Bool("hook"), force: c.Bool("force"), json: c.Bool("json"), porcelain: c.Bool("porcelain"),
				gaveTTL: c.IsSet("ttl"),
			}
			if err := o.check(); err != nil {
				return err
			}
			return a.runStartEnd(c.Context, o)
		},
	})
}

// claimFlags say who an agent is.
func claimFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "host", Usage: "the program that the agent runs in, such as claude, as `NAME`"},
		&cli.StringFlag{Name: "id", Usage: "the host's `ID` of the conversation"},
		&cli.IntFlag{Name: "pid", Usage: "the agent's process, as `N`"},
	}
}

func usage(hint, format string, args ...any) error {
	return &hydrate.Error{Kind: hydrate.Usage, Text: fmt.Sprintf(format, args...), Hint: hint}
}

func (o *runOptions) check() error {
	const hint = "gsd run --help"
	switch {
	case o.verb != "start" && o.verb != "end":
		return usage("gsd run start, gsd run end --status success", "run: %q is neither start nor end", o.verb)
	case o.verb == "end" && o.status == "":
		return usage("success, failure, cancelled, interrupted or aborted", "run end: how did it end? --status is missing")
	case o.verb == "start" && (o.status != "" || o.run != ""):
		return usage(hint, "run start takes neither --status nor --run")
	case o.verb == "end" && (o.gaveTTL || o.force || o.porcelain):
		return usage(hint, "run end takes neither --ttl nor --force nor --porcelain")
	case o.json && o.porcelain:
		return usage("leave one away", "--json and --porcelain exclude each other")
	case o.gaveTTL && o.ttl < time.Second:
		return usage("such as 1h or 90s, at least 1s", "--ttl is too short: %s", o.ttl)
	}
	return checkClaim(o.host, o.id, o.pid)
}

// checkClaim refuses what could not be stored or shown as it is.
func checkClaim(name, id string, pid int) error {
	switch {
	case name != "" && !isName(name):
		return usage("letters, digits, - and _, such as claude", "--host is %q", cut(line(name), longestWord))
	case id != "" && !host.ValidConversation(id):
		return usage("at most 128 letters, digits and ._:-", "--id is %q", cut(line(id), longestWord))
	case pid < 0:
		return usage("the number of a process, such as $PPID", "--pid is %d", pid)
	}
	return nil
}

const longestWord = 40

// isName tells a word that a host may go by.
func isName(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return s != "" && s[0] != '-' && len(s) <= longestWord
}

// hookPatience is how long a hook may take to hand over its input.
const hookPatience = 2 * time.Second

// claim joins what the flags say with a hook's input and the environment, in this order.
func (a *app) claim(name, id string, pid int, hook bool) (hydrate.Claim, string, error) {
	found := a.claimAs(name)
	dir := ""
	if hook {
		var in host.Input
		if a.stdin != nil {
			var err error
			if in, err = host.ReadInput(a.stdin, hookPatience); err != nil {
				return hydrate.Claim{}, "", &hydrate.Error{Kind: hydrate.BadData, Text: err.Error(), Hint: "leave --hook away, or pipe the host's JSON in", Err: err}
			}
		}
		dir = in.CWD
		if in.Conversation == "" && id == "" && pid == 0 { // whose it is must not be guessed
			return hydrate.Claim{}, "", &hydrate.Error{Kind: hydrate.BadData, Text: "the hook's input names no conversation", Hint: "it wants a session_id; or say --id or --pid"}
		}
		found.Conversation = cmp.Or(in.Conversation, found.Conversation)
	}
	found.Conversation = cmp.Or(id, found.Conversation)
	if pid > 0 {
		found.PID, found.Sure = pid, true
	}
	return found, dir, nil
}

// caller is who runs this program, by its environment. The run that it was told to belong to comes first: an agent
// that gsd exec has started is known by its host, too.
func (a *app) caller() hydrate.Claim {
	c := host.Detect(a.getenv)
	claim := hydrate.Claim{Host: c.Host, Conversation: c.Conversation, PID: c.PID}
	if token := a.getenv(runVariable); isName(token) {
		claim.Token = token
	}
	return claim
}

// claimAs is caller for an agent that runs in the host of that name, if one is given: what the environment says of
// another host is about another agent.
func (a *app) claimAs(name string) hydrate.Claim {
	c := a.caller()
	if name != "" && name != c.Host {
		return hydrate.Claim{Token: c.Token, Host: name}
	}
	return c
}

// runVariable hands a run's token on to the programs that the agent starts.
const runVariable = "GSD_RUN"

// stdinOf is standard input where it is no terminal: nobody waits for a person there.
func stdinOf(f *os.File) io.Reader {
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil
	}
	return f
}

func (a *app) runStartEnd(ctx context.Context, o runOptions) error {
	claim, dir, err := a.claim(o.host, o.id, o.pid, o.hook)
	if err != nil {
		return err
	}
	if o.verb == "end" { // what is said outright counts, whatever the shell has inherited
		if o.id != "" || o.pid > 0 || o.hook {
			claim.Token = ""
		}
		claim.SureHost = o.host != ""
	}
	if dir != "" && o.dir == a.dir { // a hook's own directory counts where -C names none
		o.dir = dir
	}
	return a.withWriter(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		p.Caller = claim
		if o.verb == "start" {
			return a.runStart(ctx, p, u, o)
		}
		return a.runEnd(ctx, p, u, o)
	})
}

func (a *app) runStart(ctx context.Context, p *hydrate.Project, u identity.User, o runOptions) error {
	if !o.gaveTTL {
		o.ttl = 0
	}
	s, err := p.StartRun(ctx, hydrate.StartOptions{User: u.Name, TTL: o.ttl, Force: o.force, Now: a.now(), Wait: o.wait})
	if err != nil {
		return err
	}
	switch {
	case o.porcelain:
		a.printf("%s\n", line(s.Run.Token))
		return nil
	case o.json:
		return a.writeJSON(startJSON(s, u))
	case s.Reentered:
		a.printf("run %s goes on\n", s.Run.ID)
	default:
		a.printf("run %s began\n", s.Run.ID)
	}
	for i := range s.Superseded {
		a.printf("run %s of the same process is over\n", s.Superseded[i].ID)
	}
	if s.From != nil {
		a.printf("it took the lease over from %s\n", line(s.From.Who()))
	}
	if s.Run.State == hydrate.RunUnknown {
		a.printf("nobody can tell whether it lives: without a sign of life the lease is free after %s\n", s.Run.TTL)
	}
	a.printWarnings(u, s.Warnings...)
	return nil
}

func (a *app) runEnd(ctx context.Context, p *hydrate.Project, u identity.User, o runOptions) error {
	status, err := hydrate.ParseRunStatus(o.status)
	if err != nil {
		return err
	}
	e, err := p.EndRun(ctx, hydrate.EndOptions{User: u.Name, Run: o.run, Status: status, Cause: hydrate.CauseUser, Now: a.now(), Wait: o.wait})
	if err != nil {
		return err
	}
	if o.json {
		return a.writeJSON(endJSON(e, u))
	}
	switch {
	case e.GoesOn && e.Run.Supervised:
		a.printf("run %s goes on: gsd exec will see how it ends\n", e.Run.ID)
	case e.GoesOn:
		a.printf("run %s goes on: others are at work on it\n", e.Run.ID)
	case e.Already:
		a.printf("run %s ended in %s before\n", e.Run.ID, e.Run.End.Status)
	default:
		a.printf("run %s ended in %s\n", e.Run.ID, e.Run.End.Status)
	}
	a.printWarnings(u, e.Warnings...)
	return nil
}
