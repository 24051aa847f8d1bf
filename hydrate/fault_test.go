//go:build unix

package hydrate_test

// fault_test.go kills gsd, as kill -9 does, before every step on the disk of every command that writes, and after
// the last one. What is before one step is after the one before it. Whatever was reached then: reading tells it,
// nothing is lost, and every command goes on from there.

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

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/hydratetest"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/work"
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

// longJournal puts so many runs into the journal that it will be rotated, with open ones of the dead among them.
func (s *scene) longJournal() {
	s.t.Helper()
	text, err := os.ReadFile(s.at(journalPath))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.t.Fatal(err)
	}
	owner, err := json.Marshal(s.dead)
	if err != nil {
		s.t.Fatal(err)
	}
	var all strings.Builder
	for i := range 400 {
		id := fmt.Sprintf("%012x", i)
		fmt.Fprintf(&all, `{"type":"run.start","id":"%s","token":"t%d","host":"claude","plan":"p","owner":%s,"at":"2026-01-01T00:00:00Z","ttl":3600}`+"\n", id, i, owner)
		if i%150 != 7 {
			fmt.Fprintf(&all, `{"type":"run.end","of":"%s","status":"failure","cause":"user","at":"2026-01-01T00:00:00Z"}`+"\n", id)
		}
	}
	write(s.t, s.at(journalPath), all.String()+string(text))
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
	list, err := history.Lost(hydrate.World{StateDir: s.state}, s.now)
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
	torn    bool // also with torn lines in the journal
}

var faults = []fault{
	{"start on nothing", func(*scene) order { return order{Do: "start"} }, false},
	// a line that was torn in the middle spoils no other.
	{"start", func(s *scene) order {
		s.bootstraps()
		return order{Do: "start"}
	}, true},
	{"start over a dead run", func(s *scene) order {
		s.bootstraps()
		s.starts(s.dead, "d1")
		s.starts(s.dead, "d2")
		return order{Do: "start"}
	}, false},
	{"start over the own run", func(s *scene) order {
		s.bootstraps()
		return order{Do: "supersede"}
	}, false},
	// the journal is never away, and no open start is lost with what is put away.
	{"start, rotating", func(s *scene) order {
		s.bootstraps()
		s.longJournal()
		return order{Do: "start"}
	}, false},
	{"mark", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		return order{Do: "mark", Number: 2, Status: "complete"}
	}, false},
	{"mark the last of a plan with a summary", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		s.must(order{Do: "mark", Number: 2, Status: "complete"})
		write(s.t, s.at(strings.Replace(planPath, "PLAN", "SUMMARY", 1)), "done")
		return order{Do: "mark", Number: 3, Status: "complete"}
	}, false},
	{"end", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		return order{Do: "end", Status: "success"}
	}, true},
	{"end, rotating", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		s.longJournal()
		return order{Do: "end", Status: "failure"}
	}, false},
	// what it leaves beside STATE.md, which git tracks, the next sweep takes away.
	{"state", func(s *scene) order {
		s.bootstraps()
		write(s.t, s.at(".planning/STATE.md"), "# State\n\n## Current Position\n\nPhase: 1 of 9 (X)\nPlan: 1 of 1\nStatus: Ready\n")
		return order{Do: "state"}
	}, false},
	{"bootstrap", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		return order{Do: "bootstrap", ID: otherPlan, TakeOver: true}
	}, false},
	// the session is current or archived, and its breadcrumb is no loss.
	{"archive", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		return order{Do: "archive"}
	}, false},
	{"sweep", func(s *scene) order {
		s.bootstraps()
		s.starts(s.dead, "d1")
		s.starts(s.dead, "d2")
		s.starts(s.owner, "c")
		return order{Do: "sweep"}
	}, true},
	{"sweep of a lease whose run has ended", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		lease, err := os.ReadFile(s.at(leasePath))
		if err != nil {
			s.t.Fatal(err)
		}
		s.must(order{Do: "end", Claim: conversation("c"), Status: "failure"})
		write(s.t, s.at(leasePath), string(lease))
		return order{Do: "sweep"}
	}, false},
	{"sweep of unsafe conversations", func(s *scene) order {
		s.bootstraps()
		s.starts(s.dead, "d1")
		s.must(order{Do: "end", Claim: conversation("d1"), Status: "success"})
		s.starts(s.dead, "d1")
		s.starts(s.owner, "c")
		return order{Do: "sweep"}
	}, false},
	{"sweep, rotating", func(s *scene) order {
		s.bootstraps()
		s.starts(s.owner, "c")
		s.longJournal()
		return order{Do: "sweep"}
	}, false},
	{"sweep --reset-tasks", func(s *scene) order {
		s.bootstraps()
		s.starts(s.dead, "d1")
		s.starts(s.owner, "c")
		return order{Do: "sweep", Reset: true}
	}, false},
	{"sweep of breadcrumbs", func(s *scene) order {
		s.now = s.now.Add(-8 * 24 * time.Hour)
		s.bootstraps() // its crumb will have expired
		s.loses()
		s.now = s.now.Add(8 * 24 * time.Hour)
		return order{Do: "sweep"}
	}, false},
	// the crumb is there until the session is; the neighbour deletes it first.
	{"restore", func(s *scene) order {
		s.bootstraps()
		s.loses()
		return order{Do: "restore", ID: s.lostID()}
	}, false},
	{"restore in the place of another", func(s *scene) order {
		s.bootstraps()
		s.loses()
		s.must(order{Do: "bootstrap", ID: otherPlan})
		s.starts(s.owner, "c")
		return order{Do: "restore", ID: s.lostID(), TakeOver: true}
	}, false},
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
	}, false},
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
	}, false},
	{"first sync", func(s *scene) order {
		s.shares()
		s.bootstraps()
		return order{Do: "sync", Sync: s.sync}
	}, false},
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
			if *thorough || i%2 == 0 {
				a = dead.try(f)
			}
			if *thorough || i%2 == 1 {
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
	if !*thorough { // numbers that afterFaults is no multiple of, so that each of them comes
		if every = 5; whole.Sync != nil {
			every = 11
		}
	}
	for _, series := range []string{"", "torn", "git"} {
		torn, git := series == "torn", series == "git"
		if torn && !f.torn || git && whole.Sync == nil {
			continue
		}
		for n, over := 1, false; !over; n += every {
			project.PutBack(s.t, s.dir)
			state.PutBack(s.t, string(s.state))
			o := whole
			o.Die, o.Torn, o.Git = n, torn, git
			c := spawn(s.t, o)
			step, said := c.Dies()
			if !said {
				step = "run of git"
			}
			over = strings.HasPrefix(step, "done")
			if torn && step != string(durable.StepAppend) {
				continue
			}
			tries++
			where := fmt.Sprintf("%s, owner alive %v, killed before step %d, %s, torn %v", f.name, s.owner == s.alive, n, step, torn)
			if git {
				where = fmt.Sprintf("%s, owner alive %v, killed after run %d of git", f.name, s.owner == s.alive, n)
			}
			if over {
				where = fmt.Sprintf("%s, owner alive %v, killed after the last step", f.name, s.owner == s.alive)
			}
			s.afterwards(n, where, old, next, torn)
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
	report   *hydrate.Report
	recovery *verdict.Recovery
	lost     []string // ids of lost sessions
	journals string   // all of them
	stale    []string // archived sessions
	temps    []string
}

func (s *scene) look() *sight {
	s.t.Helper()
	p, err := (&order{Dir: s.dir, State: s.state}).Open()
	if err != nil {
		s.t.Fatal(err)
	}
	defer p.Close()
	r, err := p.Hydrate(user)
	if err != nil {
		s.t.Fatal("hydrate: ", err)
	}
	there := takePicture(s.t, s.dir)
	v := &sight{session: there[sessionPath], report: r, recovery: hydratetest.Recovery(p, r, s.now), temps: there.Temps()}
	if there[sessionPath] != "" && there[sessionsPath+"/.gitignore"] != "*\n" {
		s.t.Error("git sees the session")
	}
	if _, ok := there[leasePath]; ok {
		if l, err := p.RunFiles(user).Lease(); err != nil {
			s.t.Errorf("the lease is neither there nor not: %+v, %v", l, err)
		}
	}
	// The archives first: what was carried over comes after them.
	var names []string
	for name := range there {
		if strings.HasPrefix(name, sessionsPath+"/journal.") && name != journalPath {
			names = append(names, name)
		}
		if strings.HasSuffix(name, ".stale") {
			v.stale = append(v.stale, there[name])
		}
	}
	slices.Sort(names)
	var all strings.Builder
	seen := map[string]int{} // how often in one file: what was carried over is in two
	for _, name := range append(names, journalPath) {
		here := map[string]int{}
		for line := range strings.Lines(there[name]) {
			if here[line]++; here[line] > seen[line] {
				seen[line] = here[line]
				all.WriteString(line)
			}
		}
	}
	v.journals = all.String()
	list, err := history.Lost(hydrate.World{StateDir: s.state}, s.now)
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

// afterwards looks at what the n-th kill left, and goes on from there with every command.
func (s *scene) afterwards(n int, where string, old, next *sight, torn bool) {
	s.t.Helper()
	is := s.look()
	s.judge(where, is, old, next, torn)
	project, state := takePicture(s.t, s.dir), takePicture(s.t, string(s.state))
	for i := range afterFaults {
		after := afterFaults[(n+i)%len(afterFaults)]
		if i > 0 { // the first one finds the very files
			if !*thorough {
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
func (s *scene) judge(where string, is, old, next *sight, torn bool) {
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
	before, l := readLedger(old.journals), readLedger(is.journals)
	for id := range before.Starts {
		if _, ok := l.Starts[id]; !ok {
			s.t.Errorf("%s: the start of %s is gone", where, id)
		}
	}
	if l.Bad > 0 && !torn || l.Bad > 1 {
		s.t.Errorf("%s: %d bad lines", where, l.Bad)
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
	for id, ends := range l.Ends {
		if ends > 1 || s.isAlive(id, l) && ends > 0 && s.order.Do == "sweep" && before.Ends[id] == 0 {
			s.t.Errorf("%s: %d ends of %s", where, ends, id)
		}
	}
	// A lost session is told until it is back, and not a moment longer.
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
	before, l := readLedger(is.journals), readLedger(now.journals)
	for id := range before.Starts {
		if _, ok := l.Starts[id]; !ok {
			s.t.Errorf("%s: the start of %s is gone", where, id)
		}
	}
	if l.Bad > before.Bad {
		s.t.Errorf("%s: %d bad lines, %d before", where, l.Bad, before.Bad)
	}
	if len(now.recovery.Warnings) > 0 && before.Bad == 0 {
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
		its := *s.sync
		its.User, its.Now, its.Wait = user, s.now, patience
		done, err := team.Sync(s.t.Context(), p.Project, its)
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
	for _, id := range readLedger(after.journals).Open() {
		if s.isAlive(id, readLedger(after.journals)) {
			return nil // it may be at work on them
		}
	}
	if runs, left := len(is.recovery.Crashed), after.recovery.LeftTasks; runs > 0 && len(left) > 0 {
		return fmt.Errorf("%d dead runs, and tasks %v that they left are still in progress", runs, left)
	}
	return nil
}

func (s *scene) sweepTwice(is *sight, reset bool) error {
	p, err := (&order{Dir: s.dir, State: s.state}).Open()
	if err != nil {
		return err
	}
	defer p.Close()
	o := work.SweepOptions{User: user, ResetTasks: reset, Now: s.now.Add(2 * time.Hour), Wait: patience}
	if _, err := work.Sweep(s.t.Context(), p.Project, o); err != nil {
		return err
	}
	again, err := work.Sweep(s.t.Context(), p.Project, o)
	if err != nil || !again.Nothing() {
		return fmt.Errorf("the second sweep found something: %+v, %w", again, err)
	}
	after := s.look()
	l := readLedger(after.journals)
	for id, ends := range l.Ends {
		if ends != 1 {
			return fmt.Errorf("%d ends of %s", ends, id)
		}
	}
	for _, id := range l.Open() {
		if !s.isAlive(id, l) {
			return fmt.Errorf("dead run %s is open", id)
		}
	}
	for _, id := range readLedger(is.journals).Open() {
		if s.isAlive(id, l) && l.Ends[id] > 0 {
			return fmt.Errorf("living run %s was ended", id)
		}
	}
	if len(after.recovery.Crashed) > 0 || len(after.recovery.LeftTasks) > 0 && after.recovery.Latest.Status != run.Interrupted {
		return fmt.Errorf("recovery after a sweep: %+v", after.recovery)
	}
	if lease, err := p.RunFiles(user).Lease(); err == nil && !slices.Contains(l.Open(), lease.Run) {
		return fmt.Errorf("the lease of %s is still there", lease.Run)
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
		if kindOf(err) != hydrate.Busy || !strings.Contains(err.Error(), h.ID) {
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
	if is.report.Session == nil && kindOf(err) == hydrate.MissingInput {
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
	recorded := strings.Contains(is.journals, `"token":"`+tokenC()+`"`)
	for range 2 {
		if err := s.do(end); err != nil && (recorded || kindOf(err) != hydrate.MissingInput) {
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

// startsAgain: the agent whose gsd was killed goes on with the run that was recorded, and begins one where none was.
func (s *scene) startsAgain(is *sight) error {
	again := order{Do: "start", Claim: conversation("c"), Owner: s.alive}
	if err := s.do(again); err != nil {
		return err
	}
	before, after := readLedger(is.journals), s.look()
	l := readLedger(after.journals)
	living := func(l ledger) (ids []string) {
		for _, id := range l.Open() {
			if s.isAlive(id, l) {
				ids = append(ids, id)
			}
		}
		return ids
	}
	if was, now := living(before), living(l); len(now) != 1 {
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
		if after := s.look(); slices.Contains(after.lost, id) || after.report.Verdict != hydrate.Resume || after.report.Token != "2" {
			return fmt.Errorf("lost %q, verdict %s %s", after.lost, after.report.Verdict, after.report.Token)
		}
	}
	if err := s.do(order{Do: "restore", ID: "ffffffffffffffff"}); kindOf(err) != hydrate.MissingInput {
		return fmt.Errorf("restore of nothing: %w", err)
	}
	return nil
}
