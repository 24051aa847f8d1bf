package hydrate

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

func TestUnlock(t *testing.T) {
	for _, test := range []struct {
		name   string
		before func(m *machine)
		claim  run.Caller
		force  bool
		kind   Kind
	}{
		{"another's", func(*machine) {}, agent("d", 100), false, Busy},
		{"another's by force", func(*machine) {}, agent("d", 100), true, 0},
		{"a person's, of a living run", func(m *machine) { m.here.PID = 0 }, run.Caller{}, false, Busy},
		{"the own", func(*machine) {}, agent("c", 200), false, 0},
		{"a dead run's", func(m *machine) { delete(m.processes, 200) }, agent("d", 100), false, 0},
		{"another machine's", func(m *machine) { m.here.Namespace = "pid:[2]" }, agent("d", 100), false, Busy},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, m := newWorld(t)
			if done, err := p.Unlock(t.Context(), user, false, now, 0); err != nil || done.Unlocked {
				t.Errorf("of nothing: %+v, %v", done, err)
			}
			run := startRun(t, p.as(agent("c", 200)), now).Run.ID
			test.before(m)
			done, err := p.as(test.claim).Unlock(t.Context(), user, test.force, now, 0)
			if test.kind != 0 {
				wantKind(t, err, test.kind)
			} else if err != nil || done.From == nil || done.From.ID != run || !done.Unlocked {
				t.Errorf("%+v, %v", done, err)
			}
			if there := textOfFile(p, leasePath) != ""; there != (test.kind != 0) {
				t.Errorf("the lease is there: %v", there)
			}
			if l := readLedger(textOfFile(p, journalPath)); !slices.Equal(l.open(), []string{run}) {
				t.Errorf("it ended a run: %+v", l)
			}
		})
	}
}

// TestRenew: a mark is a sign of life of the run that it comes from, and of no other.
func TestRenew(t *testing.T) {
	later := now.Add(10 * time.Minute)
	for _, test := range []struct {
		name    string
		before  func(m *machine)
		claim   run.Caller
		renewed bool
		warned  bool
	}{
		{"the holder", func(*machine) {}, agent("c", 200), true, false},
		{"a new process of it", func(*machine) {}, agent("c", 100), true, false},
		{"a person", func(*machine) {}, run.Caller{}, false, true},
		{"a person, and the holder is dead", func(m *machine) { delete(m.processes, 200) }, run.Caller{}, false, false},
		{"the holder, and it is dead", func(m *machine) { delete(m.processes, 200) }, agent("c", 0), false, false},
		{"another", func(*machine) {}, agent("d", 100), false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, m := newWorld(t)
			bootstrap(t, p)
			m.here.PID = 0
			startRun(t, p.as(agent("c", 200)), now)
			test.before(m)
			p.as(test.claim)
			for i, status := range []planfile.Status{planfile.InProgress, planfile.InProgress} { // changed, and not
				at := later.Add(time.Duration(i) * time.Minute)
				done, err := p.Mark(t.Context(), MarkOptions{User: user, Number: 1, Status: status, Now: at})
				if err != nil {
					t.Fatal(err) // hydrate and mark work whoever holds the lease
				}
				warned := slices.ContainsFunc(done.Warnings, func(w Warning) bool { return w.Code == LeaseElsewhere })
				l, err := p.files(user).Lease()
				if err != nil || l.Renewed.Equal(at) != test.renewed || warned != test.warned {
					t.Errorf("%+v, %v; warned %v", l, err, warned)
				}
			}
		})
	}
}

// TestMarkWhateverTheLease: what lies in the lease's place stops no mark.
func TestMarkWhateverTheLease(t *testing.T) {
	for _, text := range []string{"", "{", "null", "[]", `{"version":2}`, `{"version":1}`, "\x00\xff", `{"version":1,"run":"x","token":"y","pid":"z"}`} {
		p, _ := newWorld(t)
		bootstrap(t, p)
		write(t, filepath.Join(p.Dir, leasePath), text)
		if _, err := p.as(agent("c", 200)).Mark(t.Context(), MarkOptions{User: user, Number: 1, Status: planfile.Complete, Now: now}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if textOfFile(p, leasePath) != text {
			t.Errorf("%q became %q", text, textOfFile(p, leasePath))
		}
		if r, err := p.Hydrate(user); err != nil || r.Verdict != Resume || r.Token != "2" {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
		// And nobody is wedged: force gets through, whatever it is.
		if _, err := p.StartRun(t.Context(), StartOptions{User: user, Now: now, Force: true}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
