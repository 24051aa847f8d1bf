package team_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

// A statusSet is a status that was set in a clone.
type statusSet struct {
	plan, task int
	status     planfile.Status
	past       map[int]bool // what was known when it was set, and itself
}

// A syncModel is what people set, and which clone could know of it: what was synced there, and after a loss, what the breadcrumb of
// the plan had.
type syncModel struct {
	sets   []statusSet
	server map[int]bool
	clones []*clone
	known  map[*clone]map[int]bool
	crumbs map[*clone]map[int]map[int]bool // by plan
	log    []string
}

// of returns those of sets that are on a plan.
func (m *syncModel) of(sets map[int]bool, plan int) map[int]bool {
	on := maps.Clone(sets)
	maps.DeleteFunc(on, func(i int, _ bool) bool { return m.sets[i].plan != plan })
	return on
}

func (m *syncModel) keepCrumb(c *clone) {
	if c.On > 0 {
		m.crumbs[c][c.On] = m.of(m.known[c], c.On)
	}
}

func (m *syncModel) note(c *clone, format string, args ...any) {
	m.log = append(m.log, c.Name+" "+fmt.Sprintf(format, args...))
}

func (m *syncModel) sync(c *clone) {
	c.Sync()
	maps.Copy(m.known[c], m.server)
	maps.Copy(m.server, m.known[c])
	m.keepCrumb(c)
	m.note(c, "sync")
}

func (m *syncModel) bootstrap(c *clone, plan int) {
	c.Bootstrap(plan)
	maps.Copy(m.known[c], m.crumbs[c][plan])
	m.keepCrumb(c)
	m.note(c, "bootstrap %d", plan)
}

// set sets a status by hand or by command. What is written by hand is synced before and after, because a file has one time for all
// its tasks.
func (m *syncModel) set(c *clone, number int, status planfile.Status, byHand bool) {
	if byHand {
		m.sync(c)
		if !c.Edit(number, status) {
			return
		}
	} else {
		c.Mark(number, status)
	}
	m.known[c][len(m.sets)] = true
	m.sets = append(m.sets, statusSet{c.On, number, status, maps.Clone(m.known[c])})
	m.keepCrumb(c)
	m.note(c, "set %d of %d %s (by hand: %v, its clock %s)", number, c.On, status, byHand, c.Skew)
	if byHand {
		m.sync(c)
	}
}

// lose loses all sessions of a clone, and brings the current one back.
func (m *syncModel) lose(c *clone, restore bool) {
	c.Lose()
	m.known[c] = maps.Clone(m.crumbs[c][c.On])
	known := len(m.known[c])
	if restore {
		c.Restore()
	} else {
		c.Bootstrap(c.On)
	}
	m.note(c, "lost its sessions, restored: %v", restore)
	if known == 0 { // the breadcrumb knows nothing, not even that anything is shared
		m.sync(c)
	}
}

// check reports statuses that somebody overruled who knew of them. If all clocks were right, the last one counts.
func (m *syncModel) check(t *testing.T, plan int, c *clone, clocksRight bool) {
	for i, is := range c.Statuses() {
		var all []int
		for j, s := range m.sets {
			if s.plan == plan && s.task == i+1 {
				all = append(all, j)
			}
		}
		last := all
		if clocksRight {
			last = all[max(0, len(all)-1):]
		}
		ok := len(all) == 0 && is == planfile.Pending
		for _, j := range last {
			overruled := slices.ContainsFunc(all, func(k int) bool { return k != j && m.sets[k].past[j] })
			ok = ok || !overruled && m.sets[j].status == is
		}
		if !ok {
			t.Errorf("%s, plan %d, task %d is %s\n%s", c.Name, plan, i+1, is, strings.Join(m.log, "\n"))
		}
	}
}

// TestSyncSequences: whatever is set in whatever clone, and synced in whatever order, in the end all clones have the same statuses:
// those that were set last, or where a clock was wrong, those that nobody changed who knew of them. Sessions are lost meanwhile and
// restored.
func TestSyncSequences(t *testing.T) {
	if testing.Short() {
		t.Skip("starts git some hundred times")
	}
	count, steps := 3, 12
	if testenv.Thorough() {
		count, steps = 11, 40
	}
	skews := []time.Duration{0, 0, 5 * time.Minute, -5 * time.Minute, 3 * time.Hour, 72 * time.Hour, -72 * time.Hour}
	statuses := []planfile.Status{planfile.Complete, planfile.Complete, planfile.Complete, planfile.Skipped, planfile.InProgress, planfile.Pending}
	const plans = 2
	for n := range count {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(n), 16))
			clocksRight := n%2 == 0
			m := &syncModel{clones: newClones(t, 2+n%3, plans), server: map[int]bool{}, known: map[*clone]map[int]bool{}, crumbs: map[*clone]map[int]map[int]bool{}}
			for _, c := range m.clones {
				m.known[c], m.crumbs[c] = map[int]bool{}, map[int]map[int]bool{}
				m.sync(c)
				m.bootstrap(c, 1+random.IntN(plans))
			}
			for range steps {
				c := m.clones[random.IntN(len(m.clones))]
				if !clocksRight && random.IntN(4) == 0 {
					c.Skew = skews[random.IntN(len(skews))]
				}
				switch what := random.IntN(12); {
				case what < 2:
					m.bootstrap(c, 1+random.IntN(plans))
				case what < 5:
					m.sync(c)
				case what < 6:
					m.lose(c, random.IntN(2) == 0)
				default:
					m.set(c, 1+random.IntN(3), statuses[random.IntN(len(statuses))], what == 6)
				}
			}
			for _, c := range m.clones { // who lost the sessions on a plan knows of it what its breadcrumb does once it is started again
				for plan := range plans {
					m.bootstrap(c, plan+1)
				}
			}
			for range 2 {
				for _, c := range m.clones {
					m.sync(c)
				}
			}
			for plan := 1; plan <= plans; plan++ {
				all := map[string]bool{}
				for _, c := range m.clones {
					if c.On != plan {
						m.bootstrap(c, plan)
					}
					m.check(t, plan, c, clocksRight)
					all[fmt.Sprint(c.Statuses())] = true
				}
				if len(all) > 1 {
					t.Errorf("plan %d: %v\n%s", plan, slices.Collect(maps.Keys(all)), strings.Join(m.log, "\n"))
				}
			}
		})
	}
}
