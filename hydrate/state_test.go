package hydrate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/statefile"
)

func stateOf(t *testing.T, p *Project, o StateOptions) *State {
	t.Helper()
	o.User = "ada"
	s, err := p.State(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func readState(t *testing.T, p *Project) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.Dir, ".planning", "STATE.md"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

func TestStateIsMadeOnce(t *testing.T) {
	p := projectOf(t, map[string]string{
		"ROADMAP.md": "# Roadmap: Boats\n\n- [x] Phase 1: Hull\n- [ ] Phase 2: Mast\n- [ ] Phase 3: Sail\n", "PROJECT.md": "# Boats\n\n## Core Value\n\nIt floats.\n",
		"phases/01-hull/01-01-PLAN.md": "", "phases/01-hull/01-01-SUMMARY.md": "", "phases/02-mast/02-01-PLAN.md": "", "phases/02-mast/02-02-PLAN.md": "",
		"phases/02-mast/02-01-SUMMARY.md": "", "phases/02-mast/.continue-here.md": "", "todos/pending/a.md": "", "todos/pending/b.md": "", "todos/pending/c.txt": "",
	})
	commitAll(t, p, 7, "docs(02-01): complete it")

	if s := stateOf(t, p, StateOptions{DryRun: true}); !s.Missing || s.Written || readState(t, p) != "" || len(s.Text) == 0 {
		t.Errorf("a dry run: missing %v, written %v", s.Missing, s.Written)
	}
	s := stateOf(t, p, StateOptions{})
	text := readState(t, p)
	if !s.Missing || !s.Written || s.Path != ".planning/STATE.md" || text != s.Text || len(s.Edits) > 0 {
		t.Errorf("missing %v, written %v, %s, edits %v", s.Missing, s.Written, s.Path, s.Edits)
	}
	for _, line := range []string{
		"# Project State: Boats", "**Core value:** It floats.", "Phase: 2 of 3 (Mast)", "Plan: 2 of 2 in current phase", "Status: In progress", "2026-03-06",
		"2 in .planning/todos/pending/", "Resume file: .planning/phases/02-mast/.continue-here.md",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
	for name, o := range map[string]StateOptions{"again": {}, "dry": {DryRun: true}, "write": {Write: true}} {
		s := stateOf(t, reopen(t, p.Dir), o)
		if s.Missing || s.Written || len(s.Edits) > 0 || len(s.Warnings) > 0 || s.Text != text || readState(t, p) != text {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// Of nothing there is nothing to say, and nothing is written.
func TestStateOfNothing(t *testing.T) {
	p := projectOf(t, filesIn(""))
	_, err := p.State(StateOptions{User: "ada", Write: true})
	wantKind(t, err, MissingInput)
	if text := readState(t, p); text != "" {
		t.Errorf("made:\n%s", text)
	}
}

func TestStateStatus(t *testing.T) {
	for _, c := range []struct {
		name, files, roadmap string
		want                 statefile.Status
		phase                string
	}{
		{name: "to plan", roadmap: "### Phase 1: A\n", want: "Ready to plan", phase: "1"},
		{name: "to plan the next", files: "phases/01-a/01-01-PLAN.md phases/01-a/01-01-SUMMARY.md", roadmap: "- [x] Phase 1: A\n- [ ] Phase 2: B\n", want: "Ready to plan", phase: "2"},
		{name: "to execute", files: "phases/01-a/01-01-PLAN.md", roadmap: "### Phase 1: A\n", want: "Ready to execute", phase: "1"},
		{name: "in progress", files: "phases/01-a/01-01-PLAN.md phases/01-a/01-01-SUMMARY.md phases/01-a/01-02-PLAN.md", want: "In progress", phase: "1"},
		{name: "in progress in the roadmap", files: "phases/01-a/01-01-PLAN.md", roadmap: "### Phase 1: A\n**Status:** In progress\n", want: "In progress", phase: "1"},
		{name: "complete", files: "phases/01-a/01-01-PLAN.md phases/01-a/01-01-SUMMARY.md", roadmap: "- [x] Phase 1: A\n", want: "Milestone complete"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := stateOf(t, projectOf(t, with(filesIn(c.files), c.roadmap)), StateOptions{DryRun: true})
			if s.Status != c.want || s.Position.Phase != c.phase {
				t.Errorf("%q in phase %q, want %q in phase %q", s.Status, s.Position.Phase, c.want, c.phase)
			}
		})
	}
	t.Run("open plans without a numbered directory", func(t *testing.T) {
		s := stateOf(t, projectOf(t, filesIn("phases/setup/07-01-PLAN.md")), StateOptions{DryRun: true})
		if s.Status == "Milestone complete" {
			t.Errorf("%q in phase %q", s.Status, s.Position.Phase)
		}
	})
}

// oldState is a STATE.md that people wrote in, and that lags.
const oldState = "# Project State\r\n\r\nOur own words: Phase: 9 of 9.\r\n\r\n## Current Position\r\n\r\nPhase: 1 of 3 (Hull)\r\nPlan: 1 of 1 in current phase\r\n" +
	"Status: Ready to execute\r\nLast activity: 2025-01-01 — Began\r\n\r\nProgress: [░░░░░░░░░░] 0%\r\n\r\n## Decisions\r\n\r\n- Status: Hull first \r\n- Plan: 7 of 9\r\n\r\nno newline at the end"

func TestStateWriteChangesPositionOnly(t *testing.T) {
	p := projectOf(t, map[string]string{
		"ROADMAP.md": "- [x] Phase 1: Hull\n- [ ] Phase 2: Mast\n- [ ] Phase 3: Sail\n", "STATE.md": oldState,
		"phases/01-hull/01-01-PLAN.md": "", "phases/01-hull/01-01-SUMMARY.md": "", "phases/02-mast/02-01-PLAN.md": "", "phases/02-mast/02-02-PLAN.md": "",
		"phases/02-mast/02-01-SUMMARY.md": "",
	})
	for name, o := range map[string]StateOptions{"unasked": {}, "dry": {DryRun: true, Write: true}} {
		s := stateOf(t, p, o)
		if s.Missing || s.Written || len(s.Edits) == 0 || s.Text == oldState || readState(t, p) != oldState {
			t.Errorf("%s: missing %v, written %v, edits %v", name, s.Missing, s.Written, s.Edits)
		}
		if len(s.Warnings) != 1 || s.Warnings[0].Code != StateDiffers || !strings.Contains(s.Warnings[0].Detail, ".planning/STATE.md:7: it says phase 1, but") || !strings.Contains(s.Warnings[0].Detail, "phase 2") {
			t.Errorf("%s: warnings %+v", name, s.Warnings)
		}
	}
	s := stateOf(t, p, StateOptions{Write: true})
	text := readState(t, p)
	if !s.Written || text != s.Text {
		t.Errorf("written %v:\n%s", s.Written, text)
	}
	was, is := strings.Split(oldState, "\n"), strings.Split(text, "\n")
	if len(was) != len(is) {
		t.Fatalf("%d lines became %d", len(was), len(is))
	}
	want := map[int]string{ // by line; without commits nothing is known of the last activity
		7: "Phase: 2 of 3 (Mast)\r", 8: "Plan: 2 of 2 in current phase\r", 9: "Status: In progress\r", 12: "Progress: [███░░░░░░░] 33%\r",
	}
	for i := range was {
		line, changed := want[i+1]
		if !changed {
			line = was[i]
		}
		if is[i] != line {
			t.Errorf("line %d is %q, want %q", i+1, is[i], line)
		}
	}
	told := map[int]bool{}
	for _, e := range s.Edits {
		told[e.Line] = true
		if want[e.Line] == "" || e.Old == e.New {
			t.Errorf("edit %+v", e)
		}
	}
	if len(told) != len(want) {
		t.Errorf("edits of lines %v, want %d", told, len(want))
	}
	if again := stateOf(t, p, StateOptions{Write: true}); again.Written || len(again.Edits)+len(again.Warnings) > 0 {
		t.Errorf("again: %+v", again)
	}
}

// Writing twice is writing once, also where the file counted the phases of all milestones.
func TestStateWriteTwice(t *testing.T) {
	p := projectOf(t, map[string]string{
		"ROADMAP.md": "- [x] Phase 1: A\n## v1.1 New\n### Phase 4: F\n", "STATE.md": "## Current Position\n\nPhase: 1 of 3 (A)\nProgress: [░░░░░░░░░░] 0%\n",
	})
	first := stateOf(t, p, StateOptions{Write: true})
	if second := stateOf(t, p, StateOptions{Write: true}); !first.Written || second.Written || len(second.Edits) > 0 {
		t.Errorf("after\n%sit edits %+v", first.Text, second.Edits)
	}
}

func TestStateOfAWorkstream(t *testing.T) {
	p := projectOf(t, map[string]string{"workstreams/web/phases/01-w/01-01-PLAN.md": "", "phases/05-x/05-01-PLAN.md": "", "active-workstream": "web\n"})
	if s := stateOf(t, p, StateOptions{}); s.Path != ".planning/workstreams/web/STATE.md" || !s.Written || s.Position.Phase != "1" {
		t.Errorf("%s, written %v, phase %s", s.Path, s.Written, s.Position.Phase)
	}
	if text := readState(t, p); text != "" {
		t.Errorf("the project's own was made:\n%s", text)
	}
}

func TestStateThatCannotBeRead(t *testing.T) {
	p := projectOf(t, filesIn("phases/01-a/01-01-PLAN.md STATE.md/x"))
	_, err := p.State(StateOptions{User: "ada", Write: true})
	wantKind(t, err, Refused)

	p = projectOf(t, filesIn("phases/01-a/01-01-PLAN.md"))
	outside := filepath.Join(t.TempDir(), "STATE.md")
	write(t, outside, oldState)
	if err := os.Symlink(outside, filepath.Join(p.Dir, ".planning", "STATE.md")); err != nil {
		t.Skip("no links here: ", err)
	}
	_, err = p.State(StateOptions{User: "ada", Write: true})
	wantKind(t, err, Refused)
	if text, err := os.ReadFile(outside); err != nil || string(text) != oldState {
		t.Errorf("what the link leads to: %q, %v", text, err)
	}
}

func TestStateInUTF16(t *testing.T) {
	const text = "\xff\xfeP\x00h\x00a\x00s\x00e\x00"
	p := projectOf(t, map[string]string{"STATE.md": text, "phases/01-a/01-01-PLAN.md": ""})
	_, err := p.State(StateOptions{User: "ada", Write: true})
	wantKind(t, err, BadData)
	if got := readState(t, p); got != text {
		t.Errorf("it is now %q", got)
	}
}

// The position is that of the project: neither the asker's session nor another user's changes it.
func TestStateIsTheSameForEverybody(t *testing.T) {
	on := func(plan, status string) string {
		return "<!-- Plan: .planning/phases/" + plan + " -->\n\n" + strings.Repeat("<task status=\""+status+"\">\n</task>\n", 2)
	}
	p := projectOf(t, map[string]string{
		"ROADMAP.md":                "- [ ] Phase 3: A\n- [ ] Phase 4: B\n",
		"phases/03-a/03-01-PLAN.md": "", "phases/04-b/04-01-PLAN.md": "",
		"sessions/ada/current-plan.md": on("03-a/03-01-PLAN.md", "complete"),
		"sessions/bob/current-plan.md": on("04-b/04-01-PLAN.md", "in-progress"),
		"sessions/cyd/current-plan.md": on("03-a/03-01-PLAN.md", "pending"),
	})
	for _, user := range []string{"ada", "bob", "cyd", "dan"} {
		s, err := p.State(StateOptions{User: user, DryRun: true})
		if err != nil {
			t.Fatal(err)
		}
		if s.Position.Phase != "3" || s.Position.Plan != 1 || s.Status != "Ready to execute" {
			t.Errorf("%s: %q, %+v", user, s.Status, s.Position)
		}
		st, err := p.Status(StatusOptions{User: user})
		if err != nil {
			t.Fatal(err)
		}
		if st.Position != s.Position {
			t.Errorf("%s: status has %+v, state %+v", user, st.Position, s.Position)
		}
	}
}

// Front matter that is never closed is told with its line, and left alone.
func TestStateBroken(t *testing.T) {
	const broken = "---\nstatus: planning\n\n## Current Position\n\nPhase: Not started\n"
	p := projectOf(t, map[string]string{"STATE.md": broken, "phases/01-a/01-01-PLAN.md": ""})
	s := stateOf(t, p, StateOptions{Write: true})
	if len(s.Warnings) != 1 || s.Warnings[0].Code != StateBroken || !strings.HasPrefix(s.Warnings[0].Detail, ".planning/STATE.md:1: ") {
		t.Errorf("warnings %+v", s.Warnings)
	}
	if text := readState(t, p); text != strings.Replace(broken, "Not started", "1 of 1 (a)", 1) {
		t.Errorf("it is now\n%s", text)
	}
}

// Whatever a project looks like: what State made says what State says, and writing twice is writing once.
func TestStateLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("lays out a hundred projects")
	}
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		dir := filepath.Join(base, fmt.Sprint(n))
		lines := []string{"- [x] Phase 1: A", "- [ ] Phase 2: B (1/3 plans)", "- [ ] Phase 2.1: C", "- [ ] Phase 3A: D (deferred)", "### Phase 1: E", "### Phase 4: F"}
		old := rapid.SampledFrom([]string{"", oldState, "## Current Position\nPhase: 2\nPlan: 1 of 2\nProgress: 50%\n"}).Draw(rt, "old")
		if old == "" { // of another TestStateWriteTwice knows
			lines = append(lines, "## v1.0 Old (shipped)", "## v1.1 New")
		}
		write(t, filepath.Join(dir, ".planning", "ROADMAP.md"), strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 6).Draw(rt, "roadmap"), "\n"))
		for _, stem := range rapid.SliceOfN(rapid.SampledFrom([]string{
			"phases/01-a/01-01", "phases/01-a/01-02", "phases/02-b/02-01", "phases/02.1-c/02.1-01", "phases/03A-d/03A-01", "milestones/v1.0-phases/01-a/01-01",
		}), 0, 6).Draw(rt, "plans") {
			stem = filepath.Join(dir, ".planning", filepath.FromSlash(stem))
			write(t, stem+"-PLAN.md", onePlan(""))
			if rapid.Bool().Draw(rt, "done") {
				write(t, stem+"-SUMMARY.md", "")
			}
		}
		if old != "" {
			write(t, filepath.Join(dir, ".planning", "STATE.md"), old)
		}
		p, err := Open(dir)
		if err != nil {
			rt.Fatal(err)
		}
		defer p.Close()
		first, err := p.State(StateOptions{User: "ada", Write: true})
		if err != nil {
			rt.Fatal(err)
		}
		if first.Missing != (old == "") || first.Written != (first.Missing || len(first.Edits) > 0) {
			rt.Fatalf("missing %v, written %v, edits %v", first.Missing, first.Written, first.Edits)
		}
		second, err := p.State(StateOptions{User: "ada", Write: true})
		if err != nil {
			rt.Fatal(err)
		}
		if second.Missing || second.Written || len(second.Edits) > 0 || second.Text != first.Text {
			rt.Fatalf("written again: %+v\n%s", second.Edits, first.Text)
		}
		for _, w := range second.Warnings {
			if first.Missing {
				rt.Fatalf("what it made itself: %+v\n%s", w, first.Text)
			}
		}
	})
}

// Between milestones people say so in their own words, and gsd knows no phase either.
func TestStateBetweenMilestones(t *testing.T) {
	const between = "## Current Position\n\nPhase: None active\nPlan: -\nStatus: Between milestones\n\nProgress: [██████████] v1.0 shipped\n"
	p := projectOf(t, map[string]string{
		"ROADMAP.md": "- ✅ **v1.0 Old** — Phases 1-2 (shipped 2026-01-02)\n", "STATE.md": between,
		"phases/01-a/01-01-PLAN.md": "", "phases/01-a/01-01-SUMMARY.md": "", "phases/02-b/02-01-PLAN.md": "",
	})
	if s := stateOf(t, p, StateOptions{Write: true}); s.Written || len(s.Edits) > 0 || readState(t, p) != between {
		t.Errorf("edits %+v", s.Edits)
	}
}

// A file that counts something else, such as the phases of one version, keeps its counts.
func TestStateCountsOfAnother(t *testing.T) {
	const own = "## Current Position\n\nPhase: 1 of 4 (A)\nStatus: In progress\n\nProgress: 0% (0/4 v2.0 phases)\n"
	files := map[string]string{"STATE.md": own, "ROADMAP.md": ""}
	for i := 1; i <= 12; i++ {
		files["ROADMAP.md"] += fmt.Sprintf("- [%s] Phase %d: A\n", map[bool]string{true: "x", false: " "}[i < 9], i)
	}
	s := stateOf(t, projectOf(t, files), StateOptions{DryRun: true})
	if !strings.Contains(s.Text, "Progress: 0% (0/4 v2.0 phases)") || !strings.Contains(s.Text, "Phase: 9") {
		t.Errorf("%s", s.Text)
	}
}
