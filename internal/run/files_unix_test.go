//go:build unix

package run

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/durable"
)

// TestFIFOs: a FIFO in the place of the lease or the journal blocks nobody, and is put aside.
func TestFIFOs(t *testing.T) {
	d := newDir(t)
	for _, name := range []string{leaseFile, journalFile} {
		if err := unix.Mkfifo(d.Root.Name()+"/"+name, 0o644); err != nil {
			t.Skip("no FIFOs here:", err)
		}
	}
	f := Open(d)
	_, err := f.Lease()
	wantErr(t, err, ErrLeaseUnreadable)
	_, err = Open(d).Journal()
	wantErr(t, err, durable.ErrNotRegular)
	if err := f.WriteLease(aLease()); err != nil {
		t.Error(err)
	}
	wantAside(t, d, leaseFile)
	if was, err := f.ClearJournal(); !was || err != nil {
		t.Errorf("%v, %v", was, err)
	}
	wantAside(t, d, journalFile)
}

// TestLinked: a journal with more than one hard link is not appended to. But if its other names are archives, which a
// rotation that crashed left, these are removed.
func TestLinked(t *testing.T) {
	d := newDir(t)
	f, _ := d.opened(t)
	noError(t, f.Begin(Start{ID: "a", At: noon}))
	d.put(t, "journal.20260101000000.jsonl", []byte("{}\n"))
	for _, name := range []string{"journal.20260102000000.jsonl", "journal.20260102000000-2.jsonl"} {
		if err := d.Root.Link(journalFile, name); err != nil {
			t.Skip("no hard links here:", err)
		}
	}
	if err := f.Begin(Start{ID: "b", At: noon}); err != nil {
		t.Error(err)
	}
	if names := d.names(t); len(names) != 2 {
		t.Errorf("%q", names)
	}
	d.Root.Link(journalFile, "elsewhere")
	was := d.text(journalFile)
	wantErr(t, f.Begin(Start{ID: "c", At: noon}), durable.ErrLinked)
	wantErr(t, f.End(End{Of: "a", Status: Success, Cause: CauseUser}), durable.ErrLinked)
	if d.text("elsewhere") != was {
		t.Error("it was written through the link")
	}
}
