package planref

import (
	"slices"
	"strings"
	"testing"
)

func TestFindMoved(t *testing.T) {
	const old = ".planning/phases/03-auth/03-01-PLAN.md"
	for _, c := range []struct{ name, old, files, same, want string }{
		{
			"archived", old, ".planning/milestones/v1.0-phases/03-auth/03-01-PLAN.md .planning/milestones/v0.9-phases/03-base/03-01-PLAN.md", "",
			".planning/milestones/v1.0-phases/03-auth/03-01-PLAN.md",
		},
		{"archived by hand", old, ".planning/archive/v1/phases/03-auth/03-01-PLAN.md", "", ".planning/archive/v1/phases/03-auth/03-01-PLAN.md"},
		{"phase renamed", old, ".planning/phases/03-login/03-01-PLAN.md .planning/phases/03-login/03-02-PLAN.md", "", ".planning/phases/03-login/03-01-PLAN.md"},
		{
			"phase renumbered", ".planning/phases/16-docker/16-02-PLAN.md", ".planning/phases/13-docker/13-02-PLAN.md .planning/phases/13-docker/13-01-PLAN.md", "",
			".planning/phases/13-docker/13-02-PLAN.md",
		},
		{
			"same bytes win", old, ".planning/phases/03-login/03-01-PLAN.md .planning/archive/a/03-01-PLAN.md", ".planning/archive/a/03-01-PLAN.md",
			".planning/archive/a/03-01-PLAN.md",
		},
		{
			"same bytes twice", old, ".planning/archive/a/x/03-01-PLAN.md .planning/archive/b/03-auth/03-01-PLAN.md",
			".planning/archive/a/x/03-01-PLAN.md .planning/archive/b/03-auth/03-01-PLAN.md", ".planning/archive/b/03-auth/03-01-PLAN.md",
		},
		{"two could be it", old, ".planning/milestones/a-phases/03-auth/03-01-PLAN.md .planning/milestones/b-phases/03-auth/03-01-PLAN.md", "", ""},
		{"another plan of an old milestone", old, ".planning/milestones/v0.9-phases/03-base/03-01-PLAN.md", "", ""},
		{
			"same bytes under another name", old, ".planning/phases/03-auth/03-02-PLAN.md .planning/phases/03-auth/03-05-PLAN.md",
			".planning/phases/03-auth/03-05-PLAN.md", ".planning/phases/03-auth/03-05-PLAN.md",
		},
		{
			"same bytes under two other names", old, ".planning/phases/03-auth/03-04-PLAN.md .planning/phases/03-auth/03-05-PLAN.md",
			".planning/phases/03-auth/03-04-PLAN.md .planning/phases/03-auth/03-05-PLAN.md", "",
		},
		{"still there", old, old, old, ""},
		{"bare plan elsewhere", ".planning/phases/20-a/PLAN.md", ".planning/phases/21-b/PLAN.md", "", ""},
		{"nothing", old, ".planning/ROADMAP.md", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			same := strings.Fields(c.same)
			got, ok := FindMoved(strings.Fields(c.files), c.old, func(p string) bool { return slices.Contains(same, p) })
			if got != c.want || ok != (c.want != "") {
				t.Errorf("got %q, %v, want %q", got, ok, c.want)
			}
		})
	}
}
