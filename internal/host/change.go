package host

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

// path is the file's absolute name, for people.
func (w Where) path(name string) string { return filepath.Join(w.base(), filepath.FromSlash(name)) }

// locate fills in where the file of a change is, or will be. In a project everything goes through the project's directory,
// so that a link out of it is refused. A person's own directory may be a link, and so may a settings file in it, as people
// keep both among their dotfiles: then the file that the link leads to is the one that is changed.
func (w Where) locate(c *Change) error {
	if w.Scope != User {
		return c.below(w.Project)
	}
	if info, err := os.Lstat(c.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if _, err := os.Stat(c.Path); errors.Is(err, fs.ErrNotExist) {
			return leadsNowhere(c.Path)
		} else if err != nil {
			return err
		}
		to, err := filepath.EvalSymlinks(c.Path)
		c.dir, c.name, c.link = filepath.Dir(to), filepath.Base(to), c.Path
		return err
	}
	for dir := filepath.Dir(c.Path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err == nil && info.IsDir():
			return c.below(dir)
		case err == nil:
			return fmt.Errorf("%s is no directory: %w", dir, durable.ErrNotRegular)
		case !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir:
			return err
		}
		if _, err := os.Lstat(dir); err == nil {
			return leadsNowhere(dir)
		}
	}
}

func (c *Change) below(dir string) error {
	name, err := filepath.Rel(dir, c.Path)
	c.dir, c.name = dir, filepath.ToSlash(name)
	return err
}

func leadsNowhere(link string) error {
	return fmt.Errorf("%s is a link that leads nowhere: %w", link, durable.ErrNotRegular)
}

// read fills in the bytes of the file and which version they are; nothing if there is no file.
func (c *Change) read() error {
	root, err := durable.OpenRootAt(c.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	is, err := durable.Look(root, c.name) // follows no link, as writing does not
	if err == nil && is.IsZero() {
		return c.wayTo(root)
	}
	if err == nil {
		c.Before, c.was, err = durable.Read(root, c.name, maxSettings)
	}
	if c.Before == nil && err == nil {
		c.Before = []byte{}
	}
	return err
}

// wayTo returns why the directories for a file that is not there could not be made: in the place of one is a file, or a link
// that leads nowhere. Otherwise that would be seen only after others have been written.
func (c *Change) wayTo(root *os.Root) error {
	for dir := path.Dir(c.name); dir != "."; dir = path.Dir(dir) {
		if _, err := root.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		switch info, err := root.Stat(dir); {
		case errors.Is(err, fs.ErrNotExist):
			return leadsNowhere(dir)
		case err != nil:
			return err
		case !info.IsDir():
			return fmt.Errorf("%s is no directory: %w", dir, durable.ErrNotRegular)
		}
		return nil
	}
	return nil
}

// write carries out a change. Of a file that a link leads to only the link is removed: somebody keeps the file elsewhere.
func (c *Change) write(w durable.Writer, perm fs.FileMode) error {
	root, err := durable.OpenRootAt(c.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	c.sweep(root, time.Now().Add(-time.Minute)) // a living gsd is done in a moment
	if c.After != nil {
		if err := durable.MkdirAll(root, path.Dir(c.name), 0o755); err != nil {
			return err
		}
		return w.Replace(root, c.name, c.After, perm, c.was)
	}
	switch is, err := durable.Look(root, c.name); {
	case err != nil:
		return err
	case !is.Equal(c.was):
		return durable.ErrChanged
	}
	if c.link == "" {
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

// sweep removes the temporary files that a killed gsd left of this file before a time, and nobody else's.
func (c *Change) sweep(root *os.Root, before time.Time) {
	dir, own := path.Dir(c.name), "."+path.Base(c.name)+"."
	names, _ := durable.Names(root, dir) // what is left, the next time takes
	for _, name := range names {
		digits, is := strings.CutSuffix(strings.TrimPrefix(name, own), ".tmp")
		if !is || !strings.HasPrefix(name, own) || len(digits) != 16 || strings.Trim(digits, "0123456789abcdef") != "" {
			continue
		}
		name = path.Join(dir, name)
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = root.Remove(name)
		}
	}
}

// Apply writes what a plan changes, one file after another, each as a whole or not at all. Errors are *[Error]; what was
// written before one stays, and planning and applying again continues from there.
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
				e.Text += fmt.Sprintf(" (done before it: %d of %d files)", i, len(p.Changes))
				e.Hint = strings.TrimPrefix(strings.TrimPrefix(e.Hint, nothingElse)+"; doing it again goes on from there", "; ")
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
	e := &Error{Kind: Failed, Text: fmt.Sprintf("cannot %s %s: %s", verb, name, bareError(err)), Hint: nothingElse, Err: err}
	switch {
	case errors.Is(err, durable.ErrChanged):
		e.Kind, e.Hint = Conflict, "somebody else is writing it; try again"
	case errors.Is(err, durable.ErrEscapes), errors.Is(err, durable.ErrNotRegular),
		errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		e.Kind, e.Hint = Refused, "put a regular file there; --scope user follows a link of your own"
		if w.Scope == User {
			e.Hint = "put a regular file there, or a link that leads to one"
		}
	case errors.Is(err, durable.ErrTooLarge):
		e.Kind, e.Hint = Bad, "no settings are that long"
	case errors.Is(err, fs.ErrPermission):
		e.Kind, e.Hint = Denied, "look at its rights"
	}
	return e
}

// bareError returns an error without the path that package os puts before it.
func bareError(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}
