package doctor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/verdict"
)

func TestAliasedBy(t *testing.T) {
	t.Parallel()
	const sources = "\nsource \"$ZSH/oh-my-zsh.sh\"\n"
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"# x\nalias gsd=x", "alias gsd=x"},
		{"plugins=(git)" + sources, "the plugin git of oh-my-zsh"},
		{"plugins=(\n\tz\n\tgit\n)" + sources, "the plugin git of oh-my-zsh"},
		{"plugins=(gitfast z)" + sources, ""},
		{"plugins=(z)\n# git" + sources, ""},
		{"plugins=(git)\n#source oh-my-zsh.sh\n", ""},
		{"plugins=(git)" + sources + "unalias gsd", ""},
		{"unalias gsd\nplugins=(git)" + sources, "the plugin git of oh-my-zsh"},
		{"alias gsd='git svn dcommit'", "alias gsd='git svn dcommit'"},
		{"alias gsd=/opt/gsd/bin/gsd", ""},
		{"alias gsd='gsd -C notes'", ""},
		{"alias gsda=git", ""},
		{"alias gsd=", ""},
	} {
		if got := aliasedBy(test.text); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// TestFreeName gives all plans of one number names of their own, none of which is taken.
func TestFreeName(t *testing.T) {
	t.Parallel()
	phase, _ := planref.ParseNumber("3")
	plan := func(name string) *roadmap.Plan {
		return &roadmap.Plan{Path: ".planning/phases/03-a1/" + name, Phase: phase}
	}
	ids := map[string][]*roadmap.Plan{"03-01": {plan("03-01-PLAN.md")}, "03-03": {plan("03-03-PLAN.md")}}
	for _, test := range []struct{ name, want string }{
		{"03-01-b2-PLAN.md", "03-02-b2-PLAN.md"},
		{"3-PLAN-01-b.md", "3-PLAN-04-b.md"},
		{"PLAN.md", ""},
	} {
		got := strings.TrimPrefix(freeName(plan(test.name), ids), ".planning/phases/03-a1/")
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestManyFindings bounds what is printed of a project of nothing but mistakes.
func TestManyFindings(t *testing.T) {
	t.Parallel()
	d := &checkup{Project: &app.Project{Project: &verdict.Project{Planning: &project.Project{}}}}
	for i := range 3 * problem.MaxAlike {
		d.found(Finding{Warning: problem.Warning{Code: "a", Says: fmt.Sprint(i)}})
		d.found(Finding{Warning: problem.Warning{Code: "b"}})
	}
	if len(d.Findings) != problem.MaxAlike+1 || len(d.Planning.Warned()) != 1 {
		t.Errorf("%d findings, warnings %v", len(d.Findings), d.Planning.Warned())
	}
}

// A finding is listed once: the fixes of two that are equal are not one value.
func TestFindingTwice(t *testing.T) {
	t.Parallel()
	d := &checkup{}
	for _, line := range []int{3, 3, 4} {
		d.found(Finding{Warning: problem.Warning{Code: DependencyUnknown, Path: "a", Line: line}, Fix: action.Action{Kind: action.CleanUp}})
	}
	if len(d.Findings) != 2 {
		t.Errorf("%+v", d.Findings)
	}
}
