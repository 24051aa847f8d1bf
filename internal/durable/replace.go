package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Replace makes chunks, one after another, the content of the regular file name below root. Its directory exists.
//
// was is the version that the new content was made from: the Stamp of [Read], the zero Stamp for a file that must not
// exist yet. The check is made before anything is written and again right before the rename. If the file holds these
// bytes already, nothing is written.
//
// An old file's permission bits are kept, its owner and group as far as the
// system allows; a new file gets perm, less the umask.
//
// Errors: [ErrChanged] (with fs.ErrExist where something is there that must not be), [ErrNotRegular], [ErrEscapes],
// fs.ErrPermission and the errnos of the system (ENOSPC, EROFS, …). After an error the old file is there unchanged
// and the temporary is gone, with one exception: after [ErrUnsynced] the new file is in place. It wraps the errno
// too, so a caller asks for it first. Writing the same bytes again does not mend that: they are there already.
func (w Writer) Replace(root *os.Root, name string, chunks [][]byte, perm fs.FileMode, was Stamp) error {
	return Failed("write", name, root, w.replace(root, name, chunks, perm, was))
}

func (w Writer) replace(root *os.Root, name string, chunks [][]byte, perm fs.FileMode, was Stamp) error {
	p, err := openPlace(root, name)
	if err != nil {
		return err
	}
	defer p.close()

	if err := p.expect(was); err != nil {
		return err
	}
	if !w.Differing {
		if same, err := holds(p.dir, p.base, chunks, was); same || err != nil {
			return err
		}
	}
	temp, err := w.writeTemp(p, was, perm, func(f *os.File) error {
		for _, chunk := range chunks {
			err := w.try(StepWrite, func() error {
				_, err := f.Write(chunk)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := w.install(p, temp, was); err != nil {
		p.dir.Remove(temp)
		return err
	}
	if err := w.syncDir(p); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsynced, bare(err))
	}
	return nil
}

// install gives temp the name of the place, if that is still was.
func (w Writer) install(p place, temp string, was Stamp) error {
	err := w.try(StepCheck, func() error { return p.expect(was) })
	if err != nil {
		return err
	}
	if !was.IsZero() {
		return w.tryPatiently(StepRename, func() error { return p.dir.Rename(temp, p.base) })
	}
	err = w.renameNew(p, temp, p.base)
	if errors.Is(err, fs.ErrExist) {
		return appeared()
	}
	return err
}

// writeTemp makes a synced and closed temporary beside the place, with what fill writes and the owner and mode of
// old, and returns its name. On failure nothing is left.
func (w Writer) writeTemp(p place, old Stamp, perm fs.FileMode, fill func(*os.File) error) (name string, err error) {
	if old.info != nil {
		// Nobody else reads it before it has the mode of the old file.
		perm = 0o600
	}
	var f *os.File
	err = w.try(StepCreate, func() error {
		f, name, err = createTemp(p.dir, p.base, perm)
		return err
	})
	if err != nil {
		return "", err
	}
	err = fill(f)
	if err == nil {
		err = w.own(f, p, old)
	}
	if err == nil {
		err = w.sync(StepSync, f.Sync)
	}
	// Closed before it is removed, which Windows insists on.
	if closed := w.try(StepClose, f.Close); err == nil {
		err = closed
	}
	if err != nil {
		f.Close() // again, in case StepClose was refused
		p.dir.Remove(name)
		return "", err
	}
	return name, nil
}

// own gives f the owner and mode of the old file, or a new file to all who share its directory, if that is asked for.
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

// holds reports whether the file name is the version is and its content is exactly chunks, one after another. It reads
// no further than the first difference. A missing file holds nothing, not even no bytes.
func holds(root *os.Root, name string, chunks [][]byte, is Stamp) (bool, error) {
	var size int64
	for _, chunk := range chunks {
		size += int64(len(chunk))
	}
	if is.info == nil || is.info.Size() != size {
		return false, nil
	}
	f, opened, err := open(root, name)
	if errors.Is(err, fs.ErrPermission) {
		return false, nil // may be replaced, though not read
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	if !stampOf(opened).Equal(is) {
		return false, ErrChanged
	}
	buf := make([]byte, 64<<10)
	for _, chunk := range chunks {
		for len(chunk) > 0 {
			part := buf[:min(len(buf), len(chunk))]
			if _, err := io.ReadFull(f, part); err != nil || !bytes.Equal(part, chunk[:len(part)]) {
				// A read that fails is no reason not to write.
				return false, nil
			}
			chunk = chunk[len(part):]
		}
	}
	return true, nil
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
	err = w.tryPatiently(StepRemove, func() error { return p.dir.Remove(p.base) })
	if isNotExist(err) {
		err = nil // somebody else was faster
	}
	if err == nil {
		err = w.syncDir(p)
	}
	return err
}
