package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// This file and jsonc.go edit the settings files of coding agents: JSON, perhaps with comments and trailing commas, in
// which our hooks are beside everybody else's. The law, fuzzed:
//
//   - Nothing of others' changes: no value, no comment. A second insertion changes nothing.
//   - A removal takes all that is ours, and the objects and lists that are then empty. So it restores exactly the bytes from before the
//     insertion, unless the file had something empty in such a place, or comments or commas in unusual ones: restores reports that.
//   - It deletes a file only if nothing would be left of it and it is laid out exactly as gsd makes it; of any other, "{}" is left. What had nothing
//     in it before an insertion may look as if gsd had made it: restores reports that.
//   - What cannot be edited in this way is refused, with a reason for the owner of the file.
//
// An entry goes to the end of its list, because Codex trusts hooks by their position, in the layout of its neighbours. A handler is ours
// if all its command lines are exactly as gsd writes them. Permissions are the strings of permissions.go, all of them, in that order and
// one directly after another. Only such a block is ours: a string that stands alone, or a block that somebody has changed, is the user's,
// like one that was there before. "version" goes with a "hooks" that we add.

// entry is a hook of gsd's, its status line or its permissions in a settings file.
type entry struct {
	event, matcher string // in "hooks"; without an event it is the value of "statusLine"
	isGrouped      bool   // the handler is in the "hooks" of a group, with the matcher; if not, alone in its event
	kind           string // of its command lines
	handler        string // its JSON

	list  string   // of "permissions", at whose end rules are; then it has nothing of the above
	rules []string // all of which begin with the same program
}

// value is the JSON of an entry.
func (e entry) value() string {
	matcher := ""
	if e.matcher != "" {
		matcher = `"matcher":` + quoted(e.matcher) + `,`
	}
	if e.isGrouped {
		return `{` + matcher + `"hooks":[` + e.handler + `]}`
	}
	return `{` + matcher + e.handler[1:]
}

// itemState is the state of an entry of a settings file, or of one of gsd's files.
type itemState int

const (
	missing  itemState = iota
	outdated           // there, but merge would change it
	current
	taken // a status line or file of somebody else's, which is left alone
)

// merged is a settings file with our entries.
type merged struct {
	text   []byte
	before []itemState // of the entries
	strays bool        // it had something of gsd's that no entry is for: handlers in other events, or permissions
}

// merge puts entries into the file. One of gsd's handlers of the same kind in the same event, in a group of the same
// matcher, gets the values of the entry; its timeout stays, and so do other members. Where there is none the entry is appended. Further
// ones of that kind are removed: they would run beside it. A status line that is not ours stays.
//
// version is the value of the member of that name that goes with hooks, "" for none. The errors are for the owner of
// the file.
func merge(src []byte, want []entry, version string) (m merged, err error) {
	d, err := parse(src)
	if err != nil {
		return m, err
	}
	had := d.find("hooks") != nil
	for _, e := range want {
		is, err := d.install(e)
		if err != nil {
			return m, err
		}
		m.before = append(m.before, is)
		if version != "" && !had && d.find("hooks") != nil && d.find("version") == nil {
			d.put(version, "version")
		}
	}
	strays := slices.DeleteFunc(d.ours(), func(h handler) bool {
		wanted := func(e entry) bool { return e.list == "" && e.event == h.event && e.kind == h.kind }
		return h.event == "" || slices.ContainsFunc(want, wanted)
	})
	d.dropAll(strays, version)
	m.strays = len(strays) > 0
	for _, list := range []string{allowList, askList} {
		if !slices.ContainsFunc(want, func(e entry) bool { return e.list == list }) {
			m.strays = d.dropRules(list, 0) || m.strays
		}
	}
	m.text = d.pack()
	switch {
	case src == nil && d.isEmpty():
		m.text = nil
	case len(m.text) > maxSettings:
		return m, errors.New("the file would be longer than 4 MiB")
	}
	return m, nil
}

// install puts one entry into the file, and returns how it held it before.
func (d *document) install(e entry) (itemState, error) {
	switch {
	case e.list != "":
		return d.permit(e)
	case e.event == "":
		line := d.find("statusLine")
		if line == nil {
			d.put(e.handler, "statusLine")
			return missing, nil
		}
		if h, ok := readHandler(line); !ok || h.kind != e.kind {
			return taken, nil
		}
		return itemStateOf(d.renew(e.handler, "statusLine")), nil
	}
	if err := d.hasList("hooks", e.event); err != nil {
		return missing, err
	}
	old := slices.DeleteFunc(d.ours(), func(h handler) bool { return h.event != e.event || h.kind != e.kind })
	i := slices.IndexFunc(old, e.fits)
	if i < 0 {
		d.put(e.value(), "hooks", e.event, "-")
	}
	changed := i >= 0 && d.renew(e.handler, old[i].path...)
	for j, h := range slices.Backward(old) {
		if j != i {
			d.drop(h.path...)
		}
	}
	if len(old) == 0 {
		return missing, nil
	}
	return itemStateOf(changed || i < 0 || len(old) > 1), nil
}

// fits reports whether one of gsd's handlers runs when that of the entry does, and has no other command lines.
func (e entry) fits(h handler) bool {
	other := func(member string) bool { return !strings.Contains(e.handler, quoted(member)+":") }
	return h.matcher == e.matcher && h.isGrouped() == e.isGrouped && !slices.ContainsFunc(h.members, other)
}

// hasList returns an error if the values that names lead to cannot hold a list.
func (d *document) hasList(names ...string) error {
	for i := range names {
		want := hujson.Kind('{')
		if i == len(names)-1 {
			want = '['
		}
		if v := d.find(names[:i+1]...); v != nil && v.Value.Kind() != want {
			return fmt.Errorf("%s: %s is %s, not %s", d.lineOf(v), strings.Join(names[:i+1], "."), kindNames[v.Value.Kind()], kindNames[want])
		}
	}
	return nil
}

// checkNames returns an error if a name is twice where it leads to something of gsd's, or could: programs differ in which of them they read.
// Anywhere else that is nothing to gsd.
func (d *document) checkNames() (err error) {
	check := func(v *hujson.Value, names ...string) {
		seen := map[string]bool{}
		for _, m := range members(v) {
			if seen[m.name] && err == nil && (names == nil || slices.Contains(names, m.name)) {
				err = fmt.Errorf("%s: %s is there twice", d.lineOf(m.head), quoted(m.name))
			}
			seen[m.name] = true
		}
	}
	check(&d.root, "hooks", "permissions", "statusLine", "version")
	check(d.find("hooks"))
	check(d.find("permissions"), allowList, askList)
	d.handlers(func(_ handler, v *hujson.Value) {
		if _, ours := readHandler(v); ours {
			check(v)
		}
		check(v, "hooks", "matcher")
	})
	return err
}

func itemStateOf(changed bool) itemState {
	if changed {
		return outdated
	}
	return current
}

// renew gives one of gsd's handlers the members of another, but its seconds are the user's to change, and so is what else it
// has. It reports whether that changed anything.
func (d *document) renew(handler string, path ...string) (changed bool) {
	mine, _ := hujson.Parse([]byte(handler))
	for _, m := range members(&mine) {
		place := append(slices.Clip(path), m.name)
		old := d.find(place...)
		seconds := strings.HasPrefix(m.name, "timeout") || m.name == "refreshInterval"
		if old == nil || !sameLiteral(old, m.value) && !(seconds && old.Value.Kind() == '0') {
			d.put(strings.TrimSpace(m.value.String()), place...)
			changed = true
		}
	}
	return changed
}

// sameLiteral reports whether two values are the same word, the same text, or a number that is written in the same way.
func sameLiteral(a, b *hujson.Value) bool {
	x, ok := a.Value.(hujson.Literal)
	y, both := b.Value.(hujson.Literal)
	return ok && both && x.Kind() == y.Kind() && x.String() == y.String()
}

// remove returns the file without any of gsd's handlers, in whatever event and group, and without its status line and
// permissions. nil means that the file is to be deleted: gsd made it, and it would be empty. version is as for merge; it goes if it follows the hooks.
func remove(src []byte, version string) ([]byte, error) {
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	ours := d.ours()
	d.dropAll(ours, version)
	allowed, asked := d.dropRules(allowList, 0), d.dropRules(askList, 0)
	switch {
	case len(ours) == 0 && !allowed && !asked:
		return src, nil
	case !d.isEmpty():
		return d.pack(), nil
	case isOwn(src):
		return nil, nil
	}
	d.root.Value = &hujson.Object{}
	return d.pack(), nil
}

// isOwn reports whether a file that holds nothing but what is gsd's seems to be made by gsd: it is laid out as gsd does that.
func isOwn(text []byte) bool {
	var own bytes.Buffer
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) // by git
	return json.Indent(&own, text, "", "  ") == nil && string(bytes.TrimSpace(own.Bytes()))+"\n" == string(text)
}

// dropAll removes handlers, and with the last of all hooks the version that merge puts after them.
func (d *document) dropAll(handlers []handler, version string) {
	all := members(&d.root)
	i := 1 + slices.IndexFunc(all, func(m part) bool { return m.name == "hooks" })
	goes := i > 0 && i < len(all) && all[i].name == "version" && !all[i].hasComment() &&
		sameLiteral(all[i].value, &hujson.Value{Value: hujson.Literal(version)})
	for _, h := range slices.Backward(handlers) {
		d.drop(h.path...)
	}
	if goes && d.find("hooks") == nil {
		d.drop("version")
	}
}

// isEmpty reports whether nothing is in the file.
func (d *document) isEmpty() bool { return len(members(&d.root)) == 0 && !hasComment(d.root.Pack()) }

// restores reports whether a removal from a merged file would leave the same bytes as one from the file before.
func restores(src, merged []byte, version string) bool {
	before, err := remove(src, version)
	if src == nil {
		before, err = nil, nil
	}
	after, e := remove(merged, version)
	return err == nil && e == nil && string(before) == string(after) && (before == nil) == (after == nil)
}

// handler is one of gsd's handlers in a settings file, or its status line.
type handler struct {
	path           []string // the names that lead to it
	event, matcher string   // no event for the status line
	kind           string   // of its command lines
	command        string   // the last of them
	program        string   // how that calls gsd
	members        []string // with the command lines
}

// isGrouped reports whether it is in the "hooks" of a group.
func (h handler) isGrouped() bool { return len(h.path) > 3 }

// commandMembers are the members of a handler that have command lines, on one system or on all.
var commandMembers = []string{"bash", "command", "commandWindows", "exec", "powershell"}

// ours lists gsd's handlers in the order of the file, and its status line.
func (d *document) ours() (all []handler) {
	d.handlers(func(h handler, v *hujson.Value) {
		if found, ok := readHandler(v); ok {
			h.kind, h.command, h.program, h.members = found.kind, found.command, found.program, found.members
			all = append(all, h)
		}
	})
	return all
}

// handlers calls do with everything that may be a handler to some host, and where it is: the elements of events, those in their "hooks",
// and the status line.
func (d *document) handlers(do func(h handler, v *hujson.Value)) {
	for _, event := range members(d.find("hooks")) {
		for i, element := range elements(event.value) {
			at := handler{path: []string{"hooks", event.name, strconv.Itoa(i)}, event: event.name}
			if v := element.value.Find("/matcher"); v != nil {
				at.matcher, _ = textOf(v)
			}
			if at.matcher == "*" {
				at.matcher = ""
			}
			do(at, element.value)
			group := at.path
			for j, in := range elements(element.value.Find("/hooks")) {
				at.path = append(slices.Clip(group), "hooks", strconv.Itoa(j))
				do(at, in.value)
			}
		}
	}
	if line := d.find("statusLine"); line != nil {
		do(handler{path: []string{"statusLine"}}, line)
	}
}

// readHandler reads a handler, and reports whether it is gsd's: whether all its command lines are as gsd writes them.
func readHandler(v *hujson.Value) (h handler, ours bool) {
	for _, m := range members(v) {
		text, _ := textOf(m.value)
		switch program, kind := splitCommand(text); {
		case m.name == "hooks", m.name == "args":
			return h, false
		case !slices.Contains(commandMembers, m.name):
		case kind == "":
			return h, false
		default:
			h.kind, h.command, h.program, h.members = kind, text, program, append(h.members, m.name)
		}
	}
	return h, h.kind != ""
}

// mentions lists the command lines of others' hooks that have the word gsd, so that they may call it, too.
func (d *document) mentions() (commands []string) {
	d.handlers(func(h handler, v *hujson.Value) {
		if _, ours := readHandler(v); ours || h.event == "" {
			return
		}
		for _, m := range members(v) {
			if text, _ := textOf(m.value); slices.Contains(commandMembers, m.name) && mention().MatchString(text) {
				commands = append(commands, text)
				return
			}
		}
	})
	return commands
}
