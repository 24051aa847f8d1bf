//go:build unix

// Package programs runs the programs of docs/build-on-gsd.md, as they stand there.
package programs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/testdata"
)

const (
	root = "../../"
	hang = 2 * time.Minute // only for one that hangs

	second = `Task 2: Fix C:\temp path` // a name that a shell could change
)

// A world is a sample project, and the programs in PATH.
type world struct {
	dir, bin string
	env      []string
}

// newWorld builds gsd and the programs of the page: those in Go against this module, each called by the heading above it.
func newWorld(t *testing.T) *world {
	t.Helper()
	page, err := os.ReadFile(root + "docs/build-on-gsd.md")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	w := &world{dir: filepath.Join(home, "notes"), bin: filepath.Join(home, "bin")}
	w.env = []string{"HOME=" + home, "XDG_STATE_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "PATH=" + w.bin + ":" + os.Getenv("PATH"), "GORACE=" + os.Getenv("GORACE")}
	write(t, filepath.Join(home, ".gitconfig"), "[user]\n\tname = Ada\n")
	if err := os.CopyFS(w.dir, testdata.Sample()); err != nil {
		t.Fatal(err)
	}
	plan := filepath.Join(w.dir, ".planning/phases/01-notes/01-02-PLAN.md")
	text, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	write(t, plan, strings.Replace(string(text), "Task 2: List notes", second, 1))
	w.build(t, "gsd", "./cmd/gsd")
	found := 0
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		heading, text, _ := strings.Cut(section, "\n")
		name := strings.ReplaceAll(heading, " ", "-")
		if _, text, ok := strings.Cut(text, "```go\n"); ok {
			text, _, _ = strings.Cut(text, "```\n")
			source := filepath.Join(home, name+".go")
			write(t, source, text)
			w.build(t, name, source)
			found++
		}
		if _, text, ok := strings.Cut(text, "```sh\n"); ok {
			text, _, _ = strings.Cut(text, "```\n")
			write(t, filepath.Join(w.bin, name), text)
			found++
		}
	}
	if found != 4 {
		t.Fatalf("the page has %d programs", found)
	}
	return w
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func (w *world) build(t *testing.T, name, what string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", filepath.Join(w.bin, name), what)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// command is a program of the world, to be run in the project.
func (w *world) command(t *testing.T, words ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, filepath.Join(w.bin, words[0]), words[1:]...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// run runs a program and returns what it printed, errors included.
func (w *world) run(t *testing.T, code int, words ...string) string {
	t.Helper()
	out, err := w.command(t, words...).CombinedOutput()
	got := 0
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		got = failed.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if got != code {
		t.Errorf("%q: exit code %d, want %d: %s", words, got, code, out)
	}
	return string(out)
}

// TestPrograms runs each program where it has something to do.
func TestPrograms(t *testing.T) {
	w := newWorld(t)
	t.Run("exit codes", func(t *testing.T) {
		if out := w.run(t, 66, "A-mirror-on-GitHub"); !strings.Contains(out, "no session") {
			t.Errorf("without a session: %s", out)
		}
		outside := *w
		outside.dir = w.bin
		if out := outside.run(t, 69, "A-notification"); !strings.Contains(out, "no .planning directory") {
			t.Errorf("outside a project: %s", out)
		}
	})
	t.Run("editor", func(t *testing.T) {
		if out := w.run(t, 66, "An-editor's-helper"); !strings.Contains(out, "gsd bootstrap PLAN") {
			t.Errorf("without a session: %s", out)
		}
		w.run(t, 0, "gsd", "bootstrap", "01-02")
		w.run(t, 0, "gsd", "mark", "1", "in-progress")
		file := filepath.Join(w.dir, ".planning/sessions/ada/current-plan.md")
		lines := strings.Split(w.run(t, 0, "An-editor's-helper"), "\n")
		if len(lines) != 4 || !strings.HasPrefix(lines[0], file+":") || !strings.HasSuffix(lines[0], ": [~] Task 1: Add a note") {
			t.Errorf("%q", lines)
		}
		if out := w.run(t, 0, "An-editor's-helper", "0"); !strings.Contains(out, "[x] Task 1: Add a note\n") {
			t.Errorf("%s", out)
		}
		if out := w.run(t, 0, "gsd", "hydrate", "--porcelain"); out != "2\n" {
			t.Errorf("the task to resume is %s", out)
		}
		if out := w.run(t, 1, "An-editor's-helper", "two"); out != "plantasks: \"two\" is not the number of a task\n" {
			t.Errorf("%s", out)
		}
	})
	t.Run("dashboard", func(t *testing.T) {
		out := w.run(t, 1, "A-dashboard", ".", w.bin)
		if want := "notes        phase 1, 1 of 2 plans; ada: 01-02, task 2 of 3\n" + w.bin + ": no .planning directory"; !strings.HasPrefix(out, want) {
			t.Errorf("%s", out)
		}
		over := filepath.Join(t.TempDir(), "over")
		if err := os.CopyFS(over, testdata.Sample()); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(over, ".planning/ROADMAP.md"), "# Roadmap: Over\n\n- [x] **Phase 1: Notes**\n")
		write(t, filepath.Join(over, ".planning/phases/01-notes/01-02-SUMMARY.md"), "# Done\n")
		if out := w.run(t, 0, "A-dashboard", over); out != "over         2 of 2 plans\n" {
			t.Errorf("%s", out)
		}
	})
	t.Run("GitHub", func(t *testing.T) {
		w.needs(t, "jq")
		issues, log := filepath.Join(w.bin, "issues"), filepath.Join(w.bin, "log")
		write(t, issues, "[]")
		write(t, filepath.Join(w.bin, "gh"), "#!/bin/sh\nif [ \"$2\" = list ]; then cat '"+issues+"'; else printf '%s\\n' \"$2: $*\" >> '"+log+"'; fi\n")
		w.run(t, 0, "A-mirror-on-GitHub")
		done, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(string(done), "\n"); len(lines) != 3 || !strings.Contains(lines[0], "create: issue create --label plan --title 01-02.2 "+second+" --body") {
			t.Errorf("%q", lines)
		}
		write(t, issues, `[{"number": 8, "title": "01-02.1 Task 1: Add a note", "state": "OPEN"}, {"number": 9, "title": `+strconv.Quote("01-02.2 "+second)+`, "state": "CLOSED"},
			{"number": 10, "title": "01-02.3 `+name(t, w, 3)+`", "state": "OPEN"}]`)
		write(t, log, "")
		w.run(t, 0, "A-mirror-on-GitHub")
		if done, err = os.ReadFile(log); err != nil || string(done) != "close: issue close 8\nreopen: issue reopen 9\n" {
			t.Errorf("%s%v", done, err)
		}
	})
	t.Run("notification", func(t *testing.T) {
		w.needs(t, "jq")
		told := filepath.Join(w.bin, "told")
		if err := syscall.Mkfifo(told, 0o600); err != nil {
			t.Skip("a named pipe: ", err)
		}
		write(t, filepath.Join(w.bin, "notify-send"), "#!/bin/sh\necho \"$*\" > '"+told+"'\n")
		w.run(t, 0, "gsd", "mark", "2", "complete")
		var out bytes.Buffer
		cmd := w.command(t, "A-notification")
		cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = &out, &out, &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		heard := make(chan string, 1)
		go func() {
			text, err := os.ReadFile(told) // once somebody writes it
			if err != nil {
				text = []byte(err.Error())
			}
			heard <- string(text)
		}()
		select {
		case text := <-heard:
			if text != "A checkpoint waits 3: "+name(t, w, 3)+"\n" {
				t.Errorf("it says %q", text)
			}
		case <-time.After(hang):
			t.Error("it says nothing")
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		if err := cmd.Wait(); err == nil {
			t.Errorf("it ended by itself: %s", &out)
		}
	})
}

// name returns the name of a task of the session.
func name(t *testing.T, w *world, n int) string {
	t.Helper()
	lines := strings.Split(w.run(t, 0, "An-editor's-helper"), "\n")
	_, name, _ := strings.Cut(lines[n-1], "] ")
	return name
}

// needs skips the test where a program is missing that people install themselves.
func (w *world) needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip(err)
	}
}
