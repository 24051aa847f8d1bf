package run

import "errors"

// Owner is the process that a run belongs to: the agent's, not that of the gsd that it calls. It identifies the
// process among all others, on this machine and elsewhere. A part that is not known is empty.
type Owner struct {
	PID       int    `json:"pid,omitempty"`
	StartTime string `json:"start_time,omitempty"`    // when it began, in its system's own unit: only compared
	BootID    string `json:"boot_id,omitempty"`       // of the kernel that it runs on, new at every boot
	Namespace string `json:"pid_namespace,omitempty"` // the container that its PID counts in (Linux)
	Machine   string `json:"machine,omitempty"`       // the id that the state directory holds, see session.StateDir.Machine
	HostName  string `json:"host_name,omitempty"`
}

// A Process is what the system says of one that is there. A zombie is not.
type Process struct {
	StartTime string // in the same unit as [Owner.StartTime]; empty where it may not be asked
	Parent    int    // its parent's PID, 0 for none
}

// ErrNoProcess means that no process has that PID, or one that has ended and was not waited for.
var ErrNoProcess = errors.New("no such process")

// Processes is the process table of the machine that this program runs on.
type Processes interface {
	// Here is this very process.
	Here() Owner
	// Find gives the process that has a PID now. ErrNoProcess is a fact; any other error means that the system
	// does not tell.
	Find(pid int) (Process, error)
}

// Liveness is whether an owner still lives, as far as can be known from here.
type Liveness string

// What can be known of an owner.
const (
	Alive   Liveness = "alive"
	Dead    Liveness = "dead"    // proven: its process is not there, is another one by now, or fell with a boot
	Unknown Liveness = "unknown" // it has no PID, or counts on another machine or in another container
)

// Liveness reports whether the owner lives. It goes by the process and never by a clock: nothing that cannot be proven is called dead.
func (o Owner) Liveness(p Processes) Liveness {
	if p == nil {
		return Unknown
	}
	here := p.Here()
	if o.felled(here) {
		return Dead
	}
	if o.PID <= 0 || !o.Near(here) {
		return Unknown
	}
	is, err := p.Find(o.PID)
	switch {
	case errors.Is(err, ErrNoProcess):
		return Dead
	case err != nil:
		return Unknown
	case is.StartTime == "": // not ours to ask, so it is there
		return Alive
	case o.StartTime == "":
		return Unknown // the PID may have come to another
	case is.StartTime != o.StartTime:
		return Dead
	}
	return Alive
}

// Near reports whether the owner is on the machine and in the container of here, so that its PID counts in that
// process table, be the process known or not. The kernel's boot decides, whatever the machine is called by now.
// Systems without a boot id give start times that no other boot repeats; one that has containers has a boot id too,
// and where it does not tell it nothing can be proven.
func (o Owner) Near(here Owner) bool {
	switch {
	case o.Namespace != here.Namespace:
		return false
	case o.BootID != "" || here.BootID != "":
		return o.BootID == here.BootID
	case o.Namespace != "":
		return false
	}
	return o.sameMachine(here)
}

// machineSpace is the namespace of PIDs that a machine begins with: PROC_PID_INIT_INO of <linux/proc_ns.h>.
const machineSpace = "pid:[4026531836]"

// felled reports whether the machine of here was booted since the owner ran on it. In a container it cannot be
// known: its name and its state directory may be another's, and the numbers of namespaces repeat.
func (o Owner) felled(here Owner) bool {
	if o.Namespace != "" && o.Namespace != machineSpace {
		return false
	}
	return o.BootID != "" && here.BootID != "" && o.BootID != here.BootID && o.Namespace == here.Namespace && o.sameMachine(here)
}

// sameMachine takes two witnesses: homes are shared between machines, and host names are not unique.
func (o Owner) sameMachine(here Owner) bool {
	return o.Machine != "" && o.Machine == here.Machine && o.HostName != "" && o.HostName == here.HostName
}

// Same reports whether two owners are the same process.
func (o Owner) Same(other Owner) bool {
	return o.PID > 0 && o.PID == other.PID && o.StartTime != "" && o.StartTime == other.StartTime && o.Near(other)
}

// maxAncestors ends the walk up a process table that changes under it.
const maxAncestors = 64

// IsAncestor reports whether the owner is this program's process or one that it descends from: then whatever it
// does is done for the owner.
func (o Owner) IsAncestor(p Processes) bool {
	if p == nil || o.PID <= 0 {
		return false
	}
	here := p.Here()
	if !o.Near(here) {
		return false
	}
	pid := here.PID
	for range maxAncestors {
		is, err := p.Find(pid)
		if err != nil || pid <= 0 {
			return false
		}
		if pid == o.PID {
			return o.StartTime != "" && is.StartTime == o.StartTime
		}
		pid = is.Parent
	}
	return false
}
