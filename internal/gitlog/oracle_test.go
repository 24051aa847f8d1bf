package gitlog

// oracle_test.go: git is the oracle. Every shape of repository that git can make is read whole by this
// package and by one `git log`, and the two must agree commit by commit, change by change.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entry is what both sides say about one commit.
type entry struct {
	ID, When, Subject string
	Merge             bool
	Changes           []string
}

func needGit(tb testing.TB) {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		tb.Skip("git is not installed")
	}
}

// git runs git in dir with nothing of the user's.
func git(tb testing.TB, dir string, stdin string, args ...string) string {
	tb.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + tb.TempDir(), "LC_ALL=C", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0",
		// Waiting for the disk is most of what the tests would take.
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.fsync", "GIT_CONFIG_VALUE_0=none",
		"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=a@x", "GIT_AUTHOR_DATE=1700000000 +0100",
		"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=c@x", "GIT_COMMITTER_DATE=1700000100 -0330",
	}
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// gitLog asks git. prefix is where the project is in the repository, "" or with a slash at its end.
func gitLog(t *testing.T, dir, prefix string) []entry {
	t.Helper()
	const format = "--format=%x01%H%x00%ci%x00%an%x00%P%x00%s"
	return parseLog(t, git(t, dir, "", "log", "--first-parent", "-m", "--name-status", "--no-renames", "-z",
		format, "HEAD"), prefix)
}

func parseLog(t *testing.T, out, prefix string) []entry {
	t.Helper()
	var log []entry
	for _, chunk := range strings.Split(out, "\x01")[1:] {
		f := strings.Split(chunk, "\x00")
		e := entry{ID: f[0], When: f[1], Merge: strings.Contains(f[3], " "), Subject: f[4]}
		for f = f[5:]; len(f) >= 2; {
			status := strings.TrimLeft(f[0], "\n")
			if status == "" {
				f = f[1:]
				continue
			}
			name, inside := strings.CutPrefix(f[1], prefix)
			if inside && strings.HasPrefix(name, ".planning/") && !strings.HasPrefix(name, ".planning/sessions/") {
				e.Changes = append(e.Changes, strings.Replace(status, "T", "M", 1)+" "+name)
			}
			f = f[2:]
		}
		slices.Sort(e.Changes)
		log = append(log, e)
	}
	return log
}

// ourLog reads everything, and gives the error at which it had to end.
func ourLog(t testing.TB, dir string) ([]entry, error) {
	t.Helper()
	r, err := Open(dir, ".planning", nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	var log []entry
	for c, err := range r.Log(context.Background()) {
		if err != nil {
			return log, err
		}
		e, err := entryOf(c)
		if err != nil {
			return log, err
		}
		log = append(log, e)
	}
	return log, nil
}

func entryOf(c *Commit) (entry, error) {
	e := entry{ID: c.ID, When: c.When.Format("2006-01-02 15:04:05 -0700"), Subject: c.Subject, Merge: len(c.merged) > 0}
	changes, err := c.Changes()
	for _, ch := range changes {
		e.Changes = append(e.Changes, fmt.Sprintf("%c %s", " AMD"[ch.Kind], ch.Path))
	}
	slices.Sort(e.Changes)
	return e, err
}

// agree compares the whole history seen from a project in both views.
func agree(t *testing.T, dir, prefix string) {
	t.Helper()
	got, err := ourLog(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(gitLog(t, dir, prefix), got); diff != "" {
		t.Errorf("git (-), we (+):\n%s", diff)
	}
	if len(got) < 40 {
		t.Errorf("a history of %d commits tests little", len(got))
	}
}

// stream is a history for `git fast-import` that has in it what can happen to a planning directory.
func stream(prefix string) string {
	var b strings.Builder
	n := 0
	commit := func(message, author string, lines ...string) {
		n++
		fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\n", n)
		fmt.Fprintf(&b, "author %s <a@x> %d +0000\ncommitter C <c@x> %d %s\n", author, 1600000000+n, 1600000100+n*60,
			[]string{"+0000", "-0330", "+0545", "-0000", "+1400"}[n%5])
		fmt.Fprintf(&b, "data %d\n%s\n", len(message), message)
		for _, l := range lines {
			b.WriteString(strings.ReplaceAll(l, "@", prefix) + "\n")
		}
		b.WriteString("\n")
	}
	file := func(path, content string) string {
		return fmt.Sprintf("M 100644 inline @%s\ndata %d\n%s", path, len(content), content)
	}
	commit("root", "A", file(".planning/ROADMAP.md", "1"), file("main.c", "1"), file(".planning-not/x", "1"))
	commit("no planning here", "A", file("main.c", "2"))
	commit("\n\n  first \t\nsecond line  \n\nbody\n", "Ünïcode Näme", file(".planning/STATE.md", "1"))
	commit("", "A", file(".planning/STATE.md", "2"))
	commit("names", "A", file(`".planning/\303\274 \"q\"\ttab\nline"`, "1"), file(`".planning/bytes\377"`, "1"),
		file(".planning/a", "1"), file(".planning/a.b", "1"), file(".planning/a0", "1"))
	commit("a file becomes a directory", "A", "D @.planning/a", file(".planning/a/x", "1"), file(".planning/a/y/z", "1"))
	commit("and a file again", "A", "D @.planning/a", file(".planning/a", "2"))
	commit("sorts: executable, link, submodule", "A", "M 100755 inline @.planning/a\ndata 1\n2",
		"M 120000 inline @.planning/link\ndata 1\na", "M 160000 0123456789012345678901234567890123456789 @.planning/sub")
	commit("link to file, other submodule", "A", file(".planning/link", "a"),
		"M 160000 1123456789012345678901234567890123456789 @.planning/sub")
	commit("sessions", "A", file(".planning/sessions/x.md", "1"), file(".planning/phases/sessions/x.md", "1"))
	commit("only sessions", "A", file(".planning/sessions/x.md", "2"))
	commit("empty", "A")
	commit("gone", "A", "D @.planning")
	commit("a file called so", "A", file(".planning", "1"))
	commit("back", "A", "D @.planning", file(".planning/ROADMAP.md", "1"))
	for i := range 30 {
		long := strings.Repeat(fmt.Sprintf("line %d\n", i/7), 40)
		commit(fmt.Sprintf("plan %d", i), "A", file(fmt.Sprintf(".planning/phases/%02d-x/%02d-%02d-SUMMARY.md", i/10, i/10, i%10), long),
			file(fmt.Sprintf("src/%d/deep/er/f", i%4), long))
	}
	// A side branch, and merges that take its files, change more, or drop them.
	at := n
	commit("side", "A", fmt.Sprintf("from :%d", at-5), file(".planning/side.md", "1"))
	side := n
	commit("merge", "A", fmt.Sprintf("from :%d\nmerge :%d", at, side), file(".planning/side.md", "1"))
	commit("evil merge", "A", fmt.Sprintf("merge :%d", side), "D @.planning/side.md", file(".planning/evil", "1"))
	commit("last", "A", file(".planning/STATE.md", "9"))
	b.WriteString("done\n")
	// Lines starting with from and merge must come before the files, which the calls above see to.
	return b.String()
}

// newRepo makes a repository with that history: loose, or in one pack.
func newRepo(t testing.TB, prefix string, packed bool) string {
	t.Helper()
	needGit(t)
	dir := filepath.Join(t.TempDir(), "repo")
	git(t, filepath.Dir(dir), "", "init", "-q", "-b", "main", "repo")
	limit := "100000"
	if packed {
		limit = "0"
	}
	git(t, dir, stream(prefix), "-c", "fastimport.unpackLimit="+limit, "fast-import", "--quiet", "--done")
	if packed {
		git(t, dir, "", "repack", "-adfq", "--depth=20")
		git(t, dir, "", "pack-refs", "--all")
	}
	return dir
}

func TestShapesOfRepositories(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(t *testing.T) (dir, prefix string){
		"loose":  func(t *testing.T) (string, string) { return newRepo(t, "", false), "" },
		"packed": func(t *testing.T) (string, string) { return newRepo(t, "", true), "" },
		"below the top": func(t *testing.T) (string, string) {
			dir := filepath.Join(newRepo(t, "tools/app/", true), "tools", "app")
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			return dir, "tools/app/"
		},
		"detached": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			git(t, dir, "", "update-ref", "--no-deref", "HEAD", "HEAD~2")
			return dir, ""
		},
		"linked worktree": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			git(t, dir, "", "worktree", "add", "-q", "--no-checkout", "-b", "other", "../tree", "HEAD~1")
			git(t, dir, "", "worktree", "add", "-q", "--no-checkout", "--detach", "../tree2", "HEAD~3")
			agree(t, filepath.Join(dir, "..", "tree2"), "")
			git(t, dir, "", "update-ref", "refs/worktree/mine", "HEAD~2")
			return filepath.Join(dir, "..", "tree"), ""
		},
		"reference of one worktree": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", false)
			git(t, dir, "", "worktree", "add", "-q", "--no-checkout", "--detach", "../tree", "HEAD~3")
			tree := filepath.Join(dir, "..", "tree")
			git(t, tree, "", "update-ref", "refs/worktree/mine", "HEAD~1")
			git(t, tree, "", "symbolic-ref", "HEAD", "refs/worktree/mine")
			return tree, ""
		},
		"submodule": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			git(t, filepath.Dir(dir), "", "init", "-q", "-b", "main", "super")
			super := filepath.Join(dir, "..", "super")
			if err := os.Mkdir(filepath.Join(super, ".git", "modules"), 0o777); err != nil {
				t.Fatal(err)
			}
			git(t, super, "", "clone", "-q", "--no-checkout", "--separate-git-dir=.git/modules/sub",
				dir, "sub")
			return filepath.Join(super, "sub"), ""
		},
		"ref deltas": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			git(t, dir, "", "-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq")
			return dir, ""
		},
		"index version 1": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			git(t, dir, "", "-c", "pack.indexVersion=1", "repack", "-adfq")
			return dir, ""
		},
		"64-bit offsets": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			idx := only(t, dir, "*.idx")
			pack := strings.TrimSuffix(idx, ".idx") + ".pack"
			git(t, dir, "", "index-pack", "--index-version=2,0x100", "-o", dir+"/wide.idx", pack)
			replace(t, idx, read(t, dir+"/wide.idx"))
			return dir, ""
		},
		"several packs and loose": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", false)
			manyPacks(t, dir, 12)
			git(t, dir, "", "prune-packed")
			git(t, dir, "", "commit", "-q", "--allow-empty", "-m", "loose")
			return dir, ""
		},
		"multi-pack-index": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", false)
			manyPacks(t, dir, 5)
			git(t, dir, "", "prune-packed")
			git(t, dir, "", "multi-pack-index", "write")
			return dir, ""
		},
		"alternates": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			git(t, dir, "", "clone", "-q", "--shared", "--no-checkout", ".", "../mid")
			git(t, dir, "", "clone", "-q", "--shared", "--no-checkout", "../mid", "../borrower")
			borrower := filepath.Join(dir, "..", "borrower")
			git(t, borrower, "", "commit", "-q", "--allow-empty", "-m", "mine")
			return borrower, ""
		},
		"relative, quoted, circular alternates": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			git(t, filepath.Dir(dir), "", "init", "-q", "-b", "main", "borrower")
			borrower := filepath.Join(dir, "..", "borrower")
			replace(t, filepath.Join(borrower, ".git/objects/info/alternates"),
				[]byte("# comment\n\n/nowhere\n\"../../../re\\160o/.git/objects\"\n"))
			replace(t, filepath.Join(dir, ".git/objects/info/alternates"), []byte("../../../borrower/.git/objects\n"))
			git(t, borrower, "", "update-ref", "refs/heads/main", strings.TrimSpace(git(t, dir, "", "rev-parse", "HEAD")))
			return borrower, ""
		},
		"HEAD as a symbolic link": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			head := filepath.Join(dir, ".git", "HEAD")
			os.Remove(head)
			if err := os.Symlink("refs/heads/main", head); err != nil {
				t.Skip(err)
			}
			return dir, ""
		},
		"reached by a symbolic link": func(t *testing.T) (string, string) {
			dir := newRepo(t, "sub/", true)
			if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(filepath.Join(dir, "sub"), link); err != nil {
				t.Skip(err)
			}
			return link, "sub/"
		},
		"a .git that is none in between": func(t *testing.T) (string, string) {
			dir := newRepo(t, "sub/", true)
			if err := os.MkdirAll(filepath.Join(dir, "sub", ".git"), 0o777); err != nil {
				t.Fatal(err)
			}
			return filepath.Join(dir, "sub"), "sub/"
		},
		"odd commits": oddCommits,
		"commit-graph and bitmaps": func(t *testing.T) (string, string) {
			dir := newRepo(t, "", true)
			git(t, dir, "", "repack", "-adbq")
			git(t, dir, "", "commit-graph", "write", "--reachable")
			return dir, ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, prefix := build(t)
			agree(t, dir, prefix)
		})
	}
}

// oddCommits puts commits on top that git writes with options only, or wrote once.
func oddCommits(t *testing.T) (dir, prefix string) {
	dir = newRepo(t, "", true)
	parent := strings.TrimSpace(git(t, dir, "", "rev-parse", "HEAD"))
	tree := strings.TrimSpace(git(t, dir, "", "rev-parse", "HEAD^{tree}"))
	for _, c := range []struct{ people, headers, message string }{
		{"author A <a@x> 1 +0000\ncommitter C <c@x> 2 +0000\n", "gpgsig -----BEGIN\n parent 0\n \n author X <x> 9 +0000\n -----END\n", "\nsigned\n"},
		{"author A <a@x> 1 +0000\ncommitter C <c@x> 1700000000 -1130\n", "encoding UTF-8\nHG:extra x\n", "\nextra\n"},
		{"author  <a@x> 1 +0000\ncommitter <c@x> 2 +0000\n", "", "\n \n \nno names\t\nline  two \n   \nbody"},
		{"author A <a@x> 1 +0000\ncommitter C > D <c@x> 3 +0000\n", "", "\nno newline at the end"},
		{"author A <a@x> 1 +0000\ncommitter C <c@x> 4 +0000\n", "", "\n"},
		{"author A <a@x> 1 +0000\ncommitter C <c@x> 5 +0000\n", "", ""},
		{"author A <a@x> 1 +0000\ncommitter C <c@x> 6 +0000\n", "", "\r\n\r\nCRLF\r\nsecond\r\n\r\nbody\r\n"},
	} {
		text := fmt.Sprintf("tree %s\nparent %s\n%s%s%s", tree, parent, c.people, c.headers, c.message)
		parent = strings.TrimSpace(git(t, dir, text, "hash-object", "-t", "commit", "-w", "--stdin", "--literally"))
	}
	git(t, dir, "", "update-ref", "HEAD", parent)
	return dir, ""
}

// manyPacks puts the loose objects of a history into n packs, by runs of commits.
func manyPacks(t testing.TB, dir string, n int) {
	t.Helper()
	commits := strings.Fields(git(t, dir, "", "rev-list", "--topo-order", "--reverse", "HEAD"))
	done := ""
	for i := range n {
		last := commits[(i+1)*len(commits)/n-1]
		git(t, dir, last+"\n"+done, "pack-objects", "-q", "--revs", ".git/objects/pack/pack")
		done += "^" + last + "\n"
	}
}

func only(t testing.TB, dir, glob string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", glob))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// replace writes a file where git may have left one that is read-only.
func replace(t testing.TB, path string, data []byte) {
	t.Helper()
	os.Remove(path)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
