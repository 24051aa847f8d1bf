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
	barRecall    = 0.95
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
	return fmt.Sprintf("%-11s %5d %5d %5d %5d   %.3f     %.3f ", name, s.plans, s.given, s.told, s.right, s.precision(), s.recall())
}

// misjudged is a plan on which Restore and the summary disagree.
type misjudged struct {
	tally
	text string
}

// restoreSets are the histories with all file names, which evidence is measured on.
var restoreSets = []struct{ name, dir string }{{"full", "../../shared/replay/full"}, {"more", "../../shared/replay/more"}}

func TestRestoreReplay(t *testing.T) {
	t.Parallel()
	var bundles, names []string
	sets := map[string][]string{}
	for _, set := range restoreSets {
		some := replayBundles(t, set.dir)
		bundles = append(bundles, some...)
		for _, bundle := range some {
			names = append(names, bundleName(bundle))
			sets[set.name] = append(sets[set.name], bundleName(bundle))
		}
	}
	all := make([]restored, len(bundles))
	eachBundle(t, bundles, func(t *testing.T, i int) { all[i] = replayRestore(t, bundles[i]) })
	table := fmt.Sprintf("\n%-11s %5s %5s %5s %5s  %-9s %-6s", "bundle", "plans", "given", "told", "right", "precision", "recall") +
		fmt.Sprintf("  %7s %5s %8s %6s %6s %5s %6s %6s\n", "moments", "tasks", "statuses", "ahead", "early", "lost", "begun", "resume")
	var total restored
	of := map[string]*restored{}
	for i, r := range all {
		table += r.row(names[i])
		total.add(r)
		for _, set := range restoreSets {
			if slices.Contains(sets[set.name], names[i]) {
				if of[set.name] == nil {
					of[set.name] = &restored{}
				}
				of[set.name].add(r)
			}
		}
	}
	for _, set := range restoreSets {
		if r := of[set.name]; r != nil {
			table += r.row(set.name)
		}
	}
	table += total.row("all")
	for i, r := range all { // a project whose figures the rest does not share
		table += restored{tally: total.tally.without(r.tally), moments: total.moments.without(r.moments)}.row("without " + names[i])
	}
	slices.SortStableFunc(total.wrong, func(a, b misjudged) int { return cmp.Compare(b.wrong(), a.wrong()) })
	for _, c := range total.wrong {
		table += c.text
	}
	t.Log(table)
	holdGolden(t, "recover", total.answers)
	if !*thorough { // the two are held by the golden file
		return
	}
	if total.precision() < barPrecision || total.recall() < barRecall {
		t.Errorf("precision %.3f, recall %.3f; the bars are %.3f and %.3f", total.precision(), total.recall(), barPrecision, barRecall)
	}
	total.moments.holdBars(t)
}

// restored is what a bundle, or several, came to.
type restored struct {
	tally
	moments moments
	wrong   []misjudged
	answers []string // a line each
}

func (r *restored) add(o restored) {
	r.tally.add(o.tally)
	r.moments.add(o.moments)
	r.wrong, r.answers = append(r.wrong, o.wrong...), append(r.answers, o.answers...)
}

func (r restored) row(name string) string { return r.tally.row(name) + "  " + r.moments.row() + "\n" }

// replayRestore asks for each labelled plan of a bundle what its commits show before the commit that closes it, and at the last
// commit of each of its tasks.
func replayRestore(t *testing.T, bundle string) (all restored) {
	t.Helper()
	dir := t.TempDir()
	runGit(t, "", "clone", "--quiet", "--no-checkout", bundle, dir)
	name := bundleName(bundle)
	for _, l := range labels[taskLabel](t, strings.TrimSuffix(bundle, ".bundle")+".jsonl", "tasks") {
		r := recoveredAt(t, dir, l.After+"^", l.Plan)
		all.answers = append(all.answers, recoverLine(name, l.After, r))
		c, text := held(r, l)
		all.tally.add(c)
		m, said := replayStatuses(t, dir, l, len(r.Tasks))
		all.moments.add(m)
		if text += said; text != "" {
			all.wrong = append(all.wrong, misjudged{c, fmt.Sprintf("%s %s at %.8s (%d tasks)\n%s", name, l.Plan, l.After, len(r.Tasks), text)})
		}
	}
	return all
}

// recoveredAt checks a commit out and asks there what the commits show of a plan; nil if it has no such plan.
func recoveredAt(t *testing.T, dir, commit, plan string) *hydrate.Restored {
	t.Helper()
	checkout(t, dir, commit)
	p, err := hydrate.Open(dir)
	if err != nil {
		t.Fatalf("%s: %v", commit, err)
	}
	defer p.Close()
	if _, err := p.Planning.ReadPlan(plan); err != nil {
		return nil
	}
	if summary := p.Planning.SummaryOf(plan); summary != "" && strings.HasSuffix(commit, "^") {
		t.Errorf("%s: %s is there already, so the question is none", commit, summary)
	}
	r, err := p.FromGit(t.Context(), plan, hydrate.RestoreOptions{User: "replay", From: hydrate.FromGit, MinConfidence: hydrate.DefaultConfidence, MaxCommits: hydrate.DefaultCommits, DryRun: true})
	if err != nil {
		t.Fatalf("%s: recover %s: %v", commit, plan, err)
	}
	for _, w := range r.Warnings {
		t.Errorf("%s: recover %s: %v", commit, plan, w)
	}
	return r
}

// held holds what was recovered against a label, and tells the difference a line a pair.
func held(r *hydrate.Restored, l taskLabel) (tally, string) {
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
