package agent

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shared.go: the skills that most hosts read in one place, so that gsd's commands are there once for all of them.

// agentsDir is that place, in a project and in a user's home: https://agentskills.io. Codex, Gemini, Copilot and OpenCode were
// tried, and Cursor's loader was read; only Claude does not look there.
const agentsDir = ".agents"

// skill is a command as a shared skill. Hosts differ in where they put what a person types after its name: before the text, after
// it, or below it; $ARGUMENTS is known to some of them only, and allowed-tools to none as one of gsd's rules: Copilot only knows
// shell(gsd:*), which would allow all of gsd's commands.
func (c command) skill(bin string) file {
	name := c.skillName()
	front := frontMatter("name", name, "description", c.description+" Use it when the user asks for "+name+".")
	text := c.render(bin, "(it stands next to this text)", false)
	return file{path: "skills/" + name + "/SKILL.md", text: front + text, shared: true}
}

// skillName is valid by the skills' specification, which knows no dots, and does not begin with gsd-: such skills are gsd-core's,
// whose installer deletes them.
func (c command) skillName() string { return c.name + "-gsd" }

// agents returns the directory with the skills that a host reads, absolute. It differs where a variable moves all of a host's home.
func (w Where) agents() string {
	own := w.Getenv(find(w.Host).settings.homeVariable)
	switch {
	case w.Scope != User:
		return filepath.Join(w.Project, agentsDir)
	case find(w.Host).settings.homeBelow != "" && filepath.IsAbs(own):
		return filepath.Join(own, agentsDir)
	}
	return filepath.Join(w.Home, agentsDir)
}

// readers returns the other hosts in which gsd is installed in the scope and that read the same skills, and how their hooks call it.
func (w Where) readers() (names, programs []string) {
	if h := find(w.Host); !h.readsSkills() {
		return nil, nil
	}
	for _, h := range hosts() {
		other := w
		if other.Host = h.name; h.name == w.Host || !h.readsSkills() || slices.Contains(w.Gone, h.name) || other.isNew() {
			continue
		}
		if calls := other.calls(); len(calls) > 0 && other.agents() == w.agents() {
			names, programs = append(names, h.name), append(programs, calls...)
		}
	}
	return names, programs
}

// readsSkills reports whether the host reads the shared skills, as it has no commands of its own form.
func (h *Host) readsSkills() bool { return h.commands.file == nil }

// calls returns how the hooks of a host's start, or its plugin, call gsd in a scope; nil if they are not there. One that somebody has
// written in another form counts as the bare name.
func (w Where) calls() (programs []string) {
	for _, command := range w.starts() {
		bin, _ := splitCommand(command)
		programs = append(programs, cmp.Or(bin, program))
	}
	if h := find(w.Host); h.commands.plugin != nil {
		if c, err := w.read(h.commands.plugin(program).path); err == nil && signed(c.Before) {
			programs = append(programs, cmp.Or(h.commands.programIn(c.Before), program))
		}
	}
	return programs
}

// skillProgram returns how the shared skills call gsd for a host whose hooks call it as bin, and for others whose hooks call it as
// programs. A path works for every host, and one of them may need it, so it stays as long as any has it.
func skillProgram(bin string, programs []string) string {
	if bin != program {
		return bin
	}
	for _, path := range programs {
		if _, err := os.Stat(strings.Trim(path, `"'`)); path != program && err == nil {
			return path
		}
	}
	return bin
}

// callSkillsAs makes the shared skills of a setup call gsd as bin.
func (s *setup) callSkillsAs(bin string) {
	for i, f := range s.files {
		for _, c := range commandList {
			if skill := c.skill(bin); f.shared && f.path == skill.path {
				s.files[i] = skill
			}
		}
	}
}
