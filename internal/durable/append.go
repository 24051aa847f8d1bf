package durable

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// AppendLine adds line, which contains no newline, and a newline to the end of the regular file name below root, in one
// write. If a crash left an incomplete last line, that is ended with a newline first. A missing file is made with perm,
// less the umask.
//
// Errors are those of [Writer.Replace] except [ErrUnsynced], plus [ErrLinked], and fs.ErrInvalid for a line with a
// newline. After any other error the file may contain the line or a part of it, which the next call ends. A file that
// was to be made may exist, empty.
func (w Writer) AppendLine(root *os.Root, name string, line []byte, perm fs.FileMode) error {
	return Failed("append to", name, root, w.appendLine(root, name, line, perm))
}

func (w Writer) appendLine(root *os.Root, name string, line []byte, perm fs.FileMode) error {
	if bytes.IndexByte(line, '\n') >= 0 {
		return fs.ErrInvalid
	}
	p, err := openPlace(root, name)
	if err != nil {
		return err
	}
	defer p.close()
	f, err := w.openAppend(p, perm)
	if err != nil {
		return err
	}
	// What was opened must be the file of that name, and not one that a link leads to.
	err = w.try(StepCheck, func() error { return p.checkAppend(f) })
	if err == nil {
		err = w.appendTo(f, p, line)
		if closed := w.try(StepClose, f.Close); err == nil {
			err = closed
		}
	}
	f.Close() // in case that StepClose was refused, or never reached
	return err
}

// openAppend opens the file in place for reading and for appending, or makes it. (On Windows too, O_APPEND removes only
// the right to write elsewhere, and O_RDWR keeps the right to read.)
func (w Writer) openAppend(p place, perm fs.FileMode) (f *os.File, err error) {
	was, err := stampAt(p.dir, p.base)
	if err != nil {
		return nil, err
	}
	flags := os.O_RDWR | os.O_APPEND | openNonblock
	if was.IsZero() {
		flags |= os.O_CREATE | os.O_EXCL // never through a link that was put there meanwhile
	}
	err = w.tryPatiently(StepCreate, func() error {
		f, err = p.dir.OpenFile(p.base, flags, perm.Perm())
		return err
	})
	switch {
	case was.IsZero() && errors.Is(err, fs.ErrExist):
		return nil, appeared()
	case !was.IsZero() && isNotExist(err):
		return nil, ErrChanged
	case err == nil && was.IsZero():
		Inherit(f, p.dir)
	}
	return f, err
}

func (p place) checkAppend(f *os.File) error {
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	is, err := stampAt(p.dir, p.base)
	switch {
	case err != nil:
		return err
	case is.IsZero() || !os.SameFile(opened, is.info):
		return ErrChanged
	case Linked(opened):
		return ErrLinked
	}
	return nil
}

func (w Writer) appendTo(f *os.File, p place, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	text := append(slices.Clone(line), '\n')
	if size == 0 {
		// A new file, or one left by a call that crashed here. Its name is synced first: once there are bytes in it, no
		// later call would.
		if err := w.syncDir(p); err != nil {
			return err
		}
	} else {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if last[0] != '\n' {
			text = slices.Insert(text, 0, '\n')
		}
	}
	err = w.try(StepAppend, func() error {
		_, err := f.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return w.sync(StepSync, f.Sync)
}
