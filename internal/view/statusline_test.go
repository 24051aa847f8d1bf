package view

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/text"
)

// lineOf is what a status line needs of a report.
func lineOf(is answer.Verdict, plan, name string, done, total int, interrupted bool) *answer.Report {
	r := &answer.Report{Verdict: is, On: plan, Done: done, Total: total, Summary: "x-SUMMARY.md"}
	switch is {
	case answer.Resume:
		r.Resume = &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: min(done+1, total), Name: name}, State: answer.Unattended}}
		if interrupted {
			r.Resume.State = answer.Interrupted
		}
	case answer.Stale:
		r.Stale = []answer.Staleness{{Reason: answer.PlanMissing}, {Reason: answer.TaskCount}}
	}
	return r
}

// TestStatusLineFits: whatever the names are, the line is one, no wider than it may be, and safe; and what matters most
// is what stays.
func TestStatusLineFits(t *testing.T) {
	letters := rapid.SampledFrom(append([]string{"a", "Z", "4", "-", " ", "粘", "カ", "🔥", "👩‍🚀", "é", "e\u0301", "\u0301"}, "\x1b[31m", "\u202e", "\n", "<x>", "`"))
	names := rapid.Map(rapid.SliceOfN(letters, 0, 60), func(words []string) string { return strings.Join(words, "") })
	rapid.Check(testenv.Laws(t), func(rt *rapid.T) {
		total := rapid.SampledFrom([]int{1, 3, 8, 250}).Draw(rt, "total")
		done := rapid.IntRange(0, total).Draw(rt, "done")
		verdict := rapid.SampledFrom([]answer.Verdict{answer.None, answer.Corrupt, answer.Stale, answer.Finished, answer.Resume}).Draw(rt, "verdict")
		interrupted := rapid.Bool().Draw(rt, "interrupted")
		r := lineOf(verdict, names.Draw(rt, "plan")+"/PLAN.md", names.Draw(rt, "name"), done, total, interrupted)
		for columns := 1; columns <= 120; columns++ {
			line := StatusLine(r, columns).String()
			switch ratio := fmt.Sprintf("%d/%d", done, total); {
			case layout.Columns(line) > columns || strings.Contains(line, "\n") || !utf8.ValidString(line) || strings.ContainsFunc(line, text.Hidden):
				rt.Fatalf("%d columns: %+q: %d", columns, line, layout.Columns(line))
			case strings.TrimSpace(line) == "":
				rt.Fatalf("%d columns: nothing", columns)
			case verdict == answer.None || verdict == answer.Corrupt || columns < 12:
			case !strings.Contains(line, ratio):
				rt.Fatalf("%d columns: no %s in %q", columns, ratio, line)
			case strings.Contains(line, "⚠") != (verdict == answer.Stale || verdict == answer.Resume && interrupted):
				rt.Fatalf("%d columns, %s: %q", columns, verdict, line)
			}
		}
	})
}

// TestStatusLineWords: the line at some widths.
func TestStatusLineWords(t *testing.T) {
	t.Parallel()
	const plan = ".planning/phases/03-x/03-01-PLAN.md"
	for _, test := range []struct {
		verdict     answer.Verdict
		interrupted bool
		columns     int
		want        string
	}{
		{answer.Resume, false, 80, "03-01 ██░░░░░░ 1/3 2: Add a note"},
		{answer.Resume, true, 80, "03-01 ██░░░░░░ 1/3 ⚠ interrupted, task 2: Add a note"},
		{answer.Resume, true, 40, "03-01 ██░░░░░░ 1/3 ⚠ interrupted, task …"},
		{answer.Resume, true, 11, "03-01 1/3 ⚠"},
		{answer.Resume, true, 10, "⚠ 1/3"},
		{answer.Resume, true, 3, "⚠ …"},
		{answer.Finished, false, 80, "03-01 ██░░░░░░ 1/3 summary is due"},
		{answer.Stale, false, 80, "03-01 ██░░░░░░ 1/3 ⚠ stale: plan is gone, tasks differ"},
		{answer.None, false, 80, "no session on a plan"},
		{answer.None, false, 10, "no sessio…"},
	} {
		r := lineOf(test.verdict, plan, "Add a note", 1, 3, test.interrupted)
		if got := strings.TrimRight(StatusLine(r, test.columns).String(), " "); got != test.want {
			t.Errorf("%s in %d columns: %q, want %q", test.verdict, test.columns, got, test.want)
		}
	}
}

func TestStatusLineCheckpoint(t *testing.T) {
	t.Parallel()
	r := lineOf(answer.Resume, "03-01-PLAN.md", "Look at it", 1, 3, false)
	r.Resume.Type = "checkpoint:human-verify"
	if got, want := StatusLine(r, 80).String(), "03-01 ██░░░░░░ 1/3 ⏸ waits for you, task 2: Look at it"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
