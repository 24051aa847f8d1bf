package app_test

// ablate_test.go switches each rule of package evidence off in turn, and changes each weight, and prints which labelled
// commits that moves, on both sets of histories: `task ablate`. Each labelled plan and its commits are read once.

import (
	"flag"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/verdict"
)

var ablate = flag.Bool("ablate", false, "switch each rule about commits off in turn, and print what it moves")

// question is a labelled plan, with the commits that the walk from there may come to.
type question struct {
	bundle  string
	label   taskLabel
	plan    evidence.Plan
	commits []*evidence.Commit
}

// answer is what it is given and told: pairs of a task and a commit.
func (q *question) answer(without evidence.Rules) (given, told map[string]bool) {
	plan := q.plan
	plan.Without = without
	f := evidence.Match(slices.Values(q.commits), plan)
	given, told = map[string]bool{}, map[string]bool{}
	for _, t := range f.Tasks {
		for _, e := range t.AtLeast(evidence.DefaultConfidence) {
			given[fmt.Sprintf("%d=%.8s", t.Number, e.ID)] = true
		}
	}
	for task, ids := range q.label.Commits {
		for _, id := range ids {
			told[fmt.Sprintf("%s=%.8s", task, id)] = true
		}
	}
	return given, told
}

func TestAblate(t *testing.T) {
	if !*ablate {
		t.Skip("-ablate measures the rules; it takes a minute")
	}
	t.Setenv("GSD_THOROUGH", "1")
	for _, set := range replaySets {
		t.Run(set, func(t *testing.T) {
			bundles := replay.Files(t, set)
			questions := make([][]*question, len(bundles))
			eachBundle(t, bundles, func(t *testing.T, i int) { questions[i] = replayQuestions(t, bundles[i]) })
			all := slices.Concat(questions...)
			was := make([]map[string]bool, len(all))
			var base tally
			for i, q := range all {
				given, told := q.answer(0)
				was[i] = given
				base.add(tallyOf(given, told))
			}
			var text strings.Builder
			fmt.Fprintf(&text, "\n%-16s %9s %9s  %s\n", "without", "right", "wrong", "precision, recall")
			fmt.Fprintf(&text, "%-16s %9d %9d  %.4f %.4f\n", "nothing", base.right, base.given-base.right, base.precision(), base.recall())
			for r, rule := range evidence.Table {
				var sum tally
				var moved []string
				for i, q := range all {
					given, told := q.answer(1 << r)
					sum.add(tallyOf(given, told))
					if diff := difference(was[i], given, told); diff != "" {
						moved = append(moved, fmt.Sprintf("    %s %s %s:%s\n", q.bundle, q.label.After[:8], q.plan.ID, diff))
					}
				}
				fmt.Fprintf(&text, "%-16s %+9d %+9d  %.4f %.4f\n%s", rule.Name, sum.right-base.right, sum.given-sum.right-base.given+base.right,
					sum.precision(), sum.recall(), strings.Join(moved, ""))
			}
			weights := evidence.Standard
			table := reflect.ValueOf(&weights).Elem()
			for i := range table.NumField() {
				standard := table.Field(i).Float()
				for _, value := range []float64{0, standard / 2, standard * 2} {
					table.Field(i).SetFloat(value)
					var sum tally
					for _, q := range all {
						plan := *q
						plan.plan.Weights = &weights
						sum.add(tallyOf(plan.answer(0)))
					}
					fmt.Fprintf(&text, "%-16s %+9d %+9d  %.4f %.4f\n", fmt.Sprintf("%s %.2f", table.Type().Field(i).Name, value),
						sum.right-base.right, sum.given-sum.right-base.given+base.right, sum.precision(), sum.recall())
				}
				table.Field(i).SetFloat(standard)
			}
			t.Log(text.String())
		})
	}
}

func tallyOf(given, told map[string]bool) tally {
	s := tally{plans: 1, given: len(given), told: len(told)}
	for key := range given {
		if told[key] {
			s.right++
		}
	}
	return s
}

// difference says which pairs came and went, and which of them are right.
func difference(was, is, told map[string]bool) string {
	var all []string
	add := func(sign string, some, others map[string]bool) {
		for key := range some {
			if !others[key] {
				word := " wrong"
				if told[key] {
					word = " right"
				}
				all = append(all, " "+sign+key+word)
			}
		}
	}
	add("-", was, is)
	add("+", is, was)
	slices.Sort(all)
	return strings.Join(all, ",")
}

// replayQuestions reads the labelled plans of a bundle.
func replayQuestions(t *testing.T, bundle string) (all []*question) {
	t.Helper()
	dir := t.TempDir()
	runGit(t, "", "clone", "--quiet", "--no-checkout", bundle, dir)
	for _, l := range labels[taskLabel](t, strings.TrimSuffix(bundle, ".bundle")+".jsonl", "tasks") {
		checkout(t, dir, l.After+"^")
		p, err := app.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		file, err := p.Planning.ReadPlan(l.Plan)
		if err != nil {
			t.Fatal(err)
		}
		q := &question{bundle: bundleName(bundle), label: l, plan: verdict.PlanFacts(l.Plan, file, true)}
		q.plan.Alone = p.Planning.IsOnlyPlan(l.Plan)
		p.Planning.AllowHistory(1 << 16)
		repo, err := p.Planning.History()
		if err != nil {
			t.Fatal(err)
		}
		p.Close()
		for c := range evidence.Read(repo.Reachable(t.Context())).Commits() {
			if q.commits = append(q.commits, c); len(q.commits) == verdict.MostCommits {
				break
			}
		}
		all = append(all, q)
	}
	return all
}
