package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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

// TestOpenStopsAtRepository: what is above a repository is another project's, unless one of the two says that it belongs to it.
func TestOpenStopsAtRepository(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	repository := func(name string) {
		for _, file := range []string{"HEAD", "objects/x", "refs/x"} {
			write(t, at(name+"/"+file), "")
		}
	}
	linked := func(tree, common, name string) {
		private := common + "/worktrees/" + name
		write(t, at(private+"/HEAD"), "")
		write(t, at(private+"/commondir"), "../..\n")
		write(t, at(private+"/gitdir"), at(tree+"/.git")+"\n")
		write(t, at(tree+"/.git"), "gitdir: "+at(private)+"\n")
	}

	write(t, at("home/.planning/ROADMAP.md"), "")
	repository("home/work/other/.git")
	write(t, at("home/work/other/src/x"), "")
	write(t, at("home/work/notes/x"), "")
	write(t, at("home/broken/.git"), "nonsense")
	write(t, at("home/odd/.git/config"), "")
	linked("home/work/wt", "home/work/other/.git", "wt")

	write(t, at("multi/.planning/config.json"), `{"planning": {"sub_repos": ["backend", "./libs/", "../outside", "", "."]}}`)
	for _, name := range []string{"backend", "libs/core", "frontend", "backend-old"} {
		repository("multi/" + name + "/.git")
	}
	linked("multi/backend-wt", "multi/backend/.git", "wt")
	write(t, at("legacy/.planning/config.json"), `{"sub_repos": ["api"]}`)
	repository("legacy/api/.git")
	write(t, at("odd/.planning/config.json"), `{"sub_repos": ["api"`)
	repository("odd/api/.git")

	repository("super/.git")
	write(t, at("super/apps/.planning/ROADMAP.md"), "")
	write(t, at("super/.gitmodules"), "[submodule \"lib\"]\n\tpath = apps/lib\n\turl = x\n[submodule \"s p\"]\n\tPath=\"apps/s p\"\n\tpath = apps/own\n")
	for module, tree := range map[string]string{"lib": "apps/lib", "s p": "apps/s p", "unlisted": "apps/unlisted"} {
		repository("super/.git/modules/" + module)
		write(t, at("super/"+tree+"/.git"), "gitdir: "+at("super/.git/modules/"+module)+"\n")
	}
	repository("super/apps/own/.git")
	linked("super-wt", "super/.git", "wt")
	write(t, at("super-wt/.gitmodules"), "[submodule \"lib\"]\n\tpath = lib\n")
	write(t, at("super-wt/.planning/ROADMAP.md"), "")
	repository("super/.git/worktrees/wt/modules/lib")
	write(t, at("super-wt/lib/.git"), "gitdir: "+at("super/.git/worktrees/wt/modules/lib")+"\n")

	repository("plans/.git")
	repository("plans/.planning/.git")
	write(t, at("plans/.planning/phases/x"), "")

	repository("inside/.git")
	write(t, at("inside/.planning/ROADMAP.md"), "")
	linked("inside/trees/wt", "inside/.git", "wt")

	repository("box/.bare")
	write(t, at("box/.planning/ROADMAP.md"), "")
	linked("box/main", "box/.bare", "main")
	write(t, at("box/main/src/x"), "")

	for _, test := range []struct{ from, want, work, passed string }{
		{"home/work/other/src", "", "", "home/.planning"},
		{"home/work/wt", "", "", "home/.planning"},
		{"home/work/notes", "home", "home", ""}, // in no repository
		{"home/broken", "", "", "home/.planning"},
		{"home/odd", "home", "home", ""},
		{"multi/backend", "multi", "multi", ""},
		{"multi/backend-wt", "multi", "multi/backend-wt", ""},
		{"multi/libs/core", "multi", "multi", ""},
		{"multi/frontend", "", "", "multi/.planning"},
		{"multi/backend-old", "", "", "multi/.planning"},
		{"legacy/api", "legacy", "legacy", ""},
		{"odd/api", "", "", "odd/.planning"},
		{"super/apps/lib", "super/apps", "super/apps", ""},
		{"super/apps/s p", "super/apps", "super/apps", ""},
		{"super/apps/unlisted", "", "", "super/apps/.planning"},
		{"super/apps/own", "", "", "super/apps/.planning"}, // listed, but its repository is no submodule's
		{"super-wt/lib", "super-wt", "super-wt", ""},
		{"plans/.planning/phases", "plans", "plans", ""},
		{"inside/trees/wt", "inside", "inside/trees/wt", ""},
		{"box/main/src", "box", "box/main/src", ""},
	} {
		p, err := Open(at(test.from))
		if err != nil {
			e, _ := errors.AsType[*problem.Error](err)
			if test.want != "" || e.Kind != problem.NoProject || !strings.Contains(e.Hint, at(test.passed)+" is outside") {
				t.Errorf("from %s: %v; hint %q", test.from, err, e.Hint)
			}
			continue
		}
		if test.want == "" || p.Dir != at(test.want) || p.Work != at(test.work) {
			t.Errorf("from %s: %s, at work in %s; want %s in %s", test.from, p.Dir, p.Work, test.want, test.work)
		}
		p.Close()
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
