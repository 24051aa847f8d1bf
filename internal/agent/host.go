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
// What one host is stands in one file: claude.go, codex.go, copilot.go, cursor.go, gemini.go, opencode.go and qwen.go each fill a [Host],
// and everything else asks it and names no host. An eighth host is one such file and one line in hosts.
//
// caller.go reads the environment (package hookinput a hook's standard input); setup.go lists what is
// installed in which file, hooks.go what calls us and envelope.go what that prints, permissions.go what an agent may then run without
// asking, commands.go has the commands for people, shared.go the skills that most hosts read in one place, program.go recognises our
// command lines, and survey.go reports what is installed where. In comments, "we" and "ours" refer to gsd, "theirs" to anybody else.
package agent

// Host is what gsd knows of a program that an agent runs in. Zero values stand for what most hosts do; a function that is nil for
// nothing to do.
type Host struct {
	identity          // caller.go
	settings settings // setup.go
	hooks    hooks    // hooks.go
	commands commands // commands.go
}

// hosts lists all hosts, in the order in which they are printed.
func hosts() []Host {
	return []Host{
		claude(),
		codex(),
		gemini(),
		copilot(),
		cursor(),
		openCode(),
		qwen(),
	}
}

// find returns the host of that name. One that is unknown has nothing but its name.
func find(name string) Host {
	for _, h := range hosts() {
		if h.name == name {
			return h
		}
	}
	return Host{identity: identity{name: name}}
}

// Names lists the hosts.
func Names() []string { return namesOf(func(Host) bool { return true }) }

// WithStatusLine lists the hosts that have gsd's status line.
func WithStatusLine() []string {
	return namesOf(func(h Host) bool { return h.settings.lineScopes != nil })
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
