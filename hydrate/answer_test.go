package hydrate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
)

func TestWarnings(t *testing.T) {
	t.Parallel()
	name, a, b := Warning{"name", "n"}, Warning{"a", "x"}, Warning{"a", "y"}
	p := &Project{UserWarnings: []Warning{name}}
	if got := p.warnings([]Warning{a, b, a}, []Warning{name, b}); !slices.Equal(got, []Warning{name, a, b}) {
		t.Errorf("%v", got)
	}
}

// TestRunList lists the latest runs, and of the earlier ones those that are open.
func TestRunList(t *testing.T) {
	t.Parallel()
	p, m := newWorld(t)
	m.here.PID = 0
	startRun(t, p.as(agent("a", 200)), now)
	var journal strings.Builder
	for i := range latestRuns + 5 {
		fmt.Fprintf(&journal, `{"type":"run.start","id":"r%02d","token":"t","host":"","plan":"p","owner":{},"at":"2026-01-01T00:00:00Z","ttl":3600}`+"\n", i)
		if i != 2 {
			fmt.Fprintf(&journal, `{"type":"run.end","of":"r%02d","status":"failure","cause":"user","at":"2026-01-01T00:00:01Z"}`+"\n", i)
		}
	}
	write(t, filepath.Join(p.Dir, journalPath), journal.String())
	for all, want := range map[bool]struct {
		runs, more int
		last       string
	}{false: {latestRuns, 5, "r02"}, true: {latestRuns + 5, 0, "r00"}} {
		list, err := p.RunList(user, all, now.Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		runs := slices.DeleteFunc(list.Runs, func(r run.Run) bool { return r.Holds }) // that of the lease, which the journal has lost
		if len(runs) != want.runs || list.More != want.more || runs[len(runs)-1].ID != want.last || list.User != user {
			t.Errorf("all %v: %d runs of %s, %d more, the last %s", all, len(runs), list.User, list.More, runs[len(runs)-1].ID)
		}
	}
}

// TestStateUnlisted: a warning about a line that is listed is said once.
func TestStateUnlisted(t *testing.T) {
	t.Parallel()
	const position = "## Current Position\n\nPhase: 1 of 2 (Hull)\n"
	for _, test := range []struct {
		name, state        string
		warnings, unlisted string
		noSection          bool
	}{
		{"an edit", position, "state-differs", "", false},
		{"left alone", strings.ReplaceAll(position, "(Hull)", "and more"), "state-differs", "", false},
		{"another section", "Phase: 1\n", "state-broken", "state-broken", true},
		{"front matter without an end", "---\na: b\n", "state-broken state-broken", "state-broken state-broken", true},
	} {
		p := projectOf(t, map[string]string{
			"ROADMAP.md": "# R\n\n- [x] Phase 1: Hull\n- [ ] Phase 2: Mast\n", "STATE.md": test.state, "phases/02-mast/02-01-PLAN.md": "",
		})
		s := stateOf(t, p, StateOptions{})
		codes := func(all []Warning) string {
			var words []string
			for _, w := range all {
				words = append(words, w.Code)
			}
			return strings.Join(words, " ")
		}
		if codes(s.Warnings) != test.warnings || codes(s.Unlisted) != test.unlisted || s.NoSection != test.noSection {
			t.Errorf("%s: warnings %v, unlisted %v, no section %v, edits %v, left %v", test.name, s.Warnings, s.Unlisted, s.NoSection, s.Edits, s.Left)
		}
	}
}
