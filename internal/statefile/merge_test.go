package statefile

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

func TestReduce(t *testing.T) {
	t.Parallel()
	const front, section = "---\nmilestone: v1\n", "## Current Position\n\n"
	for _, test := range []struct{ name, base, ours, theirs, want string }{
		{"the higher count", front + "progress:\n  completed_plans: 1\n---\n", "plans: 1→plans: 2", "plans: 1→plans: 3", "plans: 1→plans: 3"},
		{"a date", section + "Last activity: 2026-01-01\n", "-01\n→-02\n", "-01\n→-03\n", "-01\n→-03\n"},
		{"the same day", section + "Last activity: 2026-01-01 — a\n", "— a→— b", "— a→— c", "— a→— b"},
		{"the phase that is further on takes its plan along", section + "Phase: 1 of 3\nPlan: 1 of 2\n", "Phase: 1→Phase: 2", "Plan: 1→Plan: 2", "Phase: 1→Phase: 2"},
		{"a revert", section + "Phase: 2 of 3 (B)\nPlan: 1 of 2\nStatus: In progress\n", "", "Phase: 2 of 3 (B)→Phase: 1 of 3 (A)|1 of 2→3 of 3|In progress→Phase complete", "Phase: 2 of 3 (B)→Phase: 1 of 3 (A)|1 of 2→3 of 3|In progress→Phase complete"},
		{"a revert by us", section + "Phase: 2 of 3\nPlan: 1 of 2\n", "Phase: 2→Phase: 1|1 of 2→3 of 3", "", "Phase: 2→Phase: 1|1 of 2→3 of 3"},
		{"a revert takes its plan along", section + "Phase: 2 of 3\nPlan: 1 of 2\n", "1 of 2→2 of 2", "Phase: 2→Phase: 1|1 of 2→3 of 3", "Phase: 2→Phase: 1|1 of 2→3 of 3"},
		{"a revert in front matter", front + "current_phase: 2\ncurrent_plan: 1\n---\n", "", "phase: 2→phase: 1|plan: 1→plan: 3", "phase: 2→phase: 1|plan: 1→plan: 3"},
		{"words after a phase", section + "Phase: 1 of 3 (Work)\n", "1 of 3 (Work)→2 of 3 (Core) - paused because of the vendor", "1 of 3 (Work)→2 of 3 (Core) - Bob reviews", ""},
		{"words after an earlier phase", section + "Phase: 1 of 3 (Work)\n", "(Work)→(Work) - paused because of the vendor", "1 of 3 (Work)→2 of 3 (Core)", ""},
		{"two names", section + "Phase: 1 of 3 (Work)\n", "(Work)→(Work, Bob reviews)", "(Work)→(Work of the vendor)", ""},
		{"a name and the next phase", section + "Phase: 1 of 3 (Work)\n", "(Work)→(Work, Bob reviews)", "1 of 3 (Work)→2 of 3 (Core)", ""},
		{"two names and totals", section + "Phase: 1 of 3 (Work)\n", "3 (Work)→4 (Work, Bob reviews)", "3 (Work)→5 (Work)", ""},
		{"words after a status", section + "Status: Ready to plan\n", "Ready to plan→In progress, Bob reviews", "Ready to plan→In progress (blocked by vendor)", ""},
		{"words after a plan", section + "Plan: 1 of 3\n", "1 of 3→2 of 3, Bob reviews", "1 of 3→3 of 3", ""},
		{"a plan", section + "Phase: 1 of 3\nPlan: 1 of 3\n", "Plan: 1→Plan: 2", "Plan: 1→Plan: 3", "Plan: 1→Plan: 3"},
		{"one side", section + "Status: In progress\n", "", "In progress→Paused", "In progress→Paused"},
		{"a status", section + "Status: Ready to plan\n", "Ready to plan→In progress", "Ready to plan→Ready to execute", "Ready to plan→In progress"},
		{"words of a person", section + "Status: In progress\n", "In progress→glazing by hand", "In progress→Paused", ""},
		{"a milestone", front + "---\n", "v1→v2", "v1→v3", ""},
		{
			"the notes of the later one", "---\nlast_updated: 2026-01-01T10:00:00Z\nstopped_at: a\n---\n", "T10→T11|: a→: b", "T10→T12|: a→: c",
			"T10→T12|: a→: c",
		},
		{
			"the commit of the later one", "---\nlast_updated: 2026-01-01T10:00:00Z\nstate_head: aaaa\n---\n", "T10→T12|aaaa→bbbb", "T10→T11|aaaa→cccc",
			"T10→T12|aaaa→bbbb",
		},
		{
			"the section of the session", "## Session Continuity\n\nLast session: 2026-01-01 10:00\nStopped at: x\n", "10:→11:|at: x→at: y",
			"10:→12:|at: x→at: z", "10:→12:|at: x→at: z",
		},
		{"line ends", section + "Phase: 1 of 3\r\nPlan: 1 of 3\r\n", "Plan: 1→Plan: 2", "Plan: 1→Plan: 3", "Plan: 1→Plan: 3"},
		{"an empty value", front + "current_phase:\n---\n", "phase:→phase: 1", "phase:→phase: 2", "phase:→phase: 2"},
	} {
		edit := func(edits string) string {
			text := test.base
			for edit := range strings.SplitSeq(edits, "|") {
				old, now, _ := strings.Cut(edit, "→")
				text = strings.Replace(text, old, now, 1)
			}
			return text
		}
		_, ours, theirs, _ := Reduce([]byte(test.base), []byte(edit(test.ours)), []byte(edit(test.theirs)))
		wantOurs, wantTheirs := edit(test.want), edit(test.want)
		if test.want == "" {
			wantOurs, wantTheirs = edit(test.ours), edit(test.theirs)
		}
		if string(ours) != wantOurs || string(theirs) != wantTheirs {
			t.Errorf("%s: ours\n%s\ntheirs\n%s\nwant\n%s", test.name, ours, theirs, wantOurs)
		}
	}
}

func TestReduceAdded(t *testing.T) {
	t.Parallel()
	const head, tail = "### Decisions\n\n- [Phase 1]: a\n", "\n### Other\n"
	for _, test := range []struct{ name, base, ours, theirs, want string }{
		{
			"both", head + tail, head + "- [Phase 1]: b\n" + tail, head + "- [Phase 1]: c\n- [Phase 2]: d\n" + tail,
			head + "- [Phase 1]: b\n- [Phase 1]: c\n- [Phase 2]: d\n" + tail,
		},
		{
			"one of them by both", head + tail, head + "- [Phase 1]: b\n" + tail, head + "- [Phase 1]: b\n- [Phase 2]: d\n" + tail,
			head + "- [Phase 1]: b\n- [Phase 2]: d\n" + tail,
		},
		{
			"the first ones", "### Decisions\n\n" + tail, "### Decisions\n\n- [Phase 1]: a\n" + tail, "### Decisions\n\n- [Phase 1]: b\n" + tail,
			"### Decisions\n\n- [Phase 1]: a\n- [Phase 1]: b\n" + tail,
		},
		{
			"rows", "|-|\n| Phase 1 P1 | 1 |\n", "|-|\n| Phase 1 P1 | 1 |\n| Phase 1 P2 | 1 |\n", "|-|\n| Phase 1 P1 | 1 |\n| Phase 1 P3 | 1 |\n",
			"|-|\n| Phase 1 P1 | 1 |\n| Phase 1 P2 | 1 |\n| Phase 1 P3 | 1 |\n",
		},
		{"in place of nothing", "### Decisions\n\nNone yet.\n" + tail, "### Decisions\n\n- [Phase 1]: a\n" + tail, "### Decisions\n\n- [Phase 1]: b\n" + tail, "### Decisions\n\n- [Phase 1]: a\n- [Phase 1]: b\n" + tail},
		{
			"above a section that both added", head + tail, head + "- [Phase 1]: b\n\n### New\n" + tail, head + "- [Phase 1]: c\n\n### New\n" + tail,
			head + "- [Phase 1]: b\n- [Phase 1]: c\n\n### New\n" + tail,
		},
		{"two edits of a line", head + tail, strings.Replace(head, ": a", ": b", 1) + tail, strings.Replace(head, ": a", ": c", 1) + tail, ""},
		{"an edit and two other lines", head + tail, strings.Replace(head, ": a", ": b", 1) + tail, strings.Replace(head, ": a", ": c\n- [Phase 2]: d", 1) + tail, ""},
		{"in place of a person's line", "### Decisions\n\n- a\n" + tail, "### Decisions\n\n- [Phase 1]: a\n" + tail, "### Decisions\n\n- [Phase 1]: b\n" + tail, "### Decisions\n\n- [Phase 1]: a\n- [Phase 1]: b\n" + tail},
		{"the head of the table is no row", "|-|\n| Phase | Plans |\n", "|-|\n| Phase | Plans |\n| Phase 1 P2 | 1 |\n", "|-|\n| Phase | Plans |\n| Phase 1 P3 | 1 |\n", "|-|\n| Phase | Plans |\n| Phase 1 P2 | 1 |\n| Phase 1 P3 | 1 |\n"},
		{"an edit below", head + "z\n" + tail, head + "- [Phase 1]: b\ny\n" + tail, head + "- [Phase 1]: c\nz\n" + tail, "both"},
		{"moved and edited", "### Decisions\n\n- [Phase 1]: a\n- [Phase 1]: z\n" + tail, "### Decisions\n\n- [Phase 1]: z\n- [Phase 1]: b\n" + tail, "### Decisions\n\n- [Phase 1]: z\n- [Phase 1]: c\n" + tail, ""},
		{"at other places", head + tail, head + "- [Phase 1]: b\n" + tail, head + tail + "- [Phase 1]: c\n", ""},
		{"text of a person", head + tail, head + "- b\n" + tail, head + "- c\n" + tail, ""},
		{"only one side", head + tail, head + "- [Phase 1]: b\n" + tail, head + tail, ""},
	} {
		_, o, th, _ := Reduce([]byte(test.base), []byte(test.ours), []byte(test.theirs))
		wantOurs, wantTheirs := test.want, test.want
		if test.want == "" {
			wantOurs, wantTheirs = test.ours, test.theirs
		}
		if test.want == "both" {
			both := "- [Phase 1]: b\n- [Phase 1]: c\n"
			wantOurs, wantTheirs = strings.Replace(test.ours, "- [Phase 1]: b\n", both, 1), strings.Replace(test.theirs, "- [Phase 1]: c\n", both, 1)
		}
		if string(o) != wantOurs || string(th) != wantTheirs {
			t.Errorf("%s: ours\n%s\ntheirs\n%s\nwant\n%s", test.name, o, th, wantOurs)
		}
	}
}

// TestReduceLaw checks on any input that what only one side changed is its value, that the same versions stay the same, and that
// the number of lines never changes.
func TestReduceLaw(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string {
		lines := rapid.SliceOf(rapid.SampledFrom([]string{
			"---\n", "progress:\n", "  percent: 10\n", "  percent: 2%\n", "status: executing\n", "last_updated: \"2026-01-01T00:00:00Z\"\n", "## Current Position\n",
			"Phase: 1 of 2\n", "Phase: 2\r\n", "Plan:\n", "Plan: 1", "**Status:** Paused\n", "\n", "## Session Continuity\n", "Stopped at: x\n", "Stopped at:\n",
			"last_activity:\n", "Progress: [██░] 10%\n", "\x00\xff\n", "stopped_at: 'a\n", "stopped_at:\n",
		})).Draw(t, "lines")
		return strings.Join(lines, "")
	})
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		base, ours, theirs := text.Draw(t, "base"), text.Draw(t, "ours"), text.Draw(t, "theirs")
		b, o, th, _ := Reduce([]byte(base), []byte(ours), []byte(theirs))
		for i, pair := range [][2]string{{base, string(b)}, {ours, string(o)}, {theirs, string(th)}} {
			if strings.Count(pair[0], "\n") != strings.Count(pair[1], "\n") { // no line here is one that is added
				t.Fatalf("%d: %q became %q", i, pair[0], pair[1])
			}
		}
		if _, o, th, both := Reduce([]byte(base), []byte(ours), []byte(ours)); string(o) != ours || string(th) != ours || both && base == ours {
			t.Fatalf("the same versions became %q and %q", o, th)
		}
	})
}

// TestReduceManyAdded keeps every one of many added lines.
func TestReduceManyAdded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files of megabytes")
	}
	t.Parallel()
	const head = "### Decisions\n\n"
	text := func(side string) []byte {
		var b strings.Builder
		b.WriteString(head)
		for i := range 38000 {
			fmt.Fprintf(&b, "- [Phase 1]: %s-%d has to be done in the way that was described\n", side, i)
		}
		return []byte(b.String() + "\n")
	}
	_, o, _, _ := Reduce([]byte(head+"\n"), text("our"), text("the"))
	if n := strings.Count(string(o), "\n"); n != 76003 {
		t.Errorf("%d lines", n)
	}
}
