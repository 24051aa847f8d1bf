package evidence

// ablate_test.go: every rule of this package, with its origin and the source change that switches it off, and every weight. So the code needs
// no switches, and the table cannot describe code that no longer exists. `task ablate` builds the tests with each change in turn, and prints
// what the labelled moments of the replayed projects come to without it; -together 'tests;files' measures a set, since one rule may make up
// for another. Tests of this package fail without any of them. A rule that moves no labelled moment, and guards against nothing that a made-up
// history shows either, is removed.

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	ablate   = flag.Bool("ablate", false, "switch off each rule in turn, and print the effect")
	together = flag.String("together", "", "switch off these rules at once; their names are separated by semicolons")
)

// rule is a rule or a weight; without replaces code to switch it off.
type rule struct{ name, from, file, code, without string }

// "guards" in an origin means that no labelled moment is moved: without the rule, more open work of made-up plans is called complete, or more
// commits of other work are counted.
var rules = []rule{
	{"phase", "530 of 9,800 real commits: `feat(phase-12)`, `fix(08)`", "belong.go", "case !p.Alone:", "case true:"},
	{"led", "a whole project: `feat(app): 03-01 …`", "belong.go", "|| it.Led)", "|| false)"},
	{"unnamed", "a whole project without scopes", "belong.go", "!unnamed || !p.fits", "true || !p.fits"},
	{"squash", "GitHub's squash, git merge --squash", "belong.go", `if s.Reverts == "" {`, "if false {"},
	{"planning", "guards; upstream's executor: `docs(03-01): complete … plan`", "belong.go", "excluded.Wrote++\n	return false", "return true"},
	{"elsewhere", "guards; upstream's workstreams, and projects of monorepos, repeat ids", "belong.go", "excluded.Elsewhere++\n		return false", "return true"},
	{"moved", "upstream's remove-phase and insert-phase renumber; directories get better names", "walk.go", "if !w.added && w.last != nil {\n", "if false {\n"},
	{"late", "plan 58-01 of r03: three commits before its file", "walk.go", "!it.isRevert() && !it.Scoped", "!it.isRevert()"},
	{"reverts", "guards; git revert", "walk.go", "case gone[i]:", "case gone[i] && false:"},
	{"tests", "upstream's TDD executor: `test(03-01): add failing test`", "part.go", `it.Type != "test" ||`, "true ||"},
	{"unfinished", "guards; `wip(03-01): …`, also before a pause", "part.go", "if it.unfinished {", "if false {"},
	{"checkpoints", "upstream's executor commits auto tasks only", "align.go", "(len(it.tasks) > 0 || task.IsCheckpoint())", "len(it.tasks) > 0"},
	{"one task", "labelled plans", "align.go", "if n == 1 {", "if false {"},
	{"files", "labelled plans; subjects that say in other words what a task's name says", "align.go", `it.Type != "fix" ||`, "false &&"},
	{"not of a fix", "it changes what was done before", "align.go", `it.Type != "fix" ||`, "true ||"},
	{"several", "16 commits of real projects, such as `Task 1+2` in a summary", "align.go", "if assignments != nil {\n		p.assign", "if false {\n		p.assign"},
	{"order alone", "guards; a commit of any kind may be the first of a plan", "align.go", ", items[i].touched.others(task), isBeside(items[i]):", ":"},
	{"inferred", "lists whose items are no tasks", "align.go", "p.Inferred && len(p.Tasks) > 1", "false"},
	{"indistinct", "33 of 2,000 versions of real plans name no tasks; each had been complete by its first commit", "align.go", "|| t.Indistinct", "|| t.Indistinct && false"},
	{"endings", "labelled plans: tests, testing and test are one word", "words.go", `if rest, ok := strings.CutSuffix(w, ending); ok`, `if rest, ok := strings.CutSuffix(w, ending); false && ok`},

	{"weight: match", "", "rules.go", "match = 4", "match = 0"},
	{"weight: next", "", "rules.go", "next  = 1", "next  = 0"},
	{"weight: rest", "", "rules.go", "rest  = 2", "rest  = 0"},
	{"weight: skip", "", "rules.go", "skip  = -1", "skip  = 0"},
	{"weight: again", "", "rules.go", "again = -2", "again = 0"},
	{"weight: back", "", "rules.go", "back  = -3", "back  = 0"},
	{"weight: sure", "", "rules.go", "sure       = 0.975", "sure       = 1"},
	{"weight: indirect", "", "rules.go", "indirect   = 0.8", "indirect   = 1"},
	{"weight: order alone", "", "rules.go", "orderAlone = 0.65", "orderAlone = 1"},
	{"weight: unsure", "", "rules.go", "unsure     = 0.5", "unsure     = 1"},
	{"weight: least", "", "rules.go", "least      = 0.2", "least      = 0"},
}

// The code of each rule occurs exactly once.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, r := range rules {
		src, err := os.ReadFile(r.file)
		if n := strings.Count(string(src), r.code); err != nil || n != 1 {
			t.Errorf("%s: %q occurs %d times in %s, %v", r.name, r.code, n, r.file, err)
		}
	}
}

func TestAblate(t *testing.T) {
	if !*ablate {
		t.Skip("-ablate measures the rules; each takes half a minute")
	}
	sets := [][]rule{nil}
	for _, r := range rules {
		switch {
		case *together == "":
			sets = append(sets, []rule{r})
		case slices.Contains(strings.Split(*together, ";"), r.name):
			sets[0] = append(sets[0], r)
		}
	}
	for _, set := range sets {
		overlay, name := without(t, set)
		_, says := run(overlay, ".")
		fails := strings.Contains(says, "--- FAIL")
		if *together == "" && fails == (set == nil) || strings.Contains(says, "build failed") {
			t.Errorf("without %s, the tests of this package fail: %v\n%s", name, fails, says)
		}
		figures, _ := run(overlay, "../app", "-run", "^TestRestoreReplay$", "-v", "-args", "-thorough")
		t.Logf("%-20s %s", name, figures)
	}
}

// without returns an overlay of the sources without some rules, and their names.
func without(t *testing.T, set []rule) (overlay, name string) {
	t.Helper()
	dir, sources, changes := t.TempDir(), map[string]string{}, map[string]string{}
	for _, r := range set {
		name += r.name + ";"
		if sources[r.file] == "" {
			src, err := os.ReadFile(r.file)
			if err != nil {
				t.Fatal(err)
			}
			sources[r.file] = string(src)
		}
		sources[r.file] = strings.Replace(sources[r.file], r.code, r.without, 1)
	}
	for file, src := range sources {
		full, err := filepath.Abs(file)
		if changes[full] = filepath.Join(dir, file); err != nil || os.WriteFile(changes[full], []byte(src), 0o600) != nil {
			t.Fatal(file, err)
		}
	}
	data, _ := json.Marshal(map[string]any{"Replace": changes})
	overlay = filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay, name
}

// run runs tests with an overlay, and returns their line about all bundles, and all lines.
func run(overlay, pkg string, args ...string) (all, says string) {
	out, _ := exec.Command("go", append([]string{"test", "-vet=off", "-overlay", overlay, pkg}, args...)...).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "all ") {
			all = line
		}
	}
	return all, string(out)
}
