package app_test

// rest_replay_test.go measures what is answered where a project rests: nothing is under way, and what comes next is to plan a phase, to
// open a milestone, or nothing at all. The moments were found in the histories themselves (testdata/replay/rest.tsv says how), but for the last
// commit of each, of which nobody knows what came next: these were read by hand (testdata/replay/rest-heads.tsv). Both files have ids and
// numbers, and no word of the authors'.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/view"
)

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
