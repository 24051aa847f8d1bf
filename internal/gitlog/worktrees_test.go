package gitlog

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestWorktrees: the working trees that git lists, from each of them, and none that only one side claims.
func TestWorktrees(t *testing.T) {
	needGit(t)
	dir := physical(t.TempDir())
	at := func(name string) string { return filepath.Join(dir, name) }
	git(t, dir, "", "init", "-q", "main")
	git(t, at("main"), "", "commit", "-q", "--allow-empty", "-m", "x")
	for _, name := range []string{"b", "a", "gone", "inside"} {
		git(t, at("main"), "", "worktree", "add", "-q", "--detach", map[bool]string{true: "wt/inside", false: "../" + name}[name == "inside"])
	}
	git(t, dir, "", "clone", "-q", "--bare", "main", "shared.git")
	git(t, at("shared.git"), "", "worktree", "add", "-q", "--detach", "../alone")
	file := func(name, text string) {
		t.Helper()
		noError(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		noError(t, os.WriteFile(at(name), []byte(text), 0o666))
	}
	file("a/sub/x", "")
	file("stranger/.git", "gitdir: "+at("main/.git/worktrees/a")+"\n") // git knows that one elsewhere
	file("victim/.git", "gitdir: "+at("shared.git")+"\n")
	file("main/.git/worktrees/claim/gitdir", at("victim/.git")+"\n") // which says otherwise
	file("main/.git/worktrees/self/gitdir", at("main/.git")+"\n")
	file("main/.git/worktrees/file/gitdir", at("a/sub/x")+"\n")
	file("main/.git/worktrees/empty/gitdir", "")
	if err := os.Symlink("a", at("main/.git/worktrees/z")); err != nil {
		t.Log(err)
	}
	noError(t, os.RemoveAll(at("gone")))
	for _, c := range []struct {
		from, top string
		want      []string
		below     string // of the main working tree
	}{
		{"main", "main", []string{"a", "b", "main/wt/inside"}, ""},
		{"a/sub", "a", []string{"main", "b", "main/wt/inside"}, "sub"},
		{"main/wt/inside", "main/wt/inside", []string{"main", "a", "b"}, "."},
		{"alone", "alone", nil, ""},
		{"stranger", "", nil, ""},
		{"wt", "", nil, ""},
	} {
		top, others, unread := Find(at(c.from)).Worktrees(100)
		var want []string
		for _, name := range c.want {
			want = append(want, at(name))
		}
		if c.top != "" {
			c.top = at(c.top)
		}
		if top != c.top || !slices.Equal(others, want) || unread != 0 {
			t.Errorf("%s: %s, %q, %d; want %q", c.from, top, others, unread, want)
		}
		main, below := Find(at(c.from)).MainWorktree()
		if below != c.below || (main != "") != (below != "") || main != "" && main != at("main") {
			t.Errorf("%s: main %q, %q", c.from, main, below)
		}
	}
	if _, others, unread := Find(at("main")).Worktrees(3); len(others) != 2 || unread != 6 { // a and b
		t.Errorf("%q, %d unread", others, unread)
	}
}

// TestSharedHasNoLinks: every way that leads to a repository leads to one path.
func TestSharedHasNoLinks(t *testing.T) {
	needGit(t)
	dir := physical(t.TempDir())
	at := func(name string) string { return filepath.Join(dir, name) }
	git(t, dir, "", "init", "-q", "real")
	if err := os.Symlink("real", at("link")); err != nil {
		t.Skip(err)
	}
	for _, tree := range []string{"linked", "named"} {
		noError(t, os.Mkdir(at(tree), 0o777))
	}
	noError(t, os.Symlink(at("link/.git"), at("linked/.git")))
	noError(t, os.WriteFile(at("named/.git"), []byte("gitdir: "+at("link/.git")+"\n"), 0o666))
	for _, tree := range []string{"real", "linked", "named"} {
		if common, _, _ := Find(at(tree)).Shared(); common != at("real/.git") {
			t.Errorf("%s: %q", tree, common)
		}
	}
}
