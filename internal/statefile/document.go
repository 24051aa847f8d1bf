package statefile

// document.go: finding the values: those of the lines in the section Current Position, and of the keys in the front
// matter. None is looked for elsewhere, because the history, examples and comments contain the same words; only the lists
// to which upstream adds lines may be anywhere.

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// place is the value of a line or a key, or the lines of a list, at src[from:to].
type place struct {
	name     string // label or key; of a list, # with its heading and the line above
	front    bool   // it is a key in front matter
	line     int
	from, to int
	raw      string // src[from:to]
	text     string // without quotes
	quoted   bool

	row   row
	value        // the parsed text
	order int    // below 0 if the value is behind the position, above 0 if it is ahead, 0 if they agree
	want  string // the value for the position

	reason  Reason // why it is left alone although it differs
	because *place // the one that it would contradict, if that is why
}

// document is a STATE.md with the places of its values.
type document struct {
	src      string
	section  int            // the line of the heading `Current Position`; 0 for none
	places   []place        // in the order of lines, each name once
	index    map[string]int // of places by name
	loose    []place        // phases outside of the section that upstream reads; they are never replaced
	problems []Problem
}

// open parses src.
func open(src []byte) *document {
	d := &document{src: string(src), index: map[string]int{}}
	block, rest, closed := markdown.CutFrontMatter(src)
	switch {
	case closed:
		d.readFront(string(block), strings.IndexByte(d.src, '\n')+1)
	case block != nil:
		d.problems = append(d.problems, Problem{1, "the front matter is never closed"})
	}
	d.readBody(len(src) - len(rest))
	return d
}

// find returns the place with the given name, or nil.
func (d *document) find(name string) *place {
	if i, ok := d.index[name]; ok {
		return &d.places[i]
	}
	return nil
}

// add records a place. Of two with the same name the first counts, as in upstream.
func (d *document) add(at place) *place {
	if d.find(at.name) != nil {
		return nil
	}
	at.raw = d.src[at.from:at.to]
	d.index[at.name] = len(d.places)
	d.places = append(d.places, at)
	return &d.places[len(d.places)-1]
}

// splice returns the text with new values, by the names of their places. There is a blank between a label or a key and what had no
// value.
func (d *document) splice(values map[string]string) []byte {
	var b strings.Builder
	done := 0
	for i := range d.places {
		at := &d.places[i]
		text, ok := values[at.name]
		if !ok {
			continue
		}
		b.WriteString(d.src[done:at.from])
		if at.raw == "" && text != "" && strings.IndexByte(" \t\n", d.src[at.from-1]) < 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		done = at.to
	}
	b.WriteString(d.src[done:])
	return []byte(b.String())
}

// addValue records a place if there is a row for its name; labels begin with a capital, keys do not.
func (d *document) addValue(at place) *place {
	r, known := rows[at.name]
	if isKey := at.name == strings.ToLower(at.name); !known || isKey != at.front {
		return nil
	}
	own := at.own
	at.row, at.value = r, r.read(at.text)
	at.own = at.own || own
	return d.add(at)
}

// readFront reads front matter that begins at an offset, line by line: the top-level keys, and those below `progress`.
// People and models write it, and a value that is not valid YAML must not lose the others.
func (d *document) readFront(block string, at int) {
	var last *place
	parent, depth, no := "", 0, 1 // depth is the largest indentation of a key; a line with more belongs to the last key
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
				last = d.addValue(frontPlace(key, no, at+len(text)-len(value), value))
			}
		}
		at += len(line)
	}
}

// frontPlace returns the place of a key whose value is in text, at offset from. A value in a form of YAML that gsd does
// not write is marked as own, and so is one without a blank after the colon, where YAML has no key.
func frontPlace(name string, line, from int, text string) place {
	value := strings.TrimLeft(text, " \t")
	at := place{name: name, front: true, line: line, from: from + len(text) - len(value)}
	at.own = value != "" && value == text
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		inner, after, closed := strings.Cut(value[1:], value[:1])
		after = strings.TrimLeft(after, " \t")
		at.quoted, at.text, at.to = true, inner, at.from+len(inner)+2
		at.own = at.own || !closed || strings.Contains(inner, `\`) || after != "" && after[0] != '#'
		return at
	}
	value, _, _ = strings.Cut(" "+value, " #")
	at.text = strings.Trim(value, " \t")
	if at.text == "" {
		at.from = from // a comment may follow
	}
	at.to = at.from + len(at.text)
	at.own = at.own || strings.IndexAny(at.text, "[]{}|>*&!%@`") == 0
	return at
}

// differs reports whether a place has another value than the position.
func (at *place) differs() bool { return at.order != 0 && at.want != at.text }

// edited reports whether a place gets the value for the position.
func (at *place) edited() bool { return at.differs() && at.reason == "" }

// written returns want as it is written to the file.
func (at *place) written() string {
	if at.front && (at.quoted || !isPlain(at.want)) {
		return strconv.Quote(at.want)
	}
	return at.want
}

// isPlain reports whether a text is a whole number, a date, a status or a commit's hash, which need no quotes. YAML could read
// other texts as something else, such as phase 2.10 as 2.1.
func isPlain(s string) bool {
	n, _ := strconv.Atoi(s)
	isHash := !headForm.read(s).own && strings.ContainsAny(s, "abcdf") // 12e4 is a number
	return strconv.Itoa(n) == s || activityForm.read(s).date == s || stages[s] != ownWords || isHash
}

// readBody finds the section and its lines in src from offset at on, and the lists. The section ends at the next heading. Upstream
// reads the first `Current Phase:` wherever it is, and `Phase:` elsewhere only if there is no section (state.cjs,
// resolveCurrentPhaseId and resolveStatePhase).
func (d *document) readBody(at int) {
	visible := maps.Collect(markdown.Visible(d.src[at:]))
	before, no, inside, title, above := strings.Count(d.src[:at], "\n"), 0, false, "", ""
	for line := range strings.Lines(d.src[at:]) {
		no++
		text := visible[no]
		at += len(line)
		switch hashes, words, _ := strings.Cut(text, " "); {
		case strings.TrimSpace(text) == "":
			continue
		case listed().MatchString(line):
			d.addListed("# "+title+"\n"+above, at-len(line), at)
			continue
		case hashes != "" && strings.Trim(hashes, "#") == "":
			title = strings.ToLower(strings.Trim(words, "# \t\r\n"))
			if inside = d.section == 0 && title == "current position"; inside {
				d.section = before + no
			}
		default:
			label, value, _ := cutLabel(line)
			r, from := rows[label], at-len(value)
			value = strings.TrimRight(value, " \t\r\n")
			p := place{name: label, line: before + no, from: from, to: from + len(value), text: value}
			if inside && !r.note || title == "session continuity" && r.note {
				d.addValue(p)
			} else if !inside && (label == labelPhase || label == labelLegacy) {
				p.row, p.value = r, r.read(value)
				d.loose = append(d.loose, p)
			}
		}
		above = text
	}
	d.loose = slices.DeleteFunc(d.loose, func(p place) bool {
		return p.phase.IsZero() || d.section > 0 && (p.name == labelPhase || d.find(labelLegacy) != nil)
	})
}

// addListed records a line of a list, at src[from:to]. Of two lists at the same place the first counts.
func (d *document) addListed(name string, from, to int) {
	if list := d.find(name); list == nil {
		d.add(place{name: name, row: row{list: true}, from: from, to: to})
	} else if list.to == from {
		list.to, list.raw = to, d.src[list.from:to]
	}
}

// cutLabel splits a line into label and value, in the two forms that upstream reads: `Phase: 3` and `**Phase:** 3`
// (state-document.cjs, stateExtractField).
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
