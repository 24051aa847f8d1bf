package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Keep stores the version was of the regular file name under a second name as
// in the same directory, durably, so that name can be replaced and the old
// content stays. It never overwrites: fs.ErrExist if as is taken.
//
// It makes a hard link, or a copy where there are none. Until name is replaced
// the two may be one file. The Stamp that is returned is the one to replace
// name by: a link moves the change time.
//
// Errors are those of [Writer.Replace] but for [ErrUnsynced], and fs.ErrNotExist
// if was says so: what cannot be made durable is taken back.
func (w Writer) Keep(root *os.Root, name, as string, was Stamp) (Stamp, error) {
	stamp, err := w.keep(root, name, as, was)
	return stamp, Failed("keep", name, root, err)
}

func (w Writer) keep(root *os.Root, name, as string, was Stamp) (Stamp, error) {
	if !isElement(as) {
		return Stamp{}, fs.ErrInvalid
	}
	p, err := openPlace(root, name)
	if err != nil {
		return Stamp{}, err
	}
	defer p.close()
	old, err := p.expect(was)
	if err == nil && old.IsZero() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return Stamp{}, err
	}

	err = w.try(StepLink, func() error { return p.dir.Link(p.base, as) })
	if errors.Is(err, fs.ErrExist) {
		return Stamp{}, err
	}
	if err != nil {
		// No hard links here (FAT, some network file systems), or not to a file
		// of somebody else's (Linux, fs.protected_hardlinks).
		err = w.copyAs(p, as, old)
	}
	if err != nil {
		return Stamp{}, err
	}
	is, err := stampAt(p.dir, p.base)
	if err == nil && !is.sameBytes(old) {
		err = ErrChanged // and as may hold either version
	}
	if err == nil {
		err = w.syncDir(p)
	}
	if err != nil {
		p.dir.Remove(as) // made a moment ago by us
		return Stamp{}, err
	}
	return is, nil
}

// copyAs writes the content of the place to the free name as.
func (w Writer) copyAs(p place, as string, old Stamp) error {
	from, opened, err := openRegular(p.dir, p.base)
	if err != nil {
		return err
	}
	defer from.Close()
	if !opened.Equal(old) {
		return ErrChanged
	}
	temp, err := w.writeTemp(p, old, 0, func(f *os.File) error {
		if err := w.at(StepWrite); err != nil {
			return err
		}
		_, err := io.Copy(f, from)
		return err
	})
	if err != nil {
		return err
	}
	if err := w.renameNew(p, temp, as); err != nil {
		p.dir.Remove(temp)
		return err
	}
	return nil
}
