package gitlog

// commit_test.go: the methods of a commit.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Reachable returns the same commits as git, each once, in the order of their times.
func TestReachable(t *testing.T) {
	t.Parallel()
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
	dir := written(t, in.String())
	var got []string
	for _, c := range all(t, mustOpen(t, dir).Reachable(t.Context())) {
		got = append(got, c.ID)
	}
	if want := strings.Fields(git(t, dir, "", "log", "--format=%H")); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A commit that moves the whole planning directory changes only what differs, and older ones are seen from where it was.
func TestMovedProject(t *testing.T) {
	t.Parallel()
	dir := written(t, strings.Join([]string{
		"commit refs/heads/main\nmark :1\ncommitter A <a@x> 1 +0000\ndata 1\na",
		"M 100644 inline app/.planning/ROADMAP.md\ndata 1\nr", "M 100644 inline app/.planning/phases/01-a/01-01-PLAN.md\ndata 1\np", "M 100644 inline app/x.go\ndata 1\nx",
		"commit refs/heads/main\nmark :2\ncommitter A <a@x> 2 +0000\ndata 1\nb\nfrom :1",
		"M 100644 inline app/.planning/phases/01-a/01-01-SUMMARY.md\ndata 1\ns", "M 100644 inline app/y.go\ndata 1\nx",
		"commit refs/heads/main\nmark :3\ncommitter A <a@x> 3 +0000\ndata 1\nc\nfrom :2",
		"R app/.planning web/.planning", "R app/x.go web/x.go", "M 100644 inline web/.planning/ROADMAP.md\ndata 1\nR",
		"commit refs/heads/main\nmark :4\ncommitter A <a@x> 4 +0000\ndata 1\nd\nfrom :3",
		"R web/.planning .planning", "M 100644 inline .planning/phases/01-a/01-02-PLAN.md\ndata 1\nq", "",
	}, "\n"))
	var got []string
	for _, c := range all(t, mustOpen(t, dir).Reachable(t.Context())) {
		changes, err := c.Changes()
		noError(t, err)
		files, err := c.Files()
		noError(t, err)
		version, err := c.Version(".planning/phases/01-a/01-01-PLAN.md")
		noError(t, err)
		got = append(got, fmt.Sprint(c.Subject, changes, files, version != ""))
	}
	want := []string{
		"d[{.planning/phases/01-a/01-02-PLAN.md 1}] [web/.planning/ROADMAP.md web/.planning/phases/01-a/01-01-PLAN.md web/.planning/phases/01-a/01-01-SUMMARY.md] true",
		"c[{.planning/ROADMAP.md 2}] [app/.planning/ROADMAP.md app/.planning/phases/01-a/01-01-PLAN.md app/.planning/phases/01-a/01-01-SUMMARY.md app/x.go x.go] true",
		"b[{.planning/phases/01-a/01-01-SUMMARY.md 1}] [y.go] true",
		"a[{.planning/ROADMAP.md 1} {.planning/phases/01-a/01-01-PLAN.md 1}] [x.go] true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Body and Subject are the same as git's.
func TestBody(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	long := "subject\n\nTask:  2\n" + strings.Repeat("é", 1<<20)
	messages := []string{
		"subject", "subject\n", "", "\n\n", "subject\n\nbody", "subject\n\nbody\n\n\n", "subject\n \t\nbody", "\n\n  subject\n\n\n  body\n",
		"of two\nlines\n\nbody\n\nmore\n", "subject\r\n\r\nbody\r\nmore\r\n", "subject\n\nTask: 2\nPlan: 03-01\n", "subject\n\nü 日本\n",
		"subject\n\n* feat(03-01): a\n* feat(03-01): b\n", "subject\n\ncut\x00off\n", "subject\x00off\n\nbody\n", strings.Repeat("x", 5000) + "\n\n" + strings.Repeat("y\n", 5000),
		long,
	}
	for i, m := range messages {
		commitTo(&in, "main", m, i)
	}
	dir := written(t, in.String())
	commits := all(t, mustOpen(t, dir).Log(t.Context()))
	for i, chunk := range strings.Split(git(t, dir, "", "log", "--format=%x01%s%x02%b"), "\x01")[1:] {
		subject, body, _ := strings.Cut(strings.TrimSuffix(chunk, "\n"), "\x02")
		if i == 0 { // of a text that somebody pasted into a message the beginning is enough
			body = strings.ToValidUTF8(long[len("subject\n\n"):maxMessage], "\uFFFD")
		}
		if got := commits[i].Body(); got != strings.TrimSpace(body) || commits[i].Subject != subject {
			t.Errorf("%q and %q, git has %q and %q", commits[i].Subject, got, subject, body)
		}
	}
	if len(commits) != len(messages) {
		t.Errorf("%d commits", len(commits))
	}
}

// Years of more than four digits and zones of a day or more are not used.
func TestWhen(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"": "1970-01-01T00:00:00Z", "C <c@x>": "1970-01-01T00:00:00Z", "C <c@x> -1 +0100": "1970-01-01T00:00:00Z", "C <c@x> 0 +0100": "1970-01-01T01:00:00+01:00",
		"C <c@x> 1 +2359": "1970-01-01T23:59:01+23:59", "C <c@x> 1 +2400": "1970-01-01T00:00:01Z", "C <c@x> 1 -2360": "1970-01-01T00:00:01Z",
		"C <c@x> 1 x": "1970-01-01T00:00:01Z", "C <c@x> 253402214399 +2359": "9999-12-31T23:58:59+23:59", "C <c@x> 253402214400 -0130": "1970-01-01T00:00:00Z",
	} {
		if got := parseWhen([]byte(line)).Format(time.RFC3339); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

// changed returns what each commit changed relative to its first parent, by git's raw diff; a path of which only the
// mode changed is in modes.
func changed(t *testing.T, dir string) (contents, modes map[string][]string) {
	t.Helper()
	contents, modes = map[string][]string{}, map[string][]string{}
	out := git(t, dir, "", "log", "--diff-merges=first-parent", "--no-renames", "--no-abbrev", "--raw", "-z", "--format=%x01%H")
	for chunk := range strings.SplitSeq(strings.TrimPrefix(out, "\x01"), "\x01") {
		id, raw, _ := strings.Cut(chunk, "\x00")
		contents[id] = nil
		for fields := strings.Split(strings.TrimLeft(raw, "\x00\n"), "\x00"); len(fields) >= 2; fields = fields[2:] {
			modes[id] = append(modes[id], fields[1])
			if about := strings.Fields(fields[0]); about[2] != about[3] { // :mode mode hash hash letter
				contents[id] = append(contents[id], fields[1])
			}
		}
	}
	return contents, modes
}

// git is the oracle for the methods that take a path: with merges, roots, symbolic links, submodules, and files where
// the path needs a directory. A plan may name any string as a file.
func TestPaths(t *testing.T) {
	t.Parallel()
	names := []string{
		"main.c", "main.c/x", "src", "src/0", "src/1/deep/er/f", "src/1/deep/er/f/g", ".planning", ".planning/", ".planning/ROADMAP.md", ".planning/STATE.md",
		".planning/a", ".planning/a/x", ".planning/a/y", ".planning/a/y/z", ".planning/a/y/none", ".planning/a.b", ".planning/a0", ".planning/A", ".planning/link",
		".planning/link/x", ".planning/sub", ".planning/sub/x", ".planning/side.md", ".planning/evil", ".planning/sessions/x.md", ".planning/phases",
		".planning/phases/sessions/x.md", ".planning/phases/00-x/00-00-SUMMARY.md", ".planning/phases/02-x/02-09-SUMMARY.md", ".planning/ü \"q\"\ttab\nline",
		".planning/bytes\xff", ".planning/none", ".planning/none/x", ".planning/../main.c", ".planning-not", "none", "none/x", "Main.c", "",
		"..", "/", "../repo", "/etc/passwd", "src/", "src//0", "\x00", strings.Repeat("x/", 1000),
	}
	for _, packed := range []bool{false, true} {
		for _, prefix := range []string{"", "packages/app/"} {
			if testing.Short() && packed == (prefix == "") {
				continue
			}
			t.Run(fmt.Sprintf("packed %v below %q", packed, prefix), func(t *testing.T) {
				t.Parallel()
				dir := newRepo(t, prefix, packed)
				contents, modes := changed(t, dir)
				seen, outside := map[string]int{}, 0
				for _, c := range all(t, mustOpen(t, filepath.Join(dir, prefix)).Reachable(t.Context())) {
					files, planned := map[string]string{}, false
					for line := range strings.SplitSeq(strings.TrimSuffix(git(t, dir, "", "ls-tree", "-r", "-z", "--full-tree", c.ID), "\x00"), "\x00") {
						about, name, _ := strings.Cut(line, "\t")
						if below, ok := strings.CutPrefix(name, prefix+planning+"/"); ok {
							files[planning+"/"+below], planned = about[strings.LastIndexByte(about, ' ')+1:], true
						}
					}
					if got, err := c.HasPlanning(); got != planned || err != nil {
						t.Errorf("%s %q: planned %v, %v", c.ID[:7], c.Subject, got, err)
					}
					changed := slices.ContainsFunc(modes[c.ID], func(name string) bool { return !strings.HasPrefix(name, prefix+planning+"/") })
					if got, foreign, err := c.Outside(); got != changed || foreign || err != nil {
						t.Errorf("%s %q outside: %v, %v, %v", c.ID[:7], c.Subject, got, foreign, err)
					}
					beside, err := c.Files()
					var want []string
					for _, name := range modes[c.ID] {
						if !strings.HasPrefix(name, prefix+planning+"/") {
							want = append(want, strings.TrimPrefix(name, prefix))
						}
					}
					slices.Sort(beside)
					slices.Sort(want)
					if !slices.Equal(beside, want) || err != nil {
						t.Errorf("%s %q changed %v, %v, git says %v", c.ID[:7], c.Subject, beside, err, want)
					}
					if changed {
						outside++
					}
					for _, name := range names {
						version, err := c.Version(name)
						if err != nil || version != files[name] {
							t.Errorf("%s %q has %q: %v, %v, git says %v", c.ID[:7], c.Subject, name, version, err, files[name])
						}
						if version != "" {
							seen[name]++
						}
					}
				}
				if len(seen) < 13 || outside < 20 || outside == len(contents) {
					t.Errorf("a history with these changes tests little: %v", seen)
				}
			})
		}
	}
}

// In a repository of several projects, a commit is foreign if it changed another project's files and none of this one's.
func TestForeign(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	many := func(n int) string {
		var files strings.Builder
		for i := range n {
			fmt.Fprintf(&files, "apps/b/%d/x ", i)
		}
		return files.String()
	}
	for _, c := range []struct {
		project, files   string
		changed, foreign bool
	}{
		{"apps/a", "apps/a/x", true, false},
		{"apps/a", "apps/b/x", false, true},
		{"apps/a", "apps/b/deep/er/x", false, true},
		{"apps/a", "apps/b/.planning/STATE.md", false, true},
		{"apps/a", "apps/a/x apps/b/x", true, false},
		{"apps/a", "apps/a/.planning/x", false, false},
		{"apps/a", "lib/x", true, false},
		{"apps/a", "apps/x", true, false},
		{"apps/a", "apps/b/x package-lock.json", true, true},
		{"apps/b", "apps/a/x", false, true},
		{"top/in", "top/x", false, true},
		{"top/in", "x", true, false},
		{"top", "top/in/x", false, true},
		{"top", "top/in/x top/x", true, false},
		{"top", "apps/a/x", false, true},
		{"ignored", "ignored/x", true, false},
		{"apps/a", "", false, false},
		{"apps/a", many(maxOutside), false, true},
		{"apps/a", many(maxOutside + 1), true, true}, // beyond the limit
	} {
		var in strings.Builder
		commitTo(&in, "main", "x", 0)
		for _, of := range []string{"apps/a", "apps/b", "top", "top/in"} {
			fileIn(&in, of+"/.planning/ROADMAP.md", "x")
		}
		commitTo(&in, "main", "y", 1)
		for f := range strings.FieldsSeq(c.files) {
			fileIn(&in, f, "x")
		}
		commit := all(t, mustOpen(t, filepath.Join(written(t, in.String()), c.project)).Log(t.Context()))[0]
		if changed, foreign, err := commit.Outside(); err != nil || changed != c.changed || foreign != c.foreign {
			t.Errorf("%.50s for %s: %v, %v, %v", c.files, c.project, changed, foreign, err)
		}
	}
}

// If a tree is missing, the answer is an error, not that the file does not exist.
func TestVersionWithoutTheTree(t *testing.T) {
	dir := newRepo(t, "", false)
	id := strings.TrimSpace(git(t, dir, "", "rev-parse", "HEAD:.planning/phases"))
	noError(t, os.Remove(filepath.Join(dir, ".git", "objects", id[:2], id[2:])))
	c := all(t, mustOpen(t, dir).Log(t.Context()))[0]
	if version, err := c.Version(".planning/ROADMAP.md"); version == "" || err != nil {
		t.Errorf("beside the missing tree: %q, %v", version, err)
	}
	if version, err := c.Version(".planning/phases/00-x/00-00-SUMMARY.md"); version != "" || !errors.Is(err, ErrTruncated) {
		t.Errorf("in the missing tree: %q, %v", version, err)
	}
}
