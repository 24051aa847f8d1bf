package project

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/roadmap"
)

// jobs.go: upstream runs long work of a plan outside the conversation, on a cluster for example, and writes a manifest of
// it to async-jobs/. Unless such a job failed, nobody may start its plan again.

const (
	maxJobs    = 200      // manifests that are read
	maxJobSize = 64 << 10 // bytes of one
)

// jobs describes the job of each open plan of a root that a job works on, or whose job's result is not verified yet.
func (t *tree) jobs(disk *roadmap.Disk) map[string]string {
	dir := path.Join(disk.Root, "async-jobs")
	if !t.Exists(dir) {
		return nil
	}
	names := slices.DeleteFunc(t.Names(dir), func(name string) bool { return path.Ext(name) != ".json" })
	slices.Sort(names)
	if len(names) > maxJobs {
		t.Warn(TooMany, fmt.Sprintf("only the first %d jobs in %s are read", maxJobs, dir))
		names = names[:maxJobs]
	}
	byID := map[planref.Ref]string{}
	for _, name := range names {
		name = path.Join(dir, name)
		src, err := t.Head(name, maxJobSize)
		if t.OverBudget(err, name) {
			break
		}
		var job struct {
			ID     string `json:"job_id"`
			Plan   string `json:"plan_id"`
			Status string `json:"status"`
		}
		ref := planref.Ref{}
		if err == nil && json.Unmarshal(src, &job) == nil {
			ref, _ = planref.ParseID(job.Plan)
		}
		if ref == (planref.Ref{}) {
			t.Warn(JobUnreadable, name+" names no plan, so nothing waits for it")
			continue
		}
		switch strings.ToLower(job.Status) {
		case "failed", "cancelled", "timeout": // the plan may be started again
		default:
			byID[ref] = "job " + job.ID + " (" + job.Status + ")"
		}
	}
	jobs := map[string]string{}
	for _, plan := range disk.Open() {
		if job := byID[planref.NewRef(plan.Phase, plan.Number)]; job != "" {
			jobs[plan.Path] = job
		}
	}
	return jobs
}
