package hydrate_test

// restore_replay_test.go compares Restore with the summaries of real plans (../shared/replay/README.md): the question
// is asked at the parent of the commit that added the summary, checked out as it was.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/hydrate"
)

// The bars of all bundles, the issue's.
const (
	barPrecision = 0.985
	barRecall    = 0.975
)

// tally counts pairs of a commit and a task.
type tally struct{ plans, given, told, right int }

func (s *tally) add(o tally) {
	s.plans += o.plans
	s.given += o.given
	s.told += o.told
	s.right += o.right
}

func (s tally) without(o tally) tally {
	return tally{s.plans - o.plans, s.given - o.given, s.told - o.told, s.right - o.right}
}

func (s tally) precision() float64 { return float64(s.right) / float64(max(s.given, 1)) }
func (s tally) recall() float64    { return float64(s.right) / float64(max(s.told, 1)) }
func (s tally) wrong() int         { return s.given + s.told - 2*s.right }

func (s tally) row(name string) string {
	return fmt.Sprintf("%-11s %5d %5d %5d %5d   %.3f  %.3f\n", name, s.plans, s.given, s.told, s.right, s.precision(), s.recall())
}

// misjudged is a plan on which Restore and the summary disagree.
type misjudged struct {
	tally
	text string
}

func TestRestoreReplay(t *testing.T) {
	t.Parallel()
	for _, set := range replaySets {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			bundles := replayBundles(t, set.dir)
			sums, wrong, answers := make([]tally, len(bundles)), make([][]misjudged, len(bundles)), make([][]string, len(bundles))
			eachBundle(t, bundles, func(t *testing.T, i int) { sums[i], wrong[i], answers[i] = replayRestore(t, bundles[i]) })
			var all tally
			for _, sum := range sums {
				all.add(sum)
			}
			table := fmt.Sprintf("\n%-11s %5s %5s %5s %5s   %s\n", "bundle", "plans", "given", "told", "right", "precision, recall")
			for i, sum := range sums {
				table += sum.row(bundleName(bundles[i]))
			}
			table += all.row("all")
			for i, sum := range sums { // a project whose figures the rest does not share
				table += all.without(sum).row("without " + bundleName(bundles[i]))
			}
			cases := slices.Concat(wrong...)
			slices.SortStableFunc(cases, func(a, b misjudged) int { return cmp.Compare(b.wrong(), a.wrong()) })
			for _, c := range cases {
				table += c.text
			}
			t.Log(table)
			holdGolden(t, "recover-"+set.name, slices.Concat(answers...))
			if !*thorough { // the two are held by the golden file
				return
			}
			if all.precision() < barPrecision || all.recall() < barRecall {
				t.Errorf("precision %.3f, recall %.3f; the bars are %.3f and %.3f", all.precision(), all.recall(), barPrecision, barRecall)
			}
		})
	}
}

// replayRestore asks for each labelled plan of a bundle what gsd restore shows before the commit that closes it. answers
// are a line each.
func replayRestore(t *testing.T, bundle string) (sum tally, wrong []misjudged, answers []string) {
	t.Helper()
	dir := t.TempDir()
	runGit(t, "", "clone", "--quiet", "--no-checkout", bundle, dir)
	for _, l := range labels[taskLabel](t, strings.TrimSuffix(bundle, ".bundle")+".jsonl", "tasks") {
		checkout(t, dir, l.After+"^")
		p, err := hydrate.Open(dir)
		if err != nil {
			t.Fatalf("%s^: %v", l.After, err)
		}
		if summary := p.Planning.SummaryOf(l.Plan); summary != "" {
			t.Errorf("%s^: %s is there already, so the question is none", l.After, summary)
		}
		r, err := p.Foresee(hydrate.BootstrapOptions{User: "replay", Plan: l.Plan})
		if err != nil {
			t.Fatalf("%s^: recover %s: %v", l.After, l.Plan, err)
		}
		p.Close()
		for _, w := range r.Warnings {
			t.Errorf("%s^: recover %s: %v", l.After, l.Plan, w)
		}
		answers = append(answers, recoverLine(bundleName(bundle), l.After, r))
		c, text := held(r, l)
		sum.add(c)
		if c.wrong() > 0 {
			wrong = append(wrong, misjudged{c, fmt.Sprintf("%s %s at %.8s (%d tasks)\n%s", bundleName(bundle), l.Plan, l.After, len(r.Tasks), text)})
		}
	}
	return sum, wrong, answers
}

// held holds what was recovered against a label, and tells the difference a line a pair.
func held(r *hydrate.Foreseen, l taskLabel) (tally, string) {
	told, given := map[string]bool{}, map[string]string{}
	for task, ids := range l.Commits {
		for _, id := range ids {
			told[task+" "+id] = true
		}
	}
	subjects, unsure := map[string]string{}, map[string]string{}
	for _, task := range r.Tasks {
		for _, e := range task.Commits {
			subjects[e.ID] = e.Subject
			if e.Confidence >= hydrate.DefaultConfidence {
				given[strconv.Itoa(task.Number)+" "+e.ID] = fmt.Sprintf("%.2f %s: %s", e.Confidence, e.Subject, e.Reason)
			} else {
				unsure[e.ID] += fmt.Sprintf("task %d at %.2f: %s", task.Number, e.Confidence, e.Reason)
			}
		}
	}
	for _, e := range r.Unassigned {
		subjects[e.ID] = e.Subject
		unsure[e.ID] += fmt.Sprintf("no task at %.2f: %s", e.Confidence, e.Reason)
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

// taskLabel says which commits carried out which task of a plan.
type taskLabel struct {
	After, Plan string
	Commits     map[string][]string // by the task's number
}
