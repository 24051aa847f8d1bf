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

// Kind says what sort of error it is; each has one exit code (docs/design.md, Output and exit codes).
type Kind int

// The kinds of errors.
const (
	Usage        Kind = iota + 1 // the words of the command
	BadData                      // what stands in a file
	MissingInput                 // no such plan, task or session
	NoProject                    // not below a .planning directory
	CannotCreate                 // no right to write there
	IO                           // the disk
	Busy                         // somebody else is writing
	Refused                      // for safety
)

// Error is what every function of this package that fails returns: what happened, and what to do.
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

// Warning is something that a verdict does not depend on but that a person should know.
type Warning struct {
	Code   string `json:"code"`   // what it is about, in kebab-case, such as plan-edited; there may be new ones
	Detail string `json:"detail"` // the particulars, for a person
}

// maxAlike is how many warnings of one code are given: a hostile project has one for each of its files.
const maxAlike = 20

// withWarning adds a warning, unless it is there or there are enough like it, which one more then says.
func withWarning(all []Warning, w Warning) []Warning {
	alike := 0
	for _, known := range all {
		switch {
		case known == w:
			return all
		case known.Code == w.Code:
			alike++
		}
	}
	switch {
	case alike < maxAlike:
		return append(all, w)
	case alike == maxAlike:
		return append(all, Warning{w.Code, "more warnings of this kind were left out"})
	}
	return all
}

// warnings are those of an answer, each once: what is to be said of the user's name, and then what the command found. A
// roadmap that cannot be read is noticed by whoever asks for it.
func (p *Project) warnings(found ...[]Warning) []Warning {
	var all []Warning
	known := map[Warning]bool{} // a session may have thousands
	for _, w := range slices.Concat(append([][]Warning{p.UserWarnings}, found...)...) {
		if !known[w] {
			all, known[w] = append(all, w), true
		}
	}
	return all
}

// readFailed says why the file name below the project could not be read.
func readFailed(name string, limit int64, err error) *Error {
	e := &Error{Err: err}
	switch {
	case isMissing(err):
		e.Kind, e.Text = MissingInput, name+" does not exist"
	case errors.Is(err, durable.ErrEscapes):
		e.Kind, e.Text = Refused, name+" leads out of the project"
		e.Hint = "plans and sessions must be files of the project; copy the file there"
	case errors.Is(err, durable.ErrTooLarge):
		e.Kind, e.Text = Refused, fmt.Sprintf("%s is larger than %s", name, size(limit))
		e.Hint = "set GSD_MAX_FILE_MIB to allow larger files"
	case errors.Is(err, durable.ErrBudget):
		e.Kind, e.Text = Refused, name+" was not read: the command has reached its read limit"
		e.Hint = "look for files in " + planning + "/ that are far too large; GSD_MAX_FILE_MIB raises the limit"
	case errors.Is(err, durable.ErrNotRegular):
		e.Kind, e.Text = Refused, cause(name, err)
		e.Hint = "only regular files are read"
	case errors.Is(err, durable.ErrChanged):
		e.Kind, e.Text = Busy, name+" changes faster than it can be read"
		e.Hint = "run the command again"
	case errors.Is(err, fs.ErrPermission):
		e.Kind, e.Text = MissingInput, name+" cannot be read: permission denied"
		e.Hint = "make it readable for the user who runs gsd"
	case errors.Is(err, syscall.ELOOP):
		e.Kind, e.Text = Refused, cause(name, err)
		e.Hint = "a link leads back to itself; replace it by the file"
	default:
		e.Kind, e.Text = IO, "cannot read "+cause(name, err)
		e.Hint = "nothing was changed; check the disk"
	}
	return e
}

// isMissing reports whether an error means that nothing is there: below a file there never is, nor under a name that no file can have.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// writeFailed says why the session name could not be changed.
func writeFailed(name string, err error) *Error {
	var busy *session.BusyError
	e := &Error{Err: err}
	switch {
	case errors.Is(err, durable.ErrUnsynced): // before the others, because it wraps an errno of its own
		e.Kind, e.Text = IO, name+" was changed, but the disk does not confirm it: "+cause(path.Dir(name), err)
		e.Hint = "a power cut now could bring the old session back; check the disk"
	case errors.As(err, &busy):
		e.Kind, e.Text = Busy, busy.Error()
		e.Hint = "run the command again; if that process hangs, end it"
	case errors.Is(err, durable.ErrChanged):
		e.Kind, e.Text = Busy, name+" was changed by another program meanwhile"
		e.Hint = "nothing was written; run the command again"
	case errors.Is(err, durable.ErrEscapes):
		e.Kind, e.Text = Refused, path.Dir(name)+" leads out of the project"
		e.Hint = "sessions are kept inside the project; replace the link by a directory"
	case errors.Is(err, durable.ErrNotRegular):
		e.Kind, e.Text = Refused, cause(pathIn(err, name), err) // it may be the guard that is in the way
		e.Hint = "move it away; only regular files are replaced"
	case errors.Is(err, durable.ErrLinked):
		e.Kind, e.Text = Refused, cause(pathIn(err, name), err)
		e.Hint = "what is added here would be added there, too; replace it by a copy"
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		e.Kind, e.Text = CannotCreate, "cannot write "+cause(path.Dir(name), err)
		e.Hint = "make it writable; nothing was changed"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		e.Kind, e.Text = CannotCreate, "cannot write "+cause(path.Dir(name), err)
		e.Hint = "something that is not a directory is in the way; move it"
	case errors.Is(err, syscall.ENOSPC):
		e.Kind, e.Text = IO, "cannot write "+cause(name, err)
		e.Hint = "the session is unchanged; make room and run the command again"
	default:
		e.Kind, e.Text = IO, "cannot write "+cause(name, err)
		e.Hint = "the session is unchanged; check the disk"
	}
	return e
}

// pathIn gives the path that an error is about, name where it tells none.
func pathIn(err error, name string) string {
	var at *fs.PathError
	if errors.As(err, &at) && at.Path != "" {
		return at.Path
	}
	return name
}

// cause joins a name with the innermost reason, without the paths that the layers between repeat.
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
