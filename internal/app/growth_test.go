package app_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// mostGrowth is how fast work may grow, as a power of what there is to do.
const mostGrowth = 1.15

// wantLinear measures work at n, 2n and 4n. The power is that of the line through the three in logarithms, which is the
// one through the first and the last: slices grow in jumps.
func wantLinear(t *testing.T, n int, work func(n int) float64) {
	t.Helper()
	was := []float64{work(n), work(2 * n), work(4 * n)}
	if power := math.Log2(was[2]/was[0]) / 2; power > mostGrowth {
		t.Errorf("%.0f from %d on, which is the power %.2f", was, n, power)
	}
}

// TestResetTasksIsLinear: a run that marks a task meanwhile waits for it. The session is written once, whatever the number
// of tasks.
func TestResetTasksIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("compares work of several sizes")
	}
	wantLinear(t, 500, func(n int) float64 {
		p, m := newWorld(t)
		var plan strings.Builder
		for i := range n {
			fmt.Fprintf(&plan, "<task type=\"auto\">\n  <name>Task %d</name>\n</task>\n", i)
		}
		write(t, p.Dir+"/"+planPath, plan.String())
		bootstrap(t, p)
		startRun(t, as(p, agentCaller("a", 200)), now)
		session := p.Dir + "/" + sessionPath
		write(t, session, strings.ReplaceAll(textOfFile(p, sessionPath), `"pending"`, `"in-progress"`))
		delete(m.Processes, 200)
		renamed := 0
		p.Write = durable.Writer{Before: func(s durable.Step) error {
			if s == durable.StepRename {
				renamed++
			}
			return nil
		}}
		var done *app.Swept
		bytes := allocated(func() { done = sweep(t, as(p, run.Caller{}), app.SweepOptions{ResetTasks: true}) })
		if len(done.Reset) != n || strings.Contains(textOfFile(p, sessionPath), string(planfile.InProgress)) {
			t.Errorf("%d of %d tasks are pending again", len(done.Reset), n)
		}
		if renamed > 4 { // the session, the records of the runs, and the breadcrumb: as the tasks change, and as the run does
			t.Errorf("%d files were replaced", renamed)
		}
		return bytes
	})
}

// TestSweepIsLinear: each dead run gets its end, and the disk is waited for once.
func TestSweepIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("compares work of several sizes")
	}
	wantLinear(t, 300, func(n int) float64 {
		p, _ := newWorld(t)
		bootstrap(t, p)
		owner, err := json.Marshal(ownerOf(300)) // who is not there
		if err != nil {
			t.Fatal(err)
		}
		var runs []string
		for i := range n {
			runs = append(runs, fmt.Sprintf(`{"id":"r%d","token":"t","host":"h","plan":"p","owner":%s,"started":"2026-01-01T00:00:00Z","seen":"2026-01-01T00:00:00Z","ttl":1}`, i, owner))
		}
		write(t, p.Dir+"/"+runsPath, `{"runs":[`+strings.Join(runs, ",\n")+`]}`)
		synced := 0
		p.Write = durable.Writer{Before: func(s durable.Step) error {
			if s == durable.StepSync {
				synced++
			}
			return nil
		}}
		var done *app.Swept
		bytes := allocated(func() { done = sweep(t, as(p, run.Caller{}), app.SweepOptions{}) })
		if len(done.Ended) != n {
			t.Errorf("%d of %d dead runs got their end", len(done.Ended), n)
		}
		if synced > 1 {
			t.Errorf("the disk was waited for %d times", synced)
		}
		return bytes
	})
}
