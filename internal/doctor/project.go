package doctor

// project.go: what is wrong with a user's session, with what belongs to it, and with how the project uses git.

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// The codes of findings about a project, besides those of the warnings in packages problem and answer.
const (
	ProjectMissing      = "project-missing"      // there is none, and what may be meant instead
	DriverMissing       = "merge-driver-missing" // git's attributes name it, and this clone has no configuration for it
	DriverUnused        = "merge-driver-unused"  // it is configured, and git's attributes have it merge otherwise
	SessionsTracked     = "sessions-tracked"
	SessionsSeen        = "sessions-not-ignored"
	RepositoriesMissing = "repositories-missing" // the project's settings declare them
	SyncImpossible      = "sync-impossible"      // syncs in the background are on, and none can succeed
	SessionLost         = "session-lost"
	RunCrashed          = "run-crashed"
	RunExpired          = "run-expired"
	RunUnchecked        = "run-unchecked" // it has expired, and cannot be checked from here
	TempsLeft           = "temporary-files"
	NoteOld             = "hand-off-old"
	SessionCorrupt      = "session-corrupt" // the session file is unreadable
)

// oldNote is the age of a hand-off note that nobody seems to have picked up.
const oldNote = 7 * 24 * time.Hour

// checkDriver finds out whether gsd is git's merge driver by half: as in a clone of a project whose .gitattributes names it. Only where
// one of the two files mentions it, git is asked, which also knows other files with attributes and configuration. Another program's driver
// of that name is left alone.
func (d *checkup) checkDriver() {
	if d.Planning.GitDir() == "" || d.refused {
		return
	}
	const most = 1 << 20
	attributes, _ := d.Planning.Read(".gitattributes")
	config, _ := (*durable.Budget)(nil).ReadAt(filepath.Join(d.Planning.GitDir(), "config"), most)
	if !bytes.Contains(attributes, []byte("merge=gsd")) && !bytes.Contains(config, []byte(`[merge "gsd"]`)) {
		return
	}
	merges, _, err := d.git("check-attr", "merge", "--", ".planning/STATE.md", ".planning/ROADMAP.md")
	if err != nil {
		return
	}
	driver, _, _ := d.git("config", "--get", "merge.gsd.driver") // it fails where there is none
	other, named := "", false
	for line := range strings.Lines(merges) {
		if line = strings.TrimSpace(line); strings.HasSuffix(line, ": merge: gsd") {
			named = true
		} else {
			other = line
		}
	}
	switch isOurs := strings.Contains(driver, " state merge %O "); {
	case driver == "" && named:
		d.add(problem.Warning{Code: DriverMissing})
	case isOurs && other != "":
		d.add(problem.Warning{Code: DriverUnused, Says: other})
	}
}

// checkIgnored finds out whether git leaves the sessions of every root alone.
func (d *checkup) checkIgnored() {
	if d.refused || d.Planning.GitDir() == "" {
		return
	}
	var roots []*verdict.Project
	list := []string{"ls-files", "-z", "--"}
	for _, at := range d.InAll() {
		if dir := path.Join(at.Base(), "sessions"); d.Planning.Exists(dir) {
			roots, list = append(roots, at), append(list, dir)
		}
	}
	if len(roots) == 0 {
		return
	}
	out, _, _ := d.git(list...) // once, as below: there may be thousands
	tracked := strings.Split(out, "\x00")
	var seen []unhidden
	var files strings.Builder
	for _, at := range roots {
		known := at.Users()
		d.checkTracked(path.Join(at.Base(), "sessions"), known, tracked)
		for _, user := range known {
			dir := at.Session(user)
			if (d.Planning.Exists(dir.File()) || !dir.Since().IsZero()) && !d.hidesAll(path.Join(dir.Path(), session.IgnoreFile)) {
				seen = append(seen, unhidden{dir, user, at.Base()})
				files.WriteString(dir.File() + "\x00")
			}
		}
	}
	if len(seen) == 0 {
		return
	}
	ignored, _, _ := d.askGit(files.String(), "check-ignore", "-z", "--stdin", "--no-index")
	is := map[string]bool{}
	for file := range strings.SplitSeq(ignored, "\x00") {
		is[file] = true
	}
	for _, user := range seen {
		if !is[user.dir.File()] {
			d.addSeen(user)
		}
	}
}

// checkTracked adds the users of a directory of sessions of whom git tracks something. Who is not known is another program's.
func (d *checkup) checkTracked(dir string, known, tracked []string) {
	var users []string
	for _, name := range tracked {
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok && strings.Contains(rest, "/") {
			user, _, _ := strings.Cut(rest, "/")
			users = append(users, user)
		}
	}
	for _, user := range slices.Compact(users) {
		if slices.Contains(known, user) {
			d.add(problem.Warning{Code: SessionsTracked, User: user, Path: path.Join(dir, user)})
		}
	}
}

// unhidden is a session whose own ignore file does not hide it, of a user in a root.
type unhidden struct {
	dir        session.Dir
	user, root string
}

// addSeen adds that git does not leave a session alone.
func (d *checkup) addSeen(user unhidden) {
	ignore := path.Join(user.dir.Path(), session.IgnoreFile)
	f := Finding{Warning: problem.Warning{Code: SessionsSeen, Path: user.dir.Path()}}
	if user.user == d.o.User.Name && !d.Planning.Exists(ignore) {
		f.Fix = d.NamingRoot([]action.Action{{Kind: action.Ignore}}, user.root)[0]
	} else {
		f.Other = ignore
	}
	d.found(f)
}

// checkRepositories names the repositories that the project's settings declare and that are not here.
func (d *checkup) checkRepositories() {
	if _, _, linked := d.Planning.Shared(); linked { // git checks out none of them in a linked worktree
		return
	}
	if missing := d.Planning.MissingRepositories(); len(missing) > 0 {
		d.add(problem.Warning{
			Code: RepositoriesMissing, Path: planref.Planning + "/config.json", Paths: missing[:min(len(missing), mostFiles)], Count: len(missing),
		})
	}
}

// hidesAll reports whether an ignore file has the line of gsd's.
func (d *checkup) hidesAll(name string) bool {
	text, err := d.Planning.Read(name)
	if err != nil && !problem.IsMissing(err) {
		return true // see checkUnread
	}
	return slices.ContainsFunc(strings.Split(string(text), "\n"), func(line string) bool { return strings.TrimSpace(line) == "*" })
}

// checkSync finds out whether syncs in the background can succeed, and did.
func (d *checkup) checkSync() {
	o := team.SyncOptions{Git: d.o.Git, Env: d.o.Env}
	o.Unasked = true
	if d.refused || !team.SyncsItself(d.Project.Project) {
		return
	}
	if err := team.CannotSync(d.ctx, d.Project.Project, o); err != nil {
		d.found(Finding{
			Warning: problem.Warning{Code: SyncImpossible, Says: team.FirstLineOf(err)}, Fix: action.Action{Kind: action.EndSyncs, Dir: d.Dir},
		})
		return
	}
	if text, since := team.SyncFailure(d.Project.Project); text != "" {
		d.found(Finding{
			Warning: problem.Warning{Code: team.SyncFailing, Since: since, Says: text}, Fix: action.Action{Kind: action.Sync, Dir: d.Dir},
		})
	}
}

// checkSession checks the user's session, and looks for lost ones.
func (d *checkup) checkSession() {
	user := d.o.User.Name
	r, err := d.Hydrate(user)
	if err != nil {
		return // see checkUnread
	}
	d.checkSessionWritable(d.Session(user))
	if lost, _, _ := history.LostOf(d.Project.Project, r); len(lost) > 0 {
		for i := range lost {
			l := &lost[i]
			f := Finding{Warning: problem.Warning{Code: SessionLost, Plan: l.Plan}, Lost: l}
			if !l.Gone {
				f.Fix = l.Restore()
			}
			d.found(f)
		}
	} else if r.Verdict == answer.Corrupt {
		f := Finding{Warning: problem.Warning{Code: SessionCorrupt, Path: r.Path, Says: r.Corrupt}}
		if all, err := d.HydrateAll(user); err == nil {
			for _, a := range all.Do {
				if f.Fix.Kind == "" && (a.Starts() || a.Kind == action.Restore) {
					f.Fix = a
				}
			}
		}
		d.found(f)
	}
	if r.Session != nil && r.Verdict != answer.Corrupt {
		d.checkTasks(r.Path, r.Session.Bytes())
	}
	crumbs, _ := d.StateDir.CrumbsOf(nil, d.Dir, "", user, "", true)
	for _, bad := range crumbs.Bad {
		d.add(problem.Warning{Code: history.CrumbDamaged, ID: bad.ID, Says: bad.Why})
	}
}

// checkSessionWritable finds out whether the user's session can be written. Only a directory of the user's own is opened by a command:
// what else is in the way is somebody's.
func (d *checkup) checkSessionWritable(sessionDir session.Dir) {
	err := sessionDir.CheckWritable()
	if err == nil {
		return
	}
	failed := verdict.WriteFailed(sessionDir.File(), err)
	f := Finding{Warning: problem.Warning{Code: answer.SessionClosed, Says: failed.Text, Hint: failed.Hint}}
	dir := d.at(sessionDir.Path())
	if info := d.ownFile(sessionDir.Path()); info != nil && info.Mode()&0o700 == 0o500 {
		f.Fix = action.Action{Kind: action.AllowWriting, ID: dir}
	}
	d.found(f)
}

// checkRuns looks for what gsd run sweep would clean up after crashes.
func (d *checkup) checkRuns() {
	user := d.o.User.Name
	swept := &app.Swept{DryRun: true, Temps: d.SweepTracked(true)}
	d.checkUnread()
	if d.HasDirectory(user) {
		d.PreviewSweep(app.SweepOptions{User: user, DryRun: true}, swept)
	}
	maps.DeleteFunc(d.Planning.Unread(), func(_ string, err error) bool { return !errors.Is(err, fs.ErrPermission) }) // a sweep fixes the others
	if len(d.Planning.Unread()) > 0 {
		d.checkUnread()
		return
	}
	sweep := func(w problem.Warning) { d.found(Finding{Warning: w, Fix: action.Action{Kind: action.CleanUp}}) }
	for i := range swept.Ended {
		r := &swept.Ended[i]
		if r.State == run.StateCrashed {
			sweep(problem.Warning{Code: RunCrashed, Run: r})
		} else {
			sweep(problem.Warning{Code: RunExpired, Run: r})
		}
	}
	for i := range swept.Spared {
		if r := &swept.Spared[i]; r.Expired {
			d.found(Finding{Warning: problem.Warning{Code: RunUnchecked, Run: r}, Fix: answer.EndsExpired(r)})
		}
	}
	for _, w := range swept.Warnings {
		switch w.Code {
		case answer.RunsDamaged:
			sweep(w)
			swept.Temps-- // it is one of them once a sweep has moved it
		case answer.RunsProblem:
			d.found(Finding{Warning: w})
		}
	}
	if swept.Temps > 0 {
		sweep(problem.Warning{Code: TempsLeft, Count: swept.Temps})
	}
}

// checkLeft names the sessions that were left. No command deletes them: they are what somebody did.
func (d *checkup) checkLeft() {
	d.Notes = append(d.Notes, history.LeftSessions(d.Project.Project, d.o.User.Name)...)
}

// checkHistory notes that commits are missing which would show what was done.
func (d *checkup) checkHistory() {
	if d.Planning.IsShallow() {
		d.note(history.Truncated)
	}
}

// checkNotes looks for hand-off notes that nobody has picked up.
func (d *checkup) checkNotes() {
	for _, note := range d.Leftover().Notes(d.Planning.HandOffNotes()...) {
		if note.Written.IsZero() || note.Age < oldNote {
			continue
		}
		d.found(Finding{Warning: problem.Warning{Code: NoteOld, Path: note.Path, Count: int(note.Age / (24 * time.Hour))}, Fix: note.ArchiveNote()})
	}
}
