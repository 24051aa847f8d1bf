package roadmap

// disk.go: the phases and plans in a project's directories. A plan is done if its summary exists, unless the status in
// their front matter, which Read reads, says otherwise.

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/planref"
)

// Disk holds the phases and plans of one root: the planning directory itself, or a workstream or sub-project in it,
// which has the same layout.
type Disk struct {
	Root     string // `.planning`, `.planning/workstreams/api`
	Phases   []Dir  // sorted by number, those without one last
	Archived []Dir  // phases in `milestones/v1.2-phases/*`, sorted by milestone and number
	Quick    []Plan // quick tasks, which have no phase

	closed []string // the versions whose roadmap was archived, too
	active string   // the directory in the archive that holds phases of the current milestone; "" for none
}

// Dir is one phase's directory.
type Dir struct {
	Path      string
	Number    planref.Number // zero if its name does not begin with a number
	Slug      string
	Milestone string // the version of the archive that it is in, "" for a live phase
	Plans     []Plan // sorted by number, then by name
	// Orphans are the paths of the summaries of plans whose files are gone, or never were there, each plan once.
	Orphans []string
	// The paths of the phase's reports, "" for none.
	Verification, Context, Research string
	UAT                             []string // the paths of its tests by a person, 03-UAT.md and 03-HUMAN-UAT.md
	// Verified is the status of the verification, such as gaps_found; "" if there is none. Read sets it.
	Verified string
	// Tested is the status of a UAT that is open although the verification passed, such as testing; "" if there is none. Read sets it.
	Tested string
}

// Plan is one plan on disk.
type Plan struct {
	Path    string
	ID      string         // see planref.PlanID; "" if it has none
	Phase   planref.Number // of its directory; zero for a quick task
	Number  planref.Number // zero for a `PLAN.md`
	Word    string         // that tells it from the other plans of its phase, if its number does not; see planref.Name.Word
	Summary string         // the path of its summary, "" while it is not done
	// Unmerged is the path of its summary, if that has conflict markers: nobody knows whether the plan is done. Read sets it.
	Unmerged string
	Halted   bool // it was stopped on purpose, says its summary: plans that depend on it must not begin
	Blocked  bool // it cannot be carried out now, says its own front matter
}

// Done reports whether the plan has its summary.
func (p *Plan) Done() bool { return p.Summary != "" }

// Label returns the plan's id, else its path.
func (p *Plan) Label() string { return cmp.Or(p.ID, p.Path) }

// Ref returns the reference by which commits name the plan.
func (p *Plan) Ref() planref.Ref { return planref.NewRef(p.Phase, p.Number).With(p.Word) }

// IsNamed reports whether commits can name the plan, rather than just its phase.
func (p *Plan) IsNamed() bool { return p.Word != "" || !p.Number.IsZero() }

// Done returns the number of the directory's plans that have a summary.
func (d *Dir) Done() int {
	n := 0
	for i := range d.Plans {
		if d.Plans[i].Done() {
			n++
		}
	}
	return n
}

// hasPlans reports whether there are plans in the directory, or summaries of plans.
func (d *Dir) hasPlans() bool { return len(d.Plans)+len(d.Orphans) > 0 }

// Unverified returns what a phase whose plans are done still waits for: the status of a verification that it did not pass, else of a UAT
// that is open; "" for neither.
func (d *Dir) Unverified() string { return cmp.Or(Unverified(d.Verified), d.Tested) }

// Open returns the live plans that have no summary, in the order of their phases.
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

// Named returns the live plans that are named by words.
func (d *Disk) Named() planref.Named {
	named := planref.Named{}
	for _, dir := range d.Phases {
		for i := range dir.Plans {
			if p := &dir.Plans[i]; p.Word != "" {
				named[p.Ref()] = true
			}
		}
	}
	return named
}

// Read reads the status of files of the live phases with status, which returns the one in the front matter of the file at a
// path, in lower case, or unmerged if the file has conflict markers. It sets Verified and Tested, removes superseded and cancelled plans,
// marks blocked ones, drops blocked summaries, and marks the plans whose summaries are halted, which are done but hold up the plans that
// depend on them. Pointers to plans of d are invalid afterwards.
//
// Reading thousands of files would take longer than everything else. So it does not read the summaries of a phase that
// the roadmap calls complete and whose verification did not fail, because somebody saw them when closing the phase; the
// verifications of a shipped milestone; the UATs of either, because upstream completes a phase with an open one, and warns (phase.cjs); and
// the plans of a phase that the roadmap calls complete, if none has a summary.
func (d *Disk) Read(status func(path string) string, r *Roadmap) {
	shipped, complete := map[string]bool{}, map[string]bool{}
	for _, m := range r.Milestones {
		shipped[m.Version] = m.Status == Complete
	}
	for _, ph := range r.Phases() {
		complete[ph.Number.Key()] = ph.Status == Complete
	}
	closed := map[*Dir]bool{} // phases of shipped milestones
	for _, e := range Join(d, r) {
		closed[e.Dir] = shipped[e.Milestone]
	}
	for i := range d.Phases {
		dir := &d.Phases[i]
		if dir.Verification != "" && !closed[dir] {
			dir.Verified = status(dir.Verification)
		}
		for _, uat := range dir.UAT {
			if dir.Unverified() == "" && !closed[dir] && !complete[dir.Number.Key()] {
				dir.Tested = OpenUAT(status(uat))
			}
		}
		settled := complete[dir.Number.Key()] && dir.Unverified() == ""
		if !settled {
			dir.Orphans = slices.DeleteFunc(dir.Orphans, func(summary string) bool {
				return slices.Contains([]string{frontmatter.Blocked, frontmatter.Unmerged}, status(summary))
			})
		}
		if dir.Done() == 0 && settled {
			continue
		}
		kept := dir.Plans[:0]
		for _, p := range dir.Plans {
			if p.Done() && !settled {
				switch status(p.Summary) {
				case frontmatter.Halted:
					p.Halted = true
				case frontmatter.Blocked:
					p.Summary = ""
				case frontmatter.Unmerged:
					p.Summary, p.Unmerged = "", p.Summary
				}
			}
			own := ""
			if !p.Done() {
				own = status(p.Path)
			}
			if p.Blocked = own == frontmatter.Blocked; !frontmatter.IsGivenUp(own) {
				kept = append(kept, p)
			}
		}
		dir.Plans = kept
	}
}

// List returns the names in a directory in any order, none if it does not exist, is not a directory or cannot be read.
// The caller may modify the slice. A List must not leave the project, nor block on anything that only looks like a
// directory.
type List func(dir string) []string

// entries returns the possible directories and the Markdown files in dir, each sorted. It goes by the names, because a
// system call for each entry would cost more than everything else, and listing a file yields no names. Hidden names are
// left out: operating systems and editors put ._03-01-PLAN.md and .#03-01-PLAN.md beside a plan.
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

// ScanPhases finds the live and archived phases below root, which is all that the next plan depends on; Join needs the
// archived ones to know that a phase in the roadmap is finished. Each directory that may hold plans is read once.
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

// ScanFor lists the phase of a plan and those for which isMeant returns true, and no others, which takes a small part of the
// time. A number is that in the name of a directory: only the files in 02-10-x may show that it is phase 2-10.
func ScanFor(list List, plan string, isMeant func(planref.Number) bool) *Disk {
	own := path.Dir(plan)
	if path.Base(own) == "plans" {
		own = path.Dir(own)
	}
	d, dir := &Disk{}, path.Dir(own)
	names, _ := list.entries(dir)
	for _, name := range names {
		at := Dir{Path: path.Join(dir, name), Slug: name}
		if n, _, ok := planref.CutDir(name); at.Path == own || ok && isMeant(n) {
			at.scan(list)
			d.Phases = append(d.Phases, at)
		}
	}
	return d
}

// Activate makes the archived phases of the current milestone live, because some projects keep the phases of each
// milestone in milestones/vX-phases from the start. STATE.md must name the milestone, or the roadmap mark it as in
// progress or as the only one that is not over, because old milestones are not always marked. A milestone with an archived
// vX-ROADMAP.md is over, as after upstream's milestone complete, even if STATE.md still names it.
func (d *Disk) Activate(r *Roadmap) {
	scope := r.Scope(Join(d, r))
	current := cmp.Or(scope.Milestone, r.Named)
	isMarked := func(m Milestone) bool { return m.Version == current && m.Status == InProgress }
	isOther := func(m Milestone) bool { return m.Version != current && !m.Closed() && !m.folded() }
	if current == "" || scope.over[current] || slices.Contains(d.closed, current) || current != r.Named &&
		!slices.ContainsFunc(r.Milestones, isMarked) && slices.ContainsFunc(r.Milestones, isOther) {
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
	slices.SortStableFunc(d.Phases, func(a, b Dir) int { return planref.CompareKnown(a.Number, b.Number) })
}

// IsLive reports whether a file belongs to a live phase, which need no longer exist.
func (d *Disk) IsLive(file string) bool {
	return strings.HasPrefix(file, d.Root+"/phases/") || d.active != "" && strings.HasPrefix(file, d.active+"/")
}

// IsOver reports whether a file is in the archive and its milestone is over.
func (d *Disk) IsOver(file string) bool {
	return strings.HasPrefix(file, d.Root+"/milestones/") && !d.IsLive(file)
}

// ScanQuick finds the quick tasks below root. There may be many, and they never hold up a phase. Each has a directory, which any summary
// in it ends, whatever its name: 001-fix-PLAN.md has 001-SUMMARY.md or 002-SUMMARY.md.
func ScanQuick(list List, root string) []Plan {
	var quick []Plan
	dir := path.Join(root, "quick")
	for _, q := range scanPhases(list, dir, "") {
		summary := ""
		if _, files := list.entries(q.Path); q.Path != dir {
			if i := slices.IndexFunc(files, isSummary); i >= 0 {
				summary = path.Join(q.Path, files[i])
			}
		}
		for _, p := range q.Plans {
			p.Summary = cmp.Or(p.Summary, summary)
			p.Phase = planref.Number{}
			p.ID, _ = planref.PlanID(p.Path)
			quick = append(quick, p)
		}
	}
	return quick
}

// isSummary reports whether a file is a summary by its name, and no draft of one.
func isSummary(name string) bool {
	_, isDraft := planref.DraftOf(name)
	return strings.Contains(name, "SUMMARY") && strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".") && !planref.IsPlan(name) && !isDraft
}

// archiveVersion returns the version in the name of an archive: 1.10 for `v1.10-phases`.
func archiveVersion(name string) string {
	name = strings.TrimSuffix(name, "-phases")
	return cmp.Or(versionAt(name), name)
}

// scanPhases finds the phase directories in dir. Plans in dir itself are grouped into phases of their own.
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
	slices.SortStableFunc(dirs, func(a, b Dir) int { return planref.CompareKnown(a.Number, b.Number) })
	return dirs
}

// scan finds the plans of a phase, in its directory and in `plans/` below it, where upstream also puts them (plan-scan,
// #3139). It reports whether the directory has any entries.
func (d *Dir) scan(list List) bool {
	dirs, files := list.entries(d.Path)
	if n, slug, ok := planref.CutDir(d.Slug, files...); ok {
		d.Number, d.Slug = n, slug
	}
	found := d.add(d.Path, files)
	if slices.Contains(dirs, "plans") {
		nested := path.Join(d.Path, "plans")
		_, inside := list.entries(nested)
		d.addOrphans(nested, d.add(nested, inside))
	}
	d.addOrphans(d.Path, found)
	slices.SortStableFunc(d.Plans, func(a, b Plan) int {
		return cmp.Or(planref.CompareKnown(a.Number, b.Number), strings.Compare(a.Path, b.Path))
	})
	d.Verification, d.Context, d.Research = d.report(files, "VERIFICATION.md"), d.report(files, "CONTEXT.md"), d.report(files, "RESEARCH.md")
	for _, kind := range []string{"UAT.md", "HUMAN-UAT.md"} {
		if uat := d.report(files, kind); uat != "" {
			d.UAT = append(d.UAT, uat)
		}
	}
	return len(dirs)+len(files) > 0
}

// report returns the path of the phase's file of a kind, such as 03-CONTEXT.md, else of one without a number, else ""
// (resolvePhaseArtifactFile, verification.cjs).
func (d *Dir) report(files []string, kind string) string {
	asWritten := strings.TrimSuffix(path.Base(d.Path), "-"+d.Slug)
	for _, name := range []string{d.Number.Padded() + "-" + kind, asWritten + "-" + kind, kind} {
		if _, there := slices.BinarySearch(files, name); there {
			return path.Join(d.Path, name)
		}
	}
	return ""
}

// add adds the plans among names, the files in dir, with their summaries, and returns what it found.
func (d *Dir) add(dir string, names []string) *planref.Siblings {
	all := planref.NewSiblings(dir, d.Number, names)
	d.Plans = slices.Grow(d.Plans, len(all.Plans))
	isNumbered := func(file planref.Sibling) bool { return !file.In(d.Number).Plan.IsZero() }
	indexed := slices.ContainsFunc(all.Plans, isNumbered)
	for _, file := range all.Plans {
		n := file.Name
		in := n.In(d.Number)
		p := Plan{Path: dir + "/" + file.File, Phase: d.Number, Number: in.Plan, Word: in.Word()}
		if p.Phase.IsZero() && !n.Plan.IsZero() {
			p.Phase = n.Phase
		}
		p.ID, _ = n.ID(d.Number)
		if s, ok := all.Summary(n); ok {
			p.Summary = dir + "/" + s
		} else if indexed && n.Stem == "" {
			continue // a PLAN.md beside 01-01-PLAN.md is their index
		}
		d.Plans = append(d.Plans, p)
	}
	return all
}

// addOrphans adds the summaries in dir whose plans are not in the phase's directory.
func (d *Dir) addOrphans(dir string, found *planref.Siblings) {
	plans := make([]planref.Number, 0, len(d.Plans))
	for i := range d.Plans {
		plans = append(plans, d.Plans[i].Number)
	}
	for _, name := range found.Orphans(plans) {
		d.Orphans = append(d.Orphans, dir+"/"+name)
	}
}

// loosePhases groups the plans beside the phase directories by phase.
func loosePhases(dir, milestone string, names []string) []Dir {
	all := Dir{Path: dir}
	all.add(dir, names)
	slices.SortStableFunc(all.Plans, func(a, b Plan) int {
		return cmp.Or(planref.Compare(a.Phase, b.Phase), planref.CompareKnown(a.Number, b.Number), strings.Compare(a.Path, b.Path))
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

// Roots returns the roots in the planning directory: itself, then its workstreams and sub-projects, which are the
// directories with phases or a roadmap of their own. exists reports whether a name exists.
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
