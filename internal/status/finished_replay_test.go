package status_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/testenv"
)

// TestFinishedReplay: a plan was finished when its summary was added, as git says it, by the commit and not by a merge.
func TestFinishedReplay(t *testing.T) {
	plans, moved := 0, 0
	for _, name := range replay.Files(t, "full", "more") {
		dir := t.TempDir()
		git := func(args ...string) string {
			out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
			if err != nil {
				t.Fatalf("%s: git %q: %v", name, args, err)
			}
			return strings.TrimSpace(string(out))
		}
		git("clone", "-q", "--no-checkout", name, ".")
		git("checkout", "-q", "--force", "--detach", git("for-each-ref", "--sort=-committerdate", "--count=1", "--format=%(objectname)"))
		name = filepath.Base(name)
		p, err := app.Open(dir)
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		st, err := status.Of(p, status.Options{User: "larch", Timeline: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, span := range st.Timeline {
			if span.Finished.IsZero() {
				continue
			}
			plans++
			summary := p.Planning.SummaryOf(span.Path)
			added := strings.Fields(git("log", "--no-merges", "--follow", "--diff-filter=A", "--format=%ct", "--", summary))
			if !slices.Contains(added, strconv.FormatInt(span.Finished.Unix(), 10)) {
				moved++
				t.Logf("%s: %s was finished at %v; git says %q", name, summary, span.Finished, added)
			}
		}
		p.Close()
	}
	if moved > 0 || plans < testenv.Count(20, 100) {
		t.Errorf("of %d finished plans %d have another time", plans, moved)
	}
}
