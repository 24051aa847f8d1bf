// Package host knows the programs that call gsd: coding agents, and the shell of a person. It says who is calling, what
// each of them wants to read, and how to install there.
//
//   - A caller is known by what its host says, in the environment or on standard input. Nothing is guessed: neither a
//     process id from ancestry, which ends at processes that sessions share, nor a conversation from the newest file.
//   - What a host says is not trusted. What is too long, or not of its form, is dropped and never mended, because half
//     an id is another id.
//   - Whatever an agent is to read is made harmless (clean.go, defang.go), and goes into exactly the host's envelope
//     (envelope.go).
//   - A settings file is somebody else's: bytes are spliced, and a removal gives back those from before (settings.go).
//     Everything is read before anything is written (install.go).
//
// caller.go reads the environment, input.go and todos.go a hook's standard input; setup.go says what belongs in which
// file of which host, commands.go has the texts of its commands, program.go knows our command lines, and survey.go
// reports what is installed where.
package host

import (
	"slices"
	"strings"
)

// The hosts, as [Caller.Host] and the flag --host name them.
const (
	Claude   = "claude"
	Codex    = "codex"
	Gemini   = "gemini"
	Copilot  = "copilot"
	Cursor   = "cursor"
	OpenCode = "opencode"
)

// Names lists the hosts.
func Names() []string { return []string{Claude, Codex, Gemini, Copilot, Cursor, OpenCode} }

// Known reports whether a host has that name.
func Known(name string) bool { return slices.Contains(Names(), name) }

// maxConversation is the length of the longest id of a conversation that is believed, in bytes. UUIDs have 36.
const maxConversation = 128

// ValidConversation reports whether id may be the id of a conversation: 1 to 128 letters, digits, `.`, `_`, `:` and `-`
// of ASCII, and not a flag. Ids are stored, and shown where somebody may paste them into a shell.
func ValidConversation(id string) bool {
	return id != "" && len(id) <= maxConversation && id[0] != '-' && strings.Trim(id, letters+"0123456789._:-") == ""
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
