package main

import (
	"cmp"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/host"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) runCommand() *cli.Command {
	return &cli.Command{
		Name:            "run",
		Usage:           "record and inspect who is at work on a session",
		HideHelpCommand: true,
		OnUsageError:    usageError,
		Description: `A run is one agent process or conversation at work. While it lives it holds the session's lease: another run is told who is
at work (exit status 75), and bootstrap does not replace the session under it. hydrate and mark work without any of this.`,
		Subcommands: []*cli.Command{
			a.runStartCommand(), a.runEndCommand(), a.runListCommand(), a.runSweepCommand(), a.runUnlockCommand(),
		},
		Action: func(c *cli.Context) error {
			const verbs = "gsd run start, end, list, sweep or unlock"
			if c.NArg() == 0 {
				return usage(verbs, "run: what about it?")
			}
			return usage(verbs, "no command \"run %s\"", view.Cut(view.Line(c.Args().First()), longestWord))
		},
	}
}

func (a *app) runStartCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "start",
		Usage: "record that an agent begins to work, and take the lease",
		Description: `The same run may start again; the lease of a process that is gone is taken over. gsd mark renews it.

The agent is known by its host's conversation (--id), by its process (--pid), or by the token that --porcelain prints, in the
variable GSD_RUN. What is not given is taken from the host's environment, or from a hook's input (--hook). Name the process
wherever you can: only then is a crash known at once. Without it nobody can tell whether the run is alive, until its time
to live is over.

EXAMPLES
   gsd run start --host codex --id "$ID" --pid $PPID
   export GSD_RUN=$(gsd run start --porcelain --pid $$)`,
		Flags: append(callerFlags(),
			&cli.DurationFlag{Name: "ttl", Usage: "time to live: how long a run whose process cannot be seen keeps the lease after its latest sign of life, as `D`", Value: run.DefaultTTL},
			boolFlag("force", "take the lease from whoever holds it"),
			boolFlag("porcelain", "print the token for GSD_RUN and nothing else"),
			waitFlag(),
		),
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			o := hydrate.StartOptions{Force: c.Bool("force"), Now: a.now(), Wait: c.Duration("wait")}
			if c.IsSet("ttl") {
				o.TTL = c.Duration("ttl")
			}
			switch {
			case c.Bool("json") && c.Bool("porcelain"):
				return usage("use one of them", "--json and --porcelain can't be used together")
			case c.IsSet("ttl") && o.TTL < time.Second:
				return usage("such as 1h or 90s, at least 1s", "--ttl is too short: %s", o.TTL)
			}
			return a.asCaller(c, func(p *hydrate.Project, u identity.User) error {
				o.User = u.Name
				s, err := p.StartRun(c.Context, o)
				switch {
				case err != nil:
					return err
				case c.Bool("porcelain"):
					a.printf("%s\n", view.Line(s.Token))
					return nil
				case c.Bool("json"):
					return view.JSON(&a.raw, s)
				}
				a.printer().Started(s)
				return nil
			})
		},
	})
}

func (a *app) runEndCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "end",
		Usage: "record how a run ended, and give its lease back",
		Description: `EXAMPLES
   gsd run end --status success
   gsd run end --run 3f2a41 --status aborted`,
		Flags: append(callerFlags(),
			&cli.StringFlag{Name: "status", Usage: "how it ended, as `HOW`: success, failure, cancelled, interrupted or aborted"},
			&cli.StringFlag{Name: "run", Usage: "the run `ID`, or the beginning of it, instead of the caller's own"},
			waitFlag(),
		),
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			if c.String("status") == "" {
				return usage("success, failure, cancelled, interrupted or aborted", "run end: how did it end? --status is missing")
			}
			return a.asCaller(c, func(p *hydrate.Project, u identity.User) error {
				status, err := hydrate.ParseRunStatus(c.String("status"))
				if err != nil {
					return err
				}
				e, err := p.EndRun(c.Context, hydrate.EndOptions{
					User: u.Name, Run: c.String("run"), Status: status, Cause: run.CauseUser, Now: a.now(), Wait: c.Duration("wait"),
				})
				switch {
				case err != nil:
					return err
				case c.Bool("json"):
					return view.JSON(&a.raw, e)
				}
				a.printer().Ended(e)
				return nil
			})
		},
	})
}

// callerFlags say who an agent is.
func callerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "host", Usage: "the program that the agent runs in, such as claude, as `NAME`"},
		&cli.StringFlag{Name: "id", Usage: "the host's `ID` of the conversation"},
		&cli.IntFlag{Name: "pid", Usage: "the agent's process, as `N`"},
		boolFlag("hook", "read a hook's JSON from standard input for what is not given"),
	}
}

// checkClaim refuses what could not be stored or shown as it is.
func checkClaim(name, id string, pid int) error {
	switch {
	case name != "" && !isName(name):
		return usage("letters, digits, - and _, such as claude", "--host is %q", view.Cut(view.Line(name), longestWord))
	case id != "" && !host.ValidConversation(id):
		return usage("at most 128 letters, digits and ._:-", "--id is %q", view.Cut(view.Line(id), longestWord))
	case pid < 0:
		return usage("the number of a process, such as $PPID", "--pid is %d", pid)
	}
	return nil
}

const longestWord = 40

// isName reports whether s may be the name of a host.
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
func (a *app) claim(name, id string, pid int, hook bool) (run.Caller, string, error) {
	found := a.claimAs(name)
	dir := ""
	if hook {
		var in host.Input
		if a.stdin != nil {
			var err error
			if in, err = host.ReadInput(a.stdin, hookPatience); err != nil {
				return run.Caller{}, "", &hydrate.Error{Kind: hydrate.BadData, Text: err.Error(), Hint: "drop --hook, or pipe the host's JSON in", Err: err}
			}
		}
		dir = in.CWD
		if in.Conversation == "" && id == "" && pid == 0 { // whose it is must not be guessed
			return run.Caller{}, "", &hydrate.Error{Kind: hydrate.BadData, Text: "the hook's input names no conversation", Hint: "it wants a session_id; or say --id or --pid"}
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
func (a *app) caller() run.Caller {
	c := host.Detect(a.getenv)
	claim := run.Caller{Host: c.Host, Conversation: c.Conversation, PID: c.PID}
	if token := a.getenv(runVariable); isName(token) {
		claim.Token = token
	}
	return claim
}

// claimAs is caller for an agent that runs in the host of that name, if one is given: what the environment says of
// another host is about another agent.
func (a *app) claimAs(name string) run.Caller {
	c := a.caller()
	if name != "" && name != c.Host {
		return run.Caller{Token: c.Token, Host: name}
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

// asCaller is withWriter for the agent that the flags, a hook's input and the environment describe.
func (a *app) asCaller(c *cli.Context, do func(*hydrate.Project, identity.User) error) error {
	name, id, pid, hook := c.String("host"), c.String("id"), c.Int("pid"), c.Bool("hook")
	if err := checkClaim(name, id, pid); err != nil {
		return err
	}
	caller, begun, err := a.claim(name, id, pid, hook)
	if err != nil {
		return err
	}
	if c.Command.Name == "end" { // what is stated counts, whatever the shell has inherited
		if id != "" || pid > 0 || hook {
			caller.Token = ""
		}
		caller.SureHost = name != ""
	}
	dir := a.workingDir(c)
	if begun != "" && c.String("C") == "" { // a hook's own directory counts where -C names none
		dir = begun
	}
	return a.withWriter(c.Context, dir, func(p *hydrate.Project, u identity.User) error {
		p.Caller = caller
		return do(p, u)
	})
}
