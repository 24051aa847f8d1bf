package verdict

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

// TestFailures: what a command that could not write, or take the lease, says.
func TestFailures(t *testing.T) {
	t.Parallel()
	at := func(err error) error { return &fs.PathError{Op: "open", Path: "dir/x", Err: err} }
	seen := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		err        error
		kind       problem.Kind
		text, hint string // a part of it
	}{
		{WriteFailed("dir/s", fmt.Errorf("%w: %w", durable.ErrUnsynced, syscall.EIO)), problem.IO, "dir/s was changed, but", "power cut"},
		{WriteFailed("dir/s", &session.BusyError{Session: "dir", Holder: session.Holder{PID: 7}}), problem.Busy, "7", "run the command again"},
		{WriteFailed("dir/s", durable.ErrChanged), problem.Busy, "dir/s was changed by another program", "nothing was written"},
		{WriteFailed("dir/s", durable.ErrEscapes), problem.Refused, "dir leads out", "replace the link"},
		{WriteFailed("dir/s", at(durable.ErrNotRegular)), problem.Refused, "dir/x", "move it away"},
		{WriteFailed("dir/s", at(fs.ErrPermission)), problem.CannotCreate, "cannot write dir", "make it writable"},
		{WriteFailed("dir/s", at(syscall.ENOTDIR)), problem.CannotCreate, "cannot write dir", "in the way"},
		{WriteFailed("dir/s", at(fs.ErrExist)), problem.CannotCreate, "cannot write dir", "in the way"},
		{WriteFailed("dir/s", at(syscall.ENOSPC)), problem.IO, "cannot write dir/s", "make room"},
		{WriteFailed("dir/s", at(syscall.EIO)), problem.IO, "cannot write dir/s", "check the disk"},
		{RunFailed(&run.BusyError{Run: &run.Run{}}), problem.Busy, "in use", "wait until it ends"},
		{RunFailed(&run.BusyError{Run: &run.Run{State: run.StateUnknown, Seen: seen, TTL: time.Hour}}), problem.Busy, "in use", "ends at 2026-01-02T04:04:05Z"},
	} {
		if e, ok := test.err.(*problem.Error); !ok || e.Kind != test.kind || !strings.Contains(e.Text, test.text) || !strings.Contains(e.Hint, test.hint) {
			t.Errorf("%#v, want %d, %q, %q", test.err, test.kind, test.text, test.hint)
		}
	}
	if other := errors.New("x"); RunFailed(other) != other || RunFailed(nil) != nil {
		t.Error("another error is changed")
	}
	if at := pathIn(&fs.PathError{}, "name"); at != "name" {
		t.Error(at)
	}
}

// TestInUse: Windows keeps others from a file that a program has open. Nothing is wrong with the disk, and it passes.
func TestInUse(t *testing.T) {
	held := &fs.PathError{Path: "dir/file", Err: fmt.Errorf("%w: sharing violation", durable.ErrInUse)}
	for _, err := range []*problem.Error{problem.ReadFailed("dir/file", 1, held), WriteFailed("dir/session", held)} {
		if want := "another program has dir/file open"; err.Kind != problem.Busy || err.Text != want || err.Hint == "" {
			t.Errorf("%+v, want %q", err, want)
		}
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	name, a, b := problem.Warning{Code: "name"}, problem.Warning{Code: "a", Says: "x"}, problem.Warning{Code: "a", Says: "y"}
	p := &Project{UserWarnings: []problem.Warning{name}}
	if got := p.Warnings([]problem.Warning{a, b, a}, []problem.Warning{name, b}); !reflect.DeepEqual(got, []problem.Warning{name, a, b}) {
		t.Errorf("%v", got)
	}
}
