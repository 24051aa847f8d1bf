package verdict

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// TestActions: what can be run next in each state, the most useful first.
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
		{answer.NoSession("s"), problem.MissingInput, "no session: s does", ""},
		{answer.CorruptSession(&answer.Report{Path: "s", Corrupt: "why"}), problem.BadData, "s is not a session: why", "`gsd bootstrap PLAN`"},
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

// TestAddRuns: which runs a user should know of.
func TestAdvances(t *testing.T) {
	t.Parallel()
	for from, want := range map[planfile.Status]int{planfile.Pending: 3, planfile.InProgress: 2, planfile.Skipped: 1, planfile.Complete: 0, "odd": 0} {
		n := 0
		for _, to := range []planfile.Status{planfile.Pending, planfile.InProgress, planfile.Skipped, planfile.Complete} {
			if Advances(from, to) {
				n++
			}
		}
		if n != want {
			t.Errorf("%s advances to %d", from, n)
		}
	}
	for a, same := range map[string]bool{"x/3-1-PLAN.md": false, ".planning/phases/3-a/3-1-PLAN.md": true, ".planning/phases/3-a/3-2-PLAN.md": false, ".planning/workstreams/w/phases/3-a/3-1-PLAN.md": false, ".planning/phases/3-a/PLAN.md": false} {
		if got := HaveSameID(".planning/phases/03-api/03-01-PLAN.md", a); got != same {
			t.Errorf("%s: %v", a, got)
		}
	}
}

// TestIsOf: a session file is the session of a breadcrumb, and all of it.
func TestIsOf(t *testing.T) {
	t.Parallel()
	s := planfile.Parse([]byte("<!-- Plan: a/./p -->\n<!-- Started: t -->\n<!-- Plan-Digest: sha256:AA -->\n\n<task status=\"pending\">x</task>\n"))
	for _, test := range []struct {
		c         session.Crumb
		is, holds bool
	}{
		{session.Crumb{Started: "t", Plan: "a/p", Tasks: make([]progress.Task, 1)}, true, true},
		{session.Crumb{Started: "t", Plan: "a/p", Tasks: make([]progress.Task, 2)}, true, false},
		{session.Crumb{Started: "u", Plan: "a/p"}, false, false},
		{session.Crumb{Started: "t", Plan: "q"}, false, false},
		{session.Crumb{Started: "t", Plan: "q", Digest: "sha256:aa"}, true, true},
	} {
		if IsOf(s, &test.c) != test.is || Holds(s, &test.c) != test.holds {
			t.Errorf("%+v", test.c)
		}
	}
	s.Header.Digest = ""
	if IsOf(s, &session.Crumb{Started: "t", Plan: "q"}) {
		t.Error("no digest is a digest")
	}
	if (answer.PlanEvidence{}).IsPartial() || !(answer.PlanEvidence{Limited: true}).IsPartial() || !(answer.PlanEvidence{Truncated: true}).IsPartial() {
		t.Error("IsPartial")
	}
	var p Project
	p.Planning = &project.Project{}
	for header, want := range map[string]string{"": "", "../x": "its Plan: header names a file outside .planning/", "a.md": "its Plan: header names a file outside .planning/", ".planning/\x01": "its Plan: header is not a path"} {
		if got := p.Named(planfile.Header{Plan: header}); got.Invalid != want || got.Path != "" {
			t.Errorf("%q: %+v", header, got)
		}
	}
}
