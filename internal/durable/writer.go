package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// A Step is one thing that a Writer does to the disk.
type Step string

// The steps, in the order in which Replace takes them. A file that is new is linked and unlinked where an old one is
// replaced by StepRename, because a rename overwrites and a link does not.
const (
	StepCreate  Step = "create"   // make the temporary, or open the file to append to
	StepWrite   Step = "write"    // one chunk
	StepMode    Step = "mode"     // owner and mode of the old file
	StepSync    Step = "sync"     // content to disk
	StepClose   Step = "close"    // a network file system reports here
	StepCheck   Step = "check"    // is it still the file that was read?
	StepRename  Step = "rename"   // the new file takes the name
	StepLink    Step = "link"     // a file gets a second name
	StepUnlink  Step = "unlink"   // and gives up the first
	StepRemove  Step = "remove"   // a file gives up its only name
	StepAppend  Step = "append"   // bytes are added to a file
	StepSyncDir Step = "sync dir" // names to disk
)

// A Writer changes files durably. The zero Writer is the one to use.
type Writer struct {
	// Before, where set, is called before each step; the step fails with the error it returns. It is there for tests,
	// which take a picture of the disk (what a crash would leave) or let a step fail.
	Before func(Step) error

	// Shared lets new files be read and written by all who may do so in their directory, whatever the umask.
	Shared bool
	// Lazy leaves it to the system when the bytes reach the disk: whoever looks still finds the old file or the new
	// one, but a power cut may leave neither. It is for what can be done without.
	Lazy bool
	// Differing keeps Replace from reading the old file first: the caller knows that it holds other bytes.
	Differing bool
}

// sync runs a step that brings something to disk.
func (w Writer) sync(s Step, do func() error) error {
	if w.Lazy {
		return nil
	}
	return w.try(s, do)
}

// try runs one step.
func (w Writer) try(s Step, do func() error) error {
	if w.Before != nil {
		if err := w.Before(s); err != nil {
			return err
		}
	}
	return do()
}

// tryPatiently runs one step that a virus scanner may hold up for a moment.
func (w Writer) tryPatiently(s Step, do func() error) error {
	return w.try(s, func() error { return patiently(do) })
}

// appeared returns the error for a file that is there and must not exist yet. It
// is made when it is met: as a variable it would cost every start of the program.
func appeared() error { return fmt.Errorf("%w: %w", ErrChanged, fs.ErrExist) }

// A place is where one file is or will be. Its directory is held open, so that the temporary, the rename and the sync
// all happen in the same one, even if a directory above is renamed meanwhile; and the handle for the last sync cannot
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

// expect returns ErrChanged if the version that is in place is not was, with fs.ErrExist where there should be none.
func (p place) expect(was Stamp) error {
	is, err := stampAt(p.dir, p.base)
	switch {
	case err != nil:
		return err
	case was.Equal(is):
		return nil
	case was.IsZero():
		return appeared()
	}
	return ErrChanged
}

// isElement reports whether s names something inside a directory.
func isElement(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, `/\`)
}

// renameNew moves from to the name to, which must be free: fs.ErrExist if it
// is not. A crash in between leaves both names, never none.
func (w Writer) renameNew(p place, from, to string) error {
	err := w.try(StepLink, func() error { return p.dir.Link(from, to) })
	switch {
	case err == nil:
		err = w.tryPatiently(StepUnlink, func() error { return p.dir.Remove(from) })
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
	return w.tryPatiently(StepRename, func() error { return p.dir.Rename(from, to) })
}

func (w Writer) syncDir(p place) error {
	return w.sync(StepSyncDir, func() error { return syncDir(p.self) })
}

const (
	// patience is for a virus scanner or indexer that holds a file open for a moment; the same bound as robustio in
	// rogpeppe/go-internal. Windows gives the same error where permission is missing for good: that answer is late.
	patience   = 2 * time.Second
	firstPause = time.Millisecond
	maxPause   = 64 * time.Millisecond
)

// patiently runs op until it succeeds, fails for good, or patience is over,
// and returns its last error. Where nothing is transient (Unix) it runs once.
func patiently(op func() error) error {
	return retry(op, transient, time.Now().Add(patience))
}

func retry(op func() error, again func(error) bool, until time.Time) error {
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		err := op()
		if err == nil || !again(err) || time.Now().Add(pause).After(until) {
			return err
		}
		time.Sleep(pause)
	}
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
