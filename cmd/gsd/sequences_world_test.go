//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// A world is a project in which a sequence of steps is tried, and a model of what its people have done: which tasks of
// which plans they have marked complete or skipped and have not set back. It is in memory where there is a directory for that.
type world struct {
	stage
	root  string
	now   time.Time
	user  int  // of users
	side  bool // in the linked worktree
	agent int  // of agents
	away  bool // above the project, where commands need -C
	procs processes
	dies  int               // before which step on the disk the next command is killed; 0 for never
	base  string            // the planning root
	other map[string]string // the sessions of another workstream, by their files: nothing that is done in this one changes them
	below string            // the file that names the repository api below the project, if there is one

	committed map[int]bool       // the tasks with commits there, by id
	latest    map[*planModel]int // the task of the last of them on each plan
	turned    bool               // the clock was set back

	plans    []*planModel
	phases   map[string]string          // status by number
	numbers  int                        // how many tasks and versions there were
	progress map[owner]map[int]doneTask // the tasks that were marked complete or skipped, and not set back
	lostAt   map[owner]time.Time        // when sessions were last deleted
	hidden   bool                       // the roadmap is gone
	hands    map[owner]*hand            // what agents are working on
	lives    lives                      // which runs there were
	started  map[string]int             // how often the process of a run had been started again when the run was first seen

	law     *law         // of what may be printed
	seed    seedSessions // what it wrote
	torn    bool         // somebody has torn a session, so that gsd did not write all of it
	said    string       // what the last command printed
	printer string       // the command that printed it
}

// An owner of sessions is a user in a worktree.
type owner struct {
	side bool
	user int
}

func (w *world) owner() owner { return owner{w.side, w.user} }

// A planModel is a plan as it was written. A task is recognised by its name as by its text: name7v2 is a name of task 7.
type planModel struct {
	id      int
	base    string   // the planning root
	where   []string // the paths at which it can be; the first is that of its phase
	at      int      // of where
	phase   string
	tasks   []taskModel
	all     []int // the ids of all tasks that it ever had
	gone    bool  // not in the project now
	summary bool
}

type taskModel struct {
	id int
	wording
}

// A doneTask is a task that was complete or skipped in a session, and what that was on.
type doneTask struct {
	wording
	plan, digest string
	tasks        []wording
}

// A wording of a task is what its name and its text were.
type wording struct{ name, text string }

// The first two are one person under two names: accounts are the home directories of users.
var (
	users    = []string{"Ada Lovelace", "John Doe", "Grace Hopper"}
	accounts = []string{"home", "home", "home2"}
)

func (w *world) home() string { return filepath.Join(w.root, accounts[w.user]) }

func (w *world) userDir() string {
	return strings.ReplaceAll(strings.ToLower(users[w.user]), " ", "-")
}

func (w *world) dir() string {
	if w.side {
		return filepath.Join(w.root, "side")
	}
	return filepath.Join(w.root, "notes")
}

func (w *world) dirs() []string {
	all := []string{filepath.Join(w.root, "notes")}
	if side := filepath.Join(w.root, "side"); exists(side) {
		all = append(all, side)
	}
	return all
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func (w *world) write(name, text string) {
	err := os.WriteFile(name, []byte(text), 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
			err = os.WriteFile(name, []byte(text), 0o644)
		}
	}
	if err != nil {
		panic(err)
	}
}

// newWorld writes the project afresh in root, which has to be one of its own.
func newWorld(root string) *world {
	for _, name := range []string{"notes", "side", "home", "home2"} {
		os.RemoveAll(filepath.Join(root, name))
	}
	w := &world{
		seed: seedSessions{}, root: root, base: ".planning", procs: processes{}, now: time.Date(2026, 2, 3, 10, 0, 0, 0, time.UTC),
		phases:   map[string]string{"1": "In progress", "2": "Not started", "3": "Not started"},
		progress: map[owner]map[int]doneTask{}, lostAt: map[owner]time.Time{}, hands: map[owner]*hand{}, committed: map[int]bool{}, latest: map[*planModel]int{}, lives: lives{marked: map[int]bool{}, left: map[int]bool{}},
	}
	w.run, w.do = w.look1, w.gsd
	w.law = newLaw(bounds{
		project: filepath.Join(root, "notes"), trees: []string{filepath.Join(root, "side")}, state: filepath.Join(root, "home/.local/state/gsd"),
	})
	git := filepath.Join(root, "notes", ".git")
	for _, name := range []string{"objects", "refs/heads"} {
		os.MkdirAll(filepath.Join(git, name), 0o755)
	}
	w.write(filepath.Join(git, "HEAD"), "ref: refs/heads/main\n")
	w.write(filepath.Join(git, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
	for _, home := range accounts {
		w.write(filepath.Join(root, home, ".local/state/gsd/machine"), "0123456789abcdef0123456789abcdef\n")
	}
	w.setUser(0)
	for i, plan := range []struct{ phase, dir, id string }{
		{"1", "01-notes", "01-02"}, {"2", "02-sharing", "02-01"}, {"2", "02-sharing", "02-02"}, {"3", "03-api", "03-01"}, {"2.1", "02.1-fix", "02.1-01"},
	} {
		slug := plan.dir[:strings.IndexByte(plan.dir, '-')]
		p := &planModel{id: i, base: w.base, phase: plan.phase, gone: plan.phase == "2.1", where: []string{
			path.Join("phases", plan.dir, plan.id+"-PLAN.md"),
			path.Join("milestones/v1.0-phases", plan.dir, plan.id+"-PLAN.md"),
			path.Join("phases", slug+"-it's  moved", plan.id+"-PLAN.md"),
			path.Join("phases", plan.dir, plan.id+"-other-PLAN.md"),
			path.Join("phases", plan.dir, plan.id[:len(plan.id)-2]+"0"+strconv.Itoa(7+i%2)+"-PLAN.md"),
			path.Join("phases", plan.dir, "plans/PLAN-"+plan.id[len(plan.id)-2:]+"-x.md"),
		}}
		for range 2 + i%2 {
			p.add(w.newTask(), len(p.tasks))
		}
		w.plans = append(w.plans, p)
		w.writePlan(p)
	}
	w.writeAll("phases/01-notes/01-01-PLAN.md", "<task>\n<name>Old</name>\n</task>\n")
	w.writeAll("phases/01-notes/01-01-SUMMARY.md", "# Done\n")
	w.writeRoadmap()
	return w
}

// enterWorkstream makes the project a workstream, beside another one in which everybody has a session.
func (w *world) enterWorkstream() {
	for _, dir := range w.dirs() {
		os.RemoveAll(filepath.Join(dir, ".planning"))
	}
	w.base, w.other = ".planning/workstreams/alpha", map[string]string{}
	const plan = "phases/01-notes/01-02-PLAN.md"
	w.writeAll("ROADMAP.md", "### Phase 1: Notes\n")
	w.writeAll(plan, "<task>\n<name>Elsewhere</name>\n</task>\n<task>\n<name>Further</name>\n</task>\n")
	for user := range users {
		w.setUser(user)
		w.look1("", "takeover", w.base+"/"+plan)
		w.look1("", "mark", "1", "complete")
		text, _ := os.ReadFile(w.sessionFile())
		w.other[w.sessionFile()] = string(text)
	}
	w.setUser(0)
	w.base = ".planning/workstreams/beta"
	for _, p := range w.plans {
		p.base = w.base
		w.writePlan(p)
	}
	w.writeAll("phases/01-notes/01-01-PLAN.md", "<task>\n<name>Old</name>\n</task>\n")
	w.writeAll("phases/01-notes/01-01-SUMMARY.md", "# Done\n")
	w.writeRoadmap()
}

// addRepository makes a repository below the project the place of its code: a submodule, or one that the project's settings declare.
func (w *world) addRepository(submodule bool) {
	w.below = ".planning/config.json"
	if submodule {
		w.below = ".gitmodules"
	}
	w.declare()
}

// declare names the repository below the project in every worktree.
func (w *world) declare() {
	for _, dir := range w.dirs() {
		if w.below != "" {
			w.write(filepath.Join(dir, w.below), map[string]string{
				".gitmodules": "[submodule \"api\"]\n\tpath = api\n", ".planning/config.json": `{"planning": {"sub_repos": ["api"]}}`,
			}[w.below])
		}
	}
}

// commit carries out a task of a plan in the repository below the project, and checks that the commit counts for it.
func (w *world) commit(p *planModel, task int) {
	if w.below == "" || len(p.tasks) == 0 {
		return
	}
	t := p.tasks[task%len(p.tasks)]
	git, parent := filepath.Join(w.dir(), "api/.git"), ""
	ref := filepath.Join(git, "refs/heads/main")
	if tip, err := os.ReadFile(ref); err == nil {
		parent = "parent " + string(tip)
	} else {
		w.write(filepath.Join(git, "HEAD"), "ref: refs/heads/main\n")
	}
	w.numbers++
	blob := w.object(git, plumbing.BlobObject, fmt.Sprintf("package api // %d\n", w.numbers))
	tree := w.object(git, plumbing.TreeObject, fmt.Sprintf("100644 task%d.go\x00%s", t.id, blob[:]))
	id, _ := planref.PlanID(p.path())
	by := fmt.Sprintf("Ada Lovelace <ada@example.com> %d +0000\n", w.now.Unix())
	hash := w.object(git, plumbing.CommitObject, fmt.Sprintf("tree %s\n%sauthor %scommitter %s\nfeat(%s): make %s\n", tree, parent, by, by, id, t.name))
	w.write(ref, hash.String()+"\n")
	// Neither can be known: a commit after one of a later task is out of order, and a wrong clock dates one before the mark that it follows.
	later := slices.ContainsFunc(p.tasks[task%len(p.tasks)+1:], func(t taskModel) bool { return w.committed[t.id] })
	unclear := w.turned || later || w.committed[t.id] && w.latest[p] != t.id
	w.committed[t.id], w.latest[p] = true, t.id
	if p.gone || p.summary || unclear {
		return
	}
	w.log = append(w.log, fmt.Sprintf("# api@%s is %s of %s", hash, t.name, p.path()))
	var answer struct {
		Tasks []struct {
			Name    string
			Status  planfile.Status
			Commits []string
		}
	}
	r := w.run("", "tasks", p.path(), "--json")
	_ = json.Unmarshal([]byte(r.out), &answer)
	for _, told := range answer.Tasks {
		if strings.Contains(told.Name, t.name) && (told.Status.Settled() || slices.Contains(told.Commits, "api@"+hash.String())) {
			return
		}
	}
	w.violate("a commit below the project is work", "api@%s is %s of %s:\n%s%s", hash, t.name, p.path(), r.out, r.err)
}

// object writes an object of git's.
func (w *world) object(git string, kind plumbing.ObjectType, text string) plumbing.Hash {
	id := plumbing.ComputeHash(kind, []byte(text))
	var b bytes.Buffer
	z := objfile.NewWriter(&b)
	header := z.WriteHeader(kind, int64(len(text)))
	_, body := io.WriteString(z, text)
	if err := errors.Join(header, body, z.Close()); err != nil {
		panic(err)
	}
	w.write(filepath.Join(git, "objects", id.String()[:2], id.String()[2:]), b.String())
	return id
}

// word returns a new name or text of a task.
func (w *world) word(kind string, task int) string {
	w.numbers++
	return fmt.Sprintf("%s%dv%d", kind, task, w.numbers)
}

func (w *world) newTask() taskModel {
	w.numbers++
	id := w.numbers
	return taskModel{id, wording{w.word("name", id), w.word("text", id)}}
}

func (w *world) setUser(n int) {
	w.user = n
	w.write(filepath.Join(w.home(), ".gitconfig"), "[user]\n\tname = "+users[n]+"\n\temail = ada@example.com\n")
}

// writeAll writes a file of .planning in each worktree.
func (w *world) writeAll(name, text string) {
	for _, dir := range w.dirs() {
		w.write(filepath.Join(dir, w.base, name), text)
	}
}

func (w *world) removeAll(name string) {
	for _, dir := range w.dirs() {
		os.RemoveAll(filepath.Join(dir, w.base, name))
	}
}

func (p *planModel) add(t taskModel, at int) {
	p.tasks, p.all = slices.Insert(p.tasks, at, t), append(p.all, t.id)
}

func (p *planModel) path() string      { return p.base + "/" + p.where[p.at] }
func (p *planModel) summaryAt() string { return strings.Replace(p.where[p.at], "PLAN", "SUMMARY", 1) }

func (p *planModel) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nphase: %s\nwave: 1\nautonomous: true\n---\n\n<objective>Plan %d.</objective>\n", p.phase, p.id)
	for i, t := range p.tasks {
		fmt.Fprintf(&b, "\n<task type=\"auto\">\n  <name>Task %d: Make %s</name>\n  <files>task%d.go</files>\n  <action>Write %s.</action>\n  <verify>go test ./...</verify>\n  <done>It is there.</done>\n</task>\n", i+1, t.name, t.id, t.text)
	}
	return b.String()
}

func digestOf(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

func (w *world) writePlan(p *planModel) {
	if p.gone {
		w.removeAll(p.where[p.at])
		return
	}
	w.writeAll(p.where[p.at], p.text())
}

func (w *world) writeRoadmap() {
	if w.hidden {
		w.removeAll("ROADMAP.md")
		return
	}
	var b strings.Builder
	b.WriteString("# Roadmap: Notes\n\n## Phases\n")
	for _, phase := range []string{"1", "2", "2.1", "3"} {
		if _, ok := w.phases[phase]; ok || phase == "2.1" && !w.plans[4].gone {
			fmt.Fprintf(&b, "\n### Phase %s: %s\n\nPlans:\n", phase, "ABCD"[len(phase):][:1]+phase)
			for _, p := range w.plans {
				if p.phase == phase && !p.gone {
					fmt.Fprintf(&b, "- [ ] %s\n", path.Base(p.where[0]))
				}
			}
		}
	}
	b.WriteString("\n## Progress\n\n| Phase | Plans Complete | Status |\n|---|---|---|\n")
	for _, phase := range []string{"1", "2", "3"} { // an inserted phase has no row
		fmt.Fprintf(&b, "| %s. X | 0/2 | %s |\n", phase, w.phases[phase])
	}
	w.writeAll("ROADMAP.md", b.String())
}

// agents are the conversations that may be at work; the first is a person. The last two are served by one process, as those of
// Codex's terminals are.
var agents = []struct {
	host, conversation, variable string
	pid                          int
}{
	{},
	{"claude", "aaaa", "CLAUDE_CODE_SESSION_ID", 11},
	{"codex", "bbbb", "CODEX_THREAD_ID", 12},
	{"codex", "cccc", "CODEX_THREAD_ID", 12},
}

// processes is a process table: how often each process of an agent was started again. The others, which are started by the
// agents, are a hundred further up.
type processes map[int]int

func (p processes) at(agent int) run.Processes { return table{p, 100 + agents[agent].pid} }

type table struct {
	processes
	self int
}

func (t table) Here() run.Owner {
	return run.Owner{PID: t.self, StartTime: "1", BootID: "boot", Namespace: "pid:[4026531836]", Machine: "machine", HostName: "lab"}
}

func (t table) Machine() string { return t.Here().Machine }

func (t table) Find(pid int) (run.Process, error) {
	for _, a := range agents {
		switch pid {
		case a.pid:
			return run.Process{StartTime: strconv.Itoa(t.processes[pid]), Parent: 1}, nil
		case 100 + a.pid:
			return run.Process{StartTime: "1", Parent: a.pid}, nil
		}
	}
	return run.Process{}, run.ErrNoProcess
}

// errKilled is what every step on the disk fails with once a command was killed.
var errKilled = errors.New("killed")

func (w *world) look1(stdin string, words ...string) (r result) {
	var stdout, stderr bytes.Buffer
	env := []string{"HOME=" + w.home(), "PATH=" + filepath.Join(w.root, "bin"), "TZ=UTC", anyWidth}
	if stream := path.Base(w.base); stream != ".planning" {
		env = append(env, "GSD_WORKSTREAM="+stream)
	}
	if is := agents[w.agent]; w.agent > 0 {
		env = append(env, is.variable+"="+is.conversation)
	}
	steps, dies := 0, w.dies
	w.dies = 0
	dir := w.dir()
	if w.away && slices.Contains(words, "-C") {
		dir = w.root
	}
	a := &program{stdout: &stdout, stderr: &stderr, env: env, dir: dir, now: func() time.Time { return w.now }}
	a.around = func(is verdict.World) verdict.World {
		return is.With(w.procs.at(w.agent), func(string) error {
			if steps++; dies > 0 && steps >= dies {
				return errKilled
			}
			return nil
		})
	}
	if stdin != "" {
		a.stdin = strings.NewReader(stdin)
	}
	defer func() {
		if p := recover(); p != nil {
			r.err, r.code = fmt.Sprint("panic: ", p), -1
		}
	}()
	r.code = a.run(context.Background(), words)
	r.out, r.err, r.killed = stdout.String(), stderr.String(), dies > 0 && steps >= dies
	return r
}

// isKnown reports whether every command may exit with a code.
func isKnown(code int) bool { return code == 0 || slices.Contains(view.ExitCodes[:], code) }

// gsd runs a command and checks what holds for every command. What it printed is remembered.
func (w *world) gsd(stdin string, words ...string) result {
	if i := slices.Index(words, "-C") + 1; i > 0 && filepath.IsAbs(words[i]) { // in the other worktree
		defer func(side bool) { w.side = side }(w.side)
		w.side = words[i] == filepath.Join(w.root, "side")
	}
	_, bare := splitPlace(words)
	end, put, endRuns := w.guard(bare), w.archives(bare), w.guardRuns(bare)
	_, before := w.session()
	previewed := w.preview(words)
	r := w.run(stdin, words...)
	previewed(r)
	end(r)
	put(r)
	endRuns(r)
	if text, err := os.ReadFile(w.sessionFile()); err == nil && !w.torn {
		w.seed[string(text)] = "gsd " + strings.Join(words, " ")
	}
	line := "gsd " + strings.Join(words, " ")
	w.log = append(w.log, fmt.Sprintf("$ %s  -> %d %s", line, r.code, strings.ReplaceAll(strings.TrimSpace(r.err), "\n", " / ")))
	if !isKnown(r.code) && !(words[0] == "doctor" && r.code == exitNeedsDoing) {
		w.violate("exit code: "+words[0], "%s: exit %d %s", line, r.code, r.err)
	}
	if w.said, w.printer = r.out+r.err, line; slices.Contains(words, "--help") { // which describes every flag, in examples
		w.said = ""
	} else {
		w.holdLaw(r, words[0] == "doctor")
	}
	words = bare
	w.lives.follow(words, before)
	w.holdWords(words, r)
	w.follow(words, r)
	return r
}

// holdLaw checks that what a command printed is safe to obey.
func (w *world) holdLaw(r result, isDoctor bool) {
	if w.law.dir = w.dir(); w.away {
		w.law.dir = w.root
	}
	w.law.hold(r.out, isDoctor)
	w.law.hold(r.err, isDoctor)
	for _, b := range w.law.breaches {
		w.violate("not allowed: "+shape(b.command), "%s: %s", w.printer, b.why)
	}
	w.law.breaches = nil
}

func (w *world) sessionFile() string {
	return filepath.Join(w.dir(), w.base, "sessions", w.userDir(), "current-plan.md")
}

// A sessionTask is a task in a session file.
type sessionTask struct {
	taskModel
	status planfile.Status
}

var (
	nameWord = lazyRegexp(`\bname(\d+)v\d+\b`)
	textWord = lazyRegexp(`\btext\d+v\d+\b`)
)

// session returns the header and the tasks of the session file.
func (w *world) session() (head planfile.Header, tasks []sessionTask) {
	src, err := os.ReadFile(w.sessionFile())
	if err != nil {
		return head, nil
	}
	f := planfile.Parse(src)
	for _, t := range f.Tasks {
		source, _ := f.Source(t.Number)
		text := string(source)
		task := taskModel{0, wording{nameWord().FindString(text), textWord().FindString(text)}}
		if m := nameWord().FindStringSubmatch(text); m != nil {
			task.id, _ = strconv.Atoi(m[1])
		}
		tasks = append(tasks, sessionTask{task, t.Status})
	}
	return f.Header, tasks
}

// planOf returns the plan that a task is or was of.
func (w *world) planOf(task int) *planModel {
	for _, p := range w.plans {
		if slices.Contains(p.all, task) {
			return p
		}
	}
	return nil
}
