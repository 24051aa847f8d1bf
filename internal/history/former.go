// Package history knows where else a user's progress is: in archived and lost sessions, in other worktrees, under former names and in other
// clones. It merges what they say of a plan (FindFormer), lists what was lost (Lost), and gathers what decides
// whether somebody may start on a plan (Starter).
package history

// former.go: what is known of the progress on a plan. A user may have had many sessions on it: the current one, those that were archived when
// another took their place, those that were lost, those in other places. progress.go finds them; package progress merges them.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Former is what is known of a user's former progress on a plan.
type Former struct {
	p       *verdict.Project
	user    string
	path    string // of the plan
	plan    *planfile.File
	tasks   []progress.Task      // of the plan
	digest  string               // of the plan
	summary string               // the digest of its summary; empty if it has none
	crumbs  []answer.LostSession // of sessions on the plan, lost or not, the newest first
	others  []otherSession       // of other users, from whom the plan is taken over

	Tasks []progress.Task // those of the plan; the status is empty where nothing is known
	Left  []progress.Task // those of former sessions that no task of the plan took over
	From  []answer.Origin
	Again bool // the plan was done, and begins again

	fresh      bool                // what is known does not count
	budget     *durable.Budget     // of the archives; nil for one of its own
	most       int                 // commits that are read
	commits    answer.PlanEvidence // see Commits
	commitsErr error
	isRead     bool
	again      bool // a session on the plan began after its summary was written
}

// FindFormer finds what is known of the progress of a user on a plan: from sessions, and where they say nothing, from commits. r is on
// the current session and has been judged. With fresh there is none. With takeover, that of others who have a session on it counts, too.
func FindFormer(p *verdict.Project, r *answer.Report, at string, plan *planfile.File, fresh, takeover bool) *Former {
	var others []otherSession
	if takeover && !fresh {
		others = sessionsOfOthers(p, r.User, at)
	}
	g := findWithin(p, nil, others, r, at, plan)
	if fresh {
		g.startOver()
	}
	g.addCommits()
	return g
}

// findWithin is FindFormer without commits, with a budget for the archives, and the sessions of others that are taken over.
func findWithin(
	p *verdict.Project, archives *durable.Budget, others []otherSession, r *answer.Report, at string, plan *planfile.File,
) *Former {
	g := &Former{
		p: p, user: r.User, path: at, plan: plan, tasks: progress.Describe(plan), digest: project.Digest(plan.Bytes()),
		most: verdict.MostCommits, budget: archives, others: others,
	}
	if summary := p.Planning.SummaryOf(at); summary != "" {
		g.summary = p.Planning.DigestOf(summary)
	}
	g.crumbs = append(remembered(p, r), removed(p, r.User)...)
	slices.SortStableFunc(g.crumbs, newestFirst)
	g.crumbs = slices.DeleteFunc(g.crumbs, func(l answer.LostSession) bool { return g.relationOfCrumb(&l.Crumb) == "" })
	g.merge(g.sources(r))
	return g
}

// merge takes from sources what they say of the plan.
func (g *Former) merge(sources []source) {
	records := make([]progress.Record, len(sources))
	for i := range sources {
		records[i] = sources[i].Record
		g.again = g.again || sources[i].Here && sources[i].summary == g.summary
	}
	merged, from, dropped := progress.Of(g.tasks, g.plan.Dialect == planfile.DialectPlan, records)
	g.Tasks = merged
	used := map[int]bool{}
	for i, t := range merged {
		if progress.Worked(t.Status) {
			used[from[i]] = true
		}
	}
	// The newest first. What an older session has that the plan has no task for was said when the next one was made from it.
	order := make([]int, len(sources))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sources[b].When.Compare(sources[a].When) })
	newest := true
	for _, i := range order {
		if origin := sources[i].Origin; used[i] && !slices.Contains(g.From, origin) {
			g.From = append(g.From, origin)
		}
		if sources[i].Here && (newest || sources[i].Lost != "") {
			newest = false
			g.Left = append(g.Left, dropped[i]...)
		}
	}
}

// WasDone reports whether the plan was done as far as is known, and not started again since its summary was written.
func (g *Former) WasDone() bool {
	open := slices.ContainsFunc(g.Tasks, func(t progress.Task) bool { return !t.Status.Settled() })
	return g.summary != "" && !open && !g.again
}

// StartOver forgets the progress that was found, because the plan begins again, but keeps the breadcrumbs.
func (g *Former) StartOver() {
	g.startOver()
	g.Again = true
}

// startOver sets back all tasks of which anything is known.
func (g *Former) startOver() {
	g.fresh = true
	found, _ := g.Commits() // what is known of them is over, too
	commits, words := found.Committed(), slices.Clone(g.tasks)
	progress.AddWords(words, progress.Words(g.plan), true)
	g.Left, g.From = nil, nil
	for i := range g.Tasks {
		task := g.tasks[i]
		was, committed := g.Tasks[i].Set, i < len(commits) && !commits[i].Latest.IsZero()
		if task.Status = planfile.Pending; committed {
			task.Set = progress.After(progress.After(g.p.Now, was), commits[i].Latest.Add(-1))
		} else if g.Tasks[i].Status != "" || words[i].Word != "" { // otherwise there is nothing to set back, and later commits count
			task.Set = progress.After(g.p.Now, was)
		}
		g.Tasks[i] = task
	}
}

// Carried returns the tasks that a session on the plan begins with as others left them, or as commits show.
func (g *Former) Carried() (all []progress.Task) {
	for _, t := range g.Tasks {
		if progress.Worked(t.Status) {
			all = append(all, t)
		}
	}
	return all
}

// Stamps returns the tasks as a session on the plan begins with them, and when they were set.
func (g *Former) Stamps() []progress.Task {
	return begin(g.Tasks)
}

// Known returns the breadcrumbs of former sessions on the plan. g may be nil.
func (g *Former) Known() []answer.LostSession {
	if g == nil {
		return nil
	}
	return g.crumbs
}

// Has reports whether the new session has all the progress of a session on the plan. g may be nil.
func (g *Former) Has(c *session.Crumb) bool {
	if g == nil || g.relationOfCrumb(c) == "" {
		return false
	}
	tasks, left := Recall(c, g.plan, g.tasks)
	for i, t := range tasks {
		is := &g.Tasks[i]
		since := progress.Worked(is.Status) && is.Set.After(t.Set)
		if progress.Worked(t.Status) && t.Status != is.Status && is.Status != planfile.Complete && !since {
			return false
		}
	}
	return len(left) == 0
}

// MovedTo returns the path at which the plan of a breadcrumb is now, with the same bytes; "" for none.
func MovedTo(p *verdict.Project, c *session.Crumb) string {
	if c.Digest == "" {
		return ""
	}
	moved := p.Planning.FindMoved(c.Plan, c.Digest)
	if moved == "" {
		return ""
	}
	if there, err := p.Planning.Read(moved); err != nil || !strings.EqualFold(project.Digest(there), c.Digest) {
		return ""
	}
	return moved
}

// Recall gives each task of a plan, described by tasks, its status in a breadcrumb, and when that was set. Where it has none, the task is
// pending.
func Recall(c *session.Crumb, plan *planfile.File, tasks []progress.Task) (recalled []progress.Task, left []progress.Task) {
	known := []progress.Record{verdict.CrumbRecord(c, project.Digest(plan.Bytes()))}
	merged, _, dropped := progress.Of(tasks, plan.Dialect == planfile.DialectPlan, known)
	return begin(merged), dropped[0]
}

// begin returns the tasks as a session begins with them: pending where nothing is known.
func begin(merged []progress.Task) []progress.Task {
	all := slices.Clone(merged)
	for i := range all {
		all[i].Status = cmp.Or(all[i].Status, planfile.Pending)
	}
	return all
}
