package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Rename is [Writer.Rename] of the zero Writer.
func Rename(root *os.Root, name, as string) error { return Writer{}.Rename(root, name, as) }

// Rename gives the regular file name below root the name as in its directory,
// and syncs the directory. It never overwrites: fs.ErrExist if as is taken, by
// whatever. A crash leaves the old name, the new one, or both.
func (w Writer) Rename(root *os.Root, name, as string) error {
	return Failed("rename", name, root, w.renameAs(root, name, as))
}

func (w Writer) renameAs(root *os.Root, name, as string) error {
	p, _, err := openExisting(root, name, as, Any())
	if err != nil {
		return err
	}
	defer p.close()
	if err := w.renameNew(p, p.base, as); err != nil {
		return err
	}
	return w.syncDir(p)
}

// Keep is [Writer.Keep] of the zero Writer.
func Keep(root *os.Root, name, as string, was Stamp) (Stamp, error) {
	return Writer{}.Keep(root, name, as, was)
}

// Keep stores the version was of the regular file name under a second name as
// in the same directory, durably, so that name can be replaced and the old
// content stays. It never overwrites: fs.ErrExist if as is taken.
//
// It makes a hard link, or a copy where there are none. Until name is replaced
// the two may be one file. The Stamp that is returned is the one to replace
// name by: a link moves the change time.
func (w Writer) Keep(root *os.Root, name, as string, was Stamp) (Stamp, error) {
	stamp, err := w.keep(root, name, as, was)
	return stamp, Failed("keep", name, root, err)
}

func (w Writer) keep(root *os.Root, name, as string, was Stamp) (Stamp, error) {
	p, old, err := openExisting(root, name, as, was)
	if err != nil {
		return Stamp{}, err
	}
	defer p.close()

	err = w.try(StepLink, func() error { return p.dir.Link(p.base, as) })
	if errors.Is(err, fs.ErrExist) {
		return Stamp{}, err
	}
	if err != nil {
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

// openExisting opens the place of the regular file name, which is the version
// was, and checks that as can be a name beside it.
func openExisting(root *os.Root, name, as string, was Stamp) (place, Stamp, error) {
	if !isElement(as) {
		return place{}, Stamp{}, fs.ErrInvalid
	}
	p, err := openPlace(root, name)
	if err != nil {
		return place{}, Stamp{}, err
	}
	old, err := p.expect(was)
	if err == nil && old.IsZero() {
		err = fs.ErrNotExist
	}
	if err != nil {
		p.close()
		return place{}, Stamp{}, err
	}
	return p, old, nil
}
