package history

// progress.go: where progress on a plan is known from, as one list in one order: the session here; what gsd sync knows and was set
// after anything was lost; archived and lost sessions, and the user's sessions in other worktrees and under former names, the last
// changed first; what else gsd sync knows; what is complete by former sessions of other worktrees; and what is only in progress
// under a former name.

import (
	"cmp"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Progress is what one source says of the tasks of a plan.
type Progress struct {
	Sources []verdict.Origin           // one, unless another worktree's sources are taken together
	When    time.Time                  // when it was last changed
	Tasks   []verdict.Described        // as the source has them, to be matched with the plan's
	Trust   func(planfile.Status) bool // reports which of its statuses count; nil if all do

	order    int                     // among those of one time, see inOrder
	same     bool                    // the plan still has the same bytes
	fresh    bool                    // nothing before it counts
	summary  string                  // the digest of the summary that the plan had when it began
	statuses map[int]planfile.Status // by the plan's own numbers, instead of Tasks
	carried  []Carried               // those of statuses that say that somebody has worked
}

// In the order of sources of one time.
const (
	tornFirst = iota // the breadcrumb of a session file that was torn has more than what is left of it
	inFile
	onlyCrumb
	inOtherPlace
)

const (
	formerHead  = 4 << 10 // bytes of an archive in which its header is
	formerFiles = 4       // archives of the largest size that are read whole
)

func (p *Progress) isLost() bool { return len(p.Sources) == 1 && p.Sources[0].Lost != "" }

// inOrder yields the sources. Those that cost most to find come last, and are only looked for if they are asked for.
func (g *Former) inOrder(r *verdict.Report, now time.Time) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		lost := slices.DeleteFunc(slices.Clone(g.crumbs), func(l verdict.LostSession) bool { return l.Why == "" })
		each := func(all []Progress) bool {
			return !slices.ContainsFunc(all, func(p Progress) bool { return !yield(p) })
		}
		var here []Progress
		if r.Session != nil {
			here = g.ofFile(r.Path, r.Session, time.Time{}, &lost)
		}
		// What gsd sync knows has every change to a session here, with its time, except for what was lost before it was looked at.
		var known map[string]share.Task
		var since time.Time
		if len(lost) > 0 {
			since, known = lost[0].Updated, verdict.KnownBy(&lost[0].Crumb)
		}
		shared := team.ProgressInClones(g.p, g.user, g.path, g.plan)
		if !each(here) || !each(synced(shared, since, known)) {
			return
		}
		formerly := g.archives(&lost)
		for i := range lost {
			formerly = append(formerly, g.ofCrumb(&lost[i]))
		}
		there, renamed := g.otherPlaces()
		formerly = append(formerly, there...)
		for _, at := range g.p.Worktrees() {
			if its, ok := g.formerlyAt(at, now); ok {
				formerly = append(formerly, its)
			}
		}
		slices.SortStableFunc(formerly, func(a, b Progress) int {
			return cmp.Or(b.When.Compare(a.When), a.order-b.order)
		})
		if !each(formerly) || !each(synced(shared, time.Time{}, nil)) {
			return
		}
		each(renamed)
	}
}

// ofFile returns what a session file that was last changed at a time has, if it is on the plan. The breadcrumb of one that was torn
// comes first, and is taken from lost.
func (g *Former) ofFile(file string, s *planfile.File, changed time.Time, lost *[]verdict.LostSession) (all []Progress) {
	if i := slices.IndexFunc(*lost, func(l verdict.LostSession) bool { return verdict.IsOf(s, &l.Crumb) }); i >= 0 {
		torn := g.ofCrumb(&(*lost)[i])
		torn.order = tornFirst
		if torn.When.Before(changed) {
			torn.When = changed
		}
		all = append(all, torn)
		*lost = slices.Delete(*lost, i, i+1)
	}
	on, tasks := g.p.Named(s.Header).Path, verdict.Describe(s)
	how := g.relation(on, s.Header.Digest, func() []verdict.Described { return tasks })
	if how == "" || !s.HasStatus() {
		return all
	}
	if c, ok := g.p.StateDir.Crumb(g.p.CrumbID(g.user, s)); ok { // which may know more of what was set back
		verdict.AddSet(tasks, &c)
	}
	return append(all, Progress{
		Sources: []verdict.Origin{{Session: file, Plan: on, How: how}}, When: changed, Tasks: tasks, order: inFile,
		same: strings.EqualFold(s.Header.Digest, g.digest), fresh: s.Header.Fresh, summary: s.Header.Summary,
	})
}

// ofCrumb returns what the breadcrumb of a lost session has.
func (g *Former) ofCrumb(l *verdict.LostSession) Progress {
	c := &l.Crumb
	its := Progress{
		Sources: []verdict.Origin{{Lost: c.ID, Plan: c.Plan, How: g.relationOfCrumb(c)}}, When: l.Updated, Tasks: verdict.DescribeCrumb(c),
		order: onlyCrumb, same: strings.EqualFold(c.Digest, g.digest), fresh: c.Fresh, summary: c.Summary,
	}
	if c.Project != g.p.Dir { // a worktree that was removed
		its.fresh, its.Trust = false, verdict.WorthCarrying
	}
	return its
}

// archives returns what the archived sessions on the plan have. One was last changed when its file was, or when its time ended,
// whichever is earlier: a copied directory has new times, and names have no fractions of a second. By their names they are in order,
// whatever the clock was.
func (g *Former) archives(lost *[]verdict.LostSession) (all []Progress) {
	dir := g.p.Session(g.user).Path()
	budget := g.budget
	if budget == nil {
		budget = durable.NewBudget(formerFiles * g.p.Planning.Limit)
	}
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
	var changed time.Time
	archives := session.Archives(g.p.Planning.Names(dir))
	for _, a := range archives[:min(len(archives), verdict.MaxArchiveHeads)] {
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
		for _, at := range []time.Time{a.At.Add(time.Second - 1), was.ModTime()} {
			if changed.IsZero() || at.Before(changed) {
				changed = at
			}
		}
		if src, _, err := read(a.Name, true); err == nil {
			all = append(all, g.ofFile(path.Join(dir, a.Name), verdict.ParseSession(src), changed, lost)...)
		}
	}
	return all
}

// otherPlaces returns what the user's sessions in other worktrees and under former names have, and those of others that are taken over.
// Other work was done there at the same time: what is complete or skipped counts, for that was decided of the plan; what is not says nothing about this place. What is in
// progress under a former name, or was taken over, counts, too, but after all else; in another worktree, somebody may be at work on it.
func (g *Former) otherPlaces() (all, renamed []Progress) {
	for _, its := range append(elsewhere(g.p, g.user), g.others...) {
		tasks := verdict.Describe(its.Session)
		how := g.relation(its.Plan.Path, its.Session.Header.Digest, func() []verdict.Described { return tasks })
		if how == "" {
			continue
		}
		there := Progress{
			Sources: []verdict.Origin{{Session: its.File, Plan: its.Plan.Path, How: how}}, When: its.Changed, Tasks: tasks,
			order: inOtherPlace, same: strings.EqualFold(its.Session.Header.Digest, g.digest), Trust: planfile.Status.Over,
		}
		if its.isOthers {
			from := &there.Sources[0]
			from.User, from.Over, from.Tasks = its.User, its.Done+its.Skipped, its.Total
		}
		all = append(all, there)
		if its.at == g.p || its.isOthers {
			there.Trust = verdict.WorthCarrying
			renamed = append(renamed, there)
		}
	}
	return all, renamed
}

// formerlyAt returns what is complete or skipped by the user's archived and lost sessions in another worktree.
func (g *Former) formerlyAt(at *verdict.Project, now time.Time) (Progress, bool) {
	r, err := at.Hydrate(g.user)
	if err != nil {
		return Progress{}, false
	}
	there := findFormer(at, nil, r, g.path, g.plan, false, now)
	its := Progress{statuses: there.Statuses, carried: there.Carried, When: there.newest, Trust: planfile.Status.Over, order: inOtherPlace}
	for _, from := range there.From {
		from.Here = false
		if from.Session != "" {
			from.Session = filepath.Join(at.Dir, filepath.FromSlash(from.Session))
		}
		its.Sources = append(its.Sources, from)
	}
	return its, true
}

// synced returns the statuses that were set in any clone after a time, and those that are newer than what is known of the task.
func synced(shared *team.SharedProgress, after time.Time, known map[string]share.Task) (all []Progress) {
	if shared == nil {
		return nil
	}
	for _, n := range slices.Sorted(maps.Keys(shared.Tasks)) {
		t := shared.Tasks[n]
		before, has := known[t.ID]
		if !t.Stamp.Time().After(after) && (!has || t.Stamp.Compare(before.Stamp) <= 0) {
			continue
		}
		its := Progress{Sources: []verdict.Origin{t.From}, statuses: map[int]planfile.Status{n: t.Status}}
		if verdict.WorthCarrying(t.Status) {
			its.carried = []Carried{{Number: n, From: n, Status: t.Status}}
		}
		all = append(all, its)
	}
	return all
}
