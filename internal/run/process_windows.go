package run

import (
	"errors"
	"fmt"
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

// table is the kernel's. Start times are times of day, which no other boot repeats.
type table struct{}

// localMachine returns nothing in addition to our own id.
func localMachine() string { return "" }

// locate adds the start time. There is no boot id, and no namespace.
func (*table) locate(o *Owner) {
	if began, err := creation(uint32(o.PID)); err == nil {
		o.StartTime = strconv.FormatInt(began, 10)
	}
}

// find returns the creation time, in units of 100 ns.
func (*table) find(pid int) (Process, error) {
	began, err := creation(uint32(pid))
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return Process{}, nil
	}
	if err != nil {
		return Process{}, err
	}
	is := Process{StartTime: strconv.FormatInt(began, 10)}
	// The PID of a parent that has ended stays, and may be another's now. A real parent is not younger.
	if parent := parentOf(uint32(pid)); parent != 0 {
		if first, err := creation(parent); err == nil && first <= began {
			is.Parent = int(parent)
		}
	}
	return is, nil
}

// creation returns when a running process began. Errors: [ErrNoProcess], also for one that has ended and is held open;
// ERROR_ACCESS_DENIED for one that exists; errUnknown.
func creation(pid uint32) (int64, error) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, pid)
	switch {
	case errors.Is(err, windows.ERROR_INVALID_PARAMETER):
		return 0, ErrNoProcess
	case err != nil:
		return 0, fmt.Errorf("%w: %w", errUnknown, err)
	}
	defer windows.CloseHandle(h)
	// The two low bits of a PID are ignored: 1002 opens 1000.
	if opened, err := windows.GetProcessId(h); err == nil && opened != pid {
		return 0, ErrNoProcess
	}
	switch ended, err := windows.WaitForSingleObject(h, 0); {
	case err != nil:
		return 0, fmt.Errorf("%w: %w", errUnknown, err)
	case ended == windows.WAIT_OBJECT_0:
		return 0, ErrNoProcess
	}
	var began, exit, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &began, &exit, &kernel, &user); err != nil {
		return 0, fmt.Errorf("%w: %w", errUnknown, err)
	}
	return int64(began.HighDateTime)<<32 | int64(began.LowDateTime), nil
}

// parentOf returns the PID of the process that started pid, 0 if unknown.
func parentOf(pid uint32) uint32 {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(all)
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err := windows.Process32First(all, &entry); err == nil; err = windows.Process32Next(all, &entry) {
		if entry.ProcessID == pid {
			return entry.ParentProcessID
		}
	}
	return 0
}
