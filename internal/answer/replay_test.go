package answer

// replay_test.go checks when the roadmap has advanced on real histories: at `before` a session on the plan was live, so its
// phase must not be advanced and the plan must have no summary; at `after` its summary existed.

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

type event struct {
	Kind, Before, After, Plan, Summary string
}

func TestReplay(t *testing.T) {
	var events, live int
	for _, name := range replay.Bundles(t, ".") {
		g := replay.Open(t, name)
		for _, ev := range readEvents(t, filepath.Join(replay.Dir(t), name+".jsonl")) {
			events++
			r, own := roadmapAt(t, g, ev)
			if Advanced(r, own, RecordedPhase(r, own)).Advanced {
				t.Errorf("%s %s: advanced as soon as the session is started at %s", name, ev.Plan, ev.Before)
			}
			if a := Advanced(r, own, ""); !a.Advanced {
				live++
			} else {
				t.Logf("%s %s advanced at %s: own %+v, in progress %+v", name, ev.Plan, ev.Before, a.Own, a.InProgress)
			}
			dir := path.Dir(ev.Plan)
			if s, found := planref.SummaryOf(ev.Plan, names(g, ev.After+":"+dir)); !found || path.Join(dir, s) != ev.Summary {
				t.Errorf("%s %s at %s: summary %q, want %s", name, ev.Plan, ev.After, s, ev.Summary)
			}
			if s, found := planref.SummaryOf(ev.Plan, names(g, ev.Before+":"+dir)); found {
				t.Errorf("%s %s at %s: summary %q before it was written", name, ev.Plan, ev.Before, s)
			}
		}
	}
	t.Logf("%d of %d live sessions not advanced", live, events)
	if events == 0 || live*1000 < events*995 {
		t.Errorf("%d of %d live sessions not advanced, want 99.5 %%", live, events)
	}
}

// roadmapAt returns the roadmap of the event's plan before the plan was closed, and the plan's phase.
func roadmapAt(t *testing.T, g *replay.Objects, ev event) (*roadmap.Roadmap, planref.Number) {
	t.Helper()
	own, ok := planref.PhaseOfPlan(ev.Plan)
	if !ok {
		t.Errorf("%s: no phase", ev.Plan)
	}
	for dir := path.Dir(ev.Plan); dir != "."; dir = path.Dir(dir) {
		if src, ok := g.Get(ev.Before + ":" + dir + "/" + roadmap.FileName); ok {
			return roadmap.Parse(src, ""), own
		}
	}
	return &roadmap.Roadmap{}, own
}

func readEvents(t *testing.T, name string) []event {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var events []event
	for line := range bytes.Lines(src) {
		var ev event
		if err := json.Unmarshal(line, &ev); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if ev.Kind == "event" {
			events = append(events, ev)
		}
	}
	return events
}

// names returns the names in the tree REV:DIR, whose entries are "MODE NAME\x00" and 20 bytes of id.
func names(g *replay.Objects, tree string) []string {
	body, _ := g.Get(tree)
	var names []string
	for len(body) > 0 {
		end := bytes.IndexByte(body, 0)
		_, name, _ := bytes.Cut(body[:end], []byte(" "))
		names = append(names, string(name))
		body = body[end+21:]
	}
	return names
}
