package hydrate_test

import (
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/status"
)

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
		s := stateOf(t, p, status.StateOptions{})
		codes := func(all []hydrate.Warning) string {
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
