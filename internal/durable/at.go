package durable

// at.go: files and directories of others, git's above all, by their paths of the system. Nothing is written there, so
// whatever links lead to them may be followed.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// OpenAt is [Open] for a path of the system, whatever links lead there: it is for files of others that nothing is
// written to. It also returns the file's size.
func OpenAt(path string) (*os.File, int64, error) {
	f, info, err := openLooking(
		func() (fs.FileInfo, error) { return os.Stat(path) },
		func() (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|openNonblock, 0) })
	if err != nil {
		return nil, 0, &fs.PathError{Op: "read", Path: path, Err: bare(err)}
	}
	return f, info.Size(), nil
}

// ReadAt reads a file that [OpenAt] opens, out of the budget. A file of more than limit bytes is [ErrTooLarge]; one that
// changes while it is read is not noticed.
func (b *Budget) ReadAt(path string, limit int64) ([]byte, error) {
	f, size, err := OpenAt(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	if size > limit {
		err = fmt.Errorf("%w: %d bytes, at most %d are read", ErrTooLarge, size, limit)
	} else {
		err = b.Take(size)
	}
	var data []byte
	if err == nil {
		data = make([]byte, size)
		var n int
		n, err = io.ReadFull(f, data)
		data = data[:n]
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil // it is shorter now
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: bare(err)}
	}
	return data, nil
}

// DirAt opens the directory at a path of the system for listing. It never blocks: what is no directory is refused, on
// Unix by the open.
func DirAt(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|openDirectory, 0)
}
