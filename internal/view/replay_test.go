package view

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// TestReplayBriefs: no brief of a real task is so long that its end is cut. Every task of every version of a real plan is the
// one to resume once.
func TestReplayBriefs(t *testing.T) {
	t.Parallel()
	labels, err := os.ReadFile(filepath.Join(replay.Dir(t), "tasks.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]*replay.Objects{}
	var sizes []int
	cut := 0
	for line := range strings.Lines(string(labels)) {
		field := strings.Split(line, "\t") // bundle, blob, path, dialect, tasks
		if len(field) != 5 || strings.HasPrefix(line, "#") {
			continue
		}
		if open[field[0]] == nil {
			open[field[0]] = replay.Open(t, field[0])
		}
		src, _ := open[field[0]].Get(field[1])
		f := planfile.Parse(src)
		for _, task := range f.Tasks {
			r := &hydrate.Report{
				Verdict: hydrate.Resume, User: "replay", Path: ".planning/sessions/replay/current-plan.md", On: field[2], Total: len(f.Tasks),
				Resume: &hydrate.ResumePoint{Number: task.Number, Name: f.Title(task.Number), Type: task.Type, Line: task.Line, State: verdict.Interrupted},
				Facts:  verdict.Facts{Session: f},
			}
			r.AddText()
			if r.Resume.Cut {
				cut++
			}
			const shortened = "(Shortened.)"
			text := string(agent.Render(agent.Claude, "SessionStart", Brief(r, time.Now()), shortened, Notice(r)))
			if len(text) > agent.MaxText || strings.Contains(text, shortened) {
				t.Errorf("%s %s, task %d: the brief has %d bytes and is cut", field[0], field[2], task.Number, len(text))
			}
			sizes = append(sizes, len(text))
		}
	}
	slices.Sort(sizes)
	t.Logf("%d tasks, %d cut; bytes of a brief: median %d, largest %d", len(sizes), cut, sizes[len(sizes)/2], sizes[len(sizes)-1])
}
