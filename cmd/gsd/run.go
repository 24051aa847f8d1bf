package main

import (
	"cmp"
	"context"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/hookinput"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/view"
)

func runCommand(inv *invocation) *cli.Command {
	return verbs(&cli.Command{
		Name:  "run",
		Usage: "record and list the runs of agents on a session",
		Description: `A run is one agent process or conversation at work. While it is alive it holds the session's lease: another run sees who
is at work (exit status 75), and bootstrap does not replace the session. hydrate and mark work without any of this.`,
		Subcommands: []*cli.Command{
			runStartCommand(inv), runEndCommand(inv), runListCommand(inv), runSweepCommand(inv),
		},
	})
}

func runStartCommand(inv *invocation) *cli.Command {
	var caller callerOptions
	var o app.StartRunOptions
	porcelain := false
	return answering(inv, &cli.Command{
		Name:  "start",
		Usage: "record that an agent starts to work, and take the lease",
		Description: `A run may be started again, and the lease of a process that is gone is taken over. The end of runs that crashed is
recorded, and shown once. 'gsd mark' renews the lease.

An agent is identified by its host's conversation (--id), by its process (--pid), or by the variable GSD_RUN, which holds the
token that --porcelain prints. What is not given comes from the host's environment. Give the process if you can: only then is a
crash noticed at once. Otherwise the run may be alive until an hour has passed without activity.

EXAMPLES
   gsd run start --host codex --id "$ID" --pid $PPID
   export GSD_RUN=$(gsd run start --porcelain --pid $$)`,
		Flags: append(caller.flags(),
			boolFlag(&porcelain, "porcelain", "print the token for GSD_RUN and nothing else"),
		),
		Action: func(c *cli.Context) error {
			if err := exclusive(c, "json", "porcelain"); err != nil {
				return err
			}
			return caller.withProject(c.Context, inv, func(p *app.Project, user string) error {
				o.User, o.Wait, o.TTL = user, inv.wait(), inv.lifetime
				s, err := p.StartRun(c.Context, o)
				if err == nil && porcelain {
					inv.plain().Printf("%s\n", s.Token)
					return nil
				}
				return reply(inv, s, err, (*view.Printer).Started)
			})
		},
	})
}

func runEndCommand(inv *invocation) *cli.Command {
	caller := callerOptions{ends: true}
	o := app.EndRunOptions{Cause: run.CauseUser}
	status := ""
	return answering(inv, &cli.Command{
		Name:      "end",
		Usage:     "record how a run ended, and release its lease",
		ArgsUsage: "[ID]",
		Description: `ID is that of a run, or the beginning of it, as 'gsd run list' shows it. Without ID, the caller's own run ends; for a caller that
has none, as in a person's terminal, it is the only run whose process is gone or whose time to live has expired. With ID, a run ends
that may be alive, too, such as one on a machine that cannot be asked: only do that if you know that nobody is at work there.

The caller is identified as by 'gsd run start'. If its run has other live processes, only the caller's part of it ends. A success
that leaves a task of the run in progress counts as interrupted, and so does an end without --status. After paused, what it left
in progress waits to be continued, and its conversation is offered to be resumed, as after success. The next run on the plan reads that it
failed, and the --reason.

EXAMPLES
   gsd run end --status success
   gsd run end --status failure --reason 'the tests need a database'
   gsd run end --status paused
   gsd run end 3f2a41`,
		Flags: append(caller.flags(),
			&cli.StringFlag{Name: "status", Usage: "`HOW` it ended: " + or(app.RunStatusWords()), DefaultText: string(run.Interrupted), Destination: &status},
			&cli.StringFlag{Name: "reason", Usage: "`WHY` it ended so, in a sentence for the next agent", Destination: &o.Reason},
		),
		Action: func(c *cli.Context) error {
			return caller.withProject(c.Context, inv, func(p *app.Project, user string) (err error) {
				if c.IsSet("status") {
					if o.Status, err = app.ParseRunStatus(status); err != nil {
						return usage(choices(status, app.RunStatusWords()), "%v", err)
					}
				}
				if o.Run = c.Args().First(); c.Args().Present() && o.Run == "" {
					return usage("`gsd run list` lists them", "an empty ID names no run")
				}
				o.Agent = agent.Detect(inv.env.get).Host
				o.User, o.Wait = user, inv.wait()
				e, err := p.EndRun(c.Context, o)
				return reply(inv, e, err, (*view.Printer).Ended)
			})
		},
	})
}

func runListCommand(inv *invocation) *cli.Command {
	return answering(inv, &cli.Command{
		Name:  "list",
		Usage: "list who worked on the session, when, and how it ended",
		Description: `Lists your latest runs in this project, the last one first: all that are open, the last 20 that have ended, and for 30 days
the latest of
each host on each plan. The state of a run is how it ended (success, failure, paused,
cancelled, interrupted or aborted), or one of

   active    its process is alive and holds the lease
   idle      its process is alive, without the lease
   unknown   it cannot be checked from here whether it is alive
   crashed   its process is gone, and it never said how it ended

Below a run is the host's own command that resumes its conversation, if it is the host's latest on the plan, and ended in success or was paused.

EXAMPLES
   gsd run list
   gsd run list --json | jq '.runs[] | select(.state == "crashed")'`,
		Action: func(c *cli.Context) error {
			return inv.withProject(c.Context, app.Reads, func(p *app.Project, user string) error {
				if err := p.RefuseUndecided(); err != nil {
					return err
				}
				list, err := p.RunList(user)
				return reply(inv, list, err, (*view.Printer).Runs)
			})
		},
	})
}

func runSweepCommand(inv *invocation) *cli.Command {
	var o app.SweepOptions
	return answering(inv, &cli.Command{
		Name:  "sweep",
		Usage: "clean up after crashed runs",
		Description: `Records the end of runs whose process is gone, and of those that named no process and whose time to live has expired, and
releases their lease. A run that is alive is never ended, whatever the clock says, and one that cannot be checked from here stays, too: gsd run
end ID ends it. Tasks keep their status; with --reset-tasks, those that 'gsd hydrate' lists as left in progress are pending again.

It also forgets conversations that are not safe to resume, removes temporary files of crashed writers
and whatever is in the place of the runs' records, and drops breadcrumbs that are no longer needed or whose session was
shown to be lost more than 7 days ago.

EXAMPLES
   gsd run sweep --dry-run
   gsd run sweep --reset-tasks`,
		Flags: []cli.Flag{
			boolFlag(&o.DryRun, "dry-run", "print what would be done, and do nothing"),
			boolFlag(&o.ResetTasks, "reset-tasks", "set tasks that runs left in progress back to pending"),
		},
		Action: func(c *cli.Context) error {
			return inv.withProject(c.Context, app.Access(!o.DryRun), func(p *app.Project, user string) error {
				o.User, o.Wait = user, inv.wait()
				s, err := p.Sweep(c.Context, o)
				return reply(inv, s, err, (*view.Printer).Swept)
			})
		},
	})
}

// callerOptions are the flags that identify the agent that calls gsd run start or end.
type callerOptions struct {
	host, id string
	pid      int
	ends     bool // its run ends
}

func (o *callerOptions) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "host", Usage: "`NAME` of the program that the agent runs in, such as claude", Destination: &o.host},
		&cli.StringFlag{Name: "id", Usage: "`ID` of the conversation in its host", Destination: &o.id},
		&cli.IntFlag{Name: "pid", Usage: "number `N` of the agent's process", DefaultText: "none", Destination: &o.pid},
	}
}

func (o *callerOptions) check() error {
	if err := checkHost(o.host); err != nil {
		return err
	}
	switch {
	case o.id != "" && !hookinput.ValidConversation(o.id):
		return usage("at most 128 letters, digits and ._:-", "--id is %s", quoted(o.id))
	case o.pid < 0:
		return usage("a process id, such as $PPID", "--pid is %d", o.pid)
	}
	return nil
}

// withProject is withProject of an invocation that writes, for the agent that the flags and the environment identify, in this order.
func (o *callerOptions) withProject(ctx context.Context, inv *invocation, do func(p *app.Project, user string) error) error {
	if err := o.check(); err != nil {
		return err
	}
	caller := inv.env.callerIn(o.host)
	caller.Conversation = cmp.Or(o.id, caller.Conversation)
	if o.pid > 0 {
		caller.PID, caller.Sure = o.pid, true
	}
	if o.ends { // flags take precedence over what the shell has inherited
		if o.id != "" || o.pid > 0 {
			caller.Token = ""
		}
		caller.SureHost = o.host != ""
	}
	return inv.withProject(ctx, app.Writes, func(p *app.Project, user string) error {
		p.Caller = caller
		return do(p, user)
	})
}

// checkHost refuses a host's name that could not be stored or shown as it is.
func checkHost(name string) error {
	if name != "" && !run.IsWord(name) {
		return usage("letters, digits, - and _, such as claude", "--host is %s", quoted(name))
	}
	return nil
}
