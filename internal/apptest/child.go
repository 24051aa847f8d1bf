package apptest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/planfile"
	_ "github.com/gsd-cli/gsd/testdata/memory"
)

// The test binary starts itself again to be another process: one that carries out the order in childEnv, or git, which kills
// gsd after the run with the remote that killingGitEnv says.
const (
	childEnv      = "GSD_TEST_CHILD"
	killingGitEnv = "GSD_TEST_GIT"
)

// Main is the TestMain of a package whose tests start children.
func Main(m *testing.M) {
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
	state, err := os.MkdirTemp("", "gsd-state") // tests never touch the real one
	if err != nil {
		panic(err)
	}
	if err := os.Setenv("XDG_STATE_HOME", state); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(state)
	os.Exit(code)
}

// User is whose sessions the tests are about, and Patience how long they wait for a guard that others hold for milliseconds.
const (
	User     = "ada"
	Patience = time.Minute
)

// An Order is one command, given by an agent.
type Order struct {
	Do       string
	Dir      string
	State    session.StateDir
	Claim    run.Caller
	Owner    run.Owner // of the agent, in place of what Claim.PID would be found to be
	Self     bool      // the agent is the child itself
	Number   int       // of a task
	Status   string    // of a task or of a run
	ID       string    // of a run, a lost session or a plan
	Reset    bool
	TakeOver bool // from the run that has the lease
	Now      time.Time
	Sync     *team.SyncOptions // to sync or to claim the plan with

	Die  int  // before which step on the disk, 0 for at none; where there are fewer, after the last
	Git  bool // Die says after which run of git with the remote
	Stay bool // until the input ends
}

// An Answer is what a child says of its order.
type Answer struct {
	Run  string // that was started
	Busy string // that the lease or the plan is another's, and whose
	Warn string // why the plan could not be claimed
}

// Open opens the project for who gives the order.
func (o *Order) Open() (*app.Project, error) {
	p, err := app.Open(o.Dir)
	if err != nil {
		return nil, err
	}
	p.StateDir, p.Caller, p.Now = o.State, o.Claim, o.Now
	if o.Self {
		p.Caller.PID = os.Getpid()
	}
	if o.Owner.PID > 0 {
		p.Caller.PID, p.Caller.Owner = o.Owner.PID, o.Owner
	}
	return p, nil
}

// CarryOut does what the order says, as the command line would.
func (o *Order) CarryOut(ctx context.Context, w durable.Writer) (Answer, error) {
	p, err := o.Open()
	if err != nil {
		return Answer{}, err
	}
	defer p.Close()
	p.Write = w
	if o.TakeOver && o.Do != "bootstrap" { // as gsd takeover has done before
		_ = FreeLease(o.Dir) // there may be none
	}
	switch o.Do {
	case "none":
	case "start":
		var done *app.StartedRun
		if done, err = p.StartRun(ctx, app.StartRunOptions{User: User, Wait: Patience}); err == nil {
			return Answer{Run: done.Run.ID}, nil
		}
	case "end":
		_, err = p.EndRun(ctx, app.EndRunOptions{User: User, Run: o.ID, Status: run.Status(o.Status), Cause: run.CauseUser, Wait: Patience})
	case "mark":
		_, err = p.Mark(ctx, app.MarkOptions{User: User, Number: o.Number, Status: planfile.Status(o.Status), Wait: Patience})
	case "bootstrap":
		_, err = p.Bootstrap(ctx, app.BootstrapOptions{User: User, Plan: o.ID, Fresh: true, TakeOver: o.TakeOver, Wait: Patience})
	case "archive":
		_, err = p.Archive(ctx, app.ArchiveOptions{User: User, Wait: Patience})
	case "sync":
		s := *o.Sync
		s.User, s.Wait = User, Patience
		for range 5 { // a busy machine may not answer in time
			if _, err = team.Sync(ctx, p.Project, s); err == nil || !strings.Contains(err.Error(), "did not answer in time") {
				break
			}
		}
	case "claim":
		b := app.BootstrapOptions{User: o.Sync.User, Plan: o.ID, Claim: o.Sync, Wait: Patience}
		if done, err := p.Bootstrap(ctx, b); err != nil {
			return Answer{}, err
		} else if i := slices.IndexFunc(done.Warnings, func(w problem.Warning) bool { return w.Code == app.ClaimProblem }); i >= 0 {
			return Answer{Warn: done.Warnings[i].Says}, nil
		}
	case "state":
		_, err = status.StateOf(p, status.StateOptions{User: User, Write: true})
	case "sweep":
		_, err = p.Sweep(ctx, app.SweepOptions{User: User, ResetTasks: o.Reset, Wait: Patience})
	case "restore":
		_, err = RestoreByID(ctx, p.World, o.ID, app.RestoreOptions{Limit: project.DefaultLimit, Wait: Patience})
	default:
		err = errors.New("no such order: " + o.Do)
	}
	return Answer{}, err
}

func runChild(text string) error {
	var o Order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	if o.Do == "supersede" { // first a run of the same process, which no fault is tried on
		o.Do = "start"
		first := o
		first.Claim.Conversation += " before"
		if _, err := first.CarryOut(context.Background(), durable.Writer{}); err != nil {
			return err
		}
	}
	if o.Git {
		o.Sync.Env = append(o.Sync.Env, fmt.Sprintf("%s=%d", killingGitEnv, o.Die))
		o.Sync.Git = os.Args[0]
	}
	steps := 0
	said, err := o.CarryOut(context.Background(), durable.Writer{Before: func(s durable.Step) error {
		if steps++; steps != o.Die || o.Git {
			return nil
		}
		fmt.Println(s)
		return die()
	}})
	if err != nil {
		var failed *problem.Error
		if !errors.As(err, &failed) || failed.Kind != problem.Busy {
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
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	return nil
}

// runKillingGit is git in the repository of GIT_DIR. After the given one of its runs with a remote it kills gsd.
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
	runs, failed := os.OpenFile(filepath.Join(os.Getenv("GIT_DIR"), "git-runs"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
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
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Kill()
	}
	if err == nil {
		select {}
	}
	return err
}

// A Child is such a process.
type Child struct {
	t   testing.TB
	cmd *exec.Cmd
	in  io.Closer
	out *bufio.Reader
	err strings.Builder
}

// Spawn starts one.
func Spawn(t testing.TB, o Order) *Child {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	c := &Child{t: t, cmd: exec.Command(os.Args[0])}
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
	t.Cleanup(func() { c.cmd.Process.Kill(); _ = c.cmd.Wait() })
	return c
}

// line waits for the next line that the child says.
func (c *Child) line() string {
	c.t.Helper()
	text, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("the child said nothing: %v\n%s", err, c.err.String())
	}
	return strings.TrimSuffix(text, "\n")
}

// Done waits until the child has carried out its order.
func (c *Child) Done() Answer {
	c.t.Helper()
	text, ok := strings.CutPrefix(c.line(), "done ")
	var a Answer
	if err := json.Unmarshal([]byte(text), &a); !ok || err != nil {
		c.t.Fatalf("the child said %q, %v", text, err)
	}
	return a
}

// Dies waits until the child is killed, and returns the line that it said before, if it did.
func (c *Child) Dies() (line string, said bool) {
	c.t.Helper()
	text, err := c.out.ReadString('\n')
	_ = c.cmd.Wait()
	if c.cmd.ProcessState.ExitCode() >= 0 { // nobody killed it
		c.t.Fatalf("%s: %v\n%s", text, c.cmd.ProcessState, c.err.String())
	}
	return strings.TrimSuffix(text, "\n"), err == nil
}

// Wait lets the child end.
func (c *Child) Wait() {
	c.t.Helper()
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("child: %v\n%s", err, c.err.String())
	}
}

// kill ends the child without a chance to clean up.
func (c *Child) kill() {
	c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// AProcess starts a process, and gives what tells it from others and how to kill it.
func AProcess(t testing.TB, state session.StateDir) (run.Owner, func()) {
	t.Helper()
	c := Spawn(t, Order{Do: "none", Dir: planningDir(t), Stay: true})
	c.Done()
	state.MakeMachine() // where there are no boot ids, only the machine's id shows that the process ran here
	table := run.NewSystem(state.Machine)
	owner := table.Here()
	owner.Machine = table.Machine()
	is, err := table.Find(c.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	owner.PID, owner.StartTime = c.cmd.Process.Pid, is.StartTime
	return owner, c.kill
}
