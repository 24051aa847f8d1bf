package upstream

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/progress"
)

// Where an executor worked and what became of it, and where another one is sent from.
const (
	mainTree = "the main tree"
	kept     = "a worktree, which is left"
	removed  = "a worktree, which is removed"
	lives    = "a worktree, where it lives"
	two      = "a worktree each of two, of which the other lives"

	talk    = "the same conversation" // its process lives, only the executor was stopped
	resumed = "the same, which is resumed"
	another = "a new one"
	apart   = "a new one, in a new worktree"
)

var everywhere = []string{talk, resumed, another, apart}

// answered is what somebody reads, in JSON or in a text for an agent.
type answered struct {
	Plan   string // that comes next, or that the executor is sent to
	Done   string // here: 2 of 4
	Resume int
	Left   string // not committed here
	There  string // 2 of 4 on worktree-agent-1
	Then   int    // the task that is next with it
	Gone   bool   // its worktree was removed
	LeftAt string // not committed there
	Alive  bool   // its agent may be at work
	Bring  bool   // a command is named that brings it here
	Held   string // another plan, on which an agent is at work: 01-02 on worktree-agent-2
}

// words is the answer in the table.
func (a answered) words() string {
	var says []string
	add := func(is bool, format string, args ...any) {
		if is {
			says = append(says, fmt.Sprintf(format, args...))
		}
	}
	add(a.Done+a.There == "", "it is next")
	add(a.There == "" && a.Done != "", "%s complete", a.Done)
	add(a.There != "", "%s", a.There)
	add(a.Gone, "whose worktree was removed")
	add(a.Alive && a.Bring, "once its agent has ended, `git merge` brings it here")
	add(a.Alive && !a.Bring, "its agent may be at work, and nobody else should start")
	add(!a.Alive && a.Bring, "`git merge` brings it here")
	add(a.Then+a.Resume > 0, "task %d is next", max(a.Then, a.Resume))
	add(a.Left+a.LeftAt != "", "%s is not committed", a.Left+a.LeftAt)
	add(a.Held != "", "%s is taken", a.Held)
	return a.Plan + ": " + strings.Join(says, "; ")
}

// TestExecutorKilled: who reads what after an executor was killed that had carried out and committed two of four tasks.
func TestExecutorKilled(t *testing.T) {
	core := os.Getenv("GSD_CORE")
	if core == "" {
		t.Skip("GSD_CORE is not set to the directory in which test/upstream/install.sh installed upstream")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the workflow is for a POSIX shell")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/gsd").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	lib := filepath.Join(core, "node_modules", "@opengsd", "gsd-core")
	tools := fmt.Sprintf("#!/bin/sh\nexec node '%s/gsd-core/bin/gsd-tools.cjs' \"$@\"\n", lib)
	must(t, os.WriteFile(filepath.Join(bin, "gsd_run"), []byte(tools), 0o777)) //nolint:gosec // it is run
	var rows []*row
	t.Run("all", func(t *testing.T) {
		for _, d := range []death{
			{mainTree, "", everywhere},
			{mainTree, "sync.go", everywhere},
			{kept, "", everywhere},
			{kept, "sync.go", everywhere},
			{removed, "", everywhere},
			{lives, "", []string{another, apart}},
			{two, "", []string{talk, another}},
		} {
			var table []*row
			for _, again := range d.again {
				table = append(table, &row{where: d.where, left: d.left, again: again})
			}
			rows = append(rows, table...)
			t.Run(d.where+"/"+d.left, func(t *testing.T) {
				t.Parallel()
				s := &scene{bin: bin, lib: lib}
				dead := d.play(t, s)
				for _, r := range table {
					t.Run(r.again, func(t *testing.T) { r.play(t, s, dead) })
				}
			})
		}
	})
	if !t.Failed() {
		compareTried(t, rows)
	}
}

// death is how an executor ends, and the places from which another one is sent then.
type death struct {
	where, left string // it worked, and what it did not commit
	again       []string
}

// play has an executor work and end. It returns the program that it was started from, which lives.
func (d *death) play(t *testing.T, s *scene) *claude {
	s.start(t)
	one, at := s.claude(t), s.app
	if d.where != mainTree {
		at = one.worktree()
	}
	one.execute(at, "01-01", d.where != mainTree, d.left)
	if d.where == two {
		other := s.claude(t)
		other.execute(other.worktree(), "01-02", true, "")
	}
	if d.where == removed {
		one.remove(at)
	}
	return one
}

// row is one of the table: another executor is sent.
type row struct {
	where, left, again string
	person, executor   answered
}

// want returns what the person and the orchestrator have to read, and the executor.
func (r *row) want() (person, executor answered) {
	if r.where == mainTree {
		person = answered{Plan: "01-01", Done: "2 of 4", Resume: 3, Left: r.left}
		if r.again == apart {
			person.Left = ""
		}
		return person, person
	}
	person = answered{Plan: "01-01", There: "2 of 4 on worktree-agent-1", Gone: r.where == removed}
	if r.where == lives { // nobody is sent there
		person.Alive, executor = true, person
		executor.Done, executor.Alive = "0 of 4", true
		return answered{Plan: "01-02", Held: "01-01 on worktree-agent-1"}, executor
	}
	person.Then, person.LeftAt, person.Bring = 3, r.left, true
	person.Alive = r.again == talk && r.where != removed // the process that knows its agents lives
	executor = person
	executor.Done, executor.Resume = "0 of 4", 3
	if r.where == two {
		person.Held = "01-02 on worktree-agent-2"
	}
	return person, executor
}

// play compares what everybody reads with what they should. dead is the program that the first executor was started from.
func (r *row) play(t *testing.T, s *scene, dead *claude) {
	s.t = t
	asks, source := dead, "compact"
	if r.again != talk {
		if r.where != lives {
			dead.kill()
		}
		asks, source = s.claude(t), "startup"
		defer asks.kill()
	}
	from := s.app
	switch r.again {
	case resumed:
		asks.session, source = dead.session, "resume"
	case apart:
		from = asks.worktree()
		defer asks.drop(from)
	}
	check := func(what string, want, got answered, said string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", what, diff, said)
		}
	}
	r.person, r.executor = r.want()
	for _, command := range []string{"next", "hydrate", "status"} {
		got, said := asks.asks(from, command)
		check(command, r.person, got, said)
	}
	brief := asks.hook(from, "start", map[string]any{"hook_event_name": "SessionStart", "source": source})
	check("the brief", r.person, read(brief), brief)
	brief = asks.sends(from, "01-01", r.where != mainTree)
	check("the executor", r.executor, read(brief), brief)
	if hasText := strings.Contains(brief, "Task 3, files:\n> sync.go\n"); hasText == (r.where == lives) {
		t.Errorf("the text of task 3: %t\n%s", hasText, brief)
	}
	if warned := strings.Contains(brief, "nobody else should start on that"); warned != (r.where == lives) {
		t.Errorf("told to keep off: %t\n%s", warned, brief)
	}
	if r.executor.Bring { // it does as it was told
		at := asks.worktree()
		defer asks.drop(at)
		asks.run(at, "git merge -q --ff-only worktree-agent-1")
		got, said := asks.asks(at, "next")
		check("then", answered{Plan: "01-01", Done: "2 of 4", Resume: 3, Held: r.person.Held}, got, said)
	}
}

// asks asks gsd for a report, and returns what it says of the plan that comes next, and the whole.
func (c *claude) asks(dir, command string) (a answered, all string) {
	c.t.Helper()
	all = c.run(dir, "gsd "+command+" --json")
	var said struct{ Next answer.Next }
	must(c.t, json.Unmarshal([]byte(all), &said))
	n := said.Next
	a.Plan = n.ID
	if n.Progress != nil {
		a.Done = fmt.Sprintf("%d of %d", progress.Count(n.Progress.Tasks, "complete"), len(n.Progress.Tasks))
		a.Resume = n.Progress.Resume.Number
		if uncommitted := n.Progress.Resume.Uncommitted; uncommitted != nil && len(uncommitted.Files) > 0 {
			a.Left = uncommitted.Files[0].Path
		}
	}
	if len(n.Branches) > 0 {
		b := n.Branches[0]
		a.There, a.Gone, a.Alive, a.Bring = fmt.Sprintf("%d of %d on %s", b.Done, b.Total, b.Name), b.Worktree == "", b.Alive, b.Bring.Kind != ""
		a.Then, a.LeftAt = b.Next, strings.Join(b.Uncommitted, " ")
	}
	for _, also := range n.AlsoReady {
		if also.TakenBy != "" && len(also.Branches) > 0 && also.Branches[0].Held {
			a.Held = also.ID + " on " + also.Branches[0].Name
		}
	}
	return a, all
}

// read reads the same in the text for an agent.
func read(text string) (a answered) {
	find := func(form string) (found []string) {
		if m := regexp.MustCompile("(?m)" + form).FindStringSubmatch(text); m != nil {
			return m
		}
		return make([]string, 4)
	}
	a.Plan = find(`^- next: (\S+)|how far (\S+) is$`)[1] + find(`how far (\S+) is$`)[1]
	a.Done = find(`^- (?:in flight: |here: )?(\d of \d) tasks complete(?: by|$|;)`)[1]
	a.Resume, _ = strconv.Atoi(find(`^- (?:with that, )?resume at task (\d)`)[1])
	a.Left = find("not committed, of its files: `(\\S+)`")[1] + find("not committed where this agent was sent from, and not in its own worktree: `(\\S+)`")[1]
	there := find("^- (\\d of \\d) tasks complete on branch `(\\S+)` \\((.*?)\\): .*")
	if there[1] != "" {
		a.There = there[1] + " on " + there[2]
		a.Gone, a.Alive = strings.Contains(there[3], "was removed"), strings.Contains(there[3], "may be at work")
		a.Bring = strings.Contains(there[0], "`git merge --ff-only "+there[2]+"` brings it here")
	}
	a.Then, _ = strconv.Atoi(find(`^  - then task (\d) is next`)[1])
	if held := find("^- `\\S+/(\\S+)-PLAN.md`: .* on branch `(\\S+)` .* may be at work on it"); held[1] != "" {
		a.Held = held[1] + " on " + held[2]
	}
	a.LeftAt = find("^  - not committed there: `(\\S+)`")[1]
	return a
}

// tried has the table, after that of test/e2e.
const tried, section = "../../docs/tried.md", "\n## An executor that is killed\n"

// compareTried compares the documented table with what was found, or writes it.
func compareTried(t *testing.T, rows []*row) {
	t.Helper()
	page, err := os.ReadFile(tried)
	must(t, err)
	before, _, _ := strings.Cut(string(page), section)
	text := before + section + killedText
	for i, r := range rows {
		again := r.again
		if next := i + 1; next < len(rows) && rows[next].where == r.where && rows[next].left == r.left && rows[next].person == r.person && rows[next].executor == r.executor {
			rows[next].again = again + "; " + rows[next].again
			continue
		}
		left := ""
		if r.left != "" {
			left = ", with " + r.left + " not committed"
		}
		executor := r.executor.words()
		if executor == r.person.words() {
			executor = "the same"
		}
		text += fmt.Sprintf("| %s%s | %s | %s | %s |\n", r.where, left, again, r.person.words(), executor)
	}
	compareDoc(t, tried, string(page), text)
}

const killedText = `
An executor of gsd-core carries out and commits two of a plan's four tasks, marks nothing, and is stopped or killed. gsd-core's own workflow has
its prompt and the checks before it commits. The test ` + "`TestExecutorKilled`" + ` in [test/upstream/](../test/upstream) plays that, and
writes this table: what a person and the orchestrator read in ` + "`gsd hydrate`, `gsd next`, `gsd status`" + ` and the brief of the start hook, and what
the next executor reads below its prompt. Where a command is named, the test runs it, and the executor goes on at task 3.

| it worked in | started again in | person and orchestrator | executor |
|---|---|---|---|
`
