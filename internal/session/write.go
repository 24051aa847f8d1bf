package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// archives are the superseded sessions.
var archives = durable.Archives{Stem: "current-plan", Suffix: ".stale"}

// An Archive is a superseded session.
type Archive struct {
	Name string    // of its file in the session directory
	At   time.Time // when it was superseded, to the second
}

// Archives picks the archives out of the names of a session directory, the newest first.
func Archives(names []string) (found []Archive) {
	for _, name := range slices.Backward(archives.List(names)) {
		found = append(found, Archive{name, archives.At(name)})
	}
	return found
}

// Read is [Dir.Read] for the holder of the guard. It reads where [Guard.Write] writes, in the locked directory,
// whatever its path leads to by now. A link out of that directory is durable.ErrNotRegular: it may lead to another file
// of the project, but Write would not replace it.
func (g *Guard) Read(limit int64) ([]byte, durable.Stamp, error) {
	data, was, err := durable.Read(g.dir, fileName, limit)
	if errors.Is(err, durable.ErrEscapes) {
		err = durable.Failed("read", fileName, g.dir, fmt.Errorf("%w: it is a symbolic link", durable.ErrNotRegular))
	}
	g.text, g.was = data, was
	return data, was, g.named(err)
}

// Stamp returns the version of the current session, without reading it.
func (g *Guard) Stamp() (durable.Stamp, error) {
	was, err := durable.StampOf(g.dir, fileName)
	return was, g.named(err)
}

// Write makes chunks, concatenated, the current session. was is the version that they were made from, the zero Stamp
// for none. Bytes that Read returned are not written again.
//
// Errors are those of durable.Writer.Replace: durable.ErrChanged if the session is no longer was, because it was edited
// without the guard; durable.ErrUnsynced if chunks are the session now, but may not survive a power cut. After any
// other error the session is as it was.
func (g *Guard) Write(chunks [][]byte, was durable.Stamp) error {
	if same, err := g.holds(chunks, was); same || err != nil {
		return err
	}
	return g.named(g.write.Replace(g.dir, fileName, chunks, filePerm, was))
}

// holds reports whether chunks are what Read returned as the version was. It is an error if the session changed since.
func (g *Guard) holds(chunks [][]byte, was durable.Stamp) (bool, error) {
	if was.IsZero() || !was.Equal(g.was) {
		return false, nil
	}
	rest := g.text
	for _, c := range chunks {
		if !bytes.HasPrefix(rest, c) {
			return false, nil
		}
		rest = rest[len(c):]
	}
	if len(rest) > 0 {
		return false, nil
	}
	is, err := g.Stamp()
	if err == nil && !is.Equal(was) {
		err = g.named(durable.Failed("write", fileName, g.dir, durable.ErrChanged))
	}
	return err == nil, err
}

// Supersede archives the current session as current-plan.YYYYMMDDHHMMSS.stale beside it, in UTC, and makes chunks the
// new one. If the name is taken, -2, -3 and so on is added to the time; if a clock ran ahead, the time is that of the newest
// archive, so that the names are in the order in which the sessions were superseded. Whatever crashes, there is always a session,
// and the old one is never lost. It returns the archive's path, relative to the project and with slashes, or "" if
// nothing was archived: there was no session, or it held these very bytes.
//
// was is the version to be superseded. Errors are those of [Guard.Write]. If the new session cannot be written, the old
// one stays current and is not archived; an archive that is a copy stays, and its path is returned with the error.
// After durable.ErrUnsynced the new session is current.
func (g *Guard) Supersede(chunks [][]byte, was durable.Stamp, now time.Time) (archived string, err error) {
	if was.IsZero() {
		return "", g.Write(chunks, was)
	}
	// Not only to spare an archive: Write would leave the file alone, and its hard link would change with it.
	if same, err := g.holds(chunks, was); same || err != nil {
		return "", err
	}
	names, err := durable.Names(g.dir, ".")
	if err != nil {
		return "", g.named(err)
	}
	as, kept, err := g.write.Archive(g.dir, fileName, archives, was, archives.After(names, now))
	if err != nil {
		return "", g.named(err)
	}
	err = g.Write(chunks, kept)
	if err != nil && durable.Unarchive(g.dir, fileName, as) {
		return "", err
	}
	return g.in.join(as), err
}

// Archive archives the current session like [Guard.Supersede], and there is none any more. was is its version. Errors are those of
// [Guard.Write], and fs.ErrNotExist if there is none.
func (g *Guard) Archive(was durable.Stamp, now time.Time) (archived string, err error) {
	names, err := durable.Names(g.dir, ".")
	if err != nil {
		return "", g.named(err)
	}
	as, err := g.write.MoveToArchive(g.dir, fileName, archives, was, archives.After(names, now))
	if as == "" {
		return "", g.named(err)
	}
	return g.in.join(as), g.named(err)
}

// Keep writes a copy of a text that is going to be removed elsewhere, with the time in its name as archives have it: HANDOFF.json
// as HANDOFF.YYYYMMDDHHMMSS.json, without a dot at the beginning. It returns the path, relative to the project and with slashes.
func (g *Guard) Keep(name string, text []byte, perm fs.FileMode, now time.Time) (kept string, err error) {
	end := path.Ext(name)
	as := durable.Archives{Stem: strings.TrimLeft(strings.TrimSuffix(name, end), "."), Suffix: end}
	kept, err = g.write.WriteArchive(g.dir, as, text, perm, now)
	return g.in.join(kept), g.named(err)
}

// named puts the directory's path into an error of package durable about a file in it.
func (g *Guard) named(err error) error { return durable.Below(g.in.Path(), err) }
