package sample

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gsd-cli/gsd/internal/gitexec"
)

func TestKeep(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	home, top := t.TempDir(), t.TempDir()
	ignores := "[core]\n\texcludesFile = " + filepath.ToSlash(filepath.Join(home, "ignored")) + "\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = false\n"
	for name, text := range map[string]string{".gitconfig": ignores, "ignored": ".planning\n"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "HOME="+home, "USERPROFILE="+home)
	dir := filepath.Join(top, "notes")
	if err := Keep(t.Context(), append(env, "GIT_DIR="+top, "GIT_AUTHOR_NAME=Grace"), dir); err != nil {
		t.Fatal(err)
	}
	git := gitexec.Git{Dir: dir, Env: env}
	for want, command := range map[string][]string{
		User + "|":             {"log", "--format=%an|"},
		"":                     {"status", "--porcelain"},
		User:                   {"config", "--local", "user.name"},
		".planning/ROADMAP.md": {"ls-files", "*ROADMAP.md"},
	} {
		if got := git.Ask(t.Context(), command...); got != want {
			t.Errorf("git %q: %q, want %q", command, got, want)
		}
	}
	if err := Keep(t.Context(), env, dir); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("into what is there: %v", err)
	}
	if err := Keep(t.Context(), env, filepath.Join(top, "none", "notes")); err == nil {
		t.Error("below a directory that does not exist")
	}
	if err := Keep(t.Context(), env, filepath.Join(dir, ".git", "HEAD")); err == nil {
		t.Error("in the place of a file")
	}
}

// TestKeepInterrupted: nothing is left of what was started.
func TestKeepInterrupted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "notes")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := Keep(ctx, os.Environ(), dir); err == nil {
		t.Error("it is not interrupted")
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a new directory is left")
	}
}

// TestKeepFails: what was made is gone if git fails, and a directory that was there stays.
func TestKeepFails(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	empty := filepath.Join(top, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(top, ".gitconfig"), []byte("[broken"), 0o666); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+top, "USERPROFILE="+top)
	for _, dir := range []string{empty, filepath.Join(top, "new")} {
		if err := Keep(t.Context(), env, dir); err == nil {
			t.Fatal("git does not fail")
		}
	}
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(top, "new")); err == nil {
		t.Error("a new directory is left")
	}
}
