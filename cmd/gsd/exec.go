package main

import (
	"cmp"
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

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/child"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/view"
)

// execOptions are the flags of gsd exec.
type execOptions struct {
	host       string
	resetTasks bool
}

func execCommand(inv *invocation) *cli.Command {
	var o execOptions
	return inDirectory(inv, &cli.Command{
		Name:      "exec",
		Usage:     "run an agent's program as a run",
		ArgsUsage: "-- COMMAND…",
		Description: `This is for agents whose host has no hooks. It takes the session's lease, runs COMMAND, and records how it ended: success,
failure, cancelled (SIGINT, SIGTERM) or interrupted (killed, or it left a task of its own in progress). The lease is renewed as
long as COMMAND lives. If only gsd is killed, the run continues until COMMAND ends.

COMMAND has gsd's standard streams, gets its signals, and finds its run in GSD_RUN. gsd itself prints nothing on standard output.
Inside of a run, COMMAND belongs to that run, which continues afterwards; --reset-tasks does nothing then.

EXAMPLES
   gsd exec --host codex -- codex exec "do the next task of the plan"
   gsd exec --reset-tasks -- ./agent.sh

EXIT STATUS
   That of COMMAND; if a signal ends it, gsd is ended by the same signal.
   126  COMMAND cannot be run
   127  COMMAND was not found
   Before COMMAND runs, as for every command: 64, 69, 73, 74, 77, and
   75 if another run is active.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "host", Usage: "`NAME` of the program that the agent runs in, such as codex (default: COMMAND's name)", Destination: &o.host},
			boolFlag(&o.resetTasks, "reset-tasks", "at the end, set tasks that it left in progress back to pending"),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usage("`gsd exec -- COMMAND…`", "exec: no command given")
			}
			if err := checkHost(o.host); err != nil {
				return err
			}
			return runAgent(c.Context, inv, c.Args().Slice(), o)
		},
	})
}

// runAgent runs a program as a run.
func runAgent(ctx context.Context, inv *invocation, words []string, o execOptions) error {
	inv.stdout = io.Discard // it is the program's: not even an empty write, which fails on a full device
	cmd, err := childCommand(inv, words)
	if err != nil {
		return err
	}
	mail := child.OpenMailbox()
	defer signal.Stop(mail)
	return inv.withProject(ctx, app.Writes, func(p *app.Project, user string) error {
		p.UserWarnings = nil // standard error is for problems of the run alone
		p.Caller = run.Caller{Token: inv.env.caller().Token, Host: hostOf(o.host, words[0]), PID: os.Getpid(), Sure: true}
		s := supervisor{program: inv.program, execOptions: o, project: p, user: user, cmd: cmd, mail: mail}
		return s.run(ctx)
	})
}

// hostOf is the name of the run's host: the one given, else the program's own.
func hostOf(given, program string) string {
	name := cmp.Or(given, strings.TrimSuffix(filepath.Base(program), ".exe"))
	if !run.IsWord(name) {
		return ""
	}
	return name
}

// A supervisor runs one program, and records the run that it is.
type supervisor struct {
	*program
	execOptions
	project *app.Project
	user    string
	cmd     *exec.Cmd
	mail    child.Mailbox
}

func (s *supervisor) run(ctx context.Context) error {
	var started *app.StartedRun
	var err error
	stop := s.mail.Interrupts(ctx, func(ctx context.Context) {
		started, err = s.project.StartRun(ctx, app.StartRunOptions{
			User: s.user, Join: true, Supervised: true, Wait: s.wait(),
		})
	})
	switch {
	case err != nil && stop != nil: // most likely because of the signal
		return exitStatus{child.EndedBy(stop)}
	case err != nil:
		return err
	}
	end := child.EndedBy(stop)
	if stop == nil { // else the program is not started
		s.tell(started)
		end, err = s.runChild(ctx, &started.Run)
	}
	if !started.Reentered { // else it is a part of a run that continues
		s.recordEnd(ctx, started.Run.ID, end, err)
	}
	if err != nil || end.Code == 0 {
		return err
	}
	return exitStatus{end}
}

// tell says on standard error whose runs were over, and what --reset-tasks does not do.
func (s *supervisor) tell(started *app.StartedRun) {
	for i := range started.Crashed {
		s.complain(ourError, view.RunClosed(&started.Crashed[i]))
	}
	if started.Reentered && s.resetTasks {
		s.complain(ourError, "--reset-tasks does nothing here: this is a part of "+started.Run.Who()+", which continues with its tasks")
	}
}

// runChild runs the program to its end, and keeps the run's lease meanwhile.
func (s *supervisor) runChild(ctx context.Context, r *run.Run) (child.End, error) {
	const renewals = 4 // in the lease's time to live
	s.cmd.Env = append(slices.Clip(s.cmd.Env), app.RunVariable+"="+r.Token)
	tick := time.NewTicker(r.TTL / renewals)
	defer tick.Stop()
	end, err := child.Run(s.cmd, s.mail, tick.C, func() {
		s.project.Now = s.now()
		s.project.RenewRun(ctx, s.user, r.ID, s.cmd.Process.Pid)
	})
	if err != nil {
		err = cannotRun(s.cmd.Args[0], err)
	}
	return end, err
}

// recordEnd records the run's end. A failure is reported, but does not change the program's exit status.
func (s *supervisor) recordEnd(ctx context.Context, id string, end child.End, failed error) {
	o := app.EndRunOptions{User: s.user, Run: id, ResetTasks: s.resetTasks, Wait: s.wait()}
	if o.Status, o.Cause = statusOf(end); failed != nil {
		o.Status, o.Cause, o.Reason = run.Failure, run.CauseExit, "it could not be started"
	} else if o.Status == run.Failure {
		o.Reason = fmt.Sprintf("exit status %d", end.Code)
	}
	s.project.Processes, s.project.Now = nil, s.now() // it looks again at what was alive a moment ago
	if s.cmd.Process != nil {
		o.Command = s.cmd.Process.Pid
	}
	ended, err := s.project.EndRun(ctx, o)
	if err != nil {
		s.complain(ourError, "the end of the run was not recorded: "+err.Error())
		return
	}
	for _, w := range ended.Warnings {
		s.complain(ourError, printer.Sprintf("%s (%s)", view.WarningText(&w), w.Code))
	}
}

// statusOf is how the run's end is recorded.
func statusOf(end child.End) (run.Status, run.Cause) {
	switch {
	case end.Killed():
		return run.Interrupted, run.CauseSignal
	case end.Signalled || end.Cancelled():
		return run.Cancelled, run.CauseSignal
	case end.Code == 0:
		return run.Success, run.CauseExit
	}
	return run.Failure, run.CauseExit
}

// childCommand prepares the command. It is looked up before a run is recorded. It gets the streams themselves: there is
// neither a pipe nor a goroutine in between. (Go's runtime opens /dev/null for one that is closed.)
func childCommand(inv *invocation, words []string) (*exec.Cmd, error) {
	name, dir := words[0], inv.workingDir()
	if strings.ContainsRune(name, os.PathSeparator) || strings.Contains(name, "/") {
		name = join(dir, name)
	}
	file, err := exec.LookPath(name)
	if err != nil {
		return nil, cannotRun(words[0], err)
	}
	cmd := exec.Command(file, words[1:]...)
	cmd.Args[0] = words[0]
	cmd.Env = inv.env
	if dir != inv.dir {
		cmd.Dir = dir
		cmd.Env = append(slices.Clip(cmd.Env), "PWD="+filepath.Clean(dir))
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd, nil
}

// cannotRun is the error of a command that could not be started.
func cannotRun(name string, err error) error {
	code, hint := exitCannotRun, "check that it is a program, and executable"
	switch {
	case errors.Is(err, exec.ErrDot): // another person's file in the project must not run in place of a program
		err, hint = errors.New("it is in the current directory"), "to run that file, name it with its directory"
		if word, ok := text.Typed("." + string(os.PathSeparator) + name); ok {
			hint = "to run that file: " + word
		}
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		code, hint = exitNoCommand, "check that it is installed, and in PATH"
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	} else if lookup, ok := errors.AsType[*exec.Error](err); ok {
		err = lookup.Err
	}
	return errors.Join(exit(code), &problem.Error{Text: fmt.Sprintf("cannot run %s: %v", name, err), Hint: hint})
}
