package project

// roots.go: choosing between the planning directory, its workstreams and its sub-projects.

import (
	"cmp"
	"io/fs"
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
		if is = is && (bare || p.Exists(path.Join(at, "phases")) || p.Exists(path.Join(at, roadmap.FileName))); is {
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

// OtherWorkstream returns the workstream or sub-project that the environment names (GSD_WORKSTREAM, GSD_PROJECT), and that of a plan, as
// roots; differs is false if they are the same, or none is named. Upstream's file active-workstream does not count: all
// terminals share it, so it does not say what the caller of one command means. A name that does not exist is another workstream than
// any that does.
func (p *Project) OtherWorkstream(plan string) (set, its string, differs bool) {
	if p.Workstream == "" && p.Subproject == "" || plan == "" {
		return "", "", false
	}
	root, exists := p.chosenRoot()
	own, ok := RootOf(plan)
	if !ok {
		own = planref.Planning
	}
	if !exists { // in a project without workstreams, the name may be meant for another one
		return "", own, own != planref.Planning
	}
	return root, own, root != "" && root != own
}

// named returns the root that the environment names; false if it names none that exists.
func (p *Project) named() (root string, ok bool) {
	if p.Workstream == "" && p.Subproject == "" {
		return "", false
	}
	root, ok = p.chosenRoot()
	return root, ok && root != ""
}

// RootWords is what a root is called in a sentence; "" stands for one that does not exist.
func RootWords(root string) string {
	switch name := path.Base(root); {
	case root == "":
		return "a workstream that does not exist"
	case root == planref.Planning:
		return "no workstream"
	case path.Base(path.Dir(root)) == "workstreams":
		return "workstream " + name
	default:
		return "sub-project " + name
	}
}

// RootSetting says in which environment a command means a root.
func RootSetting(root string) string {
	switch name := path.Base(root); {
	case root == planref.Planning:
		return "GSD_WORKSTREAM and GSD_PROJECT unset"
	case path.Base(path.Dir(root)) != "workstreams":
		return "GSD_PROJECT=" + name + " and GSD_WORKSTREAM unset"
	case path.Dir(path.Dir(root)) == planref.Planning:
		return "GSD_WORKSTREAM=" + name + " and GSD_PROJECT unset"
	default:
		return "GSD_WORKSTREAM=" + name + " and GSD_PROJECT=" + path.Base(path.Dir(path.Dir(root)))
	}
}

// DiskFor lists the phases of the root that is meant: the one that the environment names; else that of a plan, such as a session's, if it
// still exists; else the one that active-workstream names; else the planning directory, unless only a workstream has an open plan.
func (p *Project) DiskFor(plan string) *roadmap.Disk {
	if root, ok := p.named(); ok {
		return p.Phases(root)
	}
	if root, ok := RootOf(plan); ok {
		if info, err := p.Stat(root); err == nil && info.IsDir() {
			return p.Phases(root)
		}
	}
	if root, ok := p.chosenRoot(); root != "" {
		return p.Phases(root)
	} else if !ok {
		return p.Phases(planref.Planning)
	}
	disk := p.Phases(planref.Planning)
	if len(disk.Open()) > 0 {
		return disk
	}
	for _, root := range p.Roots()[1:] {
		if other := p.Phases(root); len(other.Open()) > 0 {
			return other
		}
	}
	return disk
}

// foremost returns those of several plans that are meant by what they have in common, the name of their files: the ones in the chosen
// root, if any, and of these the live ones. For an ID, findByID does the same.
func (p *Project) foremost(plans []string) []string {
	rootOf := func(plan string) string {
		root, _ := RootOf(plan)
		return cmp.Or(root, planref.Planning)
	}
	chosen, _ := p.chosenRoot()
	for _, isMeant := range []func(plan string) bool{
		func(plan string) bool { return rootOf(plan) == chosen },
		func(plan string) bool { return !p.Phases(rootOf(plan)).IsOver(plan) },
	} {
		if meant := slices.DeleteFunc(slices.Clone(plans), func(plan string) bool { return !isMeant(plan) }); len(meant) > 0 {
			plans = meant
		}
	}
	return plans
}

// findByID lists the plans with an ID: those of the chosen root, or if it has none, those of all roots.
func (p *Project) findByID(id string) []string {
	if root, _ := p.chosenRoot(); root != "" {
		if found := p.plansByID([]*roadmap.Disk{p.Phases(root)}, id); len(found) > 0 {
			return found
		}
	}
	var disks []*roadmap.Disk
	for _, root := range p.Roots() {
		disks = append(disks, p.Phases(root))
	}
	return p.plansByID(disks, id)
}

// plansByID returns the paths of the plans on some disks with an id, sorted: 03-01, 3-1, 02.1-03 and ABC-03-01 mean a plan of a
// phase, 03 the phase's only PLAN.md or 03-PLAN.md, quick/001 a quick task, and 001 either of the two. If no plan has the id,
// what it means otherwise counts; see [planref.Means]. Plans of archived milestones count only if no live plan has the id. A
// prefix is first taken as the name of a phase, since AUTH-03 may be a plan of phase AUTH, and dropped as a project code only if
// nothing is found.
func (p *Project) plansByID(disks []*roadmap.Disk, id string) []string {
	var found []string
	pick := func(dirsOf func(*roadmap.Disk) []roadmap.Dir) {
		for _, is := range []func(its *roadmap.Plan) bool{
			func(its *roadmap.Plan) bool { return planref.SameID(its.ID, id) },
			func(its *roadmap.Plan) bool { return planref.Means(id, its.Path) },
		} {
			for _, d := range disks {
				for _, dir := range dirsOf(d) {
					for i := range dir.Plans {
						if its := &dir.Plans[i]; is(its) {
							found = append(found, its.Path)
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
			for _, its := range p.Quick(d.Root) {
				dir := path.Base(path.Dir(its.Path))
				if planref.SameID(its.ID, "quick/"+name) || name != "" && (dir == name || strings.HasPrefix(dir, name+"-")) {
					found = append(found, its.Path)
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
