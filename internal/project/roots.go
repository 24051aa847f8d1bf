package project

// roots.go: choosing between the planning directory, its workstreams and its sub-projects.

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// longestName is how much of a workstream's name is read, in bytes: more than any directory's may have.
const longestName = 300

// chosenRoot returns the root that the environment or upstream's pointer names, "" for none: GSD_PROJECT a sub-project,
// GSD_WORKSTREAM or active-workstream a workstream, in that sub-project if both are set. If what they name does not exist,
// ok is false and there is a warning.
func (p *Project) chosenRoot() (root string, ok bool) {
	root = planref.Planning
	enter := func(from, dir, name string, bare bool) bool {
		at := path.Join(root, dir, name)
		is := name == path.Base(name) && fs.ValidPath(name) && !strings.HasPrefix(name, ".")
		if is = is && (bare || p.isRoot(at)); is {
			root = at
		} else {
			p.Warn(problem.Warning{Code: problem.WorkstreamUnknown, Name: name, Other: from})
		}
		return is
	}
	// A sub-project with workstreams may have no phases of its own.
	if name := p.Subproject; name != "" && !enter("GSD_PROJECT", "", name, p.Workstream != "") {
		return "", false
	}
	name, from := p.Workstream, "GSD_WORKSTREAM"
	if name == "" {
		from = path.Join(root, "active-workstream")
		text, _, _ := p.budget.Head(p.root, from, longestName)
		name = strings.TrimSpace(string(text))
	}
	if name != "" && !enter(from, "workstreams", name, false) {
		return "", false
	}
	if root == planref.Planning {
		return "", true
	}
	return root, true
}

// Flagged returns the root that --ws names; "" without that flag. An error is of kind MissingInput: it names none.
func (p *Project) Flagged() (string, error) {
	if p.Flag == "" {
		return "", nil
	}
	all := slices.Clone(p.Roots())
	sub, stream, _ := strings.Cut(p.Flag, "/")
	for _, root := range []string{path.Join("workstreams", p.Flag), path.Join(sub, "workstreams", stream)} { // those of sub-projects are not listed, nor all of very many
		if root = path.Join(planref.Planning, root); fs.ValidPath(p.Flag) && p.isRoot(root) {
			all = append(all, root)
		}
	}
	var names []string
	for _, root := range all {
		if p.RootName(root) == p.Flag {
			return root, nil
		}
		names = append(names, p.RootName(root))
	}
	return "", problem.Fail(problem.MissingInput, "there are: "+list(names), "no workstream or sub-project %q", p.Flag)
}

// isRoot reports whether a directory is laid out like the planning directory.
func (p *Project) isRoot(dir string) bool {
	return p.Exists(path.Join(dir, "phases")) || p.Exists(path.Join(dir, roadmap.FileName))
}

// IsNamed reports whether the environment names a root.
func (p *Project) IsNamed() bool { return p.Workstream != "" || p.Subproject != "" }

// Pointed returns the root that the environment names, else upstream's file active-workstream, which all terminals share; "" for none. For one
// that does not exist, it is the planning directory.
func (p *Project) Pointed() string {
	root, ok := p.chosenRoot()
	if !ok {
		return planref.Planning
	}
	return p.realRoot(root)
}

// realRoot returns the listed root of which root is another name, as the link workstreams/current is; else root.
func (p *Project) realRoot(root string) string {
	if roots := p.Roots(); root != "" && !slices.Contains(roots, root) {
		if stat, err := p.Stat(root); err == nil {
			for _, other := range roots {
				if info, err := p.Stat(other); err == nil && os.SameFile(stat, info) {
					return other
				}
			}
		}
	}
	return root
}

// RootOfPlan returns the root of a plan, which need not exist.
func (p *Project) RootOfPlan(plan string) string {
	root, _ := RootOf(plan)
	return p.realRoot(cmp.Or(root, planref.Planning))
}

// RootName is how --ws names a root: beta for .planning/workstreams/beta, api for .planning/api, api/beta for a workstream of that, and a
// dot for the planning directory. A workstream that is called as a sub-project is named with the directory that it is in.
func (p *Project) RootName(root string) string {
	below := strings.TrimPrefix(root, planref.Planning+"/")
	stream, isStream := strings.CutPrefix(below, "workstreams/")
	switch {
	case root == planref.Planning:
		return "."
	case isStream && p.isRoot(path.Join(planref.Planning, stream)):
		return below
	case isStream:
		return stream
	}
	return strings.Replace(below, "/workstreams/", "/", 1)
}

// Enter makes a root the one that is meant, with its IDs and sessions.
func (p *Project) Enter(root string) {
	p.Base, p.Undecided = root, nil
	if p.others != nil {
		for _, other := range *p.others {
			other.Base = root
		}
	}
}

// Naming returns the name of the root that is meant, if a command has to name it to mean the same; else "".
func (p *Project) Naming() string {
	if p.Flag == "" && p.Base == p.Default {
		return ""
	}
	return p.RootName(p.Base)
}

// HasSeveral reports whether another root than the planning directory may be meant. In one that has phases and no workstreams, a
// sub-project is meant where it is named.
func (p *Project) HasSeveral() bool {
	return p.Flag != "" || p.IsNamed() || p.Exists(planref.Planning+"/workstreams") || !p.Exists(planref.Planning+"/phases") && len(p.Roots()) > 1
}

// DiskFor lists the phases of the root of a plan, such as a session's in the root base, if it still exists; else of base.
func (p *Project) DiskFor(base, plan string) *roadmap.Disk {
	if root, ok := RootOf(plan); ok && root != base {
		if info, err := p.Stat(root); err == nil && info.IsDir() {
			return p.Phases(root)
		}
	}
	return p.Phases(base)
}

// foremost returns those of several plans that are meant by what they have in common, the name of their files: the ones in the root that
// is meant, if any, and of these the live ones. As in findByID, a live plan comes before an archived one of the planning directory.
func (p *Project) foremost(plans []string) []string {
	if p.isSaid() {
		plans = p.inBase(plans)
	}
	isOver := func(plan string) bool {
		root, _ := RootOf(plan)
		return p.Phases(cmp.Or(root, planref.Planning)).IsOver(plan)
	}
	if live := slices.DeleteFunc(slices.Clone(plans), isOver); len(live) > 0 {
		plans = live
	}
	return p.inBase(plans)
}

// isSaid reports whether the root that is meant was named, or is another than the planning directory.
func (p *Project) isSaid() bool { return p.Base != planref.Planning || p.Flag != "" || p.IsNamed() }

// findByID lists the plans with an ID: those of the root that is meant, or if it has none, those of all roots. The live plan of a workstream
// comes before an archived one of the planning directory, unless that was named.
func (p *Project) findByID(id string) []string {
	if p.isSaid() {
		if found := p.plansByID([]*roadmap.Disk{p.Phases(p.Base)}, id); len(found) > 0 {
			return found
		}
	}
	var disks []*roadmap.Disk
	for _, root := range p.Roots() {
		disks = append(disks, p.Phases(root))
	}
	return p.inBase(p.plansByID(disks, id))
}

// inBase returns those of several plans that are in the root that is meant; all of them if none is, or none is decided on.
func (p *Project) inBase(plans []string) []string {
	isIn := func(plan string) bool {
		root, _ := RootOf(plan)
		return cmp.Or(root, planref.Planning) == p.Base
	}
	if p.Undecided != nil || !slices.ContainsFunc(plans, isIn) {
		return plans
	}
	return slices.DeleteFunc(plans, func(plan string) bool { return !isIn(plan) })
}

// plansByID returns the paths of the plans on some disks with an id, sorted: 03-01, 3-1, 02.1-03 and ABC-03-01 mean a plan of a
// phase, 03 the phase's only PLAN.md or 03-PLAN.md, quick/001 a quick task, and 001 either of the two. If no plan has the id,
// what it means otherwise counts; see [planref.Means]. Plans of archived milestones count only if no live plan has the id. A
// prefix is first taken as the name of a phase, since AUTH-03 may be a plan of phase AUTH, and dropped as a project code only if
// nothing is found.
func (p *Project) plansByID(disks []*roadmap.Disk, id string) []string {
	var found []string
	pick := func(dirsOf func(*roadmap.Disk) []roadmap.Dir) {
		for _, is := range []func(plan *roadmap.Plan) bool{
			func(plan *roadmap.Plan) bool { return planref.SameID(plan.ID, id) },
			func(plan *roadmap.Plan) bool { return planref.Means(id, plan.Path) },
		} {
			for _, d := range disks {
				for _, dir := range dirsOf(d) {
					for i := range dir.Plans {
						if plan := &dir.Plans[i]; is(plan) {
							found = append(found, plan.Path)
						}
					}
				}
			}
			if len(found) > 0 {
				return
			}
		}
	}
	pick(func(d *roadmap.Disk) []roadmap.Dir { return d.Phases })
	// An id like 260322-14r may be a plan of a phase; only if there is none, it is a quick task.
	if name, isQuick := strings.CutPrefix(id, "quick/"); isQuick || len(found) == 0 || !strings.Contains(id, "-") {
		for _, d := range disks {
			for _, plan := range p.Quick(d.Root) {
				dir := path.Base(path.Dir(plan.Path))
				if planref.SameID(plan.ID, "quick/"+name) || name != "" && (dir == name || strings.HasPrefix(dir, name+"-")) {
					found = append(found, plan.Path)
				}
			}
		}
	}
	if len(found) == 0 {
		pick(func(d *roadmap.Disk) []roadmap.Dir { return d.Archived })
	}
	if bare := planref.CutProject(id); len(found) == 0 && bare != id {
		return p.plansByID(disks, bare)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// IsAmbiguous reports whether an ID does not mean one plan alone.
func (p *Project) IsAmbiguous(id, plan string) bool {
	found := p.findByID(id)
	return len(found) != 1 || found[0] != plan
}

// Argument returns what a plan is called on a command line: its ID if that means it alone, else its path.
func (p *Project) Argument(plan string) string {
	id, ok := p.PlanID(plan)
	if !ok || p.IsAmbiguous(id, plan) {
		return plan
	}
	return id
}

// maxRoots is how many roots are read; real projects have less than twenty.
const maxRoots = 500

// Roots lists the planning directory, its workstreams and its sub-projects.
func (p *Project) Roots() []string {
	if p.allRoots == nil {
		p.allRoots = roadmap.Roots(p.Names, p.Exists, planref.Planning)
		if len(p.allRoots) > maxRoots {
			p.Warn(problem.Warning{Code: problem.TooManyRoots, Count: maxRoots - 1, Of: len(p.allRoots) - 1})
			p.allRoots = p.allRoots[:maxRoots]
		}
		p.dropLinkedRoots()
	}
	return p.allRoots
}

// dropLinkedRoots drops links to other roots, such as workstreams/current.
func (p *Project) dropLinkedRoots() {
	listed := map[durable.FileID]bool{}
	var repeated []string
	for _, links := range []bool{false, true} {
		for _, root := range p.allRoots {
			info, err := p.Stat(root)
			if err != nil || p.isLink(root) != links {
				continue
			}
			id := durable.IDOf(info)
			if links && listed[id] && id != (durable.FileID{}) {
				repeated = append(repeated, root)
			}
			listed[id] = true
		}
	}
	p.allRoots = slices.DeleteFunc(p.allRoots, func(root string) bool { return slices.Contains(repeated, root) })
}
