package view

import (
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
)

// TestSkipped: what is counted says how many tasks were skipped, and a bar is full when nothing is left to do.
func TestSkipped(t *testing.T) {
	for _, test := range []struct {
		done, skipped, total int
		want                 string
	}{
		{0, 0, 1, "0 of 1 task complete"}, {2, 0, 3, "2 of 3 tasks complete"}, {2, 1, 3, "2 of 3 tasks complete, 1 skipped"}, {0, 3, 3, "0 of 3 tasks complete, 3 skipped"},
	} {
		if got := tasksDone(test.done, test.skipped, test.total); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	session := answer.Session{User: "ada", Plan: "p", Verdict: answer.Finished, Done: 1, Skipped: 2, Total: 3}
	if got := sessionSays(session); got != "summary is due, 2 skipped" {
		t.Error(got)
	}
	r := lineOf(answer.Finished, "03-01-PLAN.md", "", 1, 3, false)
	r.Skipped = 2
	if line := StatusLine(r, 80).String(); !strings.Contains(line, "████████ 1/3") {
		t.Error(line)
	}
}
