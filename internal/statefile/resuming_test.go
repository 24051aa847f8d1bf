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
		{
			"none among others", "### Blockers\n- None of the tests run on CI\n- none\n- N/A\n- -\n-\n- No blockers.\n- No blockers are known to CI\n- *none yet*\n",
			"",
			[]string{"None of the tests run on CI", "No blockers are known to CI"},
		},
		{
			"resolved or not", "### Blockers\n- Not resolved: the migration deletes rows\n- It must be resolved before 05\n- A half-resolved merge\n- Unresolved: a key\n" +
				"- Resolved: the port\n- The port, resolved in 04-02\n- **Resolved** the port\n- Not resolved at first — RESOLVED in 05\n- Resolvedness\n",
			"",
			[]string{"Not resolved: the migration deletes rows", "It must be resolved before 05", "A half-resolved merge", "Unresolved: a key", "Resolvedness"},
		},
		{
			"each form of a list", "### Blockers\n- [x] key was rotated\n- [X] key, too\n- [ ] rotate the key\n* a\n+ b\n1. c\n10) d\n1.. e\nf. g\n. h\n2 i\n*bold* j\n",
			"",
			[]string{"rotate the key", "a", "b", "c", "d"},
		},
		{"resolved beyond what is quoted", "### Blockers\n- " + strings.Repeat("a ", 200) + "(resolved)\n", "", nil},
		{"stopped at what was resolved", "Stopped at: conflicts resolved, 03-02 is next\n", "conflicts resolved, 03-02 is next", nil},
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
		for _, blocker := range append(blockers, stopped) {
			if strings.ContainsAny(blocker, "\r\n") {
				t.Errorf("%q", blocker)
			}
		}
	})
}
