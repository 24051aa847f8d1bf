package status

import (
	"strings"
	"testing"
	"time"
)

// What state.json says otherwise about a phase is a surprise only if it was published after the last change.
func TestPublishedOtherwise(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 6, 12, 0, 0, 0, time.UTC)
	phases := []Phase{
		{Number: "1", Status: PhaseComplete, Counted: true},
		{Number: "2", Status: PhaseDone, Counted: true},
		{Number: "3", Status: PhaseInProgress, Counted: true},
		{Number: "4", Status: PhaseComplete},
	}
	of := func(number, status string) string {
		return `{"contract": "1.0.0", "updated_at": "2026-03-06T12:00:00Z", "phases": [{"number": "` + number + `", "status": "` + status + `"}]}`
	}
	for name, test := range map[string]struct {
		src     string
		changed time.Time
		want    string
	}{
		"open there, complete here":        {of("1", "in_progress"), at.Add(-time.Hour), "1"},
		"as written elsewhere":             {of("01", "pending"), at.Add(-time.Hour), "1"},
		"the same":                         {of("1", "complete"), at.Add(-time.Hour), ""},
		"complete there, open here":        {of("3", "complete"), at.Add(-time.Hour), "3"},
		"open in both":                     {of("3", "pending"), at.Add(-time.Hour), ""},
		"done, and not verified":           {of("2", "complete"), at.Add(-time.Hour), ""},
		"done, and not verified, the same": {of("2", "in_progress"), at.Add(-time.Hour), ""},
		"changed since":                    {of("1", "in_progress"), at.Add(time.Second), ""},
		"a phase that counts nowhere":      {of("4", "pending"), at.Add(-time.Hour), ""},
		"no such phase":                    {of("9", "complete"), at.Add(-time.Hour), ""},
		"another contract":                 {strings.Replace(of("1", "pending"), "1.0.0", "2.0.0", 1), at.Add(-time.Hour), ""},
		"no contract":                      {strings.Replace(of("1", "pending"), "contract", "version", 1), at.Add(-time.Hour), ""},
		"no time":                          {strings.Replace(of("1", "pending"), "updated_at", "updated", 1), at.Add(-time.Hour), ""},
		"half-written":                     {of("1", "pending")[:60], at.Add(-time.Hour), ""},
		"of another type":                  {`[1]`, at.Add(-time.Hour), ""},
	} {
		its := readPublished([]byte(test.src))
		got := ""
		for _, ph := range its.otherwise(phases, func(*Phase) time.Time { return test.changed }) {
			got += ph.Number
		}
		if got != test.want {
			t.Errorf("%s: phase %q, want %q", name, got, test.want)
		}
	}
}

func FuzzPublished(f *testing.F) {
	f.Add([]byte(`{"contract": "1.0.0", "flavor": "core", "milestone": null, "phases": [{"number": "1", "name": null, "status": "pending"}], "next": null, "updated_at": "2026-03-06T12:00:00.000Z"}`))
	f.Add([]byte(`{"contract": "1.", "phases": [null, {"number": ""}], "updated_at": "9999-12-31T23:59:59Z"}`))
	f.Fuzz(func(_ *testing.T, src []byte) {
		its := readPublished(src)
		its.otherwise([]Phase{{Number: "1", Status: PhaseComplete, Counted: true}, {Status: PhasePlanned, Counted: true}}, func(*Phase) time.Time { return time.Time{} })
	})
}
