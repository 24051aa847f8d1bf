package hydratetest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/work"
)

// As makes an agent the caller.
func As(p *hydrate.Project, c run.Caller) *hydrate.Project {
	p.Caller = c
	return p
}

// AgentCaller is a conversation with an agent in a process.
func AgentCaller(conversation string, pid int) run.Caller {
	return run.Caller{Host: "claude", Conversation: conversation, PID: pid}
}

// StartRun begins the caller's run.
func StartRun(t *testing.T, p *hydrate.Project, at time.Time) *work.Started {
	t.Helper()
	done, err := work.StartRun(t.Context(), p.Project, work.StartOptions{User: User, Now: at})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// EndRun ends the caller's run.
func EndRun(t *testing.T, p *hydrate.Project, status run.Status, at time.Time) *work.Ended {
	t.Helper()
	done, err := work.EndRun(t.Context(), p.Project, work.EndOptions{User: User, Status: status, Cause: run.CauseUser, Now: at})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// HydrateStarting is what the hook at the start of a conversation does.
func HydrateStarting(t *testing.T, p *hydrate.Project) *verdict.Recovery {
	t.Helper()
	r, err := work.HydrateStarting(t.Context(), p.Project, work.StartOptions{User: User, Now: Now})
	if err != nil {
		t.Fatal(err)
	}
	return Recovery(p, r, Now)
}

// Sweep sweeps, at the time of the tests if the options name none.
func Sweep(t *testing.T, p *hydrate.Project, o work.SweepOptions) *work.Swept {
	t.Helper()
	if o.User = User; o.Now.IsZero() {
		o.Now = Now
	}
	done, err := work.Sweep(t.Context(), p.Project, o)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// A Ledger is what journals say, read with nothing of package session's own: what is started, and what ended how
// often.
type Ledger struct {
	Starts map[string]run.Owner
	Ends   map[string]int
	Order  []string
	Bad    int
}

// ReadLedger reads the texts of journals.
func ReadLedger(texts ...string) Ledger {
	l := Ledger{Starts: map[string]run.Owner{}, Ends: map[string]int{}}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			var r struct {
				Type, ID, Of string
				Owner        run.Owner
			}
			err := json.Unmarshal([]byte(line), &r)
			_, again := l.Starts[r.ID]
			switch {
			case err != nil:
				l.Bad++
			case r.Type == "run.start" && !again:
				l.Starts[r.ID] = r.Owner
				l.Order = append(l.Order, r.ID)
			case r.Type == "run.end":
				l.Ends[r.Of]++
			}
		}
	}
	return l
}

// Open lists the runs without an end, in the order of their starts.
func (l Ledger) Open() []string {
	var ids []string
	for _, id := range l.Order {
		if l.Ends[id] == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}
