package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"time"
)

// ErrBudget means that one command has read as many bytes as it may.
var ErrBudget = errors.New("too much to read for one command")

// A Budget is how many bytes one command may still read, from whichever files. Limits on single files do not bound a
// command: a repository of a few kilobytes can hold a thousand files of many megabytes each. The nil Budget is
// unlimited. A Budget is not safe for concurrent use.
type Budget struct{ left int64 }

// NewBudget returns a budget of n bytes.
func NewBudget(n int64) *Budget { return &Budget{left: n} }

// Spend spends n bytes before they are read. It returns [ErrBudget], and spends nothing, if fewer are left.
func (b *Budget) Spend(n int64) error {
	switch {
	case b == nil:
		return nil
	case n > b.left:
		return ErrBudget
	}
	b.left -= n
	return nil
}

// Left returns how many bytes may still be read.
func (b *Budget) Left() int64 {
	if b == nil {
		return math.MaxInt64
	}
	return b.left
}

// readAttempts is how often Read tries a file that changes while it is read. Our own writers cause that if they replace it after it was
// looked at and before it is opened, and an editor that writes in place does, for as long as one write takes.
const readAttempts = 8

// Read returns the content of the regular file name below root and the Stamp of the version it read.
//
// It follows a link that stays inside root. It never blocks and never writes. limit is in bytes; Read allocates the
// file's size at once, so the caller decides what a file may cost.
//
// Errors: fs.ErrNotExist, fs.ErrPermission, [ErrTooLarge], [ErrNotRegular], [ErrEscapes], [ErrChanged] (the file
// changes faster than it can be read), [ErrInUse].
func Read(root *os.Root, name string, limit int64) ([]byte, Stamp, error) {
	return (*Budget)(nil).Read(root, name, limit)
}

// Read is [Read] within the budget: [ErrBudget], before anything is read, if fewer bytes are left than the file has.
func (b *Budget) Read(root *os.Root, name string, limit int64) ([]byte, Stamp, error) {
	return b.read(root, name, limit, request{whole: true})
}

// ReadOwn is Read for a file that has one name: a link is refused with [ErrNotRegular], wherever it leads.
func (b *Budget) ReadOwn(root *os.Root, name string, limit int64) ([]byte, Stamp, error) {
	return b.read(root, name, limit, request{whole: true, own: true})
}

// A request is what is read of a file.
type request struct {
	whole bool // all of it, or nothing
	own   bool // through no link
}

// Head is Read for at most the first n bytes of a file, whatever its size. It costs no more than what it returns.
func (b *Budget) Head(root *os.Root, name string, n int64) ([]byte, Stamp, error) {
	return b.read(root, name, n, request{})
}

// ReadAt is Read for a path of the system, through any links. It is for other programs' files, which are never written.
func (b *Budget) ReadAt(path string, limit int64) ([]byte, error) {
	data, _, err := b.read(nil, path, limit, request{whole: true})
	return data, err
}

// read retries a few times if the file changes while it is read. root is nil for a path of the system.
func (b *Budget) read(root *os.Root, name string, limit int64, what request) (data []byte, stamp Stamp, err error) {
	for range readAttempts {
		data, stamp, err = b.readOnce(root, name, limit, what)
		if !errors.Is(err, ErrChanged) {
			break
		}
	}
	return data, stamp, Failed("read", name, root, err)
}

func (b *Budget) readOnce(root *os.Root, name string, limit int64, what request) ([]byte, Stamp, error) {
	before, err := look(root, name, what.own)
	if err != nil {
		return nil, Stamp{}, err
	}
	f, err := openFile(root, name)
	if err != nil {
		return nil, Stamp{}, err
	}
	defer f.Close()

	size := before.Size()
	if size > limit && what.whole {
		return nil, Stamp{}, fmt.Errorf("%w: %d bytes, at most %d are read", ErrTooLarge, size, limit)
	}
	size = min(size, limit)
	if err := b.Spend(size); err != nil {
		return nil, Stamp{}, err
	}
	// One byte more than expected: it shows that a file grew, and one that did not is read in a single call. A file
	// without bytes is not read at all: some of the kernel, such as /proc/kmsg, have bytes nevertheless, and wait for more.
	data, n := make([]byte, size+1), 0
	if size > 0 {
		_ = f.SetReadDeadline(time.Unix(1, 0)) // for a FIFO that was put there since; a regular file has none
		n, err = io.ReadAtLeast(f, data, int(size))
	}
	after, statErr := f.Stat()
	if statErr != nil {
		return nil, Stamp{}, statErr
	}
	stamp := stampOf(after)
	switch {
	case !stamp.Equal(stampOf(before)), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), int64(n) > size && size == before.Size():
		return nil, Stamp{}, ErrChanged
	case err != nil:
		return nil, Stamp{}, err
	}
	return data[:size:size], stamp, nil
}

// OpenAt opens the regular file at a path of the system for reading, through any links, and describes it. Like [Read]
// it never blocks; unlike Read it does not notice that a file changes while it is read. It is for files too large to hold
// in memory.
//
// Errors: fs.ErrNotExist, fs.ErrPermission, [ErrNotRegular], [ErrInUse].
func OpenAt(path string) (*os.File, fs.FileInfo, error) {
	f, info, err := open(nil, path, false)
	return f, info, Failed("read", path, nil, err)
}

// open opens a regular file without ever blocking on anything else. The check before keeps devices and FIFOs from being
// opened at all; the check after catches one that was put there in between. root is nil for a path of the system.
// A link to a file is refused if own is set.
func open(root *os.Root, name string, own bool) (f *os.File, info fs.FileInfo, err error) {
	if _, err = look(root, name, own); err != nil {
		return nil, nil, err
	}
	if f, err = openFile(root, name); err != nil {
		return nil, nil, err
	}
	info, err = f.Stat()
	if err == nil {
		err = CheckRegular(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// look describes a regular file, see [open].
func look(root *os.Root, name string, own bool) (info fs.FileInfo, err error) {
	stat := os.Stat
	if root != nil {
		stat = root.Stat
		if own {
			stat = root.Lstat
		}
	}
	err = patiently(func() error { // os.Root opens it for that
		info, err = stat(name)
		return err
	})
	if err == nil {
		err = CheckRegular(info)
	}
	return info, err
}

// openFile opens what [look] has found, without waiting for the other end of a FIFO.
func openFile(root *os.Root, name string) (f *os.File, err error) {
	open := os.OpenFile
	if root != nil {
		open = root.OpenFile
	}
	err = patiently(func() error {
		f, err = open(name, os.O_RDONLY|openNonblock, 0)
		return err
	})
	return f, err
}
