package project

// repositories.go: the repositories below the project's directory in which its code is: those that .planning/config.json declares, as
// upstream has it (planning.sub_repos), and the submodules of its own repository.

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
)

// Limits for repositories below a project. The ones that we know of have two to eight.
const (
	maxRepositories = 20
	maxNamed        = 200      // that are looked for
	maxChildren     = 2000     // names in the project's directory, of which each is looked at
	maxConfig       = 64 << 10 // bytes of config.json and of .gitmodules; real ones have less than 4,000
)

// Below returns the repositories below the project whose commits are work on its plans. One that has a planning directory of its own is
// another project, and one that is also another's working tree, or the project's own, counts once. They are found once for a command.
func (p *Project) Below() []gitlog.Place {
	if p.below == nil {
		p.below = new(p.findBelow())
	}
	return *p.below
}

func (p *Project) findBelow() (all []gitlog.Place) {
	own := p.Checkout()
	names, _ := p.SubRepos() // it is upstream's file; where it cannot be read, it says nothing
	names = append(names, p.submodulesBelow(own)...)
	if len(names) == 0 {
		return nil
	}
	seen := map[string]bool{own.Common(): own.Err() == nil}
	for _, name := range names[:min(len(names), maxNamed)] {
		name = path.Clean(filepath.ToSlash(name))
		at := gitlog.FindBelow(p.Work, name, own.Common())
		if at.Err() != nil || seen[at.Common()] {
			continue
		}
		if _, err := os.Lstat(filepath.Join(at.Dir(), planref.Planning)); !problem.IsMissing(err) {
			continue
		}
		if len(all) == maxRepositories {
			p.Warn(problem.Warning{Code: problem.TooManyRepositories, Count: maxRepositories})
			break
		}
		seen[at.Common()] = true
		all = append(all, at)
	}
	return all
}

// MissingRepositories returns the paths of what the project's settings declare as a repository, and where there is none.
func (p *Project) MissingRepositories() (missing []string) {
	names, _ := p.SubRepos()
	for _, name := range names[:min(len(names), maxNamed)] {
		clean := path.Clean(filepath.ToSlash(name))
		if at := gitlog.FindBelow(p.Work, clean, p.Checkout().Common()); clean != "." && errors.Is(at.Err(), gitlog.ErrNone) {
			missing = append(missing, name)
		}
	}
	return missing
}

// SubRepos returns the paths of the repositories that the project's settings declare, relative to the project.
func (p *Project) SubRepos() ([]string, error) {
	var src []byte
	err := p.In(planref.Planning, "config.json", func(root *os.Root, name string) (err error) {
		src, _, err = p.budget.Head(root, name, maxConfig)
		return err
	})
	if problem.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names, all, err := parseSubRepos(src)
	if all {
		names = p.repositoriesIn()
	}
	return names, err
}

// repositoriesIn returns the names of the directories of the project that are repositories, as upstream finds them where its settings have
// what is now a list as multiRepo: true.
func (p *Project) repositoriesIn() (all []string) {
	names, _ := durable.NamesAt(p.Work) // without them, less is known
	slices.Sort(names)
	for _, name := range names[:min(len(names), maxChildren)] {
		if strings.HasPrefix(name, ".") || name == "node_modules" {
			continue
		}
		if _, err := os.Lstat(filepath.Join(p.Work, name, ".git")); err == nil {
			all = append(all, name)
		}
	}
	return all
}

// parseSubRepos returns what the text of a config.json declares as sub_repos. all reports whether it declares every repository in the
// project's directory.
func parseSubRepos(src []byte) (names []string, all bool, err error) {
	type declared struct {
		Repos []any `json:"sub_repos"`
	}
	var config struct {
		declared
		Planning declared `json:"planning"`
		All      any      `json:"multiRepo"`
	}
	if err := json.Unmarshal(src, &config); err != nil {
		return nil, false, err
	}
	for _, repo := range append(config.Repos, config.Planning.Repos...) {
		if name, ok := repo.(string); ok && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, config.All == true && len(names) == 0, nil
}

// submodulesBelow returns the paths of the submodules of a repository that are below the project, relative to it.
func (p *Project) submodulesBelow(own gitlog.Place) (names []string) {
	top, _ := own.WorkingTree()
	if top == "" {
		return nil
	}
	for _, name := range submodules(p.git, top) {
		rel, err := filepath.Rel(p.Work, filepath.Join(top, filepath.FromSlash(name)))
		if err == nil {
			names = append(names, filepath.ToSlash(rel))
		}
	}
	return names
}

// submodules returns the paths that the file .gitmodules of a repository lists, as they are cleaned; none if it cannot be read.
func submodules(b *durable.Budget, top string) []string {
	src, err := b.ReadAt(filepath.Join(top, ".gitmodules"), maxConfig)
	if err != nil {
		return nil
	}
	return parseModules(string(src))
}

// parseModules returns the paths of the submodules in the text of a .gitmodules, as git writes it (gitmodules(5)).
func parseModules(src string) (names []string) {
	for line := range strings.Lines(src) {
		key, value, ok := strings.Cut(line, "=")
		if !ok || !strings.EqualFold(strings.TrimSpace(key), "path") {
			continue
		}
		if value = strings.TrimSpace(value); len(value) > 1 && value[0] == '"' && strings.HasSuffix(value, `"`) {
			value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value[1 : len(value)-1])
		}
		if value != "" {
			names = append(names, path.Clean(value))
		}
	}
	return names
}

// openAll opens the repository of the project, if there is one, which then comes first, and those below it. failed says what of the others
// could not be opened.
func (p *Project) openAll() (all []*gitlog.Repo, failed error) {
	own, failed := p.History()
	if own != nil {
		all = append(all, own)
	}
	for _, at := range p.Below() {
		repo, err := at.Open(p.git)
		switch {
		case err == nil:
			all = append(all, repo)
		case !errors.Is(err, gitlog.ErrNone):
			failed = errors.Join(failed, fmt.Errorf("%s: %w", at.Name(), err))
		}
	}
	return all, failed
}

// HeadMoved returns when HEAD last moved in one of the repositories of the project; false if that is not known.
func (p *Project) HeadMoved() (latest time.Time, known bool) {
	latest, known = p.Checkout().HeadMoved()
	for _, at := range p.Below() {
		moved, is := at.HeadMoved()
		if known = known && is; moved.After(latest) {
			latest = moved
		}
	}
	return latest, known
}
