package evidence

// unsure_test.go: what speaks against an answer of the order or of a number makes it unsure.

import (
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// tasksOf makes a plan of tasks, written `name` or `name|file file`.
func tasksOf(tasks ...string) Plan {
	p := Plan{Path: plan31, Root: ".planning", ID: "03-01"}
	for i, t := range tasks {
		name, files, _ := strings.Cut(t, "|")
		p.Tasks = append(p.Tasks, Task{Number: i + 1, Name: name, Files: strings.Fields(files)})
	}
	return p
}

// commitsOf makes commits, the oldest first, of what git tells of them: `subject` or `subject|file file`.
func commitsOf(commits ...string) []Work {
	slices.Reverse(commits)
	subjects, files := make([]string, len(commits)), make([]string, len(commits))
	for i, c := range commits {
		subjects[i], files[i], _ = strings.Cut(c, "|")
	}
	works := log(subjects...)
	for i := range works {
		works[i].Changes = func() []gitlog.Change {
			var changes []gitlog.Change
			for name := range strings.FieldsSeq(files[i]) {
				changes = append(changes, gitlog.Change{Path: name, Kind: gitlog.Modified})
			}
			return changes
		}
	}
	return works
}

func TestRecoverUnsure(t *testing.T) {
	t.Parallel()
	auth := tasksOf("Create user schema|src/schema.ts", "Add login endpoint|src/login.ts", "Write session middleware|src/mw.ts", "Render profile page|src/profile.tsx")
	users := tasksOf("Create user model|src/user.ts", "Add registration endpoint|src/register.ts", "Add login endpoint|src/login.ts", "Session middleware|src/session.ts")
	tests := tasksOf("Write failing tests for parser", "Implement parser")
	for name, tt := range map[string]struct {
		plan    Plan
		commits []Work
		want    string
		status  string // the first letters
	}{
		"an older plan's": {
			auth, commitsOf("feat(03-01): create billing schema|src/billing.ts", "feat(03-01): add invoice endpoint|src/invoice.ts",
				"feat(03-01): write stripe middleware|src/stripe.ts", "feat(03-01): render receipts page|src/receipts.tsx"),
			"?1=1 ?2=2 ?3=3 ?4=4", "ippp",
		},
		"chores with a task's word": {
			users, commitsOf("feat(03-01): add user model|src/user.ts", "chore(03-01): bump session types|package.json", "style(03-01): sort endpoint imports|src/x.ts"),
			"1=1 ?2=2 ?3=3", "cipp",
		},
		"a note with a task's word":  {users, commitsOf("feat(03-01): add user model|src/user.ts", "docs(03-01): note on login|notes.md"), "1=1 ?3=2", "cipp"},
		"a style, no files known":    {users, commitsOf("feat(03-01): add user model", "style(03-01): sort session imports"), "1=1 ?2=2", "cipp"},
		"all change one task's file": {users, commitsOf("feat(03-01): add user model|src/user.ts", "feat(03-01): add registration fields to user model|src/user.ts", "feat(03-01): add login timestamps|src/user.ts"), "1=1 ?2=2 ?3=3", "cipp"},
		"another's file, whole name": {users, commitsOf("feat(03-01): session middleware|src/user.ts"), "?1=1", "ippp"},
		"whole name, no such file":   {users, commitsOf("feat(03-01): add login endpoint|lib/auth.ts"), "3=1", "ipcp"},
		"other directory":            {users, commitsOf("feat(03-01): add user model", "feat(03-01): login form|app/login.ts"), "1=1 3=2", "cicp"},
		"in a directory":             {tasksOf("Login form|src/login/", "Audit trail|src/**/audit"), commitsOf("feat(03-01): login by password|src/login/form.ts", "feat(03-01): audit of logins|src/a.ts"), "1=1 2=2", "cc"},
		"prose for files":            {tasksOf("Login form|none (new)"), commitsOf("feat(03-01): login by password|src/a.ts"), "1=1", "c"},
		"whole name of one word":     {tasksOf("Create schema|src/schema.ts"), commitsOf("feat(03-01): create schema|db/tables.sql"), "1=1", "c"},
		"its state only":             {users, commitsOf("feat(03-01): add user model", "feat(03-01): login form|.planning/STATE.md"), "1=1 3=2", "cicp"},

		"tests that are the task":    {tests, commitsOf("test(03-01): add failing tests for parser", "feat(03-01): implement parser"), "1=1 2=2", "cc"},
		"tests to make pass":         {tasksOf("Implement parser to pass its tests", "Document it"), commitsOf("test(03-01): add failing tests for parser"), "1=1", "ip"},
		"tests first, named as well": {tasksOf("Implement parser with tests", "Document it"), commitsOf("test(03-01): add failing tests for parser"), "1=1", "ip"},
	} {
		f := Recover(slices.Values(tt.commits), tt.plan)
		if got := given(f); got != tt.want {
			t.Errorf("%s: got %q, want %q\n%s", name, got, tt.want, dump(f))
		}
		if got := letters(f); got != tt.status {
			t.Errorf("%s: statuses %s, want %s\n%s", name, got, tt.status, dump(f))
		}
	}
}

// letters are the first letters of the statuses.
func letters(f Found) string {
	var all strings.Builder
	for _, s := range f.Statuses(DefaultConfidence) {
		all.WriteByte(s[0])
	}
	return all.String()
}

// Of what is older than a change to the tasks, only a number with a word or a file of the task is sure, and a name.
func TestRecoverBefore(t *testing.T) {
	t.Parallel()
	billing := tasksOf("Billing table", "Invoice endpoint|src/invoice.ts", "Ledger", "Stripe hook")
	const since = "the plan was changed since"
	for name, tt := range map[string]struct {
		subject, files string
		want           string
		reason         string // a part of it
	}{
		"a number":             {"feat(03-01-T1): create schema", "", "?1=1", "names task 1, but " + since},
		"a number and a word":  {"feat(03-01-T1): create billing schema", "", "1=1", "names task 1"},
		"a number and a file":  {"feat(03-01-T2): pay", "src/invoice.ts", "2=1", "names task 2"},
		"a word":               {"feat(03-01): add login endpoint", "", "?2=1", "in order, but " + since},
		"a word and a file":    {"feat(03-01): add login endpoint", "src/invoice.ts", "2=1", "changes the files of task 2"},
		"a name of one word":   {"feat(03-01): add ledger", "", "3=1", "in order"},
		"the name":             {"feat(03-01): invoice endpoint", "", "2=1", "has words of task 2"},
		"nothing of any":       {"feat(03-01): frobnicate", "", "?1=1", "in order, but " + since},
		"the number of others": {"feat(03-01-T1): invoice endpoint", "", "?1=1", "names task 1 and has the words of task 2"},
	} {
		p := prepare(billing)
		c := commitsOf(tt.subject + "|" + tt.files)[0]
		items := p.items(&c, ParseSubject(c.Subject))
		for i := range items {
			items[i].was = []bool{true, true, true, true}
		}
		var f Found
		p.assign(items, slices.Repeat([]int{1}, len(p.Tasks)), &f)
		if got := given(f); got != tt.want {
			t.Errorf("%s: got %q, want %q\n%s", name, got, tt.want, dump(f))
		}
		if !strings.Contains(dump(f), tt.reason) || strings.Contains(dump(f), since) != strings.Contains(tt.reason, since) {
			t.Errorf("%s: want %q in\n%s", name, tt.reason, dump(f))
		}
	}
}
