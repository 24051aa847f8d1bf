package status_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/status"
)

// A claim of another session on another phase is said where the position is written; one on the same phase is nothing that this changes.
func TestStateClaimed(t *testing.T) {
	t.Parallel()
	for phase, want := range map[string]bool{"1": true, "2": false, "02": false} {
		p := projectOf(t, map[string]string{
			"ROADMAP.md": "# R\n\n- [x] Phase 1: Hull\n- [ ] Phase 2: Mast\n", "phases/02-mast/02-01-PLAN.md": "",
			"milestone.lock": fmt.Sprintf(`{"phase": %q, "session": "codex-1", "updated_at": %d}`, phase, now.UnixMilli()),
		})
		p.Now = now
		s := stateOf(t, p, status.StateOptions{})
		if got := slices.ContainsFunc(s.Warnings, history.IsPhaseClaim); got != want {
			t.Errorf("a claim on phase %s: %v", phase, s.Warnings)
		}
	}
}

// gsd state --write moves state_head to the commit that is checked out, unless upstream would not know that commit for the project's.
func TestStateHead(t *testing.T) {
	t.Parallel()
	const old = "1111111111111111111111111111111111111111"
	for _, test := range []struct {
		name, config, below string
		commit, moves       bool
	}{
		{"a repository", "", "", true, true},
		{"settings", `{"planning": {"commit_docs": true}}`, "", true, true},
		{"code in other repositories", `{"planning": {"sub_repos": ["api"]}}`, "", true, false},
		{"the same, as it was once written", `{"sub_repos": ["api"]}`, "", true, false},
		{"settings that cannot be read", `{"planning"`, "", true, false},
		{"no commit", "", "", false, false},
		{"a directory of a repository", "", "app", true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"ROADMAP.md": "# R\n\n- [x] Phase 1: Hull\n- [ ] Phase 2: Mast\n", "phases/02-mast/02-01-PLAN.md": "",
				"STATE.md": "---\nstate_head: " + old + "\n---\n## Current Position\n\nPhase: 1 of 2 (Hull)\n",
			}
			if test.config != "" {
				files["config.json"] = test.config
			}
			p := projectOf(t, files)
			if test.commit {
				commitAll(t, p, 1, "docs: plan")
			}
			want := old
			if test.moves {
				out, err := exec.Command("git", "-C", p.Dir, "rev-parse", "HEAD").Output()
				if err != nil {
					t.Fatal(err)
				}
				want = strings.TrimSpace(string(out))
			}
			if test.below != "" {
				for name, text := range files {
					write(t, filepath.Join(p.Dir, test.below, ".planning", filepath.FromSlash(name)), text)
				}
				p = reopen(t, filepath.Join(p.Dir, test.below))
			}
			if s := stateOf(t, p, status.StateOptions{Write: true}); !s.Written || !strings.Contains(s.Text, "state_head: "+want+"\n") {
				t.Errorf("want %s in\n%s", want, s.Text)
			}
		})
	}
}
