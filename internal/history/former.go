package history

// former.go: what is known of the progress on a plan. A user may have had many sessions on it: the current one, those
// that were archived when another took their place, and those that were lost. Each of them began with the statuses of the
// one before, unless a task was gone from the plan at that time, or nothing connected the two then. So a task has the status of the
// newest session in which somebody has set it, and nothing older than a session that was started with --fresh counts.

import (
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// A former is a session that was on the plan.
type former struct {
	verdict.Origin
	tasks   []verdict.Described
	same    bool   // the plan still has the same bytes
	fresh   bool   // nothing before it counts
	summary string // the digest of the summary that the plan had when it began
	// counts reports whether a status counts; nil if all do. A session elsewhere need not have begun with the statuses of
	// those before it, so what is pending there says nothing.
	counts func(planfile.Status) bool
}

// FormerProgress collects the statuses of a plan's tasks from former sessions, the newest first.
type FormerProgress struct {
	p       *verdict.Project
	user    string
	path    string // of the plan
	plan    *planfile.File
	tasks   []verdict.Described   // of the plan
	digest  string                // of the plan
	summary string                // the digest of its summary; empty if it has none
	lost    []verdict.LostSession // on the plan, not taken yet, the newest first
	others  *[]otherSession       // those that were not taken yet; nil if they were not looked for
	shared  *team.SharedProgress  // what gsd sync knows of the plan; nil if nothing
	renamed []former              // sessions under former names, to take what is in progress there after all that is complete elsewhere

	Statuses map[int]planfile.Status // by task; those that nobody has set in a former session are missing
	Carried  []Carried
	Left     []Dropped
	From     []verdict.Origin
	begun    bool                  // a former session was added
	again    bool                  // one of them began after the summary was written
	closed   bool                  // nothing older counts
	crumbs   []verdict.LostSession // those on the plan, lost or not, the newest first
}

const (
	formerHead  = 4 << 10 // bytes of one, in which its header is
	formerFiles = 4       // archives of the largest size that are read whole
)

// FindProgress finds what is known of the progress of a user on a plan. r is on the current session and has been judged. With
// fresh there is none.
func FindProgress(p *verdict.Project, r *verdict.Report, at string, plan *planfile.File, fresh bool, now time.Time) *FormerProgress {
	return findProgressAnd(p, removed(p, r.User, now), r, at, plan, fresh, now)
}

// findProgressAnd is formerProgress with the sessions in worktrees that were removed.
func findProgressAnd(p *verdict.Project,
	removed []verdict.LostSession, r *verdict.Report, at string, plan *planfile.File, fresh bool, now time.Time,
) *FormerProgress {
	g := &FormerProgress{
		p: p, user: r.User, path: at, plan: plan, tasks: verdict.Describe(plan), digest: project.Digest(plan.Bytes()),
		Statuses: map[int]planfile.Status{}, closed: fresh,
	}
	if summary := p.Planning.SummaryOf(at); summary != "" {
		g.summary = p.Planning.DigestOf(summary)
	}
	g.crumbs, _ = remembered(p, r, true, now)
	g.crumbs = append(g.crumbs, removed...)
	slices.SortStableFunc(g.crumbs, newestFirst)
	g.crumbs = slices.DeleteFunc(g.crumbs, func(l verdict.LostSession) bool { return g.relationOfCrumb(&l.Crumb) == "" })
	g.lost = slices.DeleteFunc(slices.Clone(g.crumbs), func(l verdict.LostSession) bool { return l.Why == "" })
	g.shared = team.ProgressInClones(p, r.User, at, plan)
	if r.Session != nil {
		g.take(r.Path, r.Session)
	}
	// What gsd sync knows has every change to a session here, with its time, except for what was lost before it was looked at.
	var lost time.Time
	var knew map[string]share.Task
	if len(g.lost) > 0 {
		lost, knew = g.lost[0].Updated, verdict.KnownBy(&g.lost[0].Crumb)
	}
	g.takeShared(lost, knew)
	g.takeArchives()
	g.takeNewer(time.Time{})
	g.takeShared(time.Time{}, nil)
	g.takeFormerElsewhere(now)
	for _, f := range g.renamed {
		g.add(f)
	}
	return g
}

// takeNewer takes the lost sessions, and those in other places, that were last changed after a time, the newest first.
func (g *FormerProgress) takeNewer(than time.Time) {
	for len(g.lost) > 0 && g.lost[0].Updated.After(than) {
		next := g.lost[0]
		g.lost = g.lost[1:]
		g.takeElsewhere(next.Updated)
		g.takeLost(&next)
	}
	g.takeElsewhere(than)
}

// takeArchives takes the archived sessions on the plan, and before each of them what is newer: what was changed after the
// archived session was, or after its time ended, whichever is earlier. A copied directory has new times, and names have no
// fractions of a second.
func (g *FormerProgress) takeArchives() {
	if g.isDone() {
		return
	}
	dir := g.p.Session(g.user).Path()
	budget := durable.NewBudget(formerFiles * g.p.Planning.Limit)
	read := func(name string, whole bool) (src []byte, was durable.Stamp, err error) {
		err = g.p.Planning.In(dir, name, func(root *os.Root, name string) error {
			if whole {
				src, was, err = budget.Read(root, name, g.p.Planning.Limit)
			} else {
				src, was, err = budget.Head(root, name, formerHead)
			}
			return err
		})
		return src, was, err
	}
	archives := session.Archives(g.p.Planning.Names(dir))
	for _, a := range archives[:min(len(archives), verdict.MaxFormer)] {
		head, was, err := read(a.Name, false)
		if err != nil {
			continue
		}
		tasks := func() []verdict.Described {
			src, _, _ := read(a.Name, true) // without it, it has none
			return verdict.Describe(verdict.ParseSession(src))
		}
		if h := planfile.Parse(head).Header; g.relation(g.p.Named(h).Path, h.Digest, tasks) == "" {
			continue
		}
		changed := a.At.Add(time.Second - 1)
		if at := was.ModTime(); at.Before(changed) {
			changed = at
		}
		g.takeNewer(changed)
		if g.isDone() {
			return
		}
		if src, _, err := read(a.Name, true); err == nil {
			g.take(path.Join(dir, a.Name), verdict.ParseSession(src))
		}
	}
}

// WasDone reports whether the plan was done as far as is known, and not begun again since its summary was written.
func (g *FormerProgress) WasDone() bool {
	open := slices.ContainsFunc(g.plan.Tasks, func(t planfile.Task) bool { return g.Statuses[t.Number] != planfile.Complete })
	return g.summary != "" && !open && !g.again
}

// StartOver forgets the progress that was found, but keeps the breadcrumbs.
func (g *FormerProgress) StartOver() {
	g.Statuses, g.Carried, g.Left, g.From = map[int]planfile.Status{}, nil, nil, nil
}

// isDone reports whether older sessions are not needed.
func (g *FormerProgress) isDone() bool { return g.closed || len(g.Statuses) == len(g.plan.Tasks) }

// take takes the statuses of a session file, if it is on the plan. If the file was torn, its breadcrumb has more than what
// is left of it.
func (g *FormerProgress) take(file string, s *planfile.File) {
	if i := slices.IndexFunc(g.lost, func(l verdict.LostSession) bool { return verdict.IsOf(s, &l.Crumb) }); i >= 0 {
		g.takeLost(&g.lost[i])
		g.lost = slices.Delete(g.lost, i, i+1)
	}
	on, tasks := g.p.Named(s.Header).Path, verdict.Describe(s)
	if how := g.relation(on, s.Header.Digest, func() []verdict.Described { return tasks }); how != "" && s.HasStatus() {
		if c, ok := g.p.StateDir.Crumb(g.p.CrumbID(g.user, s)); ok { // which may know more of what was set back
			verdict.AddSet(tasks, &c)
		}
		g.add(former{
			verdict.Origin{Session: file, Plan: on, How: how},
			tasks, strings.EqualFold(s.Header.Digest, g.digest), s.Header.Fresh,
			s.Header.Summary, nil,
		})
	}
}

func (g *FormerProgress) takeLost(l *verdict.LostSession) {
	c := &l.Crumb
	its := former{
		Origin: verdict.Origin{Lost: c.ID, Plan: c.Plan, How: g.relationOfCrumb(c)}, tasks: verdict.DescribeCrumb(c),
		same: strings.EqualFold(c.Digest, g.digest), fresh: c.Fresh, summary: c.Summary,
	}
	if c.Project != g.p.Dir { // a worktree that was removed
		its.fresh, its.counts = false, verdict.WorthCarrying
	}
	g.add(its)
}

// add gives every task that has no status yet the one that a former session has for it.
func (g *FormerProgress) add(f former) {
	if g.isDone() {
		return
	}
	statuses, carried, left := Match(f.tasks, f.same, g.tasks, g.plan.Dialect)
	carried = slices.DeleteFunc(carried, func(c Carried) bool {
		return g.Statuses[c.Number] != "" || f.counts != nil && !f.counts(c.Status)
	})
	for n, status := range statuses {
		if g.Statuses[n] == "" && (f.counts == nil || f.counts(status)) {
			g.Statuses[n] = status
		}
	}
	if len(carried) > 0 && !slices.Contains(g.From, f.Origin) {
		g.From = append(g.From, f.Origin)
	}
	g.Carried = append(g.Carried, carried...)
	if !g.begun || f.Lost != "" { // what else an older session has was said when the next one was made from it
		g.Left = append(g.Left, left...)
	}
	g.begun, g.closed, g.again = true, f.fresh, g.again || f.summary == g.summary
}

// Known returns the breadcrumbs of former sessions on the plan. g may be nil.
func (g *FormerProgress) Known() []verdict.LostSession {
	if g == nil {
		return nil
	}
	return g.crumbs
}

// Has reports whether the new session has all the progress of a session on the plan. g may be nil.
func (g *FormerProgress) Has(c *session.Crumb) bool {
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

// Recall gives each task of a plan its status in a breadcrumb, where tasks are the plan's: by number if the plan is unchanged or its tasks have the same
// names, else by match.
func Recall(c *session.Crumb, plan *planfile.File, tasks []verdict.Described) (statuses map[int]planfile.Status, left []Dropped) {
	statuses, _, left = Match(verdict.DescribeCrumb(c), strings.EqualFold(project.Digest(plan.Bytes()), c.Digest), tasks, plan.Dialect)
	return statuses, left
}
