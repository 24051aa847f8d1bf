package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// appeared returns the error for a file that is there and must not exist yet. It
// is made when it is met: as a variable it would cost every start of the program.
func appeared() error { return fmt.Errorf("%w: %w", ErrChanged, fs.ErrExist) }

// A place is where one file is or will be. Its directory is held open, so that
// the temporary, the rename and the sync all happen in the same one, even if a
// directory above is renamed meanwhile; and the handle for the last sync cannot
// be refused once the rename is done.
type place struct {
	dir  *os.Root
	self *os.File // dir again, as something that can be synced
	base string
}

func openPlace(root *os.Root, name string) (place, error) {
	base := path.Base(name)
	if !isElement(base) || strings.HasSuffix(name, "/") {
		return place{}, fs.ErrInvalid
	}
	dir, err := OpenRoot(root, path.Dir(name))
	if err != nil {
		return place{}, err
	}
	self, err := dir.Open(".")
	if err != nil {
		dir.Close()
		return place{}, err
	}
	return place{dir: dir, self: self, base: base}, nil
}

func (p place) close() {
	p.self.Close()
	p.dir.Close()
}

// expect returns the version that is in place, or ErrChanged if it is not was,
// with fs.ErrExist where there should be none.
func (p place) expect(was Stamp) (Stamp, error) {
	is, err := stampAt(p.dir, p.base)
	if err != nil {
		return Stamp{}, err
	}
	switch {
	case was.Equal(is):
		return is, nil
	case was.IsZero():
		return Stamp{}, appeared()
	}
	return Stamp{}, ErrChanged
}

// isElement reports whether s names something inside a directory.
func isElement(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, `/\`)
}

// rename moves from over to, which may exist.
func (w Writer) rename(p place, from, to string) error {
	return w.try(StepRename, func() error {
		return patiently(func() error { return p.dir.Rename(from, to) })
	})
}

// renameNew moves from to the name to, which must be free: fs.ErrExist if it
// is not. A crash in between leaves both names, never none.
func (w Writer) renameNew(p place, from, to string) error {
	err := w.try(StepLink, func() error { return p.dir.Link(from, to) })
	switch {
	case err == nil:
		err = w.try(StepUnlink, func() error {
			return patiently(func() error { return p.dir.Remove(from) })
		})
		if err != nil {
			p.dir.Remove(to)
		}
		return err
	case errors.Is(err, fs.ErrExist):
		return err
	}
	// No hard links here (FAT, some network file systems). Look and rename: the
	// caller's lock keeps our own writers out of the gap.
	if _, err := p.dir.Lstat(to); err == nil {
		return fs.ErrExist
	} else if !isNotExist(err) {
		return err
	}
	return w.rename(p, from, to)
}

func (w Writer) syncDir(p place) error {
	return w.sync(StepSyncDir, func() error { return syncDir(p.self) })
}
