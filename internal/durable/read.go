package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// readAttempts is how often Read starts again on a file that changes under it. Writers of ours never cause that; an
// editor that writes in place does, for as long as one write takes.
const readAttempts = 3

// Read returns the content of the regular file name below root and the Stamp of the version it read.
//
// It follows a link that stays inside root. It never blocks and never writes. limit is in bytes; one allocation of
// the file's size is made, so the caller knows what a file may cost.
//
// Errors: fs.ErrNotExist, fs.ErrPermission, [ErrTooLarge], [ErrNotRegular],
// [ErrEscapes], [ErrChanged] (the file changes faster than it can be read).
func Read(root *os.Root, name string, limit int64) ([]byte, Stamp, error) {
	return (*Budget)(nil).Read(root, name, limit)
}

// Read is [Read] out of the budget: [ErrBudget], before anything is read, where fewer bytes are left than the file has.
func (b *Budget) Read(root *os.Root, name string, limit int64) ([]byte, Stamp, error) {
	return b.read(root, name, limit, true)
}

// Head is Read for the first most bytes of a file, or all of a shorter one: a longer file is no error, and costs no
// more than what is returned of it.
func (b *Budget) Head(root *os.Root, name string, most int64) ([]byte, Stamp, error) {
	return b.read(root, name, most, false)
}

// ReadAt is Read for a path of the system, whatever links lead there: it is for files of others that nothing is
// written to.
func (b *Budget) ReadAt(path string, limit int64) ([]byte, error) {
	data, _, err := b.read(nil, path, limit, true)
	return data, err
}

// read reads again, a few times, a file that changes while it is read. root is nil for a path of the system.
func (b *Budget) read(root *os.Root, name string, limit int64, whole bool) (data []byte, stamp Stamp, err error) {
	for range readAttempts {
		data, stamp, err = b.readOnce(root, name, limit, whole)
		if !errors.Is(err, ErrChanged) {
			break
		}
	}
	return data, stamp, Failed("read", name, root, err)
}

func (b *Budget) readOnce(root *os.Root, name string, limit int64, whole bool) ([]byte, Stamp, error) {
	f, before, err := open(root, name)
	if err != nil {
		return nil, Stamp{}, err
	}
	defer f.Close()

	size := before.Size()
	if size > limit && whole {
		return nil, Stamp{}, fmt.Errorf("%w: %d bytes, at most %d are read", ErrTooLarge, size, limit)
	}
	size = min(size, limit)
	if err := b.Take(size); err != nil {
		return nil, Stamp{}, err
	}
	// One byte more than there should be: a file that grew shows it, and one that did not is read in one call.
	data := make([]byte, size+1)
	n, err := io.ReadAtLeast(f, data, max(int(size), 1))
	switch {
	case errors.Is(err, io.EOF) && size == 0:
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, Stamp{}, ErrChanged // shorter than a moment ago
	case err != nil:
		return nil, Stamp{}, err
	case int64(n) > size && size == before.Size():
		return nil, Stamp{}, ErrChanged
	}
	after, err := f.Stat()
	if err != nil {
		return nil, Stamp{}, err
	}
	stamp := stampOf(before)
	if !stamp.Equal(stampOf(after)) {
		return nil, Stamp{}, ErrChanged
	}
	return data[:size:size], stamp, nil
}

// Open opens the regular file name below root for reading. Like [Read] it follows a link that stays inside root
// and never blocks; unlike it, it says nothing of a file that changes while it is read. It is for files that only
// grow, and for those that are too large to be held in memory.
//
// Errors: fs.ErrNotExist, fs.ErrPermission, [ErrNotRegular], [ErrEscapes].
func Open(root *os.Root, name string) (*os.File, error) {
	f, _, err := open(root, name)
	return f, Failed("read", name, root, err)
}

// OpenAt is [Open] for a path of the system, whatever links lead there. It also returns the file's size.
func OpenAt(path string) (*os.File, int64, error) {
	f, info, err := open(nil, path)
	if err != nil {
		return nil, 0, Failed("read", path, nil, err)
	}
	return f, info.Size(), nil
}

// open opens a regular file without ever blocking on one that is not, and says what it is. The look before keeps
// devices and FIFOs from being opened at all; the look after is for what was put there in between. root is nil for a
// path of the system.
func open(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	look, openFile := os.Stat, os.OpenFile
	if root != nil {
		look, openFile = root.Stat, root.OpenFile
	}
	info, err := look(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, notRegular(info)
	}
	var f *os.File
	err = patiently(func() error {
		f, err = openFile(name, os.O_RDONLY|openNonblock, 0)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
