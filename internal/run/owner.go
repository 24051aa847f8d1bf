package run

import "errors"

// Owner is the process that a run belongs to: the agent, not the gsd that it calls. It identifies the process among all
// others, on this machine and elsewhere. Unknown parts are empty.
type Owner struct {
	PID       int    `json:"pid,omitempty"`
	StartTime string `json:"start_time,omitempty"`    // in the unit of its system, only for comparison
	BootID    string `json:"boot_id,omitempty"`       // of the kernel that it runs on, new at every boot
	Namespace string `json:"pid_namespace,omitempty"` // the container that its PID belongs to (Linux)
	Machine   string `json:"machine,omitempty"`       // see session.StateDir.Machine
	HostName  string `json:"host_name,omitempty"`
}

// A Process is what the system reports of a running process, which a zombie is not.
type Process struct {
	StartTime string // in the unit of [Owner.StartTime]; empty if it may not be read
	Parent    int    // its parent's PID, 0 for none
}

// ErrNoProcess means that no process has that PID, or only a zombie.
var ErrNoProcess = errors.New("no such process")

// Processes is the process table of the machine that this program runs on.
type Processes interface {
	// Here returns this process, without Machine where BootID says more, and for less.
	Here() Owner
	// Machine returns [Owner.Machine] of this process.
	Machine() string
	// Find returns the process that has a PID now. ErrNoProcess is certain; any other error means that the answer is
	// unknown.
	Find(pid int) (Process, error)
}

// whole returns this process as it is recorded.
func whole(p Processes) Owner {
	here := p.Here()
	here.Machine = p.Machine()
	return here
}

// Liveness is whether an owner is still running, as far as can be determined here.
type Liveness string

// The values of Liveness.
const (
	Alive   Liveness = "alive"
	Dead    Liveness = "dead"    // proven: its process does not exist, its PID is another's, or the machine has rebooted
	Unknown Liveness = "unknown" // it has no PID, or belongs to another machine or container
)

// Liveness reports whether the owner lives. It depends on the process and never on a clock: only what is proven dead is
// Dead.
func (o Owner) Liveness(p Processes) Liveness {
	if p == nil {
		return Unknown
	}
	here := p.Here()
	if o.BootID != here.BootID {
		here = whole(p)
	}
	if o.rebooted(here) {
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
	case is.StartTime == "": // we may not read it, so it exists
		return Alive
	case o.StartTime == "":
		return Unknown // the PID may be another's
	case is.StartTime != o.StartTime:
		return Dead
	}
	return Alive
}

// Near reports whether the owner is on the machine and in the container of here, so that its PID is meaningful there.
// The boot id decides, whatever the machine's name is now. Systems without boot ids have start times that no other boot
// repeats. Systems with containers have boot ids; if one is unknown, nothing can be proven.
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

// machineSpace is the initial PID namespace of a machine: PROC_PID_INIT_INO of <linux/proc_ns.h>.
const machineSpace = "pid:[4026531836]"

// rebooted reports whether the machine of here has rebooted since the owner ran on it. In a container that is unknown:
// its name and its state directory may be another's, and namespace numbers repeat.
func (o Owner) rebooted(here Owner) bool {
	if o.Namespace != "" && o.Namespace != machineSpace {
		return false
	}
	return o.BootID != "" && here.BootID != "" && o.BootID != here.BootID &&
		o.Namespace == here.Namespace && o.sameMachine(here)
}

// sameMachine compares two properties: homes are shared between machines, and host names are not unique.
func (o Owner) sameMachine(here Owner) bool {
	return o.Machine != "" && o.Machine == here.Machine && o.HostName != "" && o.HostName == here.HostName
}

// Same reports whether two owners are the same process.
func (o Owner) Same(other Owner) bool {
	return o.PID > 0 && o.PID == other.PID && o.StartTime != "" && o.StartTime == other.StartTime && o.Near(other)
}

// maxAncestors ends the walk up a process table that changes meanwhile.
const maxAncestors = 64

// IsAncestor reports whether the owner is this process or an ancestor of it, on whose behalf it then acts.
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
