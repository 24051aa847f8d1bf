package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// keep stores the version was of the regular file name under a second name as in the same directory, durably, so that
// name can be replaced and the old content stays. It never overwrites: fs.ErrExist if as is taken.
//
// It makes a hard link, or a copy where there are none. Until name is replaced the two may be one file. The Stamp that
// is returned is the one to replace name by: a link moves the change time. What cannot be made durable is taken back.
func (w Writer) keep(root *os.Root, name, as string, was Stamp) (Stamp, error) {
	if !isElement(as) {
		return Stamp{}, fs.ErrInvalid
	}
	p, err := openPlace(root, name)
	if err != nil {
		return Stamp{}, err
	}
	defer p.close()
	err = p.expect(was)
	if err == nil && was.IsZero() {
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
		err = w.copyAs(p, as, was)
	}
	if err != nil {
		return Stamp{}, err
	}
	is, err := stampAt(p.dir, p.base)
	if err == nil && !is.sameBytes(was) {
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
	from, opened, err := open(p.dir, p.base)
	if err != nil {
		return err
	}
	defer from.Close()
	if !stampOf(opened).Equal(old) {
		return ErrChanged
	}
	temp, err := w.writeTemp(p, old, 0, func(f *os.File) error {
		return w.try(StepWrite, func() error {
			_, err := io.Copy(f, from)
			return err
		})
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
