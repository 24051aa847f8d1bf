package verdict_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/planfile"
)

// TestUncommitted: the files of the task to resume come first, then the plan's own, then those of the others, and no more than five.
func TestUncommitted(t *testing.T) {
	p := apptest.NewProject(t)
	at := func(name string) string { return filepath.Join(p.Dir, filepath.FromSlash(name)) }
	var many []string
	for i := range 6 {
		many = append(many, fmt.Sprintf("many/%d.go", i))
	}
	tasks := func(all ...string) string {
		return "<task><name>T</name><files>" + strings.Join(all, "</files></task>\n<task><name>T</name><files>") + "</files></task>\n"
	}
	write(t, at(planPath), tasks("`a.go`, ./shared.go", "b.go (NEW)\n- shared.go", strings.Join(many, " ")))
	write(t, at("a.go"), "1")
	commitAll(t, p, 0, "docs: plan")
	for _, c := range []struct{ changed, want string }{
		{"", ""},
		{"a.go", "a.go changed 1"},
		{"b.go", "b.go untracked 2, a.go changed 1"},
		{"shared.go", "b.go untracked 2, shared.go untracked 2, a.go changed 1"},
		{planPath, "b.go untracked 2, shared.go untracked 2, " + planPath + " changed 0, a.go changed 1"},
		{many[0], "b.go untracked 2, shared.go untracked 2, " + planPath + " changed 0, a.go changed 1, many/0.go untracked 3"},
		{many[1], "b.go untracked 2, shared.go untracked 2, " + planPath + " changed 0, a.go changed 1, many/0.go untracked 3 and 1"},
	} {
		if c.changed != "" {
			write(t, at(c.changed), "<task><files>other</files></task>\n")
		}
		plan := planfile.Parse([]byte(tasks("`a.go`, ./shared.go", "b.go (NEW)\n- shared.go", strings.Join(many, " "))))
		if got := uncommittedWords(p.Uncommitted(planPath, plan, 2)); got != c.want {
			t.Errorf("%s: %q, want %q", c.changed, got, c.want)
		}
	}
}

func uncommittedWords(uncommitted *answer.Uncommitted) string {
	if uncommitted == nil {
		return ""
	}
	var all []string
	for _, f := range uncommitted.Files {
		all = append(all, fmt.Sprintf("%s %s %d", f.Path, f.State, f.Task))
	}
	words := strings.Join(all, ", ")
	if uncommitted.More > 0 {
		words += fmt.Sprintf(" and %d", uncommitted.More)
	}
	return words
}

// TestPlanNotInGit: a plan that git does not have is nothing to tell of, nor is one with a thousand files.
func TestPlanNotInGit(t *testing.T) {
	p := apptest.NewProject(t)
	commitAll(t, p, 0, "docs: plan")
	write(t, filepath.Join(p.Dir, filepath.FromSlash(secondPlan)), "")
	plan := planfile.Parse([]byte("<task><name>T</name><files>" + strings.Repeat("x/y.go ", 1000) + "</files></task>\n"))
	if uncommitted := p.Uncommitted(secondPlan, plan, 1); uncommitted != nil || uncommitted.OfTasks() {
		t.Errorf("%+v", uncommitted)
	}
}
