package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

const (
	// maxSettings is the size of the largest settings file that is read and written, in bytes.
	maxSettings = 4 << 20
	// maxNesting is how deep a settings file may be nested. The parser recurses.
	maxNesting = 500
	// maxIndent is the longest indentation that is imitated, in bytes.
	maxIndent = 64
)

// document is JSON with comments and trailing commas. The tree holds every byte of the text, so what is changed in it
// changes nothing else.
type document struct {
	src           []byte // nil if there is no file
	bom           []byte
	root          hujson.Value
	newline, unit string // of indentation
}

// parse reads a file whose root is an object. The errors are for the owner of the file.
func parse(src []byte) (*document, error) {
	d := &document{src: src, newline: "\n", unit: "  "}
	if src == nil {
		src = []byte("{}\n")
	}
	text := bytes.TrimPrefix(src, []byte("\ufeff"))
	d.bom = src[:len(src)-len(text)]
	switch {
	case len(src) > maxSettings:
		return nil, errors.New("the file is longer than 4 MiB")
	case len(bytes.TrimSpace(text)) == 0:
		return nil, errors.New("the file is empty")
	case !utf8.Valid(text):
		return nil, errors.New("the file is not UTF-8")
	}
	depth := 0
	for _, at := range lexemes().FindAllIndex(text, -1) {
		switch text[at[0]] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > maxNesting {
			return nil, fmt.Errorf("line %d: nested more than %d deep", 1+bytes.Count(text[:at[0]], []byte("\n")), maxNesting)
		}
	}
	var err error
	// A // comment may end the file without a newline, but hujson requires one.
	if d.root, err = hujson.Parse(append(bytes.Clone(text), '\n')); err != nil {
		text, _, literal := strings.Cut(strings.TrimPrefix(err.Error(), "hujson: "), "invalid literal: ")
		if literal {
			text += "invalid value" // not the value itself: it may be long, and a secret
		}
		return nil, errors.New(text)
	}
	if kind := d.root.Value.Kind(); kind != '{' {
		return nil, fmt.Errorf("the file holds %s, not an object", kindNames[kind])
	}
	if err := d.checkNames(); err != nil {
		return nil, err
	}
	if bytes.Contains(text, []byte("\r\n")) {
		d.newline = "\r\n"
	}
	if all, _ := partsOf(&d.root); len(all) > 0 {
		if indent, ok := indentIn(all[0].white()); ok && indent != "" {
			d.unit = indent
		}
	}
	return d, nil
}

// lineOf returns where a value that was in the file is in it.
func (d *document) lineOf(v *hujson.Value) string {
	before := d.src[:min(len(d.bom)+v.StartOffset, len(d.src))]
	line := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")), 1+len(bytes.TrimPrefix(before[line:], d.bom)))
}

// lexemes finds strings, comments without the end of their line, and brackets.
var lexemes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?s:[^"\\]|\\.)*"?|//[^\n]*|(?s:/\*.*?(?:\*/|$))|[][{}]`)
})

func hasComment(text []byte) bool {
	return slices.ContainsFunc(lexemes().FindAllIndex(text, -1), func(at []int) bool { return text[at[0]] == '/' })
}

// pack returns the file as the tree has it.
func (d *document) pack() []byte {
	return append(bytes.Clone(d.bom), bytes.TrimSuffix(d.root.Pack(), []byte("\n"))...) // the newline that parse added
}

var kindNames = map[hujson.Kind]string{
	'{': "an object", '[': "an array", '"': "a string", '0': "a number", 'n': "null", 't': "true", 'f': "false",
}

// part is a member of an object or an element of an array.
type part struct {
	name        string        // of a member
	head, value *hujson.Value // the head of a member is its name, that of an element its value
}

// white returns the white space before a part, after the last comment.
func (p part) white() string {
	_, white := splitComments(p.head.BeforeExtra)
	return string(white)
}

// hasComment reports whether comments are in a part.
func (p part) hasComment() bool {
	return hasComment(hujson.Value{Value: p.value.Value}.Pack()) || p.head != p.value && (hasComment(p.head.AfterExtra) || hasComment(p.value.BeforeExtra))
}

// partsOf returns the parts of an object or array, and the white space and comments before the closing bracket. Other
// values have no parts.
func partsOf(v *hujson.Value) (all []part, end *hujson.Extra) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			m := &c.Members[i]
			all = append(all, part{m.Name.Value.(hujson.Literal).String(), &m.Name, &m.Value})
		}
		return all, &c.AfterExtra
	case *hujson.Array:
		for i := range c.Elements {
			all = append(all, part{"", &c.Elements[i], &c.Elements[i]})
		}
		return all, &c.AfterExtra
	}
	return nil, nil
}

func members(v *hujson.Value) []part { return partsIn(v, '{') }

func elements(v *hujson.Value) []part { return partsIn(v, '[') }

// partsIn returns the parts of an object ('{') or an array ('['); other values, and nil, have none.
func partsIn(v *hujson.Value, kind hujson.Kind) []part {
	if v == nil || v.Value.Kind() != kind {
		return nil
	}
	all, _ := partsOf(v)
	return all
}

// find returns the value that names lead to from the root, or nil. The name of an element is its index.
func (d *document) find(names ...string) *hujson.Value { return d.root.Find(pointer(names)) }

// pointer is the JSON pointer of RFC 6901.
func pointer(names []string) (text string) {
	for _, name := range names {
		text += "/" + escapes.Replace(name)
	}
	return text
}

var escapes = strings.NewReplacer("~", "~0", "/", "~1")

// patch makes a change of RFC 6902. What it does to the white space and comments around a value is for the caller to correct: they
// belong to others.
func (d *document) patch(op string, names []string, value string) {
	_ = d.root.Patch([]byte(`[{"op":"` + op + `","path":` + quoted(pointer(names)) + `,"value":` + value + `}]`)) // the caller knows that it is there
}

// textOf returns the text of a value that is a string.
func textOf(v *hujson.Value) (string, bool) {
	text, _ := v.Value.(hujson.Literal)
	if text.Kind() != '"' {
		return "", false
	}
	return text.String(), true
}

// put puts a value at the place that names lead to; "-" at the end of them is for the end of a list. What is missing on the way there, or
// is empty, is written as a whole. It is laid out as its neighbours are.
func (d *document) put(value string, names ...string) {
	n := 0
	for n < len(names)-1 {
		next := d.find(names[:n+1]...)
		if next == nil {
			break
		}
		if all, end := partsOf(next); len(all) == 0 && !hasComment(*end) {
			break
		}
		n++
	}
	for _, name := range slices.Backward(names[n+1:]) {
		if name == "-" {
			value = "[" + value + "]"
		} else {
			value = "{" + quoted(name) + ":" + value + "}"
		}
	}
	place := names[:n+1]
	holder := d.find(place[:n]...)
	all, end := partsOf(holder)
	comments, rest := splitComments(*end)
	white := d.newline + d.unit
	if len(all) > 0 {
		white = all[len(all)-1].white()
	} else if !bytes.Contains(rest, []byte("\n")) {
		rest = hujson.Extra(d.newline)
	}
	indent, lines := indentIn(white)
	white = white[:min(len(white), maxIndent)]
	if lines {
		white = d.newline + indent
		var text bytes.Buffer
		_ = json.Indent(&text, []byte(value), indent, d.unit) // ours is valid
		value = strings.ReplaceAll(text.String(), "\n", d.newline)
	}
	if d.find(place...) != nil { // it is empty, or of ours
		d.patch("replace", place, value)
		return
	}
	*end = nil
	d.patch("add", place, value)
	after, _ := partsOf(holder)
	part := after[len(after)-1]
	if lines && part.head != part.value {
		part.value.BeforeExtra = hujson.Extra(" ")
	}
	if part.head.BeforeExtra = withComments(comments, hujson.Extra(white)); len(all) > 0 && after[len(after)-2].value.AfterExtra != nil {
		part.value.AfterExtra = hujson.Extra{} // a trailing comma, as there was one
	}
	*end = rest
}

// indentIn returns the indentation in the white space before something, and whether that begins a line.
func indentIn(white string) (indent string, lines bool) {
	at := strings.LastIndexByte(white, '\n')
	if at < 0 {
		return "", false
	}
	indent = white[at+1:]
	return indent[:min(len(indent), maxIndent)], true
}

// drop removes the value that names lead to, and the objects and lists above it that are then empty; but not the root, and nothing with a
// comment in it. Of a group without handlers all goes.
func (d *document) drop(names ...string) {
	last := len(names) - 1
	up := names[:last]
	if last == 4 { // a handler in a group
		up = names[:3]
	}
	holder, all, i := d.at(names)
	before, _ := splitComments(all[i].head.BeforeExtra)
	if after := all[i].value.AfterExtra; hasComment(after) {
		before = withComments(before, after)
	}
	_, next := partsOf(holder)
	if i+1 < len(all) {
		next = &all[i+1].head.BeforeExtra
	} else if i > 0 {
		previous := all[i-1].value
		switch comma := all[i].value.AfterExtra != nil; {
		case comma && previous.AfterExtra == nil:
			previous.AfterExtra = hujson.Extra{}
		case !comma:
			before, previous.AfterExtra = withComments(previous.AfterExtra, before), nil
		}
	}
	rest := withComments(before, slices.Clone(*next))
	d.patch("remove", names, "0")
	all, next = partsOf(holder)
	if i < len(all) {
		next = &all[i].head.BeforeExtra
	}
	*next = rest
	if last > 0 && len(all) == 0 {
		if _, above, j := d.at(up); !above[j].hasComment() {
			d.drop(up...)
		}
	}
}

// at returns the object or list that holds the value that names lead to, its parts, and which of them the value is.
func (d *document) at(names []string) (holder *hujson.Value, all []part, i int) {
	last := len(names) - 1
	holder = d.find(names[:last]...)
	all, _ = partsOf(holder)
	i = slices.IndexFunc(all, func(p part) bool { return p.name == names[last] })
	if holder.Value.Kind() == '[' {
		i, _ = strconv.Atoi(names[last])
	}
	return holder, all, i
}

// commentsForm matches up to the end of the last comment, before the end of the line for a // comment.
var commentsForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[ \t\r\n]*(?://[^\r\n]*(?:\r[^\r\n]+)*|(?s:/\*.*?\*/)))+`)
})

// splitComments returns white space and comments up to the end of the last comment, and the white space after it.
func splitComments(extra hujson.Extra) (comments, white hujson.Extra) {
	at := commentsForm().FindIndex(extra)
	if at == nil {
		return nil, extra
	}
	return slices.Clip(extra[:at[1]]), extra[at[1]:]
}

// withComments returns comments and what follows them. A // comment is the last in its line.
func withComments(comments, rest hujson.Extra) hujson.Extra {
	at := lexemes().FindAllIndex(comments, -1)
	if n := len(at); n > 0 && at[n-1][1] == len(comments) && bytes.HasPrefix(comments[at[n-1][0]:], []byte("//")) &&
		!bytes.HasPrefix(bytes.TrimLeft(rest, "\r"), []byte("\n")) {
		comments = append(slices.Clip(comments), '\n')
	}
	return append(slices.Clip(comments), rest...)
}
