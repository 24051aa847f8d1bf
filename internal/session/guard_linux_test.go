package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestTheKernelNamesTheHolder(t *testing.T) {
	_, d := newProject(t)
	lock(t, d)
	var busy *BusyError
	if _, err := d.Lock(context.Background(), 0); !errors.As(err, &busy) {
		t.Fatal(err)
	}
	info, err := d.root.Stat(d.join(guardFile))
	wantNone(t, err)
	is := info.Sys().(*syscall.Stat_t)
	locks, err := os.ReadFile("/proc/locks")
	wantNone(t, err)
	file := fmt.Sprintf(" %d %02x:%02x:%d ", os.Getpid(), unix.Major(is.Dev), unix.Minor(is.Dev), is.Ino)
	switch h := busy.Holder; {
	case !strings.Contains(string(locks), file):
		t.Skip("this file system numbers its files in two ways")
	case h.PID != os.Getpid() || h.Command == "" || h.Command == "?" || h.User != "":
		t.Errorf("%+v", h)
	}
}

func TestLockOwner(t *testing.T) {
	const list = `1: POSIX  ADVISORY  WRITE 700 fe:01:77 0 EOF
2: FLOCK  ADVISORY  WRITE 701 fe:01:78 0 EOF
3: -> FLOCK  ADVISORY  WRITE 702 fe:01:77 0 EOF
4: FLOCK  ADVISORY  WRITE 703 fe:02:77 0 EOF
5: FLOCK
6: FLOCK  ADVISORY  WRITE 0 fe:01:77 0 EOF
7: FLOCK  ADVISORY  WRITE 705 fe:01:77
8: FLOCK  ADVISORY  WRITE 704 fe:01:77 0 EOF
`
	dev := unix.Mkdev(0xfe, 1)
	if got := lockOwner(strings.NewReader(list), dev, 77); got != 705 {
		t.Errorf("%d holds it", got)
	}
	if got := lockOwner(strings.NewReader(list), dev, 79); got != 0 {
		t.Errorf("%d holds a free file", got)
	}
	if got := lockOwner(strings.NewReader(strings.Repeat("x", 2<<20)+list), dev, 77); got != 0 {
		t.Errorf("%d was found beyond the limit", got)
	}
}

// TestPrintable: a process may call itself anything.
func TestPrintable(t *testing.T) {
	for name, want := range map[string]string{
		"": "?", "\n": "?", "a\x1b[31m b\u202e\n": "a[31mb", "~!": "~!", strings.Repeat("c", 65): strings.Repeat("c", 64),
	} {
		if got := printable(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
