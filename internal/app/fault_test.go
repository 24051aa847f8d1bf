//go:build unix

package app_test

// fault_test.go kills gsd, as kill -9 does, before every step on the disk of every command that writes, and after
// the last one. What is before one step is after the one before it. Whatever was reached then: reading tells it,
// nothing is lost, and every command continues from there.

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

const (
	otherPlan = ".planning/phases/03-api/03-02-PLAN.md"
	movedPlan = ".planning/milestones/v1-phases/03-api/03-01-PLAN.md"

	remotePath = ".remote.git"
)

// A scene is a project, a state directory, an agent that is dead and one that lives.
type scene struct {
	t           *testing.T
	dir         string
	state       session.StateDir
	dead, alive run.Owner
	owner       run.Owner // the agent of this series
	now         time.Time
	order       order
	sync        *team.SyncOptions // nil without a git remote
	wanted      string            // the session after the whole command
}

func newScene(t *testing.T) *scene {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, dir: dir, state: session.StateDir(t.TempDir()), now: time.Now().UTC().Truncate(time.Second)}
	write(t, s.at(planPath), tasksOf("A", "B", "C"))
	write(t, s.at(otherPlan), tasksOf("X", "Y"))
	s.state.MakeMachine()
	var kill func()
	s.dead, kill = aProcess(t, s.state)
	kill()
	s.alive, _ = aProcess(t, s.state)
	return s
}

func (s *scene) at(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// do carries an order out, here and whole.
func (s *scene) do(o order) error {
	_, err := s.fill(o).CarryOut(s.t.Context(), durable.Writer{})
	return err
}

func (s *scene) must(o order) {
	s.t.Helper()
	if err := s.do(o); err != nil {
		s.t.Fatalf("%s: %v", o.Do, err)
	}
}

func (s *scene) fill(o order) *order {
	o.Dir, o.State = cmp.Or(o.Dir, s.dir), s.state
	if o.Now.IsZero() {
		o.Now = s.now
	}
	return &o
}

func conversation(name string) run.Caller { return run.Caller{Host: "claude", Conversation: name} }

// starts begins a run of an owner.
func (s *scene) starts(owner run.Owner, name string) {
	s.t.Helper()
	s.must(order{Do: "start", Claim: conversation(name), Owner: owner, TakeOver: true})
}

// manyRuns puts so many runs that have ended before those that are known that some are dropped, with open ones of the dead after them.
func (s *scene) manyRuns() {
	s.t.Helper()
	owner, err := json.Marshal(s.dead)
	if err != nil {
		s.t.Fatal(err)
	}
	var all strings.Builder
	for i := range 40 {
		const at = `"2026-01-01T00:00:00Z"`
		fmt.Fprintf(&all, `{"id":"%012x","token":"t%d","host":"claude","plan":"p","owner":%s,"started":%s,"seen":%s,"ttl":3600`, i, i, owner, at, at)
		if i < 37 {
			all.WriteString(`,"end":{"status":"failure","cause":"user","at":` + at + `}`)
		}
		all.WriteString("},\n")
	}
	text, err := os.ReadFile(s.at(runsPath))
	if err != nil {
		s.starts(s.dead, "d1")
		if text, err = os.ReadFile(s.at(runsPath)); err != nil {
			s.t.Fatal(err)
		}
	}
	write(s.t, s.at(runsPath), strings.Replace(string(text), `"runs":[`, `"runs":[`+all.String(), 1))
}

// loses is git clean -fdx.
func (s *scene) loses() {
	s.t.Helper()
	if err := os.RemoveAll(s.at(".planning/sessions")); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) lostID() string {
	s.t.Helper()
	list, err := history.Lost(verdict.World{StateDir: s.state, Now: s.now})
	if err != nil || len(list.Lost) != 1 {
		s.t.Fatalf("lost sessions: %+v, %v", list, err)
	}
	return list.Lost[0].ID
}

func (s *scene) bootstraps() {
	s.t.Helper()
	s.must(order{Do: "bootstrap", ID: planPath})
	s.must(order{Do: "mark", Number: 1, Status: "complete"})
	s.must(order{Do: "mark", Number: 2, Status: "in-progress"})
}

// A fault is a command, and what it finds.
type fault struct {
	name    string
	arrange func(*scene) order
}

var faults = []fault{
	{"start on nothing", func(*scene) order { return order{Do: "start"} }},
	{"start", func(s *scene) order {
		s.bootstraps()
		return order{Do: "start"}
	}},
	{"start over a dead run", func(s *scene) order {
		s.bootstraps()
		s.starts(s.dead, "d1")
		s.starts(s.dead, "d2")
		return order{Do: "start"}
	}},
	{"start over the own run", func(s *scene) order {
		s.bootstraps()
		return order{Do: "supersede"}
	}},
	// no open run is lost with what is dropped.
	{"start after many runs", func(s *scene) order {
		s.bootstraps()
		s.manyRuns()
		return order{Do: "start"}
	}},
	{"mark", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		return order{Do: "mark", Number: 2, Status: "complete"}
	}},
	{"mark the last of a plan with a summary", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		s.must(order{Do: "mark", Number: 2, Status: "complete"})
		write(s.t, s.at(strings.Replace(planPath, "PLAN", "SUMMARY", 1)), "done")
		return order{Do: "mark", Number: 3, Status: "complete"}
	}},
	{"end", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		return order{Do: "end", Status: "success"}
	}},
	{"end after many runs", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		s.manyRuns()
		return order{Do: "end", Status: "failure"}
	}},
	// what it leaves beside STATE.md, which git tracks, the next sweep takes away.
	{"state", func(s *scene) order {
		s.bootstraps()
		write(s.t, s.at(".planning/STATE.md"), "# State\n\n## Current Position\n\nPhase: 1 of 9 (X)\nPlan: 1 of 1\nStatus: Ready\n")
		return order{Do: "state"}
	}},
	{"bootstrap", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		return order{Do: "bootstrap", ID: otherPlan, TakeOver: true}
	}},
	// the session is current or archived, and its breadcrumb is no loss.
	{"archive", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		return order{Do: "archive"}
	}},
	{"sweep", func(s *scene) order {
		s.bootstraps()
		s.starts(s.dead, "d1")
		s.starts(s.dead, "d2")
		s.starts(s.owner, "c")
		return order{Do: "sweep"}
	}},
	{"sweep of unsafe conversations", func(s *scene) order {
		s.bootstraps()
		s.starts(s.dead, "d1")
		s.must(order{Do: "end", Claim: conversation("d1"), Status: "success"})
		s.starts(s.dead, "d1")
		s.starts(s.owner, "c")
		return order{Do: "sweep"}
	}},
	{"sweep after many runs", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		s.manyRuns()
		return order{Do: "sweep"}
	}},
	{"sweep --reset-tasks", func(s *scene) order {
		s.bootstraps()
		s.starts(s.dead, "d1")
		s.starts(s.owner, "c")
		return order{Do: "sweep", Reset: true}
	}},
	{"sweep of breadcrumbs", func(s *scene) order {
		s.now = s.now.Add(-8 * 24 * time.Hour)
		s.bootstraps() // its crumb will have expired
		s.loses()
		s.now = s.now.Add(8 * 24 * time.Hour)
		return order{Do: "sweep"}
	}},
	// the crumb is there until the session is; the neighbour deletes it first.
	{"restore", func(s *scene) order {
		s.bootstraps()
		s.loses()
		return order{Do: "restore", ID: s.lostID()}
	}},
	{"restore in the place of another", func(s *scene) order {
		s.bootstraps()
		s.loses()
		s.must(order{Do: "bootstrap", ID: otherPlan})
		s.starts(s.owner, "c")
		return order{Do: "restore", ID: s.lostID(), TakeOver: true}
	}},
	{"restore of a plan that moved", func(s *scene) order {
		s.bootstraps()
		s.loses()
		text, err := os.ReadFile(s.at(planPath))
		if err != nil {
			s.t.Fatal(err)
		}
		write(s.t, s.at(movedPlan), string(text))
		if err := os.Remove(s.at(planPath)); err != nil {
			s.t.Fatal(err)
		}
		return order{Do: "restore", ID: s.lostID()}
	}},
	// it pushes two tasks and takes over the third; killed after each run of git, too.
	{"sync", func(s *scene) order {
		other := s.shares()
		before := func(d time.Duration) time.Time { return s.now.Add(-d) } // so that nothing depends on equal times
		s.must(order{Do: "bootstrap", ID: planPath, Dir: other, Now: before(3 * time.Hour)})
		s.must(order{Do: "mark", Number: 3, Status: "complete", Dir: other, Now: before(time.Hour)})
		s.must(order{Do: "sync", Dir: other, Sync: s.sync, Now: before(time.Hour)})
		s.now = before(2 * time.Hour)
		s.bootstraps()
		s.now = s.now.Add(2 * time.Hour)
		return order{Do: "sync", Sync: s.sync}
	}},
	{"first sync", func(s *scene) order {
		s.shares()
		s.bootstraps()
		return order{Do: "sync", Sync: s.sync}
	}},
}

// shares gives the project a git remote, and returns another clone. All is in the directory of the project.
func (s *scene) shares() (other string) {
	s.t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		s.t.Skip("there is no git")
	}
	s.sync = &team.SyncOptions{Git: git, Env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=user.email", "GIT_CONFIG_VALUE_0=ada@example.com",
	}}
	other = s.at(".other")
	write(s.t, s.at(".other/"+planPath), tasksOf("A", "B", "C"))
	for _, args := range [][]string{
		{"init", "-q", "--template=", "--bare", s.at(remotePath)},
		{"init", "-q", "--template=", s.dir},
		{"-C", s.dir, "remote", "add", "origin", s.at(remotePath)},
		{"init", "-q", "--template=", other},
		{"-C", other, "remote", "add", "origin", s.at(remotePath)},
	} {
		cmd := exec.Command(git, args...)
		cmd.Env = s.sync.Env
		if out, err := cmd.CombinedOutput(); err != nil {
			s.t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	return other
}

// agentOf is who gives the order of a fault: in the series of the dead the very process that is killed.
func (s *scene) agentOf(o order) order {
	o.Claim = conversation("c")
	if o.Do != "start" && o.Do != "supersede" {
		return o
	}
	o.Self = s.owner == s.dead
	if !o.Self {
		o.Owner = s.owner
	}
	return o
}

func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("kills at many steps")
	}
	t.Parallel()
	tried, all := make([]string, len(faults)), make([]int, len(faults))
	t.Cleanup(func() {
		total := 0
		for _, n := range all {
			total += n
		}
		t.Logf("%d faults tried:\n%s", total, strings.Join(tried, ""))
	})
	for i, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dead, alive := newScene(t), newScene(t)
			dead.owner, alive.owner = dead.dead, alive.alive
			a, b := 0, 0
			if testenv.Thorough() || i%2 == 0 {
				a = dead.try(f)
			}
			if testenv.Thorough() || i%2 == 1 {
				b = alive.try(f)
			}
			all[i], tried[i] = a+b, fmt.Sprintf("%-40s %3d with a dead owner, %3d with a living one\n", f.name, a, b)
		})
	}
}

// try kills the command of a fault at every step, and returns how often that was.
func (s *scene) try(f fault) int {
	o := f.arrange(s)
	s.order = *s.fill(s.agentOf(o))
	s.order.Now = s.now
	project, state := takePicture(s.t, s.dir), takePicture(s.t, string(s.state))
	old := s.look()
	whole := s.order
	c := spawn(s.t, whole)
	c.Done()
	c.Wait()
	next := s.look()
	s.wanted = next.session
	tries, every := 0, 1
	if !testenv.Thorough() { // numbers that afterFaults is no multiple of, so that each of them comes
		if every = 5; whole.Sync != nil {
			every = 11
		}
	}
	for _, git := range []bool{false, true} {
		if git && whole.Sync == nil {
			continue
		}
		for n, over := 1, false; !over; n += every {
			project.PutBack(s.t, s.dir)
			state.PutBack(s.t, string(s.state))
			o := whole
			o.Die, o.Git = n, git
			c := spawn(s.t, o)
			step, said := c.Dies()
			if !said {
				step = "run of git"
			}
			over = strings.HasPrefix(step, "done")
			tries++
			where := fmt.Sprintf("%s, owner alive %v, killed before step %d, %s", f.name, s.owner == s.alive, n, step)
			if git {
				where = fmt.Sprintf("%s, owner alive %v, killed after run %d of git", f.name, s.owner == s.alive, n)
			}
			if over {
				where = fmt.Sprintf("%s, owner alive %v, killed after the last step", f.name, s.owner == s.alive)
			}
			s.afterwards(n, where, old, next)
			if s.t.Failed() {
				return tries
			}
		}
	}
	return tries
}

// A sight is what is there.
type sight struct {
	session  string
	report   *answer.Report
	recovery *answer.Recovery
	lost     []string // ids of lost sessions
	runs     ledger
	stale    []string // archived sessions
	temps    []string
}

func (s *scene) look() *sight {
	s.t.Helper()
	p, err := (&order{Dir: s.dir, State: s.state, Now: s.now}).Open()
	if err != nil {
		s.t.Fatal(err)
	}
	defer p.Close()
	r, err := p.Hydrate(user)
	if err != nil {
		s.t.Fatal("hydrate: ", err)
	}
	there := takePicture(s.t, s.dir)
	v := &sight{session: there[sessionPath], report: r, recovery: apptest.Recovery(p, r, s.now), runs: readLedger(there[runsPath]), temps: there.Temps()}
	if there[sessionPath] != "" && there[sessionsPath+"/.gitignore"] != "*\n" {
		s.t.Error("git sees the session")
	}
	if v.runs.Bad {
		s.t.Errorf("the records of the runs cannot be read: %q", there[runsPath])
	}
	for name := range there {
		if strings.HasSuffix(name, ".stale") {
			v.stale = append(v.stale, there[name])
		}
	}
	list, err := history.Lost(verdict.World{StateDir: s.state, Now: s.now})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, o := range list.Lost {
		v.lost = append(v.lost, o.ID)
	}
	for _, o := range v.recovery.Lost {
		if !slices.Contains(v.lost, o.ID) {
			s.t.Errorf("hydrate tells of a lost session that gsd restore --list does not know: %+v", o)
		}
	}
	return v
}

// afterwards looks at what the n-th kill left, and continues from there with every command.
func (s *scene) afterwards(n int, where string, old, next *sight) {
	s.t.Helper()
	is := s.look()
	s.judge(where, is, old, next)
	project, state := takePicture(s.t, s.dir), takePicture(s.t, string(s.state))
	for i := range afterFaults {
		after := afterFaults[(n+i)%len(afterFaults)]
		if i > 0 { // the first one finds the very files
			if !testenv.Thorough() {
				break
			}
			project.PutBack(s.t, s.dir)
			state.PutBack(s.t, string(s.state))
		}
		s.goOn(where+"; then "+after.name, is, after.do)
	}
}

func (s *scene) isAlive(id string, l ledger) bool { return l.Starts[id].PID == s.alive.PID }

// judge holds what is there after a kill against what was there before and what should have come.
func (s *scene) judge(where string, is, old, next *sight) {
	s.t.Helper()
	was := old
	switch is.session {
	case next.session:
		was = next
	case old.session:
	default:
		s.t.Errorf("%s: the session is neither the old nor the new one: %q", where, is.session)
	}
	if is.report.Verdict != was.report.Verdict || is.report.Token != was.report.Token {
		s.t.Errorf("%s: verdict %s (%s), want %s (%s)", where, is.report.Verdict, is.report.Token, was.report.Verdict, was.report.Token)
	}
	for _, archived := range old.stale {
		if !slices.Contains(is.stale, archived) {
			s.t.Errorf("%s: an archive is gone", where)
		}
	}
	gaveWay := len(next.stale) > len(old.stale) && is.session == next.session
	if gaveWay && !slices.Contains(is.stale, old.session) {
		s.t.Errorf("%s: the session that gave way is gone", where)
	}
	before, l := old.runs, is.runs
	if lost := l.Loses(before); lost != "" {
		s.t.Errorf("%s: %s", where, lost)
	}
	var crashed []string
	for _, id := range l.Open() {
		if !s.isAlive(id, l) {
			crashed = append(crashed, id)
		}
	}
	var told []string
	for _, r := range is.recovery.Crashed {
		told = append(told, r.ID)
	}
	slices.Reverse(told) // the latest first
	if !slices.Equal(crashed, told) {
		s.t.Errorf("%s: crashed %q, told %q", where, crashed, told)
	}
	for id, end := range l.Ends {
		if s.isAlive(id, l) && s.order.Do == "sweep" && before.Ends[id] == "" {
			s.t.Errorf("%s: living run %s has the end %s", where, id, end)
		}
	}
	// A lost session is shown until it is back, and not a moment longer.
	if s.order.Do == "sweep" && len(old.lost) > 0 && len(is.lost) <= 1 {
		return // dismissed or not yet
	}
	if !slices.Equal(is.lost, was.lost) {
		s.t.Errorf("%s: lost sessions %q, want %q", where, is.lost, was.lost)
	}
}

// goOn runs a command on what a kill left, and holds it against the laws.
func (s *scene) goOn(where string, is *sight, do func(*scene, *sight) error) {
	s.t.Helper()
	if err := do(s, is); err != nil {
		s.t.Errorf("%s: %v", where, err)
		return
	}
	now := s.look()
	if lost := now.runs.Loses(is.runs); lost != "" {
		s.t.Errorf("%s: %s", where, lost)
	}
	if len(now.recovery.Warnings) > 0 {
		s.t.Errorf("%s: %+v", where, now.recovery.Warnings)
	}
}

// afterFaults are the commands that go on from what a kill left. None may be refused but for a reason.
var afterFaults = []struct {
	name string
	do   func(*scene, *sight) error
}{
	{"sweep", (*scene).sweeps},
	{"start of another", (*scene).anotherStarts},
	{"mark", (*scene).marks},
	{"end", (*scene).ends},
	{"start again", (*scene).startsAgain},
	{"restore", (*scene).restores},
	{"sweep --reset-tasks", (*scene).resets},
	{"sync", (*scene).syncs},
}

// syncs: what both clones have comes together, the second sync has nothing to do, and nothing is left in either repository.
func (s *scene) syncs(*sight) error {
	if s.sync == nil {
		return nil
	}
	for _, name := range takePicture(s.t, s.dir).Temps() {
		old := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(s.at(name), old, old); err != nil {
			return err
		}
	}
	for again := range 2 {
		o := s.fill(order{Do: "sync", Sync: s.sync})
		p, err := o.Open()
		if err != nil {
			return err
		}
		options := *s.sync
		options.User, options.Wait = user, patience
		done, err := team.Sync(s.t.Context(), p.Project, options)
		p.Close()
		if err != nil {
			return err
		}
		if again > 0 && (done.Pushed || len(done.Taken) > 0) || len(done.Warnings) > 0 {
			return fmt.Errorf("sync %d: %+v", again+1, done)
		}
	}
	if now := s.look().session; now != s.wanted {
		return fmt.Errorf("the session is %q, want %q", now, s.wanted)
	}
	for name := range takePicture(s.t, s.dir) {
		if strings.HasSuffix(name, ".lock") || strings.HasPrefix(name, ".git/") && strings.HasSuffix(name, ".tmp") || strings.HasPrefix(name, ".git/refs/gsd") || name == ".git/FETCH_HEAD" {
			return fmt.Errorf("there is %s", name)
		}
	}
	return nil
}

// sweeps: twice is once, no dead run is open, no living one is ended, nothing is left of the crash.
func (s *scene) sweeps(is *sight) error { return s.sweepTwice(is, false) }

func (s *scene) resets(is *sight) error {
	if err := s.sweepTwice(is, true); err != nil {
		return err
	}
	after := s.look()
	for _, id := range after.runs.Open() {
		if s.isAlive(id, after.runs) {
			return nil // it may be at work on them
		}
	}
	if runs, left := len(is.recovery.Crashed), after.recovery.LeftTasks; runs > 0 && len(left) > 0 {
		return fmt.Errorf("%d dead runs, and tasks %v that they left are still in progress", runs, left)
	}
	return nil
}

func (s *scene) sweepTwice(is *sight, reset bool) error {
	p, err := (&order{Dir: s.dir, State: s.state, Now: s.now.Add(2 * time.Hour)}).Open()
	if err != nil {
		return err
	}
	defer p.Close()
	o := app.SweepOptions{User: user, ResetTasks: reset, Wait: patience}
	if _, err := p.Sweep(s.t.Context(), o); err != nil {
		return err
	}
	again, err := p.Sweep(s.t.Context(), o)
	if err != nil || !again.Nothing() {
		return fmt.Errorf("the second sweep found something: %+v, %w", again, err)
	}
	after := s.look()
	l := after.runs
	for _, id := range l.Open() {
		if !s.isAlive(id, l) {
			return fmt.Errorf("dead run %s is open", id)
		}
	}
	for _, id := range is.runs.Open() {
		if s.isAlive(id, l) && l.Ends[id] != "" {
			return fmt.Errorf("living run %s was ended", id)
		}
	}
	if len(after.recovery.Crashed) > 0 || len(after.recovery.LeftTasks) > 0 && after.recovery.Latest.Status != run.Interrupted {
		return fmt.Errorf("recovery after a sweep: %+v", after.recovery)
	}
	inGit := func(name string) bool { return strings.HasPrefix(name, ".git/") } // the next sync's to remove
	left := append(slices.DeleteFunc(after.temps, inGit), takePicture(s.t, string(s.state)).Temps()...)
	for _, name := range left {
		// Writers of crumbs take no lock: theirs go by their age.
		if info, err := os.Stat(filepath.Join(string(s.state), name)); err != nil || time.Since(info.ModTime()) > 2*time.Hour {
			return fmt.Errorf("temporaries: %q", left)
		}
	}
	return nil
}

// anotherStarts: a dead run gives way, a living one is named.
func (s *scene) anotherStarts(is *sight) error {
	another := order{Do: "start", Claim: run.Caller{Host: "codex", Conversation: "another", PID: os.Getppid()}}
	err := s.do(another)
	if h := is.recovery.Holder; h != nil && h.Owner.PID == s.alive.PID {
		if kindOfError(err) != problem.Busy || !strings.Contains(err.Error(), h.ID) {
			return fmt.Errorf("the lease of living run %s was given to another: %w", h.ID, err)
		}
		another.TakeOver = true
		err = s.do(another)
	}
	if err != nil {
		return err
	}
	after := s.look()
	if h := after.recovery.Holder; h == nil || h.Host != "codex" {
		return fmt.Errorf("held by %+v", h)
	}
	another.Do, another.Status = "end", "success"
	return s.do(another)
}

func (s *scene) marks(is *sight) error {
	err := s.do(order{Do: "mark", Number: 1, Status: "in-progress"})
	if is.report.Session == nil && kindOfError(err) == problem.MissingInput {
		return nil
	}
	if err == nil && s.look().report.Session.Tasks[0].Status != planfile.InProgress {
		return errors.New("not marked")
	}
	return err
}

// tokenC is what the conversation c goes by.
func tokenC() string {
	sum := sha256.Sum256([]byte("conversation\x00c"))
	return hex.EncodeToString(sum[:12])
}

// ends: the agent ends its run where that was recorded, and it is not in anybody's way afterwards.
func (s *scene) ends(is *sight) error {
	end := order{Do: "end", Claim: conversation("c"), Status: "failure"}
	recorded := slices.ContainsFunc(is.recovery.Runs, func(r run.Run) bool { return r.Token == tokenC() })
	for range 2 {
		if err := s.do(end); err != nil && (recorded || kindOfError(err) != problem.MissingInput) {
			return err
		}
	}
	after := s.look()
	for _, r := range after.recovery.Runs {
		if r.Token == tokenC() && r.Open() && r.Owner.PID == s.alive.PID {
			return fmt.Errorf("%+v is open", r)
		}
	}
	return nil
}

// startsAgain: the agent whose gsd was killed continues the run that was recorded, and begins one where none was.
func (s *scene) startsAgain(is *sight) error {
	again := order{Do: "start", Claim: conversation("c"), Owner: s.alive}
	if err := s.do(again); err != nil {
		return err
	}
	after := s.look()
	living := func(l ledger) (ids []string) {
		for _, id := range l.Open() {
			if s.isAlive(id, l) {
				ids = append(ids, id)
			}
		}
		return ids
	}
	if was, now := living(is.runs), living(after.runs); len(now) != 1 {
		return fmt.Errorf("living runs %q, before %q", now, was)
	}
	if after.recovery.Holder == nil || after.recovery.Holder.State != run.StateActive {
		return fmt.Errorf("held by %+v", after.recovery.Holder)
	}
	return nil
}

func (s *scene) restores(is *sight) error {
	for _, id := range is.lost {
		if err := s.do(order{Do: "restore", ID: id, TakeOver: true}); err != nil {
			return err
		}
		if after := s.look(); slices.Contains(after.lost, id) || after.report.Verdict != answer.Resume || after.report.Token != "2" {
			return fmt.Errorf("lost %q, verdict %s %s", after.lost, after.report.Verdict, after.report.Token)
		}
	}
	if err := s.do(order{Do: "restore", ID: "ffffffffffffffff"}); kindOfError(err) != problem.MissingInput {
		return fmt.Errorf("restore of nothing: %w", err)
	}
	return nil
}
