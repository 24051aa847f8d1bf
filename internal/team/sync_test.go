package team_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/planfile"
)

// TestSyncEdit: what an agent wrote into the session file was set when it did so, and not when it was synced.
func TestSyncEdit(t *testing.T) {
	clones := newClones(t, 2, 1)
	for _, c := range clones {
		c.Bootstrap(1)
		c.Sync()
	}
	clones[0].Edit(1, planfile.Complete)
	clones[0].With(func(p *app.Project) {
		hour := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(p.Dir, filepath.FromSlash(p.Session("ada").File())), hour, hour); err != nil {
			t.Fatal(err)
		}
	})
	clones[1].Mark(1, planfile.InProgress)
	clones[1].Sync()
	clones[0].Sync()
	if is := clones[0].Statuses()[0]; is != planfile.InProgress {
		t.Errorf("%s, and the mark is later than the edit", is)
	}
}

// TestSyncSameStatus: a mark of the status that a task has is a mark, too. Without it, what another clone set before would win.
func TestSyncSameStatus(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	laptop, desk := pair(t)
	desk.Mark(1, planfile.Pending)
	desk.Sync()
	if laptop.Mark(1, planfile.Complete) {
		t.Error("it was complete, and the file was written")
	}
	for _, c := range []*clone{laptop, desk} {
		c.Sync()
	}
	for _, c := range []*clone{laptop, desk} {
		if is := c.Statuses()[0]; is != planfile.Complete {
			t.Errorf("%s: %s, and it was marked complete last", c.Name, is)
		}
	}
}

// TestSyncSkipped: a task that was skipped is skipped in other clones, and counted there.
func TestSyncSkipped(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	laptop, desk := pair(t)
	desk.Mark(1, planfile.Skipped)
	desk.Sync()
	done := laptop.Sync()
	if is := laptop.Statuses()[0]; is != planfile.Skipped || len(done.Taken) != 1 {
		t.Errorf("%s, taken %+v", is, done.Taken)
	}
	if all := done.Sessions; len(all) != 1 || all[0].Done != 0 || all[0].Skipped != 1 || all[0].Resume != 2 {
		t.Errorf("%+v", all)
	}
}

// TestSyncBrokenRefs: a ref that the remote cannot send keeps nobody else's from being read, is not asked for again, and costs its
// owner no more than a warning.
func TestSyncBrokenRefs(t *testing.T) {
	if testing.Short() {
		t.Skip("breaks a remote in many ways")
	}
	clones := newClones(t, 2, 2)
	ada, bob := clones[0], clones[1]
	bob.Env = append(slices.Clone(bob.Env), "GIT_CONFIG_VALUE_1=bob@example.com")
	bob.Bootstrap(1)
	bob.Sync()
	ada.Bootstrap(2)
	ref := ada.Sync().Ref
	bare := filepath.Join(filepath.Dir(ada.Dir), "remote.git")
	broken := func(name, message string) {
		t.Helper()
		cmd := exec.Command(ada.Git, "-C", bare, "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		cmd.Env = ada.Env
		cmd.Stdin = strings.NewReader("tree " + strings.Repeat("2", 40) + "\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\n" + message)
		id, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(bare, filepath.FromSlash(name)), string(id))
	}
	for n := range 3 {
		broken(fmt.Sprintf("refs/gsd/users/eve/c%d", n), fmt.Sprint(n))
	}
	bob.Mark(1, planfile.Complete)
	bob.Sync()
	fetches := 0
	sync := func() (done *team.Synced) {
		ada.With(func(p *app.Project) {
			fetches = 0
			p.Progress = func(doing string) {
				if strings.Contains(doing, "git fetch") {
					fetches++
				}
			}
			var err error
			if done, err = team.Sync(t.Context(), apptest.At(p, ada.Now()).Project, team.SyncOptions{User: "ada", Git: ada.Git, Env: ada.Env, Wait: time.Second}); err != nil {
				t.Fatal(err)
			}
		})
		return done
	}
	if done := sync(); len(done.Warnings) > 0 {
		t.Error(done.Warnings)
	}
	ada.With(func(p *app.Project) {
		if n := team.DoneByAll(p.Project); n != 1 {
			t.Errorf("of what the others did, %d is read", n)
		}
	})
	if sync(); fetches > 0 {
		t.Errorf("%d fetches, and nothing has changed", fetches)
	}
	broken(path.Dir(ref)+"/other", "another clone of hers")
	if done := sync(); len(done.Warnings) != 1 || done.Warnings[0].Name != path.Dir(ref)+"/other" || done.Pushed {
		t.Errorf("%+v", done)
	}
	if done := sync(); len(done.Warnings) > 0 || fetches > 0 {
		t.Errorf("%+v, %d fetches", done, fetches)
	}
	broken(ref, "mine")
	if done := sync(); len(done.Warnings) != 1 || done.Warnings[0].Code != team.SyncPartly || !done.Pushed {
		t.Errorf("%+v", done)
	}
	if done := sync(); len(done.Warnings) > 0 {
		t.Error(done.Warnings)
	}
}

// TestSyncArchived: what was archived before the first sync is shared, but nobody works on it.
func TestSyncArchived(t *testing.T) {
	clones := newClones(t, 2, 2)
	clones[0].Bootstrap(1)
	clones[0].Mark(1, planfile.Complete)
	clones[0].Bootstrap(2)
	clones[0].Sync()
	done := clones[1].Sync()
	if len(done.Sessions) != 1 || done.Sessions[0].Plan != clonePlan(2) {
		t.Errorf("%+v", done.Sessions)
	}
	summary := filepath.Join(clones[1].Dir, filepath.FromSlash(strings.Replace(clonePlan(2), "PLAN", "SUMMARY", 1)))
	if err := os.WriteFile(summary, []byte("# Done\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if done := clones[1].Sync(); len(done.Sessions) != 0 {
		t.Errorf("its plan is done here: %+v", done.Sessions)
	}
	clones[1].Bootstrap(1)
	if got := clones[1].Statuses(); got[0] != planfile.Complete {
		t.Errorf("its progress is lost: %v", got)
	}
}
