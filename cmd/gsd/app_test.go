package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestArrange(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, want string }{
		{"", ""},
		{"hydrate", "hydrate"},
		{"hydrate --json", "hydrate --json"},
		{"--json hydrate", "hydrate --json"},
		{"mark 2 complete --json", "mark --json -- 2 complete"},
		{"mark --json 2 complete", "mark --json -- 2 complete"},
		{"-C dir mark 2 complete", "mark -C dir -- 2 complete"},
		{"mark 2 -C dir complete", "mark -C dir -- 2 complete"},
		{"mark 2 complete -C=dir", "mark -C=dir -- 2 complete"},
		{"run end --id 3f -C dir", "run end --id 3f -C dir"},
		{"run end -id 3f 40", "run end -id 3f -- 40"},
		{"run end --id=3f 40", "run end --id=3f -- 40"},
		{"status --format json --all", "status --format json --all"},
		{"--format html status", "status --format html"},
		{"status --format", "status --format"},
		{"hydrate -C --json", "hydrate -C --json"}, // a directory of that name
		{"hydrate -C", "hydrate -C"},               // the library says what is missing
		// A negative number is no flag, and neither is what stands behind --.
		{"mark -1 complete", "mark -- -1 complete"},
		{"mark -- -1 complete", "mark -- -1 complete"},
		{"bootstrap -- --fresh", "bootstrap -- --fresh"},
		{"tasks -- -C", "tasks -- -C"},
		{"bootstrap -- a -- b", "bootstrap -- a -- b"},
		// A word that is only like a flag.
		{"bootstrap host", "bootstrap -- host"},
		{"bootstrap C --json", "bootstrap --json -- C"},
		{"bootstrap -", "bootstrap -- -"},
		{"mark 2 complete --help", "mark --help"}, // the library would take 2 for a topic
		{"--help", "--help"},
		{"-v", "--version"},
		{"mark 1 complete -C", "mark -C"},
		{"install claude --scope", "install --scope"},
		{"-C", "-C"},
		{"hydrate --version", "--version"},
		{"help", "--help"},
		{"help mark", "mark --help"},
		{"-- hydrate", "hydrate"},
		{"run start --id 7 --pid 8", "run start --id 7 --pid 8"},
		{"run end 3f --status success", "run end --status success -- 3f"},
		{"run --host codex start --id 5 --json", "run start --host codex --id 5 --json"},
		{"run start --pid", "run start --pid"}, // the library says what is missing
		{"forget 3f", "forget -- 3f"},
		{"run list extra", "run list -- extra"},
		{"help run list", "run list --help"},
		{"help exit-status", "help exit-status"},
		{"install claude --scope user --dry-run", "install --scope user --dry-run -- claude"},
		{"install --scope user claude", "install --scope user -- claude"},
		{"hook end --host claude --pid=$PPID", "hook end --host claude --pid=$PPID"},
	} {
		got := arrange(strings.Fields(test.line))
		if want := strings.Fields(test.want); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", test.line, got, want)
		}
	}
}

// ada is a program in a copy of the sample project whose user is Ada, at a moment of its own choice.
func ada(t *testing.T, now time.Time) (a *program, stdout *bytes.Buffer) {
	t.Helper()
	p := newPlace(t)
	stdout = &bytes.Buffer{}
	return &program{
		stdout: stdout, stderr: stdout, dir: p.dir, now: func() time.Time { return now },
		env: []string{"HOME=" + p.home, "USERPROFILE=" + p.home, "PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), anyWidth},
	}, stdout
}

// do runs a command line that must succeed, and gives what it printed.
func do(t *testing.T, a *program, words ...string) string {
	t.Helper()
	stdout := a.stdout.(*bytes.Buffer)
	stdout.Reset()
	if code := a.run(context.Background(), words); code != 0 {
		t.Fatalf("gsd %q: exit code %d: %s", words, code, stdout)
	}
	return stdout.String()
}

// TestVersionIsOneLine: release/check.sh and other programs compare it, and a report of a bug quotes it. A snapshot's is longer than that of
// a test.
func TestVersionIsOneLine(t *testing.T) {
	t.Parallel()
	a, _ := ada(t, time.Now())
	a.env = append(a.env, "COLUMNS=20")
	for _, words := range [][]string{{"--version"}, {"-v"}, {"hydrate", "--version"}} {
		if said, want := do(t, a, words...), "gsd version "+version()+"\n"; said != want {
			t.Errorf("gsd %q: %q, not %q", words, said, want)
		}
	}
}

func TestCandidates(t *testing.T) { // not in parallel: the library's help flag is a shared variable
	a, _ := ada(t, time.Now())
	offer := func(words ...string) string {
		t.Helper()
		return strings.Join(strings.Fields(do(t, a, append([]string{"__complete", "--"}, words...)...)), " ")
	}
	const commands = "hydrate bootstrap takeover archive mark done tasks next status state restore forget sync run exec install doctor config whoami demo completion"
	for _, test := range []struct {
		words []string
		want  string
	}{
		{nil, commands},
		{[]string{""}, commands},
		{[]string{"hy"}, commands}, // the shell picks
		{[]string{"mark", ""}, ""}, // there is no session
		{[]string{"bootstrap", ""}, "01-02"},
		{[]string{"bootstrap", "01"}, "01-02"},
		{[]string{"bootstrap", "--again", ""}, "01-01 01-02"},
		{[]string{"tasks", ""}, "01-01 01-02"},
		{[]string{"bootstrap", "--dry-run", ""}, "01-02"},
		{[]string{"bootstrap", "01-02", ""}, ""},
		{[]string{"tasks", "01-02", ""}, "1 2 3"},
		{[]string{"tasks", "01-02", "1", ""}, ""},
		{[]string{"help", ""}, commands + " exit-status"},
		{[]string{"run", "end", ""}, ""},
		{[]string{"mark", "1", ""}, "complete in-progress pending skipped"},
		{[]string{"mark", "1", "complete", ""}, ""},
		{[]string{"completion", ""}, "bash zsh fish pwsh"},
		{[]string{"hydrate", ""}, ""},
		{[]string{"nonsense", ""}, ""},
		{[]string{"next", ""}, ""},
		{[]string{"next", "-"}, "-C --ws --json"},
		{[]string{"status", "--fo"}, "--format --all --watch -C --ws --json"},
		{[]string{"status", "--format", "html", "--w"}, "--format --all --watch -C --ws --json"},
		{[]string{"status", "--format", ""}, "text json html"},
		{[]string{"state", "--"}, "--write -C --ws --json"},
		{[]string{"hydrate", "-"}, "--porcelain --exit-code --inline -C --ws --json"},
		{[]string{"bootstrap", "01-02", "--f"}, "--fresh --again --dry-run -C --ws --json"},
		{[]string{"restore", "--"}, "--list --dry-run -C --ws --json"},
		{[]string{"run", ""}, "start end list sweep"},
		{[]string{"run", "start", ""}, ""},
		{[]string{"run", "end", "--status", ""}, "success failure cancelled interrupted aborted paused"},
		{[]string{"run", "start", "--host", ""}, "claude codex gemini copilot cursor opencode qwen"},
		{[]string{"run", "start", "--pid", ""}, ""},
		{[]string{"run", "start", "--id", "x", "--t"}, "--host --id --pid --porcelain -C --ws --json"},
		{[]string{"run", "list", "--"}, "-C --ws --json"},
		{[]string{"forget", ""}, ""}, // none is lost
		{[]string{"restore", ""}, ""},
		{[]string{"run", "sweep", "--"}, "--dry-run --reset-tasks -C --ws --json"},
		{[]string{"run", "end", "3f", ""}, ""},
		{[]string{"hook", "start", "--host", ""}, "claude codex gemini copilot cursor opencode qwen"},
		{[]string{"install", ""}, "claude codex gemini copilot cursor opencode qwen"},
		{[]string{"install", "claude", ""}, "codex gemini copilot cursor opencode qwen"},
		{[]string{"install", "claude", "--scope", ""}, "project local user"},
		{[]string{"install", "--"}, "--scope --check --dry-run --remove --statusline --no-permissions --absolute -C --ws --json"},
		{[]string{"hook", ""}, "start prompt compact agent ask end"},
		{[]string{"statusline", "-"}, "-C --ws"},
		{[]string{"exec", "--"}, "--host --reset-tasks -C --ws"},
	} {
		if got := offer(test.words...); got != test.want {
			t.Errorf("%q: %q, want %q", test.words, got, test.want)
		}
	}
	do(t, a, "bootstrap", "01-02")
	do(t, a, "mark", "2", "complete")
	for command, want := range map[string]string{"mark": "1 2 3", "done": "1 3"} {
		if got := offer(command, ""); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	if got := offer("bootstrap", ""); got != "01-02" { // which continues
		t.Errorf("with a session: %q", got)
	}
	do(t, a, "run", "start", "--host", "cursor", "--id", "c1")
	if got := offer("run", "end", ""); len(got) != 12 {
		t.Errorf("open runs: %q", got)
	}
	do(t, a, "run", "end", "--host", "cursor", "--id", "c1", "--status", "aborted")
	if got := offer("run", "end", ""); got != "" {
		t.Errorf("runs that are over: %q", got)
	}
	if err := os.RemoveAll(filepath.Join(a.dir, ".planning", "sessions")); err != nil {
		t.Fatal(err)
	}
	id := offer("restore", "")
	if len(id) != 16 || offer("forget", "") != id || offer("restore", id, "") != "" {
		t.Errorf("the lost session is %q", id)
	}
	a.dir = t.TempDir()
	if got := offer("bootstrap", ""); got != "" {
		t.Errorf("outside a project: %q", got)
	}
}

// TestNoGit: that there is no git program is a warning of whoami alone.
func TestNoGit(t *testing.T) {
	t.Parallel()
	a, _ := ada(t, time.Now())
	home := t.TempDir()
	config := "[include]\n\tpath = more\n[user]\n\tname = Ada Lovelace\n" // which git would have to be asked about
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	a.env = []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + home, "XDG_STATE_HOME=" + home}
	if out := do(t, a, "whoami"); !strings.Contains(out, "(git-missing)") {
		t.Errorf("whoami: %s", out)
	}
	for _, command := range []string{"hydrate", "status", "next", "bootstrap 01-02", "mark 1 complete"} {
		if out := do(t, a, strings.Fields(command)...); strings.Contains(out, "git-missing") {
			t.Errorf("%s: %s", command, out)
		}
	}
}
