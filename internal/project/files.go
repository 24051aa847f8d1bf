package project

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
)

// Files reads the files of a project through its root, so that links cannot lead out of it, and within a budget of bytes. Each directory is
// opened and listed once; see Forget. It knows what could not be read.
type Files struct {
	Limit int64 // the largest file that is read, in bytes; see Allow

	root   *os.Root
	open   map[string]*os.Root // the directories that are kept open, by path; see rootAt
	opened []string            // their paths, in the order in which they were opened
	names  map[string]listing  // of the directories that were listed, by path
	texts  map[string][]byte   // of the files that were read, by path, but for large ones
	budget *durable.Budget
	unread map[string]error // see NoteUnread
}

// Root returns the directory of the project, for those who write in it.
func (f *Files) Root() *os.Root { return f.root }

// Budget returns what the command may still read of the project's files.
func (f *Files) Budget() *durable.Budget { return f.budget }

// Unread returns the errors with which files that exist could not be read, by path.
func (f *Files) Unread() map[string]error { return f.unread }

// A listing is what is in a directory.
type listing struct {
	id    durable.FileID // of the directory; zero if nobody asked for it
	names []string       // in no order
}

// Stat describes a file of the project, named with slashes, or what a link leads to.
func (f *Files) Stat(name string) (fs.FileInfo, error) { return f.describe(name, (*os.Root).Stat) }

// Lstat describes a file of the project, named with slashes, or a link itself.
func (f *Files) Lstat(name string) (fs.FileInfo, error) { return f.describe(name, (*os.Root).Lstat) }

func (f *Files) describe(name string, stat func(*os.Root, string) (fs.FileInfo, error)) (info fs.FileInfo, err error) {
	err = f.In(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		info, err = stat(root, name)
		return durable.Failed("look up", name, root, err)
	})
	return info, err
}

// mostOpen is how many directories are kept open, which are more than an answer about one session needs.
const mostOpen = 32

// rootAt opens a directory of the project from the one above it, and keeps both open: from the project's root, each file would open every
// directory on the way.
func (f *Files) rootAt(dir string) (*os.Root, error) {
	if dir == "." {
		return f.root, nil
	}
	if root := f.open[dir]; root != nil {
		return root, nil
	}
	above, err := f.root, error(nil)
	if up := path.Dir(dir); up != dir {
		above, err = f.rootAt(up)
	}
	if err != nil {
		return nil, err
	}
	root, err := durable.OpenRoot(above, path.Base(dir))
	if err != nil && !problem.IsMissing(err) { // it may be a link to another directory of the project
		root, err = durable.OpenRoot(f.root, dir)
	}
	if err != nil {
		return nil, err
	}
	if len(f.opened) >= mostOpen { // the first, which nobody uses any more
		f.open[f.opened[0]].Close()
		delete(f.open, f.opened[0])
		f.opened = f.opened[1:]
	}
	if f.open == nil {
		f.open = map[string]*os.Root{}
	}
	f.open[dir], f.opened = root, append(f.opened, dir)
	return root, nil
}

// closeDirs closes the directories that are kept open.
func (f *Files) closeDirs() {
	for _, root := range f.open {
		root.Close() // it was only read through
	}
	clear(f.open)
	f.opened = nil
}

// Forget has files and directories read once more, because they may have been changed since. What was made of them, such as phases, stays.
func (f *Files) Forget() {
	f.closeDirs()
	clear(f.names)
	clear(f.texts)
}

// Wrote has a directory listed once more, and its files read, because this process has written there.
func (f *Files) Wrote(dir string) {
	delete(f.names, dir)
	maps.DeleteFunc(f.texts, func(name string, _ []byte) bool { return path.Dir(name) == dir })
}

// Head reads at most so many bytes from the beginning of a regular file.
func (f *Files) Head(name string, most int64) (data []byte, err error) {
	if text, ok := f.texts[name]; ok {
		return text[:min(int64(len(text)), most)], nil
	}
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
	if err == nil || problem.IsMissing(err) {
		return
	}
	if f.unread == nil {
		f.unread = map[string]error{}
	}
	f.unread[name] = err
}

// mostKept is how large a file may be that is kept once it is read, in bytes: larger than any plan that is not made to be huge.
const mostKept = 64 << 10

// Read reads a regular file of the project, named with slashes, once; see Forget. The bytes are not to be changed.
func (f *Files) Read(name string) (data []byte, err error) {
	if text, ok := f.texts[name]; ok {
		return text, nil
	}
	data, err = f.ReadNow(name)
	if err == nil && len(data) <= mostKept {
		if f.texts == nil {
			f.texts = map[string][]byte{}
		}
		f.texts[name] = data
	}
	return data, err
}

// ReadNow is Read for a file that may have been changed since.
func (f *Files) ReadNow(name string) (data []byte, err error) {
	err = f.In(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		data, _, err = f.budget.Read(root, name, f.Limit)
		return err
	})
	return data, err
}
