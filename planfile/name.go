package planfile

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
)

// Name gives what task n is called, on one line: its own <name>, else its name or title attribute, else for a
// checkpoint what was built, decided or is to be done, else the first line of its text. "Task N" is the last resort, also
// out of range. A task has the same name in a plan and in a session, whether it was wrapped there or not.
func (f *File) Name(n int) string {
	number := fmt.Sprintf("Task %d", n)
	t, err := f.Task(n)
	if err != nil {
		return number
	}
	body := f.text(t)
	children := cutChildren(body)
	name := cmp.Or(childText(children, body, "name", oneLine), f.attribute(t, "name"), f.attribute(t, "title"))
	if name == "" && strings.HasPrefix(t.Type, "checkpoint") {
		for _, child := range [...]string{"what-built", "decision", "action"} {
			name = cmp.Or(name, childText(children, body, child, firstLine))
		}
	}
	return cmp.Or(name, firstLine(body), number)
}

// TestFirst reports whether task n is to be done test first, so that tests alone do not make it done: it has the
// attribute tdd="true" or the type tdd, or the plan writes it as a <feature>. It is false out of range.
func (f *File) TestFirst(n int) bool {
	t, err := f.Task(n)
	return err == nil && (f.Dialect == DialectFeature || t.Type == "tdd" || strings.EqualFold(f.attribute(t, "tdd"), "true"))
}

// attribute is the value of an attribute of a task, the last of that name; "" where there is none.
func (f *File) attribute(t Task, name string) (value string) {
	if f.isElement() {
		startTag(f.src, int(t.tag.from)+len("<")+len(f.Dialect), func(a attr) {
			if isName(a.name.of(f.src), name) {
				value = oneLine(a.value.of(f.src))
			}
		})
	}
	return value
}

// childText reads the first child of that name.
func childText(children []cut, body []byte, name string, read func([]byte) string) string {
	for _, c := range children {
		if c.name == name {
			return read(c.inner.of(body))
		}
	}
	return ""
}

// firstLine gives the first line that says something: without heading signs, and not one that is only
// tags or a fence.
func firstLine(text []byte) string {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")) || bytes.HasPrefix(line, []byte("---")) {
			continue
		}
		line = bytes.TrimLeft(line, "#")
		if name := oneLine(withoutTags(line)); name != "" {
			return name
		}
	}
	return ""
}

// withoutTags takes off the tags that a line begins and ends with: "<title>Add x</title>".
func withoutTags(line []byte) []byte {
	for {
		line = bytes.TrimSpace(line)
		inner, found := bytes.CutPrefix(line, []byte{'<'})
		inner = bytes.TrimPrefix(inner, []byte{'/'})
		name := tagName(inner)
		if !found || name == "" {
			break
		}
		tag, ok := startTag(line, len(line)-len(inner)+len(name), func(attr) {})
		if !ok {
			break
		}
		line = line[tag.end:]
	}
	for bytes.HasSuffix(line, []byte(">")) {
		i := bytes.LastIndex(line, []byte("</"))
		if i < 0 || bytes.IndexByte(line[i:], ' ') >= 0 {
			break
		}
		line = bytes.TrimSpace(line[:i])
	}
	return line
}

// longestName is how much of a text is looked at for a name, in bytes; real names have less than 200.
const longestName = 4 << 10

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&")

// oneLine folds white space and reads the entities that XML has.
func oneLine(text []byte) string {
	if len(text) > longestName {
		text = bytes.ToValidUTF8(text[:longestName], nil) // it may be cut within a character
	}
	s := strings.Join(strings.Fields(string(text)), " ")
	return entities.Replace(s)
}
