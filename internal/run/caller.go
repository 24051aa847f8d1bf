package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// A Caller is what the process that runs this program can show of the run that it belongs to. Everything may be empty,
// as in a person's shell.
//
// Its relations to a run, and what they permit:
//
//	shows      it shows the run's token                            continue the run
//	is         or it is the run's process, which may be gone; all   end the run
//	           that it shows must match
//	owns       or it descends from a process of the run            renew the lease, bootstrap
//	part       it descends, and shows nothing else                 end the run
//	isMember   it is a member of the run                           end its part
//	leaves     it is the run's process in another conversation     start a run that ends the old one
//	Anonymous  it shows nothing                                    act for a nameless run
type Caller struct {
	Token        string // of the run, as gsd run start gave it (GSD_RUN)
	Host         string // the program that the agent runs in
	Conversation string // the host's id of the conversation
	PID          int    // of the agent's own process, 0 if unknown
	Sure         bool   // the PID was given explicitly, not by the environment
	SureHost     bool   // the host was given explicitly, so runs of another host are not the caller's

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
	c.Owner = p.Here()
	c.Owner.PID, c.Owner.StartTime = c.PID, is.StartTime
	return c
}

// Missing reports whether the caller explicitly names a process that does not exist.
func (c Caller) Missing() bool { return c.gone && c.Sure }

// Anonymous reports whether a caller shows nothing, though its host may be known: which run is its own must not be
// guessed.
func (c Caller) Anonymous() bool { return c.Token == "" && c.Conversation == "" && c.PID == 0 }

// tokens returns the tokens that a run of the caller may have: that of its conversation, that of its process, and the
// one it was given. The first two are derived, so that nothing has to remember them. A new run gets the first token; a
// given one may be of a run that ended long ago, in a shell that lived on.
func (c Caller) tokens() []string {
	var all []string
	if c.Conversation != "" {
		all = append(all, conversationToken(c.Conversation))
	}
	if o := c.Owner; o.PID > 0 && o.StartTime != "" {
		all = append(all, tokenOf("process", o.Machine, o.BootID, o.Namespace, strconv.Itoa(o.PID), o.StartTime))
	}
	if c.Token != "" {
		all = append(all, c.Token)
	}
	return all
}

// conversationToken returns the token of a conversation. It does not depend on the host, which a caller may not know.
func conversationToken(id string) string { return tokenOf("conversation", id) }

func tokenOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// isOf reports whether a run is of the caller's conversation.
func (c Caller) isOf(r *Run) bool {
	return c.Conversation != "" && r.Token == conversationToken(c.Conversation)
}

// shows reports whether the caller can show a run's token. A conversation belongs to its host.
func (c Caller) shows(r *Run) bool {
	if c.SureHost && r.Host != "" && r.Host != c.Host {
		return false
	}
	if c.isOf(r) {
		return c.Host == "" || r.Host == "" || c.Host == r.Host
	}
	return slices.Contains(c.tokens(), r.Token)
}

// is reports whether a run is the caller's own: the caller shows its token, or is its process, which may be gone. If it
// names a conversation, that must match.
func (c Caller) is(r *Run) bool {
	if c.Conversation != "" {
		return (c.isOf(r) || r.Token == c.Token) && c.shows(r)
	}
	return c.shows(r) || c.runs(r.Owner)
}

// runs reports whether an owner is the process that the caller names, which may be gone.
func (c Caller) runs(o Owner) bool {
	return c.Owner.Same(o) || c.gone && c.Owner.PID == o.PID && o.Near(c.Owner)
}

// part reports whether the caller descends from a process of the run and shows nothing else.
func (c Caller) part(r *Run) bool {
	return r.Above && c.Conversation == "" && !c.Sure && (c.Host == "" || c.Host == r.Host)
}

// owns reports whether the caller acts for a run: it continues the run, or descends from a process of it. Ancestry
// alone does not identify an agent, but this run's agent named its process when the run started. A conversation of another host
// is another agent's; a new one of the same host may be the same agent's, after its context was cleared.
func (c Caller) owns(r *Run) bool {
	return c.shows(r) || c.runs(r.Owner) || r.Above && (c.Conversation == "" || c.Host == r.Host)
}

// leaves reports whether a caller that starts another run abandons this one. An agent whose context was cleared continues
// in the same process under another conversation id, and a run that named no process may name it now.
func (c Caller) leaves(r *Run) bool {
	same := c.isOf(r) || c.Conversation == "" && c.Token == r.Token && (c.Host == "" || c.Host == r.Host)
	return c.Owner.Same(r.Owner) && !c.shows(r) || r.Nameless() && c.Owner.PID > 0 && same
}
