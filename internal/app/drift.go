package app

import (
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
)

// Drift warns that a task which was set in progress has a later commit that seems to have carried it out.
const Drift = "drift"

// SetApart warns of a status that was set on another branch, and does not count here; CommitGone of one that was set at a commit which HEAD's
// history no longer has, and none like it.
const (
	SetApart   = "set-apart"
	CommitGone = "commit-gone"
)

// Drift returns the warnings about the tasks of a report's session that commits seem to have carried out since they were set in progress, or
// that nobody has set and commits only seem to have started. It only looks at what was read for the verdict.
func (p *Project) Drift(r *answer.Report) (warnings []problem.Warning) {
	if !r.Verdict.Live() {
		return nil
	}
	for i := range r.State {
		t := &r.State[i]
		switch {
		case t.Previous != "": // see verdict.Project.SetApart
			warnings = append(warnings, problem.Warning{Code: SetApart, Task: t.Number, Status: string(t.Previous), Name: t.Branch, ID: t.Head})
		case t.Status.Settled() && !t.Set.IsZero() && t.Head != "" && !p.Planning.HasCommit(t.Head) && !p.Planning.HasLike(t.Head):
			warnings = append(warnings, problem.Warning{Code: CommitGone, Task: t.Number, Status: string(t.Status), ID: t.Head})
		case t.Seems() && !t.Set.IsZero():
			commits := r.Evidence.Tasks[i].Commits
			last := commits[len(commits)-1]
			warnings = append(warnings, problem.Warning{Code: Drift, Task: t.Number, Status: string(t.Status), ID: last.ID, Subject: last.Subject})
		}
	}
	return append(warnings, history.DoubtsOf(r.State)...)
}

// ShortID returns the abbreviation of a commit's id, which begins with the path of its repository if that is not the project's own.
func ShortID(id string) string {
	repository, hash := gitlog.CutID(id)
	return gitlog.IDBelow(repository, hash[:min(len(hash), 7)])
}
