package session

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	journalTail = 256 << 10 // bytes of a journal's end that are read at every turn
	recentBytes = 4 << 20   // and of it and its archives, where more is asked for
	recentLines = 10_000    // in so many lines: short ones take more memory than what they are
	maxArchived = 1000      // files that are opened for them
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
	var f *os.File
	err := d.look(journalFile, func(root *os.Root, name string) (err error) {
		f, err = durable.Open(root, name)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return Journal{}, nil
	}
	if err != nil {
		return Journal{}, err
	}
	defer f.Close()
	text, cut, err := tail(d.budget, f, journalTail)
	if err != nil {
		return Journal{}, durable.Failed("read", d.join(journalFile), d.root, err)
	}
	fold := fold{brief: true, keep: keep, at: make(map[string]int, len(text)/aRun)}
	fold.text(text)
	return Journal{Runs: toRuns(fold.lasting()), Bad: fold.bad, Cut: cut}, nil
}

// tail returns the last n bytes of f, from the beginning of a line where that cuts something off. They come out of the
// budget.
func tail(b *durable.Budget, f *os.File, n int64) (text string, cut bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return "", false, err
	}
	from := max(info.Size()-n, 0)
	if err := b.Take(info.Size() - from); err != nil {
		return "", false, err
	}
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

// recent is the newest part of several files, taken from the last of them backwards.
type recent struct {
	bytes  int64 // that may still be read
	lines  int   // and kept
	budget *durable.Budget
	texts  []string
}

// take adds the newest part of a file that comes before all that were taken; cut says that some of it was left out.
func (r *recent) take(f *os.File) (cut bool, err error) {
	text, cut, err := tail(r.budget, f, r.bytes)
	if err != nil {
		return true, err
	}
	r.bytes -= int64(len(text))
	for at := len(text); at > 0; r.lines-- {
		if r.lines == 0 {
			text, cut = text[at:], true
			break
		}
		at = strings.LastIndexByte(text[:at-1], '\n') + 1
	}
	r.texts = append(r.texts, text)
	return cut, nil
}

// fold adds what was taken, the oldest first.
func (r *recent) fold(f *fold) {
	for _, text := range slices.Backward(r.texts) {
		f.text(text)
	}
}

// WholeJournal returns all runs of the journal, and with archives also those of the files that were put away before
// it: as many as there are in the newest 4 MiB or 10,000 lines. A run that was carried over is one run. Lines of more
// than 1 MiB are counted as bad.
//
// With an error comes what could be read all the same. Errors are those of durable.Open and of reading.
func (d Dir) WholeJournal(archives bool) (Journal, error) {
	if err := d.check(); err != nil {
		return Journal{}, err
	}
	// The current file is opened before the archives are looked for: if it becomes one in between, its lines are
	// read twice and not never.
	read := recent{bytes: recentBytes, lines: recentLines, budget: d.budget}
	var j Journal
	var errs []error
	current, err := durable.Open(d.root, d.join(journalFile))
	switch {
	case err == nil:
		defer current.Close()
		if j.Cut, err = read.take(current); err != nil {
			errs = append(errs, durable.Failed("read", d.join(journalFile), d.root, err))
		}
	case !errors.Is(err, fs.ErrNotExist):
		errs = append(errs, err)
	}
	if archives {
		names, _ := durable.Names(d.root, d.Path()) // no directory, no archives
		all := journalArchives(names)
		for i, a := range slices.Backward(all) {
			// Behind what was left out, nothing that is earlier would make sense.
			if j.Cut || j.ArchivesCut || read.bytes == 0 || read.lines == 0 || len(all)-i > maxArchived {
				j.ArchivesCut = true
				break
			}
			var err error
			j.ArchivesCut, err = d.takeArchive(&read, a.in(journalStem, journalSuffix))
			errs = append(errs, err)
		}
	}
	var fold fold
	read.fold(&fold)
	j.Runs, j.Bad = toRuns(fold.runs), fold.bad
	return j, errors.Join(errs...)
}

func (d Dir) takeArchive(read *recent, name string) (cut bool, err error) {
	f, err := durable.Open(d.root, d.join(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // taken away since it was listed
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	cut, err = read.take(f)
	return cut, durable.Failed("read", d.join(name), d.root, err)
}
