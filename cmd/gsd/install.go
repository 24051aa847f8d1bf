package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
)

type installOptions struct {
	dir, host                               string
	scope                                   host.Scope
	check, dryRun, remove, statusline, json bool
	absolute                                bool
}

func (a *app) installCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:      "install",
		Usage:     "let an agent's host call gsd by itself: hooks, commands, status line",
		ArgsUsage: "[HOST]",
		Description: `HOST is claude, codex, gemini, copilot, cursor or opencode. Its settings get hooks that call gsd when a conversation
starts and ends, and beside them come commands for people: /gsd:hydrate, /gsd:bootstrap, /gsd:mark and /gsd:status,
or the nearest thing that the host has. Without HOST it lists what is there and what is installed.

Only what is ours is touched: comments, order and everybody else's entries stay as they are, a settings file that
cannot be understood is left alone, and --remove gives back the bytes from before. It may be repeated at any time.

The scope is project (the files are for everybody who works on it, and for git), local (Claude only: yours, in this
project) or user (yours, in every project; elsewhere than in GSD projects the hooks say nothing).

EXAMPLES
   gsd install
   gsd install claude
   gsd install codex --scope user --dry-run
   gsd install gemini --check
   gsd install claude --remove

` + exitStatusHelp + `
   With --check: 1 where it is not installed, not all of it or in another form, or where a note says that its hooks
   will not run, or that something else may run gsd a second time.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "scope", Usage: "for whom, as `SCOPE`: " + strings.Join(scopeWords(), ", "), Value: string(host.Project)},
			boolFlag("check", "tell whether it is installed, and change nothing"),
			boolFlag("dry-run", "print what would change, as a diff, and change nothing"),
			boolFlag("remove", "take away what was installed"),
			boolFlag("statusline", "claude: also show gsd's line in the status line, unless another one is there"),
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
				return usage("leave one away", "--check goes with neither --dry-run nor --remove")
			case o.remove && (o.statusline || o.absolute):
				return usage("it takes away whatever is there", "--remove goes with neither --statusline nor --absolute")
			case o.statusline && o.host != host.Claude:
				return usage("gsd install claude --statusline", "%s has no status line to be in", cut(line(o.host), longestWord))
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
				Hint: "gsd install " + o.host + " -C " + quote(p.Dir) + ", or --scope user",
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
			return w, &hydrate.Error{Kind: hydrate.IO, Text: "cannot tell where gsd is: " + err.Error(), Hint: "leave --absolute away", Err: err}
		}
		if bin = filepath.ToSlash(bin); strings.Contains(bin, `\`) {
			return w, usage("let them call gsd, by a path that no shell reads anything in", "hooks cannot call %q", bin)
		}
		w.Program = shellWord(bin)
	}
	w.Show = a.display(w)
	return w, nil
}

// isBelow tells whether a directory is another one or below it, links followed.
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
	if isWord(s) {
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
	if o.json {
		if err := a.writeJSON(installJSON(plan, o)); err != nil {
			return err
		}
	} else {
		a.printInstall(plan, o)
	}
	if o.check && (plan.State != host.Complete || plan.Idle || plan.Twice) {
		return verdictExit(exitNotInstalled)
	}
	return nil
}

func (a *app) printInstall(plan *host.Plan, o installOptions) {
	show := plan.Where.Show
	of := o.host + ", scope " + string(o.scope)
	switch {
	case o.check:
		but := ""
		switch {
		case plan.State == host.Absent:
		case plan.Idle:
			but = willNotRun
		case plan.Twice:
			but = ", but something else runs gsd, too"
		}
		a.printf("%s: %s%s\n", of, stateWords[plan.State], but)
	case o.dryRun:
		for _, c := range plan.Changes {
			a.printf("%s", host.Clean(string(diff.Diff("a/"+line(show(c.Path)), c.Before, "b/"+line(show(c.Path)), c.After))))
		}
	case len(plan.Changes) == 0 && o.remove:
		a.printf("%s: nothing of gsd's own is there\n", of)
	case len(plan.Changes) == 0:
		a.printf("%s: installed already\n", of)
	default:
		done := "installed"
		if o.remove {
			done = "removed"
		}
		a.printf("%s: %s\n", of, done)
	}
	if !o.dryRun {
		for _, c := range plan.Changes {
			word := actionOf(c)
			if o.check {
				word = "would " + strings.TrimSuffix(word, "d")
			}
			a.printf("  %s  %s\n", a.style.dim(word), line(show(c.Path)))
		}
	}
	for _, note := range plan.Notes {
		a.printf("%s: %s\n", a.style.yellow("note"), line(note))
	}
	if !o.check && !o.dryRun && !o.remove && len(plan.Changes) > 0 {
		a.printf("%s\n", afterInstall[o.host])
		a.printRun("gsd install "+o.host+scopeFlag(o.scope)+" --remove", "undoes it")
	}
}

// afterInstall says what a person has to do before it works.
var afterInstall = map[string]string{
	host.Claude:   "a claude that runs already reads it at once, and shows it under /hooks",
	host.Codex:    "codex runs hooks that you have trusted: start it in a directory that you trust, and look at /hooks",
	host.Gemini:   "gemini runs it from its next start on; a project's hooks only in folders that you trust",
	host.Copilot:  "copilot runs it from its next start on; a repository's hooks only in folders that you trust",
	host.Cursor:   "cursor reads it at its next start, where its hooks may be switched on first",
	host.OpenCode: "opencode loads it at its next start",
}

func scopeWords() []string {
	return []string{string(host.Project), string(host.Local), string(host.User)}
}

func scopeFlag(scope host.Scope) string {
	if scope == host.Project {
		return ""
	}
	return " --scope " + string(scope)
}

const willNotRun = ", but its hooks will not run"

var stateWords = map[host.State]string{
	host.Absent:   "not installed",
	host.Complete: "installed",
	host.Partly:   "partly installed",
	host.Outdated: "installed in another form; gsd install brings it up to date",
}

func actionOf(c host.Change) string {
	switch {
	case c.Before == nil:
		return "created"
	case c.After == nil:
		return "removed"
	}
	return "changed"
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
		return a.writeJSON(hostsJSON(list))
	}
	for _, h := range list {
		a.printf("%s  %s\n", a.style.bold(fit(h.Host, len(host.OpenCode))), hostWords(h))
		for _, note := range h.Notes {
			a.printf("          %s: %s\n", a.style.yellow("note"), line(note))
		}
	}
	a.printRun("gsd install HOST", "installs it in this project; --scope user for all your projects")
	return nil
}

func hostWords(h host.Installed) string {
	var words []string
	for _, s := range h.Scopes {
		switch {
		case s.Problem != "":
			words = append(words, string(s.Scope)+": "+line(s.Problem))
		case s.State != host.Absent:
			word := stateWord(s.State) + " for " + string(s.Scope)
			if s.Idle {
				word += willNotRun
			}
			words = append(words, word)
		}
	}
	there := "found"
	if !h.Found {
		there = "not found on this machine"
	}
	if len(words) == 0 {
		words = []string{"not installed"}
	}
	return there + "; " + strings.Join(words, ", ")
}

func stateWord(s host.State) string { return strings.Split(stateWords[s], ";")[0] }
