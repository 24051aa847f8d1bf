//go:build unix

package self

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gsd-cli/gsd/internal/agent"
)

// A login shell has the PATH that its profile sets: the program is called by its path if that does not lead to it.
func TestInLogin(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	says := "[ \"$*\" = --version ] && echo 'gsd version v1.0.0 of " + agent.Module + "'\n"
	// The profile of the machine comes before it, and may set PATH, too.
	for name, c := range map[string]struct{ profile, gsd, want string }{
		"the profile sets PATH":        {"PATH=/usr/bin:/bin\n", says, ShellWord(own)},
		"the profile finds another":    {"PATH=$HOME/bin\n", "echo 2.3.0\n", ShellWord(own)},
		"the profile puts it there":    {"PATH=/usr/bin:/bin:$HOME/bin\n", says, ""},
		"the profile defines it":       {"gsd() { git svn dcommit; }\n", says, ShellWord(own)},
		"the profile prints":           {"echo hello; printf bye; PATH=/bin\n", says, ShellWord(own)},
		"the profile reads":            {"read -r line; PATH=$line\n", says, ShellWord(own)},
		"the profile ends the shell":   {"PATH=/bin\nexit 0\n", says, ""},
		"the profile starts a program": {"(read -r line <$HOME/fifo) &\nPATH=/bin\n", says, ShellWord(own)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			put(t, filepath.Join(home, ".bash_profile"), c.profile, 0o644)
			put(t, filepath.Join(home, "bin", "gsd"), "#!/bin/sh\n"+c.gsd, 0o755)
			fifo := filepath.Join(home, "fifo") // what waits for it ends with the test
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if f, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
					f.Close() // nothing was written
				}
			})
			path := filepath.Join(home, "bin") + ":/usr/bin:/bin"
			p := Program{Called: "gsd", Path: path, Env: []string{"HOME=" + home, "PATH=" + path}}
			if got := p.InLogin(t.Context(), "/usr/bin/fish"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	t.Run("this very file", func(t *testing.T) {
		t.Parallel()
		home := t.TempDir()
		put(t, filepath.Join(home, ".bash_profile"), "PATH="+home+"\n", 0o644)
		if err := os.Symlink(own, filepath.Join(home, "gsd")); err != nil {
			t.Fatal(err)
		}
		p := Program{Called: "gsd", Path: "/usr/bin:/bin", Env: []string{"HOME=" + home, "PATH=/usr/bin:/bin"}}
		if got := p.InLogin(t.Context(), "/bin/bash"); got != "" {
			t.Errorf("%q", got)
		}
	})
	t.Run("zsh", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		put(t, filepath.Join(dir, "zsh"), "#!/bin/sh\n[ \"$1\" = -lc ] && PATH=/none && eval \"$2\"\n", 0o755)
		p := Program{Called: "gsd", Path: dir, Env: []string{"PATH=" + dir}}
		for shell, want := range map[string]string{"/bin/zsh": ShellWord(own), "/bin/sh": ""} { // there is no bash
			if got := p.InLogin(t.Context(), shell); got != want {
				t.Errorf("%s: %q, want %q", shell, got, want)
			}
		}
	})
	if got := (Program{Path: t.TempDir()}).InLogin(t.Context(), "/bin/zsh"); got != "" {
		t.Errorf("without a shell: %q", got)
	}
}

// put writes a file. A process that another test starts now would keep a program open, and nobody could run it.
func put(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
