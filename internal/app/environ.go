package app

// environ.go: what an environment says of the project, the user and the caller that are meant, for the command line and for package hydrate.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/settings"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// Patience is how long a command waits for another process that is writing. A write takes milliseconds, so a process that takes longer
// than this hangs.
const Patience = 5 * time.Second

// RunVariable passes a run's token on to the programs that its agent starts.
const RunVariable = "GSD_RUN"

// An Environ is an environment, as in os.Environ.
type Environ []string

// Get returns the value of a variable; "" if it is not set.
func (e Environ) Get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(e[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// limit returns the size of the largest file to read, in bytes.
func (e Environ) limit() (int64, error) {
	text := e.Get("GSD_MAX_FILE_MIB")
	if text == "" {
		return project.DefaultLimit, nil
	}
	n, err := settings.MaxFile(text)
	if err != nil {
		return 0, problem.Fail(problem.Usage, err.Error(), "GSD_MAX_FILE_MIB is %q", text)
	}
	return n, nil
}

// Caller determines who runs this program. The token in GSD_RUN does not replace the variables of a host: an agent that gsd exec
// started has both.
func (e Environ) Caller() run.Caller {
	c := agent.Detect(e.Get)
	caller := run.Caller{Host: c.Host, Conversation: c.Conversation, PID: c.PID, Shared: agent.SharesProcess(c.Host)}
	if token := e.Get(RunVariable); run.IsWord(token) {
		caller.Token = token
	}
	return caller
}

// World is what a command depends on besides its project.
func (e Environ) World(now time.Time) verdict.World {
	return verdict.World{StateDir: session.FindStateDir(e.Get), Caller: e.Caller(), Now: now}
}

// Open is Find with an error that names the projects below dir, if there is none.
func (e Environ) Open(dir string, w verdict.World) (*Project, error) {
	p, err := e.Find(dir, w)
	if failed, ok := errors.AsType[*problem.Error](err); ok && failed.Kind == problem.NoProject {
		if names := project.ProjectsBelow(dir); len(names) > 0 {
			return nil, failed.Hinting("there are projects below it: " + strings.Join(names, ", "))
		}
	}
	return p, err
}

// Find is the function Open with the workstream, the session's name and the largest file that the environment names.
func (e Environ) Find(dir string, w verdict.World) (*Project, error) {
	p, err := Open(dir)
	if err != nil {
		return nil, err
	}
	limit, err := e.limit() // only now, because outside a project a hook reports nothing
	if err != nil {
		p.Close()
		return nil, err
	}
	p.Planning.Allow(limit, project.CommandFiles)
	p.Planning.Subproject, p.Planning.Workstream = e.Get("GSD_PROJECT"), e.Get("GSD_WORKSTREAM")
	p.Planning.SessionKey = project.SessionKeyOf(e.Get)
	p.World = w
	return p, nil
}

// WhoIs determines who works in dir: where git does not name anybody, the user of the run that the caller belongs to, if that is known,
// before any guess. p is the project of dir; nil for none. In a project it is who works there, also in a repository below it, so that all of
// them share a session; if that is not known, it is the one whom all of those name.
func (e Environ) WhoIs(ctx context.Context, p *Project, dir string) identity.User {
	world := identity.SystemWorld(e)
	if p == nil {
		return identity.Find(ctx, world, dir)
	}
	u := identity.Find(ctx, world, p.Planning.Work)
	if !u.IsGuess() {
		return u
	}
	if name := p.RunUser(); name != "" {
		return u.InRun(name)
	}
	var named []identity.User
	for _, at := range p.Planning.Below() {
		user := identity.Find(ctx, world, at.Dir())
		if user.IsGuess() || len(named) > 0 && user.Name != named[0].Name {
			return u
		}
		named = append(named, user)
	}
	if len(named) > 0 {
		return named[0]
	}
	return u
}

// User is WhoIs without the warning of a missing git program, which only gsd whoami shows.
func (e Environ) User(ctx context.Context, p *Project, dir string) identity.User {
	u := e.WhoIs(ctx, p, dir)
	u.Warnings = slices.DeleteFunc(u.Warnings, func(w identity.Problem) bool { return w.Code == identity.WarnGitMissing })
	return u
}

// SyncOptions are the options of a sync for a user.
func (e Environ) SyncOptions(user string, wait time.Duration) team.SyncOptions {
	return team.SyncOptions{User: user, Git: identity.FindGit(e.Get("PATH")), Env: e, Wait: wait}
}

// Access is what a command does to a project.
type Access bool

// What commands do.
const (
	Reads  Access = false
	Writes Access = true
)

// As has the command act for a user, in the root that Choose chooses, and every answer begin its warnings with those about the user. If the command
// writes, it refuses a name that may differ the next time: that session would not be found again.
func (p *Project) As(u identity.User, use Access) error {
	if err := p.Choose(u.Name); err != nil {
		return err
	}
	p.UserWarnings = nil
	for _, w := range u.Warnings {
		p.UserWarnings = append(p.UserWarnings, problem.Warning{Code: w.Code, Says: w.Detail})
	}
	if use == Reads || !u.Guessed {
		return nil
	}
	why := ""
	for _, w := range u.Warnings {
		if w.Code != identity.WarnUnusable {
			why = ": " + w.Detail
			break
		}
	}
	return problem.Fail(problem.Refused, "nothing was written; once git config user.name works here, run the command again", "git cannot say who you are here%s", why)
}

// AboutUser adds to the error of something that was not found what is known of the user's name: it may be the wrong one.
func AboutUser(err error, u identity.User) error {
	if failed, ok := errors.AsType[*problem.Error](err); ok && failed.Kind == problem.MissingInput && len(u.Warnings) > 0 {
		return failed.Hinting("the user is " + u.Name + ": " + u.Warnings[0].Detail)
	}
	return err
}

// ClaimsFirst has Bootstrap claim the plan at the remote, if a person let gsd sync this clone by itself.
func (p *Project) ClaimsFirst(o *BootstrapOptions, sync team.SyncOptions) {
	if team.SyncsItself(p.Project) {
		sync.Unasked, o.Claim = true, &sync
	}
}
