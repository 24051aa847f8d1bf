package evidence

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
)

// What was read before an error counts, and after one nothing more is read.
func TestCommitErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	changes := []gitlog.Change{{Path: plan31, Kind: gitlog.Added}}
	log := &Log{}
	ask := func(err error) *Commit {
		return &Commit{log: log, Objects: &fake{changes: changes, files: []string{"x"}, version: "v", err: err}}
	}
	cut := ask(fmt.Errorf("x: %w", gitlog.ErrTruncated))
	if version, known := cut.Version(plan31); known || version != "v" || !log.Truncated || log.Err != nil || !cut.Has(plan31) {
		t.Errorf("cut off: %q %v, %+v", version, known, log)
	}
	if c := ask(nil); len(c.Changes()) != 1 || !c.Outside() || !c.Has(plan31) {
		t.Errorf("good: %v", c.Changes())
	}
	ask(broken).Outside()
	ask(errors.New("another")).Changes()
	if c := ask(nil); log.Err != broken || len(c.Changes()) != 0 || c.Outside() || c.Has(plan31) {
		t.Errorf("after an error: %v, %v", log.Err, c.Changes())
	}
	hidden := &Commit{hidden: true, Objects: &fake{changes: changes}}
	if _, known := hidden.Version(plan31); known || len(hidden.Changes()) != 0 || !hidden.Has(plan31) {
		t.Error("a version is known although the planning directory is not in git")
	}
}

// failing returns a history that consists of an error.
func failing(err error) func(yield func(*gitlog.Commit, error) bool) {
	return func(yield func(*gitlog.Commit, error) bool) {
		yield(nil, err)
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, err := range []error{gitlog.ErrTruncated, errors.New("broken")} {
		log := Read(failing(err))
		for range log.Commits() {
			t.Error("a commit")
		}
		if !errors.Is(log.Err, err) {
			t.Errorf("%v, want %v", log.Err, err)
		}
	}
}

// Each commit of a history is read once, when it is asked for, and the newest commit shows whether the planning directory is in git.
func TestRead(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program to make a history with")
	}
	for _, planning := range []string{".planning", "notes"} {
		dir := t.TempDir()
		git := func(args ...string) {
			t.Helper()
			cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@x"}, args...)...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
		git("init", "-q")
		if err := os.Mkdir(filepath.Join(dir, planning), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, planning, "x"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, subject := range []string{"one", "two", "three"} {
			git("add", "-A")
			git("commit", "-q", "--allow-empty", "-m", subject)
		}
		repo, err := gitlog.Find(dir).Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer repo.Close() // it was only read
		log := Read(repo.Log(t.Context()))
		kept := map[string]*Commit{}
		for _, limit := range []int{1, 2, 3, 4, 3} {
			seen := 0
			for c := range log.Commits() {
				if was := kept[c.Subject]; was != nil && was != c {
					t.Errorf("%s: %s is read again", planning, c.Subject)
				}
				kept[c.Subject] = c
				if _, known := c.Version(".planning/x"); known != (planning == ".planning") {
					t.Errorf("%s, %s: version known: %v", planning, c.Subject, known)
				}
				if seen++; seen == limit {
					break
				}
			}
			if seen != min(limit, 3) || len(kept) != max(len(kept), seen) || log.Truncated || log.Err != nil {
				t.Errorf("%s: %d of %d commits, %v", planning, seen, limit, log.Err)
			}
		}
		log.Close()
	}
}

// A subject is cut off after 200 runes.
func TestLongSubject(t *testing.T) {
	t.Parallel()
	f := Match(values(history("feat(03-01): "+strings.Repeat("é", 300))), dataPlan())
	if got := []rune(f.Tasks[0].Commits[0].Subject); len(got) != 200 {
		t.Errorf("%d runes", len(got))
	}
}

// Each answer has a reason.
func TestReasons(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		plan Plan
		log  []string
	}{
		"has words of task 1 and is commit 1 of 2 in order":                         {dataPlan(), []string{"feat(03-01): user schema", "feat(03-01): x"}},
		"is commit 1 of 1 in order":                                                 {dataPlan(), []string{"feat(03-01): x"}},
		"is work on the plan, which has one task":                                   {tasksOf("a"), []string{"feat(03-01): x"}},
		"has the phase in its scope, which has one plan; is commit 1 of 1 in order": {dataPlan(), []string{"feat(03): x"}},
		"lists what was squashed into it; has words of task 1 and is commit 1 of 2 in order": {
			dataPlan(), []string{"x\n\n* feat(03-01): user schema\n* docs(03-01): complete plan\n* feat(03-01): login endpoint"},
		},
	} {
		c.plan.Alone = true
		if f := Match(values(history(c.log...)), c.plan); f.Tasks[0].Commits[0].Reason != want {
			t.Errorf("%q, want %q", f.Tasks[0].Commits[0].Reason, want)
		}
	}
	p := tasksOf()
	if f := Match(values(history("feat(03-01): x")), p); f.Unassigned[0].Reason != "the plan has no tasks" {
		t.Error(f.Unassigned)
	}
}

// Excluded explains an empty answer.
func TestExcluded(t *testing.T) {
	t.Parallel()
	log := []string{
		"docs(03-01): a | ~.planning/STATE.md", "feat(03): b", "feat(03-01): c | !foreign", "feat(03-01): d", `Revert "feat(03-01): d"`,
		"feat(03-01): e | ~.planning/workstreams/b/phases/x",
	}
	if got := Match(values(history(log...)), dataPlan()).Excluded; got != (Excluded{Wrote: 1, Phase: 1, Elsewhere: 2, Reverted: 1}) {
		t.Errorf("%+v", got)
	}
}

// A plan that is named by a word, or by a number that another one has, too.
func TestNamedByWords(t *testing.T) {
	t.Parallel()
	named := func(id string, others ...string) planref.Named {
		all := planref.Named{}
		for _, id := range append(others, id) {
			ref, _ := planref.ParseID(id)
			all[ref] = true
		}
		return all
	}
	for _, test := range []struct {
		id, others string
		log        []string
		want       string
		phase      int // commits of the phase that do not count
	}{
		{"03-fix-auth", "03-fix-db", []string{"fix(03-fix-auth): data", "fix(03-fix-db): data | +src/data.go", "fix(03-Fix-Auth): forms"}, "1=1@97 2=3@97", 0},
		{"03-fix-auth", "03-fix-db", []string{"fix(03): data", "fix(03-voice): data", "fix(03-fix): data"}, "", 3},
		{"03-fix-auth", "", []string{"* fix(03-fix-auth): data"}, "", 0},
		{"03-01-auth", "03-01-db", []string{"feat(03-01-db): data | +src/data.go", "feat(03-01-auth): data", "feat(03-02): data"}, "1=2@97", 0},
		{"03-01-auth", "03-01-db", []string{"feat(03-01): other words | +src/data.go", "feat(03-01): data"}, "1=1@77", 0}, // by its files alone
		{"03-01", "03-fix", []string{"feat(03-01-data): data", "fix(03-fix): data | +src/data.go"}, "1=1@97", 0},
	} {
		p := tasksOf("Data | src/data.go", "Forms | src/form.go")
		p.ID, p.Named = test.id, named(test.id, strings.Fields(test.others)...)
		found := Match(values(history(test.log...)), p)
		if got := given(found); got != test.want || found.Excluded.Phase != test.phase {
			t.Errorf("%s: %q have %s, %+v, want %s, %d of the phase", test.id, test.log, got, found.Excluded, test.want, test.phase)
		}
	}
}
