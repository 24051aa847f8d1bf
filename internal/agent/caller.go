package agent

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/hookinput"
)

// Caller is who calls this program. The zero value is a person's shell.
type Caller struct {
	Host         string // "", or a host's name
	Conversation string // the host's id of it; empty if the environment has none
	PID          int    // the agent's own process; 0 if the environment has none
}

// Detect returns the caller according to the environment, which getenv reads as os.Getenv does. An explicit --host or
// --id is better: a host that was started from another's shell inherits its variables, and they do not show which of
// the two is the inner one. Then the one that precedes is taken.
//
// Only variables count that a host itself sets, and none that a person sets for it: CODEX_HOME, GEMINI_API_KEY,
// COPILOT_GITHUB_TOKEN, COPILOT_MODEL and OPENCODE_CLIENT say what is installed, CURSOR_TRACE_ID and TERM_PROGRAM in which editor a
// person types, and CLAUDE_PROJECT_DIR is an alias that Gemini and Cursor set for their hooks too.
//
// Conversation and PID are those of the host that was taken. A PID is a claim like the rest: a host inside one of its
// own kind may show the outer one's.
func Detect(getenv func(string) string) Caller {
	known := hosts()
	slices.SortFunc(known, func(a, b Host) int { return cmp.Compare(a.precedence, b.precedence) })
	for _, h := range known {
		if h.isSet(getenv) {
			return h.caller(getenv)
		}
	}
	return Caller{}
}

// caller returns the caller, which is of that host.
func (h *Host) caller(getenv func(string) string) Caller {
	c := Caller{Host: h.name}
	for _, name := range h.conversations {
		if id := getenv(name); c.Conversation == "" && hookinput.ValidConversation(id) {
			c.Conversation = id
		}
	}
	if pid, err := strconv.ParseUint(getenv(h.pid), 10, 31); err == nil { // 1 is valid, in a container
		c.PID = int(pid)
	}
	return c
}

// isSet reports whether the environment has a variable that identifies the host.
func (h *Host) isSet(getenv func(string) string) bool {
	for _, name := range h.flags {
		if !slices.Contains([]string{"", "0", "false"}, strings.ToLower(getenv(name))) {
			return true
		}
	}
	return false
}

// Borrows reports whether a hook of a host's settings is run by another host, which reads those files, too. conversation is the one
// that the hook is told of.
func Borrows(host string, getenv func(string) string, conversation string) bool {
	others := find(host).isOthers
	if others == nil {
		return false
	}
	c := Detect(getenv)
	return find(c.Host).readsOthers && others(getenv, c, conversation)
}
