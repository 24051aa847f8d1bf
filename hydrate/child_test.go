package hydrate_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/work"
	"github.com/gsd-cli/gsd/planfile"
	_ "github.com/gsd-cli/gsd/testdata/memory"
)

// The test binary starts itself again to be another process: one that carries out the order in childEnv, or git, which kills
// gsd after the run with the remote that killingGitEnv says.
const (
	childEnv      = "GSD_TEST_CHILD"
	killingGitEnv = "GSD_TEST_GIT"
)

func TestMain(m *testing.M) {
	if run, err := strconv.Atoi(os.Getenv(killingGitEnv)); err == nil {
		if err := runKillingGit(run); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if text := os.Getenv(childEnv); text != "" {
		if err := runChild(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := flag.Set("rapid.checks", "30"); err != nil { // .ci/run sequences tries more
		panic(err)
	}
	os.Exit(m.Run())
}

const (
	user     = "ada"
	patience = time.Minute // to wait for a guard that others hold for milliseconds
)

// An order is one command, given by an agent.
type order struct {
	Do     string
	Dir    string
	State  session.StateDir
	Claim  run.Caller
	Owner  run.Owner // of the agent, in place of what Claim.PID would be found to be
	Self   bool      // the agent is the child itself
	Number int       // of a task
	Status string    // of a task or of a run
	ID     string    // of a run, a lost session or a plan
	Reset  bool
	Force  bool
	Now    time.Time
	Sync   *team.SyncOptions // to sync or to claim the plan with

	Die  int  // before which step on the disk, 0 for at none; where there are fewer, after the last
	Torn bool // at the step that adds to the journal, half a line gets there
	Git  bool // Die says after which run of git with the remote
	Stay bool // until the input ends
}

// An answer is what a child says of its order.
type answer struct {
	Run  string // that was begun
	Busy string // that the lease or the plan is another's, and whose
	Warn string // why the plan could not be claimed
}

func (o *order) open() (*hydrate.Project, error) {
	p, err := hydrate.Open(o.Dir)
	if err != nil {
		return nil, err
	}
	p.StateDir, p.Caller = o.State, o.Claim
	if o.Self {
		p.Caller.PID = os.Getpid()
	}
	if o.Owner.PID > 0 {
		p.Caller.PID, p.Caller.Owner = o.Owner.PID, o.Owner
	}
	return p, nil
}

// carryOut does what the order says, as the command line would.
func (o *order) carryOut(ctx context.Context, w durable.Writer) (answer, error) {
	p, err := o.open()
	if err != nil {
		return answer{}, err
	}
	defer p.Close()
	p.Write = w
	switch o.Do {
	case "none":
	case "start":
		var done *work.Started
		if done, err = work.StartRun(ctx, p.Project, work.StartOptions{User: user, Force: o.Force, Now: o.Now, Wait: patience}); err == nil {
			return answer{Run: done.Run.ID}, nil
		}
	case "end":
		_, err = work.EndRun(ctx, p.Project, work.EndOptions{User: user, Run: o.ID, Status: run.Status(o.Status), Cause: run.CauseUser, Now: o.Now, Wait: patience})
	case "unlock":
		_, err = work.Unlock(ctx, p.Project, user, o.Force, o.Now, patience)
	case "mark":
		_, err = p.Mark(ctx, hydrate.MarkOptions{User: user, Number: o.Number, Status: planfile.Status(o.Status), Now: o.Now, Wait: patience})
	case "bootstrap":
		_, err = p.Bootstrap(ctx, hydrate.BootstrapOptions{User: user, Plan: o.ID, Fresh: true, Force: o.Force, Now: o.Now, Wait: patience})
	case "sync":
		s := *o.Sync
		s.User, s.Now, s.Wait = user, o.Now, patience
		p.Now = o.Now
		_, err = team.Sync(ctx, p.Project, s)
	case "claim":
		p.Now = o.Now
		b := hydrate.BootstrapOptions{User: o.Sync.User, Plan: o.ID, Claim: o.Sync, Now: o.Now, Wait: patience}
		if done, err := p.Bootstrap(ctx, b); err != nil {
			return answer{}, err
		} else if i := slices.IndexFunc(done.Warnings, func(w hydrate.Warning) bool { return w.Code == hydrate.ClaimProblem }); i >= 0 {
			return answer{Warn: done.Warnings[i].Detail}, nil
		}
	case "state":
		_, err = status.StateOf(p, status.StateOptions{User: user, Write: true})
	case "sweep":
		_, err = work.Sweep(ctx, p.Project, work.SweepOptions{User: user, ResetTasks: o.Reset, Force: o.Force, Now: o.Now, Wait: patience})
	case "restore":
		_, err = restoreByID(ctx, p.World, o.ID, hydrate.RestoreOptions{Limit: verdict.DefaultLimit, Force: o.Force, Now: o.Now, Wait: patience})
	default:
		err = errors.New("no such order: " + o.Do)
	}
	return answer{}, err
}

func runChild(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	if o.Do == "supersede" { // first a run of the same process, which no fault is tried on
		o.Do = "start"
		first := o
		first.Claim.Conversation += " before"
		if _, err := first.carryOut(context.Background(), durable.Writer{}); err != nil {
			return err
		}
	}
	if o.Git {
		o.Sync.Env = append(o.Sync.Env, fmt.Sprintf("%s=%d", killingGitEnv, o.Die))
		o.Sync.Git = os.Args[0]
	}
	steps := 0
	said, err := o.carryOut(context.Background(), durable.Writer{Before: func(s durable.Step) error {
		if steps++; steps != o.Die || o.Git {
			return nil
		}
		if o.Torn {
			if s != durable.StepAppend {
				fmt.Println(s)
				return die()
			}
			tear(o.Dir)
		}
		fmt.Println(s)
		return die()
	}})
	if err != nil {
		var failed *hydrate.Error
		if !errors.As(err, &failed) || failed.Kind != hydrate.Busy {
			return err
		}
		said.Busy = failed.Text
	}
	text2, err := json.Marshal(said)
	if err != nil {
		return err
	}
	fmt.Printf("done %s\n", text2)
	if o.Die > 0 {
		return die()
	}
	if o.Stay {
		io.Copy(io.Discard, os.Stdin)
	}
	return nil
}

// runKillingGit is git. After the given one of its runs with a remote it kills gsd.
func runKillingGit(last int) error {
	args := os.Args[1:]
	cmd := exec.Command("git", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if !slices.ContainsFunc(args, func(arg string) bool {
		return slices.Contains([]string{"ls-remote", "fetch", "unpack-objects", "push"}, arg)
	}) {
		if err != nil {
			os.Exit(cmd.ProcessState.ExitCode())
		}
		return nil
	}
	runs, failed := os.OpenFile(filepath.Join(args[1], "git-runs"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	defer runs.Close()
	if _, err := runs.WriteString("x"); err != nil {
		return err
	}
	if info, err := runs.Stat(); err != nil || int(info.Size()) != last {
		return err
	}
	return kill(os.Getppid())
}

// die is kill -9: nothing is cleaned up.
func die() error { return kill(os.Getpid()) }

func kill(pid int) error {
	its, err := os.FindProcess(pid)
	if err == nil {
		err = its.Kill()
	}
	if err == nil {
		select {}
	}
	return err
}

// tear leaves what a write that the machine died in leaves.
func tear(dir string) {
	f, err := os.OpenFile(filepath.Join(dir, filepath.FromSlash(journalPath)), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return
	}
	f.WriteString(`{"type":"run.start","id":"ab`)
	f.Close()
}

const (
	sessionsPath = ".planning/sessions/" + user
	sessionPath  = sessionsPath + "/current-plan.md"
	journalPath  = sessionsPath + "/journal.jsonl"
	leasePath    = sessionsPath + "/lease.json"
)

type child struct {
	t   testing.TB
	cmd *exec.Cmd
	in  io.Closer
	out *bufio.Reader
	err strings.Builder
}

func spawn(t testing.TB, o order) *child {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	c := &child{t: t, cmd: exec.Command(os.Args[0])}
	c.cmd.Env = append(os.Environ(), childEnv+"="+string(text))
	c.cmd.Stderr = &c.err
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.out = in, bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.cmd.Process.Kill(); c.cmd.Wait() })
	return c
}

// line waits for the next line that the child says.
func (c *child) line() string {
	c.t.Helper()
	text, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("the child said nothing: %v\n%s", err, c.err.String())
	}
	return strings.TrimSuffix(text, "\n")
}

// done waits until the child has carried out its order.
func (c *child) done() answer {
	c.t.Helper()
	text, ok := strings.CutPrefix(c.line(), "done ")
	var a answer
	if err := json.Unmarshal([]byte(text), &a); !ok || err != nil {
		c.t.Fatalf("the child said %q, %v", text, err)
	}
	return a
}

// wait lets the child end.
func (c *child) wait() {
	c.t.Helper()
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("child: %v\n%s", err, c.err.String())
	}
}

// kill ends the child without a chance to clean up.
func (c *child) kill() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
}

// aProcess starts a process, and gives what tells it from others and how to kill it.
func aProcess(t testing.TB, state session.StateDir) (run.Owner, func()) {
	t.Helper()
	c := spawn(t, order{Do: "none", Dir: planningDir(t), Stay: true})
	c.done()
	state.MakeMachine() // where there are no boot ids, only the machine's id shows that the process ran here
	table := run.NewSystem(state.Machine)
	owner := table.Here()
	is, err := table.Find(c.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	owner.PID, owner.StartTime = c.cmd.Process.Pid, is.StartTime
	return owner, c.kill
}

func planningDir(t testing.TB) string {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, project.Planning), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A picture is what is in a directory: the text of files by their paths, with slashes. Directories end in one.
type picture map[string]string

func takePicture(t testing.TB, dir string) picture {
	t.Helper()
	p := picture{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			p[rel+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(name)
		p[rel] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return p
}

// putBack makes dir what it was when the picture was taken. What is as it was stays.
func (p picture) putBack(t testing.TB, dir string) {
	t.Helper()
	is := takePicture(t, dir)
	for name := range is {
		if _, ok := p[name]; ok {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range p {
		if was, ok := is[name]; ok && was == text {
			continue
		}
		at := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(at, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		write(t.(*testing.T), at, text)
	}
}

// temps lists the temporaries of crashed writers.
func (p picture) temps() []string {
	var names []string
	for name := range p {
		if strings.HasSuffix(name, ".tmp") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// A ledger is what journals say, read with nothing of package session's own: what is started, and what ended how
// often.
type ledger struct {
	starts map[string]run.Owner
	ends   map[string]int
	order  []string
	bad    int
}

func readLedger(texts ...string) ledger {
	l := ledger{starts: map[string]run.Owner{}, ends: map[string]int{}}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			var r struct {
				Type, ID, Of string
				Owner        run.Owner
			}
			err := json.Unmarshal([]byte(line), &r)
			_, again := l.starts[r.ID]
			switch {
			case err != nil:
				l.bad++
			case r.Type == "run.start" && !again:
				l.starts[r.ID] = r.Owner
				l.order = append(l.order, r.ID)
			case r.Type == "run.end":
				l.ends[r.Of]++
			}
		}
	}
	return l
}

// open lists the runs without an end, in the order of their starts.
func (l ledger) open() []string {
	var ids []string
	for _, id := range l.order {
		if l.ends[id] == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}
