package durable

import "os"

// Look returns the version of the regular file name below root, the zero Stamp where there is none. It follows
// no link: [ErrNotRegular].
func Look(root *os.Root, name string) (Stamp, error) {
	s, err := stampAt(root, name)
	return s, Failed("look up", name, root, err)
}

// Remove takes the file name below root away, durably: a link and not what it leads to, a directory only if it
// is empty. One that is not there is fine.
func (w Writer) Remove(root *os.Root, name string) error {
	return Failed("remove", name, root, w.remove(root, name))
}

func (w Writer) remove(root *os.Root, name string) error {
	p, err := openPlace(root, name)
	if isNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer p.close()
	if _, err := p.dir.Lstat(p.base); isNotExist(err) {
		return nil
	}
	err = w.try(StepRemove, func() error {
		return patiently(func() error { return p.dir.Remove(p.base) })
	})
	if isNotExist(err) {
		err = nil // somebody else was faster
	}
	if err == nil {
		err = w.syncDir(p)
	}
	return err
}
