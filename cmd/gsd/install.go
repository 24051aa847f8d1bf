package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/self"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/view"
)

// scopes are the values of --scope.
var scopes = []string{string(agent.Project), string(agent.Local), string(agent.User)}

// installOptions are the flags of gsd install.
type installOptions struct {
	agent.Where
	check, dryRun, remove, absolute bool
}

func installCommand(inv *invocation) *cli.Command {
	var o installOptions
	return answering(inv, &cli.Command{
		Name:      "install",
		Usage:     "install gsd's hooks and commands into a coding agent",
		ArgsUsage: "[HOST…]",
		Description: `HOST is claude, codex, gemini, copilot, cursor, opencode or qwen. Its settings get hooks that call gsd when a conversation
starts and ends, and people get four commands: in claude /gsd.hydrate, /gsd.bootstrap, /gsd.mark and /gsd.status, and in the other
hosts the skills hydrate-gsd, bootstrap-gsd, mark-gsd and status-gsd, which all of them read in .agents/skills. Several hosts may be
named: nothing is written before all of their settings have been read and understood.
Without HOST, all hosts are listed, and where gsd is installed.

Where the host has permissions, the agent may then run 'gsd hydrate', bootstrap, mark, done, tasks, next and status without asking, and
nothing else (before 'gsd takeover' it asks); --no-permissions leaves that out, and later installations keep it so.

Only gsd's own entries are touched: comments, order and everybody else's entries stay as they are, and a settings file that
gsd cannot parse is left alone. --remove restores the original bytes, or --dry-run names the file. Installing again is safe.

The scope is project (for everybody who works on the project; the files belong in git), local (Claude only: for you, in this
project) or user (for you, in every project; outside GSD projects the hooks print nothing).

EXAMPLES
   gsd install
   gsd install claude
   gsd install claude codex
   gsd install codex --scope user --dry-run
   gsd install gemini --check
   gsd install claude --remove

EXIT STATUS
   With --check: 1 if gsd is not installed, or only in part or in another
   form, or if a note says that its hooks will not run, or that they run
   more than once.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "scope", Usage: "`SCOPE` of the installation: " + or(scopes), Value: string(agent.Project), Destination: (*string)(&o.Scope)},
			boolFlag(&o.check, "check", "report whether gsd is installed, and change nothing"),
			boolFlag(&o.dryRun, "dry-run", "print what would change, as a diff, and change nothing"),
			boolFlag(&o.remove, "remove", "remove what was installed"),
			boolFlag(&o.StatusLine, "statusline", strings.Join(agent.WithStatusLine(), ", ")+": also set gsd's status line, unless there is another one"),
			boolFlag(&o.NoPermissions, "no-permissions", "don't allow the agent to run gsd's commands without asking"),
			boolFlag(&o.absolute, "absolute", "call gsd by its full path, for agents that are not started from a shell"),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return listHosts(c, inv)
			}
			return install(c, inv, o)
		},
	})
}

// install checks the command line, and installs for each host that it names.
func install(c *cli.Context, inv *invocation, o installOptions) error {
	if err := errors.Join(
		exclusive(c, "check", "dry-run"), exclusive(c, "check", "remove"), exclusive(c, "remove", "statusline"),
		exclusive(c, "remove", "absolute"), exclusive(c, "remove", "no-permissions"),
	); err != nil {
		return err
	}
	var names []string
	for _, name := range c.Args().Slice() {
		if !slices.Contains(agent.Names(), name) {
			return usage(choices(name, agent.Names()), "no host %s", quoted(name))
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return installAll(c.Context, inv, names, o)
}

// installAll plans what is to be done for each host before anything is written for the first.
func installAll(ctx context.Context, inv *invocation, names []string, o installOptions) error {
	prepare, action := o.action()
	plans, err := prepareAll(ctx, inv, names, o, prepare)
	if err != nil {
		return err
	}
	var answer view.Installs
	works, shown := true, map[string]bool{}
	applies := !o.check && !o.dryRun
	for i, plan := range plans {
		if i > 0 && applies { // the one before it may have changed the same file: the shared skills
			if plan, err = prepare(plan.Where); err != nil {
				return ofHost(err, names[i], len(names))
			}
		}
		if o.dryRun { // a file that several hosts read changes once
			plan.Changes = slices.DeleteFunc(plan.Changes, func(c agent.Change) bool { return shown[c.Path] })
			for _, c := range plan.Changes {
				shown[c.Path] = true
			}
		}
		if action == view.ActionInstall && !inv.json {
			warnRepeated(inv, plan)
		}
		if applies {
			if err := plan.Apply(); err != nil {
				failed := ofHost(err, names[i], len(names))
				if i > 0 {
					return failed.Hinting("done before it: " + strings.Join(names[:i], ", ") + "; repeat the command to continue")
				}
				return failed
			}
		}
		in := view.NewInstall(plan, action)
		works = works && in.Works()
		answer.Add(in)
	}
	err = reply(inv, answer, nil, (*view.Printer).Installs)
	if err == nil && action == view.ActionCheck && !works {
		return exit(exitNotInstalled)
	}
	return err
}

// action returns how to plan what the flags ask for, and what is printed about it.
func (o installOptions) action() (prepare func(agent.Where) (*agent.Plan, error), action view.InstallAction) {
	switch {
	case o.check:
		return agent.Install, view.ActionCheck
	case o.dryRun && o.remove:
		return agent.Remove, view.ActionDryRunRemove
	case o.dryRun:
		return agent.Install, view.ActionDryRun
	case o.remove:
		return agent.Remove, view.ActionRemove
	}
	return agent.Install, view.ActionInstall
}

func prepareAll(ctx context.Context, inv *invocation, names []string, o installOptions, prepare func(agent.Where) (*agent.Plan, error)) (plans []*agent.Plan, err error) {
	for i, name := range names {
		w, err := inv.where(ctx, name, o)
		if err != nil {
			return nil, err
		}
		if o.remove {
			w.Gone = names[:i]
		}
		plan, err := prepare(w)
		if err != nil {
			return nil, ofHost(err, name, len(names))
		}
		plans = append(plans, plan)
	}
	return plans, nil
}

// warnRepeated prints what has to be read before anything changes, instead of among the notes afterwards.
func warnRepeated(inv *invocation, plan *agent.Plan) {
	if len(plan.Changes) == 0 {
		return
	}
	for _, note := range plan.Repeated {
		inv.complain(ourWarning, plan.Where.Host+": "+note)
	}
	plan.Notes = slices.DeleteFunc(plan.Notes, func(note string) bool { return slices.Contains(plan.Repeated, note) })
}

// ofHost converts an error of package agent, and says for which of several hosts it is.
func ofHost(err error, name string, of int) *problem.Error {
	e := hostError(err)
	if of > 1 {
		e.Text = text.Cut(text.Line(name), longestWord) + ": " + e.Text
	}
	return e
}

// hosts returns where hosts keep their settings on this machine.
func (g *program) hosts() agent.Where {
	return agent.Where{Home: g.env.home(), Getenv: g.env.get}
}

// where returns where to install for a host.
func (inv *invocation) where(ctx context.Context, name string, o installOptions) (agent.Where, error) {
	w := inv.hosts()
	w.Host, w.Scope, w.StatusLine, w.NoPermissions = name, o.Scope, o.StatusLine, o.NoPermissions
	if err := inv.locate(&w); err != nil {
		return w, err
	}
	switch {
	case o.absolute:
		bin, err := inv.self().File()
		if err != nil {
			return w, &problem.Error{Kind: problem.IO, Text: "cannot find the path of gsd: " + err.Error(), Hint: "try without --absolute", Err: err}
		}
		if bin = filepath.ToSlash(bin); strings.Contains(bin, `\`) {
			return w, usage("install without --absolute, or move gsd to a path without special characters", "hooks cannot call %q", bin)
		}
		w.Program = self.ShellWord(bin)
	default:
		w.Instead = inv.self().Instead()
		if agent.RunsLoginShell(name) && !o.remove {
			w.Login = inv.self().InLogin(ctx, inv.env.get("SHELL"))
		}
	}
	w.Show = display(w)
	return w, nil
}

// locate adds the project to w, if there is one. It is an error if one is needed.
func (inv *invocation) locate(w *agent.Where) error {
	dir := inv.workingDir()
	p, err := inv.open(dir)
	var known *problem.Error
	switch {
	case err == nil:
		w.Project, w.GitDir, w.Env = p.Planning.Seen(), p.Planning.GitDir(), inv.env
		if w.Project != p.Dir {
			w.GitDir, _, _ = p.Planning.Checkout().Shared()
		}
		p.Close() // it was only looked for
		if w.Scope != agent.User && !isBelow(dir, w.Project) {
			const where = "the .planning of this worktree is in %s, where a host that is started here does not look"
			return &problem.Error{
				Kind: problem.Refused, Text: fmt.Sprintf(where, w.Project), Hint: "--scope user installs it for all your projects",
				Do: []action.Action{{Kind: action.InstallThere, ID: w.Host, Dir: w.Project}},
			}
		}
		return nil
	case w.Scope == agent.User:
		return nil
	case errors.As(err, &known) && known.Kind == problem.NoProject:
		return known.Hinting("or, for all your projects: `gsd install " + w.Host + " --scope user`")
	}
	return err
}

// listHosts shows, for each host, whether it was found and in which scopes gsd is installed.
func listHosts(c *cli.Context, inv *invocation) error {
	for _, flag := range []string{"scope", "check", "dry-run", "remove", "statusline", "no-permissions", "absolute"} {
		if c.IsSet(flag) {
			return usage("name one: "+strings.Join(agent.Names(), ", "), "install: --%s needs a HOST", flag)
		}
	}
	w := inv.hosts()
	w.Instead = inv.self().Instead()
	if p, err := inv.open(inv.workingDir()); err == nil {
		w.Project = p.Planning.Seen()
		p.Close() // it was only looked for
	}
	w.Show = display(w)
	return reply(inv, view.Hosts{Hosts: agent.Survey(w)}, nil, (*view.Printer).Hosts)
}

// isBelow reports whether dir is top or below it, following links.
func isBelow(dir, top string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	below, err := filepath.Rel(top, dir)
	return err == nil && filepath.IsLocal(below)
}

// display shortens a path for people: relative to the project, or with ~ for the home directory.
func display(w agent.Where) func(string) string {
	return func(name string) string {
		if w.Scope != agent.User {
			if short, err := filepath.Rel(w.Project, name); err == nil && filepath.IsLocal(short) {
				return filepath.ToSlash(short)
			}
		}
		if short, ok := strings.CutPrefix(name, filepath.Clean(w.Home)+string(filepath.Separator)); ok && w.Home != "" {
			return "~/" + filepath.ToSlash(short)
		}
		return filepath.ToSlash(name)
	}
}

// hostError converts an error of package agent, for its exit code.
func hostError(err error) *problem.Error {
	var e *agent.Error
	if !errors.As(err, &e) {
		return &problem.Error{Kind: problem.IO, Text: err.Error(), Err: err}
	}
	kinds := map[agent.Kind]problem.Kind{
		agent.Usage: problem.Usage, agent.Bad: problem.BadData, agent.Refused: problem.Refused,
		agent.Denied: problem.CannotCreate, agent.Failed: problem.IO, agent.Conflict: problem.Busy,
	}
	return &problem.Error{Kind: kinds[e.Kind], Text: e.Text, Hint: e.Hint, Err: err}
}
