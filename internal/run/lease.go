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

// leaseFile says who is working on the session right now.
const (
	leaseFile    = "lease.json"
	leaseVersion = 1
	leaseLimit   = 16 << 10 // bytes
)

var (
	// ErrLeaseUnreadable means that there is a lease file that says nothing: empty, torn, or no file at all.
	ErrLeaseUnreadable = errors.New("the lease cannot be read")
	// ErrLeaseVersion means that a later version of gsd wrote the lease.
	ErrLeaseVersion = errors.New("the lease was written by a later version of gsd")
)

// A Lease is the right to work on a session, which one run at a time has. It informs, and guards a session
// against being replaced; it stops nobody from reading or from marking.
type Lease struct {
	Version      int    `json:"version"`
	Token        string `json:"token"` // whoever shows it is the holder
	Run          string `json:"run"`   // the run's id in the journal
	Host         string `json:"host,omitempty"`
	Conversation string `json:"conversation,omitempty"` // the host's id of it, until the run ends
	Supervised   bool   `json:"supervised,omitempty"`   // gsd exec holds it, and will see how the run ends
	Owner
	Members  []Member  `json:"members,omitempty"` // who goes on with the run beside the owner
	Acquired time.Time `json:"acquired"`          // UTC
	Renewed  time.Time `json:"renewed"`           // UTC
	TTL      int64     `json:"ttl"`               // seconds
}

// A Member is a process or a conversation that went on with a run which another began.
type Member struct {
	Owner
	Conversation string `json:"conversation,omitempty"` // what it goes by, not the host's id
}

// readLease follows no link: the guard's holder would not write through it, and all must see the same.
func readLease(b *durable.Budget, root *os.Root, name string) (Lease, error) {
	was, err := durable.Look(root, name)
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
	return parseLease(text)
}

// parseLease reads a lease of this version. Anybody may have written it: what is shown as a part of a command, or
// computed with, is no more than it may be.
func parseLease(text []byte) (Lease, error) {
	var of struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return Lease{}, fmt.Errorf("%w: %w", ErrLeaseUnreadable, err)
	}
	if of.Version > leaseVersion { // whose other fields may be anything
		return Lease{}, ErrLeaseVersion
	}
	var l Lease
	if err := json.Unmarshal(text, &l); err != nil {
		return Lease{}, fmt.Errorf("%w: %w", ErrLeaseUnreadable, err)
	}
	if l.Version != leaseVersion || l.Token == "" || !validID(l.Run) {
		return Lease{}, fmt.Errorf("%w: it names no run", ErrLeaseUnreadable)
	}
	if !validConversation(l.Conversation) {
		l.Conversation = ""
	}
	l.TTL = int64(seconds(l.TTL) / time.Second)
	return l, nil
}

// encode gives the lease as it is written: for people too.
func (l Lease) encode() ([]byte, error) {
	text, err := json.MarshalIndent(l, "", "  ")
	return append(text, '\n'), err
}
