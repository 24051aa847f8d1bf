package verdict

// put_crumb.go: where the breadcrumbs of the sessions in this project are: in the state directory, or, where that cannot be written, in the
// session's own directory, from which they move once it can be. The one that was updated last counts.

import (
	"errors"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/session"
)

// errNoStateDir is why a breadcrumb is not in the state directory if there is none.
var errNoStateDir = errors.New("there is no state directory")

// An inProjectError means that a breadcrumb was written to the session's own directory.
type inProjectError struct{ err error } // why not to the state directory

func (e *inProjectError) Error() string { return e.err.Error() }
func (e *inProjectError) Unwrap() error { return e.err }

// IsInProject reports whether a breadcrumb was written with this error: to the session's own directory.
func IsInProject(err error) bool {
	_, is := errors.AsType[*inProjectError](err)
	return is
}

// PutCrumb writes a breadcrumb of a user's session: to the state directory, else to the session's own directory, if it is in this project.
func (p *Project) PutCrumb(c session.Crumb) error {
	if err := p.putCrumb(c); !IsInProject(err) {
		return err
	}
	return nil
}

// putCrumb is PutCrumb, with an error that [IsInProject] knows if the breadcrumb is in the session's own directory.
func (p *Project) putCrumb(c session.Crumb) error {
	err := p.moveCrumb(&c)
	if err != nil && c.Project == p.Dir && p.Session(c.User).WriteCrumb(p.Write, c) == nil {
		return &inProjectError{err}
	}
	return err
}

// moveCrumb writes a breadcrumb to the state directory, and moves there what is in the own directory of its user's session. What cannot be
// moved stays, and counts.
func (p *Project) moveCrumb(put *session.Crumb) error {
	p.forgetCrumbs()
	if p.StateDir == "" {
		return errNoStateDir
	}
	own := p.Session(put.User)
	if err := p.StateDir.WriteCrumb(p.Write, *put); err != nil || put.Project != p.Dir || !own.HasCrumbs() {
		return err
	}
	id := session.CrumbID(put.Project, put.User, put.Plan, put.Started)
	_ = own.RemoveCrumb(p.Write, id)
	for _, c := range own.Crumbs(p.Dir, id) {
		was, ok := p.StateDir.Crumb(c.ID)
		if ok && was.Updated.After(c.Updated) || p.StateDir.WriteCrumb(p.Write, p.placed(c)) == nil {
			_ = own.RemoveCrumb(p.Write, c.ID)
		}
	}
	return nil
}

// DropCrumb removes a breadcrumb of a user's session in this project, wherever it is.
func (p *Project) DropCrumb(user, id string) (err error) {
	p.forgetCrumbs()
	if p.StateDir != "" {
		err = p.StateDir.RemoveCrumb(p.Write, id)
	}
	return errors.Join(err, p.Session(user).RemoveCrumb(p.Write, id))
}

// Crumb reads a breadcrumb of a user's session in this project, and reports whether it is good. It is read once, until it is written or
// the guard is taken.
func (p *Project) Crumb(user, id string) (session.Crumb, bool) {
	c := Once(p, crumbOf(id), func() *session.Crumb {
		if c, ok := p.StateDir.Crumb(id); ok {
			return new(p.Latest(c))
		}
		if own, _, here := p.ownCrumb(user, id); here {
			return &own
		}
		return nil
	})
	if c == nil {
		return session.Crumb{}, false
	}
	crumb := *c
	crumb.Tasks = slices.Clone(c.Tasks)
	return crumb, true
}

// Latest returns a breadcrumb that was read from the state directory as it is in the own directory of its session in this project, if it was
// updated there since.
func (p *Project) Latest(c session.Crumb) session.Crumb {
	if own, _, here := p.ownCrumb(c.User, c.ID); here && !c.Updated.After(own.Updated) {
		return own
	}
	return c
}

// CrumbWritten returns when a breadcrumb of a user's session in this project was last written, the zero time if there is none.
func (p *Project) CrumbWritten(user, id string) time.Time {
	written := p.StateDir.CrumbWritten(id)
	if _, at, here := p.ownCrumb(user, id); here && at.After(written) {
		return at
	}
	return written
}

// CrumbsOf reads the breadcrumbs of a user's sessions in this root of the project, those of archived ones, too. list is as in
// [session.StateDir.CrumbsOf].
func (p *Project) CrumbsOf(list *session.CrumbList, user, but string) (session.Crumbs, error) {
	found, err := p.StateDir.CrumbsOf(list, p.Dir, p.Base(), user, but, true)
	at := map[string]int{}
	for i := range found.Good {
		at[found.Good[i].ID] = i
	}
	for _, c := range p.Session(user).Crumbs(p.Dir, but) {
		if i, ok := at[c.ID]; !ok {
			found.Good = append(found.Good, p.placed(c))
		} else if !found.Good[i].Updated.After(c.Updated) {
			found.Good[i] = p.placed(c)
		}
	}
	return found, err
}

// CheckCrumbs returns why no breadcrumb of a user's sessions can be written, as far as that shows without writing; nil if nothing speaks
// against it.
func (p *Project) CheckCrumbs(user string) error {
	if p.checkStateDir() == nil {
		return nil
	}
	return p.Session(user).CheckCrumbs()
}

// checkStateDir is CheckCrumbs for the state directory.
func (p *Project) checkStateDir() error {
	if p.StateDir == "" {
		return errNoStateDir
	}
	return p.StateDir.CheckWritable()
}

// ownCrumb reads a breadcrumb in the own directory of a user's session, and returns when it was written.
func (p *Project) ownCrumb(user, id string) (c session.Crumb, written time.Time, ok bool) {
	if c, written, ok = p.Session(user).Crumb(p.Dir, id); ok {
		c = p.placed(c)
	}
	return c, written, ok
}

// placed returns a breadcrumb of a session in the project with the repository that the project is in. One that was in it may name any.
func (p *Project) placed(c session.Crumb) session.Crumb {
	c.Repository, c.Below = "", ""
	if common, below, linked := p.Planning.Shared(); linked {
		c.Repository, c.Below = common, below
	}
	return c
}
