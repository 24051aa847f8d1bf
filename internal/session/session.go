// Package session keeps one user's session directory, .planning/sessions/USER/: the working copy of a plan, its archives,
// and the guard that lets one writer at a time at them. Outside of the project it keeps breadcrumbs, so that a session
// which was lost is noticed.
//
// The law:
//
//   - Reading takes no lock and writes nothing, not even a directory.
//   - Whoever writes holds the guard, has read again since taking it, and hands in the Stamp of what was read. The guard
//     file is never removed or renamed: that would let two in.
//   - The current session is replaced in one step. What gives way is archived first and never overwritten: after any
//     crash the old session or the new one is current, and the old one is there.
//   - Nothing outside the project is touched but the state directory, whatever links lie about, and nothing but regular
//     files is read or replaced (package durable).
//
// Bytes go in and come out as they are; what they mean is for others to know. Who works on a session is package run's.
package session

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// fileName is the current session inside its directory.
const fileName = "current-plan.md"

const (
	sessionsDir = ".planning/sessions"
	ignoreFile  = sessionsDir + "/.gitignore"
	// ignoreAll keeps sessions out of the project's history: they are one user's, and change with every task.
	ignoreAll = "*\n"

	// New files and directories get what the umask leaves, as git's do, so that
	// a checkout shared by a group stays one.
	filePerm fs.FileMode = 0o666
	dirPerm  fs.FileMode = 0o777
)

// A Dir is one user's session directory in one project. It is a value, and
// nothing on disk is touched until a method is called.
type Dir struct {
	Writer durable.Writer // that the guard's holder changes it by: tests have their own
	// Budget is what the session is read out of without the guard: durable.ErrBudget where it is used up. What is to be
	// changed is read in any case.
	Budget *durable.Budget
	// Beside opens the session, lease and journal beside each other, where it is set: from the project's root, each of
	// the directories on the way is opened for each of the three.
	Beside Beside

	root *os.Root
	user string
}

// Beside opens the directory dir of a project, named with slashes, and calls look with a root and the name under which to
// open the file there. It may call look twice.
type Beside func(dir, name string, look func(root *os.Root, name string) error) error

// At returns the session directory of user in the project root. user is what package identity gives, only a-z, 0-9
// and "-"; with any other, every method that can fails with fs.ErrInvalid.
func At(root *os.Root, user string) Dir { return Dir{root: root, user: user} }

// Look calls back with where a file of the directory is to be opened.
func (d Dir) Look(name string, look func(root *os.Root, name string) error) error {
	if d.Beside == nil {
		return look(d.root, d.join(name))
	}
	return d.Beside(d.Path(), name, look)
}

// File is the path of the current session, relative to the project and with
// slashes: .planning/sessions/USER/current-plan.md.
func (d Dir) File() string { return d.join(fileName) }

// Read returns the current session, of at most limit bytes, and the version it is. Without a session the error is
// fs.ErrNotExist; the others are those of durable.Read.
func (d Dir) Read(limit int64) (text []byte, version durable.Stamp, err error) {
	if err := d.check(); err != nil {
		return nil, durable.Stamp{}, err
	}
	err = d.Look(fileName, func(root *os.Root, name string) error {
		text, version, err = d.Budget.Read(root, name, limit)
		return err
	})
	return text, version, err
}

// Path is the directory, relative to the project and with slashes, be it there or not.
func (d Dir) Path() string { return path.Join(sessionsDir, d.user) }

// LeaseFile is the path of the lease (package run), relative to the project and with slashes.
func (d Dir) LeaseFile() string { return d.join("lease.json") }

// JournalFile is the path of the journal (package run), relative to the project and with slashes.
func (d Dir) JournalFile() string { return d.join("journal.jsonl") }

// SweepTemps removes the temporaries that crashed writers left beside the users' directories, and returns how
// many. They hold no common lock, so it goes by age, as [StateDir.SweepTemps] does.
func SweepTemps(root *os.Root, now time.Time) int {
	swept, _ := durable.SweepTemps(root, sessionsDir, now.Add(-tempLife), math.MaxInt) // what is left, the next time takes
	return swept
}

// OldTemps counts what [SweepTemps] would remove.
func OldTemps(root *os.Root, now time.Time) int {
	return durable.Temps(root, sessionsDir, now.Add(-tempLife))
}

// Temps counts what writers that crashed, or are at work, have left beside the session.
func (d Dir) Temps() int { return durable.Temps(d.root, d.Path(), time.Time{}) }

func (d Dir) join(name string) string { return path.Join(sessionsDir, d.user, name) }

// check reports a user that is not one safe path element.
func (d Dir) check() error {
	if d.user == "" || strings.Trim(d.user, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("session of user %q: %w", d.user, fs.ErrInvalid)
	}
	return nil
}

// Users lists whose session directories are in a project, sorted; Read says whether there is a
// session in one. Directories that no user could have are left out.
func Users(root *os.Root) []string {
	names, _ := durable.Names(root, sessionsDir) // no directory, no users
	names = slices.DeleteFunc(names, func(name string) bool { return At(root, name).check() != nil })
	slices.Sort(names)
	return names
}
