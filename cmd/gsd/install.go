package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/view"
)

// scopes are the values of --scope.
var scopes = []string{string(agent.Project), string(agent.Local), string(agent.User)}

func (a *app) installCommand() *cli.Command {
	return answering(&cli.Command{
		Name:      "install",
		Usage:     "install gsd's hooks and commands into a coding agent",
		ArgsUsage: "[HOST…]",
		Description: `HOST is claude, codex, gemini, copilot, cursor or opencode. Its settings get hooks that call gsd when a conversation
starts and ends, and people get the commands /gsd.hydrate, /gsd.bootstrap, /gsd.mark and /gsd.status, or the closest thing
that the host has. Several hosts may be named: nothing is written before all of their settings have been read and understood.
Without HOST, all hosts are listed, and where gsd is installed.

With --sync, gsd claims the plan of a session and syncs it by itself from then on, in this clone: git config gsd.sync auto.

gsd install git makes gsd git's merge driver for STATE.md and ROADMAP.md, so that plans that were finished on two branches merge
without a conflict. It needs to be run once in each clone; where it was not, git merges as usual.

Where the host has permissions, the agent may then run gsd hydrate, mark, done, tasks, next and status without asking, and
nothing else; --no-permissions leaves that out, and later installations keep it so.

Only gsd's own entries are touched: comments, order and everybody else's entries stay as they are, and a settings file that
gsd cannot parse is left alone. --remove restores the original bytes. Installing again is safe.

The scope is project (for everybody who works on the project; the files belong in git), local (Claude only: for you, in this
project) or user (for you, in every project; outside GSD projects the hooks print nothing).

EXAMPLES
   gsd install
   gsd install claude
   gsd install claude codex
   gsd install codex --scope user --dry-run
   gsd install gemini --check
   gsd install claude --sync
   gsd install git
   gsd install claude --remove

EXIT STATUS
   With --check: 1 if gsd is not installed, or only in part or in another form, or if a note says that its hooks will not
   run, or that something else may run gsd a second time.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "scope", Usage: "for whom, as `SCOPE`: " + strings.Join(scopes, ", "), Value: string(agent.Project)},
			boolFlag("check", "report whether gsd is installed, and change nothing"),
			boolFlag("dry-run", "print what would change, as a diff, and change nothing"),
			boolFlag("remove", "remove what was installed"),
			boolFlag("statusline", strings.Join(agent.WithStatusLine(), ", ")+": also set gsd's status line, unless there is another one"),
			boolFlag("no-permissions", "don't allow the agent to run gsd's commands without asking"),
			boolFlag("sync", "also claim plans and sync sessions automatically, in this clone"),
			boolFlag("absolute", "call gsd by its full path, for agents that are not started from a shell"),
		},
		Action: func(c *cli.Context) error {
			var names []string
			for _, name := range c.Args().Slice() {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			if c.Bool("sync") {
				names = append(names, agent.Sync)
			}
			if len(names) == 0 {
				for _, flag := range []string{"scope", "check", "dry-run", "remove", "statusline", "no-permissions", "absolute"} {
					if c.IsSet(flag) {
						return usage("gsd install HOST; HOST is one of "+strings.Join(agent.Names(), ", "), "install: --%s needs a HOST", flag)
					}
				}
				return a.listHosts(c)
			}
			if err := errors.Join(
				exclusive(c, "check", "dry-run"), exclusive(c, "check", "remove"),
				exclusive(c, "remove", "statusline"), exclusive(c, "remove", "absolute"),
				exclusive(c, "remove", "no-permissions"),
			); err != nil {
				return err
			}
			return a.install(c, names)
		},
	})
}

// install plans what is to be done for each host before anything is written for the first.
func (a *app) install(c *cli.Context, names []string) error {
	prepare, action := agent.Install, view.ActionInstall
	switch dryRun, remove := c.Bool("dry-run"), c.Bool("remove"); {
	case c.Bool("check"):
		action = view.ActionCheck
	case dryRun && remove:
		prepare, action = agent.Remove, view.ActionDryRunRemove
	case dryRun:
		action = view.ActionDryRun
	case remove:
		prepare, action = agent.Remove, view.ActionRemove
	}
	var plans []*agent.Plan
	for _, name := range names {
		w, err := a.where(c, name)
		if err != nil {
			return err
		}
		plan, err := prepare(w)
		if err != nil {
			return ofHost(err, name, len(names))
		}
		plans = append(plans, plan)
	}
	for i, plan := range plans {
		if plan.Refused != nil && action != view.ActionCheck {
			return ofHost(plan.Refused, names[i], len(names))
		}
	}
	var answer view.Installs
	works := true
	for i, plan := range plans {
		if i > 0 && plan.Where.Host == agent.Sync { // gsd install git has changed the same file
			again, err := prepare(plan.Where)
			if err != nil {
				return ofHost(err, names[i], len(names))
			}
			plan = again
		}
		if action == view.ActionInstall && !c.Bool("json") && len(plan.Changes) > 0 {
			for _, note := range plan.Repeated { // to be read before anything changes
				a.complain("warning", plan.Where.Host+": "+note)
			}
			plan.Notes = slices.DeleteFunc(plan.Notes, func(note string) bool { return slices.Contains(plan.Repeated, note) })
		}
		if action == view.ActionInstall || action == view.ActionRemove {
			if err := plan.Apply(); err != nil {
				failed := ofHost(err, names[i], len(names))
				if i > 0 {
					return hinting(failed, "done before it: "+strings.Join(names[:i], ", ")+"; repeat the command to continue")
				}
				return failed
			}
		}
		in := view.NewInstall(plan, action)
		works = works && in.Works()
		answer.Installs = append(answer.Installs, *in)
	}
	err := reply(a, c, answer, nil, (*view.Printer).Installs)
	if err == nil && action == view.ActionCheck && !works {
		return exitStatus{code: exitNotInstalled}
	}
	return err
}

// ofHost converts an error of package agent, and says for which of several hosts it is.
func ofHost(err error, name string, of int) *hydrate.Error {
	e := hostError(err)
	if of > 1 {
		e.Text = text.Cut(text.Line(name), longestWord) + ": " + e.Text
	}
	return e
}

// hosts returns where hosts keep their settings on this machine.
func (a *app) hosts() agent.Where {
	return agent.Where{Home: a.env.home(), Getenv: a.env.get, NoPID: runtime.GOOS == "windows"}
}

// where returns where to install for a host.
func (a *app) where(c *cli.Context, name string) (agent.Where, error) {
	dir, scope := a.workingDir(c), agent.Scope(c.String("scope"))
	if name == agent.Sync { // whatever the scope of the hosts that are named with it
		scope = agent.Project
	}
	w := a.hosts()
	w.Host, w.Scope, w.StatusLine, w.NoPermissions = name, scope, c.Bool("statusline"), c.Bool("no-permissions")
	p, err := a.open(dir)
	switch {
	case err == nil:
		w.Project, w.GitDir, w.Env = p.Dir, p.GitDir(), a.env
		p.Close() // it was only looked for
		if scope != agent.User && !isBelow(dir, p.Dir) {
			return w, &hydrate.Error{
				Kind: hydrate.Refused, Text: "the .planning of this worktree is in " + p.Dir + ", where a host that is started here does not look",
				Hint: "gsd install " + name + " -C " + text.ShellWord(p.Dir) + ", or --scope user",
			}
		}
	case scope != agent.User && (name == agent.Git || name == agent.Sync):
		return w, err
	case scope != agent.User && agent.Known(name):
		var known *hydrate.Error
		if errors.As(err, &known) && known.Kind == hydrate.NoProject {
			err = hinting(known, "or, for all your projects: gsd install "+name+" --scope user")
		}
		return w, err
	}
	if c.Bool("absolute") {
		bin, err := a.ownPath()
		if err != nil {
			return w, &hydrate.Error{Kind: hydrate.IO, Text: "cannot find the path of gsd: " + err.Error(), Hint: "try without --absolute", Err: err}
		}
		if bin = filepath.ToSlash(bin); strings.Contains(bin, `\`) {
			return w, usage("install without --absolute, or move gsd to a path without special characters", "hooks cannot call %q", bin)
		}
		w.Program = shellWord(bin)
	} else if name == agent.Git {
		w.Program = a.instead() // another gsd may answer as if it had merged
	} else {
		w.Instead = a.instead()
	}
	w.Show = a.display(w)
	return w, nil
}

// listHosts shows, for each host, whether it was found and in which scopes gsd is installed.
func (a *app) listHosts(c *cli.Context) error {
	w := a.hosts()
	w.Instead = a.instead()
	if p, err := a.open(a.workingDir(c)); err == nil {
		w.Project = p.Dir
		p.Close() // it was only looked for
	}
	w.Show = a.display(w)
	return reply(a, c, view.Hosts{Hosts: agent.Survey(w)}, nil, (*view.Printer).Hosts)
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

// ownPath returns the path of this program, as found in PATH if possible: package managers put links there that survive an
// upgrade, into directories that do not.
func (a *app) ownPath() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	is, err := os.Stat(own)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(a.env.get("PATH")) {
		name := filepath.Join(dir, filepath.Base(own))
		if found, err := os.Stat(name); filepath.IsAbs(dir) && err == nil && os.SameFile(found, is) {
			return name, nil
		}
	}
	return own, nil
}

// callable returns how an agent can call this program: gsd, or if a shell would not find it under that name, its whole path,
// quoted. A script named gsd counts as well, because version managers put such scripts into PATH to start the program that they
// have chosen.
func (a *app) callable() string { return a.callableIf(isScript) }

// instead returns how hooks have to call this program if they can't call it gsd, else "". It runs what PATH leads to, if that
// is another file.
func (a *app) instead() string {
	if name := a.callableIf(a.isGSD); name != "gsd" {
		return name
	}
	return ""
}

// callableIf returns gsd, or the whole path of this program, quoted. A caller that used the name has found it. Otherwise, what PATH
// leads to has to be this file, or another one that leads to it. A path that has no place in double quotes is not returned.
func (a *app) callableIf(leadsToIt func(path string) bool) string {
	const name = "gsd"
	if !strings.ContainsAny(a.called, `/\`) {
		return name
	}
	own := a.called
	if !filepath.IsAbs(own) {
		path, err := os.Executable()
		if err != nil {
			return name
		}
		own = path
	}
	is, err := os.Stat(own)
	if err != nil {
		return name
	}
	for _, dir := range filepath.SplitList(a.env.get("PATH")) {
		found := filepath.Join(dir, name)
		if runtime.GOOS == "windows" {
			found += ".exe"
		}
		info, err := os.Stat(found)
		if !filepath.IsAbs(dir) || err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
			continue
		}
		if strings.HasSuffix(filepath.ToSlash(dir), "node_modules/.bin") { // it is in PATH only while npm or npx runs
			continue
		}
		if os.SameFile(info, is) || leadsToIt(found) {
			return name
		}
		break // another program
	}
	if own = filepath.ToSlash(own); strings.ContainsAny(own, "\"$`\\\n") {
		return name
	}
	return shellWord(own)
}

// isGSD reports whether a program says that it is a version of this one. Others have the same name.
func (a *app) isGSD(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, path, "--version")
	command.Env, command.WaitDelay = a.env, time.Second
	out, err := command.Output()
	return err == nil && agent.IsVersion(string(out))
}

// isScript reports whether a file begins as a script does.
func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // it was only read
	head := make([]byte, 2)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "#!"
}

// shellWord quotes a path for the shells that run hooks, which all understand double quotes.
func shellWord(s string) string {
	if text.IsWord(s) {
		return s
	}
	return `"` + s + `"`
}

// display shortens a path for people: relative to the project, or with ~ for the home directory.
func (a *app) display(w agent.Where) func(string) string {
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
func hostError(err error) *hydrate.Error {
	var e *agent.Error
	if !errors.As(err, &e) {
		return &hydrate.Error{Kind: hydrate.IO, Text: err.Error(), Err: err}
	}
	kinds := map[agent.Kind]hydrate.Kind{
		agent.Usage: hydrate.Usage, agent.Bad: hydrate.BadData, agent.Refused: hydrate.Refused,
		agent.Denied: hydrate.CannotCreate, agent.Failed: hydrate.IO, agent.Conflict: hydrate.Busy,
	}
	return &hydrate.Error{Kind: kinds[e.Kind], Text: e.Text, Hint: e.Hint, Err: err}
}
