package roadmap

// replay_test.go holds the verdict's rules against real histories (../shared/replay/README.md): at
// `before` a session on the plan was live, so it must be neither advanced nor summarised; at `after`
// its summary was there.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
)

type event struct {
	Kind, Before, After, Plan, Summary string
}

const replayDir = "../../shared/replay"

// replayBundles lists the histories; where they or git are missing, it skips the test.
func replayBundles(t *testing.T) []string {
	t.Helper()
	bundles, _ := filepath.Glob(filepath.Join(replayDir, "r*.bundle"))
	if len(bundles) == 0 {
		t.Skip("no replay data in " + replayDir)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	if testing.Short() {
		t.Skip("reads sixteen histories")
	}
	return bundles
}

func TestReplay(t *testing.T) {
	var events, live int
	for _, bundle := range replayBundles(t) {
		name := strings.TrimSuffix(filepath.Base(bundle), ".bundle")
		g := openBundle(t, bundle)
		for _, ev := range readEvents(t, filepath.Join(replayDir, name+".jsonl")) {
			events++
			r, own := roadmapAt(t, g, ev)
			if a := Advanced(r, own); !a.Advanced {
				live++
			} else {
				t.Logf("%s %s advanced at %s: own %+v, in progress %+v", name, ev.Plan, ev.Before, a.Own, a.InProgress)
			}
			dir := path.Dir(ev.Plan)
			if s, found := planref.SummaryOf(ev.Plan, g.names(ev.After+":"+dir)); !found || path.Join(dir, s) != ev.Summary {
				t.Errorf("%s %s at %s: summary %q, want %s", name, ev.Plan, ev.After, s, ev.Summary)
			}
			if s, found := planref.SummaryOf(ev.Plan, g.names(ev.Before+":"+dir)); found {
				t.Errorf("%s %s at %s: summary %q before it was written", name, ev.Plan, ev.Before, s)
			}
		}
	}
	t.Logf("%d of %d live sessions not advanced", live, events)
	if events == 0 || live*1000 < events*995 {
		t.Errorf("%d of %d live sessions not advanced, want 99.5 %%", live, events)
	}
}

// roadmapAt is the roadmap of the event's plan before it was closed, and the plan's phase.
func roadmapAt(t *testing.T, g *gitObjects, ev event) (*Roadmap, planref.Number) {
	t.Helper()
	own, ok := planref.PhaseOfPlan(ev.Plan)
	if !ok {
		t.Errorf("%s: no phase", ev.Plan)
	}
	for dir := path.Dir(ev.Plan); dir != "."; dir = path.Dir(dir) {
		if src, ok := g.get(ev.Before + ":" + dir + "/" + FileName); ok {
			return Parse(src, ""), own
		}
	}
	return &Roadmap{}, own
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

// gitObjects asks one `git cat-file --batch` for everything, because a process an object is slow.
type gitObjects struct {
	t    *testing.T
	repo string
	in   io.Writer
	out  *bufio.Reader
}

func openBundle(t *testing.T, bundle string) *gitObjects {
	t.Helper()
	repo := t.TempDir()
	if out, err := exec.Command("git", "clone", "--quiet", "--bare", bundle, repo).CombinedOutput(); err != nil {
		t.Fatalf("git clone %s: %v\n%s", bundle, err, out)
	}
	cmd := exec.Command("git", "-C", repo, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &gitObjects{t, repo, in, bufio.NewReader(out)}
}

// get is the content of REV:PATH; false where it does not exist.
func (g *gitObjects) get(name string) ([]byte, bool) {
	g.t.Helper()
	fmt.Fprintln(g.in, name)
	head, err := g.out.ReadString('\n')
	if err != nil {
		g.t.Fatal(err)
	}
	if strings.HasSuffix(head, " missing\n") {
		return nil, false
	}
	var id, kind string
	var size int
	if _, err := fmt.Sscan(head, &id, &kind, &size); err != nil {
		g.t.Fatalf("%s: %q: %v", name, head, err)
	}
	body := make([]byte, size+1)
	if _, err := io.ReadFull(g.out, body); err != nil {
		g.t.Fatal(err)
	}
	return body[:size], true
}

// names lists the entries of the tree REV:DIR: "MODE NAME\x00", then 20 bytes of id, again and again.
func (g *gitObjects) names(tree string) []string {
	body, _ := g.get(tree)
	var names []string
	for len(body) > 0 {
		end := bytes.IndexByte(body, 0)
		_, name, _ := bytes.Cut(body[:end], []byte(" "))
		names = append(names, string(name))
		body = body[end+21:]
	}
	return names
}
