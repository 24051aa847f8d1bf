package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Replace makes chunks, concatenated, the content of the regular file name below root. Its directory must exist.
//
// was is the version that the new content was made from: the Stamp of [Read], or the zero Stamp for a file that must
// not exist yet. It is checked before anything is written and again right before the rename.
//
// An old file's permission bits are kept, its owner and group as far as the system allows. A new file gets perm, less
// the umask.
//
// Errors: [ErrChanged] (with fs.ErrExist where something exists that must not), [ErrNotRegular], [ErrEscapes], [ErrInUse],
// fs.ErrPermission and the errnos of the system (ENOSPC, EROFS, …). After an error the old file is unchanged and the
// temporary is gone, with one exception: after [ErrUnsynced] the new file is in place. ErrUnsynced wraps the errno too,
// so check for it first.
func (w Writer) Replace(root *os.Root, name string, chunks [][]byte, perm fs.FileMode, was Stamp) error {
	return Failed("write", name, root, w.replace(root, name, chunks, perm, was))
}

func (w Writer) replace(root *os.Root, name string, chunks [][]byte, perm fs.FileMode, was Stamp) error {
	p, err := w.openPlace(root, name)
	if err != nil {
		return err
	}
	defer p.close()

	if err := p.expect(was); err != nil {
		return err
	}
	var text []io.Reader
	for _, c := range chunks {
		text = append(text, bytes.NewReader(c))
	}
	temp, err := w.writeTemp(p, was, perm, io.MultiReader(text...))
	if err != nil {
		return err
	}
	err = w.try(StepCheck, func() error { return p.expect(was) })
	switch {
	case err != nil:
	case was.IsZero():
		if err = w.renameNew(p, temp, p.base); errors.Is(err, fs.ErrExist) {
			err = appeared()
		}
	default:
		err = w.tryPatiently(StepRename, func() error { return p.dir.Rename(temp, p.base) })
	}
	if err != nil {
		p.dir.Remove(temp)
		return err
	}
	if err := w.syncDir(p); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsynced, bare(err))
	}
	return nil
}

// writeTemp makes a synced and closed temporary beside the place, with the content of from and the owner and mode of
// old, and returns its name. On failure nothing is left.
func (w Writer) writeTemp(p place, old Stamp, perm fs.FileMode, from io.Reader) (name string, err error) {
	if old.info != nil {
		perm = 0o600 // nobody else may read it before it has the mode of the old file
	}
	var f *os.File
	err = w.try(StepCreate, func() error {
		f, name, err = createTemp(p.dir, p.base, perm)
		return err
	})
	if err != nil {
		return "", err
	}
	err = w.try(StepWrite, func() error {
		_, err := io.Copy(f, from)
		return err
	})
	if err == nil {
		err = w.own(f, p, old)
	}
	if err == nil {
		err = w.sync(StepSync, f.Sync)
	}
	if closed := w.try(StepClose, f.Close); err == nil { // before it is removed: Windows insists
		err = closed
	}
	if err != nil {
		f.Close() // again, in case StepClose was refused
		p.dir.Remove(name)
		return "", err
	}
	return name, nil
}

// own gives f the owner and mode of the old file. A new file goes to the owner of its directory or, if w.Shared is set,
// to everyone who shares it.
func (w Writer) own(f *os.File, p place, old Stamp) error {
	if old.info != nil {
		return w.try(StepMode, func() error {
			perm, err := keepOwner(f, old.info)
			if err != nil {
				return err
			}
			return f.Chmod(perm)
		})
	}
	Inherit(f, p.dir)
	if !w.Shared {
		return nil
	}
	dir, err := p.dir.Stat(".")
	if err != nil {
		return err
	}
	return f.Chmod(dir.Mode().Perm() & 0o666)
}

// Remove durably removes the file name below root: a link, not its target; a directory only if it is empty. A missing
// file is not an error.
func (w Writer) Remove(root *os.Root, name string) error {
	return Failed("remove", name, root, w.remove(root, name))
}

func (w Writer) remove(root *os.Root, name string) error {
	p, err := w.openPlace(root, name)
	if err == nil {
		defer p.close()
		_, err = lstat(p.dir, p.base)
	}
	if isNotExist(err) {
		return nil
	}
	if err == nil {
		err = w.tryPatiently(StepRemove, func() error { return p.dir.Remove(p.base) })
	}
	if err == nil || isNotExist(err) { // another process may have been faster
		err = w.syncDir(p)
	}
	return err
}
