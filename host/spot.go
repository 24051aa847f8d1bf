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

// A spot is where a file is, or will be: a name below a directory that exists.
type spot struct {
	dir, name string
	link      string // the link that leads to it, absolute; empty where it is none
}

// path is the file's absolute name, for people.
func (w Where) path(name string) string { return filepath.Join(w.base(), filepath.FromSlash(name)) }

// spot finds a file's spot. In a project everything goes through the project's directory, so that a link out of it is
// refused. A person's own directory may be a link, and so may a settings file in it, as people keep both among
// their dotfiles: there the file that the link leads to is the one that is changed.
func (w Where) spot(name string) (spot, error) {
	full := w.path(name)
	if w.Scope != User {
		below, err := filepath.Rel(w.Project, full)
		return spot{dir: w.Project, name: filepath.ToSlash(below)}, err
	}
	if info, err := os.Lstat(full); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if _, err := os.Stat(full); errors.Is(err, fs.ErrNotExist) {
			return spot{}, leadsNowhere(full)
		} else if err != nil {
			return spot{}, err
		}
		to, err := filepath.EvalSymlinks(full)
		if err != nil {
			return spot{}, err
		}
		return spot{filepath.Dir(to), filepath.Base(to), full}, nil
	}
	dir := filepath.Dir(full)
	for {
		info, err := os.Stat(dir)
		switch {
		case err == nil && info.IsDir():
			below, err := filepath.Rel(dir, full)
			return spot{dir: dir, name: filepath.ToSlash(below)}, err
		case err == nil:
			return spot{}, fmt.Errorf("%s is no directory: %w", dir, durable.ErrNotRegular)
		case !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir:
			return spot{}, err
		}
		if _, err := os.Lstat(dir); err == nil {
			return spot{}, leadsNowhere(dir)
		}
		dir = filepath.Dir(dir)
	}
}

func leadsNowhere(link string) error {
	return fmt.Errorf("%s is a link that leads nowhere: %w", link, durable.ErrNotRegular)
}

// read gives the bytes of the file and which version they are; nil where there is no file.
func (s spot) read() ([]byte, durable.Stamp, error) {
	root, err := durable.OpenRootAt(s.dir)
	if err != nil {
		return nil, durable.Stamp{}, err
	}
	defer root.Close()
	is, err := durable.Look(root, s.name) // follows no link, as writing does not
	if err == nil && is.IsZero() {
		err = s.wayTo(root)
	}
	if err != nil || is.IsZero() {
		return nil, durable.Stamp{}, err
	}
	text, was, err := durable.Read(root, s.name, maxSettings)
	if text == nil && err == nil {
		text = []byte{}
	}
	return text, was, err
}

// wayTo tells why the directories for a file that is not there could not be made: in the place of one is a file, or a
// link that leads nowhere. Else that would show only once others have been written.
func (s spot) wayTo(root *os.Root) error {
	for dir := path.Dir(s.name); dir != "."; dir = path.Dir(dir) {
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

// write carries a change out. Of a file that a link leads to only the link is taken away: the file is among what somebody
// keeps elsewhere.
func (c *Change) write(w durable.Writer, perm fs.FileMode) error {
	root, err := durable.OpenRootAt(c.at.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	c.at.sweep(root, time.Now().Add(-time.Minute)) // a living gsd is done in a moment
	if c.After != nil {
		if err := durable.MkdirAll(root, path.Dir(c.at.name), 0o755); err != nil {
			return err
		}
		return w.Replace(root, c.at.name, [][]byte{c.After}, perm, c.was)
	}
	switch is, err := durable.Look(root, c.at.name); {
	case err != nil:
		return err
	case !is.Equal(c.was):
		return durable.ErrChanged
	}
	if c.at.link == "" {
		return w.Remove(root, c.at.name)
	}
	beside, err := durable.OpenRootAt(filepath.Dir(c.at.link))
	if err != nil {
		return err
	}
	defer beside.Close()
	name := filepath.Base(c.at.link)
	if info, err := beside.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return durable.ErrChanged
	}
	return w.Remove(beside, name)
}

// sweep removes the temporaries that a killed gsd left of this file before a time. Others in the directory have theirs.
func (s spot) sweep(root *os.Root, before time.Time) {
	dir, own := path.Dir(s.name), "."+path.Base(s.name)+"."
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

// Apply writes what a plan changes, one file after another, each as a whole or not at all. Errors are *[Error]; what had
// been written before one stays, and planning and applying again goes on from there.
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

// prune takes the directories above a file that is gone away, up to the host's own, as long as they are empty: git and
// hosts know none that are.
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

// failed says what went wrong with a file.
func (w Where) failed(verb, name string, err error) *Error {
	e := &Error{Kind: Failed, Text: fmt.Sprintf("cannot %s %s: %s", verb, name, bareError(err)), Hint: nothingElse, Err: err}
	switch {
	case errors.Is(err, durable.ErrChanged):
		e.Kind, e.Hint = Conflict, "somebody else is writing it; try again"
	case errors.Is(err, durable.ErrEscapes), errors.Is(err, durable.ErrNotRegular), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
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

// bareError is an error without the path that package os puts before it.
func bareError(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}
