package run

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"github.com/gsd-cli/gsd/internal/durable"
)

// runsFile has the records of the runs of a session, in its directory. All are in one file because nearly every question is about all of
// them: which is the latest of its host, who marked this task last, who has the lease. It is read once a command, and replaced at once.
const (
	runsFile  = "runs.json"
	runsLimit = 1 << 20 // bytes
)

// filePerm gives new files what the umask leaves, as git's do, so that a group can share a checkout.
const filePerm fs.FileMode = 0o666

// Look calls do with a root and the name under which to open a session's file. It may call do twice.
type Look func(name string, do func(root *os.Root, name string) error) error

// A Dir is the directory of a session whose guard the caller holds.
type Dir struct {
	Root   *os.Root
	Path   string // of the directory, for errors: relative to the project and with slashes
	Writer durable.Writer
}

// A File is the file with the records of a session's runs. It is read when it is first asked for. Changes are known at once, and written
// by [File.Flush].
type File struct {
	look   Look
	budget *durable.Budget
	dir    Dir // zero if nothing may be changed

	isRead  bool
	shared  bool // the records were handed out since they were last cloned
	records Records
	err     error         // of reading
	text    []byte        // as it was read or written
	was     durable.Stamp // its version
}

// Read returns the file of a session, to be read within the budget.
func Read(look Look, budget *durable.Budget) *File { return &File{look: look, budget: budget} }

// Open returns the file of the session in dir, whose guard the caller holds.
func Open(dir Dir) *File {
	f := Read(func(name string, do func(*os.Root, string) error) error { return do(dir.Root, name) }, nil)
	f.dir = dir
	return f
}

// Release must be called once the guard is no longer held. A file that has not been read yet is then read through look.
func (f *File) Release(look Look, budget *durable.Budget) {
	f.look, f.budget, f.dir = look, budget, Dir{}
}

// Records returns the records of the runs; none if there is no file. Errors: [ErrUnreadable], those of durable.Read. With an error there
// are no records.
func (f *File) Records() (*Records, error) {
	f.shared = true
	return f.known()
}

// known is Records for who keeps nothing of them.
func (f *File) known() (*Records, error) {
	if !f.isRead {
		f.isRead = true
		f.err = f.look(runsFile, func(root *os.Root, name string) (err error) {
			f.records, f.text, f.was, err = f.read(root, name)
			return err
		})
		if errors.Is(f.err, fs.ErrNotExist) || errors.Is(f.err, syscall.ENOTDIR) || errors.Is(f.err, syscall.ENAMETOOLONG) {
			f.err = nil
		}
	}
	return &f.records, f.err
}

// read follows no link: the guard's holder would not write through it, and all readers must see the same.
func (f *File) read(root *os.Root, name string) (r Records, text []byte, was durable.Stamp, err error) {
	text, was, err = f.budget.ReadOwn(root, name, runsLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil, was, nil
	case errors.Is(err, durable.ErrNotRegular), errors.Is(err, durable.ErrTooLarge), errors.Is(err, durable.ErrEscapes):
		return r, nil, was, fmt.Errorf("%w: %w", ErrUnreadable, err)
	case err != nil:
		return r, nil, was, err
	}
	r, err = parse(text)
	return r, text, was, err
}

// Change calls do with the records, to be changed, unless they cannot be read; do keeps nothing of them. Those that were handed out stay
// as they were. Only the guard's holder calls it.
func (f *File) Change(do func(*Records)) {
	if _, err := f.known(); err != nil {
		return
	}
	if f.shared {
		f.records, f.shared = f.records.clone(), false
	}
	do(&f.records)
}

// Flush writes what was changed. A power cut may undo it, but also ends the runs that are open; how a run itself ended is on the disk when Flush
// returns. A later change that a power cut meets may still cost the file, where the system renames before it writes: it is history, and breadcrumbs
// have the progress. Of more than could be read again, what says the least is left out. Errors are those of durable.Writer.Replace;
// durable.ErrChanged if the file was changed without the guard, and durable.ErrTooLarge if it could not be read again. After an error nothing of
// what was changed is known.
func (f *File) Flush() error {
	if !f.isRead || f.err != nil || f.dir.Root == nil {
		return nil
	}
	text, err := f.records.encode()
	if len(text) > runsLimit { // else no run could start
		f.Change(func(r *Records) { r.shrink(runsLimit / 2) })
		text, err = f.records.encode()
	}
	if f.text == nil && len(f.records.Runs)+len(f.records.Marks) == 0 || err == nil && bytes.Equal(text, f.text) {
		return nil
	}
	if len(text) > runsLimit {
		err = &fs.PathError{Op: "write", Path: runsFile, Err: durable.ErrTooLarge}
	}
	if err == nil {
		w := f.dir.Writer
		w.Lazy = w.Lazy || !f.records.ended
		err = w.Replace(f.dir.Root, runsFile, [][]byte{text}, filePerm, f.was)
	}
	if err == nil {
		f.text, f.records.ended = text, false
		f.was, err = durable.StampOf(f.dir.Root, runsFile)
	}
	if err != nil {
		f.isRead, f.records, f.text = false, Records{}, nil
	}
	return durable.Below(f.dir.Path, err)
}

// PutAside moves a file that contains no records out of their place, so that it locks nobody out, and returns its new path, relative to
// the project and with slashes; "" if there is nothing of that kind. The guard's holder calls it.
func (f *File) PutAside() (aside string, err error) {
	if _, err := f.Records(); !errors.Is(err, ErrUnreadable) {
		return "", nil
	}
	aside = runsFile + oddMark + NewID()
	if err := f.dir.Root.Rename(runsFile, aside); err != nil {
		return "", durable.Below(f.dir.Path, durable.Failed("move", runsFile, f.dir.Root, err))
	}
	f.isRead = false
	return path.Join(f.dir.Path, aside), nil
}

// PutBack undoes [File.PutAside], which returned aside, unless there are records now.
func (f *File) PutBack(aside string) {
	if _, err := f.dir.Root.Lstat(runsFile); aside != "" && errors.Is(err, fs.ErrNotExist) {
		_ = f.dir.Root.Rename(path.Base(aside), runsFile) // then it stays where it is
		f.isRead = false
	}
}

// oddMark is in the names of what was put aside.
const oddMark = ".odd-"

// OddFiles is a pattern of the names of what was put aside.
const OddFiles = runsFile + oddMark + "*"

// SweepOdd removes from a session's directory, below root, what lay in the place of the records and was put aside. It returns how many
// there were, and how many directories stay because they are not empty. With dryRun it removes nothing.
func SweepOdd(root *os.Root, dir string, dryRun bool) (swept, left int) {
	names, _ := durable.Names(root, dir) // without names, none is found
	for _, name := range names {
		if !strings.HasPrefix(name, runsFile+oddMark) {
			continue
		}
		name = path.Join(dir, name)
		var inside []string
		if info, err := root.Lstat(name); err == nil && info.IsDir() {
			inside, _ = durable.Names(root, name)
		}
		if len(inside) > 0 || !dryRun && root.Remove(name) != nil {
			left++
			continue
		}
		swept++
	}
	return swept, left
}
