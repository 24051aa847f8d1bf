package agent

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// This file and jsonc.go edit the settings files of coding agents: JSON, perhaps with comments and trailing commas, in
// which our hooks are beside everybody else's. Bytes in, bytes out. The law, fuzzed:
//
//   - An insertion only inserts bytes, and a removal restores exactly the bytes from before it. A second insertion
//     changes nothing.
//   - What cannot be edited in this way is refused, with a reason for the owner of the file.
//
// Only the file itself records what it held before, so the layout carries that information:
//
//   - An entry goes to the end of its container: its own white space, then its text. The white space begins after the
//     last comment (before the end of the line, for a // comment), so that it ends there again after a removal. A comma
//     that the previous member needs goes directly after that member, before its comment. Where the container had a
//     trailing comma, our entry has one too; so a comma after our last entry says that the one before it is not ours.
//   - A container that existed, and was empty, gets one space after our last entry ("the mark": `{"hooks":{…} }`) and
//     none before the first. Our own containers have no such space, and neither has what a formatter writes, since
//     formatters that pad pad both sides. A removal that empties a container removes it too, unless it has the mark or
//     a comment, which is never ours.
//   - Permissions are the strings of permissions.go, all of them, in that order and one directly after another. Only such a
//     block is ours: a string that stands alone, or a block that somebody has changed, is the user's, like one that was
//     there before. What is to be asked about is a single string.
//   - "version" goes directly after a "hooks" that we add, and is removed with it; a file that has hooks gets none.
//   - A new file is formatted as json.Indent does with two spaces. A file in that format that holds only our entries is
//     deleted, any other becomes {}.
//
// Once another program has formatted the file, the mark may be gone. Then a removal still takes all that is ours, but
// also an empty "hooks", an empty array in it, and a file that was {} and now looks like one of gsd's; and if the
// program sorted the names, it leaves a "version" that did not exist before.

// entry is a hook of gsd's, its status line or its permissions in a settings file.
type entry struct {
	event string   // at the end of whose list in "hooks" it is; "" for the value of "statusLine"
	value string   // its JSON: a handler whose commands are ours, or a group with one in its "hooks"
	allow []string // the permissions at the end of "allow" in "permissions"; then the entry has no event and no value
	ask   []string // or those at the end of "ask"
}

// handler returns the handler of the entry; nothing for permissions.
func (e entry) handler() handler {
	v, err := hujson.Parse([]byte(e.value))
	if err != nil {
		return handler{}
	}
	for _, h := range handlersIn(&v, e.event) {
		if h.ours {
			return h
		}
	}
	return handler{}
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
// matcher, gets the values of the entry; its timeout stays, and so do other members. Where there is none, or one that
// runs in another way, the entry is appended, because Codex trusts hooks by their position. Further ones of that kind
// are removed: they would run beside it. A status line that is not ours stays.
//
// version is the value of the member of that name that goes with hooks, "" for none. The errors are for the owner of
// the file.
func merge(src []byte, want []entry, version string) (m merged, err error) {
	d, err := parse(src)
	if err != nil {
		return m, err
	}
	for _, e := range want {
		had := d.has("hooks")
		is, err := d.put(e)
		if err == nil {
			d, err = d.reparse()
		}
		if err == nil && version != "" && !had && d.has("hooks") && !d.has("version") {
			d.add(d.root, "version", version)
			d, err = d.reparse()
		}
		if err != nil {
			return m, err
		}
		m.before = append(m.before, is)
	}
	m.text = d.src
	if src == nil && d.src != nil {
		m.text = asNew(d.src)
	}
	strays := slices.DeleteFunc(d.ours(), func(h handler) bool {
		like := func(e entry) bool { return e.event == h.event && e.handler().kind == h.kind }
		return h.event == "" || slices.ContainsFunc(want, like)
	})
	r := removalOf(strays)
	r.version = version
	if !slices.ContainsFunc(want, func(e entry) bool { return e.allow != nil }) {
		r.allowed(d.allowed())
	}
	if !slices.ContainsFunc(want, func(e entry) bool { return e.ask != nil }) {
		r.allowed(d.asked())
	}
	if m.strays = len(strays)+len(r.strings) > 0; m.strays {
		r.from(d.root, atRoot)
		m.text = d.pack()
	}
	return m, nil
}

// reparse returns the file after a change.
func (d *document) reparse() (*document, error) {
	text := d.pack()
	if len(text) > maxSettings {
		return nil, errors.New("the file would be longer than 4 MiB")
	}
	next, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("the hooks do not fit: %w", err)
	}
	return next, nil
}

// put puts one entry into the tree, and returns how the file held it before.
func (d *document) put(e entry) (itemState, error) {
	switch {
	case e.allow != nil:
		return d.permit(allowList, e.allow, (*document).allowed)
	case e.ask != nil:
		return d.permit(askList, e.ask, (*document).asked)
	}
	mine := e.handler()
	if e.event == "" {
		line, err := d.member(d.root, "statusLine", "statusLine", 0)
		switch {
		case err != nil:
			return missing, err
		case line == nil:
			d.add(d.root, "statusLine", e.value)
			return missing, nil
		}
		if old, _ := newHandler("", line, nil); !old.ours {
			return taken, nil
		}
		return itemStateOf(d.renew(line, mine.object)), nil
	}
	hooks, err := d.member(d.root, "hooks", "hooks", '{')
	if err != nil {
		return missing, err
	}
	if hooks == nil {
		d.add(d.root, "hooks", "{"+quoted(e.event)+":["+e.value+"]}")
		return missing, nil
	}
	event, err := d.member(hooks, e.event, "hooks."+e.event, '[')
	if err != nil {
		return missing, err
	}
	if event == nil {
		d.add(hooks, e.event, "["+e.value+"]")
		return missing, nil
	}
	old := slices.DeleteFunc(d.ours(), func(h handler) bool { return h.event != e.event || h.kind != mine.kind })
	for i, h := range old {
		if !mine.runsLike(h) {
			continue
		}
		changed := d.renew(h.object, mine.object)
		old = slices.Delete(old, i, i+1)
		removalOf(old).from(d.root, atRoot)
		return itemStateOf(changed || len(old) > 0), nil
	}
	d.add(event, "", e.value)
	if len(old) == 0 {
		return missing, nil
	}
	removalOf(old).from(d.root, atRoot)
	return outdated, nil
}

func itemStateOf(changed bool) itemState {
	if changed {
		return outdated
	}
	return current
}

// renew gives one of gsd's handlers the members of another, but its seconds are the user's to change, and so is what else it
// has. It reports whether that changed anything.
func (d *document) renew(old, mine *hujson.Value) (changed bool) {
	for _, m := range members(mine) {
		found := false
		for _, p := range members(old) {
			if p.name != m.name {
				continue
			}
			found = true
			seconds := (strings.HasPrefix(p.name, "timeout") || p.name == "refreshInterval") && p.value.Value.Kind() == '0'
			if !seconds && !sameLiteral(p.value, m.value) {
				p.value.Value, changed = m.value.Value, true
			}
		}
		if !found {
			d.add(old, m.name, strings.TrimSpace(string(m.value.Pack())))
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
// permissions.
// nil means that the file is to be deleted: it is ours and would be empty. version is as for merge.
func remove(src []byte, version string) ([]byte, error) {
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	r := removalOf(d.ours())
	r.version = version
	r.allowed(d.allowed())
	r.allowed(d.asked())
	if len(r.handlers)+len(r.strings) == 0 {
		return src, nil
	}
	if r.from(d.root, atRoot) && !hasComment(d.root.Value.(*hujson.Object).AfterExtra) {
		if bytes.Equal(asNew(src), unix(src)) {
			return nil, nil
		}
		d.root.Value = &hujson.Object{}
	}
	return d.pack(), nil
}

// The levels at which handlers are, and what holds them.
const (
	atRoot  = iota
	atHooks // the object of the events
	atEvent // an array of groups, or of handlers
	atGroup
	atGroupHooks
	atPermissions // the object that has "allow" and "ask"
	atRules
)

// removal removes handlers and permissions, and containers that held nothing else.
type removal struct {
	handlers map[hujson.ValueTrimmed]bool // objects, by their identity
	strings  map[*hujson.Value]bool       // permissions
	version  string                       // the member's value that goes with the hooks before it; "" for none
}

func removalOf(handlers []handler) removal {
	r := removal{handlers: map[hujson.ValueTrimmed]bool{}, strings: map[*hujson.Value]bool{}}
	for _, h := range handlers {
		r.handlers[h.object.Value] = true
	}
	return r
}

// allowed adds blocks of permissions to a removal.
func (r removal) allowed(blocks [][]part) {
	for _, p := range slices.Concat(blocks...) {
		r.strings[p.value] = true
	}
}

// from removes the handlers and permissions from v, and reports whether v may go too: because all of it did or, for a
// group, all its handlers.
func (r removal) from(v *hujson.Value, level int) bool {
	all, end := partsOf(v)
	gone, handlers := make([]bool, len(all)), false
	for i, p := range all {
		inHooks := p.name == "hooks" && (level == atRoot || level == atGroup)
		switch {
		case p.value.Value.Kind() == '{' && r.handlers[p.value.Value], level == atRules && r.strings[p.value]:
			gone[i] = true
		case level == atRoot && p.name == "permissions":
			gone[i] = r.from(p.value, atPermissions) && !p.hasComment()
		case level == atPermissions && (p.name == allowList || p.name == askList):
			gone[i] = r.from(p.value, atRules) && !p.hasComment()
		case inHooks, level == atHooks, level == atEvent:
			gone[i] = r.from(p.value, level+1) && !p.hasComment()
			handlers = handlers || !gone[i]
		case i > 0 && gone[i-1] && all[i-1].name == "hooks" && level == atRoot && p.name == "version":
			is, _ := p.value.Value.(hujson.Literal)
			gone[i] = r.version != "" && string(is) == r.version && !p.hasComment()
		}
	}
	if !slices.Contains(gone, true) {
		return false
	}
	if level == atGroup { // which would not be valid without "hooks"
		return !handlers
	}
	before, after := all[0].head.BeforeExtra, all[len(all)-1].value.AfterExtra
	if after == nil {
		after = *end
	}
	comments, _ := splitComments(before)
	mark := bytes.HasPrefix(after, []byte(" ")) && !bytes.HasPrefix(before[len(comments):], []byte(" "))
	empty := !slices.Contains(gone, false)
	removeParts(v, gone, mark)
	return empty && !mark
}
