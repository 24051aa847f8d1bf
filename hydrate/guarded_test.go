package hydrate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/work"
	"github.com/gsd-cli/gsd/planfile"
)

// TestSweepUnderOneGuard: what sweep decided counts as long as it holds the guard. A run that comes in between
// would begin a task, and lose it.
func TestSweepUnderOneGuard(t *testing.T) {
	p, m := newWorld(t)
	bootstrap(t, p)
	startRun(t, as(p, agentCaller("a", 200)), now)
	mark(t, p, 2, planfile.InProgress)
	delete(m.processes, 200)
	steps := 0
	dir := p.Session(user)
	p.Write = durable.Writer{Before: func(durable.Step) error {
		if !strings.Contains(textOfFile(p, sessionPath), "in-progress") {
			return nil
		}
		steps++
		if g, err := dir.Lock(context.Background(), 0); err == nil {
			t.Errorf("step %d: the guard is free", steps)
			g.Unlock()
		}
		return nil
	}}
	if done := sweep(t, as(p, run.Caller{}), work.SweepOptions{ResetTasks: true}); len(done.Ended) != 1 || !slices.Equal(done.Reset, []int{2}) || steps < 2 {
		t.Errorf("%+v in %d steps", done, steps)
	}
}

// longJournal puts ended runs before what is in the journal, so that it is to be put away.
func longJournal(t *testing.T, p *hydrate.Project) {
	t.Helper()
	var all strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&all, `{"type":"run.start","id":"old-%d","token":"t","host":"h","plan":"p","owner":{},"at":"2026-01-01T00:00:00Z","ttl":1}`+"\n", i)
		fmt.Fprintf(&all, `{"type":"run.end","of":"old-%d","status":"failure","cause":"user","at":"2026-01-01T00:00:00Z"}`+"\n", i)
	}
	write(t, filepath.Join(p.Dir, journalPath), all.String()+textOfFile(p, journalPath))
	if !journalIsLong(p) {
		t.Fatal("the journal is short")
	}
}

func journalIsLong(p *hydrate.Project) bool {
	journal, err := p.RunFiles(user).Journal()
	return err == nil && journal.Long()
}

// TestRotationFails: a journal that cannot be put away stays as it is, and the run begins and ends all the same.
func TestRotationFails(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	longJournal(t, p)
	full, begun := false, false
	p.Write = durable.Writer{Before: func(s durable.Step) error {
		begun = begun || strings.Contains(textOfFile(p, leasePath), `"run"`) // the lease is written with a link, too
		// The copy that would take the journal's link's place fails with it.
		if full = full || s == durable.StepLink && begun; full {
			return errors.New("no room for another name")
		}
		return nil
	}}
	its := startRun(t, as(p, agentCaller("a", 200)), now).Run
	if l, err := p.RunFiles(user).Lease(); !full || err != nil || l.Run != its.ID {
		t.Errorf("failed %v: %+v, %v", full, l, err)
	}
	full = false
	if done := endRun(t, p, run.Success, now); !full || done.Run.ID != its.ID || done.Run.ResumeID != "a" {
		t.Errorf("failed %v: %+v", full, done)
	}
	if l := readLedger(textOfFile(p, journalPath)); l.ends[its.ID] != 1 || !journalIsLong(p) {
		t.Errorf("%d ends; long: %v", l.ends[its.ID], journalIsLong(p))
	}
	p.Write = durable.Writer{}
	if done := sweep(t, p, work.SweepOptions{}); done.Rotated == "" {
		t.Errorf("the next time: %+v", done)
	}
}

// TestRenewMakesNothing: the session's directory was taken away under a run, and stays away.
func TestRenewMakesNothing(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	run := startRun(t, as(p, agentCaller("a", 200)), now).Run.ID
	p.RenewRun(t.Context(), user, run, 0, now.Add(time.Minute))
	if l, err := p.RunFiles(user).Lease(); err != nil || !l.Renewed.Equal(now.Add(time.Minute)) {
		t.Errorf("%+v, %v", l, err)
	}
	lose(t, p)
	p.RenewRun(t.Context(), user, run, 0, now.Add(2*time.Minute))
	if _, err := os.Stat(filepath.Join(p.Dir, ".planning/sessions")); !os.IsNotExist(err) {
		t.Errorf("it made a directory: %v", err)
	}
	// Nor is the lease of another run kept for it.
	startRun(t, as(p, agentCaller("b", 100)), now)
	p.RenewRun(t.Context(), user, run, 0, now.Add(3*time.Minute))
	if l, err := p.RunFiles(user).Lease(); err != nil || !l.Renewed.Equal(now) {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestManyWorkItems: the scan has an end, and says what it left out.
func TestManyWorkItems(t *testing.T) {
	const item = "---\nid: W-%d\ncycle_phase: plan\nnode_history:\n- node: doing\n  exited: null\n---\n"
	p, _ := newWorld(t)
	written := 0
	for _, left := range []int{0, 3} {
		for n := written; n < hydrate.MaxWorkItems+left; n++ {
			id := 10_000 + n
			write(t, filepath.Join(p.Dir, fmt.Sprintf("docs/work/active/W-%d/WORK.md", id)), fmt.Sprintf(item, id))
		}
		written = hydrate.MaxWorkItems + left
		rec := assessed(t, p, now)
		if first := fmt.Sprintf("W-%d", 10_000+left); len(rec.Incomplete) != hydrate.MaxWorkItems || rec.Incomplete[0].ID != first {
			t.Errorf("%d items, want %d from %s on", len(rec.Incomplete), hydrate.MaxWorkItems, first)
		}
		if said := slices.ContainsFunc(rec.Warnings, func(w hydrate.Warning) bool {
			return w.Code == hydrate.WorkUnread && strings.HasPrefix(w.Detail, fmt.Sprint(left))
		}); said != (left > 0) {
			t.Errorf("%d were left out: %+v", left, rec.Warnings)
		}
	}
}

// TestWorkItemHead: of a work item only the first 64 KiB are read, however long it is: its front matter says all.
func TestWorkItemHead(t *testing.T) {
	const open = "---\nid: W-1\nstatus: active\nnode_history:\n- node: doing\n  exited: null\n---\n"
	for _, test := range []struct {
		text string
		told bool
	}{
		{open + strings.Repeat("x", 1<<20), true},
		{strings.Replace(open, "id:", strings.Repeat("note: x\n", hydrate.WorkHead/8)+"id:", 1), false},
		{strings.Repeat("x", 1<<20), false},
	} {
		p, _ := newWorld(t)
		write(t, filepath.Join(p.Dir, "docs/work/active/W-1/WORK.md"), test.text)
		if rec := assessed(t, p, now); len(rec.Incomplete) > 0 != test.told {
			t.Errorf("%.20q…, %d bytes: %+v", test.text, len(test.text), rec.Incomplete)
		}
	}
}
