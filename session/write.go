package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// archiveTime is the time stamp in an archive's name, in UTC.
const archiveTime = "20060102150405"

// maxArchives is how many archives of one second get a name. More than a few
// mean that something runs in circles.
const maxArchives = 1000

// Read is [Dir.Read], for reading again once the guard is held.
func (g *Guard) Read(limit int64) ([]byte, durable.Stamp, error) { return g.in.Read(limit) }

// Write makes chunks, one after another, the current session. was is the
// version that they were made from, the zero Stamp where there is none. Bytes
// that are there already are not written.
//
// Errors are those of durable.Replace: durable.ErrChanged if the session is not
// was any more, because somebody edited it without the guard.
func (g *Guard) Write(chunks [][]byte, was durable.Stamp) error {
	return g.named(g.write.Replace(g.dir, FileName, chunks, filePerm, was))
}

// Archive puts the current session away as current-plan.YYYYMMDDHHMMSS.stale
// beside it, in UTC; where that name is taken, -2, -3 and so on is added. It
// returns the archive's path, relative to the project and with slashes.
// Without a session the error is fs.ErrNotExist.
func (g *Guard) Archive(now time.Time) (string, error) {
	return g.archive(now, func(as string) error {
		return g.write.Rename(g.dir, FileName, as)
	})
}

// Supersede archives the current session as [Guard.Archive] would and makes
// chunks the new one. At no moment, whatever crashes, is there no session or
// the old one lost. It returns the archive's path, "" if there was nothing to
// put away: no old session, or one with these very bytes.
//
// was is the version that gives way. If the new session cannot be written the
// old one stays current, and is not archived.
func (g *Guard) Supersede(chunks [][]byte, was durable.Stamp, now time.Time) (archived string, err error) {
	if was.IsZero() {
		return "", g.Write(chunks, was)
	}
	// Left out for the same bytes not only to spare an archive: Write would
	// leave the file alone, and a hard link to it would go on changing with it.
	same, err := durable.Holds(g.dir, FileName, chunks, was)
	if same || err != nil {
		return "", g.named(err)
	}
	archived, err = g.archive(now, func(as string) error {
		kept, err := g.write.Keep(g.dir, FileName, as, was)
		if err == nil {
			was = kept
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if err := g.Write(chunks, was); err != nil {
		if g.unkeep(archived) {
			archived = ""
		}
		return archived, err
	}
	return archived, nil
}

// unkeep removes an archive that is only a second name of the current session,
// and reports whether it did. One that is a copy, or whose session was replaced
// by somebody else in the meantime, may be the last of its bytes: it stays.
func (g *Guard) unkeep(archived string) bool {
	name := archived[len(g.in.path())+1:]
	current, err1 := g.dir.Lstat(FileName)
	archive, err2 := g.dir.Lstat(name)
	if err1 != nil || err2 != nil || !os.SameFile(current, archive) {
		return false
	}
	return g.dir.Remove(name) == nil
}

// archive hands put one archive name after another until one is free.
func (g *Guard) archive(now time.Time, put func(as string) error) (string, error) {
	stem := "current-plan." + now.UTC().Format(archiveTime)
	for n := 1; n <= maxArchives; n++ {
		as := stem + ".stale"
		if n > 1 {
			as = fmt.Sprintf("%s-%d.stale", stem, n)
		}
		err := put(as)
		if err == nil {
			return g.in.join(as), nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", g.named(err)
		}
	}
	return "", &fs.PathError{Op: "archive", Path: g.in.File(), Err: fs.ErrExist}
}

// named puts the session's path into an error that durable gave for the bare
// file name.
func (g *Guard) named(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && pe.Path == FileName {
		return &fs.PathError{Op: pe.Op, Path: g.in.File(), Err: pe.Err}
	}
	return err
}
