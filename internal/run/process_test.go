package run

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// The test binary starts itself again, to run one test as another process; these variables tell that test what
// to be there, and which owner it is about.
const (
	roleEnv  = "GSD_TEST_ROLE"
	ownerEnv = "GSD_TEST_OWNER"
)

// TestRole is the other process of the tests below.
func TestRole(t *testing.T) {
	switch role := os.Getenv(roleEnv); role {
	case "":
		// An unknown role must not pass.
		cmd := inRole(t, "no such role", Owner{})
		if err := cmd.Run(); err == nil {
			t.Error("a process without a role succeeds")
		}
	case "stay": // says who it is, and lives until stdin ends
		say(t, whole(NewSystem(machine)))
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	default:
		t.Fatalf("role %q", role)
	}
}

func say(t *testing.T, what any) {
	noError(t, json.NewEncoder(os.Stdout).Encode(what))
}

func ownerOf(t *testing.T) Owner {
	var o Owner
	noError(t, json.Unmarshal([]byte(os.Getenv(ownerEnv)), &o))
	return o
}

// inRole is this program, to play a role of TestRole.
func inRole(t *testing.T, role string, owner Owner) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(owner)
	noError(t, err)
	cmd := exec.Command(os.Args[0], "-test.run=^TestRole$")
	cmd.Env = append(os.Environ(), roleEnv+"="+role, ownerEnv+"="+string(text),
		"GORACE=atexit_sleep_ms=0") // else the race detector keeps every one for a second
	return cmd
}

// another is a process that runs until end is called.
func another(t *testing.T) (is Owner, end func()) {
	t.Helper()
	return startOwner(t, inRole(t, "stay", Owner{}))
}

// startOwner starts a process that says who it is.
func startOwner(t *testing.T, cmd *exec.Cmd) (is Owner, end func()) {
	t.Helper()
	in, err := cmd.StdinPipe()
	noError(t, err)
	out, err := cmd.StdoutPipe()
	noError(t, err)
	noError(t, cmd.Start())
	end = sync.OnceFunc(func() { in.Close(); cmd.Wait() })
	t.Cleanup(end)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), &is)
	}
	noError(t, err)
	if is.PID != cmd.Process.Pid {
		t.Fatalf("the child is %d and says %d", cmd.Process.Pid, is.PID)
	}
	return is, end
}

// machine is a machine id: where there are no boot ids, owners are compared by it.
func machine() string { return "m1" }

func wantLiveness(t *testing.T, o Owner, p Processes, want Liveness) {
	t.Helper()
	if got := o.Liveness(p); got != want {
		is, err := p.Find(o.PID)
		t.Errorf("%+v is %s, want %s\nhere %+v\nfound %+v, %v", o, got, want, p.Here(), is, err)
	}
}

// needStart skips where a process has no start time to be known by.
func needStart(t *testing.T, p Processes) {
	t.Helper()
	if p.Here().StartTime == "" {
		t.Skip("this system reports no start times")
	}
}

// isMachine reports whether machine is id, perhaps with what the system adds.
func isMachine(machine, id string) bool {
	rest, ok := strings.CutPrefix(machine, id)
	return ok && (rest == "" || rest[0] == '-')
}

func TestThisProcess(t *testing.T) {
	s := NewSystem(machine)
	here := s.Here()
	host, _ := os.Hostname()
	if here.PID != os.Getpid() || !isMachine(s.Machine(), "m1") || here.HostName != host {
		t.Errorf("%+v", here)
	}
	needStart(t, s)
	wantLiveness(t, here, s, Alive)
	if !here.Same(NewSystem(machine).Here()) {
		t.Error("it is not the same when it is asked again")
	}
	parent := here
	parent.PID = os.Getppid()
	above, err := s.Find(parent.PID)
	noError(t, err)
	parent.StartTime = above.StartTime
	wantLiveness(t, parent, s, Alive)
	if !here.IsAncestor(s) || !parent.IsAncestor(s) {
		t.Error("it does not descend from itself, or from its parent")
	}
	is, err := s.Find(here.PID)
	if err != nil || is.StartTime != here.StartTime || is.Parent != os.Getppid() {
		t.Errorf("found %+v, %v", is, err)
	}

	other := here
	other.StartTime += "0"
	wantLiveness(t, other, s, Dead)
	if other.IsAncestor(s) {
		t.Error("it descends from who had its PID before")
	}
}

func TestChildProcess(t *testing.T) {
	s := NewSystem(machine)
	child, end := another(t)
	if s.Here().StartTime != "" {
		wantLiveness(t, child, s, Alive)
	}
	if child.IsAncestor(s) {
		t.Error("a child is an ancestor")
	}
	end()
	wantLiveness(t, child, s, Dead)
	if _, err := s.Find(child.PID); !errors.Is(err, ErrNoProcess) {
		t.Errorf("found with %v", err)
	}
}

func TestNotAPID(t *testing.T) {
	s := NewSystem(nil)
	pids := []int{0, -1, -os.Getpid(), math.MinInt}
	if math.MaxInt > math.MaxInt32 {
		wide := int64(1) << 32 // what a kernel would see is this very process
		pids = append(pids, int(wide)+os.Getpid(), math.MaxInt)
	}
	for _, pid := range pids {
		if is, err := s.Find(pid); !errors.Is(err, errNotPID) {
			t.Errorf("%d is %+v, %v", pid, is, err)
		}
	}
}

// TestHereIsLazy: the machine's id may have to be made, so it is asked for once, and only if need be.
func TestHereIsLazy(t *testing.T) {
	var asked int
	s := NewSystem(func() string { asked++; return fmt.Sprint("machine ", asked) })
	if _, err := s.Find(os.Getpid()); errors.Is(err, ErrNoProcess) || asked != 0 {
		t.Errorf("%v, and the machine was asked %d times", err, asked)
	}
	for range 2 {
		if is := s.Machine(); !isMachine(is, "machine 1") {
			t.Errorf("it is %q", is)
		}
	}
	for _, s := range []*System{NewSystem(nil), NewSystem(func() string { return "" })} {
		if here := s.Here(); s.Machine() != "" || here.Machine != "" || here.PID != os.Getpid() {
			t.Errorf("without a machine: %+v", here)
		}
	}
}
