package app_test

// restore_replay_test.go compares PreviewBootstrap with the summaries of real plans (../shared/replay/README.md): the question
// is asked at the parent of the commit that added the summary, checked out as it was.

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/testenv"
)

// The bars of all bundles. Of the sixteen pairs too much, fifteen are of labels that lack them.
const (
	barPrecision         = 0.984
	barRecall            = 0.950
	barLabelledPrecision = 0.98
	barLabelledRecall    = 0.967
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

// misjudged is a plan on which PreviewBootstrap and the summary disagree.
type misjudged struct {
	tally
	text string
}

func TestRestoreReplay(t *testing.T) {
	t.Parallel()
	var bundles, of []string // and the set that each is of
	for _, set := range replaySets {
		for _, bundle := range replay.Files(t, set) {
			bundles, of = append(bundles, bundle), append(of, set)
		}
	}
	all := make([]restored, len(bundles))
	eachBundle(t, bundles, func(t *testing.T, i int) { all[i] = replayRestore(t, bundles[i]) })
	var total restored
	table := "\n" + restoredHead
	for i, r := range all {
		table += r.row(bundleName(bundles[i]))
		total.add(r)
	}
	for _, set := range replaySets {
		var sum restored
		for i, r := range all {
			if of[i] == set {
				sum.add(r)
			}
		}
		table += sum.row(set) + sum.labelled.row("as labelled") + "\n"
	}
	table += total.row("all") + total.labelled.row("as labelled") + "\n"
	for i, r := range all { // a project whose figures the rest does not share
		table += restored{tally: total.tally.without(r.tally), moments: total.moments.without(r.moments)}.row("without " + bundleName(bundles[i]))
	}
	slices.SortStableFunc(total.wrong, func(a, b misjudged) int { return cmp.Compare(b.wrong(), a.wrong()) })
	for _, c := range total.wrong {
		table += c.text
	}
	t.Log(table)
	holdGolden(t, "recover", total.answers)
	if !testenv.Thorough() { // all is held by the golden file
		return
	}
	if total.precision() < barPrecision || total.recall() < barRecall {
		t.Errorf("precision %.3f, recall %.3f; the bars are %.3f and %.3f", total.precision(), total.recall(), barPrecision, barRecall)
	}
	if is := total.labelled; is.precision() < barLabelledPrecision || is.recall() < barLabelledRecall {
		t.Errorf("as labelled, precision %.3f, recall %.3f; the bars are %.3f and %.3f", is.precision(), is.recall(), barLabelledPrecision, barLabelledRecall)
	}
	total.moments.holdBars(t)
}

// restoredHead is the line above the rows of a restored.
var restoredHead = fmt.Sprintf("%-11s %5s %5s %5s %5s  %-9s %-6s   %7s %5s %8s  %s\n", "bundle", "plans", "given", "told", "right", "precision", "recall",
	"moments", "tasks", "statuses", "ahead early strange lost begun resume")

// restored is what a bundle, or several, came to.
type restored struct {
	tally
	labelled tally // by the labels as they are, which have a commit of several tasks at the first only
	moments  moments
	wrong    []misjudged
	answers  []string // a line each
}

func (r *restored) add(o restored) {
	r.tally.add(o.tally)
	r.labelled.add(o.labelled)
	r.moments.add(o.moments)
	r.wrong, r.answers = append(r.wrong, o.wrong...), append(r.answers, o.answers...)
}

func (r restored) row(name string) string { return r.tally.row(name) + "  " + r.moments.row() + "\n" }

// replayRestore asks for each labelled plan of a bundle what its commits show before the commit that closes it, and at the last
// commit of each of its tasks.
func replayRestore(t *testing.T, bundle string) (all restored) {
	t.Helper()
	dir := t.TempDir()
	cloneReplay(t, bundle, dir)
	name := bundleName(bundle)
	told := labels[taskLabel](t, strings.TrimSuffix(bundle, ".bundle")+".jsonl", "tasks")
	asTold := slices.Clone(told)
	for i, l := range told {
		told[i] = l.shared(git(t, dir, "", "show", l.After+":"+summaryOf(t, dir, l)))
	}
	for i, l := range told {
		r := recoveredAt(t, dir, l.After+"^", l.Plan)
		all.answers = append(all.answers, recoverLine(name, l.After, r))
		c, text := held(r, l)
		asIs, _ := held(r, asTold[i])
		all.labelled.add(asIs)
		all.tally.add(c)
		m, said := replayStatuses(t, dir, l, told, len(r.Tasks))
		all.moments.add(m)
		if text += said; text != "" {
			all.wrong = append(all.wrong, misjudged{c, fmt.Sprintf("%s %s at %.8s (%d tasks)\n%s", name, l.Plan, l.After, len(r.Tasks), text)})
		}
	}
	return all
}

// recoveredAt checks a commit out and asks there what the commits show of a plan; nil if it has no such plan.
func recoveredAt(t *testing.T, dir, commit, plan string) *app.Preview {
	t.Helper()
	checkout(t, dir, commit)
	p, err := app.Open(dir)
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
	r, err := apptest.At(p, time.Unix(1e9, 0)).PreviewBootstrap(app.BootstrapOptions{User: "replay", Plan: plan})
	if err != nil {
		t.Fatalf("%s: recover %s: %v", commit, plan, err)
	}
	for _, w := range r.Warnings {
		if w.Code == history.PerhapsBegun || w.Code == app.WaitsOpen { // real projects work on plans whose dependencies are open
			continue
		}
		t.Errorf("%s: recover %s: %v", commit, plan, w)
	}
	return r
}

// held holds what was recovered against a label, and tells the difference a line a pair.
func held(r *app.Preview, l taskLabel) (tally, string) {
	told, given := map[string]bool{}, map[string]string{}
	for task, ids := range l.Commits {
		for _, id := range ids {
			told[task+" "+id] = true
		}
	}
	subjects, unsure := map[string]string{}, map[string]string{}
	for _, task := range r.Evidence {
		for _, e := range task.Commits {
			subjects[e.ID] = e.Subject
			if e.Confidence >= evidence.DefaultConfidence {
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

// sharedCommit is a line of a summary about one commit of several tasks: Task 1+2, Tasks 2 & 3, Task 1-3, Task 1+2+3, and its hash.
var sharedCommit = regexp.MustCompile(`(?i)\btasks?\s+(\d+)\s*([-+&,]|and)\s*(?:task\s+)?(\d+)(?:\s*[+&,]\s*(\d+))?\b.*[0-9a-f]{7}`)

// shared returns the label with the commits that a summary gives to several tasks at each of them. The label has them at the first only.
func (l taskLabel) shared(summary string) taskLabel {
	commits := maps.Clone(l.Commits)
	for line := range strings.Lines(summary) {
		m := sharedCommit.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		others := m[3:]
		if m[2] == "-" {
			first, _ := strconv.Atoi(m[1])
			last, _ := strconv.Atoi(m[3])
			for n := first + 1; n < last; n++ {
				others = append(others, strconv.Itoa(n))
			}
		}
		for _, task := range others {
			if task != "" && commits[task] == nil && commits[m[1]] != nil {
				commits[task] = commits[m[1]]
			}
		}
	}
	l.Commits = commits
	return l
}

// summaryOf returns the path of the summary that closes a label's plan.
func summaryOf(t *testing.T, dir string, l taskLabel) string {
	t.Helper()
	for name := range strings.Lines(git(t, dir, "", "ls-tree", "--name-only", l.After, path.Dir(l.Plan)+"/")) {
		name = strings.TrimSuffix(name, "\n")
		if found, ok := planref.SummaryOf(l.Plan, []string{path.Base(l.Plan), path.Base(name)}); ok {
			return path.Join(path.Dir(l.Plan), found)
		}
	}
	t.Fatalf("%s: no summary of %s", l.After, l.Plan)
	return ""
}
