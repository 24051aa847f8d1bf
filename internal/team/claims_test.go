package team_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

// A member is a clone with a user of its own.
type member struct {
	*clone
	user string
}

func newMembers(t *testing.T, count, plans int) (all []*member) {
	for n, c := range newClones(t, count, plans) {
		m := &member{c, fmt.Sprint("user", n/2)} // two have two clones each
		c.Env = append(slices.Clone(c.Env), "GIT_CONFIG_VALUE_1="+m.user+"@example.com")
		all = append(all, m)
	}
	return all
}

func (m *member) do(now time.Time, do func(p *app.Project, o team.SyncOptions) error) error {
	var err error
	m.With(func(p *app.Project) {
		p.Now = now
		err = do(apptest.At(p, now), team.SyncOptions{User: m.user, Git: m.Git, Env: m.Env, Wait: time.Second})
	})
	return err
}

// sync returns who has the plan of the session.
func (m *member) sync(now time.Time) (claim *team.PlanClaim) {
	m.T.Helper()
	err := m.do(now, func(p *app.Project, o team.SyncOptions) error {
		done, err := team.Sync(m.T.Context(), p.Project, o)
		if err == nil {
			claim = done.Claim
		}
		return err
	})
	if err != nil {
		m.T.Fatalf("%s: %v", m.Name, err)
	}
	return claim
}

func (m *member) start(now time.Time, plan int, claim, force bool) error {
	return m.do(now, func(p *app.Project, o team.SyncOptions) error {
		b := app.BootstrapOptions{User: m.user, Plan: clonePlan(plan), TakeOver: force}
		if claim {
			b.Claim = &o
		}
		done, err := p.Bootstrap(m.T.Context(), b)
		if err == nil && slices.ContainsFunc(done.Warnings, func(w problem.Warning) bool { return w.Code == app.ClaimProblem }) {
			return fmt.Errorf("%v", done.Warnings)
		}
		return err
	})
}

// TestClaimSequences: whatever several people start, sync, take over and give up in whatever order, after all have synced twice,
// all agree on who has each plan; each plan with a session has somebody who has it, and nobody has what he does not work on.
func TestClaimSequences(t *testing.T) {
	if testing.Short() {
		t.Skip("starts git some hundred times")
	}
	count, steps := 2, 15
	if testenv.Thorough() {
		count, steps = 11, 25
	}
	for n := range count {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(n), 17))
			const plans = 3
			members := newMembers(t, 3+n%2, plans)
			now := time.Now()
			var log []string
			for range steps {
				m := members[random.IntN(len(members))]
				now = now.Add(time.Duration(random.IntN(20)) * time.Hour / 4)
				step := ""
				switch what := random.IntN(10); {
				case what < 4:
					plan, auto, force := 1+random.IntN(plans), random.IntN(2) == 0, random.IntN(4) == 0
					err := m.start(now, plan, auto, force)
					if is := (*problem.Error)(nil); errors.As(err, &is) && is.Kind == problem.Busy && !force { // somebody is known to have it, or the remote says so
						step = "refused: "
					} else if err != nil {
						t.Fatalf("%s: %v\n%s", m.Name, err, strings.Join(log, "\n"))
					} else {
						m.On = plan
					}
					step += fmt.Sprintf("bootstrap %d, auto %t, force %t", plan, auto, force)
				case what < 8 || m.On == 0:
					m.sync(now)
					step = "sync"
				case what == 8:
					err := m.do(now, func(p *app.Project, _ team.SyncOptions) error {
						_, err := apptest.At(p, now).Archive(t.Context(), app.ArchiveOptions{User: m.user})
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
					step, m.On = "archive", 0
				default:
					err := m.do(now, func(p *app.Project, _ team.SyncOptions) error {
						_, err := apptest.At(p, now).Mark(t.Context(), app.MarkOptions{User: m.user, Number: 1, Status: planfile.InProgress})
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
					step = "mark"
				}
				log = append(log, m.Name+" of "+m.user+" "+step)
			}
			for range 2 {
				for _, m := range members {
					m.sync(now)
				}
			}
			holders := map[int][]string{}
			for _, m := range members {
				claim := m.sync(now)
				if m.On == 0 {
					continue
				}
				if claim == nil || claim.Plan != clonePlan(m.On) {
					t.Fatalf("%s on %d: %+v\n%s", m.Name, m.On, claim, strings.Join(log, "\n"))
				}
				holders[m.On] = append(holders[m.On], "")
				_ = m.do(now, func(p *app.Project, _ team.SyncOptions) error {
					name, _ := p.SharedPlan(clonePlan(m.On))
					held := team.LastSeen(p.Project).Claims[share.ClaimRef(name)]
					mine := held.Worktree == p.WorktreeID()
					own := team.NameOf(held.User) == m.user
					want := share.Lost
					if mine {
						want = share.Held
						holders[m.On][0] += m.Name + " "
					} else if own {
						want = share.Elsewhere
					}
					if claim.Outcome != want {
						t.Errorf("%s on %d: %s, want %s; held by %s\n%s", m.Name, m.On, claim.Outcome, want, held.User, strings.Join(log, "\n"))
					}
					for _, c := range team.LastSeen(p.Project).Claims {
						if c.Worktree == p.WorktreeID() && c.User == team.OwnID(p.Project, m.user) && c.Plan != name {
							t.Errorf("%s on %d holds %s\n%s", m.Name, m.On, c.Plan, strings.Join(log, "\n"))
						}
					}
					return nil
				})
			}
			for plan, who := range holders {
				if strings.Count(who[0], " ") != 1 {
					t.Errorf("plan %d is held by %q\n%s", plan, who[0], strings.Join(log, "\n"))
				}
			}
		})
	}
}

// TestClaimExpires: a claim keeps others from the plan until nobody has renewed it for its time to live, and not longer; who had
// it is told.
func TestClaimExpires(t *testing.T) {
	members := newMembers(t, 3, 1)
	ada, bob := members[0], members[2]
	refused := func(err error) bool {
		is := (*problem.Error)(nil)
		return errors.As(err, &is) && is.Kind == problem.Busy
	}
	started := time.Now()
	if err := ada.start(started, 1, true, false); err != nil {
		t.Fatal(err)
	}
	renewed := started.Add(share.ClaimTTL - time.Hour)
	if err := bob.start(renewed, 1, true, false); !refused(err) {
		t.Errorf("an hour before the claim expires: %v", err)
	}
	ada.sync(renewed)
	if err := bob.start(renewed.Add(share.ClaimTTL-time.Second), 1, true, false); !refused(err) {
		t.Errorf("a second before the renewed claim expires: %v", err)
	}
	over := renewed.Add(share.ClaimTTL)
	if err := bob.start(over, 1, true, false); err != nil {
		t.Errorf("when it has expired: %v", err)
	}
	if got := bob.sync(over); got == nil || got.Outcome != share.Held {
		t.Errorf("after bob's sync: %+v", got)
	}
	if got := ada.sync(over); got == nil || got.Outcome != share.Lost || got.User != "user1" {
		t.Errorf("after ada's sync: %+v", got)
	}
}

// TestClaimCrowd: of many processes that start on one plan at the same time, each for a user of its own, exactly one gets it, and
// all others are told who has it.
func TestClaimCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	people := 8
	if testenv.Thorough() {
		people = 100
	}
	clones := newClones(t, min(people, 8), 1)
	now := time.Now()
	var held, late atomic.Int32
	var told sync.Map
	var all sync.WaitGroup
	slots := make(chan bool, 16) // more at once and they wait for the processor longer than for the remote
	for n := range people {
		slots <- true
		all.Go(func() {
			defer func() { <-slots }()
			c := clones[n%len(clones)]
			o := team.SyncOptions{User: fmt.Sprint("user", n), Git: c.Git, Env: c.Env, Wait: patience}
			for range 20 {
				child := spawn(t, order{Do: "claim", Dir: c.Dir, State: session.StateDir(c.Dir + ".state"), ID: clonePlan(1), Now: now, Sync: &o})
				said := child.Done()
				child.Wait()
				switch {
				case said.Warn != "": // the machine is slow
					late.Add(1)
					continue
				case said.Busy != "":
					told.Store(said.Busy, true)
				default:
					held.Add(1)
				}
				return
			}
			t.Errorf("user%d never had an answer", n)
		})
	}
	all.Wait()
	t.Logf("%d claims, by at most 16 processes at once: %d got it, and %d times there was no answer in time", people, held.Load(), late.Load())
	who := 0
	for text := range told.Range {
		t.Log(text)
		who++
	}
	if held.Load() != 1 || who != 1 {
		t.Errorf("%d got it, and the others were told of %d", held.Load(), who)
	}
}
