package team

// sync.go: the user's sessions in other clones and on other machines, through the git remote of the project. Package share has
// the rules and package gitremote the transport; here are the files between them. shared.go has what becomes of what was exchanged.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/gofrs/flock"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// SyncOptions says what to exchange.
type SyncOptions struct {
	User   string
	Git    string        // the program git
	Env    []string      // its environment
	DryRun bool          // push nothing and change nothing
	Remove bool          // remove what was shared, at the remote and here
	Wait   time.Duration // how long to wait for the guard

	// Unasked is for a sync that nobody asked for: only with the address that a person let gsd sync with by itself.
	Unasked bool
}

// Synced is the answer of gsd sync.
type Synced struct {
	User     string               `json:"user"`                 // who asks: the name that gsd whoami prints
	Remote   string               `json:"remote"`               // the name or the address of the git remote
	Ref      string               `json:"ref"`                  // the ref that holds this clone's sessions there; with --remove, those that hold the user's
	Pushed   bool                 `json:"pushed"`               // it was replaced, or would be (--dry-run); with --remove, deleted
	Files    []SharedFile         `json:"files"`                // with --dry-run: what would be pushed, in full
	Taken    []progress.Task      `json:"taken"`                // the statuses that the session here took over
	Sessions []answer.SharedPlace `json:"elsewhere"`            // the user's sessions in other clones, the last changed first, without those whose plan has its summary here
	Claim    *PlanClaim           `json:"claim"`                // who has the plan of the session here; null without a session, and if nothing is claimed
	Do       []action.Action      `json:"do"`                   // what can be run next
	Auto     bool                 `json:"auto"`                 // gsd syncs this clone by itself
	Warnings []problem.Warning    `json:"warnings"`             // what a person should know
	Turned   bool                 `json:"turned"`               // with --auto: nothing was exchanged
	Address  string               `json:"address" empty:"null"` // with --auto on: of the remote, as it may be shown; else null
	Removed  bool                 `json:"removed"`              // with --remove: what pushed says is of a deletion
	DryRun   bool                 `json:"dry_run"`              // nothing was exchanged, and pushed says what would be
}

// SharedFile is a file of what is shared, as it is pushed.
type SharedFile struct {
	Path string `json:"path"` // that of the plan, below .planning/
	Text string `json:"text"` // JSON
}

// syncTries is how often a push is tried that somebody else was faster than.
const syncTries = 5

// A Exchange is one sync of a user in a project.
type Exchange struct {
	*verdict.Project
	SyncOptions
	repo     *gitremote.Repo
	remote   *gitremote.Remote
	ref      string        // the full name of this clone's ref
	clone    string        // this clone's id
	worktree string        // see share.WorktreeID
	private  bool          // what git ignores is shared, too
	nameless bool          // neither user.email nor gsd.shareAs is set
	here     share.Session // what is said of this worktree

	id        string                 // the user's, as others see it
	refs      []gitremote.Ref        // what the remote lists
	clones    map[string]share.Clone // what is known of the user's
	before    map[string]share.Clone // what was known before
	kept      []byte                 // that as it was stored last
	forgotten []share.Session        // see verdict.ForgetShared
	seen      *Seen                  // what is known of everyone; see team.go
	all       bool                   // list all users
	news      bool                   // seen is to be stored
	claimant  *claimant              // the session that the sync claims for; nil for none

	claimless bool // the remote refuses claims
}

// The codes of the warnings about syncs.
const (
	SyncNameless      = "sync-nameless"       // without an address, other users of that name would be mistaken for this one
	SyncTeamUnread    = "sync-team-unread"    // what others have shared is read at the next sync
	SyncPartly        = "sync-partly"         // a part of what was received is left out
	SyncWithoutClaims = "sync-without-claims" // the remote takes sessions and no claims
	SyncFailing       = "sync-failing"        // every sync in the background fails
	SyncDropped       = "sync-dropped"        // the ref of a clone that is gone was deleted
	SyncClonesUnread  = "sync-clones-unread"  // there are more clones of the user than are read
)

// Sync exchanges the user's sessions with the git remote, those of each root in which the user has any. Its errors are those of syncRoot.
func Sync(ctx context.Context, p *verdict.Project, o SyncOptions) (*Synced, error) {
	base, several := p.Planning.Base, p.Planning.Undecided
	var roots []string
	for _, at := range p.InAll() {
		if at.HasDirectory(o.User) && !o.Remove {
			roots = append(roots, at.Base())
		}
	}
	if len(roots) == 0 || len(roots) == 1 && roots[0] == base && several == nil {
		return syncRoot(ctx, p, o)
	}
	defer func() {
		p.Enter(base)
		p.Planning.Undecided = several
	}()
	var done *Synced
	for _, root := range roots {
		p.Enter(root)
		synced, err := syncRoot(ctx, p, o)
		if err != nil {
			return nil, err
		}
		if done == nil || root == base {
			synced, done = done, synced
		}
		if synced != nil {
			done.Pushed = done.Pushed || synced.Pushed
			done.Files, done.Taken = append(done.Files, synced.Files...), append(done.Taken, synced.Taken...)
			done.Warnings = p.Warnings(done.Warnings, synced.Warnings)
		}
	}
	return done, nil
}

// syncRoot exchanges the user's sessions in a root with the git remote of the project: those of other clones become known here, the session here takes
// over the statuses that were set later, task by task, and what this clone has then replaces what it pushed before. Errors are of kind MissingInput
// without a remote, Refused if the project's plans are not in git and gsd.sharePrivate is not set, Busy if others pushed at
// the same moment again and again, and IO for all that keeps the remote from being used.
func syncRoot(ctx context.Context, p *verdict.Project, o SyncOptions) (*Synced, error) {
	if !o.DryRun && !o.Remove {
		defer oneAtATime(ctx, p, o.Wait)()
	}
	s, err := Begin(ctx, p, o)
	if err != nil {
		return nil, err
	}
	done := &Synced{User: o.User, Remote: s.remote.String(), Ref: s.ref, DryRun: o.DryRun, Auto: SyncsItself(p) && !o.Remove}
	if s.nameless {
		done.Warnings = append(done.Warnings, problem.Warning{Code: SyncNameless, User: o.User})
	}
	if o.Remove {
		return done, s.remove(ctx, done)
	}
	if o.DryRun {
		giveBack, err := s.repo.Borrow()
		if err != nil {
			return nil, verdict.WriteFailed(os.TempDir(), err)
		}
		defer giveBack()
	}
	if err := s.exchange(ctx, done); err != nil {
		return nil, err
	}
	if !o.DryRun {
		if err := s.fetchTeam(ctx, done.Pushed); err != nil {
			done.Warnings = append(done.Warnings, problem.Warning{Code: SyncTeamUnread, Says: FirstLineOf(err)})
		}
		if err := s.finish(ctx, done); err != nil {
			return nil, err
		}
		forgetFailure(p)
	}
	done.Sessions = sharedPlaces(p, o.User)
	done.Warnings = p.Warnings(done.Warnings)
	return done, nil
}

// oneAtATime waits until no other worktree of this clone syncs, and calls the end of it off that it returns. A sync that takes very long keeps
// nobody: the remote's refs change by compare-and-swap.
func oneAtATime(ctx context.Context, p *verdict.Project, wait time.Duration) (over func()) {
	store, err := p.StateDir.MakeClone(p.Planning.GitDir())
	if err != nil {
		return func() {}
	}
	limited, cancel := context.WithTimeout(ctx, max(wait, lockWait))
	defer cancel()
	lock := flock.New(filepath.Join(store, syncLock))
	_, _ = lock.TryLockContext(limited, 20*time.Millisecond) // without it, the sync continues
	return func() { lock.Unlock() }
}

const (
	syncLock = "sync.lock"     // is locked by the sync of one of the clone's worktrees
	lockWait = 5 * time.Second // that a sync waits for it, at least
)

// CannotSync returns why no sync can succeed as git is configured here, nil if one may. It asks nothing of the network.
func CannotSync(ctx context.Context, p *verdict.Project, o SyncOptions) error {
	_, _, _, err := configured(ctx, p, o, planref.Planning)
	return err
}

// configured finds the repository, what the user has configured and the remote to share the plans at some paths through. Errors are as
// those of Sync: this alone decides what can be shared.
func configured(ctx context.Context, p *verdict.Project, o SyncOptions, paths ...string,
) (repo *gitremote.Repo, settings gitremote.Settings, remote *gitremote.Remote, err error) {
	repo, err = gitremote.Open(p.Dir, inStore(p, remoteDir), o.Git, o.Env)
	if err != nil {
		return nil, settings, nil, &problem.Error{Kind: problem.MissingInput, Text: "this project is in no git repository", Hint: "git init, and git remote add origin URL", Err: err}
	}
	repo.Progress = p.Progress
	if settings, err = repo.Settings(ctx, paths...); err != nil {
		return nil, settings, nil, remoteFailed(err)
	}
	if remote, err = repo.Remote(ctx); err != nil {
		return nil, settings, nil, remoteFailed(err)
	}
	if o.Unasked {
		if err := checkAuto(p, remote); err != nil {
			return nil, settings, nil, err
		}
	}
	if settings.Ignored && !settings.SharePrivate && !o.Remove {
		return nil, settings, nil, problem.Fail(problem.Refused, "`gsd sync --help` says how to share the progress on its plans anyway; `gsd sync --remove` deletes what was shared of them",
			"git ignores %s, so this project's plans are private", paths[len(paths)-1])
	}
	return repo, settings, remote, nil
}

// Begin prepares one exchange. It asks nothing of the network. Errors are as those of Sync.
func Begin(ctx context.Context, p *verdict.Project, o SyncOptions) (*Exchange, error) {
	paths := []string{planref.Planning}
	if r, err := p.Hydrate(o.User); err == nil && r.Plan.Path != "" {
		paths = append(paths, r.Plan.Path)
	}
	repo, settings, remote, err := configured(ctx, p, o, paths...)
	if err != nil {
		return nil, err
	}
	id := share.UserID(o.User, settings.Email)
	if settings.ShareAs != "" {
		if id = settings.ShareAs; !share.IsID(id) {
			return nil, problem.Fail(problem.Refused, "use a-z, 0-9 and hyphens between them", "gsd.shareAs cannot be %q", id)
		}
	}
	if !o.DryRun {
		p.StateDir.MakeMachine()
	}
	if p.StateDir.Machine() == "" && (!o.DryRun || p.StateDir == "" || p.StateDir.CheckWritable() != nil) {
		return nil, problem.Fail(problem.CannotCreate, "set HOME or XDG_STATE_HOME to a directory of yours; `gsd doctor` says more",
			"gsd cannot keep the id of this machine, without which this clone would be mistaken for another one at the next sync")
	}
	if p.Planning.GitDir() == "" && !o.DryRun {
		return nil, problem.Fail(problem.IO, "`git rev-parse --git-dir --git-common-dir` says what git takes for it",
			"gsd cannot tell which directory the working trees of this repository share, so nothing is kept for it")
	}
	if err := p.MakeCloneID(o.DryRun); err != nil {
		return nil, &problem.Error{Kind: problem.CannotCreate, Text: "gsd cannot keep the id of this clone: " + problem.Cause(p.Planning.GitDir(), err), Hint: "check that the repository is writable", Err: err}
	}
	s := &Exchange{Project: p, SyncOptions: o, repo: repo, remote: remote, clone: p.CloneID().ID}
	s.ref = remote.Prefix + share.CloneRef(id, s.clone)
	s.nameless, s.private = settings.Email == "" && settings.ShareAs == "", settings.SharePrivate
	s.worktree = p.WorktreeID()
	s.here = share.Session{Worktree: s.worktree, Machine: machineOf(p.Dir), Branch: settings.Branch, Head: settings.Head}
	s.clones, s.forgotten = p.Clones(o.User), p.Forgotten(o.User)
	s.before = s.clones
	s.prepareSeen(id, settings.ClaimTTL)
	return s, nil
}

// machineOf is what a clone is called: the machine with, after a colon, the end of its path, since two may be on one machine.
func machineOf(dir string) string {
	name, _ := os.Hostname()
	parts := strings.Split(strings.Trim(filepath.ToSlash(dir), "/"), "/")
	return name + ":" + strings.Join(parts[max(0, len(parts)-2):], "/")
}

// shared returns a session of this worktree as it is shared, nil if it is on no plan that can be, and what is recorded of it. archive is the name
// of its file if it is archived.
func (s *Exchange) shared(file *planfile.File, archive string, changed time.Time) (*share.Session, progress.Record) {
	on := s.Named(file.Header).Path
	name, ok := s.SharedPlan(on)
	if !ok || len(file.Tasks) == 0 {
		return nil, progress.Record{}
	}
	l := s.here
	l.Plan, l.Changed = name, changed
	id := s.CrumbID(s.User, file)
	if c, ok := s.Crumb(s.User, id); ok && c.Archive == archive && !changed.After(s.CrumbWritten(s.User, id)) {
		l.Changed = c.Updated
	}
	l.Started, _ = file.Header.StartedAt()
	l.Digest = file.Header.Digest
	if src, err := s.Planning.Read(on); err == nil {
		l.Blob = plumbing.ComputeHash(plumbing.BlobObject, src).String()
	}
	record := s.Recorded(s.User, file, archive, changed)
	ids, statuses := verdict.SharedTasks(file)
	for i, t := range record.Tasks {
		if statuses[i] == planfile.Pending && record.Fresh.After(t.Set) {
			t.Set = record.Fresh
		}
		l.Tasks = append(l.Tasks, share.Task{ID: ids[i], Status: statuses[i], Set: t.Known(), Head: t.Head})
	}
	return &l, record
}

// current returns the session here as it is shared, and what is recorded of it; nil if there is none, if its plan is done, or cannot be shared.
func (s *Exchange) current(r *answer.Report) (*share.Session, progress.Record, error) {
	switch {
	case r.Unread != nil && !errors.Is(r.Unread, os.ErrNotExist):
		return nil, progress.Record{}, r.Unread
	case r.Session == nil:
		return nil, progress.Record{}, nil
	case r.Verdict == answer.Corrupt:
		return nil, progress.Record{}, answer.CorruptSession(r)
	}
	if s.Examine(r); r.IsStale(answer.PlanCompleted) {
		return nil, progress.Record{}, nil
	}
	shared, record := s.shared(r.Written(), "", r.Changed)
	return shared, record, nil
}

// sessions returns the sessions of this worktree: the current one first, nil for none, unless its plan is done, then those that were archived
// lately, each on another plan. The guard is held, or nothing is written; the current session first takes over what was set later in other clones.
func (s *Exchange) sessions(l *verdict.Locked, done *Synced) (all []share.Session, current *share.Session, err error) {
	if current, err = s.takeOver(l, done); err != nil {
		return nil, nil, err
	}
	if current != nil {
		all = append(all, *current)
	}
	dir := s.Session(s.User).Path()
	for i, a := range session.Archives(s.Planning.Names(dir)) {
		if i == verdict.MaxArchiveHeads || s.Now.Sub(a.At) >= share.Keep {
			break
		}
		var src []byte
		var was durable.Stamp
		err := s.Planning.In(dir, a.Name, func(root *os.Root, name string) (err error) {
			src, was, err = durable.NewBudget(s.Planning.Limit).Read(root, name, s.Planning.Limit)
			return err
		})
		if err != nil {
			continue
		}
		shared, _ := s.shared(planfile.ParseSession(src), a.Name, was.ModTime())
		same := func(o share.Session) bool { return o.Plan == shared.Plan }
		if shared != nil && !slices.ContainsFunc(all, same) && s.Planning.SummaryOf(s.PlanOfShared(shared.Plan)) == "" {
			shared.Ended = a.At
			all = append(all, *shared)
		}
	}
	return all, current, nil
}

// takeOver puts into the current session what was set later in other clones, but for what is not done here yet, and returns it as it is shared
// then; nil if it is on no plan that can be.
func (s *Exchange) takeOver(l *verdict.Locked, done *Synced) (*share.Session, error) {
	r := l.Report
	shared, own, err := s.current(r)
	if shared == nil {
		return nil, err
	}
	file := r.Written()
	ids, _ := verdict.SharedTasks(file)
	merged, later := share.Merge(own, shared.Plan, ids, s.known(), func(other share.Session, t share.Task) bool { return !isAway(s.Project, other, t) })
	if !later {
		return shared, nil
	}
	var taken []progress.Task
	statuses := map[int]planfile.Status{}
	for i, t := range merged {
		was, n := own.Tasks[i], file.Tasks[i].Number
		if t.Set.Equal(was.Set) && t.Status == was.Status {
			continue
		}
		is := &shared.Tasks[i]
		if is.Status, is.Set, is.Head = t.Status, t.Set, t.Head; t.Status == was.Status {
			continue
		}
		taken = append(taken, progress.Task{Number: n, Name: file.Title(n), Status: t.Status, Previous: was.Status})
		statuses[n] = t.Status
	}
	if s.DryRun {
		done.Taken = append(done.Taken, taken...)
		return shared, nil
	}
	if len(taken) > 0 {
		if file, err = file.SetStatuses(statuses); err != nil {
			return nil, &problem.Error{Kind: problem.BadData, Text: r.Path + ": " + err.Error(), Hint: "fix it, and sync again", Err: err}
		}
		chunks := [][]byte{file.Bytes()}
		if err := s.CheckSize(r.Path, chunks); err != nil {
			return nil, err
		}
		if err := l.Guard.Write(chunks, l.Was); err != nil {
			return nil, err
		}
		done.Taken = append(done.Taken, taken...)
	}
	if s.ReadLocked(l, s.User); l.Report.Unread != nil {
		return nil, l.Report.Unread
	}
	l.Report.Before = merged
	if err := s.WriteCrumb(l.Report); err != nil && !verdict.IsInProject(err) {
		return nil, verdict.WriteFailed(r.Path, err)
	}
	shared, _, err = s.current(l.Report)
	return shared, err
}

// known returns what is known of the sessions of the user's clones.
func (s *Exchange) known() (all []share.Session) {
	for _, id := range slices.Sorted(maps.Keys(s.clones)) {
		all = append(all, s.clones[id].Sessions...)
	}
	return all
}

// keepClones stores what is known of the user's clones.
func (s *Exchange) keepClones() error {
	s.forgotten = s.Forgotten(s.User) // also what was forgotten while this sync waited for the remote
	for id, clone := range s.clones {
		clone.Sessions = share.Without(clone.Sessions, s.forgotten)
		s.clones[id] = clone
	}
	if s.SetClones(s.User, s.clones); s.DryRun {
		return nil
	}
	text, err := share.EncodeClones(s.clones)
	if err != nil {
		return &problem.Error{Kind: problem.BadData, Text: "what is known of your clones cannot be stored: " + err.Error(), Hint: "`gsd sync --remove`, and then `gsd sync`, start over", Err: err}
	}
	if bytes.Equal(s.kept, text) {
		return nil
	}
	s.kept = text
	return s.keep(s.Planning.GitDir(), verdict.SharedFile(s.User), text)
}

// look calls do with the session of this worktree, which a dry run does not lock.
func (s *Exchange) look(ctx context.Context, do func(l *verdict.Locked) error) error {
	if !s.DryRun {
		return s.Change(ctx, s.User, s.Wait, do)
	}
	r, err := s.Hydrate(s.User)
	if err != nil {
		return err
	}
	return do(&verdict.Locked{Report: r})
}

// exchange fetches what the user's other clones have pushed, lets the session here take it over, and pushes what this clone has then. What was
// changed here by hand is recorded before, so that what is fetched was not known then. A push can only be refused to another sync of this
// clone, and a claim to anybody: then all is done again.
func (s *Exchange) exchange(ctx context.Context, done *Synced) error {
	err := s.look(ctx, func(l *verdict.Locked) error {
		current, _, err := s.current(l.Report)
		if s.claimFor(current); err == nil && !s.DryRun {
			s.KeepCrumb(l.Report)
		}
		return err
	})
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		old, partly, err := s.fetch(ctx)
		if isMoved(err) && try < syncTries {
			continue
		}
		if err != nil {
			return remoteFailed(err)
		}
		if ref := s.inTheWay(); ref != "" {
			return problem.Fail(problem.Refused, "`gsd sync --remove` deletes it, with all that your clones have shared; each shares it again at its next sync",
				"this clone can have no ref at %s as long as there is %s", s.remote, ref)
		}
		if partly != nil {
			done.Warnings = append(done.Warnings, *partly)
		}
		if n := s.unread(); n > 0 {
			done.Warnings = append(done.Warnings, problem.Warning{Code: SyncClonesUnread, Count: n, Of: len(s.clones)})
		}
		if err := s.keepClones(); err != nil {
			return err
		}
		var own []share.Session
		err = s.look(ctx, func(l *verdict.Locked) (err error) {
			var current *share.Session
			own, current, err = s.sessions(l, done)
			s.claimFor(current)
			return err
		})
		if err != nil {
			return err
		}
		was := s.clones[s.clone].Sessions
		if own, was, err = s.public(ctx, own, was); err != nil {
			return err
		}
		here, all := worktreesHere(s.Project), s.known()
		isOurs := func(plan string) bool { return s.PlanOfShared(plan) != "" }
		clock := share.Clock(s.Now, all)
		next := share.Renew(was, share.Setters(own, all), s.worktree, func(id string) bool { return here[id] }, isOurs, s.Now, clock)
		var commit *gitremote.Commit
		files, err := share.Encode(next)
		if err == nil {
			commit, err = gitremote.NewCommit(files)
		}
		if err != nil {
			return &problem.Error{Kind: problem.BadData, Text: "what is known of your sessions cannot be shared: " + err.Error(), Hint: "`gsd sync --remove` starts over", Err: err}
		}
		updates, err := s.contend()
		if err != nil {
			return err
		}
		switch {
		case len(files) == 0 && old != "":
			updates = append(updates, refUpdate{Update: gitremote.Update{Ref: s.ref, Old: old}})
		case len(files) > 0 && commit.ID != old:
			updates = append(updates, refUpdate{Update: gitremote.Update{Ref: s.ref, Old: old, New: commit.ID}, commit: commit})
		}
		for _, id := range s.gone(next, clock) {
			if len(updates) < gitremote.MaxUpdates {
				updates = append(updates, refUpdate{Update: gitremote.Update{Ref: s.remote.Prefix + share.CloneRef(s.id, id), Old: s.clones[id].Commit}})
			}
		}
		if s.DryRun {
			done.wouldPush(updates, files)
			return nil
		}
		switch result, err := s.push(ctx, updates, done); {
		case err != nil:
			return err
		case result == nil:
			if sessions, _ := share.Decode(files); len(files) > 0 {
				s.clones[s.clone] = share.Clone{Commit: commit.ID, Sessions: sessions}
			} else {
				delete(s.clones, s.clone)
			}
			return s.keepClones()
		case result.Outcome == gitremote.Rejected && result.Ref != s.ref: // the sessions can be shared without claims
			done.Warnings = append(done.Warnings, problem.Warning{Code: SyncWithoutClaims, Says: result.Reason, Hint: result.Hint})
			s.claimless = true
		case result.Outcome == gitremote.Rejected:
			return problem.Fail(problem.Refused, result.Hint, "%s", result.Reason)
		default:
			if try == syncTries {
				return outrun(result.Ref)
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Duration(rand.IntN(100<<try)) * time.Millisecond): //nolint:gosec // so that not all wait as long
			}
		}
	}
}

// public leaves out the sessions on plans that git ignores, of what this clone would share and of what it has shared.
func (s *Exchange) public(ctx context.Context, own, was []share.Session) (_, _ []share.Session, err error) {
	at := map[string]string{}
	for _, shared := range slices.Concat(own, was) {
		if plan := s.PlanOfShared(shared.Plan); plan != "" && shared.Plan != s.plan() { // of which Begin asked
			at[plan] = shared.Plan
		}
	}
	if s.private || len(at) == 0 {
		return own, was, nil
	}
	ignored, err := s.repo.Ignored(ctx, slices.Sorted(maps.Keys(at)))
	if err != nil {
		return nil, nil, remoteFailed(err)
	}
	isPrivate := func(shared share.Session) bool {
		return slices.ContainsFunc(ignored, func(plan string) bool { return at[plan] == shared.Plan })
	}
	return slices.DeleteFunc(slices.Clone(own), isPrivate), slices.DeleteFunc(slices.Clone(was), isPrivate), nil
}

// gone returns the clones whose refs can be dropped: they were known whole before this sync, have not synced for long, and hold nothing that is
// not also in a session that this clone shares next and that has not ended. What another clone has does not count: it may drop its own ref, or
// this one's, at the same moment.
func (s *Exchange) gone(next []share.Session, clock time.Time) (all []string) {
	isDone := func(plan string) bool {
		path := s.PlanOfShared(plan)
		return path != "" && s.Planning.SummaryOf(path) != ""
	}
	for _, id := range slices.Sorted(maps.Keys(s.clones)) {
		clone := s.clones[id]
		wasWhole := s.before[id].Commit == clone.Commit && !clone.Partly
		if id != s.clone && wasWhole && len(all) < mostGone && share.IsGone(clone.Sessions, next, isDone, clock) {
			all = append(all, id)
		}
	}
	return all
}

const mostGone = 10 // refs of clones that are gone that one sync drops

// wouldPush adds what updates would push: files in the user's ref, and the text of claims.
func (d *Synced) wouldPush(updates []refUpdate, files map[string][]byte) {
	d.Pushed = len(updates) > 0
	for _, u := range updates {
		if u.Ref != d.Ref {
			if u.text != nil {
				d.Files = append(d.Files, SharedFile{u.Ref, string(u.text)})
			}
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			d.Files = append(d.Files, SharedFile{name, string(files[name])})
		}
	}
}

// push makes updates, and returns the first result that is not what was wanted; nil if all are.
func (s *Exchange) push(ctx context.Context, updates []refUpdate, done *Synced) (failed *gitremote.Result, err error) {
	var refs []gitremote.Update
	for _, u := range updates {
		if u.commit != nil {
			if err := s.repo.Write(ctx, u.commit); err != nil {
				return nil, remoteFailed(err)
			}
		}
		refs = append(refs, u.Update)
	}
	results, err := s.repo.Push(ctx, s.remote, refs)
	if err != nil {
		return nil, remoteFailed(err)
	}
	for i, result := range results {
		user, clone, isClone := share.ParseCloneRef(strings.TrimPrefix(result.Ref, s.remote.Prefix))
		switch {
		case isClone && user == s.id && clone != s.clone: // one that is gone: if it cannot be dropped, the next sync tries again
			if result.Outcome == gitremote.Done {
				w := problem.Warning{Code: SyncDropped, Name: result.Ref, Machine: answer.OtherMachine}
				for _, on := range s.clones[clone].Sessions {
					w.Machine = cmp.Or(on.Machine, w.Machine)
				}
				done.Warnings = append(done.Warnings, w)
				delete(s.clones, clone)
			}
		case result.Outcome != gitremote.Done:
			if failed == nil || result.Outcome == gitremote.Rejected {
				failed = &result
			}
		default:
			if done.Pushed = true; !isClone {
				s.claimed(updates[i])
			}
		}
	}
	return failed, nil
}

// finish stores what is known of everyone, and what came of the claim.
func (s *Exchange) finish(ctx context.Context, done *Synced) error {
	s.keepTeam()
	record := s.claimOutcome(done)
	return s.Change(ctx, s.User, s.Wait, func(l *verdict.Locked) error {
		current, _, err := s.current(l.Report)
		if err == nil {
			s.storeRecord(l, record, current)
		}
		return err
	})
}

// outrun is the error for a ref that others changed at each try.
func outrun(ref string) error {
	return problem.Fail(problem.Busy, "try again", "others pushed to %s at the same moment, %d times", ref, syncTries)
}

// notRemoved is the error for a ref that was not deleted.
func notRemoved(result *gitremote.Result) error {
	if result.Outcome == gitremote.Lost {
		return problem.Fail(problem.Busy, "try again", "%s was changed at the same moment", result.Ref)
	}
	return problem.Fail(problem.Refused, "ask the administrator of the remote", "%s", result.Reason)
}

// remove deletes what was shared, at the remote and here.
func (s *Exchange) remove(ctx context.Context, done *Synced) error {
	done.Removed = true
	done.Ref = s.remote.Prefix + share.CloneRef(s.id, "*")
	if err := s.removeClaims(ctx, done); err != nil {
		return err
	}
	results, err := s.repo.Remove(ctx, s.remote, share.CloneRef(s.id, "*"), share.UserRef(s.id))
	if err != nil {
		return remoteFailed(err)
	}
	for _, result := range results {
		if result.Outcome != gitremote.Done {
			return notRemoved(&result)
		}
		done.Pushed = true
	}
	if store := s.StateDir.Clone(s.Planning.GitDir()); store != "" { // a sync in the background would share it again
		var err error
		for range syncTries { // one that is running may make another file meanwhile
			if err = os.RemoveAll(store); err == nil {
				break
			}
		}
		if err != nil {
			return verdict.WriteFailed(store, err)
		}
	}
	root, err := durable.OpenRootAt(s.Planning.GitDir())
	if err == nil {
		err = errors.Join(s.Write.Remove(root, verdict.SharedFile(s.User)), s.Write.Remove(root, verdict.ForgottenFile(s.User)))
		root.Close()
	}
	if err != nil {
		return verdict.WriteFailed(filepath.Join(s.Planning.GitDir(), verdict.SharedFile(s.User)), err)
	}
	s.SetClones(s.User, nil)
	return s.Change(ctx, s.User, s.Wait, func(l *verdict.Locked) error {
		SetClaimRecord(s.Project, l, ClaimRecord{})
		return nil
	})
}

// remoteFailed is the error for a remote that cannot be used.
func remoteFailed(err error) error {
	var failure *gitremote.Error
	if !errors.As(err, &failure) {
		return &problem.Error{Kind: problem.IO, Text: "git failed: " + FirstLineOf(err), Hint: "nothing was changed", Err: err}
	}
	kind := problem.IO
	switch failure.Kind {
	case gitremote.NoRemote:
		kind = problem.MissingInput
	case gitremote.ReadOnly, gitremote.Auth, gitremote.BadAddress:
		kind = problem.Refused
	}
	return &problem.Error{Kind: kind, Text: failure.Error(), Hint: "everything else works without it; your marks are kept here until the next `gsd sync`", Err: err}
}

// FirstLineOf is the first line of an error, for a warning.
func FirstLineOf(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
