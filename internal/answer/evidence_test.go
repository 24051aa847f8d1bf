package answer

import (
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
)

func TestCommitNaming(t *testing.T) {
	t.Parallel()
	at := func(day int, subject string) evidence.Evidence {
		return evidence.Evidence{When: time.Unix(int64(day)*86400, 0), Subject: subject}
	}
	task := func(commits ...evidence.Evidence) evidence.TaskEvidence {
		return evidence.TaskEvidence{Commits: commits}
	}
	for _, c := range []struct {
		name  string
		found evidence.Found
		want  string
	}{
		{"none", evidence.Found{}, ""},
		{"a scope", evidence.Found{Tasks: []evidence.TaskEvidence{task(at(1, "feat(03-01): add: a list"))}}, "feat(03-01):"},
		{"the latest", evidence.Found{Tasks: []evidence.TaskEvidence{task(at(1, "feat(03-01): a"), at(3, "feat(p3): b")), task(at(2, "fix(03-01): c"))}}, "feat(p3):"},
		{"of no task", evidence.Found{Unassigned: []evidence.Evidence{at(1, "refactor(03-01)!: a")}}, ""},
		{"of no task, with a scope", evidence.Found{Unassigned: []evidence.Evidence{at(1, "refactor(03-01): a")}}, "refactor(03-01):"},
		{"no scope", evidence.Found{Tasks: []evidence.TaskEvidence{task(at(1, "feat(03-01): a"), at(2, "add a list: (03-01)"), at(3, "feat: b"))}}, "feat(03-01):"},
	} {
		if got := CommitNaming(c.found); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestIsPartial(t *testing.T) {
	t.Parallel()
	if (PlanEvidence{}).IsPartial() || !(PlanEvidence{Limited: true}).IsPartial() || !(PlanEvidence{Truncated: true}).IsPartial() || !(PlanEvidence{Failed: true}).IsPartial() {
		t.Error("IsPartial")
	}
}
