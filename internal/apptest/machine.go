package apptest

import (
	"fmt"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
)

// A Machine is a process table that a test makes up.
type Machine struct {
	Self      run.Owner // this program
	Processes map[int]run.Process
	Err       error // of every Find
}

// Here is the process that asks.
func (m *Machine) Here() run.Owner { return m.Self }

// Machine is that of this process.
func (m *Machine) Machine() string { return m.Self.Machine }

// Find finds a process.
func (m *Machine) Find(pid int) (run.Process, error) {
	if m.Err != nil {
		return run.Process{}, m.Err
	}
	if p, ok := m.Processes[pid]; ok {
		return p, nil
	}
	return run.Process{}, run.ErrNoProcess
}

var (
	// Now is when the tests take place.
	Now = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	// Here is this program on the machine of the tests: process 900, which process 100 has started.
	Here = run.Owner{PID: 900, StartTime: "9000", BootID: "boot", Namespace: "pid:[4026531836]", Machine: "m", HostName: "box"}
)

// NewMachine has a person's shell, this program below it, and another agent.
func NewMachine() *Machine {
	return &Machine{Self: Here, Processes: map[int]run.Process{
		900: {StartTime: "9000", Parent: 100},
		100: {StartTime: "1000", Parent: 1},
		200: {StartTime: "2000", Parent: 1},
		1:   {StartTime: "1"},
	}}
}

// OwnerOf is a process of the machine of the tests, alive or not.
func OwnerOf(pid int) run.Owner {
	o := Here
	o.PID, o.StartTime = pid, fmt.Sprint(pid*10)
	return o
}
