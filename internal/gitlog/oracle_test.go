package gitlog

// oracle_test.go: git is the oracle. Repositories of every form that git can make are read by this package and by `git
// log`, which must agree on each commit and change.

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/replay"
	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

// entry is what both sides report about one commit.
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

// git runs git in dir without the user's configuration.
func git(tb testing.TB, dir string, stdin string, args ...string) string {
	tb.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + tb.TempDir(), "LC_ALL=C", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0",
		// Otherwise the tests would mostly wait for the disk.
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

// written makes a repository from the input of `git fast-import`.
func written(tb testing.TB, stream string) string {
	tb.Helper()
	needGit(tb)
	dir := filepath.Join(tb.TempDir(), "repo")
	git(tb, filepath.Dir(dir), "", "init", "-q", "-b", "main", "repo")
	git(tb, dir, stream, "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet")
	return dir
}

// mustOpen opens the repository for a project in dir, which it creates if necessary.
func mustOpen(tb testing.TB, dir string) *Repo {
	tb.Helper()
	noError(tb, os.MkdirAll(dir, 0o777))
	r, err := Find(dir).Open(nil)
	noError(tb, err)
	tb.Cleanup(func() { r.Close() })
	return r
}

// all returns the commits of a walk, which must have no error.
func all(tb testing.TB, walk iter.Seq2[*Commit, error]) (commits []*Commit) {
	tb.Helper()
	for c, err := range walk {
		noError(tb, err)
		commits = append(commits, c)
	}
	return commits
}

// gitLog returns git's log. prefix is the path of the project in the repository, "" or ending in a slash.
func gitLog(t *testing.T, dir, prefix string) (log []entry) {
	t.Helper()
	out := git(t, dir, "", "log", "--first-parent", "-m", "--name-status", "--no-renames", "-z", "--format=%x01%H%x00%ci%x00%P%x00%s", "HEAD")
	for _, chunk := range strings.Split(out, "\x01")[1:] {
		f := strings.Split(chunk, "\x00")
		e := entry{ID: f[0], When: f[1], Merge: strings.Contains(f[2], " "), Subject: f[3]}
		for f = f[4:]; len(f) >= 2; {
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

// ourLog reads the whole log and returns the error that ended it.
func ourLog(t testing.TB, dir string) (log []entry, err error) {
	t.Helper()
	r, err := Find(dir).Open(nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	for c, err := range r.Log(t.Context()) {
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
	e := entry{ID: c.ID, When: c.When.Format("2006-01-02 15:04:05 -0700"), Subject: c.Subject, Merge: c.Merge()}
	changes, err := c.Changes()
	for _, ch := range changes {
		e.Changes = append(e.Changes, fmt.Sprintf("%c %s", " AMD"[ch.Kind], ch.Path))
	}
	slices.Sort(e.Changes)
	return e, err
}

// agree compares gitLog and ourLog of a project.
func agree(t *testing.T, dir, prefix string) {
	t.Helper()
	r := mustOpen(t, dir)
	got, err := ourLog(t, dir)
	if diff := cmp.Diff(gitLog(t, dir, prefix), got); diff != "" || err != nil {
		t.Errorf("(-git +ours):\n%s%v", diff, err)
	}
	if len(got) < 20 {
		t.Errorf("a history of %d commits tests little", len(got))
	}
	var ids []string
	for _, c := range all(t, r.Reachable(t.Context())) {
		ids = append(ids, c.ID)
	}
	want := strings.Fields(git(t, dir, "", "rev-list", "HEAD"))
	slices.Sort(ids)
	slices.Sort(want)
	if !slices.Equal(ids, want) {
		t.Errorf("%d commits are reachable, git has %d", len(ids), len(want))
	}
}

// stream returns a history for `git fast-import` with everything that can happen to a planning directory.
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
	// The lines that begin with from and merge must come before the files; the calls above ensure that.
	return b.String()
}

// newRepo makes a repository with that history, loose or in one pack.
func newRepo(t testing.TB, prefix string, packed bool) string {
	t.Helper()
	dir := written(t, stream(prefix))
	if packed {
		git(t, dir, "", "repack", "-adfq", "--depth=20")
		git(t, dir, "", "pack-refs", "--all")
	} else {
		unpack(t, dir)
	}
	return dir
}

// unpack turns all packed objects into loose ones.
func unpack(t testing.TB, dir string) {
	t.Helper()
	pack := only(t, dir, "*.pack")
	data := read(t, pack)
	os.Remove(pack)
	os.Remove(strings.TrimSuffix(pack, ".pack") + ".idx")
	git(t, dir, string(data), "unpack-objects", "-q")
}

func TestShapesOfRepositories(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		loose    bool
		prefix   string                         // where the project is in the trees
		at       string                         // where it is seen from, if not there
		prepare  func(t testing.TB, dir string) // and then
		commands string                         // of git
	}{
		"loose":             {loose: true},
		"packed":            {},
		"below the top":     {prefix: "tools/app/"},
		"detached":          {commands: "update-ref --no-deref HEAD HEAD~2"},
		"linked worktree":   {commands: "worktree add -q --no-checkout -b other ../tree HEAD~1", at: "../tree"},
		"detached worktree": {commands: "worktree add -q --no-checkout --detach ../tree HEAD~3", at: "../tree"},
		"submodule": {
			commands: "init -q -b main ../super\nclone -q --no-checkout --separate-git-dir=../super/.git/sub . ../super/sub",
			at:       "../super/sub",
		},
		"ref deltas": {commands: "-c repack.useDeltaBaseOffset=false repack -adfq"},
		"64-bit offsets": {prepare: func(t testing.TB, dir string) {
			idx := only(t, dir, "*.idx")
			git(t, dir, "", "index-pack", "--index-version=2,0x100", "-o", dir+"/wide.idx", strings.TrimSuffix(idx, ".idx")+".pack")
			replace(t, idx, read(t, dir+"/wide.idx"))
		}},
		"several packs and loose":  {true, "", "", manyPacks, "commit -q --allow-empty -m loose"},
		"multi-pack-index":         {true, "", "", manyPacks, "multi-pack-index write"},
		"commit-graph and bitmaps": {commands: "repack -adbq\ncommit-graph write --reachable"},
		"alternates": {
			commands: "clone -q --shared --no-checkout . ../mid\nclone -q --shared --no-checkout ../mid ../borrower\n" +
				"-C ../borrower commit -q --allow-empty -m mine",
			at: "../borrower",
		},
		"HEAD as a symbolic link": {prepare: func(t testing.TB, dir string) {
			head := filepath.Join(dir, ".git", "HEAD")
			os.Remove(head)
			if err := os.Symlink("refs/heads/main", head); err != nil {
				t.Skip("no links here:", err)
			}
		}},
		"a branch of the worktree alone": {
			commands: "worktree add -q --no-checkout ../tree\nupdate-ref refs/worktree/mine HEAD~2\n" +
				"-C ../tree update-ref refs/worktree/mine HEAD~1\n-C ../tree symbolic-ref HEAD refs/worktree/mine",
			at: "../tree",
		},
		"relative, quoted, circular alternates": {prepare: func(t testing.TB, dir string) {
			git(t, dir, "", "init", "-q", "-b", "main", "../borrower")
			borrower := filepath.Join(dir, "..", "borrower")
			replace(t, filepath.Join(borrower, ".git/objects/info/alternates"), []byte("# comment\n\n/nowhere\n\"../../../repo/.git/\\157bjects\"\n"))
			replace(t, filepath.Join(dir, ".git/objects/info/alternates"), []byte("../../../borrower/.git/objects\n"))
			git(t, borrower, "", "update-ref", "refs/heads/main", strings.TrimSpace(git(t, dir, "", "rev-parse", "HEAD")))
		}, at: "../borrower"},
		"a .git that is none in between": {prefix: "sub/", prepare: func(t testing.TB, dir string) {
			noError(t, os.MkdirAll(filepath.Join(dir, "sub", ".git"), 0o777))
		}},
		"odd commits": {prepare: oddCommits},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && c.prepare != nil {
				t.Skip("one of many rare shapes")
			}
			t.Parallel()
			dir := newRepo(t, c.prefix, !c.loose)
			if c.prepare != nil {
				c.prepare(t, dir)
			}
			for line := range strings.Lines(c.commands) {
				git(t, dir, "", strings.Fields(line)...)
			}
			if c.at == "" {
				c.at = c.prefix
			}
			agree(t, filepath.Join(dir, c.at), c.prefix)
		})
	}
}

// TestReplay reads whole real histories.
func TestReplay(t *testing.T) {
	t.Parallel()
	for _, bundle := range replay.Files(t, ".") {
		t.Run(filepath.Base(bundle), func(t *testing.T) {
			t.Parallel()
			agree(t, cloned(t, bundle), "")
		})
	}
}

// cloned returns a clone of a bundle.
func cloned(tb testing.TB, bundle string) string {
	tb.Helper()
	dir := tb.TempDir()
	bundle, err := filepath.Abs(bundle)
	noError(tb, err)
	git(tb, dir, "", "clone", "-q", "--bare", "-b", "main", bundle, ".git")
	return dir
}

// oddCommits adds commits that only unusual options or old versions of git write.
func oddCommits(t testing.TB, dir string) {
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
}

// manyPacks packs the loose objects of a history, a range of commits to a pack.
func manyPacks(t testing.TB, dir string) {
	t.Helper()
	const packs = 12
	commits := strings.Fields(git(t, dir, "", "rev-list", "--topo-order", "--reverse", "HEAD"))
	done := ""
	for i := range packs {
		last := commits[(i+1)*len(commits)/packs-1]
		git(t, dir, last+"\n"+done, "pack-objects", "-q", "--revs", ".git/objects/pack/pack")
		done += "^" + last + "\n"
	}
	git(t, dir, "", "prune-packed")
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
	noError(t, err)
	return data
}

// replace overwrites a file that may be read-only.
func replace(t testing.TB, path string, data []byte) {
	t.Helper()
	os.Remove(path)
	noError(t, os.WriteFile(path, data, 0o666))
}

// noError ends a test that cannot go on after an error.
func noError(t interface{ Fatal(args ...any) }, err error) {
	if t, ok := t.(interface{ Helper() }); ok {
		t.Helper()
	}
	if err != nil {
		t.Fatal(err)
	}
}
