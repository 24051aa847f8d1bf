package leftover_test

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/leftover"
	"github.com/gsd-cli/gsd/internal/planref"
)

// TestHandOffs: where upstream puts its notes, they are found, unless their phase ended after them.
func TestHandOffs(t *testing.T) {
	t.Parallel()
	const (
		plan     = "phases/03-api/03-01-PLAN.md"
		summary  = "phases/03-api/03-01-SUMMARY.md"
		before   = "2026-02-01T10:00:00Z"
		inPhase  = "phases/03-api/.continue-here.md"
		ofPhase3 = `{"phase": "3", "timestamp": "` + before + `"}`
	)
	ended := time.Date(2026, 2, 2, 10, 0, 0, 0, time.UTC)
	note := func(updated string) string { return "---\nphase: 03-api\nlast_updated: " + updated + "\n---\n" }
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"everywhere": {
			map[string]string{
				"HANDOFF.json": "{}", ".continue-here.md": "", ".continue-here-2.md": "", "../.continue-here.md": "", inPhase: "", plan: "<task/>",
				"spikes/SPIKE-001/.continue-here.md": "", "sketches/.continue-here.md": "", "sketches/002-x/.continue-here.md": "", "deliberations/.continue-here.md": "",
				"../HANDOFF.json": "{}", "sketches/x/y/.continue-here.md": "", "continue-here.md": "", "spikes/HANDOFF.json": "{}", "todos/.continue-here.md": "",
			},
			[]string{
				".continue-here.md", ".planning/.continue-here-2.md", ".planning/.continue-here.md", ".planning/HANDOFF.json",
				".planning/deliberations/.continue-here.md", ".planning/phases/03-api/.continue-here.md", ".planning/sketches/.continue-here.md",
				".planning/sketches/002-x/.continue-here.md", ".planning/spikes/SPIKE-001/.continue-here.md",
			},
		},
		"roles and sessions": {
			map[string]string{
				"HANDOFF.json": "{}", "HANDOFF.latest.reviewer.json": "{}", "HANDOFF.claimed.api.1f2e.json": "{}", "HANDOFF.0a1b.json": "{}", "HANDOFF.md": "",
				".continue-here.latest.reviewer.md": "", "HANDOFFS.json": "{}",
			},
			[]string{
				".planning/.continue-here.latest.reviewer.md", ".planning/HANDOFF.0a1b.json", ".planning/HANDOFF.claimed.api.1f2e.json", ".planning/HANDOFF.json",
				".planning/HANDOFF.latest.reviewer.json",
			},
		},
		"phase is open":    {map[string]string{plan: "<task/>", inPhase: note(before), "HANDOFF.json": ofPhase3}, []string{".planning/HANDOFF.json", ".planning/phases/03-api/.continue-here.md"}},
		"phase is over":    {map[string]string{plan: "<task/>", summary: "x", inPhase: note(before), "HANDOFF.json": ofPhase3, ".continue-here.md": note(before)}, nil},
		"by its directory": {map[string]string{plan: "<task/>", summary: "x", "HANDOFF.json": `{"phase_dir": ".planning/phases/03-api", "timestamp": "` + before + `"}`}, nil},
		"blocked":          {map[string]string{plan: "<task/>", summary: "---\nstatus: blocked\n---\n", inPhase: note(before)}, []string{".planning/phases/03-api/.continue-here.md"}},
		"written later":    {map[string]string{plan: "<task/>", summary: "x", inPhase: note("2026-02-03T10:00:00Z")}, []string{".planning/phases/03-api/.continue-here.md"}},
		"in the future":    {map[string]string{plan: "<task/>", summary: "x", inPhase: note("2999-02-03T10:00:00Z")}, []string{".planning/phases/03-api/.continue-here.md"}},
		"no time stated":   {map[string]string{plan: "<task/>", summary: "x", inPhase: "go on"}, []string{".planning/phases/03-api/.continue-here.md"}},
		"another phase":    {map[string]string{plan: "<task/>", summary: "x", "HANDOFF.json": `{"phase": 4, "timestamp": "` + before + `"}`}, []string{".planning/HANDOFF.json"}},
	} {
		p := projectOf(t, test.files)
		if _, ok := test.files[summary]; ok {
			if err := os.Chtimes(filepath.Join(p.Dir, planref.Planning, summary), ended, ended); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, w := range apptest.At(p, time.Now()).Leftover().Notes(leftover.NotesBeside(p.Planning, planref.Planning+"/"+plan)...) {
			got = append(got, w.Path)
			if w.Age < 0 {
				t.Errorf("%s: %s has an age of %v", name, w.Path, w.Age)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestHandOffCheckedOut: files that were checked out are younger than the commits that made them, also where .planning is a submodule.
func TestHandOffCheckedOut(t *testing.T) {
	t.Parallel()
	for _, below := range []string{"", planref.Planning} {
		holdCheckedOut(t, below)
	}
}

func holdCheckedOut(t *testing.T, below string) {
	t.Helper()
	p := projectOf(t, map[string]string{"phases/03-api/03-01-PLAN.md": "<task/>", "phases/03-api/03-01-SUMMARY.md": "x"})
	runGit(t, p.Dir, "init", "--quiet")
	if below != "" {
		runGit(t, p.Dir, "-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "--allow-empty", "-m", "x")
		if err := os.WriteFile(filepath.Join(p.Dir, ".gitmodules"), []byte("[submodule \"x\"]\n\tpath = "+below+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		runGit(t, filepath.Join(p.Dir, below), "init", "--quiet")
	}
	dir := filepath.Join(p.Dir, below)
	runGit(t, dir, "add", ".")
	runGit(t, dir, "-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "--date=2026-02-02T10:00:00Z", "-m", "x")
	committed := leftover.Committed(p.Planning, []string{planref.Planning + "/phases/03-api/03-01-SUMMARY.md"})
	later := committed.Add(time.Hour)
	for name, written := range map[string]time.Time{"before the end": committed.Add(-time.Hour), "after it": committed.Add(time.Minute)} {
		note := filepath.Join(p.Dir, planref.Planning, "phases", "03-api", ".continue-here.md")
		text := "---\nlast_updated: " + written.Format(time.RFC3339) + "\n---\n"
		err := errors.Join(os.WriteFile(note, []byte(text), 0o666), os.Chtimes(filepath.Join(filepath.Dir(note), "03-01-SUMMARY.md"), later, later), os.Chtimes(note, later, later))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(apptest.At(p, later).Leftover().Notes(leftover.NotesBeside(p.Planning, planref.Planning+"/phases/03-api/03-01-PLAN.md")...)); (got == 1) != (name == "after it") {
			t.Errorf("%s, in %q: %d notes", name, below, got)
		}
	}
}

// TestArchiveNote: what somebody wrote is kept, also if two notes have one name, and if one is changed at the same moment.
func TestArchiveNote(t *testing.T) {
	t.Parallel()
	p := projectOf(t, map[string]string{"HANDOFF.json": "{}", "spikes/HANDOFF.json": "{}", ".continue-here.md": "first", "spikes/.continue-here.md": "second"})
	archive := func(name string) (string, error) {
		done, err := p.ArchiveNote(t.Context(), user, p.Dir, name, 0)
		if err != nil {
			return "", err
		}
		return done.Archived, nil
	}
	if err := os.Chmod(filepath.Join(p.Dir, planref.Planning, ".continue-here.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, at := p.Session(user).Path(), now.UTC().Format("20060102150405")
	for _, test := range []struct{ note, kept, text string }{
		{".continue-here.md", "continue-here." + at + ".md", "first"},
		{"spikes/.continue-here.md", "continue-here." + at + "-2.md", "second"},
	} {
		kept, err := archive(planref.Planning + "/" + test.note)
		if err != nil || kept != path.Join(dir, test.kept) || textOfFile(p, kept) != test.text || textOfFile(p, planref.Planning+"/"+test.note) != "" {
			t.Errorf("%s: %q, %v", test.note, kept, err)
		}
	}
	if info, err := os.Stat(filepath.Join(p.Dir, dir, "continue-here."+at+".md")); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("somebody else may read what was private: %v, %v", info, err)
	}
	p.Write = durable.Writer{Before: func(durable.Step) error {
		return os.WriteFile(filepath.Join(p.Dir, planref.Planning, "HANDOFF.json"), []byte(`{"next_action": "look"}`), 0o666)
	}}
	if _, err := archive(planref.Planning + "/spikes/HANDOFF.json"); err == nil || textOfFile(p, planref.Planning+"/spikes/HANDOFF.json") == "" {
		t.Errorf("another program's file is gone: %v", err)
	}
	if _, err := archive(planref.Planning + "/" + "HANDOFF.json"); err == nil || textOfFile(p, planref.Planning+"/"+"HANDOFF.json") == "" {
		t.Errorf("it was changed, and is gone: %v", err)
	}
}

// TestNoteOfRole: the name of a note says for whom it is and who took it up, which may be the caller's own session. Only that one is named
// how to put it away.
func TestNoteOfRole(t *testing.T) {
	t.Parallel()
	files := map[string]string{"HANDOFF.claimed.api.1f2e.json": `{"role": "another"}`, "HANDOFF.latest.ui.json": "{}", "HANDOFF.0a1b.json": `{"role": "docs"}`}
	for name, test := range map[string]struct {
		conversation, session string
		mine                  bool
	}{
		"somebody's":                            {"", "", false},
		"this conversation's":                   {"1f2e", "", true},
		"another conversation's":                {"2f2e", "claude-code-session-id-2f2e", false},
		"this session's by upstream's own name": {"", "claude-code-session-id-1f2e", true},
	} {
		p := projectOf(t, files)
		p.Caller.Conversation, p.Planning.SessionKey = test.conversation, test.session
		var got []string
		for _, w := range p.Leftover().Notes() {
			got = append(got, fmt.Sprint(w.Role, w.Claimed, w.Mine, w.ArchiveNote().Kind != ""))
		}
		slices.Sort(got)
		want := []string{fmt.Sprint("api", "1f2e", test.mine, test.mine), fmt.Sprint("docs", "", false, false), fmt.Sprint("ui", "", false, false)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
