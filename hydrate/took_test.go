package hydrate

import (
	"os"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// TestTook: how long the work on a plan took, from what its session and its runs say.
func TestTook(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	const never = 1000
	for _, test := range []struct {
		name    string
		started int          // of the session, in minutes after noon; never for unknown
		times   [2]run.Times // of its tasks
		want    int
	}{
		{"no run marked anything", 10, [2]run.Times{}, 50},
		{"nothing is known", never, [2]run.Times{}, 0},
		{"each task has its end", 10, [2]run.Times{{Began: at(12), Ended: at(20)}, {Ended: at(30)}}, 20},
		{"one has none", 10, [2]run.Times{{Began: at(12), Ended: at(20)}, {Began: at(20)}}, 50},
		{"restored later", 40, [2]run.Times{{Began: at(5), Ended: at(20)}, {Ended: at(30)}}, 25},
		{"restored after everything", 40, [2]run.Times{{Ended: at(20)}, {Ended: at(30)}}, 10},
		{"only its runs are known", never, [2]run.Times{{Began: at(5)}, {}}, 55},
		{"by a clock that was set back", 10, [2]run.Times{{Ended: at(4)}, {Ended: at(3)}}, 1},
	} {
		header := planfile.Header{User: "ada", Plan: "p"}
		if test.started != never {
			header.Started = at(test.started).Format(time.RFC3339)
		}
		s, err := planfile.Parse([]byte("<task>\n</task>\n<task>\n</task>\n")).Session(header, func(planfile.Task) planfile.Status { return planfile.Complete })
		if err != nil {
			t.Fatal(err)
		}
		r := &Report{}
		r.Session, r.Plan.Path, r.RunFiles = s, "p", filesWith(t, test.times[:])
		if got := took(&Project{}, r, at(60)); got != time.Duration(test.want)*time.Minute {
			t.Errorf("%s: %v, want %d minutes", test.name, got, test.want)
		}
	}
}

// filesWith are the files of a session whose journal has the times of tasks on the plan "p".
func filesWith(t *testing.T, tasks []run.Times) *run.Files {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	f := run.Open(run.Dir{Root: root, Path: "session"})
	for i, times := range tasks {
		for _, line := range times.Lines(run.Work{Plan: "p", Task: i + 1}, "r1") {
			if err := f.Works(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	return f
}
