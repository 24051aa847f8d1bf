package roadmap

import (
	"path"
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	list := listing("ROADMAP.md", ".planning/ROADMAP.md", ".planning/workstreams/web/ROADMAP.md", "x/.planning/phases/01-a/01-01-PLAN.md",
		".planning/sub/ROADMAP.md/file")
	exists := func(name string) bool { return slices.Contains(list(path.Dir(name)), path.Base(name)) }
	for plan, want := range map[string]string{
		".planning/phases/01-a/01-01-PLAN.md":                 ".planning/ROADMAP.md",
		".planning/workstreams/web/phases/01-a/01-01-PLAN.md": ".planning/workstreams/web/ROADMAP.md",
		".planning/workstreams/api/phases/01-a/01-01-PLAN.md": ".planning/ROADMAP.md",
		".planning/sub/phases/01-a/PLAN.md":                   ".planning/sub/ROADMAP.md", // even if it is a directory
		"x/.planning/phases/01-a/01-01-PLAN.md":               "",
		"../.planning/phases/01-a/01-01-PLAN.md":              "",
		"/.planning/PLAN.md":                                  "",
	} {
		if got, ok := Nearest(exists, plan); got != want || ok != (want != "") {
			t.Errorf("Nearest(%s) = %q, %v, want %q", plan, got, ok, want)
		}
	}
}
