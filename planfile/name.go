package planfile

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Name gives what task n is called, on one line: its own <name>, else its name or title attribute, else
// for a checkpoint what was built, decided or is to be done, else the first line of its text. "Task N" is the last resort, also out of range. A task has the same name in a
// plan and in a session, whether it was wrapped there or not.
func (f *File) Name(n int) string {
	t, err := f.Task(n)
	if err != nil {
		return fmt.Sprintf("Task %d", n)
	}
	body := f.text(t)
	var attributes [2]string // name, title
	if f.isElement() {
		startTag(f.src, int(t.tag.from), len(f.Dialect), func(a attr) {
			if a.value.from < 0 {
				return
			}
			switch attribute := a.name.of(f.src); {
			case isName(attribute, "name"):
				attributes[0] = oneLine(a.value.of(f.src))
			case isName(attribute, "title"):
				attributes[1] = oneLine(a.value.of(f.src))
			}
		})
	}
	children := cutChildren(body)
	name := childText(children, body, "name", oneLine)
	for _, candidate := range [...]string{attributes[0], attributes[1]} {
		if name == "" {
			name = candidate
		}
	}
	if strings.HasPrefix(t.Type, "checkpoint") {
		for _, child := range [...]string{"what-built", "decision", "action"} {
			if name == "" {
				name = childText(children, body, child, firstLine)
			}
		}
	}
	if name == "" {
		name = firstLine(body)
	}
	if name == "" {
		name = fmt.Sprintf("Task %d", n)
	}
	return name
}

// TestFirst tells whether task n is to be done test first, so that tests alone do not make it done: it has the attribute
// tdd="true" or the type tdd, or the plan writes it as a <feature>. It is false out of range.
func (f *File) TestFirst(n int) bool {
	t, err := f.Task(n)
	if err != nil {
		return false
	}
	first := f.Dialect == DialectFeature || t.Type == "tdd"
	if f.isElement() {
		startTag(f.src, int(t.tag.from), len(f.Dialect), func(a attr) {
			if a.value.from >= 0 && isName(a.name.of(f.src), "tdd") {
				first = first || strings.EqualFold(string(a.value.of(f.src)), "true")
			}
		})
	}
	return first
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
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		line := bytes.TrimSpace(text[at:end])
		at = end
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
		name := 1
		if len(line) > 1 && line[1] == '/' {
			name = 2
		}
		n := name
		for n < len(line) && isNameByte(line[n]) {
			n++
		}
		if len(line) == 0 || line[0] != '<' || n == name {
			break
		}
		tag, ok := startTag(line, name-1, n-name, func(attr) {})
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

// oneLine folds white space and reads the entities that XML has.
func oneLine(text []byte) string {
	if len(text) > longestName {
		end := longestName
		for end > longestName-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	s := strings.Join(strings.Fields(string(text)), " ")
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(s)
}
