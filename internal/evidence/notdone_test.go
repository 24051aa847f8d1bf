package evidence

import (
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// authPlan is a plan of four tasks without checkpoints.
func authPlan() Plan {
	return Plan{Path: plan31, Root: ".planning", ID: "03-01", Tasks: []Task{
		{Number: 1, Name: "Create schema", Files: []string{"src/schema.ts"}},
		{Number: 2, Name: "Add login endpoint", Files: []string{"src/login.ts"}},
		{Number: 3, Name: "Write session middleware", Files: []string{"src/mw.ts"}},
		{Number: 4, Name: "Render profile page", Files: []string{"src/profile.tsx"}},
	}}
}

// What says itself that it is not done completes nothing.
func TestRecoverNotDone(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		// with a number
		"feat(03-01): task 2 in progress",
		"feat(03-01): task 2 - need credentials",
		"fix(03-01): cannot do task 2 without key",
		"feat(03-01): login\n\nTask 2: in progress",
		"feat(03-01): login\n\nTask 2: failed",
		"feat(03-01): x\n\nTask: 2\nStatus: in-progress",
		"feat(03-01): login endpoint\n\nPlan: 03-01\nStatus: blocked on a key",
		"chore(03-01): tasks 2, 3 and 4 to do",
		"docs(03-01): tasks 1-3 planned",
		"docs(03-01): order of things (tasks 2-4)",
		"chore(03-01): split (task 3)",
		"chore(03-01): hand over\n\nPlan: 03-01\nTasks: 4",
		"chore(03-01): hand over\n\nTask: 1-4",
		"chore(03-01): checkpoint before task 2",
		"feat(03-01): Task 2: login endpoint (wip)",
		"feat(03-01-T2): started",
		// with words
		"feat(03-01): login endpoint (part 1/2)",
		"feat(03-01): login endpoint, part 1 of 2",
		"feat(03-01): login endpoint - not yet working",
		"feat(03-01): login endpoint doesn't work yet",
		"feat(03-01): login endpoint not working",
		"feat(03-01): first half of login endpoint",
		"feat(03-01): TODO login endpoint",
		"feat(03-01): TODO: login endpoint",
		"chore(03-01): attempt login endpoint",
		"feat(03-01): draft login endpoint",
		"feat(03-01): mock login endpoint",
		"feat(03-01): initial work on login endpoint",
		"chore(03-01): save progress on login endpoint",
		"feat(03-01): add login endpoint skeleton",
		"feat(03-01): add login endpoint placeholder",
		"feat(03-01): add scaffolding for login endpoint",
		"feat(03-01): prepare login endpoint",
		"feat(03-01): begin add login endpoint",
		"feat(03-01): login endpoint (incomplete)",
		"docs(03-01): note that login endpoint is missing",
		"handoff(03-01): login endpoint next",
		"docs(03-01): login endpoint next",
		"docs(03-01): handoff, next: write login endpoint",
		"checkpoint(03-01): login endpoint",
		"save(03-01): login endpoint",
		"fix(03-01): remove login endpoint",
		"feat(03-01): drop login endpoint",
		"refactor(03-01): disable login endpoint",
		"feat(03-01): revert login endpoint",
		"fix(03-01): comment out login endpoint",
		"feat(03-01): login endpoint not yet implemented",
		"fix(03-01): remove broken login endpoint for now",
		"refactor(03-01): remove session middleware",
		"feat(03-01): stubbed login endpoint",
		"feat(03-01): scaffolded login endpoint",
		"feat(03-01): login endpoint (1/2)",
		"feat(03-01): login endpoint with hashing (stub)",
		"feat(03-01): login endpoint (TODO: hashing)",
		"[WIP] feat(03-01): login endpoint",
		"temp(03-01): login endpoint",
		"spike(03-01): login endpoint",
		"feat(03-01): x\n\nTask 2: write it later, is next",
		"feat(03-01): x\n\nTask: 2\nStatus: Partial",
	} {
		f := Recover(slices.Values(log(message)), authPlan())
		if done := completeOf(f); len(done) > 0 {
			t.Errorf("%q completes %v\n%s", message, done, dump(f))
		}
	}
}

// The same words mean the work where they are a task's own, or stand where they mean something else.
func TestRecoverDone(t *testing.T) {
	t.Parallel()
	for message, name := range map[string]string{
		"feat(03-01): start of the watcher":                 "Start the watcher",
		"feat(03-01): mock server":                          "Mock server for tests",
		"feat(03-01): partial refunds":                      "Refund partial amounts",
		"refactor(03-01): remove legacy parser":             "Delete the legacy parser",
		"feat(03-01): todo list":                            "Todo list",
		"feat(03-01): add partial index of users":           "Index of users",
		"feat(03-01): user import, part 2 of 2":             "User import",
		"feat(03-01): user import (part 2/2)":               "User import",
		"feat(03-01): upload progress bar":                  "Upload bar",
		"fix(03-01): make login work on mobile":             "Login on mobile",
		"chore(03-01): task 1: x":                           "Frobnicate",
		"chore(03-01): complete task 1":                     "Frobnicate",
		"feat(03-01): x (task 1)":                           "Frobnicate",
		"chore(03-01): linter config (task 1)":              "Config of the linter",
		"feat(03-01): x\n\nPlan: 03-01\nTask: 1":            "Frobnicate",
		"feat(03-01): x\n\nTask: 1\nStatus: complete":       "Frobnicate",
		"feat(03-01): frobnicate it\n\nTask 4: not started": "Frobnicate it",
		"feat(03-01): undo and redo toolbar buttons":        "Toolbar buttons",
		"feat(03-01): rollback support for migrations":      "Migrations support",
		"docs(03-01): plan overview":                        "Plan overview",
		"feat(03-01): frobnicate it (1/4)":                  "Frobnicate it",
		"feat(03-01): frobnicate it (2/2)":                  "Frobnicate it",
		"feat(03-01): frobnicate it, part 2":                "Frobnicate it",
		// to build servers
		"feat(03-01): frobnicate it [skip ci]":         "Frobnicate it",
		"feat(03-01): frobnicate it (skip ci)":         "Frobnicate it",
		"feat(03-01): frobnicate it [CI skip]":         "Frobnicate it",
		"feat(03-01): frobnicate it [no ci]":           "Frobnicate it",
		"feat(03-01): frobnicate it [skip actions]":    "Frobnicate it",
		"[skip ci] feat(03-01): frobnicate it":         "Frobnicate it",
		"feat(03-01): Task 1: frobnicate it [skip ci]": "Frobnicate it",
		// in bodies
		"feat(03-01): x\n\nTask 1: Create todo API":               "Create API",
		"feat(03-01): x\n\nTask 1: Add modal with open and close": "Add modal",
		"feat(03-01): x\n\nTask 1: Scaffold Next.js app":          "Scaffold Next.js app",
		"feat(03-01): x\n\nTask 1: Start server":                  "Start server",
		"feat(03-01): x\n\nTask: 1\nStatus: PASS":                 "Frobnicate it",
		"feat(03-01): x\n\nTask: 1\nStatus: implemented":          "Frobnicate it",
		"feat(03-01): x\n\nTask: 1\nStatus: all tests pass":       "Frobnicate it",
		"feat(03-01): x\n\nTask: 1\nStatus: 200 on success":       "Frobnicate it",
	} {
		p := authPlan()
		p.Tasks[0] = Task{Number: 1, Name: name}
		f := Recover(slices.Values(log(message)), p)
		if done := completeOf(f); !slices.Equal(done, []int{1}) {
			t.Errorf("%q completes %v of %q\n%s", message, done, name, dump(f))
		}
	}
}

// Words of what is not done are words of finished work, too: such a commit, with the task's file, is its work.
func TestRecoverDoneInSuchWords(t *testing.T) {
	t.Parallel()
	for message, name := range map[string]string{
		"refactor(03-01): remove legacy auth code":                "Clean up legacy auth",
		"refactor(03-01): delete duplicate auth helpers":          "Consolidate auth helpers",
		"refactor(03-01): remove unused exports":                  "Prune unused exports",
		"refactor(03-01): remove moment in favour of dayjs":       "Replace moment with dayjs",
		"chore(03-01): remove package-lock and use pnpm":          "Switch to pnpm",
		"feat(03-01): drop md5 and migrate to bcrypt":             "Migrate to bcrypt",
		"feat(03-01): disable autofill on settings page":          "Harden settings page",
		"fix(03-01): remove flicker from color picker":            "Color picker",
		"feat(03-01): add loading skeleton":                       "Add loading states",
		"feat(03-01): build dashboard page with loading skeleton": "Build dashboard page",
		"feat(03-01): search form with input placeholder":         "Add search form",
		"feat(03-01): post editor saves as draft":                 "Post editor",
		"feat(03-01): create orders as pending":                   "Implement order lifecycle",
		"feat(03-01): retry jobs that failed":                     "Job retries",
		"feat(03-01): add CRUD endpoints for todo":                "Build CRUD endpoints",
		"feat(03-01): mock data for dashboard seed":               "Seed data",
		"feat(03-01): wizard with back and next":                  "Wizard",
		"feat(03-01): add billing API (needs auth)":               "Billing API",
		"feat(03-01): upload dedupe - skip known hashes":          "Upload dedupe",
		"feat(03-01): scaffold Next.js project with TypeScript":   "Initialize Next.js project",
		"chore(03-01): scaffold project":                          "Initialize project",
		"feat(03-01): start express server on port 3000":          "Bootstrap express server",
		"feat(03-01): upload handler resumes incomplete uploads":  "Build upload handler",
		"feat(03-01): player controls with paused state":          "Build player controls",
		"feat(03-01): player controls (start, pause)":             "Build player controls",
		"feat(03-01): partial updates via PATCH handler":          "PATCH handler",
		"feat(03-01): list users who are not yet invited":         "Wait list",
		"feat(03-01): skip auth for public routes":                "Public routes",
		"ci(03-01): prepare release workflow":                     "Set up release workflow",
	} {
		p := authPlan()
		p.Tasks[0] = Task{Number: 1, Name: name, Files: []string{"src/one.ts"}}
		commits := log(message)
		commits[0].Changes = func() []gitlog.Change { return []gitlog.Change{{Path: "src/one.ts"}} }
		if f := Recover(slices.Values(commits), p); !slices.Equal(completeOf(f), []int{1}) {
			t.Errorf("%q does not complete %q\n%s", message, name, dump(f))
		}
	}
}

// A removal of what another task made is not that task, though some task removes something.
func TestRecoverRemovalOfAnother(t *testing.T) {
	t.Parallel()
	p := authPlan()
	p.Tasks[0].Name = "Remove the legacy parser"
	f := Recover(slices.Values(log("fix(03-01): remove login endpoint")), p)
	if done := completeOf(f); len(done) > 0 {
		t.Errorf("completes %v\n%s", done, dump(f))
	}
}

// What takes work back, in whatever form, leaves none of it complete.
func TestRecoverTakenBack(t *testing.T) {
	t.Parallel()
	const schema, login = "feat(03-01): create schema", "feat(03-01): add login endpoint"
	const bulleted = "Auth login (#10)\n\n* feat(03-01): add login endpoint\n\n* fix review"
	for name, tt := range map[string]struct {
		commits []Work // newest first
		want    string
	}{
		"quoted otherwise":        {log("Revert '"+schema+"'", schema), ""},
		"in backticks":            {log("Revert `"+schema+"`", schema), ""},
		"in curly marks":          {log("Revert “"+schema+"”", schema), ""},
		"with an apostrophe":      {log("Revert 'feat(03-01): don't create schema'", "feat(03-01): don't create schema"), ""},
		"cut short":               {log(`Revert "feat(03-01): create sch..."`, login, schema), "2=2"},
		"cut short by a sign":     {log(`Revert "feat(03-01): create sch…`, login, schema), "2=2"},
		"cut too short":           {log(`Revert "feat..."`, schema), "1=1"},
		"cut short, the newest":   {log(`Revert "feat(03-01): create sch..." (#4)`, schema, login, schema), "1=1 2=2"},
		"ends in dots":            {log(`Revert "feat(03-01): create schema ..."`, "feat(03-01): create schema ..."), ""},
		"backout":                 {log("fix(03-01): backout schema", schema), "?1=1"},
		"as a type":               {log("UNDO: "+schema, schema), ""},
		"as a type with a scope":  {log("rollback(03-01): create schema", schema), ""},
		"in square brackets":      {log("[revert] "+schema, schema), ""},
		"a quoted one there":      {log(`[Revert] "`+schema+`"`, schema), ""},
		"around its subject":      {log("revert(feat(03-01)): create schema", schema), ""},
		"without a scope":         {log("fix: revert create schema", login, schema), "2=2"},
		"quoted behind a scope":   {log(`feat(03-01): revert "create schema"`, login, schema), "2=2"},
		"behind its hash":         {log("Revert commit 1234567: "+schema, login, schema), "2=2"},
		"bare":                    {log("undo "+schema, schema), ""},
		"of nothing that is":      {log("fix(03-01): undo frobnication", schema), "1=1 -=2"},
		"of nothing, in a phase":  {log("chore(phase-03): back out frobnication", schema), "1=1 -=2"},
		"of nothing, another's":   {log("fix(03-02): undo frobnication", schema), "1=1"},
		"a merge":                 {log("Revert \"Merge branch 'side' into 'main'\"\n\nThis reverts merge request !9", "Merge branch 'side' into 'main'", login, schema), "?1=1 ?2=2"},
		"a merge on GitHub":       {log(`Revert "Merge pull request #9 from x/side" (#10)`, "Merge pull request #9 from x/side\n\nAuth work", login, schema), "?1=1 ?2=2"},
		"a merge by its title":    {log(`Revert "Auth work" (#10)`, "Merge pull request #9 from x/side\n\nAuth work", login, schema), "?1=1 ?2=2"},
		"a merge by its number":   {log("Revert \"Auth\" (#10)\n\nReverts o/r#9", "Merge pull request #9 from x/side\n\nAuth work", login, schema), "?1=1 ?2=2"},
		"a merge by number alone": {log("Revert PR #9 (#10)", "Merge pull request #9 from x/side", login, schema), "?1=1 ?2=2"},
		"a merge on GitLab":       {log("Revert \"Auth\"\n\nThis reverts merge request !9", "Merge branch 'side' into 'main'\n\nAuth work\n\nSee merge request o/r!9", login, schema), "?1=1 ?2=2"},
		"a merge on Bitbucket":    {log(`Revert "Merged in side (pull request #9)"`, merged, login, schema), "?1=1 ?2=2"},
		"another merge":           {log("Revert \"Merge pull request #8 from x/b\"\n\nReverts o/r#8", "Merge pull request #9 from x/side", login, schema), "1=1 2=2"},
		"what is after a merge":   {log(login, `Revert "Merge branch 'side'"`, "Merge branch 'side'", schema), "?1=1 2=4"},
		"what is between":         {log(`Revert "Merge branch 'side'"`, login, "Merge branch 'side'", schema), "?1=1 2=3"},
		"a merge, given again":    {log(`Revert "Revert "Merge branch 'side'""`, `Revert "Merge branch 'side'"`, "Merge branch 'side'", schema), "1=1"},
		"a merge, by merges": {log("Merge pull request #10 from x/revert\n\nRevert \"Auth work\"", "Revert \"Auth work\"\n\nReverts #9",
			"Merge pull request #9 from x/side\n\nAuth work", schema), "?1=1"},
		"no revert, a number":      {log("feat(03-01): add login endpoint\n\nReverts to the way of #9", "Merge pull request #9 from x/side", schema), "1=1 2=3"},
		"one bullet of several":    {log(bulleted), "2=1"},
		"one bullet alone":         {log("Auth (#10)\n\n* feat(03-01): add login endpoint"), ""},
		"one bullet under a scope": {log(schema + "\n\n* feat(03-01): add login endpoint\n* fix review"), "1=1"},
		"such a squash, reverted":  {log(`Revert "Auth login (#10)" (#11)`, bulleted), ""},
	} {
		for i := range tt.commits {
			tt.commits[i].Merge = strings.HasPrefix(tt.commits[i].Subject, "Merge")
		}
		f := Recover(slices.Values(tt.commits), authPlan())
		if got := given(f); got != tt.want {
			t.Errorf("%s: got %q, want %q\n%s", name, got, tt.want, dump(f))
		}
	}
}

const merged = "Merged in side (pull request #9)\n\nAuth work\n\nApproved-by: A"

// A commit that plans is no work on what it plans, also where nobody knows what it changed.
func TestRecoverPlanning(t *testing.T) {
	t.Parallel()
	for _, subject := range []string{"docs(03): plan phase 3", "docs(phase-03): replan", "chore(03): plan the auth phase"} {
		if f := Recover(slices.Values(log(subject)), authPlan()); given(f) != "" {
			t.Errorf("%q\n%s", subject, dump(f))
		}
	}
}
