package team

import "github.com/gsd-cli/gsd/internal/verdict"

// For the tests, which are in a package of their own because they use packages that import this one.

var (
	NameOf      = nameOf
	MovedShared = movedShared
)

// OwnID is the id of a user of this clone.
func OwnID(p *verdict.Project, user string) string { return LastSeen(p).own[user] }

// DoneByAll counts the tasks that are known to be complete in sessions of anybody.
func DoneByAll(p *verdict.Project) (n int) {
	for _, mate := range LastSeen(p).everyone() {
		for _, on := range mate.sessions {
			n += on.done
		}
	}
	return n
}
