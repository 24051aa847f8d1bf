package planfile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/beevik/etree"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// Child is what is directly below a task: an element such as files, action, verify or done, or text between elements. An element
// that consists of others is one child for each of them, whatever they are called; so are all 2,500 in 33 real projects.
type Child struct {
	Name string `json:"name" empty:"null"` // the element's name in lower case; null for text between elements
	// Part is the element in it that the text is from, such as automated in a verify: its name in lower case, with its
	// attributes; for one that is deeper, those around it come first.
	Part string `json:"part,omitempty"`
	// Text is trimmed, and without the lines' common indentation. Elements in it have text before them or on their line, so
	// they are usually code, and are kept as they are written.
	Text string `json:"text"`
}

// Label is what a child is called: "verify, automated".
func (c Child) Label() string {
	return strings.TrimPrefix(strings.TrimSuffix(c.Name+", "+c.Part, ", "), ", ")
}

// Children returns what is directly below task n, in document order: nothing of its text is left out but comments and white
// space. Few bodies are well-formed XML ("if a < b"), so elements are cut out by their tags; a text is read as XML if it is
// well-formed by itself.
func (f *File) Children(n int) ([]Child, error) {
	t, err := f.Task(n)
	if err != nil {
		return nil, err
	}
	var all children
	all.split(t.inner.of(f.src), Child{}, 0)
	return all.joined(), nil
}

// children is what was cut out of a task.
type children []Child

// maxDepth is how many elements around a text are named. Real texts have up to three: options, option, pros.
const maxDepth = 5

// split adds the elements of a text, and the texts between them. in names the elements around it, of which there are depth.
func (all *children) split(text []byte, in Child, depth int) {
	add := func(between []byte) {
		if in.Text = plainText(between); in.Text != "" {
			*all = append(*all, in)
		}
	}
	end := offset(0)
	for _, c := range cutChildren(text) {
		add(text[end:c.from])
		end = c.to
		element, inner := c.within(text, in), c.inner.of(text)
		if depth+1 < maxDepth && hasParts(inner) {
			all.split(inner, element, depth+1)
			continue
		}
		element.Text = plainText(inner)
		*all = append(*all, element)
	}
	add(text[end:])
}

// within returns the child that an element is, given the child around it.
func (c cut) within(text []byte, in Child) Child {
	if in.Name == "" {
		return Child{Name: c.name}
	}
	part := strings.TrimSpace(c.name + " " + oneLine(c.attributes.of(text)))
	if in.Part != "" {
		part = in.Part + ", " + part
	}
	return Child{Name: in.Name, Part: part}
}

// hasParts reports whether an element consists of others: one comes first, and nothing else is on the line where it ends. All
// real ones are like that, while code has prose before it, or is in the middle of a line.
func hasParts(inner []byte) bool {
	first, ok := cutChild(inner, skipBlank(inner, 0))
	if !ok {
		return false
	}
	after := skip(inner, int(first.to), " \t\r")
	return after == len(inner) || inner[after] == '\n' || inner[after] == '<'
}

// joined returns the children with those that follow each other under the same label as one: a list of files, or of criteria.
func (all children) joined() []Child {
	var joined []Child
	for len(all) > 0 {
		same := 1
		for same < len(all) && all[0].Part != "" && all[same].Name == all[0].Name && all[same].Part == all[0].Part {
			same++
		}
		texts := make([]string, same)
		for i, c := range all[:same] {
			texts[i] = c.Text
		}
		joined = append(joined, Child{all[0].Name, all[0].Part, strings.Join(texts, "\n")})
		all = all[same:]
	}
	return joined
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

// plainText returns the text of a part of a plan that has no children: without comments and entities if it is well-formed XML.
func plainText(text []byte) string {
	root := parseXML(text)
	if root == nil {
		return tidy(string(text))
	}
	var b strings.Builder
	var add func(*etree.Element)
	add = func(e *etree.Element) {
		for _, token := range e.Child {
			switch token := token.(type) {
			case *etree.CharData:
				b.WriteString(token.Data)
			case *etree.Element:
				opening, closing := tags(token)
				b.WriteString(opening)
				add(token)
				b.WriteString(closing)
			}
		}
	}
	add(root)
	return tidy(b.String())
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
	name       string
	attributes span // of the start tag
	inner      span // between its tags
	span            // with its tags
}

// cutChildren finds elements by their tags: from a start tag at the start of a line, or right after the previous
// element, to its first end tag. Content is skipped, so that an <option>'s <name> is not taken for the task's, and so are
// comments and fenced code. A start tag without an end tag is ignored.
func cutChildren(body []byte) []cut {
	// Each search for a missing end scans the rest of the body, so after this many the rest is taken as prose.
	const maxMissing = 64
	const maxStray = 4       // fences; after that many, none opens a block of code
	const maxChildren = 1000 // real tasks have ten
	var found []cut
	missing, stray := 0, 0
	for at := 0; at < len(body) && missing < maxMissing && len(found) < maxChildren; {
		at = skipBlank(body, at)
		if c, ok := cutChild(body, at); ok {
			found = append(found, c)
			at = int(c.to)
			continue
		}
		if bytes.HasPrefix(body[at:], []byte{'<'}) {
			missing++
		}
		line := body[at:lineEnd(body, at)]
		at += len(line)
		if fence, ok := markdown.ParseFence(line); ok && stray < maxStray {
			if at, ok = codeEnd(body, at, fence); !ok {
				stray++
			}
		}
	}
	return found
}

// skipBlank returns the offset of the first byte from at on that is neither white space nor in a comment.
func skipBlank(body []byte, at int) int {
	for {
		at = skip(body, at, space)
		if !bytes.HasPrefix(body[at:], []byte("<!--")) {
			return at
		}
		end := bytes.Index(body[at:], []byte("-->"))
		if end < 0 {
			return at
		}
		at += end + len("-->")
	}
}

// codeEnd returns the offset after the block of code that a fence opens on the line before at. If a part of the task begins
// first, the fence is a stray one: then codeEnd returns at and false.
func codeEnd(body []byte, at int, opening markdown.Fence) (end int, ok bool) {
	for line := at; line < len(body) && partAt(body, line) == ""; {
		text := body[skip(body, line, " \t"):]
		line = lineEnd(body, line)
		if fence, ok := markdown.ParseFence(text[:lineEnd(text, 0)]); ok && fence.Closes(opening) {
			return line, true
		}
	}
	return at, false
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
	c.attributes = between(at+len("<")+len(name), at+len(bytes.TrimRight(body[at:inner], "/>")))
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
		name := end + len("</")
		if after := name + len(c.name); after < len(body) && isName(body[name:after], c.name) {
			if after = skip(body, after, space); after < len(body) && body[after] == '>' {
				c.inner, c.span = between(inner, end), between(at, after+1)
				return c, true
			}
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
