package verdict

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"syscall"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
)

// NoSession is the error for a user who has no session.
func NoSession(name string) *project.Error {
	return project.Fail(project.MissingInput, "", "no session: %s does not exist", name).Try(action.Action{Kind: action.ShowSession})
}

// CorruptSession is the error for a session that cannot be read as one.
func CorruptSession(r *Report) *project.Error {
	if err := r.Conflict(); err != nil {
		failed := project.ReadFailed(r.Path, 0, err)
		failed.Hint = "resolve the merge, then run the command again; nothing was changed. `gsd archive` puts the session away as it is"
		return failed
	}
	return project.Fail(project.BadData, "`gsd bootstrap PLAN` archives it and starts a new one", "%s is not a session: %s", r.Path,
		r.Corrupt)
}

// Warnings returns the warnings of an answer without duplicates: those about the user's name first, then those found.
func (p *Project) Warnings(found ...[]project.Warning) (all []project.Warning) {
	for _, w := range slices.Concat(append([][]project.Warning{p.UserWarnings}, found...)...) {
		all = project.WithWarning(all, w)
	}
	return all
}

// WriteFailed is the error for a file of a session that could not be written: what went wrong, and what a person can do.
func WriteFailed(name string, err error) *project.Error {
	dir := path.Dir(name)
	failed := func(kind project.Kind, text, hint string) *project.Error {
		return &project.Error{Kind: kind, Text: text, Hint: hint, Err: err}
	}
	switch busy, ok := errors.AsType[*session.BusyError](err); {
	case errors.Is(err, durable.ErrUnsynced): // first, because it wraps another error
		return failed(project.IO, name+" was changed, but the disk does not confirm it: "+project.Cause(dir, err),
			"a power cut now could bring the old session back; check the disk")
	case ok:
		return failed(project.Busy, busy.Error(), "run the command again; if that process hangs, end it")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return failed(project.Busy, "it was called off while another process was writing "+name, "nothing was written; run the command again")
	case errors.Is(err, durable.ErrChanged):
		return failed(project.Busy, name+" was changed by another program meanwhile", "nothing was written; run the command again")
	case errors.Is(err, durable.ErrInUse):
		return failed(project.Busy, "another program has "+pathIn(err, name)+" open", "nothing was written; close it there, and run the command again")
	case errors.Is(err, session.ErrNotOwn):
		return failed(project.Refused, pathIn(err, dir)+" is a link or a file, not a directory of its own, so nothing is written there",
			"see what it is, and move it away; gsd makes the directory")
	case errors.Is(err, durable.ErrEscapes):
		return failed(project.Refused, dir+" leads out of the project",
			"sessions are kept inside the project; replace the link by a directory")
	case errors.Is(err, durable.ErrNotRegular): // the path may be that of the guard
		return failed(project.Refused, project.Cause(pathIn(err, name), err), "move it away; only regular files are replaced")
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		return failed(project.CannotCreate, "cannot write "+project.Cause(dir, err), "make it writable; nothing was changed")
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return failed(project.CannotCreate, "cannot write "+project.Cause(dir, err),
			"something that is not a directory is in the way; move it")
	case errors.Is(err, syscall.ENOSPC):
		return failed(project.IO, "cannot write "+project.Cause(name, err), "the session is unchanged; make room and run the command again")
	}
	return failed(project.IO, "cannot write "+project.Cause(name, err), "the session is unchanged; check the disk")
}

func pathIn(err error, name string) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Path != "" {
		return at.Path
	}
	return name
}
