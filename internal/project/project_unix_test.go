//go:build unix

package project

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gsd-cli/gsd/internal/problem"
)

// Nothing that stands where git keeps its files can hold the search for the project up.
func TestOpenBesideFIFO(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "work", ".git"), "gitdir: ../private\n")
	write(t, filepath.Join(dir, "private", "HEAD"), "x")
	if err := syscall.Mkfifo(filepath.Join(dir, "private", "commondir"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Open(filepath.Join(dir, "work"))
	wantKind(t, err, problem.NoProject)
	if err := syscall.Mkfifo(filepath.Join(dir, ".git"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Open(filepath.Join(dir, "private"))
	wantKind(t, err, problem.NoProject)
	write(t, filepath.Join(dir, "other", ".git"), "gitdir: ../pipe\n") // where a directory should be
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Open(filepath.Join(dir, "other"))
	wantKind(t, err, problem.NoProject)
}
