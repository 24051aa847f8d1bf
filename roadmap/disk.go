package roadmap

// disk.go: what directories show of a project's phases and plans. A plan is done when its summary is there, unless the two
// say otherwise of themselves, which Read asks them.

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Disk is the phases and plans of one root: the planning directory itself, or a workstream or sub-project in
// it, which is laid out the same way.
type Disk struct {
	Root     string // `.planning`, `.planning/workstreams/api`
	Phases   []Dir  // by number, those without one last
	Archived []Dir  // the phases of milestones that are over, `milestones/v1.2-phases/*`, by milestone and number
	Quick    []Plan // quick tasks, which belong to no phase

	closed []string // the versions whose roadmap was archived, too
	active string   // the directory in the archive that holds phases of the current milestone; "" for none
}

// Dir is one phase's directory.
type Dir struct {
	Path      string
	Number    planref.Number // zero where its name begins with none
	Slug      string
	Milestone string // the version of the archive that it lies in, "" for a live phase
	Plans     []Plan // by number, then by name
	// The reports of the phase that lie there, by path, "" for none: of its verification, and what comes before its plans.
	Verification, Context, Research string
	// Verified is the status of the verification, such as gaps_found; "" where there is none. Read asks for it.
	Verified string
}

// Plan is one plan that is there.
type Plan struct {
	Path    string
	ID      string         // as PlanID gives it; "" where it has no number
	Phase   planref.Number // of its directory; zero for a quick task
	Number  planref.Number // zero for a `PLAN.md`
	Summary string         // the path of its summary, "" while it is not done
	// Halted reports that its summary says it was stopped on purpose: what depends on it must not begin.
	Halted bool
}

// Done reports whether the plan has its summary.
func (p *Plan) Done() bool { return p.Summary != "" }

// Label is what a person calls the plan: its id, else its path.
func (p *Plan) Label() string { return cmp.Or(p.ID, p.Path) }

// Done is how many of the directory's plans have a summary.
func (d *Dir) Done() int {
	n := 0
	for i := range d.Plans {
		if d.Plans[i].Done() {
			n++
		}
	}
	return n
}

// Unverified returns the status of a verification that the phase did not pass; "" where there is none, or it passed.
func (d *Dir) Unverified() string {
	if d.Verified == VerificationPassed {
		return ""
	}
	return d.Verified
}

// VerificationPassed is the status of a verification that lets a phase be complete.
const VerificationPassed = "passed"

// Open lists the live plans that have no summary, in the order of phases.
func (d *Disk) Open() []*Plan {
	var open []*Plan
	for _, dir := range d.Phases {
		for i := range dir.Plans {
			if p := &dir.Plans[i]; !p.Done() {
				open = append(open, p)
			}
		}
	}
	return open
}

// Read asks the files of the live phases what they say of themselves: how the verification of a phase ended; a plan whose
// status is superseded is no plan to do, and is taken out; a summary whose status is blocked ends nothing; one that is halted
// ends its plan, and holds up what depends on it. meta reads the front matter of the file at a path. What held a plan of d is
// to be asked again.
//
// Reading thousands of files would take longer than all the rest. So no summary is read of a phase that the roadmap has as
// complete and whose verification did not fail, because somebody looked at them when the phase was closed; no verification of
// a milestone that was shipped; and no plan of a phase without any summary, because Next reads the plans that it offers.
func (d *Disk) Read(meta func(path string) Meta, r *Roadmap) {
	shipped, complete := map[string]bool{}, map[string]bool{}
	for _, m := range r.Milestones {
		shipped[m.Version] = m.Status == Complete
	}
	for _, ph := range r.Phases() {
		complete[ph.Number.Key()] = ph.Status == Complete
	}
	closed := map[*Dir]bool{} // phases of milestones that were shipped
	for _, e := range Join(d, r) {
		closed[e.Dir] = shipped[e.Milestone]
	}
	for i := range d.Phases {
		dir := &d.Phases[i]
		if dir.Verification != "" && !closed[dir] {
			dir.Verified = meta(dir.Verification).Status
		}
		if dir.Done() == 0 {
			continue
		}
		settled := complete[dir.Number.Key()] && dir.Unverified() == ""
		for j := range dir.Plans {
			p := &dir.Plans[j]
			if !p.Done() || settled {
				continue
			}
			switch meta(p.Summary).Status {
			case Halted:
				p.Halted = true
			case Blocked:
				p.Summary = ""
			}
		}
		dir.Plans = slices.DeleteFunc(dir.Plans, func(p Plan) bool { return !p.Done() && meta(p.Path).Status == Superseded })
	}
}

// List gives the names in a directory, in no order; none where it is not there, is no directory or cannot be
// read. The caller may write to them. It must not lead out of the project, nor wait for anything that only looks like a
// directory.
type List func(dir string) []string

// entries is what may be directories in dir, and what are files, each sorted. Names tell: asking the system
// what each entry is costs more than all the rest, and what is no directory has no names in it. Hidden names
// are neither: systems and editors put ._03-01-PLAN.md and .#03-01-PLAN.md beside a plan.
func (list List) entries(dir string) (dirs, files []string) {
	names := list(dir)
	files = names[:0]
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, "."):
		case strings.HasSuffix(name, ".md"):
			files = append(files, name)
		default:
			dirs = append(dirs, name)
		}
	}
	slices.Sort(dirs)
	slices.Sort(files)
	return dirs, files
}

// ScanPhases lists the phases below root, live and archived, which is all that the next plan depends on: Join
// tells of a phase that the roadmap has and nobody works on by its archive. Each directory is read once, and
// none but those that may hold plans.
func ScanPhases(list List, root string) *Disk {
	d := &Disk{Root: root, Phases: scanPhases(list, path.Join(root, "phases"), "")}
	archive := path.Join(root, "milestones")
	dirs, files := list.entries(archive)
	for _, name := range files {
		if version, ok := strings.CutSuffix(name, "-"+FileName); ok {
			d.closed = append(d.closed, archiveVersion(version))
		}
	}
	for _, dir := range dirs {
		at := path.Join(archive, dir)
		if !planref.IsPhases(dir) {
			at = path.Join(at, "phases")
		}
		d.Archived = append(d.Archived, scanPhases(list, at, archiveVersion(dir))...)
	}
	slices.SortStableFunc(d.Archived, func(a, b Dir) int { return compareMilestones(a.Milestone, b.Milestone) })
	return d
}

// Activate makes those of the archived phases live that are of the current milestone: some projects keep the phases of each
// in milestones/vX-phases from the beginning. STATE.md must name it or the roadmap have it under way, because the archive may
// hold what nobody marked. One whose roadmap lies there as vX-ROADMAP.md is over, as upstream leaves it (milestone complete),
// though STATE.md may go on naming it.
func (d *Disk) Activate(r *Roadmap) {
	scope := r.Scope(Join(d, r))
	current := cmp.Or(scope.Milestone, r.Named)
	isMarked := func(m Milestone) bool { return m.Version == current && m.Status == InProgress }
	if current == "" || scope.over[current] || slices.Contains(d.closed, current) || current != r.Named && !slices.ContainsFunc(r.Milestones, isMarked) {
		return
	}
	d.Archived = slices.DeleteFunc(d.Archived, func(dir Dir) bool {
		if dir.Milestone != current {
			return false
		}
		if d.active = dir.Path; !planref.IsPhases(path.Base(d.active)) {
			d.active = path.Dir(d.active)
		}
		dir.Milestone = ""
		d.Phases = append(d.Phases, dir)
		return true
	})
	slices.SortStableFunc(d.Phases, func(a, b Dir) int { return compareKnown(a.Number, b.Number) })
}

// isLive reports whether a file is one of a live phase's, or of one that was.
func (d *Disk) isLive(file string) bool {
	return strings.HasPrefix(file, d.Root+"/phases/") || d.active != "" && strings.HasPrefix(file, d.active+"/")
}

// isOver reports whether a file lies in the archive of what is over.
func (d *Disk) isOver(file string) bool {
	return strings.HasPrefix(file, d.Root+"/milestones/") && !d.isLive(file)
}

// ScanQuick lists the quick tasks below root, which can be many and never hold up a phase.
func ScanQuick(list List, root string) []Plan {
	var quick []Plan
	for _, q := range scanPhases(list, path.Join(root, "quick"), "") {
		for _, p := range q.Plans {
			p.Phase = planref.Number{}
			p.ID, _ = planref.PlanID(p.Path)
			quick = append(quick, p)
		}
	}
	return quick
}

// archiveVersion is the version in the name of an archive: `v1.10-phases` is 1.10.
func archiveVersion(name string) string {
	return cmp.Or(versionAt(strings.TrimSuffix(name, "-phases")), strings.TrimSuffix(name, "-phases"))
}

// scanPhases lists the phase directories in dir. Plans that lie in dir itself make phases of their own.
func scanPhases(list List, dir, milestone string) []Dir {
	names, loose := list.entries(dir)
	var dirs []Dir
	for _, name := range names {
		at := Dir{Path: dir + "/" + name, Slug: name, Milestone: milestone}
		if at.scan(list) || !at.Number.IsZero() {
			dirs = append(dirs, at)
		}
	}
	dirs = append(dirs, loosePhases(dir, milestone, loose)...)
	slices.SortStableFunc(dirs, func(a, b Dir) int { return compareKnown(a.Number, b.Number) })
	return dirs
}

// scan lists the plans of a phase: in its directory, and in `plans/` below that, as upstream also nests them
// (its plan-scan, #3139). It answers whether anything is there.
func (d *Dir) scan(list List) bool {
	dirs, files := list.entries(d.Path)
	if n, slug, ok := planref.CutDir(d.Slug, files...); ok {
		d.Number, d.Slug = n, slug
	}
	d.add(d.Path, files)
	if slices.Contains(dirs, "plans") {
		nested := path.Join(d.Path, "plans")
		_, inside := list.entries(nested)
		d.add(nested, inside)
	}
	slices.SortStableFunc(d.Plans, func(a, b Plan) int {
		return cmp.Or(compareKnown(a.Number, b.Number), strings.Compare(a.Path, b.Path))
	})
	d.Verification, d.Context, d.Research = d.report(files, "VERIFICATION.md"), d.report(files, "CONTEXT.md"), d.report(files, "RESEARCH.md")
	return len(dirs)+len(files) > 0
}

// report finds the phase's own file of a kind, 03-CONTEXT.md, else one without a number (resolvePhaseArtifactFile,
// verification.cjs); "" where there is none.
func (d *Dir) report(files []string, kind string) string {
	asWritten := strings.TrimSuffix(path.Base(d.Path), "-"+d.Slug)
	for _, name := range []string{d.Number.Padded() + "-" + kind, asWritten + "-" + kind, kind} {
		if _, there := slices.BinarySearch(files, name); there {
			return path.Join(d.Path, name)
		}
	}
	return ""
}

// add takes the plans among names, the files in dir, with their summaries.
func (d *Dir) add(dir string, names []string) {
	all := planref.NewSiblings(names, d.Number)
	d.Plans = slices.Grow(d.Plans, len(all.Plans))
	for _, file := range all.Plans {
		n := file.Name
		p := Plan{Path: dir + "/" + file.File, Phase: d.Number, Number: n.In(d.Number).Plan}
		if p.Phase.IsZero() && !n.Plan.IsZero() {
			p.Phase = n.Phase
		}
		p.ID, _ = n.ID(d.Number)
		if s, ok := all.Summary(n); ok {
			p.Summary = dir + "/" + s
		}
		d.Plans = append(d.Plans, p)
	}
}

// loosePhases groups the plans that lie beside the phase directories by their phase.
func loosePhases(dir, milestone string, names []string) []Dir {
	all := Dir{Path: dir}
	all.add(dir, names)
	slices.SortStableFunc(all.Plans, func(a, b Plan) int {
		return cmp.Or(planref.Compare(a.Phase, b.Phase), compareKnown(a.Number, b.Number), strings.Compare(a.Path, b.Path))
	})
	var dirs []Dir
	for _, p := range all.Plans {
		if last := len(dirs) - 1; last < 0 || planref.Compare(dirs[last].Number, p.Phase) != 0 {
			dirs = append(dirs, Dir{Path: dir, Number: p.Phase, Milestone: milestone})
		}
		dirs[len(dirs)-1].Plans = append(dirs[len(dirs)-1].Plans, p)
	}
	return dirs
}

// compareKnown orders numbers, those that are none last.
func compareKnown(a, b planref.Number) int {
	if a.IsZero() || b.IsZero() {
		return planref.Compare(b, a) // Compare puts none first; swapped, it is last
	}
	return planref.Compare(a, b)
}

// Roots lists the roots below the planning directory: itself, then its workstreams and sub-projects, which
// are the directories that have phases of their own. exists reports whether there is anything of a name.
func Roots(list List, exists func(name string) bool, planning string) []string {
	isRoot := func(dir string) bool {
		return exists(path.Join(dir, "phases")) || exists(path.Join(dir, FileName))
	}
	roots := []string{planning}
	dirs, _ := list.entries(planning)
	for _, name := range dirs {
		dir := path.Join(planning, name)
		switch name {
		case "phases", "quick", "milestones", "sessions", "archive": // never a sub-project
		case "workstreams":
			streams, _ := list.entries(dir)
			for _, stream := range streams {
				if at := path.Join(dir, stream); isRoot(at) {
					roots = append(roots, at)
				}
			}
		default:
			if isRoot(dir) {
				roots = append(roots, dir)
			}
		}
	}
	return roots
}
