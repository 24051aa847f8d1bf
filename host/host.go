// Package host knows the programs that call gsd: coding agents, and the shell of a person. It says who is calling, what
// each of them wants to read, and how to install there.
//
// The laws of what is here:
//
//   - A caller is known by what its host says, in the environment or on standard input. Nothing is guessed: neither
//     a process id from ancestry, which ends at pools that sessions share (neighbours.md, trap 1), nor a
//     conversation from whichever file is newest.
//   - What a host says is not trusted. What is too long, or not of the form that it should have, is dropped; it is
//     never mended, because half an id is another one.
//   - Whatever an agent is to read has lost what could act on it (clean.go, defang.go), and goes into exactly the
//     host's envelope (envelope.go).
//   - A settings file is somebody else's: bytes are spliced, and a removal gives back those from before
//     (settings.go). Everything is looked at before anything is written (install.go).
//
// caller.go reads the environment, input.go and todos.go a hook's standard input; setup.go says what belongs into which
// file of which host, commands.go has the texts of its commands, survey.go tells what is where.
package host

import "slices"

// The hosts, as [Caller.Host] and the flag --host name them.
const (
	Claude   = "claude"
	Codex    = "codex"
	Gemini   = "gemini"
	Copilot  = "copilot"
	Cursor   = "cursor"
	OpenCode = "opencode"
)

// maxConversation is the length of the longest id of a conversation that is believed, in bytes. UUIDs have 36.
const maxConversation = 128

// ValidConversation tells whether id may be the id of a conversation: 1 to 128 letters, digits, `.`, `_`, `:` and
// `-` of ASCII, and no flag. Ids are stored, and shown where somebody may paste them into a shell.
func ValidConversation(id string) bool {
	if id == "" || len(id) > maxConversation || id[0] == '-' {
		return false
	}
	for _, c := range []byte(id) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '.', c == '_', c == ':', c == '-':
		default:
			return false
		}
	}
	return true
}

// Names lists the hosts.
func Names() []string { return []string{Claude, Codex, Gemini, Copilot, Cursor, OpenCode} }

// Known tells the name of a host.
func Known(name string) bool { return slices.Contains(Names(), name) }
