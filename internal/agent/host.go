// Package agent knows the hosts: the programs that agents run in, and the shell of a person. It determines which of
// them is calling, what it can read, and how to install gsd in it.
//
//   - A caller is identified by what its host says, in the environment or on standard input. Nothing is guessed: neither
//     a process id from ancestry, which may lead to a process that several conversations share, nor a conversation from
//     the newest file.
//   - What a host says is not trusted. A value that is too long or malformed is dropped, never repaired, because half an
//     id is another id.
//   - Whatever an agent will read is made harmless (package text), and put into the exact envelope of its host
//     (envelope.go).
//   - A settings file belongs to somebody else: nothing of others' is changed, and where a removal would not restore the bytes from
//     before, the plan says so (settings.go). Everything is read before anything is written (install.go).
//
// What one host is stands in one file: claude.go, codex.go, copilot.go, cursor.go, gemini.go and opencode.go each fill a [Host],
// and everything else asks it and names no host. A seventh host is one such file and one line in hosts.
//
// caller.go reads the environment (package hookinput a hook's standard input); setup.go lists what is
// installed in which file, permissions.go what an agent may then run without asking, commands.go has the
// commands for people, shared.go the skills that most hosts read in one place, program.go recognises our command lines,
// and survey.go reports what is installed where. In comments, "we" and "ours" refer to gsd, "theirs" to anybody else.
package agent

import (
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/hookinput"
)

// Host is what gsd knows of a program that an agent runs in. Zero values stand for what most hosts do; a function that is nil for
// nothing to do.
type Host struct {
	name         string
	program      string   // by which a person runs it; empty for its name
	resume       []string // the command that resumes a conversation, before its id; nil if there is none, or it is not known
	afterInstall string   // what has to happen before an installation takes effect

	// caller.go

	precedence    int      // Detect looks for the host with the lowest first
	flags         []string // variables that identify it, if one of them is set to anything but 0, false or the empty string
	conversations []string // variables with the id of the conversation, the first of which counts
	pid           string   // the variable with its process; empty if there is none
	startedIn     string   // the variable of its hooks with the project that the conversation was started in; empty if there is none
	loginShell    bool     // it runs the agent's commands in a login shell, whose profile may set another PATH
	worktrees     string   // how it makes worktrees of the project by itself, in which it then starts; empty if it does not
	sharesProcess bool     // several of its conversations may run in one process
	readsOthers   bool     // it also runs the hooks in another host's settings
	// isOthers reports whether such a host runs a hook of this one. It is told the caller, and the conversation of the hook.
	isOthers func(getenv func(string) string, c Caller, conversation string) bool

	// setup.go

	hasLocal      bool                        // it has the scope Local
	projectDir    string                      // its directory in a project, if not a dot and its name
	homeVariable  string                      // the user's directory, if it is set
	homeBelow     string                      // what is below that variable's directory, if not the files themselves
	xdg           string                      // the user's directory below XDG_CONFIG_HOME, if it follows that
	settings      func(scope Scope) string    // the file with our hooks; see setup
	strict        bool                        // see setup
	version       string                      // see setup
	handler       string                      // the members of a handler, with verbs for its commands and its seconds
	commands      []commandMember             // its command lines, the first of which runs here; see commandsOf
	isGrouped     bool                        // a handler is in a group, with a matcher; if not, alone in its event
	escape        func(command string) string // changes a command in JSON, if it has to
	hooks         []hook
	foldsEvents   bool // it knows each event in several spellings
	dedups        bool // it runs a command once that several settings files have in the same words
	hasStatusLine func(scope Scope) bool
	lineFile      string // the settings file that has the status line, if not settings
	dropsStart    func(source string) bool
	endDeadline   time.Duration // of hooks at the end of a conversation, if it is less than for others

	// commands.go

	command   func(c command, name, bin string) file // nil if it reads the shared skills
	plugin    func(bin string) file
	programIn func(text []byte) string // how a file of gsd's calls it, as a hook would write it; empty if it does not

	// permissions.go

	asksNothing bool                               // by default it runs any command without a question
	hasRules    bool                               // its settings have rules for what is allowed
	policy      func(scope Scope, bin string) file // the file that allows our commands; see policyOf

	// Everything else.

	beforeTool string                                       // the event before a tool, if not PreToolUse: then its hooks change the tool's input under another name
	decides    string                                       // what its hooks before a tool have to decide, so that they may change its input; see RenderDelegation
	envelope   func(event, text, notice string) []byte      // see envelope
	plugins    func(w Where) []string                       // see Where.plugins
	isBelow    func(w Where, conversation, dir string) bool // see Where.StartedBelow
	hooksOff   func(w Where) string                         // see Where.hooksOff
	endings    map[string]Ending                            // by its words for them, in lower case; an end in any other words is as it should be
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
		if its, ok := h.endings[reason]; ok {
			return its
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

// hook is one of gsd's hooks: the event, the tools that it is for, if any, and the command.
type hook struct{ event, matcher, kind string }

// hosts lists all hosts, in the order in which they are printed.
func hosts() []Host {
	return []Host{
		claude(),
		codex(),
		gemini(),
		copilot(),
		cursor(),
		openCode(),
	}
}

// find returns the host of that name. One that is unknown has nothing but its name.
func find(name string) Host {
	for _, h := range hosts() {
		if h.name == name {
			return h
		}
	}
	return Host{name: name}
}

// Names lists the hosts.
func Names() []string { return namesOf(func(Host) bool { return true }) }

// WithStatusLine lists the hosts that have gsd's status line.
func WithStatusLine() []string {
	return namesOf(func(h Host) bool { return h.hasStatusLine != nil })
}

func namesOf(ok func(Host) bool) (names []string) {
	for _, h := range hosts() {
		if ok(h) {
			names = append(names, h.name)
		}
	}
	return names
}

// Known reports whether a host has that name.
func Known(name string) bool {
	for _, h := range hosts() {
		if h.name == name {
			return true
		}
	}
	return false
}

// AfterInstall returns what has to happen in a host before an installation takes effect.
func AfterInstall(name string) string { return find(name).afterInstall }

// SharesProcess reports whether several conversations of a host may run in one process. Elsewhere another conversation of a
// process takes the place of the former, as after Claude's /clear, whatever source its hook states
// (anthropics/claude-code#49937).
func SharesProcess(host string) bool { return find(host).sharesProcess }

// RunsLoginShell reports whether a host runs the agent's commands in a login shell, with the PATH that its profile sets. Hooks run
// with the host's own.
func RunsLoginShell(host string) bool { return find(host).loginShell }

// Resume returns the command by which a person resumes a conversation of a host; nil if it is not known.
func Resume(host, conversation string) []string {
	words := find(host).resume
	if words == nil || !hookinput.ValidConversation(conversation) {
		return nil
	}
	return append(slices.Clone(words), conversation)
}

// DropsStart reports whether a host may drop what its start hook prints, depending on why a conversation starts. The text is then
// due with the next prompt.
func DropsStart(host, source string) bool {
	drops := find(host).dropsStart
	return drops != nil && drops(source)
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
