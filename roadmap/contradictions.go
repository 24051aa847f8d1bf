package roadmap

// contradictions.go: contradictions in the order of a phase's open plans. Agents run the plans of a wave in parallel.

import (
	"fmt"
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

// maxConflicts limits the conflicts that are found: each of many plans may depend on all others.
const maxConflicts = 1000

// WaveConflicts returns the conflicts between the open plans of all live phases, the first thousand. meta returns a plan's front
// matter.
func (d *Disk) WaveConflicts(meta func(*Plan) Meta) []WaveConflict {
	index := indexPlans(d.Phases)
	return waveConflicts(d.Open(), meta, index.resolve, maxConflicts)
}

func waveConflicts(open []*Plan, meta func(*Plan) Meta, meant func(Dependency, *Plan) *planGroup, most int) (found []WaveConflict) {
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
			if of := meta(on); of.HasWave && of.Wave >= m.Wave {
				if found = append(found, WaveConflict{p, on, m.Wave, of.Wave}); len(found) == most {
					return found
				}
			}
		}
	}
	return found
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
	for _, c := range waveConflicts(open, n.Meta, n.meant, maxContradictions) {
		waves = append(waves, c.String())
	}
	return waves, overlaps
}
