package history

// phase_claim.go: which phase another session of upstream's works on.

import (
	"slices"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// PhaseClaimed warns that another session of upstream's has claimed a phase.
const PhaseClaimed = "phase-claimed"

// PhaseInUse is PhaseClaimed about the phase that somebody is to begin, and PositionShared about another one.
const (
	PhaseInUse     = "phase-in-use"
	PositionShared = "position-shared" // both would write one position into STATE.md
)

// IsPhaseClaim reports whether a warning is about a claim on a phase.
func IsPhaseClaim(w problem.Warning) bool {
	return w.Code == PhaseClaimed || w.Code == PhaseInUse || w.Code == PositionShared
}

// PhaseClaim returns the claim of another session of upstream's on a phase of a root, nil for none. If its conversation is the caller's, or
// one of the user's that gsd has a run of, what is known of that run counts: after a /clear the claim of the conversation before is still
// there, and nobody works on it.
func PhaseClaim(p *verdict.Project, user, root string) *project.PhaseClaim {
	c := p.Planning.PhaseClaim(root, p.Now)
	if c == nil || c.Session == "" {
		return c
	}
	if isConversation(c.Session, p.Caller.Conversation) {
		return nil
	}
	known, _ := p.ReadRuns(user, nil, p.RunFile(user))
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
func PhaseClaimWarnings(p *verdict.Project, user, root, phase string) []problem.Warning {
	c := PhaseClaim(p, user, root)
	started, ok := planref.ParseNumber(phase)
	switch {
	case c == nil:
		return nil
	case !ok:
		return claimWarning(c, PhaseClaimed)
	case isPhase(c, started):
		return claimWarning(c, PhaseInUse)
	}
	return claimWarning(c, PositionShared)
}

// PositionClaimWarnings warns of a claim of another session of upstream's on another phase than that of the position for STATE.md.
func PositionClaimWarnings(p *verdict.Project, user, root string, phase planref.Number) []problem.Warning {
	c := PhaseClaim(p, user, root)
	if c == nil || phase.IsZero() || isPhase(c, phase) {
		return nil
	}
	return claimWarning(c, PositionShared)
}

func claimWarning(c *project.PhaseClaim, code string) []problem.Warning {
	return []problem.Warning{{Code: code, Name: c.Session, Phase: c.Phase, Since: c.Renewed}}
}

func isPhase(c *project.PhaseClaim, number planref.Number) bool {
	claimed, _ := planref.ParseNumber(c.Phase)
	return planref.Compare(claimed, number) == 0
}
