// Package session keeps one user's session directory, sessions/USER/ in a planning root (.planning, a workstream or a sub-project): the
// working copy of a plan, its archives, and the guard that admits one writer at a time. Outside the project it keeps breadcrumbs, so that the loss
// of a session is noticed.
//
// The rules:
//
//   - Reading takes no lock and writes nothing, not even a directory.
//   - A writer holds the guard, has read again since taking it, and passes the Stamp of what it read. The guard file is
//     never removed or renamed while it is the guard: that would admit two.
//   - The current session is replaced in one step. What is superseded is archived first and never overwritten. After
//     any crash either the old session or the new one is current, and the old one exists.
//   - Nothing outside the project is touched except the state directory, whatever links the project contains, and only
//     regular files are read or replaced (package durable).
//
// This package handles bytes; package planfile gives them their meaning, and package run knows who works on a session.
package session

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	fileName = "current-plan.md" // the current session inside its directory
	// ClaimFile is what came of the claim on the session's plan, in the same directory.
	ClaimFile   = "claim.json"
	sessionsDir = "sessions" // in the planning root

	// New files and directories get what the umask leaves, as git's do, so that a group can share a checkout.
	filePerm fs.FileMode = 0o666
	dirPerm  fs.FileMode = 0o777
)

// A Dir is one user's session directory in a planning root of one project. It is a value; nothing on disk is touched until a method is
// called.
type Dir struct {
	Writer durable.Writer // used by the guard's holder; tests replace it
	// Budget limits what is read without the guard: durable.ErrBudget. The guard's holder reads in any case.
	Budget *durable.Budget
	// Beside, if set, opens the files of the directory from a directory that is kept open. From the project's root, each
	// of them would open every directory on the way.
	Beside Beside
	// BeforeMake, if set, is called before the directory is made, which its error prevents.
	BeforeMake func() error

	root *os.Root
	base string
	user string
}

// Beside calls look with a root and the name under which to open the file name of the project's directory dir. It may
// call look twice. dir is separated by slashes.
type Beside func(dir, name string, look func(root *os.Root, name string) error) error

// At returns the session directory of user in the planning root base, a path with slashes, of the project root. user is a name as package identity
// returns it, only a-z, 0-9 and "-"; with any other, every method that can fails with fs.ErrInvalid.
func At(root *os.Root, base, user string) Dir { return Dir{root: root, base: base, user: user} }

// WithFile calls look with a root and the name under which to open the directory's file name. It may call look twice.
func (d Dir) WithFile(name string, look func(root *os.Root, name string) error) error {
	if d.Beside == nil {
		return look(d.root, d.join(name))
	}
	return d.Beside(d.Path(), name, look)
}

// Read returns the current session, of at most limit bytes, and its version. Without a session the error is
// fs.ErrNotExist; the others are those of durable.Read.
func (d Dir) Read(limit int64) (text []byte, version durable.Stamp, err error) {
	if err := d.check(); err != nil {
		return nil, durable.Stamp{}, err
	}
	err = d.WithFile(fileName, func(root *os.Root, name string) error {
		text, version, err = d.Budget.Read(root, name, limit)
		return err
	})
	return text, version, err
}

// Path returns the path of the directory, relative to the project and with slashes, whether it exists or not.
func (d Dir) Path() string { return path.Join(d.sessions(), d.user) }

// sessions returns the directory of all users' sessions.
func (d Dir) sessions() string { return path.Join(d.base, sessionsDir) }

// File returns the path of the current session, relative to the project and with slashes.
func (d Dir) File() string { return d.join(fileName) }

// RunsFile returns the path of the records of the runs (package run), relative to the project and with slashes.
func (d Dir) RunsFile() string { return d.join("runs.json") }

func (d Dir) join(name string) string { return path.Join(d.Path(), name) }

// check reports a user that is not a single safe path element.
func (d Dir) check() error {
	if d.user == "" || strings.Trim(d.user, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("session of user %q: %w", d.user, fs.ErrInvalid)
	}
	return nil
}

// Users lists the users who have a session directory in a planning root of a project, sorted; Read reports whether it contains a session.
// Names that no user could have are left out, such as those of upstream's files. What is there need not be a directory.
func Users(root *os.Root, base string) []string {
	names, _ := durable.Names(root, path.Join(base, sessionsDir)) // no directory, no users
	names = slices.DeleteFunc(names, func(name string) bool { return At(root, base, name).check() != nil })
	slices.Sort(names)
	return names
}

// Since returns when the user first wrote to the directory, the zero time for never: the guard is made then, and not written
// again.
func (d Dir) Since() (first time.Time) {
	_ = d.WithFile(guardFile, func(root *os.Root, name string) error {
		info, err := root.Lstat(name)
		if err == nil {
			first = info.ModTime()
		}
		return err
	})
	return first
}

// Temps returns how many temporaries crashed or running writers have left in the directory. Lock removes them.
func (d Dir) Temps() int { return durable.SweepTemps(d.root, d.Path(), time.Time{}, true) }

// SweepTemps removes the temporaries that crashed writers left beside the users' directories in a planning root more than an hour before
// now, and returns how many. With dryRun it only counts them.
func SweepTemps(root *os.Root, base string, now time.Time, dryRun bool) int {
	sessions := path.Join(base, sessionsDir)
	if info, err := root.Lstat(sessions); err != nil || !info.IsDir() {
		return 0
	}
	return durable.SweepTemps(root, sessions, now.Add(-durable.TempLife), dryRun)
}
