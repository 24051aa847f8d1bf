package run

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// filePerm: a new file gets what the umask leaves, as git's do, so that a checkout shared by a group stays one.
const filePerm fs.FileMode = 0o666

// Look calls do with an open directory and the name under which a file of a session is to be opened there. It may call it
// twice.
type Look func(name string, do func(root *os.Root, name string) error) error

// A Dir is the directory of a session whose guard the caller holds.
type Dir struct {
	Root   *os.Root
	Path   string // of the directory, for errors: relative to the project and with slashes
	Writer durable.Writer
}

// Files are the lease and the journal of a session. Each is opened and read once, when it is first asked for; what the
// guard's holder changes is known from then on.
type Files struct {
	look   Look
	budget *durable.Budget
	most   int64 // bytes of a journal that are read
	dir    Dir   // zero where nothing may be changed

	lease    Lease // once leaseErr is not errUnread
	leaseErr error

	journal    Journal // once journalErr is not errUnread
	journalErr error
	odd        error // what stood in the journal's place and was put aside
}

// errUnread means that a file was not asked for yet.
var errUnread = errors.New("not read yet")

// Read returns the files of a session to be read out of the budget.
func Read(look Look, budget *durable.Budget) *Files {
	return &Files{look: look, budget: budget, most: maxTurn, leaseErr: errUnread, journalErr: errUnread}
}

// Open returns the files of the session in dir, whose guard the caller holds.
func Open(dir Dir) *Files {
	f := Read(func(name string, do func(*os.Root, string) error) error { return do(dir.Root, name) }, nil)
	f.dir, f.most = dir, maxBytes
	return f
}

// Whole says that all runs are asked for, and not only what an agent is told at each turn.
func (f *Files) Whole() *Files {
	f.most = maxBytes
	return f
}

// Release says that the guard is held no longer: what was not read before is read through look.
func (f *Files) Release(look Look, budget *durable.Budget) {
	f.look, f.budget, f.dir = look, budget, Dir{}
}

// Snapshot returns the files as they were before anything was put aside, and as they are known now, whatever is changed
// afterwards.
func (f *Files) Snapshot() *Files {
	was := *f
	was.journal.Runs = slices.Clone(f.journal.Runs)
	was.dir = Dir{}
	if f.odd != nil {
		was.journalErr = f.odd
	}
	return &was
}

// Lease returns who holds the session. Errors: fs.ErrNotExist where nobody does, [ErrLeaseUnreadable], [ErrLeaseVersion],
// those of durable.Read.
func (f *Files) Lease() (Lease, error) {
	if errors.Is(f.leaseErr, errUnread) {
		f.leaseErr = f.look(leaseFile, func(root *os.Root, name string) (err error) {
			f.lease, err = readLease(f.budget, root, name)
			return err
		})
	}
	return f.lease, f.leaseErr
}

// LeaseState is what reading the lease gave: none, held, unreadable or later.
func (f *Files) LeaseState() LeaseState {
	switch _, err := f.Lease(); {
	case err == nil:
		return LeaseHeld
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return LeaseNone
	case errors.Is(err, ErrLeaseVersion):
		return LeaseLater
	}
	return LeaseUnreadable
}

// WriteLease makes l the lease, whatever was there. A power cut may undo it: after one nobody is alive whom it could name.
func (f *Files) WriteLease(l Lease) error {
	l.Version, l.Acquired, l.Renewed = leaseVersion, l.Acquired.UTC(), l.Renewed.UTC()
	text, err := l.encode()
	if err != nil {
		return err
	}
	if is, err := f.lease.encode(); f.leaseErr == nil && err == nil && bytes.Equal(is, text) {
		return nil
	}
	was, err := durable.Look(f.dir.Root, leaseFile)
	if errors.Is(err, durable.ErrNotRegular) {
		was, err = durable.Stamp{}, f.putAside(leaseFile)
	}
	if err == nil {
		w := f.dir.Writer
		w.Lazy = true
		err = f.named(w.Replace(f.dir.Root, leaseFile, text, filePerm, was))
	}
	if err == nil {
		f.lease, f.leaseErr = l, nil
	}
	return err
}

// DropLease takes the lease away, whosever it is. None is fine.
func (f *Files) DropLease() error {
	_, err := durable.Look(f.dir.Root, leaseFile)
	if errors.Is(err, durable.ErrNotRegular) {
		err = f.putAside(leaseFile)
	} else {
		err = f.named(f.dir.Writer.Remove(f.dir.Root, leaseFile))
	}
	if err == nil {
		f.lease, f.leaseErr = Lease{}, fs.ErrNotExist
	}
	return err
}

// Journal returns all runs of the journal: as many as there are in its newest 256 KiB, or for the
// guard's holder and who asks for the whole in its newest 4 MiB or 10,000 lines. No journal is an empty
// one. With an error comes what could be read all the same; the errors are those of durable.Open and of reading.
func (f *Files) Journal() (*Journal, error) {
	if errors.Is(f.journalErr, errUnread) {
		f.journalErr = f.look(journalFile, func(root *os.Root, name string) error {
			f.journal = Journal{}
			return f.journal.read(root, name, f.most, f.budget)
		})
		if errors.Is(f.journalErr, fs.ErrNotExist) {
			f.journalErr = nil
		}
	}
	return &f.journal, f.journalErr
}

// History returns the runs of the journal and those of the journals that were put away before it: as many as there are in
// the newest 4 MiB or 10,000 lines of them. A run that was carried over is one run. Errors are those of [Files.Journal].
func (f *Files) History() (*Journal, error) {
	// The current one is opened before the archives are looked for: if it becomes one in between, its lines are read twice
	// and not never.
	current, err := f.Journal()
	errs := []error{err}
	var names []string
	_ = f.look(".", func(root *os.Root, name string) (err error) {
		names, err = durable.Names(root, name)
		return err // no directory, no archives
	})
	all := journalArchives.List(names)
	read := recent{bytes: maxBytes - int64(len(current.text)), lines: maxLines - current.lines, budget: f.budget}
	cut := current.Cut && len(all) > 0
	for i, name := range slices.Backward(all) {
		// Behind what was left out, nothing that is earlier would make sense.
		if cut = cut || read.bytes <= 0 || read.lines <= 0 || len(all)-i > maxArchived; cut {
			break
		}
		err := f.look(name, func(root *os.Root, name string) (err error) {
			cut, err = read.take(root, name)
			return err
		})
		if !errors.Is(err, fs.ErrNotExist) { // taken away since it was listed
			errs = append(errs, err)
		}
	}
	j := &Journal{ArchivesCut: cut}
	for _, text := range slices.Backward(append([][]byte{current.text}, read.texts...)) {
		j.Bad = 0 // of the current one only: what was put away is not mended any more
		j.addText(text)
	}
	j.Cut, j.size = current.Cut, current.size
	return j, errors.Join(errs...)
}

// ClearJournal puts away what stands in the journal's place and is none: a directory, say. It reports whether there was
// such a thing. It is for the guard's holder, before the journal is read.
func (f *Files) ClearJournal() (bool, error) {
	_, err := durable.Look(f.dir.Root, journalFile)
	if !errors.Is(err, durable.ErrNotRegular) {
		return false, nil
	}
	f.odd = err
	return true, f.putAside(journalFile)
}

// Begin records that a run began. A power cut in the next seconds may undo it, and then the run, too, is no more: its task
// shows that it was interrupted. Errors: fs.ErrInvalid for an id that [NewID] would not give or for more than 64 KiB of
// text, and those of durable.Writer.AppendLine; after one of those the run may be recorded all the same.
func (f *Files) Begin(s Start) error {
	line, err := s.encode()
	if err != nil {
		return err
	}
	return f.appendLine(line, true)
}

// End records that runs ended, which it may do of one that never began or has ended before: then it changes nothing, see
// [Journal]. A conversation's id is recorded only for a [Success]. All of it is on the disk when End returns. Errors are
// those of [Files.Begin], and fs.ErrInvalid for a status or a cause of no such name; after one some may be recorded.
func (f *Files) End(ends ...End) error {
	for i, e := range ends {
		line, err := e.encode()
		if err == nil {
			err = f.appendLine(line, i < len(ends)-1) // the last one's sync is of the whole file
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *Files) appendLine(line []byte, lazy bool) error {
	w := f.dir.Writer
	w.Lazy = w.Lazy || lazy
	_, _ = f.Journal() // to know all of it afterwards; where it cannot be read, it may be added to
	err := w.AppendLine(f.dir.Root, journalFile, line, filePerm)
	if errors.Is(err, durable.ErrLinked) && f.undoRotation() {
		err = w.AppendLine(f.dir.Root, journalFile, line, filePerm)
	}
	if err != nil {
		return f.named(err)
	}
	f.journal.add(line)
	f.journal.was, err = durable.Look(f.dir.Root, journalFile)
	return f.named(err)
}

// Forget takes the conversations' ids that go by one of the tokens out of the ends in the journal (not in its archives),
// and out of every end that is no success, or of a run whose end is none, though others may have written an id there. It
// returns of how many lines. All other lines stay, and nothing is written where there is nothing to forget.
func (f *Files) Forget(tokens ...string) (n int, err error) {
	return f.forget(func(_ *Record, id string) bool { return slices.Contains(tokens, conversationToken(id)) })
}

// ForgetUnsafe is Forget for all runs of an assessment whose conversation is not to be resumed.
func (f *Files) ForgetUnsafe(a *Assessment, tokens ...string) (n int, err error) {
	safe := map[string]bool{}
	for i := range a.Runs {
		safe[a.Runs[i].ID] = a.Runs[i].ResumeID != ""
	}
	return f.forget(func(r *Record, id string) bool { return !safe[r.ID] || slices.Contains(tokens, conversationToken(id)) })
}

func (f *Files) forget(unsafe func(r *Record, id string) bool) (n int, err error) {
	j, err := f.Journal()
	if err != nil || j.Cut { // a long one will be put away, and nobody is offered what is in it
		return 0, err
	}
	text, n := j.without(unsafe)
	if n == 0 {
		return 0, nil
	}
	return n, f.replaceJournal(text, f.journal.was)
}

func (f *Files) replaceJournal(text []byte, was durable.Stamp) error {
	err := f.dir.Writer.Replace(f.dir.Root, journalFile, text, filePerm, was)
	if err == nil || errors.Is(err, durable.ErrUnsynced) {
		f.journal = Journal{}
		f.journal.addText(text)
		var lookErr error
		f.journal.was, lookErr = durable.Look(f.dir.Root, journalFile)
		err = errors.Join(err, lookErr)
	}
	return f.named(err)
}

// Rotate puts a long journal away as journal.YYYYMMDDHHMMSS.jsonl beside it, in UTC, and begins another with the runs that
// matter, see [Journal.Long]. It returns the archive's path, relative to the project and with slashes, "" if nothing was
// put away.
//
// At no moment is there no journal, and a crash leaves the old one or the new one. The names of the archives sort as they
// were made, also if the clock stands still or goes back.
//
// Errors are those of durable.Writer.Archive and Replace; durable.ErrChanged if somebody changed the journal without the guard.
func (f *Files) Rotate(now time.Time) (archived string, err error) {
	j, err := f.Journal()
	if err != nil {
		return "", err
	}
	kept, long := j.lasting()
	if !long {
		return "", nil
	}
	return f.putAway(kept, now)
}

// Mend puts a journal with bad lines away as [Files.Rotate] does, and begins another without them.
func (f *Files) Mend(now time.Time) (archived string, err error) {
	j, err := f.Journal()
	if err != nil || j.Bad == 0 || j.Cut {
		return "", err
	}
	return f.putAway(j.good(), now)
}

func (f *Files) putAway(kept []byte, now time.Time) (archived string, err error) {
	names, _ := durable.Names(f.dir.Root, ".") // if they cannot be listed, the clock has to do
	now = journalArchives.After(names, now)
	as, was, err := f.dir.Writer.Archive(f.dir.Root, journalFile, journalArchives, f.journal.was, now)
	if err != nil {
		return "", f.named(err)
	}
	err = f.replaceJournal(kept, was)
	if err != nil && !errors.Is(err, durable.ErrUnsynced) && durable.Unarchive(f.dir.Root, journalFile, as) {
		return "", err
	}
	return f.dir.Path + "/" + as, err
}

// undoRotation takes the archives' names away that the journal has itself, and reports whether there were any: a rotation
// that crashed before its last step leaves one file with two names. They are the latest archives.
func (f *Files) undoRotation() bool {
	names, _ := durable.Names(f.dir.Root, ".") // then none is found
	undone := false
	for _, as := range slices.Backward(journalArchives.List(names)) {
		if !durable.Unarchive(f.dir.Root, journalFile, as) {
			break
		}
		undone = true
	}
	return undone
}

// putAside gives what stands in a file's place and is none another name, so that it locks nobody out.
func (f *Files) putAside(name string) error {
	return f.named(durable.Failed("move", name, f.dir.Root, f.dir.Root.Rename(name, name+".odd-"+NewID())))
}

// named puts the directory's path into an error that durable gave for the bare name of a file in it.
func (f *Files) named(err error) error { return durable.Below(f.dir.Path, err) }
