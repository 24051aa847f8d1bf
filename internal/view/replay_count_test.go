package view

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/statefile"
	"github.com/gsd-cli/gsd/internal/status"
)

// TestReplayCount takes every tenth commit of real histories, and holds what gsd says there against itself: the sum of the rows of
// gsd status against its headline, gsd next, gsd state and the page. The kinds of contradictions are those of snapshot.
func TestReplayCount(t *testing.T) {
	t.Parallel()
	snapshots := 0
	for _, name := range replay.Bundles(t, ".", "more") {
		dir := filepath.Join(t.TempDir(), "clone")
		git(t, ".", "clone", "-q", "--no-checkout", filepath.Join(replay.Dir(t), name+".bundle"), dir)
		git(t, dir, "sparse-checkout", "set", "--no-cone", "/.planning/")
		commits := strings.Fields(git(t, dir, "rev-list", "--first-parent", "--all"))
		kinds, wrong, count := map[string]int{}, 0, 0
		for i := 0; i < len(commits); i += 10 {
			git(t, dir, "checkout", "-q", "-f", commits[i])
			if _, err := os.Stat(filepath.Join(dir, ".planning")); err != nil {
				continue
			}
			count++
			s := snapshot{told: map[string][]string{}}
			s.read(t, dir)
			for _, kind := range slices.Sorted(maps.Keys(s.told)) {
				kinds[kind]++
				t.Errorf("%s %s: %s: %s", name, commits[i][:10], kind, strings.Join(s.told[kind], "; "))
			}
			wrong += min(len(s.told), 1)
		}
		os.RemoveAll(dir)
		t.Logf("%-8s %3d of %3d snapshots contradict themselves %v", name, wrong, count, kinds)
		snapshots += count
	}
	if snapshots == 0 {
		t.Error("nothing was read")
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// snapshot is what gsd says of a project at one moment.
type snapshot struct {
	status *status.Status
	next   *app.NextAnswer
	state  *status.State       // nil if there is no position
	told   map[string][]string // contradictions, by kind
}

func (s *snapshot) say(kind, format string, args ...any) {
	s.told[kind] = append(s.told[kind], fmt.Sprintf(format, args...))
}

// equal says that two numbers differ.
func (s *snapshot) equal(kind, what string, rows, headline int) {
	if rows != headline {
		s.say(kind, "%s: %d in the rows, %d above them", what, rows, headline)
	}
}

func (s *snapshot) read(t *testing.T, dir string) {
	t.Helper()
	p, err := app.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if s.status, err = status.Of(p, status.Options{User: "larch"}); err != nil {
		t.Fatal(err)
	}
	if s.next, err = p.Next("larch"); err != nil {
		t.Fatal(err)
	}
	if s.state, err = status.StateOf(p, status.StateOptions{User: "larch"}); err != nil && len(s.status.Phases) > 0 {
		t.Fatal(err)
	}
	s.plans(t, dir)
	s.rows()
	s.place()
	s.words()
	s.file()
}

// plans holds the plans in the rows against the files: each is in one of them.
func (s *snapshot) plans(t *testing.T, dir string) {
	t.Helper()
	seen := map[string]int{}
	for _, ph := range s.status.Phases {
		for _, plan := range ph.Plans {
			if seen[plan.Path]++; seen[plan.Path] > 1 {
				s.say("a plan twice", "%s", plan.Path)
			}
		}
		if ph.Done > ph.Total {
			s.say("k of m", "phase %s: %d/%d", ph.Number, ph.Done, ph.Total)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(s.status.Root), "phases", "*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		if !planref.IsPlan(filepath.Base(file)) || seen[filepath.ToSlash(name)] == 1 {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if frontmatter.Read(src).Status != frontmatter.Superseded {
			s.say("a plan in no row", "%s", filepath.ToSlash(name))
		}
	}
}

// rows holds the sum of the rows against the headline and the current milestone's row.
func (s *snapshot) rows() {
	var plans, done, phases, over, waiting int
	pos, current := s.status.Position, slices.IndexFunc(s.status.Milestones, func(m overview.Milestone) bool { return m.Current })
	for _, ph := range s.status.Phases {
		if !ph.Counted {
			continue
		}
		if own := current < 0 || ph.Milestone == current || ph.Milestone < 0 && s.status.Milestones[current].Phases == 0; ph.LeftOut != "" || !own {
			s.say("another's phase", "%s, %q", ph.Number, ph.LeftOut)
		}
		plans, done, phases = plans+ph.Total, done+ph.Done, phases+1
		switch ph.Status {
		case overview.PhaseComplete:
			over++
		case overview.PhaseDone:
			over, waiting = over+1, waiting+1
		}
	}
	s.equal("plans", "all", plans, pos.AllPlans)
	s.equal("plans", "done", done, pos.AllDone)
	s.equal("phases", "all", phases, pos.Phases)
	s.equal("phases", "done", over, pos.PhasesDone)
	s.equal("phases", "not verified", waiting, len(pos.Unverified))
	if current >= 0 && s.status.Milestones[current].Phases > 0 {
		m := s.status.Milestones[current]
		s.equal("milestone", "plans", m.Plans, pos.AllPlans)
		s.equal("milestone", "plans done", m.PlansDone, pos.AllDone)
		s.equal("milestone", "phases", m.Phases, pos.Phases)
		s.equal("milestone", "phases done", m.PhasesDone, pos.PhasesDone)
		if left := s.next.Next.AlsoReady; m.Status == overview.PhaseComplete && pos.Percent >= 0 && pos.Percent < 100 && (over < phases || len(left) == 0) {
			s.say("percent", "%s is complete at %d %%", m.Label, pos.Percent) // unless the plans are named that the roadmap skipped
		}
	}
	all := roadmap.Progress{Plans: plans, PlansDone: done, Phases: phases, PhasesDone: over, Waiting: pos.Unverified}
	percent, _ := all.Percent()
	if pos.Percent >= 0 && pos.Percent != percent {
		s.say("percent", "%d, %d by the rows", pos.Percent, percent)
	}
	if open := phases - over + waiting + plans - done; pos.Percent == 100 && open > 0 {
		s.say("percent", "100 with %d open", open)
	}
	if pos.Percent == 0 && plans > 0 && plans == done && over > 0 {
		s.say("percent", "0 with %d of %d plans done", done, plans)
	}
}

// place holds the phase and the plan of the headline against gsd next.
func (s *snapshot) place() {
	pos, n := s.status.Position, s.next.Next
	if pos.PhaseIndex > pos.Phases || pos.Plan > pos.Plans || pos.PlansDone > pos.Plans || pos.AllDone > pos.AllPlans || pos.PhasesDone > pos.Phases {
		s.say("k of m", "%+v", pos)
	}
	if n.Phase != "" && pos.Phase != n.Phase {
		s.say("next", "phase %q, next is of phase %q", pos.Phase, n.Phase)
	}
	if (pos.Plan > 0) != (n.Plan != "") {
		s.say("next", "plan %d, next is %q", pos.Plan, n.Plan)
	}
	for _, ph := range s.status.Phases {
		if ph.Current && ph.Counted != (pos.PhaseIndex > 0) && ph.LeftOut == "" {
			s.say("next", "phase %s is %d of %d", ph.Number, pos.PhaseIndex, pos.Phases)
		}
	}
}

// words holds what is said when nothing is left against the rows.
func (s *snapshot) words() {
	says := printed(printer.Style{}, func(p *Printer) { p.Next(s.next.Next) })
	if s.status.Position.Phase == "" {
		says += NoPhase(s.status.Position)
	}
	for _, ph := range s.status.Phases {
		if !ph.Counted {
			continue
		}
		if ph.Done < ph.Total && strings.Contains(says, "every plan has its summary") && ph.Status != overview.PhaseComplete && ph.Status != overview.PhaseDeferred {
			s.say("nothing left", "every plan has its summary, phase %s %d/%d", ph.Number, ph.Done, ph.Total)
		}
		if ph.Status == overview.PhaseComplete || ph.Status == overview.PhaseDeferred {
			continue
		}
		for _, words := range []string{"no plans left", "Every phase is complete"} {
			if strings.Contains(says, words) {
				s.say("nothing left", "%s, phase %s is %s", words, ph.Number, ph.Status)
			}
		}
	}
}

// file holds what gsd state would write into STATE.md against the headline.
func (s *snapshot) file() {
	if s.state == nil {
		return
	}
	pos := s.status.Position
	if !reflect.DeepEqual(s.state.Position, pos) {
		s.say("state", "%+v, not %+v", s.state.Position, pos)
	}
	if s.state.Status == statefile.MilestoneComplete && (len(pos.Unverified) > 0 || slices.ContainsFunc(s.status.Phases, func(ph overview.Phase) bool {
		return ph.Counted && ph.Status != overview.PhaseComplete && ph.Status != overview.PhaseDeferred
	})) {
		s.say("state", "%s with %d of %d phases done", s.state.Status, pos.PhasesDone, pos.Phases)
	}
	for field, n := range map[string]int{
		"progress.total_phases": pos.Phases, "progress.completed_phases": pos.PhasesDone,
		"progress.total_plans": pos.AllPlans, "progress.completed_plans": pos.AllDone, "progress.percent": pos.Percent,
	} {
		for _, edit := range s.state.Edits {
			if edit.Field == field && edit.New != strconv.Itoa(n) {
				s.say("state", "%s becomes %s, not %d", field, edit.New, n)
			}
		}
	}
}
