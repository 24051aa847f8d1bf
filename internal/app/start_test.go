package app_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

func TestStartable(t *testing.T) {
	p := projectOf(t, map[string]string{
		"phases/01-a/01-01-PLAN.md": "", "phases/01-a/01-01-SUMMARY.md": "done", // done
		"phases/01-a/01-02-PLAN.md": "",
		"phases/01-a/01-03-PLAN.md": "", // in grace's hands
		"phases/01-a/01-10-PLAN.md": "",
		"phases/02-b/02-01-PLAN.md": "", "phases/02-c/02-01-PLAN.md": "", // one id
		"phases/02-b/02-02-PLAN.md": "\x00\x01\x02", // no text
	})
	p.World = verdict.World{} // without a state directory, in which grace would be a former name of ada
	startOn(t, p, "grace", "phases/01-a/01-03-PLAN.md", 1)
	startable := func(o app.BootstrapOptions) string {
		again := reopen(t, p.Dir) // a project is opened for one command
		again.World = p.World
		o.User = "ada"
		return strings.Join(app.Startable(again, o), " ")
	}
	for _, test := range []struct {
		o    app.BootstrapOptions
		want string
	}{
		{app.BootstrapOptions{}, "01-02 01-10"},
		{app.BootstrapOptions{Again: true}, "01-01 01-02 01-10"},
		{app.BootstrapOptions{TakeOver: true}, "01-02 01-03 01-10"},
	} {
		if got := startable(test.o); got != test.want {
			t.Errorf("%+v: %q, want %q", test.o, got, test.want)
		}
	}
	// One's own session continues, also if somebody else has one.
	o := app.BootstrapOptions{User: "ada", Plan: ".planning/phases/01-a/01-03-PLAN.md", TakeOver: true, Wait: time.Minute}
	if _, err := p.Bootstrap(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if got := startable(app.BootstrapOptions{}); got != "01-02 01-03 01-10" {
		t.Errorf("with a session of one's own: %q", got)
	}
}

// TestStartsArePreviewed: where bootstrap refuses a plan, its dry run does so in the same words, and neither hydrate nor next prints a start.
func TestStartsArePreviewed(t *testing.T) {
	const plan, summary = "phases/03-api/03-01-PLAN.md", "phases/03-api/03-01-SUMMARY.md"
	file := func(name, text string) func(*testing.T, *app.Project) {
		return func(t *testing.T, p *app.Project) { write(t, filepath.Join(p.Dir, ".planning", name), text) }
	}
	conflict := "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
	edited := file(plan, tasksOf("A", "B", "D"))
	large := func(t *testing.T, p *app.Project) {
		if err := os.Truncate(filepath.Join(p.Dir, sessionPath), 20<<30); err != nil {
			t.Skip("no sparse files here:", err)
		}
	}
	lostAtWork := func(t *testing.T, p *app.Project) { // whose plan was moved since
		startRun(t, as(p, agentCaller("a", 200)), now)
		mark(t, p, 1, planfile.Complete)
		os.RemoveAll(filepath.Join(p.Dir, ".planning/sessions"))
		as(p, run.Caller{})
		os.Mkdir(filepath.Join(p.Dir, ".planning/phases/04-api"), 0o777)
		os.Rename(filepath.Join(p.Dir, ".planning", plan), filepath.Join(p.Dir, ".planning/phases/04-api/04-01-PLAN.md"))
	}
	for _, test := range []struct {
		name  string
		acts  []func(*testing.T, *app.Project)
		o     app.BootstrapOptions
		kind  problem.Kind // 0 for a start
		start string       // what is printed
	}{
		{"edited", []func(*testing.T, *app.Project){edited}, app.BootstrapOptions{}, 0, planPath},
		{"edited, and its summary is unmerged", []func(*testing.T, *app.Project){edited, file(summary, conflict)}, app.BootstrapOptions{}, problem.BadData, ""},
		{"the session is unmerged", []func(*testing.T, *app.Project){file("sessions/ada/current-plan.md", conflict)}, app.BootstrapOptions{}, problem.BadData, ""},
		{"the plan is unmerged", []func(*testing.T, *app.Project){file(plan, conflict)}, app.BootstrapOptions{}, problem.BadData, ""},
		{"too large", []func(*testing.T, *app.Project){large}, app.BootstrapOptions{}, problem.Refused, ""},
		{"too large, from nothing", []func(*testing.T, *app.Project){large}, app.BootstrapOptions{Fresh: true}, 0, ""},
		{"lost, and at work", []func(*testing.T, *app.Project){lostAtWork}, app.BootstrapOptions{Plan: ".planning/phases/04-api/04-01-PLAN.md"}, problem.Busy, ""},
		{"gone", []func(*testing.T, *app.Project){func(_ *testing.T, p *app.Project) { os.Remove(filepath.Join(p.Dir, planPath)) }}, app.BootstrapOptions{}, problem.MissingInput, ""},
	} {
		p, m := newWorld(t)
		bootstrapAt(t, p, planPath, now)
		for _, act := range test.acts {
			act(t, p)
		}
		again := func() *app.Project { // a project is opened for one command
			q := reopen(t, p.Dir)
			q.World = p.World
			q.Processes, q.Now = m, now
			return q
		}
		var printed []action.Action
		if r, err := apptest.At(again(), now).HydrateAll(user); err == nil {
			printed = r.Actions()
		}
		if n, err := apptest.At(again(), now).Next(user); err == nil {
			printed = append(printed, n.Do...)
		}
		start := ""
		for _, a := range printed {
			if a.Starts() {
				start = a.Plan
			}
		}
		if start != test.start {
			t.Errorf("%s: %q is printed", test.name, start)
		}
		o := test.o
		o.User, o.Plan = user, cmp.Or(o.Plan, planPath)
		_, preview := again().PreviewBootstrap(o)
		_, err := again().Bootstrap(t.Context(), o)
		if kindOfError(err) != test.kind || kindOfError(preview) != test.kind || err != nil && err.Error() != preview.Error() {
			t.Errorf("%s: %v, preview %v", test.name, err, preview)
		}
	}
}
