package roadmap_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// agree compares a project with what gsd status says of it, but for what only commits show.
func agree(t *testing.T, dir string) (phases int) {
	t.Helper()
	p, err := app.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.StateDir = ""
	want, err := status.Of(p, status.Options{User: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	r, err := roadmap.Read(root.FS(), want.Root)
	if err != nil {
		t.Fatal(err)
	}
	at := want.Position
	if is := r.Progress; is.Phases != at.Phases || is.PhasesDone != at.PhasesDone || is.Plans != at.AllPlans || is.PlansDone != at.AllDone {
		t.Errorf("%s: %+v, and gsd status says %+v", dir, is, at)
	}
	if percent := r.Progress.Percent; percent == nil && at.Percent >= 0 || percent != nil && *percent != at.Percent {
		t.Errorf("%s: %v %%, and gsd status says %d %%", dir, percent, at.Percent)
	}
	if len(r.Phases) != len(want.Phases) || len(r.Quick) != len(want.Quick) {
		t.Fatalf("%s: %d phases and %d quick tasks, and gsd status says %d and %d", dir, len(r.Phases), len(r.Quick), len(want.Phases), len(want.Quick))
	}
	for i, phase := range r.Phases {
		ph := &want.Phases[i]
		if phase.Number != ph.Number || phase.Title != ph.Name || phase.Milestone != ph.Version || phase.Line != ph.Line || phase.Dir != ph.Dir ||
			phase.Done != ph.Done || phase.Total != ph.Total || phase.Counts != ph.Counted || phase.Verification != ph.Verification || len(phase.Plans) != len(ph.Plans) {
			t.Errorf("%s: %+v, and gsd status says %+v", dir, phase, ph)
			continue
		}
		if (phase.Status == roadmap.Complete) != (ph.Status == overview.PhaseComplete) || (phase.Status == roadmap.Deferred) != (ph.Status == overview.PhaseDeferred) {
			t.Errorf("%s: phase %s is %s, and gsd status says %s", dir, phase.Number, phase.Status, ph.Status)
		}
		for j, plan := range phase.Plans {
			if as := ph.Plans[j]; plan.ID != as.ID || plan.Path != as.Path || plan.Title != as.Title || plan.Done() != (as.Status == overview.PlanDone) {
				t.Errorf("%s: %+v, and gsd status says %+v", dir, plan, as)
			}
		}
	}
	return len(r.Phases)
}

func TestAgrees(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../testdata/sample")); err != nil {
		t.Fatal(err)
	}
	if n := agree(t, dir); n != 2 {
		t.Errorf("%d phases", n)
	}
}

// TestReplay: the latest state of real projects is read as gsd status reads it.
func TestReplay(t *testing.T) {
	t.Parallel()
	phases := 0
	for _, bundle := range replay.Bundles(t, ".") {
		dir := t.TempDir()
		if out, err := exec.Command("git", "clone", "-q", "-b", "main", filepath.Join(replay.Dir(t), bundle+".bundle"), dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && entry.Name() == ".planning" {
				phases += agree(t, filepath.Dir(name))
				return fs.SkipDir
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if phases < testenv.Count(10, 100) {
		t.Errorf("only %d phases were compared", phases)
	}
}

// TestErrors: an unreadable roadmap is an error, and a missing one is empty.
func TestErrors(t *testing.T) {
	t.Parallel()
	const phase = "# Roadmap\n\n- [ ] **Phase 1: Clay**\n"
	var conflict *planfile.ConflictError
	for _, test := range []struct {
		name string
		text string
		is   func(err error) bool
	}{
		{"empty", "\n", func(err error) bool { return errors.Is(err, roadmap.ErrEmpty) }},
		{"UTF-16", "\xff\xfe#\x00 \x00", func(err error) bool { return errors.Is(err, roadmap.ErrEncoding) }},
		{"conflict", "<<<<<<< a\n" + phase + "=======\n>>>>>>> b\n", func(err error) bool { return errors.As(err, &conflict) }},
		{"as it should be", phase, func(err error) bool { return err == nil }},
	} {
		_, alone := roadmap.Parse([]byte(test.text))
		_, inProject := roadmap.Read(fstest.MapFS{".planning/ROADMAP.md": {Data: []byte(test.text)}}, ".planning")
		if !test.is(alone) || !test.is(inProject) {
			t.Errorf("%s: %v, and in a project %v", test.name, alone, inProject)
		}
	}
	if r, err := roadmap.Read(fstest.MapFS{}, ".planning"); err != nil || len(r.Phases) != 0 || r.Progress.Percent != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := roadmap.Read(fstest.MapFS{}, "../.planning"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("outside: %v", err)
	}
	pipe := fstest.MapFS{".planning/ROADMAP.md": {Mode: fs.ModeNamedPipe}}
	if _, err := roadmap.Read(pipe, ".planning"); err == nil {
		t.Error("a pipe is read")
	}
}

// TestRoots: a workstream is a root, and has phases of its own.
func TestRoots(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		".planning/ROADMAP.md":                                       {Data: []byte("- [ ] **Phase 1: Clay**\n")},
		".planning/quick/001-glaze/001-PLAN.md":                      {},
		".planning/workstreams/api/phases/01-x/01-01-PLAN.md":        {},
		".planning/workstreams/api/phases/01-x/01-01-SUMMARY.md":     {Data: []byte("---\nstatus: halted\n---\n")},
		".planning/workstreams/api/phases/01-x/01-02-PLAN.md":        {Data: []byte("---\nstatus: superseded\n---\n")},
		".planning/workstreams/api/phases/01-x/01-VERIFICATION.md":   {Data: []byte("---\nstatus: gaps_found\n---\n")},
		".planning/workstreams/api/phases/01-x/deeper/01-03-PLAN.md": {},
		".planning/workstreams/api/phases/01-x/01-CONTEXT.md":        {},
		path.Join(".planning", "sessions", "ada", "current-plan.md"): {},
	}
	roots := roadmap.Roots(files)
	if len(roots) != 2 || roots[1] != ".planning/workstreams/api" {
		t.Fatalf("%q", roots)
	}
	first, err := roadmap.Read(files, roots[0])
	if err != nil || len(first.Phases) != 1 || len(first.Quick) != 1 || first.Quick[0].ID != "quick/001" || first.Phases[0].Line != 1 {
		t.Errorf("%+v, %v", first, err)
	}
	second, err := roadmap.Read(files, roots[1])
	if err != nil || len(second.Phases) != 1 || len(second.Phases[0].Plans) != 1 {
		t.Fatalf("%+v, %v", second, err)
	}
	phase := second.Phases[0]
	if !phase.Plans[0].Done() || !phase.Plans[0].Halted || phase.Verification != "gaps_found" || phase.Status == roadmap.Complete || *second.Progress.Percent != 99 {
		t.Errorf("%+v, %d %%", phase, *second.Progress.Percent)
	}
}
