//go:build linux

package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/testenv"
)

var (
	sequences = flag.Int("sequences", 0, "how many random sequences are tried; 0 for 150, or 10,000 with GSD_THOROUGH=1")
	sequence  = flag.String("sequence", "", "the steps of the only one to try")
)

// A step is something that people do. What its numbers mean depends on what is done.
type step struct {
	name string
	a, b int
}

func (s step) String() string { return fmt.Sprintf("%s %d %d", s.name, s.a, s.b) }

// A doing is what a step does, and how likely it is.
type doing struct {
	weight int
	do     func(w *world, a, b int)
}

// doings are the steps, each as often as it is likely; those of sequences_runs_test.go are added.
var doings = map[string]doing{
	"bootstrap": {20, func(w *world, a, b int) {
		args := []string{"bootstrap", w.plan(a).path()}
		if b%6 == 0 {
			args = append(args, "--fresh")
		}
		if b%3 == 1 {
			args[0] = "takeover"
		}
		w.gsd("", args...)
	}},
	"continue": {6, func(w *world, a, b int) { w.gsd("", "bootstrap") }},
	"phase":    {3, func(w *world, a, b int) { w.gsd("", "bootstrap", strconv.Itoa(1+a%3)) }},
	"mark": {26, func(w *world, a, b int) {
		status := []string{"complete", "complete", "complete", "in-progress", "pending"}[b%5]
		w.gsd("", "mark", strconv.Itoa(1+a%3), status)
	}},
	"skip":    {4, func(w *world, a, b int) { w.gsd("", "mark", strconv.Itoa(1+a%3), "skipped") }},
	"archive": {5, func(w *world, a, b int) { w.gsd("", "archive") }},
	"done":    {10, func(w *world, a, b int) { w.done() }},
	"begin":   {8, func(w *world, a, b int) { w.gsd("", "mark", strconv.Itoa(w.firstOpen()), "in-progress") }},
	"edit":    {10, func(w *world, a, b int) { w.edit(w.plan(a), b) }},
	"move": {6, func(w *world, a, b int) {
		p := w.plan(a)
		if p.gone {
			return
		}
		w.removeAll(p.where[p.at])
		w.removeAll(p.summaryAt())
		p.at = b % len(p.where)
		w.writePlan(p)
		if p.summary {
			w.summarise(p)
		}
	}},
	"remove": {2, func(w *world, a, b int) {
		p := w.plan(a)
		p.gone = !p.gone
		w.writePlan(p)
		w.writeRoadmap()
	}},
	"summary": {4, func(w *world, a, b int) {
		p := w.plan(a)
		if p.gone {
			return
		}
		w.summarise(p)
	}},
	"roadmap": {6, func(w *world, a, b int) {
		if b%8 == 7 {
			w.hidden = !w.hidden
		} else {
			w.phases[strconv.Itoa(1+a%3)] = []string{"Complete", "In progress", "Not started"}[b%3]
		}
		w.writeRoadmap()
	}},
	"advance": {4, func(w *world, a, b int) {
		for i, phase := range []string{"1", "2", "3"} {
			w.phases[phase] = []string{"Complete", "In progress", "Not started"}[1+min(1, max(-1, i-a%3))]
		}
		w.writeRoadmap()
	}},
	"insert": {2, func(w *world, a, b int) {
		w.plans[4].gone = false
		w.writePlan(w.plans[4])
		w.writeRoadmap()
	}},
	"clean": {5, func(w *world, a, b int) {
		name := filepath.Dir(filepath.Dir(w.sessionFile()))
		if b%2 == 0 {
			name = w.sessionFile()
		}
		os.RemoveAll(name)
		for user := range users {
			w.lostAt[owner{w.side, user}] = w.now
			delete(w.hands, owner{w.side, user})
		}
	}},
	"tear": {2, func(w *world, a, b int) {
		if src, err := os.ReadFile(w.sessionFile()); err == nil {
			w.write(w.sessionFile(), string(src[:len(src)*(b%4)/4]))
			w.torn = true
			w.lostAt[w.owner()] = w.now
		}
	}},
	"workstream": {0, func(w *world, a, b int) { w.enterWorkstream() }}, // before all others
	"repository": {0, func(w *world, a, b int) { w.addRepository(a%2 == 1) }},
	"commit":     {0, func(w *world, a, b int) { w.commit(w.plan(a), b) }}, // there
	"worktree":   {3, func(w *world, a, b int) { w.changeWorktree() }},
	"user":       {9, func(w *world, a, b int) { w.setUser(a % len(users)) }},
	"as":         {6, func(w *world, a, b int) { w.agent = a % len(agents) }},
	"crash":      {3, func(w *world, a, b int) { w.dies = 1 + a%12 }},
	"clock": {3, func(w *world, a, b int) {
		w.now = w.now.Add([]time.Duration{time.Hour, 30 * time.Hour, -time.Hour, -50 * time.Hour, 8 * 24 * time.Hour}[b%5])
		w.turned = w.turned || b%5 == 2 || b%5 == 3
	}},
	"start": {8, func(w *world, a, b int) {
		w.agent = 1 + a%3
		w.hook("start", `"source":"startup"`)
	}},
	"end": {5, func(w *world, a, b int) {
		w.agent = 1 + a%3
		w.hook("end", fmt.Sprintf(`"reason":%q`, []string{"exit", "clear", "other"}[b%3]))
		w.agent = 0
	}},
	"kill": {5, func(w *world, a, b int) {
		w.procs[agents[1+a%3].pid]++
		w.agent = 0
		clear(w.hands)
		w.lives.killed()
	}},
	"sweep": {4, func(w *world, a, b int) {
		w.gsd("", append([]string{"run", "sweep"}, [][]string{nil, {"--reset-tasks"}}[b%2]...)...)
	}},
	"restore": {4, func(w *world, a, b int) {
		w.gsd("", "restore")
	}},
	"reach": {1, func(w *world, a, b int) { w.reach() }},
	"obey":  {20, func(w *world, a, b int) { w.obey(a, b) }},
}

func (w *world) plan(n int) *planModel { return w.plans[n%len(w.plans)] }

func (w *world) firstOpen() int {
	_, tasks := w.session()
	for i, t := range tasks {
		if !t.status.Settled() {
			return i + 1
		}
	}
	return 1
}

func (w *world) edit(p *planModel, how int) {
	n := len(p.tasks)
	at := how / 8 % max(n, 1)
	switch how % 6 {
	case 0:
		p.add(w.newTask(), at)
	case 1:
		if n > 1 {
			p.tasks = slices.Delete(p.tasks, at, at+1)
		}
	case 2:
		p.tasks = append(p.tasks[1:], p.tasks[0])
	case 3:
		p.tasks[at].name = w.word("name", p.tasks[at].id)
	case 4:
		p.tasks[at].text = w.word("text", p.tasks[at].id)
	case 5:
		p.tasks[at].wording = wording{w.word("name", p.tasks[at].id), w.word("text", p.tasks[at].id)}
	}
	w.writePlan(p)
}

func (w *world) summarise(p *planModel) {
	w.writeAll(p.summaryAt(), "# Done\n")
	p.summary = true
	w.forget(p)
}

// forget: nobody, or one owner, has to bring back what was done of a plan.
func (w *world) forget(p *planModel, only ...owner) {
	for o, marked := range w.progress {
		for _, id := range p.all {
			if len(only) == 0 || slices.Contains(only, o) {
				delete(marked, id)
			}
		}
	}
}

// lostSight reports whether nothing connects a plan with the session in which a task was complete: it has another path, another
// text and another id or none of its tasks, and not most of its tasks.
func (w *world) lostSight(p *planModel, was doneTask) bool {
	if was.plan == p.path() || was.digest == digestOf(p.text()) {
		return false
	}
	fits, exact := 0, false
	for _, t := range was.tasks {
		for _, is := range p.tasks {
			if is.name == t.name || is.text == t.text {
				fits++
				exact = exact || is.text == t.text
				break
			}
		}
	}
	id, _ := planref.PlanID(was.plan)
	own, _ := planref.PlanID(p.path())
	return fits == 0 || id != own && (2*fits <= len(was.tasks) || !exact)
}

func (w *world) changeWorktree() {
	w.side = !w.side
	side := filepath.Join(w.root, "side")
	if exists(side) {
		return
	}
	git := filepath.Join(w.root, "notes/.git/worktrees/side")
	w.write(filepath.Join(side, ".git"), "gitdir: "+git+"\n")
	w.write(filepath.Join(git, "HEAD"), "ref: refs/heads/side\n")
	w.write(filepath.Join(git, "commondir"), "../..\n")
	w.write(filepath.Join(git, "gitdir"), filepath.Join(side, ".git")+"\n")
	for _, p := range w.plans {
		w.writePlan(p)
		if p.summary && !p.gone {
			w.writeAll(p.summaryAt(), "# Done\n")
		}
	}
	w.writeAll("phases/01-notes/01-01-PLAN.md", "<task>\n<name>Old</name>\n</task>\n")
	w.writeAll("phases/01-notes/01-01-SUMMARY.md", "# Done\n")
	w.writeRoadmap()
	w.declare()
}

// hook runs a hook of the agent.
func (w *world) hook(name, input string) {
	is := agents[w.agent]
	w.gsd(fmt.Sprintf(`{"session_id":%q,%s}`, is.conversation, input), "hook", name, "--host", is.host, "--pid="+strconv.Itoa(is.pid))
}

// follow compares the session with the model after a command: what was complete or skipped is so, unless the command said otherwise.
func (w *world) follow(words []string, r result) {
	marked := w.progress[w.owner()]
	if marked == nil {
		marked = map[int]doneTask{}
		w.progress[w.owner()] = marked
	}
	head, tasks := w.session()
	name, forgives := words[0], false
	if name == "takeover" {
		name = "bootstrap"
	}
	if name == "done" {
		for _, p := range w.plans { // done --summary wrote it in this worktree; git would bring it to the other
			if !p.gone && !p.summary && exists(filepath.Join(w.dir(), w.base, p.summaryAt())) {
				w.summarise(p)
			}
		}
	}
	if name == "bootstrap" && slices.Contains(words, "--fresh") && len(tasks) > 0 && (r.code == 0 || r.killed) {
		for user := range users { // one person under two names has started over
			if on := w.planOf(tasks[0].id); on != nil && user != w.user && accounts[user] == accounts[w.user] {
				w.forget(on, owner{w.side, user})
			}
		}
	}
	switch {
	case r.code != 0 && !r.killed:
	case name == "bootstrap" && slices.Contains(words, "--fresh"), name == "restore":
		forgives = true
	case name == "mark":
		if n, _ := strconv.Atoi(words[1]); n > 0 && n <= len(tasks) && !tasks[n-1].status.Settled() {
			delete(marked, tasks[n-1].id)
		}
	}
	now := func(t sessionTask) doneTask {
		done := doneTask{wording: t.wording, plan: head.Plan, digest: head.Digest}
		for _, other := range tasks {
			done.tasks = append(done.tasks, other.wording)
		}
		return done
	}
	for _, t := range tasks {
		was, ok := marked[t.id]
		on := w.planOf(t.id)
		switch {
		case on == nil: // the file was torn
		case t.status.Settled() && (on.summary || r.killed && !ok): // nobody needs it; its breadcrumb may be missing
		case t.status.Settled() && !ok && w.committed[t.id]: // a later commit may show that this was another task
		case t.status.Settled() && !ok && (r.code != 0 || !slices.Contains([]string{"mark", "done", "bootstrap", "hook"}, name)): // it may have no breadcrumb yet
		case t.status.Settled():
			marked[t.id] = now(t)
		case !ok:
		case forgives, w.lostSight(on, was), was.name != t.name && was.text != t.text:
			delete(marked, t.id)
		case name != "bootstrap" || r.code != 0: // an old session may still be there
		default:
			w.violate("progress", "task %d of plan %d was complete or skipped, and is not after %q: %s", t.id, on.id, words, r.out)
			delete(marked, t.id)
		}
	}
	if name != "bootstrap" || r.code != 0 {
		return
	}
	after := w.look()
	if !after.live() {
		w.violate("bootstrap is usable", "after %q: %s\n%s", words, after, r.out)
	}
	if len(words) > 1 && strings.Contains(words[1], "/") && words[1] != head.Plan {
		w.violate("bootstrap is on the plan", "after %q: %s, header %s", words, after, head.Plan)
	}
}

// observers are the commands whose printed commands are tried.
var observers = [][]string{
	{"hydrate"},
	{"hydrate", "--json"},
	{"hydrate", "--inline"},
	{"next"},
	{"status"},
	{"restore", "--list"},
	{"run", "list"},
	{"run", "sweep", "--dry-run"},
	{"tasks"},
	{"next", "--json"},
	{"doctor"},
	nil, // what was just printed
}

// obey runs one of the commands that were just printed, or that a command prints now.
func (w *world) obey(a, b int) {
	if by := observers[a%len(observers)]; by != nil {
		if b%16 == 3 {
			w.away = true
			by = append(slices.Clone(by), "-C", filepath.Base(w.dir()))
		}
		before := ""
		if b%8 == 0 {
			before = w.sum()
		}
		w.gsd("", by...)
		if before != "" && w.sum() != before {
			w.violate("reading writes: "+strings.Join(by, " "), "")
		}
	}
	said, printer := w.said, w.printer
	if strings.Contains(printer, " -C ") {
		w.away = true
		defer func() { w.away = false }()
	}
	if all := allPrinted(said); len(all) > 0 {
		w.try(all[b%len(all)], said, printer)
	}
}

// finish checks that all that was done of every plan comes back when people return to it.
func (w *world) finish() {
	w.agent, w.dies = 0, 0
	for _, o := range slices.SortedFunc(maps.Keys(w.progress), func(a, b owner) int { return a.user - b.user }) {
		if o.side && !exists(filepath.Join(w.root, "side")) {
			continue
		}
		w.side = o.side
		w.setUser(o.user)
		w.log = append(w.log, fmt.Sprintf("# %s, side %v", users[o.user], o.side))
		if at, ok := w.lostAt[o]; ok && w.now.Sub(at) > 7*24*time.Hour {
			continue
		}
		for _, p := range w.plans {
			if p.gone || p.summary || !slices.ContainsFunc(p.all, func(id int) bool { _, ok := w.progress[o][id]; return ok }) {
				continue
			}
			if r := w.gsd("", "takeover", p.path()); r.code != 0 {
				w.violate("takeover fails", "%s: exit %d %s", p.path(), r.code, r.err)
			}
		}
	}
}

// endable finds the run at work of which hydrate says that its help says how to end it.
var endable = lazyRegexp(`(?s)at work: .*?\brun ([0-9a-f]{12}),.*try: gsd run end --help `)

// reach does what gsd says, again and again. That must lead to the end of the project.
func (w *world) reach() {
	w.agent, w.dies = 0, 0
	for _, a := range agents {
		w.procs[a.pid]++
	}
	w.lives.killed()
	w.now = w.now.Add(24 * time.Hour) // more than the time to live of a run that cannot be checked
	for range 100 {
		r := w.gsd("", "hydrate")
		if w.summariseDue(r.out) {
			continue
		}
		command, end := w.advice(r.out), endable().FindStringSubmatch(r.out)
		if readOnly().MatchString("gsd " + strings.Join(command, " ")) {
			r = w.gsd("", command...)
			if w.summariseDue(r.out) {
				continue
			}
			command = w.advice(r.out)
		}
		if command == nil && end != nil { // the person knows that nobody is at work
			command = []string{"run", "end", end[1]}
		}
		switch {
		case regexp.MustCompile(`(?m)^(no plans left|no plans yet|no next plan|next: plan phase|next: finish phase)`).MatchString(r.out):
			return
		case command == nil && (strings.Contains(r.out, "taken by ") || strings.Contains(r.out, "(taken: ")):
			return
		case command == nil:
			w.violate("no advice", "%s", r.out)
			return
		}
		if r := w.gsd("", command...); r.code != 0 {
			w.violate("bad advice: gsd "+shape(strings.Join(command, " ")), "exit %d %s", r.code, r.err)
			return
		}
	}
	w.violate("the advice leads nowhere", "%s", w.gsd("", "hydrate").out)
}

// draftDue finds the draft that waits.
var draftDue = lazyRegexp(`(?m)^(?:its summary has a draft|the draft of its summary is complete): (.*\.draft\.md)`)

// summariseDue writes the summary that gsd says is due, or what its draft lacks.
func (w *world) summariseDue(out string) bool {
	if due := draftDue().FindStringSubmatch(out); due != nil {
		w.write(filepath.Join(w.dir(), due[1]), "# Done\n")
		if r := w.gsd("", "done", "--summary"); r.code != 0 {
			w.violate("a draft that is written", "exit %d %s", r.code, r.err)
		}
		return true
	}
	due := regexp.MustCompile(`its summary is left to write: (.*)|write the summary of \S+ (.*SUMMARY.md)`).FindString(out)
	for _, p := range w.plans {
		if due != "" && strings.Contains(due, strings.ReplaceAll(p.summaryAt(), "  ", " ")) {
			w.summarise(p)
			return true
		}
	}
	return false
}

// advice returns the first command that gsd prints to be run, without the name of the program.
func (w *world) advice(out string) []string {
	for _, p := range allPrinted(out) {
		if words, err := shellWords(p.line); err == nil && p.try && !p.isTemplate() && !strings.HasPrefix(p.line, "gsd restore --list") && !slices.Contains(words, "in-progress") && !slices.Contains(words, "--help") {
			return words[1:]
		}
	}
	return nil
}

// sum is over all files of the worktrees and the home.
func (w *world) sum() string {
	h := sha256.New()
	filepath.WalkDir(w.root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, _ := os.ReadFile(name)
			fmt.Fprintf(h, "%s\x00%s\x00", name, text)
		}
		return nil
	})
	return fmt.Sprintf("%x", h.Sum(nil))
}

// play carries out a sequence in a world of its own.
func play(root string, steps []step) *world {
	w := newWorld(root)
	for _, s := range steps {
		w.log = append(w.log, "== "+s.String())
		w.now = w.now.Add(10 * time.Minute)
		if s.name != "obey" {
			w.said, w.printer = "", ""
		}
		doings[s.name].do(w, s.a, s.b)
	}
	for _, p := range w.plans {
		if text, _ := os.ReadFile(filepath.Join(w.dir(), p.path())); !p.gone && string(text) != p.text() {
			w.violate("a plan was changed", "%s: %s", p.path(), text)
		}
	}
	w.finish()
	for name, was := range w.other {
		if text, _ := os.ReadFile(name); string(text) != was || was == "" {
			w.violate("the session of another workstream was changed", "%s:\n%s\nwas\n%s", name, text, was)
		}
	}
	return w
}

// shrunk returns the shortest part of a sequence that breaks the same law.
func shrunk(steps []step, law string, play func([]step) *world) (least []step, v violation) {
	broke := func(steps []step) bool {
		for _, found := range play(steps).broken {
			if found.law == law {
				v = found
				return true
			}
		}
		return false
	}
	for again := true; again; {
		again = false
		for i := len(steps) - 1; i >= 0; i-- {
			if less := slices.Delete(slices.Clone(steps), i, i+1); broke(less) {
				steps, again = less, true
			}
		}
	}
	for i := range steps {
		for _, other := range []step{{steps[i].name, 0, 0}, {steps[i].name, 0, steps[i].b}, {steps[i].name, steps[i].a, 0}} {
			less := slices.Clone(steps)
			if less[i] = other; other != steps[i] && broke(less) {
				steps = less
				break
			}
		}
	}
	broke(steps)
	return steps, v
}

func randomSteps(seed uint64) (steps []step) {
	r := rand.New(rand.NewPCG(seed, 0))
	total, names := 0, slices.Sorted(maps.Keys(doings))
	if seed%4 == 3 {
		steps = append(steps, step{"workstream", 0, 0})
	}
	below := seed%5 == 2
	if below {
		steps = append(steps, step{"repository", r.IntN(40), 0})
	}
	for _, d := range doings {
		total += d.weight
	}
	for range 4 + r.IntN(12) {
		n := r.IntN(total)
		for _, name := range names {
			if n -= doings[name].weight; n < 0 {
				steps = append(steps, step{name, r.IntN(40), r.IntN(240)})
				break
			}
		}
		if below && r.IntN(3) == 0 {
			steps = append(steps, step{"commit", r.IntN(40), r.IntN(240)})
		}
	}
	return steps
}

func parseSteps(text string) (steps []step) {
	for line := range strings.SplitSeq(text, "|") {
		var s step
		if n, err := fmt.Sscan(line, &s.name, &s.a, &s.b); n == 3 && err == nil && doings[s.name].do != nil {
			steps = append(steps, s)
		} else {
			panic(line)
		}
	}
	return steps
}

func formatSteps(steps []step) string {
	var words []string
	for _, s := range steps {
		words = append(words, s.String())
	}
	return strings.Join(words, " | ")
}

// TestSequences tries random sequences of what people do.
func TestSequences(t *testing.T) {
	worker := func() (play1 func([]step) *world) {
		root := t.TempDir()
		return func(steps []step) *world { return play(root, steps) }
	}
	if *sequence != "" {
		w := worker()(parseSteps(*sequence))
		t.Log(strings.Join(w.log, "\n"))
		for _, v := range w.broken {
			t.Errorf("%s\n%s", v.law, v.detail)
		}
		return
	}
	switch {
	case *sequences > 0:
	case testenv.Thorough():
		*sequences = 1000
	case testing.Short():
		*sequences = 8
	default:
		*sequences = 40
	}
	workers := 1 // the library's help flag is a shared variable, about which the race detector complains
	if *sequences >= 1000 {
		workers = runtime.NumCPU()
	}
	const (
		most        = 20   // sequences that are shrunk, of each law
		mostForSeed = 2000 // sessions that the original script reads
	)
	var mutex sync.Mutex
	found, counts, written := map[string][][]step{}, map[string]int{}, seedSessions{}
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	began := time.Now()
	var group sync.WaitGroup
	for n := range workers {
		play1 := worker()
		group.Go(func() {
			for seed := n; seed < *sequences; seed += workers {
				steps := randomSteps(uint64(seed))
				w := play1(steps)
				mutex.Lock()
				if len(written) < mostForSeed {
					maps.Copy(written, w.seed)
				}
				for _, v := range w.broken {
					if counts[v.law]++; len(found[v.law]) < most {
						found[v.law] = append(found[v.law], steps)
					}
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	written.check(t)
	t.Logf("%d sequences in %v", *sequences, time.Since(began).Round(time.Millisecond))
	play1 := worker()
	for _, law := range slices.Sorted(maps.Keys(found)) {
		known := map[string]bool{}
		for _, steps := range found[law] {
			steps, v := shrunk(steps, law, play1)
			names := ""
			for _, s := range steps {
				names += s.name + " "
			}
			if known[names] {
				continue
			}
			known[names] = true
			t.Errorf("%s (%d times)\n  -sequence %q\n%s\n%s\n", law, counts[law], formatSteps(steps), strings.Join(v.log, "\n"), v.detail)
		}
	}
}
