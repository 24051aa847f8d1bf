package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type hydrateOptions struct {
	dir                       string
	json, porcelain, exitCode bool

	host, pid string // for an agent, in its host's envelope
	inline    bool   // for an agent, bare
	given     string // -C as it was given
}

func (a *app) hydrateCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:  "hydrate",
		Usage: "tell whether the session still stands, and which task comes next",
		Description: `The verdict is one of: resume, complete, stale, none (also for a session file that is corrupt, which is
kept). Where it is stale or complete, the plan that comes next is named, too, as gsd next does. What began and never
properly ended comes first, only where there is something: runs that died, tasks that they left in progress, sessions
that were lost, other work that was begun. Where nobody has a session on a plan that commits work on, gsd recover is
named, which makes one from them; and where the commits since the session was begun say otherwise than its tasks do,
that is a warning (drift). Without --host it reads, and writes nothing.

With --host it is a hook of an agent's host (gsd install puts it there): the host's JSON is read from standard
input, the answer is Markdown of at most 9,000 bytes in that host's envelope, and nothing outside of a project. At
the start of a conversation the run is recorded. It ends with 0 whatever happens, and says nothing on standard error.

EXAMPLES
   gsd hydrate
   gsd hydrate --json | jq .resume.number
   test "$(gsd hydrate --porcelain)" != NO_SESSION || gsd bootstrap 03-01

` + exitStatusHelp + `
   With --exit-code: 1 for NO_SESSION, 2 for STALE.`,
		Flags: []cli.Flag{
			boolFlag("porcelain", "print one word: NO_SESSION, STALE, ALL_COMPLETE or the task's number"),
			boolFlag("exit-code", "exit with 1 for NO_SESSION and 2 for STALE"),
			&cli.StringFlag{Name: "host", Usage: "print what the hooks of `HOST` read, whatever else is asked for: " + strings.Join(host.Names(), ", ")},
			&cli.StringFlag{Name: "pid", Usage: "with --host: the agent's process, as `N`; what is no number is passed over"},
			boolFlag("inline", "print the same text without an envelope, for a slash command"),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			for _, pair := range [...][2]string{{"json", "porcelain"}, {"inline", "json"}, {"inline", "porcelain"}, {"inline", "exit-code"}} {
				if c.String("host") == "" && c.Bool(pair[0]) && c.Bool(pair[1]) {
					return usage("leave one away", "--%s and --%s exclude each other", pair[0], pair[1])
				}
			}
			o := hydrateOptions{
				dir: a.workingDir(c), json: c.Bool("json"), porcelain: c.Bool("porcelain"), exitCode: c.Bool("exit-code"),
				host: c.String("host"), pid: c.String("pid"), inline: c.Bool("inline"), given: c.String("C"),
			}
			if err := knownHost(o.host); err != nil {
				return err
			}
			switch {
			case o.host != "" || o.inline:
				return a.hydrateFor(c.Context, o)
			case o.pid != "":
				return usage("gsd hydrate --host HOST --pid=N", "--pid goes with --host")
			}
			return a.hydrate(c.Context, o)
		},
	})
}

func (a *app) hydrate(ctx context.Context, o hydrateOptions) error {
	return a.withUser(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		p.Glance = true
		r, err := p.Hydrate(u.Name)
		if err != nil {
			return err
		}
		if o.porcelain {
			a.out.WriteString(r.Token() + "\n")
			return exitFor(r, o)
		}
		recovery, next := a.lookAround(p, r)
		if next = asked(r, recovery, next); next != nil {
			r.Warnings = append(r.Warnings, next.Warnings...)
		}
		if o.json {
			answer := reportJSON(r, u, recovery.Interrupted(r))
			answer.Recovery = recoveryJSON(recovery)
			if recovery.Latest != nil {
				run := runJSON(recovery.Latest)
				answer.Run = &run
			}
			if next != nil {
				n := nextJSON(next)
				answer.Next = &n
			}
			if err := a.writeJSON(answer); err != nil {
				return err
			}
		} else {
			a.printRecovery(recovery)
			a.printReport(r, next, &recovery.Assessment)
			a.printReportWarnings(u, r)
		}
		return exitFor(r, o)
	})
}

// exitFor is the exit code of a verdict, if somebody asked for it.
func exitFor(r *hydrate.Report, o hydrateOptions) error {
	if !o.exitCode {
		return nil
	}
	switch r.Token() {
	case "NO_SESSION":
		return verdictExit(exitNoSession)
	case "STALE":
		return verdictExit(exitStale)
	}
	return nil
}

// lookAround gives what is to be known beside a verdict: what began and never properly ended, and, unless the session is
// gone on with, which plan comes next. The warnings of the former, and of drift, are the report's then.
func (a *app) lookAround(p *hydrate.Project, r *hydrate.Report) (*hydrate.Recovery, *hydrate.Next) {
	recovery := p.Recovery(r, a.now())
	r.Warnings = append(append(r.Warnings, recovery.Warnings...), p.Drift(r)...)
	if r.Verdict == hydrate.Resume {
		return recovery, nil
	}
	return recovery, p.NextAfter(r)
}

// asked is the next plan where a session is over. Where there is none it is for gsd next to say, but for a plan that
// commits work on: that is work which was begun, and its session is what is missing.
func asked(r *hydrate.Report, recovery *hydrate.Recovery, next *hydrate.Next) *hydrate.Next {
	recovery.Begin(next)
	if r.Verdict == hydrate.None || r.Verdict == hydrate.Corrupt {
		return nil
	}
	return next
}
