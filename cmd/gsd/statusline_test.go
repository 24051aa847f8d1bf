package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/planfile"
)

// sessionOn is a report of a session with tasks of a name, of which some are complete.
func sessionOn(verdict hydrate.Verdict, plan, name string, done, total int) *hydrate.Report {
	var text strings.Builder
	for n := range total {
		status := "pending"
		if n < done {
			status = "complete"
		}
		fmt.Fprintf(&text, "<task status=%q>\n<name>%s</name>\n</task>\n", status, name)
	}
	r := &hydrate.Report{User: "ada", Session: planfile.Parse([]byte(text.String())), Summary: "x-SUMMARY.md"}
	r.Verdict, r.Resume, r.Plan.Path = verdict, min(done+1, total), plan
	if verdict == hydrate.Stale {
		r.Stale = []hydrate.Reason{{Reason: hydrate.PlanMissing}, {Reason: hydrate.TaskCount}}
	}
	return r
}

// TestStatuslineFits: whatever the names are, the line is one, no wider than it may be, and safe; and what matters most
// is what stays.
func TestStatuslineFits(t *testing.T) {
	letters := rapid.SampledFrom(append([]string{"a", "Z", "4", "-", " ", "粘", "カ", "🔥", "👩‍🚀", "é", "e\u0301", "\u0301"}, hostile[:7]...))
	names := rapid.Map(rapid.SliceOfN(letters, 0, 60), func(words []string) string { return strings.Join(words, "") })
	rapid.Check(t, func(rt *rapid.T) {
		total := rapid.SampledFrom([]int{1, 3, 8, 250}).Draw(rt, "total")
		done := rapid.IntRange(0, total).Draw(rt, "done")
		verdict := rapid.SampledFrom([]hydrate.Verdict{hydrate.None, hydrate.Corrupt, hydrate.Stale, hydrate.Finished, hydrate.Resume}).Draw(rt, "verdict")
		interrupted := rapid.Bool().Draw(rt, "interrupted")
		r := sessionOn(verdict, names.Draw(rt, "plan")+"/PLAN.md", names.Draw(rt, "name"), done, total)
		a := &app{}
		for columns := 1; columns <= 120; columns++ {
			text := a.statusWords(r, interrupted, columns)
			switch ratio := fmt.Sprintf("%d/%d", done, total); {
			case width(text) > columns || strings.Contains(text, "\n") || !utf8.ValidString(text) || unsafeRune(text) != "":
				rt.Fatalf("%d columns: %q: %d, %s", columns, text, width(text), unsafeRune(text))
			case strings.TrimSpace(text) == "":
				rt.Fatalf("%d columns: nothing", columns)
			case verdict == hydrate.None || verdict == hydrate.Corrupt || columns < 12:
			case !strings.Contains(text, ratio):
				rt.Fatalf("%d columns: no %s in %q", columns, ratio, text)
			case strings.Contains(text, "⚠") != (verdict == hydrate.Stale || verdict == hydrate.Resume && interrupted):
				rt.Fatalf("%d columns, %s: %q", columns, verdict, text)
			}
		}
	})
}

// TestStatuslineWords: the line at some widths.
func TestStatuslineWords(t *testing.T) {
	t.Parallel()
	const plan = ".planning/phases/03-x/03-01-PLAN.md"
	for _, test := range []struct {
		verdict     hydrate.Verdict
		interrupted bool
		columns     int
		want        string
	}{
		{hydrate.Resume, false, 80, "03-01 ██░░░░░░ 1/3 2: Add a note"},
		{hydrate.Resume, true, 80, "03-01 ██░░░░░░ 1/3 ⚠ interrupted, task 2: Add a note"},
		{hydrate.Resume, true, 40, "03-01 ██░░░░░░ 1/3 ⚠ interrupted, task …"},
		{hydrate.Resume, true, 11, "03-01 1/3 ⚠"},
		{hydrate.Resume, true, 10, "⚠ 1/3"},
		{hydrate.Resume, true, 3, "⚠ …"},
		{hydrate.Finished, false, 80, "03-01 ██░░░░░░ 1/3 summary is due"},
		{hydrate.Stale, false, 80, "03-01 ██░░░░░░ 1/3 ⚠ stale: plan is gone, tasks differ"},
		{hydrate.None, false, 80, "no session on a plan"},
		{hydrate.None, false, 10, "no sessio…"},
	} {
		r := sessionOn(test.verdict, plan, "Add a note", 1, 3)
		if got := strings.TrimRight((&app{}).statusWords(r, test.interrupted, test.columns), " "); got != test.want {
			t.Errorf("%s in %d columns: %q, want %q", test.verdict, test.columns, got, test.want)
		}
	}
}

// TestStatusline: what the host hands over, and what it shows.
func TestStatusline(t *testing.T) {
	p := newPlace(t)
	me := &place{t, t.TempDir(), p.home}
	at := func(dir string) string {
		text, err := json.Marshal(map[string]any{"session_id": "s-1", "workspace": map[string]any{"current_dir": dir}, "model": map[string]any{"id": "m"}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	look := func(want, input string, env ...string) {
		t.Helper()
		if got := strings.TrimSuffix(me.hook(strings.NewReader(input), env, "statusline"), "\n"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	look("", "")
	look("", at(filepath.Join(p.dir, "..")))
	look("no session on a plan", at(p.dir))
	look("no session on a plan", `{"cwd":`+strings.TrimSuffix(strings.SplitN(at(p.dir), `"current_dir":`, 2)[1], "}"))
	look("no session on a plan", "", "CLAUDE_PROJECT_DIR="+p.dir)
	p.run("bootstrap 01-02")
	look("01-02 ░░░░░░░░ 0/3 1: Add a note", at(p.dir))
	for _, nonsense := range []string{"", "0", "-5", "wide", "99999999999", "8.5", "\x1b[31m"} {
		look("01-02 ░░░░░░░░ 0/3 1: Add a note", at(p.dir), "COLUMNS="+nonsense)
	}
	look("01-02 0/3", at(p.dir), "COLUMNS= 9 ")
	look("0/3", at(p.dir), "COLUMNS=3")

	// In progress: interrupted, unless somebody lives who may be at it.
	agent, kill := p.agent()
	p.run("run start --host claude --id s-1 --pid " + agent)
	p.run("mark 1 complete")
	p.run("mark 2 in-progress")
	look("01-02 ██░░░░░░ 1/3 2: List notes", at(p.dir))
	kill()
	look("01-02 ██░░░░░░ 1/3 ⚠ interrupted, task 2: List notes", at(p.dir))

	if err := os.WriteFile(filepath.Join(p.dir, filepath.FromSlash(summaryFile)), []byte("Done.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	look("01-02 ██░░░░░░ 1/3 ⚠ stale: plan is done", at(p.dir))
	p.write(sessionFile, "Nothing of ours.\n")
	look("⚠ the session file is none", at(p.dir))
	p.write(sessionFile, "")
	if err := os.Mkdir(filepath.Join(p.dir, filepath.FromSlash(sessionFile)), 0o777); err != nil {
		t.Fatal(err)
	}
	look("", at(p.dir)) // what cannot be read
}

// TestEndStatus: the words of the hosts for an end.
func TestEndStatus(t *testing.T) {
	t.Parallel()
	for reasons, want := range map[string]hydrate.RunStatus{
		"clear":                    hydrate.StatusCancelled,
		"error":                    hydrate.StatusFailure,
		"abort aborted timeout":    hydrate.StatusInterrupted,
		"exit other logout resume": hydrate.StatusSuccess,
		"complete completed user_exit prompt_input_exit window_close": hydrate.StatusSuccess,
	} {
		for _, reason := range append(strings.Fields(reasons), strings.ToUpper(strings.Fields(reasons)[0])) {
			if got := endStatus(reason); got != want {
				t.Errorf("%s: %s, want %s", reason, got, want)
			}
		}
	}
	if got := endStatus(""); got != hydrate.StatusSuccess {
		t.Errorf("no reason: %s", got)
	}
}

// TestHookPanics: nothing that goes wrong in us is an agent's trouble.
func TestHookPanics(t *testing.T) {
	p := newPlace(t)
	for _, line := range []string{"hydrate --host claude", "statusline", "hook end", "hydrate --inline"} {
		var out bytes.Buffer
		a := &app{stdin: unreadableInput{}, stdout: &out, stderr: &out, dir: p.dir, env: p.env(), now: func() time.Time { panic("now") }}
		if line == "hydrate --inline" {
			a.stdin = nil
		}
		if code := a.run(context.Background(), strings.Fields(line)); code != 0 || strings.Contains(out.String(), "panic") {
			t.Errorf("%s: exit code %d, %s", line, code, &out)
		}
	}
}

// unreadableInput is a standard input that cannot be read.
type unreadableInput struct{}

func (unreadableInput) Read([]byte) (int, error) { return 0, os.ErrInvalid }
