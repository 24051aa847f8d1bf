package project

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestDispatched(t *testing.T) {
	const one, two, slug = ".planning/phases/01-a/01-01-PLAN.md", ".planning/phases/01-a/01-02-PLAN.md", ".planning/phases/02-b/02-01-auth-PLAN.md"
	files := map[string]string{"workstreams/api/phases/03-c/03-01-PLAN.md": plan, "phases/03-d/03-01-PLAN.md": plan, "quick/001-fix/001-PLAN.md": plan}
	for _, name := range []string{one, two, slug} {
		files[strings.TrimPrefix(name, ".planning/")] = plan
	}
	p := opened(t, files)
	p.Undecided = p.Roots()
	for prompt, want := range map[string]string{
		`[gsd:dispatch phase="02" plan="02-01-auth"]`:                            slug,
		"Execute the plan at " + filepath.Join(p.Dir, one) + ". It needs " + two: one,
		"Execute @" + two:                        two,
		"Execute ./" + two:                       two,
		"Execute ../" + two:                      "",
		"Look at it.\n" + one:                    "",
		"Execute quick task 1.\n" + one:          ".planning/quick/001-fix/001-PLAN.md",
		"Execute quick task 2.\n" + one:          "",
		"Execute GSD plan.\n" + one + "\n" + two: "",
		"Execute GSD plan.\n" + one + " and " + filepath.Join(p.Dir, one) + ".": one, // the same in two ways
		"Execute /elsewhere/" + one:                                                  "",
		"Execute plan 01-01.\n- /elsewhere/" + one:                                   "",
		"Execute plan 01-01.\n- /elsewhere/" + one + "\n- " + two:                    one,
		"Execute plan 09-09.":                                                        "",
		"Execute plan 03-01.":                                                        "", // which of two
		"Execute plan 03-01.\n- .planning/phases/03-d/03-01-PLAN.md (Plan)":          ".planning/phases/03-d/03-01-PLAN.md",
		"Execute .planning/phases/01-a/01-09-PLAN.md":                                "",
		"Execute plan 01-02.\n- .planning/phases/01-a/01-01-PLAN.md (depends on it)": two,
	} {
		if got := p.Dispatched(p.Dir, prompt); got != want {
			t.Errorf("Dispatched(%q) = %q, want %q", prompt, got, want)
		}
	}
}

// TestDispatchedToWorktree: a prompt may name a plan by its path in another worktree of the repository.
func TestDispatchedToWorktree(t *testing.T) {
	const one = ".planning/phases/01-a/01-01-PLAN.md"
	p := opened(t, map[string]string{strings.TrimPrefix(one, ".planning/"): plan})
	other := addedWorktree(t, p)
	if got := p.Dispatched(p.Dir, "Execute "+filepath.Join(other, filepath.FromSlash(one))); got != one {
		t.Errorf("%q", got)
	}
}

// TestDispatchedBelow: in a monorepo a prompt may name a plan of a project below the agent's directory.
func TestDispatchedBelow(t *testing.T) {
	p := opened(t, map[string]string{"phases/01-a/01-01-PLAN.md": plan})
	write(t, filepath.Join(p.Dir, "apps/web/.planning/phases/01-a/01-01-PLAN.md"), plan)
	web := filepath.Join(p.Dir, "apps", "web")
	for _, test := range []struct {
		prompt, root, dirs string
	}{
		{"Execute apps/web/.planning/phases/01-a/01-01-PLAN.md", "", web},
		{"Execute @apps/web/.planning/phases/01-a/01-01-PLAN.md", "", web},
		{"Execute " + web + "/.planning/phases/01-a/01-01-PLAN.md", "", web},
		{"Execute plan 01-01.\n- apps/web/.planning/phases/01-a/01-01-PLAN.md", "", web},
		{"Execute plan 01-01.\n- .planning/phases/01-a/01-01-PLAN.md, after apps/web/.planning/phases/01-a/01-01-PLAN.md", ".planning/phases/01-a/01-01-PLAN.md", web},
		{"Execute ../.planning/phases/01-a/01-01-PLAN.md", "", ""},
		{"Execute apps/api/.planning/phases/01-a/01-01-PLAN.md", "", ""},
		{"Review apps/web/.planning/phases/01-a/01-01-PLAN.md", "", ""},
	} {
		if dirs := strings.Join(DispatchDirs(p.Dir, test.prompt), " "); dirs != test.dirs {
			t.Errorf("%q: %q", test.prompt, dirs)
		}
		if got := p.Dispatched(p.Dir, test.prompt); got != test.root {
			t.Errorf("Dispatched(%q) = %q, want %q", test.prompt, got, test.root)
		}
	}
	below, err := Open(web)
	if err != nil {
		t.Fatal(err)
	}
	defer below.Close()
	below.Allow(DefaultLimit, CommandFiles)
	const prompt = "Execute apps/web/.planning/phases/01-a/01-01-PLAN.md"
	if got := below.Dispatched(p.Dir, prompt); got != ".planning/phases/01-a/01-01-PLAN.md" {
		t.Errorf("in the project below: %q", got)
	}
}
