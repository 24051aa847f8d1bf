package hydrate_test

// replay_test.go holds the use cases against sixteen real histories (../shared/replay/README.md), each moment
// checked out as it was: the parent of the commit that added a plan's summary, and that commit. Each is there twice:
// first parents and subjects only, and full, with merges, message bodies and all file names.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// measures counts, over some moments, how often gsd was right.
type measures struct {
	events int
	live   int // before: session live, resume at task 1
	stale  int // after: stale, plan-completed
	next   int // next names the plan
	ready  int // next or its also_ready names it
	also   int // plans in also_ready, all together
}

func (m *measures) add(o measures) {
	m.events += o.events
	m.live += o.live
	m.stale += o.stale
	m.next += o.next
	m.ready += o.ready
	m.also += o.also
}

func (m measures) row(name string) string {
	percent := func(n int) string { return fmt.Sprintf("%5.1f %%", 100*float64(n)/float64(m.events)) }
	return fmt.Sprintf("%-11s %6d  %s  %s  %s  %s  %9.2f\n", name, m.events, percent(m.live), percent(m.stale),
		percent(m.next), percent(m.ready), float64(m.also)/float64(m.events))
}

// The bars, per thousand moments of all bundles; barAlso is plans for a hundred moments.
const (
	barLive  = 1000
	barStale = 1000
	barNext  = 970
	barReady = 995
	barAlso  = 50
)

// replaySets are the directories of the histories, and the names of their golden files.
var replaySets = []struct{ name, dir string }{{"replay", "../../shared/replay"}, {"full", "../../shared/replay/full"}}

// replayBundles lists the histories of a set to replay: all, or two.
func replayBundles(t *testing.T, dir string) []string {
	t.Helper()
	bundles, _ := filepath.Glob(dir + "/r*.bundle")
	if !*thorough {
		bundles = slices.DeleteFunc(bundles, func(name string) bool { return !strings.Contains("r06 r16", filepath.Base(name)[:3]) })
	}
	if len(bundles) == 0 {
		t.Skip("no replay data in " + dir)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	if testing.Short() {
		t.Skip("checks out many moments")
	}
	return bundles
}

// bundleName is a bundle's number, such as r02.
func bundleName(bundle string) string { return strings.TrimSuffix(filepath.Base(bundle), ".bundle") }

// eachBundle replays the bundles of a set at a time.
func eachBundle(t *testing.T, bundles []string, replay func(t *testing.T, i int)) {
	t.Run("bundles", func(t *testing.T) {
		for i, bundle := range bundles {
			t.Run(bundleName(bundle), func(t *testing.T) {
				t.Parallel()
				replay(t, i)
			})
		}
	})
}

func TestReplayMoments(t *testing.T) {
	t.Parallel()
	for _, set := range replaySets {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			bundles := replayBundles(t, set.dir)
			results, answers := make([]measures, len(bundles)), make([][]string, len(bundles))
			eachBundle(t, bundles, func(t *testing.T, i int) { results[i], answers[i] = replay(t, bundles[i]) })
			var all measures
			for _, m := range results {
				all.add(m)
			}
			table := fmt.Sprintf("\n%-11s %6s  %7s  %7s  %7s  %7s  %9s\n", "bundle", "events", "live", "stale", "next", "or also", "also_ready")
			for i, m := range results {
				table += m.row(bundleName(bundles[i]))
			}
			table += all.row("all")
			for i, m := range results { // a project whose figures the rest does not share
				table += all.without(m).row("without " + bundleName(bundles[i]))
			}
			t.Log(table)
			holdGolden(t, "next-"+set.name, slices.Concat(answers...))
			if *thorough { // the two are held by the golden file
				all.holdBars(t)
			}
		})
	}
}

func (m measures) without(o measures) measures {
	m.events -= o.events
	m.live -= o.live
	m.stale -= o.stale
	m.next -= o.next
	m.ready -= o.ready
	m.also -= o.also
	return m
}

func (m measures) holdBars(t *testing.T) {
	t.Helper()
	for _, bar := range []struct {
		what string
		got  int
		want int
	}{
		{"live sessions that resume at task 1", m.live, barLive},
		{"stale sessions, plan-completed", m.stale, barStale},
		{"moments whose plan next names", m.next, barNext},
		{"moments whose plan next or also_ready names", m.ready, barReady},
	} {
		if bar.got*1000 < bar.want*m.events {
			t.Errorf("%s: %d of %d, want %.1f %%", bar.what, bar.got, m.events, float64(bar.want)/10)
		}
	}
	if m.also*100 > barAlso*m.events {
		t.Errorf("also_ready has %.2f plans on average, want at most %.2f", float64(m.also)/float64(m.events), float64(barAlso)/100)
	}
}

// replay walks through one bundle's moments. answers are those of next, a line each.
func replay(t *testing.T, bundle string) (m measures, answers []string) {
	t.Helper()
	dir := t.TempDir()
	runGit(t, "", "clone", "--quiet", "--no-checkout", bundle, dir)
	for _, ev := range labels[event](t, strings.TrimSuffix(bundle, ".bundle")+".jsonl", "event") {
		m.events++
		checkout(t, dir, ev.Before)
		p, err := hydrate.Open(dir)
		if err != nil {
			t.Fatalf("%s: %v", ev.Before, err)
		}
		checkDoctor(t, p, bundleName(bundle)+" "+ev.Before[:8])
		answer, err := p.Next("replay", time.Now())
		if err != nil {
			t.Errorf("%s: next: %v", ev.Before, err)
			answer = &hydrate.NextAnswer{Next: &verdict.Next{}}
		}
		n := answer.Next
		answers = append(answers, nextLine(bundleName(bundle), ev.Before, n))
		m.also += len(n.AlsoReady)
		switch {
		case n.Plan == ev.Plan:
			m.next++
			m.ready++
		case names(n, ev.Plan):
			m.ready++
			t.Logf("%.8s want %s, also ready; next is %s: %s", ev.Before, ev.Plan, n.Plan, strings.Join(n.Because, "; "))
		default:
			t.Logf("%.8s want %s, not named; next is %s: %s", ev.Before, ev.Plan, n.Plan, strings.Join(n.Because, "; "))
		}
		if _, err := p.Bootstrap(t.Context(), hydrate.BootstrapOptions{User: "replay", Plan: ev.Plan, Now: time.Unix(1e9, 0), Wait: time.Minute}); err != nil {
			t.Fatalf("%s: bootstrap %s: %v", ev.Before, ev.Plan, err)
		}
		if r, err := p.Hydrate("replay"); err == nil && r.Verdict == hydrate.Resume && r.Token == "1" {
			m.live++
		} else {
			t.Logf("%.8s %s is not live: %v %+v", ev.Before, ev.Plan, err, r)
		}
		checkout(t, dir, ev.After)
		if r, err := p.Hydrate("replay"); err == nil && r.Verdict == hydrate.Stale && hasReason(r, hydrate.PlanCompleted) {
			m.stale++
		} else {
			t.Logf("%.8s %s is not done: %v %+v", ev.After, ev.Plan, err, r)
		}
		p.Close()
		if err := os.RemoveAll(filepath.Join(dir, project.Planning, "sessions", "replay")); err != nil {
			t.Fatal(err)
		}
	}
	return m, answers
}

// realMistakes are what gsd doctor --plans finds at all moments, and somebody has read: plans that depend on one of their own
// wave, and a phase whose plans are in two directories.
var realMistakes = []string{
	"r15 11-03 wave-contradicted", "r15 12.5-06 wave-contradicted",
	"r16 14-01 plan-id-repeated", "r16 14-02 plan-id-repeated", "r16 14-03 plan-id-repeated",
}

// checkDoctor fails for a finding that nobody knows to be a mistake: false alarms are the worst that a linter can do.
func checkDoctor(t *testing.T, p *hydrate.Project, moment string) {
	t.Helper()
	again, err := hydrate.Open(p.Dir) // because it leaves out superseded plans, p would not answer as before
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	bundle, _, _ := strings.Cut(moment, " ")
	for _, f := range doctor.Examine(t.Context(), again, doctor.Options{PlansOnly: true, Now: time.Now()}).Findings {
		if what := bundle + " " + verdict.PlanInText(f.Path) + " " + f.Code; !slices.Contains(realMistakes, what) {
			t.Errorf("%s: %s:%d: %s", moment, f.Path, f.Line, f.Detail)
		}
	}
}

func hasReason(r *hydrate.Report, reason hydrate.StaleReason) bool {
	for _, s := range r.Stale {
		if s.Reason == reason {
			return true
		}
	}
	return false
}

// names tells whether a plan is among those that are ready as well.
func names(n *verdict.Next, plan string) bool {
	for _, p := range n.AlsoReady {
		if p.Plan == plan {
			return true
		}
	}
	return false
}

// event says what was worked on when.
type event struct{ Before, After, Plan, Summary string }

// labels reads those of one kind, a line of JSON each.
func labels[T any](t *testing.T, name, kind string) (all []T) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var is struct{ Kind string }
		var label T
		if err := errors.Join(json.Unmarshal(lines.Bytes(), &is), json.Unmarshal(lines.Bytes(), &label)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if is.Kind == kind {
			all = append(all, label)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// checkout puts a commit into the work tree; HEAD is detached there.
func checkout(t *testing.T, dir, commit string) {
	t.Helper()
	runGit(t, dir, "checkout", "--quiet", "--force", "--detach", commit)
}
