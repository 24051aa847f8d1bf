package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
)

// A Caller is what the process that runs this program can show of the run that it belongs to. Everything may be empty,
// as in a person's shell. The rules:
//
//   - Who shows a run's token belongs to it: whatever the run starts inherits GSD_RUN.
//   - Two conversations are two runs. A process proves nothing then: many conversations may share one.
//   - Without a conversation on both sides, the process decides.
type Caller struct {
	Token        string // of the run, as gsd run start gave it (GSD_RUN)
	Host         string // the program that the agent runs in
	Conversation string // the host's id of the conversation
	Log          string // the host's record of it, an absolute path
	PID          int    // of the agent's own process, 0 if unknown
	Sure         bool   // the PID was given explicitly, not by the environment
	SureHost     bool   // the host was given explicitly, so runs of another host are not the caller's
	Shared       bool   // the host's process may have several conversations at a time
	Cleared      bool   // the conversation starts in place of another one of its process

	Owner Owner // of that process, see Find
	gone  bool  // there is no such process
}

// Find looks the caller's process up in the process table. One that does not exist is dropped, unless it was given
// explicitly: the environment may come from another container.
func (c Caller) Find(p Processes) Caller {
	if c.PID <= 0 || c.Owner.PID != 0 {
		return c
	}
	is, err := p.Find(c.PID)
	if c.gone = errors.Is(err, ErrNoProcess); c.gone && !c.Sure {
		c.PID = 0
		return c
	}
	c.Owner = whole(p)
	c.Owner.PID, c.Owner.StartTime = c.PID, is.StartTime
	return c
}

// Missing reports whether the caller explicitly names a process that does not exist.
func (c Caller) Missing() bool { return c.gone && c.Sure }

// Anonymous reports whether a caller shows nothing, though its host may be known: which run is its own must not be
// guessed.
func (c Caller) Anonymous() bool { return c.Token == "" && c.Conversation == "" && c.PID == 0 }

// newToken returns the token of a new run of the caller. A conversation's is derived from its id, so that nothing has to
// remember it. The given one may be of a run that ended long ago, in a shell that lived on: an agent that names its
// process gets a new one.
func (c Caller) newToken() string {
	switch {
	case c.Conversation != "":
		return conversationToken(c.Conversation)
	case c.Token != "" && c.PID == 0:
		return c.Token
	}
	return NewID() + NewID()
}

// conversationPrefix begins the tokens of conversations. Others are hex digits, or given by another program.
const conversationPrefix = "c-"

// conversationToken returns the token of a conversation. It does not depend on the host, which a caller may not know.
func conversationToken(id string) string {
	sum := sha256.Sum256([]byte("conversation\x00" + id))
	return conversationPrefix + hex.EncodeToString(sum[:12])
}

// hasConversation reports whether a run is that of a conversation.
func (r *Run) hasConversation() bool { return strings.HasPrefix(r.Token, conversationPrefix) }

// otherHost reports whether a run is that of another host, as far as both are known.
func (c Caller) otherHost(r *Run) bool { return c.Host != "" && r.Host != "" && c.Host != r.Host }

// shows reports whether the caller shows a run's token, which it was given, or which is that of its conversation. A
// conversation belongs to its host.
func (c Caller) shows(r *Run) bool {
	if c.SureHost && c.otherHost(r) {
		return false
	}
	return c.Token != "" && r.Token == c.Token || c.Conversation != "" && r.Token == conversationToken(c.Conversation) && !c.otherHost(r)
}

// another reports whether the caller is in another conversation than that of a run, so that the process says nothing.
func (c Caller) another(r *Run) bool {
	return c.Conversation != "" && (r.hasConversation() || c.otherHost(r)) && !c.shows(r)
}

// runs reports whether an owner is the process that the caller names, which may be gone.
func (c Caller) runs(o Owner) bool {
	return c.Owner.Same(o) || c.gone && c.Owner.PID == o.PID && o.Near(c.Owner)
}

// A relation is what a caller is to a run, the closest last.
type relation int

// The relations.
const (
	stranger    relation = iota
	beside               // another conversation of the run's own process
	below                // it descends from the run's process, and acts for the run
	joined               // it is one of those who continue the run beside its owner
	sameProcess          // its process is the run's
	shown                // it shows the run's token, or is its conversation
)

// relation returns what the caller is to a run, as far as its owner says.
func (c Caller) relation(r *Run) relation {
	switch {
	case c.shows(r):
		return shown
	case c.another(r) && c.Owner.Same(r.Owner):
		return beside
	case c.another(r):
		return stranger
	case c.runs(r.Owner):
		return sameProcess
	case r.Above:
		return below
	}
	return stranger
}

// continues reports whether the caller, if it starts, continues a run. A process below the run's that names itself is
// another agent.
func (c Caller) continues(r *Run) bool {
	return r.relation >= joined || r.relation == below && c.PID == 0
}

// ends reports whether the caller may end the whole of a run: all that it shows must match.
func (c Caller) ends(r *Run) bool {
	if r.relation == shown || c.Conversation != "" {
		return r.relation == shown
	}
	return r.relation == sameProcess || r.relation == below && !c.Sure && !c.otherHost(r)
}

// replaces reports whether a conversation that the caller starts takes the place of another one, whose run it is: a
// process has one at a time. One that may have several says which start is of that kind; see [Assessment.Superseded].
func (c Caller) replaces(r *Run) bool { return r.relation == beside && (!c.Shared || c.Cleared) }

// IsWord reports whether s can be the name of a host or the token of a run: letters, digits, - and _, and no flag.
func IsWord(s string) bool {
	const longest = 40
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return s != "" && s[0] != '-' && len(s) <= longest
}
