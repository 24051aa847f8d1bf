package doctor

// project.go: what is wrong with a user's session, with what belongs to it, and with how the project uses git.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/work"
)

// The codes of findings about a project, besides those of the warnings in package verdict.
const (
	DriverPartly    = "merge-driver-incomplete"
	SessionsTracked = "sessions-tracked"
	SessionsSeen    = "sessions-not-ignored"
	SyncFailing     = "sync-failing"
	SessionLost     = "session-lost"
	SessionOld      = "session-old"
	RunCrashed      = "run-crashed"
	RunExpired      = "run-expired"
	LeaseLeft       = "lease-left"
	TempsLeft       = "temporary-files"
	NoteOld         = "hand-off-old"
	CrumbDamaged    = history.CrumbDamaged
	SessionCorrupt  = "session-corrupt" // the session file is none
)

// oldNote is the age of a hand-off note that nobody seems to have picked up.
const oldNote = 7 * 24 * time.Hour

// checkDriver finds out whether gsd is git's merge driver by half: as in a clone of a project whose .gitattributes names it. Only where
// one of the two files mentions it, git is asked, which also knows other files with attributes and configuration. Another program's driver
// of that name is left alone.
func (d *checkup) checkDriver() {
	if d.GitDir() == "" || d.refused {
		return
	}
	const most = 1 << 20
	attributes, _ := d.Planning.Read(".gitattributes")
	config, _ := (*durable.Budget)(nil).ReadAt(filepath.Join(d.GitDir(), "config"), most)
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
	const help = "; `gsd state merge --help` has the lines that belong together"
	switch isOurs := strings.Contains(driver, " state merge %O "); {
	case driver == "" && named:
		d.add(DriverPartly, "git's attributes name gsd as the merge driver of STATE.md and ROADMAP.md, but merge.gsd.driver is not configured in this clone, "+
			"so git merges as usual"+help, action.Action{})
	case isOurs && other != "":
		d.add(DriverPartly, "merge.gsd.driver is configured, but git's attributes have it merge otherwise: "+other+help, action.Action{})
	}
}

// checkIgnored finds out whether git leaves the sessions alone.
func (d *checkup) checkIgnored() {
	const dir = project.Planning + "/sessions"
	if d.refused || d.GitDir() == "" || !d.Planning.Exists(dir) {
		return
	}
	tracked, _, _ := d.git("ls-files", "-z", "--", dir)
	var users []string
	for name := range strings.SplitSeq(tracked, "\x00") {
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok && strings.Contains(rest, "/") {
			user, _, _ := strings.Cut(rest, "/")
			users = append(users, user)
		}
	}
	for _, user := range slices.Compact(users) {
		d.add(SessionsTracked, "git tracks the session of "+user+", which belongs to one person on one machine; take "+path.Join(dir, user)+
			" out of git's index, and leave the files where they are", action.Action{})
	}
	var seen []string // as far as their own ignore files say
	var files strings.Builder
	for _, user := range session.Users(d.Planning.Root()) {
		its := d.Session(user)
		if (d.Planning.Exists(its.File()) || !its.Since().IsZero()) && !d.hidesAll(path.Join(its.Path(), session.IgnoreFile)) {
			seen = append(seen, user)
			files.WriteString(its.File() + "\x00")
		}
	}
	if len(seen) == 0 {
		return
	}
	ignored, _, _ := d.askGit(files.String(), "check-ignore", "-z", "--stdin", "--no-index") // once: there may be thousands
	is := map[string]bool{}
	for file := range strings.SplitSeq(ignored, "\x00") {
		is[file] = true
	}
	for _, user := range seen {
		if !is[d.Session(user).File()] {
			d.addSeen(user)
		}
	}
}

// addSeen adds that git does not leave the session of a user alone.
func (d *checkup) addSeen(user string) {
	dir := d.Session(user)
	ignore := path.Join(dir.Path(), session.IgnoreFile)
	detail := "git does not ignore " + dir.Path() + ", so that somebody will commit it"
	if user == d.o.User.Name && !d.Planning.Exists(ignore) {
		d.add(SessionsSeen, detail, action.Action{Kind: action.Ignore})
	} else {
		d.add(SessionsSeen, detail+"; "+ignore+" should have the line *", action.Action{})
	}
}

// hidesAll reports whether an ignore file has the line of gsd's.
func (d *checkup) hidesAll(name string) bool {
	text, err := d.Planning.Read(name)
	if err != nil && !project.IsMissing(err) {
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
		d.add(SyncFailing, "background sync is on, but no sync can succeed: "+team.FirstLineOf(err), action.Action{Kind: action.EndSyncs, Dir: d.Dir})
		return
	}
	if text, since := team.SyncFailure(d.Project.Project); text != "" {
		d.add(SyncFailing, "since "+verdict.Minute(since)+", every sync in the background fails: "+text, action.Action{Kind: action.Sync, Dir: d.Dir})
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
	if lost, _, _ := history.LostOf(d.Project.Project, r, d.o.Now); len(lost) > 0 {
		for i := range lost {
			l := &lost[i]
			f := Finding{Code: SessionLost, Detail: "the session on " + verdict.PlanInText(l.Plan) + " is lost", Lost: l}
			if !l.Gone {
				f.Fix = l.Restore()
			}
			d.found(f)
		}
	} else if r.Verdict == verdict.Corrupt {
		f := Finding{Code: SessionCorrupt, Path: r.Path, Detail: r.Corrupt}
		if all, err := d.HydrateAll(user, d.o.Now); err == nil {
			for _, a := range all.Do {
				if f.Fix.Kind == "" && (a.Starts() || a.Kind == action.Restore) {
					f.Fix = a
				}
			}
		}
		d.found(f)
	}
	if r.Session != nil && r.Verdict != verdict.Corrupt {
		d.checkTasks(r.Path, r.Session.Bytes())
	}
	crumbs, _ := d.StateDir.CrumbsOf(nil, d.Dir, user, "", true)
	for _, bad := range crumbs.Bad {
		d.add(CrumbDamaged, "breadcrumb "+bad.ID+" is damaged: "+bad.Why+"; "+verdict.HowToForget, action.Action{})
	}
}

// checkSessionWritable finds out whether the user's session can be written. Only a directory of the user's own is opened by a command:
// what else is in the way is somebody's.
func (d *checkup) checkSessionWritable(its session.Dir) {
	err := its.CheckWritable()
	if err == nil {
		return
	}
	failed := verdict.WriteFailed(its.File(), err)
	f := Finding{Code: verdict.SessionClosed, Detail: "nothing can be marked: " + failed.Text + "; " + failed.Hint}
	dir := d.at(its.Path())
	if info := d.ownFile(its.Path()); info != nil && info.Mode()&0o700 == 0o500 {
		f.Fix = action.Action{Kind: action.AllowWriting, ID: dir}
	}
	d.found(f)
}

// checkRuns looks for what gsd run sweep would clean up after crashes.
func (d *checkup) checkRuns() {
	user := d.o.User.Name
	swept := &work.Swept{DryRun: true, Temps: work.SweepTracked(d.Project.Project, d.o.Now, true)}
	d.checkUnread()
	if d.HasDirectory(user) {
		work.PreviewSweep(d.Project.Project, work.SweepOptions{User: user, DryRun: true, Now: d.o.Now}, swept)
	}
	maps.DeleteFunc(d.Planning.Unread(), func(_ string, err error) bool { return !errors.Is(err, fs.ErrPermission) }) // a sweep fixes the others
	if len(d.Planning.Unread()) > 0 {
		d.checkUnread()
		return
	}
	sweep := func(code, detail string) { d.add(code, detail, action.Action{Kind: action.CleanUp}) }
	for i := range swept.Ended {
		its := &swept.Ended[i]
		if its.State == run.StateCrashed {
			sweep(RunCrashed, "it crashed: its process is gone, and no end was recorded: "+its.Who())
		} else {
			sweep(RunExpired, "its time to live is over: "+its.Who())
		}
	}
	for i := range swept.Spared {
		if its := &swept.Spared[i]; its.Expired {
			d.add(RunExpired, "its time to live is over, and it cannot be checked from here: "+its.Who(), verdict.EndsExpired(its))
		}
	}
	for _, w := range swept.Warnings {
		switch w.Code {
		case verdict.JournalDamaged, verdict.JournalProblem:
			sweep(w.Code, w.Detail)
		}
	}
	if swept.Lease && len(swept.Ended) == 0 {
		sweep(LeaseLeft, "a lease is left whose run is over, or that cannot be read")
	}
	if swept.Temps > 0 {
		sweep(TempsLeft, verdict.Counted(swept.Temps, "temporary file is", "temporary files are")+" left of a crash")
	}
}

// checkLeft names the sessions that were left. No command deletes them: they are what somebody did.
func (d *checkup) checkLeft() {
	for _, what := range history.LeftSessions(d.Project.Project, d.o.User.Name) {
		d.note(SessionOld, what)
	}
}

// checkNotes looks for hand-off notes that nobody has picked up.
func (d *checkup) checkNotes() {
	for _, note := range work.Notes(d.Project.Project, d.o.Now, d.Planning.HandOffNotes()...) {
		if note.Written.IsZero() || note.Age < oldNote {
			continue
		}
		d.found(Finding{
			Code: NoteOld, Path: note.Path, Fix: note.PutAway(),
			Detail: fmt.Sprintf("a hand-off note is %d days old", note.Age/(24*time.Hour)),
		})
	}
}
