package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// archives are the sessions that gave way.
var archives = durable.Archives{Stem: "current-plan", Suffix: ".stale"}

// Read is [Dir.Read], for reading again once the guard is held. It reads where [Guard.Write] writes, in the directory
// that is locked, whatever its path leads to by now. A link out of that directory is durable.ErrNotRegular: it may
// lead to another file of the project, but Write would not replace it.
func (g *Guard) Read(limit int64) ([]byte, durable.Stamp, error) {
	data, was, err := durable.Read(g.dir, fileName, limit)
	if errors.Is(err, durable.ErrEscapes) {
		err = durable.Failed("read", fileName, g.dir, fmt.Errorf("%w: it is a symbolic link", durable.ErrNotRegular))
	}
	g.text, g.was = data, was
	return data, was, g.named(err)
}

// Look returns the version that the current session is, without reading it.
func (g *Guard) Look() (durable.Stamp, error) {
	was, err := durable.Look(g.dir, fileName)
	return was, g.named(err)
}

// Write makes chunks, one after another, the current session. was is the version that they were made from, the zero
// Stamp where there is none. Bytes that are there already are not written.
//
// Errors are those of durable.Writer.Replace: durable.ErrChanged if the session is not was any more, because somebody
// edited it without the guard; durable.ErrUnsynced if chunks are the session now, but may not outlast a power cut.
// After any other the session is as it was.
func (g *Guard) Write(chunks [][]byte, was durable.Stamp) error {
	w := g.write
	if !was.IsZero() && was.Equal(g.was) {
		same, err := g.holds(chunks)
		if same || err != nil {
			return g.named(durable.Failed("write", fileName, g.dir, err))
		}
		w.Differing = true
	}
	return g.named(w.Replace(g.dir, fileName, chunks, filePerm, was))
}

// holds reports whether what Read gave is still the current session, and its bytes are chunks.
func (g *Guard) holds(chunks [][]byte) (bool, error) {
	is, err := durable.Look(g.dir, fileName)
	if err == nil && !is.Equal(g.was) {
		err = durable.ErrChanged
	}
	if err != nil {
		return false, err
	}
	rest := g.text
	for _, chunk := range chunks {
		after, same := bytes.CutPrefix(rest, chunk)
		if !same {
			return false, nil
		}
		rest = after
	}
	return len(rest) == 0, nil
}

// Supersede puts the current session away as current-plan.YYYYMMDDHHMMSS.stale
// beside it, in UTC, and makes chunks the new one; where that name is taken, -2,
// -3 and so on is added to the time. At no moment, whatever crashes, is there no
// session or the old one lost. It returns the archive's path, relative to the project and with slashes, "" if there
// was nothing to put away: no old session, or one with these very bytes.
//
// was is the version that gives way. Errors are those of [Guard.Write]. If the new session cannot be written the old
// one stays current, and is not archived; an archive that is a copy stays, and its path comes with the error. After
// durable.ErrUnsynced the new one is current, and the path is that of the old.
func (g *Guard) Supersede(chunks [][]byte, was durable.Stamp, now time.Time) (archived string, err error) {
	if was.IsZero() {
		return "", g.Write(chunks, was)
	}
	// Left out for the same bytes not only to spare an archive: Write would
	// leave the file alone, and a hard link to it would go on changing with it.
	// One that could not be read holds other bytes.
	if was.Equal(g.was) {
		same, err := g.holds(chunks)
		if same || err != nil {
			return "", g.named(durable.Failed("read", fileName, g.dir, err))
		}
	}
	as, kept, err := g.write.Archive(g.dir, fileName, archives, was, now)
	if err != nil {
		return "", g.named(err)
	}
	if was.Equal(g.was) { // the same bytes, under two names now
		g.was = kept
	}
	err = g.Write(chunks, kept)
	if err != nil && durable.Unarchive(g.dir, fileName, as) {
		return "", err
	}
	return g.in.join(as), err
}

// named puts the directory's path into an error that durable gave for the bare name of a file in it.
func (g *Guard) named(err error) error { return durable.Below(g.in.Path(), err) }

// WriteState makes chunk the file at name, a STATE.md of the project root, with slashes. was is the version that it was
// made from, the zero Stamp where there is none. No lock is taken: upstream's programs know none of ours, so what
// protects another's change is that the file must still be was. Errors are those of durable.Writer.Replace.
func WriteState(root *os.Root, name string, chunk []byte, was durable.Stamp) error {
	return durable.Writer{Shared: true}.Replace(root, name, [][]byte{chunk}, filePerm, was)
}
