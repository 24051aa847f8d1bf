package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/host"
	"github.com/gsd-cli/gsd/internal/view"
)

type installOptions struct {
	dir, host                               string
	scope                                   host.Scope
	check, dryRun, remove, statusline, json bool
	absolute                                bool
}

func (a *app) installCommand() *cli.Command {
	return answering(&cli.Command{
		Name:      "install",
		Usage:     "install gsd's hooks and commands into a coding agent",
		ArgsUsage: "[HOST]",
		Description: `HOST is claude, codex, gemini, copilot, cursor or opencode. Its settings get hooks that call gsd when a conversation
starts and ends, and beside them come commands for people: /gsd:hydrate, /gsd:bootstrap, /gsd:mark and /gsd:status,
or the nearest thing that the host has. Without HOST it lists what is there and what is installed.

Only gsd's own entries are touched: comments, order and everybody else's entries stay as they are, a settings file that
cannot be understood is left alone, and --remove restores the bytes from before. It may be repeated at any time.

The scope is project (the files are for everybody who works on it, and for git), local (Claude only: yours, in this
project) or user (yours, in every project; outside GSD projects the hooks print nothing).

EXAMPLES
   gsd install
   gsd install claude
   gsd install codex --scope user --dry-run
   gsd install gemini --check
   gsd install claude --remove

EXIT STATUS
   With --check: 1 if it is not installed, not completely or in another form, or if a note says that its hooks will not
   run, or that something else may run gsd a second time.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "scope", Usage: "for whom, as `SCOPE`: " + strings.Join(scopeWords(), ", "), Value: string(host.Project)},
			boolFlag("check", "report whether it is installed, and change nothing"),
			boolFlag("dry-run", "print what would change, as a diff, and change nothing"),
			boolFlag("remove", "remove what was installed"),
			boolFlag("statusline", "claude: also set gsd's status line, unless there is another one"),
			boolFlag("absolute", "call gsd by its full path: for programs that are not started from a shell"),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			o := installOptions{
				dir: a.workingDir(c), host: c.Args().First(), scope: host.Scope(c.String("scope")), check: c.Bool("check"),
				dryRun: c.Bool("dry-run"), remove: c.Bool("remove"), statusline: c.Bool("statusline"), json: c.Bool("json"), absolute: c.Bool("absolute"),
			}
			switch {
			case o.host == "" && (c.IsSet("scope") || o.check || o.dryRun || o.remove || o.statusline || o.absolute):
				return usage("gsd install HOST; HOST is one of "+strings.Join(host.Names(), ", "), "install: for which host?")
			case o.check && (o.dryRun || o.remove):
				return usage("use one of them", "--check can't be used together with --dry-run or --remove")
			case o.remove && (o.statusline || o.absolute):
				return usage("it removes whatever is there", "--remove can't be used together with --statusline or --absolute")
			case o.statusline && o.host != host.Claude:
				return usage("gsd install claude --statusline", "%s has no status line that gsd can set", view.Cut(view.Line(o.host), longestWord))
			case o.host == "":
				return a.listHosts(o)
			}
			return a.install(o)
		},
	})
}

// where says what is to be installed. A project is needed only where the files go into it.
func (a *app) where(o installOptions) (host.Where, error) {
	w := host.Where{Host: o.host, Scope: o.scope, Home: a.home(), Getenv: a.getenv, StatusLine: o.statusline}
	p, err := a.open(o.dir)
	switch {
	case err == nil:
		w.Project = p.Dir
		p.Close() // it was only looked for
		if o.scope != host.User && !isBelow(o.dir, p.Dir) {
			return w, &hydrate.Error{
				Kind: hydrate.Refused, Text: "the .planning of this worktree is in " + p.Dir + ", where a host that is started here does not look",
				Hint: "gsd install " + o.host + " -C " + view.Quote(p.Dir) + ", or --scope user",
			}
		}
	case o.scope != host.User && host.Known(o.host):
		var known *hydrate.Error
		if errors.As(err, &known) && known.Kind == hydrate.NoProject {
			told := *known
			told.Hint = strings.TrimPrefix(told.Hint+"; or, for all your projects: gsd install "+o.host+" --scope user", "; ")
			err = &told
		}
		return w, err
	}
	if o.absolute {
		bin, err := a.ownPath()
		if err != nil {
			return w, &hydrate.Error{Kind: hydrate.IO, Text: "cannot tell where gsd is: " + err.Error(), Hint: "try without --absolute", Err: err}
		}
		if bin = filepath.ToSlash(bin); strings.Contains(bin, `\`) {
			return w, usage("let them call gsd, by a path that no shell reads anything in", "hooks cannot call %q", bin)
		}
		w.Program = shellWord(bin)
	}
	w.Show = a.display(w)
	return w, nil
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

// ownPath is where this program is: as PATH finds it, because that outlasts an upgrade, where package managers link to
// the version's own directory; else as the system started it.
func (a *app) ownPath() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	is, err := os.Stat(own)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(a.getenv("PATH")) {
		name := filepath.Join(dir, filepath.Base(own))
		if found, err := os.Stat(name); filepath.IsAbs(dir) && err == nil && os.SameFile(found, is) {
			return name, nil
		}
	}
	return own, nil
}

// shellWord makes a path one word for the shells that run hooks, which understand double quotes alike.
func shellWord(s string) string {
	if view.IsWord(s) {
		return s
	}
	return `"` + s + `"`
}

// home is the user's own directory, as hosts find it.
func (a *app) home() string {
	if runtime.GOOS == "windows" {
		return a.getenv("USERPROFILE")
	}
	return a.getenv("HOME")
}

func (a *app) install(o installOptions) error {
	w, err := a.where(o)
	if err != nil {
		return err
	}
	prepare := host.Install
	if o.remove {
		prepare = host.Remove
	}
	plan, err := prepare(w)
	if err != nil {
		return hostError(err)
	}
	if !o.check && !o.dryRun {
		if err := plan.Apply(); err != nil {
			return hostError(err)
		}
	}
	answer := view.NewInstall(plan, o.action())
	if o.json {
		if err := view.JSON(&a.raw, answer); err != nil {
			return err
		}
	} else {
		a.printer().Install(answer)
	}
	if o.check && !answer.Works() {
		return verdictExit(exitNotInstalled)
	}
	return nil
}

func (o installOptions) action() view.InstallAction {
	switch {
	case o.check:
		return view.ActionCheck
	case o.dryRun && o.remove:
		return view.ActionDryRunRemove
	case o.dryRun:
		return view.ActionDryRun
	case o.remove:
		return view.ActionRemove
	}
	return view.ActionInstall
}

func scopeWords() []string {
	return []string{string(host.Project), string(host.Local), string(host.User)}
}

// display shortens a path for people: in the project as seen from it, at home with ~.
func (a *app) display(w host.Where) func(string) string {
	return func(name string) string {
		if w.Scope != host.User {
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

// hostError gives an error of package host its exit code.
func hostError(err error) error {
	var e *host.Error
	if !errors.As(err, &e) {
		return err
	}
	kinds := map[host.Kind]hydrate.Kind{
		host.Usage: hydrate.Usage, host.Bad: hydrate.BadData, host.Refused: hydrate.Refused,
		host.Denied: hydrate.CannotCreate, host.Failed: hydrate.IO, host.Conflict: hydrate.Busy,
	}
	return &hydrate.Error{Kind: kinds[e.Kind], Text: e.Text, Hint: e.Hint, Err: err}
}

// listHosts shows, for each host, whether it is there and in which scopes gsd is installed.
func (a *app) listHosts(o installOptions) error {
	w := host.Where{Home: a.home(), Getenv: a.getenv}
	if p, err := a.open(o.dir); err == nil {
		w.Project = p.Dir
		p.Close() // it was only looked for
	}
	w.Show = a.display(w)
	list := host.Survey(w)
	if o.json {
		return view.JSON(&a.raw, view.Hosts{Hosts: list})
	}
	a.printer().Hosts(list)
	return nil
}
