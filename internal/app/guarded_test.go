package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/run"
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
	if done := sweep(t, as(p, run.Caller{}), app.SweepOptions{ResetTasks: true}); len(done.Ended) != 1 || !slices.Equal(done.Reset, []int{2}) || steps < 2 {
		t.Errorf("%+v in %d steps", done, steps)
	}
}
