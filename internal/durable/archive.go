package durable

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// archiveTime is the time stamp in an archive's name, in UTC.
	archiveTime = "20060102150405"
	// maxArchives is how many archives one second may have. More than a few mean an endless loop.
	maxArchives = 1000
)

// Archives is how the archives of one file are named: Stem, the time, a number from -2 on where one second has several,
// and Suffix.
type Archives struct{ Stem, Suffix string }

// Archive durably keeps the version was of the regular file name under the first free archive name for now, in the same
// directory, so that name can be replaced. It never overwrites. It returns the archive's name, and the Stamp to replace
// the file by.
//
// The archive is a hard link, or a copy where there are none. Until name is replaced, the two may be one file; a link
// moves the change time, hence the new Stamp. An archive that cannot be made durable is removed again.
//
// Errors are those of [Writer.Replace] except [ErrUnsynced], and fs.ErrNotExist if was is the zero Stamp.
func (w Writer) Archive(
	root *os.Root, name string, to Archives, was Stamp, now time.Time,
) (as string, kept Stamp, err error) {
	for n := 1; n <= maxArchives; n++ {
		as = archive{now.UTC().Format(archiveTime), n}.in(to)
		if kept, err = w.keep(root, name, as, was); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", Stamp{}, Failed("keep", name, root, err)
	}
	return as, kept, nil
}

// MoveToArchive durably gives the version was of the regular file name the first free archive name for now, in the same directory, so that
// there is no file name any more. It is one step: a crash leaves the one name or the other, and what another program has made of the
// file at the last moment is what is moved. It returns the archive's name.
//
// Errors are those of [Writer.Archive], and [ErrUnsynced] if the file has its new name, but may not keep it after a power cut.
func (w Writer) MoveToArchive(root *os.Root, name string, to Archives, was Stamp, now time.Time) (as string, err error) {
	p, err := w.openPlace(root, name)
	if err != nil {
		return "", Failed("archive", name, root, err)
	}
	defer p.close()
	if err = p.expect(was); err == nil && was.IsZero() {
		err = fs.ErrNotExist
	}
	for n := 1; err == nil; n++ { // the caller's lock keeps other archives from being written meanwhile
		as = archive{now.UTC().Format(archiveTime), n}.in(to)
		if _, err = p.dir.Lstat(as); err == nil && n == maxArchives {
			err = fs.ErrExist
		}
	}
	if isNotExist(err) && !was.IsZero() {
		err = w.tryPatiently(StepRename, func() error { return p.dir.Rename(p.base, as) })
	}
	if err != nil {
		return "", Failed("archive", name, root, err)
	}
	if err := w.syncDir(p); err != nil {
		return as, Failed("archive", name, root, fmt.Errorf("%w: %w", ErrUnsynced, bare(err)))
	}
	return as, nil
}

// WriteArchive durably writes a text under the first free archive name for now, and never overwrites. It returns the archive's name.
// Errors are those of [Writer.Replace].
func (w Writer) WriteArchive(root *os.Root, to Archives, text []byte, perm fs.FileMode, now time.Time) (as string, err error) {
	for n := 1; n <= maxArchives; n++ {
		as = archive{now.UTC().Format(archiveTime), n}.in(to)
		if err = w.Replace(root, as, [][]byte{text}, perm, Stamp{}); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return as, err
}

// keep is Archive under one name: fs.ErrExist if it is taken.
func (w Writer) keep(root *os.Root, name, as string, was Stamp) (Stamp, error) {
	p, err := w.openPlace(root, name)
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
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// No hard links here (FAT, some network file systems), or not to another user's file (Linux,
		// fs.protected_hardlinks).
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
		p.dir.Remove(as) // we just made it
		return Stamp{}, err
	}
	return is, nil
}

// copyAs writes the content of the place to the free name as.
func (w Writer) copyAs(p place, as string, old Stamp) error {
	from, opened, err := open(p.dir, p.base, false)
	if err != nil {
		return err
	}
	defer from.Close()
	if !stampOf(opened).Equal(old) {
		return ErrChanged
	}
	temp, err := w.writeTemp(p, old, 0, from)
	if err != nil {
		return err
	}
	if err = w.renameNew(p, temp, as); err != nil {
		p.dir.Remove(temp)
	}
	return err
}

// Unarchive removes the archive as if it is only a second name of the file name, and reports whether it did. A copy, or
// an archive whose original has been replaced since, may hold the last copy of its bytes: it stays.
func Unarchive(root *os.Root, name, as string) bool {
	current, err1 := root.Lstat(name)
	archive, err2 := root.Lstat(as)
	return err1 == nil && err2 == nil && os.SameFile(current, archive) && root.Remove(as) == nil
}

// List picks the archives out of the names of a directory, the oldest first.
func (to Archives) List(names []string) []string {
	var found []string
	for _, a := range to.parse(names) {
		found = append(found, a.in(to))
	}
	return found
}

// At returns the time in the name of an archive, the zero time for another name.
func (to Archives) At(name string) time.Time {
	all := to.parse([]string{name})
	if len(all) == 0 {
		return time.Time{}
	}
	at, _ := time.Parse(archiveTime, all[0].time) // parse checked it
	return at
}

// After returns now or, if an archive among the names claims to be later, a time whose archive sorts after it.
func (to Archives) After(names []string, now time.Time) time.Time {
	all := to.parse(names)
	if len(all) == 0 {
		return now
	}
	last := all[len(all)-1]
	then, err := time.Parse(archiveTime, last.time)
	if err != nil || then.Before(now) {
		return now
	}
	if last.n >= maxArchives { // that second is full
		then = then.Add(time.Second)
	}
	return then
}

// An archive is what distinguishes the archives of one file.
type archive struct {
	time string // formatted as archiveTime
	n    int    // 1 for the first of that second
}

func (a archive) in(to Archives) string {
	if a.n == 1 {
		return to.Stem + "." + a.time + to.Suffix
	}
	return fmt.Sprintf("%s.%s-%d%s", to.Stem, a.time, a.n, to.Suffix)
}

func (to Archives) parse(names []string) []archive {
	var all []archive
	for _, name := range names {
		rest := strings.TrimSuffix(strings.TrimPrefix(name, to.Stem+"."), to.Suffix)
		at, n, several := strings.Cut(rest, "-")
		a := archive{at, 1}
		if several {
			a.n, _ = strconv.Atoi(n)
		}
		_, err := time.Parse(archiveTime, at)
		// Only what Archive writes: no -007, no -1, no fraction of a second.
		if err == nil && len(at) == len(archiveTime) && a.n >= 1 && a.in(to) == name {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b archive) int {
		return cmp.Or(strings.Compare(a.time, b.time), cmp.Compare(a.n, b.n))
	})
	return all
}
