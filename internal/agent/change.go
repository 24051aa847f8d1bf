package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Change is one file that is to be written or removed.
type Change struct {
	Path   string // absolute
	Before []byte // nil if there is no file
	After  []byte // nil if it is to be removed

	dir, name string // where the file is: a name below a directory that exists
	link      string // the link that leads to it, absolute; empty if there is none
	was       durable.Stamp
	depth     int // how many directories above it may be ours
}

// path returns the absolute name of a file in the host's directory.
func (w Where) path(name string) string { return w.pathOf(file{path: name}) }

// pathOf returns the absolute name of one of gsd's files.
func (w Where) pathOf(f file) string {
	dir := w.base()
	if f.shared {
		dir = w.agents()
	}
	return filepath.Join(dir, filepath.FromSlash(f.path))
}

// read is readFile for a file in the host's directory.
func (w Where) read(name string) (Change, error) { return w.readFile(file{path: name}) }

// readFile reads a file. For a missing file, Before is nil. It is an error if the file is not regular, if its path leads out of
// the project, or if the file could not be created: that must be known before other files are written.
func (w Where) readFile(f file) (Change, error) {
	c := Change{Path: w.pathOf(f), depth: strings.Count(f.path, "/")}
	if w.Scope != User || f.shared { // a host's directory is ours to remove only in a project
		c.depth++
	}
	err := w.locate(&c)
	if err == nil {
		err = c.read()
	}
	if err != nil {
		return c, w.failed("read", c.Path, err)
	}
	return c, nil
}

// locate fills in where the file of a change is, or will be. In a project everything goes through the project's
// directory, so that a link out of it is refused. A user's own directory may be a link, and so may a settings file in
// it, as people keep both among their dotfiles: then the file that the link leads to is the one that is changed.
func (w Where) locate(c *Change) error {
	to, err := follow(c.Path)
	if err != nil {
		return err
	}
	c.dir = w.Project
	if w.Scope != User {
		to = c.Path
	} else {
		if info, err := os.Lstat(c.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			c.link = c.Path
		}
		c.dir = filepath.Dir(to)
		for isMissing(c.dir) {
			c.dir = filepath.Dir(c.dir)
		}
	}
	below, err := filepath.Rel(c.dir, to)
	c.name = filepath.ToSlash(below)
	return err
}

// follow resolves all links in a name; none of them may be broken. The file need not exist, but whatever exists above it
// has to be a directory.
func follow(name string) (string, error) {
	switch _, err := os.Stat(name); {
	case err == nil:
		return filepath.EvalSymlinks(name)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if _, err := os.Lstat(name); err == nil {
		return "", fmt.Errorf("%s is a link that leads nowhere: %w", name, durable.ErrNotRegular)
	}
	dir, err := follow(filepath.Dir(name))
	if info, e := os.Stat(dir); err == nil && e == nil && !info.IsDir() { // Windows does not report this
		err = fmt.Errorf("%s is not a directory: %w", dir, durable.ErrNotRegular)
	}
	return filepath.Join(dir, filepath.Base(name)), err
}

func isMissing(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// read fills in the bytes of the file and their version; nothing if there is no file.
func (c *Change) read() error {
	root, err := durable.OpenRootAt(c.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	is, err := durable.StampOf(root, c.name) // which follows no link, as writing does not
	if err != nil || is.IsZero() {
		return err
	}
	c.Before, c.was, err = durable.Read(root, c.name, maxSettings)
	if c.Before == nil {
		c.Before = []byte{}
	}
	return err
}

// write makes a change. If the path is a link, a removal only removes the link: the user keeps the file elsewhere.
func (c *Change) write(w durable.Writer, perm fs.FileMode) error {
	root, err := durable.OpenRootAt(c.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	durable.SweepTempsOf(root, path.Dir(c.name), path.Base(c.name), time.Now().Add(-time.Minute)) // a running gsd is done within a moment
	if c.After != nil {
		if err := durable.MkdirAll(root, path.Dir(c.name), 0o755); err != nil {
			return err
		}
		return w.Replace(root, c.name, [][]byte{c.After}, perm, c.was)
	}
	switch is, err := durable.StampOf(root, c.name); {
	case err != nil:
		return err
	case !is.Equal(c.was):
		return durable.ErrChanged
	case c.link == "":
		return w.Remove(root, c.name)
	}
	beside, err := durable.OpenRootAt(filepath.Dir(c.link))
	if err != nil {
		return err
	}
	defer beside.Close()
	name := filepath.Base(c.link)
	if info, err := beside.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return durable.ErrChanged
	}
	return w.Remove(beside, name)
}

// Apply writes what a plan changes, one file after another, each as a whole or not at all. Errors are *[Error]; what
// was written before one stays, and planning and applying again continues from there.
func (p *Plan) Apply() error {
	perm := fs.FileMode(0o644)
	if p.Where.Scope == User {
		perm = 0o600
	}
	for i := range p.Changes {
		c := &p.Changes[i]
		if err := c.write(p.writer, perm); err != nil && !errors.Is(err, durable.ErrUnsynced) {
			e := p.Where.failed("write", c.Path, err)
			if i > 0 {
				e.Text += fmt.Sprintf(" (%d of %d files were done before it)", i, len(p.Changes))
				e.Hint = strings.TrimPrefix(e.Hint, nothingElse) + "; repeat the command to continue"
				e.Hint = strings.TrimPrefix(e.Hint, "; ")
			}
			return e
		}
	}
	for i := range p.Changes {
		if c := &p.Changes[i]; c.After == nil {
			c.prune()
		}
	}
	return nil
}

// prune removes the directories above a file that was removed, up to the host's own, as long as they are empty.
func (c *Change) prune() {
	dir := filepath.Dir(c.Path)
	for range c.depth {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || os.Remove(dir) != nil {
			return
		}
		dir = filepath.Dir(dir)
	}
}

const nothingElse = "nothing else was changed"

// failed describes what went wrong with a file.
func (w Where) failed(verb, name string, err error) *Error {
	e := &Error{Kind: Failed, Hint: nothingElse, Err: err}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // without the path, which comes first
	}
	e.Text = fmt.Sprintf("cannot %s %s: %s", verb, name, err)
	switch {
	case errors.Is(err, durable.ErrChanged):
		e.Kind, e.Hint = Conflict, "another program is writing it; try again"
	case errors.Is(err, durable.ErrEscapes), errors.Is(err, durable.ErrNotRegular),
		errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		e.Kind, e.Hint = Refused, "put a regular file there; --scope user follows a link of your own"
		if w.Scope == User {
			e.Hint = "put a regular file there, or a link that leads to one"
		}
	case errors.Is(err, durable.ErrTooLarge):
		e.Kind, e.Hint = Bad, "no settings are that long"
	case errors.Is(err, fs.ErrPermission):
		e.Kind, e.Hint = Denied, "check its permissions"
	}
	return e
}
