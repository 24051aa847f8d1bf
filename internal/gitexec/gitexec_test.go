package gitexec

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRun: git gets the input, the directory and the environment, and runs no hook and no program of the configuration.
func TestRun(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	dir := t.TempDir()
	g := Git{Dir: dir, Env: append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(dir, "config"), "GIT_AUTHOR_NAME=Ada",
		"GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a")}
	for _, name := range []string{"post-index-change", "reference-transaction", "monitor"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n: > ran\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	config := "[core]\n\thooksPath = " + filepath.ToSlash(dir) + "\n\tfsmonitor = " + filepath.ToSlash(filepath.Join(dir, "monitor")) +
		"\n[gpg]\n\tprogram = " + filepath.ToSlash(filepath.Join(dir, "monitor")) +
		"\n[log]\n\tshowSignature = true\n[i18n]\n\tlogOutputEncoding = UTF-16\n"
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"init -q", "add .", "status"} {
		if _, err := g.Run(t.Context(), "", strings.Fields(args)...); err != nil {
			t.Fatalf("git %s: %v", args, err)
		}
	}
	tree := g.Ask(t.Context(), "write-tree")
	commit := "tree " + tree + "\nauthor Ada <a> 1 +0000\ncommitter Ada <a> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\ndocs: plan\n"
	id, err := g.Run(t.Context(), commit, "hash-object", "-t", "commit", "-w", "--stdin")
	if err != nil {
		t.Fatal(err)
	}
	if subject := g.Ask(t.Context(), "log", "-1", "--format=%s", strings.TrimSpace(id)); subject != "docs: plan" {
		t.Errorf("%q", subject)
	}
	if got := g.Ask(t.Context(), "no-such-command"); got != "" {
		t.Errorf("%q", got)
	}
	for _, args := range []string{"config extensions.partialClone origin", "config remote.origin.promisor true", "config protocol.ext.allow always"} {
		if _, err := g.Run(t.Context(), "", strings.Fields(args)...); err != nil {
			t.Fatalf("git %s: %v", args, err)
		}
	}
	if _, err := g.Run(t.Context(), "", "config", "remote.origin.url", "ext::sh -c touch% ran"); err != nil {
		t.Fatal(err)
	}
	if got := g.Ask(t.Context(), "cat-file", "blob", strings.Repeat("1", 40)); got != "" {
		t.Errorf("%q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil && runtime.GOOS != "windows" {
		t.Error("a hook or a program ran")
	}
}
