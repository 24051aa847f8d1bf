package upstream

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/statefile"
	"github.com/gsd-cli/gsd/internal/status"
)

// At moments of real histories, upstream finds nothing in a STATE.md that gsd state --write has written that it did not find
// before, and nothing that is behind the commit that is checked out. One finding is no fault: upstream cannot check a phase that
// nobody has planned, and leaves the same one when it completes the phase before (TestStateOfCompletedPhase).
func TestStateValidates(t *testing.T) {
	c := startCore(t)
	before, after := map[string]int{}, map[string]int{}
	moments, written, stamped := 0, 0, 0
	var heads, valid [2]int // of projects, before and after
	for _, bundle := range replay.Files(t, ".", "more") {
		name := strings.TrimSuffix(filepath.Base(bundle), ".bundle")
		isHead := true
		eachMoment(t, bundle, 10, func(at, commit string) {
			state := filepath.Join(at, ".planning", "STATE.md")
			src, err := os.ReadFile(state)
			if err != nil {
				return
			}
			if rest, ok := strings.CutPrefix(string(src), "---\n"); ok && !strings.Contains(rest, "\nstate_head:") { // as upstream has written it since 1.11
				src = []byte("---\nstate_head: " + strings.Fields(git(t, at, "rev-list", "--max-parents=0", "HEAD"))[0] + "\n" + rest)
				if err := os.WriteFile(state, src, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			moments++
			was := c.ask(t, question{Dir: at, Git: true, Validate: true}).Validated
			s, is := writeState(t, at), was
			if s != nil && s.Written {
				written++
				is = c.ask(t, question{Dir: at, Git: true, Validate: true}).Validated
			}
			for i, codes := range [][]string{was.Codes, is.Codes} {
				if isHead {
					heads[i]++
					if len(codes) == 0 {
						valid[i]++
					}
				}
			}
			isHead = false
			tally1(before, was.Codes)
			tally1(after, is.Codes)
			for _, code := range is.Codes {
				if !slices.Contains(was.Codes, code) && !(code == "S004" && s.Status == statefile.ReadyToPlan && !hasPhase(at, s.Position.Phase)) {
					t.Errorf("%s %s: upstream finds %s only after gsd state --write\n%s", name, commit, code, diff(t, src, state))
				}
			}
			if is.Behind != nil && s != nil && s.Written {
				if stamped++; *is.Behind != 0 {
					t.Errorf("%s %s: STATE.md is %d commits behind", name, commit, *is.Behind)
				}
			}
		})
	}
	t.Logf("the newest moments of %d projects: nothing is found at %d before, %d after", heads[0], valid[0], valid[1])
	t.Logf("%d moments, %d written, %d of them with state_head; findings before and after:", moments, written, stamped)
	for _, code := range slices.Sorted(maps.Keys(before)) {
		t.Logf("%-6s %4d %4d", code, before[code], after[code])
	}
}

// writeState writes STATE.md. It returns nil if there is no project at that moment.
func writeState(t *testing.T, dir string) *status.State {
	t.Helper()
	p, err := app.Open(dir)
	if err != nil {
		return nil
	}
	defer p.Close()
	s, _ := status.StateOf(p, status.StateOptions{User: "larch", Write: true})
	return s
}

// hasPhase reports whether a phase has a directory.
func hasPhase(dir, phase string) bool {
	number, _ := planref.ParseNumber(phase)
	dirs, _ := filepath.Glob(filepath.Join(dir, ".planning", "phases", "*"))
	return slices.ContainsFunc(dirs, func(name string) bool { return planref.Compare(planref.PhaseOfDir(filepath.Base(name)), number) == 0 })
}

// Where the phase that comes next has no directory yet, upstream's own command leaves what upstream's own check finds; gsd writes the
// same phase.
func TestStateOfCompletedPhase(t *testing.T) {
	c := startCore(t)
	dir := t.TempDir()
	p := &project{}
	p.add("ROADMAP.md", "# Roadmap: Larch\n\n## Phases\n\n- [ ] **Phase 1: Hull**\n- [ ] **Phase 2: Mast**\n\n### Phase 1: Hull\n\n### Phase 2: Mast\n")
	p.add("STATE.md", "---\ngsd_state_version: 1.0\nstatus: executing\n---\n\n# Project State\n\n## Current Position\n\nPhase: 1 of 2 (Hull)\nPlan: 1 of 1 in current phase\nStatus: In progress\n")
	p.add("phases/01-hull/01-01-PLAN.md", "---\nphase: 01-hull\nplan: 01\n---\n")
	p.add("phases/01-hull/01-01-SUMMARY.md", "---\nphase: 01-hull\nplan: 01\n---\nDone.\n")
	p.add("phases/01-hull/01-VERIFICATION.md", "---\nstatus: passed\n---\n")
	if err := p.write(dir); err != nil {
		t.Fatal(err)
	}
	if is := c.ask(t, question{Dir: dir, Validate: true, Complete: "1"}).Validated; !slices.Equal(is.Codes, []string{"S004"}) {
		t.Errorf("upstream finds %+v", is)
	}
	src, err := os.ReadFile(filepath.Join(dir, ".planning", "STATE.md"))
	if err != nil || !strings.Contains(string(src), "\nPhase: 2") {
		t.Errorf("upstream wrote another phase: %v\n%s", err, src)
	}
	if s := writeState(t, dir); s == nil || s.Position.Phase != "2" {
		t.Errorf("gsd's position is %+v", s)
	}
}

// tally1 counts a moment's findings, each once; one without a finding is counted as none.
func tally1(counts map[string]int, codes []string) {
	if len(codes) == 0 {
		codes = []string{"none"}
	}
	for _, code := range slices.Compact(slices.Sorted(slices.Values(codes))) {
		counts[code]++
	}
}

func diff(t *testing.T, was []byte, now string) string {
	t.Helper()
	old := filepath.Join(t.TempDir(), "was.md")
	if err := os.WriteFile(old, was, 0o666); err != nil {
		t.Fatal(err)
	}
	return differing(t, old, now)
}
