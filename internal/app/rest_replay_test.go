package app_test

// rest_replay_test.go measures what is answered where a project rests: nothing is under way, and what comes next is to plan a phase, to
// open a milestone, or nothing at all. The moments are found in the histories themselves (TestRestLabels), but for the last commit of each,
// of which nobody knows what came next: these were read by hand (testdata/replay/rest-heads.tsv). Both files have ids and numbers, and no
// word of the authors'.

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/view"
)

var relabel = flag.Bool("relabel", false, "find the moments at rest again, and rewrite testdata/replay/rest.tsv")

// restFile and headsFile have a moment a line: bundle, commit, kind, the answers that are right.
const (
	restFile  = "../../testdata/replay/rest.tsv"
	headsFile = "../../testdata/replay/rest-heads.tsv"
)

// A resting is a moment at rest. Want are the answers that are right, "" for all that do not name a plan which never gets a summary: the
// number of a phase that is to be planned or verified, the id of a plan, or "none" if neither comes next.
type resting struct {
	bundle, commit, kind string
	want                 []string
}

// readRests reads a file of moments, which may have comments behind a number sign.
func readRests(t *testing.T, name string) (all []resting) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) >= 3 {
			all = append(all, resting{f[0], f[1], f[2], f[3:]})
		}
	}
	return all
}

// TestRestLabels finds the moments at rest: the commit before the first plan of a phase, unless a plan that was there gets its summary
// before one of that phase; the commit before a milestone is archived, and that which archives it; the commit before STATE.md names
// another milestone.
func TestRestLabels(t *testing.T) {
	if !*relabel {
		t.Skip("-relabel finds the moments at rest again")
	}
	t.Setenv("GSD_THOROUGH", "1")
	var text strings.Builder
	fmt.Fprintln(&text, "# Moments at rest: bundle, commit, kind, what is right. Written by go test ./internal/app -run TestRestLabels -args -relabel")
	for _, set := range replaySets {
		bundles := replay.Files(t, set)
		found := make([][]resting, len(bundles))
		eachBundle(t, bundles, func(t *testing.T, i int) { found[i] = findRests(t, bundles[i]) })
		for _, r := range slices.Concat(found...) {
			fmt.Fprintln(&text, strings.TrimSpace(strings.Join(append([]string{r.bundle, r.commit, r.kind}, r.want...), "\t")))
		}
	}
	if err := os.WriteFile(restFile, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// step is a first parent, and what it did to the files of .planning.
type step struct {
	commit         string
	added, removed []string
	milestone      string // that STATE.md names
}

var milestoneLine = regexp.MustCompile(`(?m)^milestone: *["']?([^"'\s]+)`)

// readSteps reads the first parents of a history, oldest first.
func readSteps(t *testing.T, dir string) (steps []step) {
	t.Helper()
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	milestone := ""
	log := git("-c", "core.quotePath=false", "log", "--first-parent", "-m", "--reverse", "--format=%x01%H", "--name-status", "--no-renames", "origin/main", "--", ".planning")
	for commit := range strings.SplitSeq(strings.TrimPrefix(log, "\x01"), "\x01") {
		id, lines, _ := strings.Cut(commit, "\n")
		s := step{commit: id}
		for line := range strings.Lines(lines) {
			status, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
			switch status {
			case "A":
				s.added = append(s.added, name)
			case "D":
				s.removed = append(s.removed, name)
			}
			if name == ".planning/STATE.md" && status != "D" {
				if m := milestoneLine.FindStringSubmatch(git("show", id+":"+name)); m != nil {
					milestone = m[1]
				}
			}
		}
		s.milestone = milestone
		steps = append(steps, s)
	}
	return steps
}

// livePlan returns the phase of a plan's or summary's path below phases/, and what kind it is.
func livePlan(name string) (phase planref.Number, kind planref.Kind, ok bool) {
	if !strings.HasPrefix(name, ".planning/phases/") {
		return phase, kind, false
	}
	n, ok := planref.ParseName(path.Base(name))
	if !ok {
		return phase, kind, false
	}
	phase, ok = planref.PhaseOfPlan(path.Join(path.Dir(name), n.PlanName()))
	return phase, n.Kind, ok
}

func findRests(t *testing.T, bundle string) (found []resting) {
	t.Helper()
	dir := t.TempDir()
	cloneReplay(t, bundle, dir)
	steps := readSteps(t, dir)
	name, plans := bundleName(bundle), map[string]bool{} // the plans that are there
	add := func(at int, kind string, want ...string) {
		if at >= 0 && !slices.ContainsFunc(found, func(r resting) bool { return r.commit == steps[at].commit }) {
			found = append(found, resting{name, steps[at].commit, kind, want})
		}
	}
	for i, s := range steps {
		started := map[string]planref.Number{} // phases that get their first plan, by their directory
		var archives bool
		for _, file := range s.added {
			archives = archives || strings.HasPrefix(file, ".planning/milestones/") && strings.HasSuffix(file, "ROADMAP.md")
			moved := slices.ContainsFunc(s.removed, func(old string) bool { return path.Base(old) == path.Base(file) })
			if phase, kind, ok := livePlan(file); ok && kind == planref.Plan && !phase.IsZero() && !moved {
				if !hasPlanIn(plans, path.Dir(file)) {
					started[path.Dir(file)] = phase
				}
			}
		}
		if len(started) > 0 && isRest(steps[i:], plans, started) {
			var want []string
			for _, phase := range started {
				want = append(want, phase.String())
			}
			slices.Sort(want)
			add(i-1, "phase", want...)
		}
		if archives {
			add(i-1, "closing")
			add(i, "closed")
		}
		if i > 0 && steps[i-1].milestone != "" && s.milestone != steps[i-1].milestone {
			add(i-1, "opening")
		}
		for _, file := range s.removed {
			delete(plans, file)
		}
		for _, file := range s.added {
			if _, kind, ok := livePlan(file); ok && kind == planref.Plan {
				plans[file] = true
			}
		}
	}
	return found
}

func hasPlanIn(plans map[string]bool, dir string) bool {
	for plan := range plans {
		if path.Dir(plan) == dir {
			return true
		}
	}
	return false
}

// isRest reports whether, from a step on, no plan that was there before gets its summary until one of the started phases does.
func isRest(steps []step, plans map[string]bool, started map[string]planref.Number) bool {
	for _, s := range steps {
		rests := false
		for _, file := range s.added {
			if _, kind, ok := livePlan(file); !ok || kind != planref.Summary {
				continue
			}
			if _, is := started[path.Dir(file)]; is {
				rests = true
				continue
			}
			for plan := range plans {
				if path.Dir(plan) != path.Dir(file) {
					continue
				}
				if _, closes := planref.SummaryOf(plan, []string{path.Base(file)}); closes {
					return false
				}
			}
		}
		if rests {
			return true
		}
	}
	return true
}

// The bars at rest, per thousand moments. Of 30 that are wrong, some seven are of labels: phases that were planned side by side, or whose plans
// were written again. In six, the plans of a phase came with its work in one commit, and no summary ever.
const (
	barRest     = 943
	barRestLive = 962
)

// rested counts moments at rest: how many, where a plan is named that never gets a summary, and where the answer is right.
type rested struct{ moments, dead, right int }

// TestReplayRest asks what comes next at the moments at rest. Of an answer to another question than the labels', nothing is counted: a
// moment without a Want is right if no plan is named that never gets a summary.
func TestReplayRest(t *testing.T) {
	t.Parallel()
	labels := append(readRests(t, restFile), readRests(t, headsFile)...)
	all := map[string]*rested{}
	t.Run("sets", func(t *testing.T) {
		for _, set := range replaySets {
			t.Run(set, func(t *testing.T) {
				t.Parallel()
				bundles := replay.Files(t, set)
				results := make([]map[string]rested, len(bundles))
				eachBundle(t, bundles, func(t *testing.T, i int) { results[i] = replayRests(t, bundles[i], labels) })
				for i, result := range results {
					for kind, r := range result {
						for _, key := range []string{"all", "kind " + kind, bundleName(bundles[i])} {
							if all[key] == nil {
								all[key] = &rested{}
							}
							all[key].moments += r.moments
							all[key].dead += r.dead
							all[key].right += r.right
						}
					}
				}
			})
		}
	})
	var keys []string
	for key := range all {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	table := "\nat rest         moments   right     dead\n"
	for _, key := range keys {
		r := all[key]
		table += fmt.Sprintf("%-15s %7d  %5.1f %%  %5.1f %%\n", key, r.moments, 100*float64(r.right)/float64(r.moments), 100*float64(r.dead)/float64(r.moments))
	}
	t.Log(table)
	if sum := all["all"]; testenv.Thorough() && sum != nil && (sum.right*1000 < barRest*sum.moments || (sum.moments-sum.dead)*1000 < barRestLive*sum.moments) {
		t.Errorf("at rest, %d of %d answers are right, %d name a plan that never gets a summary", sum.right, sum.moments, sum.dead)
	}
}

func replayRests(t *testing.T, bundle string, labels []resting) map[string]rested {
	t.Helper()
	r := replayed{bundle: bundleName(bundle), dir: t.TempDir()}
	cloneReplay(t, bundle, r.dir)
	r.findSummaries(t)
	result := map[string]rested{}
	for _, l := range labels {
		if l.bundle != r.bundle {
			continue
		}
		checkout(t, r.dir, l.commit)
		p, err := app.Open(r.dir)
		if err != nil {
			continue // before the project began
		}
		next, err := p.Next("replay")
		p.Close()
		if err != nil {
			t.Errorf("%s: next: %v", l.commit, err)
			continue
		}
		sum := result[l.kind]
		sum.moments++
		isDead := next.Next.Plan != "" && l.kind != "head" && !r.getsSummary(next.Next.Plan)
		isRight := !isDead && r.isRightAtRest(t, next.Next, l)
		if isDead {
			sum.dead++
		}
		if isRight {
			sum.right++
		} else {
			t.Logf("%s %.8s %s: want %v, dead %v; next is %q, phase %q: %s", r.bundle, l.commit, l.kind, l.want, isDead, next.Next.Plan, next.Next.Phase,
				strings.Join(view.Because(next.Next.Because), "; "))
		}
		result[l.kind] = sum
	}
	return result
}

// isRightAtRest reports whether an answer is one of those that are right.
func (r *replayed) isRightAtRest(t *testing.T, n *answer.Next, l resting) bool {
	t.Helper()
	says := n.Phase
	switch {
	case n.Plan != "":
		says = n.ID
	case n.Phase == "":
		says = "none"
	}
	if len(l.want) == 0 || slices.Contains(l.want, says) {
		return true
	}
	// The phase may be one that the roadmap does not have yet.
	return l.kind == "phase" && n.Plan == "" && !knowsPhase(t, r.dir, l.want)
}

// knowsPhase reports whether the roadmap of a project lists one of some phases.
func knowsPhase(t *testing.T, dir string, phases []string) bool {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, ".planning", roadmap.FileName))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(roadmap.Parse(src, "").Phases(), func(phase roadmap.Phase) bool { return slices.Contains(phases, phase.Number.String()) })
}
