package planfile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// Child is an element directly below a task: files, action, verify, done, …
type Child struct {
	Name string `json:"name"` // its name in lower case
	Text string `json:"text"` // its text without tags, trimmed, without the lines' common indentation
}

// Children returns the elements directly below task n, in document order. A body that is well-formed XML is read as
// such; most are not ("if a < b"), and then each child is cut out by its tags and read as XML if it is well-formed.
func (f *File) Children(n int) ([]Child, error) {
	t, err := f.Task(n)
	if err != nil {
		return nil, err
	}
	body := t.inner.of(f.src)
	var children []Child
	if root := parseXML(body); root != nil {
		for _, e := range root.ChildElements() {
			children = append(children, Child{strings.ToLower(e.Tag), tidy(allText(e))})
		}
		return children, nil
	}
	for _, c := range cutChildren(body) {
		text := c.inner.of(body)
		if root := parseXML(text); root != nil {
			text = []byte(allText(root))
		}
		children = append(children, Child{c.name, tidy(string(text))})
	}
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
	return strings.Join(strings.Fields(string(f.text(t))), " ")
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

// allText joins the text of an element and its descendants, without comments.
func allText(e *etree.Element) string {
	var b strings.Builder
	var add func(*etree.Element)
	add = func(e *etree.Element) {
		for _, token := range e.Child {
			switch token := token.(type) {
			case *etree.CharData:
				b.WriteString(token.Data)
			case *etree.Element:
				add(token)
			}
		}
	}
	add(e)
	return b.String()
}

type cut struct {
	name  string
	inner span
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
		if c, after, ok := cutChild(body, at); ok {
			found = append(found, c)
			at = after
			continue
		}
		if bytes.HasPrefix(body[at:], []byte{'<'}) {
			missing++
		}
		at = lineEnd(body, at)
	}
	return found
}

func cutChild(body []byte, at int) (c cut, after int, ok bool) {
	text, found := bytes.CutPrefix(body[at:], []byte{'<'})
	name := tagName(text)
	if !found || name == "" {
		return cut{}, 0, false
	}
	c.name = strings.ToLower(name)
	tag, ok := startTag(body, at+len("<")+len(name), func(attr) {})
	if !ok {
		return cut{}, 0, false
	}
	inner := tag.end
	if tag.empty {
		c.inner = between(inner, inner)
		return c, inner, true
	}
	for end := inner; ; end += len("</") {
		i := bytes.Index(body[end:], []byte("</"))
		if i < 0 {
			return cut{}, 0, false
		}
		end += i
		if after := end + len("</") + len(c.name); after < len(body) && body[after] == '>' && isName(body[end+len("</"):after], c.name) {
			c.inner = between(inner, end)
			return c, after + 1, true
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
