package history

import (
	"maps"
	"slices"
	"testing"

	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// TestAdd is the merge of sources, without a disk: of each task the first status counts, of what was dropped only what nobody has said
// before, and nothing after a fresh start.
func TestAdd(t *testing.T) {
	t.Parallel()
	const a, b, c = "<task status=\"complete\"><name>A</name></task>\n", "<task status=\"in-progress\"><name>B</name></task>\n", "<task status=\"complete\"><name>Gone</name></task>\n"
	plan := planfile.Parse([]byte("<task><name>A</name></task>\n<task><name>B</name></task>\n"))
	of := func(name, text string, change func(*Progress)) Progress {
		its := Progress{Sources: []verdict.Origin{{Session: name}}, Tasks: verdict.Describe(planfile.Parse([]byte(text)))}
		if change != nil {
			change(&its)
		}
		return its
	}
	lost := func(p *Progress) { p.Sources = []verdict.Origin{{Lost: p.Sources[0].Session}} }
	synced := func(n int, s planfile.Status) Progress {
		return Progress{Sources: []verdict.Origin{{Session: "synced"}}, statuses: map[int]planfile.Status{n: s}, carried: []Carried{{Number: n, From: n, Status: s}}}
	}
	for name, test := range map[string]struct {
		sources []Progress
		want    map[int]planfile.Status
		from    string
		left    int
		done    bool // see WasDone
	}{
		"nothing":        {},
		"one":            {sources: []Progress{of("x", a, nil)}, want: map[int]planfile.Status{1: "complete"}, from: "x"},
		"the newer":      {sources: []Progress{of("x", b, nil), of("y", a+"<task status=\"complete\"><name>B</name></task>\n", nil)}, want: map[int]planfile.Status{1: "complete", 2: "in-progress"}, from: "x y"},
		"nothing new":    {sources: []Progress{of("x", a, nil), of("y", a, nil)}, want: map[int]planfile.Status{1: "complete"}, from: "x"},
		"a fresh start":  {sources: []Progress{of("x", a, func(p *Progress) { p.fresh = true }), of("y", b, nil)}, want: map[int]planfile.Status{1: "complete"}, from: "x"},
		"not trusted":    {sources: []Progress{of("x", a+b, func(p *Progress) { p.Trust = planfile.Status.Over })}, want: map[int]planfile.Status{1: "complete"}, from: "x"},
		"dropped":        {sources: []Progress{of("x", c, nil)}, left: 1},
		"dropped before": {sources: []Progress{of("x", a, nil), of("y", c, nil)}, want: map[int]planfile.Status{1: "complete"}, from: "x"},
		"dropped, lost":  {sources: []Progress{of("x", a, nil), of("y", c, lost)}, want: map[int]planfile.Status{1: "complete"}, from: "x", left: 1},
		"synced first":   {sources: []Progress{synced(2, "complete"), of("x", c, nil)}, want: map[int]planfile.Status{2: "complete"}, from: "synced", left: 1},
		"done":           {sources: []Progress{synced(2, "complete"), of("x", a, nil)}, want: map[int]planfile.Status{1: "complete", 2: "complete"}, from: "synced x", done: true},
		"over":           {sources: []Progress{synced(2, "skipped"), of("x", a, nil)}, want: map[int]planfile.Status{1: "complete", 2: "skipped"}, from: "synced x", done: true},
		"begun again":    {sources: []Progress{of("x", a, func(p *Progress) { p.summary = "s" }), synced(2, "complete")}, want: map[int]planfile.Status{1: "complete", 2: "complete"}, from: "x synced"},
		"begun again, before": {
			sources: []Progress{of("x", a, func(p *Progress) { p.summary = "s" }), of("y", "<task status=\"complete\"><name>B</name></task>\n", nil)},
			want:    map[int]planfile.Status{1: "complete", 2: "complete"}, from: "x y",
		},
	} {
		g := &Former{plan: plan, tasks: verdict.Describe(plan), Statuses: map[int]planfile.Status{}, summary: "s"}
		for _, its := range test.sources {
			if g.isDone() {
				break
			}
			g.add(its)
		}
		from := ""
		for i, its := range g.From {
			if i > 0 {
				from += " "
			}
			from += its.Session
		}
		if !maps.Equal(g.Statuses, test.want) || from != test.from || len(g.Left) != test.left || g.WasDone() != test.done {
			t.Errorf("%s: %v from %q, left %v, was done %v", name, g.Statuses, from, g.Left, g.WasDone())
		}
		if numbers := slices.Collect(maps.Keys(g.Statuses)); len(g.Carried) != len(numbers) {
			t.Errorf("%s: carried %v, statuses %v", name, g.Carried, g.Statuses)
		}
	}
}
