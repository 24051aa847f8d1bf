package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// readAttempts is how often Read starts again on a file that changes under it.
// Writers of ours never cause that; an editor that writes in place does, for
// as long as one write takes.
const readAttempts = 3

// Read returns the content of the regular file name below root and the Stamp
// of the version it read.
//
// It follows a link that stays inside root. It never blocks and never writes.
// limit is in bytes; one allocation of the file's size is made, so the
// caller knows what a file may cost.
//
// Errors: fs.ErrNotExist, fs.ErrPermission, [ErrTooLarge], [ErrNotRegular],
// [ErrEscapes], [ErrChanged] (the file changes faster than it can be read).
func Read(root *os.Root, name string, limit int64) ([]byte, Stamp, error) {
	return (*Budget)(nil).Read(root, name, limit)
}

// Read is [Read] out of the budget: [ErrBudget], before anything is read, where
// fewer bytes are left than the file has.
func (b *Budget) Read(root *os.Root, name string, limit int64) ([]byte, Stamp, error) {
	return b.readStable(root, name, limit, true)
}

// Head is Read for the first most bytes of a file, or all of a shorter one: a
// longer file is no error, and costs no more than what is returned of it.
func (b *Budget) Head(root *os.Root, name string, most int64) ([]byte, Stamp, error) {
	return b.readStable(root, name, most, false)
}

// readStable reads again, a few times, a file that changes while it is read.
func (b *Budget) readStable(root *os.Root, name string, limit int64, whole bool) ([]byte, Stamp, error) {
	var data []byte
	var stamp Stamp
	var err error
	for range readAttempts {
		data, stamp, err = b.read(root, name, limit, whole)
		if !errors.Is(err, ErrChanged) {
			break
		}
	}
	if err != nil {
		return nil, Stamp{}, Failed("read", name, root, err)
	}
	return data, stamp, nil
}

func (b *Budget) read(root *os.Root, name string, limit int64, whole bool) ([]byte, Stamp, error) {
	f, before, err := openRegular(root, name)
	if err != nil {
		return nil, Stamp{}, err
	}
	defer f.Close()

	size := before.info.Size()
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
	case int64(n) > size && size == before.info.Size():
		return nil, Stamp{}, ErrChanged
	}
	info, err := f.Stat()
	if err != nil {
		return nil, Stamp{}, err
	}
	if after := stampOf(info); !after.Equal(before) {
		return nil, Stamp{}, ErrChanged
	}
	return data[:size:size], before, nil
}

// openRegular opens a regular file below root for reading.
func openRegular(root *os.Root, name string) (*os.File, Stamp, error) {
	f, info, err := openLooking(
		func() (fs.FileInfo, error) { return root.Stat(name) },
		func() (f *os.File, err error) {
			err = patiently(func() error {
				f, err = root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
				return err
			})
			return f, err
		})
	if err != nil {
		return nil, Stamp{}, err
	}
	return f, stampOf(info), nil
}

// openLooking opens a regular file without ever blocking on one that is not. The look before keeps devices and FIFOs
// from being opened at all; the look after is for what was put there in between.
func openLooking(look func() (fs.FileInfo, error), open func() (*os.File, error)) (*os.File, fs.FileInfo, error) {
	info, err := look()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, notRegular(info)
	}
	f, err := open()
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

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
