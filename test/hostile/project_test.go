//go:build linux

package hostile

// project_test.go: the projects to run gsd in: a .planning with one honest plan, a repository without a commit, and a
// home, all in temporary directories. Each input adds what makes a project hostile.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

const (
	user      = "ada"
	phase     = ".planning/phases/01-a"
	plan      = phase + "/01-01-PLAN.md"
	own       = ".planning/sessions/" + user // the user's session directory
	session   = own + "/current-plan.md"
	records   = own + "/runs.json"
	gitConfig = "[user]\n\tname = " + user + "\n\temail = ada@example.com\n"
)

type project struct {
	t    testing.TB
	dir  string
	home string
	env  []string

	forgotten int // how often forget was called
}

// newProject makes a project. Of the test's own environment gsd only gets the PATH.
func newProject(t testing.TB) *project {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs the real program")
	}
	top := t.TempDir()
	p := &project{t: t, dir: filepath.Join(top, "project"), home: filepath.Join(top, "home")}
	p.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "LC_ALL=C",
		"XDG_STATE_HOME=" + filepath.Join(p.home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(p.home, "config"),
		"GIT_CONFIG_NOSYSTEM=1",
	}
	p.write(filepath.Join(p.home, ".gitconfig"), gitConfig)
	p.write(plan, honestPlan(3))
	p.write(".git/HEAD", "ref: refs/heads/main\n")
	p.write(".git/config", "[core]\n\trepositoryformatversion = 0\n")
	p.mkdir(".git/objects")
	p.mkdir(".git/refs")
	return p
}

// honestPlan returns a plan with the given number of tasks.
func honestPlan(tasks int) string {
	var text strings.Builder
	text.WriteString("---\nwave: 1\ndepends_on: []\n---\n\n<objective>\nKeep notes.\n</objective>\n\n<tasks>\n")
	for n := 1; n <= tasks; n++ {
		text.WriteString(honestTask(n, ""))
	}
	text.WriteString("</tasks>\n")
	return text.String()
}

func honestTask(n int, status string) string {
	if status != "" {
		status = ` status="` + status + `"`
	}
	return fmt.Sprintf("<task type=\"auto\"%s>\n  <name>Task %d: Part %d</name>\n  <files>part%d.go</files>\n</task>\n", status, n, n, n)
}

// sessionHead returns the header of a session on a plan.
func sessionHead(plan string) string {
	return "<!-- Session progress for " + user + " -->\n<!-- Plan: " + plan + " -->\n<!-- Started: 2026-01-02T03:04:05Z -->\n\n"
}

// honestSession returns a session on the honest plan with the given status for its tasks.
func honestSession(tasks int, status string) string {
	var text strings.Builder
	text.WriteString(sessionHead(plan))
	for n := 1; n <= tasks; n++ {
		text.WriteString(honestTask(n, status))
	}
	return text.String()
}

// path returns the path of a file of the project; an absolute name is returned as it is.
func (p *project) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.dir, name)
}

// ok ends the test if making a project fails.
func (p *project) ok(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) mkdir(name string) {
	p.t.Helper()
	p.ok(os.MkdirAll(p.path(name), 0o777))
}

func (p *project) write(name, text string) {
	p.t.Helper()
	p.mkdir(filepath.Dir(p.path(name)))
	p.ok(os.WriteFile(p.path(name), []byte(text), 0o666))
}

// fill writes a file piece by piece.
func (p *project) fill(name string, fill func(w *bufio.Writer)) {
	p.t.Helper()
	p.mkdir(filepath.Dir(p.path(name)))
	f, err := os.Create(p.path(name))
	p.ok(err)
	w := bufio.NewWriterSize(f, 1<<20)
	fill(w)
	p.ok(w.Flush())
	p.ok(f.Close())
}

// repeat writes head, and then pieces until the file has the given size.
func (p *project) repeat(name, head, piece string, size int) {
	p.t.Helper()
	p.fill(name, func(w *bufio.Writer) {
		w.WriteString(head)
		for n := len(head); n < size; n += len(piece) {
			w.WriteString(piece)
		}
	})
}

// lines writes head, and then the given number of lines.
func (p *project) lines(name, head string, n int, line func(i int) string) {
	p.t.Helper()
	p.fill(name, func(w *bufio.Writer) {
		w.WriteString(head)
		for i := range n {
			w.WriteString(line(i))
		}
	})
}

// sparse makes a file of a size that takes no space: after head all bytes are zero.
func (p *project) sparse(name, head string, size int64) {
	p.t.Helper()
	p.write(name, head)
	p.ok(os.Truncate(p.path(name), size))
}

func (p *project) symlink(to, name string) {
	p.t.Helper()
	p.mkdir(filepath.Dir(p.path(name)))
	p.ok(os.Symlink(to, p.path(name)))
}

// hardlink makes a hard link to a file.
func (p *project) hardlink(of, name string) {
	p.t.Helper()
	p.mkdir(filepath.Dir(p.path(name)))
	p.ok(os.Link(p.path(of), p.path(name)))
}

func (p *project) remove(name string) {
	p.t.Helper()
	p.ok(os.RemoveAll(p.path(name)))
}

// forget moves away what gsd knows of conversations: a second hook for the same start prints nothing. It is a rename, because
// os.RemoveAll opens directories and waits for ever where TestSwaps has just put a pipe; what is a pipe now is not one the next
// time.
func (p *project) forget() {
	for range 1_000_000 {
		p.forgotten++
		err := os.Rename(filepath.Join(p.home, "state/gsd/conversations"), filepath.Join(p.home, fmt.Sprint("forgotten-", p.forgotten)))
		if !errors.Is(err, syscall.ENOTDIR) {
			return
		}
		runtime.Gosched()
	}
}

func (p *project) has(name string) bool {
	_, err := os.Lstat(p.path(name))
	return err == nil
}

// gsd run list gsd as a person would; it must succeed.
func (p *project) gsd(args ...string) {
	p.t.Helper()
	if u := p.run(manner{}, args...); u.Exit != 0 {
		p.t.Fatalf("gsd %s: %v\n%s", strings.Join(args, " "), &u, u.errs.text)
	}
}

// git runs git.
func (p *project) git(stdin io.Reader, args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.dir, p.env, stdin
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, errs.Bytes())
	}
	return strings.TrimSpace(out.String())
}

// importer writes the input of git fast-import.
type importer struct {
	*bufio.Writer
	seconds int64
}

// commit begins a commit on main; its files follow.
func (w *importer) commit(message string) {
	w.seconds += 60
	fmt.Fprintf(w, "commit refs/heads/main\ncommitter Ada <ada@example.com> %d +0000\ndata %d\n%s\n", 1_700_000_000+w.seconds, len(message), message)
}

func (w *importer) file(name, text string) {
	fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
}

// history makes the project's repository from the input that is written, without a checkout.
func (p *project) history(write func(w *importer)) {
	p.t.Helper()
	p.remove(".git")
	p.git(nil, "init", "--quiet", "--initial-branch=main")
	read, to := io.Pipe()
	go func() {
		w := &importer{Writer: bufio.NewWriterSize(to, 1<<20)}
		write(w)
		to.CloseWithError(w.Flush())
	}()
	p.git(read, "-c", "core.compression=1", "fast-import", "--quiet")
}

// plans writes plans of phase 1 from 01-02 on, up to the given number.
func (p *project) plans(n int, text func(i int) string) {
	p.t.Helper()
	for i := 2; i <= n; i++ {
		p.write(planName(i), text(i))
	}
}

func planName(i int) string { return fmt.Sprintf("%s/01-%02d-PLAN.md", phase, i) }
