package gitlog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// reachable lists the commits that Reachable gives, and its error.
func reachable(t *testing.T, dir string) (ids []string, failed error) {
	t.Helper()
	r, err := Open(dir, ".planning", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for c, err := range r.Reachable(context.Background()) {
		if err != nil {
			return ids, err
		}
		ids = append(ids, c.ID)
	}
	return ids, nil
}

// git is the oracle: the same commits, each once, in the order of their times.
func TestReachable(t *testing.T) {
	t.Parallel()
	needGit(t)
	dir := t.TempDir()
	var in strings.Builder
	mark := 0
	commit := func(branch string, when int, parents ...int) int {
		mark++
		fmt.Fprintf(&in, "commit refs/heads/%s\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 1\nx\n", branch, mark, when)
		for i, p := range parents {
			fmt.Fprintf(&in, "%s :%d\n", map[bool]string{true: "from", false: "merge"}[i == 0], p)
		}
		fmt.Fprintf(&in, "M 100644 inline .planning/f%d\ndata 1\ny\n", mark)
		return mark
	}
	root := commit("main", 10)
	left := commit("left", 40, commit("left", 20, root))
	right := commit("right", 30, root)
	third := commit("third", 35, commit("third", 5, root)) // a clock that was wrong
	merge := commit("main", 50, root, left)
	octopus := commit("main", 60, merge, right, third)
	commit("main", 70, octopus)
	git(t, dir, "", "init", "-q", "-b", "main")
	git(t, dir, in.String(), "fast-import", "--quiet")
	got, err := reachable(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(git(t, dir, "", "log", "--format=%H"))
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, packed := range []bool{false, true} {
		dir := newRepo(t, "", packed)
		got, err := reachable(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(git(t, dir, "", "rev-list", "HEAD"))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("packed %v: %d commits, git has %d", packed, len(got), len(want))
		}
	}
	shallow := t.TempDir()
	git(t, shallow, "", "clone", "-q", "--depth", "2", "file://"+dir, "clone")
	got, err = reachable(t, shallow+"/clone")
	if !errors.Is(err, ErrTruncated) || len(got) != len(strings.Fields(git(t, shallow+"/clone", "", "rev-list", "HEAD"))) {
		t.Errorf("of a shallow clone %d commits, and %v", len(got), err)
	}
}

func TestPlanned(t *testing.T) {
	t.Parallel()
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "", "init", "-q", "-b", "main")
	git(t, dir, "commit refs/heads/main\ncommitter A <a@example.com> 1 +0000\ndata 1\nx\nM 100644 inline main.c\ndata 1\ny\n"+
		"commit refs/heads/main\ncommitter A <a@example.com> 2 +0000\ndata 1\nx\nM 100644 inline .planning/f\ndata 1\ny\n", "fast-import", "--quiet")
	r, err := Open(dir, ".planning", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := true
	for c, err := range r.Log(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Planned(); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", c.ID, got, err, want)
		}
		want = false
	}
}
