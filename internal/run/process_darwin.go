package run

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// zombie is SZOMB of <sys/proc.h>.
const zombie = 5

// table is the kernel's, by sysctl(3).
type table struct{}

// localMachine returns nothing in addition to our own id.
func localMachine() string { return "" }

// locate adds the start time and the boot. There are no namespaces.
func (t *table) locate(o *Owner) {
	if is, err := t.find(o.PID); err == nil {
		o.StartTime = is.StartTime
	}
	o.BootID, _ = unix.Sysctl("kern.bootsessionuuid") // empty: unknown
}

// find returns the time of day at the start, in seconds and microseconds, which setting the clock later does not
// change.
func (*table) find(pid int) (Process, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil { // EIO for none; a sandbox may also refuse
		if err := ask(pid); !errors.Is(err, errNotOurs) {
			return Process{}, err
		}
		return Process{}, nil
	}
	if info.Proc.P_stat == zombie {
		return Process{}, ErrNoProcess
	}
	began := info.Proc.P_starttime
	return Process{
		StartTime: fmt.Sprintf("%d.%06d", began.Sec, began.Usec),
		Parent:    int(info.Eproc.Ppid),
	}, nil
}
