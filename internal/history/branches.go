package history

// branches.go: work on a plan that is not here, but on another branch or in another worktree: an agent's that died or is still at work, and
// what waits to be merged.

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// How many branches are compared with a plan.
const (
	mostBranches = 4 // that name it
	mostNameless = 2 // that name none, of which most have nothing to do with it
)

// branchesOf asks for the work of a user on a plan that is not here.
type branchesOf struct{ user, plan string }

// BranchesOf returns the work on a plan that is not here, as far as a bounded look goes: of each branch what its commits say, and whether
// it has the plan's summary; then what a user has marked in other clones, as gsd sync knows. What is in HEAD already under other commits is
// not named.
func BranchesOf(p *verdict.Project, user, plan string) []evidence.Branch {
	return verdict.Once(p, branchesOf{user, plan}, func() []evidence.Branch {
		return append(findBranches(p, user, plan), inClones(p, user, plan)...)
	})
}

// NextAfter returns branches with the task that is next once they are merged, where marks here say that tasks are over, too.
func NextAfter(branches []evidence.Branch, total int, isSettled func(task int) bool) []evidence.Branch {
	all := slices.Clone(branches)
	for i := range all {
		b := &all[i]
		for b.Next > 0 && (isSettled(b.Next) || slices.Contains(b.Tasks, b.Next)) {
			if b.Next++; b.Next > total {
				b.Next = 0
			}
		}
	}
	return all
}

// inClones returns which tasks of a plan a user has marked as over in other clones, at commits that are not here.
func inClones(p *verdict.Project, user, plan string) (all []evidence.Branch) {
	if len(p.Clones(user)) == 0 || p.Planning.SummaryOf(plan) != "" {
		return nil
	}
	file, err := p.Planning.ReadPlan(plan)
	if err != nil {
		return nil
	}
	for i, r := range team.AwayIn(p, user, plan, file) {
		if r == nil || !r.Record.Tasks[i].Status.Settled() {
			continue
		}
		t := r.Record.Tasks[i]
		at := slices.IndexFunc(all, func(b evidence.Branch) bool { return b.Machine == r.Machine && b.Tip == t.Head })
		if at < 0 {
			at = len(all)
			all = append(all, evidence.Branch{Machine: r.Machine, Tip: t.Head, Total: len(file.Tasks)})
		}
		all[at].Tasks = append(all[at].Tasks, i+1)
		if t.Status == planfile.Complete {
			all[at].Done++
		} else {
			all[at].Skipped++
		}
	}
	return all
}

func findBranches(p *verdict.Project, user, plan string) (found []evidence.Branch) {
	id, ok := p.Planning.PlanID(plan)
	if !ok {
		return nil
	}
	ref, phase := planref.ParseID(id)
	named := p.Planning.NamedBeside(plan)
	var sides, nameless []*project.Side
	for _, side := range p.Planning.Sides(phaseKey(ref, phase)) {
		switch {
		case side.Names(id, named):
			sides = append(sides, side)
		case side.IsNameless(): // some projects never name a plan in a subject
			nameless = append(nameless, side)
		}
	}
	if len(sides)+len(nameless) == 0 || p.Planning.SummaryOf(plan) != "" { // or it is done here
		return nil
	}
	o := readPlanOn(p, user, plan)
	if o == nil {
		return nil
	}
	sides = sides[:min(len(sides), mostBranches)]
	for _, side := range nameless[:min(len(nameless), mostNameless)] {
		if o.isIn(side) {
			sides = append(sides, side)
		}
	}
	for _, side := range sides {
		if b, ok := o.on(side); ok {
			found = append(found, b)
		}
	}
	return found
}

// phaseKey returns the key by which subjects name the phase of a plan, or QUICK for a quick task.
func phaseKey(ref planref.Ref, phase planref.Number) string {
	if ref != (planref.Ref{}) {
		return ref.PhaseKey()
	}
	return phase.Key()
}

// planOn is a plan, of which branches are asked.
type planOn struct {
	p     *verdict.Project
	path  string
	file  *planfile.File
	facts evidence.Plan
	marks []progress.Record // what a user has set, as far as gsd recorded it
	here  []planfile.Status // of its tasks, as commits show it; see readHere
	by    map[string]bool   // the IDs of these commits; nil before they are read
}

// readPlanOn reads a plan, and what a user has set of it; nil if it cannot be read.
func readPlanOn(p *verdict.Project, user, plan string) *planOn {
	file, err := p.Planning.ReadPlan(plan)
	if err != nil {
		return nil
	}
	return &planOn{p: p, path: plan, file: file, facts: p.FactsOf(plan, file), marks: p.RecordsOn(user, plan, project.Digest(file.Bytes()))}
}

// marked returns the tasks of the plan with the statuses that were set at commits of a side: they are over there.
func (o *planOn) marked(side *project.Side) []progress.Task {
	on := map[string]bool{}
	for _, c := range side.Commits {
		on[c.ID] = true
	}
	records := slices.Clone(o.marks)
	for i := range records {
		tasks := slices.Clone(records[i].Tasks)
		for n := range tasks {
			if t := &tasks[n]; !on[t.Head] || t.Head == records[i].Head { // or nothing was committed there
				t.Status, t.Set = "", time.Time{}
			}
		}
		records[i].Tasks, records[i].Fresh, records[i].Counts = tasks, time.Time{}, planfile.Status.Settled
	}
	merged, _, _ := progress.Of(progress.Describe(o.file), o.file.Dialect == planfile.DialectPlan, records)
	return merged
}

// readHere reads what commits here show of the plan.
func (o *planOn) readHere() {
	if o.by != nil {
		return
	}
	here, _ := o.p.CommitsOf(o.path, o.file, verdict.MostCommits) // what was read before an error counts
	o.here, o.by = here.Statuses(evidence.DefaultConfidence), map[string]bool{}
	for _, t := range here.Tasks {
		o.add(t.Commits)
	}
	o.add(here.Unassigned)
}

// isIn reports whether the commits of a side have carried out a task of the plan, whatever they name, or one was marked there.
func (o *planOn) isIn(side *project.Side) bool {
	isSettled := func(t progress.Task) bool { return t.Status.Settled() }
	return slices.ContainsFunc(o.marked(side), isSettled) || slices.Contains(evidence.Match(side.History(nil), o.facts).Statuses(evidence.DefaultConfidence), planfile.Complete)
}

func (o *planOn) add(commits []evidence.Evidence) {
	for _, c := range commits {
		o.by[c.ID] = true
	}
}

// on returns the work on the plan of a side, if there is any that is not here.
func (o *planOn) on(side *project.Side) (b evidence.Branch, ok bool) {
	name := side.Repo.Name()
	b = evidence.Branch{Name: side.Name, Worktree: side.Worktree, Tip: gitlog.IDBelow(name, side.Tip), FastForward: side.FastForward, Total: len(o.facts.Tasks)}
	b.Summary = side.SummaryOf(o.path)
	o.readHere()
	found := evidence.Match(side.History(o.by), o.facts)
	own := map[string]bool{}
	for _, c := range side.Commits {
		own[c.ID] = true
	}
	var commits []evidence.Evidence
	open := slices.ContainsFunc(o.here, func(s planfile.Status) bool { return s != planfile.Complete })
	marked := o.marked(side)
	for i, status := range found.Statuses(evidence.DefaultConfidence) {
		if marked[i].Status.Settled() {
			status = marked[i].Status
		}
		switch status {
		case planfile.Complete:
			b.Done++
		case planfile.Skipped:
			b.Skipped++
		}
		if b.Next == 0 && b.Summary == "" && !status.Settled() && o.here[i] != planfile.Complete {
			b.Next = i + 1
		}
		if o.here[i] != planfile.Complete {
			commits = append(commits, found.Tasks[i].Commits...)
			if status.Settled() {
				b.Tasks = append(b.Tasks, i+1)
			}
		}
	}
	if open {
		commits = append(commits, found.Unassigned...)
	}
	commits = slices.DeleteFunc(commits, func(e evidence.Evidence) bool { return !own[e.ID] })
	slices.SortStableFunc(commits, func(a, b evidence.Evidence) int { return a.When.Compare(b.When) })
	for _, c := range commits {
		if !slices.Contains(b.Commits, c.ID) {
			b.Commits = append(b.Commits, c.ID)
		}
	}
	if len(b.Commits)+len(b.Tasks) == 0 && b.Summary == "" || !side.FastForward && side.Repo.IsHere(&side.Beside) {
		return b, false
	}
	o.addWorktree(&b, side.Lock)
	switch {
	case name != "" && b.Name != "":
		b.Name = gitlog.IDBelow(name, b.Name)
	case name == "" && !b.Held && o.p.Planning.Work == o.p.Dir && side.Repo.Typed(b.Name) && side.Repo.Fits(&side.Beside):
		b.Bring = action.Action{Kind: action.Merge, ID: b.Name}
	}
	return b, true
}

// addWorktree adds to a branch whether somebody may be at work in its worktree, a run there or the process for which it is locked, and
// otherwise what was not committed there, which is lost once the worktree is removed.
func (o *planOn) addWorktree(b *evidence.Branch, lock string) {
	if b.Worktree == "" {
		return
	}
	if pid := lockedBy(lock); pid > 0 {
		table := o.p.Table()
		if is, err := table.Find(pid); !errors.Is(err, run.ErrNoProcess) {
			owner := table.Here()
			owner.PID, owner.StartTime = pid, is.StartTime
			b.Alive, b.PID, b.Held = true, pid, !owner.IsAncestor(table)
		}
	}
	below := "."
	if top, _, _ := o.p.Planning.Repository().Worktrees(0); top != "" {
		below, _ = filepath.Rel(top, o.p.Dir)
	}
	for _, at := range o.p.Worktrees() {
		if at.Dir != filepath.Join(b.Worktree, below) {
			continue
		}
		for _, user := range at.Users() {
			runs, _ := at.ReadRuns(user, nil, at.RunFile(user))
			if slices.ContainsFunc(runs.Runs, func(r run.Run) bool { return r.Open() && r.MayLive() && !r.Own }) {
				b.Alive, b.Held = true, true
			}
		}
		if left := at.Uncommitted(o.path, o.file, b.Next); !b.Held && left != nil {
			for _, f := range left.Files {
				if f.Task > 0 {
					b.Uncommitted = append(b.Uncommitted, f.Path)
				}
			}
		}
	}
}

// lockedBy returns the process that the reason names for which a worktree is locked, 0 for none. Claude writes
// "claude agent agent-a1b2c3 (pid 4242)".
func lockedBy(reason string) int {
	_, after, ok := strings.Cut(reason, "(pid ")
	digits, _, closed := strings.Cut(after, ")")
	if !ok || !closed {
		return 0
	}
	pid, err := strconv.Atoi(digits)
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}
