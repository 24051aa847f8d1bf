package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/gitlog"

	"github.com/google/go-cmp/cmp"
)

const plan31 = ".planning/phases/03-data/03-01-PLAN.md"

// dataPlan is the plan of the tests: three tasks of which the last but one is a checkpoint.
func dataPlan() Plan {
	return Plan{Path: plan31, Root: ".planning", ID: "03-01", Tasks: []Task{
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
		"in order alone":           {nil, log("feat(03-01): b", "feat(03-01): a"), "?1=1 ?2=2", "ippp"},
		"in other words":           {nil, log("feat(03-01): add schema of users"), "1=1", "cipp"},
		"all done":                 {nil, log("docs(03-01): document interface", "feat(03-01): login endpoint", "feat(03-01): user schema"), "1=1 2=2 4=3", "cccc"},
		"by name past another":     {nil, log("feat(03-01): write login endpoint"), "2=1", "icpp"},
		"by number":                {nil, log("feat(3-1): Task 2: frobnicate", "[03-01] task 1: frobnicate"), "1=1 2=2", "ccip"},
		"by the author's number":   {nil, log("docs(03-01): task 3: frobnicate"), "4=1", "ipcc"},
		"in its scope":             {nil, log("feat(03-01-T2): frobnicate"), "2=1", "icpp"},
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
		"chores that are work":     {nil, log("chore(03-01): install driver of schema"), "1=1", "cipp"},
		"a merge":                  {nil, merge(log("feat(03-01): create user schema")), "", "pppp"},
		"what was mended":          {nil, log("fix(03-01): typo in comment", "feat(03-01): create user schema"), "1=1 -=2", "cipp"},
		"taken back":               {nil, log(`Revert "feat(03-01): write login endpoint"`, "feat(03-01): write login endpoint", "feat(03-01): create user schema"), "1=1", "cipp"},
		"taken back by hash":       {nil, log("roll back\n\nThis reverts commit "+id(1)+".", "feat(03-01): login", "feat(03-01): schema"), "2=2", "icpp"},
		"by a hash cut short":      {nil, log("roll back\n\nThis reverts commit "+id(1)[:8]+".", "feat(03-01): login", "feat(03-01): schema"), "2=2", "icpp"},
		"by a hash from before":    {nil, log("Revert \"feat(03-01): schema\"\n\nThis reverts commit deadbeefdeadbeef.", "feat(03-01): login", "feat(03-01): schema"), "2=2", "icpp"},
		"given again":              {nil, log(`Revert "Revert "feat(03-01): schema""`, `Revert "feat(03-01): schema"`, "feat(03-01): schema"), "1=1", "cipp"},
		"reapplied":                {nil, log(`Reapply "feat(03-01): schema"`, `Revert "feat(03-01): schema"`, "feat(03-01): schema"), "1=1", "cipp"},
		"given again by hash": {nil, log("Reapply\n\nThis reverts commit "+id(2)+".", "Drop it\n\nThis reverts commit "+id(1)+".",
			"feat(03-01): schema"), "1=1", "cipp"},
		"done again":            {nil, log("feat(03-01): login page", `Revert "feat(03-01): login page"`, "feat(03-01): login page", "feat(03-01): create user schema"), "1=1 2=4", "ccip"},
		"squashed":              {nil, log("Data (#12)\n\n* feat(03-01): create user schema\n\n* feat(03-01): write login endpoint\n* docs(03-01): complete data plan"), "1=1 2=1", "ccip"},
		"squashed with another": {nil, log("Data (#12)\n\n* feat(03-01): create user schema\n* feat(03-02): write login endpoint"), "1=1", "cipp"},
		"a number too large":    {nil, log("feat(03-01): task 9: create user schema"), "1=1", "cipp"},
		"tests first": {
			func(p *Plan) { p.Tasks[0].TDD = true },
			log("feat(03-01): write login endpoint", "feat(03-01): user schema", "test(03-01): failing tests for user schema"), "1=1 1=2 2=3", "ccip",
		},
		"only tests": {func(p *Plan) { p.Tasks[0].TDD = true }, log("test(03-01): failing tests for user schema"), "1=1", "ippp"},
		"one task":   {func(p *Plan) { p.Tasks = p.Tasks[:1] }, log("refactor(03-01): schema files", "feat(03-01): user schema", "test(03-01): user schema"), "1=1 1=2 1=3", "c"},
		"no task":    {func(p *Plan) { p.Tasks = nil }, log("feat(03-01): a"), "-=1", ""},
		"before it was planned": {
			func(p *Plan) { p.Added = time.Unix(90, 0) },
			log("feat(03-01): schema", "feat(03-01): schema of an earlier milestone"), "1=2", "cipp",
		},
		"an earlier plan was closed": {nil, log("feat(03-01): schema", "docs(03-01): complete old plan", "feat(03-01): login"), "1=3", "cipp"},
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

// What a breaker of these rules found: none of it may make a task complete that is not, or lose one that is.
func TestRecoverBroken(t *testing.T) {
	t.Parallel()
	const schema, login = "feat(03-01): create user schema", "feat(03-01): write login endpoint"
	for name, tt := range map[string]struct {
		commits []Work // newest first
		want    string
		status  string
	}{
		"F1 paused":        {log("wip(03-01): paused at task 2/4"), "?2=1", "ippp"},
		"F1 half":          {log("wip(03-01): task 2 half done"), "?2=1", "ippp"},
		"F1 wip":           {log("WIP(03-01): login endpoint"), "?2=1", "ippp"},
		"F1 wip in text":   {log("feat(03-01): WIP login endpoint"), "?2=1", "ippp"},
		"F1 wip alone":     {log("wip(03-01): wip"), "-=1", "ippp"},
		"F1 start":         {log("chore(03-01): start task 2"), "?2=1", "ippp"},
		"F1 blocked":       {log("chore(03-01): task 2 blocked on credentials"), "?2=1", "ippp"},
		"F1 skip":          {log("chore(03-01): skip task 2, defer task 3"), "?2=1 ?4=1", "ippp"},
		"F1 moves nothing": {log(login, "wip(03-01): user schema", schema), "1=1 ?1=2 2=3", "ccip"},
		"F2 what is left":  {log(schema + "\n\nRemaining:\n- Task 2: Write login endpoint\n- Task 3: Document the interface"), "1=1", "cipp"},
		"F2 paragraphs":    {log(schema + "\n\nTask 2: Write login endpoint\n\nTask 3: Document it"), "1=1", "cipp"},
		"F2 not started":   {log(schema + "\n\nTask 3: not started"), "1=1", "cipp"},
		"F2 next":          {log(schema + "\n\nNext:\n\nTask 2: Write login endpoint"), "1=1", "cipp"},
		"F3 before":        {log("feat(03-01): create user schema before task 3"), "1=1", "cipp"},
		"F3 a name":        {log("feat(03-01): task 1-click creation", "feat(03-01): T2 instances", "feat(03-01): split task 3 pane"), "?1=1 ?2=2 ?4=3", "ippp"},
		"F4 parts":         {log("feat(03-01): seeds", "feat(03-01): migration", "feat(03-01): columns"), "?1=1 ?2=2 ?4=3", "ippp"},
		"F4 chores":        {log("refactor(03-01): rename", "style(03-01): gofmt", "chore(03-01): bump deps"), "?1=1 ?2=2 ?4=3", "ippp"},
		"F5 failing":       {log("test(03-01): failing tests for user schema"), "1=1", "ippp"},
		"F5 red":           {log("test(03-01): user schema (RED)"), "1=1", "ippp"},
		"F5 and its code":  {log(schema, "test(03-01): failing tests for user schema"), "1=1 1=2", "cipp"},
		"F6":               {log("Revert \"feat(03-01): create user schema (#12)\" (#13)\n\nReverts o/r#12", schema+" (#12)"), "", "pppp"},
		"F6 as it was":     {log("Revert \"feat(03-01): create user schema\" (#13)", schema+" (#12)"), "", "pppp"},
		"F7":               {log("Revert \"Merge branch 'b'\"\n\nThis reverts commit "+id(3)+", reversing\nchanges made to "+id(1)+".", "Merge branch 'b'", login, schema), "?1=1 ?2=2", "ippp"},
		"F7 after":         {log(login, "Drop\n\nThis reverts commit "+id(2)+", reversing\nchanges made to "+id(1)+".", "Merge branch 'b'", schema), "?1=1 2=4", "icpp"},
		"F8 scope":         {log("revert(03-01): write login endpoint", login), "", "pppp"},
		"F8 no scope":      {log("revert: write login endpoint", login), "", "pppp"},
		"F8 numbers":       {log("revert(03-01): undo tasks 1 and 2", login, schema), "?1=1 ?2=2", "ippp"},
		"F8 number":        {log("revert: task 2 of 03-01", login, schema), "1=1 ?2=2", "cipp"},
		"F8 reverted":      {log("Reverted \""+login+"\"", login, schema), "1=1", "cipp"},
		"F8 emoji":         {log("⏪ Revert \""+login+"\"", login, schema), "1=1", "cipp"},
		"F8 bare":          {log("revert "+login, login, schema), "1=1", "cipp"},
		"F8 fix":           {log("fix(03-01): revert task 2", login, schema), "1=1 ?2=2", "cipp"},
		"F8 back out":      {log("fix(03-01): back out login endpoint", login, schema), "1=1 ?2=2", "cipp"},
		"F8 by trailer":    {log("undo task 2\n\nPlan: 03-01\n", login, schema), "1=1 ?2=2", "cipp"},
		"L1 in a merge":    {log("Merge branch 'b'\n\n* "+schema+"\n* "+login, "feat(03-01): x"), "?1=1", "ippp"},
		"F8 done again":    {log(login, "fix(03-01): undo task 2", login, schema), "1=1 ?2=2 2=4", "ccip"},
		"F9":               {log("Drop\n\nThis reverts commit "+id(1)+".\nThis reverts commit "+id(2)+".", login, schema), "", "pppp"},
		"F13":              {log("feat(03-01): Task 1: write login endpoint"), "?1=1", "ippp"},
		"L1": {
			log("Data (#9)\n\n* " + schema + "\n* " + login + "\n* Revert \"" + login + "\"\n\n  This reverts commit 1234567890.\n* docs(03-01): document interface"),
			"1=1 4=1", "cicc",
		},
		"L1 reverted": {log("Revert \"Data (#9)\" (#10)", "Data (#9)\n\n* "+schema+"\n* "+login), "", "pppp"},
		"L2": {
			log("Squashed commit of the following:\n\ncommit 2222222222\nAuthor: A <a@b>\nDate: today\n\n    " + login + "\n\ncommit 1111111111\nAuthor: A <a@b>\n\n    " + schema + "\n"),
			"1=1 2=1", "ccip",
		},
		"L2 reverted": {
			log("Squashed commit of the following:\n\ncommit 2222222222\n\n    Drop it\n\n    This reverts commit 1111111111.\n\ncommit 1111111111\n\n    " + schema + "\n"),
			"", "pppp",
		},
	} {
		for i := range tt.commits {
			tt.commits[i].Merge = strings.HasPrefix(tt.commits[i].Subject, "Merge ")
		}
		f := Recover(slices.Values(tt.commits), dataPlan())
		if got := given(f); got != tt.want {
			t.Errorf("%s: got %q, want %q\n%s", name, got, tt.want, dump(f))
		}
		var status strings.Builder
		for _, s := range f.Statuses(DefaultConfidence) {
			status.WriteByte(s[0])
		}
		if status.String() != tt.status {
			t.Errorf("%s: statuses %s, want %s\n%s", name, &status, tt.status, dump(f))
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
		"L3 no type":            {"[03-01] create user schema", []string{".planning/STATE.md", "*"}, "1=1"},
		"L3 a chore":            {"chore(03-01): login endpoint", []string{".planning/STATE.md", "*"}, "2=1"},
		"L3 only state":         {"chore(03-01): login endpoint", []string{".planning/STATE.md"}, ""},
		"F1 a task's file":      {"feat(03-01): wip", []string{"src/login.go"}, "?2=1"},
		"F4 some other file":    {"feat(03-01): frobnicate", []string{"*"}, "?1=1"},
		"another root's":        {"feat(03-01): create user schema", []string{".planning/workstreams/b/STATE.md"}, ""},
		"another root's and no": {"feat(03-01): create user schema", []string{".planning/workstreams/b/STATE.md", ".planning/STATE.md"}, "1=1"},
	} {
		commits := log(tt.subject)
		commits[0].Changes = func() []gitlog.Change {
			var changes []gitlog.Change
			for _, f := range tt.files {
				changes = append(changes, gitlog.Change{Path: f, Kind: gitlog.Modified})
			}
			return changes
		}
		if got := given(Recover(slices.Values(commits), dataPlan())); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// In a workstream, too.
func TestRecoverWorkstream(t *testing.T) {
	t.Parallel()
	p := dataPlan()
	p.Path, p.Root = ".planning/workstreams/a/phases/03-data/03-01-PLAN.md", ".planning/workstreams/a"
	for file, want := range map[string]string{
		".planning/workstreams/a/STATE.md": "1=1", ".planning/PROJECT.md": "1=1", "src/x.go": "1=1",
		".planning/workstreams/b/STATE.md": "", ".planning/phases/03-x/03-01-SUMMARY.md": "",
	} {
		commits := log("feat(03-01): create user schema")
		commits[0].Changes = func() []gitlog.Change {
			return []gitlog.Change{{Path: file, Kind: gitlog.Modified}, {Path: "src/y.go", Kind: gitlog.Modified}}
		}
		if got := given(Recover(slices.Values(commits), p)); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}

// Where it is not known which files are the plan's own root's, any may be.
func TestRecoverWithoutRoot(t *testing.T) {
	t.Parallel()
	p := dataPlan()
	p.Path, p.Root, p.ID = ".planning/03-01-PLAN.md", "", "03-01"
	commits := log("feat(03-01): create user schema")
	commits[0].Changes = func() []gitlog.Change {
		return []gitlog.Change{{Path: ".planning/STATE.md", Kind: gitlog.Modified}, {Path: "src/schema.sql", Kind: gitlog.Added}}
	}
	if got := given(Recover(slices.Values(commits), p)); got != "1=1" {
		t.Errorf("got %q", got)
	}
}

// The walk ends behind the commit that added the plan, follows a plan that was moved, and does not take
// the work of an earlier milestone.
func TestRecoverBounded(t *testing.T) {
	t.Parallel()
	const old = ".planning/milestones/v1/phases/03-data/03-01-PLAN.md"
	var messages []string
	for range 3 * mostBetween {
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
		commits[i].Version = func(name string) string {
			if i <= 1 && name == plan31 || i > 1 && i <= 3 && name == old {
				return "v"
			}
			return ""
		}
		commits[i].Changes = func() []gitlog.Change {
			switch i {
			case 1:
				return []gitlog.Change{{Path: old, Kind: gitlog.Removed}, {Path: plan31, Kind: gitlog.Added}}
			case 3:
				return []gitlog.Change{{Path: old, Kind: gitlog.Added}}
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
	if !f.Bounded || f.Seen != 4+1+mostBetween+1 {
		t.Errorf("bounded %v after %d commits", f.Bounded, f.Seen)
	}
}

// A plan that another one of that number made room for is another plan.
func TestRecoverReplanned(t *testing.T) {
	t.Parallel()
	const other = ".planning/phases/03-users/03-01-PLAN.md"
	for name, tt := range map[string]struct {
		was     string          // the path of the older plan
		changes []gitlog.Change // of the commit that planned anew
	}{
		"F10 removed long before": {plan31, []gitlog.Change{{Path: plan31, Kind: gitlog.Added}}},
		"F11 in one commit":       {other, []gitlog.Change{{Path: other, Kind: gitlog.Removed}, {Path: plan31, Kind: gitlog.Added}}},
	} {
		const planned, removed = 1, 3 // of the commits, newest first
		commits := log("feat(03-01): write login endpoint", "docs(03): plan", "chore: between", "chore: end the milestone", "feat(03-01): create user schema")
		if name[:3] == "F11" {
			commits = slices.Delete(commits, 2, 4)
		}
		for i := range commits {
			commits[i].Version = func(file string) string {
				switch {
				case i <= planned && file == plan31:
					return "new"
				case i == len(commits)-1 && file == tt.was:
					return "old"
				}
				return ""
			}
			commits[i].Changes = func() []gitlog.Change {
				switch i {
				case planned:
					return tt.changes
				case removed:
					return []gitlog.Change{{Path: tt.was, Kind: gitlog.Removed}}
				}
				return nil
			}
		}
		f := Recover(slices.Values(commits), dataPlan())
		if got := given(f); got != "2=5" || !f.Bounded {
			t.Errorf("%s: got %q, bounded %v", name, got, f.Bounded)
		}
	}
}

// What is handed on of a subject is bounded.
func TestRecoverLongSubject(t *testing.T) {
	t.Parallel()
	f := Recover(slices.Values(log("feat(03-01): create user schema "+strings.Repeat("é", 1<<20))), dataPlan())
	if got := f.Tasks[0].Commits; len(got) != 1 || utf8.RuneCountInString(got[0].Subject) != longestEvidence {
		t.Errorf("%d commits", len(got))
	}
}

// S1: where there are too many to weigh the order, words still tell.
func TestRecoverManyByWords(t *testing.T) {
	t.Parallel()
	p := Plan{Path: plan31, ID: "03-01"}
	var messages []string
	for i := range 1000 {
		p.Tasks = append(p.Tasks, Task{Number: i + 1, Name: fmt.Sprintf("Task %d: Build widget%d", i+1, i)})
		messages = append(messages, fmt.Sprintf("feat(03-01): build widget%d", i))
	}
	slices.Reverse(messages)
	for i, s := range Recover(slices.Values(log(messages...)), p).Statuses(DefaultConfidence) {
		if s != statusComplete {
			t.Fatalf("task %d is %s", i+1, s)
		}
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

// A name that another plan of the phase has, too, is no proof.
func TestRecoverNameOfTwoPlans(t *testing.T) {
	t.Parallel()
	p := dataPlan()
	p.Tasks[1].Name = "Write the login endpoint handler tests"
	commits := log("Write the login endpoint handler tests")
	if got := given(Recover(slices.Values(commits), p)); got != "2=1" {
		t.Errorf("of one: %q", got)
	}
	p.Siblings = []Plan{{Path: ".planning/phases/03-data/03-02-PLAN.md", ID: "03-02", Tasks: []Task{{Number: 1, Name: "Write the login endpoint handler tests"}}}}
	if got := given(Recover(slices.Values(commits), p)); got != "?2=1" {
		t.Errorf("of two: %q", got)
	}
}
