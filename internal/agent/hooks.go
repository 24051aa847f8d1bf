package agent

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// hooks is what calls us in a host, and how we answer there.
type hooks struct {
	form        string          // the members of a handler, with verbs for its commands and its seconds
	lines       []commandMember // its command lines, the first of which runs here; see commandsOf
	isGrouped   bool            // a handler is in a group, with a matcher; if not, alone in its event
	list        []hook
	dropsStart  func(source string) bool
	asAgents    bool                                    // its event for prompts comes with those of subagents, too, and does not say so
	endDeadline time.Duration                           // of hooks at the end of a conversation, if it is less than for others
	beforeTool  string                                  // the event before a tool, if not PreToolUse: then its hooks change the tool's input under another name
	decides     string                                  // what its hooks before a tool have to decide, so that they may change its input; see RenderDelegation
	envelope    func(event, text, notice string) []byte // see envelope
}

// PromptsAgents reports whether a host's event for prompts comes with those of subagents, too, and does not say so.
func PromptsAgents(host string) bool { return find(host).hooks.asAgents }

// hook is one of gsd's hooks: the event, the tools that it is for, if any, and the command.
type hook struct{ event, matcher, kind string }

// Seconds that our hooks may take: hydrate waits for git, which may have to be found on a cold disk. Codex allows the
// end of a session no more than three (measured with 0.169), and says so at each start if it is given more.
const (
	hookSeconds = 10
	endSeconds  = 3
	lineSeconds = 5 // after which a status line is asked for again, since a task may be marked outside of the host
)

// Deadline returns the time after which one of gsd's hooks prints what it has and exits: two seconds, because an agent waits
// for it, or less if the host would kill it earlier. ends means that the hook is for the end of a conversation.
func Deadline(host string, ends bool) time.Duration {
	if ends {
		return cmp.Or(find(host).hooks.endDeadline, 2*time.Second)
	}
	return 2 * time.Second
}

// DropsStart reports whether a host may drop what its start hook prints, depending on why a conversation starts. The text is then
// due with the next prompt.
func DropsStart(host, source string) bool {
	drops := find(host).hooks.dropsStart
	return drops != nil && drops(source)
}

// commandsOf returns the command lines of a hook of a host.
func (h *Host) commandsOf(kind, bin string) (members []commandMember, lines []string) {
	if members = h.hooks.lines; members == nil {
		members = []commandMember{{"command", inEither}}
	}
	for _, m := range members {
		lines = append(lines, m.guard(callOf(bin, kind, h.name)))
	}
	return members, lines
}

// entry returns a hook as it is in the host's settings. bin is how we are called.
func (h *Host) entry(k hook, bin string) entry {
	seconds := hookSeconds
	if k.kind == endKind {
		seconds = endSeconds
	}
	var commands []string
	members, lines := h.commandsOf(k.kind, bin)
	for i, m := range members {
		// Cursor takes // for a comment even between quotes, and a path may begin with it.
		line := strings.ReplaceAll(quoted(lines[i]), "//", `/\/`)
		commands = append(commands, quoted(m.name)+":"+line)
	}
	only := ""
	if k.kind == askKind && canAllow(bin) { // Claude then starts it for gsd's commands alone (2.1.85 and later)
		only = `"if":` + quoted(allowOpen+bin+allowShut) + `,`
	}
	value := `{` + only + fmt.Sprintf(h.hooks.form, strings.Join(commands, ","), seconds) + `}`
	return entry{event: k.event, matcher: k.matcher, isGrouped: h.hooks.isGrouped, kind: k.kind, handler: value}
}
