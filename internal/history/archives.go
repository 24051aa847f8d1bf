package history

import (
	"os"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

const (
	headBytes    = 4 << 10 // of an archived session, in which its header is
	formerFiles  = 4       // archives of the largest size that are read whole
	mostLookedAt = 30      // archives in which plans are looked for that nobody has asked about
)

// archiveHead is the header of an archived session.
type archiveHead struct {
	Name    string    // of its file
	At      time.Time // when it was archived
	Changed time.Time // when its file last changed
	Header  planfile.Header
}

// headsOf asks for the headers of the latest archives of a user, of which there are so many.
type headsOf struct {
	user, latest string
	count        int
}

// archiveHeads returns the headers of a user's latest archived sessions in a project, the newest first; most is how many are read. They are
// read once.
func archiveHeads(p *verdict.Project, user string, most int) []archiveHead {
	dir := p.Session(user).Path()
	archives := session.Archives(p.Planning.Names(dir))
	archives = archives[:min(len(archives), most)]
	if len(archives) == 0 {
		return nil
	}
	return verdict.Once(p, headsOf{user, archives[0].Name, len(archives)}, func() (all []archiveHead) {
		budget := durable.NewBudget(verdict.MaxArchiveHeads * headBytes)
		for _, a := range archives {
			var src []byte
			var was durable.Stamp
			err := p.Planning.In(dir, a.Name, func(root *os.Root, name string) (err error) {
				src, was, err = budget.Head(root, name, headBytes)
				return err
			})
			if err == nil {
				all = append(all, archiveHead{Name: a.Name, At: a.At, Changed: was.ModTime(), Header: planfile.ParseSession(src).Header})
			}
		}
		return all
	})
}

// readArchive reads an archived session whole.
func readArchive(p *verdict.Project, user, name string, budget *durable.Budget) (src []byte, err error) {
	err = p.Planning.In(p.Session(user).Path(), name, func(root *os.Root, name string) error {
		src, _, err = budget.Read(root, name, p.Planning.Limit)
		return err
	})
	return src, err
}

// lookBudget is what an answer about many plans may read of archives to see how far they are.
func lookBudget(p *verdict.Project) *durable.Budget {
	if p.Archives == nil {
		p.Archives = durable.NewBudget(formerFiles * p.Planning.Limit)
	}
	return p.Archives
}
