package upstream

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/status"
)

// difference is a question that the two programs answer differently.
type difference struct {
	*pair
	question string
	at       string // what was asked about: a directory, a plan, a phase
	gsd      string
	upstream string
}

func (d difference) String() string {
	return fmt.Sprintf("%s of %s:\n\tgsd       %s\n\tupstream  %s", d.question, d.at, d.gsd, d.upstream)
}

// pair is one project as both programs read it.
type pair struct {
	made   *project // nil for a real one
	status *status.Status
	told   *told
	dirs   map[string]directory       // upstream's, by path
	plans  map[string]planFact        // upstream's, by path
	ours   map[string]*overview.Phase // by directory
	asked  map[string]int             // questions, by what they ask
	found  []difference
}

// planFact is what upstream reports about a plan.
type planFact struct {
	dir      directory
	name     string // relative to it
	archived bool
	closed   bool
}

// compare asks both about the project in dir.
func compare(t fataler, c *core, dir string, p *project) *pair {
	t.Helper()
	open, err := app.Open(dir)
	if err != nil {
		t.Fatalf("gsd: %v", err)
	}
	defer open.Close()
	st, err := status.Of(open, status.Options{User: "larch"})
	if err != nil {
		t.Fatalf("gsd: %v", err)
	}
	q := question{Dir: dir, Git: p == nil}
	if p != nil {
		q.IDs = p.ids
	}
	x := &pair{
		made: p, status: st, told: c.ask(t, q), dirs: map[string]directory{},
		plans: map[string]planFact{}, ours: map[string]*overview.Phase{}, asked: map[string]int{},
	}
	for i := range st.Phases {
		if ph := &st.Phases[i]; ph.Dir != "" && x.ours[ph.Dir] == nil {
			x.ours[ph.Dir] = ph
		}
	}
	for i, dirs := range [][]directory{x.told.Live, x.told.Archived} {
		for _, d := range dirs {
			x.dirs[d.Dir] = d
			for _, name := range d.Plans {
				x.plans[path.Join(d.Dir, name)] = planFact{d, name, i == 1, slices.Contains(d.Closed, name)}
			}
		}
	}
	x.askPlans()
	x.askTasks(open)
	x.askIDs(open, dir)
	x.askNext()
	x.askRoadmap()
	x.askPosition()
	return x
}

// same asks one question.
func (x *pair) same(question, at string, gsd, upstream any) {
	x.asked[question]++
	if a, b := fmt.Sprint(gsd), fmt.Sprint(upstream); a != b {
		x.found = append(x.found, difference{x, question, at, a, b})
	}
}

// agree reports whether both gave the same answers to some questions. Questions that depend on them are asked only
// then, so that a difference is reported once.
func (x *pair) agree(questions ...string) bool {
	return !slices.ContainsFunc(x.found, func(d difference) bool { return slices.Contains(questions, d.question) })
}

// askPlans asks which plans exist, and which of them are done.
func (x *pair) askPlans() {
	states := map[string]overview.PlanStatus{} // gsd's, by path
	for _, ph := range x.status.Phases {
		for _, plan := range ph.Plans {
			states[plan.Path] = plan.Status
		}
	}
	all := maps.Clone(states)
	for at := range x.plans {
		all[at] = ""
	}
	for _, d := range x.dirs {
		for _, name := range d.Superseded {
			all[path.Join(d.Dir, name)] = ""
		}
	}
	for _, at := range slices.Sorted(maps.Keys(all)) {
		own, known := states[at]
		fact, ok := x.plans[at]
		x.same("plan", at, known, ok)
		if known && ok {
			x.same("closed", at, own == overview.PlanDone, fact.closed)
		}
	}
}

// askTasks asks which tasks a plan has, for every plan that upstream inspects.
func (x *pair) askTasks(p *app.Project) {
	for _, at := range slices.Sorted(maps.Keys(x.told.Tasks)) {
		plan, err := p.Planning.ReadPlan(at)
		if err != nil {
			x.same("tasks", at, err, x.told.Tasks[at])
			continue
		}
		theirs := x.told.Tasks[at]
		var names []string
		for n := range plan.Tasks {
			if n < len(theirs) && theirs[n] == "" { // it reads no name of a checkpoint
				names = append(names, "")
			} else {
				names = append(names, plan.Name(n+1))
			}
		}
		x.same("tasks", at, fmt.Sprintf("%q", names), fmt.Sprintf("%q", theirs))
	}
}

// askIDs asks which plan an id means, for every id that upstream gives to a single live plan.
func (x *pair) askIDs(p *app.Project, dir string) {
	count := map[string]int{}
	for _, fact := range x.plans {
		if !fact.archived {
			count[fact.dir.Canonical[fact.name]]++
		}
	}
	for _, at := range slices.Sorted(maps.Keys(x.plans)) {
		fact := x.plans[at]
		id := fact.dir.Canonical[fact.name]
		if fact.archived || count[id] > 1 || !isPlanID(id) {
			continue
		}
		got, err := p.Planning.ResolvePlan(dir, id)
		if err != nil {
			got = err.Error()
		}
		x.same("id", id, got, at)
	}
}

// isPlanID reports whether an id has two numbers; upstream derives other ids from the rest of a file's name.
func isPlanID(id string) bool {
	a, b, ok := strings.Cut(id, "-")
	return ok && a != "" && b != "" && '0' <= a[0] && a[0] <= '9' && '0' <= b[0] && b[0] <= '9'
}

// askNext asks what is to be done in the phase of the plan that gsd offers. Upstream runs a phase's plans wave by wave.
func (x *pair) askNext() {
	next := x.status.Next
	if next.Plan == "" {
		for _, d := range x.told.Live { // the sentinels' are never to be done
			if !slices.Contains(x.told.Window.Value, path.Base(d.Dir)) {
				continue
			}
			if i := x.told.Index[d.Dir]; i.Error == "" && len(i.Runnable) > 0 && !x.differsIn(d.Dir) {
				x.same("any plan to do", d.Dir, false, len(i.Runnable) > 0)
				return
			}
		}
		x.same("any plan to do", "the project", false, false)
		return
	}
	fact, ok := x.plans[next.Plan]
	if !ok {
		x.same("next", next.Plan, "to do", "no plan")
		return
	}
	index := x.told.Index[fact.dir.Dir]
	if index.Error != "" {
		x.same("next", next.Plan, "to do", index.Error)
		return
	}
	lowest := -1
	var ready []string
	wave := 0
	for _, p := range index.Plans {
		if fact.name == planFile(p.ID, fact.dir) {
			wave = p.Wave
		}
		if !slices.Contains(index.Runnable, p.ID) {
			continue
		}
		if lowest < 0 || p.Wave < lowest {
			lowest, ready = p.Wave, nil
		}
		if p.Wave == lowest {
			ready = append(ready, planFile(p.ID, fact.dir))
		}
	}
	ours := []string{fact.name}
	for _, also := range next.AlsoReady {
		if rel, ok := strings.CutPrefix(also.Plan, fact.dir.Dir+"/"); ok {
			ours = append(ours, rel)
		}
	}
	slices.Sort(ours)
	slices.Sort(ready)
	if x.differsIn(fact.dir.Dir) {
		return // its plans are not the same, and they may wait for each other
	}
	x.same("ready", fact.dir.Dir, ours, ready)
	if next.Wave != nil && slices.Equal(ours, ready) {
		x.same("wave", next.Plan, *next.Wave, wave)
	}
}

// differsIn reports whether something was found to differ in a directory.
func (x *pair) differsIn(dir string) bool {
	return slices.ContainsFunc(x.found, func(d difference) bool { return strings.HasPrefix(d.at, dir+"/") })
}

// planFile is the plan of a directory that upstream's index calls id.
func planFile(id string, d directory) string {
	for _, name := range d.Plans {
		if strings.Replace(strings.Replace(name, "-PLAN.md", "", 1), "PLAN.md", "", 1) == id {
			return name
		}
	}
	return id
}

// askRoadmap asks which phases the current milestone has, and for their names, directories and whether they are
// complete.
func (x *pair) askRoadmap() {
	if x.told.Analyze.Error != "" {
		return
	}
	version, current := "", -1
	for i, m := range x.status.Milestones {
		if m.Current {
			version, current = m.Label, i
		}
	}
	if m := x.told.Milestone.Value; m != nil {
		x.same("milestone", "the project", version, m.Version)
		if m.Version != version {
			return
		}
	}
	ours := map[string]*overview.Phase{}
	var keys []string
	for i := range x.status.Phases {
		ph := &x.status.Phases[i]
		if ph.Line > 0 && (current < 0 || ph.Milestone == current) && !isSentinel(ph.Number) {
			keys = append(keys, key(ph.Number))
			ours[key(ph.Number)] = ph
		}
	}
	var theirs []string
	for _, ph := range x.told.Analyze.Phases {
		theirs = append(theirs, key(ph.Number))
	}
	theirs = append(theirs, x.told.Analyze.missing()...)
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(keys, theirs))))
	for _, k := range all {
		x.same("phase", k, slices.Contains(keys, k), slices.Contains(theirs, k))
	}
	for _, ph := range x.told.Analyze.Phases {
		own := ours[key(ph.Number)]
		if own == nil {
			continue
		}
		x.same("name", ph.Number, own.Name, ph.Name)
		if at, ok := x.told.Found[ph.Number]; ok && !own.Archived {
			if len(at.Ambiguous) > 0 {
				at.Directory = "ambiguous"
			}
			if !strings.Contains(at.Directory, "/milestones/") {
				x.same("directory", ph.Number, own.Dir, at.Directory)
				if at.Directory != own.Dir && !bracketDir.MatchString(path.Base(own.Dir)) {
					continue // whether it is complete is said of another
				}
			}
		}
		x.same("complete", ph.Number, own.Status == overview.PhaseComplete, ph.DiskStatus == "complete")
	}
}

// isSentinel reports whether a phase is one that gsd shows but never counts; upstream does not even show it.
func isSentinel(number string) bool {
	n, _ := planref.ParseNumber(number)
	return n.IsSentinel()
}

// key returns the same text for all spellings of a phase.
func key(number string) string {
	parts := strings.Split(strings.ToUpper(number), "-")
	for i, part := range parts {
		for len(part) > 1 && part[0] == '0' && '0' <= part[1] && part[1] <= '9' {
			part = part[1:]
		}
		parts[i] = part
	}
	return strings.Join(parts, "-")
}

// askPosition asks for the position of the project.
func (x *pair) askPosition() {
	pos := x.status.Position
	if a := x.told.Analyze; a.Error == "" && x.agree("plan", "closed", "milestone", "phase", "directory", "complete") {
		current := a.CurrentPhase
		if current == "" {
			current = a.NextPhase
		}
		x.same("current phase", "the project", key(pos.Phase), key(current))
	}
	pr := x.told.State.Progress
	if x.told.State.Error != "" || !x.agree("plan", "closed", "milestone", "phase", "directory", "complete") {
		return
	}
	number := func(n *int) string {
		if n == nil {
			return "none"
		}
		return fmt.Sprint(*n)
	}
	if pr.TotalPhases == nil && pr.TotalPlans == nil && pos.Phases == 0 && pos.AllPlans == 0 {
		return // there is nothing to count, and upstream counts nothing
	}
	x.same("total plans", "the project", pos.AllPlans, number(pr.TotalPlans))
	x.same("completed plans", "the project", pos.AllDone, number(pr.CompletedPlans))
	x.same("total phases", "the project", pos.Phases, number(pr.TotalPhases))
	x.same("completed phases", "the project", pos.PhasesDone, number(pr.CompletedPhases))
	percent := &pos.Percent
	if pos.Percent < 0 {
		percent = nil
	}
	x.same("percent", "the project", number(percent), number(pr.Percent))
}
