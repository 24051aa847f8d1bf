package work_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	delete(m.Processes, 200)
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

// TestRotationFails: a journal that cannot be put away stays as it is, and the run begins and ends anyway.
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
	if l := readLedger(textOfFile(p, journalPath)); l.Ends[its.ID] != 1 || !journalIsLong(p) {
		t.Errorf("%d ends; long: %v", l.Ends[its.ID], journalIsLong(p))
	}
	p.Write = durable.Writer{}
	if done := sweep(t, p, work.SweepOptions{}); done.Rotated == "" {
		t.Errorf("the next time: %+v", done)
	}
}
