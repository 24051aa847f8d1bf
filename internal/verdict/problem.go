package verdict

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"syscall"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
)

// NoSession is the error for a user who has no session.
func NoSession(name string) *Error {
	return project.Fail(MissingInput, "gsd hydrate shows which plan to start on, and where else you have a session", "no session: %s does not exist", name)
}

// CorruptSession is the error for a session that cannot be read as one.
func CorruptSession(r *Report) *Error {
	return project.Fail(BadData, "gsd bootstrap PLAN archives it and starts a new one", "%s is not a session: %s", r.Path,
		r.Corrupt)
}

// What a command fails with, and what it warns of, is what the facts are read with.
type (
	// Kind is a kind of error; each has one exit code (docs/design.md, Output and exit codes).
	Kind = project.Kind
	// Error is the error of every function of this package: what happened, and what to do.
	Error = project.Error
	// Warning is something that does not affect the answer, but that a person should know.
	Warning = project.Warning
)

// The kinds of errors.
const (
	Usage        = project.Usage        // the command line
	BadData      = project.BadData      // the content of a file
	MissingInput = project.MissingInput // no such plan, task or session
	NoProject    = project.NoProject    // not below a .planning directory
	CannotCreate = project.CannotCreate // no right to write there
	IO           = project.IO           // the disk
	Busy         = project.Busy         // another process is writing, or another run is active
	Refused      = project.Refused      // for safety
)

// Warnings returns the warnings of an answer without duplicates: those about the user's name first, then those found.
func (p *Project) Warnings(found ...[]Warning) (all []Warning) {
	for _, w := range slices.Concat(append([][]Warning{p.UserWarnings}, found...)...) {
		all = project.WithWarning(all, w)
	}
	return all
}

// WriteFailed is the error for a file of a session that could not be written: what went wrong, and what a person can do.
func WriteFailed(name string, err error) *Error {
	dir := path.Dir(name)
	failed := func(kind Kind, text, hint string) *Error { return &Error{Kind: kind, Text: text, Hint: hint, Err: err} }
	switch busy, ok := errors.AsType[*session.BusyError](err); {
	case errors.Is(err, durable.ErrUnsynced): // first, because it wraps another error
		return failed(IO, name+" was changed, but the disk does not confirm it: "+project.Cause(dir, err),
			"a power cut now could bring the old session back; check the disk")
	case ok:
		return failed(Busy, busy.Error(), "run the command again; if that process hangs, end it")
	case errors.Is(err, durable.ErrChanged):
		return failed(Busy, name+" was changed by another program meanwhile", "nothing was written; run the command again")
	case errors.Is(err, durable.ErrInUse):
		return failed(Busy, "another program has "+pathIn(err, name)+" open", "nothing was written; close it there, and run the command again")
	case errors.Is(err, durable.ErrEscapes):
		return failed(Refused, dir+" leads out of the project",
			"sessions are kept inside the project; replace the link by a directory")
	case errors.Is(err, durable.ErrNotRegular): // the path may be that of the guard
		return failed(Refused, project.Cause(pathIn(err, name), err), "move it away; only regular files are replaced")
	case errors.Is(err, durable.ErrLinked):
		return failed(Refused, project.Cause(pathIn(err, name), err),
			"a line added here would be added to the other name, too; replace it by a copy")
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		return failed(CannotCreate, "cannot write "+project.Cause(dir, err), "make it writable; nothing was changed")
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return failed(CannotCreate, "cannot write "+project.Cause(dir, err),
			"something that is not a directory is in the way; move it")
	case errors.Is(err, syscall.ENOSPC):
		return failed(IO, "cannot write "+project.Cause(name, err), "the session is unchanged; make room and run the command again")
	}
	return failed(IO, "cannot write "+project.Cause(name, err), "the session is unchanged; check the disk")
}

func pathIn(err error, name string) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Path != "" {
		return at.Path
	}
	return name
}
