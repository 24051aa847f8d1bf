package session

import (
	"crypto/rand"
	"encoding/hex"
	"errors"

	"github.com/gsd-cli/gsd/internal/durable"
)

// NewRunID returns an id for a run, of 12 hex digits: nobody else gets the same.
func NewRunID() string {
	var random [6]byte
	rand.Read(random[:]) // never fails: crypto/rand crashes the program first
	return hex.EncodeToString(random[:])
}

// Begin records that a run began. A power cut in the next seconds may undo it, and then the run, too, is no more: its
// task tells that it was interrupted. Errors: fs.ErrInvalid for an id that
// [NewRunID] would not give or for more than 64 KiB of text, and those of durable.Writer.AppendLine; after one of
// those the run may be recorded all the same.
func (g *Guard) Begin(s Start) error {
	line, err := s.encode()
	if err != nil {
		return err
	}
	return g.appendLine(g.write.Lazily(), line)
}

// End records that a run ended, which it may do of one that never began or has ended before: then it changes
// nothing, see fold. The conversation's id is recorded only for a [Success]. It is on the disk when End
// returns. Errors are those of [Guard.Begin];
// fs.ErrInvalid for a status or a cause of no such name, too.
func (g *Guard) End(e End) error {
	line, err := e.encode()
	if err != nil {
		return err
	}
	return g.appendLine(g.write, line)
}

// EndAll is End for several runs, which costs one wait for the disk. After an error some may be recorded.
func (g *Guard) EndAll(ends []End) error {
	for i, e := range ends {
		w := g.write
		if i < len(ends)-1 {
			w = w.Lazily() // the last one's sync is of the whole file
		}
		line, err := e.encode()
		if err == nil {
			err = g.appendLine(w, line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *Guard) appendLine(w durable.Writer, line []byte) error {
	err := w.AppendLine(g.dir, journalFile, line, filePerm)
	if errors.Is(err, durable.ErrLinked) && g.undoRotation() {
		err = w.AppendLine(g.dir, journalFile, line, filePerm)
	}
	return g.named(err)
}

// ClearJournal puts away what stands in the journal's place and is none: a directory, say. It reports whether
// there was such a thing.
func (g *Guard) ClearJournal() (bool, error) {
	if _, err := durable.Look(g.dir, journalFile); !errors.Is(err, durable.ErrNotRegular) {
		return false, nil
	}
	return true, g.clear(journalFile)
}
