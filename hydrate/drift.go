package hydrate

// Drift warns that a task which was set in progress has a later commit that seems to have carried it out.
const Drift = "drift"

// Drift returns the warnings about the tasks in progress of a report's session that commits seem to have carried out since. It only
// looks at what was read for the verdict.
func (p *Project) Drift(r *Report) (warnings []Warning) {
	if !r.Verdict.Live() {
		return nil
	}
	for i := range r.State {
		t := &r.State[i]
		if t.Set.IsZero() || !t.Seems() {
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
