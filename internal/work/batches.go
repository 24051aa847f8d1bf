package work

// batches.go: batches of quick tasks, which upstream carries out several at once (gsd-core, workflows/quick-batch).

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/roadmap"
)

const (
	maxBatches    = 20        // batches that are read, the last ones: their names begin with the date
	maxBatchSize  = 256 << 10 // bytes of one
	maxBatchItems = 200       // its tasks whose directories are looked at
)

// A batch is what upstream's manifest says of a batch, as far as it is used.
type batch struct {
	Items []struct {
		ID          string `json:"quick_id"`
		Description string `json:"description"`
		Status      string `json:"status"` // pending, complete, failed or blocked
	} `json:"items"`
}

// readBatch parses a BATCH.json. One that is half-written or something else has no items.
func readBatch(src []byte) (b batch) {
	if json.Unmarshal(src, &b) != nil {
		return batch{}
	}
	return b
}

// left describes a batch of which tasks wait to be done, "" if none does: those that failed, or wait for one that failed, are over.
// isDone reports whether a task is done although the batch does not say so.
func (b batch) left(isDone func(id string) bool) string {
	done, next := 0, ""
	for i, item := range b.Items {
		switch {
		case item.Status == "complete" || item.Status == "pending" && i < maxBatchItems && isDone(item.ID):
			done++
		case item.Status == "pending" && next == "":
			next = roadmap.OneLine(item.Description)
			if next == "" {
				next = roadmap.OneLine(item.ID)
			}
		}
	}
	if next == "" {
		return ""
	}
	return fmt.Sprintf("%d of %s done, next: %s", done, verdict.Counted(len(b.Items), "task", "tasks"), next)
}

// batches lists the batches that are not over, given the names in .planning.
func batches(p *verdict.Project, names []string) (found []verdict.Incomplete) {
	const kept = "quick-batches"
	if !slices.Contains(names, kept) {
		return nil
	}
	dir := path.Join(project.Planning, kept)
	ids := p.Planning.Names(dir)
	slices.Sort(ids)
	quick := quickTasks(p)
	for _, id := range ids[max(0, len(ids)-maxBatches):] {
		name := path.Join(dir, id, "BATCH.json")
		if left := readBatch(p.Planning.Beside(name, maxBatchSize)).left(quick); left != "" {
			found = append(found, verdict.Incomplete{Kind: verdict.WorkBatch, ID: id, Path: name, Detail: left})
		}
	}
	return found
}

// quickTasks returns a function that reports whether the directory of a quick task has a summary. The batch's manifest is written
// later than that.
func quickTasks(p *verdict.Project) (isDone func(id string) bool) {
	dir := path.Join(project.Planning, "quick")
	var names []string
	listed := false
	return func(id string) bool {
		if !listed {
			names, listed = p.Planning.Names(dir), true
		}
		i := slices.IndexFunc(names, func(name string) bool { return id != "" && (name == id || strings.HasPrefix(name, id+"-")) })
		return i >= 0 && slices.ContainsFunc(p.Planning.Names(path.Join(dir, names[i])), func(name string) bool {
			return name == "SUMMARY.md" || name == id+"-SUMMARY.md"
		})
	}
}
