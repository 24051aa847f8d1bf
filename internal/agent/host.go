// Package agent knows the programs that call gsd: coding agents, and the shell of a person. It determines which of
// them is calling, what it can read, and how to install gsd in it.
//
//   - A caller is identified by what its host says, in the environment or on standard input. Nothing is guessed: neither
//     a process id from ancestry, which may lead to a process that several conversations share, nor a conversation from
//     the newest file.
//   - What a host says is not trusted. A value that is too long or malformed is dropped, never repaired, because half an
//     id is another id.
//   - Whatever an agent will read is made harmless (package text), and put into the exact envelope of its host
//     (envelope.go).
//   - A settings file belongs to somebody else: bytes are spliced, and a removal restores the bytes from before
//     (settings.go). Everything is read before anything is written (install.go).
//
// caller.go reads the environment, input.go and todos.go a hook's standard input; setup.go lists what is
// installed in which file of which host, permissions.go what an agent may then run without asking, commands.go has the
// commands for people, program.go recognises our command lines, and survey.go reports what is installed where. In
// comments, "we" and "ours" refer to gsd, "theirs" to anybody else.
package agent

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

// maxConversation is the length of the longest conversation id that is accepted, in bytes. UUIDs have 36.
const maxConversation = 128

// ValidConversation reports whether id may be the id of a conversation: 1 to 128 letters, digits, `.`, `_`, `:` and `-`
// of ASCII, and not a flag. Ids are stored, and shown where somebody may paste them into a shell.
func ValidConversation(id string) bool {
	return id != "" && len(id) <= maxConversation && id[0] != '-' && strings.Trim(id, letters+"0123456789._:-") == ""
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
