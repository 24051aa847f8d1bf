package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// A Caller is what whoever runs this program can show of the run that it belongs to. All of it may be empty: a person's
// shell.
//
// What follows from it:
//
//	shows      it shows the run's token                                it goes on with the run
//	is         or is the run's process, be it gone; all that it says   it ends the run
//	           has to fit
//	owns       or a process of the run has started it                  it renews the lease, and may bootstrap
//	part       that, and it says nothing else of itself                it ends the run
//	isMember   it is a member of the run                               its end is a part's end
//	leaves     it is the run's process with another conversation       its new run ends the old one
//	Anonymous  it shows nothing                                        it stands for a run that named no process
type Caller struct {
	Token        string // of the run, as gsd run start gave it (GSD_RUN)
	Host         string // the program that the agent runs in
	Conversation string // the host's id of it
	PID          int    // of the agent's own process, 0 where nobody told
	Sure         bool   // the PID was given outright, and is not the environment's
	SureHost     bool   // so was the host, and a run of another is none of the caller's

	Owner Owner // of that process, see Find
	gone  bool  // there is no such process
}

// Find fills in what is known of the caller's process. It costs a look at the process table. One that is not there is
// nobody's, unless it was named outright: an environment may have been carried into another container.
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

// Missing reports whether the caller names a process outright that is not there.
func (c Caller) Missing() bool { return c.gone && c.Sure }

// Anonymous reports whether a caller shows nothing, though its host may be known: which run is its own must not be guessed.
func (c Caller) Anonymous() bool { return c.Token == "" && c.Conversation == "" && c.PID == 0 }

// tokens are what a run of the caller's may go by: what names its conversation, or its process, and what it was
// given. The same conversation or process comes to the same one without anybody having to remember it. A new run
// goes by the first; one that was given may be of a run that is long over, in a shell that lived on.
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

// conversationToken is what a run of a conversation goes by. The host does not count: one caller may not know it.
func conversationToken(id string) string { return tokenOf("conversation", id) }

func tokenOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// isOf reports whether a run is of the caller's conversation.
func (c Caller) isOf(r *Run) bool {
	return c.Conversation != "" && r.Token == conversationToken(c.Conversation)
}

// shows reports whether the caller can show a run's token. A conversation is one of its host's.
func (c Caller) shows(r *Run) bool {
	if c.SureHost && r.Host != "" && r.Host != c.Host {
		return false
	}
	if c.isOf(r) {
		return c.Host == "" || r.Host == "" || c.Host == r.Host
	}
	return slices.Contains(c.tokens(), r.Token)
}

// is reports whether a run is the caller's own: it shows the run's token, or it is the run's process, which may be gone
// by now. Where it names a conversation, that has to fit.
func (c Caller) is(r *Run) bool {
	if c.Conversation != "" {
		return (c.isOf(r) || r.Token == c.Token) && c.shows(r)
	}
	return c.shows(r) || c.runs(r.Owner)
}

// runs reports whether an owner is the process that the caller names, there or gone.
func (c Caller) runs(o Owner) bool {
	return c.Owner.Same(o) || c.gone && c.Owner.PID == o.PID && o.Near(c.Owner)
}

// part reports whether a process of the run has started the caller, which says nothing else of itself.
func (c Caller) part(r *Run) bool {
	return r.Above && c.Conversation == "" && !c.Sure && (c.Host == "" || c.Host == r.Host)
}

// owns reports whether the caller acts for a run: it goes on with it, or a process of the run has started the caller.
// The latter is no guess about who the agent is, which ancestry cannot tell, but a proof that this agent, named by itself
// when the run began, is above. One that says it is another host's is another; a new conversation of the same host may be
// the same agent, which was told to forget.
func (c Caller) owns(r *Run) bool {
	return c.shows(r) || c.runs(r.Owner) || r.Above && (c.Conversation == "" || c.Host == r.Host)
}

// leaves reports whether a caller that begins another run leaves this one behind by it: an agent that was told to
// forget goes on in the same process under another conversation's id; one that named no process names it now.
func (c Caller) leaves(r *Run) bool {
	same := c.isOf(r) || c.Conversation == "" && c.Token == r.Token && (c.Host == "" || c.Host == r.Host)
	return c.Owner.Same(r.Owner) && !c.shows(r) || r.Nameless() && c.Owner.PID > 0 && same
}
