package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/view"
)

type execOptions struct {
	dir, host         string
	command           []string
	resetTasks, force bool
	wait              time.Duration
}

func (a *app) execCommand() *cli.Command {
	return inDirectory(&cli.Command{
		Name:      "exec",
		Usage:     "run an agent's program as a run",
		ArgsUsage: "-- COMMAND…",
		Description: `Takes the session's lease, runs COMMAND with the standard streams, the signals and the variable GSD_RUN, holds the lease
while it is alive, and records how it ended: success, failure, cancelled (SIGINT, SIGTERM) or interrupted (killed). It is
for agents whose host has no hooks. gsd itself prints nothing on standard output.

EXAMPLES
   gsd exec --host codex -- codex exec "do the next task of the plan"
   gsd exec --reset-tasks -- ./agent.sh

EXIT STATUS
   That of COMMAND; if a signal ends it, gsd ends by it, too.
   126  COMMAND cannot be run
   127  there is no such COMMAND
   Before COMMAND runs, as everywhere: 64, 69, 73, 74, 77, and 75 while another run is at work.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "host", Usage: "the program that the agent runs in, such as codex, as `NAME` (default: COMMAND's name)"},
			boolFlag("reset-tasks", "when it ends, set tasks that it left in progress back to pending"),
			boolFlag("force", "take the lease from whoever holds it"),
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usage("gsd exec -- COMMAND…", "exec: which command?")
			}
			if err := checkClaim(c.String("host"), "", 0); err != nil {
				return err
			}
			return a.exec(c.Context, execOptions{
				dir: a.workingDir(c), host: c.String("host"), command: c.Args().Slice(),
				resetTasks: c.Bool("reset-tasks"), force: c.Bool("force"), wait: c.Duration("wait"),
			})
		},
	})
}

// The exit codes of a program that could not be started, as every shell has them.
const (
	exitCannotRun = 126
	exitNoCommand = 127
)

// bySignal is what a shell adds to a signal's number for an exit code.
const bySignal = 128

// childEnd is how the command ended.
type childEnd struct {
	code   int
	signal os.Signal // that ended it; nil for none
	told   bool      // it was sent SIGINT or SIGTERM, by us or by the terminal
}

// renewals is how often the lease is renewed in its time to live.
const renewals = 4

func (a *app) exec(ctx context.Context, o execOptions) error {
	a.stdout = io.Discard // it is the command's: not even nothing is written there, which fails on a full device
	cmd, err := a.childCommand(o)
	if err != nil {
		return err
	}
	mail := openMailbox()
	defer mail.close()
	return a.withWriter(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		p.UserWarnings = nil // what it says on standard error is about the run alone
		p.Caller = run.Caller{Token: a.caller().Token, Host: o.hostName(), PID: os.Getpid(), Sure: true}
		var started *hydrate.Started
		stop := mail.interrupts(ctx, func(ctx context.Context) {
			started, err = p.StartRun(ctx, hydrate.StartOptions{User: u.Name, Force: o.force, Join: true, Supervised: true, Now: a.now(), Wait: o.wait})
		})
		switch {
		case err != nil && stop != nil: // most likely because of the signal
			return exitAs(endedBy(stop))
		case err != nil:
			return err
		}
		end := endedBy(stop)
		if stop == nil { // else the command never lives
			end, err = a.supervise(ctx, p, u, cmd, mail, &started.Run)
		}
		if !started.Reentered { // else it is a part of a run that goes on
			status, cause := end.status()
			if err != nil {
				status, cause = run.Failure, run.CauseExit
			}
			a.recordEnd(ctx, p, hydrate.EndOptions{User: u.Name, Run: started.Run.ID, Status: status, Cause: cause, ResetTasks: o.resetTasks, Spare: started.InProgress, Command: pidOf(cmd), Now: a.now(), Wait: o.wait})
		}
		if err != nil {
			return err
		}
		return exitAs(end)
	})
}

// pidOf is the process of a command that was started, 0 for none.
func pidOf(cmd *exec.Cmd) int {
	if cmd.Process == nil {
		return 0
	}
	return cmd.Process.Pid
}

// supervise runs the command to its end, and keeps the run's lease meanwhile.
func (a *app) supervise(ctx context.Context, p *hydrate.Project, u identity.User, cmd *exec.Cmd, mail mailbox, run *run.Run) (childEnd, error) {
	cmd.Env = append(slices.Clip(cmd.Env), runVariable+"="+run.Token)
	tick := time.NewTicker(run.TTL / renewals)
	defer tick.Stop()
	release := keepLease(tick.C, func() { p.RenewRun(ctx, u.Name, run.ID, a.now()) })
	defer release()
	return runChild(cmd, mail)
}

// status is what the run's end is recorded as.
func (e childEnd) status() (run.Status, run.Cause) {
	switch {
	case e.killed():
		return run.Interrupted, run.CauseSignal
	case e.told || e.cancelled():
		return run.Cancelled, run.CauseSignal
	case e.code == 0:
		return run.Success, run.CauseExit
	}
	return run.Failure, run.CauseExit
}

// hostName is what the run's host is called: what was said, else the command's own name.
func (o *execOptions) hostName() string {
	name := strings.TrimSuffix(filepath.Base(o.command[0]), ".exe")
	switch {
	case o.host != "":
		return o.host
	case isName(name):
		return name
	}
	return ""
}

// childCommand prepares the command. It is looked for before a run is recorded. The streams are handed over as
// they are: neither a pipe nor a goroutine stands in between. (One that is closed is /dev/null by now: Go's
// runtime sees to it before main.)
func (a *app) childCommand(o execOptions) (*exec.Cmd, error) {
	name := o.command[0]
	if strings.ContainsRune(name, os.PathSeparator) || strings.Contains(name, "/") {
		name = join(o.dir, name)
	}
	file, err := exec.LookPath(name)
	if err != nil {
		return nil, cannotRun(o.command[0], err)
	}
	cmd := exec.Command(file, o.command[1:]...)
	cmd.Args[0] = o.command[0]
	cmd.Env = a.env
	if o.dir != a.dir { // else it stays where it is
		cmd.Dir = o.dir
		cmd.Env = append(slices.Clip(cmd.Env), "PWD="+filepath.Clean(o.dir))
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd, nil
}

// A startError is a command that could not be started.
type startError struct {
	text, hint string
	code       int
}

func (e *startError) Error() string { return e.text }

func cannotRun(name string, err error) error {
	e := &startError{code: exitCannotRun, hint: "check that it is a program, and executable"}
	switch {
	case errors.Is(err, exec.ErrDot): // somebody else's file in the project must not run for a program of that name
		err, e.hint = errors.New("it is in the current directory"), "to run that one: "+view.Quote("."+string(os.PathSeparator)+name)
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		e.code, e.hint = exitNoCommand, "check that it is installed, and in PATH"
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	} else if lookup, ok := errors.AsType[*exec.Error](err); ok {
		err = lookup.Err
	}
	e.text = fmt.Sprintf("cannot run %s: %v", name, err)
	return e
}

// keepLease calls renew at every tick, and gives the function that ends that and waits for the last one.
func keepLease(tick <-chan time.Time, renew func()) (release func()) {
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case <-done:
				return
			case <-tick:
				renew()
			}
		}
	}()
	return func() { close(done); <-over }
}

// recordEnd records the end. Where it fails, that is said on standard error, and the command's exit status stays.
func (a *app) recordEnd(ctx context.Context, p *hydrate.Project, end hydrate.EndOptions) {
	ended, err := p.EndRun(ctx, end)
	if err != nil {
		a.complain("gsd: the end of the run was not recorded: %s\n", view.Cut(view.Line(err.Error()), longestError))
		return
	}
	for _, w := range ended.Warnings {
		a.complain("gsd: %s (%s)\n", view.Cut(view.Line(w.Detail), longestError), w.Code)
	}
}

// A mailbox takes in the signals that are sent to this program, from before the run is recorded until after its
// end is: in between none may end gsd by itself.
type mailbox chan os.Signal

func openMailbox() mailbox {
	m := make(mailbox, 64) // package signal drops what finds no room
	for _, s := range passedOn {
		if !signal.Ignored(s) { // what this program was started to ignore stays ignored for both (nohup)
			signal.Notify(m, s)
		}
	}
	return m
}

func (m mailbox) close() { signal.Stop(m) }

// interrupts does something that a signal cuts short, and gives that signal, nil for none.
func (m mailbox) interrupts(ctx context.Context, do func(context.Context)) os.Signal {
	ctx, cancel := context.WithCancel(ctx)
	got := make(chan os.Signal, 1)
	go func() {
		defer cancel()
		select {
		case s := <-m:
			got <- s
		case <-ctx.Done():
			close(got)
		}
	}()
	do(ctx)
	cancel()
	return <-got
}
