package statefile

// document.go: where the values stand: those of the lines of the section Current Position, and of the keys of the front
// matter. The same words stand in the history, in examples and in comments too, so nothing is looked for elsewhere.

import (
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// place is where the value of a line or a key stands: src[from:to] is replaced by another.
type place struct {
	name     string // its label, or its key
	front    bool   // it is a key
	line     int
	from, to int
	text     string // without quotes
	quoted   bool

	rule  rule
	value        // what the text says
	order int    // of that against the position: below 0 where it is behind, above where it is ahead, 0 where they agree
	want  string // what the position makes of it
}

// document is a STATE.md with the places of its position.
type document struct {
	src      string
	section  int     // the line of the heading `Current Position`; 0 for none
	places   []place // in the order of their lines, each name once
	problems []Problem
}

// open finds the places in src.
func open(src []byte) *document {
	d := &document{src: string(src)}
	block, rest, closed := planfile.CutFrontMatter(src)
	switch {
	case closed:
		d.readFront(string(block), strings.IndexByte(d.src, '\n')+1)
	case block != nil:
		d.problems = append(d.problems, Problem{1, "the front matter is never closed"})
	}
	d.readBody(len(src) - len(rest))
	return d
}

// find is the place of a name; nil where there is none.
func (d *document) find(name string) *place {
	for i := range d.places {
		if d.places[i].name == name {
			return &d.places[i]
		}
	}
	return nil
}

// add notes a place if there is a rule for it: labels begin with a capital, keys do not. Of two the first counts, as it
// does for upstream.
func (d *document) add(at place) *place {
	r, known := rules[at.name]
	if isKey := at.name == strings.ToLower(at.name); !known || isKey != at.front || d.find(at.name) != nil {
		return nil
	}
	own := at.own
	at.rule, at.value = r, r.read(at.text)
	at.own = at.own || own
	d.places = append(d.places, at)
	return &d.places[len(d.places)-1]
}

// readFront reads front matter that begins at an offset, line by line: the keys at the margin, and those below
// `progress`. People and models write it, and one value that is no YAML does not take the others along.
func (d *document) readFront(block string, at int) {
	var last *place
	parent, depth, no := "", 0, 1 // depth is the indentation that a key may have; what has more belongs to the last one
	for line := range strings.Lines(block) {
		no++
		text := strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimLeft(text, " ")
		key, value, ok := strings.Cut(trimmed, ":")
		switch indent := len(text) - len(trimmed); {
		case trimmed == "" || trimmed[0] == '#':
		case indent > depth && last != nil:
			last.own = true
		case indent > depth:
		case trimmed == "progress:":
			parent, depth, last = "progress.", math.MaxInt, nil
		default:
			if depth, last = indent, nil; indent > 0 {
				key = parent + key
			}
			if ok {
				last = d.add(frontPlace(key, no, at+len(text)-len(value), value))
			}
		}
		at += len(line)
	}
}

// frontPlace is the place of a key whose value is text, or a part of it, at offset from. A form of YAML that we do
// not write is its author's own.
func frontPlace(name string, line, from int, text string) place {
	at := place{name: name, front: true, line: line}
	value := strings.TrimLeft(text, " \t")
	at.from = from + len(text) - len(value)
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		at.quoted = true
		inner, after, closed := strings.Cut(value[1:], value[:1])
		after = strings.TrimLeft(after, " \t")
		at.text, at.to = inner, at.from+len(inner)+2
		at.own = !closed || strings.Contains(inner, `\`) || after != "" && after[0] != '#'
		return at
	}
	if i := strings.Index(" "+value, " #"); i >= 0 {
		value = value[:max(i-1, 0)]
	}
	at.text = strings.TrimRight(value, " \t")
	if at.text == "" {
		at.from = from // a comment may follow
	}
	at.to = at.from + len(at.text)
	at.own = strings.IndexAny(at.text, "[]{}|>*&!%@`") == 0
	return at
}

// written is how what is wanted is written.
func (at *place) written() string {
	if at.front && (at.quoted || !isPlain(at.want)) {
		return strconv.Quote(at.want)
	}
	return at.want
}

// isPlain reports whether a text is a whole number, a date or a status. YAML could read another as something else: phase
// 2.10 as 2.1.
func isPlain(s string) bool {
	n, _ := strconv.Atoi(s)
	return strconv.Itoa(n) == s || activityForm.read(s).date == s || stages[s] != ownWords
}

// readBody finds the section and its lines in src, from offset at on. The section ends at the next heading.
func (d *document) readBody(at int) {
	visible := maps.Collect(roadmap.Visible(d.src[at:]))
	before, no := strings.Count(d.src[:at], "\n"), 0
	for line := range strings.Lines(d.src[at:]) {
		no++
		text := visible[no]
		at += len(line)
		if hashes, title, _ := strings.Cut(text, " "); hashes != "" && strings.Trim(hashes, "#") == "" {
			if d.section > 0 {
				return
			}
			if strings.EqualFold(strings.Trim(title, "# \t"), "current position") {
				d.section = before + no
			}
		} else if label, value, ok := cutLabel(line); ok && text != "" && d.section > 0 {
			from := at - len(value)
			value = strings.TrimRight(value, " \t\r\n")
			d.add(place{name: label, line: before + no, from: from, to: from + len(value), text: value})
		}
	}
}

// cutLabel finds label and value in a line, in the two ways that upstream reads: `Phase: 3` at its start, and
// `**Phase:** 3` (upstream's state-document.cjs, stateExtractField).
func cutLabel(s string) (label, value string, ok bool) {
	label, value, ok = strings.Cut(s, ":")
	if bold, isBold := strings.CutPrefix(strings.TrimLeft(label, " \t"), "**"); isBold && ok {
		label = bold
		value, ok = strings.CutPrefix(value, "**")
	}
	if !ok || label == "" {
		return "", "", false
	}
	return strings.ToUpper(label[:1]) + strings.ToLower(label[1:]), strings.TrimLeft(value, " \t"), true
}
