package view

import (
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
)

// endedRun is a run that ended in a way so long after its beginning.
func endedRun(status run.Status, cause run.Cause, after time.Duration) run.Run {
	r := runOf("ada", run.State(status), "codex", 0, "", 26*time.Hour, 0).Run
	r.ID, r.Status, r.Cause, r.Ended = "r-1", status, cause, r.Started.Add(after)
	return r
}

func TestRuns(t *testing.T) {
	t.Parallel()
	active := runOf("ada", run.StateActive, "claude", 4711, "lab", 90*time.Minute, 0).Run
	active.ID, active.Plan, active.Holds = "a-long-name-of-a-run", ".planning/phases/01-a/01-01-PLAN.md", true
	unknown := runOf("ada", run.StateUnknown, "", 0, "", 26*time.Hour, 26*time.Hour).Run
	unknown.ID, unknown.Expired = "u", true
	list := &answer.RunList{
		Runs:     []run.Run{active, unknown, endedRun(run.Success, run.CauseUser, 75*time.Second)},
		Warnings: []problem.Warning{{Code: "code", Says: "odd"}},
	}
	const plain = "  run           state        host    process   plan   started            lasted\n" +
		"> a-long-name…  active       claude  4711@lab  01-01  2026-03-20T13:34Z  1h30m\n" +
		"  u             unknown      -       -         -      2026-03-19T13:04Z  0s       expired\n" +
		"  r-1           success      codex   -         -      2026-03-19T13:04Z  1m15s\n" +
		"warning: odd (code)\n"
	if got := printed(printer.Style{}, func(p *Printer) { p.Runs(list) }); got != plain {
		t.Errorf("%s\nwant\n%s", got, plain)
	}
	const bars = "  run           state        host    process   plan   started            lasted\n" +
		"> a-long-name…  active       claude  4711@lab  01-01  90 minutes ago     1h30m    ██████████\n" +
		"  u             unknown      -       -         -      26 hours ago       0s       █░░░░░░░░░  expired\n" +
		"  r-1           success      codex   -         -      26 hours ago       1m15s    █░░░░░░░░░\n"
	if got := printed(printer.Style{Bars: true}, func(p *Printer) { p.Runs(list) }); !strings.HasPrefix(got, bars) {
		t.Errorf("%s\nwant\n%s", got, bars)
	}
	const none = "no runs yet\ntry: gsd run start   (records that an agent starts to work; `gsd exec -- COMMAND` does it for you)\n"
	if got := printed(printer.Style{}, func(p *Printer) { p.Runs(&answer.RunList{Do: []action.Action{{Kind: action.StartRun}}}) }); got != none {
		t.Errorf("%s", got)
	}
}

func TestRunWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		run  run.Run
		want string
	}{
		{endedRun(run.Failure, run.CauseExit, 0), ""},
		{endedRun(run.Interrupted, run.CauseSynthetic, 0), ""},
		{endedRun(run.Interrupted, run.CauseExpired, 0), "expired"},
		{endedRun(run.Interrupted, run.CauseSuperseded, 0), "superseded"},
		{runOf("", run.StateActive, "", 1, "", 0, 0).Run, ""},
	} {
		if got := runEnd(&test.run); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	if got := (&Printer{Now: now}).when(time.Unix(1<<40, 0)); got != "-" {
		t.Errorf("in no calendar: %s", got)
	}
}

func TestRunAnswers(t *testing.T) {
	t.Parallel()
	r := runOf("ada", run.StateUnknown, "codex", 0, "", time.Hour, time.Hour).Run
	r.ID, r.TTL = "r-1", time.Hour
	active := run.Run{State: run.StateActive}
	active.ID = "r-1"
	supervised := active
	supervised.Supervised = true
	odd := []problem.Warning{{Code: "code", Says: "odd"}}
	const warning = "warning: odd (code)\n"
	who := r.Who()
	for _, test := range []struct {
		name  string
		print func(*Printer)
		want  string
	}{
		{"began", func(p *Printer) { p.Started(&app.StartedRun{Run: active, Warnings: odd}) }, "run r-1 started\n" + warning},
		{
			"goes on", func(p *Printer) {
				p.Started(&app.StartedRun{Run: r, Reentered: true, From: &r, Superseded: []run.Run{active}})
			},
			"run r-1 continues\nrun r-1 ended: it named no process, so this start is taken for its next\nit took the lease from " + who +
				"\nit cannot be checked whether the run is alive: without activity, its lease expires after 1h0m0s\n",
		},
		{"ended", func(p *Printer) {
			p.Ended(&app.EndedRun{Run: endedRun(run.Success, run.CauseUser, 0), Warnings: odd})
		}, "run r-1 ended: success\n" + warning},
		{"ended before", func(p *Printer) {
			p.Ended(&app.EndedRun{Run: endedRun(run.Success, run.CauseUser, 0), Already: true})
		}, "run r-1 had already ended: success\n"},
		{"a part of it", func(p *Printer) { p.Ended(&app.EndedRun{Run: active, GoesOn: true}) }, "run r-1 continues: others are at work on it\n"},
		{"watched", func(p *Printer) { p.Ended(&app.EndedRun{Run: supervised, GoesOn: true}) }, "run r-1 continues: `gsd exec` will record its end\n"},
	} {
		if got := printed(printer.Style{}, test.print); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestSwept(t *testing.T) {
	t.Parallel()
	r := runOf("ada", run.StateUnknown, "codex", 0, "", time.Hour, time.Hour).Run
	r.ID, r.Expired = "r-1", true
	lost := answer.LostSession{}
	lost.ID, lost.Plan, lost.Project = "c-1", "a/01-01-PLAN.md", "/p"
	all := &app.Swept{
		Ended: []run.Run{r}, Spared: []run.Run{r}, Lease: true, Reset: []int{2}, Forgotten: 1, Dismissed: []answer.LostSession{lost},
		Crumbs: 2, Temps: 1, Warnings: []problem.Warning{{Code: "code", Says: "odd"}},
	}
	who := r.Who()
	done := "ended " + who + "\nreleased the lease\nset task 2 back to pending\ndropped the id of 1 conversation, not safe to resume\n" +
		"warning: dismissed the lost session c-1 on 01-01 in /p: unclaimed for 7 days\ndropped 2 breadcrumbs no longer needed\n" +
		"removed 1 left-over file\nleft " + who + ": it cannot be checked from here whether it is alive\n"
	would := strings.NewReplacer("ended ", "would end ", "set ", "would set ",
		"dismissed ", "would dismiss ", "released ", "would release ", "dropped ", "would drop ", "removed ", "would remove ").Replace(done)
	const end, warning = "try: gsd run end r-1   (records the end of that run, which has expired)\n", "warning: odd (code)\n"
	dry := *all
	dry.DryRun = true
	for _, test := range []struct {
		swept *app.Swept
		want  string
	}{
		{all, done + end + warning},
		{&dry, would + end + warning},
		{&app.Swept{}, "nothing to sweep\n"},
	} {
		if got := printed(printer.Style{}, func(p *Printer) { p.Swept(test.swept) }); got != test.want {
			t.Errorf("%+v:\n%s\nwant\n%s", test.swept, got, test.want)
		}
	}
}
