package host

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// handler is a handler in a settings file that calls us, or may: ours or somebody else's.
type handler struct {
	event   string        // whose list it is in; "" for the status line
	object  *hujson.Value // the handler itself
	group   *hujson.Value // the group in whose "hooks" it is; nil if it stands alone
	command string        // the first of its commands that is ours or names us
	kind    string        // which of our commands that is

	ours   bool // all its commands are as we write them: only such a handler is ours to change and to remove
	calls  bool // it runs us when it runs, as far as can be seen; else it may only mention us
	always bool // it does so on every system, and its host waits until it is done
	again  bool // it may do so beside a hook of ours, or beside another of theirs
}

// handlers lists what calls us, or may, in the order of the file.
func (d *document) handlers() []handler {
	var all []handler
	for _, k := range boxOf(d.root).kids {
		switch k.name {
		case "statusLine":
			all = append(all, handler{object: k.value})
		case "hooks":
			for _, event := range kidsOf(k.value, '{') {
				for _, e := range kidsOf(event.value, '[') {
					all = append(all, handlersIn(e.value, event.name)...)
				}
			}
		}
	}
	kept := all[:0]
	for _, h := range all {
		if h.recognise(d.kind) {
			kept = append(kept, h)
		}
	}
	return kept
}

// ours lists the handlers that are ours.
func (d *document) ours() []handler {
	return slices.DeleteFunc(d.handlers(), func(h handler) bool { return !h.ours })
}

// theirs lists those of somebody else's.
func (d *document) theirs() []handler {
	return slices.DeleteFunc(d.handlers(), func(h handler) bool { return h.ours })
}

// handlersIn lists what could be a handler to some host in an element of an event: the element, and those in its hooks.
func handlersIn(v *hujson.Value, event string) []handler {
	all := []handler{{event: event, object: v}}
	for _, k := range kidsOf(v, '{') {
		if k.name == "hooks" {
			for _, h := range kidsOf(k.value, '[') {
				all = append(all, handler{event: event, object: h.value, group: v})
			}
		}
	}
	return all
}

// recognise fills in what the handler does, and reports whether it has to do with us. kind returns which of our commands
// a command line is, "" unless it is as we write it.
func (h *handler) recognise(kind func(string) string) bool {
	lines, args, isExec := h.commandLines()
	h.ours = len(lines) > 0 && !slices.ContainsFunc(kidsOf(h.object, '{'), func(k kid) bool { return k.name == "hooks" })
	for _, l := range lines {
		h.ours = h.ours && kind(l.text) != ""
	}
	if h.ours {
		h.command, h.kind = lines[0].text, kind(lines[0].text)
		return true
	}
	slices.SortFunc(lines, func(a, b commandLine) int { return strings.Compare(a.member, b.member) })
	var has [2]bool // bash, powershell
	for i, l := range lines {
		if isExec && (l.member == "command" || l.member == "exec") { // without a shell
			lines[i].text = inQuotes(append([]string{l.text}, args...))
		}
		has[0] = has[0] || l.member == "bash" && l.text != ""
		has[1] = has[1] || l.member == "powershell" && l.text != ""
	}
	for _, l := range lines {
		if does := callsUs(l.text); does != "" && !h.calls {
			h.command, h.kind, h.calls = l.text, does, true
		} else if does := namesUs(l.text); does != "" && h.kind == "" {
			h.command, h.kind = l.text, does
		}
	}
	h.always = h.calls && has[0] == has[1]
	for _, l := range lines {
		h.always = h.always && callsUs(l.text) == h.kind
	}
	for _, k := range kidsOf(h.object, '{') {
		text, _ := textOf(k.value)
		otherwise := changesRun(k.name) && k.name != "args" && !isCommand(k.name) && k.value.Value.Kind() != 'f'
		if otherwise || k.name == "hooks" || k.name == "type" && text != "command" {
			h.always = false
		}
	}
	return h.kind != ""
}

// commandLine is a command line of a handler, by the name of its member.
type commandLine struct{ member, text string }

// commandLines lists the handler's command lines, and the arguments beside them, which the host hands over without a shell.
func (h *handler) commandLines() (lines []commandLine, args []string, isExec bool) {
	for _, k := range kidsOf(h.object, '{') {
		if text, ok := textOf(k.value); ok && isCommand(k.name) {
			lines = append(lines, commandLine{k.name, text})
		}
		if k.name == "args" && k.value.Value.Kind() == '[' {
			isExec = true
			for _, a := range boxOf(k.value).kids {
				text, _ := textOf(a.value)
				args = append(args, text)
			}
		}
	}
	return lines, args, isExec
}

// inQuotes joins words to a command line, quoting those that need it.
func inQuotes(words []string) string {
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\r\n\"'`$;&|<>(){}#\\=*?!~") {
			words[i] = "'" + strings.ReplaceAll(w, "'", "\"") + "'"
		}
	}
	return strings.Join(words, " ")
}

// isCommand reports whether a member of a handler is a command line, on one system or on all.
func isCommand(name string) bool {
	return listed(" bash command commandWindows exec powershell ", name)
}

// changesRun reports whether a member of a handler makes a host run something else, in another way or not always.
func changesRun(name string) bool {
	return listed(" args async asyncRewake bash commandWindows exec if powershell shell ", name)
}

// matcher returns what a handler runs for, as the last of its group's matchers has it: "" for everything.
func (h *handler) matcher() string {
	holder, matcher := h.group, ""
	if holder == nil {
		holder = h.object
	}
	for _, k := range boxOf(holder).kids {
		if k.name == "matcher" {
			matcher = compact(k.value)
			if text, ok := textOf(k.value); ok {
				matcher = text
			}
		}
	}
	if matcher == "*" {
		return ""
	}
	return matcher
}

// runsLike reports whether another handler of the same event runs when this one does, and as a shell's command line.
func (h *handler) runsLike(other handler) bool {
	if (h.group == nil) != (other.group == nil) || h.matcher() != other.matcher() {
		return false
	}
	return !slices.ContainsFunc(boxOf(other.object).kids, func(k kid) bool {
		return changesRun(k.name) && !slices.ContainsFunc(boxOf(h.object).kids, func(m kid) bool { return m.name == k.name })
	})
}

// covers reports whether somebody else's handler runs whenever ours would, so that ours need not be there.
func (h *handler) covers(mine handler) bool {
	if h.event == "" {
		return h.calls // there is one place for a status line
	}
	matcher := h.matcher()
	return h.always && (h.group == nil) == (mine.group == nil) && (matcher == "" || matcher == mine.matcher())
}

// meets reports whether somebody else's handler may run when ours does, if not always.
func (h *handler) meets(mine handler) bool {
	if h.group == nil && mine.group != nil { // no host runs it
		return false
	}
	matcher, word := h.matcher(), mine.matcher()
	if matcher == "" || word == "" || strings.Trim(matcher, listChars) != "" { // a pattern may match anything
		return true
	}
	names := strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' || r == ' ' })
	return slices.Contains(names, word)
}

// listChars are those of a matcher that is a list of names, as Claude has them.
const listChars = letters + "0123456789_- ,|"
