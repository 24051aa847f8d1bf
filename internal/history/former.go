// Package history knows where else a user's progress is: in archived and lost sessions, in other worktrees, under former names and in other
// clones. It merges what they say of a plan (FindFormer), lists what was lost (Lost), and gathers what decides
// whether somebody may start on a plan (Starter).
package history

// former.go: what is known of the progress on a plan. A user may have had many sessions on it: the current one, those
// that were archived when another took their place, and those that were lost. Each of them began with the statuses of the
// one before, unless a task was gone from the plan at that time, or nothing connected the two then. So a task has the status of the
// newest session in which somebody has set it, and nothing older than a session that was started with --fresh counts.
// progress.go has the sessions, in one order.

import (
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Former is what is known of a user's former progress on a plan: the statuses of its tasks, each from the first source in order that
// has one.
type Former struct {
	p       *verdict.Project
	user    string
	path    string // of the plan
	plan    *planfile.File
	tasks   []verdict.Described   // of the plan
	digest  string                // of the plan
	summary string                // the digest of its summary; empty if it has none
	crumbs  []verdict.LostSession // of sessions on the plan, lost or not, the newest first
	others  []otherSession        // of other users, from whom the plan is taken over

	Statuses map[int]planfile.Status // by task; those that nobody has set in a former session are missing
	Carried  []Carried
	Left     []Dropped
	From     []verdict.Origin
	Again    bool  // the plan was done, and begins again
	Unsure   []int // tasks that commits only seem to have begun

	budget     *durable.Budget      // of the archives; nil for one of its own
	most       int                  // commits that are read
	since      time.Time            // a task in progress is complete by a later commit; zero if none is
	commits    verdict.PlanEvidence // see Commits
	commitsErr error
	isRead     bool

	newest time.Time // of the sources that a status was taken from
	begun  bool      // a former session was added
	again  bool      // one of them began after the summary was written
	closed bool      // nothing older counts
}

// FindFormer finds what is known of the progress of a user on a plan: from sessions, and where they say nothing, from commits. r is on
// the current session and has been judged. With fresh there is none. With takeover, that of others who have a session on it counts, too.
func FindFormer(p *verdict.Project, r *verdict.Report, at string, plan *planfile.File, fresh, takeover bool, now time.Time) *Former {
	var others []otherSession
	if takeover && !fresh {
		others = sessionsOfOthers(p, r.User, at)
	}
	g := findWithin(p, nil, removed(p, crumbList(p), r.User, now), others, r, at, plan, fresh, now)
	g.addCommitted()
	slices.SortStableFunc(g.Carried, func(a, b Carried) int { return a.Number - b.Number })
	return g
}

// findFormer is FindFormer with the sessions in worktrees that were removed.
func findFormer(p *verdict.Project,
	removed []verdict.LostSession, r *verdict.Report, at string, plan *planfile.File, fresh bool, now time.Time,
) *Former {
	return findWithin(p, nil, removed, nil, r, at, plan, fresh, now)
}

// findWithin is findFormer with a budget for the archives, and the sessions of others that are taken over.
func findWithin(p *verdict.Project, archives *durable.Budget,
	removed []verdict.LostSession, others []otherSession, r *verdict.Report, at string, plan *planfile.File, fresh bool, now time.Time,
) *Former {
	g := &Former{
		p: p, user: r.User, path: at, plan: plan, tasks: verdict.Describe(plan), digest: project.Digest(plan.Bytes()),
		Statuses: map[int]planfile.Status{}, closed: fresh, most: MostCommits, budget: archives,
		others: others,
	}
	if summary := p.Planning.SummaryOf(at); summary != "" {
		g.summary = p.Planning.DigestOf(summary)
	}
	g.crumbs, _ = remembered(p, r, true, now)
	g.crumbs = append(g.crumbs, removed...)
	slices.SortStableFunc(g.crumbs, newestFirst)
	g.crumbs = slices.DeleteFunc(g.crumbs, func(l verdict.LostSession) bool { return g.relationOfCrumb(&l.Crumb) == "" })
	for progress := range g.inOrder(r, now) {
		if g.isDone() {
			break
		}
		g.add(progress)
	}
	return g
}

// isDone reports whether older sources are not needed.
func (g *Former) isDone() bool { return g.closed || len(g.Statuses) == len(g.plan.Tasks) }

// add gives every task that has no status yet the one that a source has for it.
func (g *Former) add(from Progress) {
	statuses, carried, left := from.statuses, from.carried, []Dropped(nil)
	if statuses == nil {
		statuses, carried, left = Match(from.Tasks, from.same, g.tasks, g.plan.Dialect)
	}
	counts := func(n int, s planfile.Status) bool {
		return g.Statuses[n] == "" && (from.Trust == nil || from.Trust(s))
	}
	carried = slices.DeleteFunc(carried, func(c Carried) bool { return !counts(c.Number, c.Status) })
	for n, status := range statuses {
		if counts(n, status) {
			g.Statuses[n] = status
		}
	}
	for _, source := range from.Sources {
		if len(carried) > 0 && !slices.Contains(g.From, source) {
			g.From = append(g.From, source)
		}
	}
	g.Carried = append(g.Carried, carried...)
	if len(carried) > 0 && from.When.After(g.newest) {
		g.newest = from.When
	}
	if from.statuses != nil {
		return
	}
	if !g.begun || from.isLost() { // what else an older session has was said when the next one was made from it
		g.Left = append(g.Left, left...)
	}
	g.begun, g.closed, g.again = true, from.fresh, g.again || from.summary == g.summary
}

// WasDone reports whether the plan was done as far as is known, and not begun again since its summary was written.
func (g *Former) WasDone() bool {
	open := slices.ContainsFunc(g.plan.Tasks, func(t planfile.Task) bool { return !g.Statuses[t.Number].Over() })
	return g.summary != "" && !open && !g.again
}

// StartOver forgets the progress that was found, because the plan begins again, but keeps the breadcrumbs.
func (g *Former) StartOver() {
	g.Statuses, g.Carried, g.Left, g.From, g.Again = map[int]planfile.Status{}, nil, nil, nil, true
}

// Known returns the breadcrumbs of former sessions on the plan. g may be nil.
func (g *Former) Known() []verdict.LostSession {
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
	statuses, left := Recall(c, g.plan, g.tasks)
	for n, status := range statuses {
		is := g.Statuses[n]
		if verdict.WorthCarrying(status) && status != is && is != planfile.Complete {
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

// Recall gives each task of a plan, described by tasks, its status in a breadcrumb: by number if the plan is unchanged or its tasks have the same
// names, else by match.
func Recall(c *session.Crumb, plan *planfile.File, tasks []verdict.Described) (statuses map[int]planfile.Status, left []Dropped) {
	statuses, _, left = Match(verdict.DescribeCrumb(c), strings.EqualFold(project.Digest(plan.Bytes()), c.Digest), tasks, plan.Dialect)
	return statuses, left
}
