//go:build unix

package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// TestArchive: who may put a session away, what becomes of the run of the one who does, and what is left of the session.
func TestArchive(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		arrange func(s *scene, mine run.Caller) // after the session was started
		busy    bool
		paused  bool
		empty   bool // there is no progress
	}{
		{"nobody is at work", func(*scene, run.Caller) {}, false, false, false},
		{"nothing was done", func(s *scene, _ run.Caller) { s.must(order{Do: "bootstrap", ID: planPath}) }, false, false, true},
		{"one's own run", func(s *scene, mine run.Caller) { s.must(order{Do: "start", Claim: mine}) }, false, true, false},
		{"another run holds the lease, and marked nothing", func(s *scene, _ run.Caller) { s.starts(s.alive, "other") }, false, false, false},
		{"another run holds the lease, and marked a task", func(s *scene, _ run.Caller) {
			s.starts(s.alive, "other")
			for _, status := range []planfile.Status{planfile.InProgress, planfile.Pending} {
				s.must(order{Do: "mark", Number: 3, Status: string(status), Claim: conversation("other"), Owner: s.alive})
			}
		}, true, false, false},
		{"one that is dead does", func(s *scene, _ run.Caller) { s.starts(s.dead, "other") }, false, false, false},
		{"another run has a task in progress, without the lease", func(s *scene, mine run.Caller) {
			s.starts(s.alive, "other")
			s.must(order{Do: "mark", Number: 3, Status: string(planfile.InProgress), Claim: conversation("other"), Owner: s.alive})
			s.must(order{Do: "start", Claim: mine, TakeOver: true})
		}, true, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t)
			s.bootstraps()
			mine := run.Caller{Host: "codex", Conversation: "mine"}
			test.arrange(s, mine)
			p, err := s.fill(order{Claim: mine}).Open()
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			done, err := apptest.At(p, s.now).Archive(t.Context(), app.ArchiveOptions{User: user})
			_, gone := os.Stat(s.at(sessionPath))
			if test.busy {
				var failed *problem.Error
				if !errors.As(err, &failed) || failed.Kind != problem.Busy || gone != nil {
					t.Errorf("%v, session: %v", err, gone)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if gone == nil || done.Done == 0 != test.empty || done.Total != 3 || done.Plan != planPath || (done.Paused != nil) != test.paused {
				t.Errorf("%+v, session: %v", done, gone)
			}
			if done.Paused != nil && (done.Paused.Status != run.Paused || done.Paused.State != run.StatePaused) {
				t.Errorf("%+v", done.Paused)
			}
			if text, err := os.ReadFile(s.at(done.Archived)); err != nil || planfile.Parse(text).Count(planfile.Complete) != done.Done {
				t.Errorf("%v\n%s", err, text)
			}
			crumbs, err := s.state.Crumbs("")
			crumbs.Good = slices.DeleteFunc(crumbs.Good, func(c session.Crumb) bool { return c.Continued || !history.IsBegun(&c) })
			if err != nil || test.empty != (len(crumbs.Good) == 0) || !test.empty && crumbs.Good[0].Archive != filepath.Base(done.Archived) {
				t.Errorf("%v: its breadcrumb is %+v", err, crumbs)
			}
			if lost := lostSessions(t, p, s.now); len(lost) > 0 {
				t.Errorf("it is told as lost: %+v", lost)
			}
			_, err = apptest.At(p, s.now).Archive(t.Context(), app.ArchiveOptions{User: user})
			wantKind(t, err, problem.MissingInput)
		})
	}
}
