package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
	Owner
	Acquired time.Time `json:"acquired"` // UTC
	Renewed  time.Time `json:"renewed"`  // UTC
	TTL      int       `json:"ttl"`      // seconds
}

// Lease returns who holds the session. Errors: fs.ErrNotExist where nobody does, [ErrLeaseUnreadable],
// [ErrLeaseVersion] (with what could be read of it), those of durable.Read.
func (d Dir) Lease() (Lease, error) {
	if err := d.check(); err != nil {
		return Lease{}, err
	}
	return parseLease(durable.Read(d.root, d.join(leaseFile), leaseLimit))
}

// Lease is [Dir.Lease] in the directory that is locked.
func (g *Guard) Lease() (Lease, error) {
	return parseLease(durable.Read(g.dir, leaseFile, leaseLimit))
}

func parseLease(text []byte, _ durable.Stamp, err error) (Lease, error) {
	switch {
	case errors.Is(err, durable.ErrNotRegular), errors.Is(err, durable.ErrTooLarge), errors.Is(err, durable.ErrEscapes):
		return Lease{}, fmt.Errorf("%w: %w", ErrLeaseUnreadable, err)
	case err != nil:
		return Lease{}, err
	}
	var l Lease
	if err := json.Unmarshal(text, &l); err != nil {
		return Lease{}, fmt.Errorf("%w: %w", ErrLeaseUnreadable, err)
	}
	switch {
	case l.Version > leaseVersion:
		return l, ErrLeaseVersion
	case l.Version != leaseVersion || l.Run == "" || l.Token == "":
		return Lease{}, fmt.Errorf("%w: it names no run", ErrLeaseUnreadable)
	}
	return l, nil
}

// WriteLease makes l the lease, whatever was there.
func (g *Guard) WriteLease(l Lease) error { return g.writeLease(g.write, l) }

// RenewLease is WriteLease for a lease that changes only its times: a power cut may undo it.
func (g *Guard) RenewLease(l Lease) error { return g.writeLease(g.write.Lazily(), l) }

func (g *Guard) writeLease(w durable.Writer, l Lease) error {
	l.Version = leaseVersion
	l.Acquired, l.Renewed = l.Acquired.UTC(), l.Renewed.UTC()
	text, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	was, err := durable.Look(g.dir, leaseFile)
	if errors.Is(err, durable.ErrNotRegular) { // it is in the way of everybody, and says nothing
		if err = w.Remove(g.dir, leaseFile); err == nil {
			was, err = durable.Stamp{}, nil
		}
	}
	if err != nil {
		return g.named(err)
	}
	return g.named(w.Replace(g.dir, leaseFile, [][]byte{append(bytes.TrimSpace(text), '\n')}, filePerm, was))
}

// DropLease takes the lease away, whosever it is. None is fine.
func (g *Guard) DropLease() error { return g.named(g.write.Remove(g.dir, leaseFile)) }
