package statefile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The forms are those of the template, of upstream's commands, and of 25 real files.
func TestResuming(t *testing.T) {
	for _, c := range []struct {
		name, src, stopped string
		blockers           []string
	}{
		{"empty", "", "", nil},
		{"front matter first", "---\nstopped_at: \"Completed 03-02-PLAN.md\"\n---\n\n## Session Continuity\n\nStopped at: something older\n", "Completed 03-02-PLAN.md", nil},
		{"the text", "---\nstatus: executing\n---\n## Session Continuity\n\nLast session: 2026-01-02\nStopped at: Phase 4 context gathered\nResume file: None\n", "Phase 4 context gathered", nil},
		{"in bold", "**Stopped at:** quick task 6\n", "quick task 6", nil},
		{"the template", "### Blockers/Concerns\n\n[Issues that affect future work]\n\nNone yet.\n\n## Session Continuity\n\nStopped at: [Description of last completed action]\n", "", nil},
		{"none", "---\nstopped_at: None\n---\n### Blockers\n- None.\n- *(none)*\n- **None active.**\n", "", nil},
		{
			"blockers", "### Blockers/Concerns\n\n- [Phase 1]: no vendor yet\n- ~~a picture is missing~~ RESOLVED\n- The port (RESOLVED: in 04-02)\n  - below\n- Job queue is unresolved\n- Nonetheless\n\n## Next\n- no blocker\n",
			"",
			[]string{"[Phase 1]: no vendor yet", "Job queue is unresolved", "Nonetheless"},
		},
		{"an example", "```\nStopped at: x\n### Blockers\n- y\n```\n<!-- Stopped at: z -->\n", "", nil},
		{"line ends", "### Blockers\r\n- a\r\nStopped at: b\r\n", "b", []string{"a"}},
	} {
		stopped, blockers := Resuming([]byte(c.src))
		if stopped != c.stopped || cmp.Diff(c.blockers, blockers) != "" {
			t.Errorf("%s: %q, %q", c.name, stopped, blockers)
		}
	}
}

// Nothing in a file makes a value of several lines.
func FuzzResuming(f *testing.F) {
	f.Add("---\nstopped_at: |\n  a\n  b\n---\n# Blockers\n- c\rd\n")
	f.Fuzz(func(t *testing.T, src string) {
		stopped, blockers := Resuming([]byte(src))
		for _, its := range append(blockers, stopped) {
			if strings.ContainsAny(its, "\r\n") {
				t.Errorf("%q", its)
			}
		}
	})
}
