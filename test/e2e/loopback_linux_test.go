//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain makes 127.0.0.1 work in a network namespace of its own, where run.sh starts the tests: unshare -n.
func TestMain(m *testing.M) {
	if err := loopbackUp(); err != nil {
		fmt.Fprintln(os.Stderr, "the loopback interface is down:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// loopbackUp brings the loopback interface up if it is down.
func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(socket, unix.SIOCGIFFLAGS, lo); err != nil || lo.Uint16()&unix.IFF_UP != 0 {
		return err
	}
	lo.SetUint16(lo.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, lo)
}
