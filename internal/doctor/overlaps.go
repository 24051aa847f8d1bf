package doctor

import (
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// overlaps.go: open plans of one wave that name the same file.

// noteOverlaps adds a note for plans of one wave that are going to change the same files. It is no finding, because upstream accepts such
// plans, and they do no harm to somebody who carries out one after the other.
func (d *checkup) noteOverlaps(open []*roadmap.Plan) {
	overlaps := overlapsOf(open, func(p *roadmap.Plan) frontmatter.Meta { return d.Planning.Meta(p.Path) })
	for i, o := range overlaps {
		if i == problem.MaxAlike {
			d.Planning.Warn(problem.Warning{Code: problem.TooManyFindings, Name: FilesOverlap})
			break
		}
		d.note(o.warning())
	}
}

// An overlap is of open plans of one wave of a phase that are all going to change or remove the same files, so that agents which carry
// them out at the same time are in each other's way.
type overlap struct {
	wave  int
	plans []*roadmap.Plan // at least two
	files []string        // as the second of the plans spells them
}

// mostFiles limits the files of a finding that are named.
const mostFiles = 3

func (o *overlap) warning() problem.Warning {
	w := problem.Warning{Code: FilesOverlap, Wave: o.wave, Paths: o.files[:min(len(o.files), mostFiles)], Count: len(o.files)}
	for _, p := range o.plans {
		w.Names = append(w.Names, p.Label())
	}
	return w
}

// overlapsOf returns the overlaps among plans, in the order of the plans and files that complete them. A coupling_justified does not excuse
// one, as in upstream: it is about what two plans share besides files (gsd-core, references/planner-coupling.md).
func overlapsOf(plans []*roadmap.Plan, meta func(*roadmap.Plan) frontmatter.Meta) (found []overlap) {
	type place struct {
		phase string
		wave  int
		file  string
	}
	changed := map[place][]*roadmap.Plan{}
	spelled := map[place]string{} // by the second plan that changes it
	var order []place
	for _, p := range plans {
		m := meta(p)
		if !m.HasWave {
			continue
		}
		isModified := func(file string) bool { return slices.Contains(m.Files, file) }
		for _, file := range append(slices.DeleteFunc(slices.Clone(m.Deleted), isModified), m.Files...) {
			at := place{p.Phase.Key(), m.Wave, path.Clean(file)}
			if before := changed[at]; len(before) > 0 && before[len(before)-1] == p {
				continue
			}
			if changed[at] = append(changed[at], p); len(changed[at]) == 2 {
				order, spelled[at] = append(order, at), file
			}
		}
	}
	known := map[string]int{} // the index in found of the same plans
	for _, at := range order {
		var key strings.Builder
		for _, p := range changed[at] {
			key.WriteString(p.Path + "\x00")
		}
		i, ok := known[key.String()]
		if !ok {
			i = len(found)
			known[key.String()], found = i, append(found, overlap{wave: at.wave, plans: changed[at]})
		}
		found[i].files = append(found[i].files, spelled[at])
	}
	return found
}
