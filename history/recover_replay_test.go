package history

// recover_replay_test.go holds the rules of Recover against the summaries of real plans
// (../shared/replay/README.md): the question is asked at the parent of the commit that added the summary.

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// The bars that the project set itself.
const (
	barPrecision = 0.97
	barRecall    = 0.88
)

// tally counts pairs of a commit and a task.
type tally struct{ plans, given, told, right int }

func (s *tally) add(o tally) {
	s.plans += o.plans
	s.given += o.given
	s.told += o.told
	s.right += o.right
}

func (s tally) precision() float64 { return float64(s.right) / float64(max(s.given, 1)) }
func (s tally) recall() float64    { return float64(s.right) / float64(max(s.told, 1)) }
func (s tally) wrong() int         { return s.given + s.told - 2*s.right }

func (s tally) row(name string) string {
	return fmt.Sprintf("%-8s %5d %5d %5d %5d   %.3f  %.3f\n", name, s.plans, s.given, s.told, s.right, s.precision(), s.recall())
}

// thorough takes all bundles, as .ci/run replay does; else every fourth one must do.
var thorough = flag.Bool("thorough", false, "recover the plans of all bundles")

func TestRecoverReplay(t *testing.T) {
	t.Parallel()
	needGit(t)
	bundles, _ := filepath.Glob("../../shared/replay/*.bundle")
	if !*thorough {
		bundles = slices.DeleteFunc(bundles, func(name string) bool { return !strings.Contains("r02 r06 r09 r16", filepath.Base(name)[:3]) })
	}
	if len(bundles) == 0 {
		t.Skip("no replay data beside the repository")
	}
	type bad struct {
		tally
		text string
	}
	var all, first, second tally
	var cases []bad
	table := fmt.Sprintf("\n%-8s %5s %5s %5s %5s   %s\n", "bundle", "plans", "given", "told", "right", "precision, recall")
	for i, bundle := range bundles {
		name := strings.TrimSuffix(filepath.Base(bundle), ".bundle")
		dir := t.TempDir()
		git(t, dir, "", "clone", "-q", "--bare", "-b", "main", bundle, ".git")
		var sum tally
		for _, l := range taskLabels(t, strings.TrimSuffix(bundle, ".bundle")+".jsonl") {
			p, found := recoverAt(t, dir, l)
			c, text := compare(found, l)
			sum.add(c)
			if c.wrong() > 0 {
				cases = append(cases, bad{c, fmt.Sprintf("%s %s at %.8s (%d tasks)\n%s", name, l.Plan, l.After, len(p.Tasks), text)})
			}
		}
		table += sum.row(name)
		all.add(sum)
		if i%2 == 0 {
			first.add(sum)
		} else {
			second.add(sum)
		}
	}
	slices.SortStableFunc(cases, func(a, b bad) int { return cmp.Compare(b.wrong(), a.wrong()) })
	for _, c := range cases[:min(20, len(cases))] {
		table += c.text
	}
	t.Log(table + first.row("odd") + second.row("even") + all.row("all"))
	if all.precision() < barPrecision || all.recall() < barRecall {
		t.Errorf("precision %.3f, recall %.3f; the bars are %.2f and %.2f", all.precision(), all.recall(), barPrecision, barRecall)
	}
}

// compare holds what was found against a label.
func compare(found Found, l taskLabel) (tally, string) {
	told, given := map[string]bool{}, map[string]string{}
	for task, ids := range l.Commits {
		for _, id := range ids {
			told[task+" "+id] = true
		}
	}
	subjects := map[string]string{}
	unsure := map[string]string{}
	for _, task := range found.Tasks {
		for _, e := range task.Commits {
			key := strconv.Itoa(task.Number) + " " + e.ID
			subjects[e.ID] = e.Subject
			if e.Confidence >= DefaultConfidence {
				given[key] = fmt.Sprintf("%.2f %s: %s", e.Confidence, e.Subject, e.Reason)
			} else {
				unsure[e.ID] += fmt.Sprintf("task %d at %.2f: %s", task.Number, e.Confidence, e.Reason)
			}
		}
	}
	for _, e := range found.Unassigned {
		unsure[e.ID] += fmt.Sprintf("no task at %.2f: %s", e.Confidence, e.Reason)
		subjects[e.ID] = e.Subject
	}
	c := tally{plans: 1, given: len(given), told: len(told)}
	var lines []string
	for key, why := range given {
		if told[key] {
			c.right++
		} else {
			lines = append(lines, fmt.Sprintf("    too much: task %.10s %s\n", key, why))
		}
	}
	for key := range told {
		if given[key] == "" {
			id := strings.Fields(key)[1]
			lines = append(lines, fmt.Sprintf("    missing:  task %.10s %s (%s)\n", key, subjects[id], unsure[id]))
		}
	}
	slices.Sort(lines)
	return c, strings.Join(lines, "")
}

// taskLabel is one line of the labels.
type taskLabel struct {
	Kind, After, Plan string
	Commits           map[string][]string
}

func taskLabels(t *testing.T, name string) []taskLabel {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var labels []taskLabel
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l taskLabel
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if l.Kind == "tasks" {
			labels = append(labels, l)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return labels
}

// recoverAt asks what is known before the commit that closes a plan.
func recoverAt(t *testing.T, dir string, l taskLabel) (Plan, Found) {
	t.Helper()
	before := strings.TrimSpace(git(t, dir, "", "rev-parse", l.After+"^"))
	cmd := exec.Command("git", "show", before+":"+l.Plan)
	cmd.Dir = dir
	src, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(l.Plan, src)
	names := git(t, dir, "", "ls-tree", "-z", "--name-only", before, path.Dir(l.Plan)+"/")
	for name := range strings.SplitSeq(strings.TrimSuffix(names, "\x00"), "\x00") {
		if name != l.Plan && roadmap.IsPlan(path.Base(name)) {
			p.Siblings = append(p.Siblings, planOf(name, []byte(git(t, dir, "", "show", before+":"+name))))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte(before+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir, ".planning")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return p, Recover(worksOf(t, r), p)
}

// worksOf gives commits as values; the trees of the bundles hold nothing but the planning directory.
func worksOf(t *testing.T, r *Repo) iter.Seq[Work] {
	return func(yield func(Work) bool) {
		for c, err := range r.Reachable(context.Background()) {
			if err != nil {
				t.Error(err)
				return
			}
			w := Work{ID: c.ID, When: c.When, Subject: c.Subject, Body: c.Body(), Merge: c.Merge()}
			w.Has = func(file string) bool {
				has, err := c.Has(file)
				if err != nil {
					t.Error(err)
				}
				return has
			}
			w.Changes = func() []Change {
				changes, err := c.Changes()
				if err != nil {
					t.Error(err)
				}
				return changes
			}
			if !yield(w) {
				return
			}
		}
	}
}

// planOf reads a plan for the rules.
func planOf(name string, src []byte) Plan {
	f := planfile.Parse(src)
	id, _ := roadmap.PlanID(name)
	p := Plan{Path: name, ID: id}
	for _, t := range f.Tasks {
		task := Task{Number: t.Number, Name: f.Name(t.Number), Type: t.Type}
		children, err := f.Children(t.Number)
		if err == nil {
			for _, c := range children {
				if c.Name == "files" {
					task.Files = strings.FieldsFunc(c.Text, func(r rune) bool { return strings.ContainsRune(", \n\t`", r) })
				}
			}
		}
		if src, err := f.Source(t.Number); err == nil {
			start, _, _ := strings.Cut(string(src), ">")
			task.TDD = strings.Contains(start, `tdd="true"`) || f.Dialect == planfile.DialectFeature
		}
		p.Tasks = append(p.Tasks, task)
	}
	return p
}
