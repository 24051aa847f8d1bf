package app_test

// replay_test.go holds the use cases against 33 real histories (../shared/replay/README.md), each moment checked out as it
// was: the parent of the commit that added a plan's summary, and that commit. Sixteen of them are there twice: first parents
// and subjects only, and full, with merges, message bodies and all file names.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/view"
)

// measures counts, over some moments, how often gsd was right. A miss is a tie if the plan that next names is of the same phase,
// gets its summary, too, and the right one is in also_ready: several executors were at work, or could have been, and nobody knew
// which of them would be the first to end.
type measures struct {
	events int
	live   int // before: session live, resume at task 1
	stale  int // after: stale, plan-completed
	next   int // before: next names the plan
	tied   int // before: it does not, which is a tie
	ready  int // before: next or its also_ready names it
	also   int // before: plans in also_ready, all together

	after int // after: the plan of the next event is there
	first int // of these, next names it
	equal int // of these, it does not, which is a tie
	later int // after: the plan of the next event is not there yet
	phase int // of these, next names its phase
	named int // before and after: next names a plan
	dead  int // of these, one that never gets a summary

	samples int // at commits all over the history
	coming  int // of these, a plan that gets its summary next is there
	hit     int // of these, next names it
	said    int // at these commits, next names a plan
	lost    int // of these, one that never gets a summary
}

// counts returns each count of m.
func (m *measures) counts() []*int {
	return []*int{
		&m.events, &m.live, &m.stale, &m.next, &m.tied, &m.ready, &m.also, &m.after, &m.first, &m.equal, &m.later, &m.phase, &m.named, &m.dead,
		&m.samples, &m.coming, &m.hit, &m.said, &m.lost,
	}
}

// add adds the counts of o, times by.
func (m *measures) add(o measures, by int) {
	for i, n := range o.counts() {
		*m.counts()[i] += by * *n
	}
}

func (m measures) without(o measures) measures {
	m.add(o, -1)
	return m
}

const replayHead = "bundle       events   live     stale    next  without ties  or also  also_ready | after  first  without ties | later  phase   | named  dead    | samples coming  first | named  dead\n"

func (m measures) row(name string) string {
	percent := func(n, of int) string {
		if of == 0 {
			return "      - "
		}
		return fmt.Sprintf("%5.1f %%", 100*float64(n)/float64(of))
	}
	return fmt.Sprintf("%-11s %7d  %s  %s  %s  %s  %s  %10.2f |%6d  %s  %s |%6d  %s |%6d  %s |%8d %6d  %s |%6d  %s\n", name, m.events, percent(m.live, m.events),
		percent(m.stale, m.events), percent(m.next, m.events), percent(m.next, m.events-m.tied), percent(m.ready, m.events), float64(m.also)/float64(max(m.events, 1)),
		m.after, percent(m.first, m.after), percent(m.first, m.after-m.equal), m.later, percent(m.phase, m.later), m.named, percent(m.dead, m.named),
		m.samples, m.coming, percent(m.hit, m.coming), m.said, percent(m.lost, m.said))
}

// The bars, per thousand moments of all projects; barAlso is plans for a hundred moments.
const (
	barLive    = 996 // not all: in three, commits carried out the first task before the moment, as without a session
	barStale   = 1000
	barNext    = 968
	barNotTied = 990
	barReady   = 995
	barAlso    = 35
	barFirst   = 908
	barUntied  = 962
	barPhase   = 600
	barDead    = 15
	barLost    = 105
)

// replaySets are the directories of the whole histories, as package replay calls them: each project once, as it really was.
var replaySets = []string{"full", "more"}

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
	all := make([]measures, len(replaySets))
	t.Run("sets", func(t *testing.T) {
		for i, set := range replaySets {
			t.Run(set, func(t *testing.T) {
				t.Parallel()
				bundles := replay.Files(t, set)
				results, answers := make([]measures, len(bundles)), make([][]string, len(bundles))
				eachBundle(t, bundles, func(t *testing.T, i int) { results[i], answers[i] = replayMoments(t, bundles[i]) })
				for _, m := range results {
					all[i].add(m, 1)
				}
				table := "\n" + replayHead
				for i, m := range results {
					table += m.row(bundleName(bundles[i]))
				}
				table += all[i].row("all")
				for j, m := range results { // a project whose figures the rest does not share
					table += all[i].without(m).row("without " + bundleName(bundles[j]))
				}
				t.Log(table)
				holdGolden(t, "next-"+set, slices.Concat(answers...))
			})
		}
	})
	projects := all[0]
	projects.add(all[1], 1)
	t.Logf("\n%s%s%s%s", replayHead, all[0].row("full"), all[1].row("more"), projects.row("full, more"))
	if testenv.Thorough() && projects.events > 0 { // the golden files hold the others
		projects.holdBars(t)
	}
}

func (m measures) holdBars(t *testing.T) {
	t.Helper()
	for _, bar := range []struct {
		what          string
		got, of, want int
	}{
		{"live sessions that resume at task 1", m.live, m.events, barLive},
		{"stale sessions, plan-completed", m.stale, m.events, barStale},
		{"moments whose plan next names", m.next, m.events, barNext},
		{"moments whose plan next names, without ties", m.next, m.events - m.tied, barNotTied},
		{"moments whose plan next or also_ready names", m.ready, m.events, barReady},
		{"moments after a summary when next names the next plan", m.first, m.after, barFirst},
		{"moments after a summary when next names the next plan, without ties", m.first, m.after - m.equal, barUntied},
		{"moments after a summary when next names the phase of a plan to come", m.phase, m.later, barPhase},
		{"plans that next names and that get a summary", m.named - m.dead, m.named, 1000 - barDead},
		{"plans that next names anywhere and that get a summary", m.said - m.lost, m.said, 1000 - barLost},
	} {
		if bar.got*1000 < bar.want*bar.of {
			t.Errorf("%s: %d of %d, want %.1f %%", bar.what, bar.got, bar.of, float64(bar.want)/10)
		}
	}
	if m.also*100 > barAlso*m.events {
		t.Errorf("also_ready has %.2f plans on average, want at most %.2f", float64(m.also)/float64(m.events), float64(barAlso)/100)
	}
}

// cloneReplay clones .planning of a bundle without its branch, which has at each moment what is still to come: it would be named as work
// on another branch.
func cloneReplay(t *testing.T, bundle, dir string) {
	t.Helper()
	runGit(t, "", "clone", "--quiet", "--no-checkout", bundle, dir)
	runGit(t, dir, "sparse-checkout", "set", "--no-cone", "/.planning/")
	heads := filepath.Join(dir, ".git", "refs", "heads")
	if err := errors.Join(os.RemoveAll(heads), os.Mkdir(heads, 0o777)); err != nil {
		t.Fatal(err)
	}
}

// replayMoments walks through one bundle's moments, and through commits all over it. answers are those of next, a line each.
func replayMoments(t *testing.T, bundle string) (m measures, answers []string) {
	t.Helper()
	r := replayed{bundle: bundleName(bundle), dir: t.TempDir()}
	cloneReplay(t, bundle, r.dir)
	r.findSummaries(t)
	r.sample(t)
	events := labels[event](t, strings.TrimSuffix(bundle, ".bundle")+".jsonl", "event")
	for i, ev := range events {
		r.measureBefore(t, ev)
		later := ""
		if i+1 < len(events) {
			later = events[i+1].Plan
		}
		r.measureAfter(t, ev, later)
	}
	return r.measures, r.answers
}

// replayed is a bundle that is walked through.
type replayed struct {
	bundle, dir string
	commits     []string            // the first parents, oldest first
	added       [][]string          // the summaries that each of them added
	summaries   map[string][]string // the names of all that were ever added, by the name of their directory, which archiving keeps
	measures
	answers []string
}

func (r *replayed) findSummaries(t *testing.T) {
	t.Helper()
	out, err := exec.Command("git", "-C", r.dir, "log", "--first-parent", "-m", "--reverse", "--format=%x01%H", "--name-only", "--no-renames", "--diff-filter=A",
		"origin/main").Output() // a clone of some bundles has no HEAD
	if err != nil {
		t.Fatal(err)
	}
	r.summaries = map[string][]string{}
	for commit := range strings.SplitSeq(strings.TrimPrefix(string(out), "\x01"), "\x01") {
		id, names, _ := strings.Cut(commit, "\n")
		var added []string
		for name := range strings.Lines(names) {
			if name = strings.TrimSpace(name); !strings.Contains(path.Base(name), "SUMMARY") {
				continue
			}
			at := path.Base(path.Dir(name))
			r.summaries[at] = append(r.summaries[at], path.Base(name))
			if !strings.Contains(name, "/quick/") && !strings.Contains(name, "/milestones/") { // moved there
				added = append(added, name)
			}
		}
		r.commits, r.added = append(r.commits, id), append(r.added, added)
	}
}

// getsSummary reports whether a plan ever gets a summary.
func (r *replayed) getsSummary(plan string) bool {
	_, gets := planref.SummaryOf(plan, r.summaries[path.Base(path.Dir(plan))])
	return gets
}

// isTie reports whether it is a tie that next does not name a plan.
func (r *replayed) isTie(n *answer.Next, plan string) bool {
	phase, _ := planref.PhaseOfPlan(plan)
	return n.Phase == phase.String() && names(n, plan) && r.getsSummary(n.Plan)
}

// mostSamples is how many commits of a history are looked at.
const mostSamples = 30

// sample asks what comes next at commits all over the history.
func (r *replayed) sample(t *testing.T) {
	t.Helper()
	for i := 0; i < len(r.commits); i += max(5, len(r.commits)/mostSamples) {
		checkout(t, r.dir, r.commits[i])
		p, err := app.Open(r.dir)
		if err != nil {
			continue // before the project began
		}
		answer, err := p.Next("replay")
		p.Close()
		if err != nil {
			t.Errorf("%s: next: %v", r.commits[i], err)
			continue
		}
		n := answer.Next
		if r.samples++; n.Plan != "" {
			r.said++
			if !r.getsSummary(n.Plan) {
				r.lost++
				t.Logf("%.8s lost: next is %s: %s", r.commits[i], n.Plan, strings.Join(view.Because(n.Because), "; "))
			}
		}
		if want := r.comingPlans(i); len(want) > 0 {
			if r.coming++; slices.Contains(want, n.Plan) {
				r.hit++
			} else {
				t.Logf("%.8s want %s to come; next is %s, phase %s: %s", r.commits[i], want[0], n.Plan, n.Phase, strings.Join(view.Because(n.Because), "; "))
			}
		}
	}
}

// comingPlans returns the plans in the work tree, which is at a commit, that are the next to get a summary, in one commit.
func (r *replayed) comingPlans(at int) (plans []string) {
	for _, added := range r.added[at+1:] {
		for _, name := range added {
			files, _ := filepath.Glob(filepath.Join(r.dir, filepath.FromSlash(path.Dir(name)), "*PLAN*.md"))
			for _, file := range files {
				plan := path.Join(path.Dir(name), filepath.Base(file))
				if s, ok := planref.SummaryOf(plan, []string{path.Base(name)}); ok && s == path.Base(name) {
					plans = append(plans, plan)
				}
			}
		}
		if len(added) > 0 {
			return plans
		}
	}
	return nil
}

// ask returns the answer of next, and counts whether it names a plan that never gets a summary.
func (r *replayed) ask(t *testing.T, p *app.Project, commit string) *answer.Next {
	t.Helper()
	next, err := p.Next("replay")
	if err != nil {
		t.Errorf("%s: next: %v", commit, err)
		return &answer.Next{}
	}
	n := next.Next
	r.answers = append(r.answers, nextLine(r.bundle, commit, n))
	if n.Plan == "" {
		return n
	}
	r.named++
	if !r.getsSummary(n.Plan) {
		r.dead++
		t.Logf("%.8s dead: next is %s: %s", commit, n.Plan, strings.Join(view.Because(n.Because), "; "))
	}
	return n
}

// measureBefore measures what is said when ev's plan was being worked on.
func (r *replayed) measureBefore(t *testing.T, ev event) {
	t.Helper()
	r.events++
	checkout(t, r.dir, ev.Before)
	p, err := app.Open(r.dir)
	if err != nil {
		t.Fatalf("%s: %v", ev.Before, err)
	}
	defer p.Close()
	checkDoctor(t, p, r.bundle+" "+ev.Before[:8])
	n := r.ask(t, p, ev.Before)
	r.also += len(n.AlsoReady)
	switch {
	case n.Plan == ev.Plan:
		r.next++
		r.ready++
	case names(n, ev.Plan):
		if r.ready++; r.isTie(n, ev.Plan) {
			r.tied++
		}
		t.Logf("%.8s want %s, also ready; next is %s: %s", ev.Before, ev.Plan, n.Plan, strings.Join(view.Because(n.Because), "; "))
	default:
		t.Logf("%.8s want %s, not named; next is %s: %s", ev.Before, ev.Plan, n.Plan, strings.Join(view.Because(n.Because), "; "))
	}
	if _, err := apptest.At(p, time.Unix(1e9, 0)).Bootstrap(t.Context(), app.BootstrapOptions{User: "replay", Plan: ev.Plan, Fresh: true, Wait: time.Minute}); err != nil {
		t.Fatalf("%s: bootstrap %s: %v", ev.Before, ev.Plan, err)
	}
	if h, err := p.Hydrate("replay"); err == nil && h.Verdict == answer.Resume && h.Token == "1" {
		r.live++
	} else {
		t.Logf("%.8s %s is not live: %v %+v", ev.Before, ev.Plan, err, h)
	}
}

// measureAfter measures what is said when ev's plan had just been closed. later is the plan that was closed next, "" for none.
func (r *replayed) measureAfter(t *testing.T, ev event, later string) {
	t.Helper()
	checkout(t, r.dir, ev.After)
	p, err := app.Open(r.dir)
	if err != nil {
		t.Fatalf("%s: %v", ev.After, err)
	}
	defer func() { p.Close() }()
	if h, err := p.Hydrate("replay"); err == nil && h.Verdict == answer.Stale && hasReason(h, answer.PlanCompleted) {
		r.stale++
	} else {
		t.Logf("%.8s %s is not done: %v %+v", ev.After, ev.Plan, err, h)
	}
	if err := os.RemoveAll(filepath.Join(r.dir, planref.Planning, "sessions", "replay")); err != nil {
		t.Fatal(err)
	}
	p.Close()
	if p, err = app.Open(r.dir); err != nil {
		t.Fatal(err)
	}
	n := r.ask(t, p, ev.After)
	phase, _ := planref.PhaseOfPlan(later)
	_, missing := os.Stat(filepath.Join(r.dir, filepath.FromSlash(later)))
	says := n.Plan + ", phase " + n.Phase + ": " + strings.Join(view.Because(n.Because), "; ")
	switch {
	case later == "":
	case missing == nil:
		if r.after++; n.Plan == later {
			r.first++
		} else {
			if r.isTie(n, later) {
				r.equal++
			}
			t.Logf("%.8s after %s want %s; next is %s", ev.After, ev.Plan, later, says)
		}
	default:
		if r.later++; n.Phase == phase.String() {
			r.phase++
		} else {
			t.Logf("%.8s after %s want phase %s for %s; next is %s", ev.After, ev.Plan, phase, later, says)
		}
	}
}

// realMistakes are what gsd doctor --plans finds at all moments, and somebody has read: plans that depend on one of their own
// wave, and a phase whose plans are in two directories.
var realMistakes = []string{
	"r15 11-03 wave-contradicted", "r15 12.5-06 wave-contradicted", "r17 05-04 wave-contradicted", "r19 06-07 wave-contradicted",
	"r19 06-08 wave-contradicted", "r19 12-05 wave-contradicted", "r22 02-06 wave-contradicted", "r22 02-06b wave-contradicted",
	"r22 06.5-07 wave-contradicted", "r32 07-04 wave-contradicted",
	"r16 14-01 plan-id-repeated", "r16 14-02 plan-id-repeated", "r16 14-03 plan-id-repeated",
}

// checkDoctor fails for a finding that nobody knows to be a mistake: false alarms are the worst that a linter can do.
func checkDoctor(t *testing.T, p *app.Project, moment string) {
	t.Helper()
	again, err := app.Open(p.Dir) // because it leaves out superseded plans, p would not answer as before
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	bundle, _, _ := strings.Cut(moment, " ")
	for _, f := range doctor.Examine(t.Context(), again, doctor.Options{PlansOnly: true}).Findings {
		if what := bundle + " " + answer.PlanInText(f.Path) + " " + f.Code; !slices.Contains(realMistakes, what) {
			t.Errorf("%s: %s:%d: %s", moment, f.Path, f.Line, f.Says)
		}
	}
}

func hasReason(r *answer.Report, reason answer.StaleReason) bool {
	for _, s := range r.Stale {
		if s.Reason == reason {
			return true
		}
	}
	return false
}

// names tells whether a plan is among those that are ready as well.
func names(n *answer.Next, plan string) bool {
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
