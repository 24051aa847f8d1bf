package status_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/statefile"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/verdict"
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
		codes := func(all []problem.Warning) string {
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

func stateOf(t *testing.T, p *app.Project, o status.StateOptions) *status.State {
	t.Helper()
	o.User = "ada"
	s, err := status.StateOf(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// oldState is a STATE.md that people wrote in, and that lags.
const oldState = "# Project State\r\n\r\nOur own words: Phase: 9 of 9.\r\n\r\n## Current Position\r\n\r\nPhase: 1 of 3 (Hull)\r\nPlan: 1 of 1 in current phase\r\n" +
	"Status: Ready to execute\r\nLast activity: 2025-01-01 — Began\r\n\r\nProgress: [░░░░░░░░░░] 0%\r\n\r\n## Decisions\r\n\r\n- Status: Hull first \r\n- Plan: 7 of 9\r\n\r\nno newline at the end"

// Writing twice is writing once, also where the file counted the phases of all milestones.
func TestStateWriteTwice(t *testing.T) {
	p := projectOf(t, map[string]string{
		"ROADMAP.md": "- [x] Phase 1: A\n## v1.1 New\n### Phase 4: F\n", "STATE.md": "## Current Position\n\nPhase: 1 of 3 (A)\nProgress: [░░░░░░░░░░] 0%\n",
	})
	first := stateOf(t, p, status.StateOptions{Write: true})
	if second := stateOf(t, p, status.StateOptions{Write: true}); !first.Written || second.Written || len(second.Edits) > 0 {
		t.Errorf("after\n%sit edits %+v", first.Text, second.Edits)
	}
}

func TestStateThatCannotBeRead(t *testing.T) {
	p := projectOf(t, filesIn("phases/01-a/01-01-PLAN.md STATE.md/x"))
	_, err := status.StateOf(p, status.StateOptions{User: "ada", Write: true})
	wantKind(t, err, problem.Refused)

	p = projectOf(t, filesIn("phases/01-a/01-01-PLAN.md"))
	outside := filepath.Join(t.TempDir(), "STATE.md")
	write(t, outside, oldState)
	if err := os.Symlink(outside, filepath.Join(p.Dir, ".planning", "STATE.md")); err != nil {
		t.Skip("no links here: ", err)
	}
	_, err = status.StateOf(p, status.StateOptions{User: "ada", Write: true})
	wantKind(t, err, problem.Refused)
	if text, err := os.ReadFile(outside); err != nil || string(text) != oldState {
		t.Errorf("what the link leads to: %q, %v", text, err)
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
		s, err := status.StateOf(p, status.StateOptions{User: user})
		if err != nil {
			t.Fatal(err)
		}
		if s.Position.Phase != "3" || s.Position.Plan != 1 || s.Status != "Ready to execute" {
			t.Errorf("%s: %q, %+v", user, s.Status, s.Position)
		}
		st, err := status.Of(p, status.Options{User: user})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(st.Position, s.Position) {
			t.Errorf("%s: status has %+v, state %+v", user, st.Position, s.Position)
		}
	}
}

// Whatever a project looks like: what State made says what State says, and writing twice is writing once.
func TestStateLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("lays out a hundred projects")
	}
	base := t.TempDir()
	n := 0
	rapid.Check(testenv.Laws(t), func(rt *rapid.T) {
		n++
		dir := filepath.Join(base, fmt.Sprint(n))
		lines := []string{"- [x] Phase 1: A", "- [ ] Phase 2: B (1/3 plans)", "- [ ] Phase 2.1: C", "- [ ] Phase 3A: D (deferred)", "### Phase 1: E", "### Phase 4: F"}
		old := rapid.SampledFrom([]string{"", oldState, "## Current Position\nPhase: 2\nPlan: 1 of 2\nProgress: 50%\n"}).Draw(rt, "old")
		if old == "" { // of another TestStateWriteTwice knows
			lines = append(lines, "## v1.0 Old (shipped)", "## v1.1 New")
		}
		write(t, filepath.Join(dir, ".planning", "ROADMAP.md"), "# Roadmap\n"+strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 6).Draw(rt, "roadmap"), "\n"))
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
		p, err := app.Open(dir)
		if err != nil {
			rt.Fatal(err)
		}
		defer p.Close()
		first, err := status.StateOf(p, status.StateOptions{User: "ada", Write: true})
		if apptest.KindOfError(err) == problem.BadData && old == "" { // of a roadmap without a phase nothing is made
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		if first.Missing != (old == "") || first.Written != (first.Missing || len(first.Edits) > 0) {
			rt.Fatalf("missing %v, written %v, edits %v", first.Missing, first.Written, first.Edits)
		}
		second, err := status.StateOf(p, status.StateOptions{User: "ada", Write: true})
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

// TestStateExtras: what a new STATE.md says beside the position.
func TestStateExtras(t *testing.T) {
	p := projectOf(t, map[string]string{
		"ROADMAP.md": "# Roadmap: Boat\n- [ ] Phase 1: A\n", "phases/01-a/01-01-PLAN.md": "", "PROJECT.md": "# P\n\n## Core Value\n\nIt floats.\n",
		"todos/pending/a.md": "x", "todos/pending/b.txt": "x", "phases/01-a/.continue-here.md": "x",
	})
	s := stateOf(t, p, status.StateOptions{})
	for _, want := range []string{"It floats.", "1 ", "phases/01-a/.continue-here.md"} {
		if !strings.Contains(s.Text, want) {
			t.Errorf("%q is not in\n%s", want, s.Text)
		}
	}
	if !s.Missing || s.Written || s.Unwritable != "" || strings.Contains(s.Text, "2 pending") {
		t.Errorf("%+v", s)
	}
}

// TestStateRefused: where there is no position, and what is no STATE.md.
func TestStateRefused(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "STATE.md")
	write(t, outside, oldState)
	for _, test := range []struct {
		name   string
		files  map[string]string
		kind   problem.Kind
		closed bool // it can be compared, but not written
	}{
		{"no phase is recognised", map[string]string{"ROADMAP.md": "## Sprint 1: A\n", "phases/01-a/01-01-PLAN.md": ""}, 0, true},
		{"no position", map[string]string{"STATE.md": "x"}, problem.MissingInput, false},
		{"too large", map[string]string{"ROADMAP.md": "- [ ] Phase 1: A\n", "STATE.md": strings.Repeat("x", statefile.MaxSize+1)}, problem.Refused, false},
		{"not UTF-8", map[string]string{"ROADMAP.md": "- [ ] Phase 1: A\n", "STATE.md": "\xff\xfe#\x00 \x00A\x00\n\x00"}, problem.BadData, false},
		{"a second name", map[string]string{"ROADMAP.md": "- [x] Phase 1: A\n- [ ] Phase 2: B\n", "STATE.md": oldState}, 0, true},
		{"a second name, and nothing differs", map[string]string{"ROADMAP.md": "- [ ] Phase 1: A\n", "STATE.md": "x"}, 0, false},
	} {
		p := projectOf(t, test.files)
		name := filepath.Join(p.Dir, ".planning/STATE.md")
		if strings.HasPrefix(test.name, "a second") {
			text, _ := os.ReadFile(name)
			write(t, name+"2", string(text))
			os.Remove(name)
			if err := os.Symlink("STATE.md2", name); err != nil {
				t.Skip("no links here:", err)
			}
		}
		s, err := status.StateOf(p, status.StateOptions{User: "ada"})
		if apptest.KindOfError(err) != test.kind || err == nil && (s.Unwritable != "") != test.closed {
			t.Errorf("%s: %+v, %v", test.name, s, err)
		}
	}
}

// TestStateChanged: another program writes STATE.md at the same moment.
func TestStateChanged(t *testing.T) {
	for times, kind := range map[int]problem.Kind{0: 0, 1: 0, verdict.MaxTries - 1: 0, verdict.MaxTries: problem.Busy} {
		p := projectOf(t, map[string]string{"ROADMAP.md": "- [x] Phase 1: A\n- [ ] Phase 2: B\n", "STATE.md": oldState})
		edits := 0
		p.Write = durable.Writer{Before: func(s durable.Step) error {
			if s == durable.StepCheck && edits < times {
				edits++
				write(t, filepath.Join(p.Dir, ".planning/STATE.md"), oldState+strings.Repeat("x", edits))
			}
			return nil
		}}
		s, err := status.StateOf(p, status.StateOptions{User: "ada", Write: true})
		if apptest.KindOfError(err) != kind || edits != times || err == nil && (!s.Written || strings.Count(s.Text, "x") != strings.Count(oldState, "x")+times) {
			t.Errorf("%d edits: %+v, %v", edits, s, err)
		}
	}
}
