//go:build unix

package project

import (
	"os"
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

// TestOpenLink: a link .planning is followed where it stays in its directory, and where git does not track it.
func TestOpenLink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	write(t, at("plans/.planning/ROADMAP.md"), "")
	write(t, at("plans/other/ROADMAP.md"), "")
	write(t, at("broken/.git"), "gitdir: nowhere\n")
	for _, test := range []struct {
		in, to, want, seen string
		kind               problem.Kind
	}{
		{"absolute", at("plans/.planning"), "plans", "absolute", 0},
		{"relative", "../plans/.planning", "plans", "relative", 0},
		{"twice", "../relative/.planning", "plans", "twice", 0},
		{"inside", "docs", "inside", "inside", 0},
		{"other", "../plans/other", "", "", problem.Refused},
		{"file", "../plans/other/ROADMAP.md", "", "", problem.NoProject},
		{"nowhere", "../nothing", "", "", problem.NoProject},
		{"circle", ".planning", "", "", problem.NoProject},
		{"broken", "../plans/.planning", "", "", problem.Refused}, // nobody can say what git tracks
	} {
		write(t, at(test.in+"/docs/x"), "")
		write(t, at(test.in+"/src/x"), "")
		if err := os.Symlink(test.to, at(test.in+"/.planning")); err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{test.in, test.in + "/src"} {
			p, err := Open(at(from))
			if test.kind != 0 {
				wantKind(t, err, test.kind)
				continue
			}
			if err != nil {
				t.Errorf("from %s: %v", from, err)
				continue
			}
			if p.Dir != at(test.want) || p.Seen() != at(test.seen) || p.Work != at(test.in) {
				t.Errorf("from %s: %s, seen in %s, at work in %s", from, p.Dir, p.Seen(), p.Work)
			}
			if away := p.Away(); (away == "") != (from == test.in) {
				t.Errorf("from %s: away from %q", from, away)
			}
			if _, err := p.Stat(".planning"); err != nil {
				t.Error(err)
			}
			p.Close()
		}
	}
}
