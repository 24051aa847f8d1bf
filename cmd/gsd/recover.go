package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type recoverOptions struct {
	dir, plan                  string
	confidence                 float64
	commits                    int
	dryRun, fresh, force, json bool
	wait                       time.Duration
}

func (a *app) recoverCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:      "recover",
		Usage:     "find in git which tasks of a plan are done, and make its session anew",
		ArgsUsage: "[PLAN] [--dry-run]",
		Description: `For when the session file is gone: a new clone, another machine, a colleague who takes over. The commits that HEAD
reaches show which tasks are done: those with a scope such as feat(03-01), by their order and by the words of the
tasks' names; reverts take back. What is sure becomes complete, the first other task in-progress
where anything was begun, the rest pending; a checkpoint that nothing comes after waits. PLAN is a path, or an id such as 03-01; left
out it is the session's, else the next one (gsd next). A live session stays as it is, unless --fresh, which archives it.

EXAMPLES
   gsd recover --dry-run
   gsd recover 03-01
   gsd recover 03-01 --fresh --min-confidence 0.9

` + exitStatusHelp,
		Flags: []cli.Flag{
			boolFlag("dry-run", "tell what the commits show, and write nothing"),
			&cli.Float64Flag{Name: "min-confidence", Usage: "how sure a task's commits must be for it to count as complete, as `X` from 0 to 1", Value: hydrate.DefaultConfidence},
			&cli.IntFlag{Name: "commits", Usage: "look at the latest `N` commits at most; 0 for all", Value: hydrate.DefaultCommits},
			boolFlag("fresh", "also where there is a live session"),
			boolFlag("force", "also where another run may be at work on the session that gives way"),
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			o := recoverOptions{
				dir: a.workingDir(c), plan: c.Args().First(), confidence: c.Float64("min-confidence"), commits: c.Int("commits"),
				dryRun: c.Bool("dry-run"), fresh: c.Bool("fresh"), force: c.Bool("force"), json: c.Bool("json"), wait: c.Duration("wait"),
			}
			switch {
			case !(o.confidence >= 0 && o.confidence <= 1):
				return usage("a number from 0 to 1, such as 0.8", "--min-confidence is %v", o.confidence)
			case o.commits < 0:
				return usage("a whole number; 0 for all", "--commits is %d", o.commits)
			}
			return a.recover(c.Context, o)
		},
	})
}

func (a *app) recover(ctx context.Context, o recoverOptions) error {
	with := a.withWriter
	if o.dryRun {
		with = a.withUser
	}
	return with(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		plan, err := recoverPlan(p, u, o)
		if err != nil {
			return err
		}
		r, err := p.Recover(ctx, hydrate.RecoverOptions{
			User: u.Name, Plan: plan, MinConfidence: o.confidence, MaxCommits: o.commits,
			DryRun: o.dryRun, Fresh: o.fresh, Force: o.force, Now: a.now(), Wait: o.wait,
		})
		if err != nil {
			return err
		}
		if o.json {
			return a.writeJSON(recoverJSON(r, u))
		}
		a.printRecovered(r)
		switch {
		case r.Session != nil:
			a.printBootstrapped(r.Session, bootstrapOptions{})
			a.printReport(r.Session.Report, nil, &r.Session.Runs)
			r.Session.Warnings = append(r.Warnings, r.Session.Warnings...)
			a.printReportWarnings(u, r.Session.Report)
			return nil
		case r.Any() && r.Summary == "":
			a.printRun(o.command(r), "makes a session of it")
		}
		a.printWarnings(u, r.Warnings...)
		return nil
	})
}

// command makes the session that a dry run told of.
func (o recoverOptions) command(r *hydrate.Recovered) string {
	command := "gsd recover " + quote(r.Plan)
	if o.confidence != hydrate.DefaultConfidence {
		command += fmt.Sprintf(" --min-confidence %v", o.confidence)
	}
	if o.commits != hydrate.DefaultCommits {
		command += fmt.Sprintf(" --commits %d", o.commits)
	}
	if o.fresh || r.Live {
		command += " --fresh"
	}
	return command
}

// recoverPlan is the plan that is meant: the one that was named, else the session's, else the next one.
func recoverPlan(p *hydrate.Project, u identity.User, o recoverOptions) (string, error) {
	if o.plan != "" {
		return p.ResolvePlan(o.dir, o.plan)
	}
	r, err := p.Hydrate(u.Name)
	if err != nil {
		return "", err
	}
	if r.Verdict.Live() {
		return r.Plan.Path, nil
	}
	next := p.NextAfter(r)
	if next.Plan == "" {
		return "", &hydrate.Error{Kind: hydrate.MissingInput, Text: "no plan comes next, so which one is to be recovered?", Hint: "gsd recover PLAN; a path, or an id such as 03-01"}
	}
	return next.Plan, nil
}

// printRecovered says what the commits tell, task by task.
func (a *app) printRecovered(r *hydrate.Recovered) {
	if r.Summary != "" {
		a.printf("%s is done: its summary is %s\n", line(r.Plan), line(r.Summary))
	}
	a.printf("%s: commits show %d of %s complete\n\n", line(r.Plan), r.Done(), count(len(r.Tasks), "task"))
	if r.Why != "" {
		a.printf("no commit is about it: %s\n\n", line(r.Why))
	}
	shown := r.Tasks
	if more := len(shown) - mostRecovered; more > 0 {
		shown = shown[:mostRecovered]
	}
	digits := len(number(len(r.Tasks)))
	for _, t := range shown {
		a.printf("%*d  %s  %s\n", digits+1, t.Number, fit(string(t.Status), len("in-progress")), taskTitle(t.Name, t.Number))
		for _, e := range t.Commits {
			a.printf("%s%s\n", strings.Repeat(" ", digits+3), a.evidenceWords(e))
		}
	}
	if more := len(r.Tasks) - len(shown); more > 0 {
		a.printf("%sand %d more\n", strings.Repeat(" ", digits+3), more)
	}
	if len(r.Unassigned) > 0 {
		a.printf("\nof the plan, and of no task for sure:\n")
		for i, e := range r.Unassigned {
			if i == mostRecovered {
				a.printf("  and %d more\n", len(r.Unassigned)-i)
				break
			}
			a.printf("  %s\n", a.evidenceWords(e))
		}
	}
	if r.Limited {
		a.printf("\nlooked at the latest %s only; --commits 0 looks at all\n", count(r.Looked, "commit"))
	}
	a.printf("\n")
}

// mostRecovered is how many tasks, or commits of none, are shown.
const mostRecovered = 100

func (a *app) evidenceWords(e hydrate.Evidence) string {
	return fmt.Sprintf("%s %s %s", a.style.yellow(hydrate.ShortID(e.ID)), title(e.Subject),
		a.style.dim(fmt.Sprintf("(%.0f%%: %s)", 100*e.Confidence, line(e.Reason))))
}
