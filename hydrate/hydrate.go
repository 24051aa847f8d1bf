// Package hydrate is gsd for Go programs: where the work on a plan stopped, which task comes next, and the marks that are set on the way.
// It answers what the command line answers and obeys the same rules, and a program, the command line and agents can work on one project at
// the same time.
//
// The day of a program looks like this, without its errors:
//
//	p, _ := hydrate.Open(ctx, ".", nil) // the project around this directory, for the user that git names here
//	r, _ := p.Report()                  // whose session is this, is it still valid, what is left?
//	if r.Verdict == hydrate.None {
//		p.Start(ctx, "", nil) // on the plan that comes next
//	}
//	p.Mark(ctx, 2, planfile.InProgress) // task 2 begins
//	m, _ := p.Done(ctx, 0)              // the task in progress, else the next one, is done
//	if m.Resume != nil {
//		fmt.Println(m.Task.Name, "is done; next is", m.Resume.Name)
//	}
//
// A [Project] is a name, not a state: each method opens the project, answers and closes it again. So a Project is never stale, may be kept
// for days, and is safe for concurrent use. A session on a plan has many readers and, one at a time, writers; one that cannot write within
// five seconds fails with [Busy].
//
// JSON is the API, and these types are a view of it. Every answer is made by the command that its method is named after, and
// json.Marshal(answer) returns what gsd COMMAND -C DIR --json prints, as a JSON value: also what has no field here, and all that schema.json
// describes. DIR is the directory that was given to [Open], absolute; the commands in an answer's Do name it, so they can be run from
// anywhere. A struct that embeds an answer gets its MarshalJSON, and loses its own other fields: name the field instead. Parts of an answer,
// such as a [Task], are marshaled as Go does it, with the fields that they have here.
//
// An error of this package is an [*Error], with a kind to decide by:
//
//	if failed, ok := errors.AsType[*hydrate.Error](err); ok && failed.Kind == hydrate.Busy {
//		// try again later
//	}
//
// What is in an answer comes from files that anybody may have written, such as the names of tasks: it is text, not to be trusted.
package hydrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// Options says what Open is to take in place of what it finds. The zero value of each field is what the command line takes.
type Options struct {
	Now func() time.Time // the clock; nil for time.Now

	// Env is the environment, as in os.Environ; nil for that of this process. It says as to the command line which workstream is meant
	// (GSD_WORKSTREAM, GSD_PROJECT), which agent's run the caller belongs to (GSD_RUN and what agents' hosts set), where gsd keeps its
	// own state (XDG_STATE_HOME), and how large a file may be (GSD_MAX_FILE_MIB). Git gets it, too: its own variables (GIT_CONFIG_GLOBAL, or
	// GIT_CONFIG_COUNT with GIT_CONFIG_KEY_0 and GIT_CONFIG_VALUE_0) name another user.
	//
	// The commands in an answer's Do act in the environment in which they are run. If Env names another user or workstream, run them in Env.
	Env []string
}

// Project is a directory with a .planning directory, and the user who works there. It is immutable.
type Project struct {
	at   string // what was opened, absolute: in a linked worktree, the project may be in another one
	dir  string
	user identity.User
	now  func() time.Time
	env  app.Environ
}

// Open finds the project that dir belongs to: the nearest directory at or above dir with a .planning directory, else, from a linked git
// worktree, that of the main one. An empty dir is the working directory. o may be nil.
//
// The user is determined now and stays the same; ctx ends the wait for git. If git has no name for the user, it is that of the account; if git
// fails to answer, which a warning says, the Project only reads: every method that writes for the user fails with [Refused], and once git
// works again, another Open is needed.
//
// The error is of kind [NoProject] if there is no project, [MissingInput] if dir cannot be used, and [Usage] if the environment makes no
// sense.
func Open(ctx context.Context, dir string, o *Options) (*Project, error) {
	if o == nil {
		o = &Options{}
	}
	p := &Project{now: o.Now, env: o.Env}
	if p.now == nil {
		p.now = time.Now
	}
	if p.env == nil {
		p.env = os.Environ()
	}
	var err error
	if p.at, err = filepath.Abs(dir); err != nil {
		return nil, p.failed("", err)
	}
	at, err := p.env.Open(p.at, p.env.World(p.now()))
	if err != nil {
		return nil, p.failed("", err)
	}
	defer at.Close() // it was only read through
	p.dir = at.Dir
	p.user = p.env.User(ctx, at, p.at)
	return p, nil
}

// Dir returns the project's directory, absolute and without links.
func (p *Project) Dir() string { return p.dir }

// String returns the project's directory, and nothing of the environment, which may hold secrets.
func (p Project) String() string { return p.dir }

// GoString is String for %#v.
func (p Project) GoString() string { return fmt.Sprintf("hydrate.Project(%q)", p.dir) }

// User returns whose sessions the answers are about, as gsd whoami names them.
func (p *Project) User() string { return p.user.Name }

// Report is gsd hydrate: the state of the user's session, what is left of it, and all that is worth knowing before continuing.
func (p *Project) Report() (*Report, error) {
	return answerOf[Report](p, "hydrate", app.Reads, func(at *app.Project) (any, error) {
		r, err := at.HydrateAll(p.User())
		if err == nil {
			at.Detail(r)
		}
		return r, err
	})
}

// Status is gsd status: phases and plans, the position, and everyone's sessions and runs.
func (p *Project) Status() (*Status, error) {
	return answerOf[Status](p, "status", app.Reads, func(at *app.Project) (any, error) {
		return status.Of(at, status.Options{User: p.User()})
	})
}

// Tasks is gsd tasks PLAN: the tasks of a plan, as far as they are. A plan is named as on the command line: by a path, absolute or relative
// to the directory that was opened or to the project, or by an id such as 03-01. With an empty name it is gsd tasks: the tasks of the user's
// session, or an error of kind [MissingInput] if there is none.
func (p *Project) Tasks(plan string) (*TaskList, error) { return p.Task(plan, 0) }

// Task is gsd tasks PLAN N: Tasks with nothing but task n, counted from 1, and with its text.
func (p *Project) Task(plan string, n int) (*TaskList, error) {
	return answerOf[TaskList](p, "tasks", app.Reads, func(at *app.Project) (any, error) {
		return at.Tasks(app.TasksOptions{User: p.User(), Dir: p.at, Plan: plan, Number: n})
	})
}

// Next is gsd next: which plan comes next, and what else is ready.
func (p *Project) Next() (*NextPlan, error) {
	return answerOf[NextPlan](p, "next", app.Reads, func(at *app.Project) (any, error) { return at.Next(p.User()) })
}

// StartOptions says how to start on a plan.
type StartOptions struct {
	Fresh bool // from the first task, whatever is known of its progress
	Again bool // even if the plan is done
}

// Start is gsd bootstrap PLAN: it starts a session on a plan with all that is known of its progress, or continues the one that is on it. A
// session on another plan is archived, and loses nothing. With an empty name it is gsd bootstrap: a session with a
// task to resume is kept, on any plan; else the plan is the next one. o may be nil.
//
// The error is of kind [Busy] while another run is at work on the session or somebody else works on the plan, and [Refused] if the plan
// is done. If a person has turned gsd sync --auto on, the plan is claimed at the remote first, which takes some seconds at most.
func (p *Project) Start(ctx context.Context, plan string, o *StartOptions) (*Started, error) {
	if o == nil {
		o = &StartOptions{}
	}
	return answerOf[Started](p, "bootstrap", app.Writes, func(at *app.Project) (_ any, err error) {
		options := app.BootstrapOptions{User: p.User(), Fresh: o.Fresh, Again: o.Again, Wait: app.Patience}
		if plan != "" {
			if options.Plan, err = at.ResolveStart(p.User(), p.at, plan); err != nil {
				return nil, err
			}
		}
		at.ClaimsFirst(&options, p.env.SyncOptions(p.User(), app.Patience))
		return at.Bootstrap(ctx, options)
	})
}

// Mark is gsd mark N STATUS: it sets the status of task n of the user's session, counted from 1, and changes no other byte of its file. The
// error is of kind [MissingInput] if there is no session or no such task, and [Usage] for a status that there is not.
//
// A sync in the background, which gsd mark starts if a person let it, is left to the next command of gsd.
func (p *Project) Mark(ctx context.Context, n int, s planfile.Status) (*Marked, error) {
	return p.mark(ctx, "mark", app.MarkOptions{Number: n, Status: s})
}

// Done is gsd done N: it marks task n complete. If n is 0, it is gsd done: the task is the one in progress, else the one to resume. The error
// is of kind [Usage] if several tasks are in progress, and [Busy] if the only one is that of another run, which may be alive.
func (p *Project) Done(ctx context.Context, n int) (*Marked, error) {
	return p.mark(ctx, "done", app.MarkOptions{Number: n, Current: n == 0, Status: planfile.Complete})
}

func (p *Project) mark(ctx context.Context, command string, o app.MarkOptions) (*Marked, error) {
	return answerOf[Marked](p, command, app.Writes, func(at *app.Project) (any, error) {
		o.User, o.Wait = p.User(), app.Patience
		m, err := at.Mark(ctx, o)
		if err == nil {
			at.Detail(m.Report)
		}
		return m, err
	})
}

// Archive is gsd archive: it archives the user's session, and none is left. Start continues it. The error is of kind [MissingInput] if
// there is no session, and [Busy] while another run is at work on it.
func (p *Project) Archive(ctx context.Context) (*Archived, error) {
	return answerOf[Archived](p, "archive", app.Writes, func(at *app.Project) (any, error) {
		return at.Archive(ctx, app.ArchiveOptions{User: p.User(), Wait: app.Patience})
	})
}

// Restore is gsd restore ID: it brings a lost session back, of any project of this machine. With an empty id it is gsd restore: the session
// of the user that was lost here. The error is of kind [MissingInput] if there is none.
func (p *Project) Restore(ctx context.Context, id string) (*Restored, error) {
	use := app.Reads // the session of an ID comes back for its own user, not for the one who asks
	if id == "" {
		use = app.Writes
	}
	return answerOf[Restored](p, "restore", use, func(at *app.Project) (any, error) {
		o := app.RestoreOptions{User: p.User(), ID: id, Dir: p.at, Wait: app.Patience}
		if id == "" {
			return at.RestoreHere(ctx, o)
		}
		return p.env.RestoreByID(ctx, at.World, o)
	})
}

// lookEvery is how long after an answer Watch asks again, as gsd status --watch does.
const lookEvery = time.Second

// Watch returns what Report returns, now and whenever that is another answer or another error, until ctx is done or the loop is left. It
// looks once a second. An error need not be the end: while git rebases, a project may be gone for a moment.
//
//	for r, err := range p.Watch(ctx) {
//		if err != nil {
//			log.Print(err)
//			continue
//		}
//		fmt.Println(r.Done, "of", r.Total)
//	}
//
// It follows the user's own session; for those of others, call Status from time to time.
func (p *Project) Watch(ctx context.Context) iter.Seq2[*Report, error] {
	return func(yield func(*Report, error) bool) {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for last := ""; ctx.Err() == nil; {
			r, err := p.Report()
			var is string
			if err != nil {
				is = err.Error()
			} else {
				is = string(r.raw)
			}
			if is != last && !yield(r, err) {
				return
			}
			last = is
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
	}
}

// answerOf opens the project for one command, has it carried out, and returns its JSON as one of the types of answers.
func answerOf[T any, P interface {
	*T
	keep(raw []byte)
}](p *Project, command string, use app.Access, do func(at *app.Project) (any, error)) (*T, error) {
	at, err := p.env.Open(p.at, p.env.World(p.now()))
	if err != nil {
		return nil, p.failed(command, err)
	}
	defer at.Close() // what was written is synced
	if err := at.As(p.user, use); err != nil {
		return nil, p.failed(command, err)
	}
	answer, err := do(at)
	if err != nil {
		return nil, p.failed(command, app.AboutUser(err, p.user))
	}
	in := p.at
	if r, ok := answer.(*app.Restored); ok && r.IsAway(p.at) {
		in = r.Project
	}
	var raw bytes.Buffer
	if err := (view.Envelope{Command: command, At: action.Place{In: in, Root: at.Planning.Naming()}}).JSONLine(&raw, answer); err != nil {
		return nil, p.failed(command, err)
	}
	result := new(T)
	if err := json.Unmarshal(raw.Bytes(), result); err != nil {
		return nil, p.failed(command, err)
	}
	P(result).keep(raw.Bytes())
	return result, nil
}

// failed returns an error as the command says it with --json.
func (p *Project) failed(command string, err error) error {
	known, ok := errors.AsType[*problem.Error](err)
	if !ok {
		known = &problem.Error{Kind: problem.IO, Text: err.Error()}
	}
	failure := &Error{err: err}
	var raw bytes.Buffer
	if failed := (view.Envelope{Command: command, At: action.Place{In: p.at}}).JSONLine(&raw, view.Fail(known)); failed != nil {
		return errors.Join(err, failed)
	}
	if failed := json.Unmarshal(raw.Bytes(), failure); failed != nil {
		return errors.Join(err, failed)
	}
	failure.keep(raw.Bytes())
	return failure
}
