package history_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// TestSyncRestored: a restored session is as late as the lost one, though a clock was fast.
func TestSyncRestored(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	for _, test := range []struct {
		name  string
		skew  time.Duration
		again func(c *clone)
	}{
		{"restored", 5 * time.Minute, (*clone).Restore},
		{"begun again", 5 * time.Minute, func(c *clone) { c.Bootstrap(1) }},
		{"days", 72 * time.Hour, (*clone).Restore},
		{"only what gsd sync knew was lost", time.Hour, func(c *clone) { c.With(func(p *app.Project) { forget(t, p) }) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && test.skew != time.Hour {
				t.Skip("the clock is fast in another case")
			}
			laptop, desk := pair(t)
			laptop.Skew = test.skew
			laptop.Mark(1, planfile.InProgress)
			laptop.Sync()
			desk.Sync()
			desk.Mark(1, planfile.Complete)
			if test.skew != time.Hour {
				desk.Lose()
			}
			test.again(desk)
			desk.Sync()
			laptop.Sync()
			for _, c := range []*clone{laptop, desk} {
				if is := c.Statuses()[0]; is != planfile.Complete {
					t.Errorf("%s: %s, and it was marked complete last", c.Name, is)
				}
			}
		})
	}
}

func forget(t *testing.T, p *app.Project) {
	t.Helper()
	if err := os.Remove(filepath.Join(p.Planning.GitDir(), verdict.SharedFile("ada"))); err != nil {
		t.Fatal(err)
	}
}

// TestSyncClockCorrected: the clock of the only clone was days fast.
func TestSyncClockCorrected(t *testing.T) {
	c := newClones(t, 1, 1)[0]
	c.Skew = 72 * time.Hour
	c.Bootstrap(1)
	c.Sync()
	c.Mark(1, planfile.InProgress)
	c.Sync()
	c.Skew = 0
	c.Mark(1, planfile.Complete)
	c.Lose()
	c.Restore()
	c.Sync()
	if is := c.Statuses()[0]; is != planfile.Complete {
		t.Errorf("%s, and it was marked complete last", is)
	}
}
