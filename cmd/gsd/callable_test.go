//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/agent"
)

// What a hook, a slash command or a command of a day prints names the program as it can be called. The text of the plan stays as it is.
func TestBriefNamesProgram(t *testing.T) {
	t.Parallel()
	a, _ := ada(t, time.Now())
	const plan = ".planning/phases/77-a/77-01-PLAN.md"
	if err := os.MkdirAll(filepath.Dir(filepath.Join(a.dir, plan)), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "<task type=\"auto\">\n<name>Say it</name>\n<action>Run `gsd version`.</action>\n</task>\n"
	if err := os.WriteFile(filepath.Join(a.dir, plan), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	do(t, a, "takeover", plan)
	if got := do(t, a, "hydrate", "--inline"); !strings.Contains(got, "\n- `gsd done 1`: ") || strings.Contains(got, "PATH") {
		t.Errorf("called by its name, it prints\n%s", got)
	}
	dir := t.TempDir()
	own := filepath.Join(dir, "gsd")
	if err := os.WriteFile(own, []byte("\x7fELF"), 0o755); err != nil {
		t.Fatal(err)
	}
	a.called, a.env = own, append(a.env, "PATH="+filepath.Dir(gitProgram(t)))
	for _, line := range [][]string{{"hydrate", "--inline"}, {"hook", "start", "--host", "opencode"}} {
		got := do(t, a, line...)
		for _, want := range []string{
			"\n- gsd is called as `" + own + "` here, because PATH may not lead to it.\n", "\n- `" + own + " done 1`: ",
			" `" + own + " hydrate` shows the current one.", "\n> Run `gsd version`.\n",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", line, want, got)
			}
		}
	}
	if got, want := do(t, a, "hydrate"), "\ntry: "+own+" done 1 "; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

// A hook that was called by a path names that to an agent whose commands run in a login shell, which may have another PATH than the hook.
func TestBriefInLoginShell(t *testing.T) {
	t.Parallel()
	a, _ := ada(t, time.Now())
	do(t, a, "bootstrap", "01-02")
	own := filepath.Join(t.TempDir(), "gsd")
	if err := os.WriteFile(own, []byte("\x7fELF"), 0o755); err != nil {
		t.Fatal(err)
	}
	a.called, a.env = own, append(a.env, "PATH="+filepath.Dir(own))
	for host, want := range map[string]string{agent.Codex: "`" + own + " done 1`", agent.Claude: "`gsd done 1`", agent.OpenCode: "`gsd done 1`"} {
		if got := do(t, a, "hook", "start", "--host", host); !strings.Contains(got, want) {
			t.Errorf("%s: %q is not in\n%s", host, want, got)
		}
	}
	do(t, a, "mark", "2", "in-progress") // of a plan of which nothing is started, nothing is said
	for _, input := range []string{
		`{"hook_event_name":"PreToolUse","tool_name":"spawn_agent","tool_input":{"message":"Execute plan 01-02."}}`,
		`{"hook_event_name":"SubagentStart","agent_id":"x"}`,
	} {
		a.stdin = strings.NewReader(input)
		if got := do(t, a, "hook", "agent", "--host", agent.Codex); !strings.Contains(got, "`"+own+" ") || strings.Contains(got, "`gsd ") {
			t.Errorf("%s: gsd is not called as %s in\n%s", input, own, got)
		}
	}
	a.called, a.stdin = "gsd", nil
	if got := do(t, a, "hook", "start", "--host", agent.Codex); !strings.Contains(got, "`gsd done 1`") {
		t.Errorf("called by its name: %s", got)
	}
}

// gitProgram returns the path of git.
func gitProgram(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	return path
}
