package gitlog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// past is before anything in a test.
var past = time.Unix(1_000_000_000, 0)

// cmdOK reports whether git does something.
func cmdOK(dir string, args ...string) bool {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	return cmd.Run() == nil
}

// noneLikely is for Branches.
func noneLikely(string) bool { return false }

// besideIn returns what the branches of a repository have that HEAD has not: "name: commits, latest first" with an arrow where HEAD could
// be moved there.
func besideIn(t testing.TB, dir string, most int) (all []string) {
	t.Helper()
	r := mustOpen(t, physical(dir))
	for _, b := range r.Beside(context.Background(), r.Branches(noneLikely, 50), most) {
		var subjects []string
		for _, c := range b.Commits {
			subjects = append(subjects, c.Subject)
		}
		arrow := ""
		if b.FastForward {
			arrow = "> "
		}
		name := b.Name
		if b.Worktree != "" {
			name += "@" + filepath.Base(b.Worktree)
		}
		all = append(all, name+": "+arrow+strings.Join(subjects, " "))
	}
	slices.Sort(all)
	return all
}

// TestBesideAsGit: random histories of branches that fork, merge and stand still, with commits of one second among them, loose and packed: the
// branches have what git log BRANCH --not HEAD says.
func TestBesideAsGit(t *testing.T) {
	needGit(t)
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 1))
		dir := physical(t.TempDir())
		git(t, dir, "", "init", "-q", "-b", "main")
		var out strings.Builder
		when := 1_700_000_000
		tips, marks := map[string]int{}, 0
		for i := range 40 {
			name := fmt.Sprintf("b%d", random.IntN(6))
			if i == 0 || random.IntN(4) == 0 {
				name = "main"
			}
			when += random.IntN(2) * 60
			marks++
			fmt.Fprintf(&out, "commit refs/heads/%s\nmark :%d\ncommitter A <a@x> %d +0000\ndata <<.\nc%d\n.\n", name, marks, when, marks)
			from := tips[name]
			if from == 0 && marks > 1 {
				from = 1 + random.IntN(marks-1)
			}
			if from > 0 {
				fmt.Fprintf(&out, "from :%d\n", from)
				if other := 1 + random.IntN(marks-1); other != from && random.IntN(4) == 0 {
					fmt.Fprintf(&out, "merge :%d\n", other)
				}
			}
			fmt.Fprintf(&out, "M 100644 inline f%d\ndata <<.\n%d\n.\n\n", i, i)
			tips[name] = marks
		}
		git(t, dir, out.String(), "fast-import", "--quiet")
		if seed%2 == 1 {
			git(t, dir, "", "pack-refs", "--all")
		}
		var want []string
		for name := range tips {
			left := strings.Fields(git(t, dir, "", "log", "--format=%s", name, "--not", "HEAD"))
			if len(left) == 0 {
				continue
			}
			arrow := ""
			if git(t, dir, "", "log", "--format=%s", "HEAD", "--not", name) == "" {
				arrow = "> "
			}
			slices.Sort(left)
			want = append(want, name+": "+arrow+strings.Join(left, " "))
		}
		slices.Sort(want)
		got := besideIn(t, dir, 100)
		seen := map[string]bool{} // two branches on one commit are one
		for i, line := range got {
			name, commits, _ := strings.Cut(line, ": ")
			rest, forward := strings.CutPrefix(commits, "> ")
			all := strings.Fields(rest)
			slices.Sort(all)
			if rest = strings.Join(all, " "); forward {
				rest = "> " + rest
			}
			got[i], seen[rest] = name+": "+rest, true
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d:\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		r := mustOpen(t, dir)
		for _, id := range append(strings.Fields(git(t, dir, "", "rev-list", "--all")), strings.Repeat("1", 40)) {
			ancestor := cmdOK(dir, "merge-base", "--is-ancestor", id, "HEAD")
			for _, most := range []int{1, 3, 100} {
				if is, known := r.Has(context.Background(), id, most); known && is != ancestor || !known && most == 100 {
					t.Errorf("seed %d, at most %d: %s in HEAD's history: %v, %v, and git says %v", seed, most, id, is, known, ancestor)
				}
			}
		}
		for _, most := range []int{1, 2, 5, 10} { // what is said after fewer commits is true
			for _, line := range besideIn(t, dir, most) {
				name, rest, _ := strings.Cut(line, ": ")
				i := slices.IndexFunc(want, func(w string) bool { return strings.HasPrefix(w, name+": ") })
				for _, c := range strings.Fields(strings.TrimPrefix(rest, "> ")) {
					if i < 0 || !slices.Contains(strings.Fields(want[i]), c) {
						t.Errorf("seed %d, at most %d: %s, of %q", seed, most, line, want)
					}
				}
			}
		}
	}
}

// TestBranches: where branches are found, and where nothing is said.
func TestBranches(t *testing.T) {
	needGit(t)
	dir := physical(t.TempDir())
	at := func(name string) string { return filepath.Join(dir, name) }
	git(t, dir, "", "init", "-q", "-b", "main", "main")
	commit := func(in, subject string) { git(t, at(in), "", "commit", "-q", "--allow-empty", "-m", subject) }
	expect := func(in string, want ...string) {
		t.Helper()
		if got := besideIn(t, at(in), 100); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	if r, err := Find(at("main")).Open(nil); !errors.Is(err, ErrNone) {
		t.Errorf("without a commit: %+v, %v", r, err)
	}
	commit("main", "one")
	expect("main")
	git(t, at("main"), "", "branch", "same")
	expect("main")
	git(t, at("main"), "", "worktree", "add", "-q", "-b", "feature/x", "../linked")
	git(t, at("main"), "", "worktree", "add", "-q", "--detach", "../loose")
	git(t, at("main"), "", "worktree", "add", "-q", "-b", "gone", "../gone")
	commit("linked", "two")
	commit("loose", "three")
	commit("gone", "four")
	expect("main", "@loose: > three", "feature/x@linked: > two", "gone@gone: > four")
	git(t, at("main"), "", "worktree", "lock", "--reason", "claude agent agent-a1 (pid 12)", "../linked")
	noError(t, os.RemoveAll(at("gone")))
	noError(t, os.RemoveAll(at("loose")))
	expect("main", "feature/x@linked: > two", "gone: > four") // what was checked out on no branch is gone
	git(t, at("main"), "", "pack-refs", "--all")
	expect("main", "feature/x@linked: > two", "gone: > four")
	commit("main", "five")
	expect("main", "feature/x@linked: two", "gone: four")
	expect("linked", "gone: four", "main@main: five")
	for _, b := range mustOpen(t, at("main")).Branches(noneLikely, 50) {
		if want := map[bool]string{true: "claude agent agent-a1 (pid 12)"}[b.Name == "feature/x"]; b.Lock != want {
			t.Errorf("%q: locked for %q, want %q", b.Name, b.Lock, want)
		}
	}
	git(t, at("main"), "", "symbolic-ref", "refs/heads/alias", "refs/heads/gone")
	for name, text := range map[string]string{ // as an archive may bring them
		"refs/heads/broken": "x", "refs/heads/missing": strings.Repeat("a", 40), "refs/heads/a.lock": git(t, at("main"), "", "rev-parse", "gone"),
	} {
		noError(t, os.WriteFile(at("main/.git/"+name), []byte(text+"\n"), 0o666))
	}
	packed := read(t, at("main/.git/packed-refs"))
	f, err := os.OpenFile(at("main/.git/packed-refs"), os.O_APPEND|os.O_WRONLY, 0)
	noError(t, err)
	fmt.Fprintf(f, "%s refs/heads/\x1b[2J\n%[1]s refs/heads/../../../../etc/passwd\n", strings.TrimSpace(git(t, at("main"), "", "rev-parse", "gone")))
	noError(t, f.Close())
	expect("main", "feature/x@linked: two", "gone: four")
	noError(t, os.WriteFile(at("main/.git/packed-refs"), packed, 0o666))
	for _, name := range []string{"alias", "broken", "missing", "a.lock"} {
		noError(t, os.Remove(at("main/.git/refs/heads/"+name)))
	}
	git(t, at("main"), "", "merge", "-q", "--no-edit", "gone")
	git(t, at("main"), "", "worktree", "remove", "--force", "--force", "../linked")
	git(t, at("main"), "", "branch", "-q", "-D", "feature/x")
	expect("main")

	git(t, at("main"), "", "checkout", "-q", "-b", "side")
	commit("main", "six")
	git(t, at("main"), "", "checkout", "-q", "main")
	git(t, dir, "", "clone", "-q", "--depth", "1", "--no-single-branch", "file://"+at("main"), "shallow")
	git(t, at("shallow"), "", "branch", "-q", "side", "origin/side")
	git(t, at("shallow"), "", "checkout", "-q", "-b", "new")
	commit("shallow", "seven")
	git(t, at("shallow"), "", "checkout", "-q", "main")
	expect("shallow", "new: > seven") // side may have been merged, for all that is known
	if cmdOK(dir, "init", "-q", "--ref-format=reftable", "table") {
		git(t, at("table"), "", "commit", "-q", "--allow-empty", "-m", "x")
		git(t, at("table"), "", "checkout", "-q", "-b", "y")
		git(t, at("table"), "", "commit", "-q", "--allow-empty", "-m", "y")
		git(t, at("table"), "", "checkout", "-q", "-")
		if r, err := Find(at("table")).Open(nil); !errors.Is(err, ErrUnsupported) {
			t.Errorf("reftable: %+v, %v", r, err)
		}
	}
}

// TestBranchesFirst: of more branches than are looked at, the likely ones, then those that HEAD was on of late.
func TestBranchesFirst(t *testing.T) {
	needGit(t)
	dir := physical(t.TempDir())
	git(t, dir, "", "init", "-q", "-b", "main")
	git(t, dir, "", "commit", "-q", "--allow-empty", "-m", "x")
	refs := ""
	for i := range 40 {
		id := strings.TrimSpace(git(t, dir, "", "commit-tree", "-m", fmt.Sprint(i), "HEAD^{tree}"))
		refs += fmt.Sprintf("create refs/heads/%c%02d %s\n", "aw"[i%2], i, id)
	}
	git(t, dir, refs, "update-ref", "--stdin")
	git(t, dir, "", "pack-refs", "--all")
	for _, name := range []string{"a08", "a30", "a20", "main"} {
		git(t, dir, "", "checkout", "-q", name)
	}
	first := func(most int) (names []string) {
		for _, b := range mustOpen(t, dir).Branches(func(name string) bool { return name == "w31" || name == "w07" }, most) {
			names = append(names, b.Name)
		}
		return names
	}
	if got := first(9); !slices.Contains([]string{"w07 w31 a20 a30 a08", "w31 w07 a20 a30 a08"}, strings.Join(got, " ")) {
		t.Errorf("%q", got)
	}
	noError(t, os.Chtimes(filepath.Join(dir, ".git/logs/refs/heads/w31"), past, past))
	if got := first(2); strings.Join(got, " ") != "w07 w31" {
		t.Errorf("%q", got)
	}
	if got := first(50); len(got) != 40 {
		t.Errorf("%d of all", len(got))
	}
}

// TestTyped: a branch is only typed where git takes its name for nothing else.
func TestTyped(t *testing.T) {
	needGit(t)
	dir := physical(t.TempDir())
	git(t, dir, "", "init", "-q", "-b", "main")
	git(t, dir, "", "commit", "-q", "--allow-empty", "-m", "x")
	git(t, dir, "", "tag", "v1")
	git(t, dir, "", "tag", "v2")
	git(t, dir, "", "pack-refs", "--all")
	git(t, dir, "", "tag", "v3")
	r := mustOpen(t, dir)
	for name, want := range map[string]bool{
		"worktree-agent-1": true, "gsd/phase-01-one": true, "a_b.c": true, "feature/v1": true,
		"": false, "-x": false, "--upload-pack=x": false, "HEAD": false, "config": false, "v1": false, "v3": false, "heads/main": false, "a b": false, "a;b": false,
		"$(x)": false, "`x`": false, "a'b": false, "é": false, "@{-1}": false, "a..b": false, "../x": false, "/x": false, "main@{1}": false, "x^": false, "~": false,
	} {
		if got := r.Typed(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestFits: a fast-forward is only called safe where git makes it.
func TestFits(t *testing.T) {
	needGit(t)
	for name, change := range map[string]func(file func(name, text string), dir string){
		"clean":            func(func(name, text string), string) {},
		"another file":     func(file func(name, text string), _ string) { file("other", "mine") },
		"changed":          func(file func(name, text string), _ string) { file("both", "mine") },
		"removed":          func(_ func(name, text string), dir string) { os.Remove(filepath.Join(dir, "both")) },
		"untracked":        func(file func(name, text string), _ string) { file("src/new", "mine") },
		"a file for a dir": func(file func(name, text string), _ string) { file("src", "mine") },
		"midway":           func(file func(name, text string), _ string) { file(".git/MERGE_HEAD", "x") },
		"a link": func(_ func(name, text string), dir string) {
			os.Remove(filepath.Join(dir, "both"))
			os.Symlink("other", filepath.Join(dir, "both"))
		},
	} {
		dir := physical(t.TempDir())
		file := func(name, text string) {
			t.Helper()
			noError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
			noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
		git(t, dir, "", "init", "-q", "-b", "main")
		file("both", "one")
		file("other", "one")
		git(t, dir, "", "add", ".")
		git(t, dir, "", "commit", "-q", "-m", "one")
		git(t, dir, "", "checkout", "-q", "-b", "ahead")
		file("both", "two")
		file("src/new", "two")
		git(t, dir, "", "add", ".")
		git(t, dir, "", "commit", "-q", "-m", "two")
		git(t, dir, "", "checkout", "-q", "main")
		change(file, dir)
		r := mustOpen(t, dir)
		all := r.Beside(context.Background(), r.Branches(noneLikely, 9), 9)
		if len(all) != 1 {
			t.Fatalf("%s: %+v", name, all)
		}
		if got, want := r.Fits(&all[0]), name == "clean" || name == "another file"; got != want {
			t.Errorf("%s: %v", name, got)
		} else if merged := cmdOK(dir, "merge", "-q", "--ff-only", "ahead"); got && !merged {
			t.Errorf("%s: git does not merge it", name)
		}
	}
}

// TestIsHere: what was squashed, picked or rebased is here, and what differs by one file is not.
func TestIsHere(t *testing.T) {
	needGit(t)
	dir := physical(t.TempDir())
	file := func(name, text string) { noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)) }
	commit := func(subject string) {
		git(t, dir, "", "add", ".")
		git(t, dir, "", "commit", "-q", "--allow-empty", "-m", subject)
	}
	git(t, dir, "", "init", "-q", "-b", "main")
	file("a", "1")
	commit("one")
	git(t, dir, "", "checkout", "-q", "-b", "side")
	file("b", "1")
	commit("two")
	file("b", "2")
	commit("three")
	git(t, dir, "", "checkout", "-q", "main")
	isHere := func() bool {
		r := mustOpen(t, dir)
		all := r.Beside(context.Background(), r.Branches(noneLikely, 9), 9)
		return len(all) == 1 && r.IsHere(&all[0])
	}
	if isHere() {
		t.Error("before")
	}
	file("b", "1")
	commit("a part")
	if isHere() {
		t.Error("a part")
	}
	file("b", "2")
	file("c", "1")
	commit("squashed, and more")
	if !isHere() {
		t.Error("squashed")
	}
}
