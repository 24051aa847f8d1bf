//go:build e2e && unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// waitTime is the bound of every wait for something on the screen, at the model or on disk. Most take less than a
// second, a client's start up to ten on a busy machine with two cores; Codex ends a run a minute after it was left.
const waitTime = 150 * time.Second

// poll is how often the screen is looked at.
const poll = 50 * time.Millisecond

// tmux is a tmux server of our own, with a terminal for each program.
type tmux struct {
	w      *world
	socket string
}

// screen is a terminal in which a program runs.
type screen struct {
	*tmux
	t    *testing.T
	name string
}

// startTmux makes a server, which ends with the test together with what runs in it. The test is skipped without tmux.
func startTmux(t *testing.T, w *world) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux")
	}
	dir, err := os.MkdirTemp("", "tmux") // the name of a socket has at most 108 bytes, and t.TempDir's is long
	if err != nil {
		t.Fatal(err)
	}
	m := &tmux{w, filepath.Join(dir, "s")}
	t.Cleanup(func() {
		_, _ = m.run("kill-server")
		w.killAll()
		_ = os.RemoveAll(dir)
	})
	return m
}

func (m *tmux) run(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-S", m.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/", "LANG=C.UTF-8"} // not the home of what killAll kills
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("tmux %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// open runs a program in a new terminal of 120 columns and 50 lines.
func (m *tmux) open(t *testing.T, name, dir string, env []string, program string, args ...string) *screen {
	t.Helper()
	line := []string{
		"set", "-g", "remain-on-exit", "on", ";", // what it last showed is still there when it has ended
		"new-session", "-d", "-s", name, "-x", "120", "-y", "50", "-c", dir, "env", "-i", "TERM=screen-256color",
	}
	for _, e := range env {
		if !strings.HasPrefix(e, "TERM=") {
			line = append(line, e)
		}
	}
	line = append(append(line, program), args...)
	if _, err := m.run(append([]string{"start-server", ";"}, line...)...); err != nil {
		t.Fatal(err)
	}
	s := &screen{m, t, name}
	t.Cleanup(func() {
		if t.Failed() {
			all, _ := s.run("capture-pane", "-p", "-S", "-200", "-t", name)
			t.Logf("the terminal %s at the end, after gsd was called with %q:\n%s", name, m.w.calls(t), all)
		}
	})
	return s
}

// text returns what the screen shows.
func (s *screen) text() string {
	out, err := s.run("capture-pane", "-p", "-t", s.name)
	if err != nil {
		return err.Error()
	}
	return strings.TrimRight(out, "\n")
}

// waitFor waits until the screen shows all of the texts.
func (s *screen) waitFor(texts ...string) {
	s.t.Helper()
	s.until(fmt.Sprintf("the screen does not show %q", texts), func() bool { return s.shows(texts...) })
}

func (s *screen) shows(texts ...string) bool {
	shown := s.text()
	return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(shown, text) })
}

// until waits for a condition; what says what is wrong if it does not come true.
func (s *screen) until(what string, done func() bool) {
	s.t.Helper()
	for start := time.Now(); !done(); time.Sleep(poll) {
		if time.Since(start) > waitTime {
			s.t.Fatalf("%s after %v:\n%s", what, waitTime, s.text())
		}
	}
}

// keys presses keys, as tmux names them: Enter, C-c, Escape.
func (s *screen) keys(names ...string) {
	s.t.Helper()
	if _, err := s.run(append([]string{"send-keys", "-t", s.name}, names...)...); err != nil {
		s.t.Fatal(err)
	}
}

// enter types a line, and presses Enter when it is on the screen. A client may lose keys while it draws its screen again.
func (s *screen) enter(line string) {
	s.t.Helper()
	shown := line[:min(len(line), 60)]
	var typed time.Time
	before := strings.Count(s.text(), shown)
	s.until(fmt.Sprintf("the screen does not show %q", shown), func() bool {
		if strings.Count(s.text(), shown) > before {
			return true
		}
		if time.Since(typed) > 5*time.Second {
			s.keys("C-u")
			s.keys("-l", line)
			typed = time.Now()
		}
		return false
	})
	time.Sleep(6 * poll) // Codex and Gemini take an Enter that follows fast keys for a part of the text
	s.keys("Enter")
}

// press presses keys until the screen no longer shows a text. A client may lose keys while it is still drawing.
func (s *screen) press(shown string, keys ...string) {
	s.t.Helper()
	var pressed time.Time
	s.until(fmt.Sprintf("the screen still shows %q", shown), func() bool {
		if !s.shows(shown) {
			return true
		}
		if time.Since(pressed) > 2*time.Second {
			s.keys(keys...)
			pressed = time.Now()
		}
		return false
	})
}

// ended waits until the program has ended.
func (s *screen) ended() {
	s.t.Helper()
	s.until("the program has not ended", s.dead)
}

// dead reports whether the program has ended.
func (s *screen) dead() bool {
	out, err := s.run("display", "-p", "-t", s.name, "#{pane_dead}")
	return err == nil && strings.TrimSpace(out) == "1"
}

// killAll kills whatever runs with the world's home directory. That includes what left its terminal, as servers do.
func (w *world) killAll() {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environs {
		text, err := os.ReadFile(name)
		if err != nil || !slices.Contains(strings.Split(string(text), "\x00"), "HOME="+w.home) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil && pid != os.Getpid() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
