package project

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Files reads the files of a project through its root, so that links cannot lead out of it, and within a budget of bytes. It knows
// what could not be read.
type Files struct {
	Limit int64 // the largest file that is read, in bytes; see Allow

	root     *os.Root
	openDirs [2]directory // see rootAt
	budget   *durable.Budget
	unread   map[string]error // see NoteUnread
}

// Root returns the directory of the project, for those who write in it.
func (f *Files) Root() *os.Root { return f.root }

// Budget returns what the command may still read of the project's files.
func (f *Files) Budget() *durable.Budget { return f.budget }

// Unread returns the errors with which files that exist could not be read, by path.
func (f *Files) Unread() map[string]error { return f.unread }

// Lstat describes a file of the project, named with slashes, or a link itself.
func (f *Files) Lstat(name string) (info fs.FileInfo, err error) {
	err = f.In(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		info, err = root.Lstat(name)
		return err
	})
	return info, err
}

// rootAt opens a directory of the project. It keeps the last two open, such as a session's and its plan's, because opening a
// file from the project's root opens every directory on the way.
func (f *Files) rootAt(dir string) (*os.Root, error) {
	switch dir {
	case f.openDirs[0].dir:
	case f.openDirs[1].dir:
		f.openDirs[0], f.openDirs[1] = f.openDirs[1], f.openDirs[0]
	default:
		root, err := durable.OpenRoot(f.root, dir)
		if err != nil {
			return nil, err
		}
		f.openDirs[1].close()
		f.openDirs[0], f.openDirs[1] = directory{dir, root}, f.openDirs[0]
	}
	return f.openDirs[0].root, nil
}

// Head reads at most so many bytes from the beginning of a regular file.
func (f *Files) Head(name string, most int64) (data []byte, err error) {
	err = f.In(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		data, _, err = f.budget.Head(root, name, most)
		return err
	})
	return data, err
}

// In calls look with a directory of the project, opened by rootAt. If a link leads out of the directory, or the directory
// may not be read, it calls look again with the project's root. It notes what cannot be read.
func (f *Files) In(dir, name string, look func(root *os.Root, name string) error) error {
	root, err := f.rootAt(dir)
	if err == nil {
		err = look(root, name)
	}
	if errors.Is(err, durable.ErrEscapes) || errors.Is(err, fs.ErrPermission) {
		err = look(f.root, path.Join(dir, name))
	}
	f.NoteUnread(path.Join(dir, name), err)
	return err
}

// NoteUnread keeps the error with which a file that exists could not be read.
func (f *Files) NoteUnread(name string, err error) {
	if err == nil || IsMissing(err) {
		return
	}
	if f.unread == nil {
		f.unread = map[string]error{}
	}
	f.unread[name] = err
}

type directory struct {
	dir  string // "" for none
	root *os.Root
}

func (d *directory) close() {
	if d.root != nil {
		d.root.Close() // it was only read through
		*d = directory{}
	}
}

// CloseDirs closes the directories that are kept open, because they may have been replaced since.
func (f *Files) CloseDirs() {
	f.openDirs[0].close()
	f.openDirs[1].close()
}

// Read reads a regular file of the project, named with slashes.
func (f *Files) Read(name string) (data []byte, err error) {
	err = f.In(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		data, _, err = f.budget.Read(root, name, f.Limit)
		return err
	})
	return data, err
}
