package hydrate

// Drift warns that a task which was set in progress has a later commit that seems to have carried it out.
const Drift = "drift"

// Drift returns the warnings about the tasks in progress of a report's session that commits seem to have carried out since. It only
// looks at what was read for the verdict.
func (p *Project) Drift(r *Report) (warnings []Warning) {
	if !r.Verdict.Live() || r.Evidence == nil || len(r.Evidence.Tasks) != len(r.Session.Tasks) {
		return nil
	}
	tasks := p.Stamped(r.User, r.Written(), r.Changed)
	for i, shown := range r.Evidence.Show() {
		t := &tasks[i]
		if !shown.Seems(t) {
			continue
		}
		commits := r.Evidence.Tasks[i].Commits
		last := commits[len(commits)-1]
		warnings = append(warnings, Warning{
			Code: Drift, Task: t.Number, Status: string(t.Status), ID: last.ID, Subject: last.Subject,
		})
	}
	return warnings
}

// ShortID returns the abbreviation of a commit's id.
func ShortID(id string) string { return id[:min(len(id), 7)] }
