package history

// worktrees.go: sessions in other places. Agents work in parallel in linked git worktrees, each of which has its own
// .planning/ and its own sessions; and a user whose name in git's configuration changes has sessions under the former name.

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// ClaimsHere returns the sessions of others than user in this worktree, and everybody's in the other worktrees.
func ClaimsHere(p *verdict.Project, user string) (all []verdict.Claim) {
	for _, at := range append([]*verdict.Project{p}, p.Worktrees()...) {
		for _, s := range at.Users() {
			if at == p && s == user {
				continue
			}
			on := at.SessionOn(s) // of one that cannot be read, status reports why
			if name, ok := at.Planning.InPlanning(on.Plan); ok && on.Plan != "" {
				on.Plan = name
				all = append(all, verdict.Claim{SessionOn: on, User: s, At: at})
			}
		}
	}
	return all
}

// TakenBy says whose session a claim is, as a reason about its plan, for a user who works in p. ok is false if it is the user's own claim
// there, under a former name.
func TakenBy(c *verdict.Claim, p *verdict.Project, user string) (reason next.Reason, ok bool) {
	reason = next.Reason{Code: next.Taken, User: c.User, Own: c.User == user}
	switch {
	case c.At == nil:
		reason.Machine = c.Machine
		return reason, true
	case c.At == p && isFormer(p, user, c.User, c.SessionOn):
		return next.Reason{}, false
	case c.At != p:
		reason.Worktree = c.At.Dir
	}
	reason.Settled, reason.Tasks = c.Settled, c.Tasks
	if reason.Old = IsOld(p, user, c); reason.Old {
		reason.Changed = c.Changed
	}
	return reason, true
}

// The codes of a session that was left.
const (
	SessionOld    = "session-old"    // an old one of another user's
	SessionFormer = "session-former" // one of the user's own under a former name
)

// LeftSessions names the sessions that were left: old ones of others, and those of a user's former names, here and in other
// worktrees. They keep nobody from their plans.
func LeftSessions(p *verdict.Project, user string) (left []problem.Warning) {
	for _, c := range ClaimsHere(p, user) {
		former := c.At == p && isFormer(p, user, c.User, c.SessionOn)
		if c.User == user || !former && !IsOld(p, user, &c) {
			continue
		}
		w := problem.Warning{Code: SessionOld, Plan: c.Plan, User: c.User, Count: c.Settled, Of: c.Tasks, Since: c.Changed}
		if former {
			w.Code = SessionFormer
		}
		if c.At != p {
			w.Path = c.At.Dir
		}
		left = append(left, w)
	}
	return left
}

// ClaimWarnings warns of claims to the plan that user starts a session on.
func ClaimWarnings(p *verdict.Project, user, plan string) (warnings []problem.Warning) {
	for _, c := range StarterOf(p, user).Claims() {
		if c.Plan != plan {
			continue
		}
		if reason, ok := TakenBy(&c, p, user); ok {
			reason.Too = true
			warnings = append(warnings, problem.Warning{Code: answer.PlanTaken, Plan: plan, Taken: &reason})
		}
	}
	return warnings
}

// isFormer reports whether the session of other is one that user started under a former name, and nobody is at work on it:
//
//   - this account wrote it here, as its breadcrumb shows, and it has not changed since the user first had a session under the present
//     name; after that, two people may share the account;
//   - or other is no person's name but an account's, which gsd is left with where git has no name (root, as in a container, or this
//     account's), and the session is this account's file.
//
// Somebody else's session must never be taken for one's own, so a name that is only similar, or the same owner, does not do.
func isFormer(p *verdict.Project, user, other string, on verdict.SessionOn) bool {
	return (isAccount(p, other) || wroteAs(p, user, other, on)) && !isAtWork(p, other)
}

// superuser is the name of the account in most containers.
const superuser = "root"

// isAccount reports whether the session of other is under the name of an account.
func isAccount(p *verdict.Project, other string) bool {
	if other != superuser && other != identity.AccountName() {
		return false
	}
	info, err := p.Planning.Root().Lstat(p.Session(other).File())
	return err == nil && verdict.IsOwn(info)
}

// wroteAs reports whether this account wrote the session of other, and not since user first had one.
func wroteAs(p *verdict.Project, user, other string, on verdict.SessionOn) bool {
	if p.StateDir == "" {
		return false
	}
	plan, _ := p.Planning.InPlanning(on.Plan) // whose path a breadcrumb has, too
	if _, ok := p.StateDir.Crumb(session.CrumbID(p.Dir, other, plan, on.Started)); !ok {
		return false
	}
	since := p.Session(user).Since()
	return since.IsZero() || on.Changed.Before(since)
}

// isAtWork reports whether somebody is known to be at work on a user's session.
func isAtWork(p *verdict.Project, user string) bool {
	runs, _ := p.ReadRuns(user, nil, p.RunFile(user)) // without them, nobody is known to be
	return slices.ContainsFunc(runs.Runs, func(r run.Run) bool { return r.Open() && r.MayLive() && r.State != run.StateUnknown })
}

// An otherSession is a session of a user that is not the one in this worktree under the user's present name.
type otherSession struct {
	*answer.Report
	at   *verdict.Project // the worktree that it is in
	File string           // its file: relative to the project, or absolute in another worktree

	isOthers bool // it is another person's, whose plan is taken over
}

// sessionIn is the session of a report in a worktree, as p names it.
func sessionIn(at *verdict.Project, r *answer.Report, p *verdict.Project) otherSession {
	file := r.Path
	if at != p {
		file = filepath.Join(at.Dir, filepath.FromSlash(file))
	}
	return otherSession{Report: r, at: at, File: file}
}

// elsewhere returns a user's readable sessions in other worktrees, and those under former names in this one, the last changed
// first. It only reads. Only commands that need them ask, because each worktree has to be looked into.
func elsewhere(p *verdict.Project, user string) (found []otherSession) {
	for _, other := range p.Users() {
		if other == user {
			continue
		}
		r, err := p.Hydrate(other)
		if err == nil && r.Session != nil && r.Verdict != answer.Corrupt && isFormer(p, user, other, verdict.SessionOnPlan(r.Session, r.Changed)) {
			found = append(found, sessionIn(p, r, p))
		}
	}
	for _, at := range p.Worktrees() {
		if r, err := at.Hydrate(user); err == nil && r.Session != nil && r.Verdict != answer.Corrupt {
			found = append(found, sessionIn(at, r, p))
		}
	}
	slices.SortStableFunc(found, func(a, b otherSession) int { return b.Changed.Compare(a.Changed) })
	return found
}

// sessionsOfOthers returns the readable sessions of other people on a plan, here and in other worktrees. It only reads.
func sessionsOfOthers(p *verdict.Project, user, plan string) (found []otherSession) {
	for _, c := range ClaimsHere(p, user) {
		if c.Plan != plan || c.User == user || c.At == p && isFormer(p, user, c.User, c.SessionOn) {
			continue
		}
		r, err := c.At.Hydrate(c.User)
		if err != nil || r.Session == nil || r.Verdict == answer.Corrupt {
			continue
		}
		other := sessionIn(c.At, r, p)
		other.isOthers = true
		found = append(found, other)
	}
	return found
}

// removedOf asks for the sessions of a user in worktrees that were removed.
type removedOf string

// removed finds a user's sessions in linked worktrees of the same repository that were removed, of which the breadcrumbs are left.
func removed(p *verdict.Project, user string) []answer.LostSession {
	return verdict.Once(p, removedOf(user), func() (all []answer.LostSession) {
		f := CrumbClassifier{World: p.World, Budget: p.Planning.Budget()}
		defer f.Close()
		for _, c := range p.CrumbsElsewhere(user) {
			if why, _ := f.Classify(&c); why == answer.LostTree {
				all = append(all, f.LostSession(c, why))
			}
		}
		return all
	})
}

// leftBehind finds a user's sessions in linked worktrees that were removed before their plans were done, if p is the main one: an agent's
// host removes its worktree when it is left, with what git ignores in it (Claude does so without a question where nothing else was changed).
// Those of which the session here has everything, those that were archived, and those whose worktree was moved are left out.
func leftBehind(p *verdict.Project, removed []answer.LostSession, r *answer.Report) (all []answer.LostSession) {
	if len(removed) == 0 {
		return nil
	}
	if _, _, linked := p.Planning.Shared(); linked {
		return nil
	}
	f := CrumbClassifier{World: p.World, p: p, dir: p.Dir, root: p.Base(), user: r.User, report: r}
	for _, l := range removed {
		c := l.Crumb
		if c.Archive != "" || !IsBegun(&c) || HasEnded(p, &c, p.Planning.SummaryOf(c.Plan)) || f.report.Session != nil && f.hasProgress(&c) || isElsewhere(p, &c) {
			continue
		}
		l.Why, l.Gone, l.Here = answer.LostBehind, !f.hasPlan(&c), r.Session != nil && r.Verdict != answer.Corrupt
		c.Project = p.Dir
		l.Instead = f.insteadOf(&c)
		all = append(all, l)
	}
	return all
}

// isElsewhere reports whether the session of a breadcrumb is in another worktree now: git worktree move takes it along.
func isElsewhere(p *verdict.Project, c *session.Crumb) bool {
	return slices.ContainsFunc(p.Worktrees(), func(at *verdict.Project) bool {
		src, stamp, err := at.Session(c.User).Read(p.Planning.Limit)
		if p.Planning.OverBudget(err, at.Session(c.User).File()) || err != nil {
			return false
		}
		on := verdict.SessionOnPlan(planfile.ParseSession(src), stamp.ModTime())
		plan, _ := at.Planning.InPlanning(on.Plan)
		return session.CrumbID(c.Project, c.User, plan, on.Started) == c.ID
	})
}

// EndBehind records in the breadcrumbs of a user's sessions in worktrees that were removed that the run of a conversation is over. A host
// removes its worktree before it tells its hooks that the conversation ended, and without this the run would count as crashed.
func EndBehind(p *verdict.Project, user, conversation string) {
	if conversation == "" {
		return
	}
	for _, l := range removed(p, user) {
		c := l.Crumb
		if record, err := run.ParseRecord(c.Run); err == nil && record.Resume == conversation {
			c.Run = nil
			_ = p.StateDir.WriteCrumb(p.Write, c) // it then says who was at work, as before
		}
	}
}

// AddElsewhere adds to a report without a session where the user has others that can be continued.
func AddElsewhere(p *verdict.Project, r *answer.Report) {
	if r.Session != nil && r.Verdict != answer.Corrupt {
		return
	}
	s := NewStarter(p, r)
	for _, other := range elsewhere(p, r.User) {
		addOther(s, other)
	}
	addShared(s)
}

// AddMain adds to a report on a session in a linked worktree the user's session in the main one, for the start of a
// conversation: it may have been started from there.
func AddMain(p *verdict.Project, r *answer.Report) {
	if r.Session == nil || r.Verdict == answer.Corrupt { // AddElsewhere has added it
		return
	}
	if _, _, linked := p.Planning.Shared(); !linked {
		return
	}
	others := p.Worktrees() // the main one first, if it has the project
	if len(others) == 0 {
		return
	}
	main := others[0]
	if _, _, linked := main.Planning.Shared(); linked {
		return
	}
	if other, err := main.Hydrate(r.User); err == nil && other.Session != nil && other.Verdict != answer.Corrupt {
		addOther(NewStarter(p, r), sessionIn(main, other, p))
	}
}

// addOther adds one of the user's other sessions to a report, unless its plan is done or gone.
func addOther(s *Starter, other otherSession) {
	on := cmp.Or(other.Plan.Moved, other.On)
	if other.IsStale(answer.PlanCompleted) || other.IsStale(answer.PlanMissing) && other.Plan.Moved == "" {
		return
	}
	CheckStates(other.at, other.Report)
	elsewhere := answer.Elsewhere{Session: other.Row(other.User == s.r.User), File: other.File}
	if other.at == s.p {
		elsewhere.May, elsewhere.Do = s.TakeUp(on, action.Adopt, claim.Options{})
	} else {
		visit := action.Action{Kind: action.Visit, Dir: other.at.Dir}
		elsewhere.Worktree, elsewhere.Do = other.at.Dir, s.p.NamingRoot([]action.Action{visit}, s.p.Base())[0]
	}
	s.r.Elsewhere = append(s.r.Elsewhere, elsewhere)
}

// TakeUp returns what takes a session of the user on a plan up that is not the one here, if that is possible.
func (s *Starter) TakeUp(plan string, kind action.Kind, o claim.Options) (claim.Availability, action.Action) {
	may := s.MayStart(plan, o)
	if may.Decision == claim.Held {
		return may, action.Action{Kind: action.ShowHolder}
	}
	return may, action.Action{Kind: kind, Plan: s.p.Planning.Argument(plan)}
}
