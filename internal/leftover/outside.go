package leftover

// outside.go: what was started outside of the phases and not finished: quick tasks and debug sessions (gsd-core, workflows/quick.md,
// workflows/debug.md). An agent waits for this, so only the last names of a directory are looked at; `gsd status` lists all quick tasks.

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/text"
)

const (
	maxQuick = 10 // quick tasks; one that was cut off is mostly the last
	maxDebug = 20 // debug sessions; a real project has 18
)

// OutsidePhases lists the quick tasks that have a plan and no summary, but for the one that the session of the user is on, and the debug
// sessions that are open.
func (r *Reader) OutsidePhases(on string) (found []answer.Incomplete) {
	p := r.Project
	names := p.Names(planref.Planning)
	if slices.Contains(names, "quick") {
		dir := path.Join(planref.Planning, "quick")
		for _, plan := range roadmap.ScanQuick(func(name string) []string {
			if name == dir {
				return r.last(dir, maxQuick, byNumber)
			}
			return slices.Clone(p.Names(name))
		}, planref.Planning) {
			if !plan.Done() && plan.Path != on && !frontmatter.IsGivenUp(p.StatusOf(plan.Path)) {
				found = append(found, answer.Incomplete{Kind: answer.QuickTask, ID: plan.ID, Path: plan.Path})
			}
		}
	}
	if slices.Contains(names, "debug") {
		dir := path.Join(planref.Planning, "debug")
		for _, name := range r.last(dir, maxDebug, strings.Compare) {
			if strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".") {
				found = append(found, r.debugSession(path.Join(dir, name))...)
			}
		}
	}
	return found
}

// last returns the last names in a directory, sorted.
func (r *Reader) last(dir string, most int, compare func(a, b string) int) []string {
	names := slices.SortedFunc(slices.Values(r.Project.Names(dir)), compare)
	return names[max(0, len(names)-most):]
}

// byNumber compares names by the number that they begin with, so that 300-x comes after 99-x; those without one come first.
func byNumber(a, b string) int {
	n, _, _ := planref.CutNumber(a)
	n2, _, _ := planref.CutNumber(b)
	return cmp.Or(planref.Compare(n, n2), strings.Compare(a, b))
}

// debugSession reads a debug session, which is open while it has one of the statuses of upstream's template before the last. Others are
// not: most real ones stay at diagnosed, because a UAT has taken over what they found.
func (r *Reader) debugSession(name string) []answer.Incomplete {
	src := r.Project.Beside(name, noteHead)
	status := strings.ToLower(frontmatter.Texts(src)["status"])
	switch status {
	case "gathering", "investigating", "fixing", "verifying", "awaiting_human_verify":
		id := strings.TrimSuffix(path.Base(name), ".md")
		return []answer.Incomplete{{Kind: answer.DebugSession, ID: id, Path: name, Status: status, Detail: nextAction(src)}}
	}
	return nil
}

// nextAction returns what a debug session says to do next, "" if it does not.
func nextAction(src []byte) string {
	for line := range strings.Lines(string(src)) {
		if step, ok := strings.CutPrefix(line, "next_action:"); ok {
			return text.OneLine(step[:min(len(step), maxStep)])
		}
	}
	return ""
}
