package project

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/planfile"
)

// ResolvePlan returns the path of the plan that a person named: by a path, relative to dir, to the project or to .planning/; by
// the name of its file, if no other plan has that; or by an ID such as 03-01. An @ before it, as in a mention, is dropped. The file
// exists, but it has not been read.
func (p *Project) ResolvePlan(dir, name string) (string, error) {
	if mentioned, ok := strings.CutPrefix(name, "@"); ok && !exists(p.Places(dir, name)) {
		name = mentioned
	}
	if strings.HasSuffix(name, "-PLAN") {
		name += ".md"
	}
	quick := strings.HasPrefix(name, "quick/") && strings.Count(name, "/") == 1 && path.Ext(name) != ".md"
	switch {
	case name == "":
		return "", problem.Fail(problem.Usage, "name a plan by its path, or by an id such as 03-01", "no plan named")
	case strings.ContainsRune(name, 0):
		return "", problem.Fail(problem.Usage, "", "a path cannot contain a NUL byte")
	case !quick && (strings.ContainsRune(filepath.ToSlash(name), '/') || strings.HasSuffix(strings.ToLower(name), ".md")):
		return p.planByPath(dir, name)
	}
	return p.planByID(name)
}

// exists reports whether there is a file at one of the paths.
func exists(paths []string) bool {
	return slices.ContainsFunc(paths, func(name string) bool {
		_, err := os.Lstat(name)
		return err == nil
	})
}

// Places returns where a file that a person named may be: relative to dir, else to the project.
func (p *Project) Places(dir, name string) []string {
	if filepath.IsAbs(name) {
		return []string{name}
	}
	return []string{filepath.Join(dir, name), filepath.Join(p.Dir, name)}
}

func (p *Project) planByPath(dir, name string) (string, error) {
	places := p.Places(dir, name)
	if !filepath.IsAbs(name) {
		places = append(places, filepath.Join(p.Dir, planref.Planning, name))
	}
	var missing *problem.Error
	for _, candidate := range places {
		place, ok := p.InPlanning(candidate)
		if !ok && strings.HasPrefix(filepath.Clean(candidate), filepath.Join(p.Dir, planref.Planning)+string(filepath.Separator)) {
			return "", problem.Fail(problem.Refused, "plans must be files of the project; copy the file there", "%s leads out of %s/", name, planref.Planning)
		}
		if !ok {
			continue
		}
		failed := p.CheckPlan(place)
		if failed == nil {
			return place, nil
		}
		if failed.Kind != problem.MissingInput {
			return "", failed
		}
		missing = cmp.Or(missing, failed)
	}
	if missing == nil || exists(places) { // the person means that file
		missing = problem.Fail(problem.MissingInput, "a plan is a file below "+filepath.Join(p.Dir, planref.Planning), "no such plan: %s is outside %s/", name, planref.Planning)
	}
	if bare := strings.TrimPrefix(filepath.ToSlash(name), "./"); !strings.ContainsRune(bare, '/') {
		return p.planByFile(bare, missing)
	}
	return "", missing
}

// planByFile returns the plan whose file has a name; missing is the error where none has.
func (p *Project) planByFile(name string, missing *problem.Error) (string, error) {
	found := p.foremost(slices.DeleteFunc(p.Plans(), func(plan string) bool { return path.Base(plan) != name }))
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", problem.Fail(problem.Usage, "name one of them by its path: "+list(found), "%d plans are called %s", len(found), name)
	case exists([]string{filepath.Join(p.Dir, name)}):
		return "", missing
	}
	hint := p.plansHint(planref.Planning)
	if id, ok := planref.PlanID(name); ok {
		hint = p.nearestHint(id)
	}
	return "", problem.Fail(problem.MissingInput, hint, "no such plan: %s", name)
}

// CheckPlan checks a path inside .planning/ without opening it.
func (p *Project) CheckPlan(name string) *problem.Error {
	info, err := p.root.Stat(name)
	if err != nil {
		failed := problem.ReadFailed(name, p.Limit, durable.Failed("stat", name, p.root, err))
		if failed.Kind == problem.MissingInput {
			failed.Text, failed.Hint = "no such plan: "+name, p.plansHint(path.Dir(name))
		}
		return failed
	}
	switch {
	case info.IsDir():
		return problem.Fail(problem.BadData, p.plansHint(name), "%s is a directory", name)
	case strings.HasPrefix(name, path.Join(planref.Planning, "sessions")+"/"):
		return problem.Fail(problem.BadData, "name the plan that the session is on", "%s is a session, not a plan", name)
	case planref.IsOther(path.Base(name)):
		return problem.Fail(problem.BadData, p.plansHint(path.Dir(name)), "%s is not a plan", name)
	}
	if err := (planfile.Header{Plan: name}).Check(); err != nil {
		return problem.Fail(problem.BadData, "rename it", "the path %q %s", name, err)
	}
	return nil
}

func (p *Project) planByID(id string) (string, error) {
	found := p.findByID(id)
	switch {
	case len(found) == 0 && slices.ContainsFunc(p.warned, problem.Warning.IsUnread):
		return "", problem.Fail(problem.Refused, "`gsd status` says what was not read", "no plan that was read has the id %q", id)
	case len(found) == 0:
		return "", problem.Fail(problem.MissingInput, p.nearestHint(id), "no plan has the id %q", id)
	case len(found) > 1:
		return "", problem.Fail(problem.Usage, "name one of them by its path: "+list(found), "the id %q matches %d plans", id, len(found))
	}
	if failed := p.CheckPlan(found[0]); failed != nil {
		return "", failed
	}
	return found[0], nil
}

// Quick lists the quick tasks of a root.
func (p *Project) Quick(root string) (quick []roadmap.Plan) {
	p.listUntilStable(func() { quick = roadmap.ScanQuick(p.list, root) })
	return quick
}

// Plans lists the paths of all plans, in the order of planref.ComparePlans.
func (p *Project) Plans() (plans []string) {
	for _, root := range p.Roots() {
		disk := p.Phases(root)
		all := p.Quick(root)
		for _, dir := range slices.Concat(disk.Phases, disk.Archived) {
			all = append(all, dir.Plans...)
		}
		for _, plan := range all {
			plans = append(plans, plan.Path)
		}
	}
	planref.SortPlans(plans)
	return plans
}

// PlanIDs lists the IDs of all plans, in the order of planref.CompareIDs, each once.
func (p *Project) PlanIDs() (ids []string) {
	for _, plan := range p.Plans() {
		if id, ok := p.PlanID(plan); ok {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, planref.CompareIDs)
	return slices.Compact(ids)
}

// plansHint names plans at or below a directory, else in the nearest one above it that has some.
func (p *Project) plansHint(dir string) string {
	plans := p.Plans()
	for ; strings.HasPrefix(dir, planref.Planning); dir = path.Dir(dir) {
		below := slices.DeleteFunc(slices.Clone(plans), func(plan string) bool { return !strings.HasPrefix(plan, dir+"/") })
		if len(below) > 0 {
			return "existing plans: " + list(below)
		}
	}
	return "write a plan first: " + planref.Planning + "/phases/NN-name/NN-MM-PLAN.md"
}

// nearestHint names the plans whose IDs come just before and after id.
func (p *Project) nearestHint(id string) string {
	ids := p.PlanIDs()
	if len(ids) == 0 {
		return p.plansHint(planref.Planning)
	}
	const before, most = 2, 5
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

// ReadPlan reads and parses a plan.
func (p *Project) ReadPlan(place string) (*planfile.File, error) {
	src, err := p.Read(place)
	if err != nil {
		return nil, problem.ReadFailed(place, p.Limit, err)
	}
	switch err := planfile.Check(src); {
	case err == nil:
		return planfile.Parse(src), nil
	case errors.Is(err, planfile.ErrBinary):
		return nil, problem.Fail(problem.BadData, "a plan is UTF-8 text; a file in UTF-16 must be saved as UTF-8", "%s is binary", place)
	case errors.Is(err, planfile.ErrEmpty):
		return nil, problem.Fail(problem.BadData, "write the plan first", "%s: %v", place, err)
	case errors.Is(err, planfile.ErrHuge), errors.Is(err, planfile.ErrDense):
		return nil, problem.Fail(problem.BadData, "split it: a plan is what an agent carries out in one go", "%s: %v", place, err)
	default: // conflict markers
		return nil, problem.ReadFailed(place, p.Limit, err)
	}
}

// SummaryOf returns the path of the summary that completes a plan, "" if there is none.
func (p *Project) SummaryOf(plan string) string {
	dir := path.Dir(plan)
	name, ok := planref.SummaryOf(plan, p.Names(dir))
	if !ok {
		return ""
	}
	name = path.Join(dir, name)
	if info, err := p.Stat(name); err != nil || !info.Mode().IsRegular() {
		return "" // a directory or a broken link of that name does not complete a plan
	}
	if status := p.StatusOf(name); status == frontmatter.Blocked || status == frontmatter.Unmerged {
		return "" // a blocked summary says why the plan could not be finished, and what one with conflict markers says is unknown
	}
	return name
}

// Unmerged returns the error for a plan whose summary has conflict markers, so that nobody knows whether the plan is done; nil for any
// other.
func (p *Project) Unmerged(plan string) error {
	dir := path.Dir(plan)
	name, ok := planref.SummaryOf(plan, p.Names(dir))
	if name = path.Join(dir, name); !ok || p.StatusOf(name) != frontmatter.Unmerged {
		return nil
	}
	src, err := p.Read(name)
	if err == nil {
		err = planfile.CheckConflict(src)
	}
	if err != nil {
		return problem.ReadFailed(name, p.Limit, err)
	}
	return nil
}

// FindMoved returns the path that a plan has now, "" if it is unknown.
func (p *Project) FindMoved(plan, digestThen string) string {
	budget := int64(16 << 20) // bytes that are read to compare digests; after that, only names are compared
	isThat := func(candidate string) bool {
		if digestThen == "" || budget <= 0 {
			return false
		}
		return strings.EqualFold(digestThen, Memo(&p.digests, candidate, func() string {
			src, err := p.Read(candidate)
			budget -= int64(len(src))
			if err != nil {
				return ""
			}
			return Digest(src)
		}))
	}
	all := p.Plans()
	if own := p.inBase(all); len(own) < len(all) { // a renamed workstream has its plans still, whatever others have
		if moved, _ := planref.FindMoved(own, plan, isThat); moved != "" {
			return moved
		}
	}
	moved, _ := planref.FindMoved(all, plan, isThat)
	return moved
}

// Digest returns the digest of a plan's or a summary's bytes, as the header of a session states it.
func Digest(src []byte) string {
	sum := sha256.Sum256(src)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// DigestOf returns the digest of a file of the project. All files that cannot be read have the same one.
func (p *Project) DigestOf(name string) string {
	src, err := p.Read(name)
	if err != nil {
		return "unreadable"
	}
	return Digest(src)
}

// IsOnlyPlan reports whether there is no other plan in the directory of a plan.
func (p *Project) IsOnlyPlan(plan string) bool {
	return !slices.ContainsFunc(p.Names(path.Dir(plan)),
		func(name string) bool { return name != path.Base(plan) && planref.IsPlan(name) })
}

// NamedBeside returns the plans in the directory of a plan that are named by words, itself included.
func (p *Project) NamedBeside(plan string) planref.Named { return p.siblings(path.Dir(plan)).Named() }

// PlanID returns the ID of a plan, which depends on the plans beside it; see [planref.Siblings.PlanID].
func (p *Project) PlanID(plan string) (string, bool) { return p.siblings(path.Dir(plan)).PlanID(plan) }

// siblings reads the names in a directory once for all of its plans.
func (p *Project) siblings(dir string) *planref.Siblings {
	entry := p.plansIn[dir]
	if entry == nil {
		if entry = planref.NewSiblings(dir, planref.PhaseOfDir(dir), p.Names(dir)); p.plansIn == nil {
			p.plansIn = map[string]*planref.Siblings{}
		}
		p.plansIn[dir] = entry
	}
	return entry
}

// RootOf returns the root that a plan is in, unless that is the planning directory or unknown.
func RootOf(plan string) (string, bool) {
	for dir := path.Dir(plan); dir != path.Dir(dir) && dir != planref.Planning; dir = path.Dir(dir) {
		switch path.Base(dir) {
		case "phases", "milestones", "quick":
			return path.Dir(dir), true
		}
	}
	return "", false
}
