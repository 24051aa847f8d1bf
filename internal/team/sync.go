package team

// sync.go: the user's sessions in other clones and on other machines, through the git remote of the project. Package share has
// the rules and package gitremote the transport; here are the files between them. shared.go has what becomes of what was exchanged.

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// SyncOptions says what to exchange.
type SyncOptions struct {
	User   string
	Git    string   // the program git
	Env    []string // its environment
	DryRun bool     // push nothing and change nothing
	Remove bool     // remove what was shared, at the remote and here
	Now    time.Time
	Wait   time.Duration // how long to wait for the guard

	// Unasked is for a sync that nobody asked for: only with the address that a person let gsd sync with by itself.
	Unasked bool
}

// Synced is the answer of gsd sync.
type Synced struct {
	User     string                `json:"user"`                 // who asks: the name that gsd whoami prints
	Remote   string                `json:"remote"`               // the name or the address of the git remote
	Ref      string                `json:"ref"`                  // the ref that holds the user's sessions there
	Pushed   bool                  `json:"pushed"`               // it was replaced, or would be (--dry-run); with --remove, deleted
	Files    []SharedFile          `json:"files"`                // with --dry-run: what would be pushed, in full
	Taken    []progress.Task       `json:"taken"`                // the statuses that the session here took over
	Sessions []verdict.SharedPlace `json:"elsewhere"`            // the user's sessions in other clones, the last changed first, without those whose plan has its summary here
	Claim    *PlanClaim            `json:"claim"`                // who has the plan of the session here; null without a session, and if nothing is claimed
	Do       []action.Action       `json:"do"`                   // what can be run next
	Auto     bool                  `json:"auto"`                 // gsd syncs this clone by itself
	Warnings []project.Warning     `json:"warnings"`             // what a person should know
	Turned   bool                  `json:"turned"`               // with --auto: nothing was exchanged
	Address  string                `json:"address" empty:"null"` // with --auto on: of the remote, as it may be shown; else null
	Removed  bool                  `json:"removed"`              // with --remove: what pushed says is of a deletion
	DryRun   bool                  `json:"dry_run"`              // nothing was exchanged, and pushed says what would be
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
	ref      string      // the full name of the user's ref
	worktree string      // see share.WorktreeID
	nameless bool        // neither user.email nor gsd.shareAs is set
	here     share.Place // what is said of this worktree

	draft    *share.Replica  // what a dry run would have stored; nil before it looked
	id       string          // the user's, as others see it
	refs     []gitremote.Ref // what the remote lists
	seen     *Seen           // what is known of everyone; see team.go
	all      bool            // list all users
	news     bool            // seen is to be stored
	claimant *claimant       // the session that the sync claims for; nil for none

	claimless bool // the remote refuses claims
}

// The codes of the warnings about syncs.
const (
	SyncNameless      = "sync-nameless"       // without an address, other users of that name would be mistaken for this one
	SyncTeamUnread    = "sync-team-unread"    // what others have shared is read at the next sync
	SyncPartly        = "sync-partly"         // a part of what was received is left out
	SyncWithoutClaims = "sync-without-claims" // the remote takes sessions and no claims
	SyncFailing       = "sync-failing"        // every sync in the background fails
)

// Sync exchanges the user's sessions with the git remote of the project: those of other clones become known here, and what
// differs in the session here takes over the later status, task by task. Nothing that was written here is lost on the way;
// what is pushed replaces what was read at the remote, or it is read and merged again. Errors are of kind MissingInput
// without a remote, Refused if the project's plans are not in git and gsd.sharePrivate is not set, Busy if others pushed at
// the same moment again and again, and IO for all that keeps the remote from being used.
func Sync(ctx context.Context, p *verdict.Project, o SyncOptions) (*Synced, error) {
	s, err := Begin(ctx, p, o)
	if err != nil {
		return nil, err
	}
	done := &Synced{User: o.User, Remote: s.remote.String(), Ref: s.ref, DryRun: o.DryRun, Auto: SyncsItself(p) && !o.Remove}
	if s.nameless {
		done.Warnings = append(done.Warnings, project.Warning{Code: SyncNameless, User: o.User})
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
	replica, err := s.exchange(ctx, done)
	if err != nil {
		return nil, err
	}
	if !o.DryRun {
		if err := s.fetchTeam(ctx, replica, done.Pushed); err != nil {
			done.Warnings = append(done.Warnings, project.Warning{Code: SyncTeamUnread, Says: FirstLineOf(err)})
		}
		if replica, err = s.applyToSession(ctx, replica, done); err != nil {
			return nil, err
		}
		forgetFailure(p)
	}
	done.Sessions = sharedPlaces(p, replica)
	done.Warnings = p.Warnings(done.Warnings)
	return done, nil
}

// CannotSync returns why no sync can succeed as git is configured here, nil if one may. It asks nothing of the network.
func CannotSync(ctx context.Context, p *verdict.Project, o SyncOptions) error {
	_, _, _, err := configured(ctx, p, o, project.Planning)
	return err
}

// configured finds the repository, what the user has configured and the remote to share the plans at some paths through. Errors are as
// those of Sync: this alone decides what can be shared.
func configured(ctx context.Context, p *verdict.Project, o SyncOptions, paths ...string,
) (repo *gitremote.Repo, its gitremote.Settings, remote *gitremote.Remote, err error) {
	repo, err = gitremote.Open(p.Dir, inStore(p, remoteDir), o.Git, o.Env)
	if err != nil {
		return nil, its, nil, &project.Error{Kind: project.MissingInput, Text: "this project is in no git repository", Hint: "git init, and git remote add origin URL", Err: err}
	}
	repo.Progress = p.Progress
	if its, err = repo.Settings(ctx, paths...); err != nil {
		return nil, its, nil, remoteFailed(err)
	}
	if remote, err = repo.Remote(ctx); err != nil {
		return nil, its, nil, remoteFailed(err)
	}
	if o.Unasked {
		if err := checkAuto(p, remote); err != nil {
			return nil, its, nil, err
		}
	}
	if its.Ignored && !its.SharePrivate {
		return nil, its, nil, project.Fail(project.Refused, "`gsd sync --help` says how to share the progress on its plans anyway",
			"git ignores %s, so this project's plans are private", paths[len(paths)-1])
	}
	return repo, its, remote, nil
}

// Begin prepares one exchange. It asks nothing of the network. Errors are as those of Sync.
func Begin(ctx context.Context, p *verdict.Project, o SyncOptions) (*Exchange, error) {
	paths := []string{project.Planning}
	if r, err := p.Hydrate(o.User); err == nil && r.Plan.Path != "" {
		paths = append(paths, r.Plan.Path)
	}
	repo, its, remote, err := configured(ctx, p, o, paths...)
	if err != nil {
		return nil, err
	}
	id := share.UserID(o.User, its.Email)
	if its.ShareAs != "" {
		if id = its.ShareAs; !share.IsID(id) {
			return nil, project.Fail(project.Refused, "use a-z, 0-9 and hyphens between them", "gsd.shareAs cannot be %q", id)
		}
	}
	if !o.DryRun {
		p.StateDir.MakeMachine()
	}
	if p.StateDir.Machine() == "" && (!o.DryRun || p.StateDir == "" || p.StateDir.CheckWritable() != nil) {
		return nil, project.Fail(project.CannotCreate, "set HOME or XDG_STATE_HOME to a directory of yours; `gsd doctor` says more",
			"gsd cannot keep the id of this machine, without which this clone would be mistaken for another one at the next sync")
	}
	s := &Exchange{Project: p, SyncOptions: o, repo: repo, remote: remote, ref: remote.Prefix + share.UserRef(id)}
	s.nameless = its.Email == "" && its.ShareAs == ""
	s.worktree = p.WorktreeID()
	s.here = share.Place{Machine: machineOf(p.Dir), Branch: its.Branch, Head: its.Head}
	s.prepareSeen(id, its.ClaimTTL)
	return s, nil
}

// machineOf is what a clone is called: the machine with, after a colon, the end of its path, since two may be on one machine.
func machineOf(dir string) string {
	name, _ := os.Hostname()
	parts := strings.Split(strings.Trim(filepath.ToSlash(dir), "/"), "/")
	return name + ":" + strings.Join(parts[max(0, len(parts)-2):], "/")
}

// locals returns the sessions of this worktree, without those on plans that are done: the current one first, nil for none, then
// those that were archived since the replica was last written, each on another plan. replica is when that was. The guard is held,
// or nothing is written.
func (s *Exchange) locals(l *verdict.Locked, replica time.Time) (all []share.Local, current *share.Local, err error) {
	if l.Report.Unread != nil && !errors.Is(l.Report.Unread, os.ErrNotExist) {
		return nil, nil, l.Report.Unread
	}
	r := l.Report
	if r.Session != nil && r.Verdict == verdict.Corrupt {
		return nil, nil, verdict.CorruptSession(r)
	}
	dir := s.Session(s.User).Path()
	var on string
	if r.Session != nil {
		s.Judge(r)
		if its, ok := s.Local(r.Written(), s.here, r.Changed); ok && !r.IsStale(verdict.PlanCompleted) {
			addRecord(s.Project, &its, s.User, r.Written(), "", r.Changed)
			all, current, on = append(all, its), &its, its.Plan
		}
	}
	for i, a := range session.Archives(s.Planning.Names(dir)) {
		if i == verdict.MaxArchiveHeads || a.At.Add(time.Second).Before(replica) {
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
		file := planfile.ParseSession(src)
		its, ok := s.Local(file, s.here, was.ModTime())
		its.Place.Ended = a.At
		same := func(o share.Local) bool { return o.Plan == its.Plan }
		if ok && its.Plan != on && !slices.ContainsFunc(all, same) && s.Planning.SummaryOf(s.PlanOfShared(its.Plan)) == "" {
			addRecord(s.Project, &its, s.User, file, a.Name, was.ModTime())
			all = append(all, its)
		}
	}
	return all, current, nil
}

// observeLocal observes the sessions of this worktree, together with a state that was received, and stores what is known then; a dry run
// keeps it in s.
func (s *Exchange) observeLocal(ctx context.Context, received share.State) (replica share.Replica, err error) {
	look := func(l *verdict.Locked) error {
		var was durable.Stamp
		if replica, was, err = s.Replica(s.User); err != nil {
			return err
		}
		if s.draft != nil {
			replica = *s.draft
		}
		if len(replica.Known) == 0 {
			replica = s.recalled(replica, l.Report)
		}
		locals, current, err := s.locals(l, was.ModTime())
		if err != nil {
			return err
		}
		s.claimFor(current)
		replica = replica.Round(s.worktree, received, locals, s.Now)
		if s.DryRun {
			s.draft = &replica
			return nil
		}
		return writeReplica(s.Project, l, replica, was)
	}
	if !s.DryRun {
		return replica, s.Change(ctx, s.User, s.Wait, look)
	}
	r, err := s.Hydrate(s.User)
	if err == nil {
		err = look(&verdict.Locked{Report: r})
	}
	return replica, err
}

// exchange merges what is known here with what is at the remote, until the remote has both. The order is that of
// [share.Replica].
func (s *Exchange) exchange(ctx context.Context, done *Synced) (share.Replica, error) {
	replica, err := s.observeLocal(ctx, nil)
	if err != nil {
		return replica, err
	}
	for try := 1; ; try++ {
		old, state, problem, err := s.fetch(ctx)
		if isMoved(err) && try < syncTries {
			continue
		}
		if err != nil {
			return replica, remoteFailed(err)
		}
		if problem != nil {
			done.Warnings = append(done.Warnings, project.Warning{Code: SyncPartly, Name: done.Ref, Says: FirstLineOf(problem)})
		}
		if old != "" {
			if replica, err = s.observeLocal(ctx, state); err != nil {
				return replica, err
			}
		}
		pruned := share.Prune(replica.Known, s.Now)
		var commit *gitremote.Commit
		files, err := share.Encode(pruned)
		if err == nil {
			commit, err = gitremote.NewCommit(files)
		}
		if err != nil {
			return replica, &project.Error{Kind: project.BadData, Text: "what is known of your sessions cannot be shared: " + err.Error(), Hint: "`gsd sync --remove` starts over", Err: err}
		}
		updates, err := s.contend()
		if err != nil {
			return replica, err
		}
		if commit.ID != old && (len(files) > 0 || old != "") {
			updates = append(updates, refUpdate{Update: gitremote.Update{Ref: s.ref, Old: old, New: commit.ID}, commit: commit})
		}
		if s.DryRun {
			done.wouldPush(updates, files)
			return replica, nil
		}
		switch its, err := s.push(ctx, updates, done); {
		case err != nil:
			return replica, err
		case its == nil:
			return replica.Receive(pruned), nil
		case its.Outcome == gitremote.Rejected && its.Ref != s.ref: // the sessions can be shared without claims
			done.Warnings = append(done.Warnings, project.Warning{Code: SyncWithoutClaims, Says: its.Reason, Hint: its.Hint})
			s.claimless = true
		case its.Outcome == gitremote.Rejected:
			return replica, project.Fail(project.Refused, its.Hint, "%s", its.Reason)
		default:
			if try == syncTries {
				return replica, outrun(its.Ref)
			}
			select {
			case <-ctx.Done():
				return replica, ctx.Err()
			case <-time.After(time.Duration(rand.IntN(100<<try)) * time.Millisecond): //nolint:gosec // so that not all wait as long
			}
		}
	}
}

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
	for i, its := range results {
		if its.Outcome != gitremote.Done {
			if failed == nil || its.Outcome == gitremote.Rejected {
				failed = &its
			}
			continue
		}
		if done.Pushed = true; updates[i].Ref != s.ref {
			s.claimed(updates[i])
		}
	}
	return failed, nil
}

// applyToSession stores what is known, and puts the later statuses into the session here.
func (s *Exchange) applyToSession(ctx context.Context, replica share.Replica, done *Synced) (share.Replica, error) {
	s.keepTeam()
	record := s.claimOutcome(done)
	err := s.Change(ctx, s.User, s.Wait, func(l *verdict.Locked) error {
		known, was, err := s.Replica(s.User)
		if err != nil {
			return err
		}
		locals, current, err := s.locals(l, was.ModTime())
		if err != nil {
			return err
		}
		replica = known.Receive(replica.Known).Observe(s.worktree, locals, s.Now)
		s.storeRecord(l, record, current)
		if err := writeReplica(s.Project, l, replica, was); err != nil || current == nil {
			return err
		}
		if done.Taken, err = s.setStatuses(l, s.updates(replica, current), *current); err != nil || len(done.Taken) == 0 {
			s.keepKnown(l.Report)
			return err
		}
		its, _ := s.Local(l.Report.Written(), s.here, s.Now)
		replica = replica.Observe(s.worktree, []share.Local{its}, s.Now)
		if _, was, err = s.Replica(s.User); err != nil {
			return err
		}
		return writeReplica(s.Project, l, replica, was)
	})
	return replica, err
}

// recalled returns a replica that knows what the breadcrumb of a session does.
func (s *Exchange) recalled(replica share.Replica, r *verdict.Report) share.Replica {
	if r.Session == nil {
		return replica
	}
	name, _ := s.SharedPlan(r.Plan.Path)
	c, _ := s.Crumb(s.User, s.CrumbID(s.User, r.Session))
	return replica.Remember(name, verdict.KnownBy(&c))
}

// keepKnown brings what the breadcrumb of a session knows up to date.
func (s *Exchange) keepKnown(r *verdict.Report) {
	was, ok := s.Crumb(s.User, s.CrumbID(s.User, r.Session))
	if !ok || !verdict.Holds(r.Session, &was) || maps.Equal(verdict.KnownBy(&was), s.Known(r).Tasks) {
		return
	}
	at := was.Updated
	if r.Changed.After(at) {
		at = r.Changed
	}
	_ = s.WriteCrumb(r, at) // the next sync tries again
}

// updates returns the statuses that the current session is to take over from other places, but for those that are not done here yet.
func (s *Exchange) updates(replica share.Replica, current *share.Local) map[string]planfile.Status {
	its := replica.Known[current.Plan]
	take := replica.Updates(*current)
	maps.DeleteFunc(take, func(id string, _ planfile.Status) bool { return isAway(s.Project, &its, its.Tasks[id]) })
	return take
}

// setStatuses gives tasks of the current session the statuses that they have elsewhere.
func (s *Exchange) setStatuses(l *verdict.Locked, statuses map[string]planfile.Status, its share.Local) (taken []progress.Task, err error) {
	r := l.Report
	for _, status := range []planfile.Status{planfile.Complete, planfile.Skipped, planfile.InProgress, planfile.Pending} {
		file := r.Written()
		var numbers []int
		for i, id := range its.IDs {
			if is, ok := statuses[id]; ok && is == status {
				n := file.Tasks[i].Number
				numbers = append(numbers, n)
				taken = append(taken, progress.Task{Number: n, Name: file.Title(n), Status: status, Previous: its.Tasks[i].Status})
			}
		}
		if len(numbers) == 0 {
			continue
		}
		chunks, err := file.SetStatus(status, numbers...)
		if err != nil {
			return nil, &project.Error{Kind: project.BadData, Text: r.Path + ": " + err.Error(), Hint: "fix it, and sync again; the remote has what is known", Err: err}
		}
		if err := s.CheckSize(r.Path, chunks); err != nil {
			return nil, err
		}
		if err := l.Guard.Write(chunks, l.Was); err != nil {
			return nil, err
		}
		if s.ReadLocked(l, s.User); l.Report.Unread != nil {
			return nil, l.Report.Unread
		}
		r = l.Report
	}
	if len(taken) > 0 {
		slices.SortFunc(taken, func(a, b progress.Task) int { return a.Number - b.Number })
		s.Judge(r)
		_ = s.WriteCrumb(r, s.Now)
	}
	return taken, nil
}

// outrun is the error for a ref that others changed at each try.
func outrun(ref string) error {
	return project.Fail(project.Busy, "try again", "others pushed to %s at the same moment, %d times", ref, syncTries)
}

// notRemoved is the error for a ref that was not deleted.
func notRemoved(its *gitremote.Result) error {
	if its.Outcome == gitremote.Lost {
		return project.Fail(project.Busy, "try again", "%s was changed at the same moment", its.Ref)
	}
	return project.Fail(project.Refused, "ask the administrator of the remote", "%s", its.Reason)
}

// remove deletes what was shared, at the remote and here.
func (s *Exchange) remove(ctx context.Context, done *Synced) error {
	done.Removed = true
	if err := s.removeClaims(ctx, done); err != nil {
		return err
	}
	results, err := s.repo.Remove(ctx, s.remote, strings.TrimPrefix(s.ref, s.remote.Prefix))
	if err != nil {
		return remoteFailed(err)
	}
	for _, its := range results {
		if its.Outcome != gitremote.Done {
			return notRemoved(&its)
		}
		done.Pushed = true
	}
	if store := s.StateDir.Clone(s.GitDir()); store != "" { // a sync in the background would share it again
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
	return s.Change(ctx, s.User, s.Wait, func(l *verdict.Locked) error {
		SetClaimRecord(s.Project, l, ClaimRecord{})
		if err := s.Write.Remove(l.Guard.Root(), session.SharedFile); err != nil && !project.IsMissing(err) {
			return err
		}
		return s.forgetKnown()
	})
}

// forgetKnown removes from the user's breadcrumbs in this project what they know of what was shared.
func (s *Exchange) forgetKnown() error {
	crumbs, err := s.CrumbsOf(nil, s.User, "")
	for _, c := range crumbs.Good {
		if len(c.Known) > 0 {
			c.Known = nil
			err = errors.Join(err, s.PutCrumb(c))
		}
	}
	return err
}

// remoteFailed is the error for a remote that cannot be used.
func remoteFailed(err error) error {
	var its *gitremote.Error
	if !errors.As(err, &its) {
		return &project.Error{Kind: project.IO, Text: "git failed: " + FirstLineOf(err), Hint: "nothing was changed", Err: err}
	}
	kind := project.IO
	switch its.Kind {
	case gitremote.NoRemote:
		kind = project.MissingInput
	case gitremote.ReadOnly, gitremote.Auth, gitremote.BadAddress:
		kind = project.Refused
	}
	return &project.Error{Kind: kind, Text: its.Error(), Hint: "everything else works without it; your marks are kept here until the next `gsd sync`", Err: err}
}

// FirstLineOf is the first line of an error, for a warning.
func FirstLineOf(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
