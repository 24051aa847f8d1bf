package hydrate_test

// gains_replay_test.go measures what gsd knows where nobody ever called it: at each labelled commit that ends a task of a plan, an
// agent starts from nothing but a clone.

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// gains counts, over the moments at which a task was just ended and no later one begun, what gsd next knows.
type gains struct {
	moments int
	first   int // it names the plan first
	named   int // or among those in flight
	resume  int // and the task to resume is the one after
	done    int // tasks that are done
	again   int // of these, would be done again
	open    int // tasks that are not
	skipped int // of these, would be skipped
}

func (g gains) plus(o gains, sign int) gains {
	return gains{
		g.moments + sign*o.moments, g.first + sign*o.first, g.named + sign*o.named, g.resume + sign*o.resume,
		g.done + sign*o.done, g.again + sign*o.again, g.open + sign*o.open, g.skipped + sign*o.skipped,
	}
}

func (g gains) row(name string) string {
	of := func(n, all int) string { return fmt.Sprintf("%5.1f %%", 100*float64(n)/float64(max(all, 1))) }
	return fmt.Sprintf("%-11s %7d  %s  %s  %s  %s  %s\n", name, g.moments, of(g.first, g.moments), of(g.named, g.moments),
		of(g.resume, g.moments), of(g.again, g.done), of(g.skipped, g.open))
}

// The bars, in thousandths.
const (
	barNamed   = 995
	barResumed = 960
	barAgain   = 25
	barSkipped = 6
)

func TestReplayGains(t *testing.T) {
	if testing.Short() {
		t.Skip("checks out many moments")
	}
	t.Parallel()
	var bundles []string
	for _, dir := range []string{"../../shared/replay/full", "../../shared/replay/more"} {
		found, _ := filepath.Glob(dir + "/r*.bundle")
		bundles = append(bundles, found...)
	}
	if !*thorough {
		bundles = slices.DeleteFunc(bundles, func(name string) bool { return !strings.Contains("r06 r16 r18", bundleName(name)) })
	}
	if len(bundles) == 0 {
		t.Skip("no replay data")
	}
	results := make([]gains, len(bundles))
	eachBundle(t, bundles, func(t *testing.T, i int) { results[i] = replayGains(t, bundles[i]) })
	var all gains
	table := fmt.Sprintf("\n%-11s %7s  %7s  %7s  %7s  %7s  %7s\n", "bundle", "moments", "first", "named", "resume", "again", "skipped")
	for i, g := range results {
		all = all.plus(g, 1)
		table += g.row(bundleName(bundles[i]))
	}
	table += all.row("all")
	for i, g := range results {
		table += all.plus(g, -1).row("without " + bundleName(bundles[i]))
	}
	t.Log(table)
	for what, reached := range map[string]bool{
		"the plan is named": all.named*1000 >= barNamed*all.moments, "the task to resume": all.resume*1000 >= barResumed*all.moments,
		"done again": all.again*1000 <= barAgain*all.done, "skipped": all.skipped*1000 <= barSkipped*all.open,
	} {
		if *thorough && !reached {
			t.Errorf("%s: beyond its bar; %+v", what, all)
		}
	}
}

// replayGains asks at each moment of a bundle.
func replayGains(t *testing.T, bundle string) (g gains) {
	t.Helper()
	dir := t.TempDir()
	cloneReplay(t, bundle, dir)
	runGit(t, dir, "sparse-checkout", "set", ".planning")
	for _, l := range labels[taskLabel](t, strings.TrimSuffix(bundle, ".bundle")+".jsonl", "tasks") {
		history := strings.Fields(git(t, dir, "", "rev-list", "--topo-order", "--reverse", l.After))
		ends := l.ends(history)
		for k := 1; ends[k] > 0; k++ {
			later := false // one that comes after was begun before
			for n, ids := range l.Commits {
				number, _ := strconv.Atoi(n)
				later = later || number > k && slices.ContainsFunc(ids, func(id string) bool { return slices.Index(history, id) <= ends[k] })
				later = later || number < k && ends[number] > ends[k]
			}
			if !later {
				g = g.plus(gainsAt(t, dir, history[ends[k]], l, k), 1)
			}
		}
	}
	return g
}

// ends returns the index in a history of the last commit of each task, by its number.
func (l taskLabel) ends(history []string) map[int]int {
	ends := map[int]int{}
	for n, ids := range l.Commits {
		number, err := strconv.Atoi(n)
		if err != nil {
			continue
		}
		for _, id := range ids {
			ends[number] = max(ends[number], slices.Index(history, id))
		}
	}
	return ends
}

// gainsAt asks in a commit at which tasks 1 to k of a plan are done.
func gainsAt(t *testing.T, dir, commit string, l taskLabel, k int) (g gains) {
	t.Helper()
	checkout(t, dir, commit)
	p, err := hydrate.Open(dir)
	if err != nil {
		return gains{} // its plans are not there yet
	}
	defer p.Close()
	plan, err := p.Planning.ReadPlan(l.Plan)
	if err != nil || len(plan.Tasks) < k || p.Planning.SummaryOf(l.Plan) != "" {
		return gains{} // the plan was committed after its work, or its summary before
	}
	answer, err := p.Next("replay", time.Now())
	if err != nil {
		t.Fatalf("%s: %v", commit, err)
	}
	g.moments, g.done, g.open = 1, k, len(plan.Tasks)-k
	n := answer.Next
	progress := n.Progress
	if n.Plan == l.Plan {
		g.first, g.named = 1, 1
	} else {
		at := slices.IndexFunc(n.AlsoReady, func(its verdict.PlanRef) bool { return its.Plan == l.Plan })
		if at < 0 {
			t.Logf("%s %.8s: %s, of which task %d is done, is not named; next is %s: %s", bundleName(dir), commit, l.Plan, k, n.Plan, strings.Join(view.Because(n.Because), "; "))
			g.again = k
			return g
		}
		progress = n.AlsoReady[at].Progress
		if g.named = 1; progress == nil && k < len(plan.Tasks) {
			t.Logf("%.8s: %s is also ready, and not in flight", commit, l.Plan)
		}
	}
	if progress == nil {
		g.again = k
		return g
	}
	for i, task := range progress.Tasks {
		switch is := task.Status == planfile.Complete; {
		case i < k && !is:
			g.again++
		case i >= k && is:
			g.skipped++
		}
	}
	if progress.Resume == nil && k == len(plan.Tasks) || progress.Resume != nil && progress.Resume.Number == k+1 {
		g.resume = 1
	} else {
		t.Logf("%.8s: %s, of which task %d of %d is done: %+v", commit, l.Plan, k, len(plan.Tasks), progress.Resume)
	}
	return g
}
