package hydrate

// sync.go: the user's sessions in other clones and on other machines, through the git remote of the project. Package share has
// the rules and package gitremote the transport; here are the files between them. What a worktree knows of the user's sessions
// is in shared.json beside the session.

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // git's name for a file
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
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
}

// Synced is the answer of gsd sync.
type Synced struct {
	User     string        `json:"user"`      // who asks: the name that gsd whoami prints
	Remote   string        `json:"remote"`    // the name or the address of the git remote
	Ref      string        `json:"ref"`       // the ref that holds the user's sessions there
	Pushed   bool          `json:"pushed"`    // it was replaced, or would be (--dry-run); with --remove, deleted
	Files    []SharedFile  `json:"files"`     // with --dry-run: what would be pushed, in full
	Taken    []TakenStatus `json:"taken"`     // the statuses that the session here took over
	Sessions []SharedPlace `json:"elsewhere"` // the user's sessions in other clones, the last changed first
	Claim    *PlanClaim    `json:"claim"`     // who has the plan of the session here; null without a session
	Warnings []Warning     `json:"warnings"`  // what a person should know
	Removed  bool          `json:"-"`         // with --remove
	DryRun   bool          `json:"-"`
}

// SharedFile is a file of what is shared, as it is pushed.
type SharedFile struct {
	Path string `json:"path"` // that of the plan, below .planning/
	Text string `json:"text"` // JSON
}

// TakenStatus is a status that a task took over from another clone.
type TakenStatus struct {
	Number   int             `json:"number"`   // of the task, counted from 1
	Name     string          `json:"name"`     // what it is called, on one line
	Status   planfile.Status `json:"status"`   // its status now
	Previous planfile.Status `json:"previous"` // what it was here
}

// SharedPlace is a session of the user in another clone.
type SharedPlace struct {
	Plan    string    `json:"plan"`                // the plan, relative to the project
	Machine string    `json:"machine"`             // the name of the machine
	Branch  string    `json:"branch" empty:"null"` // the branch that was checked out; null for none
	Head    string    `json:"head" empty:"null"`   // its commit; null for none
	Done    int       `json:"done"`                // how many tasks are complete
	Resume  int       `json:"resume" empty:"null"` // the first task that is not; null if all are
	Total   int       `json:"total"`               // how many tasks there are
	Changed time.Time `json:"changed"`             // when anything last changed there
	Missing bool      `json:"missing"`             // there is no such plan in this checkout
}

// otherMachine stands for a machine that said no name.
const otherMachine = "another machine"

// SyncProblem warns of a part of what was received that is left out.
const SyncProblem = "sync-problem"

// syncTries is how often a push is tried that somebody else was faster than.
const syncTries = 5

// A sharer is one sync of a user in a project.
type sharer struct {
	*Project
	SyncOptions
	repo     *gitremote.Repo
	remote   *gitremote.Remote
	ref      string                        // the full name of the user's ref
	worktree string                        // see share.WorktreeID
	nameless bool                          // neither user.email nor gsd.shareAs is set
	here     func(plan string) share.Place // what is said of this worktree

	draft    *share.Replica  // what a dry run would have stored; nil before it looked
	id       string          // the user's, as others see it
	refs     []gitremote.Ref // what the remote lists
	seen     *team           // what is known of everyone; see team.go
	all      bool            // list all users
	news     bool            // seen is to be stored
	claimant *claimant       // the session that the sync claims for; nil for none
}

// Sync exchanges the user's sessions with the git remote of the project: those of other clones become known here, and what
// differs in the session here takes over the later status, task by task. Nothing that was written here is lost on the way;
// what is pushed replaces what was read at the remote, or it is read and merged again. Errors are of kind MissingInput
// without a remote, Refused if the project's plans are not in git and gsd.sharePrivate is not set, Busy if others pushed at
// the same moment again and again, and IO for all that keeps the remote from being used.
func (p *Project) Sync(ctx context.Context, o SyncOptions) (*Synced, error) {
	s, err := p.sharer(ctx, o)
	if err != nil {
		return nil, err
	}
	done := &Synced{User: o.User, Remote: s.remote.String(), Ref: s.ref, DryRun: o.DryRun}
	if s.nameless {
		done.Warnings = append(done.Warnings, Warning{SyncProblem, "git config user.email is not set: another " + o.User + " without an address would be taken for you"})
	}
	if o.Remove {
		return done, s.remove(ctx, done)
	}
	replica, err := s.exchange(ctx, done)
	if err != nil {
		return nil, err
	}
	if !o.DryRun {
		if err := s.fetchTeam(ctx, replica, done.Pushed); err != nil {
			done.Warnings = append(done.Warnings, Warning{SyncProblem, "what others have shared is read at the next sync: " + firstLineOf(err)})
		}
		if replica, err = s.takeOver(ctx, replica, done); err != nil {
			return nil, err
		}
	}
	done.Sessions = p.sharedPlaces(replica)
	for _, name := range slices.Sorted(maps.Keys(replica.Known)) {
		if plan := p.planOfShared(name); plan != "" && replica.Known[name].Schema > 0 {
			done.Warnings = append(done.Warnings, Warning{SyncProblem, "a later version of gsd shares the progress on " + plan + ", and this one does not: upgrade it"})
		}
	}
	done.Warnings = p.warnings(done.Warnings)
	return done, nil
}

func (p *Project) sharer(ctx context.Context, o SyncOptions) (*sharer, error) {
	repo, err := gitremote.Open(p.Dir, o.Git, o.Env)
	if err != nil {
		return nil, &Error{MissingInput, "this project is in no git repository", "git init, and git remote add origin URL", err}
	}
	remote, err := repo.Remote(ctx)
	if err != nil {
		return nil, remoteFailed(err)
	}
	paths := []string{planning}
	if r, err := p.Hydrate(o.User); err == nil && r.Plan.Path != "" {
		paths = append(paths, r.Plan.Path)
	}
	its, err := repo.Settings(ctx, paths...)
	if err != nil {
		return nil, remoteFailed(err)
	}
	if its.Ignored && !its.SharePrivate {
		return nil, fail(Refused, "git config gsd.sharePrivate true, to share the progress on its plans all the same",
			"git ignores %s, so this project's plans are private", paths[len(paths)-1])
	}
	id := share.UserID(o.User, its.Email)
	if its.ShareAs != "" {
		if id = its.ShareAs; !share.IsID(id) {
			return nil, fail(Refused, "use a-z, 0-9 and hyphens between them", "gsd.shareAs cannot be %q", id)
		}
	}
	p.StateDir.MakeMachine() // also for a dry run, which shows its digest
	s := &sharer{Project: p, SyncOptions: o, repo: repo, remote: remote, ref: remote.Prefix + share.UserRef(id)}
	s.nameless = its.Email == "" && its.ShareAs == ""
	s.worktree = p.worktreeID()
	name, _ := os.Hostname()
	s.here = func(string) share.Place { return share.Place{Machine: name, Branch: its.Branch, Head: its.Head} }
	s.begin(id, its.ClaimTTL)
	return s, nil
}

func (p *Project) worktreeID() string { return share.WorktreeID(p.StateDir.Machine(), p.Dir) }

// sharedPlan returns the name under which a plan is shared: its path below .planning/; for a project that is not at the top of its
// repository, the path from there. ok is false for one that cannot be.
func (p *Project) sharedPlan(plan string) (name string, ok bool) {
	name, ok = strings.CutPrefix(plan, planning+"/")
	if below := p.belowTop(); below != "" {
		name = path.Join(below, planning, name)
	}
	return name, ok && share.IsPlan(name)
}

// planOfShared is the inverse of sharedPlan; "" for a plan of another project of the repository, and for what is no plan: others may
// have pushed it.
func (p *Project) planOfShared(name string) string {
	if below := p.belowTop(); below != "" {
		var ok bool
		if name, ok = strings.CutPrefix(name, path.Join(below, planning)+"/"); !ok {
			return ""
		}
	}
	if strings.Contains("/"+name, "/"+planning+"/") || strings.HasPrefix(name, "sessions/") || planref.IsOther(path.Base(name)) {
		return ""
	}
	return path.Join(planning, name)
}

// belowTop returns the project's directory in its working tree; empty for the top.
func (p *Project) belowTop() string {
	if p.below == nil {
		_, below, _ := gitlog.Shared(p.Dir)
		if below = filepath.ToSlash(below); below == "." {
			below = ""
		}
		p.below = &below
	}
	return *p.below
}

// local returns what is shared of a session of this worktree, and whether it is on a plan that can be. here says where that is.
func (p *Project) local(its *planfile.File, here func(plan string) share.Place, changed time.Time) (share.Local, bool) {
	on := p.named(its.Header).Path
	name, ok := p.sharedPlan(on)
	if on == "" || !ok || len(its.Tasks) == 0 {
		return share.Local{}, false
	}
	l := share.Local{Plan: name, Place: here(name), Fresh: its.Header.Fresh, Changed: changed}
	l.Place.Started, _ = its.Header.StartedAt()
	l.Place.Digest = its.Header.Digest
	if src, err := p.read(on); err == nil {
		l.Place.Blob = blobID(src)
	}
	l.IDs, l.Status = sharedTasks(its)
	return l, true
}

// observe records the time of what was changed in the session since the last look, with the guard held, if the user's sessions
// are shared. changed is when that was. It comes after every mark, since a file has one time for all its tasks, and before and after the
// session is replaced.
func (p *Project) observe(l *locked, changed, now time.Time) {
	r := l.report
	if r.Session == nil || r.Verdict == Corrupt {
		return
	}
	replica, was, err := p.replica(r.User)
	if err != nil || was.IsZero() {
		return
	}
	worktree := p.worktreeID()
	here := func(plan string) share.Place {
		place := replica.Known[plan].Places[worktree]
		return share.Place{Machine: place.Machine, Branch: place.Branch, Head: place.Head, Run: place.Run}
	}
	if its, ok := p.local(r.Session, here, changed); ok {
		_ = p.writeReplica(l, replica.Observe(worktree, []share.Local{its}, now), was) // the next sync takes the file's time
	}
}

// sharedTasks returns the ids and the statuses of the tasks of a plan or a session.
func sharedTasks(f *planfile.File) (ids []string, statuses []planfile.Status) {
	var names []string
	for _, t := range f.Tasks {
		names = append(names, f.Title(t.Number))
		status := t.Status
		if !status.Known() {
			status = planfile.Pending
		}
		statuses = append(statuses, status)
	}
	return share.TaskIDs(names), statuses
}

// blobID returns git's name for a file.
func blobID(src []byte) string {
	h := sha1.New() //nolint:gosec // see above
	fmt.Fprintf(h, "blob %d\x00", len(src))
	h.Write(src)
	return hex.EncodeToString(h.Sum(nil))
}

// locals returns the sessions of this worktree, with the guard held: those that were archived since the replica was last
// written, each on another plan, and the current one at the index current, -1 for none; without those on plans that are done. replica is
// when that was.
func (s *sharer) locals(l *locked, replica time.Time) (all []share.Local, current int, err error) {
	if l.unread != nil && !errors.Is(l.unread, os.ErrNotExist) {
		return nil, 0, l.unread
	}
	r := l.report
	if r.Session != nil && r.Verdict == Corrupt {
		return nil, 0, corruptSession(r)
	}
	dir := s.session(s.User).Path()
	current = -1
	var on string
	if r.Session != nil {
		s.judge(r)
		if its, ok := s.local(r.Session, s.here, r.Changed); ok && !r.isStale(PlanCompleted) {
			all, current, on = append(all, its), 0, its.Plan
		}
	}
	for i, a := range session.Archives(s.names(dir)) {
		if i == maxFormer || a.At.Add(time.Second).Before(replica) {
			break
		}
		var src []byte
		var was durable.Stamp
		err := s.from(dir, a.Name, func(root *os.Root, name string) (err error) {
			src, was, err = durable.NewBudget(s.Limit).Read(root, name, s.Limit)
			return err
		})
		if err != nil {
			continue
		}
		its, ok := s.local(parseSession(src), s.here, was.ModTime())
		same := func(o share.Local) bool { return o.Plan == its.Plan }
		if ok && its.Plan != on && !slices.ContainsFunc(all, same) && s.summaryOf(s.planOfShared(its.Plan)) == "" {
			all = append(all, its)
		}
	}
	return all, current, nil
}

// look observes the sessions of this worktree, together with a state that was received, and stores what is known then.
func (s *sharer) look(ctx context.Context, received share.State) (replica share.Replica, err error) {
	if s.DryRun { // what is written otherwise is kept in s
		r, err := s.Hydrate(s.User)
		if err != nil {
			return replica, err
		}
		since := s.Now
		if s.draft == nil {
			known, was, err := s.readReplica()
			if err != nil {
				return replica, err
			}
			s.draft, since = &known, was.ModTime()
		}
		locals, current, err := s.locals(&locked{report: r}, since)
		if err != nil {
			return replica, err
		}
		s.claimFor(at(locals, current), r.Changed)
		*s.draft = s.draft.Round(s.worktree, received, locals, s.Now)
		return *s.draft, nil
	}
	err = s.change(ctx, s.User, s.Wait, func(l *locked) error {
		var was durable.Stamp
		if replica, was, err = s.readReplica(); err != nil {
			return err
		}
		locals, current, err := s.locals(l, was.ModTime())
		if err != nil {
			return err
		}
		s.claimFor(at(locals, current), l.was.ModTime())
		replica = replica.Round(s.worktree, received, locals, s.Now)
		return s.writeReplica(l, replica, was)
	})
	return replica, err
}

// exchange merges what is known here with what is at the remote, until the remote has both. The order is that of
// [share.Replica].
func (s *sharer) exchange(ctx context.Context, done *Synced) (share.Replica, error) {
	replica, err := s.look(ctx, nil)
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
			done.Warnings = append(done.Warnings, Warning{SyncProblem, "a part of what " + done.Ref + " has is left out: " + firstLineOf(problem)})
		}
		if old != "" {
			if replica, err = s.look(ctx, state); err != nil {
				return replica, err
			}
		}
		pruned := share.Prune(replica.Known, s.Now)
		files, err := share.Encode(pruned)
		if err != nil {
			return replica, &Error{BadData, "what is known of your sessions cannot be shared: " + err.Error(), "gsd sync --remove begins anew", err}
		}
		commit, err := gitremote.NewCommit(files)
		if err != nil {
			return replica, &Error{BadData, "what is known of your sessions cannot be shared: " + err.Error(), "gsd sync --remove begins anew", err}
		}
		updates, err := s.contend()
		if err != nil {
			return replica, err
		}
		if commit.ID != old && (len(files) > 0 || old != "") {
			updates = append(updates, refUpdate{Update: gitremote.Update{Ref: s.ref, Old: old, New: commit.ID}, commit: commit})
			for _, name := range slices.Sorted(maps.Keys(files)) {
				if s.DryRun {
					done.Pushed = true
					done.Files = append(done.Files, SharedFile{name, string(files[name])})
				}
			}
		}
		switch its, err := s.push(ctx, updates, done); {
		case err != nil:
			return replica, err
		case its == nil && s.DryRun:
			return replica, nil
		case its == nil:
			return replica.Receive(pruned), nil
		case its.Outcome == gitremote.Rejected:
			return replica, fail(Refused, "ask for refs below "+s.remote.Prefix+", or choose branches for it: git config gsd.refPrefix gsd",
				"%s: %s", done.Remote, its.Reason)
		default:
			if try == syncTries {
				return replica, fail(Busy, "try again", "others pushed to %s at the same moment, %d times", its.Ref, syncTries)
			}
			select {
			case <-ctx.Done():
				return replica, ctx.Err()
			case <-time.After(time.Duration(rand.IntN(100<<try)) * time.Millisecond): //nolint:gosec // so that not all wait as long
			}
		}
	}
}

// push makes updates, and returns the first result that is not what was wanted; nil if all are.
func (s *sharer) push(ctx context.Context, updates []refUpdate, done *Synced) (failed *gitremote.Result, err error) {
	var refs []gitremote.Update
	for _, u := range updates {
		if s.DryRun {
			if u.text != nil {
				done.Pushed, done.Files = true, append(done.Files, SharedFile{u.Ref, string(u.text)})
			}
			continue
		}
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

// takeOver stores what is known, and puts the later statuses into the session here.
func (s *sharer) takeOver(ctx context.Context, replica share.Replica, done *Synced) (share.Replica, error) {
	s.keepTeam()
	record := s.settle(done)
	err := s.change(ctx, s.User, s.Wait, func(l *locked) error {
		known, was, err := s.readReplica()
		if err != nil {
			return err
		}
		locals, current, err := s.locals(l, was.ModTime())
		if err != nil {
			return err
		}
		replica = known.Receive(replica.Known).Observe(s.worktree, locals, s.Now)
		s.storeRecord(l, record, at(locals, current))
		if err := s.writeReplica(l, replica, was); err != nil || current < 0 {
			return err
		}
		if done.Taken, err = s.take(l, replica.Take(locals[current]), locals[current]); err != nil || len(done.Taken) == 0 {
			return err
		}
		its, _ := s.local(l.report.Session, s.here, s.Now)
		replica = replica.Observe(s.worktree, []share.Local{its}, s.Now)
		if _, was, err = s.readReplica(); err != nil {
			return err
		}
		return s.writeReplica(l, replica, was)
	})
	return replica, err
}

// take gives tasks of the current session the statuses that they have elsewhere.
func (s *sharer) take(l *locked, statuses map[string]planfile.Status, its share.Local) (taken []TakenStatus, err error) {
	r := l.report
	for _, status := range []planfile.Status{planfile.Complete, planfile.InProgress, planfile.Pending} {
		var numbers []int
		for i, id := range its.IDs {
			if is, ok := statuses[id]; ok && is == status {
				numbers = append(numbers, r.Session.Tasks[i].Number)
				taken = append(taken, TakenStatus{r.Session.Tasks[i].Number, r.Session.Title(r.Session.Tasks[i].Number), status, its.Status[i]})
			}
		}
		if len(numbers) == 0 {
			continue
		}
		chunks, err := r.Session.SetStatus(status, numbers...)
		if err != nil {
			return nil, &Error{BadData, r.Path + ": " + err.Error(), "mend it, and sync again; the remote has what is known", err}
		}
		if err := s.checkSize(r.Path, chunks); err != nil {
			return nil, err
		}
		if err := l.guard.Write(chunks, l.was); err != nil {
			return nil, err
		}
		if s.readLocked(l, s.User); l.unread != nil {
			return nil, l.unread
		}
		r = l.report
	}
	if len(taken) > 0 {
		slices.SortFunc(taken, func(a, b TakenStatus) int { return a.Number - b.Number })
		s.judge(r)
		_ = s.writeCrumb(r, s.Now)
	}
	return taken, nil
}

// remove deletes what was shared, at the remote and here.
func (s *sharer) remove(ctx context.Context, done *Synced) error {
	done.Removed = true
	if err := s.removeClaims(ctx, done); err != nil {
		return err
	}
	results, err := s.repo.Remove(ctx, s.remote, strings.TrimPrefix(s.ref, s.remote.Prefix))
	if err != nil {
		return remoteFailed(err)
	}
	for _, its := range results {
		switch its.Outcome {
		case gitremote.Done:
			done.Pushed = true
		case gitremote.Lost:
			return fail(Busy, "try again", "%s was changed at the same moment", its.Ref)
		default:
			return fail(Refused, "ask whoever keeps the remote", "%s: %s", done.Remote, its.Reason)
		}
	}
	if err := s.repo.Forget(); err != nil {
		return writeFailed("gsd/objects in the repository", err)
	}
	return s.change(ctx, s.User, s.Wait, func(l *locked) error {
		s.setClaimRecord(l, claimRecord{})
		if err := s.write.Remove(l.guard.Root(), session.SharedFile); err != nil && !isMissing(err) {
			return err
		}
		return nil
	})
}

// readReplica reads what is known of the user's sessions. Without a file, or with one that cannot be read, nothing is.
func (s *sharer) readReplica() (share.Replica, durable.Stamp, error) { return s.replica(s.User) }

func (p *Project) replica(user string) (replica share.Replica, was durable.Stamp, err error) {
	var text []byte
	err = p.session(user).Look(session.SharedFile, func(root *os.Root, name string) error {
		text, was, err = durable.Read(root, name, share.MaxState)
		return err
	})
	switch {
	case isMissing(err):
		return share.Replica{}, durable.Stamp{}, nil
	case err != nil:
		return share.Replica{}, was, readFailed(path.Join(p.session(user).Path(), session.SharedFile), share.MaxState, err)
	}
	replica, err = share.DecodeReplica(text)
	if err != nil {
		p.warn(SyncProblem, path.Join(p.session(user).Path(), session.SharedFile)+" is damaged, and what it knew is read from the remote again")
	}
	return replica, was, nil
}

func (p *Project) writeReplica(l *locked, replica share.Replica, was durable.Stamp) error {
	text, err := share.EncodeReplica(replica)
	if err != nil {
		return &Error{BadData, "what is known of your sessions cannot be stored: " + err.Error(), "gsd sync --remove, and then gsd sync, begin anew", err}
	}
	if now, _, err := durable.Read(l.guard.Root(), session.SharedFile, share.MaxState); err == nil && bytes.Equal(now, text) {
		return nil
	}
	return p.write.Replace(l.guard.Root(), session.SharedFile, [][]byte{text}, 0o666, was)
}

// sharedPlaces lists the user's sessions in other clones, as far as is known here. Those in other worktrees of this repository
// are not among them: they can be read themselves.
func (p *Project) sharedPlaces(replica share.Replica) (all []SharedPlace) {
	if len(replica.Known) == 0 {
		return nil
	}
	here := []string{p.worktreeID()}
	for _, at := range p.worktrees() {
		here = append(here, at.worktreeID())
	}
	for name, its := range replica.Known {
		plan := p.planOfShared(name)
		if plan == "" {
			continue
		}
		for _, id := range its.Live() {
			if slices.Contains(here, id) {
				continue
			}
			place := its.Places[id]
			next := 1 + slices.IndexFunc(place.Tasks, func(id string) bool { return its.Status(id) != planfile.Complete })
			all = append(all, SharedPlace{
				Resume: next, Plan: plan, Machine: cmp.Or(place.Machine, otherMachine), Branch: place.Branch, Head: place.Head,
				Done: its.Complete(place), Total: len(place.Tasks), Changed: place.Stamp.Time(), Missing: !p.exists(plan),
			})
		}
	}
	slices.SortFunc(all, func(a, b SharedPlace) int {
		if c := b.Changed.Compare(a.Changed); c != 0 {
			return c
		}
		return strings.Compare(a.Plan+a.Machine, b.Plan+b.Machine)
	})
	return all
}

// sharedProgress is what gsd sync knows of a plan: the status of each task by its number, and when it was set.
type sharedProgress struct {
	tasks map[int]share.Task
	from  Origin
}

// sharedProgress returns what was known of a plan at the last gsd sync, nil for nothing.
func (p *Project) sharedProgress(user, plan string, f *planfile.File) *sharedProgress {
	name, ok := p.sharedPlan(plan)
	if !ok {
		return nil
	}
	replica, _, err := p.replica(user)
	its := replica.Known[name]
	if err != nil || len(its.Tasks)+len(its.Places) == 0 {
		return nil
	}
	known := &sharedProgress{tasks: map[int]share.Task{}, from: Origin{Plan: plan, How: ByPath}}
	if others := replica.Others(p.worktreeID(), name); len(others) > 0 {
		known.from.Machine = cmp.Or(its.Places[others[0]].Machine, otherMachine)
	}
	ids, _ := sharedTasks(f)
	for i, id := range ids {
		if t, ok := its.Tasks[id]; ok {
			known.tasks[f.Tasks[i].Number] = t
		}
	}
	return known
}

// takeShared takes the statuses that were set in any clone after a time.
func (g *formerProgress) takeShared(after time.Time) {
	if g.shared == nil || g.closed {
		return
	}
	for n, t := range g.shared.tasks {
		if g.statuses[n] != "" || !t.Stamp.Time().After(after) {
			continue
		}
		g.statuses[n] = t.Status
		if worthCarrying(t.Status) {
			g.carried = append(g.carried, Carried{Number: n, From: n, Status: t.Status})
			if !slices.Contains(g.from, g.shared.from) {
				g.from = append(g.from, g.shared.from)
			}
		}
	}
	slices.SortStableFunc(g.carried, func(a, b Carried) int { return a.Number - b.Number })
}

// addShared adds to a report without a session those that the user has in other clones, as far as the last gsd sync knows.
func (p *Project) addShared(r *Report) {
	replica, _, err := p.replica(r.User)
	if err != nil {
		return
	}
	for _, its := range p.sharedPlaces(replica) {
		if p.summaryOf(its.Plan) != "" {
			continue
		}
		id, _ := planref.PlanID(its.Plan)
		other := Elsewhere{Session: Session{
			User: r.User, Own: true, Machine: its.Machine, Remote: p.team().remote, Plan: its.Plan, ID: id, Verdict: Resume, Token: strconv.Itoa(its.Resume),
			Done: its.Done, Total: its.Total, ResumeTask: ResumeTask{Resume: its.Resume}, Changed: its.Changed,
		}}
		if its.Resume == 0 {
			other.Verdict, other.Token = Finished, "ALL_COMPLETE"
		}
		if its.Missing {
			other.Missing = its.missing()
			other.Command = Command{its.fetch(), "may bring the plan"}
		} else {
			other.Command = Command{[]string{"gsd", "restore", planWord(its.Plan, id, p.isAmbiguous(id, its.Plan))}, "continues it here, with its statuses"}
		}
		r.Elsewhere = append(r.Elsewhere, other)
	}
}

// inClones finds the tasks in progress of which nobody here is known to work on, but another clone does, as far as the last gsd
// sync knows.
func (p *Project) inClones(r *Report) {
	replica, _, err := p.replica(r.User)
	name, ok := p.sharedPlan(r.Plan.Path)
	its := replica.Known[name]
	if err != nil || !ok || len(its.Tasks) == 0 {
		return
	}
	ids, _ := sharedTasks(r.Session)
	machine := func(number int) string {
		t := its.Tasks[ids[number-1]]
		at, ok := its.Places[t.Stamp.Worktree]
		if !ok || t.Status != planfile.InProgress || !at.Ended.IsZero() || t.Stamp.Worktree == p.worktreeID() {
			return ""
		}
		return cmp.Or(at.Machine, otherMachine)
	}
	n := r.Resume
	if where := machine(n.Number); n.Interrupted && where != "" {
		n.Progress, n.Interrupted, n.Machine = InClone, false, where
	}
	for i := range n.Also {
		n.Also[i].Interrupted = n.Also[i].Interrupted && machine(n.Also[i].Number) == ""
	}
}

// missing says where the text of a plan that is not in this checkout is.
func (s *SharedPlace) missing() string {
	switch {
	case s.Branch != "" && s.Head != "":
		return fmt.Sprintf("the plan is not in this checkout: it was on branch %s, commit %.12s", s.Branch, s.Head)
	case s.Head != "":
		return fmt.Sprintf("the plan is not in this checkout: it was on commit %.12s", s.Head)
	}
	return "the plan is not in this checkout"
}

// fetch returns the command that may bring the plan's text.
func (s *SharedPlace) fetch() []string { return []string{"git", "fetch"} }

// remoteFailed is the error for a remote that cannot be used.
func remoteFailed(err error) error {
	var its *gitremote.Error
	if !errors.As(err, &its) {
		return &Error{IO, "git failed: " + firstLineOf(err), "nothing was changed", err}
	}
	kind := IO
	switch its.Kind {
	case gitremote.NoRemote:
		kind = MissingInput
	case gitremote.ReadOnly, gitremote.Auth:
		kind = Refused
	}
	return &Error{kind, its.Error(), "everything else works without it; your marks are kept here until the next gsd sync", err}
}

// at returns the element of a list at an index, nil if it is out of range.
func at(all []share.Local, i int) *share.Local {
	if i < 0 || i >= len(all) {
		return nil
	}
	return &all[i]
}

func firstLineOf(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
