package app_test

// sessions_replay_test.go measures what gsd knows of a plan that somebody works on and marks nothing, or hardly anything: at each
// labelled commit that ends a task, without a session, with one, and where the commits are on another branch. So it shows whether
// using gsd makes its answer worse.

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// The variants of each moment.
const (
	noSession  = iota // nobody ever called gsd
	fromBefore        // a session was started before the plan's first commit, and nothing was marked
	fromFirst         // it was started at that commit
	inProgress        // and the task after the one that was just ended was marked in progress
	elsewhere         // the commits are on another branch, and main is where it was before the first of them
	variants
)

var variantNames = [variants]string{"no session", "before", "at first", "marked", "branch"}

// gains counts, over the moments at which a task was just ended and no later one started, what gsd knows.
type gains struct {
	moments int
	first   int // next names the plan first, or the session is on it
	named   int // or among those in flight; of another branch, with its name
	resume  int // and the task to resume is the one after; of another branch, as many tasks are done there
	done    int // tasks that are done
	again   int // of these, would be done again
	open    int // tasks that are not
	ahead   int // of these, are called complete
}

func (g gains) plus(o gains, sign int) gains {
	return gains{
		g.moments + sign*o.moments, g.first + sign*o.first, g.named + sign*o.named, g.resume + sign*o.resume,
		g.done + sign*o.done, g.again + sign*o.again, g.open + sign*o.open, g.ahead + sign*o.ahead,
	}
}

// shares returns the figures of g, in percent.
func (g gains) shares() [5]float64 {
	of := func(n, all int) float64 { return 100 * float64(n) / float64(max(all, 1)) }
	return [...]float64{of(g.first, g.moments), of(g.named, g.moments), of(g.resume, g.moments), of(g.again, g.done), of(g.ahead, g.open)}
}

const gainsHead = "%-11s %7s  %7s  %7s  %7s  %7s  %7s\n"

func (g gains) row(name string) string {
	row := fmt.Sprintf("%-11s %7d", name, g.moments)
	for _, share := range g.shares() {
		row += fmt.Sprintf("  %5.1f %%", share)
	}
	return row + "\n"
}

// The bars, in thousandths.
const (
	barNamed   = 996
	barResumed = 963
	barAgain   = 25
	barCalled  = 2 // open tasks that are called complete
	// Without a session, a plan whose commits are not recognised is named because the roadmap does; its branch is not.
	barNamedElsewhere = 992
)

// holdBars fails for a figure that is beyond its bar.
func (g gains) holdBars(t *testing.T, variant int) {
	t.Helper()
	named := barNamed
	if variant == elsewhere {
		named = barNamedElsewhere
	}
	for what, reached := range map[string]bool{
		"the plan is named": g.named*1000 >= named*g.moments, "the task to resume": g.resume*1000 >= barResumed*g.moments,
		"done again": g.again*1000 <= barAgain*g.done, "called complete": g.ahead*1000 <= barCalled*g.open,
	} {
		if !reached {
			t.Errorf("%s: %s: beyond its bar; %+v", variantNames[variant], what, g)
		}
	}
}

func TestReplaySessions(t *testing.T) {
	t.Parallel()
	bundles := replay.Files(t, "full", "more") // each project once
	results := make([][variants]gains, len(bundles))
	eachBundle(t, bundles, func(t *testing.T, i int) { results[i] = replaySessions(t, bundles[i]) })
	table := fmt.Sprintf("\n"+gainsHead, "", "moments", "first", "named", "resume", "again", "ahead")
	for v := range variants {
		var all gains
		for _, g := range results {
			all = all.plus(g[v], 1)
		}
		table += all.row(variantNames[v])
		lowest, highest := all.shares(), all.shares() // of all projects but one
		for _, g := range results {
			for i, share := range all.plus(g[v], -1).shares() {
				lowest[i], highest[i] = min(lowest[i], share), max(highest[i], share)
			}
		}
		for i, shares := range [][5]float64{lowest, highest} {
			table += fmt.Sprintf("%-19s", []string{"  at least", "  at most"}[i])
			for _, share := range shares {
				table += fmt.Sprintf("  %5.1f %%", share)
			}
			table += "\n"
		}
		if testenv.Thorough() {
			all.holdBars(t, v)
		}
	}
	t.Log(table)
}

// worked is a labelled plan, as it was worked on.
type worked struct {
	taskLabel
	bundle  string
	dir     string
	history []string // the commits up to its summary, parents first
	times   []time.Time
	begins  int         // the index of its first commit
	ends    map[int]int // of the last commit of each task, by its number
	perhaps map[int]int // the same, with commits of several tasks at each
}

// replaySessions asks at each moment of a bundle.
func replaySessions(t *testing.T, bundle string) (all [variants]gains) {
	t.Helper()
	dir := t.TempDir()
	cloneReplay(t, bundle, dir)
	for _, l := range labels[taskLabel](t, strings.TrimSuffix(bundle, ".bundle")+".jsonl", "tasks") {
		w := worked{taskLabel: l, bundle: bundleName(bundle), dir: dir}
		w.read(t)
		var tasks []int
		for k := 1; w.ends[k] > 0; k++ {
			if !w.isLater(k) {
				tasks = append(tasks, k)
			}
		}
		if len(tasks) == 0 {
			continue
		}
		before, first := w.start(t, w.begins-1), w.start(t, w.begins)
		tasks = slices.DeleteFunc(tasks, func(k int) bool {
			one := w.ask(t, k, before, first)
			for v, g := range one {
				all[v] = all[v].plus(g, 1)
			}
			return one[noSession].moments == 0
		})
		all[elsewhere] = all[elsewhere].plus(w.askMain(t, tasks), 1)
	}
	return all
}

// read fills in the history, and when what was done.
func (w *worked) read(t *testing.T) {
	t.Helper()
	for line := range strings.Lines(git(t, w.dir, "", "log", "--topo-order", "--reverse", "--format=%H %ct", w.After)) {
		var id string
		var at int64
		if _, err := fmt.Sscan(line, &id, &at); err != nil {
			t.Fatal(err)
		}
		w.history, w.times = append(w.history, id), append(w.times, time.Unix(at, 0))
	}
	w.ends = w.taskLabel.ends(w.history)
	w.perhaps = w.shared(git(t, w.dir, "", "show", w.After+":"+summaryOf(t, w.dir, w.taskLabel))).ends(w.history)
	w.begins = len(w.history)
	for _, ids := range w.Commits {
		for _, id := range ids {
			if at := slices.Index(w.history, id); at >= 0 {
				w.begins = min(w.begins, at)
			}
		}
	}
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

// isOpen reports whether a task is certainly open when task k was ended. The label has a commit of several tasks at the first of them only,
// and where the summary counts the tasks from 0, their numbers are others.
func (w *worked) isOpen(task, k int) bool {
	at, said := w.perhaps[task]
	return task > k && w.Commits["0"] == nil && (!said || at > w.ends[k])
}

// isLater reports whether another task was started or ended out of order when task k was ended.
func (w *worked) isLater(k int) bool {
	for n, ids := range w.Commits {
		number, _ := strconv.Atoi(n)
		started := slices.ContainsFunc(ids, func(id string) bool { return slices.Index(w.history, id) <= w.ends[k] })
		if number > k && started || number < k && w.ends[number] > w.ends[k] {
			return true
		}
	}
	return false
}

// A planSession is a session as it was started, which is put back at each moment.
type planSession struct {
	files, state string // copies of its directory, and of gsd's own
	place        string // the directory in the project
	started      time.Time
}

// start starts a session in a commit of the history, and puts it away; nil if the plan is not there to be started.
func (w *worked) start(t *testing.T, commit int) *planSession {
	t.Helper()
	if commit < 0 {
		return nil
	}
	checkout(t, w.dir, w.history[commit])
	s := &planSession{state: t.TempDir(), started: w.times[w.begins].Add(time.Duration(commit-w.begins) * time.Second)}
	p := w.open(t, s.state)
	if p == nil {
		return nil
	}
	defer p.Close()
	b, err := apptest.At(p, s.started).Bootstrap(t.Context(), app.BootstrapOptions{User: replayer, Plan: w.Plan})
	if err != nil {
		t.Fatalf("%s %.8s: bootstrap %s: %v", w.bundle, w.history[commit], w.Plan, err)
	}
	s.place = filepath.Join(w.dir, filepath.FromSlash(path.Dir(b.Path)))
	s.files = filepath.Join(t.TempDir(), "session")
	if err := os.Rename(s.place, s.files); err != nil {
		t.Fatal(err)
	}
	return s
}

// put puts a session back as it was started.
func (s *planSession) put(t *testing.T) (state string) {
	t.Helper()
	state = filepath.Join(t.TempDir(), "state")
	for to, from := range map[string]string{s.place: s.files, state: s.state} {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(s.place, "current-plan.md"), s.started, s.started); err != nil {
		t.Fatal(err)
	}
	return state
}

func (s *planSession) remove(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(s.place); err != nil {
		t.Fatal(err)
	}
}

const replayer = "replay"

// open opens the project with a state directory; nil if the plan is not there, or is done.
func (w *worked) open(t *testing.T, state string) *app.Project {
	t.Helper()
	p, err := app.Open(w.dir)
	if err != nil {
		return nil // its plans are not there yet
	}
	p.StateDir = session.StateDir(state)
	if _, err := p.Planning.ReadPlan(w.Plan); err != nil || p.Planning.SummaryOf(w.Plan) != "" {
		p.Close()
		return nil // the plan was committed after its work, or its summary before
	}
	return p
}

// known is what an answer says of the plan.
type known struct {
	first, named bool
	tasks        []planfile.Status
	resume       int    // the task; 0 for none
	says         string // where it does not name the plan, what it says
}

// gain compares an answer with what is true: tasks 1 to k of all are done.
func (w *worked) gain(t *testing.T, variant, k, all int, is known) gains {
	t.Helper()
	g := gains{moments: 1, done: k}
	if is.first {
		g.first = 1
	}
	if is.named {
		g.named = 1
	}
	for i := range all {
		switch complete := i < len(is.tasks) && is.tasks[i] == planfile.Complete; {
		case i < k && !complete:
			g.again++
		case w.isOpen(i+1, k):
			if g.open++; complete {
				g.ahead++
			}
		}
	}
	if is.tasks != nil && is.named && is.resume == (k+1)%(all+1) {
		g.resume = 1
	}
	if g.resume == 0 || g.ahead > 0 {
		t.Logf("%s %.8s %s, %s, task %d of %d done: named %t, resume %d, %v %s", w.bundle, w.history[w.ends[k]], w.Plan, variantNames[variant], k, all, is.named, is.resume, is.tasks, is.says)
	}
	return g
}

// ask asks in the commit at which tasks 1 to k of the plan are done, without a session and with those.
func (w *worked) ask(t *testing.T, k int, before, first *planSession) (all [variants]gains) {
	t.Helper()
	checkout(t, w.dir, w.history[w.ends[k]])
	p := w.open(t, "")
	if p == nil {
		return all
	}
	defer p.Close()
	plan, err := p.Planning.ReadPlan(w.Plan)
	if err != nil || len(plan.Tasks) < k {
		return all
	}
	all[noSession] = w.gain(t, noSession, k, len(plan.Tasks), w.next(t, p))
	for v, s := range map[int]*planSession{fromBefore: before, fromFirst: first, inProgress: first} {
		if s == nil || v == inProgress && k == len(plan.Tasks) {
			continue
		}
		all[v] = w.gain(t, v, k, len(plan.Tasks), w.withSession(t, s, v == inProgress, k))
	}
	return all
}

// next returns what gsd next knows.
func (w *worked) next(t *testing.T, p *app.Project) (is known) {
	t.Helper()
	nextAnswer, err := p.Next(replayer)
	if err != nil {
		t.Fatal(err)
	}
	n := nextAnswer.Next
	progress := n.Progress
	if is.first = n.Plan == w.Plan; !is.first {
		at := slices.IndexFunc(n.AlsoReady, func(ref answer.PlanRef) bool { return ref.Plan == w.Plan })
		if at < 0 {
			is.says = n.Plan + ": " + strings.Join(view.Because(n.Because), "; ")
			return is
		}
		progress = n.AlsoReady[at].Progress
	}
	if is.named = true; progress == nil {
		return is
	}
	for _, task := range progress.Tasks {
		is.tasks = append(is.tasks, task.Status)
	}
	if progress.Resume != nil {
		is.resume = progress.Resume.Number
	}
	return is
}

// withSession returns what is known with a session, perhaps after the task after k was marked in progress.
func (w *worked) withSession(t *testing.T, s *planSession, marked bool, k int) (is known) {
	t.Helper()
	state := s.put(t)
	defer s.remove(t)
	if marked {
		p := w.open(t, state)
		defer p.Close()
		_, err := apptest.At(p, w.times[w.ends[k]].Add(time.Minute)).Mark(t.Context(), app.MarkOptions{User: replayer, Number: k + 1, Status: planfile.InProgress})
		if err != nil {
			t.Fatalf("%s %.8s: mark %d: %v", w.bundle, w.history[w.ends[k]], k+1, err)
		}
	}
	p := w.open(t, state)
	defer p.Close()
	r, err := p.HydrateAll(replayer)
	if err != nil {
		t.Fatal(err)
	}
	if is.named = r.Verdict.Live() && r.On == w.Plan; !is.named {
		is.says = fmt.Sprint(r.Verdict, r.Stale)
	}
	is.first = is.named
	list, err := p.Tasks(app.TasksOptions{User: replayer})
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range list.Tasks {
		is.tasks = append(is.tasks, task.Status)
	}
	if r.Resume != nil {
		is.resume = r.Resume.Number
	}
	return is
}

// askMain asks on main before the plan's first commit, with the commits that end tasks on another branch.
func (w *worked) askMain(t *testing.T, tasks []int) (all gains) {
	t.Helper()
	if w.begins == 0 {
		return all
	}
	runGit(t, w.dir, "checkout", "--quiet", "--force", "-B", "main", w.history[w.begins]+"^")
	for _, k := range tasks {
		p := w.open(t, "")
		if p == nil {
			return all
		}
		plan, err := p.Planning.ReadPlan(w.Plan)
		p.Close()
		if err != nil || len(plan.Tasks) < k { // it had fewer
			continue
		}
		branch := []string{"worktree-agent-1", "mine"}[k%2]
		runGit(t, w.dir, "branch", "--force", branch, w.history[w.ends[k]])
		p = w.open(t, "")
		g := w.gainElsewhere(t, p, branch, k, len(plan.Tasks))
		p.Close()
		runGit(t, w.dir, "branch", "--quiet", "-D", branch)
		all = all.plus(g, 1)
	}
	return all
}

// gainElsewhere compares what is said of a branch, at which tasks 1 to k of all are done, with what is true. None of them is done here.
func (w *worked) gainElsewhere(t *testing.T, p *app.Project, branch string, k, all int) gains {
	t.Helper()
	next, err := p.Next(replayer)
	if err != nil {
		t.Fatal(err)
	}
	n := next.Next
	refs := append([]answer.PlanRef{{Plan: n.Plan, Branches: n.Branches, Progress: n.Progress}}, n.AlsoReady...)
	g := gains{moments: 1, done: k, again: k, open: all}
	says := n.Plan
	for _, ref := range refs {
		if ref.Plan != w.Plan {
			continue
		}
		if ref.Progress != nil {
			g.ahead += progress.Count(ref.Progress.Tasks, planfile.Complete)
		}
		for _, b := range ref.Branches {
			if b.Name != branch {
				continue
			}
			if g.named = 1; n.Plan == w.Plan {
				g.first = 1
			}
			if b.Done == k && b.Total == all {
				g.resume = 1
			}
			g.again = 0
			for i := range all {
				switch done := slices.Contains(b.Tasks, i+1); {
				case i < k && !done:
					g.again++
				case done && w.isOpen(i+1, k):
					g.ahead++
				}
			}
			says += fmt.Sprintf("; %d of %d there: %v", b.Done, b.Total, b.Tasks)
		}
	}
	if g.resume == 0 || g.ahead > 0 {
		t.Logf("%s %.8s %s, on %s, task %d of %d done: next is %s", w.bundle, w.history[w.ends[k]], w.Plan, branch, k, all, says)
	}
	return g
}
