//go:build unix

package main

// Broken projects for which gsd doctor prints a command: run by a shell exactly as printed, it fixes what was found, and nothing else was
// found. What is found in which project is tested in internal/doctor.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/testdata"
)

// A patient is a sound project: a git repository with a session on the plan 01-02. PATH has only what is in bin.
type patient struct {
	t      *testing.T
	root   string
	dir    string // of the project
	env    []string
	now    time.Time
	nobody bool // run everything as a user without rights, to whom all files belong
}

// autoSync turns background sync on.
const autoSync = "git init -q --bare ../remote.git; git remote add origin ../remote.git; gsd sync --auto on"

func newPatient(t *testing.T) *patient {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &patient{t: t, root: root, dir: filepath.Join(root, "it's here"), now: time.Now()}
	p.env = []string{"HOME=" + filepath.Join(root, "home"), "PATH=" + filepath.Join(root, "bin"), "GORACE=" + os.Getenv("GORACE"), "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"), anyWidth}
	p.write("../home/.gitconfig", "[user]\n\tname = Ada Lovelace\n")
	if err := os.CopyFS(p.dir, testdata.Sample()); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"bin", "opt"} {
		os.Mkdir(filepath.Join(root, dir), 0o755)
	}
	for _, tool := range []string{"git", "sh", "sed", "mv", "rm", "chmod", "cp", "ln", "gsd"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Skip("no program " + tool)
		}
		p.link(path, "bin/"+tool)
	}
	p.shell("git init -q")
	p.gsd("bootstrap", "01-02")
	return p
}

func (p *patient) link(path, name string) {
	p.t.Helper()
	if err := os.Symlink(path, filepath.Join(p.root, name)); err != nil {
		p.t.Fatal(err)
	}
}

// write writes a file of the project, with its directories.
func (p *patient) write(name, text string) {
	p.t.Helper()
	name = filepath.Join(p.dir, name)
	os.MkdirAll(filepath.Dir(name), 0o755)
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		p.t.Fatal(err)
	}
}

// replace replaces every match of a pattern in a file of the project.
func (p *patient) replace(name, pattern, text string) {
	p.t.Helper()
	was, err := os.ReadFile(filepath.Join(p.dir, name))
	now := regexp.MustCompile(pattern).ReplaceAllString(string(was), text)
	if err != nil || now == string(was) {
		p.t.Fatalf("%s: %v, or it has no %s:\n%s", name, err, pattern, was)
	}
	p.write(name, now)
}

// command runs a program.
func (p *patient) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	if p.nobody && os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return cmd
}

// close takes all rights to a file from its owner.
func (p *patient) close(name string) {
	p.t.Helper()
	p.nobody = true
	if os.Geteuid() == 0 {
		if openUp(p.root); !mayDropRights() {
			p.t.Skip("nobody else may come into this directory")
		}
		filepath.WalkDir(p.root, func(name string, _ fs.DirEntry, _ error) error { return os.Lchown(name, nobody, nobody) })
	}
	p.shell("chmod 0 " + name)
}

func (p *patient) shell(script string) string {
	p.t.Helper()
	out, err := p.command("sh", "-c", script).CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

// try runs gsd in this process.
func (p *patient) try(words ...string) (out string, code int) {
	p.t.Helper()
	if p.nobody {
		cmd := p.command(filepath.Join(p.root, "bin/gsd"), words...)
		text, _ := cmd.Output()
		return string(text), cmd.ProcessState.ExitCode()
	}
	var stdout, stderr bytes.Buffer
	a := &program{stdout: &stdout, stderr: &stderr, env: p.env, dir: p.dir, now: func() time.Time { return p.now }}
	if code = a.run(context.Background(), words); code > exitNeedsDoing {
		p.t.Fatalf("gsd %q: %s", words, &stderr)
	}
	return stdout.String(), code
}

func (p *patient) gsd(words ...string) {
	p.t.Helper()
	if out, code := p.try(words...); code != 0 {
		p.t.Fatalf("gsd %q: exit code %d\n%s", words, code, out)
	}
}

func (p *patient) setenv(kv ...string) { p.env = append(p.env, kv...) }

const (
	planHead  = "---\nphase: 01-notes\nplan: 03\nwave: 3\ndepends_on: [\"01-02\"]\n---\n"
	planTasks = "<tasks>\n<task type=\"auto\">\n  <name>Task 1: Weigh</name>\n  <action>\n    Weigh it.\n  </action>\n  <done>Weighed</done>\n</task>\n</tasks>\n"
	newPlan   = ".planning/phases/01-notes/01-03-PLAN.md"
	ownDir    = ".planning/sessions/ada-lovelace/"
)

var faults = []struct {
	name, code string
	build      func(p *patient)
}{
	{"another installer wiped the hooks", "hooks-incomplete", func(p *patient) {
		p.gsd("install", "claude")
		p.write(".claude/settings.json", "{}\n")
	}},
	{"the hooks run twice", "hooks-twice", func(p *patient) {
		p.gsd("install", "codex")
		p.gsd("install", "codex", "--scope", "user")
	}},
	{"hooks call a program that is gone", "hooks-inactive", func(p *patient) {
		p.shell("cp -L ../bin/gsd ../opt/gsd && ../opt/gsd install claude --absolute && rm ../opt/gsd")
	}},
	{"git does not ignore the sessions", "sessions-not-ignored", func(p *patient) { p.shell("rm " + ownDir + ".gitignore") }},
	{"no sync can succeed", "sync-impossible", func(p *patient) { p.shell(autoSync + "; git remote remove origin") }},
	{"syncs use an unknown remote", "sync-impossible", func(p *patient) {
		p.shell(autoSync + "; git config gsd.remote nope")
	}},
	{"the last sync in the background failed", "sync-failing", func(p *patient) {
		p.shell(autoSync)
		p.shell("for dir in ../home/.local/state/gsd/clones/*; do echo refused >$dir/failed.told; done")
	}},
	{"the state directory cannot be written", "state-unwritable", func(p *patient) {
		p.close("../home/.local/state/gsd/crumbs")
		p.shell("chmod 500 ../home/.local/state/gsd/crumbs")
	}},
	{"the phases cannot be read", "unreadable", func(p *patient) { p.close(".planning/phases") }},
	{"the roadmap cannot be read", "unreadable", func(p *patient) { p.close(".planning/ROADMAP.md") }},
	{"the committed roadmap was emptied", "unreadable", func(p *patient) {
		p.shell("git add . && git -c user.email=ada@example.com -c user.name=Ada commit -qm roadmap")
		p.write(".planning/ROADMAP.md", "")
	}},
	{"the committed roadmap lost its text in a crash", "unreadable", func(p *patient) {
		p.shell("git add . && git -c user.email=ada@example.com -c user.name=Ada commit -qm roadmap")
		p.write(".planning/ROADMAP.md", strings.Repeat("\x00", 100))
	}},
	{"a plan cannot be read", "unreadable", func(p *patient) {
		p.write(newPlan, planHead+planTasks)
		p.close(newPlan)
	}},
	{"the sessions cannot be read", "unreadable", func(p *patient) { p.close(".planning/sessions") }},
	{"the user's sessions cannot be read", "unreadable", func(p *patient) { p.close(ownDir) }},
	{"the user's sessions cannot be written", "session-unwritable", func(p *patient) {
		p.close(ownDir)
		p.shell("chmod 500 " + ownDir)
	}},
	{"the session cannot be read", "unreadable", func(p *patient) { p.close(ownDir + "current-plan.md") }},
	{"the records of the runs cannot be read", "unreadable", func(p *patient) {
		p.write(ownDir+"runs.json", "{}")
		p.close(ownDir + "runs.json")
	}},
	{"a committed plan was emptied", "plan-empty", func(p *patient) {
		p.write(newPlan, planHead+planTasks)
		p.shell("git add . && git -c user.email=ada@example.com -c user.name=Ada commit -qm plan")
		p.write(newPlan, "")
	}},
	{"a session has an unknown status", "status-unknown", func(p *patient) {
		p.replace(ownDir+"current-plan.md", `(Task 1.*\n(.*\n)*?.*)status="pending"`, `${1}status="half-way"`)
	}},
	{"a session is lost", "session-lost", func(p *patient) { p.shell("rm " + ownDir + "current-plan.md") }},
	{"a session is no session", "session-corrupt", func(p *patient) {
		p.shell("rm -r ../home/.local")
		p.write(ownDir+"current-plan.md", "no header\n")
	}},
	{"a run died", "run-crashed", func(p *patient) {
		agent := exec.Command("sh", "-c", "echo; read x")
		in, _ := agent.StdinPipe()
		out, _ := agent.StdoutPipe()
		if err := agent.Start(); err != nil {
			p.t.Fatal(err)
		}
		io.ReadFull(out, make([]byte, 1))
		p.shell("gsd run start --host codex --id c1 --pid " + pidOf(agent))
		in.Close()
		agent.Wait()
	}},
	{"a lease has expired", "run-expired", func(p *patient) {
		p.now = p.now.Add(-2 * time.Hour)
		p.gsd("run", "start", "--host", "codex", "--id", "c1")
		p.now = p.now.Add(2 * time.Hour)
	}},
	{"a run of another machine has expired", "run-unchecked", func(p *patient) {
		p.now = p.now.Add(-2 * time.Hour)
		p.gsd("run", "start", "--host", "codex", "--id", "c1", "--pid", strconv.Itoa(os.Getppid()))
		p.now = p.now.Add(2 * time.Hour)
		p.replace(ownDir+"runs.json", `"(boot_id|machine|host_name)":"[^"]*"`, `"$1":"far"`)
	}},
	{"the records of the runs are torn", "runs-damaged", func(p *patient) { p.write(ownDir+"runs.json", "{") }},
	{"a writer crashed", "temporary-files", func(p *patient) { p.write(ownDir+".current-plan.md.0123456789abcdef.tmp", "") }},
	{"a writer of tracked files crashed", "temporary-files", func(p *patient) {
		for _, name := range []string{".planning/.STATE.md.0123456789abcdef.tmp", ".planning/phases/01-notes/.01-02-SUMMARY.md.0123456789abcdef.tmp", ".claude/.settings.json.0123456789abcdef.tmp", "..gitattributes.0123456789abcdef.tmp"} {
			p.write(name, "")
			old := p.now.Add(-2 * time.Hour)
			os.Chtimes(filepath.Join(p.dir, name), old, old)
		}
	}},
	{"a hand-off note is old", "hand-off-old", func(p *patient) {
		p.write(".planning/phases/01-notes/.continue-here.md", "---\nphase: 01-notes\n---\nGo on.\n")
		old := p.now.Add(-8 * 24 * time.Hour)
		os.Chtimes(filepath.Join(p.dir, ".planning/phases/01-notes/.continue-here.md"), old, old)
	}},
}

var fixes = lazyRegexp(`(?m)^  fix: (.*)   \(.*\)$`)

func TestDoctor(t *testing.T) { // not beside others: the library's help flag is a shared variable
	newPatient(t).sound()
	for i, fault := range faults {
		if testing.Short() && i%8 > 0 {
			continue
		}
		t.Run(fault.name, func(t *testing.T) {
			p := newPatient(t)
			fault.build(p)
			text, code := p.try("doctor")
			asJSON, found := p.codes()
			if code != exitNeedsDoing || len(found) != 1 || found[0] != fault.code {
				t.Fatalf("exit code %d, found %q, want %s:\n%s", code, found, fault.code, text)
			}
			if !strings.Contains(text, "("+fault.code+")\n") {
				t.Fatal(text)
			}
			p.lawful(text, asJSON)
			fix := fixes().FindStringSubmatch(text)
			if fix == nil {
				t.Fatalf("no command fixes it:\n%s", text)
			}
			p.shell(fix[1])
			if now, code := p.try("doctor"); code != 0 || !isWell(now) {
				t.Errorf("after %q, exit code %d:\n%s", fix, code, now)
			}
		})
	}
}

// TestDoctorOfNobody is about directories of other people, and about none: nothing that is printed changes them.
func TestDoctorOfNobody(t *testing.T) {
	p := newPatient(t)
	if openUp(p.root); os.Geteuid() == 0 && !mayDropRights() {
		t.Skip("nobody else may come into this directory")
	}
	p.nobody = true
	os.Mkdir(filepath.Join(p.root, "theirs"), 0o555)
	env := p.env
	for _, vars := range [][]string{
		{"HOME=/nonexistent"},
		{"HOME=" + filepath.Join(p.root, "theirs")},
		{"XDG_STATE_HOME=" + filepath.Join(p.root, "theirs/state")},
		{"HOME=/", "XDG_STATE_HOME="},
	} {
		p.env = append(slices.Clone(env), vars...)
		text, _ := p.try("doctor")
		asJSON, _ := p.codes()
		p.lawful(text, asJSON)
		if !strings.Contains(text, "(state-unwritable)\n") {
			t.Errorf("%q:\n%s", vars, text)
		}
	}
}

// lawful holds what doctor prints against the law.
func (p *patient) lawful(outputs ...string) {
	p.t.Helper()
	l := newLaw(bounds{dir: p.dir, project: p.dir, state: filepath.Join(p.root, "home/.local/state/gsd")})
	for _, text := range outputs {
		l.hold(text, true)
	}
	for _, b := range l.breaches {
		p.t.Errorf("%s: %s", b.command, b.why)
	}
}

// sound checks what is printed as long as nothing is wrong.
func (p *patient) sound() {
	p.t.Helper()
	const want = "note: no agent calls gsd here: its hooks are installed in no host, and none was found on this machine; a person can install them with `gsd install HOST` (hooks-missing)\n" +
		"nothing needs doing: you are ada-lovelace, 1 open plan\n" +
		"looked at: 1 open plan, the sessions of 1 user, runs, breadcrumbs, hand-off notes, git's configuration, the gsd in PATH, gsd's state directory, the hooks of 7 hosts\n"
	if out, code := p.try("doctor"); code != 0 || out != want {
		p.t.Fatalf("exit code %d:\n%s", code, out)
	}
}

// isWell reports whether doctor says that nothing needs doing, and otherwise no more than that no host has hooks.
func isWell(out string) bool {
	out, _, looked := strings.Cut(out, "looked at: ")
	if note, rest, ok := strings.Cut(out, " (hooks-missing)\n"); ok && strings.HasPrefix(note, "note: no agent calls gsd here") {
		out = rest
	}
	return looked && strings.HasPrefix(out, "nothing needs doing: you are ") && strings.Count(out, "\n") == 1
}

// codes returns doctor's JSON and the codes of what it finds.
func (p *patient) codes() (text string, codes []string) {
	p.t.Helper()
	text, _ = p.try("doctor", "--json")
	var d struct{ Findings []doctor.Finding }
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		p.t.Fatalf("%v: %s", err, text)
	}
	for _, f := range d.Findings {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return text, slices.Compact(codes)
}

func pidOf(c *exec.Cmd) string { return strconv.Itoa(c.Process.Pid) }
