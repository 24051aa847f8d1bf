//go:build unix

package run

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/durable"
)

// TestFIFOs: in the place of the lease or of the journal one says nothing, holds nobody up, and is put aside.
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

// TestLinked: a journal that has more than one hard link is somebody else's too, and is not appended to; but the
// archive of a rotation that crashed is the journal itself: it is no reason to refuse the journal, and goes.
func TestLinked(t *testing.T) {
	d := newDir(t)
	f, _ := d.opened(t)
	if err := f.Begin(Start{ID: "a", At: noon}); err != nil {
		t.Fatal(err)
	}
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
