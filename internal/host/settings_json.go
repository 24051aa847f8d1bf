package host

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

const (
	// maxNesting is how deep a settings file may be nested. Parsing recurses.
	maxNesting = 500
	// maxLead is the longest indentation that is imitated, in bytes.
	maxLead = 64
)

// document is a settings file that was read. Offsets are into its text without the byte order mark.
type document struct {
	src       []byte              // nil if there is no file
	kind      func(string) string // which of our commands a command line is; "" if it is not as we write it
	bom, text []byte
	root      *hujson.Value
	newline   string
	unit      string // of indentation
	oneLine   bool
	spaced    bool // one line, with a space behind colons and commas
}

// parse reads a file whose root is an object. Errors are in words for the file's user.
func parse(src []byte, kind func(string) string) (*document, error) {
	d := &document{src: src, kind: kind, newline: "\n", unit: "  "}
	if src == nil {
		src = []byte("{}")
	}
	d.text = bytes.TrimPrefix(src, []byte("\ufeff"))
	d.bom = src[:len(src)-len(d.text)]
	switch {
	case len(src) > maxSettings:
		return nil, errors.New("the file is longer than 4 MiB")
	case len(bytes.TrimSpace(d.text)) == 0:
		return nil, errors.New("the file is empty")
	}
	if err := check(d.text); err != nil {
		return nil, err
	}
	// A // comment may end the file without a newline; hujson wants one.
	root, err := hujson.Parse(append(bytes.Clone(d.text), '\n'))
	if err != nil {
		text, _, literal := strings.Cut(strings.TrimPrefix(err.Error(), "hujson: "), "invalid literal: ")
		if literal {
			text += "invalid value" // without the value: it may be long, and a secret
		}
		return nil, errors.New(text)
	}
	d.root = &root
	if kind := root.Value.Kind(); kind != '{' {
		return nil, fmt.Errorf("%s: the file holds %s, not an object", place(d.text, root.StartOffset), inWords(kind))
	}
	d.detectLayout()
	return d, nil
}

func (d *document) detectLayout() {
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		d.newline = "\r\n"
	}
	b := boxOf(d.root)
	if len(b.kids) == 0 {
		return // nothing to imitate: {} is no reason to write one long line
	}
	d.oneLine = !bytes.Contains(d.text[b.open:b.shut], []byte("\n"))
	d.spaced = d.text[b.kids[0].value.StartOffset-1] == ' '
	outer, _ := d.lead(d.root.StartOffset)
	inner, _ := d.lead(b.kids[len(b.kids)-1].start)
	if unit := strings.TrimPrefix(inner, outer); unit != "" {
		d.unit = unit
	}
}

// lead is the indentation of the line that offset at is in, and whether nothing else comes before at in it.
func (d *document) lead(at int) (string, bool) {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	n := len(line) - len(bytes.TrimLeft(line, " \t"))
	return string(line[:min(n, maxLead)]), n == len(line)
}

// kid is a member of an object or an element of an array. Its text begins with its name, if it has one.
type kid struct {
	name       string
	start, end int
	comma      int // the offset of the comma behind it, -1 where there is none
	value      *hujson.Value
}

// box is the inside of an object or array: from behind the opening bracket to the closing one.
type box struct {
	open, shut int
	kids       []kid
}

// boxOf is empty for a value that is neither object nor array.
func boxOf(v *hujson.Value) box {
	b := box{open: v.StartOffset + 1, shut: v.EndOffset - 1}
	switch value := v.Value.(type) {
	case *hujson.Object:
		for i := range value.Members {
			m := &value.Members[i]
			name, _ := m.Name.Value.(hujson.Literal)
			b.kids = append(b.kids, kid{name: name.String(), start: m.Name.StartOffset, value: &m.Value})
		}
	case *hujson.Array:
		for i := range value.Elements {
			b.kids = append(b.kids, kid{start: value.Elements[i].StartOffset, value: &value.Elements[i]})
		}
	}
	for i := range b.kids {
		k := &b.kids[i]
		k.end, k.comma = k.value.EndOffset, -1
		if i < len(b.kids)-1 || k.value.AfterExtra != nil { // which the last has only before a trailing comma
			k.comma = k.end + len(k.value.AfterExtra)
		}
	}
	return b
}

// kidsOf are those of an object ('{') or an array ('['); other values have none.
func kidsOf(v *hujson.Value, bracket hujson.Kind) []kid {
	if v.Value.Kind() != bracket {
		return nil
	}
	return boxOf(v).kids
}

// member finds an object's member by its name; full is its name for people. A name that is there twice is an error,
// because programs differ in which of them they read.
func (d *document) member(v *hujson.Value, name, full string) (kid, bool, error) {
	var found []kid
	for _, k := range boxOf(v).kids {
		if k.name == name {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 0:
		return kid{}, false, nil
	case 1:
		return found[0], true, nil
	}
	return kid{}, false, fmt.Errorf("%s: %s is there twice", place(d.text, found[1].start), full)
}

// container finds a member that has to be an object ('{') or an array ('['); nil if it is not there.
func (d *document) container(v *hujson.Value, bracket hujson.Kind, name, full string) (*hujson.Value, error) {
	k, there, err := d.member(v, name, full)
	if err != nil || !there {
		return nil, err
	}
	if got := k.value.Value.Kind(); got != bracket {
		return nil, fmt.Errorf("%s: %s is %s, not %s", place(d.text, k.start), full, inWords(got), inWords(bracket))
	}
	return k.value, nil
}

// has reports whether the file has a member of that name.
func (d *document) has(name string) bool {
	return slices.ContainsFunc(boxOf(d.root).kids, func(k kid) bool { return k.name == name })
}

// textOf returns the text of a value that is a string.
func textOf(v *hujson.Value) (string, bool) {
	text, ok := v.Value.(hujson.Literal)
	if !ok || text.Kind() != '"' {
		return "", false
	}
	return text.String(), true
}

// sameValue reports whether two values mean the same, numbers by how they are written.
func sameValue(a, b *hujson.Value) bool {
	x, simple := a.Value.(hujson.Literal)
	if y, both := b.Value.(hujson.Literal); simple && both {
		return x.Kind() == y.Kind() && x.String() == y.String()
	}
	return compact(a) == compact(b)
}

func compact(v *hujson.Value) string {
	c := v.Clone()
	c.Minimize()
	return c.String()
}

// lexemes yields where every comment, without the end of its line, every string and every other byte that is not white
// space begins and ends.
func lexemes(b []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for to := 0; to < len(b); {
			from := to
			to++
			switch rest := b[from:]; {
			case bytes.IndexByte([]byte(" \t\r\n"), b[from]) >= 0:
				continue
			case b[from] == '"':
				for ; to < len(b) && b[to] != '"'; to++ {
					if b[to] == '\\' {
						to++
					}
				}
				to++
			case bytes.HasPrefix(rest, []byte("//")):
				line, _, ended := bytes.Cut(rest, []byte("\n"))
				if ended {
					line = bytes.TrimSuffix(line, []byte("\r"))
				}
				to = from + len(line)
			case bytes.HasPrefix(rest, []byte("/*")):
				inside, _, _ := bytes.Cut(rest[2:], []byte("*/"))
				to = from + len("/*") + len(inside) + len("*/")
			}
			to = min(to, len(b))
			if !yield(from, to) {
				return
			}
		}
	}
}

// afterComments tells where in white space and comments the last comment ends, and how the line does that it is a //
// comment of, if it is one.
func afterComments(extra []byte) (end int, eol string) {
	for from, to := range lexemes(extra) {
		end, eol = to, ""
		if extra[from+1] == '/' {
			eol = "\n"
			if bytes.HasPrefix(extra[to:], []byte("\r\n")) {
				eol = "\r\n"
			}
		}
	}
	return end, eol
}

// check refuses text that is not UTF-8, or nested too deep.
func check(text []byte) error {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			return fmt.Errorf("%s: not UTF-8", place(text, at))
		}
		at += n
	}
	depth := 0
	for at := range lexemes(text) {
		switch text[at] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > maxNesting {
			return fmt.Errorf("%s: nested more than %d deep", place(text, at), maxNesting)
		}
	}
	return nil
}

func place(text []byte, at int) string {
	line := bytes.Count(text[:at], []byte("\n"))
	return fmt.Sprintf("line %d, column %d", line+1, at-bytes.LastIndexByte(text[:at], '\n'))
}

func inWords(kind hujson.Kind) string {
	return map[hujson.Kind]string{
		'{': "an object", '[': "an array", '"': "a string", '0': "a number", 'n': "null", 't': "true", 'f': "false",
	}[kind]
}
