package share

import (
	"encoding/json"
	"fmt"
	"time"
)

// A Claim says that a plan is somebody's. The ref of the plan (ClaimRef) is the only truth about it, and changes by
// compare-and-swap: who is there first has the plan, also of two who started it offline. Nobody loses to an earlier clock
// what he was told is his.
type Claim struct {
	Plan     string    `json:"plan"`
	User     string    `json:"user"` // see UserID
	Name     string    `json:"name,omitempty"`
	Worktree string    `json:"worktree"`
	Machine  string    `json:"machine,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	Started  time.Time `json:"started"` // the session; it ends with that
	At       time.Time `json:"at"`
	Renewed  time.Time `json:"renewed"`
}

// ClaimTTL is for how long after its renewal a claim holds, by default.
const ClaimTTL = 72 * time.Hour

// maxClaim bounds a claim's bytes.
const maxClaim = 16 << 10

// By reports whether the claim is that of a user's worktree.
func (c Claim) By(user, worktree string) bool { return c.User == user && c.Worktree == worktree }

// Expired reports whether nobody has renewed the claim for the time ttl. A renewal as far in the future is no better: its
// clock or this one is wrong, and a claim must not outlive its session by years.
func (c Claim) Expired(now time.Time, ttl time.Duration) bool { return now.Sub(c.Renewed).Abs() >= ttl }

// An Outcome says whose a claimed plan is.
type Outcome string

// The outcomes.
const (
	Held      Outcome = "held"      // this worktree's
	Elsewhere Outcome = "elsewhere" // the user's, claimed in another worktree
	Lost      Outcome = "lost"      // somebody else's
)

// Contend decides whose the plan is that mine claims, when its ref has the claim held, nil for none. The claim that it
// returns, if any, is to be written in place of held; if that is refused, read the ref and ask again. The outcome is
// true once it is written.
//
// starting says that this session's claim meets the ref for the first time; only then does it take the place of an
// expired one. Otherwise two worktrees with clocks that differ by days would take the plan from each other forever.
func Contend(mine Claim, held *Claim, starting bool, now time.Time, ttl time.Duration) (Outcome, *Claim) {
	mine.At, mine.Renewed = now, now
	switch {
	case held == nil:
		return Held, &mine
	case held.By(mine.User, mine.Worktree):
		mine.At = held.At
		if !wholeSecond(mine.Started).Equal(held.Started) {
			mine.At = now
		} else if now.Sub(held.Renewed).Abs() < ttl/12 {
			return Held, nil
		}
		return Held, &mine
	case starting && held.Expired(now, ttl):
		return Held, &mine
	case held.User == mine.User:
		return Elsewhere, nil
	}
	return Lost, nil
}

// EncodeClaim returns the bytes of a claim.
func EncodeClaim(c Claim) ([]byte, error) {
	if !IsPlan(c.Plan) || !isID(c.User) || !isID(c.Worktree) {
		return nil, fmt.Errorf("a claim on %q by %q in %q cannot be shared", c.Plan, c.User, c.Worktree)
	}
	text, err := json.Marshal(c.clean())
	return append(text, '\n'), err
}

// DecodeClaim reads a claim from the ref below the prefix of gsd's refs. Fields that it does not know are
// ignored, because the plan is claimed anyway.
func DecodeClaim(ref string, text []byte) (Claim, error) {
	var c Claim
	if len(text) > maxClaim {
		return Claim{}, fmt.Errorf("%.100q: %d bytes are too many for a claim", ref, len(text))
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return Claim{}, fmt.Errorf("%.100q: %w", ref, err)
	}
	if !IsPlan(c.Plan) || !isID(c.User) || !isID(c.Worktree) || ClaimRef(c.Plan) != ref {
		return Claim{}, fmt.Errorf("%.100q is not a claim on its plan", ref)
	}
	return c.clean(), nil
}

func (c Claim) clean() Claim {
	c.Name, c.Machine, c.Branch = cleanName(c.Name), cleanName(c.Machine), cleanName(c.Branch)
	c.Started, c.At, c.Renewed = wholeSecond(c.Started), wholeSecond(c.At), wholeSecond(c.Renewed)
	return c
}
