package session

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	journalTail = 256 << 10 // bytes of a journal's end that are read at every turn
	maxLine     = 1 << 20   // bytes of a line that are read at all
	aRun        = 400       // bytes of a run's lines, about
)

// Journal returns what matters at a turn: the runs that are open, the run of the latest start with its end if it has
// one, and the run keep, which the lease names. It reads no more than the last 256 KiB; where there was more, Cut
// says so, and what is before them counts for nothing. No journal is an empty one.
//
// No line makes it fail. Errors are those of durable.Open and of reading.
func (d Dir) Journal(keep string) (Journal, error) {
	if err := d.check(); err != nil {
		return Journal{}, err
	}
	f, err := durable.Open(d.root, d.join(journalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Journal{}, nil
	}
	if err != nil {
		return Journal{}, err
	}
	defer f.Close()
	text, cut, err := tail(f, journalTail)
	if err != nil {
		return Journal{}, durable.Failed("read", d.join(journalFile), d.root, err)
	}
	fold := fold{brief: true, keep: keep, at: make(map[string]int, len(text)/aRun)}
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		fold.add(line, span{})
	}
	return Journal{Runs: toRuns(fold.lasting()), Bad: fold.bad, Cut: cut}, nil
}

// tail returns the last n bytes of f, from the beginning of a line where that cuts something off.
func tail(f *os.File, n int64) (text string, cut bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return "", false, err
	}
	from := max(info.Size()-n, 0)
	var all strings.Builder
	all.Grow(int(info.Size() - from))
	// What is written from now on is for the next turn.
	part := io.NewSectionReader(f, from, info.Size()-from)
	if _, err := io.CopyBuffer(&all, part, make([]byte, 16<<10)); err != nil {
		return "", false, err
	}
	text = all.String()
	if from == 0 {
		return text, false, nil
	}
	_, text, _ = strings.Cut(text, "\n")
	return text, true, nil
}

// WholeJournal returns all runs of the journal, however long it is, and with archives also those of the files that
// were put away before it. A run that was carried over is one run. Lines of more than 1 MiB are counted as bad.
//
// With an error comes what could be read all the same. Errors are those of durable.Open and of reading.
func (d Dir) WholeJournal(archives bool) (Journal, error) {
	if err := d.check(); err != nil {
		return Journal{}, err
	}
	// The current file is opened before the archives are looked for: if it becomes one in between, its lines are
	// read twice and not never.
	var fold fold
	var errs []error
	current, err := durable.Open(d.root, d.join(journalFile))
	if err == nil {
		defer current.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	if archives {
		names, _ := durable.Names(d.root, d.Path()) // no directory, no archives
		for _, a := range journalArchives(names) {
			errs = append(errs, d.foldArchive(&fold, a.in(journalStem, journalSuffix)))
		}
	}
	if current != nil {
		if err := fold.file(current); err != nil {
			errs = append(errs, durable.Failed("read", d.join(journalFile), d.root, err))
		}
	}
	return Journal{Runs: toRuns(fold.runs), Bad: fold.bad}, errors.Join(errs...)
}

func (d Dir) foldArchive(fold *fold, name string) error {
	f, err := durable.Open(d.root, d.join(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // taken away since it was listed
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return durable.Failed("read", d.join(name), d.root, fold.file(f))
}

// file adds the lines of a file.
func (f *fold) file(r io.Reader) error {
	return eachLine(r, func(line []byte, at span) {
		if line == nil {
			f.bad++
			return
		}
		f.add(string(line), at)
	})
}

// eachLine calls do with every line of r, without its newline; with nil for one of more than maxLine bytes. It
// holds one line at a time, which is gone after the call.
func eachLine(r io.Reader, do func(line []byte, at span)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	var at span // of the line and its newline, as far as it was read
	for {
		part, err := in.ReadSlice('\n')
		at.to += int64(len(part))
		if at.to-at.from <= maxLine+1 {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
		text := at
		if err == nil {
			text.to--
		}
		switch {
		case at.to == at.from: // the end, right behind a newline
		case text.to-text.from > maxLine:
			do(nil, text)
		default:
			do(line[:text.to-text.from], text)
		}
		if err != nil {
			return nil
		}
		line = line[:0]
		at.from = at.to
	}
}
