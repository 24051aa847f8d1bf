package doctor

// plans.go: what is wrong with the plans that are still to be carried out: open ones in phases that are not over. What
// nobody will carry out may be as it is. What somebody wrote is for a person to change, so a finding says how, and has no command.
// At 476 real moments, with 1,867 open plans in all, five mistakes are found, and all of them are real.

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/planfile"
)

// The codes of findings about plans, besides those of planfile.Problems.
const (
	PlanTooLarge      = "plan-too-large" // or it has too many tags
	PlanEmpty         = "plan-empty"
	PlanBinary        = "plan-binary" // it is no text in UTF-8
	PlanRepeated      = "plan-id-repeated"
	DependencyUnknown = "dependency-unknown"
	DependencyCycle   = "dependency-cycle"
	FrontMatterUnread = "front-matter-unreadable"
	FilesOverlap      = "files-overlap" // a note
)

// checkPlans checks the plans of all roots.
func (d *checkup) checkPlans() {
	for _, root := range d.Planning.Roots() {
		disk := d.Planning.Phases(root)
		name, parsed, err := d.Planning.NearestRoadmap(path.Join(root, "x"))
		d.Planning.NoteUnread(name, err) // it may also be no text
		state := path.Join(root, "STATE.md")
		if src, err := d.Planning.Read(state); err == nil {
			d.Planning.NoteUnread(state, planfile.CheckConflict(src))
		}
		if parsed == nil {
			parsed = &roadmap.Roadmap{}
		}
		o := d.orderOf(disk, parsed)
		ids := map[string][]*roadmap.Plan{}
		var open []*roadmap.Plan
		for i := range disk.Phases {
			for j := range disk.Phases[i].Plans {
				if plan := &disk.Phases[i].Plans[j]; plan.ID != "" {
					ids[numberOf(plan)] = append(ids[numberOf(plan)], plan)
				}
			}
		}
		for _, e := range roadmap.Join(disk, parsed) {
			if e.Dir != nil && e.Dir.Milestone == "" {
				d.checkDrafts(e.Dir)
			}
			if e.Dir == nil || e.IsArchived() || e.Status.Closed() {
				continue
			}
			for i := range e.Dir.Plans {
				plan := &e.Dir.Plans[i]
				if plan.Done() {
					continue
				}
				d.Plans++
				open = append(open, plan)
				d.checkID(plan, ids)
				d.checkPlan(plan, &o)
			}
		}
		d.noteOverlaps(open)
	}
}

// numberOf returns a plan's id without the slug that tells it from another plan with its number: what commits say means both.
func numberOf(plan *roadmap.Plan) string {
	if plan.Number.IsZero() {
		return plan.ID
	}
	return strings.TrimSuffix(plan.ID, "-"+plan.Word)
}

// checkID finds another plan with the id of an open one. Of all with that id, one keeps it: a done one, else the first. A done
// one in another directory does not count: projects number their phases again from 1 with each milestone.
func (d *checkup) checkID(plan *roadmap.Plan, ids map[string][]*roadmap.Plan) {
	same := slices.DeleteFunc(slices.Clone(ids[numberOf(plan)]), func(other *roadmap.Plan) bool {
		return other.Done() && path.Dir(other.Path) != path.Dir(plan.Path)
	})
	if len(same) < 2 {
		return
	}
	keeps := same[max(0, slices.IndexFunc(same, (*roadmap.Plan).Done))]
	if keeps.Path == plan.Path {
		return
	}
	f := Finding{Warning: problem.Warning{Code: PlanRepeated, Path: plan.Path, ID: numberOf(plan), Other: keeps.Path}}
	name := freeName(plan, ids)
	for name != "" && d.Planning.SummaryOf(name) != "" { // it would be done
		name = freeName(plan, ids)
	}
	if name != "" {
		f.Name = path.Base(name)
	}
	d.found(f)
}

// freeName returns a path for a plan with the next number of its phase, "" if its name has no number to replace.
func freeName(plan *roadmap.Plan, ids map[string][]*roadmap.Plan) string {
	free, number := "", ""
	for n := 1; n < 1000 && free == ""; n++ {
		number = fmt.Sprintf("%02d", n)
		if id := plan.Phase.Padded() + "-" + number; len(ids[id]) == 0 {
			free = id
		}
	}
	dir, base := path.Split(plan.Path)
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	for end := len(base); end > 0; {
		end = strings.LastIndexFunc(base[:end], isDigit) + 1
		start := strings.LastIndexFunc(base[:end], func(r rune) bool { return !isDigit(r) }) + 1
		name := dir + base[:start] + number + base[end:]
		if id, ok := planref.PlanID(name); ok && id == free {
			ids[free] = append(ids[free], plan) // it is taken now
			return name
		}
		end = start
	}
	return ""
}

// An ordering is what is wrong with the order of the plans of a root, by path.
type ordering struct {
	dangling  map[string][]frontmatter.Dependency // entries of depends_on that refer to nothing
	cycles    map[string]*next.Cycle              // the same for all plans of a cycle
	conflicts map[string]next.WaveConflict        // the latest wave that a plan depends on, outside of cycles
}

// orderOf judges the order of the plans on a disk, and reads it.
func (d *checkup) orderOf(disk *roadmap.Disk, parsed *roadmap.Roadmap) ordering {
	o := ordering{map[string][]frontmatter.Dependency{}, map[string]*next.Cycle{}, map[string]next.WaveConflict{}}
	meta := func(p *roadmap.Plan) frontmatter.Meta { return d.Planning.Meta(p.Path) }
	for plan, on := range next.Dangling(disk, d.Planning.Names, meta) { // before Read, which moves the plans
		o.dangling[plan.Path] = on
	}
	disk.Read(d.Planning.StatusOf, parsed)
	cycles := next.Cycles(disk, meta)
	for i := range cycles {
		for _, plan := range cycles[i].Plans {
			o.cycles[plan.Path] = &cycles[i]
		}
	}
	for c := range next.WaveConflicts(disk, meta) {
		if of := o.cycles[c.Plan.Path]; of != nil && of == o.cycles[c.On.Path] {
			continue // no wave would be right
		}
		if was, ok := o.conflicts[c.Plan.Path]; !ok || was.OnWave < c.OnWave {
			o.conflicts[c.Plan.Path] = c
		}
	}
	return o
}

// checkPlan checks one open plan: what depends_on says of nothing, its wave, and its tasks.
func (d *checkup) checkPlan(plan *roadmap.Plan, o *ordering) {
	src, err := d.Planning.Read(plan.Path)
	if err != nil {
		return // see checkUnread
	}
	if err := planfile.Check(src); isConflict(err) {
		d.Planning.NoteUnread(plan.Path, err)
		return
	} else if err != nil {
		f := Finding{Warning: problem.Warning{Code: PlanTooLarge, Path: plan.Path, Says: err.Error()}}
		switch {
		case errors.Is(err, planfile.ErrEmpty):
			f.Code = PlanEmpty
		case errors.Is(err, planfile.ErrBinary):
			f.Code = PlanBinary
		}
		d.bringBack(&f, planfile.Check)
		d.found(f)
		return
	}
	for _, fault := range frontmatter.Faults(src) {
		d.add(problem.Warning{Code: FrontMatterUnread, Path: plan.Path, Line: fault.Line, Says: fault.Detail})
	}
	for _, dep := range o.dangling[plan.Path] {
		d.add(problem.Warning{Code: DependencyUnknown, Path: plan.Path, Line: frontmatter.Line(src, "depends_on"), Name: dep.Text})
	}
	if c := o.cycles[plan.Path]; c != nil {
		w := problem.Warning{Code: DependencyCycle, Path: plan.Path, Line: frontmatter.Line(src, "depends_on")}
		for _, p := range c.Way {
			w.Names = append(w.Names, p.Label())
		}
		d.add(w)
		for _, other := range c.Plans {
			delete(o.cycles, other.Path)
		}
	}
	if c, ok := o.conflicts[plan.Path]; ok {
		w := answer.WaveWarning([]next.WaveConflict{c})
		w.Path, w.Line, w.Count = plan.Path, frontmatter.Line(src, "wave"), 0
		d.add(w)
	}
	d.checkTasks(plan.Path, src)
}

// checkTasks checks the tasks of a plan or of a session file.
func (d *checkup) checkTasks(name string, src []byte) {
	file := planfile.Parse(src)
	inSession := name == d.Session(d.o.User.Name).File()
	for _, p := range append(file.UnclosedParts(), file.Problems()...) {
		f := Finding{Warning: problem.Warning{Code: p.Code, Path: name, Line: p.Line, Says: p.Detail}}
		switch {
		case p.Tag != "":
			f.End = p.End
		case p.Code == "status-missing" && !inSession: // as in every plan
			continue
		case p.Code == "status-unknown" && !inSession && isClear(file.Tasks[p.Task-1].Status):
			continue
		case inSession && p.Code != "status-duplicate":
			f.Fix = action.Action{Kind: action.Reset, Task: p.Task}
		}
		d.found(f)
	}
}

// isClear reports whether a plan's own word on a task means a status.
func isClear(word planfile.Status) bool {
	_, err := planfile.ParseStatus(string(word))
	return err == nil
}
