package evidence

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// versions gives commits, the newest first, the plan in these versions: a word each, "-" for none, "+v" in the commit that
// added it.
func versions(commits []Work, words ...string) []Work {
	for i := range commits {
		version, added := words[i], false
		if version[0] == '+' {
			version, added = version[1:], true
		}
		commits[i].Version = func(name string) string {
			if version == "-" || name != plan31 {
				return ""
			}
			return version
		}
		commits[i].Changes = func() []gitlog.Change {
			if added {
				return []gitlog.Change{{Path: plan31, Kind: gitlog.Added}}
			}
			return nil
		}
	}
	return commits
}

// What an older version of the plan's file had in it decides whether its commits count.
func TestRecoverVersions(t *testing.T) {
	t.Parallel()
	const schema, login, plan = "feat(03-01): create user schema", "feat(03-01): write login endpoint", "docs(03-01): plan"
	names := map[string][]string{
		"same":     {"Create user schema", "Write login endpoint", "Look at it", "Document the interface"},
		"reworded": {"Task 1: Create the user schema", "Login endpoint", "Look at it"},
		"inserted": {"Draw the boundaries", "Create user schema", "Write login endpoint", "Look at it"},
		"last":     {"Create user schema", "Write login endpoint", "Look at it", "Draw a map"},
		"other":    {"Billing table", "Invoice sending"},
	}
	for name, tt := range map[string]struct {
		subjects []string
		versions []string
		want     string
	}{
		"revised, and the same tasks":      {[]string{login, plan, schema}, []string{"now", "now", "same"}, "1=1 2=3"},
		"reworded":                         {[]string{login, plan, schema}, []string{"now", "now", "reworded"}, "1=1 2=3"},
		"nobody knows":                     {[]string{login, plan, schema}, []string{"now", "now", "unknown"}, "1=1 2=3"},
		"all others":                       {[]string{login, plan, schema}, []string{"now", "now", "other"}, "2=3"},
		"all others, by number":            {[]string{login, plan, "feat(03-01): task 1: x"}, []string{"now", "now", "other"}, "2=3"},
		"one was in front, by number":      {[]string{login, plan, "feat(03-01): task 4: y"}, []string{"now", "now", "inserted"}, "2=3 ?4=1"},
		"one was in front, by words":       {[]string{login, plan, schema}, []string{"now", "now", "inserted"}, "1=1 2=3"},
		"the last was another one":         {[]string{login, plan, "feat(03-01): task 4: x", "feat(03-01): task 1: y"}, []string{"now", "now", "last", "last"}, "1=1 2=4 ?4=2"},
		"taken away for a while":           {[]string{login, "revert", "chore: end it", schema, plan}, []string{"now", "+now", "-", "now", "+now"}, "1=2 2=5"},
		"taken away, and planned anew":     {[]string{login, plan, "chore: end it", schema, plan}, []string{"now", "+now", "-", "was", "+was"}, "2=5"},
		"on a branch from before the plan": {[]string{login, "x", "y", "z", schema, plan}, []string{"now", "-", "-", "-", "now", "+now"}, "1=2 2=6"},
	} {
		p := dataPlan()
		p.Was = func(version string) []string { return names[version] }
		if got := given(Recover(slices.Values(versions(log(tt.subjects...), tt.versions...)), p)); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// However long a branch from before the plan is, what was done before it is seen.
func TestRecoverLongBranch(t *testing.T) {
	t.Parallel()
	subjects, has := []string{"feat(03-01): write login endpoint"}, []string{"now"}
	for i := range 500 {
		subjects, has = append(subjects, fmt.Sprint("old work ", i)), append(has, "-")
	}
	subjects, has = append(subjects, "feat(03-01): create user schema", "docs(03): plan"), append(has, "now", "+now")
	if got := given(Recover(slices.Values(versions(log(subjects...), has...)), dataPlan())); got != "1=2 2=503" {
		t.Errorf("got %q", got)
	}
}
