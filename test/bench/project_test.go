package bench

// project_test.go: the projects to run gsd in: a git repository with a roadmap and one plan, and a home of its own.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/session"
)

const (
	userName    = "Bench User"
	userDir     = "bench-user"
	planName    = ".planning/phases/03-auth/03-01-PLAN.md"
	sessionName = ".planning/sessions/" + userDir + "/current-plan.md"

	plainConfig   = "[user]\n\tname = " + userName + "\n\temail = bench@example.com\n"
	includeConfig = "[include]\n\tpath = name.inc\n"
)

// roadmapText has phases as the original script needs them: it compares "03" with the first number of the row as text,
// and with "3" it would consider the session stale and stop early.
const roadmapText = `# Roadmap

## Phases

- [x] **Phase 1: Foundation**: the store and its tests
- [x] **Phase 2: Data**: users and sessions
- [ ] **Phase 3: Auth**: log users in

## Progress

| Phase | Plans Complete | Status | Completed |
|-------|----------------|--------|-----------|
| 01. Foundation | 2/2 | Complete | 2026-01-02 |
| 02. Data | 2/2 | Complete | 2026-01-03 |
| 03. Auth | 0/2 | In progress | - |
`

// project is one such project.
type project struct {
	dir string
	env []string // of every program that is run in it

	source int // a number in the inputs of its hooks
}

// newProject makes a project with a plan of the given number of tasks, without a session.
func newProject(t testing.TB, tasks int) *project {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	p := &project{dir: dir, env: environment(home)}
	write(t, filepath.Join(home, ".gitconfig"), plainConfig)
	write(t, p.path(".planning/ROADMAP.md"), roadmapText)
	p.writePlan(t, tasks)
	p.run(t, "git", "init", "--quiet")
	return p
}

// newSession makes a project and starts a session on its plan.
func newSession(t testing.TB, tasks int) *project {
	t.Helper()
	p := newProject(t, tasks)
	p.gsd(t, "bootstrap", "03-01")
	return p
}

// environment returns this process's environment without anything that affects git or gsd, and with another home. The
// size limit is raised for sessions that are larger than any real one, which costs nothing for the others.
func environment(home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "LocalAppData":
			return true
		}
		return strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "GSD_")
	})
	return append(env,
		"HOME="+home, "USERPROFILE="+home,
		"XDG_CONFIG_HOME="+filepath.Join(home, "config"),
		"XDG_STATE_HOME="+filepath.Join(home, "state"),
		"LocalAppData="+filepath.Join(home, "local"),
		"GSD_MAX_FILE_MIB=64")
}

// withInclude returns the project with a user whose name is in an included configuration, for which git must be asked.
func (p *project) withInclude(t testing.TB) *project {
	t.Helper()
	home := t.TempDir()
	write(t, filepath.Join(home, ".gitconfig"), includeConfig)
	write(t, filepath.Join(home, "name.inc"), plainConfig)
	return &project{dir: p.dir, env: environment(home)}
}

// teamFile is where gsd's state has what was last synced in the project.
func (p *project) teamFile(t testing.TB) string {
	common, err := filepath.EvalSymlinks(p.path(".git"))
	noError(t, err)
	for _, kv := range p.env {
		if state, ok := strings.CutPrefix(kv, "XDG_STATE_HOME="); ok {
			return filepath.Join(session.StateDir(filepath.Join(state, "gsd")).Clone(common), "team")
		}
	}
	t.Fatal("no state directory")
	return ""
}

func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

// writePlan writes a plan of tasks of about 300 bytes, line by line: the largest have 30 MB.
func (p *project) writePlan(t testing.TB, tasks int) {
	t.Helper()
	name := p.path(planName)
	noError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	f, err := os.Create(name)
	noError(t, err)
	w := bufio.NewWriter(f)
	fmt.Fprint(w, "---\nphase: 03-auth\nplan: 01\ntype: execute\nwave: 1\ndepends_on: []\n---\n\n"+
		"<objective>\nLog users in.\n</objective>\n\n<tasks>\n\n")
	for n := 1; n <= tasks; n++ {
		fmt.Fprintf(w, `<task type="auto">
  <name>Task %d: Handle the login form</name>
  <files>src/auth/login.go</files>
  <action>Read the form, check its token and answer with a cookie.</action>
  <verify>go test ./src/auth -run TestLogin</verify>
  <done>A valid form answers 200</done>
</task>

`, n)
	}
	fmt.Fprint(w, "</tasks>\n")
	noError(t, w.Flush())
	noError(t, f.Close())
}

// run runs a program in the project and returns its output without the last line feed.
func (p *project) run(t testing.TB, program string, args ...string) string {
	t.Helper()
	out, err := p.try(program, args...)
	noError(t, err)
	return out
}

func (p *project) try(program string, args ...string) (string, error) {
	return p.tryWith(nil, program, args...)
}

// tryWith is try with a standard input.
func (p *project) tryWith(in io.Reader, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.dir, p.env, in
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(program), strings.Join(args, " "), err, out.Bytes(), errs.Bytes())
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

func (p *project) gsd(t testing.TB, args ...string) string {
	t.Helper()
	return p.run(t, must(t, gsdBinary), args...)
}

// session reads the session file.
func (p *project) session(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(p.path(sessionName))
	noError(t, err)
	return data
}

func write(t testing.TB, name, text string) {
	t.Helper()
	noError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	noError(t, os.WriteFile(name, []byte(text), 0o666))
}

func fileSize(t testing.TB, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	noError(t, err)
	return info.Size()
}
