package history_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// TestFatesReadOnce: many crumbs of one session's directory cost one look at it, whatever is archived there.
func TestFatesReadOnce(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	const archives, size = 10, 1 << 20
	for i := range archives + verdict.MaxArchived {
		text := "x"
		if i >= verdict.MaxArchived {
			text = textOfFile(p, sessionPath) + strings.Repeat(" ", size)
		}
		write(t, fmt.Sprintf("%s/%s/current-plan.%014d.stale", p.Dir, sessionsPath, i), text)
	}
	const crumbs = 50
	c := crumbsOf(t, p)[0]
	for i := range crumbs {
		c.Started, c.Tasks[0].Status = fmt.Sprint(i), "complete"
		if err := p.StateDir.WriteCrumb(durable.Writer{}, c); err != nil {
			t.Fatal(err)
		}
	}
	bytes := allocated(func() {
		if lost := lostSessions(t, p, now); len(lost) != crumbs {
			t.Errorf("%d of %d are lost", len(lost), crumbs)
		}
	})
	if bytes > 3*archives*size {
		t.Errorf("%.0f bytes to look at %d crumbs", bytes, crumbs)
	}
}

// TestLostNewestFirst: who lost several sessions wants the last one, and a brief names only a few.
func TestLostNewestFirst(t *testing.T) {
	p, _ := newWorld(t)
	var want []string
	for i := range 8 {
		plan := fmt.Sprintf(".planning/phases/03-api/03-%02d-PLAN.md", 10+i)
		write(t, filepath.Join(p.Dir, plan), "<task type=\"auto\">\n  <name>X</name>\n</task>\n")
		at := now.Add(time.Duration(i*5%8) * time.Hour)
		bootstrapAt(t, p, plan, at)
		lose(t, p)
		want = append(want, at.Format(time.RFC3339))
	}
	slices.Sort(want)
	slices.Reverse(want)
	for _, lost := range [][]answer.LostSession{lostSessions(t, p, now), assessed(t, p, now).Lost} {
		var got []string
		for _, l := range lost {
			got = append(got, l.Updated.Format(time.RFC3339))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
