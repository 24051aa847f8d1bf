package project

import (
	"path"
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
	if !ok {
		return ""
	}
	withID := func(id string) string {
		for _, name := range []string{id, id + "-PLAN"} { // the stem of a file, with its slug
			if place, err := p.ResolvePlan(dir, name); err == nil {
				return place
			}
		}
		return ""
	}
	withPath := func(file string) string { return p.mentioned(dir, file) }
	isElsewhere := func(file string) bool { return isAbsolute(file) || projectIn(dir, file) != "" }
	if slices.ContainsFunc(d.Chosen, isElsewhere) && !slices.ContainsFunc(d.Chosen, func(file string) bool { return withPath(file) != "" }) {
		return "" // the plan of that id is another project's
	}
	for _, kind := range []struct {
		names []string
		find  func(string) string
	}{{d.IDs, withID}, {d.Chosen, withPath}, {d.Paths, withPath}} {
		var found []string
		for _, name := range kind.names {
			if place := kind.find(name); place != "" && !slices.Contains(found, place) {
				found = append(found, place)
			}
		}
		if len(found) > 0 { // what the request says is not corrected by a file that it merely mentions
			return only(found)
		}
	}
	return ""
}

// isAbsolute reports whether the file that a prompt names is one of a certain project.
func isAbsolute(file string) bool {
	file = strings.TrimPrefix(file, "@")
	return filepath.IsAbs(filepath.FromSlash(file)) && !strings.HasPrefix(file, "/"+planref.Planning+"/")
}

// only returns the only one of a list, "" if there are others.
func only(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return ""
}

// mentioned returns the plan of a file that a prompt names; "" if it is not one of this project. What stands for a directory before it, an
// @ or a variable, is dropped.
func (p *Project) mentioned(dir, file string) string {
	file = strings.TrimPrefix(filepath.ToSlash(file), "@")
	if strings.HasPrefix(file, "$") || strings.HasPrefix(file, "/"+planref.Planning+"/") { // $ROOT/.planning/…, or ${ROOT} cut off before it
		_, file, _ = strings.Cut(file, "/")
	}
	if !strings.Contains(file, "/") {
		return only(p.foremost(slices.DeleteFunc(p.Plans(), func(plan string) bool { return path.Base(plan) != file })))
	}
	places := p.Places(dir, filepath.FromSlash(file))
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

// DispatchDirs returns the directories below dir whose own project a prompt may send an agent to, as in a monorepo: first those of the plans that
// it asks for, then those of others that it names.
func DispatchDirs(dir, prompt string) (asked, named []string) {
	d, ok := planref.ParseDispatch(prompt)
	if !ok {
		return nil, nil
	}
	add := func(list *[]string, files []string) {
		for _, file := range files {
			if at := projectIn(dir, file); at != "" && !slices.Contains(asked, at) && !slices.Contains(named, at) {
				*list = append(*list, at)
			}
		}
	}
	add(&asked, d.Chosen)
	add(&named, d.Paths)
	return asked, named
}

// projectIn returns the directory below dir whose own project has the file that a prompt names; "" for none.
func projectIn(dir, file string) string {
	in, _, ok := strings.Cut(strings.TrimPrefix(filepath.ToSlash(file), "@"), "/"+planref.Planning+"/")
	if !ok || in == "" {
		return ""
	}
	at := filepath.FromSlash(in)
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	if !isBelow(at, dir) || !hasPlanning(at) {
		return ""
	}
	return at
}
