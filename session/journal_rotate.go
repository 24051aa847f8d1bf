package session

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	journalMax    = 128 << 10 // bytes of a journal that is left alone
	journalStem   = "journal"
	journalSuffix = ".jsonl"
)

// RotateJournal puts a journal of more than 128 KiB away as journal.YYYYMMDDHHMMSS.jsonl beside it, in UTC, and
// begins another with the runs that matter: those that are open, and the latest with its end; their lines are
// carried over byte for byte, in their order. It leaves the journal alone where that would save less than half. Of one
// that is longer than gsd lets any grow, only the newest part is looked at, see [Dir.WholeJournal].
// It returns the archive's path, relative to the project and with slashes, "" if nothing was put away.
//
// At no moment is there no journal, and a crash leaves the old one or the new one. The names of the archives sort
// as they were made (where one second has several, by their -2, -3), also if the clock stands still or goes back.
//
// Errors are those of [Guard.Supersede]; durable.ErrChanged if somebody changed the journal without the guard.
func (g *Guard) RotateJournal(now time.Time) (archived string, err error) {
	was, err := durable.Look(g.dir, journalFile)
	if err != nil || was.IsZero() {
		return "", g.named(err)
	}
	kept, long, err := lasting(g.dir, journalFile)
	if err != nil || !long {
		return "", g.named(err)
	}
	archived, was, err = g.archive(journalFile, journalStem, journalSuffix, was, g.afterArchives(now))
	if err != nil {
		return "", err
	}
	err = g.write.Replace(g.dir, journalFile, [][]byte{kept}, filePerm, was)
	if err != nil && !errors.Is(err, durable.ErrUnsynced) && g.unkeep(journalFile, archived) {
		archived = ""
	}
	return archived, g.named(err)
}

// undoRotation takes the archives' names away that the journal has itself, and reports whether there were any: a
// rotation that crashed before its last step leaves one file with two names. They are the latest archives.
func (g *Guard) undoRotation() bool {
	names, _ := durable.Names(g.dir, ".") // then none is found
	undone := false
	for _, a := range slices.Backward(journalArchives(names)) {
		if !g.unkeep(journalFile, g.in.join(a.in(journalStem, journalSuffix))) {
			break
		}
		undone = true
	}
	return undone
}

// JournalIsLong tells whether RotateJournal would put the journal away.
func (d Dir) JournalIsLong() bool {
	_, long, _ := lasting(d.root, d.JournalFile()) // one that cannot be read is not touched
	return long
}

// lasting returns the lines to carry over, and whether the journal is to be put away. Nothing is read of one that
// is small.
func lasting(root *os.Root, name string) (lines []byte, long bool, err error) {
	f, err := durable.Open(root, name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Size() > journalMax {
		lines, err = lastingLines(f)
		long = 2*int64(len(lines)) < info.Size()
	}
	if err != nil {
		return nil, false, durable.Failed("read", name, root, err)
	}
	return lines, long, nil
}

func lastingLines(f *os.File) ([]byte, error) {
	read := recent{bytes: recentBytes, lines: recentLines}
	if _, err := read.take(f); err != nil {
		return nil, err
	}
	fold := fold{brief: true}
	read.fold(&fold)
	var lines []byte
	for _, run := range fold.lasting() { // in the order of their lines: only the last may have an end
		lines = append(append(lines, run.startLine...), '\n') // also where a crash took it
		if run.ended {
			lines = append(append(lines, run.endLine...), '\n')
		}
	}
	return lines, nil
}

// afterArchives returns now, or where archives are there already that say to be later, a time that comes no earlier:
// their order is all that tells which runs came first.
func (g *Guard) afterArchives(now time.Time) time.Time {
	names, _ := durable.Names(g.dir, ".") // if they cannot be listed, the clock has to do
	all := journalArchives(names)
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

// journalArchives picks the journals that were put away out of names, the oldest first.
func journalArchives(names []string) []archiveName {
	var all []archiveName
	for _, name := range names {
		if a, ok := parseArchive(name); ok {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b archiveName) int {
		return cmp.Or(strings.Compare(a.time, b.time), cmp.Compare(a.n, b.n))
	})
	return all
}

// parseArchive reads a name that RotateJournal gives.
func parseArchive(name string) (a archiveName, ok bool) {
	rest, ok1 := strings.CutPrefix(name, journalStem+".")
	rest, ok2 := strings.CutSuffix(rest, journalSuffix)
	if !ok1 || !ok2 {
		return archiveName{}, false
	}
	a.n = 1
	var n string
	if a.time, n, ok = strings.Cut(rest, "-"); ok {
		a.n, _ = strconv.Atoi(n)
	}
	if _, err := time.Parse(archiveTime, a.time); err != nil || len(a.time) != len(archiveTime) || a.n < 1 {
		return archiveName{}, false
	}
	return a, a.in(journalStem, journalSuffix) == name // no -007, and no -1
}
