package hydrate

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
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// A team is what one remote has.
type team struct {
	remote string            // its name
	prefix string            // of its refs
	ttl    time.Duration     // for how long a claim holds
	own    map[string]string // the ids of the users of this clone, by their names
	users  map[string]teammate
	claims map[string]heldClaim // by their refs, without the prefix
}

// A teammate is a user's ref.
type teammate struct {
	commit   string
	sessions []teamSession
}

// A heldClaim is the ref of a claim. The claim is zero if the ref holds anything else.
type heldClaim struct {
	commit string
	share.Claim
}

// A teamSession is a session in one worktree of somebody.
type teamSession struct {
	plan, worktree, machine string
	done, resume, total     int
	started, changed        time.Time
}

const (
	teamFile    = "team"
	teamVersion = "gsd team 1"
	maxTeam     = 64 << 20 // bytes
	maxLive     = 50       // sessions of one user
	maxFetched  = 2000     // commits of others, or claims, a sync; the next one goes on
)

// team returns what was last synced; an empty one if nothing was.
func (p *Project) team() *team {
	if p.synced == nil {
		p.synced = &team{}
		if common, err := gitlog.Common(p.Dir); err == nil {
			if text, err := (*durable.Budget)(nil).ReadAt(filepath.Join(common, "gsd", teamFile), maxTeam); err == nil {
				p.synced = parseTeam(string(text))
			}
		}
	}
	return p.synced
}

// parseTeam parses what encode returns. Lines that it does not know are left out.
func parseTeam(text string) *team {
	t := &team{own: map[string]string{}, users: map[string]teammate{}, claims: map[string]heldClaim{}}
	head, rest, _ := strings.Cut(text, "\n")
	first := strings.Split(head, "\t")
	if len(first) != 4 || first[0] != teamVersion {
		return &team{}
	}
	t.remote, t.prefix = first[1], first[2]
	seconds, _ := strconv.ParseInt(first[3], 10, 64)
	t.ttl = time.Duration(seconds) * time.Second
	user, its := "", teammate{}
	end := func() {
		if user != "" {
			t.users[user] = its
		}
	}
	var f [12]string
	for line := range strings.SplitSeq(rest, "\n") {
		n := 0
		for n < len(f)-1 {
			var more bool
			f[n], line, more = strings.Cut(line, "\t")
			if n++; !more {
				break
			}
		}
		switch {
		case f[0] == "own" && n == 3:
			t.own[f[1]] = f[2]
		case f[0] == "user" && n == 3:
			end()
			user, its = f[1], teammate{commit: f[2]}
		case f[0] == "on" && n == 9:
			its.sessions = append(its.sessions, teamSession{
				plan: f[1], worktree: f[2], machine: f[3], done: number(f[4]), resume: number(f[5]), total: number(f[6]),
				started: moment(f[7]), changed: moment(f[8]),
			})
		case f[0] == "claim" && n == 11:
			t.claims[f[1]] = heldClaim{f[2], share.Claim{
				Plan: f[3], User: f[4], Name: f[5], Worktree: f[6], Machine: f[7],
				Started: moment(f[8]), At: moment(f[9]), Renewed: moment(f[10]),
			}}
		}
	}
	end()
	return t
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

func (t *team) encode() []byte {
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
	line(teamVersion, t.remote, t.prefix, strconv.FormatInt(int64(t.ttl/time.Second), 10))
	for _, name := range slices.Sorted(maps.Keys(t.own)) {
		line("own", name, t.own[name])
	}
	for _, ref := range slices.Sorted(maps.Keys(t.claims)) {
		c := t.claims[ref]
		line("claim", ref, c.commit, c.Plan, c.User, c.Name, c.Worktree, c.Machine, at(c.Started), at(c.At), at(c.Renewed))
	}
	for _, id := range slices.Sorted(maps.Keys(t.users)) {
		line("user", id, t.users[id].commit)
		for _, s := range t.users[id].sessions {
			line("on", s.plan, s.worktree, s.machine, strconv.Itoa(s.done), strconv.Itoa(s.resume), strconv.Itoa(s.total), at(s.started), at(s.changed))
		}
	}
	return b.Bytes()
}

// liveSessions returns the sessions that a state tells of, the last changed first.
func liveSessions(state share.State) (all []teamSession) {
	for plan, its := range state {
		for _, id := range its.Live() {
			place := its.Places[id]
			all = append(all, teamSession{
				plan: plan, worktree: id, machine: place.Machine, done: its.Complete(place), total: len(place.Tasks),
				resume:  1 + slices.IndexFunc(place.Tasks, func(id string) bool { return its.Status(id) != planfile.Complete }),
				started: place.Started, changed: place.Stamp.Time(),
			})
		}
	}
	slices.SortFunc(all, func(a, b teamSession) int {
		return cmp.Or(b.changed.Compare(a.changed), strings.Compare(a.plan, b.plan), strings.Compare(a.worktree, b.worktree))
	})
	return all[:min(len(all), maxLive)]
}

// keepTeam stores what is known of the team. It is a cache: what another sync has written meanwhile is replaced, and a failure
// is not told.
func (s *sharer) keepTeam() {
	if durable.MkdirAllAt(s.repo.Store(), 0o777) != nil {
		return
	}
	root, err := os.OpenRoot(s.repo.Store())
	if err != nil {
		return
	}
	defer root.Close()
	text := s.seen.encode()
	was, err := durable.Look(root, teamFile)
	if err == nil {
		if now, _, err := durable.Read(root, teamFile, maxTeam); err == nil && bytes.Equal(now, text) {
			return
		}
	}
	_ = s.write.Replace(root, teamFile, [][]byte{text}, 0o666, was)
}

// begin prepares what is known of the team for a sync.
func (s *sharer) begin(id string, ttl time.Duration) {
	s.id = id
	known := s.team()
	if known.remote != s.remote.String() || known.prefix != s.remote.Prefix {
		known = &team{}
	}
	s.seen = &team{
		remote: s.remote.String(), prefix: s.remote.Prefix, ttl: cmp.Or(ttl, share.ClaimTTL),
		own: map[string]string{}, users: map[string]teammate{}, claims: map[string]heldClaim{},
	}
	maps.Copy(s.seen.own, known.own)
	maps.Copy(s.seen.users, known.users)
	maps.Copy(s.seen.claims, known.claims)
	s.seen.own[s.User] = id
}

// fetch lists the refs of all users and of all claims, in one connection, and reads the user's own and the claims that changed.
// It returns the user's commit, "" for none, and the state in it; problem says what of it was left out.
func (s *sharer) fetch(ctx context.Context) (own string, state share.State, problem, err error) {
	if s.refs, err = s.repo.List(ctx, s.remote, "users/*", "claims/*"); err != nil {
		return "", nil, nil, err
	}
	claimed, current := map[string]string{}, share.ClaimRef(s.plan())
	var refs, ids []string
	for _, ref := range s.refs {
		name := strings.TrimPrefix(ref.Name, s.remote.Prefix)
		if ref.Name == s.ref {
			own = ref.ID
		}
		if strings.HasPrefix(name, "claims/") {
			if claimed[name] = ref.ID; s.seen.claims[name].commit != ref.ID && (len(refs) < maxFetched || name == current) {
				refs, ids = append(refs, name), append(ids, ref.ID)
			}
		}
	}
	maps.DeleteFunc(s.seen.claims, func(name string, _ heldClaim) bool { return claimed[name] == "" })
	if own != "" {
		ids = append(ids, own)
	}
	if len(ids) == 0 {
		return "", nil, nil, nil
	}
	trees, err := s.repo.Read(ctx, s.remote, ids)
	if err != nil {
		return own, nil, nil, err
	}
	for i, name := range refs {
		c := heldClaim{commit: ids[i]}
		if text, ok := trees[i].Files[claimText]; ok && trees[i].Err == nil {
			c.Claim, _ = share.DecodeClaim(name, text)
		}
		s.seen.claims[name] = c
	}
	if own == "" {
		return "", nil, nil, nil
	}
	its := trees[len(trees)-1]
	if its.Err != nil {
		return own, nil, its.Err, nil
	}
	state, problem = share.Decode(its.Files)
	return own, state, problem, nil
}

// fetchTeam reads what the others' refs hold, as far as they changed. It comes last, because it must not keep the user's own
// sessions from being shared.
func (s *sharer) fetchTeam(ctx context.Context, own share.Replica) error {
	listed := map[string]bool{}
	var users, ids []string
	for _, ref := range s.refs {
		id, ok := strings.CutPrefix(ref.Name, s.remote.Prefix+share.UserRef(""))
		if !ok || !share.IsID(id) || id == s.id {
			continue
		}
		if listed[id] = true; s.seen.users[id].commit != ref.ID && len(ids) < maxFetched {
			users, ids = append(users, id), append(ids, ref.ID)
		}
	}
	maps.DeleteFunc(s.seen.users, func(id string, _ teammate) bool { return !listed[id] })
	s.seen.users[s.id] = teammate{"-", liveSessions(own.Known)}
	for some := range slices.Chunk(slices.Collect(indices(ids)), 200) { // their files are in memory
		var chunk []string
		for _, i := range some {
			chunk = append(chunk, ids[i])
		}
		trees, err := s.repo.Read(ctx, s.remote, chunk)
		if err != nil {
			return err
		}
		for n, i := range some {
			its := teammate{commit: ids[i]}
			if trees[n].Err == nil {
				state, _ := share.Decode(trees[n].Files) // what is left out is theirs to mend
				its.sessions = liveSessions(state)
			}
			s.seen.users[users[i]] = its
		}
	}
	return nil
}

func indices(of []string) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range of {
			if !yield(i) {
				return
			}
		}
	}
}

var userDigest = regexp.MustCompile(`-[0-9a-f]{8}$`)

// nameOf returns the name in a user's id, as gsd whoami prints it there.
func nameOf(id string) string { return userDigest.ReplaceAllString(id, "") }

// worktreesHere are the ids of the worktrees of this clone, whose sessions can be read themselves.
func (p *Project) worktreesHere() map[string]bool {
	here := map[string]bool{p.worktreeID(): true}
	for _, at := range p.worktrees() {
		here[at.worktreeID()] = true
	}
	return here
}

// teamSessions returns the sessions of other clones, the asking user's first, then by name. Those on plans that are done here
// are left out.
func (p *Project) teamSessions(user string, disk *roadmap.Disk) (all []Session) {
	t := p.team()
	if len(t.users) == 0 {
		return nil
	}
	here, done := p.worktreesHere(), map[string]bool{}
	for _, dirs := range [][]roadmap.Dir{disk.Phases, disk.Archived} {
		for _, dir := range dirs {
			for _, plan := range dir.Plans {
				if plan.Summary != "" {
					done[plan.Path] = true
				}
			}
		}
	}
	for id, its := range t.users {
		for i := range its.sessions {
			on := &its.sessions[i]
			plan := p.planOfShared(on.plan)
			if plan == "" || here[on.worktree] || done[plan] {
				continue
			}
			all = append(all, on.shown(nameOf(id), t.own[user] == id, plan, t.remote))
		}
	}
	slices.SortFunc(all, func(a, b Session) int {
		if a.Own != b.Own {
			if a.Own {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(a.User, b.User), b.Changed.Compare(a.Changed), strings.Compare(a.Plan, b.Plan), strings.Compare(a.Machine, b.Machine))
	})
	return all
}

// shown is what an answer says of a session in another clone.
func (s *teamSession) shown(user string, own bool, plan, remote string) Session {
	id, _ := planref.PlanID(plan)
	its := Session{
		User: user, Own: own, Machine: cmp.Or(s.machine, otherMachine), Remote: remote, Plan: plan, ID: id, Verdict: Resume,
		Token: strconv.Itoa(s.resume), Done: s.done, Total: s.total, ResumeTask: ResumeTask{Resume: s.resume}, Started: s.started, Changed: s.changed,
	}
	if s.resume == 0 {
		its.Verdict, its.Token = Finished, "ALL_COMPLETE"
	}
	return its
}

// isMoved reports whether the remote no longer has a commit that it listed.
func isMoved(err error) bool {
	var its *gitremote.Error
	return errors.As(err, &its) && its.Kind == gitremote.Moved
}
