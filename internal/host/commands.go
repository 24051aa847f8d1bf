package host

import (
	_ "embed" // the plugin
	"encoding/json"
	"strings"
)

// command is a command that a person types to the agent.
type command struct {
	name        string
	description string
	arguments   string // what may follow it; empty for nothing
	allowed     string // what it runs, as Claude's allowed-tools wants it
	body        string
}

// What the person typed is in the text for the agent to read, never in a command line: hosts splice it in as it is, before
// any shell sees it. The agent then runs gsd itself, with one quoted word.
var commandList = [...]command{
	{
		"hydrate", "Where does the work on the plan stand, and which task comes next?", "", "Bash(gsd hydrate:*), Bash(gsd tasks:*)",
		`INLINE

That is what gsd knows of the plan that is being worked on; nothing means that this is no GSD project. Tell the user in a
few sentences which plan it is, how far it is, at which task it goes on, and what was interrupted or lost, if anything.
Begin the task only if the user has asked for that.
`,
	},
	{
		"bootstrap", "Start a session on a plan", "PLAN [--fresh] [--carry]", "Bash(gsd bootstrap:*), Bash(gsd next:*)",
		`The user wants to start a session on a plan of this project. What they typed: ARGUMENTS

Run ` + "`gsd bootstrap PLAN`" + `, where PLAN is one word in single quotes: a plan's id such as '03-01', or the path of its file.
Only --fresh and --carry may be added, where the user has typed them; nothing else of what they typed belongs into the
command. If they named no plan, run ` + "`gsd next`" + ` and ask whether that one is meant. Where gsd fails, its hint says what
to do. Then tell the user at which task the session goes on.
`,
	},
	{
		"mark", "Set the status of a task", "N complete|in-progress|pending", "Bash(gsd mark:*), Bash(gsd tasks:*)",
		`The user wants to set the status of a task of the current session. What they typed: ARGUMENTS

Run ` + "`gsd mark N STATUS`" + `, where N is a whole number and STATUS is complete, in-progress or pending; nothing else of what
they typed belongs into the command. If one of the two is missing, run ` + "`gsd tasks`" + ` and ask. Then tell the user what gsd
answered, and which task comes next.
`,
	},
	{
		"status", "Where does the project stand, and who is working on what?", "", "Bash(gsd status:*)",
		`Run ` + "`gsd status`" + ` and show the user what it prints: the phases, the position, the sessions, and who is at work. Point out what
is stale, interrupted or lost, and the commands that gsd names for it.
`,
	},
}

// render fills in what differs from host to host: how the arguments get in, and whether the host runs a command
// while it loads the text.
func (c command) render(arguments string, inline bool) string {
	now := "Run `gsd hydrate --inline`."
	if inline {
		now = "!`gsd hydrate --inline`"
	}
	return strings.NewReplacer("INLINE", now, "ARGUMENTS", arguments).Replace(c.body)
}

// frontMatter is YAML; the values are quoted as JSON, which is YAML.
func frontMatter(pairs ...string) string {
	var b strings.Builder
	b.WriteString("---\n")
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			b.WriteString(pairs[i] + ": " + quoted(pairs[i+1]) + "\n")
		}
	}
	b.WriteString("---\n\n")
	return b.String()
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
		skill := frontMatter("name", "gsd-"+c.name, "description", c.description+" Use it when the user asks for gsd-"+c.name+".")
		switch host {
		case Claude: // in a folder of the name before the colon, /gsd:hydrate; ours run in the turn that types them without a question
			add("commands/gsd/"+c.name+".md", frontMatter("description", c.description, "argument-hint", c.arguments, "allowed-tools", c.allowed),
				c.render("$ARGUMENTS", true))
		case Gemini:
			add("commands/gsd/"+c.name+".toml", "description = "+quoted(c.description)+"\nprompt = '''\n", c.render("{{args}}", false)+"'''\n")
		case Codex: // leaves the prompt as it was typed, and puts the skill beside it
			add("skills/gsd-"+c.name+"/SKILL.md", skill, c.render("it stands in the conversation.", false))
		case Copilot:
			add("skills/gsd-"+c.name+"/SKILL.md", skill, c.render("$ARGUMENTS", false))
		case Cursor: // knows neither front matter nor arguments: what follows the command's name is put behind the text
			add("commands/gsd-"+c.name+".md", "", c.render("it follows this text.", false))
		case OpenCode:
			add("commands/gsd-"+c.name+".md", frontMatter("description", c.description), c.render("$ARGUMENTS", false))
		}
	}
	if host == OpenCode {
		name := strings.Trim(bin, `"`) // no shell takes the quotes off
		add("plugins/gsd.js", "", strings.Replace(openCodePlugin, pluginProgram+`"gsd"`, pluginProgram+quoted(name), 1))
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
