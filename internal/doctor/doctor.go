// Package doctor finds what needs doing before everything works, and the command or the words that fix it (Examine).
package doctor

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Diagnosis is what needs doing before everything works: on this machine, for the user, and in the project.
type Diagnosis struct {
	User     string            `json:"user" empty:"null"`    // who asks: the name that gsd whoami prints; null with --plans
	Project  string            `json:"project" empty:"null"` // the project's directory, absolute; null outside of one
	Plans    int               `json:"plans"`                // how many plans were checked: those that are still to be carried out
	Users    int               `json:"users"`                // of how many users the sessions were checked
	Hosts    int               `json:"hosts"`                // how many agents' hosts were checked
	Git      bool              `json:"git"`                  // git's configuration was checked
	Findings []Finding         `json:"findings"`             // what needs doing; none if all is well
	Notes    []problem.Warning `json:"notes"`                // what a person may want to know, though nothing needs doing
	Warnings []problem.Warning `json:"warnings"`             // what could not be checked
}

// Finding is something that needs doing. The path of a file of the project is relative to the project.
type Finding struct {
	problem.Warning

	Fix  action.Action       `json:"fix" empty:"null"` // fixes it when run in a POSIX shell in the project, and is safe to obey; null if only a person should
	Lost *answer.LostSession `json:"lost,omitempty"`   // the lost session that it is about
}

// Options are the options of Doctor.
type Options struct {
	PlansOnly bool // check the plans alone, for which nothing else below is needed but Now

	User    identity.User
	Hidden  string        // why git does not read the user's own configuration, see identity.World.Hidden
	Git     string        // the program git; empty for none
	Env     []string      // its environment
	Program string        // the path of this program; empty if unknown
	Version string        // what it prints with --version
	Hosts   agent.Where   // where hosts keep their settings; its Host and Scope are not used
	InLogin func() string // how a login shell has to call this program if it does not find gsd, else ""; it is called where that matters
	// NoProject is why there is no project; nil if there is one.
	NoProject *problem.Error
	// StateDir is that of the project's world.
	StateDir session.StateDir
}

// Examine looks for all that can be wrong. It changes nothing. p is nil outside of a project, where less can be checked. What is
// broken never keeps the other checks from being made.
func Examine(ctx context.Context, p *app.Project, o Options) *Diagnosis {
	d := &checkup{Project: p, ctx: ctx, o: o}
	if !o.PlansOnly {
		d.User = o.User.Name
		d.checkGit()
		d.Git = !d.refused
		d.checkUser()
		d.checkProgram()
		d.checkAliases()
		d.checkStateDir()
		d.checkHosts()
	}
	if p == nil {
		if o.NoProject != nil {
			d.note(problem.Warning{Code: ProjectMissing, Says: o.NoProject.Text, Hint: o.NoProject.Hint})
		}
		return &d.Diagnosis
	}
	d.Diagnosis.Project = p.Dir
	if !o.PlansOnly {
		var users []string
		for _, at := range p.InAll() {
			users = append(users, at.Users()...)
		}
		slices.Sort(users)
		d.Users = len(slices.Compact(users))
		d.checkDriver()
		d.checkIgnored()
		d.checkRepositories()
		d.checkSync()
	}
	d.checkPlans() // before the session's, which may read the phases and leave out superseded plans
	if !o.PlansOnly {
		d.checkSession()
	}
	d.checkUnread()
	if !o.PlansOnly {
		d.checkHistory()
		d.checkRuns()
		d.checkLeft()
		d.checkNotes()
	}
	d.dropFailingFixes()
	d.Warnings = slices.DeleteFunc(p.Warnings(p.Planning.Warned()), func(w problem.Warning) bool {
		return w.Code == problem.SubmoduleEmpty || w.Code == problem.DirectoryUnreadable || w.Code == problem.DirectoryOutside || w.Code == problem.ReadingStopped // see checkUnread
	})
	return &d.Diagnosis
}

// dropFailingFixes takes out the commands of gsd that would fail because the session cannot be written.
func (d *checkup) dropFailingFixes() {
	if !slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.Code == answer.SessionClosed }) {
		return
	}
	for i := range d.Findings {
		if d.Findings[i].Fix.Writes() {
			d.Findings[i].Fix = action.Action{}
		}
	}
}

// A checkup makes the checks, each of which adds what it finds.
type checkup struct {
	*app.Project // nil outside of one
	Diagnosis
	ctx context.Context
	o   Options

	refused bool // git does not work in the project's directory
}

// found adds a finding, unless there are enough like it, which a warning then says.
func (d *checkup) found(f Finding) {
	alike := 0
	for _, other := range d.Findings {
		if other.Code != f.Code {
			continue
		}
		if alike++; reflect.DeepEqual(other.Warning, f.Warning) && other.Lost == f.Lost {
			return // and its fix is the same
		}
	}
	switch {
	case alike < problem.MaxAlike:
		d.Findings = append(d.Findings, f)
	case d.Project != nil:
		d.Planning.Warn(problem.Warning{Code: problem.TooManyFindings, Name: f.Code})
	}
}

// add is found for what only a person should fix.
func (d *checkup) add(w problem.Warning) { d.found(Finding{Warning: w}) }

// note adds what needs nothing.
func (d *checkup) note(w problem.Warning) { d.Notes = append(d.Notes, w) }

// Unreadable is the code of a file or a directory of the project that exists, but could not be read.
const Unreadable = "unreadable"

// isConflict reports whether an error says that a file has conflict markers.
func isConflict(err error) bool {
	_, ok := errors.AsType[*planfile.ConflictError](err)
	return ok
}

// checkUnread adds what the checks before it could not read.
func (d *checkup) checkUnread() {
	for _, name := range slices.Sorted(maps.Keys(d.Planning.Unread())) {
		err := d.Planning.Unread()[name]
		f := Finding{Warning: problem.UnreadWarning(Unreadable, name, d.Planning.Limit, err)}
		switch {
		case errors.Is(err, fs.ErrPermission):
			if closed, fix := d.closedIn(name); fix.Kind != "" {
				f.Path, f.Fix = closed, fix
			}
		case errors.Is(err, roadmap.ErrEmpty), errors.Is(err, roadmap.ErrEncoding):
			d.bringBack(&f, roadmap.Check)
		}
		d.found(f)
	}
	clear(d.Planning.Unread())
	for _, w := range d.Planning.Warned() {
		if w.Code == problem.SubmoduleEmpty {
			d.found(Finding{Warning: w})
		}
	}
}

// bringBack adds to a finding about a file that git has it as it was committed, if that passes a check. The command that brings
// it back is only for a file without any text: what somebody wrote is not to be overwritten.
func (d *checkup) bringBack(f *Finding, check func([]byte) error) {
	committed, _, err := d.git("cat-file", "blob", "HEAD:./"+f.Path)
	if err != nil || check([]byte(committed)) != nil {
		return
	}
	if now, err := d.Planning.ReadNow(f.Path); err != nil || len(bytes.Trim(now, "\x00 \t\r\n")) > 0 {
		f.Committed = true
		return
	}
	f.Fix = action.Action{Kind: action.BringBack, ID: f.Path, Dir: d.Dir}
}

// closedIn returns the first file or directory of .planning on the path name whose permissions keep its owner from reading it,
// with what changes them; fix is no action if there is none.
func (d *checkup) closedIn(name string) (closed string, fix action.Action) {
	for at := range strings.SplitSeq(name, "/") {
		closed = path.Join(closed, at)
		info := d.ownFile(closed)
		if info == nil {
			continue
		}
		kind, need := action.AllowReading, fs.FileMode(0o400)
		if info.IsDir() {
			kind, need = action.AllowAll, 0o500
		}
		if info.Mode()&need != need {
			return closed, action.Action{Kind: kind, ID: d.at(closed)}
		}
	}
	return "", action.Action{}
}

// ownFile returns what is at a path of .planning if it belongs to the user and no symbolic link leads there, else nil: what a
// printed chmod may change.
func (d *checkup) ownFile(name string) (info fs.FileInfo) {
	if name != planref.Planning && !strings.HasPrefix(name, planref.Planning+"/") {
		return nil
	}
	for at, rest := "", name; rest != ""; {
		first, after, _ := strings.Cut(rest, "/")
		at, rest = path.Join(at, first), after
		var err error
		if info, err = os.Lstat(d.at(at)); err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return nil
		}
	}
	if !verdict.IsOwn(info) {
		return nil
	}
	return info
}

// at returns the absolute path of a file of the project: a command may be run in any directory.
func (d *checkup) at(name string) string { return filepath.Join(d.Dir, filepath.FromSlash(name)) }
