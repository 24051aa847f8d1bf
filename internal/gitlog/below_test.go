package gitlog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A repository below the project is one that lies there as a whole, or a working tree that a repository elsewhere names.
func TestFindBelow(t *testing.T) {
	needGit(t)
	dir := physical(t.TempDir())
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"app", "app/api", "app/packages/@x/ui", "outside", "app/links"} {
		git(t, dir, "", "init", "-q", name)
	}
	git(t, at("outside"), "", "commit", "-q", "--allow-empty", "-m", "x")
	git(t, at("outside"), "", "worktree", "add", "-q", "../app/tree")
	file := func(name, text string) {
		t.Helper()
		noError(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		noError(t, os.WriteFile(at(name), []byte(text), 0o666))
	}
	git(t, at("app"), "", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../outside", "lib")
	file("app/none/x", "")
	file("app/planted/.git", "gitdir: "+at("outside/.git")+"\n")
	file("app/claims/.git", "gitdir: ../fake\n") // a private directory that names it, of a repository that does not
	file("app/fake/HEAD", "ref: refs/heads/master\n")
	file("app/fake/commondir", at("outside/.git")+"\n")
	file("app/fake/gitdir", at("app/claims/.git")+"\n")
	file("app/common/.git/HEAD", "ref: refs/heads/master\n")
	file("app/common/.git/commondir", at("outside/.git")+"\n")
	want := map[string]bool{
		"api": true, "packages/@x/ui": true, "tree": true, "lib": true,
		"none": false, "missing": false, "planted": false, "claims": false, "common": false,
		".": false, "": false, "../outside": false, "../app/api": false, "api/../api": false, "api/": false, dir + "/app/api": false,
	}
	noError(t, os.RemoveAll(at("app/links/.git/refs")))
	noError(t, os.RemoveAll(at("app/links/.git/objects")))
	for from, to := range map[string]string{
		"app/link": "api", "app/out": "../outside", "app/links/.git/refs": at("outside/.git/refs"), "app/links/.git/objects": at("outside/.git/objects"),
	} {
		if err := os.Symlink(to, at(from)); err != nil {
			t.Log(err)
		}
		want[strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(from, "/.git/refs"), "/.git/objects"), "app/")] = false
	}
	for name, is := range want {
		p := FindBelow(at("app"), name, at("app/.git"))
		if (p.Err() == nil) != is || is && (p.Name() != name || p.Dir() != at("app/"+name)) || !is && !errors.Is(p.Err(), ErrNone) {
			t.Errorf("%q: %q, %v", name, p.Name(), p.Err())
		}
	}
	if p := FindBelow(at("app"), "lib", ""); p.Err() != nil { // its files are below the project, too
		t.Error(p.Err())
	}
}

// together returns what Together says of the commits of repositories, oldest first, and its error.
func together(t *testing.T, places []Place, plan string, failed error) (lines []string, err error) {
	t.Helper()
	var repos []*Repo
	for _, p := range places {
		r, err := p.Open(nil)
		noError(t, err)
		defer r.Close()
		repos = append(repos, r)
	}
	for c, end := range Together(context.Background(), (*Repo).Reachable, repos, failed) {
		if err = end; err != nil {
			break
		}
		repository, _ := CutID(c.ID)
		files, err := c.Files()
		noError(t, err)
		changes, err := c.Changes()
		noError(t, err)
		for _, change := range changes {
			files = append(files, change.Path)
		}
		changed, foreign, err := c.Outside()
		noError(t, err)
		version, err := c.Version(plan)
		noError(t, err)
		has, err := c.HasPlanning()
		noError(t, err)
		line := fmt.Sprintf("%s: %s %v", repository, c.Subject, files)
		for _, test := range []struct {
			word string
			is   bool
		}{{" outside", changed}, {" foreign", foreign}, {" planned", version != ""}, {" hidden", !has}} {
			if test.is {
				line += test.word
			}
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return lines, err
}

// commitAt commits files in a repository at a time.
func commitAt(t *testing.T, dir string, when int, message string, files ...string) {
	t.Helper()
	for _, name := range files {
		noError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(message), 0o666))
	}
	git(t, dir, "", "add", "-A")
	git(t, dir, "", "commit", "-q", "--allow-empty", "-m", message)
	object := git(t, dir, "", "cat-file", "commit", "HEAD")
	object = strings.Replace(object, "1700000100 -0330", fmt.Sprintf("%d +0000", when), 1)
	id := strings.TrimSpace(git(t, dir, object, "hash-object", "-t", "commit", "-w", "--stdin"))
	git(t, dir, "", "update-ref", "HEAD", id)
}

// The commits of several repositories come in the order of their times, name their repository, have their files where the project has them,
// and see the plans as they were at the time. That the project's repository points to another commit of a submodule is no change.
func TestTogether(t *testing.T) {
	needGit(t)
	dir := physical(t.TempDir())
	app, api := filepath.Join(dir, "app"), filepath.Join(dir, "app", "api")
	const plan = ".planning/phases/01-x/01-01-PLAN.md"
	git(t, dir, "", "init", "-q", "app")
	git(t, app, "", "init", "-q", "api")
	commitAt(t, api, 100, "before there was a project", "a.go")
	git(t, app, "", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./api", "api")
	commitAt(t, app, 200, "project", ".planning/ROADMAP.md")
	commitAt(t, api, 300, "before the plan", "b.go")
	commitAt(t, app, 400, "plan", plan)
	commitAt(t, api, 400, "work", "c.go", "src/d.go")
	commitAt(t, app, 500, "pointer")
	commitAt(t, api, 600, "more", "c.go")
	commitAt(t, app, 700, "pointer and file", "x.go")
	want := []string{
		"api: before there was a project [api/a.go] outside",
		": project [.gitmodules .planning/ROADMAP.md] outside",
		"api: before the plan [api/b.go] outside",
		": plan [" + plan + "] foreign planned",
		"api: work [api/c.go api/src/d.go] outside planned",
		": pointer [] foreign planned",
		"api: more [api/c.go] outside planned",
		": pointer and file [x.go] outside planned",
	}
	places := []Place{Find(app), FindBelow(app, "api", filepath.Join(app, ".git"))}
	got, err := together(t, places, plan, nil)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	// Without a repository on top nothing is known of plans, and what could not be opened is said at the end.
	got, err = together(t, places[1:], plan, errors.New("ui: no"))
	if want := []string{
		"api: before there was a project [api/a.go] outside hidden", "api: before the plan [api/b.go] outside hidden",
		"api: work [api/c.go api/src/d.go] outside hidden", "api: more [api/c.go] outside hidden",
	}; !slices.Equal(got, want) || err == nil || err.Error() != "ui: no" {
		t.Errorf("%q, %v", got, err)
	}
	// What is in two of them is visited once.
	git(t, app, "", "clone", "-q", "api", "copy")
	if got, _ := together(t, append(places, FindBelow(app, "copy", "")), plan, nil); len(got) != len(want) {
		t.Errorf("%q", got)
	}
}

// Where the planning directory is a submodule, its repository knows the plans, also for the commits of the one that it is in.
func TestTogetherPlanning(t *testing.T) {
	needGit(t)
	dir := physical(t.TempDir())
	app, plans := filepath.Join(dir, "app"), filepath.Join(dir, "app", ".planning")
	git(t, dir, "", "init", "-q", "app")
	git(t, app, "", "init", "-q", ".planning")
	commitAt(t, plans, 100, "roadmap", "ROADMAP.md")
	git(t, app, "", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./.planning", ".planning")
	commitAt(t, app, 200, "before the plan", "a.go")
	commitAt(t, plans, 300, "plan", "phases/01-x/01-01-PLAN.md", "sessions/me/current-plan.md")
	commitAt(t, app, 400, "work", "b.go")
	git(t, plans, "", "rm", "-q", "ROADMAP.md")
	commitAt(t, plans, 500, "no roadmap")
	commitAt(t, app, 600, "pointer")
	got, err := together(t, []Place{Find(app), FindBelow(app, ".planning", "")}, ".planning/phases/01-x/01-01-PLAN.md", nil)
	want := []string{
		".planning: roadmap [.planning/ROADMAP.md]",
		": before the plan [.gitmodules a.go] outside",
		".planning: plan [.planning/phases/01-x/01-01-PLAN.md] planned",
		": work [b.go] outside planned",
		".planning: no roadmap [.planning/ROADMAP.md] planned",
		": pointer [] foreign planned",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestCutID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string][2]string{"": {"", ""}, "abc": {"", "abc"}, "api@abc": {"api", "abc"}, "packages/@x/ui@abc": {"packages/@x/ui", "abc"}} {
		name, hash := CutID(id)
		if name != want[0] || hash != want[1] || IDBelow(name, hash) != id {
			t.Errorf("%q: %q, %q", id, name, hash)
		}
	}
}
