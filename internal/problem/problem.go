// Package problem has what a command fails with (Error), and what a person should know of an answer (Warning): values, which package view
// words. All packages make them, so this one is below those that read the project.
package problem

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
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

// Error is what a command fails with: what happened, and what to do.
type Error struct {
	Kind Kind
	Text string          // lower case, no period
	Hint string          // what helps, in a sentence in which commands are between backticks; may be empty
	Do   []action.Action // with which to continue
	Err  error           // the cause, if any
}

func (e *Error) Error() string { return e.Text }

func (e *Error) Unwrap() error { return e.Err }

// Fail makes an error.
func Fail(kind Kind, hint, format string, args ...any) *Error {
	return &Error{Kind: kind, Text: fmt.Sprintf(format, args...), Hint: hint}
}

// Hinting returns a copy of an error with a further hint.
func (e *Error) Hinting(hint string) *Error {
	more := *e
	more.Hint = strings.TrimPrefix(more.Hint+"; "+hint, "; ")
	return &more
}

// Try adds what can be run next to an error.
func (e *Error) Try(all ...action.Action) *Error {
	e.Do = append(e.Do, all...)
	return e
}

// HowToMerge is the hint for a file with conflict markers. Which side is right is for people to decide, so no command is named.
const HowToMerge = "resolve the merge, then run the command again; nothing was changed. If the markers are an example, put them in a fenced code block"

// ReadFailed is the error for a file of the project, of at most limit bytes, that could not be read.
func ReadFailed(name string, limit int64, err error) *Error {
	failed := func(kind Kind, text, hint string) *Error { return &Error{Kind: kind, Text: text, Hint: hint, Err: err} }
	conflict, isConflict := errors.AsType[*planfile.ConflictError](err)
	switch {
	case isConflict:
		return failed(BadData, name+" "+conflict.Error(), HowToMerge)
	case IsMissing(err):
		return failed(MissingInput, name+" does not exist", "")
	case errors.Is(err, durable.ErrEscapes):
		return failed(Refused, name+" leads out of the project",
			"plans and sessions must be files of the project; copy the file there")
	case errors.Is(err, durable.ErrTooLarge):
		return failed(Refused, name+" is larger than "+Size(limit), "set GSD_MAX_FILE_MIB to allow larger files")
	case errors.Is(err, durable.ErrBudget):
		return failed(Refused, name+" was not read: the command has reached its read limit",
			"look for files in "+planref.Planning+"/ that are far too large; GSD_MAX_FILE_MIB raises the limit")
	case errors.Is(err, durable.ErrNotRegular):
		return failed(Refused, Cause(name, err), "only regular files are read")
	case errors.Is(err, durable.ErrChanged):
		return failed(Busy, name+" changes faster than it can be read", "run the command again")
	case errors.Is(err, durable.ErrInUse):
		return failed(Busy, "another program has "+name+" open", "close it there, and run the command again")
	case errors.Is(err, fs.ErrPermission):
		return failed(MissingInput, name+" cannot be read: permission denied", "make it readable for the user who runs gsd")
	case errors.Is(err, syscall.ELOOP):
		return failed(Refused, Cause(name, err), "a link leads back to itself; replace it by the file")
	}
	return failed(IO, "cannot read "+Cause(name, err), "nothing was changed; check the disk")
}

// IsMissing reports whether an error means that a file does not exist, which includes paths below a regular file and names
// that are too long for any file.
func IsMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// Cause joins a name and the innermost reason, without the paths that wrapping errors repeat.
func Cause(name string, err error) string { return name + ": " + Reason(err) }

// Reason is the innermost reason for an error, without the paths that wrapping errors repeat.
func Reason(err error) string {
	var at *fs.PathError
	for errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// Size is a number of bytes for a person.
func Size(bytes int64) string {
	if bytes >= 1<<20 && bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
