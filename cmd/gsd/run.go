package main

import (
	"cmp"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) runCommand() *cli.Command {
	return verbs(&cli.Command{
		Name:  "run",
		Usage: "record and list the runs of agents on a session",
		Description: `A run is one agent process or conversation at work. While it is alive it holds the session's lease: another run is told who
is at work (exit status 75), and bootstrap does not replace the session. hydrate and mark work without any of this.`,
		Subcommands: []*cli.Command{
			a.runStartCommand(), a.runEndCommand(), a.runListCommand(), a.runSweepCommand(), a.runUnlockCommand(),
		},
	})
}

func (a *app) runStartCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "start",
		Usage: "record that an agent starts to work, and take the lease",
		Description: `A run may be started again, and the lease of a process that is gone is taken over. gsd mark renews the lease.

An agent is identified by its host's conversation (--id), by its process (--pid), or by the variable GSD_RUN, which holds the
token that --porcelain prints. What is not given comes from a hook's input (--hook) or from the host's environment. Give the
process if you can: only then is a crash noticed at once. Otherwise the run may be alive until its time to live is over.

EXAMPLES
   gsd run start --host codex --id "$ID" --pid $PPID
   export GSD_RUN=$(gsd run start --porcelain --pid $$)`,
		Flags: append(callerFlags(),
			&cli.DurationFlag{
				Name: "ttl", Value: run.DefaultTTL,
				Usage: "time to live: how long a run whose process cannot be checked keeps the lease without activity, as `D`",
			},
			boolFlag("force", "take the lease even if another run holds it"),
			boolFlag("porcelain", "print the token for GSD_RUN and nothing else"),
			waitFlag(),
		),
		Action: func(c *cli.Context) error {
			if err := exclusive(c, "json", "porcelain"); err != nil {
				return err
			}
			o := hydrate.StartOptions{Force: c.Bool("force"), Now: a.now(), Wait: c.Duration("wait")}
			if c.IsSet("ttl") {
				if o.TTL = c.Duration("ttl"); o.TTL < time.Second {
					return usage("at least 1s, such as 1h or 90s", "--ttl is too short: %s", o.TTL)
				}
			}
			return a.asCaller(c, func(p *hydrate.Project, u identity.User) error {
				o.User = u.Name
				s, err := p.StartRun(c.Context, o)
				if err == nil && c.Bool("porcelain") {
					a.printf("%s\n", text.Line(s.Token))
					return nil
				}
				return reply(a, c, s, err, (*view.Printer).Started)
			})
		},
	})
}

func (a *app) runEndCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "end",
		Usage: "record how a run ended, and release its lease",
		Description: `Ends the caller's own run, unless --run names one: also one that is alive or cannot be checked from here, if you know that nobody
is at work on it. gsd run list shows which. The caller is identified as by gsd run start. If the run has other live processes, only
the caller's part of it ends.

EXAMPLES
   gsd run end --status success
   gsd run end --run 3f2a41 --status aborted`,
		Flags: append(callerFlags(),
			&cli.StringFlag{Name: "status", Usage: "how it ended, as `HOW`: success, failure, cancelled, interrupted or aborted"},
			&cli.StringFlag{Name: "run", Usage: "the run's `ID`, or the beginning of it, instead of the caller's own run"},
			waitFlag(),
		),
		Action: func(c *cli.Context) error {
			if c.String("status") == "" {
				return usage("success, failure, cancelled, interrupted or aborted", "run end: --status is missing")
			}
			return a.asCaller(c, func(p *hydrate.Project, u identity.User) error {
				status, err := hydrate.ParseRunStatus(c.String("status"))
				if err != nil {
					return err
				}
				e, err := p.EndRun(c.Context, hydrate.EndOptions{
					User: u.Name, Run: c.String("run"), Status: status, Cause: run.CauseUser, Now: a.now(), Wait: c.Duration("wait"),
				})
				return reply(a, c, e, err, (*view.Printer).Ended)
			})
		},
	})
}

func (a *app) runListCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "list",
		Usage: "list who worked on the session, when, and how it ended",
		Description: `Lists your latest runs in this project, the last one first. The state of a run is how it ended (finished, failed, cancelled,
interrupted or aborted), or one of

   active    its process is alive and holds the lease
   idle      its process is alive, without the lease
   unknown   it cannot be checked from here whether it is alive
   orphaned  its process is gone, and no end was recorded

EXAMPLES
   gsd run list
   gsd run list --all --json | jq '.runs[] | select(.state == "orphaned")'`,
		Flags: []cli.Flag{boolFlag("all", "list all runs that were ever recorded")},
		Action: func(c *cli.Context) error {
			return a.withUser(c, func(p *hydrate.Project, u identity.User) error {
				list, err := p.RunList(u.Name, c.Bool("all"), a.now())
				return reply(a, c, list, err, (*view.Printer).Runs)
			})
		},
	})
}

func (a *app) runSweepCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "sweep",
		Usage: "clean up after crashed runs",
		Description: `Records the end of runs whose process is gone, and of those that named no process and whose time to live is over. Releases
their lease, forgets conversations that are not safe to resume, repairs a damaged journal, removes temporary files of crashed
writers and whatever lay in the place of the lease or the journal, and drops breadcrumbs that are no longer needed or whose
session was shown to be lost more than 7 days ago. A run that is alive is never ended, whatever the clock says. With --force, a
run that cannot be checked from here ends, too, once its time to live is over. Tasks keep their status; with --reset-tasks,
those that gsd hydrate lists as left in progress are pending again.

EXAMPLES
   gsd run sweep --dry-run
   gsd run sweep --reset-tasks`,
		Flags: []cli.Flag{
			boolFlag("dry-run", "print what would be done, and do nothing"),
			boolFlag("reset-tasks", "set tasks that runs left in progress back to pending"),
			boolFlag("force", "also end runs that cannot be checked from here, once their time to live is over"),
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			with := a.withWriter
			if c.Bool("dry-run") {
				with = a.withUser
			}
			return with(c, func(p *hydrate.Project, u identity.User) error {
				o := hydrate.SweepOptions{
					User: u.Name, DryRun: c.Bool("dry-run"), ResetTasks: c.Bool("reset-tasks"), Force: c.Bool("force"),
					Now: a.now(), Wait: c.Duration("wait"),
				}
				s, err := p.Sweep(c.Context, o)
				return reply(a, c, s, err, (*view.Printer).Swept)
			})
		},
	})
}

func (a *app) runUnlockCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "unlock",
		Usage: "release the lease of the session",
		Description: `For the lease of a run that is over, for your own, and for an unreadable one. A run that may be alive keeps its lease, and so does
one of a later version of gsd, unless --force is given; the run itself continues.

EXAMPLES
   gsd run unlock
   gsd run unlock --force`,
		Flags: []cli.Flag{boolFlag("force", "even if the run may be alive"), waitFlag()},
		Action: func(c *cli.Context) error {
			return a.withWriter(c, func(p *hydrate.Project, u identity.User) error {
				done, err := p.Unlock(c.Context, u.Name, c.Bool("force"), a.now(), c.Duration("wait"))
				return reply(a, c, done, err, (*view.Printer).Unlocked)
			})
		},
	})
}

// callerFlags identify an agent.
func callerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "host", Usage: "the program that the agent runs in, such as claude, as `NAME`"},
		&cli.StringFlag{Name: "id", Usage: "the host's `ID` of the conversation"},
		&cli.IntFlag{Name: "pid", Usage: "the agent's process, as `N`"},
		boolFlag("hook", "read what is not given from a hook's JSON on standard input"),
	}
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

// asCaller is withWriter for the agent that the flags, a hook's input and the environment identify, in this order.
func (a *app) asCaller(c *cli.Context, do func(*hydrate.Project, identity.User) error) error {
	name, id, pid := c.String("host"), c.String("id"), c.Int("pid")
	if err := checkHost(name); err != nil {
		return err
	}
	switch {
	case id != "" && !agent.ValidConversation(id):
		return usage("at most 128 letters, digits and ._:-", "--id is %s", quoted(id))
	case pid < 0:
		return usage("a process id, such as $PPID", "--pid is %d", pid)
	}
	caller := a.env.callerIn(name)
	if c.Bool("hook") {
		in, err := a.readInput()
		switch {
		case err != nil:
			return &hydrate.Error{Kind: hydrate.BadData, Text: err.Error(), Hint: "drop --hook, or pipe the host's JSON in", Err: err}
		case in.Conversation == "" && id == "" && pid == 0: // it must not be guessed
			return &hydrate.Error{Kind: hydrate.BadData, Text: "the hook's input names no conversation", Hint: "it needs a session_id; or use --id or --pid"}
		}
		caller.Conversation = cmp.Or(in.Conversation, caller.Conversation)
		if in.CWD != "" && c.String("C") == "" {
			if err := c.Set("C", in.CWD); err != nil {
				return err
			}
		}
	}
	caller.Conversation = cmp.Or(id, caller.Conversation)
	if pid > 0 {
		caller.PID, caller.Sure = pid, true
	}
	if c.Command.Name == "end" { // flags take precedence over what the shell has inherited
		if id != "" || pid > 0 || c.Bool("hook") {
			caller.Token = ""
		}
		caller.SureHost = name != ""
	}
	return a.withWriter(c, func(p *hydrate.Project, u identity.User) error {
		p.Caller = caller
		return do(p, u)
	})
}

// stdinOf returns standard input, nil for a terminal.
func stdinOf(f *os.File) io.Reader {
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil
	}
	return f
}
