package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Dispatched returns the plan of this project that a prompt sends an agent to carry out, see [planref.ParseDispatch]; "" if the prompt
// asks for something else, or does not say which plan of several it means. Its paths are relative to dir, to the project, or those of
// another worktree of the repository, because an agent may be sent to one.
func (p *Project) Dispatched(dir, prompt string) string {
	d, ok := planref.ParseDispatch(prompt)
	if !ok || d.Project != "" && !p.hasDir(dir, d.Project) {
		return ""
	}
	var found []string
	for _, file := range d.Paths {
		if place := p.mentioned(dir, file); place != "" && !slices.Contains(found, place) {
			found = append(found, place)
		}
	}
	if len(found) == 0 && slices.ContainsFunc(d.Paths, func(file string) bool { return projectOf(dir, file) != "" }) {
		return "" // the plan of that id is another project's
	}
	switch { // what the request says is not corrected by a file that it merely mentions
	case d.File != "":
		return p.mentioned(dir, d.File)
	case d.ID != "":
		if place, err := p.ResolvePlan(dir, d.ID); err == nil {
			return place
		}
		paths := p.findByID(d.ID)
		found = slices.DeleteFunc(found, func(place string) bool { return !slices.Contains(paths, place) })
	default:
		found = slices.DeleteFunc(found, func(place string) bool { return !d.Means(place) })
	}
	return only(found)
}

// hasDir reports whether a directory is that of the agent, or in the project or in another worktree of the repository.
func (p *Project) hasDir(dir, name string) bool {
	name = physical(filepath.Join(name, planref.Planning)) // all of it may be links
	in := func(top string) bool { return isBelow(name, top) }
	return in(dir) || in(p.Dir) || slices.ContainsFunc(p.Worktrees(), func(other *Project) bool { return in(other.Dir) })
}

// only returns the only one of a list, "" if there are others.
func only(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return ""
}

// mentioned returns the plan of a file that a prompt names; "" if it is not one of this project.
func (p *Project) mentioned(dir, file string) string {
	places := p.Places(dir, filepath.FromSlash(strings.TrimPrefix(file, "@")))
	for _, candidate := range places {
		if place, ok := p.InPlanning(candidate); ok && p.CheckPlan(place) == nil {
			return place
		}
	}
	for _, other := range p.Worktrees() {
		for _, candidate := range places {
			if place, ok := other.InPlanning(candidate); ok && p.CheckPlan(place) == nil {
				return place
			}
		}
	}
	return ""
}

// DispatchDirs returns the directories below dir whose own project has a plan that a prompt which sends an agent to carry one out names, as in a
// monorepo.
func DispatchDirs(dir, prompt string) (dirs []string) {
	d, _ := planref.ParseDispatch(prompt)
	for _, file := range d.Paths {
		if at := projectOf(dir, file); at != "" && isBelow(at, dir) && hasPlanning(at) && !slices.Contains(dirs, at) {
			dirs = append(dirs, at)
		}
	}
	return dirs
}

// projectOf returns the directory of the project that has the file which a prompt names; "" if the file does not say.
func projectOf(dir, file string) string {
	in, _, ok := strings.Cut(strings.TrimPrefix(filepath.ToSlash(file), "@"), "/"+planref.Planning+"/")
	if !ok || in == "" {
		return ""
	}
	if at := filepath.FromSlash(in); filepath.IsAbs(at) {
		return at
	}
	return filepath.Join(dir, filepath.FromSlash(in))
}
