package history

// lost.go: breadcrumbs, and the lost sessions of which only the breadcrumb is left.

import (
	"cmp"
	"errors"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// newestFirst orders lost sessions by their last change.
func newestFirst(a, b answer.LostSession) int { return b.Updated.Compare(a.Updated) }

// LostSession describes a session that was lost for a reason; "" for one that was not.
func (f *CrumbClassifier) LostSession(c session.Crumb, why answer.Lost) answer.LostSession {
	lost := answer.LostSession{
		Gone: why.IsHomeless() || why != "" && !f.hasPlan(&c),
		ID:   c.ID, Why: why, Project: c.Project, User: c.User, Plan: c.Plan, Current: c.Current, Total: len(c.Tasks),
		Updated: c.Updated, Expired: c.Expired(f.World.Now), Crumb: c,
	}
	if why != "" {
		lost.Run = f.runOf(&c)
		lost.Instead = f.insteadOf(&c)
	}
	if c.Current > 0 {
		lost.Task = c.Tasks[c.Current-1].Name
	}
	for _, t := range c.Tasks {
		switch t.Status {
		case planfile.Complete:
			lost.Done++
		case planfile.Skipped:
			lost.Skipped++
		}
	}
	return lost
}

// runOf returns the run that was at work on the lost session of a breadcrumb, as it is now; nil if there was none, or the records of the runs,
// where they are left, have its end.
func (f *CrumbClassifier) runOf(c *session.Crumb) *run.Run {
	agentRun := f.World.RunOf(c)
	if agentRun == nil || f.p == nil {
		return agentRun
	}
	over := project.Memo(&f.ended, c.User, func() map[string]bool {
		all := map[string]bool{}
		records, _ := f.p.RunFile(c.User).Records() // without them, the breadcrumb is what is known
		for _, r := range records.Runs {
			all[r.ID] = r.End != nil
		}
		return all
	})
	if over[agentRun.ID] {
		return nil
	}
	return agentRun
}

// LostSessions is the answer of gsd restore --list.
type LostSessions struct {
	Lost     []answer.LostSession `json:"lost"`     // the last changed first; those with an unreadable breadcrumb last
	Do       []action.Action      `json:"do"`       // what can be run next: what brings each of them back that can be, in their order
	Warnings []problem.Warning    `json:"warnings"` // of breadcrumbs that were not read
}

// Lost lists the lost sessions of all projects of this user on this machine. It only reads.
func Lost(w verdict.World) (*LostSessions, error) {
	return lostWithPrefix(w, "")
}

// lostWithPrefix is Lost for the sessions whose IDs begin with prefix.
func lostWithPrefix(w verdict.World, prefix string) (*LostSessions, error) {
	if w.StateDir == "" {
		return nil, problem.Fail(problem.MissingInput, "set HOME or XDG_STATE_HOME",
			"there is no directory for breadcrumbs, so lost sessions cannot be found")
	}
	crumbs, err := w.StateDir.Crumbs(prefix)
	if err != nil {
		text := "cannot read the breadcrumbs: " + problem.Cause("crumbs", err)
		return nil, &problem.Error{Kind: problem.IO, Text: text, Hint: "check that the directory is readable", Err: err}
	}
	list := &LostSessions{Warnings: UnreadCrumbs(crumbs)}
	f := CrumbClassifier{World: w, Budget: durable.NewBudget(project.CommandFiles * project.DefaultLimit)}
	defer f.Close()
	for _, c := range crumbs.Good {
		if why, _ := f.Classify(&c); why != "" {
			list.Lost = append(list.Lost, f.LostSession(c, why))
		}
	}
	slices.SortStableFunc(list.Lost, newestFirst)
	for i := range list.Lost {
		if lost := &list.Lost[i]; !lost.Gone {
			list.Do = append(list.Do, lost.Restore())
		}
	}
	list.Do = action.Distinct(list.Do)
	for _, bad := range crumbs.Bad {
		list.Lost = append(list.Lost, answer.LostSession{ID: bad.ID, Why: answer.LostCorrupt, Corrupt: bad.Why})
	}
	if len(list.Lost) > 0 {
		list.Do = append(list.Do, action.Action{Kind: action.HowToForget})
	}
	return list, nil
}

// LostOf finds the lost sessions of a report's user in this project, and in worktrees of its repository that were removed, for as long as
// their loss is to be reported: [Lost] lists the others, too. In behind are all in such worktrees, also those that are not to come back here.
func LostOf(p *verdict.Project, r *answer.Report) (lost, behind []answer.LostSession, warnings []problem.Warning) {
	odd := r.Session == nil || r.Verdict == answer.Corrupt // otherwise, bootstrap finds what was lost of an archived session
	// Those that are only in the session's own directory are left out: gsd restore, which looks in the state directory, would not find them.
	crumbs, _ := p.StateDir.CrumbsOf(p.CrumbList(), p.Dir, p.Base(), r.User, currentCrumb(p, r), odd) // gsd restore --list reports the error
	crumbs.Good = append(crumbs.Good, ofRenamed(p, r)...)
	all := classified(p, r, crumbs)
	behind = removed(p, r.User)
	lost = append(slices.DeleteFunc(all, func(l answer.LostSession) bool { return l.Why == "" }), leftBehind(p, behind, r)...)
	lost = slices.DeleteFunc(lost, func(l answer.LostSession) bool { return !l.Matters() })
	slices.SortStableFunc(lost, newestFirst)
	return lost, behind, append(UnreadCrumbs(crumbs), badCrumbs(crumbs)...)
}

// ofRenamed returns the breadcrumbs of sessions whose workstream is gone and whose plan is in this root now, as if they were of this root.
func ofRenamed(p *verdict.Project, r *answer.Report) (all []session.Crumb) {
	if !p.Planning.HasSeveral() {
		return nil
	}
	found, _ := p.StateDir.CrumbsOf(p.CrumbList(), p.Dir, "", r.User, "", false) // without them, less is known
	for _, c := range found.Good {
		if !p.Planning.Exists(c.Root) && p.Planning.RootOfPlan(MovedTo(p, &c)) == p.Base() {
			c.Root = p.Base()
			all = append(all, c)
		}
	}
	return all
}

// remembered finds the sessions of a report's user in this project that have a breadcrumb, wherever that is, the last changed first, except
// for the current one. Why is empty for one that is not lost.
func remembered(p *verdict.Project, r *answer.Report) []answer.LostSession {
	crumbs, _ := p.CrumbsOf(p.CrumbList(), r.User, currentCrumb(p, r)) // gsd restore --list reports the error
	return classified(p, r, crumbs)
}

// currentCrumb returns the id of the breadcrumb of a report's session, which may be long, and is not read if the session can be trusted;
// else "".
func currentCrumb(p *verdict.Project, r *answer.Report) string {
	if r.Session != nil && r.Verdict != answer.Corrupt && !r.IsStale(answer.TaskCount) && !r.IsStale(answer.PlanMissing) {
		return p.CrumbID(r.User, r.Session)
	}
	return ""
}

// classified finds what became of the sessions of breadcrumbs of a report's user in this project.
func classified(p *verdict.Project, r *answer.Report, crumbs session.Crumbs) (all []answer.LostSession) {
	f := CrumbClassifier{World: p.World, p: p, dir: p.Dir, root: p.Base(), user: r.User, report: r}
	for _, c := range crumbs.Good {
		why, _ := f.Classify(&c)
		all = append(all, f.LostSession(c, why))
	}
	slices.SortStableFunc(all, newestFirst)
	return all
}

// LostByID finds a lost session by its ID or by an unambiguous prefix of it. It returns nil if there is none.
func LostByID(w verdict.World, id string) (*answer.LostSession, error) {
	all, err := lostWithPrefix(w, id)
	if err != nil {
		return nil, err
	}
	found, more := answer.ByPrefix(all.Lost, id, func(lost *answer.LostSession) string { return lost.ID })
	if more {
		return nil, problem.Fail(problem.MissingInput, "", "%q matches more than one lost session", id).Try(action.Action{Kind: action.ListLost})
	}
	return found, nil
}

// LostHere finds the session that a user has lost in this project: the only one. It returns nil if none is lost.
func LostHere(p *verdict.Project, user string) (*answer.LostSession, error) {
	if p.StateDir == "" {
		return nil, nil
	}
	all, err := lostWithPrefix(p.World, session.CrumbPrefix(p.Dir, user))
	if err != nil {
		return nil, err
	}
	lost := slices.DeleteFunc(all.Lost, func(lost answer.LostSession) bool {
		return lost.Project != p.Dir || lost.Crumb.Root != p.Base() || lost.User != user
	})
	switch {
	case len(lost) == 0:
		return nil, nil
	case len(lost) > 1:
		current := slices.DeleteFunc(slices.Clone(lost), func(l answer.LostSession) bool { return l.Crumb.Archive != "" })
		if len(current) == 1 { // the others had already made way for it
			return &current[0], nil
		}
		return nil, problem.Fail(problem.MissingInput, "name one", "%d sessions of %s are lost here", len(lost), user).
			Try(action.Action{Kind: action.ListLost})
	}
	return &lost[0], nil
}

// Forgotten is the answer of gsd forget.
type Forgotten struct {
	Forgotten *answer.LostSession `json:"forgotten"` // the lost session whose breadcrumb was deleted
}

// Forget deletes the breadcrumb of a lost session, named by its ID or by an unambiguous prefix of it, and what gsd sync knows of it here: it does
// not come back.
func Forget(w verdict.World, id string) (*Forgotten, error) {
	lost, err := LostByID(w, id)
	switch {
	case err != nil:
		return nil, err
	case lost == nil:
		return nil, problem.Fail(problem.MissingInput, "", "no lost session %q", id).Try(action.Action{Kind: action.ListLost})
	}
	if err := verdict.ForgetShared(w, &lost.Crumb); err != nil {
		return nil, &problem.Error{Kind: problem.IO, Text: "cannot forget what is shared of it: " + problem.Reason(err), Hint: "check that the repository is writable", Err: err}
	}
	if err := w.StateDir.RemoveCrumb(w.Write, lost.ID); err != nil {
		return nil, &problem.Error{Kind: problem.IO, Text: "cannot remove " + problem.Cause("the breadcrumb", err), Hint: "check that its directory is writable", Err: err}
	}
	return &Forgotten{lost}, nil
}

// CrumbClassifier determines what became of the sessions of breadcrumbs. Breadcrumbs of one user in one project should be asked about
// one after the other, so that the project's files are read once.
type CrumbClassifier struct {
	World     verdict.World
	Budget    *durable.Budget
	dir, root string
	user      string
	p         *verdict.Project // of dir; nil with an error
	err       error
	report    *answer.Report   // on the session there, which may not have been judged
	starter   *Starter         // nil before it is asked
	archived  []*planfile.File // see archives
	listed    bool
	summaries map[string]string          // by plan
	plans     map[verdict.PlanThen]bool  // whether it still exists somewhere
	copies    map[string]bool            // by plan, whether the current session has its tasks
	ended     map[string]map[string]bool // the recorded runs by id, and whether they have ended, by user
}

// hasPlan reports whether a breadcrumb's plan still exists, at its path or with the same bytes at another.
func (f *CrumbClassifier) hasPlan(c *session.Crumb) bool {
	return f.p != nil && project.Memo(&f.plans, verdict.PlanThen{Path: c.Plan, Digest: c.Digest}, func() bool {
		_, err := f.p.Planning.Lstat(c.Plan)
		return err == nil || MovedTo(f.p, c) != ""
	})
}

// Close closes the project that was last looked into.
func (f *CrumbClassifier) Close() {
	if f.p != nil {
		f.p.Close() // it was only read through
	}
}

// insteadOf returns what to run instead of restoring the session of a breadcrumb: somebody else has taken its plan, or a run may be at
// work on the session in its place.
func (f *CrumbClassifier) insteadOf(c *session.Crumb) (none action.Action) {
	if f.p == nil || f.report.Session != nil && verdict.IsOf(f.report.Session, c) {
		return none
	}
	if f.starter == nil {
		if f.report.Verdict == "" {
			f.p.Examine(f.report)
		}
		f.starter = NewStarter(f.p, f.report)
	}
	candidate := claim.Plan{Path: cmp.Or(MovedTo(f.p, c), c.Plan), Formerly: c.Plan}
	switch may := f.starter.Decide(candidate, claim.Restoring); {
	case may.Decision == claim.Held:
		return action.Action{Kind: action.ShowHolder, Dir: c.Project, Root: f.rootName(c)}
	case may.Why == claim.InUse:
		return action.Action{Kind: action.ShowRuns, Dir: c.Project, Root: f.rootName(c)}
	}
	return none
}

// rootName returns the name of the root of a breadcrumb's session, "" for that of a project without workstreams.
func (f *CrumbClassifier) rootName(c *session.Crumb) string {
	if c.Root == planref.Planning {
		return ""
	}
	return f.p.Planning.RootName(c.Root)
}

func (f *CrumbClassifier) openProject(dir, root, user string) {
	if f.dir == dir && f.root == root && f.user == user {
		return
	}
	f.Close()
	*f = CrumbClassifier{World: f.World, Budget: f.Budget, dir: dir, root: root, user: user}
	if f.p, f.err = verdict.OpenAt(dir, f.World, f.Budget); f.err != nil {
		return
	}
	f.p.Enter(root)
	f.report = f.p.Read(user)
}

// Classify returns why the session of a breadcrumb is lost, "" if it is not. useless reports whether the breadcrumb is no longer
// needed: its plan is done, the session was restored where its plan is now, or it is archived although the breadcrumb, after a
// crash, does not say so. c becomes what the session's own directory has of it, if that is later.
func (f *CrumbClassifier) Classify(c *session.Crumb) (why answer.Lost, useless bool) {
	f.openProject(c.Project, c.Root, c.User)
	if f.err == nil {
		*c = f.p.Latest(*c)
	}
	switch {
	case errors.Is(f.err, project.ErrNoPlans):
		return answer.LostPlans, false
	case problem.IsMissing(f.err) && c.Repository != "" && c.Continued:
		return "", true
	case problem.IsMissing(f.err) && c.Repository != "":
		return answer.LostTree, false
	case problem.IsMissing(f.err):
		return answer.LostProject, false
	case f.err != nil:
		return "", false // a project that cannot be read is not known to be lost
	}
	summary := project.Memo(&f.summaries, c.Plan, func() string { return f.p.Planning.SummaryOf(c.Plan) })
	switch {
	case HasEnded(f.p, c, summary):
		return "", true
	case f.report.Unread != nil:
		return "", false
	case f.report.Session != nil && verdict.Holds(f.report.Session, c):
		return "", path.Clean(f.report.Session.Header.Plan) != c.Plan
	case c.Archive != "" && f.p.Planning.Exists(path.Join(f.p.Session(f.user).Path(), path.Base(c.Archive))):
		return "", false // it is needed if the archive is lost, too, and says when its tasks were set
	case c.Archive != "" && (c.Continued || !IsBegun(c)):
		return "", true
	case slices.ContainsFunc(f.archives(), func(s *planfile.File) bool { return verdict.Holds(s, c) }):
		return "", true
	case f.report.Session == nil:
		return answer.LostFile, false
	case verdict.IsOf(f.report.Session, c):
		return answer.LostTorn, false
	case f.hasProgress(c):
		return "", false // until the plan has other tasks again
	}
	return answer.LostPlace, false
}

// HasEnded reports whether the plan of a breadcrumb has got its summary since the session began. summary is its path, "" for none.
func HasEnded(p *verdict.Project, c *session.Crumb, summary string) bool {
	return summary != "" && (c.Summary == "" || p.Planning.DigestOf(summary) != c.Summary)
}

// hasProgress reports whether the current session has the tasks that the plan of a breadcrumb has now, and is as far with all of
// them: then there is nothing to restore.
func (f *CrumbClassifier) hasProgress(c *session.Crumb) bool {
	isCopy := project.Memo(&f.copies, c.Plan, func() bool {
		src, err := f.p.Planning.Read(c.Plan)
		return err == nil && path.Clean(f.report.Session.Header.Plan) == c.Plan && f.report.Session.Holds(src)
	})
	if !isCopy {
		return false
	}
	tasks, _ := Recall(c, f.report.Session, progress.Describe(f.report.Session))
	for i, t := range tasks {
		if progress.Advances(f.report.Session.Tasks[i].Status, t.Status) {
			return false
		}
	}
	return true
}

func (f *CrumbClassifier) archives() []*planfile.File {
	if f.listed {
		return f.archived
	}
	f.listed = true
	dir := f.p.Session(f.user).Path()
	all := session.Archives(f.p.Planning.Names(dir))
	for _, archive := range all[:min(len(all), verdict.MaxArchived)] {
		if src, err := f.p.Planning.Read(path.Join(dir, archive.Name)); err == nil {
			f.archived = append(f.archived, planfile.ParseSession(src))
		}
	}
	return f.archived
}

// ShowLost records that lost sessions were shown to somebody. They are kept from the first time on; see session.CrumbLife.
func ShowLost(p *verdict.Project, lost []answer.LostSession) {
	for i := range lost {
		if c := &lost[i].Crumb; c.ID != "" && c.Shown.IsZero() {
			_ = p.StateDir.ShowCrumb(p.Write, c.ID, p.Now) // the next one tries again
		}
	}
}

// IsBegun reports whether any task of a breadcrumb is complete, skipped or in progress.
func IsBegun(c *session.Crumb) bool {
	return slices.ContainsFunc(c.Tasks, func(t progress.Task) bool { return progress.Worked(t.Status) })
}

// IsSet reports whether somebody has set a task of the session of a breadcrumb, perhaps back.
func IsSet(c *session.Crumb) bool {
	return slices.ContainsFunc(c.Tasks, func(t progress.Task) bool { return progress.Worked(t.Status) || !t.Set.IsZero() })
}

// CrumbsUnread warns that there are more breadcrumbs than one command reads.
const CrumbsUnread = "crumbs-unread"

// UnreadCrumbs warns if not all breadcrumbs were read.
func UnreadCrumbs(crumbs session.Crumbs) []problem.Warning {
	if crumbs.Unread == 0 {
		return nil
	}
	return []problem.Warning{{Code: CrumbsUnread, Count: crumbs.Unread}}
}

// The codes of the warnings about breadcrumbs that cannot be read.
const (
	CrumbDamaged  = "breadcrumb-damaged"
	CrumbsDamaged = "breadcrumbs-damaged" // more than are named
)

// mostBad is how many damaged breadcrumbs are named.
const mostBad = 3

// badCrumbs warns of breadcrumbs that cannot be read: a session of which one is all that is left is not among the lost ones.
func badCrumbs(crumbs session.Crumbs) (warnings []problem.Warning) {
	for i, bad := range crumbs.Bad {
		if i == mostBad {
			return append(warnings, problem.Warning{Code: CrumbsDamaged, Count: len(crumbs.Bad) - i})
		}
		warnings = append(warnings, problem.Warning{Code: CrumbDamaged, ID: bad.ID, Says: bad.Why})
	}
	return warnings
}
