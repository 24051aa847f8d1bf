package run

import (
	"errors"
	"math"
	"os"
	"sync"
)

var (
	// errNotPID: the kernels take a number that is not positive for a group of processes, and one that is too
	// large for another.
	errNotPID = errors.New("not a process id")
	// errNotTold: whether the process is there, or since when, cannot be learned here.
	errNotTold = errors.New("the system does not tell")
)

// System is the process table of the machine that this program runs on. Making one asks the system nothing.
// It may be used by several goroutines.
type System struct {
	machine func() string
	table   table // of this operating system; it also knows when this process began, and where
	once    sync.Once
	here    Owner
}

// NewSystem returns the process table. machine gives [Owner.Machine]: it is called once, and only if Here is;
// it may be nil, or return "" where the machine has no id.
func NewSystem(machine func() string) *System { return &System{machine: machine} }

// Here is this process. The system is asked once; what it does not tell stays empty.
func (s *System) Here() Owner {
	s.once.Do(func() {
		s.here = Owner{PID: os.Getpid()}
		s.table.locate(&s.here)
		s.here.HostName, _ = os.Hostname()
		local := s.here.Machine
		s.here.Machine = ""
		if s.machine != nil {
			if id := s.machine(); id != "" {
				s.here.Machine = id + local
			}
		}
	})
	return s.here
}

// Find gives the process that has a PID now. Errors: [ErrNoProcess], and any other where the system does not
// tell or pid is none.
func (s *System) Find(pid int) (Process, error) {
	if pid <= 0 || pid > math.MaxInt32 {
		return Process{}, errNotPID
	}
	return s.table.find(pid)
}
