package verdict

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
)

// UntouchedWarning warns of a task that was just completed, if nothing shows that anybody has worked on it since it was set in progress: HEAD
// is where it was, none of the files that the task names has changed, and no earlier commit carried it out. was is the task before; of one
// that was not in progress, since when and where that is asked. Where a task is about something else than files, such as a checkpoint, or
// something is not known, nothing is said.
func (p *Project) UntouchedWarning(r *answer.Report, was progress.Task) []problem.Warning {
	n := was.Number
	if was.Set.IsZero() || was.Head == "" || answer.IsCheckpoint(r.Session.Tasks[n-1].Type) ||
		p.Planning.HeadID() != was.Head {
		return nil
	}
	var names []string
	for _, named := range namedFiles(r.Session, n) {
		name := path.Clean(evidence.FileName(named))
		if !strings.ContainsAny(name, "./") { // a note, such as (NEW)
			continue
		}
		info, err := os.Lstat(filepath.Join(p.Planning.Work, filepath.FromSlash(name)))
		switch {
		case !filepath.IsLocal(filepath.FromSlash(name)), strings.ContainsAny(name, "*?[{"), len(names) == maxLookedAt: // more than is looked at
			return nil
		case err == nil && (info.IsDir() || info.ModTime().After(was.Set)): // git may ignore it
			return nil
		case err != nil && (!problem.IsMissing(err) || path.Ext(name) == ""):
			continue
		}
		names = append(names, name)
	}
	if len(names) == 0 || len(p.Planning.Uncommitted(names).Files) > 0 {
		return nil
	}
	found, err := p.CommitsOf(r.Plan.Path, r.Written(), MostCommits)
	if err != nil || len(found.Tasks) < n || len(found.Tasks[n-1].Commits) > 0 { // it was committed before it was set in progress
		return nil
	}
	return []problem.Warning{{Code: answer.TaskUntouched, Task: n, Status: string(was.Status)}}
}
