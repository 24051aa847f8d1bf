package problem

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// TestReadFailed: what kind of error it is that a file could not be read, and what it says.
func TestReadFailed(t *testing.T) {
	for _, test := range []struct {
		err  error
		kind Kind
		text string
	}{
		{fs.ErrNotExist, MissingInput, "x does not exist"},
		{syscall.ENOTDIR, MissingInput, "x does not exist"},
		{syscall.ENAMETOOLONG, MissingInput, "x does not exist"},
		{durable.ErrEscapes, Refused, "x leads out of the project"},
		{durable.ErrTooLarge, Refused, "x is larger than 2 MiB"},
		{durable.ErrBudget, Refused, "x was not read: the command has reached its read limit"},
		{durable.ErrNotRegular, Refused, "x: " + durable.ErrNotRegular.Error()},
		{durable.ErrChanged, Busy, "x changes faster than it can be read"},
		{durable.ErrInUse, Busy, "another program has x open"},
		{fs.ErrPermission, MissingInput, "x cannot be read: permission denied"},
		{syscall.ELOOP, Refused, "x: " + syscall.ELOOP.Error()},
		{&fs.PathError{Op: "read", Path: "y", Err: syscall.EIO}, IO, "cannot read x: " + syscall.EIO.Error()},
	} {
		if got := ReadFailed("x", 2<<20, test.err); got.Kind != test.kind || got.Text != test.text || !errors.Is(got, test.err) {
			t.Errorf("%v: %+v", test.err, got)
		}
	}
	if Size(1<<20+1) != "1048577 bytes" || Size(100) != "100 bytes" {
		t.Error("sizes")
	}
}
