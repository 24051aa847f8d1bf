package page

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/testenv"
)

func at(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestTimelineTicks(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"2026-03-12 10:00", "2026-03-12 10:00", "09:58/12 Mar 2026 09:59 10:00 10:01 10:02"},
		{"2026-03-12 23:40", "2026-03-13 00:20", "23:45/12 Mar 2026 00:00/13 Mar 2026 00:15"},
		{"2026-03-12 09:00", "2026-03-12 17:00", "09:00/12 Mar 2026 12:00 15:00"},
		{"2026-03-11 09:00", "2026-03-14 17:00", "12:00/11 Mar 2026 00:00/12 Mar 2026 12:00 00:00/13 Mar 2026 12:00 00:00/14 Mar 2026 12:00"},
		{"2026-02-26 00:00", "2026-03-02 00:00", "26 Feb/2026 27 Feb 28 Feb 1 Mar 2 Mar"},
		{"2025-12-20 00:00", "2026-01-20 00:00", "22 Dec/2025 29 Dec 5 Jan/2026 12 Jan 19 Jan"},
		{"2025-11-05 00:00", "2026-04-05 00:00", "Dec/2025 Jan/2026 Feb Mar Apr"},
		{"2023-02-14 00:00", "2026-03-20 00:00", "Jul/2023 Jan/2024 Jul Jan/2025 Jul Jan/2026"},
		{"2010-01-01 00:00", "2026-01-01 00:00", "2010 2015 2020 2025"},
		{"1366-03-20 00:00", "2686-03-20 00:00", "1400 1600 1800 2000 2200 2400 2600"},
		{"0002-01-01 00:00", "9998-01-01 00:00", "0000 2000 4000 6000 8000 10000"},
	} {
		var got []string
		for _, v := range newAxis(at(test.from), at(test.to)).ticks() {
			got = append(got, strings.TrimSuffix(v.Label+"/"+v.Over, "/"))
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s to %s:\n got %s\nwant %s", test.from, test.to, got, test.want)
		}
	}
}

// TestTimelineAxis: whatever the commits' times, there are at least one and at most seven ticks, in order
// and in the picture, and the spans stand in it in their order.
func TestTimelineAxis(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		first := rapid.Int64Range(-62135596800, 253402300799).Draw(t, "first")
		length := rapid.OneOf(rapid.Int64Range(0, 600), rapid.Int64Range(0, 1e6),
			rapid.Int64Range(0, 1e8), rapid.Int64Range(0, 1e11)).Draw(t, "length")
		from, to := time.Unix(first, 0), time.Unix(min(first+length, 253402300799), 0)
		a := newAxis(from, to)
		last := -1.0
		ticks := a.ticks()
		for _, v := range ticks {
			x, err := strconv.ParseFloat(v.X, 64)
			if err != nil || x < last || x > 100 {
				t.Fatalf("tick at %s after %v", v.X, last)
			}
			last = x
		}
		if len(ticks) < 1 || len(ticks) > mostTicks {
			t.Fatalf("%d ticks", len(ticks))
		}
		x1, _ := strconv.ParseFloat(a.place(from), 64)
		x2, _ := strconv.ParseFloat(a.place(to), 64)
		if x1 <= 0 || x2 >= 100 || x1 > x2 {
			t.Fatalf("a span from %v to %v", x1, x2)
		}
	})
}

func TestTimelineRows(t *testing.T) {
	monday, friday := at("2026-03-02 09:00"), at("2026-03-06 18:00")
	s := &status.Status{
		Phases: []overview.Phase{
			{Number: "1", Name: "First", Archived: true, Plans: []overview.StatusPlan{{Path: "old/01-01-PLAN.md"}}},
			{Number: "2", Name: "Second", Plans: []overview.StatusPlan{{Path: "02-01-PLAN.md"}}},
			{Number: "1", Name: "First of the new ones", Plans: []overview.StatusPlan{{Path: "01-01-PLAN.md"}}},
		},
		Timeline: []status.Span{
			{ID: "q", Path: "quick/PLAN.md", First: monday, Last: monday, Commits: 1, Done: true},
			{ID: "01-01", Path: "01-01-PLAN.md", Phase: "1", First: friday, Last: monday, Commits: 2},
			{ID: "02-10", Path: "gone/02-10-PLAN.md", Phase: "02", First: monday.Add(-time.Hour), Commits: 1}, // begun first
			{ID: "02-2", Path: "gone/02-2-PLAN.md", Phase: "02", First: friday, Commits: 3},
			{ID: "02-01", Path: "02-01-PLAN.md", Phase: "2", First: monday, Last: monday, Finished: friday, Commits: 1, Done: true},
			{ID: "9", Path: "gone/9", Phase: "9", Commits: 4},
			{Path: "old/01-01-PLAN.md", Phase: "1", First: time.Unix(1<<40, 0), Last: monday, Commits: 1},
		},
	}
	v := newTimeline(s)
	var got []string
	for _, g := range v.Groups {
		got = append(got, "# "+g.Number+" "+g.Name)
		for _, r := range g.Rows {
			text := spanTitle(r.Span) + " | " + period(r.Span)
			if r.Till != "" {
				text += " | till"
			}
			if r.X1 != "" && r.X1 == r.X2 {
				text += " | dot"
			}
			got = append(got, text)
		}
	}
	want := []string{
		"# 1 First",
		"01-01-PLAN.md: 1 commit on 2026-03-02 09:00 UTC, not finished | 2 Mar 2026, 09:00 | dot",
		"# 2 Second",
		"02-01: 1 commit on 2026-03-02 09:00 UTC, finished 2026-03-06 18:00 UTC | 2 Mar 2026, 09:00 | till | dot",
		"02-2: 3 commits on 2026-03-06 18:00 UTC, not finished | 6 Mar 2026, 18:00 | dot",
		"02-10: 1 commit on 2026-03-02 08:00 UTC, not finished | 2 Mar 2026, 08:00 | dot",
		"# 1 First of the new ones",
		"01-01: 2 commits from 2026-03-02 09:00 UTC to 2026-03-06 18:00 UTC, not finished | 2 Mar – 6 Mar 2026",
		"#  ",
		"q: 1 commit on 2026-03-02 09:00 UTC, finished | 2 Mar 2026, 09:00 | dot",
		"# 9 ",
		"9: 4 commits without a date, not finished | no date",
	}
	if got, want := strings.Join(got, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if v.From != "2 Mar 2026" || v.To != "6 Mar 2026" {
		t.Errorf("from %s to %s", v.From, v.To)
	}
}

func TestTimelineOfNoDates(t *testing.T) {
	got := section(t, "timeline", &status.Status{Timeline: []status.Span{{ID: "01-01", Commits: 2}}})
	want := "Timeline 1 plan by their commits finished not finished Without a phase" +
		" 01-01 01-01: 2 commits without a date, not finished no date 2 commits"
	if got != want {
		t.Error(got)
	}
}
