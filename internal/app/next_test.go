package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/problem"
)

// nextOf asks for the next plan, and gives the names of the others.
func nextOf(t *testing.T, p *app.Project, user string) (*answer.Next, string) {
	t.Helper()
	again := reopen(t, p.Dir) // a project is opened for one command
	again.World = p.World
	answer, err := again.Next(user)
	if err != nil {
		t.Fatal(err)
	}
	var also []string
	for _, ref := range answer.Next.AlsoReady {
		also = append(also, ref.ID)
	}
	return answer.Next, strings.Join(also, " ")
}

// A shallow clone has less to tell: if it says how far a plan is, that is said, too.
func TestNextInAShallowClone(t *testing.T) {
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md phases/03-a/03-02-PLAN.md"))
	commitAll(t, p, 0, "docs: plan")
	commitAll(t, p, 1, "feat(03-01): x")
	old, err := os.ReadFile(filepath.Join(p.Dir, ".git", "refs", "heads", "main"))
	if err != nil {
		t.Fatal(err)
	}
	commitAll(t, p, 2, "feat(03-02): x")
	write(t, filepath.Join(p.Dir, ".git", "shallow"), string(old))
	if n, _ := nextOf(t, p, "ada"); n.ID != "03-02" || len(n.Warnings) != 1 || n.Warnings[0].Code != problem.HistoryTruncated {
		t.Errorf("%+v", n)
	}
}

// A session whose workstream is gone does not hide the others' plans.
func TestNextAfterItsRootIsGone(t *testing.T) {
	p := projectOf(t, map[string]string{"workstreams/old/phases/01-a/01-01-PLAN.md": "", "phases/02-b/02-01-PLAN.md": ""})
	startOn(t, p, "ada", "workstreams/old/phases/01-a/01-01-PLAN.md", 0)
	if err := os.RemoveAll(filepath.Join(p.Dir, ".planning", "workstreams")); err != nil {
		t.Fatal(err)
	}
	if n, _ := nextOf(t, p, "ada"); n.ID != "02-01" {
		t.Errorf("%+v", n)
	}
}
