package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// dataPlan returns the plan of most tests: four tasks, of which the third is a checkpoint.
func dataPlan() Plan {
	return tasksOf("Task 1: Create user schema | src/schema.sql", "test: Task 2: Write login endpoint | src/login.go", "stop: Look at it", "Task 3: Document interface | .planning/notes/API.md")
}

func TestMatch(t *testing.T) {
	t.Parallel()
	const (
		state      = ".planning/STATE.md"
		other      = ".planning/workstreams/b/phases/03-data/03-01-PLAN.md"
		sum        = ".planning/phases/03-data/03-01-SUMMARY.md"
		add        = "docs(03): plan | +" + plan31
		work       = "feat(03-01): user schema"
		archived   = ".planning/milestones/v1-phases/03-data/03-01-PLAN.md"
		old        = ".planning/phases/03-old/03-01-PLAN.md"
		renumbered = ".planning/phases/04-data/04-01-PLAN.md"
	)
	alone := func(p *Plan) { p.Alone = true }
	for _, tt := range []struct {
		name   string
		plan   func(*Plan)
		log    []string // oldest first
		want   string
		status string // the first letters
	}{
		{"nothing", nil, nil, "", "pppp"},
		{"by its scope and words", nil, []string{"feat(3-1): login endpoint"}, "2=1@92", "pcpp"},
		{"in order alone", nil, []string{"feat(03-01): a", "feat(03-01): b"}, "1=1@65 2=2@65", "ccpp"},
		{"by its files", nil, []string{"feat(03-01): a | ~app/src/login.go"}, "2=1@81", "pcpp"},
		{"by its files: not a fix", nil, []string{work, "fix(03-01): a | ~src/schema.sql"}, "1=1@97 2=2@50", "cipp"},
		{"past a checkpoint", nil, []string{work, "feat(03-01): login endpoint", "docs(03-01): document interface | ~.planning/notes/API.md"}, "1=1@97 2=2@97 4=3@97", "cccc"},
		{"another plan's", nil, []string{"feat(03-02): user schema", "feat(13-01): user schema", "feat: user schema for 03-01"}, "", "pppp"},
		{"several plans", nil, []string{"feat(03-02, 03-01): user schema"}, "1=1@97", "cppp"},
		{"a merge", nil, []string{"feat(03-01): user schema | !merge"}, "", "pppp"},
		{"no tasks", func(p *Plan) { p.Tasks = nil }, []string{"feat(03-01): a"}, "-=1@0", ""},
		{"one task", func(p *Plan) { p.Tasks = p.Tasks[:1] }, []string{"test(03-01): a", "feat(03-01): b", "fix(03-01): c"}, "1=1@98 1=2@98 1=3@55", "c"},
		{"one task: what comes beside work", func(p *Plan) { p.Tasks = p.Tasks[:1] }, []string{"chore(03-01): bump x", "docs(03-01): notes | ~NOTES.md"}, "1=1@55 1=2@55", "i"},
		{"one task: documents that it is about", func(p *Plan) { p.Tasks = p.Tasks[:1] }, []string{"docs(03-01): user schema"}, "1=1@98", "c"},

		{"phase", alone, []string{"feat(phase-03): user schema"}, "1=1@78", "cppp"},
		{"phase of several plans", nil, []string{"feat(phase-03): user schema"}, "", "pppp"},
		{"another phase", alone, []string{"feat(phase-04): user schema"}, "", "pppp"},
		{"phase: documents about it", alone, []string{"docs(03): research user schema"}, "", "pppp"},
		{"the only plan of a phase, without a number", func(p *Plan) { p.ID = "03" }, []string{"feat(03): user schema", "feat(03-02): login"}, "1=1@97", "cppp"},
		{"a quick task", func(p *Plan) { p.ID = "quick/001" }, []string{"feat(quick-1): user schema"}, "1=1@97", "cppp"},
		{"no id", func(p *Plan) { p.ID = "" }, []string{"feat(03): user schema", "feat: user schema"}, "", "pppp"},

		{"unnamed: by words and files", nil, []string{"feat: add user schema | ~src/schema.sql"}, "1=1@73", "cppp"},
		{"unnamed: of another kind of scope", nil, []string{"feat(db): add user schema | ~app/src/schema.sql ~.planning/STATE.md"}, "1=1@73", "cppp"},
		{"unnamed: no type", nil, []string{"Add user schema | ~src/schema.sql"}, "1=1@73", "cppp"},
		{"unnamed: words alone", nil, []string{"feat: user schema | ~src/other.sql"}, "", "pppp"},
		{"unnamed: files alone", nil, []string{"feat: a | ~src/schema.sql"}, "", "pppp"},
		{"unnamed: words of one task, files of another", nil, []string{"feat: user schema | ~src/login.go"}, "", "pppp"},
		{"unnamed: most files are no task's", nil, []string{"feat: user schema | ~src/schema.sql ~a ~b"}, "", "pppp"},
		{"unnamed: a fix", nil, []string{"fix: user schema | ~src/schema.sql"}, "", "pppp"},
		{"unnamed: documents", nil, []string{"docs: user schema | ~src/schema.sql"}, "", "pppp"},
		{"unnamed: another plan's", nil, []string{"feat: user schema of 03-02 | ~src/schema.sql", "feat(04): user schema | ~src/schema.sql"}, "", "pppp"},
		{"unnamed: another workstream's", nil, []string{"feat: user schema | ~src/schema.sql ~" + other}, "", "pppp"},
		{"unnamed: before another plan was closed", nil, []string{"feat: user schema | ~src/schema.sql", "docs: done | +.planning/phases/03-data/03-02-SUMMARY.md"}, "", "pppp"},
		{"unnamed: after another plan was closed", nil, []string{"docs: done | +.planning/phases/03-data/03-02-SUMMARY.md", "feat: user schema | ~src/schema.sql"}, "1=2@73", "cppp"},
		{"unnamed: before the plan was there", nil, []string{"feat: user schema | ~src/schema.sql !lacks", add}, "", "pppp"},
		{"unnamed: by its phase and files", nil, []string{"feat(phase-03): a | ~src/schema.sql"}, "1=1@77", "cppp"},
		{"unnamed: its text begins with the plan", nil, []string{"feat(db): 03-01 user schema", "Phase 3 Plan 03-01: login endpoint"}, "1=1@97 2=2@97", "ccpp"},

		{"several: two that it names", nil, []string{"feat(03-01): a (Tasks 1 and 2)"}, "1=1@83 2=1@83", "ccpp"},
		{"several: a range, by the numbers of their names", nil, []string{"feat(03-01): a, tasks 2-3 | ~x"}, "2=1@83 4=1@83", "pcpc"},
		{"several: one of so many", nil, []string{"feat(03-01): a (Task 2/3)"}, "2=1@97", "pcpp"},
		{"several: passed over", func(p *Plan) { p.Tasks[2] = Task{Number: 3, Name: "Wire it", Files: []string{"src/wire.go"}} }, []string{work + " | ~src/schema.sql ~src/login.go", "feat(03-01): wire it | ~src/wire.go"}, "1=1@96 2=1@80 3=2@97", "cccp"},
		{"several: passed over, but not all of its files", func(p *Plan) { p.Tasks[1].Files = []string{"src/login.go", "src/form.go"} }, []string{work + " | ~src/schema.sql ~src/login.go", "docs(03-01): document interface | ~.planning/notes/API.md"}, "1=1@96 4=2@97", "cppc"},
		{"several: all of its files, and nothing after it", nil, []string{work + " | ~src/schema.sql ~src/login.go"}, "1=1@97", "cppp"},
		{"several: all of its files, and the message says so", nil, []string{work + "\n- write the login endpoint | ~src/schema.sql ~src/login.go"}, "1=1@97 2=1@55", "cipp"},

		{"fixes: at a checkpoint", nil, []string{work, "feat(03-01): login endpoint", "fix(03-01): a"}, "1=1@97 2=2@97 3=3@50", "ccip"},
		{"fixes: before anything that could be looked at", func(p *Plan) { p.Tasks = p.Tasks[2:] }, []string{"fix(03-01): a"}, "4=1@55", "pi"},

		{"fixes: a revert by hand", nil, []string{work, `fix(03-01): revert "` + work + `"`}, "", "pppp"},
		{"fixes: a revert by its type", nil, []string{work, "revert(03-01): " + strings.TrimPrefix(work, "feat(03-01): ")}, "", "pppp"},
		{"fixes: a revert of what is not known", nil, []string{"revert(03-01): back out the attempt"}, "", "pppp"},
		{"several: a copied label", func(p *Plan) { p.Tasks[0].Name, p.Tasks[1].Name = "Task 1: User schema", "Task 1: Login endpoint" }, []string{"feat(03-01): task 1 - user schema"}, "1=1@97", "cppp"},
		{"unfinished: a remark", nil, []string{work + " (partial, tests missing)"}, "1=1@96", "ippp"},

		{"planning: documents about it", nil, []string{"docs(03-01): user schema | ~" + state, "chore(03-01): user schema | ~" + state, "wip(03-01): user schema | ~" + state}, "", "pppp"},
		{"planning: documents with work", nil, []string{"docs(03-01): user schema | ~" + state + " ~README.md"}, "1=1@97", "cppp"},
		{"planning: a document that a task names", nil, []string{"docs(03-01): document interface | ~.planning/docs/API.md ~" + state}, "4=1@85", "pppc"},
		{"planning: whatever its type", nil, []string{work + " | ~" + state, "plan(03-01): login endpoint | +.planning/phases/03-data/03-CONTEXT.md", "fix(03-01): login endpoint | ~" + plan31}, "", "pppp"},
		{"planning: beside code", nil, []string{work + " | ~" + state + " ~src/schema.sql"}, "1=1@97", "cppp"},

		{"elsewhere: another workstream's", nil, []string{work + " | ~x ~" + other}, "", "pppp"},
		{"elsewhere: files that all workstreams share", nil, []string{work + " | ~x ~" + state}, "1=1@97", "cppp"},
		{"elsewhere: its own files as well", nil, []string{work + " | ~x ~" + other + " ~.planning/phases/03-data/03-NOTES.md"}, "1=1@97", "cppp"},
		{"elsewhere: a plan of a workstream, files of the main one", func(p *Plan) { p.Root = ".planning/workstreams/a" }, []string{work + " | ~x ~.planning/phases/03-data/x"}, "", "pppp"},
		{"elsewhere: root unknown", func(p *Plan) { p.Root = "" }, []string{work + " | ~x ~" + other}, "1=1@97", "cppp"},
		{"foreign", nil, []string{work + " | !foreign"}, "", "pppp"},
		{"foreign, and its own plans", nil, []string{work + " | ~x !foreign ~" + state}, "1=1@97", "cppp"},

		{"late", nil, []string{work + " | !lacks", "feat(03-01): login endpoint | ~x +" + plan31}, "1=1@97 2=2@97", "ccpp"},
		{"late: never committed", nil, []string{work + " | !lacks", "feat: x | !lacks"}, "1=1@97", "cppp"},
		{"late: too long ago", nil, slices.Concat([]string{work + " | !lacks"}, slices.Repeat([]string{"feat: x | !lacks"}, MostBetween), []string{add}), "", "pppp"},
		{"late: just not too long ago", nil, slices.Concat([]string{work + " | !lacks"}, slices.Repeat([]string{"feat: x | !lacks"}, MostBetween-1), []string{add}), "1=1@97", "cppp"},
		{"late: each commit extends the walk", nil, slices.Concat([]string{work + " | !lacks"}, slices.Repeat([]string{"feat: x | !lacks"}, MostBetween-1), []string{"feat(03-01): a | !lacks"}, slices.Repeat([]string{"feat: x | !lacks"}, MostBetween-1), []string{add}), "1=1@97 2=21@65", "ccpp"},
		{"late: by its phase", alone, []string{"feat(03): user schema | !lacks", add}, "", "pppp"},
		{"late: an earlier plan's, by its summary", nil, []string{work + " | !lacks", "docs(03-01): done | !lacks +" + sum, add}, "", "pppp"},
		{"late: an earlier plan's, elsewhere", nil, []string{work + " | !lacks", "docs: x | !lacks +.planning/phases/03-old/03-01-PLAN.md", add}, "", "pppp"},
		{"late: another workstream's plan", nil, []string{work + " | !lacks", "docs: x | !lacks +x/" + plan31, add}, "1=1@97", "cppp"},
		{"late: another plan was added", nil, []string{work + " | !lacks", "docs: x | !lacks +.planning/phases/03-data/03-02-PLAN.md", add}, "1=1@97", "cppp"},
		{"another plan had the path", nil, []string{work + " | !v2", "chore: clear | !lacks", add}, "", "pppp"},
		{"on a branch from before the plan", nil, slices.Concat([]string{work}, slices.Repeat([]string{"feat: x | !lacks"}, 2*MostBetween), []string{"docs: x"}), "1=1@97", "cppp"},
		{"since", func(p *Plan) { p.Since = time.Unix(90, 0) }, []string{work, "feat(03-01): login endpoint | !lacks"}, "2=2@92", "pcpp"},

		{"moved: commits from before the move", nil, []string{"docs: x | !lacks =" + old + " +" + old, work + " | !lacks =" + old, "docs: move | -" + old + " +" + plan31}, "1=2@97", "cppp"},
		{"moved: with its old id", nil, []string{"docs: x | !lacks =" + renumbered, "feat(04-01): user schema | !lacks =" + renumbered, "docs: move | -" + renumbered + " +" + plan31}, "1=2@97", "cppp"},
		{"moved: not the one whose id it took", nil, []string{work + " | !lacks =" + renumbered, "feat(04-01): login endpoint | !lacks =" + renumbered, "docs: remove phase 3 | -" + old + " -" + renumbered + " +" + plan31}, "2=2@92", "pcpp"},
		{"moved: to an archive, and edited", nil, []string{work + " | !lacks =" + archived, "docs: move | -" + archived + " +" + plan31 + " !v2"}, "1=1@97", "cppp"},
		{"replaced", nil, []string{work + " | !lacks", "docs: new | -" + old + " +" + plan31}, "", "pppp"},
		{"reverts: by subject", nil, []string{work, `Revert "` + work + `"`}, "", "pppp"},
		{"reverts: by subject, with GitHub's number", nil, []string{work + " (#12)", `Revert "` + work + ` (#12)" (#13)`}, "", "pppp"},
		{"reverts: by hash", nil, []string{work, "roll back\n\nThis reverts commit " + hash(1) + "."}, "", "pppp"},
		{"reverts: by a hash from before a rebase", nil, []string{work, `Revert "` + work + "\"\n\nThis reverts commit " + strings.Repeat("d", 40) + "."}, "", "pppp"},
		{"reverts: by the hash of the older of two", nil, []string{"feat(03-01): a", "feat(03-01): a", "Revert \"feat(03-01): a\"\n\nThis reverts commit " + hash(1) + "."}, "1=2@65", "cppp"},
		{"reverts: the newest before it", nil, []string{"feat(03-01): a", "feat(03-01): a", `Revert "feat(03-01): a"`}, "1=1@65", "cppp"},
		{"reverts: not a newer one", nil, []string{`Revert "` + work + `"`, work}, "1=2@97", "cppp"},
		{"reverts: not a newer one, by hash", nil, []string{"x\n\nThis reverts commit " + hash(2) + ".", work}, "1=2@97", "cppp"},
		{"reverts: reverted", nil, []string{work, `Revert "` + work + `"`, `Reapply "` + work + `"`}, "1=1@97", "cppp"},
		{"reverts: reverted by hash", nil, []string{work, "x\n\nThis reverts commit " + hash(1) + ".", "y\n\nThis reverts commit " + hash(2) + "."}, "1=1@97", "cppp"},
		{"reverts: done again", nil, []string{work, `Revert "` + work + `"`, work}, "1=3@97", "cppp"},

		{"squash: GitHub's", nil, []string{"Data (#12)\n\n* feat(03-01): user schema\n\n* test(03-01): login\n\n* feat(03-01): login endpoint\n* docs(03-01): complete data plan"}, "1=1@97 2=1@96", "ccpp"},
		{"squash: another plan's too", nil, []string{"Data\n\n- feat(03-01): user schema\n- feat(03-02): login endpoint"}, "1=1@97", "cppp"},
		{"squash: one line is not enough", nil, []string{"Data\n\n* feat(03-01): user schema"}, "", "pppp"},
		{"squash: git's, the newest first", nil, []string{"Squashed commit of the following:\n\ncommit " + hash(8) + "\nAuthor: A\n\n    feat(03-01): a\n\n    text (x)\n\ncommit " + hash(7) + "\n\n    feat(03-01): user schema\n"}, "1=1@97 2=1@65", "ccpp"},
		{"squash: a line is reverted", nil, []string{"Data\n\n* feat(03-01): user schema\n* feat(03-01): login endpoint\n* Revert \"feat(03-01): login endpoint\""}, "1=1@97", "cppp"},
		{"squash: a line of git's is reverted by hash", nil, []string{"Squashed commit of the following:\n\ncommit " + hash(8) + "\n\n    x\n    \n    This reverts commit " + hash(7) + ".\n\ncommit " + hash(7) + "\n\n    feat(03-01): user schema\n"}, "", "pppp"},
		{"squash: reverted", nil, []string{"Data\n\n* feat(03-01): user schema\n* feat(03-01): login endpoint", `Revert "Data"`}, "", "pppp"},
		{"squash: reverted by hash", nil, []string{"Data\n\n* feat(03-01): user schema\n* feat(03-01): login endpoint", "x\n\nThis reverts commit " + hash(1) + "."}, "", "pppp"},
		{"squash: of a sibling project", nil, []string{"Data\n\n* feat(03-01): user schema\n* feat(03-01): login endpoint | !foreign"}, "", "pppp"},

		{"unfinished: by its type", nil, []string{"wip(03-01): user schema | ~src/schema.sql"}, "1=1@97", "ippp"},
		{"unfinished: by its first word", nil, []string{"feat(03-01): WIP user schema"}, "1=1@97", "ippp"},
		{"unfinished: by its last word", nil, []string{"feat(03-01): user schema (wip)"}, "1=1@97", "ippp"},
		{"unfinished: not by a longer word", nil, []string{"feat(03-01): wipe user schema"}, "1=1@97", "cppp"},
		{"unfinished: what follows finishes it", nil, []string{"wip(03-01): user schema | ~src/schema.sql", "feat(03-01): user schema | ~src/schema.sql"}, "1=1@97 1=2@97", "cppp"},

		{"tests: alone they do not complete a task", nil, []string{work, "test(03-01): login endpoint"}, "1=1@97 2=2@97", "cipp"},
		{"tests: code after them is the same task's", nil, []string{work, "test(03-01): login endpoint", "feat(03-01): b"}, "1=1@97 2=2@97 2=3@62", "ccpp"},
		{"tests: of a plan's one task", func(p *Plan) { p.Tasks = p.Tasks[1:2] }, []string{"test(03-01): a"}, "2=1@98", "i"},
		{"tests: of one task, before its code", func(p *Plan) { p.Tasks = p.Tasks[1:2] }, []string{"test(03-01): a", "feat(03-01): b"}, "2=1@98 2=2@98", "c"},
		{"tests: of one task, after its code", func(p *Plan) { p.Tasks = p.Tasks[1:2] }, []string{"feat(03-01): b", "test(03-01): a"}, "2=1@98 2=2@98", "c"},
		{"tests: of a task that names nothing else", func(p *Plan) { p.Tasks[1].Files = []string{"src/login_test.go", "tests/__init__.py"} }, []string{work, "test(03-01): add failing tests of the login endpoint"}, "1=1@97 2=2@96", "ccpp"},
		{"tests: with the code that they test", nil, []string{work, "test(03-01): login endpoint | ~src/login.go ~src/login_test.go"}, "1=1@97 2=2@97", "ccpp"},
		{"tests: with a skeleton of the code, failing", nil, []string{work, "test(03-01): login endpoint, RED | ~src/login.go ~src/login_test.go"}, "1=1@97 2=2@97", "cipp"},
		{"tests: failing, of a task that is not test-driven", nil, []string{"test(03-01): failing user schema"}, "1=1@97", "ippp"},
		{"tests: failing, with the code of a task that is not test-driven", nil, []string{"test(03-01): failing user schema | ~src/schema.sql"}, "1=1@97", "cppp"},
		{"tests: of a task that is not test-driven", nil, []string{"test(03-01): user schema"}, "1=1@97", "cppp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := dataPlan()
			if tt.plan != nil {
				tt.plan(&p)
			}
			f := Match(values(history(tt.log...)), p)
			if got := given(f); got != tt.want {
				t.Errorf("got %q, want %q\n%+v", got, tt.want, f)
			}
			if got := letters(f); got != tt.status {
				t.Errorf("statuses %s, want %s", got, tt.status)
			}
		})
	}
}

// Evidence of exactly the confidence counts; a task without commits is never complete.
func TestJustSure(t *testing.T) {
	t.Parallel()
	one := []Evidence{{ID: "a", Confidence: 0.6}}
	f := Found{Tasks: []TaskEvidence{{Number: 1, Commits: one, Confidence: 0.6}, {Number: 2}}}
	for confidence, want := range map[float64]string{0: "[complete pending]", 0.6: "[complete pending]", 0.61: "[in-progress pending]"} {
		if got := fmt.Sprint(f.Statuses(confidence)); got != want {
			t.Errorf("at %v: %s, want %s", confidence, got, want)
		}
	}
	if len(f.Tasks[0].AtLeast(0.6)) != 1 || len(f.Tasks[0].AtLeast(0.61)) != 0 || len(one) != 1 {
		t.Errorf("%+v, %+v", f.Tasks[0].AtLeast(0.6), f.Tasks[0].AtLeast(0.61))
	}
}
