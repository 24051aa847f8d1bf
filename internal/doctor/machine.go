package doctor

// machine.go: what is wrong around the project: git, the user's name, the program itself, and the agents' hosts.

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// The codes of findings about the machine, besides those of package identity.
const (
	GitRefuses     = "git-refuses"
	UserFallback   = "user-fallback"  // Other is the source of the name
	GitUnreadable  = "git-unreadable" // its owner decides who may read the repository
	ProgramMissing = "program-missing"
	ProgramOther   = "program-other" // Other comes first in PATH
	ProgramAliased = "program-aliased"
	StateMissing   = "state-missing"    // the environment names no directory for breadcrumbs
	StateUnwritten = "state-unwritable" // its name, if only a person can do something
	HooksMissing   = "hooks-missing"
	HooksPartly    = "hooks-incomplete" // as after another installer
	HooksOutdated  = "hooks-outdated"   // of another version of gsd, or changed
	HooksTwice     = "hooks-twice"
	HooksNeeded    = "hooks-twice-needed" // both, until a login shell finds gsd
	HooksBeside    = "hooks-beside"       // somebody's own may call gsd, too
	HooksInactive  = "hooks-inactive"
	HooksUnread    = "hooks-unreadable"
	NotPermitted   = "permissions-missing"
	LoginMissing   = "program-missing-in-login"
	NotCommitted   = "hooks-uncommitted"
)

// checkTime is how long a program may take that a check runs.
const checkTime = 5 * time.Second

// run runs a program in the project and returns what it prints on both streams.
func (d *checkup) run(program string, args ...string) (stdout, stderr string, err error) {
	return d.finish(func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = d.environ()
		if d.Project != nil {
			cmd.Dir = d.Dir
		}
		return cmd
	})
}

func (d *checkup) environ() []string {
	return append(slices.Clip(d.o.Env), "LC_ALL=C", "LANGUAGE=", "GIT_OPTIONAL_LOCKS=0")
}

// finish runs a program as start prepares it.
func (d *checkup) finish(start func(ctx context.Context) *exec.Cmd) (stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(d.ctx, checkTime)
	defer cancel()
	var out, errs boundedBuffer
	cmd := start(ctx)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, time.Second
	err = cmd.Run()
	return string(out), string(errs), err
}

// A boundedBuffer refuses what is more than doctor looks at: anything may be called gsd.
type boundedBuffer []byte

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if len(*b)+len(p) > 16<<20 {
		return 0, io.ErrShortWrite
	}
	*b = append(*b, p...)
	return len(p), nil
}

// git runs git in the project, without what its configuration may run.
func (d *checkup) git(args ...string) (stdout, stderr string, err error) {
	return d.askGit("", args...)
}

// askGit is git with a standard input.
func (d *checkup) askGit(in string, args ...string) (stdout, stderr string, err error) {
	return d.finish(func(ctx context.Context) *exec.Cmd {
		cmd := gitexec.Git{Program: d.o.Git, Dir: d.Dir, Env: d.environ()}.Command(ctx, args...)
		cmd.Stdin = strings.NewReader(in)
		return cmd
	})
}

// checkGit finds out whether git can be used in the project.
func (d *checkup) checkGit() {
	if d.o.Git == "" {
		d.refused = true
		d.add(problem.Warning{Code: identity.WarnGitMissing})
		return
	}
	if d.Project == nil {
		return
	}
	if d.Planning.GitDir() == "" {
		d.checkClosedRepository()
		return
	}
	_, said, err := d.git("rev-parse", "--git-dir")
	if d.refused = err != nil; !d.refused {
		return
	}
	first, _, _ := strings.Cut(said, "\n")
	if _, dir, ok := strings.Cut(first, "dubious ownership in repository at '"); ok {
		d.add(problem.Warning{Code: GitRefuses, Name: strings.TrimSuffix(dir, "'")})
		return
	}
	d.broken(cmp.Or(first, err.Error()))
}

// checkClosedRepository looks for a repository around the project that the user may not read.
func (d *checkup) checkClosedRepository() {
	for dir := d.Dir; ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		for _, name := range []string{git, filepath.Join(git, "HEAD")} {
			info, err := os.Stat(name)
			if err == nil && (info.IsDir() || info.Mode().IsRegular()) { // a pipe would wait for a writer
				var f *os.File
				if f, err = os.Open(name); err == nil {
					f.Close() // it was only opened to see whether that is allowed
				}
			}
			if errors.Is(err, fs.ErrPermission) {
				d.refused = true
				d.add(problem.Warning{Code: GitUnreadable, Name: git})
				return
			}
		}
		if dir == filepath.Dir(dir) {
			return
		}
	}
}

// broken adds what git says of its configuration.
func (d *checkup) broken(said string) {
	d.add(problem.Warning{Code: identity.WarnConfigBroken, Says: said, Hint: "correct that in an editor"})
}

// checkUser finds out whether git names the user.
func (d *checkup) checkUser() {
	u := d.o.User
	unusable := false
	for _, w := range u.Warnings {
		switch w.Code {
		case identity.WarnGitMissing: // see checkGit
		case identity.WarnUnusable:
			unusable = true
		case identity.WarnConfigBroken:
			if !d.refused {
				d.broken(w.Detail)
			}
		default:
			d.add(problem.Warning{Code: w.Code, Says: w.Detail})
		}
	}
	if u.Source == identity.SourceGit || u.Source == identity.SourceRun || u.Guessed || unusable || d.o.Git == "" {
		return
	}
	// No command that sets the name: it is only a guess.
	d.add(problem.Warning{Code: UserFallback, User: u.Name, Other: string(u.Source), Says: d.o.Hidden})
}

func (d *checkup) lookPath(name string) string { return identity.LookPath(d.getenv("PATH"), name) }

func (d *checkup) getenv(name string) string {
	if d.o.Hosts.Getenv == nil {
		return ""
	}
	return d.o.Hosts.Getenv(name)
}

// checkProgram finds out whether gsd means this program, for a shell and for the hooks: another program may be called so, too.
// One that is another file, such as a version manager's, is asked for its version, once.
func (d *checkup) checkProgram() {
	own, err := os.Stat(d.o.Program)
	if d.o.Program == "" || err != nil {
		return
	}
	found := d.lookPath("gsd")
	if found == "" {
		d.add(problem.Warning{Code: ProgramMissing, Name: d.o.Program})
		return
	}
	if info, err := os.Stat(found); err == nil && os.SameFile(info, own) {
		return
	}
	said, _, err := d.run(found, "--version")
	said, _, _ = strings.Cut(said, "\n")
	switch {
	case err == nil && said == d.o.Version:
	case err == nil && agent.IsVersion(said):
		d.add(problem.Warning{Code: ProgramOther, Name: d.o.Program, Other: found, Says: said})
	default:
		d.add(problem.Warning{Code: ProgramOther, Name: d.o.Program, Other: found})
	}
}

func (d *checkup) zshDir() string {
	if dir := d.getenv("ZDOTDIR"); filepath.IsAbs(dir) {
		return dir
	}
	return d.o.Hosts.Home
}

// checkAliases looks for a shell alias called gsd, which agents that take over the user's shell have, too. The git plugin of
// oh-my-zsh defines one, for git svn dcommit.
func (d *checkup) checkAliases() {
	var files []string
	switch filepath.Base(d.getenv("SHELL")) {
	case "zsh":
		files = []string{filepath.Join(d.zshDir(), ".zshrc")}
	case "bash":
		files = []string{filepath.Join(d.o.Hosts.Home, ".bashrc"), filepath.Join(d.o.Hosts.Home, ".bash_aliases")}
	}
	const most = 1 << 20
	for _, file := range files {
		text, err := (*durable.Budget)(nil).ReadAt(file, most)
		if err != nil || !filepath.IsAbs(file) {
			continue
		}
		if by := aliasedBy(string(text)); by != "" {
			d.add(problem.Warning{Code: ProgramAliased, Name: file, Says: by})
		}
	}
}

// aliasedBy returns what makes gsd an alias in a shell that has read a text, "" for nothing.
func aliasedBy(text string) (by string) {
	plugin, inPlugins := false, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if list, ok := strings.CutPrefix(line, "plugins=("); ok {
			plugin, inPlugins = false, true
			line = list
		}
		if inPlugins {
			list, _, ends := strings.Cut(line, ")")
			plugin, inPlugins = plugin || slices.Contains(strings.Fields(list), "git"), !ends
		}
		value, isAlias := strings.CutPrefix(strings.TrimPrefix(line, "alias -g "), "gsd=")
		if !isAlias {
			value, isAlias = strings.CutPrefix(line, "alias gsd=")
		}
		words := strings.Fields(strings.Trim(value, `"'`))
		switch {
		case isAlias && len(words) > 0 && strings.TrimSuffix(filepath.Base(words[0]), ".exe") != "gsd":
			by = "alias gsd=" + value
		case plugin && strings.Contains(line, "oh-my-zsh.sh"):
			by = "the plugin git of oh-my-zsh"
		case strings.HasPrefix(line, "unalias") && slices.Contains(strings.Fields(line), "gsd"):
			by = ""
		}
	}
	return by
}

// checkStateDir finds out whether breadcrumbs can be written.
func (d *checkup) checkStateDir() {
	state := d.o.StateDir
	if state == "" {
		d.add(problem.Warning{Code: StateMissing})
		return
	}
	err := state.CheckWritable()
	var at *fs.PathError
	if !errors.As(err, &at) {
		return
	}
	f := Finding{Warning: problem.Warning{Code: StateUnwritten, Says: problem.Cause(at.Path, err)}}
	info, err := os.Stat(at.Path)
	isIn := at.Path == string(state) || strings.HasPrefix(at.Path, string(state)+string(filepath.Separator))
	if err == nil && isIn && info.IsDir() && verdict.IsOwn(info) {
		f.Fix = action.Action{Kind: action.AllowAll, ID: at.Path}
	} else {
		f.Name = string(state)
	}
	d.found(f)
}

// checkHosts finds out whether the agents' hosts call gsd, once, and let their agents mark tasks. That one host has no hooks is
// no fault as long as another has: not everybody wants gsd in each.
func (d *checkup) checkHosts() {
	var found []string
	installed := false
	for _, h := range agent.Survey(d.o.Hosts) {
		needed := false // what is the user's own: the agent does not find what is the project's
		d.Hosts++
		if h.Found {
			found = append(found, h.Host)
		}
		installed = installed || len(h.Plugins) > 0
		for _, in := range h.Scopes {
			install := action.Action{Kind: action.Install, ID: h.Host}
			if in.Scope != agent.Project {
				install.Scope = string(in.Scope)
			}
			of := func(code, says string) problem.Warning {
				return problem.Warning{Code: code, Host: h.Host, Scope: string(in.Scope), Says: says}
			}
			switch {
			case in.Problem != "":
				d.add(of(HooksUnread, in.Problem))
			case in.State == agent.Absent:
				continue
			case in.State == agent.Partly:
				d.found(Finding{Warning: of(HooksPartly, ""), Fix: install})
			case in.State == agent.Outdated:
				d.found(Finding{Warning: of(HooksOutdated, ""), Fix: install})
			}
			installed = true
			if in.Unpermitted { // a mere installation keeps what somebody may have wanted
				d.add(of(NotPermitted, ""))
			}
			needed = d.checkLogin(h.Host, in, install) && in.Scope == agent.Project || needed
			d.checkCommitted(h.Host, in.Scope)
			if in.Mentions != nil {
				d.note(of(HooksBeside, text.Cut(strings.Join(in.Mentions, "; "), 120)))
			}
			for _, why := range in.Faults {
				f := Finding{Warning: of(HooksInactive, why.Text)}
				if why.Moved {
					f.Fix = action.Action{Kind: action.InstallAt, ID: install.ID, Scope: install.Scope}
				}
				d.found(f)
			}
		}
		d.checkTwice(h, needed)
	}
	if !installed {
		d.noHooks(found)
	}
}

// checkTwice adds that a host's hooks run more than once, and how to leave one of them: the own settings are removed rather than those of
// everybody who works on the project, unless the agent needs them.
func (d *checkup) checkTwice(h agent.Installed, needed bool) {
	if len(h.Twice) == 0 {
		return
	}
	scope := agent.Project
	for _, s := range []agent.Scope{agent.User, agent.Local} {
		if slices.Contains(h.Twice, string(s)) {
			scope = s
		}
	}
	if needed && scope == agent.User {
		d.add(problem.Warning{Code: HooksNeeded, Host: h.Host, Names: h.Twice})
		return
	}
	d.found(Finding{
		Warning: problem.Warning{Code: HooksTwice, Host: h.Host, Names: h.Twice},
		Fix:     action.Action{Kind: action.Uninstall, ID: h.Host, Scope: string(scope)},
	})
}

// checkLogin finds out whether the agent finds gsd, where its host runs commands in a login shell and all that is installed calls gsd
// by its name, and reports whether it does not. The hooks find it in any case: without them, in no part of PATH, see checkProgram.
func (d *checkup) checkLogin(host string, in agent.InScope, install action.Action) (missing bool) {
	if !in.LoginName || d.o.InLogin == nil || d.lookPath("gsd") == "" {
		return false
	}
	path := d.o.InLogin()
	if path == "" {
		return false
	}
	f := Finding{Warning: problem.Warning{Code: LoginMissing, Host: host, Scope: string(in.Scope)}}
	if in.Scope == agent.Project { // which others share, who have it elsewhere
		f.Name = filepath.Dir(strings.Trim(path, `"`))
	} else {
		f.Fix = install
	}
	d.found(f)
	return true
}

// checkCommitted notes that the worktrees that a host makes lack the hooks, where worktrees are in use.
func (d *checkup) checkCommitted(host string, scope agent.Scope) {
	if d.Project == nil || d.refused || len(d.Worktrees()) == 0 {
		return
	}
	w := d.o.Hosts
	w.Host, w.Scope, w.GitDir, w.Env = host, scope, d.Planning.GitDir(), d.o.Env
	if note := w.Uncommitted(); note != "" {
		d.note(problem.Warning{Code: NotCommitted, Says: note})
	}
}

// noHooks says first of all that no host has gsd's hooks, which needs doing if one was found on this machine. It prints no command to
// obey: what an installation lets the agent do without a question is for a person to decide.
func (d *checkup) noHooks(found []string) {
	w := problem.Warning{Code: HooksMissing, Names: found}
	switch {
	case len(found) > 0:
		if d.Project == nil {
			w.Scope = string(agent.User)
		}
		d.Findings = slices.Insert(d.Findings, 0, Finding{Warning: w})
	case d.Project != nil:
		d.note(w)
	}
}
