package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/mergedriver"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/planfile"
)

// A patient is a project in which nothing is wrong, with a session on its plan, and options for a doctor. HOME is beside it.
type patient struct {
	*testing.T
	p       *app.Project
	m       *apptest.Machine
	home    string
	o       Options
	outside bool // of any project
}

// allDone marks every task of the session complete.
func allDone(c *patient) {
	for n := range 3 {
		apptest.Mark(c.T, c.p, n+1, planfile.Complete)
	}
}

func newPatient(t *testing.T) *patient {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	if runtime.GOOS == "windows" {
		t.Skip("programs are scripts here")
	}
	c := &patient{T: t, home: t.TempDir()}
	c.p, c.m = apptest.NewWorld(t)
	apptest.Bootstrap(t, c.p)
	c.m.Self.PID = 0
	c.o = Options{
		User: identity.User{Name: apptest.User, Raw: "Ada", Source: identity.SourceGit}, Git: git, Env: []string{"HOME=" + c.home, "PATH=" + filepath.Dir(git) + ":" + c.home + "/bin"},
		Version: "gsd version 1", StateDir: c.p.StateDir, Hosts: agent.Where{Home: c.home, Project: c.p.Dir},
	}
	c.o.Hosts.Getenv = func(name string) (value string) {
		for _, kv := range c.o.Env {
			if v, ok := strings.CutPrefix(kv, name+"="); ok {
				value = v
			}
		}
		return value
	}
	c.git("init", "-q", "-b", "main")
	return c
}

func (c *patient) git(args ...string) {
	c.Helper()
	cmd := exec.Command(c.o.Git, args...)
	cmd.Dir, cmd.Env = c.p.Dir, append(c.o.Env, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@x")
	if out, err := cmd.CombinedOutput(); err != nil {
		c.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// write writes a file of the project, or below ~/ in HOME; program makes it one that can be run.
func (c *patient) write(name, text string) {
	c.Helper()
	apptest.Write(c, c.at(name), text)
}

func (c *patient) at(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(c.home, rest)
	}
	return filepath.Join(c.p.Dir, name)
}

func (c *patient) program(name, script string) {
	c.write(name, "#!/bin/sh\n"+script)
	os.Chmod(c.at(name), 0o755)
}

func (c *patient) remove(name string) { os.RemoveAll(c.at(name)) }

func (c *patient) env(kv ...string) { c.o.Env = append(c.o.Env, kv...) }

func (c *patient) install(host string, scope agent.Scope) {
	c.Helper()
	w := c.o.Hosts
	w.Host, w.Scope, w.GitDir, w.Env = host, scope, c.at(".git"), c.o.Env
	plan, err := agent.Install(w)
	if err == nil {
		err = plan.Apply()
	}
	if err != nil {
		c.Fatal(err)
	}
}

// replace changes the text of a file.
func (c *patient) replace(name, old, text string) {
	c.Helper()
	was, _ := os.ReadFile(c.at(name))
	if !strings.Contains(string(was), old) {
		c.Fatalf("%s has no %q:\n%s", name, old, was)
	}
	c.write(name, strings.ReplaceAll(string(was), old, text))
}

// Words words a finding as package view does, which this package cannot import.
var Words func(f *Finding) string

// diagnosis is what doctor finds: the codes with their files and commands, and what is asked for of the details.
func (c *patient) diagnosis(detail bool) string {
	c.Helper()
	var p *app.Project
	if !c.outside {
		p = apptest.Reopen(c.T, c.p.Dir)
		p.World = c.p.World
	}
	var lines []string
	d := Examine(context.Background(), p, c.o)
	for _, f := range d.Findings {
		line := f.Code
		if f.Path != "" {
			line += " " + f.Path
		}
		if f.Line > 0 {
			line += fmt.Sprint(":", f.Line)
		}
		if f.Fix.Kind != "" {
			line += ": " + action.Line(f.Fix.Words())
		}
		if detail {
			text := Words(&f)
			for _, at := range []string{fmt.Sprintf("%s:%d: ", f.Path, f.Line), f.Path + ": "} {
				text = strings.TrimPrefix(text, at)
			}
			line += " (" + text + ")"
		}
		lines = append(lines, strings.NewReplacer(c.p.Dir, "DIR", c.home, "HOME").Replace(line))
	}
	return strings.Join(lines, "; ")
}

const (
	phase   = ".planning/phases/03-api/"
	newPlan = phase + "03-02-PLAN.md"

	ownDraft = phase + "03-01-SUMMARY.draft.md"
	head     = "---\nwave: 2\ndepends_on: [\"03-01\"]\n---\n"
	tasks    = "<task type=\"auto\">\n<name>X</name>\n<action>\nDo it.\n</action>\n</task>\n"
	own      = ".planning/sessions/ada/"
)

// TestFindings: what is found, and the command that fixes it. "detail:" before what is wanted compares a part of what is said, too.
func TestFindings(t *testing.T) {
	crumbs := func(c *patient, text string) {
		for _, crumb := range apptest.CrumbsOf(c.T, c.p) {
			apptest.Write(c, filepath.Join(string(c.p.StateDir), "crumbs", crumb.ID+".crumb.json"), text)
		}
	}
	other := func(c *patient, script string) {
		c.program("~/opt/gsd", "")
		c.program("~/bin/gsd", script)
		c.o.Program = c.at("~/opt/gsd")
	}
	commit := func(c *patient) { c.git("add", "."); c.git("commit", "-qm", "x") }
	remote := func(c *patient) {
		c.git("init", "-q", "--bare", c.home+"/remote.git")
		c.git("remote", "add", "origin", c.home+"/remote.git")
		if _, err := team.SetAuto(c.Context(), apptest.At(c.p, apptest.Now).Project, team.SyncOptions{User: apptest.User, Git: c.o.Git, Env: c.o.Env}, true); err != nil {
			c.Fatal(err)
		}
	}
	for _, test := range []struct {
		name  string
		build func(c *patient)
		want  string
	}{
		{"nothing", func(*patient) {}, ""},
		{"no git", func(c *patient) { c.o.Git = ""; c.o.User.Source = identity.SourceOS }, "git-missing"},
		{"git refuses", func(c *patient) { c.env("GIT_TEST_ASSUME_DIFFERENT_OWNER=1") }, "detail:git-refuses (git refuses to work in DIR, which"},
		{"git is broken", func(c *patient) { c.write("~/.gitconfig", "[core\n") }, "detail:git-config-broken (fatal: bad config line 1"},
		{"git is broken, and identity says so", func(c *patient) {
			c.o.User.Warnings = []identity.Problem{{Code: identity.WarnConfigBroken, Detail: "why"}, {Code: identity.WarnGitMissing}, {Code: "other", Detail: "x"}}
		}, "detail:git-config-broken (why; correct that in an editor); other (x)"},
		{"no name", func(c *patient) { c.o.User.Source = identity.SourceOS }, "user-fallback"},
		{"the name of the caller's run", func(c *patient) { c.o.User.Source = identity.SourceRun }, ""},
		{"no name, but a file that is hidden", func(c *patient) {
			c.o.User.Source, c.o.Hidden = identity.SourceOS, "GIT_CONFIG_GLOBAL=/dev/null hides /home/ada/.gitconfig"
		}, "detail:user-fallback (git has no user.name, so you are ada, the operating system's name for you; git may have your name, but GIT_CONFIG_GLOBAL=/dev/null hides"},
		{"no name, outside of a project", func(c *patient) { c.o.User.Source, c.outside = identity.SourceHostname, true }, "detail:user-fallback (git has no user.name, so you are ada, the name of the machine"},
		{"no name, outside of a repository", func(c *patient) { c.o.User.Source = identity.SourceDefault; c.remove(".git") }, "user-fallback"},
		{"a guessed name", func(c *patient) { c.o.User.Source, c.o.User.Guessed = identity.SourceOS, true }, ""},
		{"an unusable name", func(c *patient) {
			c.o.User.Source, c.o.User.Warnings = identity.SourceOS, []identity.Problem{{Code: identity.WarnUnusable}}
		}, ""},
		{"outside of a project", func(c *patient) { c.outside = true }, ""},
		{"no gsd", func(c *patient) { c.program("~/opt/gsd", ""); c.o.Program = c.at("~/opt/gsd") }, "detail:program-missing (no directory in PATH has gsd, and hooks and agents need it there; this one is HOME/opt/gsd; put HOME/opt first"},
		{"another gsd", func(c *patient) { other(c, "exit 3") }, "detail:program-other (HOME/bin/gsd comes first in PATH, and is another program"},
		{"another version", func(c *patient) { other(c, "echo gsd version 0.1 of github.com/gsd-cli/gsd") }, "detail:program-other (HOME/bin/gsd comes first in PATH, and is another version: gsd version 0.1"},
		{"another version, which fails", func(c *patient) { other(c, "echo gsd version 0.1 of github.com/gsd-cli/gsd; exit 1") }, "detail:program-other (HOME/bin/gsd comes first in PATH, and is another program"},
		{"this version, which fails", func(c *patient) { other(c, "echo gsd version 1; exit 1") }, "program-other"},
		{"this version", func(c *patient) { other(c, "echo gsd version 1; echo x") }, ""},
		{"this very program", func(c *patient) { c.program("~/bin/gsd", "exit 3"); c.o.Program = c.at("~/bin/gsd") }, ""},
		{"this program is gone", func(c *patient) { c.o.Program = "/nonexistent" }, ""},
		{"an alias of zsh", func(c *patient) { c.env("SHELL=/bin/zsh"); c.write("~/.zshrc", "alias gsd=x") }, "program-aliased"},
		{"an alias of zsh elsewhere", func(c *patient) {
			c.env("SHELL=/bin/zsh", "ZDOTDIR="+c.home+"/z")
			c.write("~/z/.zshrc", "alias -g gsd=x")
			c.write("~/.zshrc", "")
		}, "detail:program-aliased (in your shell, gsd is something else: alias gsd=x in HOME/z/.zshrc"},
		{"an alias of bash", func(c *patient) { c.env("SHELL=/bin/bash"); c.write("~/.bash_aliases", "alias gsd=x") }, "program-aliased"},
		{"an alias of another shell", func(c *patient) { c.env("SHELL=/bin/fish"); c.write("~/.bashrc", "alias gsd=x") }, ""},
		{"no state directory", func(c *patient) { c.o.StateDir = "" }, "detail:state-missing (there is no directory for breadcrumbs"},
		{"the state directory is a file", func(c *patient) { c.write("~/s", ""); c.o.StateDir = session.StateDir(c.at("~/s")) }, "detail:state-unwritable (the state directory cannot be written, so a session whose directory is deleted could not be brought back: "},
		{"no hooks", func(c *patient) { c.write("~/.codex/config.toml", "") }, "detail:hooks-missing (no agent calls gsd here: its hooks are installed in no host; found on this machine: codex; a person can install them with `gsd install codex`, which says"},
		{"no hooks, outside of a project", func(c *patient) { c.write("~/.codex/config.toml", ""); c.outside = true; c.o.Hosts.Project = "" }, "detail:hooks-missing (no agent calls gsd here: its hooks are installed in no host; found on this machine: codex; a person can install them with `gsd install codex --scope user`, which says"},
		{"hooks", func(c *patient) { c.install("claude", agent.Project); c.write("~/.codex/config.toml", "") }, ""},
		{"hooks were wiped", func(c *patient) { c.install("claude", agent.Project); c.write(".claude/settings.json", "{}\n") }, "hooks-incomplete: gsd install claude"},
		{"hooks of all projects were wiped", func(c *patient) { c.install("claude", agent.User); c.write("~/.claude/settings.json", "{}\n") }, "hooks-incomplete: gsd install claude --scope user"},
		{"hooks were changed", func(c *patient) {
			c.install("claude", agent.Project)
			c.replace(".claude/settings.json", "Agent|Task", "Task")
		}, "detail:hooks-outdated: gsd install claude (claude, scope project: the hooks are of another version"},
		{"hooks cannot be read", func(c *patient) { c.install("claude", agent.Project); c.write(".claude/settings.json", "{") }, "hooks-unreadable"},
		{"hooks run twice", func(c *patient) { c.install("codex", agent.Project); c.install("codex", agent.User) }, "hooks-twice: gsd install codex --scope user --remove"},
		{"marks are not allowed", func(c *patient) {
			c.install("claude", agent.Project)
			c.replace(".claude/settings.json", `"Bash(gsd mark:*)",`, "")
		}, "detail:permissions-missing (claude, scope project: `gsd mark` is no longer allowed, so the agent asks each time; if that was not intended, `gsd install claude --remove` and then `gsd install claude` allow it again)"},
		{"a login shell does not find it", func(c *patient) {
			c.program("~/bin/gsd", "echo gsd version 1")
			c.o.InLogin = func() string { return "/opt/gsd" }
			c.install("codex", agent.User)
		}, "program-missing-in-login: gsd install codex --scope user"},
		{"a login shell does not find it, in a project", func(c *patient) {
			c.program("~/bin/gsd", "echo gsd version 1")
			c.o.InLogin = func() string { return "/opt/gsd" }
			c.install("codex", agent.Project)
		}, "detail:program-missing-in-login (codex, scope project: the agent's commands run in a login shell, which does not find gsd: put gsd into"},
		{"a login shell does not find it, but is given its path", func(c *patient) {
			c.program("~/bin/gsd", "echo gsd version 1")
			c.o.InLogin = func() string { return "/opt/gsd" }
			c.o.Hosts.Program = c.at("~/bin/gsd")
			c.install("codex", agent.Project)
			c.o.Hosts.Program = ""
		}, ""},
		{"hooks run twice, and a login shell does not find the project's", func(c *patient) {
			c.program("~/bin/gsd", "echo gsd version 1")
			c.o.InLogin = func() string { return "/opt/gsd" }
			c.install("codex", agent.Project)
			c.o.Hosts.Program = c.at("~/bin/gsd")
			c.install("codex", agent.User)
			c.o.Hosts.Program = ""
		}, "program-missing-in-login; hooks-twice-needed"},
		{"a login shell does not find it, and is not used", func(c *patient) {
			c.program("~/bin/gsd", "echo gsd version 1")
			c.o.InLogin = func() string { return "/opt/gsd" }
			c.install("claude", agent.Project)
			c.write("~/.codex/config.toml", "")
		}, ""},
		{"a login shell finds it", func(c *patient) {
			c.program("~/bin/gsd", "echo gsd version 1")
			c.o.InLogin = func() string { return "" }
			c.install("codex", agent.User)
		}, ""},
		{"hooks are disabled", func(c *patient) {
			c.install("claude", agent.Project)
			c.write("~/.claude/settings.json", `{"disableAllHooks": true}`)
		}, "hooks-inactive"},
		{"hooks call what is gone", func(c *patient) {
			c.o.Hosts.Program = c.at("~/gone/gsd")
			c.install("claude", agent.Project)
			c.o.Hosts.Program = ""
		}, "hooks-inactive: gsd install claude --absolute"},

		{"a driver without configuration", func(c *patient) { c.write(".gitattributes", mergedriver.Attributes) }, "detail:merge-driver-missing (git's attributes name gsd as the merge driver of STATE.md and ROADMAP.md, but merge.gsd.driver is not configured"},
		{"a driver without attributes", func(c *patient) { c.git("config", "merge.gsd.driver", mergedriver.Command) }, "detail:merge-driver-unused (merge.gsd.driver is configured, but git's attributes do not use it: .planning/ROADMAP.md: merge: unspecified"},
		{"a driver that is overridden", func(c *patient) {
			c.git("config", "merge.gsd.driver", mergedriver.Command)
			c.write(".gitattributes", mergedriver.Attributes)
			c.write(".planning/.gitattributes", "STATE.md merge=union\n")
		}, "merge-driver-unused"},
		{"another driver of that name", func(c *patient) {
			c.git("config", "merge.gsd.driver", "mine %A")
			c.write(".gitattributes", "x merge=gsd\n")
		}, ""},
		{"a driver, called by its path", func(c *patient) {
			c.git("config", "merge.gsd.driver", "/opt/"+mergedriver.Command)
			c.write(".gitattributes", mergedriver.Attributes)
		}, ""},
		{"sessions are not ignored", func(c *patient) { c.remove(own + ".gitignore") }, "sessions-not-ignored .planning/sessions/ada: gsd run sweep"},
		{"sessions without a repository", func(c *patient) { c.remove(own + ".gitignore"); c.remove(".git") }, ""},
		{"sessions are ignored elsewhere", func(c *patient) { c.remove(own + ".gitignore"); c.write(".gitignore", ".planning/sessions\n") }, ""},
		{"sessions are not ignored, by a file of somebody", func(c *patient) { c.write(own+".gitignore", "x\n") }, "detail:sessions-not-ignored .planning/sessions/ada (git does not ignore .planning/sessions/ada, so somebody may commit it; .planning/sessions/ada/.gitignore should have"},
		{"another's sessions are not ignored", func(c *patient) {
			c.write(".planning/sessions/bob/current-plan.md", "<!-- Plan: .planning/phases/01-a/01-01-PLAN.md -->\n")
		}, "sessions-not-ignored .planning/sessions/bob"},
		{"an empty directory of another", func(c *patient) { c.write(".planning/sessions/bob/x", "x") }, ""},
		{"sessions are tracked", func(c *patient) { c.git("add", "-f", own+"current-plan.md", own+".gitignore") }, "detail:sessions-tracked .planning/sessions/ada (git tracks the session of ada, which"},
		{"a file beside them is tracked", func(c *patient) {
			c.write(".planning/sessions/README.md", "x")
			c.git("add", "-f", ".planning/sessions/README.md")
		}, ""},
		{"sessions of workstreams", func(c *patient) {
			for _, root := range []string{".planning/workstreams/a/", ".planning/workstreams/b/", ".planning/shop/"} {
				c.write(root+"phases/01-a/01-01-PLAN.md", tasks)
				c.write(root+"sessions/ada/current-plan.md", "<!-- Plan: "+root+"phases/01-a/01-01-PLAN.md -->\n")
			}
			c.write(".gitignore", ".planning/workstreams/b\n")
			c.git("add", "-f", ".planning/workstreams/b/sessions")
		}, "sessions-tracked .planning/workstreams/b/sessions/ada; sessions-not-ignored .planning/shop/sessions/ada: gsd run sweep --ws shop; " +
			"sessions-not-ignored .planning/workstreams/a/sessions/ada: gsd run sweep --ws a"},
		{"repositories that are missing", func(c *patient) {
			c.write(".planning/config.json", `{"planning": {"sub_repos": ["api", "../far", ".", "web", "plans"]}}`)
			c.write("api/x", "x")
			c.git("init", "-q", "web")
			c.git("init", "-q", "plans")
			c.write("plans/.planning/x", "x")
		}, "detail:repositories-missing .planning/config.json (sub_repos names api, ../far, where the project has no repository of its own, so"},
		{"no remote", func(c *patient) { remote(c); c.git("remote", "remove", "origin") }, "sync-impossible: gsd sync --auto off -C DIR"},
		{"plans are private", func(c *patient) { remote(c); c.write(".gitignore", ".planning\n") }, "detail:sync-impossible: gsd sync --auto off -C DIR (background sync is on, but no sync can succeed: git ignores .planning"},
		{"the last sync failed", func(c *patient) {
			remote(c)
			apptest.Write(c, filepath.Join(c.p.StateDir.Clone(c.p.Planning.GitDir()), "failed.told"), "refused")
		}, "sync-failing: gsd sync -C DIR"},
		{"the remote is another one", func(c *patient) { remote(c); c.git("remote", "set-url", "origin", "/x") }, "detail:sync-impossible: gsd sync --auto off -C DIR (background sync is on, but no sync can succeed: the address of origin has changed"},
		{"a setting of the repository", func(c *patient) { c.git("config", "gsd.sync", "auto") }, ""},
		{"syncs are right", remote, ""},

		{"a session is lost", func(c *patient) { c.remove(own + "current-plan.md") }, "session-lost: gsd restore ID"},
		{"a session and its plan are lost", func(c *patient) { c.remove(own + "current-plan.md"); c.remove(apptest.PlanPath) }, "detail:session-lost (the session on 03-01 is lost: its file is gone; it can be brought back once the plan is there again"},
		{"a session is corrupt", func(c *patient) { os.RemoveAll(string(c.p.StateDir)); c.write(own+"current-plan.md", "x\n") }, "session-corrupt .planning/sessions/ada/current-plan.md: gsd bootstrap 03-01"},
		{"an unknown status", func(c *patient) { c.replace(own+"current-plan.md", `"pending"`, `"half"`) }, "status-unknown .planning/sessions/ada/current-plan.md:7: gsd mark 1 pending; status-unknown .planning/sessions/ada/current-plan.md:10: gsd mark 2 pending; status-unknown .planning/sessions/ada/current-plan.md:13: gsd mark 3 pending"},
		{"a breadcrumb is damaged", func(c *patient) { crumbs(c, "{") }, "breadcrumb-damaged"},

		{"a run died", func(c *patient) {
			apptest.StartRun(c.T, apptest.As(c.p, apptest.AgentCaller("x", 200)), apptest.Now)
			apptest.As(c.p, run.Caller{})
			delete(c.m.Processes, 200)
		}, "run-crashed: gsd run sweep"},
		{"a nameless run has expired", func(c *patient) {
			apptest.StartRun(c.T, apptest.As(c.p, apptest.AgentCaller("x", 0)), apptest.Now)
			apptest.As(c.p, run.Caller{})
			c.p.Now = c.p.Now.Add(100 * time.Hour)
		}, "run-expired: gsd run sweep"},
		{"a far run has expired", func(c *patient) {
			apptest.StartRun(c.T, apptest.As(c.p, apptest.AgentCaller("x", 200)), apptest.Now)
			apptest.As(c.p, run.Caller{})
			c.m.Self.HostName, c.m.Self.Machine, c.m.Self.BootID = "far", "far", "far"
			c.p.Now = c.p.Now.Add(100 * time.Hour)
		}, "run-unchecked: gsd run end RUN"},
		{"a far run lives", func(c *patient) {
			apptest.StartRun(c.T, apptest.As(c.p, apptest.AgentCaller("x", 200)), apptest.Now)
			apptest.As(c.p, run.Caller{})
			c.m.Self.HostName, c.m.Self.Machine, c.m.Self.BootID = "far", "far", "far"
		}, ""},
		{"records of runs that cannot be read", func(c *patient) { c.write(own+"runs.json", "{") }, answer.RunsDamaged + " " + own + "runs.json: gsd run sweep"},
		{"temporaries", func(c *patient) { c.write(own+".current-plan.md.0123456789abcdef.tmp", "") }, "temporary-files: gsd run sweep"},
		{"an old note", func(c *patient) {
			c.write(phase+".continue-here.md", "---\nphase: 03-api\n---\nGo on.\n")
			old := c.p.Now.Add(-oldNote)
			os.Chtimes(c.at(phase+".continue-here.md"), old, old)
		}, "detail:hand-off-old " + phase + ".continue-here.md: gsd archive " + phase + ".continue-here.md (a hand-off note is 7 days old"},
		{"a younger note", func(c *patient) {
			c.write(phase+".continue-here.md", "---\nphase: 03-api\n---\nGo on.\n")
			old := c.p.Now.Add(time.Second - oldNote)
			os.Chtimes(c.at(phase+".continue-here.md"), old, old)
		}, ""},

		{"an empty plan", func(c *patient) { c.write(newPlan, " \n") }, "detail:plan-empty " + newPlan + " (it has no usable task: the file is empty; write it, or remove it until"},
		{"a committed plan was emptied", func(c *patient) { c.write(newPlan, head+tasks); commit(c); c.write(newPlan, "\x00 ") }, "plan-binary " + newPlan + ": git -C DIR --literal-pathspecs checkout HEAD -- " + newPlan},
		{"a committed plan became binary", func(c *patient) { c.write(newPlan, head+tasks); commit(c); c.write(newPlan, "\xff\xfe<\x00t\x00") }, "detail:plan-binary " + newPlan + " (it has no usable task: the file is binary; git has it as it was committed; save it"},
		{"a binary plan", func(c *patient) { c.write(newPlan, "\xff\xfe<\x00t\x00") }, "detail:plan-binary " + newPlan + " (it has no usable task: the file is binary; save it"},
		{"an empty plan was committed", func(c *patient) { c.write(newPlan, ""); commit(c) }, "plan-empty " + newPlan},
		{"a done plan is empty", func(c *patient) { c.write(newPlan, ""); c.write(phase+"03-02-SUMMARY.md", "x") }, ""},
		{"a plan of a done phase is empty", func(c *patient) {
			c.write(newPlan, "")
			c.write(".planning/ROADMAP.md", "- [x] Phase 3: API\n")
			c.remove(own + "current-plan.md")
			os.RemoveAll(string(c.p.StateDir))
		}, ""},
		{"an archived plan is empty", func(c *patient) { c.write(".planning/milestones/v1-phases/01-a/01-01-PLAN.md", "") }, ""},
		{"two plans have one id", func(c *patient) { c.write(phase+"03-01-b-PLAN.md", tasks); c.write(phase+"03-02-SUMMARY.md", "x") }, "detail:plan-id-repeated " + phase + "03-01-b-PLAN.md (03-01 is also the id of " + apptest.PlanPath + "; it could be called 03-03-b-PLAN.md"},
		{"a done plan keeps the id", func(c *patient) { c.write(phase+"03-01-b-PLAN.md", tasks); c.write(phase+"03-01-b-SUMMARY.md", "x") }, "plan-id-repeated " + apptest.PlanPath},
		{"a draft waits", func(c *patient) { c.write(newPlan, tasks); c.write(phase+"03-02-SUMMARY.draft.md", "x") }, "detail:summary-draft " + phase + "03-02-SUMMARY.draft.md (its summary has a draft; `gsd done --summary` in a session on the plan makes it the summary once it is complete"},
		{"a draft is to be written", func(c *patient) { allDone(c); c.write(ownDraft, "\n**"+answer.DraftSentence+"**\n") }, "detail:summary-draft " + ownDraft + ":2 (its summary has a draft; `gsd done --summary` in a session on the plan makes it the summary once it is complete)"},
		{"a draft is written", func(c *patient) { allDone(c); c.write(ownDraft, "x") }, "summary-draft-written " + ownDraft + ": gsd done --summary"},
		{"a draft beside its summary", func(c *patient) {
			c.write(newPlan, tasks)
			c.write(phase+"03-02-SUMMARY.md", "x")
			c.write(phase+"03-02-SUMMARY.draft.md", "x")
		}, "detail:summary-draft-over " + phase + "03-02-SUMMARY.draft.md (it is no longer read"},
		{"a draft of a done phase", func(c *patient) {
			c.write(".planning/phases/02-a/02-01-PLAN.md", tasks)
			c.write(".planning/phases/02-a/02-01-SUMMARY.md", "x")
			c.write(".planning/phases/02-a/02-01-SUMMARY.draft.md", "x")
		}, "detail:summary-draft-over .planning/phases/02-a/02-01-SUMMARY.draft.md (it is no longer read"},
		{"a draft without its plan", func(c *patient) { c.write(phase+"03-07-SUMMARY.draft.md", "x") }, "detail:summary-draft-orphaned " + phase + "03-07-SUMMARY.draft.md (it is the draft of a summary, and no plan"},
		{"a done plan of another directory", func(c *patient) {
			c.write(".planning/phases/3-old/03-01-PLAN.md", tasks)
			c.write(".planning/phases/3-old/03-01-SUMMARY.md", "x")
		}, ""},
		{"front matter is open", func(c *patient) { c.write(newPlan, strings.Replace(head, "]\n---", "]\n", 1)+tasks) }, "front-matter-unreadable " + newPlan + ":4"},
		{"it depends on nothing", func(c *patient) { c.write(newPlan, strings.Replace(head, "03-01", "03-07", 1)+tasks) }, "dependency-unknown " + newPlan + ":3"},
		{"a cycle", func(c *patient) {
			c.write(newPlan, strings.Replace(head, "03-01", "03-03", 1)+tasks)
			c.write(phase+"03-03-PLAN.md", strings.Replace(head, "03-01", "03-02", 1)+tasks)
		}, "dependency-cycle " + newPlan + ":3"},
		{"waves", func(c *patient) {
			c.write(apptest.PlanPath, "---\nwave: 2\n---\n"+tasks)
			c.write(phase+"03-03-PLAN.md", "---\nwave: 3\n---\n"+tasks)
			c.write(newPlan, strings.Replace(head, `"03-01"`, `"03-03", "03-01"`, 1)+tasks)
			c.remove(own + "current-plan.md")
			os.RemoveAll(string(c.p.StateDir))
		}, "detail:wave-contradicted " + newPlan + ":2 (03-02 is in wave 2 and depends on 03-03 in wave 3; wave 4 would be right"},
		{"a part is open", func(c *patient) { c.write(newPlan, head+strings.Replace(tasks, "</action>\n", "", 1)) }, "detail:part-unclosed " + newPlan + ":7 (task 1: <action> has no </action>; it belongs at the end of line 8"},
		{"a status in a plan", func(c *patient) { c.write(newPlan, head+strings.Replace(tasks, `"auto"`, `"auto" status="half"`, 1)) }, "status-unknown " + newPlan + ":5"},
		{"a committed roadmap was emptied", func(c *patient) {
			c.write(".planning/ROADMAP.md", "- [ ] Phase 3: API\n")
			commit(c)
			c.write(".planning/ROADMAP.md", "")
		}, "unreadable .planning/ROADMAP.md: git -C DIR --literal-pathspecs checkout HEAD -- .planning/ROADMAP.md"},
		{"a committed roadmap was saved otherwise", func(c *patient) {
			c.write(".planning/ROADMAP.md", "- [ ] Phase 3: API\n")
			commit(c)
			c.write(".planning/ROADMAP.md", "\xff\xfe#\x00 \x00A\x00\n\x00")
		}, "detail:unreadable .planning/ROADMAP.md ("},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newPatient(t)
			if got := c.diagnosis(true); got != "" {
				t.Fatalf("before: %s", got)
			}
			id := apptest.CrumbsOf(t, c.p)[0].ID
			test.build(c)
			want, detail := strings.CutPrefix(test.want, "detail:")
			got := regexp.MustCompile(`(run end )[0-9a-f]{12}`).ReplaceAllString(strings.ReplaceAll(c.diagnosis(detail), id, "ID"), "${1}RUN")
			if got != want && !(detail && strings.HasPrefix(got, want) && strings.Count(got, "; "+strings.Split(want, " ")[0]) == 0) {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
}

// TestPlansOnly: nothing but the plans is looked at, and counted.
func TestPlansOnly(t *testing.T) {
	c := newPatient(t)
	c.write(newPlan, "")
	c.write(phase+"03-03-PLAN.md", tasks)
	c.write(phase+"03-03-SUMMARY.md", "x")
	c.remove(own + "current-plan.md")
	d := Examine(t.Context(), c.p, Options{PlansOnly: true})
	if d.User != "" || d.Plans != 2 || len(d.Findings) != 1 || d.Findings[0].Code != PlanEmpty {
		t.Errorf("%+v", d)
	}
	if d = Examine(t.Context(), c.p, c.o); d.User != "ada" || d.Project != c.p.Dir || d.Plans != 2 {
		t.Errorf("%+v", d)
	}
}

// TestClosedIn: the first file or directory on a path that its owner cannot read, and how that is changed.
func TestClosedIn(t *testing.T) {
	c := newPatient(t)
	c.write(newPlan, tasks)
	d := &checkup{Project: c.p, o: c.o}
	for _, test := range []struct {
		name string
		mode os.FileMode
		want string
	}{
		{newPlan, 0o644, ""},
		{newPlan, 0o200, newPlan + ": chmod u+r DIR/" + newPlan},
		{phase, 0o600, strings.TrimSuffix(phase, "/") + ": chmod u+rwx DIR/" + strings.TrimSuffix(phase, "/")},
		{phase, 0o100, strings.TrimSuffix(phase, "/") + ": chmod u+rwx DIR/" + strings.TrimSuffix(phase, "/")},
		{phase, 0o500, ""},
	} {
		was, err := os.Stat(c.at(test.name))
		if err != nil {
			t.Fatal(err)
		}
		os.Chmod(c.at(test.name), test.mode)
		closed, fix := d.closedIn(newPlan)
		os.Chmod(c.at(test.name), was.Mode())
		got := closed
		if fix.Kind != "" {
			got += ": " + strings.ReplaceAll(action.Line(fix.Words()), c.p.Dir, "DIR")
		}
		if got != test.want && !(os.Geteuid() != 0 && test.name == phase) {
			t.Errorf("%s %o: %q, want %q", test.name, test.mode, got, test.want)
		}
	}
	if err := os.Symlink("03-api", c.at(".planning/phases/link")); err != nil {
		t.Skip("no links here:", err)
	}
	for name, want := range map[string]bool{".planning": true, ".planning/phases": true, ".planningx": false, "x": false, ".planning/none": false, ".planning/phases/link/03-02-PLAN.md": false, newPlan: true} {
		if got := d.ownFile(name) != nil; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	d.Findings = []Finding{
		{Warning: problem.Warning{Code: answer.SessionClosed}},
		{Warning: problem.Warning{Code: "a"}, Fix: action.Action{Kind: action.Sweep}},
		{Warning: problem.Warning{Code: "b"}, Fix: action.Action{Kind: action.ShowNext}},
		{Warning: problem.Warning{Code: "c"}, Fix: action.Action{Kind: action.AllowWriting, ID: "sync"}},
	}
	if d.dropFailingFixes(); d.Findings[1].Fix.Kind != "" || d.Findings[2].Fix.Kind == "" || d.Findings[3].Fix.Kind == "" {
		t.Errorf("%+v", d.Findings)
	}
	d.Findings = d.Findings[1:]
	d.Findings[0].Fix = action.Action{Kind: action.Reset, Task: 1}
	if d.dropFailingFixes(); d.Findings[0].Fix.Kind == "" {
		t.Error("nothing is closed, and a fix is dropped")
	}
	var b boundedBuffer
	if n, err := b.Write(make([]byte, 16<<20)); n != 16<<20 || err != nil {
		t.Error(n, err)
	}
	if _, err := b.Write([]byte("x")); err == nil {
		t.Error("too much is kept")
	}
}

// That no host has our hooks is said where none is on this machine, too, but as a note: perhaps nobody wants one. What was looked at is
// listed whether or not something was found.
func TestNoHooks(t *testing.T) {
	c := newPatient(t)
	examine := func() *Diagnosis {
		c.p.Forget()
		return Examine(t.Context(), c.p, c.o)
	}
	d := examine()
	if len(d.Findings) > 0 || len(d.Notes) != 1 || d.Notes[0].Code != HooksMissing {
		t.Errorf("without a host: %+v", d)
	}
	if d.Plans != 1 || d.Users != 1 || d.Hosts != 7 || !d.Git {
		t.Errorf("looked at %+v", d)
	}
	c.write("~/.codex/config.toml", "")
	c.write(".planning/HANDOFF.json", "{}")
	c.p.Now = c.p.Now.AddDate(10, 0, 0)
	if d = examine(); len(d.Findings) < 2 || d.Findings[0].Code != HooksMissing || d.Findings[0].Fix.Kind != "" || len(d.Notes) > 0 {
		t.Errorf("with a host, and a note that is old: %+v", d)
	}
	c.install("claude", agent.User)
	if d = examine(); len(d.Notes) > 0 || len(d.Findings) != 1 {
		t.Errorf("with hooks: %+v", d)
	}
	c.o.PlansOnly = true
	if d = examine(); d.Plans != 1 || d.Users+d.Hosts != 0 || d.Git {
		t.Errorf("with the plans alone: %+v", d)
	}
}

// That the hooks are not in worktrees that a host makes is a note, and only where there are worktrees.
func TestNotCommitted(t *testing.T) {
	c := newPatient(t)
	c.install("claude", agent.Project)
	notes := func(want ...string) {
		t.Helper()
		p, err := app.Open(c.p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		p.World = c.p.World
		var codes []string
		d := Examine(t.Context(), p, c.o)
		for _, n := range d.Notes {
			codes = append(codes, n.Code)
		}
		if strings.Join(codes, " ") != strings.Join(want, " ") || len(d.Findings) > 0 {
			t.Errorf("%+v, want %q", d, want)
		}
	}
	c.git("add", ".planning/phases")
	c.git("commit", "-q", "-m", "a")
	notes()
	c.git("worktree", "add", "-q", c.at("~/side"))
	notes(NotCommitted)
	c.git("add", ".claude")
	c.git("commit", "-q", "-m", "b")
	notes()
}

// TestManyUsers: doctor starts as many programs for a hundred users as for one.
func TestManyUsers(t *testing.T) {
	count := func(users int) (runs, found int) {
		c := newPatient(t)
		git, log := c.o.Git, c.home+"/runs"
		for n := range users {
			c.write(fmt.Sprintf(".planning/sessions/user-%d/current-plan.md", n), "x")
			c.write(fmt.Sprintf(".planning/sessions/user-%d/.guard", n), "")
		}
		c.write(".gitignore", ".planning/sessions/user-0\n")
		c.program("~/git", "echo \"$*\" >>"+log+"\nexec "+git+" \"$@\"\n")
		c.o.Git = c.at("~/git")
		for _, code := range strings.Split(c.diagnosis(false), "; ") {
			if strings.HasPrefix(code, SessionsSeen+" ") {
				found++
			}
		}
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "\n"), found
	}
	few, found := count(2) // one of whom git ignores
	many, _ := count(100)
	if few != many || found != 1 {
		t.Errorf("%d programs for 2 users with %d findings, %d for 100", few, found, many)
	}
}
