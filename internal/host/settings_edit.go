package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// edit puts text in the place of the bytes from, up to to.
type edit struct {
	from, to int
	text     string
	// eol is how many bytes at from end a // comment. They stay unless the cut is followed by another end of line.
	eol int
}

// splice makes all edits at once. None reaches into another, but cuts may touch.
func (d *document) splice(edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	out, at := bytes.Clone(d.bom), 0
	for i := 0; i < len(edits); {
		e := edits[i]
		for i++; i < len(edits) && e.text == "" && edits[i].text == "" && edits[i].from <= e.to; i++ {
			e.to = max(e.to, edits[i].to)
		}
		if rest := d.text[e.to:]; !bytes.HasPrefix(rest, []byte("\n")) && !bytes.HasPrefix(rest, []byte("\r\n")) {
			e.from += e.eol
		}
		out = append(append(out, d.text[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, d.text[at:]...)
}

// place returns how the file holds an entry, and the edits that would bring it there.
func (d *document) place(e entry) (standing, []edit, error) {
	mine := e.handler(d.kind)
	if e.event == "" {
		k, there, err := d.member(d.root, "statusLine", "statusLine")
		switch {
		case err != nil:
			return missing, nil, err
		case !there:
			return missing, d.add(d.root, item{"statusLine", e.value}), nil
		}
		if old := (handler{object: k.value}); old.recognise(d.kind) && old.ours {
			return d.update(old, mine, nil)
		}
		return taken, nil, nil
	}
	hooks, err := d.container(d.root, '{', "hooks", "hooks")
	switch {
	case err != nil:
		return missing, nil, err
	case hooks == nil:
		return missing, d.add(d.root, item{"hooks", "{" + quoted(e.event) + ":[" + e.value + "]}"}), nil
	}
	event, err := d.container(hooks, '[', e.event, "hooks."+e.event)
	switch {
	case err != nil:
		return missing, nil, err
	case event == nil:
		return missing, d.add(hooks, item{e.event, "[" + e.value + "]"}), nil
	}
	old := slices.DeleteFunc(d.ours(), func(h handler) bool { return h.event != e.event || h.kind != mine.kind })
	if len(old) == 0 {
		return missing, d.add(event, item{"", e.value}), nil
	}
	if i := slices.IndexFunc(old, mine.runsLike); i >= 0 {
		return d.update(old[i], mine, d.cutting(slices.Delete(slices.Clone(old), i, i+1)))
	}
	c := newCutter(d.text, old)
	for _, k := range boxOf(event).kids {
		if _, alone := c.drop[k.start]; !alone && !c.empties(k.value, atGroup, c.commented(k.start, k.end)) {
			continue
		}
		lead, _ := d.lead(k.start)
		text := d.render(item{"", e.value}, lead, !bytes.Contains(d.text[k.start:k.end], []byte("\n")))
		others := slices.DeleteFunc(old, func(h handler) bool { return k.start <= h.object.StartOffset && h.object.StartOffset < k.end })
		return outdated, append(d.cutting(others), edit{from: k.start, to: k.end, text: text}), nil
	}
	return outdated, append(d.cutting(old), d.add(event, item{"", e.value})...), nil
}

// cutting takes handlers out, and groups that hold nothing else. Somebody else's are in their event, or one that stays.
func (d *document) cutting(drop []handler) []edit {
	c := newCutter(d.text, drop)
	c.empties(d.root, atRoot, true)
	return c.cuts
}

// update brings the members of old up to date with those of mine, beside other edits. Members that mine does not have
// stay, and so does the timeout that is there.
func (d *document) update(old, mine handler, edits []edit) (standing, []edit, error) {
	var add []item
	for _, m := range boxOf(mine.object).kids {
		there := false
		for _, k := range boxOf(old.object).kids {
			if k.name != m.name {
				continue
			}
			there = true
			if !sameValue(k.value, m.value) && !(strings.HasPrefix(k.name, "timeout") && k.value.Value.Kind() == '0') {
				edits = append(edits, edit{from: k.value.StartOffset, to: k.end, text: compact(m.value)})
			}
		}
		if !there {
			add = append(add, item{m.name, compact(m.value)})
		}
	}
	if len(add) > 0 {
		edits = append(edits, d.add(old.object, add...)...)
	}
	if len(edits) > 0 {
		return outdated, edits, nil
	}
	return current, nil, nil
}

// item is what add writes: the member of an object, or without a name the element of an array.
type item struct{ name, value string }

// add writes items behind what v holds.
func (d *document) add(v *hujson.Value, items ...item) []edit {
	var edits []edit
	b := boxOf(v)
	lead, _ := d.lead(v.StartOffset)
	lead += d.unit
	oneLine, first, end := d.oneLine, "", " " // the mark
	from := b.open
	if len(b.kids) > 0 {
		last := b.kids[len(b.kids)-1]
		if l, starts := d.lead(last.start); starts {
			lead = l
		}
		oneLine = !bytes.Contains(d.text[b.open:b.shut], []byte("\n"))
		if d.spaced {
			first = " "
		}
		if from, end = last.comma+1, ","; last.comma < 0 {
			from, end = last.end, ""
			edits = append(edits, edit{from: from, to: from, text: ","})
		}
	}
	comments, eol := afterComments(d.text[from:b.shut])
	from += comments
	between := "," + d.newline + lead
	switch {
	case oneLine && d.spaced:
		between = ", "
	case oneLine:
		between, first = ",", ""
	case eol != "":
		first = eol + lead
	default:
		first = d.newline + lead
	}
	texts := make([]string, len(items))
	for i, it := range items {
		texts[i] = d.render(it, lead, oneLine)
	}
	return append(edits, edit{from: from, to: from, text: first + strings.Join(texts, between) + end})
}

// render writes an item as the file has its own, with lead before the lines after the first.
func (d *document) render(it item, lead string, oneLine bool) string {
	var out bytes.Buffer
	colon := ": "
	switch {
	case !oneLine:
		_ = json.Indent(&out, []byte(it.value), lead, d.unit) // what fails here, parse finds in the result
	case d.spaced:
		_ = json.Indent(&out, []byte(it.value), "", "")
	default:
		_ = json.Compact(&out, []byte(it.value))
		colon = ":"
	}
	text := out.String() // whose strings hold no newlines
	if it.name != "" {
		text = quoted(it.name) + colon + text
	}
	if oneLine {
		return strings.NewReplacer(",\n", ", ", "\n", "").Replace(text)
	}
	return strings.ReplaceAll(text, "\n", d.newline)
}

// The levels at which handlers are, and what holds them.
const (
	atRoot  = iota
	atHooks // the object of the events
	atEvent // an array of groups, or of handlers
	atGroup
	atGroupHooks
)

// cutter collects what to cut so that handlers go, and containers that held nothing else.
type cutter struct {
	text []byte
	drop map[int]int // where the handlers begin and end
	// version is a member's value that goes with the hooks before it; "" for none.
	version string
	cuts    []edit
}

func newCutter(text []byte, drop []handler) *cutter {
	c := cutter{text: text, drop: map[int]int{}}
	for _, h := range drop {
		c.drop[h.object.StartOffset] = h.object.EndOffset
	}
	return &c
}

// empties reports whether v is to go, because all that it held goes, or, of a group, all its handlers. What stays, and
// whatever keep is true for, has cuts instead.
func (c *cutter) empties(v *hujson.Value, level int, keep bool) bool {
	b := boxOf(v)
	gone, handlers := make([]bool, len(b.kids)), false
	for i, k := range b.kids {
		inHooks := k.name == "hooks" && (level == atRoot || level == atGroup)
		switch _, drop := c.drop[k.value.StartOffset]; {
		case drop:
			gone[i] = true
		case inHooks, level == atHooks, level == atEvent:
			// A group without "hooks" would not be valid: it stays or goes with its group.
			gone[i] = c.empties(k.value, level+1, keep && level == atGroup || c.commented(k.start, k.end))
			handlers = handlers || !gone[i]
		case level == atRoot && i > 0 && k.name == "version" && c.version != "" && compact(k.value) == c.version:
			gone[i] = gone[i-1] && b.kids[i-1].name == "hooks" && !c.commented(k.start, k.end)
		}
	}
	switch {
	case !slices.Contains(gone, true):
		return false
	case keep:
	case level == atGroup && !handlers:
		return true
	case !slices.Contains(gone, false) && !c.marked(b):
		return true
	}
	c.cut(b, gone)
	return false
}

// marked reports whether the container was there before, and empty; see the law in settings.go.
func (c *cutter) marked(b box) bool {
	before, _ := afterComments(c.text[b.open:b.kids[0].start])
	return c.text[b.kids[len(b.kids)-1].end] == ' ' && c.text[b.open+before] != ' '
}

// commented reports whether there are comments between two offsets that are not a handler's own.
func (c *cutter) commented(from, to int) bool {
	within := 0
	for at := range lexemes(c.text[from:to]) {
		if end, drop := c.drop[from+at]; drop {
			within = end
		}
		if from+at >= within && c.text[from+at] == '/' {
			return true
		}
	}
	return false
}

// cut takes those that are gone out of a container that stays. Comments beside them stay.
func (c *cutter) cut(b box, gone []bool) {
	from, kept := b.open, -1
	for i, k := range b.kids {
		if !gone[i] {
			from, kept = k.comma+1, i
			continue
		}
		comments, eol := afterComments(c.text[from:k.start])
		c.cuts = append(c.cuts, edit{from: from + comments, to: k.end, eol: len(eol)})
		if k.comma >= 0 {
			comma := edit{from: k.comma, to: k.comma + 1}
			if comments, _ := afterComments(c.text[k.end:k.comma]); comments == 0 {
				comma.from = k.end
			}
			c.cuts = append(c.cuts, comma)
		}
		from = k.comma + 1
	}
	switch last := b.kids[len(b.kids)-1]; {
	case !gone[len(gone)-1] || last.comma >= 0:
	case kept >= 0:
		c.cuts = append(c.cuts, edit{from: b.kids[kept].comma, to: b.kids[kept].comma + 1})
	case c.marked(b):
		c.cuts = append(c.cuts, edit{from: last.end, to: last.end + 1})
	}
}
