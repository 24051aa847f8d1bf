package share

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// The simulation: up to 50 clones of up to five users start plans, mark tasks, edit plans and sync in any order. Syncs
// meet each other, pushes fail, succeed without an answer, and clones die in the middle; clocks differ by days and are put
// right; sessions are lost with all that was known, and come back from breadcrumbs. Then nobody does anything more, and each
// syncs twice.

// A server has refs that change by compare-and-swap.
type server struct {
	refs    map[string]ref
	version int
}

type ref struct {
	version int // 0: there is none
	files   map[string][]byte
	events  set // what is in it, for the model
}

func (s *server) swap(name string, was int, files map[string][]byte, events set) bool {
	if s.refs[name].version != was {
		return false
	}
	if s.version++; files == nil {
		delete(s.refs, name)
	} else {
		s.refs[name] = ref{s.version, files, events}
	}
	return true
}

// set is a set of events by their numbers.
type set map[int]bool

func union(a, b set) set {
	c := maps.Clone(a)
	maps.Copy(c, b)
	return c
}

// An event is a change of a task that a clone told.
type event struct {
	task   string // user, plan and id
	status planfile.Status
	meant  bool // somebody marked the task, or began with --fresh
	past   set  // what the clone knew, and itself
}

// A crumb is what is left of a session on a plan when it is lost.
type crumb struct {
	statuses map[string]planfile.Status
	known    map[string]Task
	events   set
}

// A setting is the last status that was set of a task.
type setting struct {
	status planfile.Status
	event  int // 0 if it is told at some later time
}

type session struct {
	Local
	marked map[string]bool // since the last look
	begun  bool            // since the last look
}

type clone struct {
	user, worktree string
	skew           time.Duration
	plans          map[string][]string                   // names of tasks
	session        *session                              // nil for none
	archive        map[string]map[string]planfile.Status // of former sessions, by plan
	crumbs         map[string]crumb                      // by plan
	disk           []byte                                // the replica
	events         set
	mine           Claim
	starting       bool
	outcome        Outcome
}

type simulation struct {
	*rapid.T
	server
	now    time.Time
	clones []*clone
	events []event
	calm   bool // nothing fails any more, and nobody does anything
	told   int  // the largest number of events of one task

	clocksRight bool
	last        map[string]setting // by task, as in an event
}

func (s *simulation) chance(percent int, what string) bool {
	return !s.calm && rapid.IntRange(0, 99).Draw(s.T, what) < percent
}

func (s *simulation) clock(c *clone) time.Time {
	s.now = s.now.Add(time.Second)
	return s.now.Add(c.skew)
}

func (s *simulation) load(c *clone) Replica {
	r, err := DecodeReplica(c.disk)
	if err != nil {
		s.Fatal(err)
	}
	return r
}

func (s *simulation) save(c *clone, r Replica) {
	text, err := EncodeReplica(r)
	if err != nil {
		s.Fatal(err)
	}
	c.disk = text
}

// observe is Observe, and checks that what was marked is told, and that what was not is not.
func (s *simulation) observe(c *clone, r Replica) Replica {
	var locals []Local
	if c.session != nil {
		locals = append(locals, c.session.Local)
	}
	before := r
	r = r.Observe(c.worktree, locals, s.clock(c))
	if l := c.session; l != nil {
		known, was := r.Known[l.Plan], before.Known[l.Plan]
		for i, id := range l.IDs {
			told := known.Tasks[id] != was.Tasks[id]
			name := c.user + " " + l.Plan + " " + id
			seen, had := before.Seen[l.Plan].Tasks[id]
			switch {
			case told && !l.begun && !l.marked[id] && was.Cut.IsZero():
				s.Fatalf("%s told that %s is %s, and nobody marked it", c.worktree, name, l.Tasks[i].Status)
			case l.marked[id] && had && !l.begun && l.Tasks[i].Status != seen && known.Status(id) != l.Tasks[i].Status:
				s.Fatalf("%s did not tell that %s was marked %s", c.worktree, name, l.Tasks[i].Status)
			}
			if told {
				s.last[name] = setting{}
				if slices.Contains(l.Set, id) {
					s.last[name] = setting{l.Tasks[i].Status, len(s.events)}
				}
				c.events = union(c.events, set{len(s.events): true})
				s.events = append(s.events, event{task: name, status: l.Tasks[i].Status, meant: l.marked[id] || l.begun && l.Fresh, past: c.events})
			}
		}
		l.marked, l.begun = map[string]bool{}, false
	}
	return r
}

func (s *simulation) sync(c *clone, nested bool) {
	r := s.observe(c, s.load(c))
	s.save(c, r)
	if s.chance(5, "killed after the look") {
		return
	}
	name := UserRef(c.user)
	for {
		was := s.refs[name]
		remote, err := Decode(was.files)
		if err != nil {
			s.Fatal(err)
		}
		if !nested && s.chance(15, "another meanwhile") {
			s.sync(s.clones[rapid.IntRange(0, len(s.clones)-1).Draw(s.T, "who")], true)
			if r = s.load(c); s.chance(50, "fetched before") {
				was = s.refs[name]
				remote, _ = Decode(was.files)
			}
		}
		c.events = union(c.events, was.events)
		r = s.observe(c, r.Receive(remote))
		s.save(c, r)
		if s.chance(5, "killed before the push") {
			return
		}
		push := r.Known
		if !s.calm {
			push = Prune(push, s.clock(c))
		}
		if Equal(push, remote) {
			break
		}
		files, err := Encode(push)
		if err != nil {
			s.Fatal(err)
		}
		if s.chance(10, "push lost") {
			return
		}
		if s.swap(name, was.version, files, c.events) {
			if s.chance(10, "answer lost") {
				return
			}
			r = r.Receive(push)
			s.save(c, r)
			break
		}
	}
	s.claims(c)
	if c.session == nil || s.chance(20, "not taken over") {
		return
	}
	r = s.observe(c, r)
	take := r.Updates(c.session.Local)
	for i, id := range c.session.IDs {
		if status, ok := take[id]; ok {
			c.session.Tasks[i].Status = status
			c.session.Changed = s.clock(c)
		}
	}
	if s.chance(10, "killed after taking over") {
		return
	}
	s.save(c, s.observe(c, r))
	s.keepCrumb(c)
}

// keepCrumb writes the breadcrumb of the session.
func (s *simulation) keepCrumb(c *clone) {
	l := c.session
	its := crumb{statuses: map[string]planfile.Status{}, known: s.load(c).Known[l.Plan].Tasks, events: maps.Clone(c.events)}
	for i, id := range l.IDs {
		its.statuses[id] = l.Tasks[i].Status
	}
	maps.DeleteFunc(its.events, func(i int, _ bool) bool { return !strings.HasPrefix(s.events[i].task, c.user+" "+l.Plan+" ") })
	c.crumbs[l.Plan] = its
}

// lose loses all but the breadcrumbs, and restores the session from its.
func (s *simulation) lose(c *clone) {
	c.events = set{}
	c.archive = map[string]map[string]planfile.Status{}
	c.disk, _ = EncodeReplica(Replica{})
	l := c.session
	if c.session = nil; l == nil {
		return
	}
	its, ok := c.crumbs[l.Plan]
	if !ok {
		c.outcome = ""
		return
	}
	c.session = &session{Local: l.Local, marked: map[string]bool{}, begun: true}
	for i, id := range l.IDs {
		c.session.Tasks[i].Status = its.statuses[id]
		if its.statuses[id] == "" {
			c.session.Tasks[i].Status = pending
		}
	}
	c.session.Changed = s.clock(c)
	s.remember(c, l.Plan, its)
}

func (s *simulation) remember(c *clone, plan string, its crumb) {
	c.events = union(c.events, its.events)
	s.save(c, s.load(c).Remember(plan, its.known))
}

// isLost reports whether nobody knows of an event any more, unless a breadcrumb that was not used does.
func (s *simulation) isLost(event int) bool {
	knows := func(c *clone) bool { return c.events[event] }
	return !slices.ContainsFunc(s.clones, knows)
}

// claim asks for the clone's plan, by force or not.
func (s *simulation) claim(c *clone, force bool) {
	name := ClaimRef(c.mine.Plan)
	for {
		was := s.refs[name]
		var held *Claim
		if was.version > 0 {
			h, err := DecodeClaim(name, was.files["claim"])
			if err != nil {
				s.Fatal(err)
			}
			held = &h
		}
		outcome, write := Contend(c.mine, held, c.starting, s.clock(c), ClaimTTL)
		if force {
			outcome, write = Contend(c.mine, nil, c.starting, s.clock(c), ClaimTTL)
		}
		if write != nil {
			text, err := EncodeClaim(*write)
			if err != nil {
				s.Fatal(err)
			}
			if s.chance(10, "claim lost") {
				return
			}
			if !s.swap(name, was.version, map[string][]byte{"claim": text}, nil) {
				continue
			}
			if s.chance(10, "answer lost") {
				return
			}
		}
		c.outcome, c.starting = outcome, false
		return
	}
}

// claims claims the plan of the session, and gives back the others.
func (s *simulation) claims(c *clone) {
	for _, plan := range allPlans {
		name := ClaimRef(plan)
		if was := s.refs[name]; was.version > 0 && (c.session == nil || c.session.Plan != plan) {
			if held, _ := DecodeClaim(name, was.files["claim"]); held.By(c.user, c.worktree) {
				s.swap(name, was.version, nil, nil)
			}
		}
	}
	if c.session != nil {
		s.claim(c, false)
	}
}

var allPlans = []string{"1.md", "2.md", "3/4.md"}

func (s *simulation) end(c *clone) {
	if l := c.session; l != nil {
		statuses := map[string]planfile.Status{}
		for i, id := range l.IDs {
			statuses[id] = l.Tasks[i].Status
		}
		c.archive[l.Plan] = statuses
	}
	c.session, c.outcome = nil, ""
}

func (s *simulation) bootstrap(c *clone) {
	plan := rapid.SampledFrom(allPlans).Draw(s.T, "plan")
	now := s.clock(c)
	c.mine, c.starting, c.outcome = Claim{Plan: plan, User: c.user, Worktree: c.worktree, Started: wholeSecond(now)}, true, ""
	if s.chance(60, "online") {
		s.claim(c, s.chance(20, "force"))
		if c.outcome == Lost {
			if c.session != nil {
				c.mine.Plan, c.mine.Started, c.outcome = c.session.Plan, c.session.Place.Started, ""
			}
			return
		}
	}
	outcome := c.outcome
	s.end(c)
	c.outcome = outcome
	l := Local{Plan: plan, Place: Place{Started: now}, Changed: now, IDs: TaskIDs(c.plans[plan]), Fresh: s.chance(10, "fresh")}
	carry := c.archive[plan]
	if its, ok := c.crumbs[plan]; carry == nil && ok {
		carry = its.statuses
		s.remember(c, plan, its)
	}
	if l.Fresh || s.chance(20, "archive lost") {
		carry = nil
	}
	for _, id := range l.IDs {
		l.Tasks = append(l.Tasks, progress.Task{Status: carry[id]})
		if carry[id] == "" {
			l.Tasks[len(l.Tasks)-1].Status = planfile.Pending
		}
	}
	c.session = &session{Local: l, marked: map[string]bool{}, begun: true}
}

func (s *simulation) mark(c *clone) {
	l := c.session
	if l == nil || len(l.IDs) == 0 {
		return
	}
	i := rapid.IntRange(0, len(l.IDs)-1).Draw(s.T, "task")
	l.Tasks[i].Status = rapid.SampledFrom([]planfile.Status{complete, complete, planfile.Skipped, doing, pending}).Draw(s.T, "status")
	l.Changed = s.clock(c)
	l.marked[l.IDs[i]] = true
	if s.chance(30, "by hand") {
		s.last[c.user+" "+l.Plan+" "+l.IDs[i]] = setting{}
	} else {
		l.Set = []string{l.IDs[i]}
		s.save(c, s.observe(c, s.load(c)))
		l.Set = nil
		s.keepCrumb(c)
	}
}

func (s *simulation) edit(c *clone) {
	plan := rapid.SampledFrom(allPlans).Draw(s.T, "plan")
	names := slices.Clone(c.plans[plan])
	name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(s.T, "name")
	i := rapid.IntRange(0, len(names)).Draw(s.T, "where")
	switch {
	case i == len(names) || s.chance(30, "insert"):
		names = slices.Insert(names, i, name)
	case s.chance(50, "rename"):
		names[i] = name
	default:
		names = slices.Delete(names, i, i+1)
	}
	c.plans[plan] = names
}

func (s *simulation) check() {
	holders := map[string]int{}
	working := map[string]bool{}
	for _, c := range s.clones {
		remote, err := Decode(s.refs[UserRef(c.user)].files)
		if err != nil {
			s.Fatal(err)
		}
		r := s.load(c)
		if !Equal(r.Known, remote) {
			s.Fatalf("what %s of %s knows and what the server has differ:\n%s", c.worktree, c.user, cmp.Diff(r.Known, remote))
		}
		l := c.session
		if l == nil {
			continue
		}
		for i, id := range l.IDs {
			if want := remote[l.Plan].Status(id); l.Tasks[i].Status != want {
				s.Fatalf("%s of %s has %s of %s %s, and the server %s", c.worktree, c.user, id, l.Plan, l.Tasks[i].Status, want)
			}
		}
		working[l.Plan] = true
		if c.outcome == Held {
			holders[l.Plan]++
			if held, err := DecodeClaim(ClaimRef(l.Plan), s.refs[ClaimRef(l.Plan)].files["claim"]); err != nil || !held.By(c.user, c.worktree) {
				s.Fatalf("%s thinks that it has %s, which %s has: %v", c.worktree, l.Plan, held.Worktree, err)
			}
		}
	}
	for _, plan := range allPlans {
		if holders[plan] > 1 || working[plan] && holders[plan] == 0 {
			s.Fatalf("%d hold the claim on %s", holders[plan], plan)
		}
	}
	s.checkEvents()
}

// checkEvents checks that each task has a status that nobody knew of when changing it, and that no complete task was
// undone unless somebody meant it.
func (s *simulation) checkEvents() {
	byTask := map[string][]int{}
	for i, e := range s.events {
		byTask[e.task] = append(byTask[e.task], i)
	}
	for task, events := range byTask {
		events = slices.DeleteFunc(events, s.isLost)
		if len(events) == 0 {
			continue
		}
		s.told = max(s.told, len(events))
		var user, plan, id string
		fmt.Sscan(task, &user, &plan, &id)
		state, _ := Decode(s.refs[UserRef(user)].files)
		if !state[plan].Cut.IsZero() {
			continue
		}
		final := state[plan].Status(id)
		ok, meant, completed := false, false, false
		for _, i := range events {
			e := s.events[i]
			last := !slices.ContainsFunc(events, func(j int) bool { return i != j && s.events[j].past[i] })
			ok = ok || last && e.status == final
			meant = meant || last && e.status == final && e.meant
			undone := slices.ContainsFunc(events, func(j int) bool { return s.events[j].meant && s.events[j].status != complete && s.events[j].past[i] })
			completed = completed || e.status == complete && !undone
		}
		if !ok {
			s.Fatalf("%s is %s, which was overruled: %+v", task, final, events)
		}
		if completed && final != complete && !meant {
			s.Fatalf("%s was complete, is %s, and nobody meant that", task, final)
		}
		if last := s.last[task]; s.clocksRight && last.event > 0 && !s.isLost(last.event) && last.status != final {
			s.Fatalf("%s was marked %s last, is %s, and all clocks are right", task, last.status, final)
		}
	}
}

func TestSimulation(t *testing.T) {
	most := 0
	rapid.Check(t, func(t *rapid.T) {
		s := &simulation{T: t, server: server{refs: map[string]ref{}}, now: noon, last: map[string]setting{}}
		users := rapid.IntRange(1, 5).Draw(t, "users")
		days := rapid.SampledFrom([]int{0, 0, 3, 20}).Draw(t, "the clocks differ by days")
		s.clocksRight = days == 0
		pauses := rapid.Bool().Draw(t, "months pass")
		empty, err := EncodeReplica(Replica{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range rapid.SampledFrom([]int{2, 3, 3, 5, 10, 50}).Draw(t, "clones") {
			c := &clone{
				user: fmt.Sprintf("u%d", i%users), worktree: fmt.Sprintf("w%02d", i), disk: empty, events: set{},
				plans: map[string][]string{}, archive: map[string]map[string]planfile.Status{}, crumbs: map[string]crumb{},
				skew: time.Duration(rapid.IntRange(-days, days).Draw(t, "clock")) * 24 * time.Hour,
			}
			for _, plan := range allPlans {
				c.plans[plan] = []string{"a", "b", "c", "c"}
			}
			s.clones = append(s.clones, c)
		}
		steps := rapid.IntRange(0, 20+6*len(s.clones)).Draw(t, "steps")
		for range steps {
			s.now = s.now.Add(time.Duration(rapid.IntRange(1, 600).Draw(t, "minutes")) * time.Minute)
			c := s.clones[rapid.IntRange(0, len(s.clones)-1).Draw(t, "clone")]
			switch what := rapid.IntRange(0, 99).Draw(t, "what"); {
			case what < 20 || c.session == nil && what < 60:
				s.bootstrap(c)
			case what < 60:
				s.mark(c)
			case what < 65:
				s.edit(c)
			case what < 68:
				s.end(c)
			case what < 71:
				s.lose(c)
			case what < 73 && days > 0:
				c.skew = time.Duration(rapid.IntRange(-days, days).Draw(t, "another clock")) * 24 * time.Hour * time.Duration(rapid.IntRange(0, 1).Draw(t, "wrong"))
			case what < 74 && pauses:
				s.now = s.now.Add(40 * 24 * time.Hour)
			default:
				s.sync(c, false)
			}
		}
		s.calm = true
		for range 2 {
			for _, i := range rapid.Permutation(slices.Collect(upTo(len(s.clones)))).Draw(t, "order") {
				s.sync(s.clones[i], false)
			}
		}
		s.check()
		most = max(most, s.told)
	})
	if most < 3 {
		t.Errorf("no task was changed more than %d times: the simulation does not try enough", most)
	}
}

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}
