package doctor

// drafts.go: the drafts of summaries, which nobody but gsd done --summary reads.

import (
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/roadmap"
)

// SummaryDraft is the code of the draft of a summary: it waits to be written, or was left behind.
const SummaryDraft = "summary-draft"

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
	f := Finding{Code: SummaryDraft, Path: draft}
	i := slices.IndexFunc(phase.Plans, func(p roadmap.Plan) bool {
		name, _ := planref.SummaryName(p.Path)
		return path.Join(path.Dir(p.Path), name) == summary
	})
	if i < 0 {
		f.Detail = "it is the draft of a summary, and no plan has that summary; keep what you need of it, and remove it"
		return f
	}
	if phase.Plans[i].Done() {
		f.Detail = "it is not read any more, because the plan has its summary; keep what you need of it, and remove it"
		return f
	}
	f.Detail = "a draft of its summary waits; `gsd done --summary`, once it is written, makes it the summary in a session on the plan"
	if d.o.PlansOnly {
		return f
	}
	if r, err := d.Hydrate(d.o.User.Name); err == nil && r.Summary == summary && r.Draft != nil {
		f.Detail = "a draft of its summary waits; `gsd done --summary`, once it is written, makes it the summary"
		if f.Fix = r.Summarize(); f.Fix.Kind != "" {
			f.Detail = "the draft of the summary is written"
		} else if len(r.Draft.Left) > 0 {
			f.Line = r.Draft.Left[0].Line
		}
	}
	return f
}
