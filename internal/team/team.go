// Package team is about the others: it exchanges the user's sessions with the git remote (Sync), claims plans there, and knows what was last
// seen of everyone (LastSeen). Package share has the rules and package gitremote the transport.
package team

// team.go: what gsd sync last saw of everyone who shares through the remote. It is a cache in the repository's directory gsd,
// which all worktrees share, and every text in it was cleaned by package share. Commands read it without git, and without it
// they know of nobody. It is made of lines of fields with tabs between them, because status has to read ten thousand sessions
// in the time of a few runs of git.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// A Seen is what one remote has.
type Seen struct {
	Remote string               // its name
	prefix string               // of its refs
	ttl    time.Duration        // for how long a claim holds
	own    map[string]string    // the ids of the users of this clone, by their names
	Claims map[string]heldClaim // by their refs, without the prefix
	looked time.Time            // when all clones were last listed
	count  int                  // how many there were

	clones map[string]teammate // by whose they are, USER/CLONE; see everyone
	rest   string              // their lines, not yet parsed
}

// A teammate is the ref of a clone.
type teammate struct {
	commit   string
	sessions []CloneSession
}

// A heldClaim is the ref of a claim. The claim is zero if the ref holds anything else.
type heldClaim struct {
	commit string
	share.Claim
}

// A CloneSession is a session in one worktree of somebody.
type CloneSession struct {
	Plan, worktree, machine string
	done, skipped           int
	resume, total           int
	started, changed        time.Time

	Branch, head, blob string // see share.Session; only of the user's own
}

const (
	teamFile   = "team"
	teamHead   = "gsd team"
	maxTeam    = 64 << 20 // bytes
	maxLive    = 50       // sessions of one clone
	maxFetched = 500      // clones, or claims, that a sync reads; the next one continues
	maxClones  = 200      // of the user

	// A team of more than fewUsers clones is looked at every lookEvery only, because listing it takes longer than all the rest of a sync.
	fewUsers  = 100
	lookEvery = 10 * time.Minute
)

// LastSeen returns what was last synced; an empty one if nothing was.
func LastSeen(p *verdict.Project) *Seen {
	return verdict.Once(p, lastSeen{}, func() *Seen {
		if file := inStore(p, teamFile); file != "" {
			if text, err := (*durable.Budget)(nil).ReadAt(file, maxTeam); err == nil {
				return parseTeam(string(text))
			}
		}
		return &Seen{}
	})
}

// lastSeen asks for what was last synced.
type lastSeen struct{}

// Lasts says that a guard does not forget it: an exchange of this command knows more than the file, which a sync in the background may just
// have written.
func (lastSeen) Lasts() {}

// parseTeam parses what encode returns, but for the clones: only status needs them. Lines that it does not know are left out.
func parseTeam(text string) *Seen {
	t := &Seen{own: map[string]string{}, Claims: map[string]heldClaim{}}
	head, rest, _ := strings.Cut(text, "\n")
	first := strings.Split(head, "\t")
	if len(first) != 6 || first[0] != teamHead {
		return &Seen{}
	}
	t.Remote, t.prefix, t.looked, t.count = first[1], first[2], moment(first[4]), number(first[5])
	t.ttl = time.Duration(number(first[3])) * time.Second
	for rest != "" && !strings.HasPrefix(rest, "user\t") {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		switch f, n := fields(line); {
		case f[0] == "own" && n == 3:
			t.own[f[1]] = f[2]
		case f[0] == "claim" && n == 11:
			t.Claims[f[1]] = heldClaim{f[2], share.Claim{
				Plan: f[3], User: f[4], Name: f[5], Worktree: f[6], Machine: f[7],
				Started: moment(f[8]), At: moment(f[9]), Renewed: moment(f[10]),
			}}
		}
	}
	t.rest = rest
	return t
}

// everyone returns all clones.
func (t *Seen) everyone() map[string]teammate {
	if t.clones == nil {
		clones := make(map[string]teammate, max(0, min(t.count, len(t.rest)))) // until it is set, inOrder reads the lines
		for id, mate := range t.inOrder {
			clones[id] = mate
		}
		t.clones = clones
	}
	return t.clones
}

// inOrder yields all clones in the order of their ids.
func (t *Seen) inOrder(yield func(id string, mate teammate) bool) {
	if t.clones != nil {
		for _, id := range slices.Sorted(maps.Keys(t.clones)) {
			if !yield(id, t.clones[id]) {
				return
			}
		}
		return
	}
	id, current := "", teammate{}
	for line := range strings.SplitSeq(t.rest, "\n") {
		switch f, n := fields(line); {
		case f[0] == "user" && n == 3:
			if id != "" && !yield(id, current) {
				return
			}
			id, current = f[1], teammate{commit: f[2]}
		case f[0] == "on" && n == 10:
			current.sessions = append(current.sessions, CloneSession{
				Plan: f[1], worktree: f[2], machine: f[3], done: number(f[4]), resume: number(f[5]), total: number(f[6]),
				started: moment(f[7]), changed: moment(f[8]), skipped: number(f[9]),
			})
		}
	}
	if id != "" {
		yield(id, current)
	}
}

// perUser yields the sessions of each user, by the id, the last changed first.
func (t *Seen) perUser(yield func(user string, sessions []CloneSession) bool) {
	user, refs := "", 0
	var sessions []CloneSession
	end := func() bool {
		if refs > 1 {
			slices.SortFunc(sessions, lastFirst)
		}
		return len(sessions) == 0 || yield(user, sessions)
	}
	for id, mate := range t.inOrder { // the clones of a user follow each other
		if of, _, _ := strings.Cut(id, "/"); of != user {
			if !end() {
				return
			}
			user, refs, sessions = of, 0, nil
		}
		if refs++; refs == 1 {
			sessions = mate.sessions
		} else {
			sessions = slices.Concat(sessions, mate.sessions)
		}
	}
	end()
}

// fields splits a line at its tabs, and returns how many parts there are, at most one more than any line has.
func fields(line string) (f [12]string, n int) {
	for n < len(f) {
		var more bool
		f[n], line, more = strings.Cut(line, "\t")
		if n++; !more {
			break
		}
	}
	return f, n
}

func number(text string) int { n, _ := strconv.Atoi(text); return n }

// moment parses milliseconds since 1970; 0 is no time.
func moment(text string) time.Time {
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func (t *Seen) encode() []byte {
	var b bytes.Buffer
	line := func(words ...string) {
		for i, word := range words {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(strings.NewReplacer("\t", " ", "\n", " ").Replace(word))
		}
		b.WriteByte('\n')
	}
	at := func(t time.Time) string {
		if t.IsZero() {
			return "0"
		}
		return strconv.FormatInt(t.UnixMilli(), 10)
	}
	line(teamHead, t.Remote, t.prefix, strconv.Itoa(int(t.ttl/time.Second)), at(t.looked), strconv.Itoa(len(t.everyone())))
	for _, name := range slices.Sorted(maps.Keys(t.own)) {
		line("own", name, t.own[name])
	}
	for _, ref := range slices.Sorted(maps.Keys(t.Claims)) {
		c := t.Claims[ref]
		line("claim", ref, c.commit, c.Plan, c.User, c.Name, c.Worktree, c.Machine, at(c.Started), at(c.At), at(c.Renewed))
	}
	for id, mate := range t.inOrder {
		line("user", id, mate.commit)
		for _, s := range mate.sessions {
			line("on", s.Plan, s.worktree, s.machine, strconv.Itoa(s.done), strconv.Itoa(s.resume), strconv.Itoa(s.total), at(s.started), at(s.changed), strconv.Itoa(s.skipped))
		}
	}
	return b.Bytes()
}

// liveSessions returns those of a clone's sessions that have not ended, the last changed first, as many as are stored.
func liveSessions(sessions []share.Session) (all []CloneSession) {
	for _, s := range sessions {
		if s.Ended.IsZero() {
			all = append(all, CloneSession{
				Plan: s.Plan, worktree: s.Worktree, machine: s.Machine, total: len(s.Tasks),
				done: s.Count(planfile.Complete), skipped: s.Count(planfile.Skipped),
				resume:  1 + slices.IndexFunc(s.Tasks, func(t share.Task) bool { return !t.Status.Settled() }),
				started: s.Started, changed: s.Changed, Branch: s.Branch, head: s.Head, blob: s.Blob,
			})
		}
	}
	slices.SortFunc(all, lastFirst)
	return all[:min(len(all), maxLive)]
}

func lastFirst(a, b CloneSession) int {
	return cmp.Or(b.changed.Compare(a.changed), strings.Compare(a.Plan, b.Plan), strings.Compare(a.worktree, b.worktree))
}

// keepTeam stores what is known of the team. It is a cache: what another sync has written meanwhile is replaced, and a failure
// is not named.
func (s *Exchange) keepTeam() {
	if store, err := s.StateDir.MakeClone(s.Planning.GitDir()); err == nil && s.news {
		_ = s.keep(store, teamFile, s.seen.encode())
	}
}

// keep stores a file below a directory. What another sync of this clone has written meanwhile is as good.
func (s *Exchange) keep(dir, name string, text []byte) error {
	root, err := durable.OpenRootAt(dir)
	if err != nil {
		return verdict.WriteFailed(dir, err)
	}
	defer root.Close()
	durable.SweepTemps(root, path.Dir(name), time.Now().Add(-durable.TempLife), false) // of syncs that were killed
	was, err := durable.StampOf(root, name)
	if err == nil {
		err = s.Write.Replace(root, name, [][]byte{text}, filePerm, was)
	}
	if err != nil && !errors.Is(err, durable.ErrUnsynced) && !errors.Is(err, durable.ErrChanged) {
		return verdict.WriteFailed(filepath.Join(dir, name), err)
	}
	return nil
}

// prepareSeen prepares what is known of the team for a sync.
func (s *Exchange) prepareSeen(id string, ttl time.Duration) {
	s.id = id
	known := LastSeen(s.Project)
	if known.Remote != s.remote.String() || known.prefix != s.remote.Prefix {
		known = &Seen{}
	}
	s.seen = &Seen{
		Remote: s.remote.String(), prefix: s.remote.Prefix, ttl: cmp.Or(ttl, share.ClaimTTL),
		own: map[string]string{}, Claims: map[string]heldClaim{}, rest: known.rest, looked: known.looked, count: known.count,
	}
	maps.Copy(s.seen.own, known.own)
	maps.Copy(s.seen.Claims, known.Claims)
	s.seen.own[s.User] = id
	s.news = known.own[s.User] != id || known.ttl != s.seen.ttl
	s.all = known.count <= fewUsers || s.Now.Sub(known.looked).Abs() >= lookEvery
}

// fetch lists the refs of the user, or of all users, and of all claims, in one connection, and reads the user's own and the claims that changed.
// It returns the commit of this clone, "" for none; partly says of which ref something was left out, and why.
func (s *Exchange) fetch(ctx context.Context) (own string, partly *problem.Warning, err error) {
	users := share.CloneRef(s.id, "*")
	if s.all {
		users = share.CloneRef("*", "*")
	}
	if s.refs, err = s.repo.List(ctx, s.remote, users, share.UserRef(s.id), "claims/*"); err != nil {
		return "", nil, err
	}
	mine := 0
	for _, ref := range s.refs {
		name := strings.TrimPrefix(ref.Name, s.remote.Prefix)
		if user, _, ok := share.ParseCloneRef(name); ok && user == s.id {
			mine++
		}
	}
	claimed, current, clones := map[string]string{}, share.ClaimRef(s.plan()), map[string]share.Clone{}
	var refs, ids []string
	want := func(name, id string) { refs, ids = append(refs, name), append(ids, id) }
	for _, ref := range s.refs {
		name := strings.TrimPrefix(ref.Name, s.remote.Prefix)
		if strings.HasPrefix(name, "claims/") {
			if claimed[name] = ref.ID; s.seen.Claims[name].commit != ref.ID && (len(refs) < maxFetched || name == current) {
				want(name, ref.ID)
			}
			continue
		}
		user, clone, ok := share.ParseCloneRef(name)
		if !ok || user != s.id {
			continue
		}
		if clone == s.clone {
			own = ref.ID
		}
		clones[clone] = s.clones[clone]
		if c := clones[clone]; (c.Commit != ref.ID || c.Left && mine <= maxClones) && (len(refs) < maxFetched || clone == s.clone) {
			want(name, ref.ID)
		}
	}
	were := len(s.seen.Claims)
	maps.DeleteFunc(s.seen.Claims, func(name string, _ heldClaim) bool { return claimed[name] == "" })
	s.news = s.news || len(refs) > 0 || len(s.seen.Claims) != were || len(clones) != len(s.clones)
	if s.clones = clones; len(ids) == 0 {
		return own, nil, nil
	}
	trees, err := s.repo.Read(ctx, s.remote, ids)
	if err != nil {
		return own, nil, err
	}
	for i, name := range refs {
		tree := &trees[i]
		_, clone, isClone := share.ParseCloneRef(name)
		if (name == current || clone == s.clone) && isUnknown(tree) { // it may be good, so it must not be replaced
			return own, nil, tree.Err
		}
		switch {
		case tree.Later():
		case isClone:
			sessions, left := share.Decode(tree.Files)
			if left = cmp.Or(tree.Err, left); left != nil {
				partly = &problem.Warning{Code: SyncPartly, Name: s.remote.Prefix + name, Says: FirstLineOf(left)}
			}
			s.clones[clone] = share.Clone{Commit: ids[i], Sessions: share.Without(sessions, s.forgotten), Partly: left != nil}
		default:
			s.seen.Claims[name] = readClaim(name, ids[i], tree)
		}
	}
	s.leaveOut()
	return own, partly, nil
}

// inTheWay returns the ref that is where the directory of the user's refs belongs, or below the name of this clone's; "" for none.
func (s *Exchange) inTheWay() string {
	for _, ref := range s.refs {
		if ref.Name == s.remote.Prefix+share.UserRef(s.id) || strings.HasPrefix(ref.Name, s.ref+"/") {
			return ref.Name
		}
	}
	return ""
}

// leaveOut leaves of more clones of the user than maxClones those in which something was set last.
func (s *Exchange) leaveOut() {
	if len(s.clones) <= maxClones {
		return
	}
	last := map[string]time.Time{}
	for id, c := range s.clones {
		last[id] = share.Latest(c.Sessions)
	}
	ids := slices.SortedFunc(maps.Keys(s.clones), func(a, b string) int { return cmp.Or(last[b].Compare(last[a]), strings.Compare(a, b)) })
	for _, id := range ids[maxClones:] {
		if id != s.clone {
			s.clones[id] = share.Clone{Commit: s.clones[id].Commit, Left: true}
		}
	}
}

// unread returns how many clones of the user are not known.
func (s *Exchange) unread() (n int) {
	for _, c := range s.clones {
		if c.Left || c.Commit == "" {
			n++
		}
	}
	return n
}

// fetchTeam reads what the others' refs hold, as far as they changed. It comes last, because it must not keep the user's own
// sessions from being shared.
func (s *Exchange) fetchTeam(ctx context.Context, pushed bool) error {
	all := s.seen.everyone()
	if s.news = s.news || pushed; s.news || s.all {
		maps.DeleteFunc(all, func(id string, _ teammate) bool { return strings.HasPrefix(id, s.id+"/") })
		for id, c := range s.clones {
			all[s.id+"/"+id] = teammate{c.Commit, liveSessions(c.Sessions)}
		}
	}
	if !s.all {
		return nil
	}
	listed := map[string]bool{}
	var clones, ids []string
	for _, ref := range s.refs {
		user, clone, ok := share.ParseCloneRef(strings.TrimPrefix(ref.Name, s.remote.Prefix))
		if !ok || user == s.id {
			continue
		}
		id := user + "/" + clone
		if listed[id] = true; all[id].commit != ref.ID && len(ids) < maxFetched {
			clones, ids = append(clones, id), append(ids, ref.ID)
		}
	}
	var later error
	were := len(all)
	maps.DeleteFunc(all, func(id string, _ teammate) bool { return !listed[id] && !strings.HasPrefix(id, s.id+"/") })
	s.news = s.news || len(ids) > 0 || len(all) != were || were > fewUsers
	if len(ids) > 0 {
		trees, err := s.repo.Read(ctx, s.remote, ids)
		if err != nil {
			return err
		}
		for i, id := range clones {
			if trees[i].Later() {
				later = trees[i].Err
				continue
			}
			mate := teammate{commit: ids[i]}
			if trees[i].Err == nil {
				sessions, _ := share.Decode(trees[i].Files) // what is left out is for them to repair
				mate.sessions = liveSessions(sessions)
			}
			all[id] = mate
		}
	}
	if s.seen.looked = s.Now; len(ids) == maxFetched || later != nil { // perhaps not everybody
		s.seen.looked = time.Time{}
	}
	return later
}

// nameOf returns the name in a user's id, as gsd whoami prints it there.
func nameOf(id string) string {
	const digits = 8 // see share.UserID
	if at := len(id) - digits - 1; at > 0 && id[at] == '-' && strings.Trim(id[at+1:], "0123456789abcdef") == "" {
		return id[:at]
	}
	return id
}

// worktreesHere are the ids of the worktrees of this clone, whose sessions can be read themselves.
func worktreesHere(p *verdict.Project) map[string]bool {
	here := map[string]bool{}
	for _, tree := range append([]*verdict.Project{p}, p.Worktrees()...) {
		for _, at := range tree.InAll() {
			here[at.WorktreeID()] = true
		}
	}
	return here
}

// AddSessions adds the sessions of other clones, the asking user's first, then by the users' ids, the last changed first. Those on
// plans that are done here are left out.
func AddSessions(p *verdict.Project, all []answer.Session, user string, disk *roadmap.Disk) []answer.Session {
	t := LastSeen(p)
	if t.rest == "" && len(t.clones) == 0 {
		return all
	}
	here, done := worktreesHere(p), map[string]bool{}
	for _, dirs := range [][]roadmap.Dir{disk.Phases, disk.Archived} {
		for _, dir := range dirs {
			for _, plan := range dir.Plans {
				if plan.Summary != "" {
					done[plan.Path] = true
				}
			}
		}
	}
	type ref struct{ plan, id string }
	var plans map[string]ref // ten thousand people work on a few hundred plans
	var own []answer.Session
	first := len(all)
	all = slices.Grow(all, min(max(t.count, 0), len(t.rest)))
	for id, sessions := range t.perUser {
		mine := t.own[user] == id
		for i := range sessions {
			on := &sessions[i]
			plan := project.Memo(&plans, on.Plan, func() ref {
				plan := p.PlanOfShared(on.Plan)
				id, _ := p.Planning.PlanID(plan)
				return ref{plan, id}
			})
			switch {
			case plan.plan == "" || here[on.worktree] || done[plan.plan]:
			case mine:
				own = append(own, on.Row(user, true, plan.plan, plan.id, t.Remote))
			case !slices.ContainsFunc(sessions[:i], func(later CloneSession) bool { return later.Plan == on.Plan }): // where somebody was last at work on it
				all = append(all, on.Row(nameOf(id), false, plan.plan, plan.id, t.Remote))
			}
		}
	}
	return slices.Insert(all, first, own...)
}

// Row is what an answer says of a session in another clone.
func (s *CloneSession) Row(user string, own bool, plan, id, remote string) answer.Session {
	session := answer.Session{
		User: user, Own: own, Machine: cmp.Or(s.machine, answer.OtherMachine), Remote: remote, Plan: plan, ID: id, Verdict: answer.Resume,
		Token: strconv.Itoa(s.resume), Done: s.done, Skipped: s.skipped, Total: s.total, Started: s.started, Changed: s.changed,
	}
	if s.resume == 0 {
		session.Verdict, session.Token = answer.Finished, "ALL_COMPLETE"
	} else {
		session.Resume = &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: s.resume}}}
	}
	return session
}

// isUnknown reports whether nobody can say what a commit holds. One that is too large, or not what gsd writes, holds nothing.
func isUnknown(tree *gitremote.Tree) bool {
	var failed *gitremote.Error
	return tree.Later() || errors.As(tree.Err, &failed) && failed.Kind == gitremote.Slow
}

// isMoved reports whether the remote no longer has a commit that it listed.
func isMoved(err error) bool {
	var failure *gitremote.Error
	return errors.As(err, &failure) && failure.Kind == gitremote.Moved
}
