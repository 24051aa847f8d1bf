package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// This file and settings_*.go edit the settings files of coding agents: JSON, perhaps with comments and trailing
// commas, in which our hooks stand beside everybody else's. Bytes in, bytes out. The law, fuzzed:
//
//   - Bytes are spliced, never written anew. An insertion only inserts, and a removal gives back the very bytes from
//     before it. A second insertion changes nothing.
//   - What cannot be edited so is refused, with a reason for the person whose file it is.
//
// Nothing but the file records what was there before, so the layout carries it:
//
//   - An entry goes to the end of its container: white space that it brings along, its text. The white space begins
//     behind the last comment that was there (before the end of the line, if that is a // comment), so that it ends
//     there again when it is taken away. A comma that the member before it needs is put right behind that member: its
//     comment stays with it. Where the container had a trailing comma, our entry has one too; so a comma behind our
//     last entry says that the one before it is not ours.
//   - A container that was there, and empty, gets one space behind our last entry ("the mark": `{"hooks":{…} }`) and
//     none before the first. Our own containers have no such space, and neither has what a formatter writes, since
//     those that pad pad both sides. A removal that empties a container takes it away too, unless it bears the mark
//     or a comment, which is never ours.
//   - "version" goes right behind a "hooks" that we make, and goes with it; a file that has hooks does without.
//   - A whole new file is formatted as json.Indent does with two spaces; if one that looks so holds nothing but ours,
//     it goes, and any other stays as {}.
//
// After another program has formatted the file the mark may be gone. Then a removal still takes all of ours, but an
// empty "hooks", an empty array in it, and a file that was {} and now looks like one of ours, go too; and if it sorted
// the names, a "version" that had no hooks beside it.

// entry is one thing of ours that a settings file is to hold.
type entry struct {
	// path is of the array that it is an element of, "hooks" and an event, or of the member that it is the value of,
	// one name.
	path []string
	list bool // an element at the end of the array at path; else the value of the member at path
	// value is its JSON. It holds one handler: an object whose commands are ours, which is the value itself or an element
	// of its "hooks". The member "version" alone holds none.
	value string
}

// found is a handler that is in a settings file.
type found struct {
	path    []string // as in [entry]
	command string   // the first of its commands that is ours, or that names us
	kind    string
	object  *hujson.Value // the handler itself
	group   *hujson.Value // what it is in the "hooks" of; nil where it stands alone
}

// standing is how a file holds an entry.
type standing int

const (
	missing  standing = iota
	outdated          // there, but insertEntries would change it
	current
	taken // a member with another's value, which is left alone
)

// insertEntries puts the entries of want into the settings file src. kind tells what a command is: nothing where it is
// not ours, else the same word for those that do the same. Where a handler of ours of the same kind is in the same
// event, in a group of the same matcher, its members are brought up to date (its timeout and those that want does not
// name stay). Where there is none, or one that runs in another way, the entry takes the place of what holds nothing
// else; otherwise it becomes the last of its array, because Codex trusts hooks by their position. Further ones of that
// kind go: they would run beside it. A member that is there and not ours stays: see [stateOf].
//
// A src that is nil means that there is no file. Errors are in words for the file's user; there is no result then.
func insertEntries(src []byte, want []entry, kind func(command string) string) ([]byte, error) {
	out := src
	if src == nil {
		out = []byte("{}")
	}
	d, err := parse(out)
	if err != nil {
		return nil, err
	}
	hadHooks := d.hasHooks()
	want = slices.Clone(want)
	slices.SortStableFunc(want, func(a, b entry) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, e := range want {
		if e.isVersion() && (hadHooks || !d.hasHooks()) {
			continue
		}
		_, edits, err := d.insert(e, kind)
		if err != nil {
			return nil, err
		}
		if len(edits) == 0 {
			continue
		}
		if out = d.splice(edits); len(out) > maxSettings {
			return nil, errors.New("the file would be longer than 4 MiB")
		}
		if d, err = parse(out); err != nil {
			return nil, fmt.Errorf("the entry for %s does not fit: %w", pathName(e.path), err)
		}
	}
	switch {
	case src != nil:
		return out, nil
	case string(out) == "{}":
		return nil, nil // nothing was wanted
	}
	return newFile(out)
}

// rank is the entry's place in the order of insertion: the version right behind the hooks.
func (e entry) rank() int {
	switch {
	case e.list:
		return 0
	case e.isVersion():
		return 1
	}
	return 2
}

func (e entry) isVersion() bool { return !e.list && pathName(e.path) == "version" }

// newFile formats a file that is ours as a whole.
func newFile(text []byte) ([]byte, error) {
	var out bytes.Buffer
	err := json.Indent(&out, bytes.TrimSpace(text), "", "  ")
	out.WriteByte('\n')
	return out.Bytes(), err
}

// pruneEntries takes those handlers of ours out of the hooks of src that are in another event than want has them in: the
// host would run them there, too. Errors as of [insertEntries].
func pruneEntries(src []byte, want []entry, kind func(command string) string) ([]byte, error) {
	strays, err := findStrays(src, want, kind)
	if err != nil || len(strays) == 0 {
		return src, err
	}
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	return d.splice(d.cutting(strays)), nil
}

// findStrays tells what pruneEntries takes out.
func findStrays(src []byte, want []entry, kind func(command string) string) ([]found, error) {
	var wanted []found
	for _, e := range want {
		mine, err := e.handler(kind)
		if err != nil {
			return nil, err
		}
		if mine != nil {
			wanted = append(wanted, *mine)
		}
	}
	all, err := findEntries(src, kind)
	return slices.DeleteFunc(all, func(h found) bool {
		return h.path[0] != "hooks" || slices.ContainsFunc(wanted, func(mine found) bool {
			return mine.kind == h.kind && slices.Equal(mine.path, h.path)
		})
	}), err
}

// removeEntries takes every handler of ours out of src: in any event and group, and members whose value is one. nil
// means that the file held nothing else and is ours: it is to be deleted. version is the value of the member of that name
// that insertEntries writes into such files, which goes with the hooks before it; "" where it writes none. Errors as of
// [insertEntries].
func removeEntries(src []byte, version string, kind func(command string) string) ([]byte, error) {
	if src == nil {
		return nil, nil
	}
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	ours := d.handlers(kind)
	if len(ours) == 0 {
		return src, nil
	}
	c := newCutter(d.text, ours)
	c.version = version
	if c.empties(d.root, atRoot, c.commented(d.root.StartOffset, d.root.EndOffset)) {
		if whole, err := newFile(src); err == nil && bytes.Equal(whole, src) {
			return nil, nil
		}
		b := boxOf(d.root)
		c.cuts = []edit{{from: b.open, to: b.shut}}
	}
	return d.splice(c.cuts), nil
}

// findEntries tells what of ours is in src, in the order of the file. Errors as of [insertEntries].
func findEntries(src []byte, kind func(command string) string) ([]found, error) {
	if src == nil {
		return nil, nil
	}
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	return d.handlers(kind), nil
}

// stateOf tells how src holds want; where it is taken, also the value that is there, as the file has it. Errors as of
// [insertEntries].
func stateOf(src []byte, want entry, kind func(command string) string) (standing, string, error) {
	if src == nil {
		return missing, "", nil
	}
	d, err := parse(src)
	if err != nil {
		return missing, "", err
	}
	state, _, err := d.insert(want, kind)
	switch {
	case err != nil:
		return missing, "", err
	case want.isVersion() && d.hasHooks():
		return current, "", nil
	case state == taken:
		k, _, err := d.member(d.root, want.path...)
		return taken, string(d.text[k.value.StartOffset:k.end]), err
	}
	return state, "", nil
}

// hasComments tells whether src holds comments or trailing commas, which some hosts do not read. src is valid.
func hasComments(src []byte) bool {
	comma := false
	for from := range tokens(src) {
		switch c := src[from]; {
		case c == '/', comma && (c == '}' || c == ']'):
			return true
		default:
			comma = c == ','
		}
	}
	return false
}
