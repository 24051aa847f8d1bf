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

// archiveTime is the time stamp in an archive's name, in UTC.
const archiveTime = "20060102150405"

// maxArchives is how many archives of one second get a name. More than a few mean that something runs in circles.
const maxArchives = 1000

// Archives is how the archives of one file are named: Stem, the time, -2, -3 and so on where a second has several, and Suffix.
type Archives struct{ Stem, Suffix string }

// Archive keeps the version was of the file name under the first free archive name for now, in the same directory. It
// returns that name, and the Stamp to replace the file by. Errors are those of [Writer.Replace] but for [ErrUnsynced], and
// fs.ErrNotExist if was says so.
func (w Writer) Archive(root *os.Root, name string, to Archives, was Stamp, now time.Time) (as string, kept Stamp, err error) {
	for n := 1; n <= maxArchives; n++ {
		as := archive{now.UTC().Format(archiveTime), n}.in(to)
		kept, err := w.keep(root, name, as, was)
		if err == nil {
			return as, kept, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", Stamp{}, Failed("keep", name, root, err)
		}
	}
	return "", Stamp{}, &fs.PathError{Op: "archive", Path: name, Err: fs.ErrExist}
}

// Unarchive removes the archive as if it is only a second name of the file name, and reports whether it did. One that is a
// copy, or whose original was replaced by somebody else in the meantime, may be the last of its bytes: it stays.
func Unarchive(root *os.Root, name, as string) bool {
	current, err1 := root.Lstat(name)
	archive, err2 := root.Lstat(as)
	if err1 != nil || err2 != nil || !os.SameFile(current, archive) {
		return false
	}
	return root.Remove(as) == nil
}

// List picks the archives out of the names of a directory, the oldest first.
func (to Archives) List(names []string) []string {
	var found []string
	for _, a := range to.parse(names) {
		found = append(found, a.in(to))
	}
	return found
}

// After returns now or, where the names hold an archive that says it is later, a time whose archive sorts behind it.
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
	if last.n >= maxArchives {
		then = then.Add(time.Second) // that one is full
	}
	return then
}

// An archive is what tells the archives of one file apart.
type archive struct {
	time string // as archiveTime has it
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
		rest, isStem := strings.CutPrefix(name, to.Stem+".")
		rest, isSuffix := strings.CutSuffix(rest, to.Suffix)
		a := archive{rest, 1}
		if at, n, ok := strings.Cut(rest, "-"); ok {
			a.time = at
			a.n, _ = strconv.Atoi(n)
		}
		_, err := time.Parse(archiveTime, a.time)
		// Only what Archive writes: no -007, no -1, no fraction of a second.
		if isStem && isSuffix && err == nil && len(a.time) == len(archiveTime) && a.n >= 1 && a.in(to) == name {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b archive) int {
		return cmp.Or(strings.Compare(a.time, b.time), cmp.Compare(a.n, b.n))
	})
	return all
}
