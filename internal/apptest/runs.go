package apptest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/run"
)

// As makes an agent the caller.
func As(p *app.Project, c run.Caller) *app.Project {
	p.Caller = c
	return p
}

// AgentCaller is a conversation with an agent in a process.
func AgentCaller(conversation string, pid int) run.Caller {
	return run.Caller{Host: "claude", Conversation: conversation, PID: pid}
}

// StartRun begins the caller's run.
func StartRun(t *testing.T, p *app.Project, at time.Time) *app.StartedRun {
	t.Helper()
	done, err := At(p, at).StartRun(t.Context(), app.StartRunOptions{User: User})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// EndRun ends the caller's run.
func EndRun(t *testing.T, p *app.Project, status run.Status, at time.Time) *app.EndedRun {
	t.Helper()
	done, err := At(p, at).EndRun(t.Context(), app.EndRunOptions{User: User, Status: status, Cause: run.CauseUser})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// HydrateStarting is what the hook at the start of a conversation does.
func HydrateStarting(t *testing.T, p *app.Project) *answer.Recovery {
	t.Helper()
	r, err := p.HydrateStarting(t.Context(), app.StartRunOptions{User: User})
	if err != nil {
		t.Fatal(err)
	}
	return Recovery(p, r, Now)
}

// Sweep sweeps.
func Sweep(t *testing.T, p *app.Project, o app.SweepOptions) *app.Swept {
	t.Helper()
	o.User = User
	done, err := p.Sweep(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// Holder is the record of the run that has the lease; the zero record for none.
func Holder(p *app.Project) (record run.Record) {
	if records, err := p.RunFile(User).Records(); err == nil && records.Holding() != nil {
		record = *records.Holding()
	}
	return record
}

// A Ledger is what the records of the runs say, read with nothing of package run's own: who has the lease, what was started, and how it
// ended.
type Ledger struct {
	Holder string // the run that has the lease, if it is open
	Starts map[string]run.Owner
	Ends   map[string]string // status, cause and time
	Order  []string
	Bad    bool // it contains no records
}

// ReadLedger reads the text of records, which is empty if there is no file.
func ReadLedger(text string) Ledger {
	l := Ledger{Starts: map[string]run.Owner{}, Ends: map[string]string{}}
	var file struct {
		Holder string
		Runs   []struct {
			ID    string
			Owner run.Owner
			End   *struct{ Status, Cause, At string }
		}
	}
	l.Bad = text != "" && json.Unmarshal([]byte(text), &file) != nil
	for _, entry := range file.Runs {
		_, again := l.Starts[entry.ID]
		l.Bad = l.Bad || again
		l.Starts[entry.ID], l.Order = entry.Owner, append(l.Order, entry.ID)
		if entry.End != nil {
			l.Ends[entry.ID] = entry.End.Status + " " + entry.End.Cause + " " + entry.End.At
		} else if entry.ID == file.Holder {
			l.Holder = entry.ID
		}
	}
	return l
}

// Open lists the runs without an end, in the order of their starts.
func (l Ledger) Open() []string {
	return slices.DeleteFunc(slices.Clone(l.Order), func(id string) bool { return l.Ends[id] != "" })
}

// Loses says which run of an earlier ledger is gone, although few or no later ones have ended, or has another end than it had; "" for none. An
// end that was concluded gives way to one that was observed.
func (l Ledger) Loses(before Ledger) string {
	for i, id := range before.Order {
		was, is := before.Ends[id], l.Ends[id]
		_, known := l.Starts[id]
		const kept = 20
		switch observed := !strings.Contains(is, " synthetic ") && !strings.Contains(is, " expired ") && !strings.Contains(is, " superseded "); {
		case !known && (was == "" || len(before.Order)-i <= kept):
			return id + " is gone"
		case known && was != "" && is != was && (is == "" || !observed):
			return id + " had the end " + was + ", and has " + is
		}
	}
	return ""
}

// FreeLease takes the lease of the project in a directory from the run that has it.
func FreeLease(dir string) error {
	name := filepath.Join(dir, filepath.FromSlash(RunsPath))
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, regexp.MustCompile(`"holder":"[^"]*"`).ReplaceAll(text, []byte(`"holder":""`)), 0o666)
}
