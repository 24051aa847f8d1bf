package agent

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The worktrees that a host makes have only what is committed. That is said until the hooks are, or something else brings them there.
func TestUncommitted(t *testing.T) {
	at := gitWhere(t).at(Claude, Project)
	at.Home = filepath.Join(t.TempDir(), "home")
	git := func(args ...string) {
		t.Helper()
		if _, err := at.git(append([]string{"-c", "user.name=Ada", "-c", "user.email=a@x"}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	is := func(what string, want bool) {
		t.Helper()
		p := planned(t, Install, at)
		if strings.Contains(strings.Join(p.Notes, "\n"), "worktrees that claude makes") != want {
			t.Errorf("%s: %q", what, p.Notes)
		}
		for _, other := range []Where{at.at(Claude, Local), at.at(Codex, Project)} {
			if note := other.Uncommitted(); note != "" {
				t.Errorf("%s: of %s, scope %s: %s", what, other.Host, other.Scope, note)
			}
		}
	}
	is("without a commit, of which there can be no worktree", false)
	git("commit", "-q", "--allow-empty", "-m", "a")
	is("before it is installed", true)
	put(t, at.path("settings.json"), []byte("{}\n"))
	git("add", ".claude")
	git("commit", "-q", "-m", "b")
	install(t, at)
	is("settings without the hooks are committed", true)
	for _, scope := range []Scope{Local, User} {
		install(t, at.at(Claude, scope))
		is("also with scope "+string(scope), false)
		uninstall(t, at.at(Claude, scope))
	}
	put(t, filepath.Join(at.Project, ".gitignore"), []byte(".claude\n"))
	is("it is ignored", true)
	git("add", "-f", ".claude")
	is("it is only added", true)
	git("commit", "-q", "-m", "c")
	is("it is committed", false)
	if err := os.Rename(filepath.Join(at.Project, ".git"), filepath.Join(at.Project, "away")); err != nil {
		t.Fatal(err)
	}
	is("git does not answer", false)
	at.GitDir = ""
	is("there is no repository", false)
}

// TestIgnored: a note asks to have git ignore settings for one person, unless it does.
func TestIgnored(t *testing.T) {
	at := gitWhere(t).at(Claude, Local)
	for _, test := range []struct {
		ignore string
		notes  bool
	}{{"other\n", true}, {"**/.claude/settings.local.json\n", false}} {
		put(t, filepath.Join(at.Project, ".gitignore"), []byte(test.ignore))
		p := planned(t, Install, at)
		if strings.Contains(strings.Join(p.Notes, "\n"), "make sure that git ignores it") != test.notes {
			t.Errorf("%q: %q", test.ignore, p.Notes)
		}
	}
}

// TestShared: what is committed is everybody's, unless git ignores it, or it calls gsd by the path of one machine.
func TestShared(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *Where)
		want   bool
	}{
		"a project":       {func(*Where) {}, true},
		"for one person":  {func(w *Where) { w.Scope, w.Home = User, t.TempDir() }, false},
		"no repository":   {func(w *Where) { w.GitDir = "" }, false},
		"a path":          {func(w *Where) { w.Program = "/opt/gsd" }, false},
		"it is ignored":   {func(w *Where) { put(t, filepath.Join(w.Project, ".gitignore"), []byte(".claude\n")) }, false},
		"nothing changes": {func(w *Where) { install(t, *w) }, false},
	} {
		w := gitWhere(t).at(Claude, Project)
		c.change(&w)
		p := planned(t, Install, w)
		if p.Shared != c.want {
			t.Errorf("%s: %t", name, p.Shared)
		}
	}
	w := gitWhere(t).at(Claude, Project)
	none := planned(t, Remove, w)
	install(t, w)
	p := planned(t, Remove, w)
	if none.Shared || !p.Shared {
		t.Errorf("removed: %t before it was installed, %t after", none.Shared, p.Shared)
	}
}

// gitWhere is a project in a repository.
func gitWhere(t *testing.T) Where {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	dir := t.TempDir()
	w := Where{
		Scope: Project, Project: dir, GitDir: filepath.Join(dir, ".git"), Getenv: func(string) string { return "" },
		Env: append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(dir, "global"), "GIT_DIR="+os.DevNull),
	}
	if _, err := w.git("init", "-q", "--template="); err != nil {
		t.Fatal(err)
	}
	return w
}
