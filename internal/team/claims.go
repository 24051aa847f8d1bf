package team

// claims.go: who has a plan, of all who share through the remote. The rules are those of share.Contend; the refs at the remote
// are the truth, team.go has what was last seen of them, and claim.json beside a session what came of its own claim.

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/verdict"
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

// A ClaimRecord is what a worktree remembers of the claim of its session.
type ClaimRecord struct {
	Plan     string        `json:"plan"`    // as it is shared
	Started  time.Time     `json:"started"` // of the session
	Outcome  share.Outcome `json:"outcome,omitempty"`
	Holder   share.Claim   `json:"holder,omitzero"`
	TakeOver bool          `json:"take_over,omitempty"` // the next sync takes it over
}

// claimant is the session that a sync claims for.
type claimant struct {
	share.Claim
	record   ClaimRecord
	starting bool // its claim meets the ref for the first time; see share.Contend
}

// NewRecord returns the record of a session that nothing came of yet.
func NewRecord(plan string, started time.Time) *ClaimRecord {
	return &ClaimRecord{Plan: plan, Started: InHeader(started)}
}

// InHeader returns a time as the header of a session has it.
func InHeader(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// matches reports whether the record is of a session.
func (c *ClaimRecord) matches(plan string, started time.Time) bool {
	return c.Plan == plan && c.Started.Equal(InHeader(started))
}

func claimRecord(p *verdict.Project, user string) (c ClaimRecord) {
	_ = p.Session(user).WithFile(session.ClaimFile, func(root *os.Root, name string) error {
		text, _, err := durable.Read(root, name, 64<<10)
		if err != nil || json.Unmarshal(text, &c) != nil || !share.IsPlan(c.Plan) {
			c = ClaimRecord{}
		}
		return err
	})
	return c
}

// SetClaimRecord stores a record, with the guard held; without a plan it removes it. An error is ignored: the next sync stores it again.
func SetClaimRecord(p *verdict.Project, l *verdict.Locked, c ClaimRecord) {
	root := l.Guard.Root()
	if c.Plan == "" {
		if _, err := root.Lstat(session.ClaimFile); err == nil {
			_ = p.Write.Remove(root, session.ClaimFile)
		}
		return
	}
	text, err := json.Marshal(c)
	if err != nil {
		return
	}
	now, was, err := durable.Read(root, session.ClaimFile, 64<<10)
	if err == nil && string(now) == string(text) {
		return
	}
	_ = p.Write.Replace(root, session.ClaimFile, [][]byte{text}, 0o666, was)
}

// claimFor makes the session that is shared as l the one that the sync claims for; nil for none.
func (s *Exchange) claimFor(l *share.Session) {
	s.claimant = nil
	if l == nil {
		return
	}
	record := claimRecord(s.Project, s.User)
	if !record.matches(l.Plan, l.Started) {
		record = *NewRecord(l.Plan, l.Started)
	}
	s.claimant = s.newClaimant(record)
}

// newClaimant returns the session of a record.
func (s *Exchange) newClaimant(record ClaimRecord) *claimant {
	return &claimant{record: record, starting: record.Outcome == "", Claim: share.Claim{
		Plan: record.Plan, User: s.id, Name: s.User, Worktree: s.worktree, Machine: s.here.Machine, Branch: s.here.Branch, Started: record.Started,
	}}
}

// plan is the plan of the session that is synced, as it is shared; "" for none.
func (s *Exchange) plan() string {
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
func (s *Exchange) contend() (all []refUpdate, err error) {
	c := s.claimant
	if s.claimless {
		if c != nil {
			c.record.Outcome, c.record.Holder = "", share.Claim{}
		}
		return nil, nil
	}
	if c != nil {
		ref := share.ClaimRef(c.Plan)
		held := s.seen.Claims[ref]
		claim := &held.Claim
		if held.Plan == "" { // nobody's, or nothing that is a claim
			claim = nil
		}
		outcome, next := share.Contend(c.Claim, claim, c.starting, s.Now, s.seen.ttl)
		if next == nil && outcome != share.Held && c.record.TakeOver {
			mine := c.Claim
			mine.At, mine.Renewed = s.Now, s.Now
			outcome, next = share.Held, &mine
		}
		c.record.Outcome, c.record.Holder = outcome, held.Claim
		if next != nil {
			update, err := newClaim(s.remote.Prefix+ref, held.commit, *next)
			if err != nil {
				return nil, err
			}
			c.record.Holder = *next
			all = append(all, *update)
		}
	}
	for ref, held := range s.seen.Claims {
		if held.By(s.id, s.worktree) && !(c != nil && held.Plan == c.Plan) && len(all) < gitremote.MaxUpdates/2 {
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
func (s *Exchange) claimed(u refUpdate) {
	name := strings.TrimPrefix(u.Ref, s.remote.Prefix)
	if u.New == "" {
		delete(s.seen.Claims, name)
		return
	}
	c := u.claim
	if decoded, err := share.DecodeClaim(name, u.text); err == nil { // as it will be read
		c = decoded
	}
	s.seen.Claims[name] = heldClaim{u.New, c}
}

// claimOutcome adds to an answer what came of the claim, and returns the record of it.
func (s *Exchange) claimOutcome(done *Synced) ClaimRecord {
	c := s.claimant
	if c == nil {
		return ClaimRecord{}
	}
	if c.record.Outcome == "" {
		return c.record
	}
	c.record.TakeOver = false
	done.Claim = planClaim(s.Project, &c.record)
	if c.record.Outcome == share.Lost {
		done.Warnings = append(done.Warnings, LostClaimWarning(s.Project, &c.record))
		return c.record
	}
	if !strings.Contains(s.seen.rest, "\non\t"+c.Plan+"\t") && s.seen.clones == nil {
		return c.record
	}
	for id, sessions := range s.seen.perUser { // who started on it offline, or without gsd sync
		at := slices.IndexFunc(sessions, func(on CloneSession) bool { return on.Plan == c.Plan })
		if at >= 0 && id != s.id {
			done.Warnings = append(done.Warnings, problem.Warning{
				Code: PlanShared, Plan: s.PlanOfShared(c.Plan), Taken: &next.Reason{Code: next.Taken, User: nameOf(id), Machine: cmp.Or(sessions[at].machine, answer.OtherMachine), Too: true},
			})
		}
	}
	return c.record
}

func planClaim(p *verdict.Project, c *ClaimRecord) *PlanClaim {
	return &PlanClaim{
		Plan: p.PlanOfShared(c.Plan), Outcome: c.Outcome, User: nameOf(c.Holder.User), Machine: cmp.Or(c.Holder.Machine, answer.OtherMachine), Since: c.Holder.At,
	}
}

// LostClaimWarning warns that a session is on a plan that somebody else has.
func LostClaimWarning(p *verdict.Project, c *ClaimRecord) problem.Warning {
	claim := &c.Holder
	return problem.Warning{
		Code: ClaimLost, User: nameOf(claim.User), Plan: p.PlanOfShared(c.Plan), Machine: cmp.Or(claim.Machine, answer.OtherMachine), Since: claim.At,
	}
}

// PlanShared warns that somebody has a session in another clone on the plan of one here, without a claim.
const PlanShared = "plan-shared"

// ClaimLost warns that somebody else has claimed the plan of a session, as of the last sync.
const ClaimLost = "claim-lost"

// claimWords say who has a plan, where, and since when.
func claimWords(c *share.Claim, plan string) string {
	return answer.HasClaimed(nameOf(c.User), answer.PlanInText(plan), cmp.Or(c.Machine, answer.OtherMachine), c.At)
}

// WarnLostClaim warns in a report if somebody else has the plan of its session, as far as the last sync knows.
func WarnLostClaim(p *verdict.Project, r *answer.Report) {
	if r.Session == nil || r.Verdict == answer.Corrupt {
		return
	}
	c := claimRecord(p, r.User)
	if c.Outcome != share.Lost {
		return
	}
	name, ok := p.SharedPlan(r.Plan.Path)
	if started, _ := r.Session.Header.StartedAt(); ok && c.matches(name, started) {
		r.Warnings = p.Warnings(r.Warnings, []problem.Warning{LostClaimWarning(p, &c)})
	}
}

// ClaimsElsewhere returns the claims of other clones in the order of their plans, as far as the last gsd sync knows.
func ClaimsElsewhere(p *verdict.Project, user string) (all []verdict.Claim) {
	t := LastSeen(p)
	if len(t.Claims) == 0 {
		return nil
	}
	here := worktreesHere(p)
	for _, c := range t.Claims { // each on another plan
		plan := p.PlanOfShared(c.Plan)
		if c.Plan == "" || plan == "" || here[c.Worktree] || c.Expired(p.Now, t.ttl) {
			continue
		}
		claim := verdict.Claim{SessionOn: verdict.SessionOn{Plan: plan, Changed: c.Renewed, Left: true}, User: nameOf(c.User), Machine: cmp.Or(c.Machine, answer.OtherMachine), Since: c.At}
		if t.own[user] == c.User {
			claim.User = user
		} else if claim.User == user { // another of that name
			claim.User = c.User
		}
		all = append(all, claim)
	}
	slices.SortFunc(all, func(a, b verdict.Claim) int { return planref.ComparePlans(a.Plan, b.Plan) })
	return all
}

// storeRecord stores what came of the claim, unless the session is another one by now.
func (s *Exchange) storeRecord(l *verdict.Locked, record ClaimRecord, current *share.Session) {
	if current == nil && record.Plan == "" || current != nil && record.matches(current.Plan, current.Started) {
		SetClaimRecord(s.Project, l, record)
	}
}

// removeClaims deletes all claims of the user at the remote.
func (s *Exchange) removeClaims(ctx context.Context, done *Synced) error {
	if _, _, err := s.fetch(ctx); err != nil {
		return remoteFailed(err)
	}
	var updates []refUpdate
	for ref, held := range s.seen.Claims {
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

// ClaimNow claims the plan of a record, in as few connections as it takes.
func (s *Exchange) ClaimNow(ctx context.Context, record *ClaimRecord) error {
	s.claimant = s.newClaimant(*record)
	ref := share.ClaimRef(record.Plan)
	for range syncTries {
		refs, err := s.repo.List(ctx, s.remote, ref)
		if err != nil {
			return remoteFailed(err)
		}
		delete(s.seen.Claims, ref)
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
			s.seen.Claims[ref] = readClaim(ref, refs[0].ID, &trees[0])
		}
		updates, err := s.contend()
		if err != nil {
			return err
		}
		*record = s.claimant.record
		if record.Outcome == share.Lost {
			s.keepClaims()
			return problem.Fail(problem.Busy, "", "%s", claimWords(&record.Holder, s.PlanOfShared(record.Plan)))
		}
		if len(updates) == 0 || updates[0].commit == nil {
			s.keepClaims()
			return nil
		}
		update := updates[0] // the claims of a former session end at the next sync
		if err := s.repo.Write(ctx, update.commit); err != nil {
			return remoteFailed(err)
		}
		results, err := s.repo.Push(ctx, s.remote, []gitremote.Update{update.Update})
		if err != nil {
			return remoteFailed(err)
		}
		if results[0].Outcome == gitremote.Rejected {
			return problem.Fail(problem.Refused, results[0].Hint, "%s", results[0].Reason)
		}
		if results[0].Outcome == gitremote.Done {
			s.claimed(update)
			record.TakeOver = false
			s.keepClaims()
			return nil
		}
	}
	return outrun(s.remote.Prefix + ref)
}

// keepClaims stores what the sync knows of claims. Nothing is wrong without that.
func (s *Exchange) keepClaims() {
	s.news = true
	s.keepTeam()
	verdict.Know(s.Project, lastSeen{}, s.seen)
}

// readClaim returns the claim that a ref has: a commit, and its files.
func readClaim(ref, commit string, tree *gitremote.Tree) heldClaim {
	held := heldClaim{commit: commit}
	if text, ok := tree.Files[claimText]; ok && tree.Err == nil {
		held.Claim, _ = share.DecodeClaim(ref, text)
	}
	return held
}
