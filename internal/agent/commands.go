package agent

import (
	"embed"
	"strings"
)

// commands is what a host has for people to type, and how it runs what the agent types.
type commands struct {
	file        func(c command, name, bin string) file // nil if it reads the shared skills
	plugin      func(bin string) file                  // that calls us, where no hooks do
	programIn   func(text []byte) string               // how a file of gsd's calls it, as a hook would write it; empty if it does not
	loginShell  bool                                   // it runs the agent's commands in a login shell, whose profile may set another PATH
	asksNothing bool                                   // by default it runs any command without a question
	hasRules    bool                                   // its settings have rules for what is allowed
	policy      func(scope Scope, bin string) file     // the file that allows our commands; see policyOf
}

// RunsLoginShell reports whether a host runs the agent's commands in a login shell, with the PATH that its profile sets. Hooks run
// with the host's own.
func RunsLoginShell(host string) bool { return find(host).commands.loginShell }

// command is a command that a person types to the agent. commands/ has the text that the agent then gets. What the person
// typed is part of that text, never of a command line: hosts insert it verbatim, before any shell sees it. The agent
// then runs gsd itself, with one quoted word.
type command struct {
	name        string
	description string
	arguments   string   // what may follow it; empty for nothing
	allowed     []string // which of gsd's commands it runs
}

var commandList = [...]command{
	{"hydrate", "How far is the work on the plan, and which task comes next?", "", []string{"hydrate", "tasks"}},
	{"bootstrap", "Start or continue a session on a plan.", "[PLAN] [--fresh] [--again]", []string{"bootstrap", "next"}},
	{"mark", "Set the status of a task.", "N complete|in-progress|pending|skipped", []string{"done", "mark", "tasks"}},
	{"status", "How far is the project, and who is working on what?", "", []string{"status"}},
}

// CommandName returns the name of one of gsd's commands in a host, without the / or $ that people type before it. What begins
// with gsd- in a host's directories, and everything in commands/gsd/, belongs to another program: gsd-core's installer deletes
// it there. A plugin's name comes before the names of its commands, so in the one for Claude they are gsd:hydrate and so on.
func CommandName(host, name string) string {
	if h := find(host); h.readsSkills() {
		return command{name: name}.skillName()
	}
	return "gsd." + name
}

//go:embed commands
var commandTexts embed.FS

// render fills in what differs: where the arguments are, whether the host runs a command while it loads the text, and how
// we are called.
func (c command) render(bin, arguments string, inline bool) string {
	now := "Run `" + bin + " hydrate --inline`."
	if inline {
		now = "!`" + bin + " hydrate --inline 2>/dev/null || true`" // a command that fails would take the whole text with it
	}
	text, _ := commandTexts.ReadFile("commands/" + c.name + ".md")
	return strings.NewReplacer("INLINE", now, "ARGUMENTS", arguments, "`gsd ", "`"+bin+" ").Replace(string(text))
}

// allowedTools are the rules that let an agent run what the command runs without a question; empty if no rule can name bin.
func (c command) allowedTools(bin string) string {
	if !canAllow(bin) {
		return ""
	}
	return strings.Join(rulesFor(bin, c.allowed), ", ")
}

// frontMatter is YAML; the values are quoted as JSON, which is YAML.
func frontMatter(pairs ...string) string {
	text := "---\n"
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			text += pairs[i] + ": " + quoted(pairs[i+1]) + "\n"
		}
	}
	return text + "---\n\n"
}

// filesOf lists gsd's files for a host. bin is how they call gsd.
func filesOf(host, bin string) (files []file) {
	h := find(host)
	for _, c := range commandList {
		if h.readsSkills() {
			files = append(files, c.skill(bin))
		} else {
			files = append(files, h.commands.file(c, CommandName(host, c.name), bin))
		}
	}
	if h.commands.plugin != nil {
		files = append(files, h.commands.plugin(bin))
	}
	return files
}
