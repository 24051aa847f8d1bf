package verdict

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"syscall"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
)

// Warnings returns the warnings of an answer without duplicates: those about the user's name first, then those found.
func (p *Project) Warnings(found ...[]problem.Warning) (all []problem.Warning) {
	for _, w := range slices.Concat(append([][]problem.Warning{p.UserWarnings}, found...)...) {
		all = problem.WithWarning(all, w)
	}
	return all
}

// WriteFailed is the error for a file of a session that could not be written: what went wrong, and what a person can do.
func WriteFailed(name string, err error) *problem.Error {
	dir := path.Dir(name)
	failed := func(kind problem.Kind, text, hint string) *problem.Error {
		return &problem.Error{Kind: kind, Text: text, Hint: hint, Err: err}
	}
	if known, ok := errors.AsType[*problem.Error](err); ok {
		return known
	}
	switch busy, ok := errors.AsType[*session.BusyError](err); {
	case errors.Is(err, durable.ErrUnsynced): // first, because it wraps another error
		return failed(problem.IO, name+" was changed, but the disk does not confirm it: "+problem.Cause(dir, err),
			"a power cut now could bring the old session back; check the disk")
	case ok:
		return failed(problem.Busy, busy.Error(), "run the command again; if that process hangs, end it")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return failed(problem.Busy, "it was called off while another process was writing "+name, "nothing was written; run the command again")
	case errors.Is(err, durable.ErrChanged):
		return failed(problem.Busy, name+" was changed by another program meanwhile", "nothing was written; run the command again")
	case errors.Is(err, durable.ErrInUse):
		return failed(problem.Busy, "another program has "+pathIn(err, name)+" open", "nothing was written; close it there, and run the command again")
	case errors.Is(err, session.ErrNotOwn):
		return failed(problem.Refused, pathIn(err, dir)+" is a link or a file, not a directory of its own, so nothing is written there",
			"see what it is, and move it away; gsd makes the directory")
	case errors.Is(err, durable.ErrEscapes):
		return failed(problem.Refused, dir+" leads out of the project",
			"sessions are kept inside the project; replace the link by a directory")
	case errors.Is(err, durable.ErrNotRegular): // the path may be that of the guard
		return failed(problem.Refused, problem.Cause(pathIn(err, name), err), "move it away; only regular files are replaced")
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		return failed(problem.CannotCreate, "cannot write "+problem.Cause(dir, err), "make it writable; nothing was changed")
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return failed(problem.CannotCreate, "cannot write "+problem.Cause(dir, err),
			"something that is not a directory is in the way; move it")
	case errors.Is(err, syscall.ENOSPC):
		return failed(problem.IO, "cannot write "+problem.Cause(name, err), "the session is unchanged; make room and run the command again")
	}
	return failed(problem.IO, "cannot write "+problem.Cause(name, err), "the session is unchanged; check the disk")
}

// UnwritableWarning warns if the user's session directory cannot be written, for that reason.
func UnwritableWarning(r *answer.Report, closed error) []problem.Warning {
	if closed == nil {
		return nil
	}
	failed := WriteFailed(r.Path, closed)
	return []problem.Warning{{Code: answer.SessionClosed, Says: failed.Text, Hint: failed.Hint}}
}

func pathIn(err error, name string) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Path != "" {
		return at.Path
	}
	return name
}
