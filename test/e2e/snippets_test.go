//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSnippets runs each command of docs/build-on-gsd.md as a slash command of a project in which gsd is not installed. The
// model may only run what the command allows.
func TestSnippets(t *testing.T) {
	c := clients()[0]
	c.args = c.cautious
	w := newWorld(t, c, build(t))
	all := snippets(t)
	for name, text := range all {
		write(t, filepath.Join(w.project, ".claude", "commands", name+".md"), text)
	}
	tried := 0
	try := func(name, arguments, token string, script ...reply) (last request) {
		t.Helper()
		tried++
		before := w.gsd(t, "hydrate", "--porcelain")
		asked := w.start(t, c, w.project, strings.TrimSpace("/"+name+" "+arguments), script...)
		if text := asked[0].strings(); !strings.Contains(text, "<command-name>/"+name+"</command-name>") ||
			!strings.Contains(text, "What they typed: "+arguments) && arguments != "" {
			t.Errorf("/%s did not reach the model as a command: %s", name, text)
		}
		if strings.Contains(all[name], "!`gsd hydrate --inline 2>/dev/null || true`") {
			told(t, asked[0], int(before[0]-'0'), 1)
		}
		if got := strings.TrimSpace(w.gsd(t, "hydrate", "--porcelain")); got != token {
			t.Errorf("after /%s the session is at %s, not %s", name, got, token)
		}
		return asked[len(asked)-1]
	}
	last := try("execute-plan", "01-01", "2",
		reply{shell: "gsd bootstrap '01-01'"}, reply{shell: "gsd mark 1 in-progress"}, reply{shell: "gsd done 1"})
	if !strings.Contains(last.strings(), "resume at task 1: Plant the larch") {
		t.Errorf("/execute-plan did not show the task: %s", last.strings())
	}
	try("resume-work", "", "3", reply{shell: "gsd mark 2 in-progress"}, reply{shell: "gsd done 2"})
	if last := try("progress", "", "3", reply{shell: "gsd status"}); !strings.Contains(last.strings(), "2 of 3") {
		t.Errorf("/progress did not show the project: %s", last.strings())
	}
	try("verify-work", "", "2", reply{shell: "gsd tasks"}, reply{shell: "gsd tasks 2"}, reply{shell: "gsd mark 2 pending"})
	if tried != len(all) {
		t.Errorf("%d of %d snippets were tried", tried, len(all))
	}
}

// snippets returns the commands in docs/build-on-gsd.md by their names.
func snippets(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/build-on-gsd.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, rest, _ := strings.Cut(section, "\n")
		if _, rest, ok := strings.Cut(rest, "```markdown\n"); ok {
			all[name], _, _ = strings.Cut(rest, "```\n")
		}
	}
	return all
}

// TestAbsolute asks for the brief where PATH does not lead to gsd, and lets the model run one of gsd's commands.
func TestAbsolute(t *testing.T) {
	c := clients()[0]
	c.args = c.cautious
	gsd := build(t)
	w := newWorld(t, c, gsd)
	for _, name := range []string{w.bin, filepath.Join(w.home, ".profile"), filepath.Join(w.home, ".zprofile")} {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
	w.run(t, w.project, w.env(), gsd, "install", c.host, "--absolute")
	asked := w.start(t, c, w.project, c.command, reply{shell: gsd + " tasks"})
	told(t, asked[0], 1, c.times)
	if text := asked[0].strings(); !strings.Contains(text, "`"+gsd+" done 1`") || strings.Contains(text, "`gsd ") {
		t.Errorf("the brief does not call %s: %s", gsd, text)
	}
	if text := asked[1].strings(); !strings.Contains(text, "pending      auto  Prune the larch") {
		t.Errorf("the model could not run %s tasks: %s", gsd, text)
	}
}
