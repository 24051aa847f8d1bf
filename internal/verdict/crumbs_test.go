package verdict_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// TestCrumbFollowsTheSession: every change of a session is in its crumb, and a new session has its own. All is in it
// that bringing the session back takes.
func TestCrumbFollowsTheSession(t *testing.T) {
	p, _ := newWorld(t)
	write(t, filepath.Join(p.Dir, secondPlan), "<task type=\"auto\">\n  <name>X</name>\n</task>\n")
	bootstrapAt(t, p, planPath, now)
	only := func(want string, current int) session.Crumb {
		t.Helper()
		all := crumbsOf(t, p)
		if len(all) != 1 || statuses(all[0]) != want || all[0].Current != current {
			t.Fatalf("%+v, want %q at %d", all, want, current)
		}
		return all[0]
	}
	first := only("A pending, B pending, C pending", 1)
	if first.Project != p.Dir || first.User != user || first.Plan != planPath || !strings.HasPrefix(first.Digest, "sha256:") || first.Started != now.Format(time.RFC3339) || first.Run != nil {
		t.Errorf("%+v", first)
	}
	mark(t, p, 1, planfile.Complete)
	only("A complete, B pending, C pending", 2)
	run := startRun(t, as(p, agentCaller("c", 200)), now).Run.ID
	mark(t, p, 2, planfile.InProgress)
	if c := only("A complete, B in-progress, C pending", 2); !strings.Contains(string(c.Run), `"`+run+`"`) || c.Tasks[1].Run != run || !c.Tasks[1].Began.Equal(now) || c.ID != first.ID {
		t.Errorf("%+v, want run %s", c, run)
	}
	mark(t, p, 2, planfile.Pending)
	only("A complete, B pending, C pending", 2)

	// A session on another plan takes its place: it is archived, and its crumb stays until its plan is done.
	bootstrapAt(t, p, secondPlan, now.Add(time.Minute))
	both := crumbsOf(t, p)
	if len(both) != 2 || len(lostSessions(t, p, now)) > 0 {
		t.Fatalf("%+v", both)
	}
	if at := slices.IndexFunc(both, func(c session.Crumb) bool { return c.ID == first.ID }); at < 0 || both[at].Archive == "" || both[1-at].Plan != secondPlan {
		t.Errorf("%+v", both)
	}
	summary := filepath.Join(p.Dir, ".planning/phases/03-api/03-01-SUMMARY.md")
	write(t, summary, "Done.\n")
	if done := sweep(t, p, app.SweepOptions{}); done.Crumbs != 1 {
		t.Errorf("%+v", done)
	}
	// The same plan, later: another session.
	bootstrapAt(t, p, secondPlan, now.Add(time.Hour))
	second := only("X pending", 1)

	// The file is lost, and another session started: the old crumb is the only copy of what was done.
	mark(t, p, 1, planfile.Complete)
	lose(t, p)
	bootstrapAt(t, p, secondPlan, now.Add(2*time.Hour))
	mark(t, p, 1, planfile.InProgress)
	all := crumbsOf(t, p)
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	old := all[slices.IndexFunc(all, func(c session.Crumb) bool { return c.ID == second.ID })]
	if statuses(old) != "X complete" || old.Current != 0 {
		t.Errorf("%+v", old)
	}
	lost := lostSessions(t, p, now)
	if len(lost) != 1 || lost[0].ID != second.ID || lost[0].Why != answer.LostPlace || lost[0].Done != 1 {
		t.Errorf("%+v", lost)
	}
	if rec := assessed(t, p, now); len(rec.Lost) != 1 || rec.Lost[0].ID != second.ID || rec.Lost[0].Why != answer.LostPlace {
		t.Errorf("%+v", rec.Lost)
	}
}
