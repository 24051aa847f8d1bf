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
// limit is in bytes; one allocation of exactly the file's size is made, so the
// caller knows what a file may cost.
//
// Errors: fs.ErrNotExist, fs.ErrPermission, [ErrTooLarge], [ErrNotRegular],
// [ErrEscapes], [ErrChanged] (the file changes faster than it can be read).
func Read(root *os.Root, name string, limit int64) ([]byte, Stamp, error) {
	var data []byte
	var stamp Stamp
	var err error
	for range readAttempts {
		data, stamp, err = read(root, name, limit)
		if !errors.Is(err, ErrChanged) {
			break
		}
	}
	if err != nil {
		return nil, Stamp{}, Failed("read", name, root, err)
	}
	return data, stamp, nil
}

func read(root *os.Root, name string, limit int64) ([]byte, Stamp, error) {
	f, before, err := openRegular(root, name)
	if err != nil {
		return nil, Stamp{}, err
	}
	defer f.Close()

	size := before.info.Size()
	if size > limit {
		return nil, Stamp{}, fmt.Errorf("%w: %d bytes, at most %d are read", ErrTooLarge, size, limit)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = ErrChanged // shorter than a moment ago
		}
		return nil, Stamp{}, err
	}
	// A file that grew, or whose bytes changed while they were read.
	if n, err := f.Read(make([]byte, 1)); n > 0 {
		return nil, Stamp{}, ErrChanged
	} else if err != nil && err != io.EOF {
		return nil, Stamp{}, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, Stamp{}, err
	}
	if after := stampOf(info); !after.Equal(before) {
		return nil, Stamp{}, ErrChanged
	}
	return data, before, nil
}

// openRegular opens a regular file for reading, without ever blocking on one
// that is not. The look before keeps devices and FIFOs from being opened at
// all; the look after is for what was put there in between.
func openRegular(root *os.Root, name string) (*os.File, Stamp, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, Stamp{}, err
	}
	if !info.Mode().IsRegular() {
		return nil, Stamp{}, notRegular(info)
	}
	var f *os.File
	err = patiently(func() error {
		f, err = root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
		return err
	})
	if err != nil {
		return nil, Stamp{}, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(info)
	}
	if err != nil {
		f.Close()
		return nil, Stamp{}, err
	}
	return f, stampOf(info), nil
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
