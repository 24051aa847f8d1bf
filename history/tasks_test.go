package history

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const plan31 = ".planning/phases/03-data/03-01-PLAN.md"

// dataPlan is the plan of the tests: three tasks of which the last but one is a checkpoint.
func dataPlan() Plan {
	return Plan{Path: plan31, ID: "03-01", Tasks: []Task{
		{Number: 1, Name: "Task 1: Create user schema", Files: []string{"src/schema.sql"}},
		{Number: 2, Name: "Task 2: Write login endpoint", Files: []string{"src/login.go", ".planning/notes/LOGIN.md"}},
		{Number: 3, Name: "Look at it", Type: "checkpoint:human-verify"},
		{Number: 4, Name: "Task 3: Document the interface", Files: []string{"README.md"}},
	}}
}

// log makes commits of subjects, the newest first, one a minute; a text behind a line feed is the body.
func log(messages ...string) []Work {
	var commits []Work
	for i, m := range messages {
		subject, body, _ := strings.Cut(m, "\n")
		commits = append(commits, Work{ID: id(len(messages) - i), When: time.Unix(int64(60*(len(messages)-i)), 0), Subject: subject, Body: body})
	}
	return commits
}

// id is the hash of the nth oldest commit.
func id(n int) string { return fmt.Sprintf("%07d%033d", n, n) }

// given is who did what at the default confidence: `1=2 4=3` says that task 1 was done by the second oldest
// commit; `-=1` that the first belongs to the plan and to no task, `?2=1` that it is unsure.
func given(f Found) string {
	var said []string
	add := func(task string, e Evidence) {
		n, _ := strconv.Atoi(e.ID[:7])
		said = append(said, fmt.Sprintf("%s=%d", task, n))
	}
	for _, t := range f.Tasks {
		for _, e := range t.Commits {
			if e.Confidence >= DefaultConfidence {
				add(strconv.Itoa(t.Number), e)
			} else {
				add("?"+strconv.Itoa(t.Number), e)
			}
		}
	}
	for _, e := range f.Unassigned {
		add("-", e)
	}
	return strings.Join(said, " ")
}

func TestRecover(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		plan    func(*Plan)
		commits []Work // newest first
		want    string
		status  string // the first letters
	}{
		"nothing":                  {nil, log("docs(03): create phase plan"), "", "pppp"},
		"in order":                 {nil, log("feat(03-01): b", "feat(03-01): a"), "1=1 2=2", "ccip"},
		"in other words":           {nil, log("feat(03-01): add schema of users"), "1=1", "cipp"},
		"all done":                 {nil, log("docs(03-01): document interface", "feat(03-01): login endpoint", "feat(03-01): user schema"), "1=1 2=2 4=3", "cccc"},
		"by name past another":     {nil, log("feat(03-01): write login endpoint"), "2=1", "icpp"},
		"by number":                {nil, log("feat(3-1): Task 2: frobnicate", "[03-01] task 1: frobnicate"), "1=1 2=2", "ccip"},
		"by the author's number":   {nil, log("docs(03-01): task 3: frobnicate"), "4=1", "ipcc"},
		"in its scope":             {nil, log("feat(03-01-T2): create user schema"), "2=1", "icpp"},
		"two tasks":                {nil, log("feat(03-01): tasks 1 and 2"), "1=1 2=1", "ccip"},
		"by a line of its body":    {nil, log("feat(03-01): frobnicate\nTask 2: login"), "2=1", "icpp"},
		"by trailers":              {nil, log("frobnicate\n\nPlan: 03-01\nTask: 2\n"), "2=1", "icpp"},
		"by one trailer":           {nil, log("frobnicate\n\nGSD-Task: 03-01/2\n"), "2=1", "icpp"},
		"another plan's trailer":   {nil, log("create user schema frobnicate\n\nPlan: 03-02\n"), "", "pppp"},
		"another plan":             {nil, log("feat(03-02): create user schema", "feat(13-01): create user schema", "feat(03.1-01): create user schema"), "", "pppp"},
		"prose of another plan":    {nil, log("feat(03-02): follow 03-01 with user schema"), "", "pppp"},
		"its phase alone":          {nil, log("feat(phase-03): create user schema"), "1=1", "cipp"},
		"its phase, and its words": {sibling, log("feat(phase-03): create user schema"), "?1=1", "ippp"},
		"its phase, and no words":  {sibling, log("feat(phase-03): frobnicate"), "", "pppp"},
		"its phase, a sibling's":   {sibling, log("feat(phase-03): invoice printing schema"), "", "pppp"},
		"by name only":             {nil, log("write login endpoint for json clients"), "2=1", "icpp"},
		"by too few words":         {nil, log("write login endpoint"), "", "pppp"},
		"about the plan":           {nil, log("docs(03-01): complete data plan", "chore(03-01): update STATE.md", "docs(03-01): create phase plan", "fix(03-01): revise plans"), "", "pppp"},
		"documents that are work":  {nil, log("docs(03-01): document the interface"), "4=1", "ipcc"},
		"chores that are work":     {nil, log("chore(03-01): install database driver"), "1=1", "cipp"},
		"a merge":                  {nil, merge(log("feat(03-01): create user schema")), "", "pppp"},
		"what was mended":          {nil, log("fix(03-01): typo in comment", "feat(03-01): create user schema"), "1=1 -=2", "cipp"},
		"taken back":               {nil, log(`Revert "feat(03-01): write login endpoint"`, "feat(03-01): write login endpoint", "feat(03-01): create user schema"), "1=1", "cipp"},
		"taken back by hash":       {nil, log("roll back\n\nThis reverts commit "+id(1)+".", "feat(03-01): b", "feat(03-01): a"), "2=2", "icpp"},
		"by a hash cut short":      {nil, log("roll back\n\nThis reverts commit "+id(1)[:8]+".", "feat(03-01): b", "feat(03-01): a"), "2=2", "icpp"},
		"by a hash from before":    {nil, log("Revert \"feat(03-01): a\"\n\nThis reverts commit deadbeefdeadbeef.", "feat(03-01): b", "feat(03-01): a"), "2=2", "icpp"},
		"given again":              {nil, log(`Revert "Revert "feat(03-01): a""`, `Revert "feat(03-01): a"`, "feat(03-01): a"), "1=1", "cipp"},
		"reapplied":                {nil, log(`Reapply "feat(03-01): a"`, `Revert "feat(03-01): a"`, "feat(03-01): a"), "1=1", "cipp"},
		"given again by hash": {nil, log("Reapply\n\nThis reverts commit "+id(2)+".", "Drop it\n\nThis reverts commit "+id(1)+".",
			"feat(03-01): a"), "1=1", "cipp"},
		"done again":            {nil, log("feat(03-01): login page", `Revert "feat(03-01): login page"`, "feat(03-01): login page", "feat(03-01): create user schema"), "1=1 2=4", "ccip"},
		"squashed":              {nil, log("Data (#12)\n\n* feat(03-01): create user schema\n\n* feat(03-01): write login endpoint\n* docs(03-01): complete data plan"), "1=1 2=1", "ccip"},
		"squashed with another": {nil, log("Data (#12)\n\n* feat(03-01): create user schema\n* feat(03-02): write login endpoint"), "1=1", "cipp"},
		"a number too large":    {nil, log("feat(03-01): task 9: create user schema"), "1=1", "cipp"},
		"tests first": {
			func(p *Plan) { p.Tasks[0].TDD = true },
			log("feat(03-01): write login endpoint", "feat(03-01): user schema", "test(03-01): failing tests for user schema"), "1=1 1=2 2=3", "ccip",
		},
		"only tests": {func(p *Plan) { p.Tasks[0].TDD = true }, log("test(03-01): failing tests for user schema"), "1=1", "ippp"},
		"one task":   {func(p *Plan) { p.Tasks = p.Tasks[:1] }, log("refactor(03-01): c", "feat(03-01): b", "test(03-01): a"), "1=1 1=2 1=3", "c"},
		"no task":    {func(p *Plan) { p.Tasks = nil }, log("feat(03-01): a"), "-=1", ""},
		"before it was planned": {
			func(p *Plan) { p.Added = time.Unix(90, 0) },
			log("feat(03-01): b", "feat(03-01): of an earlier milestone"), "1=2", "cipp",
		},
		"an earlier plan was closed": {nil, log("feat(03-01): b", "docs(03-01): complete old plan", "feat(03-01): a"), "1=3", "cipp"},
	} {
		p := dataPlan()
		if tt.plan != nil {
			tt.plan(&p)
		}
		f := Recover(slices.Values(tt.commits), p)
		if got := given(f); got != tt.want {
			t.Errorf("%s: got %q, want %q\n%s", name, got, tt.want, dump(f))
		}
		var status strings.Builder
		for _, s := range f.Statuses(DefaultConfidence) {
			status.WriteByte(s[0])
		}
		if status.String() != tt.status {
			t.Errorf("%s: statuses %s, want %s", name, &status, tt.status)
		}
	}
}

func sibling(p *Plan) {
	p.Siblings = []Plan{{ID: "03-02", Tasks: []Task{{Name: "Print invoices", Files: []string{"invoice.go"}}}}}
}

func dump(f Found) string {
	var out strings.Builder
	for _, t := range f.Tasks {
		for _, e := range t.Commits {
			fmt.Fprintf(&out, "  task %d %.2f %q %s\n", t.Number, e.Confidence, e.Subject, e.Reason)
		}
	}
	for _, e := range f.Unassigned {
		fmt.Fprintf(&out, "  no task %.2f %q %s\n", e.Confidence, e.Subject, e.Reason)
	}
	return out.String()
}

func merge(commits []Work) []Work {
	commits[0].Merge = true
	return commits
}

// What a commit changed decides where its words do not.
func TestRecoverFiles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		subject string
		files   []string
		want    string
	}{
		"a task's file":         {"feat(03-01): frobnicate", []string{"src/login.go", "go.mod"}, "2=1"},
		"a task's planning":     {"docs(03-01): frobnicate", []string{".planning/notes/LOGIN.md"}, "2=1"},
		"the plan":              {"docs(03-01): frobnicate", []string{plan31}, ""},
		"the plan, mended":      {"fix(03-01): create user schema first", []string{plan31}, ""},
		"the plan and code":     {"fix(03-01): create user schema", []string{plan31, "src/schema.sql"}, "1=1"},
		"the summary":           {"docs(03-01): frobnicate", []string{".planning/phases/03-data/03-01-SUMMARY.md"}, ""},
		"state":                 {"chore(03-01): frobnicate", []string{".planning/STATE.md"}, ""},
		"another root's":        {"feat(03-01): create user schema", []string{".planning/workstreams/b/STATE.md"}, ""},
		"another root's and no": {"feat(03-01): create user schema", []string{".planning/workstreams/b/STATE.md", ".planning/STATE.md"}, "1=1"},
	} {
		commits := log(tt.subject)
		commits[0].Changes = func() []Change {
			var changes []Change
			for _, f := range tt.files {
				changes = append(changes, Change{Path: f, Kind: Modified})
			}
			return changes
		}
		if got := given(Recover(slices.Values(commits), dataPlan())); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// The walk ends a while behind the commit that added the plan, follows a plan that was moved, and does not take
// the work of an earlier milestone.
func TestRecoverBounded(t *testing.T) {
	t.Parallel()
	const old = ".planning/phases/03-base/03-01-PLAN.md"
	var messages []string
	for range 3 * without {
		messages = append(messages, "feat(03-01): of an earlier milestone")
	}
	messages = slices.Concat([]string{
		"feat(03-01): write login endpoint", // 0
		"refactor: rename the phase",        // 1
		"feat(03-01): create user schema",   // 2
		"docs(03): create phase plan",       // 3
	}, messages)
	commits := log(messages...)
	for i := range commits {
		commits[i].Has = func(name string) bool { return i <= 1 && name == plan31 || i > 1 && i <= 3 && name == old }
		commits[i].Changes = func() []Change {
			switch i {
			case 1:
				return []Change{{old, Removed}, {plan31, Added}}
			case 3:
				return []Change{{old, Added}}
			}
			return nil
		}
	}
	f := Recover(slices.Values(commits), dataPlan())
	var got []string
	for _, task := range f.Tasks {
		for _, e := range task.Commits {
			got = append(got, e.Subject)
		}
	}
	if diff := cmp.Diff([]string{messages[2], messages[0]}, got); diff != "" {
		t.Error(diff)
	}
	if !f.Bounded || f.Seen != 4+without {
		t.Errorf("bounded %v after %d commits", f.Bounded, f.Seen)
	}
}

// However many there are, nothing takes long and nothing is guessed.
func TestRecoverMany(t *testing.T) {
	t.Parallel()
	p := Plan{Path: plan31, ID: "03-01"}
	for i := range 2000 {
		p.Tasks = append(p.Tasks, Task{Number: i + 1, Name: "Task " + strconv.Itoa(i+1)})
	}
	f := Recover(slices.Values(log(slices.Repeat([]string{"feat(03-01): wip", "feat(03-01): task 1999: x"}, 1000)...)), p)
	if len(f.Unassigned) != 1000 || len(f.Tasks[1998].Commits) != 1000 {
		t.Errorf("%d unassigned, %d of task 1999", len(f.Unassigned), len(f.Tasks[1998].Commits))
	}
}
