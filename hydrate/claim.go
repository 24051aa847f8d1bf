package hydrate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/session"
)

// Claim is what a caller can show of the run that it belongs to. All of it may be empty: a person's shell.
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
type Claim struct {
	Token        string // of the run, as gsd run start gave it (GSD_RUN)
	Host         string // the program that the agent runs in
	Conversation string // the host's id of it
	PID          int    // of the agent's own process, 0 where nobody told
	Sure         bool   // the PID was given outright, and is not the environment's
	SureHost     bool   // so was the host, and a run of another is none of the caller's

	owner session.Owner
	gone  bool // there is no such process
}

// Anonymous tells a caller that shows nothing, though its host may be known: which run is its own must not be guessed.
func (c Claim) Anonymous() bool { return c.Token == "" && c.Conversation == "" && c.PID == 0 }

// tokens are what a run of the caller's may go by: what names its conversation, or its process, and what it was
// given. The same conversation or process comes to the same one without anybody having to remember it. A new run
// goes by the first; one that was given may be of a run that is long over, in a shell that lived on.
func (c Claim) tokens() []string {
	var all []string
	if c.Conversation != "" {
		all = append(all, conversationToken(c.Conversation))
	}
	if o := c.owner; o.PID > 0 && o.StartTime != "" {
		all = append(all, tokenOf("process", o.Machine, o.BootID, o.Namespace, strconv.Itoa(o.PID), o.StartTime))
	}
	if c.Token != "" {
		all = append(all, c.Token)
	}
	return all
}

// shows tells whether the caller can show a run's token. A conversation is one of its host's.
func (c Claim) shows(r *session.Run) bool {
	if c.SureHost && r.Host != "" && r.Host != c.Host {
		return false
	}
	if c.Conversation != "" && r.Token == conversationToken(c.Conversation) {
		return c.Host == "" || r.Host == "" || c.Host == r.Host
	}
	return slices.Contains(c.tokens(), r.Token)
}

// conversationToken is what a run of a conversation goes by. The host does not count: one caller may not know it.
func conversationToken(id string) string { return tokenOf("conversation", id) }

func tokenOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// is tells whether a run is the caller's own: it shows the run's token, or it is the run's process, which may be gone
// by now. Where it names a conversation, that has to fit.
func (c Claim) is(r *session.Run) bool {
	if c.Conversation != "" {
		return (r.Token == conversationToken(c.Conversation) || r.Token == c.Token) && c.shows(r)
	}
	return c.shows(r) || c.owner.Same(r.Owner) || c.past(r.Owner)
}

// past tells whether an owner is the process that the caller names, which is gone.
func (c Claim) past(o session.Owner) bool {
	return c.gone && c.owner.PID == o.PID && o.Near(c.owner)
}

// part tells a caller that a process of the run has started, and that says nothing else of itself.
func (c Claim) part(r *Run) bool {
	return r.Above && c.Conversation == "" && !c.Sure && (c.Host == "" || c.Host == r.Host)
}

// owns tells whether the caller acts for a run: it goes on with it, or a process of the run has started the caller.
// The latter is no guess about who the agent is, which ancestry cannot tell (neighbours.md, trap 1), but a proof
// that this agent, named by itself when the run began, is above. One that says it is another host's is another; a
// new conversation of the same host may be the same agent, which was told to forget.
func (c Claim) owns(r *Run) bool {
	return c.shows(&r.Run) || c.owner.Same(r.Owner) || c.past(r.Owner) || r.Above && (c.Conversation == "" || c.Host == r.Host)
}

// leaves tells whether a caller that begins another run leaves this one behind by it: an agent that was told to
// forget goes on in the same process under another conversation's id; one that named no process names it now.
func (c Claim) leaves(r *Run) bool {
	same := c.Conversation != "" && r.Token == conversationToken(c.Conversation) ||
		c.Conversation == "" && c.Token == r.Token && (c.Host == "" || c.Host == r.Host)
	return c.owner.Same(r.Owner) && !c.shows(&r.Run) || r.nameless() && c.owner.PID > 0 && same
}

// find fills in what is known of the caller's process. It costs a look at the process table. One that is not there is
// nobody's, unless it was named outright: an environment may have been carried into another container.
func (c Claim) find(p session.Processes) Claim {
	if c.PID <= 0 || p == nil {
		return c
	}
	is, err := p.Find(c.PID)
	if c.gone = errors.Is(err, session.ErrNoProcess); c.gone && !c.Sure {
		c.PID = 0
		return c
	}
	c.owner = p.Here()
	c.owner.PID, c.owner.StartTime = c.PID, is.StartTime
	return c
}
