//go:build linux

package hostile

// traps_test.go: nothing that a repository brings is executed. Every key of git's configuration that names a program, and every hook, has a
// trap: a script that notes its name. Every command and every hook of gsd is run; no trap may spring. Plain git shows which are live.

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// A trapped key is one of git-config(1) whose value git runs, or that makes another one's value run. VALUE stands for the trap's
// command line, FILE for its path without arguments.
type trappedKey struct {
	key, value string
	spring     string // a command line of git that springs it; empty where plain git cannot be made to here (a terminal, a mail server, …)
}

// trappedKeys are those of git 2.39: git help --config, without what is no program's name. The driver, tool or alias is called trap.
var trappedKeys = []trappedKey{
	{"alias.trap", "!VALUE", "trap"},
	{"alias.config", "!VALUE", ""}, // git ignores an alias that hides a command
	{"alias.check-ignore", "!VALUE", ""},
	{"browser.trap.cmd", "VALUE", "web--browse --browser=trap x"},
	{"browser.trap.path", "FILE", ""},
	{"core.alternateRefsCommand", "VALUE", ""}, // asked of a remote that has alternates
	{"core.askPass", "FILE", "credential fill"},
	{"core.editor", "VALUE", "commit --amend --no-verify"},
	{"core.fsmonitor", "FILE", "status"},
	{"core.gitProxy", "FILE", "ls-remote git://example.invalid/x"},
	{"core.hooksPath", "HOOKS", "commit --allow-empty -m x"},
	{"core.pager", "VALUE", ""},
	{"core.sshCommand", "VALUE", "ls-remote ssh://example.invalid/x"},
	{"credential.helper", "!VALUE", "credential fill"},
	{"credential.https://example.com.helper", "!VALUE", "credential fill"},
	{"diff.external", "FILE", "diff HEAD~1"},
	{"diff.guitool", "trap", ""},
	{"diff.tool", "trap", ""},
	{"diff.trap.command", "FILE", ""}, // diff.external comes first, and the attribute has the driver of textconv
	{"diff.trap.textconv", "VALUE", "log -p"},
	{"difftool.trap.cmd", "VALUE", "difftool -y HEAD~1"},
	{"difftool.trap.path", "FILE", ""},
	{"filter.trap.clean", "VALUE", ""}, // process comes first
	{"filter.trap.smudge", "VALUE", ""},
	{"filter.trap.process", "VALUE", "add --renormalize ."},
	{"filter.cleans.clean", "VALUE", "add --renormalize cleans.txt"},
	{"filter.cleans.smudge", "VALUE", "checkout HEAD~1 -- cleans.txt"},
	{"gpg.program", "FILE", ""}, // the next comes first
	{"gpg.openpgp.program", "FILE", "commit --amend --no-verify -S -m x"},
	{"gpg.x509.program", "FILE", ""},
	{"gpg.ssh.program", "FILE", ""},
	{"gpg.ssh.defaultKeyCommand", "VALUE", ""},
	{"commit.gpgSign", "true", ""},
	{"tag.gpgSign", "true", ""},
	{"push.gpgSign", "true", ""},
	{"log.showSignature", "true", ""},
	{"guitool.trap.cmd", "VALUE", ""},
	{"help.browser", "trap", ""},
	{"http.proxy", "http://127.0.0.1:1", ""},
	{"http.sslKey", "FILE", ""},
	{"imap.tunnel", "VALUE", ""},
	{"instaweb.browser", "trap", ""},
	{"instaweb.httpd", "FILE", ""},
	{"interactive.diffFilter", "VALUE", ""},
	{"man.viewer", "trap", ""},
	{"man.trap.cmd", "VALUE", ""},
	{"man.trap.path", "FILE", ""},
	{"merge.trap.driver", "VALUE", "merge -m x other"},
	{"merge.tool", "trap", ""},
	{"merge.guitool", "trap", ""},
	{"mergetool.trap.cmd", "VALUE", ""},
	{"mergetool.trap.path", "FILE", ""},
	{"pager.config", "VALUE", ""},
	{"pager.log", "VALUE", ""},
	{"pager.status", "VALUE", ""},
	{"protocol.allow", "always", ""},
	{"protocol.ext.allow", "always", ""},
	{"protocol.file.allow", "always", ""},
	{"remote.origin.proxy", "http://127.0.0.1:1", ""},
	{"remote.origin.receivepack", "VALUE", "push origin HEAD:x"},
	{"remote.origin.uploadpack", "VALUE", "ls-remote origin"},
	{"remote.origin.promisor", "true", ""},
	{"remote.foreign.vcs", "ext", ""},
	{"remote.foreign.url", "VALUE", "ls-remote foreign"},
	{"remote.outside.url", "ext::VALUE", "ls-remote outside"},
	{"url.ext::VALUE .insteadOf", "https://trap.invalid/", "ls-remote https://trap.invalid/x"},
	{"url.ext::VALUE .pushInsteadOf", "https://push.invalid/", "push https://push.invalid/x HEAD"},
	{"extensions.partialClone", "origin", ""},
	{"sendemail.smtpServer", "FILE", ""},
	{"sendemail.toCmd", "VALUE", ""},
	{"sendemail.ccCmd", "VALUE", ""},
	{"sequence.editor", "VALUE", "rebase -i --root"},
	{"ssh.variant", "simple", ""},
	{"submodule.trap.update", "!VALUE", ""}, // the repository has no submodule
	{"submodule.recurse", "true", ""},
	{"tar.trap.command", "VALUE", "archive --format=trap HEAD"},
	{"trailer.trap.command", "VALUE", ""}, // the next comes first
	{"trailer.trap.cmd", "VALUE", "interpret-trailers /dev/null"},
	{"uploadpack.packObjectsHook", "VALUE", ""}, // git takes it from the user's own configuration only
	{"web.browser", "trap", ""},
	{"gc.auto", "1", ""}, // with its hook
	{"maintenance.auto", "true", ""},
	{"receive.autogc", "true", ""},
	{"receive.denyCurrentBranch", "updateInstead", ""},
	{"core.attributesFile", "ATTRIBUTES", ""},
	{"init.templateDir", "TEMPLATE", ""},
}

// gitHooks are those of githooks(5).
var gitHooks = []string{
	"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit",
	"pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update", "proc-receive", "post-receive", "post-update",
	"reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite", "sendemail-validate", "fsmonitor-watchman",
	"p4-changelist", "p4-prepare-changelist", "p4-post-changelist", "p4-pre-submit", "post-index-change",
}

// traps are those of a project.
type traps struct {
	*project
	dir, sprung string
	refusals    map[string]int // the exit codes of commands that are refused here; trappedExits has those of the others
}

// newTraps makes a project with a history, a remote at a path, a session and background sync, which its person has turned on, as yet
// without a trap.
func newTraps(t *testing.T) *traps {
	p := newProject(t)
	x := &traps{project: p, dir: filepath.Join(p.home, "traps"), sprung: filepath.Join(p.home, "sprung")}
	p.mkdir(x.dir)
	p.mkdir(x.sprung)
	remote := filepath.Join(filepath.Dir(p.dir), "remote.git")
	p.remove(".git")
	p.git(nil, "init", "-q", "-b", "main")
	p.write("trap.txt", "1\n")
	p.write("cleans.txt", "1\n")
	p.git(nil, "add", ".")
	p.git(nil, "commit", "-q", "-m", "plans")
	p.git(nil, "checkout", "-q", "-b", "other")
	p.write("trap.txt", "other\n")
	p.git(nil, "commit", "-qam", "other")
	p.git(nil, "checkout", "-q", "main")
	p.write("trap.txt", "2\n")
	p.write("cleans.txt", "2\n")
	p.git(nil, "commit", "-qam", "feat(01-01): part 1")
	p.git(nil, "init", "-q", "--bare", remote)
	p.git(nil, "remote", "add", "origin", remote)
	p.gsd("bootstrap", "01-01")
	p.gsd("sync")
	p.gsd("sync", "--auto", "on")
	return x
}

// script makes a trap, and returns its path.
func (x *traps) script(name string) string {
	file := strings.NewReplacer("/", "_", ":", "_", " ", "_").Replace(name)
	path := filepath.Join(x.dir, file)
	x.write(path, "#!/bin/sh\necho \"$@\" >>"+filepath.Join(x.sprung, file)+"\nexit 1\n")
	x.ok(os.Chmod(path, 0o755))
	return path
}

// hooks makes a directory with every hook.
func (x *traps) hooks(dir, name string) string {
	x.mkdir(dir)
	for _, hook := range gitHooks {
		x.ok(os.Rename(x.script(name+"-"+hook), filepath.Join(x.path(dir), hook)))
	}
	return x.path(dir)
}

// config returns a configuration with every trap. Those whose values are options of others keep theirs.
func (x *traps) config(omit ...string) string {
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	var text strings.Builder
	for _, k := range trappedKeys {
		if slices.Contains(omit, k.key) {
			continue
		}
		trap := x.script(k.key)
		fill := strings.NewReplacer("VALUE", trap, "FILE", trap, "HOOKS", filepath.Join(x.dir, "hooks"), "ATTRIBUTES", filepath.Join(x.dir, "attributes"), "TEMPLATE", filepath.Join(x.dir, "template"))
		key := fill.Replace(k.key)
		section, variable := key[:strings.IndexByte(key, '.')], key[strings.LastIndexByte(key, '.')+1:]
		if sub := strings.TrimSuffix(strings.TrimPrefix(key, section+"."), variable); sub != "" {
			section += ` "` + quote.Replace(strings.TrimSuffix(sub, ".")) + `"`
		}
		fmt.Fprintf(&text, "[%s]\n\t%s = \"%s\"\n", section, variable, quote.Replace(fill.Replace(k.value)))
	}
	return text.String()
}

const trapAttributes = "*.md filter=trap diff=trap merge=trap\ntrap.txt filter=trap diff=trap merge=trap\ncleans.txt filter=cleans\n"

// set sets all traps. where is the file that has the configuration: that of the repository, one that it includes, or that of the worktree.
func (x *traps) set(where string, omit ...string) {
	config := x.config(omit...)
	add := func(name, text string) {
		was, _ := os.ReadFile(x.path(name))
		x.write(name, string(was)+text)
	}
	switch where {
	case "config":
		add(".git/config", config)
	case "include":
		x.write(".git/more", config)
		add(".git/config", "[include]\n\tpath = more\n")
	case "includeIf":
		x.write(".git/more", config)
		add(".git/config", "[includeIf \"gitdir:**\"]\n\tpath = more\n")
	case "config.worktree":
		x.write(".git/config.worktree", config)
		add(".git/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n")
	}
	if strings.Contains(config, "partialClone") && where != "config.worktree" {
		add(".git/config", "[core]\n\trepositoryformatversion = 1\n")
	}
	x.hooks(filepath.Join(x.dir, "hooks"), "hooksPath")
	x.hooks(".git/hooks", "hook")
	x.hooks(filepath.Join(x.dir, "template/hooks"), "template")
	for _, name := range []string{".gitattributes", ".git/info/attributes", filepath.Join(x.dir, "attributes")} {
		x.write(name, trapAttributes)
	}
	// A bare repository that came with the plans.
	for name, text := range map[string]string{
		"HEAD": "ref: refs/heads/main\n", "config": config, "objects/info/alternates": filepath.Join(x.dir, "objects") + "\n",
	} {
		x.write(".planning/"+name, text)
		x.write(own+"/"+name, text)
	}
	x.mkdir(".planning/refs")
	x.mkdir(own + "/refs")
}

// left returns which traps sprang, and sets them again.
func (x *traps) left() []string {
	names, err := os.ReadDir(x.sprung)
	x.ok(err)
	var all []string
	for _, n := range names {
		all = append(all, n.Name())
		x.ok(os.Remove(filepath.Join(x.sprung, n.Name())))
	}
	return all
}

// trappedCommands are all commands of gsd; those of hooks have their input behind a tab.
var trappedCommands = strings.Split(strings.TrimSpace(`
hydrate
hydrate --json
hydrate --inline
whoami
config
status --all
status --format html
next
tasks
tasks 01-01 1
state
state --write
doctor
doctor --plans
bootstrap --dry-run
bootstrap 01-01 --fresh
takeover 01-01
mark 1 in-progress
mark 1 complete
done
sync --dry-run
sync --background
sync
run start --host claude --id r
run list
run end --host claude --id r --status success
run sweep
exec -- true
install
install claude codex gemini copilot cursor opencode
install claude --check
install claude --remove
state merge base ours theirs 7 .planning/STATE.md
restore --list
restore
forget 3f2a
completion bash
demo
help
--version
statusline	`+starts+`
hook start --host claude	`+starts+`
hook start --host codex	`+starts+`
hook start --host gemini	`+starts+`
hook start --host copilot	`+starts+`
hook start --host cursor	`+starts+`
hook start --host opencode	`+starts+`
hook compact --host gemini	`+compacted+`
hook prompt --host gemini	`+prompts+`
hook agent --host claude	`+prompts+`
hook end --host claude	`+ends+`
mark 2 complete
mark 3 complete
done --summary
archive
bootstrap
sync --remove
sync --auto off
sync --auto on
`), "\n")

// trappedExits are the exit codes of those that do not succeed: doctor finds the traps, the files to be merged differ, and no session is
// lost.
var trappedExits = map[string]int{"doctor": 1, "state merge base ours theirs 7 .planning/STATE.md": 1, "restore": 66, "forget 3f2a": 66}

// spare runs every command of gsd, and reports the traps that one of them sprang. works says that the remote can be used, so that all
// succeed.
func (x *traps) spare(t *testing.T, works bool) {
	t.Helper()
	for _, name := range []string{"base", "ours", "theirs"} {
		x.write(name, "# State\n\n## Current Position\n\nPhase: 1 of 9 ("+name+")\n")
	}
	for _, line := range trappedCommands {
		line, stdin, _ := strings.Cut(line, "\t")
		u := x.run(manner{most: patience, stdin: stdin}, strings.Fields(line)...)
		switch word, _, _ := strings.Cut(strings.TrimPrefix(line, "hook "), " "); word {
		case "mark", "done", "archive", "bootstrap", "takeover", "task", "end":
			// A sync that it started in the background is waited for by another, which also has to leave the traps alone.
			x.run(manner{most: patience}, "sync", "--background")
		}
		want, refused := x.refusals[line]
		if !refused {
			want = trappedExits[line]
		}
		if works && u.Exit != want {
			t.Errorf("gsd %s: exit %d, and %d says that it got as far as it can\n%s", line, u.Exit, want, u.errs.text)
		}
		if sprung := x.left(); len(sprung) > 0 {
			t.Errorf("gsd %s: it ran %s (%v)\n%s", line, strings.Join(sprung, ", "), &u, u.errs.text)
		}
	}
}

// TestTraps: no command of gsd springs a trap, wherever the configuration is, and whatever kind of remote there is.
func TestTraps(t *testing.T) {
	t.Logf("%d keys of git's configuration and %d hooks are trapped", len(trappedKeys), len(gitHooks))
	for _, where := range []string{"config", "include", "includeIf", "config.worktree"} {
		for _, remote := range []string{"path", "file", "ext", "ssh", "https", "helper", "option", "insteadOf"} {
			t.Run(where+", "+remote, func(t *testing.T) {
				switch { // where the configuration is and what it names do not depend on each other
				case where == "config" && remote == "path", where == "include" && remote == "ext":
				case !testenv.Thorough(), where != "config" && remote != "path":
					t.Skip("only with GSD_THOROUGH=1, and not each with each")
				}
				t.Parallel()
				x := newTraps(t)
				if url := map[string]string{
					"file": "file://" + filepath.Join(filepath.Dir(x.project.dir), "remote.git"), "ext": "ext::" + x.script("url"), "ssh": "ssh://example.invalid/x",
					"https": "https://example.invalid/x", "helper": "trap://x", "option": "ssh://-oProxyCommand=" + x.script("option") + "/x", "insteadOf": "https://trap.invalid/x",
				}[remote]; url != "" {
					x.git(nil, "config", "remote.origin.url", url)
					if remote != "ext" { // the person accepts what gsd can use
						x.run(manner{}, "sync", "--auto", "on")
					}
				}
				bare := &traps{project: &project{t: t, dir: filepath.Join(filepath.Dir(x.project.dir), "remote.git"), home: x.home}, dir: x.dir, sprung: x.sprung}
				bare.hooks("hooks", "remote")
				bare.write("config", "[core]\n\tbare = true\n"+x.config("extensions.partialClone"))
				bare.write("objects/info/alternates", filepath.Join(x.project.dir, ".git/objects")+"\n")
				x.left()
				x.set(where)
				x.spare(t, remote == "path" || remote == "file")
			})
		}
	}
}

// TestTrappedRepository: nor where .git is a file that leads elsewhere, or a directory whose common one is elsewhere.
func TestTrappedRepository(t *testing.T) {
	for _, kind := range []string{"a file", "commondir", "core.worktree"} {
		t.Run(kind, func(t *testing.T) {
			if !testenv.Thorough() && kind != "a file" {
				t.Skip("only with GSD_THOROUGH=1")
			}
			t.Parallel()
			x := newTraps(t)
			x.set("config")
			elsewhere := filepath.Join(x.home, "elsewhere.git")
			switch kind {
			case "a file":
				x.ok(os.Rename(x.path(".git"), elsewhere))
				x.write(".git", "gitdir: "+elsewhere+"\n")
			case "commondir":
				x.ok(os.Rename(x.path(".git"), elsewhere))
				x.write(".git/HEAD", "ref: refs/heads/main\n")
				x.write(".git/commondir", elsewhere+"\n")
				x.write(".git/gitdir", x.path(".git")+"\n")
				// It is no linked working tree (gitlog.Shared), so that gsd keeps nothing for it, and does not sync.
				x.refusals = map[string]int{"sync": 74, "sync --remove": 74, "sync --auto on": 74, "sync --background": 77}
			case "core.worktree":
				x.git(nil, "config", "core.worktree", x.home)
				x.left()
			}
			x.run(manner{}, "sync", "--auto", "on") // gsd takes it for another clone
			x.spare(t, true)
		})
	}
}

// TestTrapsKnowEveryCommand: those that gsd help lists are all tried.
func TestTrapsKnowEveryCommand(t *testing.T) {
	p := newProject(t)
	help := p.run(manner{}, "help")
	listed := 0
	for line := range strings.Lines(string(help.out.text)) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "  "), " ")
		if !strings.HasPrefix(line, "  ") || name == "" || strings.HasPrefix(name, "-") {
			continue
		}
		listed++
		if !slices.ContainsFunc(trappedCommands, func(c string) bool { return strings.HasPrefix(c+" ", name+" ") }) {
			t.Errorf("gsd %s is not tried", name)
		}
	}
	if listed < 10 {
		t.Errorf("%d commands in:\n%s", listed, help.out.text)
	}
}

// TestTrapsAreLive: plain git springs them.
func TestTrapsAreLive(t *testing.T) {
	x := newTraps(t)
	x.set("config", "extensions.partialClone", "remote.origin.promisor", "push.gpgSign", "commit.gpgSign", "log.showSignature", "http.proxy", "remote.origin.proxy", "submodule.recurse")
	live := 0
	for _, k := range trappedKeys {
		if k.spring == "" {
			continue
		}
		args := strings.Fields(k.spring)
		if k.key != "core.fsmonitor" {
			args = append([]string{"-c", "core.fsmonitor=false"}, args...)
		}
		if k.key != "core.hooksPath" {
			args = append([]string{"-c", "core.hooksPath=/dev/null"}, args...)
		}
		if !strings.HasPrefix(k.key, "diff.external") {
			args = append([]string{"-c", "diff.external="}, args...)
		}
		x.write(".git/info/attributes", strings.ReplaceAll(trapAttributes, "filter=", "-filter unused="))
		x.git(nil, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "reset", "-q", "--hard")
		x.left()
		if strings.HasPrefix(k.key, "filter.") {
			x.write(".git/info/attributes", trapAttributes)
		}
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = x.project.dir, append(slices.Clone(x.env), "GIT_ALLOW_PROTOCOL=ext:file:ssh:git:https")
		cmd.Stdin = strings.NewReader("protocol=https\nhost=example.com\n\n")
		out, _ := cmd.CombinedOutput()
		sprung := x.left()
		want := strings.NewReplacer("/", "_", ":", "_", " ", "_").Replace(k.key)
		if k.key == "core.hooksPath" {
			want = "hooksPath-pre-commit"
		}
		if !slices.Contains(sprung, want) {
			t.Errorf("git %s does not spring %s, only %q\n%s", k.spring, k.key, sprung, bytes.TrimSpace(out))
			continue
		}
		live++
	}
	t.Logf("%d of %d keys are sprung by plain git", live, len(trappedKeys))
}
