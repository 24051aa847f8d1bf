package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type runsOptions struct {
	dir       string
	all, json bool
}

func (a *app) runsCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:  "runs",
		Usage: "list who worked on the session, since when, and how it ended",
		Description: `Lists your latest runs in this project, the last one first. The state of a run is active (its process lives and
holds the lease), idle (it lives without it), unknown (nobody here can tell), orphaned (its process is gone,
and it never ended), finished (in success or failure) or interrupted (in any other way).

EXAMPLES
   gsd runs
   gsd runs --all --json | jq '.runs[] | select(.state == "orphaned")'

` + exitStatusHelp,
		Flags: []cli.Flag{boolFlag("all", "list all that there ever were")},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return a.runs(c.Context, runsOptions{dir: a.workingDir(c), all: c.Bool("all"), json: c.Bool("json")})
		},
	})
}

// latestRuns is how many runs are listed unasked.
const latestRuns = 20

func (a *app) runs(ctx context.Context, o runsOptions) error {
	return a.withUser(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		all, warnings, err := p.ListRuns(u.Name, o.all, a.now())
		if err != nil {
			return err
		}
		slices.Reverse(all)
		more := 0
		if !o.all && len(all) > latestRuns {
			kept := slices.Clone(all[:latestRuns])
			for _, r := range all[latestRuns:] { // what is open is never left out
				if r.Open() {
					kept = append(kept, r)
				} else {
					more++
				}
			}
			all = kept
		}
		if o.json {
			return a.writeJSON(jsonRuns{Schema: schemaNumber, User: u.Name, Runs: runsJSON(all), More: more, Warnings: warningsJSON(u, warnings...)})
		}
		a.printRuns(all, more)
		a.printWarnings(u, warnings...)
		return nil
	})
}

func (a *app) printRuns(runs []hydrate.Run, more int) {
	if len(runs) == 0 {
		a.printf("no run yet\n")
		a.printRun("gsd run start", "tells that an agent begins to work; gsd exec does it by itself")
		return
	}
	var longest time.Duration
	widths := [3]int{}
	cells := make([][3]string, len(runs))
	for i := range runs {
		r := &runs[i]
		longest = max(longest, r.Lasted(a.now()))
		cells[i] = [3]string{fitted(orDash(r.Host), longestHost), fitted(runWhere(r), longestWhere), fitted(runPlan(r), longestPlan)}
		for j, cell := range cells[i] {
			widths[j] = max(widths[j], width(cell))
		}
	}
	for i := range runs {
		r := &runs[i]
		mark := "  "
		if r.Holds {
			mark = "> "
		}
		state := a.runState(r, len(hydrate.RunInterrupted))
		text := fmt.Sprintf("%s%s  %s  %s  %s  %s  %s  %s", mark, fit(line(r.ID), runIDWidth), state,
			fit(cells[i][0], widths[0]), fit(cells[i][1], widths[1]), fit(cells[i][2], widths[2]), fit(a.when(r.At), whenWidth), fit(lasted(r.Lasted(a.now())), lastedWidth))
		if bar := a.durationBar(r, longest); bar != "" {
			text += "  " + bar
		}
		a.printf("%s\n", strings.TrimRight(text+"  "+runEnd(r), " "))
	}
	if more > 0 {
		a.printf("%s\n", a.style.dim(count(more, "earlier run")+"; --all lists them"))
	}
}

const (
	runIDWidth   = 12
	longestHost  = 10
	longestWhere = 28
	whenWidth    = 17
	lastedWidth  = 7
	runBar       = 10
)

// runState is the state of a run in so many columns.
func (a *app) runState(r *hydrate.Run, columns int) string {
	state := fit(string(r.State), columns)
	switch r.State {
	case hydrate.RunActive:
		return a.style.green(state)
	case hydrate.RunOrphaned, hydrate.RunUnknown:
		return a.style.yellow(state)
	case hydrate.RunFinished, hydrate.RunInterrupted:
		return a.style.dim(state)
	}
	return state
}

// when is a moment: how long ago for people, the time for programs.
func (a *app) when(t time.Time) string {
	t = inCalendar(t)
	switch {
	case t.IsZero():
		return "-"
	case a.style.bars:
		return ago(t, a.now())
	}
	return t.UTC().Format("2006-01-02T15:04Z")
}

// durationBar draws how long a run took, the longest of the list over the whole width.
func (a *app) durationBar(r *hydrate.Run, longest time.Duration) string {
	if !a.style.bars || longest <= 0 {
		return ""
	}
	full := int(float64(runBar) * float64(r.Lasted(a.now())) / float64(longest))
	full = min(max(full, 1), runBar)
	return strings.Repeat("█", full) + a.style.dim(strings.Repeat("░", runBar-full))
}

// lasted is a duration in two units at most.
func lasted(d time.Duration) string {
	switch seconds := int64(d / time.Second); {
	case seconds < 60:
		return fmt.Sprintf("%ds", max(seconds, 0))
	case seconds < 3600:
		return fmt.Sprintf("%dm%02ds", seconds/60, seconds%60)
	case seconds < 86400:
		return fmt.Sprintf("%dh%02dm", seconds/3600, seconds%3600/60)
	default:
		return fmt.Sprintf("%dd%02dh", seconds/86400, seconds%86400/3600)
	}
}

func orDash(s string) string {
	if s = line(s); s == "" {
		return "-"
	}
	return s
}

// runWhere is the process and the machine of a run.
func runWhere(r *hydrate.Run) string {
	at := line(r.Owner.HostName)
	if r.Owner.PID > 0 {
		at = strings.TrimSuffix(fmt.Sprintf("%d@%s", r.Owner.PID, at), "@")
	}
	return orDash(at)
}

func runPlan(r *hydrate.Run) string { return orDash(hydrate.PlanName(r.Plan)) }

// runEnd says how a run ended, where its state does not.
func runEnd(r *hydrate.Run) string {
	switch {
	case r.End == nil && r.Expired:
		return "time is up"
	case r.End == nil:
		return ""
	case r.End.Cause == hydrate.CauseSynthetic:
		return "never ended, swept"
	case r.End.Cause == hydrate.CauseForced:
		return "given up by force"
	case r.End.Cause == hydrate.CauseSuperseded:
		return "superseded"
	}
	return line(string(r.End.Status))
}
