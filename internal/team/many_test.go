package team_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// TestHydrateManyClones: of plans that have other names here, those that many clones have shared are looked for once each, and not all of those
// that a hostile one has.
func TestHydrateManyClones(t *testing.T) {
	c := newClones(t, 1, 20)[0]
	c.Bootstrap(1)
	for _, test := range []struct{ clones, plans, want int }{{10, 40, 40}, {1, 2000, 200}} {
		all := map[string]share.Clone{}
		for n := range test.clones {
			var sessions []share.Session
			for k := range test.plans {
				sessions = append(sessions, share.Session{
					Plan: fmt.Sprintf("phases/09-old/09-%04d-PLAN.md", k), Worktree: fmt.Sprint("w", n), Started: time.Now(), Changed: time.Now(),
					Digest: fmt.Sprintf("sha256:%064x", k), Tasks: []share.Task{{ID: "0123456789ab", Status: planfile.Complete, Set: time.Now()}},
				})
			}
			all[fmt.Sprint("c", n)] = share.Clone{Commit: "1", Sessions: sessions}
		}
		text, err := share.EncodeClones(all)
		if err != nil {
			t.Fatal(err)
		}
		c.With(func(p *app.Project) {
			write(t, filepath.Join(p.Planning.GitDir(), verdict.SharedFile("ada")), string(text))
			r, err := p.Hydrate("ada")
			if err != nil {
				t.Fatal(err)
			}
			p.Examine(r)
			p.Gather(r, answer.Everything)
			if len(team.MovedShared(p.Project)) != test.want {
				t.Errorf("%d plans are looked for, want %d", len(team.MovedShared(p.Project)), test.want)
			}
		})
	}
}

// TestForgetKeepsWhatWasExchanged: a sync in the background may write what it knew before this command's own exchange.
func TestForgetKeepsWhatWasExchanged(t *testing.T) {
	p, _ := apptest.NewWorld(t)
	seen := team.LastSeen(p.Project)
	if p.Forget(); team.LastSeen(p.Project) != seen {
		t.Error("what was exchanged is read again")
	}
}
