package durable

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// AppendLine adds line, which holds no newline, and a newline to the regular file name below root, in one write
// at the file's end. Where the last line was torn by a crash it is closed with a newline first, so that it
// spoils no other. A missing file is made with perm, less the umask.
//
// Errors are those of [Writer.Replace] but for [ErrUnsynced], [ErrLinked], and fs.ErrInvalid for a line that is two.
// After one of the others the file may hold the line or a part of it, which the next call closes; a file that was to
// be made may be there, empty.
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
	err = w.appendTo(f, p, line)
	if closed := w.try(StepClose, f.Close); err == nil {
		err = closed
	}
	f.Close() // again, in case StepClose was refused
	return err
}

// openAppend opens the file in place for reading and for writing at its end, or makes it. (On Windows too,
// O_APPEND takes only the right to write elsewhere away, and O_RDWR leaves that to read.)
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
	case err != nil:
		return nil, err
	}
	if was.IsZero() {
		Inherit(f, p.dir)
	}
	// The open of an old file follows a link: what was opened has to be what has the name, and no link.
	err = w.try(StepCheck, func() error {
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
	})
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (w Writer) appendTo(f *os.File, p place, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size == 0 {
		// New, or made by a call that came no further. Its name first: once there are bytes in it, nobody asks any
		// more whether the name was synced.
		if err := w.syncDir(p); err != nil {
			return err
		}
	}
	text := append(slices.Clone(line), '\n')
	if size > 0 {
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
