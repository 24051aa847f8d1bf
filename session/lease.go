package session

import (
	"bytes"
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
	TTL      int       `json:"ttl"`               // seconds
}

// A Member is a process or a conversation that went on with a run which another began.
type Member struct {
	Owner
	Conversation string `json:"conversation,omitempty"` // what it goes by, not the host's id
}

// Lease returns who holds the session. Errors: fs.ErrNotExist where nobody does, [ErrLeaseUnreadable],
// [ErrLeaseVersion], those of durable.Read.
func (d Dir) Lease() (lease Lease, err error) {
	if err := d.check(); err != nil {
		return Lease{}, err
	}
	err = d.look(leaseFile, func(root *os.Root, name string) error {
		lease, err = readLease(d.budget, root, name)
		return err
	})
	return lease, err
}

// Lease is [Dir.Lease] in the directory that is locked.
func (g *Guard) Lease() (Lease, error) {
	return readLease(nil, g.dir, leaseFile)
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
	l.TTL = int(seconds(int64(l.TTL)) / time.Second)
	return l, nil
}

// WriteLease makes l the lease, whatever was there.
func (g *Guard) WriteLease(l Lease) error { return g.writeLease(g.write, l) }

// RenewLease is WriteLease for a lease that a power cut may undo: of a start that the journal has, or with new times.
func (g *Guard) RenewLease(l Lease) error { return g.writeLease(g.write.Lazily(), l) }

func (g *Guard) writeLease(w durable.Writer, l Lease) error {
	l.Version = leaseVersion
	l.Acquired, l.Renewed = l.Acquired.UTC(), l.Renewed.UTC()
	text, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	was, err := durable.Look(g.dir, leaseFile)
	if errors.Is(err, durable.ErrNotRegular) {
		was, err = durable.Stamp{}, g.clear(leaseFile)
	}
	if err != nil {
		return g.named(err)
	}
	return g.named(w.Replace(g.dir, leaseFile, [][]byte{append(bytes.TrimSpace(text), '\n')}, filePerm, was))
}

// DropLease takes the lease away, whosever it is. None is fine.
func (g *Guard) DropLease() error {
	if _, err := durable.Look(g.dir, leaseFile); errors.Is(err, durable.ErrNotRegular) {
		return g.clear(leaseFile)
	}
	return g.named(g.write.Remove(g.dir, leaseFile))
}
