package agent

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

// command is a command that a person types to the agent. commands/ has the text that the agent then gets. What the person
// typed is part of that text, never of a command line: hosts insert it verbatim, before any shell sees it. The agent
// then runs gsd itself, with one quoted word.
type command struct {
	name        string
	description string
	arguments   string   // what may follow it; empty for nothing
	allowed     []string // what it runs of ours
}

var commandList = [...]command{
	{"hydrate", "How far is the work on the plan, and which task comes next?", "", []string{"hydrate", "tasks"}},
	{"bootstrap", "Start or continue a session on a plan", "[PLAN] [--fresh] [--again]", []string{"bootstrap", "next"}},
	{"mark", "Set the status of a task", "N complete|in-progress|pending", []string{"done", "mark", "tasks"}},
	{"status", "How far is the project, and who is working on what?", "", []string{"status"}},
}

// CommandName returns the name of a command of ours in a host, without the / or $ that people type before it. What begins
// with gsd- in a host's directories, and everything in commands/gsd/, belongs to another program: gsd-core's installer deletes
// it there. A plugin's name comes before the names of its commands, so in the one for Claude they are gsd:hydrate and so on.
func CommandName(host, command string) string {
	if host == Codex { // reads $gsd.hydrate as $gsd (0.169)
		return "gsd_" + command
	}
	return "gsd." + command
}

//go:embed commands
var commandTexts embed.FS

// render fills in what differs: where the arguments are, whether the host runs a command while it loads the text, and how
// we are called.
func (c command) render(bin, arguments string, inline bool) string {
	now := "Run `" + bin + " hydrate --inline`."
	if inline {
		now = "!`" + bin + " hydrate --inline`"
	}
	text, _ := commandTexts.ReadFile("commands/" + c.name + ".md")
	return strings.NewReplacer("INLINE", now, "ARGUMENTS", arguments, "`gsd ", "`"+bin+" ").Replace(string(text))
}

// allowedTools lets Claude run what the command runs without a question; empty if no rule can name bin.
func (c command) allowedTools(bin string) string {
	if !canAllow(bin) {
		return ""
	}
	rules := make([]string, len(c.allowed))
	for i, name := range c.allowed {
		rules[i] = ruleFor(bin, name)
	}
	return strings.Join(rules, ", ")
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

// openCodePlugin calls us from OpenCode, which has no hooks that run programs.
//
//go:embed opencode.js
var openCodePlugin string

// filesOf lists the files of ours for a host. bin is how we are called.
func filesOf(host, bin string) []file {
	var files []file
	add := func(path, front, text string) { files = append(files, file{path, front + text}) }
	for _, c := range commandList {
		name := CommandName(host, c.name)
		skill := frontMatter("name", name, "description", c.description+" Use it when the user asks for "+name+".")
		switch host {
		case Claude:
			front := frontMatter("description", c.description, "argument-hint", c.arguments, "allowed-tools", c.allowedTools(bin))
			add("commands/"+name+".md", front, c.render(bin, "$ARGUMENTS", true))
		case Gemini:
			front := "description = " + quoted(c.description) + "\nprompt = '''\n"
			add("commands/"+name+".toml", front, c.render(bin, "{{args}}", false)+"'''\n")
		case Codex: // keeps the prompt as it was typed, and adds the skill
			add("skills/"+name+"/SKILL.md", skill, c.render(bin, "it is in the conversation.", false))
		case Copilot:
			add("skills/"+name+"/SKILL.md", skill, c.render(bin, "$ARGUMENTS", false))
		case Cursor: // knows neither front matter nor arguments: it appends what follows the command's name
			add("commands/"+name+".md", "", c.render(bin, "it follows this text.", false))
		case OpenCode:
			add("commands/"+name+".md", frontMatter("description", c.description), c.render(bin, "$ARGUMENTS", false))
		}
	}
	if host == OpenCode {
		bin = strings.Trim(bin, `"`) // no shell removes the quotes
		add("plugins/gsd.js", "", strings.Replace(openCodePlugin, pluginProgram+`"gsd"`, pluginProgram+quoted(bin), 1))
	}
	return files
}

// formerFiles lists where earlier versions of ours wrote their commands for a host.
func formerFiles(host string) (paths []string) {
	form := map[string]string{
		Claude: "commands/gsd/%s.md", Gemini: "commands/gsd/%s.toml", Codex: "skills/gsd-%s/SKILL.md",
		Copilot: "skills/gsd-%s/SKILL.md", Cursor: "commands/gsd-%s.md", OpenCode: "commands/gsd-%s.md",
	}[host]
	for _, c := range commandList {
		paths = append(paths, fmt.Sprintf(form, c.name))
	}
	return paths
}

// pluginProgram begins the line of the plugin that says how we are called.
const pluginProgram = "\nconst PROGRAM = "

// programIn returns how a file calls us, as a hook would write it; "" unless it is the plugin as we wrote it.
func programIn(text []byte) string {
	_, rest, ok := strings.Cut(string(unix(text)), pluginProgram)
	line, _, _ := strings.Cut(rest, "\n")
	var name string
	if !ok || !signed(text) || json.Unmarshal([]byte(line), &name) != nil {
		return ""
	}
	if strings.Trim(name, letters+"0123456789._-/+:,@%") == "" { // a word in any shell
		return name
	}
	return `"` + name + `"`
}
