package roadmap

// contradictions.go: contradictions in the order of a phase's open plans. Agents run the plans of a wave in parallel.

import (
	"fmt"
	"path"

	"github.com/gsd-cli/gsd/internal/planref"
)

// maxContradictions limits the contradictions of each kind that are reported.
const maxContradictions = 5

// contradictions describes, among the open plans of a phase that have a wave, those that depend on a plan of the same
// or a later wave, and the pairs of one wave that are going to change the same file.
func (n *next) contradictions(phase planref.Number) (waves, overlaps []string) {
	type place struct {
		wave int
		file string
	}
	changes := map[place]*Plan{}
	for _, p := range n.open {
		if planref.Compare(p.Phase, phase) != 0 {
			continue
		}
		m := n.Meta(p)
		if !m.HasWave {
			continue
		}
		for _, d := range m.DependsOn {
			g := n.meant(d, p)
			if g == nil || len(g.plans) != 1 || len(waves) == maxContradictions {
				continue
			}
			if on := g.plans[0]; on != p && !on.Done() && planref.Compare(on.Phase, phase) == 0 && n.Meta(on).HasWave && n.Meta(on).Wave >= m.Wave {
				waves = append(waves, fmt.Sprintf("%s is in wave %d and depends on %s in wave %d", p.Label(), m.Wave, on.Label(), n.Meta(on).Wave))
			}
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
	return waves, overlaps
}
