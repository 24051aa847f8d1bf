package app_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// TestLostTold: a lost session is reported for seven days from when its loss was first shown, and listed after that, too. One that came back,
// as after git stash pop, is lost again the next time.
func TestLostTold(t *testing.T) {
	p := newProject(t)
	bootstrap(t, p)
	mark(t, p, 1, planfile.Complete)
	sessions, away := filepath.Join(p.Dir, ".planning/sessions"), filepath.Join(t.TempDir(), "sessions")
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Skip(err) // another file system
		}
	}
	start := func() {
		t.Helper()
		r, err := apptest.At(p, now).HydrateStarting(t.Context(), app.StartRunOptions{User: user})
		if err != nil {
			t.Fatal(err)
		}
		p.Gather(r, answer.Unfinished)
		p.Record(r)
	}
	told := func(after time.Duration) int {
		if rec := apptest.Assessed(t, p, now.Add(after)); rec != nil {
			return len(rec.Lost)
		}
		return 0
	}
	listed := func(after time.Duration, expired bool) {
		t.Helper()
		if list := apptest.LostSessions(t, p, now.Add(after)); len(list) != 1 || list[0].Expired != expired {
			t.Errorf("%+v", list)
		}
	}
	move(sessions, away)
	if told(0) != 1 || told(1000*time.Hour) != 1 {
		t.Error("nobody was told of it yet, and now nobody is")
	}
	start()
	if told(session.CrumbLife) != 1 || told(session.CrumbLife+time.Second) != 0 {
		t.Error("it is not told of for seven days")
	}
	listed(session.CrumbLife+time.Second, true)

	apptest.Lose(t, p) // the directory that the start has made
	move(away, sessions)
	start()
	move(sessions, away)
	if told(1000*time.Hour) != 1 {
		t.Error("that it was lost and came back keeps the next loss from being told")
	}
	listed(1000*time.Hour, false)
}
