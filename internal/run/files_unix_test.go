//go:build unix

package run

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestFIFO: a FIFO in the place of the records blocks nobody, and is put aside.
func TestFIFO(t *testing.T) {
	d := newDir(t)
	if err := unix.Mkfifo(d.Root.Name()+"/"+runsFile, 0o644); err != nil {
		t.Skip("no FIFOs here:", err)
	}
	_, err := Open(d).Records()
	wantErr(t, err, ErrUnreadable)
	wantAside(t, d)
}
