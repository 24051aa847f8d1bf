package host

import (
	"embed"
	"encoding/json"
	"strings"
)

// command is a command that a person types to the agent. commands/ has the text that the agent then gets. What the person
// typed is part of that text, never of a command line: hosts insert it verbatim, before any shell sees it. The agent
// then runs gsd itself, with one quoted word.
type command struct {
	name        string
	description string
	arguments   string // what may follow it; empty for nothing
	allowed     string // what it runs, as Claude's allowed-tools wants it
}

var commandList = [...]command{
	{
		"hydrate", "How far is the work on the plan, and which task comes next?", "",
		"Bash(gsd hydrate:*), Bash(gsd tasks:*)",
	},
	{"bootstrap", "Start or continue a session on a plan", "[PLAN] [--fresh] [--again]", "Bash(gsd bootstrap:*), Bash(gsd next:*)"},
	{"mark", "Set the status of a task", "N complete|in-progress|pending", "Bash(gsd mark:*), Bash(gsd tasks:*)"},
	{"status", "How far is the project, and who is working on what?", "", "Bash(gsd status:*)"},
}

//go:embed commands
var commandTexts embed.FS

// render fills in what differs between hosts: where the arguments are, and whether the host runs a command while it loads
// the text.
func (c command) render(arguments string, inline bool) string {
	now := "Run `gsd hydrate --inline`."
	if inline {
		now = "!`gsd hydrate --inline`"
	}
	text, _ := commandTexts.ReadFile("commands/" + c.name + ".md")
	return strings.NewReplacer("INLINE", now, "ARGUMENTS", arguments).Replace(string(text))
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
		name := "gsd-" + c.name
		skill := frontMatter("name", name, "description", c.description+" Use it when the user asks for "+name+".")
		switch host {
		case Claude: // in a folder of the name before the colon, /gsd:hydrate; allowed tools run without a question
			front := frontMatter("description", c.description, "argument-hint", c.arguments, "allowed-tools", c.allowed)
			add("commands/gsd/"+c.name+".md", front, c.render("$ARGUMENTS", true))
		case Gemini:
			front := "description = " + quoted(c.description) + "\nprompt = '''\n"
			add("commands/gsd/"+c.name+".toml", front, c.render("{{args}}", false)+"'''\n")
		case Codex: // keeps the prompt as it was typed, and adds the skill
			add("skills/"+name+"/SKILL.md", skill, c.render("it is in the conversation.", false))
		case Copilot:
			add("skills/"+name+"/SKILL.md", skill, c.render("$ARGUMENTS", false))
		case Cursor: // knows neither front matter nor arguments: it appends what follows the command's name
			add("commands/"+name+".md", "", c.render("it follows this text.", false))
		case OpenCode:
			add("commands/"+name+".md", frontMatter("description", c.description), c.render("$ARGUMENTS", false))
		}
	}
	if host == OpenCode {
		bin = strings.Trim(bin, `"`) // no shell removes the quotes
		add("plugins/gsd.js", "", strings.Replace(openCodePlugin, pluginProgram+`"gsd"`, pluginProgram+quoted(bin), 1))
	}
	return files
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
	if name == program {
		return name
	}
	return `"` + name + `"`
}
