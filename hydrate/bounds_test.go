package hydrate

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/session"
)

// drawLong is a text as whoever writes into the files may have put it there.
func drawLong(t *rapid.T, what string) string {
	return strings.Repeat(rapid.SampledFrom([]string{"", "x", "ä", "日", "\xff", "\x1b[31m", "\n"}).Draw(t, what), rapid.SampledFrom([]int{1, 63, 64, 65, 255, 256, 5000, 70000}).Draw(t, what+" times"))
}

// TestRunIsBounded: whatever the journal and the lease say, what is shown of a run has an end: an agent reads it at
// every turn.
func TestRunIsBounded(t *testing.T) {
	// An id has at most 64 bytes: package session reads no other.
	const longest = longestHost + longestHostName + len("somebody (pid -9223372036854775808 on ), run , since 9999-12-31T23:59:59Z") + 64
	rapid.Check(t, func(t *rapid.T) {
		owner := ownerOf(rapid.SampledFrom([]int{0, 100, 200, 300}).Draw(t, "pid"))
		owner.HostName = drawLong(t, "machine")
		s := startOf("0123456789ab", owner)
		s.Host, s.Plan = drawLong(t, "host"), drawLong(t, "plan")
		f := RunFacts{LeaseFile: LeaseNone, Now: now, Processes: newMachine()}
		switch rapid.SampledFrom([]string{"open", "held", "of the lease alone", "ended"}).Draw(t, "run") {
		case "open":
			f.Journal.Runs = []session.Run{{Start: s}}
		case "held": // and the lease has other processes than the journal
			f.Journal.Runs = []session.Run{{Start: s}}
			f.Lease, f.LeaseFile = leaseFor(s), LeaseHeld
			f.Lease.Host = drawLong(t, "host of the lease")
			f.Lease.PID, f.Lease.HostName = 300, drawLong(t, "machine of the lease")
			other := ownerOf(200)
			other.HostName = drawLong(t, "machine of another")
			f.Lease.Members = []session.Member{{Owner: other}}
		case "of the lease alone":
			f.Lease, f.LeaseFile = leaseFor(s), LeaseHeld
		case "ended":
			f.Journal.Runs = []session.Run{ended(s, rapid.SampledFrom(runStatuses[:]).Draw(t, "status"), session.CauseUser)}
		}
		a := Assess(f)
		for _, r := range a.Runs {
			if len(r.Host) > longestHost || len(r.Owner.HostName) > longestHostName || len(r.Plan) > longestPath || len(r.Who()) > longest {
				t.Fatalf("host of %d bytes, machine of %d, plan of %d, %d for people", len(r.Host), len(r.Owner.HostName), len(r.Plan), len(r.Who()))
			}
		}
		if len(a.Runs) != 1 {
			t.Fatalf("%d runs", len(a.Runs))
		}
		if h := a.Holder; h != nil && len(h.busy().Error()) > longest+200 {
			t.Fatalf("refused with %d bytes", len(h.busy().Error()))
		}
	})
}
