package agent

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/hookinput"
)

// identity is how a host is known, and what its conversations are.
type identity struct {
	name         string
	program      string   // by which a person runs it; empty for its name
	resume       []string // the command that resumes a conversation, before its id; nil if there is none, or it is not known
	afterInstall string   // what has to happen before an installation takes effect

	precedence    int      // Detect looks for the host with the lowest first
	flags         []string // variables that identify it, if one of them is set to anything but 0, false or the empty string
	conversations []string // variables with the id of the conversation, the first of which counts
	pid           string   // the variable with its process; empty if there is none
	startedIn     string   // the variable of its hooks with the project that the conversation was started in; empty if there is none
	sharesProcess bool     // several of its conversations may run in one process
	readsOthers   bool     // it also runs the hooks in another host's settings
	// isOthers reports whether such a host runs a hook of this one. It gets the caller, and the conversation of the hook.
	isOthers func(getenv func(string) string, c Caller, conversation string) bool
	isBelow  func(w Where, conversation, dir string) bool // see Where.StartedBelow
	endings  map[string]Ending                            // by its words for them, in lower case; an end in any other words is as it should be
}

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
// in the hook's input.
func Borrows(host string, getenv func(string) string, conversation string) bool {
	others := find(host).isOthers
	if others == nil {
		return false
	}
	c := Detect(getenv)
	return find(c.Host).readsOthers && others(getenv, c, conversation)
}

// Ending is how a conversation ended.
type Ending int

// How a conversation ended.
const (
	Closed    Ending = iota // as it should: somebody closed it, or nothing else is known
	Cleared                 // somebody cleared it
	Erred                   // with an error
	BrokenOff               // in the middle of a turn
)

// EndingOf returns what a host's word for the end of a conversation means. Hosts have the same words for the same ends.
func EndingOf(reason string) Ending {
	reason = strings.ToLower(reason)
	for _, h := range hosts() {
		if ending, ok := h.endings[reason]; ok {
			return ending
		}
	}
	return Closed
}

// StartedIn returns the variables in which hosts tell their hooks the project that the conversation was started in.
func StartedIn() (variables []string) {
	for _, h := range hosts() {
		if h.startedIn != "" {
			variables = append(variables, h.startedIn)
		}
	}
	return variables
}

// SharesProcess reports whether several conversations of a host may run in one process. Elsewhere another conversation of a
// process takes the place of the former, as after Claude's /clear, whatever source its hook states
// (anthropics/claude-code#49937).
func SharesProcess(host string) bool { return find(host).sharesProcess }

// Resume returns the command by which a person resumes a conversation of a host; nil if it is not known.
func Resume(host, conversation string) []string {
	words := find(host).resume
	if words == nil || !hookinput.ValidConversation(conversation) {
		return nil
	}
	return append(slices.Clone(words), conversation)
}
