package hydrate

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
	"github.com/gsd-cli/gsd/planfile"
)

// An Origin is a former session whose progress was carried over.
type Origin struct {
	Session string `json:"session" empty:"null"` // its file, relative to the project; null if it was lost, or is in another clone
	Lost    string `json:"lost" empty:"null"`    // its ID, if it was lost and only its breadcrumb was left; else null
	// Machine is where the session is or was, if only gsd sync knows of it; then session and lost are null.
	Machine string    `json:"machine,omitempty"`
	Here    bool      `json:"here,omitempty"`       // it was in this very clone, and gsd sync remembers it
	Changed time.Time `json:"changed" empty:"null"` // when it last changed, if only gsd sync knows of it
	Plan    string    `json:"plan"`                 // the plan that it was on, relative to the project
	How     Relation  `json:"how"`                  // how it is known to be on the same plan
}

// A former is a session that was on the plan.
type former struct {
	Origin
	tasks   []described
	same    bool   // the plan still has the same bytes
	fresh   bool   // nothing before it counts
	summary string // the digest of the summary that the plan had when it began
	// counts reports whether a status counts; nil if all do. A session elsewhere need not have begun with the statuses of
	// those before it, so what is pending there says nothing.
	counts func(planfile.Status) bool
}

// formerProgress collects the statuses of a plan's tasks from former sessions, the newest first.
type formerProgress struct {
	p       *Project
	user    string
	path    string // of the plan
	plan    *planfile.File
	tasks   []described     // of the plan
	digest  string          // of the plan
	summary string          // the digest of its summary; empty if it has none
	lost    []LostSession   // on the plan, not taken yet, the newest first
	others  *[]otherSession // those that were not taken yet; nil if they were not looked for
	shared  *sharedProgress // what gsd sync knows of the plan; nil if nothing
	renamed []former        // sessions under former names, to take what is in progress there after all that is complete elsewhere

	statuses map[int]planfile.Status // by task; those that nobody has set in a former session are missing
	carried  []Carried
	left     []Dropped
	from     []Origin
	begun    bool          // a former session was added
	again    bool          // one of them began after the summary was written
	closed   bool          // nothing older counts
	crumbs   []LostSession // those on the plan, lost or not, the newest first
}

// maxFormer is of how many archives the header is read, the latest.
const maxFormer = 1000

const (
	formerHead  = 4 << 10 // bytes of one, in which its header is
	formerFiles = 4       // archives of the largest size that are read whole
)

// formerProgress finds what is known of the progress of a user on a plan. r is on the current session and has been judged. With
// fresh there is none.
func (p *Project) formerProgress(r *Report, at string, plan *planfile.File, fresh bool, now time.Time) *formerProgress {
	return p.formerProgressAnd(p.removed(r.User, now), r, at, plan, fresh, now)
}

// formerProgressAnd is formerProgress with the sessions in worktrees that were removed.
func (p *Project) formerProgressAnd(
	removed []LostSession, r *Report, at string, plan *planfile.File, fresh bool, now time.Time,
) *formerProgress {
	g := &formerProgress{
		p: p, user: r.User, path: at, plan: plan, tasks: describe(plan), digest: project.Digest(plan.Bytes()),
		statuses: map[int]planfile.Status{}, closed: fresh,
	}
	if summary := p.project.SummaryOf(at); summary != "" {
		g.summary = p.project.DigestOf(summary)
	}
	g.crumbs, _ = p.remembered(r, true, now)
	g.crumbs = append(g.crumbs, removed...)
	slices.SortStableFunc(g.crumbs, newestFirst)
	g.crumbs = slices.DeleteFunc(g.crumbs, func(l LostSession) bool { return g.relationOfCrumb(&l.crumb) == "" })
	g.lost = slices.DeleteFunc(slices.Clone(g.crumbs), func(l LostSession) bool { return l.Why == "" })
	g.shared = p.sharedProgress(r.User, at, plan)
	if r.Session != nil {
		g.take(r.Path, r.Session)
	}
	// What gsd sync knows has every change to a session here, with its time, except for what was lost before it was looked at.
	var lost time.Time
	var knew map[string]share.Task
	if len(g.lost) > 0 {
		lost, knew = g.lost[0].Updated, knownBy(&g.lost[0].crumb)
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
func (g *formerProgress) takeNewer(than time.Time) {
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
func (g *formerProgress) takeArchives() {
	if g.isDone() {
		return
	}
	dir := g.p.session(g.user).Path()
	budget := durable.NewBudget(formerFiles * g.p.project.Limit)
	read := func(name string, whole bool) (src []byte, was durable.Stamp, err error) {
		err = g.p.project.In(dir, name, func(root *os.Root, name string) error {
			if whole {
				src, was, err = budget.Read(root, name, g.p.project.Limit)
			} else {
				src, was, err = budget.Head(root, name, formerHead)
			}
			return err
		})
		return src, was, err
	}
	archives := session.Archives(g.p.project.Names(dir))
	for _, a := range archives[:min(len(archives), maxFormer)] {
		head, was, err := read(a.Name, false)
		if err != nil {
			continue
		}
		tasks := func() []described {
			src, _, _ := read(a.Name, true) // without it, it has none
			return describe(parseSession(src))
		}
		if h := planfile.Parse(head).Header; g.relation(g.p.named(h).Path, h.Digest, tasks) == "" {
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
			g.take(path.Join(dir, a.Name), parseSession(src))
		}
	}
}

// wasDone reports whether the plan was done as far as is known, and not begun again since its summary was written.
func (g *formerProgress) wasDone() bool {
	open := slices.ContainsFunc(g.plan.Tasks, func(t planfile.Task) bool { return g.statuses[t.Number] != planfile.Complete })
	return g.summary != "" && !open && !g.again
}

// startOver forgets the progress that was found, but keeps the breadcrumbs.
func (g *formerProgress) startOver() {
	g.statuses, g.carried, g.left, g.from = map[int]planfile.Status{}, nil, nil, nil
}

// isDone reports whether older sessions are not needed.
func (g *formerProgress) isDone() bool { return g.closed || len(g.statuses) == len(g.plan.Tasks) }

// take takes the statuses of a session file, if it is on the plan. If the file was torn, its breadcrumb has more than what
// is left of it.
func (g *formerProgress) take(file string, s *planfile.File) {
	if i := slices.IndexFunc(g.lost, func(l LostSession) bool { return isOf(s, &l.crumb) }); i >= 0 {
		g.takeLost(&g.lost[i])
		g.lost = slices.Delete(g.lost, i, i+1)
	}
	on, tasks := g.p.named(s.Header).Path, describe(s)
	if how := g.relation(on, s.Header.Digest, func() []described { return tasks }); how != "" && s.HasStatus() {
		if c, ok := g.p.StateDir.Crumb(g.p.crumbID(g.user, s)); ok { // which may know more of what was set back
			addSet(tasks, &c)
		}
		g.add(former{
			Origin{Session: file, Plan: on, How: how},
			tasks, strings.EqualFold(s.Header.Digest, g.digest), s.Header.Fresh,
			s.Header.Summary, nil,
		})
	}
}

func (g *formerProgress) takeLost(l *LostSession) {
	c := &l.crumb
	its := former{
		Origin: Origin{Lost: c.ID, Plan: c.Plan, How: g.relationOfCrumb(c)}, tasks: describeCrumb(c),
		same: strings.EqualFold(c.Digest, g.digest), fresh: c.Fresh, summary: c.Summary,
	}
	if c.Project != g.p.Dir { // a worktree that was removed
		its.fresh, its.counts = false, worthCarrying
	}
	g.add(its)
}

// add gives every task that has no status yet the one that a former session has for it.
func (g *formerProgress) add(f former) {
	if g.isDone() {
		return
	}
	statuses, carried, left := match(f.tasks, f.same, g.tasks, g.plan.Dialect)
	carried = slices.DeleteFunc(carried, func(c Carried) bool {
		return g.statuses[c.Number] != "" || f.counts != nil && !f.counts(c.Status)
	})
	for n, status := range statuses {
		if g.statuses[n] == "" && (f.counts == nil || f.counts(status)) {
			g.statuses[n] = status
		}
	}
	if len(carried) > 0 && !slices.Contains(g.from, f.Origin) {
		g.from = append(g.from, f.Origin)
	}
	g.carried = append(g.carried, carried...)
	if !g.begun || f.Lost != "" { // what else an older session has was said when the next one was made from it
		g.left = append(g.left, left...)
	}
	g.begun, g.closed, g.again = true, f.fresh, g.again || f.summary == g.summary
}

// known returns the breadcrumbs of former sessions on the plan. g may be nil.
func (g *formerProgress) known() []LostSession {
	if g == nil {
		return nil
	}
	return g.crumbs
}

// has reports whether the new session has all the progress of a session on the plan. g may be nil.
func (g *formerProgress) has(c *session.Crumb) bool {
	if g == nil || g.relationOfCrumb(c) == "" {
		return false
	}
	statuses, left := recall(c, g.plan, g.tasks)
	for n, status := range statuses {
		is := g.statuses[n]
		if worthCarrying(status) && status != is && is != planfile.Complete {
			return false
		}
	}
	return len(left) == 0
}
