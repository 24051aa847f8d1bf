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

// Read is [Dir.Read], for reading again once the guard is held. It reads where
// [Guard.Write] writes, in the directory that is locked, whatever its path leads
// to by now. A link out of that directory is durable.ErrNotRegular: it may lead
// to another file of the project, but Write would not replace it.
func (g *Guard) Read(limit int64) ([]byte, durable.Stamp, error) {
	data, was, err := durable.Read(g.dir, fileName, limit)
	if errors.Is(err, durable.ErrEscapes) {
		err = durable.Failed("read", fileName, g.dir, fmt.Errorf("%w: it is a symbolic link", durable.ErrNotRegular))
	}
	return data, was, g.named(err)
}

// Look returns the version that the current session is, without reading it.
func (g *Guard) Look() (durable.Stamp, error) {
	was, err := durable.Look(g.dir, fileName)
	return was, g.named(err)
}

// Write makes chunks, one after another, the current session. was is the
// version that they were made from, the zero Stamp where there is none. Bytes
// that are there already are not written.
//
// Errors are those of durable.Writer.Replace: durable.ErrChanged if the session
// is not was any more, because somebody edited it without the guard;
// durable.ErrUnsynced if chunks are the session now, but may not outlast a power
// cut. After any other the session is as it was.
func (g *Guard) Write(chunks [][]byte, was durable.Stamp) error {
	return g.named(g.write.Replace(g.dir, fileName, chunks, filePerm, was))
}

// Supersede puts the current session away as current-plan.YYYYMMDDHHMMSS.stale
// beside it, in UTC, and makes chunks the new one; where that name is taken, -2,
// -3 and so on is added to the time. At no moment, whatever crashes, is there no
// session or the old one lost. It returns the archive's path, relative to the
// project and with slashes, "" if there was nothing to put away: no old session,
// or one with these very bytes.
//
// was is the version that gives way. Errors are those of [Guard.Write]. If the
// new session cannot be written the old one stays current, and is not archived;
// an archive that is a copy stays, and its path comes with the error. After
// durable.ErrUnsynced the new one is current, and the path is that of the old.
func (g *Guard) Supersede(chunks [][]byte, was durable.Stamp, now time.Time) (archived string, err error) {
	if was.IsZero() {
		return "", g.Write(chunks, was)
	}
	// Left out for the same bytes not only to spare an archive: Write would
	// leave the file alone, and a hard link to it would go on changing with it.
	same, err := durable.Holds(g.dir, fileName, chunks, was)
	if same || err != nil {
		return "", g.named(err)
	}
	archived, was, err = g.archive(fileName, "current-plan", ".stale", was, now)
	if err != nil {
		return "", err
	}
	if err := g.Write(chunks, was); err != nil {
		if g.unkeep(fileName, archived) {
			archived = ""
		}
		return archived, err
	}
	return archived, nil
}

// archive keeps the version was of the file name under the first archive name that
// is free: stem, the time and suffix. It returns the archive's path, and the Stamp
// to replace the file by.
func (g *Guard) archive(name, stem, suffix string, was durable.Stamp, now time.Time) (string, durable.Stamp, error) {
	for n := 1; n <= maxArchives; n++ {
		as := archiveName{now.UTC().Format(archiveTime), n}.in(stem, suffix)
		kept, err := g.write.Keep(g.dir, name, as, was)
		if err == nil {
			return g.in.join(as), kept, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", durable.Stamp{}, g.named(err)
		}
	}
	return "", durable.Stamp{}, &fs.PathError{Op: "archive", Path: g.in.join(name), Err: fs.ErrExist}
}

// An archiveName is what tells the archives of one file apart.
type archiveName struct {
	time string // as archiveTime has it
	n    int    // 1 for the first of that second
}

func (a archiveName) in(stem, suffix string) string {
	if a.n == 1 {
		return stem + "." + a.time + suffix
	}
	return fmt.Sprintf("%s.%s-%d%s", stem, a.time, a.n, suffix)
}

// unkeep removes an archive that is only a second name of the file name, and
// reports whether it did. One that is a copy, or whose original was replaced by
// somebody else in the meantime, may be the last of its bytes: it stays.
func (g *Guard) unkeep(name, archived string) bool {
	as := archived[len(g.in.Path())+1:]
	current, err1 := g.dir.Lstat(name)
	archive, err2 := g.dir.Lstat(as)
	if err1 != nil || err2 != nil || !os.SameFile(current, archive) {
		return false
	}
	return g.dir.Remove(as) == nil
}

// clear puts away what stands in a file's place and is none, so that it locks nobody out: it gets another name.
func (g *Guard) clear(name string) error {
	return g.named(durable.Failed("move", name, g.dir, g.dir.Rename(name, name+".odd-"+NewRunID())))
}

// named puts the directory's path into an error that durable gave for the bare
// name of a file in it.
func (g *Guard) named(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: pe.Op, Path: g.in.join(pe.Path), Err: pe.Err}
	}
	return err
}
