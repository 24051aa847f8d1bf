package planfile

import (
	"bytes"
	"fmt"
	"strings"
)

// Name gives what task n is called, on one line: its own <name>, else its name or title attribute or
// <title>, else for a checkpoint what was built, decided or is to be done, else the first line of the
// body, else "Task N". A heading task is called by its heading, a whole plan by its title or
// objective. Out of range it is "Task N" too.
func (f *File) Name(n int) string {
	t, err := f.Task(n)
	if err != nil {
		return fmt.Sprintf("Task %d", n)
	}
	body := t.inner.of(f.src)
	var name string
	switch f.Dialect {
	case DialectHeading:
		name = firstLine(t.tag.of(f.src))
	case DialectPlan:
		name = planName(body)
	default:
		name = f.elementName(t, body)
	}
	if name == "" {
		return fmt.Sprintf("Task %d", n)
	}
	return name
}

func (f *File) elementName(t Task, body []byte) string {
	children := cutChildren(body)
	child := func(name string) []byte {
		for _, c := range children {
			if c.name == name {
				return c.inner.of(body)
			}
		}
		return nil
	}
	attribute := func(name string) (value string) {
		startTag(f.src, int(t.tag.from), len(f.Dialect), func(a attr) {
			if value == "" && a.value.from >= 0 && string(a.name.of(f.src)) == name {
				value = oneLine(a.value.of(f.src))
			}
		})
		return value
	}
	candidates := []func() string{
		func() string { return oneLine(child("name")) },
		func() string { return attribute("name") },
		func() string { return attribute("title") },
		func() string { return oneLine(child("title")) },
	}
	if strings.HasPrefix(t.Type, "checkpoint") {
		for _, name := range []string{"what-built", "decision", "action"} {
			candidates = append(candidates, func() string { return firstLine(child(name)) })
		}
	}
	candidates = append(candidates, func() string { return firstLine(body) })
	for _, candidate := range candidates {
		if name := candidate(); name != "" {
			return name
		}
	}
	return ""
}

// planName is the plan's first heading, else the first line of its objective, else of its text.
func planName(body []byte) string {
	for at := 0; at < len(body); {
		end := lineEnd(body, at)
		if line := body[at:end]; line[0] == '#' {
			if name := firstLine(line); name != "" {
				return name
			}
		}
		at = end
	}
	for _, c := range cutChildren(body) {
		if c.name == "objective" {
			return firstLine(c.inner.of(body))
		}
	}
	return firstLine(body)
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
	if i := bytes.LastIndex(line, []byte("</")); i >= 0 && bytes.HasSuffix(line, []byte(">")) && bytes.IndexByte(line[i:], ' ') < 0 {
		return withoutTags(line[:i])
	}
	return line
}

// oneLine folds white space and reads the entities that XML has.
func oneLine(text []byte) string {
	s := strings.Join(strings.Fields(string(text)), " ")
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(s)
}
