package view

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/planfile"
)

// TestReplayBriefs: no brief of a real task is so long that its end is cut. Every task of every version of a real plan is the
// one to resume once, and so are those of the labelled plans of the other projects.
func TestReplayBriefs(t *testing.T) {
	t.Parallel()
	var all briefs
	for _, p := range replay.Plans(t) {
		all.add(t, p.Bundle, p.Path, p.Source)
	}
	t.Log("every version of the plans in tasks.tsv: " + all.String())
	all = briefs{}
	for _, name := range replay.Bundles(t, ".", "more") {
		all.addLabelled(t, name)
	}
	t.Log("the labelled plans of all projects: " + all.String())
}

// briefs are what agents read about tasks.
type briefs struct {
	sizes []int // in bytes
	cut   int   // how many have a task that is cut
	whole int   // how many have all of the plan: its objective, the files that it names, and its other tasks
}

// addLabelled adds those of the plans of a project that a label names, as they were just before their summaries.
func (b *briefs) addLabelled(t *testing.T, bundle string) {
	t.Helper()
	labels, err := os.ReadFile(filepath.Join(replay.Dir(t), bundle+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	o, seen := replay.Open(t, bundle), map[string]bool{}
	for line := range strings.Lines(string(labels)) {
		var label struct{ Kind, After, Plan string }
		if err := json.Unmarshal([]byte(line), &label); err != nil {
			t.Fatal(err)
		}
		src, ok := o.Get(label.After + "^:" + label.Plan)
		if ok && !seen[string(src)] && planfile.Check(src) == nil {
			seen[string(src)] = true
			b.add(t, bundle, label.Plan, src)
		}
	}
}

// add adds those of all tasks of a plan.
func (b *briefs) add(t *testing.T, bundle, plan string, src []byte) {
	t.Helper()
	f := planfile.Parse(src)
	preface := f.Preface()
	for _, task := range f.Tasks {
		r := &answer.Report{
			Verdict: answer.Resume, User: "replay", Path: ".planning/sessions/replay/current-plan.md", On: plan, Total: len(f.Tasks), Naming: "feat(03-01):",
			Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: task.Number, Name: f.Title(task.Number)}, Type: task.Type, Line: task.Line, State: answer.Interrupted}},
			Facts:  answer.Facts{Session: f},
		}
		r.AddText()
		if r.Resume.Cut {
			b.cut++
		}
		const shortened = "(Shortened.)"
		text := string(agent.Render(agent.Claude, "SessionStart", (&Briefer{At: time.Now()}).Report(r, ""), shortened, Notice(r)))
		if len(text) > agent.MaxText || strings.Contains(text, shortened) {
			t.Errorf("%s %s, task %d: the brief has %d bytes and is cut", bundle, plan, task.Number, len(text))
		}
		b.sizes = append(b.sizes, len(text))
		hasObjective := preface.Part("objective") == "" || strings.Contains(text, "The objective:") && !strings.Contains(text, "more of the objective)")
		hasFiles := preface.References() == nil || strings.Contains(text, "- Files that it names as context: ") && !strings.Contains(text, " more.")
		if hasObjective && hasFiles && !strings.Contains(text, "lists them all.") {
			b.whole++
		}
	}
}

func (b *briefs) String() string {
	slices.Sort(b.sizes)
	return fmt.Sprintf("%d tasks, %d cut, %d with all of their plan; bytes of a brief: median %d, largest %d",
		len(b.sizes), b.cut, b.whole, b.sizes[len(b.sizes)/2], b.sizes[len(b.sizes)-1])
}
