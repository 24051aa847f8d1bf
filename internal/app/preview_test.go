package app_test

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

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
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
func kilnProject(t *testing.T, text string) *app.Project {
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
func commits(t *testing.T, p *app.Project, below string, hidden bool, lines ...string) {
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

// preview asks what commits tell of a plan.
func preview(t *testing.T, p *app.Project) *app.Preview {
	t.Helper()
	p.Forget()
	f, err := apptest.At(p, time.Unix(1e9, 0)).PreviewBootstrap(app.BootstrapOptions{User: "ada", Plan: kilnPlan})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sum is a Preview in one line: of each task the letter of its status and how many commits it has, then the commits of
// no task.
func sum(f *app.Preview) string {
	var words []string
	for i, task := range f.Tasks {
		words = append(words, fmt.Sprintf("%c%d", task.Status[0], len(f.Evidence[i].Commits)))
	}
	return strings.Join(words, " ") + fmt.Sprintf(" +%d", len(f.Unassigned))
}

// What bootstrap foresees, it does; and what it carries over from commits is named with them, and never comes before what somebody has set.
func TestBootstrapFromCommits(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	commits(t, p, "", false, "feat(03-01): dig the deep hollow", "feat(03-01): lay the grate")
	start := func(o app.BootstrapOptions) *app.Bootstrapped {
		t.Helper()
		o.User, o.Plan, p.Now = "ada", kilnPlan, time.Unix(1e9, 0)
		b, err := p.Bootstrap(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if got := sum(preview(t, p)); got != "c1 c1 p0 p0 +0" {
		t.Fatal(got)
	}
	b := start(app.BootstrapOptions{})
	if b.Token != "3" || len(b.Carried) != 2 || len(b.Carried[0].Commits) != 1 || b.Carried[1].Number != 2 || len(b.From) > 0 {
		t.Errorf("token %s, %+v, from %v", b.Token, b.Carried, b.From)
	}
	if f := preview(t, p); !f.Kept || len(f.Do) > 0 || sum(f) != "c1 c1 p0 p0 +0" {
		t.Errorf("%+v", f)
	}
	if _, err := apptest.At(p, time.Unix(1e9, 0)).Mark(t.Context(), app.MarkOptions{User: "ada", Number: 2, Status: planfile.Pending}); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.Dir, filepath.FromSlash(kilnPlan)), kiln+"<!-- edited -->\n")
	if b := start(app.BootstrapOptions{}); b.Token != "2" || b.Kept {
		t.Errorf("a task that was set to pending is %s", b.Token)
	}
	if b := start(app.BootstrapOptions{Fresh: true}); b.Token != "1" || len(b.Carried) > 0 {
		t.Errorf("fresh: %s, %+v", b.Token, b.Carried)
	}
}

// TestAgainIsNotDone: what old commits did of a plan that has a summary is not carried over when it is done again.
func TestAgainIsNotDone(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	write(t, filepath.Join(p.Dir, filepath.FromSlash(strings.Replace(kilnPlan, "PLAN", "SUMMARY", 1))), "# Done\n")
	commits(t, p, "", false, "feat(03-01): dig the deep hollow")
	b, err := apptest.At(p, time.Unix(1e9, 0)).Bootstrap(t.Context(), app.BootstrapOptions{User: "ada", Plan: kilnPlan, Again: true})
	if err != nil || b.Token != "1" || len(b.Carried) > 0 {
		t.Errorf("%v, token %s, %+v", err, b.Token, b.Carried)
	}
}

// TestPreviewLimits: what lies beyond the commits that are read is said to be cut.
func TestPreviewLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		others int
		cut    bool
		want   string
	}{
		{0, false, "c1 c1 p0 p0 +0"},
		{verdict.MostCommits - 3, false, "c1 c1 p0 p0 +0"}, // which are all
		{verdict.MostCommits - 2, true, "c1 c1 p0 p0 +0"},
		{verdict.MostCommits - 1, true, "p0 c1 p0 p0 +0"},
		{verdict.MostCommits, true, "p0 p0 p0 p0 +0"},
	} {
		p := kilnProject(t, kiln)
		commits(t, p, "", false, append([]string{"feat(03-01): dig the deep hollow", "feat(03-01): lay the grate"}, slices.Repeat([]string{"feat: x"}, test.others)...)...)
		if f := preview(t, p); sum(f) != test.want || f.Cut != test.cut || f.Limited != test.cut || f.Looked != min(test.others+3, verdict.MostCommits) {
			t.Errorf("before %d others: %s, %d looked at, cut %v", test.others, sum(f), f.Looked, f.Cut)
		}
	}
}

// TestPreviewIsBounded: more than can be weighed, and more than one command reads, is said to be cut, and what was seen counts.
func TestPreviewIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many commits")
	}
	t.Parallel()
	squash := "Pit (#1)\n\n" + strings.Repeat("* feat(03-01): dig the deep hollow\n", 400)
	p := kilnProject(t, kiln)
	commits(t, p, "", false, slices.Repeat([]string{squash}, 60)...)
	f := preview(t, p)
	tooMany := func(w problem.Warning) bool {
		return w.Code == problem.HistoryUnreadable && strings.Contains(w.Says, "too many to compare")
	}
	if f.Looked >= 60 || !f.Cut || f.Limited || !slices.ContainsFunc(f.Warnings, tooMany) {
		t.Errorf("%d looked at, cut %v, limited %v, %+v", f.Looked, f.Cut, f.Limited, f.Warnings)
	}
	if f.NoCommits {
		t.Error("nothing of it counts")
	}

	p = kilnProject(t, kiln)
	commits(t, p, "", false, append(slices.Repeat([]string{"feat: x | src/x"}, 250), "feat(03-01): dig the deep hollow", "feat(03-01): lay the grate")...)
	p.Planning.Allow(3000, project.CommandFiles) // 48,000 bytes in all
	f = preview(t, p)
	if f.Looked >= 250 || len(f.Warnings) != 1 || f.Warnings[0].Code != problem.ReadingStopped || f.Warnings[0].Path != "" {
		t.Errorf("%d looked at, %+v", f.Looked, f.Warnings)
	}
	if !strings.HasPrefix(sum(f), "c1 c1") {
		t.Errorf("what was read before counts: %s", sum(f))
	}
}

// Whatever the checkout is like, the same commits tell the same.
func TestPreviewCheckouts(t *testing.T) {
	t.Parallel()
	lines := []string{"feat(03-01): dig the deep hollow | packages/app/src/pit.go", "feat(03-01): frobnicate the grate | packages/app/src/grate.go"}
	const want = "c1 c1 p0 p0 +0"
	top := t.TempDir()
	below := filepath.Join(top, "packages", "app")
	write(t, filepath.Join(below, filepath.FromSlash(kilnPlan)), kiln)
	p := reopen(t, below)
	commits(t, p, "packages/app/", false, lines...)
	look := func(what string, p *app.Project, want string) {
		t.Helper()
		if got := sum(preview(t, p)); got != want {
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
	shallow := preview(t, reopen(t, filepath.Join(filepath.Dir(linked), "shallow", "packages", "app")))
	if shallow.Looked != 1 || len(shallow.Warnings) != 1 || shallow.Warnings[0].Code != problem.HistoryTruncated || shallow.NoCommits {
		t.Errorf("shallow: %+v", shallow)
	}
	git(t, top, "", "checkout", "-q", "--detach", "HEAD~1")
	look("an older one", p, "c1 p0 p0 p0 +0")
	git(t, top, "", "checkout", "-q", "--orphan", "unborn")
	look("unborn", p, "p0 p0 p0 p0 +0")
}

// Where half of the history is missing, the other half counts, and a warning says so.
func TestPreviewBroken(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	if f := preview(t, p); sum(f) != "p0 p0 p0 p0 +0" || len(f.Warnings) > 0 || !f.NoCommits { // no git
		t.Errorf("%+v", f)
	}
	commits(t, p, "", false, "feat(03-01): dig the deep hollow", "feat(03-01): lay the grate")
	root := strings.TrimSpace(git(t, p.Dir, "", "rev-parse", "HEAD~1"))
	object := filepath.Join(p.Dir, ".git", "objects", root[:2], root[2:])
	text := readText(t, object)
	replaceFile(t, object, "nonsense")
	r := preview(t, p)
	if len(r.Warnings) != 1 || r.Warnings[0].Code != problem.HistoryUnreadable || !strings.HasPrefix(sum(r), "p0 c1") {
		t.Errorf("%s, %+v", sum(r), r.Warnings)
	}
	replaceFile(t, object, text)
	write(t, filepath.Join(p.Dir, ".git", "HEAD"), "nonsense\n")
	if f := preview(t, p); sum(f) != "p0 p0 p0 p0 +0" || len(f.Warnings) != 1 || f.Warnings[0].Code != problem.HistoryUnreadable {
		t.Errorf("%+v", f)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, ".planning", "sessions")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it left something behind: %v", err)
	}
}
