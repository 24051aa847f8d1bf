package hydrate

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// ResolvePlan returns the path of the plan that a person named: by a path, relative to dir or to the project, or by an ID
// such as 03-01. The file exists, but it has not been read.
func (p *Project) ResolvePlan(dir, name string) (string, error) {
	quick := strings.HasPrefix(name, "quick/") && strings.Count(name, "/") == 1 && path.Ext(name) != ".md"
	switch {
	case name == "":
		return "", fail(Usage, "name a plan by its path, or by an id such as 03-01", "no plan named")
	case strings.ContainsRune(name, 0):
		return "", fail(Usage, "", "a path cannot contain a NUL byte")
	case !quick && (strings.ContainsRune(filepath.ToSlash(name), '/') || strings.HasSuffix(strings.ToLower(name), ".md")):
		return p.planByPath(dir, name)
	}
	return p.planByID(name)
}

// places returns where a file that a person named may be: relative to dir, else to the project.
func (p *Project) places(dir, name string) []string {
	if filepath.IsAbs(name) {
		return []string{name}
	}
	return []string{filepath.Join(dir, name), filepath.Join(p.Dir, name)}
}

func (p *Project) planByPath(dir, name string) (string, error) {
	failed := fail(Refused, "a plan is a file below "+filepath.Join(p.Dir, planning), "%s is outside %s/", name,
		planning)
	for _, candidate := range p.places(dir, name) {
		place, ok := p.inPlanning(candidate)
		if !ok {
			continue
		}
		if failed = p.checkPlan(place); failed == nil {
			return place, nil
		}
		if failed.Kind != MissingInput {
			break
		}
	}
	return "", failed
}

// checkPlan checks a path inside .planning/ without opening it.
func (p *Project) checkPlan(name string) *Error {
	info, err := p.root.Stat(name)
	if err != nil {
		failed := readFailed(name, p.Limit, durable.Failed("stat", name, p.root, err))
		if failed.Kind == MissingInput {
			failed.Text, failed.Hint = "no such plan: "+name, p.plansHint(path.Dir(name))
		}
		return failed
	}
	switch {
	case info.IsDir():
		return fail(BadData, p.plansHint(name), "%s is a directory", name)
	case strings.HasPrefix(name, path.Join(planning, "sessions")+"/"):
		return fail(BadData, "name the plan that the session is on", "%s is a session, not a plan", name)
	case planref.IsOther(path.Base(name)):
		return fail(BadData, p.plansHint(path.Dir(name)), "%s is not a plan", name)
	}
	if err := planfile.CheckHeaderValue(name); err != nil {
		return fail(BadData, "rename it", "the path %q %s", name, err)
	}
	return nil
}

func (p *Project) planByID(id string) (string, error) {
	found := p.findByID(id)
	switch {
	case len(found) == 0 && len(p.warned) > 0:
		return "", fail(Refused, p.plansHint(planning), "no plan has the id %q; %s", id, p.warned[0].Detail)
	case len(found) == 0:
		return "", fail(MissingInput, p.nearestHint(id), "no plan has the id %q", id)
	case len(found) > 1:
		return "", fail(Usage, "name one of them by its path: "+list(found), "the id %q matches %d plans", id, len(found))
	}
	if failed := p.checkPlan(found[0]); failed != nil {
		return "", failed
	}
	return found[0], nil
}

func (p *Project) quick(root string) (quick []roadmap.Plan) {
	p.settle(func() { quick = roadmap.ScanQuick(p.list, root) })
	return quick
}

// plans lists the paths of all plans, sorted.
func (p *Project) plans() (plans []string) {
	for _, root := range p.roots() {
		disk := p.phases(root)
		all := p.quick(root)
		for _, dir := range slices.Concat(disk.Phases, disk.Archived) {
			all = append(all, dir.Plans...)
		}
		for _, plan := range all {
			plans = append(plans, plan.Path)
		}
	}
	slices.Sort(plans)
	return plans
}

// PlanIDs lists the IDs of all plans, sorted, each once.
func (p *Project) PlanIDs() (ids []string) {
	for _, plan := range p.plans() {
		if id, ok := planref.PlanID(plan); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// plansHint names plans at or below a directory, else in the nearest one above it that has some.
func (p *Project) plansHint(dir string) string {
	plans := p.plans()
	for ; strings.HasPrefix(dir, planning); dir = path.Dir(dir) {
		below := slices.DeleteFunc(slices.Clone(plans), func(plan string) bool { return !strings.HasPrefix(plan, dir+"/") })
		if len(below) > 0 {
			return "existing plans: " + list(below)
		}
	}
	return "write a plan first: " + planning + "/phases/NN-name/NN-MM-PLAN.md"
}

// nearestHint names the plans whose IDs come just before and after id.
func (p *Project) nearestHint(id string) string {
	ids := p.PlanIDs()
	if len(ids) == 0 {
		return p.plansHint(planning)
	}
	const before, most = 2, 5
	slices.SortStableFunc(ids, planref.CompareIDs)
	at, _ := slices.BinarySearchFunc(ids, id, planref.CompareIDs)
	from := max(0, min(at-before, len(ids)-most))
	return "the nearest ids: " + strings.Join(ids[from:min(len(ids), from+most)], ", ")
}

func list(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

func (p *Project) readPlan(place string) (*planfile.File, error) {
	src, err := p.read(place)
	if err != nil {
		return nil, readFailed(place, p.Limit, err)
	}
	switch err := planfile.Check(src); {
	case err == nil:
		return planfile.Parse(src), nil
	case errors.Is(err, planfile.ErrBinary):
		return nil, fail(BadData, "a plan is UTF-8 text; a file in UTF-16 must be saved as UTF-8", "%s is binary", place)
	case errors.Is(err, planfile.ErrEmpty):
		return nil, fail(BadData, "write the plan first", "%s: %v", place, err)
	default:
		return nil, fail(BadData, "split it: a plan is what an agent carries out in one go", "%s: %v", place, err)
	}
}
