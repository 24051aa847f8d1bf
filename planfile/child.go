package planfile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// Child is what is directly below a task: an element such as files, action, verify or done, or text between elements.
type Child struct {
	Name string `json:"name" empty:"null"` // the element's name in lower case; null for text between elements
	// Text is trimmed, and without the lines' common indentation. Elements in it lose their tags (<verify><automated>), unless
	// there is text between them, which is usually code: then they are kept as they are written.
	Text string `json:"text"`
}

// Children returns what is directly below task n, in document order: nothing of its text is left out but comments and white
// space. A body that is well-formed XML is read as such; most are not ("if a < b"), and then each child is cut out by its
// tags and read as XML if it is well-formed.
func (f *File) Children(n int) ([]Child, error) {
	t, err := f.Task(n)
	if err != nil {
		return nil, err
	}
	body := t.inner.of(f.src)
	var children []Child
	addText := func(text string) {
		if text = tidy(text); text != "" {
			children = append(children, Child{Text: text})
		}
	}
	if root := parseXML(body); root != nil {
		var text strings.Builder
		for _, token := range root.Child {
			switch token := token.(type) {
			case *etree.CharData:
				text.WriteString(token.Data)
			case *etree.Element:
				addText(text.String())
				text.Reset()
				children = append(children, Child{strings.ToLower(token.Tag), tidy(elementText(token))})
			}
		}
		addText(text.String())
		return children, nil
	}
	end := offset(0)
	for _, c := range cutChildren(body) {
		addText(string(body[end:c.from]))
		end = c.to
		text := string(c.inner.of(body))
		if root := parseXML([]byte(text)); root != nil {
			text = elementText(root)
		}
		children = append(children, Child{c.name, tidy(text)})
	}
	addText(string(body[end:]))
	return children, nil
}

// Source returns the text of task n as written in the file, with its tags.
func (f *File) Source(n int) ([]byte, error) {
	t, err := f.Task(n)
	if err != nil {
		return nil, err
	}
	return f.src[t.tag.from:t.end], nil
}

// Body returns the text of task n with white space folded, so that a task can be compared with itself in another
// version of the plan, or in a session that wraps it in tags. It returns "" if n is out of range.
func (f *File) Body(n int) string {
	t, err := f.Task(n)
	if err != nil {
		return ""
	}
	text := f.text(t)
	var body strings.Builder // a slice of all words would take several times the memory of the text
	body.Grow(len(text))
	for word := range bytes.FieldsSeq(text) {
		if body.Len() > 0 {
			body.WriteByte(' ')
		}
		body.Write(word)
	}
	return body.String()
}

// text returns the text of a task: between its tags, or a heading with the text below it.
func (f *File) text(t Task) []byte {
	if f.Dialect == DialectHeading {
		return f.src[t.tag.from:t.inner.to]
	}
	return t.inner.of(f.src)
}

// isElement reports whether the tasks are elements, and so have attributes.
func (f *File) isElement() bool { return f.Dialect == DialectTask || f.Dialect == DialectFeature }

// maxXML is the largest text in bytes that is read as XML: a tree takes some eighty times the memory of its text, and
// no real body comes near.
const maxXML = 1 << 20

// parseXML parses a fragment below a root element that it adds; it returns nil if the fragment is not well-formed.
func parseXML(fragment []byte) *etree.Element {
	if len(fragment) > maxXML {
		return nil
	}
	doc := etree.NewDocument()
	if doc.ReadFromBytes(slices.Concat([]byte("<x>"), fragment, []byte("</x>"))) != nil {
		return nil
	}
	if root := doc.Root(); root != nil && len(doc.ChildElements()) == 1 {
		return root
	}
	return nil
}

// elementText returns the text of an element without comments. Elements in it keep their tags only if there is text between
// them.
func elementText(e *etree.Element) string {
	isText := func(token etree.Token) bool {
		text, ok := token.(*etree.CharData)
		return ok && !text.IsWhitespace()
	}
	mixed := slices.ContainsFunc(e.Child, isText)
	var b strings.Builder
	var add func(*etree.Element)
	add = func(e *etree.Element) {
		for _, token := range e.Child {
			switch token := token.(type) {
			case *etree.CharData:
				b.WriteString(token.Data)
			case *etree.Element:
				opening, closing := "", ""
				if mixed {
					opening, closing = tags(token)
				}
				b.WriteString(opening)
				add(token)
				b.WriteString(closing)
			}
		}
	}
	add(e)
	return b.String()
}

// tags returns the tags of an element; an element that is empty has no end tag.
func tags(e *etree.Element) (opening, closing string) {
	opening = "<" + e.FullTag()
	for _, a := range e.Attr {
		opening += " " + a.FullKey() + `="` + a.Value + `"`
	}
	if len(e.Child) == 0 {
		return opening + "/>", ""
	}
	return opening + ">", "</" + e.FullTag() + ">"
}

type cut struct {
	name  string
	inner span // between its tags
	span       // with its tags
}

// cutChildren finds elements by their tags: from a start tag at the start of a line, or right after the previous
// element, to its first end tag. Content is skipped, so that an <option>'s <name> is not taken for the task's. A start
// tag without an end tag is ignored.
func cutChildren(body []byte) []cut {
	// Each search for a missing end tag scans the rest of the body, so after this many the rest is taken as prose.
	const maxMissing = 64
	const maxChildren = 1000 // real tasks have ten
	var found []cut
	missing := 0
	for at := 0; at < len(body) && missing < maxMissing && len(found) < maxChildren; {
		at = skip(body, at, space)
		if c, ok := cutChild(body, at); ok {
			found = append(found, c)
			at = int(c.to)
			continue
		}
		if bytes.HasPrefix(body[at:], []byte{'<'}) {
			missing++
		}
		at = lineEnd(body, at)
	}
	return found
}

func cutChild(body []byte, at int) (c cut, ok bool) {
	text, found := bytes.CutPrefix(body[at:], []byte{'<'})
	name := tagName(text)
	if !found || name == "" {
		return cut{}, false
	}
	c.name = strings.ToLower(name)
	tag, ok := startTag(body, at+len("<")+len(name), func(attr) {})
	if !ok {
		return cut{}, false
	}
	inner := tag.end
	if tag.empty {
		c.inner, c.span = between(inner, inner), between(at, inner)
		return c, true
	}
	for end := inner; ; end += len("</") {
		i := bytes.Index(body[end:], []byte("</"))
		if i < 0 {
			return cut{}, false
		}
		end += i
		if after := end + len("</") + len(c.name); after < len(body) && body[after] == '>' && isName(body[end+len("</"):after], c.name) {
			c.inner, c.span = between(inner, end), between(at, after+1)
			return c, true
		}
	}
}

// tagName returns the tag name at the start of text, the text after a tag's "<" or "</".
func tagName(text []byte) string {
	rest := bytes.TrimLeft(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
	return string(text[:len(text)-len(rest)])
}

// tidy trims a text and removes the indentation that its lines share, except the first, which follows the tag.
func tidy(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	shared := len(text)
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
		if i > 0 && lines[i] != "" {
			shared = min(shared, len(lines[i])-len(strings.TrimLeft(lines[i], " \t")))
		}
	}
	for i, line := range lines {
		if i > 0 && line != "" {
			lines[i] = line[shared:]
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
