package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
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
// changes nothing else. The offsets in the tree are those of text, until the first change.
type document struct {
	src       []byte // nil if there is no file
	bom, text []byte
	root      *hujson.Value
	newline   string
	unit      string // of indentation
	oneLine   bool   // the whole file is on one line
}

// parse reads a file whose root is an object. The errors are for the owner of the file.
func parse(src []byte) (*document, error) {
	d := &document{src: src, newline: "\n", unit: "  "}
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
	case !utf8.Valid(d.text):
		return nil, errors.New("the file is not UTF-8")
	}
	depth, rest := 0, d.text
	for at := lexemes().FindIndex(rest); at != nil; at = lexemes().FindIndex(rest) {
		switch rest[at[0]] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > maxNesting {
			return nil, fmt.Errorf("%s: nested more than %d deep", d.place(len(d.text)-len(rest)+at[0]), maxNesting)
		}
		rest = rest[at[1]:]
	}
	// A // comment may end the file without a newline, but hujson requires one.
	root, err := hujson.Parse(append(bytes.Clone(d.text), '\n'))
	if err != nil {
		text, _, literal := strings.Cut(strings.TrimPrefix(err.Error(), "hujson: "), "invalid literal: ")
		if literal {
			text += "invalid value" // not the value itself: it may be long, and a secret
		}
		return nil, errors.New(text)
	}
	d.root = &root
	if kind := root.Value.Kind(); kind != '{' {
		return nil, fmt.Errorf("%s: the file holds %s, not an object", d.place(root.StartOffset), kindNames[kind])
	}
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		d.newline = "\r\n"
	}
	if all, _ := partsOf(d.root); len(all) > 0 {
		d.oneLine = !bytes.Contains(d.text[root.StartOffset:root.EndOffset], []byte("\n"))
		outer, _ := d.indentation(root.StartOffset)
		inner, _ := d.indentation(all[len(all)-1].head.StartOffset)
		if unit := strings.TrimPrefix(inner, outer); unit != "" {
			d.unit = unit
		}
	}
	return d, nil
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

// place describes an offset for people.
func (d *document) place(at int) string {
	line := bytes.Count(d.text[:at], []byte("\n"))
	return fmt.Sprintf("line %d, column %d", line+1, at-bytes.LastIndexByte(d.text[:at], '\n'))
}

var kindNames = map[hujson.Kind]string{
	'{': "an object", '[': "an array", '"': "a string", '0': "a number", 'n': "null", 't': "true", 'f': "false",
}

// indentation returns that of the line of an offset, and whether nothing else precedes the offset in its line.
func (d *document) indentation(at int) (string, bool) {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	n := len(line) - len(bytes.TrimLeft(line, " \t"))
	return string(line[:min(n, maxIndent)]), n == len(line)
}

// part is a member of an object or an element of an array.
type part struct {
	name        string        // of a member
	head, value *hujson.Value // the head of a member is its name, that of an element its value
}

// hasComment reports whether comments are in a part.
func (p part) hasComment() bool {
	v := *p.value
	v.AfterExtra = nil
	if p.head == p.value {
		v.BeforeExtra = nil
	}
	return hasComment(v.Pack()) || p.head != p.value && hasComment(p.head.AfterExtra)
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

// partsIn returns the parts of an object ('{') or an array ('['); other values have none.
func partsIn(v *hujson.Value, kind hujson.Kind) []part {
	if v.Value.Kind() != kind {
		return nil
	}
	all, _ := partsOf(v)
	return all
}

// member finds a member of an object, which has to be an object ('{') or an array ('['), or anything where kind is 0;
// nil if there is none. A name that occurs twice is an error, because programs differ in which of them they read. path
// is the name in errors.
func (d *document) member(v *hujson.Value, name, path string, kind hujson.Kind) (*hujson.Value, error) {
	var found *hujson.Value
	for _, m := range members(v) {
		switch got := m.value.Value.Kind(); {
		case m.name != name:
		case found != nil:
			return nil, fmt.Errorf("%s: %s is there twice", d.place(m.head.StartOffset), path)
		case kind != 0 && got != kind:
			at := d.place(m.head.StartOffset)
			return nil, fmt.Errorf("%s: %s is %s, not %s", at, path, kindNames[got], kindNames[kind])
		default:
			found = m.value
		}
	}
	return found, nil
}

// has reports whether the file has a member of that name.
func (d *document) has(name string) bool {
	return slices.ContainsFunc(members(d.root), func(m part) bool { return m.name == name })
}

// textOf returns the text of a value that is a string.
func textOf(v *hujson.Value) (string, bool) {
	text, _ := v.Value.(hujson.Literal)
	if text.Kind() != '"' {
		return "", false
	}
	return text.String(), true
}

// add appends to an object or array: a member, or without a name elements. See the law in settings.go.
func (d *document) add(v *hujson.Value, name string, values ...string) {
	all, end := partsOf(v)
	indent, _ := d.indentation(v.StartOffset)
	indent += d.unit
	oneLine, rest, comma := d.oneLine, " ", hujson.Extra(nil)
	if len(all) > 0 {
		last := all[len(all)-1]
		if own, first := d.indentation(last.head.StartOffset); first {
			indent = own
		}
		oneLine = !bytes.Contains(d.text[v.StartOffset:v.EndOffset], []byte("\n"))
		rest = ""
		if last.value.AfterExtra != nil {
			comma = hujson.Extra{}
		}
	}
	comments, eol := splitComments(*end)
	before, colon, between := slices.Clip(comments), hujson.Extra{}, ","
	if !oneLine {
		if eol == "" {
			eol = d.newline
		}
		before, colon, between = append(before, eol+indent...), hujson.Extra(" "), ","+d.newline+indent
		values = slices.Clone(values)
		for i, value := range values {
			values[i] = d.indented(value, indent)
		}
	}
	*end = append(hujson.Extra(rest), (*end)[len(comments):]...)
	added := hujson.Value{Value: hujson.Literal(strings.Join(values, between)), AfterExtra: comma}
	switch c := v.Value.(type) {
	case *hujson.Object:
		added.BeforeExtra = colon
		key := hujson.Value{BeforeExtra: before, Value: hujson.Literal(quoted(name))}
		c.Members = append(c.Members, hujson.ObjectMember{Name: key, Value: added})
	case *hujson.Array:
		added.BeforeExtra = before
		c.Elements = append(c.Elements, added)
	}
}

// asNew returns a file in the format of those that we make, nil if it is not plain JSON.
func asNew(src []byte) []byte {
	var whole bytes.Buffer
	if json.Indent(&whole, bytes.TrimSpace(src), "", "  ") != nil {
		return nil
	}
	whole.WriteByte('\n')
	return whole.Bytes()
}

// indented returns a value on several lines, with an indentation before those after the first.
func (d *document) indented(value, indent string) string {
	var text bytes.Buffer
	_ = json.Indent(&text, []byte(value), indent, d.unit) // what fails here, parse finds in the result
	return strings.ReplaceAll(text.String(), "\n", d.newline)
}

// commentsForm matches up to the end of the last comment.
var commentsForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[ \t\r\n]*(?:(//[^\n]*)|(?s:/\*.*?\*/)))+`)
})

// splitComments returns white space and comments up to the end of the last comment. Where that is a // comment, it ends
// before the end of its line, which is eol.
func splitComments(extra hujson.Extra) (comments hujson.Extra, eol string) {
	at := commentsForm().FindSubmatchIndex(extra)
	if at == nil {
		return nil, ""
	}
	comments = extra[:at[1]]
	if at[3] < at[1] {
		return comments, ""
	}
	if comments, ok := bytes.CutSuffix(comments, []byte("\r")); ok {
		return comments, "\r\n"
	}
	return comments, "\n"
}

// removeParts removes the parts that are gone and the white space before them. Comments beside them stay, and a
// trailing comma of the container. mark is whether a container that is emptied had the mark, which goes too.
func removeParts(v *hujson.Value, gone []bool, mark bool) {
	all, end := partsOf(v)
	var kept *hujson.Value
	var comments hujson.Extra // since kept
	eol := ""                 // of the last of them
	push := func(extra hujson.Extra) {
		comments = append(comments, eol...)
		if rest, ok := bytes.CutPrefix(extra, []byte("\r\n")); ok && eol != "" {
			extra = rest
		} else if eol != "" {
			extra = bytes.TrimPrefix(extra, []byte("\n"))
		}
		comments, eol = append(comments, extra...), ""
	}
	for i, p := range all {
		if !gone[i] {
			push(p.head.BeforeExtra)
			p.head.BeforeExtra, comments, kept = comments, nil, p.value
			continue
		}
		if before, ends := splitComments(p.head.BeforeExtra); len(before) > 0 {
			push(before)
			eol = ends
		}
		if hasComment(p.value.AfterExtra) {
			push(p.value.AfterExtra)
		}
	}
	switch last := len(all) - 1; {
	case !gone[last]:
	case all[last].value.AfterExtra == nil && kept != nil:
		comments, kept.AfterExtra = append(kept.AfterExtra, comments...), nil
	case all[last].value.AfterExtra == nil && mark:
		*end = (*end)[1:]
	case kept != nil && kept.AfterExtra == nil:
		kept.AfterExtra = hujson.Extra{} // a trailing comma
	}
	push(*end)
	*end = comments
	switch c := v.Value.(type) {
	case *hujson.Object:
		c.Members = without(c.Members, gone)
	case *hujson.Array:
		c.Elements = without(c.Elements, gone)
	}
}

func without[T any](all []T, gone []bool) (kept []T) {
	for i, one := range all {
		if !gone[i] {
			kept = append(kept, one)
		}
	}
	return kept
}
