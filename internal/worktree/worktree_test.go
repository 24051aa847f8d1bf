package worktree

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

var rounds = flag.Int("rounds", 12, "how many random repositories TestLikeGit makes")

// A repo is a repository of the real git.
type repo struct {
	testing.TB
	dir string
	env []string
}

func newRepo(t testing.TB, args ...string) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &repo{t, dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_OPTIONAL_LOCKS=0",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")}
	r.git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return r
}

func (r *repo) at(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// try runs git, which may refuse.
func (r *repo) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *repo) git(args ...string) string {
	r.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// feed runs git with an input.
func (r *repo) feed(in io.Reader, args ...string) string {
	r.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.env, in
	out, err := cmd.Output()
	if code, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || code.ExitCode() != 1) {
		r.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

func (r *repo) write(name, content string) {
	r.Helper()
	if err := os.MkdirAll(filepath.Dir(r.at(name)), 0o777); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(r.at(name), []byte(content), 0o666); err != nil {
		r.Fatal(err)
	}
}

func (r *repo) commit() { r.git("add", "-A"); r.git("commit", "-q", "--allow-empty", "-m", "x") }

// age makes what was committed older than the index, so that it is not compared byte by byte.
func (r *repo) age(names ...string) {
	then := time.Now().Add(-time.Hour)
	for _, name := range names {
		if err := os.Chtimes(r.at(name), then, then); err != nil {
			r.Fatal(err)
		}
	}
	r.git("update-index", "-q", "--refresh")
}

// look returns the states of files, by their names.
func (r *repo) look(names ...string) string {
	var all []string
	for _, f := range Look(gitlog.Find(r.dir), names, nil).Files {
		all = append(all, f.Path+" "+string(f.State))
	}
	return strings.Join(all, ", ")
}

// TestLook: each way in which a file differs from the last commit, and what nothing is said of.
func TestLook(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		prepare    func(r *repo)
	}{
		{"clean", "", func(*repo) {}},
		{"changed", "src/a.go changed", func(r *repo) { r.write("src/a.go", "package a // more\n") }},
		{"only touched", "", func(r *repo) { r.age("src/a.go"); r.touch("src/a.go") }},
		{"changed, of the same size", "src/a.go changed", func(r *repo) { r.age("src/a.go"); r.write("src/a.go", "package b\n") }},
		{"changed and back", "", func(r *repo) {
			r.age("src/a.go")
			r.write("src/a.go", "package b\n")
			r.write("src/a.go", "package a\n")
		}},
		{"an empty one is filled", "src/empty.go changed", func(r *repo) { r.write("src/empty.go", "package e\n") }},
		{"deleted", "src/a.go deleted", func(r *repo) { r.remove("src/a.go") }},
		{"its directory is deleted", "src/a.go deleted, src/empty.go deleted", func(r *repo) { r.remove("src") }},
		{"removed from the index, too", "src/a.go deleted", func(r *repo) { r.git("rm", "-q", "src/a.go") }},
		{"removed from the index alone", "src/a.go untracked", func(r *repo) { r.git("rm", "-q", "--cached", "src/a.go") }},
		{"untracked", "src/new.go untracked", func(r *repo) { r.write("src/new.go", "x") }},
		{"staged", "src/a.go changed, src/new.go added", func(r *repo) {
			r.write("src/new.go", "x")
			r.write("src/a.go", "package a // more\n")
			r.git("add", "-A")
		}},
		{"intended to be added", "src/new.go added", func(r *repo) { r.write("src/new.go", "x"); r.git("add", "-N", "src/new.go") }},
		{"renamed", "src/a.go deleted, src/new.go added", func(r *repo) { r.git("mv", "src/a.go", "src/new.go") }},
		{"ignored", "", func(r *repo) { r.write("src/new.go", "x"); r.write(".gitignore", "/src/*.go\n") }},
		{"ignored in its directory", "", func(r *repo) { r.write("src/new.go", "x"); r.write("src/.gitignore", "new.*\n") }},
		{"excluded", "", func(r *repo) { r.write("src/new.go", "x"); r.write(".git/info/exclude", "src/\n") }},
		{"too much is ignored", "", func(r *repo) { r.write("src/new.go", "x"); r.write(".gitignore", strings.Repeat("# long\n", 20000)) }},
		{"another name is ignored", "src/new.go untracked", func(r *repo) { r.write("src/new.go", "x"); r.write(".gitignore", "/new.go\nsrc/new\n") }},
		{"assumed to be unchanged", "", func(r *repo) { r.git("update-index", "--assume-unchanged", "src/a.go"); r.write("src/a.go", "x") }},
		{"not in the working tree", "", func(r *repo) { r.git("update-index", "--skip-worktree", "src/a.go"); r.remove("src/a.go") }},
		{"another repository's", "", func(r *repo) { r.git("init", "-q", "src/sub"); r.write("src/sub/x.go", "x") }},
		{"a submodule's", "", func(r *repo) {
			r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",src/sub")
			r.write("src/sub/x.go", "x")
		}},
		{"a filter is set", "", func(r *repo) {
			r.write(".gitattributes", "*.go filter=rot13\n")
			r.age("src/a.go")
			r.write("src/a.go", "cnpxntr n\n")
		}},
		{"unmerged", "src/a.go unmerged", func(r *repo) {
			r.git("checkout", "-q", "-b", "other")
			r.write("src/a.go", "package o\n")
			r.commit()
			r.git("checkout", "-q", "main")
			r.write("src/a.go", "package m\n")
			r.commit()
			_, _ = r.try("merge", "-q", "other")
		}},
		{"split index", "", func(r *repo) {
			r.git("update-index", "--split-index")
			r.write("src/a.go", "x")
			r.write("src/new.go", "x")
		}},
		{"sparse index", "", func(r *repo) {
			r.write("kept/x", "x")
			r.commit()
			r.git("sparse-checkout", "set", "--cone", "--sparse-index", "kept")
			r.write("src/new.go", "x")
			r.write("src/a.go", "other\n")
		}},
		{"version 4", "src/a.go changed, src/new.go untracked", func(r *repo) {
			r.git("update-index", "--index-version", "4")
			r.write("src/a.go", "package a // more\n")
			r.write("src/new.go", "x")
		}},
		{"version 3", "src/a.go changed, src/new.go untracked", func(r *repo) {
			r.write("z", "x")
			r.git("add", "-N", "z")
			r.write("src/a.go", "package a // more\n")
			r.write("src/new.go", "x")
		}},
		{"no index", "", func(r *repo) { r.remove(".git/index") }},
		{"a damaged index", "", func(r *repo) { r.write(".git/index", "DIRC\x00\x00\x00\x02\x00\x00\xff\xffrest of it") }},
		{"no commit", "src/a.go changed", func(r *repo) { r.git("update-ref", "-d", "HEAD"); r.write("src/a.go", "package a // more\n") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			r.write("src/a.go", "package a\n")
			r.write("src/empty.go", "")
			r.commit()
			tt.prepare(r)
			names := []string{
				"src/a.go", "src/empty.go", "src/new.go", "src/sub/x.go", "src/sub", "src", "src/", ".", "", "..", "../x", "/etc/passwd",
				".git/config", "src/.GIT/x", "src/*.go", "src/\x00", "(NEW)", "src/a.go/b", strings.Repeat("src/", 100_000),
			}
			if got := r.look(names...); got != tt.want {
				t.Errorf("%q, want %q\n%s", got, tt.want, r.git("status", "--porcelain"))
			}
		})
	}
}

func (r *repo) touch(name string) {
	r.Helper()
	if err := os.Chtimes(r.at(name), time.Time{}, time.Now().Add(time.Minute)); err != nil {
		r.Fatal(err)
	}
}

func (r *repo) remove(name string) {
	r.Helper()
	if err := os.RemoveAll(r.at(name)); err != nil {
		r.Fatal(err)
	}
}

// TestLinks: beyond a link git has no files, and a link is no file.
func TestLinks(t *testing.T) {
	r := newRepo(t)
	r.write("src/a.go", "package a\n")
	r.commit()
	if err := os.Rename(r.at("src"), r.at("real")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", r.at("src")); err != nil {
		t.Skip(err)
	}
	r.write("src/new.go", "x")
	if err := os.Symlink("a.go", r.at("real/link.go")); err != nil {
		t.Fatal(err)
	}
	if got := r.look("src/a.go", "src/new.go", "real/link.go", "real/a.go"); got != "real/a.go untracked" {
		t.Error(got)
	}
}

// TestTracksLink: a link is git's as long as either the index or the last commit has it, under its name in any case, and where neither can be read.
func TestTracksLink(t *testing.T) {
	r := newRepo(t)
	tracks := func(step string, want bool) {
		t.Helper()
		if got := TracksLink(gitlog.Find(r.dir), "app/.planning"); got != want {
			t.Errorf("%s: %v", step, got)
		}
	}
	tracks("a new repository", false)
	link := strings.TrimSpace(r.feed(strings.NewReader("../elsewhere"), "hash-object", "-w", "--stdin"))
	r.write("app/.planning/x", "x")
	r.commit()
	tracks("a directory", false)
	r.git("rm", "-q", "-r", "--cached", "app")
	r.git("update-index", "--add", "--cacheinfo", "120000,"+link+",app/.planning")
	tracks("only the index", true)
	r.git("commit", "-q", "-m", "link")
	tracks("both", true)
	r.git("rm", "-q", "--cached", "app/.planning")
	tracks("only the commit", true)
	r.git("commit", "-q", "-m", "none")
	tracks("neither any more", false)
	r.git("update-index", "--add", "--cacheinfo", "120000,"+link+",app/.Planning")
	tracks("in another case", true)
	r.write(".git/index", "nonsense")
	tracks("an index that cannot be read", true)
}

// TestCase: where the case of letters does not count, git may have a file under another name.
func TestCase(t *testing.T) {
	r := newRepo(t)
	r.write("src/Alpha.go", "package a\n")
	r.commit()
	r.write("SRC/alpha.go", "x")
	if got := r.look("SRC/alpha.go"); got != "" {
		t.Error(got)
	}
}

// TestBelow: names are relative to the directory of the project, which need not be the top, and a linked working tree has an index of its own.
func TestBelow(t *testing.T) {
	r := newRepo(t)
	r.write("app/src/a.go", "package a\n")
	r.write("b.go", "package b\n")
	r.commit()
	r.git("worktree", "add", "-q", "wt")
	r.write("wt/app/src/new.go", "x")
	r.write("b.go", "package b // more\n")
	for dir, want := range map[string][]File{
		"app":    {{"../b.go", Changed}},
		"wt/app": {{"src/new.go", Untracked}},
	} {
		if got := Look(gitlog.Find(r.at(dir)), []string{"src/a.go", "src/new.go", "../b.go"}, nil).Files; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

// TestSHA256: an index with the other object names is read, and nothing is compared by them.
func TestSHA256(t *testing.T) {
	r := newRepo(t, "--object-format=sha256")
	r.write("src/a.go", "package a\n")
	r.write("src/b.go", "package b\n")
	r.commit()
	r.age("src/b.go")
	r.write("src/a.go", "package a // more\n")
	r.write("src/b.go", "package x\n")
	r.write("src/new.go", "x")
	if got := r.look("src/a.go", "src/b.go", "src/new.go"); got != "src/a.go changed, src/new.go untracked" {
		t.Error(got)
	}
}

// TestStashes: their number, and when the latest was made.
func TestStashes(t *testing.T) {
	r := newRepo(t)
	r.write("a", "1")
	r.commit()
	expect := func(want int) {
		t.Helper()
		n, latest := gitlog.Stashes(r.at(".git"))
		if n != want || (n > 0) != (time.Since(latest) < time.Hour) {
			t.Errorf("%d, %v; want %d", n, latest, want)
		}
	}
	expect(0)
	for i := range 2 {
		r.write("a", fmt.Sprint("other", i))
		r.git("stash", "-q")
		expect(i + 1)
	}
	r.git("pack-refs", "--all")
	expect(2)
	r.git("stash", "clear")
	expect(0)
	r.write(".git/logs/refs/stash", "nonsense\n")
	expect(0)
}

// TestLikeGit changes random files in random ways, and holds what is said of them against git status: nothing may be said that git does not
// say. A wrong claim misleads an agent; silence does not.
func TestLikeGit(t *testing.T) {
	said := map[State]int{}
	silent := map[string]int{} // files of which git says something, and Look nothing
	for seed := range *rounds {
		r := newRandom(t, uint64(seed))
		for step := range 15 {
			what := r.act()
			status := r.status()
			for _, f := range Look(gitlog.Find(r.dir), r.names, nil).Files {
				said[f.State]++
				if !agrees(f.State, status[f.Path]) && !r.differs(f) {
					t.Fatalf("seed %d, step %d, %s: %s is %s; git says %q\n%s", seed, step, what, f.Path, f.State, status[f.Path], r.git("status", "--porcelain"))
				}
				delete(status, f.Path)
			}
			for _, letters := range status {
				silent[letters]++
			}
		}
	}
	t.Log(said, "silent", silent)
	for _, state := range []State{Changed, Added, Deleted, Untracked} {
		if said[state] == 0 {
			t.Errorf("%d files are %s", said[state], state)
		}
	}
}

// agrees reports whether git's two letters for a file, perhaps twice, say the same.
func agrees(s State, letters string) bool {
	switch s {
	case Changed:
		return strings.ContainsAny(letters, "MT")
	case Added:
		return strings.Contains(letters, "A")
	case Deleted:
		return strings.Contains(letters, "D")
	case Untracked:
		return strings.Contains(letters, "?")
	}
	return strings.Contains(letters, "U") || letters == "AA" || letters == "DD"
}

// A random is a repository that is changed at random.
type random struct {
	*repo
	*rand.Rand
	names []string
}

func newRandom(t *testing.T, seed uint64) *random {
	pool := []string{
		"a", "b.go", "src/a.go", "src/b.go", "src/deep/c.go", "src/deep/d.txt", "build/out.o", "logs/x.log", "src/keep.log", "Src/A.go", "docs/a b.md",
		"src/[id]/page.ts", "sub/x", "ünï/cödé.go",
	}
	r := &random{newRepo(t), rand.New(rand.NewPCG(seed, 1)), pool}
	if seed%3 == 1 {
		r.git("config", "index.version", "4")
	}
	if seed%4 == 1 {
		r.git("config", "core.autocrlf", "input")
	}
	r.write(".gitignore", []string{"*.log\n!src/keep.log\nbuild/\n", "/src/*\n!/src/a.go\n", "**/deep/\nlogs/**\n*.[oa]\n", "# none\n\n"}[r.IntN(4)])
	for _, name := range pool {
		if r.IntN(3) > 0 {
			r.write(name, r.content())
		}
	}
	r.commit()
	return r
}

func (r *random) content() string {
	return []string{"", "x\n", "y\n", "xx\n", "a\r\nb\r\n", "a\nb\n\n\n", strings.Repeat("line\n", r.IntN(50)), "$Id$\n"}[r.IntN(8)]
}

// act does one thing, which may fail, and says what.
func (r *random) act() string {
	name := r.names[r.IntN(len(r.names))]
	git := func(args ...string) { _, _ = r.try(args...) }
	switch n := r.IntN(26); n {
	case 0, 1, 2, 3, 4:
		if info, err := os.Lstat(filepath.Dir(r.at(name))); err == nil && !info.IsDir() {
			return "nothing"
		}
		r.write(name, r.content())
	case 5:
		r.remove(name)
	case 6:
		now := time.Now().Add(time.Duration(r.IntN(7200)-3600) * time.Second)
		_ = os.Chtimes(r.at(name), now, now)
	case 7, 8:
		git("add", "-f", name)
	case 9:
		git("add", "-A")
	case 10:
		git("commit", "-qam", "x")
	case 11:
		git("mv", name, name+".moved")
	case 12:
		git("rm", "-q", "--cached", name)
	case 13:
		_ = os.Chmod(r.at(name), 0o755)
	case 14:
		git("add", "-N", name)
	case 15:
		git("update-index", []string{"--assume-unchanged", "--no-assume-unchanged", "--skip-worktree", "--no-skip-worktree"}[r.IntN(4)], name)
	case 16:
		git("-c", "core.optionalLocks=true", "update-index", "-q", "--refresh")
	case 17:
		git("reset", "-q", []string{"--soft", "--mixed", "--hard"}[r.IntN(3)], "HEAD~1")
	case 18:
		git("stash", "-q")
	case 19:
		git("checkout", "-q", "-b", fmt.Sprint("b", r.IntN(1000)))
	case 20:
		git("update-index", "--cacheinfo", "100644,"+strings.TrimSpace(r.git("hash-object", "-w", r.at(".gitignore")))+","+name)
	case 21:
		r.write(".gitattributes", []string{"* text=auto\n", "*.go filter=none\n", "* eol=crlf\n", "*.go ident\n"}[r.IntN(4)])
	case 22:
		if runtime.GOOS != "windows" && os.Remove(r.at(name)) == nil {
			_ = os.Symlink("a", r.at(name))
		}
	case 23:
		git("read-tree", "HEAD") // without the times of files
	case 24:
		git("restore", "--staged", name)
	case 25:
		if r.IntN(4) == 0 {
			git("init", "-q", filepath.Dir(r.at("sub/x")))
		}
	}
	return name
}

// status returns what git says of each file.
func (r *random) status() map[string]string {
	all := map[string]string{}
	for line := range strings.SplitSeq(r.git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"), "\x00") {
		if len(line) > 3 && slices.Contains(r.names, line[3:]) {
			all[line[3:]] += line[:2]
		}
	}
	return all
}

// differs reports whether a file has another content than the index, even though git does not say so: within a second, it cannot always.
func (r *random) differs(f File) bool {
	is, err := os.ReadFile(r.at(f.Path))
	was, failed := r.try("cat-file", "blob", ":"+f.Path)
	return f.State == Changed && err == nil && failed == nil && !bytes.Equal(is, []byte(was)) && !bytes.Contains(is, []byte("\r\n"))
}
