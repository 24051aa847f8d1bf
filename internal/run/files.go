package run

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// filePerm gives new files what the umask leaves, as git's do, so that a group can share a checkout.
const filePerm fs.FileMode = 0o666

// Look calls do with a root and the name under which to open a session's file. It may call do twice.
type Look func(name string, do func(root *os.Root, name string) error) error

// A Dir is the directory of a session whose guard the caller holds.
type Dir struct {
	Root   *os.Root
	Path   string // of the directory, for errors: relative to the project and with slashes
	Writer durable.Writer
}

// Files are the lease and the journal of a session. Each is read once, when it is first asked for; the changes that the
// guard's holder makes are known from then on.
type Files struct {
	look   Look
	budget *durable.Budget
	most   int64 // bytes that are read of the journal
	dir    Dir   // zero if nothing may be changed

	lease    Lease // unless leaseErr is errUnread
	leaseErr error

	journal    Journal // unless journalErr is errUnread
	journalErr error
}

var errUnread = errors.New("not read yet")

// Read returns the files of a session, to be read within the budget.
func Read(look Look, budget *durable.Budget) *Files {
	return &Files{look: look, budget: budget, most: maxTurn, leaseErr: errUnread, journalErr: errUnread}
}

// Open returns the files of the session in dir, whose guard the caller holds.
func Open(dir Dir) *Files {
	f := Read(func(name string, do func(*os.Root, string) error) error { return do(dir.Root, name) }, nil)
	f.dir, f.most = dir, maxBytes
	return f
}

// Whole makes Journal read more than the part that an agent needs at each turn.
func (f *Files) Whole() *Files {
	f.most = maxBytes
	return f
}

// Release must be called once the guard is no longer held. Files that have not been read yet are then read through look.
func (f *Files) Release(look Look, budget *durable.Budget) {
	f.look, f.budget, f.dir = look, budget, Dir{}
}

// Lease returns who holds the session. Errors: fs.ErrNotExist if nobody does, [ErrLeaseUnreadable],
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

// LeaseState returns the result of reading the lease: none, held or unreadable.
func (f *Files) LeaseState() LeaseState {
	switch _, err := f.Lease(); {
	case err == nil:
		return LeaseHeld
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return LeaseNone
	}
	return LeaseUnreadable
}

// WriteLease replaces the lease by l. A power cut may undo it, but also ends the processes that it names.
func (f *Files) WriteLease(l Lease) error {
	l.Acquired, l.Renewed = l.Acquired.UTC(), l.Renewed.UTC()
	text, err := l.Encode()
	if err != nil {
		return err
	}
	if is, err := f.lease.Encode(); f.leaseErr == nil && err == nil && bytes.Equal(is, text) {
		return nil
	}
	was, err := durable.StampOf(f.dir.Root, leaseFile)
	if errors.Is(err, durable.ErrNotRegular) {
		was, err = durable.Stamp{}, f.putAside(leaseFile)
	}
	if err == nil {
		w := f.dir.Writer
		w.Lazy = true
		err = f.named(w.Replace(f.dir.Root, leaseFile, [][]byte{text}, filePerm, was))
	}
	if err == nil {
		f.lease, f.leaseErr = l, nil
	}
	return err
}

// DropLease removes the lease of any run. A missing one is not an error.
func (f *Files) DropLease() error {
	_, err := durable.StampOf(f.dir.Root, leaseFile)
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

// Journal returns the runs in the newest 256 KiB of the journal; for the guard's holder, and after [Files.Whole], in
// the newest 1 MiB. A missing journal is empty. An error comes with what could be read; errors are those of
// durable.Open and of reading.
func (f *Files) Journal() (*Journal, error) {
	if errors.Is(f.journalErr, errUnread) {
		f.journalErr = f.look(journalFile, func(root *os.Root, name string) error {
			was, _ := durable.StampOf(root, name) // zero for a link, which is only read through
			text, size, err := tail(root, name, f.most, f.budget)
			f.journal = Journal{Cut: size > f.most, was: was}
			f.journal.addText(text)
			f.journal.size = size
			return err
		})
		if errors.Is(f.journalErr, fs.ErrNotExist) {
			f.journalErr = nil
		}
	}
	return &f.journal, f.journalErr
}

// History returns the runs of the journal and those in the newest 2 MiB of its archives. A run that was carried over is
// one run. Errors are those of [Files.Journal].
func (f *Files) History() (*Journal, error) {
	// The archives are listed after the journal was read: if it is rotated in between, its lines are read twice rather
	// than not at all.
	current, err := f.Journal()
	texts, errs := [][]byte{current.text}, []error{err}
	var names []string
	_ = f.look(".", func(root *os.Root, name string) (err error) {
		names, err = durable.Names(root, name)
		return err // no directory, no archives
	})
	all := journalArchives.List(names)
	cut, left := current.Cut && len(all) > 0, int64(maxHistory)
	for _, name := range slices.Backward(all) {
		// Before a gap, earlier lines would make no sense.
		if cut = cut || left <= 0; cut {
			break
		}
		err := f.look(name, func(root *os.Root, name string) error {
			text, size, err := tail(root, name, left, f.budget)
			if err == nil {
				texts, cut = append(texts, text), size > left
				left -= max(size, minArchive)
			}
			return err
		})
		if !errors.Is(err, fs.ErrNotExist) { // removed since it was listed
			errs = append(errs, err)
		}
	}
	j := &Journal{}
	for _, text := range slices.Backward(texts) {
		j.Bad = 0 // archives are not mended
		j.addText(text)
	}
	j.Cut, j.ArchivesCut, j.size = current.Cut, cut, current.size
	return j, errors.Join(errs...)
}

// ClearJournal moves anything but a regular file out of the journal's place, and reports whether it did. The guard's
// holder calls it before reading the journal.
func (f *Files) ClearJournal() (bool, error) {
	_, err := durable.StampOf(f.dir.Root, journalFile)
	if !errors.Is(err, durable.ErrNotRegular) {
		return false, nil
	}
	return true, f.putAside(journalFile)
}

// OddMark is in the names of what was put aside.
const OddMark = ".odd-"

// SweepOdd removes from a session's directory, below root, what lay in the place of the lease or the journal and was put
// aside. It returns how many there were, and how many directories stay because they are not empty. With dryRun it
// removes nothing.
func SweepOdd(root *os.Root, dir string, dryRun bool) (swept, left int) {
	names, _ := durable.Names(root, dir) // without names, none is found
	for _, name := range names {
		if !strings.HasPrefix(name, leaseFile+OddMark) && !strings.HasPrefix(name, journalFile+OddMark) {
			continue
		}
		name = path.Join(dir, name)
		var inside []string
		if info, err := root.Lstat(name); err == nil && info.IsDir() {
			inside, _ = durable.Names(root, name)
		}
		if len(inside) > 0 || !dryRun && root.Remove(name) != nil {
			left++
			continue
		}
		swept++
	}
	return swept, left
}

// Begin records that a run began. A power cut within seconds may undo it, but also ends the run. Errors: fs.ErrInvalid for an id that [NewID] would not return or for more than 64 KiB of text, and
// those of durable.Writer.AppendLine, after which the run may be recorded anyway.
func (f *Files) Begin(s Start) error {
	line, err := s.encode()
	if err != nil {
		return err
	}
	return f.appendLine(line, true)
}

// End records that runs ended. For a run that never began or has ended already it changes nothing, see [Journal]. A
// conversation id is recorded only for a [Success] or [Paused]. Everything is on the disk when End returns. Errors are those of
// [Files.Begin], and fs.ErrInvalid for an unknown status or cause; after one, some ends may be recorded.
func (f *Files) End(ends ...End) error {
	for i, e := range ends {
		line, err := e.encode()
		if err == nil {
			err = f.appendLine(line, i < len(ends)-1) // the last sync is of the whole file
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Works records that a run works on a task. A power cut within seconds may undo it.
func (f *Files) Works(t Task) error {
	line, err := t.encode()
	if err != nil {
		return err
	}
	return f.appendLine(line, true)
}

func (f *Files) appendLine(line []byte, lazy bool) error {
	w := f.dir.Writer
	w.Lazy = w.Lazy || lazy
	_, _ = f.Journal() // so that the line can be added to it; even an unreadable journal may be appended to
	err := w.AppendLine(f.dir.Root, journalFile, line, filePerm)
	if errors.Is(err, durable.ErrLinked) && f.undoRotation() {
		err = w.AppendLine(f.dir.Root, journalFile, line, filePerm)
	}
	if err != nil {
		return f.named(err)
	}
	f.journal.add(line)
	f.journal.was, err = durable.StampOf(f.dir.Root, journalFile)
	return f.named(err)
}

// Forget removes the conversation ids with one of the tokens from the journal (not from its archives), and those of
// ends and runs that do not permit it, which other programs may have written. It returns from how many lines. All
// other lines stay as they are.
func (f *Files) Forget(tokens ...string) (n int, err error) {
	return f.forget(func(_ *Record, id string) bool { return slices.Contains(tokens, conversationToken(id)) })
}

// ForgetUnsafe is Forget for all runs of an assessment whose conversation is not safe to resume, too.
func (f *Files) ForgetUnsafe(a *Assessment, tokens ...string) (n int, err error) {
	safe := map[string]bool{}
	for i := range a.Runs {
		safe[a.Runs[i].ID] = a.Runs[i].ResumeID != ""
	}
	return f.forget(func(r *Record, id string) bool {
		return !safe[r.ID] || slices.Contains(tokens, conversationToken(id))
	})
}

func (f *Files) forget(unsafe func(r *Record, id string) bool) (n int, err error) {
	j, err := f.Journal()
	if err != nil || j.Cut { // a long journal will be rotated, and its conversations are not offered
		return 0, err
	}
	text, n := j.without(unsafe)
	if n == 0 {
		return 0, nil
	}
	return n, f.replaceJournal(text, f.journal.was)
}

func (f *Files) replaceJournal(text []byte, was durable.Stamp) error {
	err := f.dir.Writer.Replace(f.dir.Root, journalFile, [][]byte{text}, filePerm, was)
	if err == nil || errors.Is(err, durable.ErrUnsynced) {
		is, lookErr := durable.StampOf(f.dir.Root, journalFile)
		f.journal = Journal{was: is}
		f.journal.addText(text)
		err = errors.Join(err, lookErr)
	}
	return f.named(err)
}

// Rotate archives a long journal as journal.YYYYMMDDHHMMSS.jsonl beside it, in UTC, and begins a new one with the runs
// that still matter, see [Journal.Long]. It returns the archive's path, relative to the project and with slashes, or ""
// if nothing was archived.
//
// There is always a journal: a crash leaves the old one or the new one. The names of the archives sort in the order in
// which they were made, even if the clock stands still or goes back.
//
// Errors are those of durable.Writer.Archive and Replace; durable.ErrChanged if the journal was changed without the
// guard.
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

// Repair archives a journal with bad lines as [Files.Rotate] does, and begins a new one without them.
func (f *Files) Repair(now time.Time) (archived string, err error) {
	j, err := f.Journal()
	if err != nil || j.Bad == 0 || j.Cut {
		return "", err
	}
	return f.putAway(j.good(), now)
}

func (f *Files) putAway(kept []byte, now time.Time) (archived string, err error) {
	names, _ := durable.Names(f.dir.Root, ".") // if they cannot be listed, the clock alone has to do
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

// undoRotation removes the archives that are second names of the journal, and reports whether there were any: a
// rotation that crashed before its last step leaves one file with two names. They are the latest archives.
func (f *Files) undoRotation() bool {
	names, _ := durable.Names(f.dir.Root, ".") // without names, none is found
	undone := false
	for _, as := range slices.Backward(journalArchives.List(names)) {
		if !durable.Unarchive(f.dir.Root, journalFile, as) {
			break
		}
		undone = true
	}
	return undone
}

// putAside renames anything but a regular file in a file's place, so that it locks nobody out.
func (f *Files) putAside(name string) error {
	return f.named(durable.Failed("move", name, f.dir.Root, f.dir.Root.Rename(name, name+OddMark+NewID())))
}

// named puts the directory's path into an error of package durable about a file in it.
func (f *Files) named(err error) error { return durable.Below(f.dir.Path, err) }
