package hydrate_test

import (
	"fmt"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
)

// machine is a process table that a test makes up.
type machine struct {
	here      run.Owner
	processes map[int]run.Process
	err       error // of every Find
}

func (m *machine) Here() run.Owner { return m.here }

func (m *machine) Find(pid int) (run.Process, error) {
	if m.err != nil {
		return run.Process{}, m.err
	}
	if p, ok := m.processes[pid]; ok {
		return p, nil
	}
	return run.Process{}, run.ErrNoProcess
}

var (
	now = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	// here is the machine of the tests: this program is process 900, which process 100 has started.
	here = run.Owner{PID: 900, StartTime: "9000", BootID: "boot", Namespace: "pid:[4026531836]", Machine: "m", HostName: "box"}
)

func newMachine() *machine {
	return &machine{here: here, processes: map[int]run.Process{
		900: {StartTime: "9000", Parent: 100},
		100: {StartTime: "1000", Parent: 1},
		200: {StartTime: "2000", Parent: 1},
		1:   {StartTime: "1"},
	}}
}

// ownerOf is a process of the machine of the tests, alive or not.
func ownerOf(pid int) run.Owner {
	o := here
	o.PID, o.StartTime = pid, fmt.Sprint(pid*10)
	return o
}
