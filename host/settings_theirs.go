package host

import (
	"maps"
	"slices"
	"strings"
)

// theirs is a handler of somebody else's that names us.
type theirs struct {
	found
	// calls tells that it runs us when it runs, as far as can be seen; else it may only speak of us.
	calls bool
	// always tells that it does so on every system, and keeps its host waiting until it is done.
	always bool
	// again tells that it does so beside a hook of ours, or beside another of theirs.
	again bool
}

// findTheirs tells what in src names us and is not ours. Errors as of [insertEntries].
func findTheirs(src []byte) ([]theirs, error) {
	if src == nil {
		return nil, nil
	}
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	var all []theirs
	for h := range d.everyHandler() {
		if ours := h; ours.is(kindOf) {
			continue
		}
		if t := (theirs{found: h}); t.look() {
			all = append(all, t)
		}
	}
	return all, nil
}

// look fills in what the handler does with us, and tells whether it names us at all.
func (t *theirs) look() bool {
	lines := t.commandLines()
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		line := lines[name]
		if kind := callsUs(line); kind != "" && !t.calls {
			t.command, t.kind, t.calls = line, kind, true
		} else if kind := namesUs(line); kind != "" && t.kind == "" {
			t.command, t.kind = line, kind
		}
	}
	t.always = t.calls
	for name, line := range lines {
		if callsUs(line) != t.kind || name == "bash" && lines["powershell"] == "" || name == "powershell" && lines["bash"] == "" {
			t.always = false
		}
	}
	for _, k := range kidsOf(t.object, '{') {
		text, _ := textOf(k.value)
		if k.name == "hooks" || k.name == "type" && text != "command" || k.value.Value.Kind() != 'f' && k.name != "args" && !isCommand(k.name) && changesRun(k.name) {
			t.always = false
		}
	}
	return t.kind != ""
}

// covers tells whether the handler runs whenever the entry would, so that the entry need not be there.
func (t *theirs) covers(mine found) bool {
	if len(t.path) == 1 {
		return t.calls // there is one place for a status line
	}
	matcher := t.matcher()
	return t.always && (t.group == nil) == (mine.group == nil) && (matcher == "" || matcher == mine.matcher())
}

// meets tells whether the handler may run when the entry does, be it not always.
func (t *theirs) meets(mine found) bool {
	if t.group == nil && mine.group != nil { // no host runs it
		return false
	}
	matcher, word := t.matcher(), mine.matcher()
	if matcher == "" || word == "" || strings.Trim(matcher, listChars) != "" { // a pattern: who knows
		return true
	}
	names := strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' || r == ' ' })
	return slices.Contains(names, word)
}

// listChars are those of a matcher that is a list of names, as Claude has them.
const listChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- ,|"

// commandLines gives the handler's command lines, by the names of their members. Arguments beside one, which the host hands
// over without a shell, are quoted words behind it.
func (t *theirs) commandLines() map[string]string {
	lines := map[string]string{}
	var args []string
	exec := false
	for _, k := range kidsOf(t.object, '{') {
		if text, ok := textOf(k.value); ok && isCommand(k.name) {
			lines[k.name] = text
		}
		if k.name != "args" || k.value.Value.Kind() != '[' {
			continue
		}
		exec = true
		for _, a := range boxOf(k.value).kids {
			text, _ := textOf(a.value)
			args = append(args, text)
		}
	}
	if !exec {
		return lines
	}
	for _, name := range []string{"command", "exec"} {
		if line, ok := lines[name]; ok {
			lines[name] = inQuotes(append([]string{line}, args...))
		}
	}
	return lines
}

// inQuotes makes words a command line, those that need it in quotes.
func inQuotes(words []string) string {
	words = slices.Clone(words)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\r\n\"'`$;&|<>(){}#\\=*?!~") {
			words[i] = "'" + strings.ReplaceAll(w, "'", "\"") + "'"
		}
	}
	return strings.Join(words, " ")
}
