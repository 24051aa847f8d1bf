package project

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/worktree"
)

func TestParseSubRepos(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]struct {
		names []string
		all   bool
		bad   bool
	}{
		`{}`: {},
		`{"planning": {"sub_repos": ["backend", "frontend"], "commit_docs": false}}`: {names: []string{"backend", "frontend"}},
		`{"sub_repos": ["api"]}`:                                      {names: []string{"api"}},
		`{"sub_repos": ["a", 1, "", null, "b"], "multiRepo": true}`:   {names: []string{"a", "b"}},
		`{"sub_repos": ["a"], "planning": {"sub_repos": ["a", "b"]}}`: {names: []string{"a", "b"}},
		`{"sub_repos": [], "multiRepo": true}`:                        {all: true},
		`{"multiRepo": "true"}`:                                       {},
		`{"planning": null, "sub_repos": null}`:                       {},
		`{"planning": []}`:                                            {bad: true},
		`{"sub_repos": "api"}`:                                        {bad: true},
		`{"planning"`:                                                 {bad: true},
		``:                                                            {bad: true},
	} {
		names, all, err := parseSubRepos([]byte(src))
		if !slices.Equal(names, want.names) || all != want.all || (err != nil) != want.bad {
			t.Errorf("%s: %q, %t, %v", src, names, all, err)
		}
	}
}

func TestParseModules(t *testing.T) {
	t.Parallel()
	for src, want := range map[string][]string{
		"": nil,
		"[submodule \"lib\"]\n\tpath = lib\n\turl = ../lib\n[submodule \"x\"]\n\tpath=deps/x y\r\n": {"lib", "deps/x y"},
		"[submodule \"q\"]\n\tPath = \"a \\\"b\\\\ #c\"\n":                                          {`a "b\ #c`},
		"path\npath =\n; path = no\n# path = no\npaths = no\n\"\n path = \"\n":                      {`"`},
	} {
		if got := parseModules(src); !slices.Equal(got, want) {
			t.Errorf("%q: %q", src, got)
		}
	}
}

// Whatever a .gitmodules and a config.json say, only what git or upstream could have written is found, and nothing fails.
func FuzzRepositories(f *testing.F) {
	f.Add("[submodule \"lib\"]\n\tpath = \"a \\\"b\"\n", `{"planning": {"sub_repos": ["backend"]}}`)
	f.Fuzz(func(t *testing.T, modules, config string) {
		for _, name := range parseModules(modules) {
			if name == "" || len(name) > len(modules) {
				t.Errorf("%q of %q", name, modules)
			}
		}
		names, all, err := parseSubRepos([]byte(config))
		if err != nil && (names != nil || all) || all && names != nil || slices.Contains(names, "") {
			t.Errorf("%q, %t, %v of %q", names, all, err, config)
		}
	})
}

// needGit skips a test where git is not installed.
func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

// git runs git in a directory without the user's configuration.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@x"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// namesBelow returns the names of the repositories below a project as it is now.
func namesBelow(t *testing.T, dir string) (names []string, p *Project) {
	t.Helper()
	p = reopened(t, dir)
	for _, at := range p.Below() {
		names = append(names, at.Name())
	}
	return names, p
}

// Only what is a repository in the project's directory counts, and none that is a project of its own or the same repository again.
func TestBelow(t *testing.T) {
	needGit(t)
	t.Parallel()
	p := opened(t, nil)
	top := filepath.Dir(p.Dir)
	config := func(text string) { t.Helper(); write(t, filepath.Join(p.Dir, ".planning", "config.json"), text) }
	for _, name := range []string{"api", "services/ui", "other", "undeclared", "node_modules", ".hidden", "../outside"} {
		git(t, p.Dir, "init", "-q", name)
	}
	write(t, filepath.Join(p.Dir, "other", ".planning", "ROADMAP.md"), "")
	write(t, filepath.Join(p.Dir, "plain", "x"), "")
	if err := os.Symlink("../outside", filepath.Join(p.Dir, "link")); err != nil {
		t.Log(err)
	}
	config(`{"sub_repos": ["api", "./services/ui/", "api", "other", "plain", "link", "../outside", "/etc", ".", "", "missing", ".planning"]}`)
	if got, _ := namesBelow(t, p.Dir); !slices.Equal(got, []string{"api", "services/ui"}) {
		t.Errorf("declared: %q", got)
	}
	config(`{"multiRepo": true}`)
	if got, _ := namesBelow(t, p.Dir); !slices.Equal(got, []string{"api", "undeclared"}) {
		t.Errorf("all: %q", got)
	}

	// One on top, of which one below is a linked working tree, with a submodule.
	config(`{"sub_repos": ["tree", "api"]}`)
	git(t, p.Dir, "init", "-q")
	git(t, p.Dir, "commit", "-q", "--allow-empty", "-m", "x")
	git(t, p.Dir, "worktree", "add", "-q", "tree")
	git(t, filepath.Join(top, "outside"), "commit", "-q", "--allow-empty", "-m", "x")
	git(t, p.Dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", filepath.Join(top, "outside"), "lib")
	if got, _ := namesBelow(t, p.Dir); !slices.Equal(got, []string{"api", "lib"}) {
		t.Errorf("with a repository on top: %q", got)
	}
	if got, p := namesBelow(t, filepath.Join(p.Dir, "other")); got != nil || p.HeadID() != "" {
		t.Errorf("a project of its own: %q", got)
	}

	// As many as there may be, and one more.
	var names string
	for i := range maxRepositories + 1 {
		git(t, p.Dir, "init", "-q", fmt.Sprintf("r%d", i))
		names += fmt.Sprintf(`,"r%d"`, i)
	}
	for more, want := range map[string]bool{names[1:]: true, names[len(`,"r0",`):]: false} {
		config(`{"planning": {"sub_repos": [` + more + `]}}`)
		write(t, filepath.Join(p.Dir, ".gitmodules"), "")
		got, p := namesBelow(t, p.Dir)
		if len(got) != maxRepositories || slices.Contains(codes(p), problem.TooManyRepositories) != want {
			t.Errorf("%d, %q", len(got), codes(p))
		}
	}
}

// The log has the commits of all, and is read again when one HEAD has moved. Where there is no repository on top, nothing is known of the
// commits at which something was marked.
func TestLogBelow(t *testing.T) {
	needGit(t)
	t.Parallel()
	p := opened(t, map[string]string{"config.json": `{"sub_repos": ["api", "ui"]}`})
	api := filepath.Join(p.Dir, "api")
	git(t, p.Dir, "init", "-q", "api")
	git(t, p.Dir, "init", "-q", "ui") // without a commit
	git(t, api, "commit", "-q", "--allow-empty", "-m", "one")
	p = reopened(t, p.Dir)
	subjects := func() (all []string) {
		log, err := p.Log(nil)
		if log == nil || err != nil {
			t.Fatal(err)
		}
		for c := range log.Commits() {
			all = append(all, c.Subject)
		}
		return all
	}
	before, _ := p.Log(nil)
	if got := subjects(); !slices.Equal(got, []string{"one"}) {
		t.Errorf("%q", got)
	}
	if p.HeadID() != "" || !p.HasCommit("4b825dc642cb6eb9a060e54bf8d69288fbee4904") || p.Knows("4b825dc642cb6eb9a060e54bf8d69288fbee4904") || p.Sides("1") != nil {
		t.Error("something is known of a repository on top")
	}
	p.Forget()
	if log, _ := p.Log(nil); log != before {
		t.Error("the log was read again, though nothing has moved")
	}
	git(t, api, "commit", "-q", "--allow-empty", "-m", "two")
	p.Forget()
	if got := subjects(); !slices.Equal(got, []string{"two", "one"}) {
		t.Errorf("after a commit: %q", got)
	}
	git(t, filepath.Join(p.Dir, "ui"), "commit", "-q", "--allow-empty", "-m", "three")
	p.Forget()
	if got := subjects(); len(got) != 3 {
		t.Errorf("after the first commit of another: %q", got)
	}
	if moved, known := p.HeadMoved(); known || moved.IsZero() { // on top, nothing can move
		t.Error(moved, known)
	}

	git(t, p.Dir, "init", "-q")
	git(t, p.Dir, "commit", "-q", "--allow-empty", "-m", "top")
	p = reopened(t, p.Dir)
	if got := subjects(); len(got) != 4 || p.HeadID() == "" || !p.HasCommit(p.HeadID()) {
		t.Errorf("with a repository on top: %q", got)
	}
	own, _ := p.Checkout().HeadMoved()
	future := own.Add(1e12)
	if err := os.Chtimes(filepath.Join(api, ".git", "logs", "HEAD"), future, future); err != nil {
		t.Fatal(err)
	}
	if moved, known := p.HeadMoved(); !known || !moved.Equal(future) {
		t.Error(moved, known)
	}

	// What cannot be read is said, and the others count.
	write(t, filepath.Join(api, ".git", "HEAD"), "nonsense\n")
	p = reopened(t, p.Dir)
	log, _ := p.Log(nil)
	var all []*evidence.Commit
	for c := range log.Commits() {
		all = append(all, c)
	}
	if len(all) != 2 || log.Err == nil {
		t.Errorf("%d commits, %v", len(all), log.Err)
	}
}

// What no commit has is looked for in the repository in which a file is, and returned in the order in which it was asked for.
func TestUncommittedBelow(t *testing.T) {
	needGit(t)
	t.Parallel()
	p := opened(t, map[string]string{"config.json": `{"sub_repos": ["api"]}`})
	git(t, p.Dir, "init", "-q")
	git(t, p.Dir, "add", ".")
	git(t, p.Dir, "commit", "-q", "-m", "docs: plan")
	git(t, p.Dir, "init", "-q", "api")
	write(t, filepath.Join(p.Dir, "a.go"), "a")
	write(t, filepath.Join(p.Dir, "api", "b.go"), "b")
	write(t, filepath.Join(p.Dir, "api", "src", "c.go"), "c")
	git(t, filepath.Join(p.Dir, "api"), "add", "src")
	git(t, filepath.Join(p.Dir, "api"), "commit", "-q", "-m", "c")
	write(t, filepath.Join(p.Dir, "api", "src", "c.go"), "changed")
	git(t, filepath.Join(p.Dir, "api"), "stash", "-q")
	write(t, filepath.Join(p.Dir, "api", "src", "c.go"), "changed")
	p = reopened(t, p.Dir)
	got := p.Uncommitted([]string{"api/src/c.go", "none.go", "a.go", "api/b.go", "api/../x", "api"})
	want := []worktree.File{{Path: "api/src/c.go", State: worktree.Changed}, {Path: "a.go", State: worktree.Untracked}, {Path: "api/b.go", State: worktree.Untracked}}
	if !slices.Equal(got.Files, want) || got.Stashes != 1 || got.Stashed.IsZero() {
		t.Errorf("%+v", got)
	}
}

// The changes of commits are those of their repositories, with paths from the project.
func TestChangesOf(t *testing.T) {
	needGit(t)
	t.Parallel()
	p := opened(t, map[string]string{"config.json": `{"sub_repos": ["api"]}`})
	git(t, p.Dir, "init", "-q")
	git(t, p.Dir, "init", "-q", "api")
	write(t, filepath.Join(p.Dir, "a.go"), "a")
	git(t, p.Dir, "add", "a.go", ".planning")
	git(t, p.Dir, "commit", "-q", "-m", "own")
	write(t, filepath.Join(p.Dir, "api", "b.go"), "b")
	git(t, filepath.Join(p.Dir, "api"), "add", ".")
	git(t, filepath.Join(p.Dir, "api"), "commit", "-q", "-m", "below")
	p = reopened(t, p.Dir)
	log, _ := p.Log(nil)
	ids := map[string]string{}
	for c := range log.Commits() {
		ids[c.Subject] = c.ID
	}
	got, err := p.ChangesOf([]string{ids["below"], ids["own"]})
	if want := []gitlog.Change{{Path: "api/b.go", Kind: gitlog.Added}, {Path: "a.go", Kind: gitlog.Added}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := p.ChangesOf([]string{"api@" + ids["own"], ids["own"]}); err == nil || len(got) != 1 {
		t.Errorf("of a commit that is in another one: %v, %v", got, err)
	}
}
