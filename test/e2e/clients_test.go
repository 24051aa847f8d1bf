//go:build e2e && unix

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runTime is the timeout of one start of a client. It takes one to four seconds on an idle machine, but CI has two
// cores and may be busy.
const runTime = 3 * time.Minute

// tries is how often a client is started if it fails through no fault of gsd.
const tries = 2

// client is one host's real program, and how to make it talk to a stand-in.
type client struct {
	host    string
	program string
	// seed is an existing settings file of the project: an installation must keep its content.
	seed map[string]string
	// config is what the client needs in the user's own directory, below HOME.
	config func(w *world, url string) map[string]string
	env    func(w *world, url string) []string
	// args start one conversation without a terminal, in which the model may run commands; the prompt comes last.
	args []string
	// endless is set if it calls no hook when such a conversation ends, so that gsd finds the run crashed.
	endless bool
	// cautious are those without what allows the model anything.
	cautious []string
	// command is what a person types for gsd's own command, typed is what the model reads of it, and times is how often
	// it then reads the brief, including from a hook.
	command, typed string
	times          int
	// delegate makes the client start another agent, which gets the prompt.
	delegate func(prompt string) reply
	// ui is how the client is used in a terminal.
	ui ui
}

// theOther is somebody else's hook, which must keep running beside gsd's.
const theOther = `touch \"$HOME/other\"`

func clients() []client {
	return []client{
		{
			host:    "claude",
			program: "claude",
			seed: map[string]string{".claude/settings.json": "{\n\t\"env\": {\"LARCH\": \"1\"},\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n\t\t\t{\"hooks\": [{\"type\": \"command\", \"command\": \"" +
				theOther + "\"}]}\n\t\t]\n\t},\n\t\"cleanupPeriodDays\": 30.0\n}"},
			config: func(*world, string) map[string]string { return nil },
			env: func(w *world, url string) []string {
				return []string{
					"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=sk-made-up", "CLAUDE_CONFIG_DIR=" + filepath.Join(w.home, ".claude"),
					"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
				}
			},
			args:     []string{"--model", "claude-sonnet-5", "--allowedTools", "Bash(gsd:*)", "-p"},
			cautious: []string{"--model", "claude-sonnet-5", "-p"},
			command:  "/gsd.hydrate",
			typed:    "<command-name>/gsd.hydrate</command-name>",
			times:    2, // once by the hook, once by the command
			delegate: func(prompt string) reply {
				return reply{tool: "Agent", input: map[string]any{"description": "help", "prompt": prompt, "subagent_type": "general-purpose"}}
			},
			ui: ui{
				config: func(w *world) map[string]string {
					return map[string]string{".claude/.claude.json": strings.ReplaceAll(`{"hasCompletedOnboarding": true, "theme": "dark",
						"customApiKeyResponses": {"approved": ["sk-made-up"]}, "projects": {"PROJECT": {"hasTrustDialogAccepted": true}}}`, "PROJECT", w.project)}
				},
				args: []string{"--model", "claude-sonnet-5"},
				// Auto mode, which is the default, asks Anthropic's servers about a subagent.
				delegating: []string{"--permission-mode", "default"},
				resume:     []string{"--continue"},
				ready:      "❯",
				clear:      "/clear",
				compact:    "/compact", compacted: "Compacted",
				quit: "/exit",
				asks: "Do you want to proceed?", yes: "Enter",
				subagent: func(prompt string) reply {
					return reply{tool: "Agent", input: map[string]any{"description": "look", "prompt": prompt, "subagent_type": "general-purpose"}}
				},
			},
		},
		{
			host:    "codex",
			program: "codex",
			seed: map[string]string{".codex/hooks.json": "{\"hooks\": {\n  \"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"" +
				theOther + "\"}]}]}}\n\n"},
			config: func(w *world, url string) map[string]string {
				return map[string]string{".codex/config.toml": strings.NewReplacer("URL", url, "PROJECT", w.project).Replace(`
model = "stand-in"
model_provider = "stand-in"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.stand-in]
name = "stand-in"
base_url = "URL/v1"
wire_api = "responses"
env_key = "STAND_IN_KEY"
[projects."PROJECT"]
trust_level = "trusted"
`)}
			},
			env: func(w *world, _ string) []string {
				return []string{"STAND_IN_KEY=made-up", "CODEX_HOME=" + filepath.Join(w.home, ".codex")}
			},
			args:     []string{"exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"},
			cautious: []string{"exec", "--dangerously-bypass-hook-trust", "--sandbox", "read-only"},
			command:  "$hydrate-gsd",
			typed:    "<name>hydrate-gsd</name>",
			times:    1,
			delegate: func(prompt string) reply {
				return reply{tool: "multi_agent_v1.spawn_agent", input: map[string]any{"message": prompt}}
			},
			ui: ui{
				config:  func(w *world) map[string]string { return nil },
				resume:  []string{"resume", "--last"},
				ready:   "Ask Codex to do anything",
				first:   [][]string{{"Hooks need review", "2", "Enter"}},
				clear:   "/clear",
				compact: "/compact", compacted: "Context compacted",
				quit: "/quit", late: "about a minute later",
				asks: "Would you like to run", yes: "Enter",
				lacks: map[string]string{"status line": "not available: Codex runs no program for it", worktree: notTried},
				subagent: func(prompt string) reply {
					return reply{tool: "multi_agent_v1.spawn_agent", input: map[string]any{"message": prompt}}
				},
			},
		},
		{
			host:    "gemini",
			program: "gemini",
			seed: map[string]string{".gemini/settings.json": "{\n    // ours, of the project\n    \"hooks\": {\n        \"SessionStart\": [\n            {\"hooks\": [{\"type\": \"command\", \"command\": \"" +
				theOther + "\"}]} /* the last */\n        ]\n    }\n}\n"},
			config: func(*world, string) map[string]string {
				return map[string]string{".gemini/settings.json": "{\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}},\n" +
					"  \"privacy\": {\"usageStatisticsEnabled\": false}, // no telemetry\n  \"general\": {\"enableAutoUpdate\": false}\n}\n"}
			},
			env: func(_ *world, url string) []string {
				return []string{
					"GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_API_KEY=made-up", "GEMINI_CLI_TRUST_WORKSPACE=true",
					"GEMINI_CLI_NO_RELAUNCH=true", // it starts itself again for more memory
				}
			},
			// Without this it first asks a model which one to use.
			args:     []string{"--model", "gemini-2.5-flash", "--approval-mode", "yolo", "-p"},
			cautious: []string{"--model", "gemini-2.5-flash", "-p"},
			command:  "/hydrate-gsd",
			typed:    "How far is the work on the plan", // of the list of skills: with -p it has no commands
			times:    1,
			delegate: geminiUI.subagent,
			ui:       geminiUI,
		},
		copilot(),
		opencode(),
		qwen(),
	}
}

// find returns the client's program. If GSD_CLIENTS is set, it is the one in that directory, where run.sh installs the
// pinned versions, and the test fails without it, because another version must not pass for the pinned one. Otherwise
// it is the one on the PATH, and without it the test is skipped.
func (c client) find(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("GSD_CLIENTS"); dir != "" {
		path, err := filepath.Abs(filepath.Join(dir, "node_modules", ".bin", c.program))
		if err == nil {
			path, err = exec.LookPath(path)
		}
		if err != nil {
			t.Fatalf("there is no %s in $GSD_CLIENTS/node_modules/.bin: %v; test/e2e/clients.sh installs it", c.program, err)
		}
		return path
	}
	path, err := exec.LookPath(c.program)
	if err != nil {
		t.Skipf("there is no %s on the PATH; test/e2e/clients.sh installs it, for GSD_CLIENTS", c.program)
	}
	return path
}

// world is a machine with a single user, who has one project, in temporary directories.
type world struct {
	home, project string
	bin           string // what is on the PATH before all else
	called        string // the file that has a line for each call of gsd
	client        string // the client's program
	said          string // all that the last program printed
}

// env returns the whole environment of the programs. The proxy leads nowhere, so that a client can talk only to the
// stand-in.
func (w *world) env(more ...string) []string {
	return append([]string{
		"HOME=" + w.home, "TMPDIR=" + filepath.Join(w.home, "tmp"), "XDG_STATE_HOME=" + filepath.Join(w.home, ".local", "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(w.home, ".config"),
		"PATH=" + strings.Join([]string{w.bin, filepath.Dir(w.client), os.Getenv("PATH")}, string(filepath.ListSeparator)),
		"SHELL=/bin/sh", "TERM=dumb", "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1",
		"HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1",
	}, more...)
}

// try runs a program in dir and returns its standard output. If the program fails or does not end in time, the error
// has all of its output, and its children are killed with it.
func (w *world) try(t *testing.T, dir string, env []string, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 30 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	w.said = stdout.String() + stderr.String()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left running; mostly nothing is there
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("not at its end after %v: %w", runTime, err)
	}
	line := filepath.Base(name) + " " + strings.Join(args, " ")
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", line, err, &stdout, &stderr)
	}
	t.Logf("%s\n%s%s", line, &stdout, &stderr)
	return stdout.String(), nil
}

// run is try, but fails the test if the program fails.
func (w *world) run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	out, err := w.try(t, dir, env, name, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// version logs and returns the version of the client.
func (c client) version(t *testing.T) string {
	t.Helper()
	w := &world{home: t.TempDir(), bin: t.TempDir(), client: c.find(t)}
	version := strings.TrimSpace(w.run(t, w.home, w.env(), w.client, "--version"))
	t.Logf("tried with %s, version %s", w.client, version)
	return version
}

// gsd runs our program in the project.
func (w *world) gsd(t *testing.T, args ...string) string {
	t.Helper()
	return w.run(t, w.project, w.env(), filepath.Join(w.bin, "gsd"), args...)
}

// calls returns the command lines with which gsd was called so far.
func (w *world) calls(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(w.called)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(text)))
}

// start starts the client in dir with a prompt, lets it talk to a model that follows the script, and returns the
// questions that the model was asked as part of the conversation, which are those with tools.
//
// A client that fails is started again if that cannot be gsd's fault, because neither was gsd called nor the model
// asked. Then nothing that the test checks has changed.
func (w *world) start(t *testing.T, c client, dir, prompt string, script ...reply) []request {
	t.Helper()
	script = append(script, reply{text: "The larch."})
	for left := tries - 1; ; left-- {
		before := len(w.calls(t))
		asked, err := w.talk(t, c, dir, prompt, script)
		if err == nil {
			return asked
		}
		calls := w.calls(t)[before:]
		if left == 0 || len(asked) > 0 || len(calls) > 0 {
			t.Fatalf("%v\nmeanwhile gsd was called %d times: %q", err, len(calls), calls)
		}
		t.Logf("started again because it neither called gsd nor asked the model: %v", err)
	}
}

// talk starts the client once. It returns the model's questions even with an error.
func (w *world) talk(t *testing.T, c client, dir, prompt string, script []reply) ([]request, error) {
	t.Helper()
	s := startStandIn(script...)
	defer s.Close()
	for name, text := range c.config(w, s.URL) {
		if _, err := os.Stat(filepath.Join(w.home, name)); err != nil || !strings.HasSuffix(name, "settings.json") {
			write(t, filepath.Join(w.home, name), text)
		}
	}
	_, err := w.try(t, dir, w.env(c.env(w, s.URL)...), w.client, append(slices.Clone(c.args), prompt)...)
	var asked []request
	for _, r := range s.all() {
		if r.talk != nil && len(r.talk.tools) > 0 {
			asked = append(asked, r)
		}
	}
	if err == nil && len(asked) != len(script) {
		err = fmt.Errorf("%s asked the model %d times, not %d: %v", c.host, len(asked), len(script), paths(s.all()))
	}
	return asked, err
}

func paths(requests []request) (all []string) {
	for _, r := range requests {
		all = append(all, r.method+" "+r.path)
	}
	return all
}
