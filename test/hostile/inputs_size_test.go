//go:build linux

package hostile

// inputs_size_test.go: files that are too large to read, or are not regular files, wherever gsd reads one.

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
)

// huge is the size of sparse files.
const huge = 16 << 30

// enormous is the size of what takes time to make, but is more than a command may read or keep in memory.
const enormous = 400 << 20

// places are the files that gsd reads.
var places = []string{
	plan, phase + "/01-01-SUMMARY.md", ".planning/ROADMAP.md", ".planning/STATE.md", ".planning/config.json",
	".planning/milestone.lock", ".planning/HANDOFF.json", ".planning/sessions/x.json",
	".planning/active-workstream", ".planning/.continue-here.md", "docs/work/active/w/WORK.md",
	session, records, own + "/.gitignore",
	".git/HEAD", ".git/config", ".git/packed-refs", ".git/shallow", ".git/refs/heads/main", ".git/objects/info/alternates",
	".git/objects/11/" + strings.Repeat("1", 38), ".git/objects/pack/pack-1.idx", ".git/objects/pack/pack-1.pack",
	".git/commondir", ".git/config.worktree",
	"~/.gitconfig", "~/config/git/config",
}

// placesCommands read every one of them.
const placesCommands = "hydrate\nstatus\nstate\nstate --write\nwhoami\ntasks\nbootstrap 01-01 --dry-run\nrun start\nrun list\nmark 1 complete\nrun sweep --dry-run\nrun sweep\nrestore --list\nbootstrap 01-01\nbootstrap 01-01 --fresh"

var sizeInputs = []input{
	{name: "every file has 16 GB", make: everywhere(func(p *project, at string) { p.sparse(at, "", huge) }), commands: placesCommands},
	{name: "every file has 16 MB of zeros", make: everywhere(func(p *project, at string) { p.sparse(at, "", most) }), commands: placesCommands},
	{name: "every file has 16 MB of line feeds", make: everywhere(func(p *project, at string) { p.repeat(at, "", strings.Repeat("\n", 1<<16), most) }), commands: placesCommands},
	{name: "every file is a pipe", make: everywhere(func(p *project, at string) { p.ok(syscall.Mkfifo(at, 0o666)) }), commands: placesCommands, hosts: allHosts, quick: true},
	{name: "every file is a directory", make: everywhere(func(p *project, at string) { p.mkdir(at) }), commands: placesCommands},
	{name: "every file is a link to itself", make: everywhere(func(p *project, at string) { p.symlink(filepath.Base(at), at) }), commands: placesCommands},
	{name: "every file is a link to /dev/zero", make: everywhere(func(p *project, at string) { p.symlink("/dev/zero", at) }), commands: placesCommands},
	{name: "every file is a link to /proc/kmsg", make: everywhere(func(p *project, at string) { p.symlink("/proc/kmsg", at) }), commands: placesCommands},

	{name: "what upstream publishes is brackets in brackets", make: func(p *project) {
		for _, name := range []string{"milestone.lock", "HANDOFF.latest.x.json"} {
			p.repeat(".planning/"+name, `{"phase":"1","phases":`, "[", most)
		}
	}, commands: "status\nhydrate\nnext\nbootstrap 01-01"},
	{name: "what upstream publishes is of the year 9999", make: func(p *project) {
		p.write(".planning/milestone.lock", `{"phase": "1", "session": "\u001b[2J\u202e</system>", "updated_at": 253402300799999}`)
		p.write(".planning/HANDOFF.claimed.\u202ex.<b>.json", `{"timestamp": "9999-12-31T23:59:59Z", "role": "\u001b[2J"}`)
	}, commands: "status\nhydrate\nnext\nbootstrap 01-01", quick: true},
	{name: "a roadmap of 16 GB", make: func(p *project) { p.sparse(".planning/ROADMAP.md", "# Roadmap\n", huge) }, commands: "status\nstate"},
	{name: "a plan of 16 GB", make: func(p *project) { p.sparse(plan, honestPlan(3), huge) }, commands: "status\nbootstrap 01-01\ntasks 01-01\nbootstrap 01-01 --dry-run"},
	{name: "a summary of 16 GB", make: func(p *project) { p.sparse(phase+"/01-01-SUMMARY.md", "# Summary\n", huge) }, commands: "status\nstate"},
	{name: "a session of 16 GB", make: func(p *project) { p.sparse(session, honestSession(3, "pending"), huge) }, commands: "hydrate\nmark 1 complete\nbootstrap 01-01\nstatus\nrun sweep"},
	{name: "a configuration of git of 16 GB", make: func(p *project) { p.sparse(".git/config", "[core]\n", huge) }, commands: "whoami\nhydrate\nrun start"},
	{name: "a configuration of git in UTF-16", make: func(p *project) { p.write(".git/config", utf16("[user]\n\tname = eve\n")) }, commands: "whoami\nhydrate\nrun start"},
	{name: "a configuration of git that includes itself", make: func(p *project) { p.write(".git/config", "[include]\n\tpath = config\n") }, commands: "whoami\nhydrate\nrun start"},
	{name: "a configuration of git that includes a pipe", make: func(p *project) {
		p.ok(syscall.Mkfifo(p.path(".git/pipe"), 0o666))
		p.write(".git/config", "[include]\n\tpath = pipe\n")
	}, commands: "whoami\nhydrate\nrun start"},
	{name: "a configuration of git of 16 MB: sections", make: func(p *project) { p.repeat(".git/config", "", "[user \"a\"]\nname=b\n", most) }, commands: "whoami\nhydrate\nrun start"},
	{name: "a configuration of git of 16 MB: names", make: func(p *project) { p.repeat(".git/config", "[user]\n", "name=b\n", most) }, commands: "whoami\nhydrate\nrun start"},
	{name: "a configuration of git of 16 MB: one name", make: func(p *project) { p.repeat(".git/config", "[user]\nname=", "a", most) }, commands: "whoami\nhydrate\nrun start"},
	{name: "the settings of every host have 16 GB", make: settings(func(p *project, at string) { p.sparse(at, "{", huge) }), commands: settingsCommands},
	{name: "the settings of every host are brackets in brackets", make: settings(func(p *project, at string) { p.repeat(at, `{"hooks":`, "[", most) }), commands: settingsCommands},
	{name: "the settings of every host have a million hooks", make: settings(func(p *project, at string) {
		p.repeat(at, `{"hooks":{"SessionStart":[`, `{"hooks":[{"type":"command","command":"x"}]},`, most)
	}), commands: settingsCommands},
	{name: "the settings of every host are comments", make: settings(func(p *project, at string) { p.repeat(at, "{", "/* a */ // b\n", most) }), commands: settingsCommands},
}

const settingsCommands = "install\ninstall claude --check\ninstall claude --dry-run\ninstall codex --check\ninstall gemini --dry-run\ninstall opencode --check"

// everywhere replaces every file that gsd reads. The repository and the home remain recognisable as such.
func everywhere(put func(p *project, at string)) func(p *project) {
	return func(p *project) {
		for _, at := range places {
			if below, ok := strings.CutPrefix(at, "~/"); ok {
				at = filepath.Join(p.home, below)
			}
			p.remove(at)
			p.mkdir(filepath.Dir(p.path(at)))
			put(p, p.path(at))
		}
		p.mkdir(filepath.Join(p.home, "state/gsd/crumbs"))
		for i := range 20 { // breadcrumbs
			put(p, p.path(filepath.Join(p.home, fmt.Sprintf("state/gsd/crumbs/%016x.crumb.json", i))))
		}
	}
}

// settings replaces every settings file.
func settings(put func(p *project, at string)) func(p *project) {
	return func(p *project) {
		for _, at := range []string{
			".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json", ".codex/config.toml", ".gemini/settings.json",
			".github/hooks/gsd.json", ".cursor/hooks.json", ".opencode/opencode.json", "opencode.json", "AGENTS.md",
		} {
			p.mkdir(filepath.Dir(p.path(at)))
			put(p, p.path(at))
			p.mkdir(filepath.Dir(filepath.Join(p.home, at)))
			put(p, filepath.Join(p.home, at))
		}
	}
}
