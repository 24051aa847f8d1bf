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
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// messages is a history of one commit for each message.
func messages(t *testing.T, all ...string) string {
	t.Helper()
	needGit(t)
	dir := t.TempDir()
	var in strings.Builder
	for i, m := range all {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n", 1_600_000_000+i, len(m), m)
	}
	git(t, dir, "", "init", "-q", "-b", "main")
	git(t, dir, in.String(), "fast-import", "--quiet")
	return dir
}

// bodies holds Body and Subject of each commit against git's, and tells how many commits have a body.
func bodies(t *testing.T, dir string) (some int) {
	t.Helper()
	r := openBelow(t, dir, "")
	said := map[string]string{}
	for chunk := range strings.SplitSeq(strings.TrimPrefix(git(t, dir, "", "log", "--format=%x01%H%x02%s%x02%b"), "\x01"), "\x01") {
		id, text, _ := strings.Cut(strings.TrimSuffix(chunk, "\n"), "\x02")
		said[id] = text
	}
	seen := 0
	for c, err := range r.Reachable(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		seen++
		subject, body, _ := strings.Cut(said[c.ID], "\x02")
		if body = strings.TrimSpace(body); c.Body() != body || c.Subject != subject {
			t.Errorf("%s: %q and %q, git says %q and %q", c.ID[:7], c.Subject, c.Body(), subject, body)
		}
		if body != "" {
			some++
		}
	}
	if seen != len(said) {
		t.Errorf("%d commits, git has %d", seen, len(said))
	}
	return some
}

func TestBody(t *testing.T) {
	t.Parallel()
	dir := messages(t,
		"subject", "subject\n", "", "\n\n", "subject\n\nbody", "subject\n\nbody\n\n\n", "subject\n \t\nbody", "\n\n  subject\n\n\n  body\n",
		"of two\nlines\n\nbody\n\nmore\n", "subject\r\n\r\nbody\r\nmore\r\n", "subject\n\nTask: 2\nPlan: 03-01\n", "subject\n\nü 日本\n",
		"subject\n\n* feat(03-01): a\n* feat(03-01): b\n", "subject\n\ncut\x00off\n", "subject\x00off\n\nbody\n", strings.Repeat("x", 5000)+"\n\n"+strings.Repeat("y\n", 5000))
	if n := bodies(t, dir); n != 11 {
		t.Errorf("%d commits with a body", n)
	}
	bodies(t, newRepo(t, "", true))
}

// changed is what each commit changed against its first parent, by git's raw differences: where only the modes are others
// it is in modes alone.
func changed(t *testing.T, dir string) (all, modes map[string][]string) {
	t.Helper()
	all, modes = map[string][]string{}, map[string][]string{}
	out := git(t, dir, "", "log", "--diff-merges=first-parent", "--no-renames", "--no-abbrev", "--raw", "-z", "--format=%x01%H")
	for chunk := range strings.SplitSeq(strings.TrimPrefix(out, "\x01"), "\x01") {
		id, raw, _ := strings.Cut(chunk, "\x00")
		all[id] = nil
		for fields := strings.Split(strings.TrimLeft(raw, "\x00\n"), "\x00"); len(fields) >= 2; fields = fields[2:] {
			modes[id] = append(modes[id], fields[1])
			if about := strings.Fields(fields[0]); about[2] != about[3] { // :mode mode hash hash letter
				all[id] = append(all[id], fields[1])
			}
		}
	}
	return all, modes
}

// isIn tells whether a path, or something below it, is among some.
func isIn(paths []string, path string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return p == path || strings.HasPrefix(p, path+"/") })
}

// openBelow opens the repository in dir for the project in a directory below it, which is made where it is not there.
func openBelow(t *testing.T, dir, project string) *Repo {
	t.Helper()
	dir = filepath.Join(dir, filepath.FromSlash(project))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir, ".planning", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// git is the oracle: merges against their first parent, roots, links, submodules, files where the name wants a directory.
func TestTouches(t *testing.T) {
	t.Parallel()
	names := []string{
		"main.c", "main.c/x", "src", "src/0", "src/1/deep/er/f", "src/1/deep/er/f/g", ".planning", ".planning/a", ".planning/a/x", ".planning/a/y",
		".planning/a/y/z", ".planning/a.b", ".planning/link", ".planning/link/x", ".planning/sub", ".planning/side.md", ".planning/evil", ".planning/sessions/x.md",
		".planning/STATE.md", ".planning/ü \"q\"\ttab\nline", ".planning/bytes\xff", ".planning-not", "none", "none/x", "Main.c",
	}
	for _, packed := range []bool{false, true} {
		for _, prefix := range []string{"", "packages/app/"} {
			t.Run(fmt.Sprintf("packed %v below %q", packed, prefix), func(t *testing.T) {
				t.Parallel()
				dir := newRepo(t, prefix, packed)
				r := openBelow(t, dir, prefix)
				yes, merges, others := map[string]int{}, 0, 0
				of, modes := changed(t, dir)
				parents := map[string]int{}
				for line := range strings.Lines(git(t, dir, "", "rev-list", "--parents", "HEAD")) {
					parents[strings.Fields(line)[0]] = len(strings.Fields(line)) - 1
				}
				for c, err := range r.Reachable(context.Background()) {
					if err != nil {
						t.Fatal(err)
					}
					if c.Merge() != (parents[c.ID] > 1) {
						t.Errorf("%s is a merge: %v, git has %d parents", c.ID, c.Merge(), parents[c.ID])
					}
					if c.Merge() {
						merges++
					}
					outside := map[string]bool{}
					for _, name := range modes[c.ID] {
						if !strings.HasPrefix(name, prefix+".planning/") {
							rel, err := filepath.Rel("/"+prefix, "/"+name)
							if err != nil {
								t.Fatal(err)
							}
							outside[filepath.ToSlash(rel)] = true
						}
					}
					changes, more, foreign, err := c.Outside()
					if err != nil || more || foreign {
						t.Errorf("%s %q: %v, %v, %v", c.ID[:7], c.Subject, more, foreign, err)
					}
					got := map[string]bool{}
					for _, change := range changes {
						got[change.Path] = true
					}
					if diff := cmp.Diff(outside, got); diff != "" {
						t.Errorf("%s %q changed other files (-git +got):\n%s", c.ID[:7], c.Subject, diff)
					}
					if len(outside) > 0 {
						others++
					}
					for _, name := range names {
						got, err := c.Touches(name)
						want := isIn(of[c.ID], prefix+name)
						if err != nil || got != want {
							t.Errorf("%s %q touches %q: %v, %v, git says %v", c.ID[:7], c.Subject, name, got, err, want)
						}
						if want {
							yes[name]++
						}
					}
				}
				if len(yes) < 17 || merges != 2 || others < 20 || others == len(of) {
					t.Errorf("a history with these changes and %d merges tests little: %v", merges, yes)
				}
			})
		}
	}
}

// At the edge of a shallow clone nobody can tell, and one commit later everybody.
func TestTouchesAtTheEdge(t *testing.T) {
	t.Parallel()
	origin, dir := newRepo(t, "", true), t.TempDir()
	git(t, dir, "", "clone", "-q", "--no-checkout", "--depth", "2", "file://"+filepath.ToSlash(origin), "clone")
	dir = filepath.Join(dir, "clone")
	edge := strings.Fields(git(t, dir, "", "log", "--first-parent", "--format=%H"))
	r := openBelow(t, dir, "")
	seen := 0
	of, _ := changed(t, dir)
	for c, err := range r.Log(context.Background()) {
		if err != nil {
			break
		}
		got, err := c.Touches(".planning/STATE.md")
		switch last := c.ID == edge[len(edge)-1]; {
		case last && !errors.Is(err, ErrTruncated):
			t.Errorf("%s: %v, %v at the edge", c.ID, got, err)
		case !last && (err != nil || got != isIn(of[c.ID], ".planning/STATE.md")):
			t.Errorf("%s: %v, %v", c.ID, got, err)
		}
		if _, _, _, outside := c.Outside(); errors.Is(outside, ErrTruncated) != errors.Is(err, ErrTruncated) {
			t.Errorf("%s: %v at the edge", c.ID, outside)
		}
		seen++
	}
	if seen != len(edge) || seen != 2 {
		t.Errorf("%d commits, git has %d", seen, len(edge))
	}
}

// In a repository of several projects a commit is another's where it changed what is that one's, and nothing of ours.
func TestForeign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		project, files string
		foreign        bool
		left           string // of the files
	}{
		{"apps/a", "apps/a/x", false, "x"},
		{"apps/a", "apps/b/x", true, ""},
		{"apps/a", "apps/b/deep/er/x", true, ""},
		{"apps/a", "apps/b/.planning/STATE.md", true, ""},
		{"apps/a", "apps/a/x apps/b/x", false, "x"},
		{"apps/a", "lib/x", false, "../../lib/x"},
		{"apps/a", "apps/x", false, "../x"},
		{"apps/a", "apps/b/x package-lock.json", true, "../../package-lock.json"},
		{"apps/b", "apps/a/x", true, ""},
		{"top/in", "top/x", true, ""},
		{"top/in", "x", false, "../../x"},
		{"top", "top/in/x", true, ""},
		{"top", "top/in/x top/x", false, "x"},
		{"top", "apps/a/x", true, ""},
		{"apps/a", "", false, ""},
	} {
		needGit(t)
		dir := t.TempDir()
		var in strings.Builder
		in.WriteString("blob\nmark :1\ndata 1\nx\ncommit refs/heads/main\ncommitter A <a@example.com> 1600000000 +0000\ndata 1\nx\n")
		for _, of := range []string{"apps/a", "apps/b", "top", "top/in"} {
			fmt.Fprintf(&in, "M 644 :1 %s/.planning/ROADMAP.md\n", of)
		}
		in.WriteString("commit refs/heads/main\ncommitter A <a@example.com> 1600000001 +0000\ndata 1\ny\n")
		for _, f := range strings.Fields(c.files) {
			fmt.Fprintf(&in, "M 644 :1 %s\n", f)
		}
		git(t, dir, "", "init", "-q", "-b", "main")
		git(t, dir, in.String(), "fast-import", "--quiet")
		r := openBelow(t, dir, c.project)
		for commit, err := range r.Log(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			changes, _, foreign, err := commit.Outside()
			var left []string
			for _, change := range changes {
				left = append(left, change.Path)
			}
			if got := strings.Join(left, " "); err != nil || foreign != c.foreign || got != c.left {
				t.Errorf("%s for %s: %v, %q, %v", c.files, c.project, foreign, got, err)
			}
			break
		}
	}
}

// A library that was added whole is not listed whole.
func TestOutsideMore(t *testing.T) {
	t.Parallel()
	needGit(t)
	for files, more := range map[int]bool{maxOutside: false, maxOutside + 1: true} {
		dir := t.TempDir()
		var in strings.Builder
		in.WriteString("blob\nmark :1\ndata 1\nx\ncommit refs/heads/main\ncommitter A <a@example.com> 1600000000 +0000\ndata 1\nx\nM 644 :1 .planning/STATE.md\n")
		for i := range files {
			fmt.Fprintf(&in, "M 644 :1 vendor/%d/x.c\n", i)
		}
		git(t, dir, "", "init", "-q", "-b", "main")
		git(t, dir, in.String(), "fast-import", "--quiet")
		r := openBelow(t, dir, "")
		for c, err := range r.Log(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if got, is, _, err := c.Outside(); err != nil || is != more || len(got) != maxOutside {
				t.Errorf("%d files: %d changes, more %v, %v", files, len(got), is, err)
			}
		}
	}
}

// What a plan calls a file is anything.
func TestTouchesNoPath(t *testing.T) {
	t.Parallel()
	dir := newRepo(t, "", false)
	r := openBelow(t, dir, "")
	for c, err := range r.Log(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{".", "..", "/", "../repo", "/etc/passwd", "src/", "src//0", "./src", "\x00", strings.Repeat("x/", 1000)} {
			if got, err := c.Touches(name); got || err != nil {
				t.Errorf("%q: %v, %v", name, got, err)
			}
		}
	}
}

// Of a text that somebody pasted into a message the beginning is enough.
func TestLongBody(t *testing.T) {
	t.Parallel()
	r, err := Open(messages(t, "subject\n\nTask: 2\n"+strings.Repeat("é", 1<<20)), ".planning", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for c, err := range r.Log(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if body := c.Body(); c.Subject != "subject" || !strings.HasPrefix(body, "Task: 2\né") || len(body) > 20<<10 || !utf8.ValidString(body) {
			t.Errorf("%q, %d bytes", c.Subject, len(body))
		}
	}
}
