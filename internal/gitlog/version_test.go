package gitlog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// git is the oracle: a commit has a file where `git ls-tree -r` lists it, with its content's name.
func TestVersion(t *testing.T) {
	t.Parallel()
	needGit(t)
	names := []string{
		".planning/", ".planning/ROADMAP.md", ".planning/STATE.md", ".planning/a", ".planning/a/x", ".planning/a/y", ".planning/a/y/z", ".planning/a/y/none",
		".planning/a.b", ".planning/a0", ".planning/A", ".planning/link", ".planning/sub", ".planning/sub/x", ".planning/link/x", ".planning/sessions/x.md",
		".planning/phases/sessions/x.md", ".planning/phases", ".planning/ü \"q\"\ttab\nline", ".planning/bytes\xff", ".planning/phases/00-x/00-00-SUMMARY.md",
		".planning/phases/02-x/02-09-SUMMARY.md", ".planning/none", ".planning/none/x", ".planning/../main.c", "main.c", "",
	}
	for _, packed := range []bool{false, true} {
		for _, prefix := range []string{"", "packages/app/"} {
			t.Run(fmt.Sprintf("packed %v below %q", packed, prefix), func(t *testing.T) {
				t.Parallel()
				dir := newRepo(t, prefix, packed)
				r := openBelow(t, dir, prefix)
				seen := map[string]int{}
				for c, err := range r.Log(context.Background()) {
					if err != nil {
						t.Fatal(err)
					}
					files := map[string]string{}
					for line := range strings.SplitSeq(strings.TrimSuffix(git(t, dir, "", "ls-tree", "-r", "-z", "--full-tree", c.ID), "\x00"), "\x00") {
						about, name, _ := strings.Cut(line, "\t")
						files[name] = about[strings.LastIndexByte(about, ' ')+1:]
					}
					for _, name := range names {
						got, err := c.Version(name)
						want := ""
						if strings.HasPrefix(name, ".planning/") {
							want = files[prefix+name]
						}
						if err != nil || got != want {
							t.Errorf("%s %q has %q: %v, %v, git says %v", c.ID[:7], c.Subject, name, got, err, want)
						}
						if want != "" {
							seen[name]++
						}
					}
				}
				if len(seen) < 13 || seen[".planning/ROADMAP.md"] < 20 {
					t.Errorf("a history with these files tests little: %v", seen)
				}
			})
		}
	}
}

// Where a tree is missing there is no telling, and that is no `no`.
func TestVersionWithoutTheTree(t *testing.T) {
	dir := newRepo(t, "", false)
	id := strings.TrimSpace(git(t, dir, "", "rev-parse", "HEAD:.planning/phases"))
	if err := os.Remove(filepath.Join(dir, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	r := openBelow(t, dir, "")
	for c, err := range r.Log(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if version, err := c.Version(".planning/ROADMAP.md"); version == "" || err != nil {
			t.Errorf("beside the missing tree: %q, %v", version, err)
		}
		if version, err := c.Version(".planning/phases/00-x/00-00-SUMMARY.md"); version != "" || !errors.Is(err, ErrTruncated) {
			t.Errorf("in the missing tree: %q, %v", version, err)
		}
		break
	}
}
