package roadmap

// contradictions.go: contradictions in the order of a phase's open plans. Agents run the plans of a wave in parallel.

import (
	"fmt"
	"iter"
	"path"

	"github.com/gsd-cli/gsd/internal/planref"
)

// maxContradictions limits the contradictions of each kind that are reported.
const maxContradictions = 5

// A WaveConflict is an open plan that depends on an open plan of its own phase which has the same or a later wave.
type WaveConflict struct {
	Plan, On     *Plan
	Wave, OnWave int
}

func (c WaveConflict) String() string {
	return fmt.Sprintf("%s is in wave %d and depends on %s in wave %d", c.Plan.Label(), c.Wave, c.On.Label(), c.OnWave)
}

// WaveConflicts are the conflicts between the open plans of all live phases; there may be as many as dependencies. meta returns a
// plan's front matter.
func (d *Disk) WaveConflicts(meta func(*Plan) Meta) iter.Seq[WaveConflict] {
	index := indexPlans(d.Phases)
	return waveConflicts(d.Open(), meta, index.resolve)
}

func waveConflicts(open []*Plan, meta func(*Plan) Meta, meant func(Dependency, *Plan) *planGroup) iter.Seq[WaveConflict] {
	return func(yield func(WaveConflict) bool) {
		for _, p := range open {
			m := meta(p)
			if !m.HasWave {
				continue
			}
			for _, d := range m.DependsOn {
				g := meant(d, p)
				if g == nil || len(g.plans) != 1 {
					continue
				}
				on := g.plans[0]
				if on == p || on.Done() || planref.Compare(on.Phase, p.Phase) != 0 {
					continue
				}
				if of := meta(on); of.HasWave && of.Wave >= m.Wave && !yield(WaveConflict{p, on, m.Wave, of.Wave}) {
					return
				}
			}
		}
	}
}

// contradictions describes, among the open plans of a phase that have a wave, those that depend on a plan of the same
// or a later wave, and the pairs of one wave that are going to change the same file.
func (n *next) contradictions(phase planref.Number) (waves, overlaps []string) {
	type place struct {
		wave int
		file string
	}
	var open []*Plan
	changes := map[place]*Plan{}
	for _, p := range n.open {
		if planref.Compare(p.Phase, phase) != 0 {
			continue
		}
		open = append(open, p)
		m := n.Meta(p)
		if !m.HasWave {
			continue
		}
		for _, file := range m.Files {
			at := place{m.Wave, path.Clean(file)}
			switch other := changes[at]; {
			case other == nil:
				changes[at] = p
			case other != p && len(overlaps) < maxContradictions:
				overlaps = append(overlaps, fmt.Sprintf("%s and %s, both in wave %d, are going to change %s", other.Label(), p.Label(), m.Wave, file))
			}
		}
	}
	for c := range waveConflicts(open, n.Meta, n.meant) {
		if waves = append(waves, c.String()); len(waves) == maxContradictions {
			break
		}
	}
	return waves, overlaps
}
