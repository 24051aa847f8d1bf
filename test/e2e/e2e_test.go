//go:build e2e && unix

// Package e2e tests gsd with the real programs that it is made for, which talk to a stand-in for a model: task e2e, or
// go test -tags e2e ./test/e2e. It needs no account, and no data leaves the machine.
package e2e

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const plan = `<tasks>
<task type="auto">
  <name>Task 1: Plant the larch</name>
</task>

<task type="auto">
  <name>Task 2: Water the larch</name>
</task>

<task type="auto">
  <name>Task 3: Prune the larch</name>
</task>
</tasks>
`

// The lines of the brief that name the task.
var resume = [...]string{
	1: "resume at task 1: Plant the larch",
	2: "resume at task 2: Water the larch",
	3: "resume at task 3: Prune the larch",
}

// build builds gsd and returns its path. Where $GSD is set, it is that program: run.sh builds it first, because there is
// no network for its modules later.
func build(t *testing.T) string {
	t.Helper()
	if gsd := os.Getenv("GSD"); gsd != "" {
		return gsd
	}
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", dir, "../../cmd/gsd").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return filepath.Join(dir, "gsd")
}

// newWorld makes a home and a project with a session on its plan, and existing settings. The gsd on its PATH is a
// script that records the call and then executes the program with the same process, parent and input.
func newWorld(t *testing.T, c client, gsd string) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir()) // Codex trusts a directory by its real name
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"), bin: filepath.Join(dir, "bin"),
		called: filepath.Join(dir, "called"), client: c.find(t),
	}
	script := filepath.Join(w.bin, "gsd")
	write(t, script, "#!/bin/sh\necho \"$*\" >>'"+w.called+"'\nexec '"+gsd+"' \"$@\"\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(w.home, "tmp", "x"), "")
	write(t, filepath.Join(w.home, ".gitconfig"), "[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n") // where people have it
	// Codex runs commands in login shells, which set their own PATH.
	for _, name := range []string{".profile", ".zprofile"} {
		write(t, filepath.Join(w.home, name), "PATH='"+w.bin+"':$PATH\n")
	}
	write(t, filepath.Join(w.project, ".planning", "phases", "01-larch", "01-01-PLAN.md"), plan)
	write(t, filepath.Join(w.project, "sub", "x"), "")
	for name, text := range c.seed {
		write(t, filepath.Join(w.project, filepath.FromSlash(name)), text)
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "."},
		{"commit", "-q", "-m", "the larch"},
	} {
		w.run(t, w.project, w.env(), "git", args...)
	}
	w.gsd(t, "bootstrap", "01-01")
	return w
}

// TestClients tries an installation for a project and one for a user with each client.
func TestClients(t *testing.T) {
	t.Parallel()
	gsd := build(t)
	for _, c := range clients() {
		if c.args == nil {
			continue
		}
		t.Run(c.host, func(t *testing.T) {
			t.Parallel()
			c.version(t)
			t.Run("project", func(t *testing.T) {
				t.Parallel()
				throughPlan(t, c, gsd)
			})
			t.Run("user", func(t *testing.T) {
				t.Parallel()
				forUser(t, c, gsd)
			})
		})
	}
}

// throughPlan lets a client work through a plan: it gets the brief when it starts, does a task and marks it in its
// shell, does the next in another conversation, and a person asks for gsd's command. Removing gsd afterwards leaves the
// project as it was.
func throughPlan(t *testing.T, c client, gsd string) {
	w := newWorld(t, c, gsd)
	before := tree(t, w.project)
	w.gsd(t, "install", c.host)
	installed := tree(t, w.project)
	if maps.Equal(before, installed) {
		t.Fatal("the installation changed nothing")
	}

	asked := w.start(t, c, w.project, "Begin.", reply{shell: "gsd mark 1 complete"}, reply{shell: "gsd run list --json"})
	told(t, asked[0], 1, 1)
	during := runsIn(t, asked[2].strings())
	if len(during) != 1 || during[0].Host != c.host || during[0].State != "active" || !during[0].Holds {
		t.Errorf("while the client ran, gsd run list listed %+v", during)
	}
	if _, err := os.Stat(filepath.Join(w.home, "other")); err != nil {
		t.Error("the other's hook did not run")
	}

	asked = w.start(t, c, w.project, "Go on.", reply{shell: "gsd mark 2 complete"})
	told(t, asked[0], 2, 1)

	asked = w.start(t, c, w.project, c.command)
	told(t, asked[0], 3, c.times)
	if !strings.Contains(asked[0].strings(), c.typed) {
		t.Errorf("%s did not reach the model as a command", c.command)
	}

	after := runsIn(t, w.gsd(t, "run", "list", "--json"))
	if len(after) != 3 {
		t.Errorf("3 conversations, but gsd run list lists %d", len(after))
	}
	for _, r := range after {
		over := r.State == "success" && r.Ended != nil
		if c.endless {
			over = r.State == "crashed"
		}
		if r.Host != c.host || !over {
			t.Errorf("a conversation is over, but gsd run list lists %+v", r)
		}
	}

	if diff := cmp.Diff(installed, tree(t, w.project)); diff != "" {
		t.Errorf("the client changed its project's files:\n%s", diff)
	}
	w.gsd(t, "install", c.host, "--remove")
	if diff := cmp.Diff(before, tree(t, w.project)); diff != "" {
		t.Errorf("not as before after removing gsd (-before +after):\n%s", diff)
	}
	asked = w.start(t, c, w.project, "Go on.")
	if strings.Contains(asked[0].strings(), "resume at task") {
		t.Error("the model still gets the brief after removing gsd")
	}
}

// forUser installs gsd for a user, whose clients may start anywhere: Claude and Gemini only look for a project's
// settings in the directory they start in.
func forUser(t *testing.T, c client, gsd string) {
	w := newWorld(t, c, gsd)
	for name, text := range c.config(w, "http://127.0.0.1:9") {
		write(t, filepath.Join(w.home, name), text)
	}
	before := tree(t, w.home)
	w.gsd(t, "install", c.host, "--scope", "user")
	installed := tree(t, w.home)

	told(t, w.start(t, c, filepath.Join(w.project, "sub"), "Begin.")[0], 1, 1)

	w.gsd(t, "install", c.host, "--scope", "user", "--remove")
	after, changed := tree(t, w.home), 0
	for name, text := range installed {
		if was, had := before[name]; had && was == text {
			continue
		}
		changed++
		if before[name] != after[name] {
			t.Errorf("%s is not as before after removing gsd: %q", name, after[name])
		}
	}
	if changed == 0 {
		t.Error("the installation changed nothing")
	}
}

// TestPlugin lets Claude validate the plugin and the marketplace that offers it.
func TestPlugin(t *testing.T) {
	c := clients()[0]
	w := &world{home: t.TempDir(), bin: t.TempDir(), client: c.find(t)}
	c.version(t)
	for _, name := range []string{"../../plugin", "../.."} {
		dir, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		out := w.run(t, w.home, w.env(c.env(w, "http://127.0.0.1:9")...), w.client, "plugin", "validate", "--strict", dir)
		if !strings.Contains(out, "Validation passed") {
			t.Errorf("claude plugin validate %s\n%s", name, out)
		}
	}
}

// told checks how often the model was told the task.
func told(t *testing.T, r request, task, times int) {
	t.Helper()
	text := r.strings()
	if got := strings.Count(text, resume[task]); got != times {
		t.Fatalf("the model was told %q %d times, not %d; it was told\n%s", resume[task], got, times, text)
	}
}

type run struct {
	Host  string  `json:"host"`
	State string  `json:"state"`
	Ended *string `json:"ended"`
	Holds bool    `json:"holds_lease"`
	Tasks []struct {
		Number int `json:"number"`
	} `json:"tasks"`
}

// runsIn parses the output of gsd run list --json in a text.
func runsIn(t *testing.T, text string) []run {
	t.Helper()
	_, rest, _ := strings.Cut(text, `"schema"`)
	var told struct {
		Runs []run `json:"runs"`
	}
	if err := json.NewDecoder(strings.NewReader(`{"schema"` + rest)).Decode(&told); err != nil {
		t.Fatalf("gsd run list --json: %v in\n%s", err, text)
	}
	return told.Runs
}

// tree returns every file below a directory with its text, and every directory, except .git and gsd's own files, which
// may change.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".git" || name == ".planning":
			return fs.SkipDir
		case d.IsDir():
			all[name+"/"] = ""
		case d.Type().IsRegular():
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			all[name] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
