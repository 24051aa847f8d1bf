package app

import (
	"os"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// TestTook: how long the work on a plan took, from what its session and its runs say.
func TestTook(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	const unknown = -1
	done := planfile.Complete
	for _, test := range []struct {
		name     string
		times    [2]progress.Task // of its tasks
		statuses [2]planfile.Status
		want     int // minutes
	}{
		{"no run marked anything", [2]progress.Task{}, [2]planfile.Status{done, done}, unknown},
		{"each task has its times", [2]progress.Task{{Began: at(12), Ended: at(20)}, {Began: at(21), Ended: at(30)}}, [2]planfile.Status{done, done}, 18},
		{"in another order", [2]progress.Task{{Began: at(21), Ended: at(30)}, {Began: at(12), Ended: at(20)}}, [2]planfile.Status{done, done}, 18},
		{"the second was only ended", [2]progress.Task{{Began: at(12), Ended: at(20)}, {Ended: at(30)}}, [2]planfile.Status{done, done}, 18},
		{"the first was only ended", [2]progress.Task{{Ended: at(20)}, {Began: at(20).Add(time.Second), Ended: at(30)}}, [2]planfile.Status{done, done}, unknown},
		{"both were only ended", [2]progress.Task{{Ended: at(20)}, {Ended: at(30)}}, [2]planfile.Status{done, done}, unknown},
		{"one was carried over", [2]progress.Task{{}, {Began: at(12), Ended: at(20)}}, [2]planfile.Status{done, done}, unknown},
		{"one was skipped", [2]progress.Task{{}, {Began: at(12), Ended: at(20)}}, [2]planfile.Status{planfile.Skipped, done}, 8},
		{"by a clock that was set back", [2]progress.Task{{Began: at(12), Ended: at(4)}, {Ended: at(3)}}, [2]planfile.Status{done, done}, unknown},
	} {
		header := planfile.Header{User: "ada", Plan: "p", Started: noon.Format(time.RFC3339)}
		s, err := planfile.Parse([]byte("<task>\n</task>\n<task>\n</task>\n")).Session(header, func(t planfile.Task) planfile.Status { return test.statuses[t.Number-1] })
		if err != nil {
			t.Fatal(err)
		}
		r := &answer.Report{}
		r.Session, r.Plan.Path, r.RunFile = s, "p", fileWith(t, test.times[:])
		got := unknown
		if d, known := took(&Project{}, r); known {
			got = int(d.Minutes())
		}
		if got != test.want {
			t.Errorf("%s: %d minutes, want %d", test.name, got, test.want)
		}
	}
}

// fileWith is the file with the records of runs that has the times of tasks on the plan "p".
func fileWith(t *testing.T, tasks []progress.Task) *run.File {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	f := run.Open(run.Dir{Root: root, Path: "session"})
	f.Change(func(records *run.Records) {
		for i, task := range tasks {
			records.Mark(run.Work{Plan: "p", Task: i + 1}, task)
		}
	})
	return f
}
