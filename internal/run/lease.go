package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// leaseFile says which run is at work on the session.
const (
	leaseFile  = "lease.json"
	leaseLimit = 16 << 10 // bytes
)

// ErrLeaseUnreadable means that the lease file contains no lease, because it is empty, torn, or not a regular file.
var ErrLeaseUnreadable = errors.New("the lease cannot be read")

// A Lease is the right to work on a session, which one run at a time has. It informs, and keeps the session from being
// replaced; reading and marking do not need it.
type Lease struct {
	Token        string `json:"token"` // which the holder can show
	Run          string `json:"run"`   // the run's id in the journal
	Host         string `json:"host,omitempty"`
	Conversation string `json:"conversation,omitempty"` // the host's id of the conversation, until the run ends
	Supervised   bool   `json:"supervised,omitempty"`   // gsd exec holds it, and sees how the run ends
	Owner
	Members  []Member  `json:"members,omitempty"` // who continues the run beside the owner
	Acquired time.Time `json:"acquired"`          // UTC
	Renewed  time.Time `json:"renewed"`           // UTC
	TTL      int64     `json:"ttl"`               // seconds
}

// A Member is a process or a conversation that continued a run which another began.
type Member struct {
	Owner
	Conversation string `json:"conversation,omitempty"` // its token, not the host's id
}

// readLease follows no link: the guard's holder would not write through it, and all readers must see the same.
func readLease(b *durable.Budget, root *os.Root, name string) (Lease, error) {
	was, err := durable.StampOf(root, name)
	if err == nil && was.IsZero() {
		return Lease{}, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	var text []byte
	if err == nil {
		text, _, err = b.Read(root, name, leaseLimit)
	}
	switch {
	case errors.Is(err, durable.ErrNotRegular), errors.Is(err, durable.ErrTooLarge), errors.Is(err, durable.ErrEscapes):
		return Lease{}, fmt.Errorf("%w: %w", ErrLeaseUnreadable, err)
	case err != nil:
		return Lease{}, err
	}
	return ParseLease(text)
}

// ParseLease reads a lease. Any program may have written it, so what becomes a part of a command or of
// a computation is checked.
func ParseLease(text []byte) (Lease, error) {
	var l Lease
	if err := json.Unmarshal(text, &l); err != nil {
		return Lease{}, fmt.Errorf("%w: %w", ErrLeaseUnreadable, err)
	}
	if l.Token == "" || !validID(l.Run) {
		return Lease{}, fmt.Errorf("%w: it names no run", ErrLeaseUnreadable)
	}
	if !validConversation(l.Conversation) {
		l.Conversation = ""
	}
	l.TTL = int64(seconds(l.TTL) / time.Second)
	return l, nil
}

// Encode returns the lease as it is written, indented for people.
func (l Lease) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(l, "", "  ")
	return append(text, '\n'), err
}
