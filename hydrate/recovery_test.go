package hydrate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// shown lists what a recovery tells, a line each.
func shown(r *Recovery, names map[string]string) []string {
	name := func(id string) string {
		if n := names[id]; n != "" {
			return n
		}
		return id
	}
	var lines []string
	for _, run := range r.Orphaned {
		lines = append(lines, "orphan "+name(run.ID))
	}
	for _, run := range r.Doubtful {
		lines = append(lines, "doubtful "+name(run.ID))
	}
	for _, n := range r.Left {
		lines = append(lines, fmt.Sprint("left ", n))
	}
	for _, o := range r.Lost {
		lines = append(lines, "lost: "+o.Why)
	}
	for _, w := range r.Incomplete {
		lines = append(lines, strings.TrimSpace(string(w.Kind)+" "+w.ID+" "+w.Path+" "+w.Detail))
	}
	for _, w := range r.Warnings {
		lines = append(lines, "warning "+w.Code)
	}
	return lines
}

const workOpen = "---\nid: W-1\nstatus: active\nnode_history:\n- node: doing\n  entered: 2026-01-01\n  exited: null\n---\nx\n"

// TestRecovery: there is something to tell when something died, and nothing at all when nothing did.
func TestRecovery(t *testing.T) {
	for _, test := range []struct {
		name   string
		before func(t *testing.T, p *Project, m *machine) map[string]string
		after  time.Duration
		want   []string
		any    bool
	}{
		// a clean project shows nothing.
		{name: "clean", before: func(*testing.T, *Project, *machine) map[string]string { return nil }},
		{name: "at work", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			startRun(t, p.as(agent("a", 200)), now)
			mark(t, p, 1, planfile.InProgress)
			return nil
		}},
		{name: "ended", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			startRun(t, p.as(agent("a", 200)), now)
			mark(t, p, 1, planfile.InProgress)
			endRun(t, p, run.Failure, now)
			return nil
		}},
		{name: "a task in progress, and never a run", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			mark(t, p, 1, planfile.InProgress)
			return nil
		}},
		{name: "one died", before: func(t *testing.T, p *Project, m *machine) map[string]string {
			a := startRun(t, p.as(agent("a", 200)), now).Run.ID
			mark(t, p, 2, planfile.InProgress)
			delete(m.processes, 200)
			return map[string]string{a: "a"}
		}, want: []string{"orphan a", "left 2"}, any: true},
		// the same agent, over and over: none of its starts hides another. all are told.
		{name: "the same conversation died three times and lives", before: func(t *testing.T, p *Project, m *machine) map[string]string {
			names := map[string]string{}
			for i := range 3 {
				m.processes[300+i] = run.Process{StartTime: fmt.Sprint(3000 + 10*i), Parent: 1}
				names[startRun(t, p.as(agent("a", 300+i)), now).Run.ID] = fmt.Sprint("a", i)
				mark(t, p, i+1, planfile.InProgress)
				delete(m.processes, 300+i)
			}
			startRun(t, p.as(agent("a", 200)), now)
			return names
		}, want: []string{"orphan a0", "orphan a1", "orphan a2"}, any: true},
		{name: "ended before another died", before: func(t *testing.T, p *Project, m *machine) map[string]string {
			startRun(t, p.as(agent("a", 100)), now)
			endRun(t, p, run.Success, now)
			a := startRun(t, p.as(agent("a", 200)), now).Run.ID
			delete(m.processes, 200)
			return map[string]string{a: "second"}
		}, want: []string{"orphan second"}, any: true},
		{name: "on another machine", before: func(t *testing.T, p *Project, m *machine) map[string]string {
			startRun(t, p.as(agent("a", 200)), now)
			m.here.Namespace = "pid:[2]"
			return nil
		}},
		{name: "on another machine, long ago", before: func(t *testing.T, p *Project, m *machine) map[string]string {
			a := startRun(t, p.as(agent("a", 200)), now).Run.ID
			m.here.Namespace = "pid:[2]"
			return map[string]string{a: "a"}
		}, after: 2 * time.Hour, want: []string{"doubtful a"}, any: true},
		// what is done at every turn, a mark, ends nothing.
		{name: "marked after its death", before: func(t *testing.T, p *Project, m *machine) map[string]string {
			a := startRun(t, p.as(agent("a", 200)), now).Run.ID
			delete(m.processes, 200)
			mark(t, p.as(run.Caller{}), 1, planfile.Complete)
			return map[string]string{a: "a"}
		}, want: []string{"orphan a"}, any: true},
		// its own new lease does not hide what the run before it left.
		{name: "died, and begun again", before: func(t *testing.T, p *Project, m *machine) map[string]string {
			a := startRun(t, p.as(agent("a", 200)), now).Run.ID
			mark(t, p, 2, planfile.InProgress)
			delete(m.processes, 200)
			startRun(t, p.as(agent("a", 100)), now)
			return map[string]string{a: "a"}
		}, want: []string{"orphan a"}, any: true},
		{name: "the session is lost", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			lose(t, p)
			return nil
		}, want: []string{"lost: " + LostFile}, any: true},
		{name: "the session is lost, and begun anew", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			lose(t, p)
			bootstrapAt(t, p, planPath, now.Add(time.Hour))
			return nil
		}, want: []string{"lost: " + LostPlace}, any: true},
		{name: "another's session is lost", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			if _, err := p.Bootstrap(t.Context(), BootstrapOptions{User: "bob", Plan: planPath, Now: now}); err != nil {
				t.Fatal(err)
			}
			return map[string]string{}
		}},
		{name: "archived", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			crumb := crumbsOf(t, p)[0]
			bootstrapAt(t, p, planPath, now.Add(time.Hour))
			if err := p.StateDir.WriteCrumb(p.write, crumb); err != nil { // as a kill in between leaves it
				t.Fatal(err)
			}
			return nil
		}},
		{name: "hand-off notes", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			for _, name := range []string{".planning/.continue-here.md", ".planning/phases/03-api/.continue-here-03-01.md", ".planning/phases/03-api/continue-here.md", ".planning/phases/04-x/.continue-here.md"} {
				write(t, filepath.Join(p.Dir, name), "go on\n")
			}
			return nil
		}, want: []string{"continue-here  .planning/.continue-here.md", "continue-here  .planning/phases/03-api/.continue-here-03-01.md"}, any: true},
		{name: "work items", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			write(t, filepath.Join(p.Dir, "docs/work/active/W-1/WORK.md"), workOpen)
			write(t, filepath.Join(p.Dir, "docs/work/blocked/none/WORK.md"), strings.Replace(workOpen, "id: W-1\n", "", 1))
			write(t, filepath.Join(p.Dir, "docs/work/active/done/WORK.md"), strings.Replace(workOpen, "active", "complete", 1))
			write(t, filepath.Join(p.Dir, "docs/work/active/left/WORK.md"), strings.Replace(workOpen, "null", "2026-01-02", 1))
			write(t, filepath.Join(p.Dir, "docs/work/active/README.md"), workOpen)
			write(t, filepath.Join(p.Dir, "docs/work/archive/W-2/WORK.md"), workOpen)
			return nil
		}, want: []string{"work-item W-1 docs/work/active/W-1/WORK.md doing", "work-item none docs/work/blocked/none/WORK.md doing"}, any: true},
		// what could not be looked at is said, and hides nothing else.
		{name: "a journal with bad lines", before: func(t *testing.T, p *Project, m *machine) map[string]string {
			a := startRun(t, p.as(agent("a", 200)), now).Run.ID
			delete(m.processes, 200)
			text := textOfFile(p, journalPath)
			// bad UTF-8, no object, wrong types, a torn tail.
			write(t, filepath.Join(p.Dir, journalPath), "\xff\xfe\n123\nnull\n{\"type\":\"run.start\",\"id\":1}\n"+text+"{\"type\":\"run.end\",\"of\":\""+a)
			return map[string]string{a: "a"}
		}, want: []string{"orphan a", "warning " + JournalDamaged}, any: true},
		{name: "an unreadable lease", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			write(t, filepath.Join(p.Dir, leasePath), "{")
			return nil
		}, want: []string{"warning " + LeaseProblem}},
		{name: "no journal, but its directory", before: func(t *testing.T, p *Project, _ *machine) map[string]string {
			if err := os.Mkdir(filepath.Join(p.Dir, journalPath), 0o777); err != nil {
				t.Fatal(err)
			}
			return nil
		}, want: []string{"warning " + JournalProblem}},
		{name: "everything", before: func(t *testing.T, p *Project, m *machine) map[string]string {
			lose(t, p)
			bootstrapAt(t, p, planPath, now.Add(time.Hour))
			a := startRun(t, p.as(agent("a", 200)), now).Run.ID
			mark(t, p, 3, planfile.InProgress)
			delete(m.processes, 200)
			write(t, filepath.Join(p.Dir, ".planning/.continue-here.md"), "go on\n")
			write(t, filepath.Join(p.Dir, "docs/work/active/W-1/WORK.md"), workOpen)
			return map[string]string{a: "a"}
		}, want: []string{
			"orphan a", "left 3", "lost: " + LostPlace, "continue-here  .planning/.continue-here.md",
			"work-item W-1 docs/work/active/W-1/WORK.md doing",
		}, any: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, m := newWorld(t)
			m.here.PID = 0
			bootstrapAt(t, p, planPath, now)
			names := test.before(t, p, m)
			p.as(run.Caller{})
			project, state := takePicture(t, p.Dir), takePicture(t, string(p.StateDir))
			rec := assessed(t, p, now.Add(test.after))
			if got := shown(rec, names); !slices.Equal(got, test.want) {
				t.Errorf("shown:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if rec.Any() != test.any {
				t.Errorf("anything to tell: %v", rec.Any())
			}
			// Reading never writes, not even what it knows to be dead.
			if !samePicture(project, takePicture(t, p.Dir)) || !samePicture(state, takePicture(t, string(p.StateDir))) {
				t.Error("reading wrote")
			}
		})
	}
}

// TestRecoveryOfNoSession: runs need no session.
func TestRecoveryOfNoSession(t *testing.T) {
	p, m := newWorld(t)
	m.here.PID = 0
	if rec := assessed(t, p, now); rec.Any() || rec.Latest != nil || rec.Lease != run.LeaseNone {
		t.Errorf("%+v", rec)
	}
	a := startRun(t, p.as(agent("a", 200)), now).Run.ID
	delete(m.processes, 200)
	if rec := assessed(t, p, now); len(rec.Orphaned) != 1 || rec.Orphaned[0].ID != a || len(rec.Left) > 0 {
		t.Errorf("%+v", rec)
	}
	if done := sweep(t, p, SweepOptions{ResetTasks: true}); len(done.Ended) != 1 || len(done.Reset) > 0 {
		t.Errorf("%+v", done)
	}
	if rec := assessed(t, p, now); rec.Any() {
		t.Errorf("%+v", rec)
	}
}

// TestListRuns lists what gsd run list lists, with what was put away.
func TestListRuns(t *testing.T) {
	p, m := newWorld(t)
	m.here.PID = 0
	list, err := p.RunList(user, true, now)
	if err != nil || len(list.Runs)+len(list.Warnings) > 0 {
		t.Errorf("of nothing: %+v, %v", list, err)
	}
	first := startRun(t, p.as(agent("a", 200)), now).Run.ID
	var long strings.Builder
	for i := range 900 {
		fmt.Fprintf(&long, `{"type":"run.start","id":"%06x","token":"t","host":"claude","plan":"p","owner":{"pid":9},"at":"2026-01-01T00:00:00Z","ttl":3600}`+"\n", i)
		fmt.Fprintf(&long, `{"type":"run.end","of":"%06x","status":"failure","cause":"user","at":"2025-01-01T00:00:00Z"}`+"\n", i)
	}
	write(t, filepath.Join(p.Dir, journalPath), textOfFile(p, journalPath)+long.String())
	endRun(t, p, run.Success, now.Add(time.Hour)) // rotates
	for archives, want := range map[bool]int{true: 901, false: 1} {
		list, err = p.RunList(user, archives, now)
		if err != nil || len(list.Runs) != want {
			t.Errorf("with archives %v: %d runs, %v", archives, len(list.Runs), err)
		}
	}
	list, _ = p.RunList(user, true, now)
	slices.Reverse(list.Runs)
	// by line, not by clock.
	if r := list.Runs[0]; r.ID != first || r.State != run.StateFinished || r.Lasted(now) != time.Hour {
		t.Errorf("%+v", r)
	}
	if r := list.Runs[1]; r.Lasted(now) != 0 { // it ended a year before it began, some clock says
		t.Errorf("%v", r.Lasted(now))
	}
}

// A plan in flight is told of, unless a lost session knows more of it.
func TestRecoveryBegin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		next *Next
		want int
	}{
		{nil, 0},
		{&Next{Plan: "a"}, 0},
		{&Next{Plan: "a", Begun: true}, 1},
		{&Next{Plan: "lost", Begun: true}, 0},
	} {
		r := &Recovery{}
		r.Lost = []LostSession{{Plan: "lost"}}
		if r.Begin(c.next); len(r.Incomplete) != c.want {
			t.Errorf("%+v: %+v", c.next, r.Incomplete)
		}
	}
}
