package hydrate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"syscall"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/session"
)

// Kind is a kind of error; each has one exit code (docs/design.md, Output and exit codes).
type Kind int

// The kinds of errors.
const (
	Usage        Kind = iota + 1 // the command line
	BadData                      // the content of a file
	MissingInput                 // no such plan, task or session
	NoProject                    // not below a .planning directory
	CannotCreate                 // no right to write there
	IO                           // the disk
	Busy                         // another process is writing, or another run is active
	Refused                      // for safety
)

// Error is the error of every function of this package: what happened, and what to do.
type Error struct {
	Kind Kind
	Text string // lower case, no period
	Hint string // a whole sentence or a command; may be empty
	Err  error  // the cause, if any
}

func (e *Error) Error() string { return e.Text }
func (e *Error) Unwrap() error { return e.Err }

func fail(kind Kind, hint, format string, args ...any) *Error {
	return &Error{Kind: kind, Text: fmt.Sprintf(format, args...), Hint: hint}
}

// Warning is something that does not affect the answer, but that a person should know.
type Warning struct {
	Code   string `json:"code"`   // what it is about, in kebab-case, such as plan-edited; there may be new ones
	Detail string `json:"detail"` // the particulars, for a person
}

// maxAlike is how many warnings of one code an answer may have: a hostile project could cause one for each of its files.
const maxAlike = 20

// withWarning adds a warning, unless it is there or there are enough like it, which one more then says.
func withWarning(all []Warning, w Warning) []Warning {
	alike := 0
	for _, known := range all {
		if known == w {
			return all
		}
		if known.Code == w.Code {
			alike++
		}
	}
	switch {
	case alike > maxAlike:
		return all
	case alike == maxAlike:
		w.Detail = "more warnings of this kind were left out"
	}
	return append(all, w)
}

// warnings returns the warnings of an answer without duplicates: those about the user's name first, then those found.
func (p *Project) warnings(found ...[]Warning) (all []Warning) {
	for _, w := range slices.Concat(append([][]Warning{p.UserWarnings}, found...)...) {
		all = withWarning(all, w)
	}
	return all
}

func readFailed(name string, limit int64, err error) *Error {
	failed := func(kind Kind, text, hint string) *Error { return &Error{kind, text, hint, err} }
	switch {
	case isMissing(err):
		return failed(MissingInput, name+" does not exist", "")
	case errors.Is(err, durable.ErrEscapes):
		return failed(Refused, name+" leads out of the project",
			"plans and sessions must be files of the project; copy the file there")
	case errors.Is(err, durable.ErrTooLarge):
		return failed(Refused, name+" is larger than "+size(limit), "set GSD_MAX_FILE_MIB to allow larger files")
	case errors.Is(err, durable.ErrBudget):
		return failed(Refused, name+" was not read: the command has reached its read limit",
			"look for files in "+planning+"/ that are far too large; GSD_MAX_FILE_MIB raises the limit")
	case errors.Is(err, durable.ErrNotRegular):
		return failed(Refused, cause(name, err), "only regular files are read")
	case errors.Is(err, durable.ErrChanged):
		return failed(Busy, name+" changes faster than it can be read", "run the command again")
	case errors.Is(err, durable.ErrInUse):
		return failed(Busy, "another program has "+name+" open", "close it there, and run the command again")
	case errors.Is(err, fs.ErrPermission):
		return failed(MissingInput, name+" cannot be read: permission denied", "make it readable for the user who runs gsd")
	case errors.Is(err, syscall.ELOOP):
		return failed(Refused, cause(name, err), "a link leads back to itself; replace it by the file")
	}
	return failed(IO, "cannot read "+cause(name, err), "nothing was changed; check the disk")
}

// isMissing reports whether an error means that a file does not exist, which includes paths below a regular file and names
// that are too long for any file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

func writeFailed(name string, err error) *Error {
	dir := path.Dir(name)
	failed := func(kind Kind, text, hint string) *Error { return &Error{kind, text, hint, err} }
	switch busy, ok := errors.AsType[*session.BusyError](err); {
	case errors.Is(err, durable.ErrUnsynced): // first, because it wraps another error
		return failed(IO, name+" was changed, but the disk does not confirm it: "+cause(dir, err),
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
		return failed(Refused, cause(pathIn(err, name), err), "move it away; only regular files are replaced")
	case errors.Is(err, durable.ErrLinked):
		return failed(Refused, cause(pathIn(err, name), err),
			"a line added here would be added to the other name, too; replace it by a copy")
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		return failed(CannotCreate, "cannot write "+cause(dir, err), "make it writable; nothing was changed")
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return failed(CannotCreate, "cannot write "+cause(dir, err),
			"something that is not a directory is in the way; move it")
	case errors.Is(err, syscall.ENOSPC):
		return failed(IO, "cannot write "+cause(name, err), "the session is unchanged; make room and run the command again")
	}
	return failed(IO, "cannot write "+cause(name, err), "the session is unchanged; check the disk")
}

func pathIn(err error, name string) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Path != "" {
		return at.Path
	}
	return name
}

// cause joins a name and the innermost reason, without the paths that wrapping errors repeat.
func cause(name string, err error) string {
	var at *fs.PathError
	for errors.As(err, &at) {
		err = at.Err
	}
	return name + ": " + err.Error()
}

func size(bytes int64) string {
	if bytes >= 1<<20 && bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
