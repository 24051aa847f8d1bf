package agent

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// handler is a handler in a settings file, ours or theirs, that calls us, or may.
type handler struct {
	event   string        // whose list it is in; "" for the status line
	object  *hujson.Value // the handler itself
	group   *hujson.Value // the group in whose "hooks" it is; nil if it stands alone
	command string        // the first of its commands that calls us, or names us
	kind    string        // which of our commands that is

	ours   bool // all its commands are as we write them: only such a handler is ours to change and to remove
	calls  bool // it calls us, as far as can be seen; otherwise it may only mention us
	always bool // it calls us on every system, and its host waits for it
	again  bool // it may do so in addition to one of gsd's hooks, or to another of theirs
}

// handlers lists what calls us, or may, in the order of the file.
func (d *document) handlers() []handler {
	var all []handler
	for _, m := range members(d.root) {
		switch m.name {
		case "statusLine":
			if h, ok := newHandler("", m.value, nil); ok {
				all = append(all, h)
			}
		case "hooks":
			for _, event := range members(m.value) {
				for _, e := range elements(event.value) {
					all = append(all, handlersIn(e.value, event.name)...)
				}
			}
		}
	}
	return all
}

func (d *document) ours() []handler {
	return slices.DeleteFunc(d.handlers(), func(h handler) bool { return !h.ours })
}

func (d *document) theirs() []handler {
	return slices.DeleteFunc(d.handlers(), func(h handler) bool { return h.ours })
}

// handlersIn lists what may be a handler to some host in an element of an event: the element, and those in its "hooks".
func handlersIn(v *hujson.Value, event string) []handler {
	var all []handler
	if h, ok := newHandler(event, v, nil); ok {
		all = append(all, h)
	}
	for _, m := range members(v) {
		if m.name == "hooks" {
			for _, e := range elements(m.value) {
				if h, ok := newHandler(event, e.value, v); ok {
					all = append(all, h)
				}
			}
		}
	}
	return all
}

// newHandler reads a handler, and reports whether it calls us, or may.
func newHandler(event string, v, group *hujson.Value) (h handler, ok bool) {
	h = handler{event: event, object: v, group: group, ours: true, always: true}
	texts := map[string]string{} // of the command lines
	args := ""                   // which the host passes without a shell
	for _, m := range members(v) {
		text, isText := textOf(m.value)
		switch {
		case m.name == "hooks":
			h.ours, h.always = false, false
		case isText && slices.Contains(commandMembers, m.name):
			texts[m.name] = text
		case m.name == "args":
			for _, a := range elements(m.value) {
				word, _ := textOf(a.value)
				if strings.Trim(word, letters+"0123456789-_./=") != "" {
					word = strconv.Quote(word)
				}
				args += " " + word
			}
		case slices.Contains(otherMembers, m.name) && m.value.Value.Kind() != 'f', m.name == "type" && text != "command":
			h.always = false
		}
	}
	for _, member := range commandMembers {
		text, there := texts[member]
		if !there {
			continue
		}
		h.ours = h.ours && kindOf(text) != "" && args == ""
		if args != "" { // then the host takes the text for the program's name
			if strings.ContainsAny(text, " \t") {
				text = strconv.Quote(text)
			}
			text += args
		}
		kind := cmp.Or(kindOf(text), kindBy(callForm(), strings.TrimPrefix(text, eitherBegins)))
		if kind != "" && !h.calls {
			h.command, h.kind, h.calls = text, kind, true
		} else if h.kind == "" {
			h.command, h.kind = text, kindBy(nameForm(), text)
		}
		h.always = h.always && kind != "" && kind == h.kind
	}
	h.ours = h.ours && len(texts) > 0
	h.always = h.always && (texts["bash"] == "") == (texts["powershell"] == "")
	return h, h.kind != ""
}

// Members of a handler: its command lines, on one system or on all; and what else makes a host run something else, in
// another way or not always.
var (
	commandMembers = []string{"bash", "command", "commandWindows", "exec", "powershell"}
	otherMembers   = []string{"async", "asyncRewake", "if", "shell"}
)

// matcher returns what a handler runs for, "" for everything. The last of several counts.
func (h *handler) matcher() string {
	holder, matcher := h.group, ""
	if holder == nil {
		holder = h.object
	}
	for _, m := range members(holder) {
		if m.name == "matcher" {
			matcher, _ = textOf(m.value)
		}
	}
	if matcher == "*" {
		return ""
	}
	return matcher
}

// runsLike reports whether another handler of the same event runs when this one does, and by command lines of the same members.
func (h *handler) runsLike(other handler) bool {
	if (h.group == nil) != (other.group == nil) || h.matcher() != other.matcher() {
		return false
	}
	var own []string
	for _, m := range members(h.object) {
		own = append(own, m.name)
	}
	return !slices.ContainsFunc(members(other.object), func(m part) bool {
		return slices.Contains(commandMembers, m.name) && !slices.Contains(own, m.name) || slices.Contains(otherMembers, m.name) || m.name == "args"
	})
}

// covers reports whether a handler of theirs runs whenever ours would, so that ours is not needed.
func (h *handler) covers(mine handler) bool {
	if h.event == "" {
		return h.calls // there is one place for a status line
	}
	matcher := h.matcher()
	return h.always && (h.group == nil) == (mine.group == nil) && (matcher == "" || matcher == mine.matcher())
}

// meets reports whether a handler of theirs may run when ours does.
func (h *handler) meets(mine handler) bool {
	if h.group == nil && mine.group != nil { // no host runs it
		return false
	}
	matcher := h.matcher()
	mentions := func(tool string) bool { return strings.Contains(matcher, tool) }
	return matcher == "" || slices.ContainsFunc(strings.Split(mine.matcher(), "|"), mentions) || strings.ContainsAny(matcher, `.*+?^$([{\`)
}
