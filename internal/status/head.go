package status

// head.go: the commit that STATE.md is written at, which upstream's drift check counts from (gsd-core, lib/state.cjs,
// readGitHeadSha).

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/app"
)

// headOf returns the hash of the commit that is checked out, and "" where that says nothing about the project: outside of a
// repository of its own, or if its code is in other repositories.
func headOf(p *app.Project) string {
	if _, err := p.Planning.Lstat(".git"); err != nil || p.Planning.Work != p.Dir {
		return ""
	}
	if repos, err := p.Planning.SubRepos(); err != nil || len(repos) > 0 {
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
