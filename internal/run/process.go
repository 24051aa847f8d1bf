package run

import (
	"errors"
	"math"
	"os"
	"sync"
)

var (
	// errNotPID is for a number that is not positive, which kernels take for a process group, or too large, which they
	// take for another PID.
	errNotPID = errors.New("not a process id")
	// errUnknown means that it cannot be determined whether the process exists, or since when.
	errUnknown = errors.New("the system does not say")
)

// System is the process table of the machine that this program runs on. It is safe for concurrent use.
type System struct {
	machine func() string
	table   table // of this operating system
	once    sync.Once
	here    Owner
}

// NewSystem returns the process table. machine returns [Owner.Machine], "" if the machine has no id. It is called once,
// and only if Machine is called. It may be nil.
func NewSystem(machine func() string) *System {
	return &System{machine: sync.OnceValue(func() string {
		if machine != nil {
			if id := machine(); id != "" {
				return id + localMachine()
			}
		}
		return ""
	})}
}

// Machine returns the machine's id, with what the system adds.
func (s *System) Machine() string { return s.machine() }

// Here returns this process. The system is asked once; what it does not report stays empty.
func (s *System) Here() Owner {
	s.once.Do(func() {
		s.here = Owner{PID: os.Getpid()}
		s.table.locate(&s.here)
		s.here.HostName, _ = os.Hostname()
		if s.here.BootID == "" {
			s.here.Machine = s.Machine()
		}
	})
	return s.here
}

// Find returns the process that has a PID now. Errors: [ErrNoProcess], and any other if the answer is unknown or pid is
// not one.
func (s *System) Find(pid int) (Process, error) {
	if pid <= 0 || pid > math.MaxInt32 {
		return Process{}, errNotPID
	}
	return s.table.find(pid)
}

// Remember returns a process table that asks p about each process once. It is for a program that ends within milliseconds: it asks several
// times about the same processes, of thousands of runs, and about its own ancestors. It is safe for concurrent use.
func Remember(p Processes) Processes { return &remembered{Processes: p, seen: map[int]answer{}} }

type remembered struct {
	Processes
	mu   sync.Mutex
	seen map[int]answer
}

type answer struct {
	is  Process
	err error
}

func (r *remembered) Find(pid int) (Process, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.seen[pid]
	if !ok {
		known.is, known.err = r.Processes.Find(pid)
		r.seen[pid] = known
	}
	return known.is, known.err
}
