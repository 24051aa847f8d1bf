package share

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

// The simulation: up to 50 clones of up to five users start plans, mark tasks, edit plans and sync in any order. Syncs
// meet each other, pushes fail, succeed without an answer, and clones die in the middle; clocks differ by days and are put
// right; sessions are lost with all that was known, and come back from breadcrumbs, and breadcrumbs are lost. Then nobody does anything more,
// and each syncs twice.

const (
	complete = planfile.Complete
	pending  = planfile.Pending
	doing    = planfile.InProgress
)

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

// An event is a status that was set.
type event struct {
	task   string // user, plan and id
	status planfile.Status
	at     time.Time
	meant  bool // somebody marked the task, or began with --fresh
	past   set  // what was known where it was set, and itself
}

// A record is what gsd stores of a session on a plan beside its file.
type record struct {
	started time.Time
	fresh   time.Time
	tasks   []progress.Task // none if it was lost
	events  set             // what is in it
	ended   time.Time       // when the session was archived
}

// A session is its file, and its record.
type session struct {
	record
	plan    string
	ids     []string
	files   []planfile.Status
	changed time.Time
	byHand  map[int]bool // tasks that somebody has set in the file
}

type clone struct {
	user, id string
	skew     time.Duration
	plans    map[string][]string // names of tasks
	session  *session            // nil for none
	records  map[string]*record  // of former sessions, by plan
	known    []byte              // what was fetched
	events   set                 // what is in it
	mine     Claim
	starting bool
	outcome  Outcome
}

type simulation struct {
	*rapid.T
	server
	now    time.Time
	clones []*clone
	events []event
	calm   bool            // nothing fails any more, and nobody does anything
	old    map[string]bool // users of whom something was dropped because it is old
	told   int             // the largest number of events of one task

	clocksRight bool
	farApart    bool           // clocks differ by so much that some take others for gone
	last        map[string]int // the event of a task, as in an event, that was the last; -1 if that is told at some later time
}

func (s *simulation) chance(percent int, what string) bool {
	return !s.calm && rapid.IntRange(0, 99).Draw(s.T, what) < percent
}

func (s *simulation) clock(c *clone) time.Time {
	s.now = s.now.Add(time.Second)
	return s.now.Add(c.skew)
}

func (s *simulation) set(c *clone, plan, id string, status planfile.Status, at time.Time, meant bool, past set) set {
	n := len(s.events)
	e := event{c.user + " " + plan + " " + id, status, at, meant, union(past, set{n: true})}
	for i := range past {
		if was := s.events[i]; was.task == e.task && !at.After(was.at) {
			s.Fatalf("%s sets %s %s at %v, and knows that it was set %s at %v", c.id, e.task, status, at, was.status, was.at)
		}
	}
	s.events = append(s.events, e)
	return set{n: true}
}

// clonesOf is what a clone knows.
func (c *clone) clonesOf() map[string]Clone { return DecodeClones(c.known) }

func (c *clone) sessions() (all []Session) {
	clones := c.clonesOf()
	for _, id := range slices.Sorted(maps.Keys(clones)) {
		all = append(all, clones[id].Sessions...)
	}
	return all
}

// latest is when a task was set last, as far as a clone knows.
func (c *clone) latest(plan, id string) (last time.Time) {
	for _, s := range c.sessions() {
		for _, t := range s.Tasks {
			if s.Plan == plan && t.ID == id && t.Set.After(last) {
				last = t.Set
			}
		}
	}
	return last
}

// tasks returns what is recorded of a session, as its file is now.
func (l *session) tasks(c *clone) (tasks []progress.Task, edited map[int]bool) {
	for i, id := range l.ids {
		tasks = append(tasks, progress.Task{Number: i + 1, Name: id, Key: id, Status: l.files[i]})
	}
	var said *Session
	for _, shared := range c.clonesOf()[c.id].Sessions {
		if shared.Plan == l.plan && shared.Started.Equal(wholeSecond(l.started)) {
			said = &shared
		}
	}
	edited = Stamped(tasks, l.record.tasks, l.fresh, l.changed, l.plan, l.ids, c.sessions(), said)
	return tasks, edited
}

// keep writes the record of the session.
func (s *simulation) keep(c *clone) {
	l := c.session
	tasks, edited := l.tasks(c)
	for i, t := range tasks {
		if !edited[i] && l.record.tasks != nil || t.Set.IsZero() {
			continue
		}
		name := c.user + " " + l.plan + " " + l.ids[i]
		same := func(e event) bool { return e.task == name && e.status == t.Status && e.at.Equal(t.Known()) }
		if e := slices.IndexFunc(s.events, same); e >= 0 { // it was taken over, or its record was lost
			l.events = union(l.events, set{e: true})
			continue
		}
		if !l.byHand[i] && l.record.tasks != nil {
			s.Fatalf("%s says that %s was set %s at %v, and nobody did so", c.id, name, t.Status, t.Set)
		}
		s.last[name] = -1
		past := set{}
		for e := range l.events {
			if s.events[e].task == name && s.events[e].at.Before(t.Known()) {
				past[e] = true
			}
		}
		l.events = union(l.events, s.set(c, l.plan, l.ids[i], t.Status, t.Known(), true, past))
	}
	l.byHand = map[int]bool{}
	l.record.tasks = tasks
}

// own returns the sessions of a clone as they are shared.
func (s *simulation) own(c *clone) (all []Session) {
	add := func(plan string, r *record, ids []string, tasks []progress.Task, changed time.Time) {
		session := Session{Plan: plan, Worktree: c.id, Started: r.started, Ended: r.ended, Changed: changed}
		for i, t := range tasks {
			if t.Status == pending && r.fresh.After(t.Set) {
				t.Set = r.fresh
			}
			session.Tasks = append(session.Tasks, Task{ID: ids[i], Status: t.Status, Set: t.Known()})
		}
		all = append(all, session)
	}
	if l := c.session; l != nil {
		tasks, _ := l.tasks(c)
		add(l.plan, &l.record, l.ids, tasks, l.changed)
	}
	for _, plan := range slices.Sorted(maps.Keys(c.records)) {
		if r := c.records[plan]; (c.session == nil || c.session.plan != plan) && !r.ended.IsZero() {
			var ids []string
			for _, t := range r.tasks {
				ids = append(ids, t.Name)
			}
			add(plan, r, ids, r.tasks, r.ended)
		}
	}
	return all
}

func (s *simulation) sync(c *clone, nested bool) {
	if c.session != nil {
		s.keep(c)
	}
	if s.chance(5, "killed before it fetched") {
		return
	}
	name := CloneRef(c.user, c.id)
	before := map[string]string{}
	for id, peer := range c.clonesOf() {
		before[id] = peer.Commit
	}
	for {
		fetched, versions, events, had := map[string]Clone{}, map[string]int{}, set{}, s.refs[name].files
		for _, ref := range slices.Sorted(maps.Keys(s.refs)) {
			if user, id, ok := ParseCloneRef(ref); ok && user == c.user {
				sessions, err := Decode(s.refs[ref].files)
				if err != nil {
					s.Fatal(err)
				}
				fetched[id], versions[id], events = Clone{Commit: fmt.Sprint(s.refs[ref].version), Sessions: sessions}, s.refs[ref].version, union(events, s.refs[ref].events)
			}
		}
		if !nested && s.chance(15, "another meanwhile") {
			s.sync(s.clones[rapid.IntRange(0, len(s.clones)-1).Draw(s.T, "who")], true)
		}
		if c.session != nil {
			s.keep(c)
		}
		text, err := EncodeClones(fetched)
		if err != nil {
			s.Fatal(err)
		}
		c.known, c.events = text, events
		if s.chance(5, "killed before it took over") {
			return
		}
		if l := c.session; l != nil && !s.takeOver(c, l) {
			return
		}
		was := fetched[c.id].Sessions
		own := Setters(s.own(c), c.sessions())
		yes := func(string) bool { return true }
		var all []Session
		for _, peer := range fetched {
			all = append(all, peer.Sessions...)
		}
		old := Clock(s.clock(c), all)
		next := Renew(was, own, c.id, yes, yes, s.clock(c), old)
		for _, o := range slices.Concat(was, own) {
			if !slices.ContainsFunc(next, func(n Session) bool { return n.Plan == o.Plan && n.Worktree == o.Worktree }) {
				s.old[c.user] = true
			}
		}
		files, err := Encode(next)
		if err != nil {
			s.Fatal(err)
		}
		s.checkTold(c, next)
		gone := map[string]bool{}
		for _, id := range slices.Sorted(maps.Keys(fetched)) {
			peer := fetched[id]
			if id != c.id && before[id] == peer.Commit && IsGone(peer.Sessions, next, func(string) bool { return false }, old) {
				gone[id] = s.swap(CloneRef(c.user, id), versions[id], nil, nil)
			}
		}
		if maps.EqualFunc(files, had, bytes.Equal) {
			break
		}
		if s.chance(10, "push lost") {
			return
		}
		pushed := set{}
		for _, session := range next {
			var ids []string
			for _, t := range session.Tasks {
				ids = append(ids, t.ID)
			}
			from := s.refs[name].events
			switch l, r := c.session, c.records[session.Plan]; {
			case l != nil && l.plan == session.Plan:
				from = l.events
			case r != nil:
				from = r.events
			}
			pushed = union(pushed, s.on(c, from, session.Plan, ids))
		}
		if len(files) == 0 {
			files = nil
		}
		if s.swap(name, versions[c.id], files, pushed) {
			if s.chance(10, "answer lost") {
				return
			}
			if delete(fetched, c.id); files != nil {
				sessions, _ := Decode(files)
				fetched[c.id] = Clone{Commit: fmt.Sprint(s.refs[name].version), Sessions: sessions}
			}
			c.known, _ = EncodeClones(fetched)
			c.events = union(c.events, pushed)
			break
		}
	}
	s.claims(c)
}

// all are the events in what a clone stores of its sessions.
func (c *clone) all() set {
	all := set{}
	for _, r := range c.records {
		all = union(all, r.events)
	}
	if c.session != nil {
		all = union(all, c.session.events)
	}
	return all
}

// on returns those of a clone's events that are about tasks of a plan.
func (s *simulation) on(c *clone, events set, plan string, ids []string) set {
	of := set{}
	for e := range events {
		if slices.ContainsFunc(ids, func(id string) bool { return s.events[e].task == c.user+" "+plan+" "+id }) {
			of[e] = true
		}
	}
	return of
}

// takeOver reports whether the clone lives on.
func (s *simulation) takeOver(c *clone, l *session) bool {
	tasks, _ := l.tasks(c)
	merged, later := Merge(progress.Record{Tasks: tasks, Fresh: l.fresh}, l.plan, l.ids, c.sessions(), func(Session, Task) bool { return true })
	if later {
		for i, t := range merged {
			if l.files[i] != t.Status {
				l.files[i], l.changed = t.Status, s.clock(c)
			}
		}
		if s.chance(10, "killed after it took over") {
			return false
		}
		l.record.tasks = merged
	}
	l.events = union(l.events, s.on(c, c.events, l.plan, l.ids))
	return true
}

// checkTold checks that no clone reports what nobody set.
func (s *simulation) checkTold(c *clone, all []Session) {
	for _, session := range all {
		for _, t := range session.Tasks {
			name := c.user + " " + session.Plan + " " + t.ID
			known := func(e event) bool { return e.task == name && e.status == t.Status && e.at.Equal(t.Set) }
			if !t.Set.IsZero() && !slices.ContainsFunc(s.events, known) {
				s.Fatalf("%s tells that %s was set %s at %v, and nobody did so: %+v", c.id, name, t.Status, t.Set, session)
			}
		}
	}
}

// lose loses the session and what was fetched, and restores the session from its record.
func (s *simulation) lose(c *clone) {
	c.known, c.events = nil, set{}
	l := c.session
	if l == nil {
		return
	}
	if l.record.tasks == nil {
		c.session, c.outcome = nil, ""
		return
	}
	for i, t := range l.record.tasks {
		l.files[i] = t.Status
	}
	l.byHand, l.changed = map[int]bool{}, s.clock(c)
}

// forget loses all records, and sometimes what was fetched: a session's file says how far it is, and nothing else.
func (s *simulation) forget(c *clone) {
	c.records = map[string]*record{}
	if s.chance(30, "and what was fetched") {
		c.known, c.events = nil, set{}
	}
	if l := c.session; l != nil {
		l.record = record{started: l.started, events: set{}}
	}
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
		if was := s.refs[name]; was.version > 0 && (c.session == nil || c.session.plan != plan) {
			if held, _ := DecodeClaim(name, was.files["claim"]); held.By(c.user, c.id) {
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
		s.keep(c)
		r := l.record
		r.ended = s.clock(c)
		c.records[l.plan] = &r
	}
	c.session, c.outcome = nil, ""
}

func (s *simulation) bootstrap(c *clone) {
	plan := rapid.SampledFrom(allPlans).Draw(s.T, "plan")
	now := s.clock(c)
	c.mine, c.starting, c.outcome = Claim{Plan: plan, User: c.user, Worktree: c.id, Started: wholeSecond(now)}, true, ""
	if s.chance(60, "online") {
		s.claim(c, s.chance(20, "force"))
		if c.outcome == Lost {
			if c.session != nil {
				c.mine.Plan, c.mine.Started, c.outcome = c.session.plan, wholeSecond(c.session.started), ""
			}
			return
		}
	}
	outcome := c.outcome
	s.end(c)
	c.outcome = outcome
	l := &session{plan: plan, ids: TaskIDs(c.plans[plan]), changed: now, byHand: map[int]bool{}}
	l.started, l.events = now, set{}
	var tasks []progress.Task
	for i, id := range l.ids {
		tasks = append(tasks, progress.Task{Number: i + 1, Name: id, Key: id, Status: pending})
		l.files = append(l.files, pending)
	}
	past := c.events
	was := c.records[plan]
	if was != nil {
		past = union(past, was.events)
	}
	past = s.on(c, past, plan, l.ids)
	if s.chance(10, "fresh") {
		l.fresh = now
		for e := range past {
			l.fresh = progress.After(l.fresh, s.events[e].at)
		}
		for _, id := range l.ids {
			e := s.set(c, plan, id, pending, l.fresh, true, past)
			l.events = union(l.events, e)
			for n := range e {
				s.last[c.user+" "+plan+" "+id] = n
			}
		}
	} else {
		former := progress.Record{}
		if was != nil {
			former = progress.Record{Tasks: was.tasks, Fresh: was.fresh}
		}
		own, _, _ := progress.Of(tasks, false, []progress.Record{former})
		for i := range own {
			if own[i].Status == "" {
				own[i].Status = pending
			}
		}
		tasks, _ = Merge(progress.Record{Tasks: own, Fresh: former.Fresh}, plan, l.ids, c.sessions(), func(Session, Task) bool { return true })
		for i := range tasks {
			tasks[i].Number, tasks[i].From = i+1, 0
			l.files[i] = tasks[i].Status
			if tasks[i].Status == pending && former.Fresh.After(tasks[i].Set) && was.has(l.ids[i]) {
				tasks[i].Set = former.Fresh
			}
		}
	}
	l.events = union(l.events, past)
	l.record.tasks = tasks
	c.session = l
	delete(c.records, plan)
}

func (r *record) has(id string) bool {
	return slices.ContainsFunc(r.tasks, func(t progress.Task) bool { return t.Name == id })
}

func (s *simulation) mark(c *clone) {
	l := c.session
	if l == nil || len(l.ids) == 0 {
		return
	}
	i := rapid.IntRange(0, len(l.ids)-1).Draw(s.T, "task")
	status := rapid.SampledFrom([]planfile.Status{complete, complete, planfile.Skipped, doing, pending}).Draw(s.T, "status")
	if s.chance(30, "by hand") {
		l.files[i], l.changed, l.byHand[i] = status, s.clock(c), true
		s.last[c.user+" "+l.plan+" "+l.ids[i]] = -1
		return
	}
	s.keep(c)
	l.files[i], l.changed = status, s.clock(c)
	t := &l.record.tasks[i]
	t.Status, t.Guessed = status, false
	before := t.Set
	if l.fresh.After(before) {
		before = l.fresh
	}
	t.Set = progress.After(progress.After(l.changed, c.latest(l.plan, l.ids[i])), before)
	past := s.on(c, union(c.events, l.events), l.plan, l.ids[i:i+1])
	e := s.set(c, l.plan, l.ids[i], status, t.Set, true, past)
	l.events = union(l.events, e)
	for n := range e {
		s.last[s.events[n].task] = n
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

// final returns the status of a task that was set last, as the server has it.
func (s *simulation) final(user, plan, id string) (is Task) {
	is.Status = pending
	for _, name := range slices.Sorted(maps.Keys(s.refs)) {
		if of, _, ok := ParseCloneRef(name); !ok || of != user {
			continue
		}
		sessions, _ := Decode(s.refs[name].files)
		for _, session := range sessions {
			for _, t := range session.Tasks {
				later := t.Set.After(is.Set) || t.Set.Equal(is.Set) && t.Status.Rank() > is.Status.Rank()
				if session.Plan == plan && t.ID == id && !t.Set.IsZero() && later {
					is = t
				}
			}
		}
	}
	return is
}

func (s *simulation) check() {
	holders := map[string]int{}
	working := map[string]bool{}
	for _, c := range s.clones {
		if s.farApart && s.old[c.user] {
			continue
		}
		var remote []Session
		for _, name := range slices.Sorted(maps.Keys(s.refs)) {
			if of, _, ok := ParseCloneRef(name); ok && of == c.user {
				sessions, err := Decode(s.refs[name].files)
				if err != nil {
					s.Fatal(err)
				}
				remote = append(remote, sessions...)
			}
		}
		if diff := cmp.Diff(c.sessions(), remote, cmpopts.IgnoreFields(Session{}, "Seen")); diff != "" && !s.farApart {
			s.Fatalf("what %s of %s knows and what the server has differ:\n%s", c.id, c.user, diff)
		}
		l := c.session
		if l == nil {
			continue
		}
		for i, id := range l.ids {
			if want := s.final(c.user, l.plan, id); l.files[i] != want.Status {
				s.Fatalf("%s of %s has %s of %s %s, and the server %+v:\n%+v", c.id, c.user, id, l.plan, l.files[i], want, l)
			}
		}
		working[l.plan] = true
		if c.outcome == Held {
			holders[l.plan]++
			if held, err := DecodeClaim(ClaimRef(l.plan), s.refs[ClaimRef(l.plan)].files["claim"]); err != nil || !held.By(c.user, c.id) {
				s.Fatalf("%s thinks that it has %s, which %s has: %v", c.id, l.plan, held.Worktree, err)
			}
		}
	}
	for _, plan := range allPlans {
		if holders[plan] > 1 || working[plan] && holders[plan] == 0 && !s.farApart {
			s.Fatalf("%d hold the claim on %s", holders[plan], plan)
		}
	}
	s.checkEvents()
}

// isLost reports whether nobody knows of an event any more.
func (s *simulation) isLost(i int) bool {
	return !slices.ContainsFunc(s.clones, func(c *clone) bool { return c.events[i] || c.all()[i] })
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
		var user, plan, id string
		fmt.Sscan(task, &user, &plan, &id)
		if len(events) == 0 || s.old[user] {
			continue
		}
		s.told = max(s.told, len(events))
		final := s.final(user, plan, id).Status
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
			var all []string
			for _, i := range events {
				all = append(all, fmt.Sprintf("%d: %+v", i, s.events[i]))
			}
			s.Fatalf("%s is %s, which was overruled:\n%s", task, final, strings.Join(all, "\n"))
		}
		if completed && final != complete && !meant {
			s.Fatalf("%s was complete, is %s, and nobody meant that", task, final)
		}
		if last, ok := s.last[task]; s.clocksRight && ok && last >= 0 && !s.isLost(last) && s.events[last].status != final {
			s.Fatalf("%s was marked %s last, is %s, and all clocks are right", task, s.events[last].status, final)
		}
	}
}

// TestSimulation tries the same cases every time; others with -rapid.seed N. With 17268057741865338272 a clone says after crashes that a task
// was set pending which nobody has set: this is known, and rare.
func TestSimulation(t *testing.T) {
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == seed.DefValue {
		if err := flag.Set(seed.Name, "1"); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = flag.Set(seed.Name, seed.DefValue) }()
	}
	most := 0
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		s := &simulation{T: t, server: server{refs: map[string]ref{}}, now: noon, last: map[string]int{}, old: map[string]bool{}}
		users := rapid.IntRange(1, 5).Draw(t, "users")
		days := rapid.SampledFrom([]int{0, 0, 3, 20}).Draw(t, "the clocks differ by days")
		s.clocksRight, s.farApart = days == 0, 2*days > 29
		pauses := rapid.Bool().Draw(t, "months pass")
		for i := range rapid.SampledFrom([]int{2, 3, 3, 5, 10, 50}).Draw(t, "clones") {
			c := &clone{
				user: fmt.Sprintf("u%d", i%users), id: fmt.Sprintf("w%02d", i), events: set{},
				plans: map[string][]string{}, records: map[string]*record{},
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
			case what < 70:
				s.lose(c)
			case what < 71:
				s.forget(c)
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
		before := maps.Clone(s.refs)
		for _, c := range s.clones { // what the others have pushed since
			s.sync(c, false)
			is, _ := Decode(s.refs[CloneRef(c.user, c.id)].files)
			was, _ := Decode(before[CloneRef(c.user, c.id)].files)
			if diff := cmp.Diff(was, is, cmpopts.IgnoreFields(Session{}, "Seen")); diff != "" && !s.farApart {
				s.Fatalf("%s pushes again, and nothing has changed: %s", c.id, diff)
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
