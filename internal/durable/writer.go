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

// A Step is one change that a Writer makes to the disk.
type Step string

// The steps, in the order in which Replace takes them. A new file is linked and unlinked where an old one is replaced
// by StepRename, because a rename overwrites and a link does not.
const (
	StepCreate  Step = "create"   // make the temporary
	StepWrite   Step = "write"    // the content
	StepMode    Step = "mode"     // restore the owner and mode of the old file
	StepSync    Step = "sync"     // flush the content to disk
	StepClose   Step = "close"    // network file systems report errors here
	StepCheck   Step = "check"    // check that the old file is still the one that was read
	StepRename  Step = "rename"   // give the new file the name
	StepLink    Step = "link"     // give a file a second name
	StepUnlink  Step = "unlink"   // remove its first name
	StepRemove  Step = "remove"   // remove a file
	StepSyncDir Step = "sync dir" // flush the names to disk
)

// A Writer changes files durably. The zero Writer is the one to use.
type Writer struct {
	// Before, if set, is called before each step, which fails with the error it returns. Tests use it to capture what a
	// crash would leave, or to make a step fail.
	Before func(Step) error

	// Shared gives new files to everyone who may read or write their directory, whatever the umask.
	Shared bool
	// Lazy skips the syncs: a reader still finds the old file or the new one, but a power cut may leave neither. It is
	// for expendable files.
	Lazy bool
}

// sync is try for a step that flushes something to disk.
func (w Writer) sync(s Step, do func() error) error {
	if w.Lazy {
		return nil
	}
	return w.try(s, do)
}

func (w Writer) try(s Step, do func() error) error {
	if w.Before != nil {
		if err := w.Before(s); err != nil {
			return err
		}
	}
	return do()
}

// tryPatiently is try for a step that a virus scanner may hold up for a moment.
func (w Writer) tryPatiently(s Step, do func() error) error {
	return w.try(s, func() error { return patiently(do) })
}

// appeared returns the error for a file that exists and must not. As a variable it would cost time at every start.
func appeared() error { return fmt.Errorf("%w: %w", ErrChanged, fs.ErrExist) }

// A place is where one file is or will be. Its directory is held open, so that the temporary, the rename and the sync
// happen in the same one even if a directory above is renamed meanwhile, and so that the last sync cannot fail for want
// of a handle.
type place struct {
	dir    *os.Root
	opened bool     // dir, which else is the caller's
	self   *os.File // dir again, to be synced; nil for a lazy writer
	base   string
}

func (w Writer) openPlace(root *os.Root, name string) (p place, err error) {
	base := path.Base(name)
	if base == "." || base == ".." || strings.ContainsAny(base, `/\`) || strings.HasSuffix(name, "/") {
		return place{}, fs.ErrInvalid
	}
	p = place{dir: root, base: base}
	if above := path.Dir(name); above != "." {
		p.dir, err = OpenRoot(root, above)
		p.opened = err == nil
	}
	if err == nil && !w.Lazy {
		p.self, err = p.open()
	}
	if err != nil {
		p.close()
		return place{}, err
	}
	return p, nil
}

// open opens the directory itself.
func (p place) open() (*os.File, error) { return p.dir.OpenFile(".", os.O_RDONLY|openDirectory, 0) }

func (p place) close() {
	if p.self != nil {
		p.self.Close()
	}
	if p.opened {
		p.dir.Close()
	}
}

// expect returns ErrChanged if the version in place is not was, with fs.ErrExist if there should be none, and another error
// if it may not be replaced.
func (p place) expect(was Stamp) error {
	is, err := stampAt(p.dir, p.base)
	switch {
	case err != nil:
		return err
	case was.Equal(is) && was.IsZero():
		return nil
	case was.Equal(is):
		return patiently(p.replaceable)
	case was.IsZero():
		return appeared()
	}
	return ErrChanged
}

// renameNew renames from to to, which must be free: fs.ErrExist if it is not. A crash in between leaves both names,
// never none.
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
	// No hard links here (FAT, some network file systems). Check, then rename: the caller's lock keeps our own writers
	// out of the gap.
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
	// patience is for a virus scanner or indexer that holds a file open for a moment. It is that of robustio in
	// rogpeppe/go-internal. Windows gives the same error if permission is missing for good, which is then reported late.
	patience   = 2 * time.Second
	firstPause = time.Millisecond
	maxPause   = 64 * time.Millisecond
)

// patiently runs op until it succeeds, fails for good, or patience runs out, and returns its last error. On Unix, where
// no error is transient, it runs once.
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

// lstat is dir.Lstat, which on Windows opens the file for reading.
func lstat(dir *os.Root, name string) (info fs.FileInfo, err error) {
	err = patiently(func() error {
		info, err = dir.Lstat(name)
		return err
	})
	return info, err
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
