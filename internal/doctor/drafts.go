package doctor

// drafts.go: the drafts of summaries, which nobody but gsd done --summary reads.

import (
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// The codes of the draft of a summary.
const (
	SummaryDraft  = "summary-draft"          // it waits to be written
	DraftWritten  = "summary-draft-written"  // it waits to be made the summary
	DraftOver     = "summary-draft-over"     // the plan has its summary
	DraftOrphaned = "summary-draft-orphaned" // no plan has that summary
)

// checkDrafts finds the drafts of summaries in the directory of a phase. What a draft has is somebody's work, so no command removes it.
func (d *checkup) checkDrafts(phase *roadmap.Dir) {
	var dirs []string
	for i := range phase.Plans {
		if dir := path.Dir(phase.Plans[i].Path); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		names := d.Planning.Names(dir)
		slices.Sort(names)
		for _, name := range names {
			if summary, ok := planref.DraftOf(name); ok {
				d.found(d.draftFinding(path.Join(dir, name), path.Join(dir, summary), phase))
			}
		}
	}
}

func (d *checkup) draftFinding(draft, summary string, phase *roadmap.Dir) Finding {
	f := Finding{Warning: problem.Warning{Code: SummaryDraft, Path: draft}}
	i := slices.IndexFunc(phase.Plans, func(p roadmap.Plan) bool {
		name, _ := planref.SummaryName(p.Path)
		return path.Join(path.Dir(p.Path), name) == summary
	})
	if i < 0 {
		f.Code = DraftOrphaned
		return f
	}
	if phase.Plans[i].Done() {
		f.Code = DraftOver
		return f
	}
	if d.o.PlansOnly {
		return f
	}
	if r, err := d.Hydrate(d.o.User.Name); err == nil && r.Summary == summary && r.Draft != nil {
		if f.Fix = r.Summarize(); f.Fix.Kind != "" {
			f.Code = DraftWritten
		} else if len(r.Draft.Left) > 0 {
			f.Line = r.Draft.Left[0].Line
		}
	}
	return f
}
