package hydrate

// claims.go: who has a plan, of all who share through the remote. The rules are those of share.Contend; the refs at the remote
// are the truth, team.go has what was last seen of them, and claim.json beside a session what came of its own claim.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
)

// claimText is the file in the commit of a claim.
const claimText = "claim.json"

// A PlanClaim says what came of the claim on the plan of a session.
type PlanClaim struct {
	Plan    string        `json:"plan"`    // the plan, relative to the project
	Outcome share.Outcome `json:"outcome"` // held: it is this session's; elsewhere: the user's other clone has it; lost: somebody else
	User    string        `json:"user"`    // who has it
	Machine string        `json:"machine"` // where
	Since   time.Time     `json:"since"`   // since when
}

// A claimRecord is what a worktree remembers of the claim of its session.
type claimRecord struct {
	Schema   int           `json:"schema"`
	Plan     string        `json:"plan"`    // as it is shared
	Started  time.Time     `json:"started"` // of the session
	Outcome  share.Outcome `json:"outcome,omitempty"`
	Holder   share.Claim   `json:"holder,omitzero"`
	Force    bool          `json:"force,omitempty"`   // the next sync takes it over
	Released time.Time     `json:"released,omitzero"` // gsd run unlock; a later change of the session claims it again
}

// claimant is the session that a sync claims for.
type claimant struct {
	share.Claim
	record   claimRecord
	starting bool      // its claim meets the ref for the first time; see share.Contend
	changed  time.Time // of the session's file
}

// newRecord returns the record of a session that nothing came of yet.
func newRecord(plan string, started time.Time) *claimRecord {
	return &claimRecord{Plan: plan, Started: inHeader(started)}
}

// inHeader returns a time as the header of a session has it.
func inHeader(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// is reports whether the record is of a session.
func (c *claimRecord) is(plan string, started time.Time) bool {
	return c.Plan == plan && c.Started.Equal(inHeader(started))
}

func (p *Project) claimRecord(user string) (c claimRecord) {
	_ = p.session(user).Look(session.ClaimFile, func(root *os.Root, name string) error {
		text, _, err := durable.Read(root, name, 64<<10)
		if err != nil || json.Unmarshal(text, &c) != nil || c.Schema != share.Schema || !share.IsPlan(c.Plan) {
			c = claimRecord{}
		}
		return err
	})
	return c
}

// setClaimRecord stores a record, with the guard held; without a plan it removes it. A failure costs only a warning's words.
func (p *Project) setClaimRecord(l *locked, c claimRecord) {
	root := l.guard.Root()
	if c.Plan == "" {
		if _, err := root.Lstat(session.ClaimFile); err == nil {
			_ = p.write.Remove(root, session.ClaimFile)
		}
		return
	}
	c.Schema = share.Schema
	text, err := json.Marshal(c)
	if err != nil {
		return
	}
	now, was, err := durable.Read(root, session.ClaimFile, 64<<10)
	if err == nil && string(now) == string(text) {
		return
	}
	_ = p.write.Replace(root, session.ClaimFile, [][]byte{text}, 0o666, was)
}

// claimFor makes the session that is shared as l the one that the sync claims for; nil for none.
func (s *sharer) claimFor(l *share.Local, changed time.Time) {
	s.claimant = nil
	if l == nil {
		return
	}
	record := s.claimRecord(s.User)
	if !record.is(l.Plan, l.Place.Started) {
		record = *newRecord(l.Plan, l.Place.Started)
	}
	s.claimant = s.newClaimant(record, changed)
}

// newClaimant returns the session of a record.
func (s *sharer) newClaimant(record claimRecord, changed time.Time) *claimant {
	return &claimant{record: record, starting: record.Outcome == "", changed: changed, Claim: share.Claim{
		Plan: record.Plan, User: s.id, Name: s.User, Worktree: s.worktree, Machine: s.here.Machine, Branch: s.here.Branch, Started: record.Started,
	}}
}

// plan is the plan of the session that is synced, as it is shared; "" for none.
func (s *sharer) plan() string {
	if s.claimant == nil {
		return ""
	}
	return s.claimant.Plan
}

// A refUpdate is an update of a ref, with the commit and its file unless it is deleted.
type refUpdate struct {
	gitremote.Update
	commit *gitremote.Commit
	text   []byte
	claim  share.Claim
}

// contend returns the updates of claims that are due: that of the session's plan, and the removal of this worktree's claims on
// other plans. What is known then of the claim on the session's plan is in its record.
func (s *sharer) contend() (all []refUpdate, err error) {
	c := s.claimant
	if s.claimless {
		if c != nil {
			c.record.Outcome, c.record.Holder = "", share.Claim{}
		}
		return nil, nil
	}
	wanted := c != nil && (c.record.Released.IsZero() || c.changed.After(c.record.Released))
	if wanted {
		ref := share.ClaimRef(c.Plan)
		held := s.seen.claims[ref]
		its := &held.Claim
		if held.Plan == "" { // nobody's, or nothing that is a claim
			its = nil
		}
		outcome, next := share.Contend(c.Claim, its, c.starting, s.Now, s.seen.ttl)
		if next == nil && outcome != share.Held && c.record.Force {
			mine := c.Claim
			mine.At, mine.Renewed = s.Now, s.Now
			outcome, next = share.Held, &mine
		}
		c.record.Outcome, c.record.Holder, c.record.Released = outcome, held.Claim, time.Time{}
		if next != nil {
			its, err := newClaim(s.remote.Prefix+ref, held.commit, *next)
			if err != nil {
				return nil, err
			}
			c.record.Holder = *next
			all = append(all, *its)
		}
	}
	for ref, held := range s.seen.claims {
		if held.By(s.id, s.worktree) && !(wanted && held.Plan == c.Plan) && len(all) < gitremote.MaxUpdates/2 {
			all = append(all, refUpdate{Update: gitremote.Update{Ref: s.remote.Prefix + ref, Old: held.commit}})
		}
	}
	return all, nil
}

func newClaim(ref, old string, c share.Claim) (*refUpdate, error) {
	text, err := share.EncodeClaim(c)
	if err != nil {
		return nil, err
	}
	commit, err := gitremote.NewCommit(map[string][]byte{claimText: text})
	if err != nil {
		return nil, err
	}
	return &refUpdate{gitremote.Update{Ref: ref, Old: old, New: commit.ID}, commit, text, c}, nil
}

// claimed notes an update of a claim that was carried out.
func (s *sharer) claimed(u refUpdate) {
	name := strings.TrimPrefix(u.Ref, s.remote.Prefix)
	if u.New == "" {
		delete(s.seen.claims, name)
		return
	}
	c := u.claim
	if decoded, err := share.DecodeClaim(name, u.text); err == nil { // as it will be read
		c = decoded
	}
	s.seen.claims[name] = heldClaim{u.New, c}
}

// settle adds to an answer what came of the claim, and returns the record of it.
func (s *sharer) settle(done *Synced) claimRecord {
	c := s.claimant
	if c == nil {
		return claimRecord{}
	}
	if c.record.Outcome == "" || !c.record.Released.IsZero() {
		return c.record
	}
	c.record.Force = false
	done.Claim = s.planClaim(&c.record)
	if c.record.Outcome == share.Lost {
		done.Warnings = append(done.Warnings, s.lostClaim(&c.record))
		return c.record
	}
	if !strings.Contains(s.seen.rest, "\non\t"+c.Plan+"\t") && s.seen.users == nil {
		return c.record
	}
	for id, its := range s.seen.everyone() { // who started on it offline, or without gsd sync
		for i := range its.sessions {
			if on := &its.sessions[i]; on.plan == c.Plan && id != s.id {
				done.Warnings = append(done.Warnings, Warning{Code: PlanTaken, Detail: nameOf(id) + " has a session at " + cmp.Or(on.machine, otherMachine) + " on this plan, too"})
			}
		}
	}
	return c.record
}

func (p *Project) planClaim(c *claimRecord) *PlanClaim {
	return &PlanClaim{
		Plan: p.planOfShared(c.Plan), Outcome: c.Outcome, User: nameOf(c.Holder.User), Machine: cmp.Or(c.Holder.Machine, otherMachine), Since: c.Holder.At,
	}
}

// lostClaim warns that a session is on a plan that somebody else has.
func (p *Project) lostClaim(c *claimRecord) Warning {
	plan := p.planOfShared(c.Plan)
	return Warning{Code: PlanTaken, Detail: claimWords(&c.Holder, plan) + ", as of the last gsd sync; gsd next shows what else is ready, and " + howToTake}
}

// claimWords say who has a plan, where, and since when.
func claimWords(c *share.Claim, plan string) string {
	return hasClaimed(nameOf(c.User), PlanName(plan), cmp.Or(c.Machine, otherMachine), c.At)
}

func hasClaimed(user, plan, machine string, since time.Time) string {
	return user + " has claimed " + plan + " at " + machine + " since " + minute(since)
}

// addClaim warns in a report if somebody else has the plan of its session, as far as the last sync knows.
func (p *Project) addClaim(r *Report) {
	if r.Session == nil || r.Verdict == Corrupt {
		return
	}
	c := p.claimRecord(r.User)
	if c.Outcome != share.Lost {
		return
	}
	name, ok := p.sharedPlan(r.Plan.Path)
	if started, _ := r.Session.Header.StartedAt(); ok && c.is(name, started) {
		r.Warnings = p.warnings(r.Warnings, []Warning{p.lostClaim(&c)})
	}
}

// claimsElsewhere returns the claims of other clones, as far as the last gsd sync knows.
func (p *Project) claimsElsewhere(user string) (all []claim) {
	t := p.team()
	if len(t.claims) == 0 {
		return nil
	}
	here := p.worktreesHere()
	for _, c := range t.claims { // each on another plan
		plan := p.planOfShared(c.Plan)
		if c.Plan == "" || plan == "" || here[c.Worktree] || c.Expired(p.Now, t.ttl) {
			continue
		}
		its := claim{sessionOn: sessionOn{plan: plan, changed: c.Renewed, left: true}, user: nameOf(c.User), machine: cmp.Or(c.Machine, otherMachine), since: c.At}
		if t.own[user] == c.User {
			its.user = user
		} else if its.user == user { // another of that name
			its.user = c.User
		}
		all = append(all, its)
	}
	slices.SortFunc(all, func(a, b claim) int { return strings.Compare(a.plan, b.plan) })
	return all
}

// storeRecord stores what came of the claim, unless the session is another one by now, or gave its claim up.
func (s *sharer) storeRecord(l *locked, record claimRecord, current *share.Local) {
	if now := s.claimRecord(s.User); !now.Released.IsZero() && record.Released.IsZero() && now.is(record.Plan, record.Started) &&
		(s.claimant == nil || !s.claimant.changed.After(now.Released)) {
		return
	}
	if current == nil && record.Plan == "" || current != nil && record.is(current.Plan, current.Place.Started) {
		s.setClaimRecord(l, record)
	}
}

// removeClaims deletes all claims of the user at the remote.
func (s *sharer) removeClaims(ctx context.Context, done *Synced) error {
	if _, _, _, err := s.fetch(ctx); err != nil {
		return remoteFailed(err)
	}
	var updates []refUpdate
	for ref, held := range s.seen.claims {
		if held.User == s.id && len(updates) < gitremote.MaxUpdates {
			updates = append(updates, refUpdate{Update: gitremote.Update{Ref: s.remote.Prefix + ref, Old: held.commit}})
		}
	}
	failed, err := s.push(ctx, updates, done)
	if err == nil && failed != nil {
		err = notRemoved(failed)
	}
	return err
}

// release records that the user's session gives its claim up, at the next sync. It returns the plan if the session has it; else "". The
// guard is held.
func (p *Project) release(l *locked, user string, now time.Time) (plan string) {
	c := p.claimRecord(user)
	if c.Plan == "" {
		return ""
	}
	if c.Outcome == share.Held {
		plan = p.planOfShared(c.Plan)
	}
	c.Released, c.Outcome, c.Holder, c.Force = now.UTC(), "", share.Claim{}, false
	p.setClaimRecord(l, c)
	return plan
}

// ClaimProblem warns that the plan of a session could not be claimed.
const ClaimProblem = "unclaimed"

// claimBefore claims the plan of a session that is about to be started or kept. Without o.Claim, that is left to the next sync, which
// takes the plan over if o.Force.
func (p *Project) claimBefore(ctx context.Context, o *BootstrapOptions, summary string) (*claimRecord, *Warning, error) {
	if o.Claim == nil && !o.Force || summary != "" && !o.Again {
		return nil, nil, nil
	}
	r, err := p.Hydrate(o.User)
	if err != nil {
		return nil, nil, nil // the caller will find it, too
	}
	started, _ := time.Parse(time.RFC3339, p.newStart(o.User, o.Plan, r.Session, o.Now))
	if r.Verdict.Live() && !o.Fresh && r.Plan.Path == o.Plan && !r.isEdited() {
		started, _ = r.Session.Header.StartedAt()
	}
	if o.Claim != nil {
		return p.claimToStart(ctx, o, started, r.continues(o.Plan))
	}
	name, ok := p.sharedPlan(o.Plan)
	if _, claimed := p.team().claims[share.ClaimRef(name)]; !ok || !claimed {
		return nil, nil, nil
	}
	record := newRecord(name, started)
	record.Force = true
	return record, nil, nil
}

// keepRecord stores what came of a claim for the session that was started. It reports whether that is the one which it was for.
func (p *Project) keepRecord(ctx context.Context, r *Report, record claimRecord, wait time.Duration) bool {
	if r.Session == nil {
		return false
	}
	name, _ := p.sharedPlan(r.Plan.Path)
	if name != record.Plan {
		return false
	}
	started, _ := r.Session.Header.StartedAt()
	record.Started = inHeader(started)
	_ = p.change(ctx, r.User, wait, func(l *locked) error {
		p.setClaimRecord(l, record)
		return nil
	})
	return true
}

// claimToStart claims a plan at the remote for the session that is about to be on it, started at a time. It returns the record of
// it for the session's directory. An error of kind Busy says that somebody else has the plan, which is a warning if a session
// continues; whatever else is wrong is one, because a session can be started without a network.
func (p *Project) claimToStart(ctx context.Context, o *BootstrapOptions, started time.Time, continues bool) (record *claimRecord, warning *Warning, err error) {
	name, ok := p.sharedPlan(o.Plan)
	if !ok {
		return nil, nil, nil
	}
	record = newRecord(name, started)
	record.Force = o.Force
	ctx, cancel := context.WithTimeout(ctx, gitremote.DefaultTimeout)
	defer cancel()
	s, err := p.sharer(ctx, *o.Claim)
	if err == nil {
		err = s.claimNow(ctx, record)
	}
	var its *Error
	switch {
	case errors.As(err, &its) && its.Kind == Busy && record.Outcome == share.Lost:
		if warning := p.lostClaim(record); continues {
			return record, &warning, nil
		}
		its.Hint = p.insteadOf(o)
		return nil, nil, its
	case err != nil:
		if h := p.holderOf(p.claimsElsewhere(o.User), o.User, o.Plan); h != nil && !continues && !o.Force {
			return nil, nil, p.held(h, o)
		}
		text := err.Error()
		if errors.As(err, &its) && its.Kind == MissingInput && its.Hint != "" {
			text += ": " + its.Hint
		}
		record.Outcome = ""
		return record, &Warning{Code: ClaimProblem, Detail: "nobody else knows of this session, because it could not be claimed: " + text}, nil
	}
	return record, nil, nil
}

// claimNow claims the plan of a record, in as few connections as it takes.
func (s *sharer) claimNow(ctx context.Context, record *claimRecord) error {
	s.claimant = s.newClaimant(*record, s.Now)
	ref := share.ClaimRef(record.Plan)
	for range syncTries {
		refs, err := s.repo.List(ctx, s.remote, ref)
		if err != nil {
			return remoteFailed(err)
		}
		delete(s.seen.claims, ref)
		if len(refs) > 0 {
			trees, err := s.repo.Read(ctx, s.remote, []string{refs[0].ID})
			if err == nil && isUnknown(&trees[0]) {
				err = trees[0].Err
			}
			if isMoved(err) {
				continue
			}
			if err != nil {
				return remoteFailed(err)
			}
			s.seen.claims[ref] = readClaim(ref, refs[0].ID, &trees[0])
		}
		updates, err := s.contend()
		if err != nil {
			return err
		}
		*record = s.claimant.record
		if record.Outcome == share.Lost {
			s.keepClaims()
			return project.Fail(Busy, "", "%s", claimWords(&record.Holder, s.planOfShared(record.Plan)))
		}
		if len(updates) == 0 || updates[0].commit == nil {
			s.keepClaims()
			return nil
		}
		its := updates[0] // the claims of a former session end at the next sync
		if err := s.repo.Write(ctx, its.commit); err != nil {
			return remoteFailed(err)
		}
		results, err := s.repo.Push(ctx, s.remote, []gitremote.Update{its.Update})
		if err != nil {
			return remoteFailed(err)
		}
		if results[0].Outcome == gitremote.Rejected {
			return project.Fail(Refused, results[0].Hint, "%s", results[0].Reason)
		}
		if results[0].Outcome == gitremote.Done {
			s.claimed(its)
			record.Force = false
			s.keepClaims()
			return nil
		}
	}
	return outrun(s.remote.Prefix + ref)
}

// keepClaims stores what the sync knows of claims. Nothing is wrong without that.
func (s *sharer) keepClaims() {
	s.news = true
	s.keepTeam()
	s.synced = s.seen
}

// readClaim returns the claim that a ref has: a commit, and its files.
func readClaim(ref, commit string, its *gitremote.Tree) heldClaim {
	held := heldClaim{commit: commit}
	if text, ok := its.Files[claimText]; ok && its.Err == nil {
		held.Claim, _ = share.DecodeClaim(ref, text)
	}
	return held
}
