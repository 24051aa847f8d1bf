package hydrate_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

const (
	kilnPlan = ".planning/phases/03-fire/03-01-PLAN.md"
	kiln     = "<task type=\"auto\">\n<name>Task 1: Dig the deep hollow</name>\n<files>src/pit.go</files>\n</task>\n" +
		"<task type=\"auto\" tdd=\"true\">\n<name>Task 2: Lay the grate</name>\n<files>src/grate.go</files>\n</task>\n" +
		"<task type=\"checkpoint:human-verify\">\n<name>Look at it</name>\n</task>\n" +
		"<task type=\"auto\">\n<name>Task 3: Raise the chimney</name>\n<files>src/chimney.go</files>\n</task>\n"
)

// planned is when the histories of these tests begin; each commit comes a minute later.
var planned = time.Date(2006, 3, 6, 12, 0, 0, 0, time.UTC)

// kilnProject is a project with one plan of four tasks, or of the text given.
func kilnProject(t *testing.T, text string) *hydrate.Project {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, filepath.FromSlash(kilnPlan)), text)
	return reopen(t, dir)
}

// A log writes a history for git fast-import. A commit is "message", "message | file file" with the files it changes;
// "side > message" is on a branch of that name, "side <" merges it, and "- file" before a message removes one.
type log struct {
	strings.Builder
	marks map[string]int // of branches
	n     int
}

func (l *log) commit(line string) {
	branch, message := "main", line
	if name, rest, ok := strings.Cut(line, " > "); ok {
		branch, message = name, rest
	}
	merged, isMerge := strings.CutSuffix(message, " <")
	if isMerge {
		message = "Merge branch '" + merged + "'"
	}
	message, files, _ := strings.Cut(message, " | ")
	from, known := l.marks[branch]
	if !known {
		from = l.marks["main"]
	}
	l.n++
	fmt.Fprintf(l, "commit refs/heads/%s\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n", branch, l.n, planned.Add(time.Duration(l.n-1)*time.Minute).Unix(), len(message), message)
	if from > 0 {
		fmt.Fprintf(l, "from :%d\n", from)
	}
	if isMerge {
		fmt.Fprintf(l, "merge :%d\n", l.marks[merged])
	}
	for name := range strings.FieldsSeq(files) {
		if gone, ok := strings.CutPrefix(name, "-"); ok {
			fmt.Fprintf(l, "D %s\n", gone)
			continue
		}
		l.file(name, fmt.Sprint(l.n))
	}
	l.marks[branch] = l.n
}

func (l *log) file(name, text string) {
	fmt.Fprintf(l, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
}

// git runs git in a directory with nothing of the user's.
func git(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program to make a history with")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// commits gives a project a history: a first commit of its planning files, unless hidden, and one for each line. below is
// where the project is in the repository, empty or with a slash at the end.
func commits(t *testing.T, p *hydrate.Project, below string, hidden bool, lines ...string) {
	t.Helper()
	top := strings.TrimSuffix(p.Dir, filepath.FromSlash(strings.TrimSuffix("/"+below, "/")))
	l := &log{marks: map[string]int{}}
	l.commit("docs(03): create phase plan")
	if !hidden {
		err := fs.WalkDir(os.DirFS(p.Dir), ".planning", func(name string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || strings.Contains(name, "/sessions/") {
				return err
			}
			text, err := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(name)))
			l.file(below+name, string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range lines {
		l.commit(line)
	}
	git(t, top, "", "init", "-q", "-b", "main")
	git(t, top, l.String(), "fast-import", "--quiet", "--force")
}

// recovered asks what commits tell of a plan, without writing.
func recovered(t *testing.T, p *hydrate.Project, o hydrate.RestoreOptions) *hydrate.Restored {
	t.Helper()
	o.DryRun, o.User, o.Now = true, "ada", time.Unix(1e9, 0)
	if o.Plan == "" {
		o.Plan = kilnPlan
	}
	if o.MinConfidence == 0 {
		o.MinConfidence = hydrate.DefaultConfidence
	}
	r, err := p.FromGit(t.Context(), o.Plan, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Session != "" {
		t.Error("a dry run wrote a session")
	}
	return r
}

// sum is a Restored in one line: of each task the letter of its status and how many commits it has, then the commits of
// no task.
func sum(r *hydrate.Restored) string {
	var words []string
	for _, task := range r.Tasks {
		words = append(words, fmt.Sprintf("%c%d", map[planfile.Status]rune{planfile.Complete: 'c', planfile.InProgress: 'i', planfile.Pending: 'p'}[task.Status], len(task.Commits)))
	}
	return strings.Join(words, " ") + fmt.Sprintf(" +%d", len(r.Unassigned))
}

// What the walk may not see is told.
func TestRestoreLimits(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	commits(t, p, "", false, "feat(03-01): dig the deep hollow", "feat(03-01): lay the grate", "feat: x")
	for _, test := range []struct {
		most, looked int
		cut          bool
		want         string
	}{
		{0, 4, false, "c1 c1 p0 p0 +0"},
		{1, 1, true, "p0 p0 p0 p0 +0"},
		{2, 2, true, "p0 c1 p0 p0 +0"},
		{3, 3, true, "c1 c1 p0 p0 +0"},
		{4, 4, false, "c1 c1 p0 p0 +0"}, // which are all
		{5, 4, false, "c1 c1 p0 p0 +0"},
	} {
		r := recovered(t, p, hydrate.RestoreOptions{MaxCommits: test.most})
		if sum(r) != test.want || r.Looked != test.looked || r.Cut != test.cut {
			t.Errorf("of %d commits: %s, %d looked at, cut %v", test.most, sum(r), r.Looked, r.Cut)
		}
	}
	for confidence, want := range map[float64]string{0.01: "c1 c1 p0 p0 +0", 1: "i1 i1 p0 p0 +0"} {
		if r := recovered(t, p, hydrate.RestoreOptions{MinConfidence: confidence}); sum(r) != want {
			t.Errorf("at %v: %s, want %s", confidence, sum(r), want)
		}
	}
	_, err := p.FromGit(t.Context(), kilnPlan, hydrate.RestoreOptions{User: "ada", MaxCommits: 1, Now: planned})
	wantKind(t, err, hydrate.MissingInput)
	if err == nil || !strings.Contains(err.Error(), "among the latest 1") {
		t.Error(err)
	}
}

// TestRestoreIsBounded: more than can be weighed, and more than one command reads, is said to be cut, and what was seen counts.
func TestRestoreIsBounded(t *testing.T) {
	t.Parallel()
	squash := "Pit (#1)\n\n" + strings.Repeat("* feat(03-01): dig the deep hollow\n", 400)
	p := kilnProject(t, kiln)
	commits(t, p, "", false, slices.Repeat([]string{squash}, 60)...)
	r := recovered(t, p, hydrate.RestoreOptions{})
	if r.Looked >= 60 || !r.Cut || r.Limited || len(r.Warnings) != 1 || r.Warnings[0].Code != project.HistoryUnreadable || !strings.Contains(r.Warnings[0].Detail, "too many to compare") {
		t.Errorf("%d looked at, cut %v, limited %v, %+v", r.Looked, r.Cut, r.Limited, r.Warnings)
	}
	if r.Why != "" {
		t.Error("nothing of it counts")
	}

	p = kilnProject(t, kiln)
	commits(t, p, "", false, append(slices.Repeat([]string{"feat: x | src/x"}, 300), "feat(03-01): dig the deep hollow", "feat(03-01): lay the grate")...)
	p.Allow(4000, verdict.CommandFiles) // 64,000 bytes in all
	r = recovered(t, p, hydrate.RestoreOptions{})
	if r.Looked >= 300 || len(r.Warnings) != 1 || r.Warnings[0].Code != project.ReadingStopped || !strings.Contains(r.Warnings[0].Detail, "git's history") {
		t.Errorf("%d looked at, %+v", r.Looked, r.Warnings)
	}
	if !strings.HasPrefix(sum(r), "c1 c1") {
		t.Errorf("what was read before counts: %s", sum(r))
	}
}

// Whatever the checkout is like, the same commits tell the same.
func TestRestoreCheckouts(t *testing.T) {
	t.Parallel()
	lines := []string{"feat(03-01): dig the deep hollow | packages/app/src/pit.go", "feat(03-01): frobnicate the grate | packages/app/src/grate.go"}
	const want = "c1 c1 p0 p0 +0"
	top := t.TempDir()
	below := filepath.Join(top, "packages", "app")
	write(t, filepath.Join(below, filepath.FromSlash(kilnPlan)), kiln)
	p := reopen(t, below)
	commits(t, p, "packages/app/", false, lines...)
	look := func(what string, p *hydrate.Project, want string) {
		t.Helper()
		if got := sum(recovered(t, p, hydrate.RestoreOptions{})); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	look("below", p, want)
	git(t, top, "", "reset", "-q", "--hard")
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, top, "", "worktree", "add", "-q", "--detach", linked)
	look("linked", reopen(t, filepath.Join(linked, "packages", "app")), want)
	git(t, top, "", "gc", "-q")
	look("packed", p, want)
	git(t, filepath.Dir(linked), "", "clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(top), "shallow")
	shallow := recovered(t, reopen(t, filepath.Join(filepath.Dir(linked), "shallow", "packages", "app")), hydrate.RestoreOptions{})
	if shallow.Looked != 1 || len(shallow.Warnings) != 1 || shallow.Warnings[0].Code != project.HistoryTruncated || shallow.Why != "" {
		t.Errorf("shallow: %+v", shallow)
	}
	git(t, top, "", "checkout", "-q", "--detach", "HEAD~1")
	look("an older one", p, "c1 p0 p0 p0 +0")
	git(t, top, "", "checkout", "-q", "--orphan", "unborn")
	_, err := p.FromGit(t.Context(), kilnPlan, hydrate.RestoreOptions{User: "ada", DryRun: true})
	wantKind(t, err, hydrate.MissingInput)
}

// Where half of the history is missing, the other half counts, and a warning says so; where all is, it is an error.
func TestRestoreBroken(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	_, err := p.FromGit(t.Context(), kilnPlan, hydrate.RestoreOptions{User: "ada"})
	wantKind(t, err, hydrate.MissingInput) // no git
	commits(t, p, "", false, "feat(03-01): dig the deep hollow", "feat(03-01): lay the grate")
	root := strings.TrimSpace(git(t, p.Dir, "", "rev-parse", "HEAD~1"))
	object := filepath.Join(p.Dir, ".git", "objects", root[:2], root[2:])
	text := readText(t, object)
	replaceFile(t, object, "nonsense")
	r := recovered(t, p, hydrate.RestoreOptions{})
	if len(r.Warnings) != 1 || r.Warnings[0].Code != project.HistoryUnreadable || !strings.HasPrefix(sum(r), "p0 c1") {
		t.Errorf("%s, %+v", sum(r), r.Warnings)
	}
	replaceFile(t, object, text)
	write(t, filepath.Join(p.Dir, ".git", "HEAD"), "nonsense\n")
	_, err = p.FromGit(t.Context(), kilnPlan, hydrate.RestoreOptions{User: "ada"})
	wantKind(t, err, hydrate.MissingInput)
	if _, err := os.Stat(filepath.Join(p.Dir, ".planning", "sessions")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it left something behind: %v", err)
	}
}
