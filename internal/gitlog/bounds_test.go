package gitlog

// bounds_test.go: the cost of reading any repository. Time depends on the machine, so work is counted: the budget
// spent, the files opened, the allocations. Growth is measured at n, 2n and 4n.

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// spent returns the budget that it takes to read of each commit its message, its changes and its version of a file, as
// evidence does.
func spent(t *testing.T, dir string) int64 {
	t.Helper()
	budget := durable.NewBudget(math.MaxInt64)
	r, err := Find(dir).Open(budget)
	noError(t, err)
	defer r.Close()
	for _, c := range all(t, r.Reachable(t.Context())) {
		_, err := c.Changes()
		_, _, err2 := c.Outside()
		_, err3 := c.Version(".planning/a")
		noError(t, errors.Join(err, err2, err3))
		c.Body()
	}
	return math.MaxInt64 - budget.Left()
}

// commitTo and fileIn write commands of `git fast-import`.
func commitTo(w *strings.Builder, branch, message string, n int) {
	fmt.Fprintf(w, "commit refs/heads/%s\ncommitter A <a@x> %d +0000\ndata %d\n%s\n", branch, 1_600_000_000+n, len(message), message)
}

func fileIn(w *strings.Builder, name, text string) {
	fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
}

// TestGrowth checks that the cost of reading is linear in everything that a repository can have more of.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("writes repositories of thousands of commits")
	}
	t.Parallel()
	const most = 1.15
	for name, c := range map[string]struct {
		stream func(w *strings.Builder, n int)
		after  func(t *testing.T, dir string, n int)
	}{
		"commits": {stream: func(w *strings.Builder, n int) {
			for i := range 10 * n {
				commitTo(w, "main", "feat(01-01): x", i)
				fileIn(w, ".planning/a", fmt.Sprint(i))
			}
		}},
		"commits of one moment": {stream: func(w *strings.Builder, n int) {
			for i := range 10 * n {
				commitTo(w, "main", fmt.Sprint("x", i), 0)
			}
		}},
		"parents of a merge": {stream: func(w *strings.Builder, n int) {
			commitTo(w, "main", "first", 0)
			for i := range 10 * n { // with a mark each in place of a branch, which would be a file
				text := fmt.Sprint("side", i)
				fmt.Fprintf(w, "commit refs/heads/side\nmark :%d\ncommitter A <a@x> %d +0000\ndata %d\n%s\nfrom refs/heads/main\n", i+1, 1_600_000_000+i%3, len(text), text)
			}
			commitTo(w, "main", "merge", 9)
			for i := range 10 * n {
				fmt.Fprintf(w, "merge :%d\n", i+1)
			}
		}},
		"tree entries": {stream: func(w *strings.Builder, n int) {
			commitTo(w, "main", "wide", 0)
			for i := range 10 * n {
				fileIn(w, fmt.Sprintf(".planning/%06d", i), "")
			}
			for i := range 20 {
				commitTo(w, "main", "x", i)
				fileIn(w, ".planning/a", fmt.Sprint(i))
			}
		}},
		"deep trees": {stream: func(w *strings.Builder, n int) {
			for i := range 20 {
				commitTo(w, "main", "x", i)
				fileIn(w, ".planning/"+strings.Repeat("d/", n/8)+"a", fmt.Sprint(i))
			}
		}},
		"bytes of a message": {stream: func(w *strings.Builder, n int) {
			for i := range 5 {
				commitTo(w, "main", "x\n\n"+strings.Repeat("line of a body\n", 100*n), i)
			}
		}},
		"references": {
			func(w *strings.Builder, n int) { commitTo(w, "main", "x", 0) },
			func(t *testing.T, dir string, n int) { // as git pack-refs does, without a file for each first
				id := strings.TrimSpace(git(t, dir, "", "rev-parse", "main"))
				lines := []byte("# pack-refs with: peeled fully-peeled sorted \n")
				for i := range 10 * n {
					lines = fmt.Appendf(lines, "%s refs/heads/r%06d\n", id, i)
				}
				replace(t, filepath.Join(dir, ".git", "packed-refs"), lines)
			},
		},
		"loose objects": {
			func(w *strings.Builder, n int) {
				for i := range n {
					commitTo(w, "main", fmt.Sprint("x", i), i)
				}
			},
			func(t *testing.T, dir string, n int) { unpack(t, dir) },
		},
		"alternates": {
			func(w *strings.Builder, n int) { commitTo(w, "main", "x", 0) },
			func(t *testing.T, dir string, n int) {
				var lines strings.Builder
				for i := range 10 * n {
					fmt.Fprintf(&lines, "/nowhere/%d\n", i)
				}
				replace(t, filepath.Join(dir, ".git", "objects", "info", "alternates"), []byte(lines.String()))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var work []float64
			for _, n := range []int{100, 200, 400} {
				var w strings.Builder
				c.stream(&w, n)
				dir := written(t, w.String())
				if c.after != nil {
					c.after(t, dir, n)
				}
				work = append(work, float64(spent(t, dir)))
			}
			// The larger of both steps counts, because constant costs hide the rest at first.
			if is := math.Log2(max(work[1]/work[0], work[2]/work[1])); is > most {
				t.Errorf("n^%.2f: %.0f", is, work)
			}
		})
	}
}

// TestPacksGrow checks that the number of packs is limited and that searching each is charged to the budget, because a
// lookup may search all packs.
func TestPacksGrow(t *testing.T) {
	t.Parallel()
	for _, n := range []int{maxPacks, maxPacks + 1} {
		dir := t.TempDir()
		at := filepath.Join(dir, "objects", "pack")
		noError(t, os.MkdirAll(at, 0o777))
		index := makeIndex(map[plumbing.Hash]uint64{{1}: 12}, [20]byte{})
		for i := range n {
			noError(t, os.WriteFile(filepath.Join(at, fmt.Sprintf("pack-%d.idx", i)), index, 0o666))
		}
		budget := durable.NewBudget(math.MaxInt64)
		s := newStore([]string{filepath.Join(dir, "objects")}, budget)
		_, err := s.get(plumbing.Hash{2})
		if want := map[bool]error{false: ErrTruncated, true: errTooLarge}[n > maxPacks]; !errors.Is(err, want) || len(s.packs) != maxPacks {
			t.Errorf("%d packs of %d: %v, want %v", len(s.packs), n, err, want)
		}
		before := budget.Left()
		s.get(plumbing.Hash{3})                          // the indexes are open now
		asked := int64(lookupCost + fanoutCost*maxPacks) // for a loose one, and each pack
		if is := before - budget.Left(); is != asked {
			t.Errorf("another lookup in %d packs: %d spent, want %d", maxPacks, is, asked)
		}
		before = budget.Left()
		s.get(plumbing.Hash{1, 2}) // there is one that begins so
		asked += lookupCost * maxPacks
		if is := before - budget.Left(); is > asked+lookupCost || is < asked-fanoutCost {
			t.Errorf("a lookup in %d indexes: %d spent, want %d", maxPacks, is, asked)
		}
		s.close()
	}
}

// TestAlternates checks that a directory counts once whatever its name, as in git, and that their number is limited.
func TestAlternates(t *testing.T) {
	t.Parallel()
	dir := newRepo(t, "", true)
	truth := gitLog(t, dir, "")
	objects := filepath.Join(dir, ".git", "objects")
	list := func(lines string) (dirs []string, more bool) {
		replace(t, filepath.Join(objects, "info", "alternates"), []byte(lines))
		return Place{common: filepath.Join(dir, ".git")}.objects()
	}
	var links, relative strings.Builder
	for i := range 10 {
		name := fmt.Sprint("link", i)
		if err := os.Symlink(".", filepath.Join(objects, name)); err != nil {
			t.Skip(err)
		}
		fmt.Fprintln(&links, filepath.Join(objects, name))
		fmt.Fprintln(&relative, name)
	}
	for name, c := range map[string]struct {
		lines string
		dirs  int
		more  bool
	}{
		"links to itself":          {links.String(), 1, false},
		"links, relative":          {relative.String(), 1, false},
		"through links and back":   {"link1/link2/../link3/.\n", 1, false},
		"as many lines as may be":  {strings.Repeat("/nowhere\n", maxAlternateLines), 1, false},
		"a line too many":          {strings.Repeat("/nowhere\n", maxAlternateLines+1), 1, true},
		"comments, blank lines":    {"# x\n\n#link1\n", 1, false},
		"another twice":            {dir + "\n" + dir + "/.\n" + objects + "/../..\n", 2, false},
		"a file of its own name":   {filepath.Join(objects, "info", "alternates") + "\n", 2, false},
		"more than can be listed":  {strings.Repeat("x", 2<<20), 1, false},
		"a line without its break": {dir, 2, false},
	} {
		dirs, more := list(c.lines)
		if len(dirs) != c.dirs || more != c.more {
			t.Errorf("%s: %d directories, want %d; more %v: %q", name, len(dirs), c.dirs, more, dirs)
		}
		if len(c.lines) < 1000 && !holdsTrue(t, dir, truth) {
			t.Errorf("%s: an object was not read", name)
		}
	}
	var many strings.Builder
	for range maxAlternates + 10 {
		fmt.Fprintln(&many, t.TempDir())
	}
	if dirs, more := list(many.String()); len(dirs) != maxAlternates+1 || !more {
		t.Errorf("%d directories, more %v", len(dirs), more)
	}
}

// TestAlternatesAreDeep checks that alternates are followed five levels deep, as in git.
func TestAlternatesAreDeep(t *testing.T) {
	t.Parallel()
	needGit(t)
	root := t.TempDir()
	const chain = 8
	for i := range chain {
		dir := filepath.Join(root, fmt.Sprint(i))
		git(t, root, "", "init", "-q", "-b", "main", dir)
		if i+1 < chain {
			replace(t, filepath.Join(dir, ".git", "objects", "info", "alternates"), []byte(filepath.Join(root, fmt.Sprint(i+1), ".git", "objects")+"\n"))
		}
	}
	for i := range chain {
		dir := filepath.Join(root, fmt.Sprint(i))
		id := strings.TrimSpace(git(t, dir, fmt.Sprint(i), "hash-object", "-w", "--stdin"))
		// git prints "missing" for an object that it does not have.
		theirs := !strings.Contains(git(t, filepath.Join(root, "0"), id+"\n", "cat-file", "--batch-check"), "missing")
		dirs, more := Place{common: filepath.Join(root, "0", ".git")}.objects()
		store := newStore(dirs, nil)
		_, err := store.get(plumbing.NewHash(id))
		if ours := err == nil; ours != theirs || more {
			t.Errorf("%d deep: ours %v (%v), git's %v", i, ours, err, theirs)
		}
		store.close()
	}
}

// TestBudget checks that a walk ends with an error when the budget is spent, that the commits before are valid, and
// that the budget is never overdrawn.
func TestBudget(t *testing.T) {
	t.Parallel()
	dir := newRepo(t, "", true)
	truth := gitLog(t, dir, "")
	ended := map[bool]int{}
	for size := int64(100); size < 1<<20; size += size / 3 {
		budget := durable.NewBudget(size)
		r, err := Find(dir).Open(budget)
		if errors.Is(err, durable.ErrBudget) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		n := 0
		for c, err := range r.Log(t.Context()) {
			if err != nil {
				if !errors.Is(err, durable.ErrBudget) || errors.Is(err, ErrTruncated) {
					t.Errorf("a budget of %d: %v", size, err)
				}
				n = -1 - n
				break
			}
			got, err := entryOf(c)
			if err != nil && !errors.Is(err, durable.ErrBudget) {
				t.Errorf("a budget of %d: %v", size, err)
			}
			if err == nil && !slices.Equal(got.Changes, truth[n].Changes) || got.ID != truth[n].ID {
				t.Errorf("a budget of %d: %+v, want %+v", size, got, truth[n])
			}
			n++
		}
		ended[n == len(truth)]++
		if budget.Left() < 0 {
			t.Errorf("a budget of %d is overdrawn by %d", size, -budget.Left())
		}
		r.Close()
	}
	if len(ended) != 2 {
		t.Errorf("the walk did not stop: %v", ended)
	}
}
