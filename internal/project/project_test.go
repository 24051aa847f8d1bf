package project

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gsd-cli/gsd/internal/problem"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func wantKind(t *testing.T, err error, kind problem.Kind) {
	t.Helper()
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Kind != kind {
		t.Errorf("%v, want an error of kind %d", err, kind)
	}
}

func TestOpen(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

	write(t, at("outer/.planning/ROADMAP.md"), "")
	write(t, at("outer/inner/.planning/ROADMAP.md"), "")
	write(t, at("outer/inner/src/x"), "")
	write(t, at("outer/other/src/x"), "")
	write(t, at("outer/file/.planning"), "a file of that name is no project")

	// A main worktree with a project at its top and one in packages/app, and two linked worktrees: git
	// worktree add writes these files, one with an absolute way and newer versions with a relative one.
	write(t, at("repo/.planning/ROADMAP.md"), "")
	write(t, at("repo/packages/app/.planning/ROADMAP.md"), "")
	for _, name := range []string{"repo/.git/HEAD", "repo/.git/objects/x", "repo/.git/refs/x", "repo/.git/worktrees/linked/HEAD", "repo/.git/worktrees/near/HEAD"} {
		write(t, at(name), "")
	}
	write(t, at("repo/.git/worktrees/linked/commondir"), "../..\n")
	write(t, at("repo/.git/worktrees/linked/gitdir"), at("linked/.git")+"\n")
	write(t, at("linked/.git"), "gitdir: "+at("repo/.git/worktrees/linked")+"\n")
	write(t, at("linked/packages/app/src/x"), "")
	write(t, at("linked/docs/x"), "")
	write(t, at("repo/.git/worktrees/near/commondir"), "../..\n")
	write(t, at("repo/.git/worktrees/near/gitdir"), "../../../../near/.git\n")
	write(t, at("near/.git"), "gitdir: ../repo/.git/worktrees/near\n")
	write(t, at("own/.git"), "gitdir: "+at("repo/.git/worktrees/linked")+"\n")
	write(t, at("stranger/.git"), "gitdir: "+at("repo/.git/worktrees/linked")+"\n")
	write(t, at("own/.planning/ROADMAP.md"), "")
	// A submodule's .git is a file too, but there is no main worktree behind it.
	write(t, at("repo/.git/modules/sub/HEAD"), "")
	write(t, at("elsewhere/sub/.git"), "gitdir: "+at("repo/.git/modules/sub")+"\n")
	write(t, at("broken/.git"), "nonsense")
	write(t, at("plain/.git/HEAD"), "")

	for _, test := range []struct{ from, want string }{
		{"outer", "outer"},
		{"outer/inner/src", "outer/inner"},
		{"outer/other/src", "outer"},
		{"outer/file", "outer"},
		{"outer/.planning", "outer"},
		{"linked/docs", "repo"},
		{"linked/packages/app/src", "repo/packages/app"},
		{"near", "repo"},
		{"own", "own"},
		{"stranger", ""}, // claims to be a worktree that the repository knows elsewhere
		{"elsewhere/sub", ""},
		{"broken", ""},
		{"plain", ""},
	} {
		p, err := Open(at(test.from))
		if test.want == "" {
			var e *problem.Error
			if !errors.As(err, &e) || e.Kind != problem.NoProject || e.Hint == "" {
				t.Errorf("from %s: %v, want no project", test.from, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("from %s: %v", test.from, err)
			continue
		}
		if p.Dir != at(test.want) {
			t.Errorf("from %s: %s, want %s", test.from, p.Dir, at(test.want))
		}
		p.Close()
	}
	if _, err := Open(at("nowhere")); err == nil {
		t.Error("a directory that is not there is a project")
	}
}

func TestInPlanning(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".planning", "phases", "01-a", "01-01-PLAN.md"), "x")
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, test := range []struct {
		name, want string
		ok         bool
	}{
		{".planning/phases/01-a/01-01-PLAN.md", ".planning/phases/01-a/01-01-PLAN.md", true},
		{"./.planning//phases/../x/PLAN.md", ".planning/x/PLAN.md", true},
		{filepath.Join(dir, ".planning", "gone", "PLAN.md"), ".planning/gone/PLAN.md", true},
		{"../.planning/PLAN.md", "", false},
		{".planning/../../x", "", false},
		{".planning", ".planning", true}, // a directory, as the next step finds out
		{".planningx/PLAN.md", "", false},
		{filepath.Join(dir, "PLAN.md"), "", false},
		{"/etc/passwd", "", false},
	} {
		got, ok := p.InPlanning(test.name)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("%s: %q, %v", test.name, got, ok)
		}
	}
}
