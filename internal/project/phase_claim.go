package project

// phase_claim.go: a session of upstream's says in milestone.lock which phase it works on, and renews that while it does (gsd-core,
// lib/milestone-lock.cjs, #3311). It is a claim, not a lock: upstream warns, and continues.

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/text"
)

const (
	phaseClaimFile = "milestone.lock"
	maxPhaseClaim  = 4 << 10 // bytes that are read; real ones have 200

	maxMillis = 253402300800000 // the year 10000, which JSON cannot state

	phaseClaimTTL  = 4 * time.Hour   // after which upstream itself ignores it
	phaseClaimSkew = 5 * time.Minute // by which another clock may be ahead; upstream would believe one of the year 9999 for ever
)

// A PhaseClaim is what a session of upstream's says of itself.
type PhaseClaim struct {
	Phase   string    `json:"phase"`                // the phase, such as 3 or 2.1
	Session string    `json:"session" empty:"null"` // upstream's name of the session; null if it has none
	Renewed time.Time `json:"renewed"`              // when it last said so
}

// ReadPhaseClaim parses a milestone.lock. ok is false if it is half-written or names no phase. Which process wrote it does not matter:
// each of upstream's commands is one of its own, and over when this is read.
func ReadPhaseClaim(src []byte) (c PhaseClaim, ok bool) {
	var raw map[string]any
	if json.Unmarshal(src, &raw) != nil {
		return c, false
	}
	phase, _ := raw["phase"].(string)
	number, isPhase := planref.ParseNumber(strings.TrimSpace(phase))
	if !isPhase {
		return c, false
	}
	c.Phase = number.String()
	session, _ := raw["session"].(string)
	c.Session = text.OneLine(session)
	if ms, _ := raw["updated_at"].(float64); ms > 0 && ms < maxMillis {
		c.Renewed = time.UnixMilli(int64(ms)).UTC()
	}
	return c, true
}

// Counts reports whether the claim still counts at a time.
func (c *PhaseClaim) Counts(now time.Time) bool {
	age := now.Sub(c.Renewed)
	return age < phaseClaimTTL && age >= -phaseClaimSkew
}

// PhaseClaim returns the claim on a phase of a root that another session has, nil for none.
func (p *Project) PhaseClaim(root string, now time.Time) *PhaseClaim {
	c, ok := ReadPhaseClaim(p.Beside(path.Join(root, phaseClaimFile), maxPhaseClaim))
	if !ok || !c.Counts(now) || c.Session != "" && c.Session == p.SessionKey {
		return nil
	}
	return &c
}

// sessionKeys are the variables that name a session for upstream, the first that is set (gsd-core, lib/active-workstream-store.cjs).
var sessionKeys = [...]string{
	"GSD_SESSION_KEY", "CODEX_THREAD_ID", "CLAUDE_SESSION_ID", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT", "OPENCODE_SESSION_ID",
	"GEMINI_SESSION_ID", "CURSOR_SESSION_ID", "WINDSURF_SESSION_ID", "TERM_SESSION_ID", "WT_SESSION", "TMUX_PANE", "ZELLIJ_SESSION_NAME",
}

// SessionKeyOf returns upstream's name of the session in an environment; "" if it has none. That of a terminal without any of the
// variables is not looked for, because an agent's commands have none.
func SessionKeyOf(getenv func(string) string) string {
	for _, name := range sessionKeys {
		if token := SessionToken(getenv(name)); token != "" {
			return keyPrefix(name) + token
		}
	}
	for _, name := range [...]string{"TTY", "SSH_TTY"} {
		if token := SessionToken(getenv(name)); token != "" {
			return "tty-" + strings.TrimPrefix(token, "dev_")
		}
	}
	return ""
}

// keyPrefix begins upstream's name of a session that a variable names.
func keyPrefix(variable string) string {
	return strings.ReplaceAll(strings.ToLower(variable), "_", "-") + "-"
}

// IsToken reports whether upstream's name of a session consists of the name of a variable and that token.
func IsToken(sessionKey, token string) bool {
	return token != "" && slices.ContainsFunc(sessionKeys[:], func(name string) bool { return sessionKey == keyPrefix(name)+token })
}

// SessionToken returns the id of a session as upstream has it in its name.
func SessionToken(id string) string {
	token := strings.Trim(notInToken().ReplaceAllString(strings.TrimSpace(id), "_"), "_")
	return token[:min(len(token), 160)]
}

var notInToken = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-zA-Z0-9._-]+`) })
