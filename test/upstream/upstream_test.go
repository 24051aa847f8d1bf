package upstream

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/replay"
	_ "github.com/gsd-cli/gsd/testdata/memory" // thousands of projects are written
)

var (
	checks = flag.Int("projects", 500, "how many projects to make up; a tenth if upstream is not asked")
	survey = flag.Int("survey", 0, "show so many examples of each difference that no reason covers, and go on")
	only   = flag.String("only", "", "of these questions only")
	unlist = flag.String("unlist", "", "take the reasons that begin so off the list, to see the smallest project with such a difference")
)

func TestMain(m *testing.M) {
	flag.Parse()
	// The same projects every time.
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if os.Getenv("GSD_CORE") == "" && !given["projects"] {
		*checks /= 10
	}
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.checks": fmt.Sprint(*checks), "rapid.nofailfile": "true"} {
		if !given[name] {
			flag.Set(name, value)
		}
	}
	os.Exit(m.Run())
}

// tally counts the questions and the differences.
type tally struct {
	asked    map[string]int
	differ   map[string]int            // by question
	reasons  map[string]int            // differences, by the name of the reason that covers them
	byReason map[string]map[string]int // and by question
	unlisted map[string][]string
}

func newTally() *tally {
	return &tally{map[string]int{}, map[string]int{}, map[string]int{}, map[string]map[string]int{}, map[string][]string{}}
}

// add counts a project's answers and returns the first difference that no reason covers.
func (y *tally) add(x *pair, shown func() string) *difference {
	for q, n := range x.asked {
		y.asked[q] += n
	}
	var first *difference
	for i, d := range x.found {
		y.differ[d.question]++
		name := ""
		for _, r := range reasons {
			if (*unlist == "" || !strings.HasPrefix(r.name, *unlist)) && r.covers(d) {
				name = r.name
				break
			}
		}
		if name == "" {
			name = "none"
			y.unlisted[d.question] = append(y.unlisted[d.question], d.String()+"\n"+shown())
			if first == nil && (*only == "" || *only == d.question) {
				first = &x.found[i]
			}
		}
		y.reasons[name]++
		if y.byReason[name] == nil {
			y.byReason[name] = map[string]int{}
		}
		y.byReason[name][d.question]++
	}
	return first
}

func (y *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-18s %8s %8s %8s\n", "question", "asked", "agreed", "differ")
	asked, differ := 0, 0
	for _, q := range sortedKeys(y.asked) {
		fmt.Fprintf(&b, "%-18s %8d %8d %8d\n", q, y.asked[q], y.asked[q]-y.differ[q], y.differ[q])
		asked, differ = asked+y.asked[q], differ+y.differ[q]
	}
	fmt.Fprintf(&b, "%-18s %8d %8d %8d\n\n", "all", asked, asked-differ, differ)
	for _, name := range sortedKeys(y.reasons) {
		fmt.Fprintf(&b, "%6d  %s %v\n", y.reasons[name], name, y.byReason[name])
	}
	return b.String()
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// About random projects and the heads of real ones both programs give the same answers, or reasons has a reason. A
// reason that covers nothing must be removed.
func TestUpstream(t *testing.T) {
	c := startCore(t)
	y := newTally()
	t.Run("random", func(t *testing.T) {
		dir, n := t.TempDir(), 0
		rapid.Check(t, func(t *rapid.T) {
			p := drawProject(t)
			n++
			at := filepath.Join(dir, fmt.Sprint(n)) // upstream remembers what it read of a directory
			defer os.RemoveAll(at)
			if err := p.write(at); err != nil {
				t.Fatal(err)
			}
			if d := y.add(compare(t, c, at, p), p.String); d != nil && *survey == 0 {
				t.Fatalf("%s\n%s", d, p)
			}
		})
	})
	t.Run("replay", func(t *testing.T) {
		for _, bundle := range replay.Files(t, ".", "full") {
			at := clonePlans(t, bundle)
			git(t, at, "checkout", "-q")
			name, _ := filepath.Rel(replay.Dir(t), bundle)
			if _, err := os.Stat(filepath.Join(at, ".planning")); err != nil {
				continue // its head no longer has a project
			}
			if d := y.add(compare(t, c, at, nil), func() string { return name }); d != nil && *survey == 0 {
				t.Errorf("%s: %s", name, d)
			}
		}
	})
	t.Run("moments", func(t *testing.T) { countMoments(t, c, y) })
	t.Log(y)
	if *survey > 0 {
		for _, q := range sortedKeys(y.unlisted) {
			if *only != "" && *only != q {
				continue
			}
			examples := y.unlisted[q]
			slices.SortFunc(examples, func(a, b string) int { return len(a) - len(b) })
			for _, s := range examples[:min(*survey, len(examples))] {
				t.Log(s)
			}
		}
		return
	}
	if t.Failed() || *unlist != "" {
		return
	}
	for _, r := range reasons {
		if y.reasons[r.name] == 0 {
			t.Errorf("the reason %q no longer covers any difference: remove it", r.name)
		}
	}
}

// countMoments asks for the counts and the percentage at the head of each real history, and at five commits before it.
func countMoments(t *testing.T, c *core, y *tally) {
	for _, bundle := range replay.Files(t, ".", "more") {
		name := strings.TrimSuffix(filepath.Base(bundle), ".bundle")
		eachMoment(t, bundle, 5, func(at, commit string) {
			x := compare(t, c, at, nil)
			x.found = slices.DeleteFunc(x.found, func(d difference) bool { return !d.counts() })
			maps.DeleteFunc(x.asked, func(question string, _ int) bool { return !(difference{question: question}).counts() })
			if d := y.add(x, func() string { return name + " " + commit }); d != nil && *survey == 0 {
				t.Errorf("%s %s: %s", name, commit, d)
			}
		})
	}
}

// eachMoment checks out the head of a real history and n commits before it, as far as it has a project there, and calls at with
// the directory.
func eachMoment(t *testing.T, bundle string, n int, at func(dir, commit string)) {
	t.Helper()
	clone := clonePlans(t, bundle)
	commits := strings.Fields(git(t, clone, "rev-list", "--first-parent", "--all", "--", ".planning"))
	for k := 0; k <= n && len(commits) > 0; k++ {
		commit := commits[k*(len(commits)-1)/n]
		git(t, clone, "checkout", "-q", "-f", commit)
		dir := clone + commit // upstream remembers what it read of a directory
		if err := os.Rename(clone, dir); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, ".planning")); err == nil {
			at(dir, commit)
		}
		if err := os.Rename(dir, clone); err != nil {
			t.Fatal(err)
		}
	}
}

// differing returns how two files differ.
func differing(t *testing.T, old, now string) string {
	t.Helper()
	out, _ := exec.Command("git", "diff", "--no-index", "-U0", old, now).Output() // it exits with 1 if they differ
	return string(out)
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// clonePlans clones a bundle whose working tree will have .planning and nothing else.
func clonePlans(t *testing.T, bundle string) (clone string) {
	t.Helper()
	bundle, err := filepath.Abs(bundle)
	if err != nil {
		t.Fatal(err)
	}
	clone = filepath.Join(t.TempDir(), "clone")
	git(t, ".", "clone", "-q", "--no-checkout", "-b", "main", bundle, clone)
	git(t, clone, "sparse-checkout", "set", "--no-cone", "/.planning/")
	return clone
}
