package verdict

import (
	"os"
	"slices"

	"github.com/gsd-cli/gsd/internal/run"
)

// RunUser returns the user under whose name the caller's own run was recorded, in this worktree or else in another one; "" if there is
// none, or if more than one user has such a run. Some hosts hide the user's git configuration from the shells of their agents, but not
// from their hooks.
//
// Anybody may have written a session directory, even the author of a commit. So it counts only if a process of the run is an ancestor of
// this one now, by its PID, start time and boot, which nobody elsewhere can know, and if the directory is not another account's. Where
// no process is recorded, as on Windows, nothing is found.
func (p *Project) RunUser() string {
	for _, at := range append([]*Project{p}, p.Worktrees()...) {
		var users []string
		for _, at := range at.InAll() {
			users = append(users, slices.DeleteFunc(at.Users(), func(user string) bool { return !at.hasRunAbove(user) })...)
		}
		slices.Sort(users)
		switch users = slices.Compact(users); len(users) {
		case 0:
		case 1:
			return users[0]
		default:
			return ""
		}
	}
	return ""
}

// hasRunAbove reports whether a user has an open run that is the caller's, in a process above this one.
func (p *Project) hasRunAbove(user string) bool {
	info, err := p.Planning.Root().Lstat(p.Session(user).Path())
	if err != nil || !info.IsDir() {
		return false
	}
	if owner, ok := ownerIn(info); ok && foreign(owner, os.Geteuid()) {
		return false
	}
	runs, _ := p.ReadRuns(user, nil, p.RunFile(user))
	return slices.ContainsFunc(runs.Runs, func(r run.Run) bool { return r.Open() && r.Own && r.Above })
}
