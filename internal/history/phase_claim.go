package history

// phase_claim.go: which phase another session of upstream's works on.

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// PhaseClaimed warns that another session of upstream's has claimed a phase.
const PhaseClaimed = "phase-claimed"

// PhaseClaim returns the claim of another session of upstream's on a phase of a root, nil for none. If its conversation is the caller's, or
// one of the user's that gsd has a run of, what is known of that run counts: after a /clear the claim of the conversation before is still
// there, and nobody works on it.
func PhaseClaim(p *verdict.Project, user, root string, now time.Time) *project.PhaseClaim {
	c := p.Planning.PhaseClaim(root, now)
	if c == nil || c.Session == "" {
		return c
	}
	if isConversation(c.Session, p.Caller.Conversation) {
		return nil
	}
	_, known, _ := p.ReadRuns(user, nil, p.RunFiles(user), now)
	if slices.ContainsFunc(known.Runs, func(r run.Run) bool { return isConversation(c.Session, r.Conversation) }) {
		return nil
	}
	return c
}

// isConversation reports whether upstream's name of a session, such as claude-code-session-id-1f2e, is that of a host's conversation.
func isConversation(session, id string) bool {
	return project.IsToken(session, project.SessionToken(id))
}

// PhaseClaimWarnings warns of a claim of another session of upstream's, if it is about the phase of what somebody is to begin, and, as
// upstream does, if it is about another one.
func PhaseClaimWarnings(p *verdict.Project, user, root, phase string, now time.Time) []project.Warning {
	c := PhaseClaim(p, user, root, now)
	begun, ok := planref.ParseNumber(phase)
	switch {
	case c == nil:
		return nil
	case !ok:
		return claimWarning(c, "")
	case isPhase(c, begun):
		return claimWarning(c, "; it may be at work on it")
	}
	return claimWarning(c, bothWrite)
}

// PositionClaimWarnings warns of a claim of another session of upstream's on another phase than that of the position for STATE.md.
func PositionClaimWarnings(p *verdict.Project, user, root string, phase planref.Number, now time.Time) []project.Warning {
	c := PhaseClaim(p, user, root, now)
	if c == nil || phase.IsZero() || isPhase(c, phase) {
		return nil
	}
	return claimWarning(c, bothWrite)
}

const bothWrite = "; both would write one position into STATE.md"

func claimWarning(c *project.PhaseClaim, so string) []project.Warning {
	detail := c.Who() + " has claimed phase " + c.Phase + ", and renewed that at " + verdict.Minute(c.Renewed) + so
	return []project.Warning{{Code: PhaseClaimed, Detail: detail}}
}

func isPhase(c *project.PhaseClaim, number planref.Number) bool {
	claimed, _ := planref.ParseNumber(c.Phase)
	return planref.Compare(claimed, number) == 0
}
