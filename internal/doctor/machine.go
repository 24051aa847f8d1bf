package doctor

// machine.go: what is wrong around the project: git, the user's name, the program itself, and the agents' hosts.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// The codes of findings about the machine, besides those of package identity.
const (
	GitRefuses     = "git-refuses"
	UserFallback   = "user-fallback"
	ProgramMissing = "program-missing"
	ProgramOther   = "program-other"
	ProgramAliased = "program-aliased"
	StateUnwritten = "state-unwritable"
	HooksMissing   = "hooks-missing"
	HooksPartly    = "hooks-incomplete"
	HooksTwice     = "hooks-twice"
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
		d.add(identity.WarnGitMissing, "there is no git program in PATH: names, worktrees and syncs may need it; install git", action.Action{})
		return
	}
	if d.Project == nil {
		return
	}
	if d.GitDir() == "" {
		d.checkClosedRepository()
		return
	}
	_, said, err := d.git("rev-parse", "--git-dir")
	if d.refused = err != nil; !d.refused {
		return
	}
	first, _, _ := strings.Cut(said, "\n")
	if _, dir, ok := strings.Cut(first, "dubious ownership in repository at '"); ok {
		d.add(GitRefuses, "git refuses to work in "+strings.TrimSuffix(dir, "'")+
			", which belongs to somebody else; a person who trusts it can add it to safe.directory in git's configuration", action.Action{})
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
				d.add(GitRefuses, "git cannot read "+git+": permission denied; its owner decides who may", action.Action{})
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
	d.add(identity.WarnConfigBroken, said+"; correct that in an editor", action.Action{})
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
			d.add(w.Code, w.Detail, action.Action{})
		}
	}
	if u.Source == identity.SourceGit || u.Source == identity.SourceRun || u.Guessed || unusable || d.o.Git == "" {
		return
	}
	// No command that sets the name: it is only a guess.
	says := "git has no user.name, so you are " + u.Name + ", as the " + map[identity.Source]string{
		identity.SourceOS: "operating system calls you", identity.SourceHostname: "machine is called", identity.SourceDefault: "last resort",
	}[u.Source]
	if d.o.Hidden != "" {
		says += "; git may have your name, but " + d.o.Hidden
	} else {
		says += "; to be called something else, set user.name in git's configuration"
	}
	d.add(UserFallback, says, action.Action{})
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
	first := func(code, detail string) {
		d.add(code, detail+"; put "+filepath.Dir(d.o.Program)+" first in PATH, where your shell sets it", action.Action{})
	}
	if found == "" {
		first(ProgramMissing, "no directory in PATH has gsd, by which hooks and agents call it; this one is "+d.o.Program)
		return
	}
	if its, err := os.Stat(found); err == nil && os.SameFile(its, own) {
		return
	}
	said, _, err := d.run(found, "--version")
	said, _, _ = strings.Cut(said, "\n")
	switch {
	case err == nil && said == d.o.Version:
	case err == nil && agent.IsVersion(said):
		first(ProgramOther, found+" comes first in PATH, and is another version: "+said+"; this one is "+d.o.Program)
	default:
		first(ProgramOther, found+" comes first in PATH, and is another program; this one is "+d.o.Program)
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
			d.add(ProgramAliased, "in your shell, gsd is something else: "+by+" in "+file+"; take that out, or undo it below", action.Action{})
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
		d.add(StateUnwritten, verdict.NoStateDir+": set HOME or XDG_STATE_HOME", action.Action{})
		return
	}
	err := state.CheckWritable()
	var at *fs.PathError
	if !errors.As(err, &at) {
		return
	}
	detail := "the state directory cannot be written, so a lost session could not be brought back: " + project.Cause(at.Path, err)
	info, err := os.Stat(at.Path)
	isIn := at.Path == string(state) || strings.HasPrefix(at.Path, string(state)+string(filepath.Separator))
	if err == nil && isIn && info.IsDir() && verdict.IsOwn(info) {
		d.add(StateUnwritten, detail, action.Action{Kind: action.AllowAll, ID: at.Path})
		return
	}
	d.add(StateUnwritten, detail+"; "+string(state)+" has to be a directory of yours, or XDG_STATE_HOME another one", action.Action{})
}

// checkHosts finds out whether the agents' hosts call gsd, once, and let their agents mark tasks. That one host has no hooks is
// no fault as long as another has: not everybody wants gsd in each.
func (d *checkup) checkHosts() {
	var found []string
	installed := false
	for _, h := range agent.Survey(d.o.Hosts) {
		needed := false // what is the user's own: the agent does not find what is the project's
		d.hosts++
		if h.Found {
			found = append(found, h.Host)
		}
		installed = installed || len(h.Plugins) > 0
		for _, in := range h.Scopes {
			install := action.Action{Kind: action.Install, ID: h.Host}
			if in.Scope != agent.Project {
				install.Scope = string(in.Scope)
			}
			of := h.Host + ", scope " + string(in.Scope) + ": "
			switch {
			case in.Problem != "":
				d.add(HooksUnread, of+in.Problem, action.Action{})
			case in.State == agent.Absent:
				continue
			case in.State == agent.Partly:
				d.add(HooksPartly, of+"some of gsd's hooks or commands are missing, as after another installer", install)
			case in.State == agent.Outdated:
				d.add(HooksPartly, of+"the hooks are of another version of gsd, or were changed", install)
			}
			installed = true
			if in.Unpermitted { // a mere installation keeps what somebody may have wanted
				again := "`" + action.Line(install.Words())
				d.add(NotPermitted, of+"`gsd mark` is no longer allowed, so the agent asks each time; if nobody wanted that, "+
					again+" --remove` and then "+again+"` allow it again", action.Action{})
			}
			needed = d.checkLogin(h.Host, in, install) && in.Scope == agent.Project || needed
			d.checkCommitted(h.Host, in.Scope)
			for _, why := range in.Faults {
				if why.Moved {
					d.add(HooksInactive, of+why.Text, action.Action{Kind: action.InstallAt, ID: install.ID, Scope: install.Scope})
				} else {
					d.add(HooksInactive, of+why.Text, action.Action{})
				}
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
	detail := h.Host + ": the hooks run more than once, from " + strings.Join(h.Twice, " and ")
	if needed && scope == agent.User {
		d.add(HooksTwice, detail+"; keep both until a login shell finds gsd: only yours name a gsd that the agent finds, and the project's are everybody's", action.Action{})
		return
	}
	d.add(HooksTwice, detail, action.Action{Kind: action.Uninstall, ID: h.Host, Scope: string(scope)})
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
	detail := fmt.Sprintf("%s, scope %s: the agent's commands run in a login shell, which does not find gsd", host, in.Scope)
	if in.Scope == agent.Project { // which others share, who have it elsewhere
		d.add(LoginMissing, detail+": "+agent.LoginAdvice(filepath.Dir(strings.Trim(path, `"`))), action.Action{})
	} else {
		d.add(LoginMissing, detail, install)
	}
	return true
}

// checkCommitted notes that the worktrees that a host makes lack the hooks, where worktrees are in use.
func (d *checkup) checkCommitted(host string, scope agent.Scope) {
	if d.Project == nil || d.refused || len(d.Worktrees()) == 0 {
		return
	}
	w := d.o.Hosts
	w.Host, w.Scope, w.GitDir, w.Env = host, scope, d.GitDir(), d.o.Env
	if note := w.Uncommitted(); note != "" {
		d.note(NotCommitted, note)
	}
}

// noHooks says first of all that no host has gsd's hooks, which needs doing if one was found on this machine. It prints no command to
// obey: what an installation lets the agent do without a question is for a person to decide.
func (d *checkup) noHooks(found []string) {
	const missing = "no agent calls gsd here: its hooks are installed in no host"
	switch {
	case len(found) > 0:
		scope := ""
		if d.Project == nil {
			scope = " --scope " + string(agent.User)
		}
		d.Findings = slices.Insert(d.Findings, 0, Finding{Code: HooksMissing, Detail: fmt.Sprintf("%s; found on this machine: %s; a person can install them "+
			"with `gsd install %s%s`, which says what the agent may then run without asking", missing, strings.Join(found, ", "), found[0], scope)})
	case d.Project != nil:
		d.note(HooksMissing, missing+", and none was found on this machine; a person can install them with `gsd install HOST`")
	}
}
