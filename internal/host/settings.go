package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// This file and settings_*.go edit the settings files of coding agents: JSON, perhaps with comments and trailing commas,
// in which our hooks are beside everybody else's. Bytes in, bytes out. The law, fuzzed:
//
//   - Bytes are spliced, never written anew. An insertion only inserts, and a removal gives back the very bytes from
//     before it. A second insertion changes nothing.
//   - What cannot be edited so is refused, with a reason for the person whose file it is.
//
// Only the file itself records what was there before, so the layout carries it:
//
//   - An entry goes to the end of its container: its own white space, then its text. The white space begins behind the
//     last comment that was there (before the end of the line, for a // comment), so that it ends there again when it is
//     removed. A comma that the member before needs goes right behind that member, before its comment. Where the
//     container had a trailing comma our entry has one too; so a comma behind our last entry says that the one before
//     it is not ours.
//   - A container that was there, and empty, gets one space behind our last entry ("the mark": `{"hooks":{…} }`) and
//     none before the first. Our own containers have no such space, and neither has what a formatter writes, since
//     those that pad pad both sides. A removal that empties a container removes it too, unless it has the mark or a
//     comment, which is never ours.
//   - "version" goes right behind a "hooks" that we make, and is removed with it; a file that has hooks gets none.
//   - A new file is formatted as json.Indent does with two spaces; if one that looks so has nothing but ours, it is
//     deleted, and any other stays as {}.
//
// After another program has formatted the file the mark may be gone. Then a removal still takes all of ours, but also an
// empty "hooks", an empty array in it, and a file that was {} and now looks like one of ours; and if it sorted the
// names, a "version" that had no hooks beside it.

// entry is one thing of ours that a settings file is to have.
type entry struct {
	event string // at the end of whose list in "hooks" it is; "" for the value of "statusLine"
	value string // its JSON: a handler whose commands are ours, or a group with one in its "hooks"
}

// handler returns the handler of the entry.
func (e entry) handler(kind func(string) string) handler {
	v, err := hujson.Parse([]byte(e.value))
	for _, h := range handlersIn(&v, e.event) {
		if err == nil && h.recognise(kind) && h.ours {
			return h
		}
	}
	return handler{}
}

// standing is how a file holds an entry.
type standing int

const (
	missing  standing = iota
	outdated          // there, but insert would change it
	current
	taken // a status line of somebody else's, which is left alone
)

// insert puts entries into the file. Where a handler of ours of the same kind is in the same event, in a group of the
// same matcher, its members are brought up to date; its timeout stays, and so do members that the entry does not name.
// Where there is none, or one that runs in another way, the entry replaces what has nothing else in it; otherwise it
// becomes the last of its list, because Codex trusts hooks by their position. Further ones of that kind are removed: they
// would run beside it. A status line that is not ours stays.
//
// version is the value of the member of that name that goes with hooks, "" for none. Errors are in words for the file's
// user.
func (d *document) insert(want []entry, version string) (*document, error) {
	had, isNew := d.has("hooks"), d.src == nil
	var lists, lines []entry
	for _, e := range want {
		if e.event == "" {
			lines = append(lines, e)
		} else {
			lists = append(lists, e)
		}
	}
	var err error
	change := func(edits []edit) {
		if err == nil && len(edits) > 0 {
			d, err = d.spliced(edits)
		}
	}
	put := func(entries []entry) {
		for _, e := range entries {
			if err == nil {
				var edits []edit
				_, edits, err = d.place(e)
				change(edits)
			}
		}
	}
	put(lists)
	if err == nil && version != "" && !had && d.has("hooks") && !d.has("version") {
		change(d.add(d.root, item{"version", version}))
	}
	put(lines)
	if err != nil || !isNew || d.src == nil {
		return d, err
	}
	var whole bytes.Buffer
	if err := json.Indent(&whole, bytes.TrimSpace(d.src), "", "  "); err != nil {
		return nil, err
	}
	whole.WriteByte('\n')
	return parse(whole.Bytes(), d.kind)
}

// spliced is the file after edits.
func (d *document) spliced(edits []edit) (*document, error) {
	out := d.splice(edits)
	if len(out) > maxSettings {
		return nil, errors.New("the file would be longer than 4 MiB")
	}
	next, err := parse(out, d.kind)
	if err != nil {
		return nil, fmt.Errorf("the hooks do not fit: %w", err)
	}
	return next, nil
}

// strays lists our handlers in events that no entry puts them in; the host would run them there, too.
func (d *document) strays(want []entry) []handler {
	var wanted []handler
	for _, e := range want {
		wanted = append(wanted, e.handler(d.kind))
	}
	return slices.DeleteFunc(d.ours(), func(h handler) bool {
		return h.event == "" || slices.ContainsFunc(wanted, func(mine handler) bool { return mine.kind == h.kind && mine.event == h.event })
	})
}

// remove returns the file without any handler of ours, in any event and group, and without a status line of ours. nil
// means that nothing else was in the file and it is ours: it is to be deleted. version is as for insert.
func (d *document) remove(version string) []byte {
	ours := d.ours()
	if len(ours) == 0 {
		return d.src
	}
	c := newCutter(d.text, ours)
	c.version = version
	if c.empties(d.root, atRoot, c.commented(d.root.StartOffset, d.root.EndOffset)) {
		var whole bytes.Buffer
		if json.Indent(&whole, bytes.TrimSpace(d.src), "", "  ") == nil && whole.String()+"\n" == string(d.src) {
			return nil
		}
		b := boxOf(d.root)
		c.cuts = []edit{{from: b.open, to: b.shut}}
	}
	return d.splice(c.cuts)
}
