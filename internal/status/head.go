package status

// head.go: the commit that STATE.md is written at, which upstream's drift check counts from (gsd-core, lib/state.cjs,
// readGitHeadSha).

import (
	"path"
	"strings"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
)

const maxConfig = 64 << 10 // bytes of config.json that are read; real ones have less than 4,000

// headOf returns the hash of the commit that is checked out, and "" where that says nothing about the project: outside of a
// repository of its own, or if its code is in other repositories.
func headOf(p *app.Project) string {
	if _, err := p.Planning.Lstat(".git"); err != nil || p.Planning.Work != p.Dir || hasSubRepos(p.Planning) {
		return ""
	}
	repo, err := p.Planning.History()
	if err != nil || repo == nil {
		return ""
	}
	defer repo.Close() // it was only read
	if strings.Trim(repo.Head(), "0") == "" {
		return "" // no commit yet
	}
	return repo.Head()
}

// hasSubRepos reports whether the project's settings name repositories below it, or cannot be read.
func hasSubRepos(p *project.Project) bool {
	src, _, err := p.Budget().Head(p.Root(), path.Join(planref.Planning, "config.json"), maxConfig)
	if problem.IsMissing(err) {
		return false
	}
	names, ok := project.SubRepos(src)
	return err != nil || !ok || len(names) > 0
}
