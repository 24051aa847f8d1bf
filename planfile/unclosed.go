package planfile

import (
	"bytes"
	"fmt"
)

// parts are the elements of a task that every planner writes on lines of their own.
var parts = [...]string{"name", "files", "read_first", "action", "verify", "acceptance_criteria", "done"}

// maxUnclosed is how many unclosed parts are returned: counting their lines takes time for each.
const maxUnclosed = 50

// UnclosedParts returns the parts of tasks that begin a line and have no end tag before the end of their task. Their code is
// part-unclosed. One of 994 real plans has such a part, and it is a mistake. A part has no attributes and lower case, as it is
// in the plans' template: <Files className="x"> is code.
func (f *File) UnclosedParts() []Problem {
	if f.Dialect != DialectTask {
		return nil
	}
	var found []Problem
	for _, t := range f.Tasks {
		body := t.inner.of(f.src)
		lastEnd := map[string]int{}
		for _, name := range parts {
			lastEnd[name] = bytes.LastIndex(body, []byte("</"+name+">"))
		}
		for at := 0; at < len(body) && len(found) < maxUnclosed; at = lineEnd(body, at) {
			name := partAt(body, at)
			if name == "" || lastEnd[name] > at {
				continue
			}
			start := int(t.inner.from) + at
			end := t.inner.to
			for next := lineEnd(body, at); next < len(body); next = lineEnd(body, next) {
				if partAt(body, next) != "" {
					end = t.inner.from + offset(next)
					break
				}
			}
			found = append(found, Problem{
				Code: "part-unclosed", Line: f.lineIn(t, start), Task: t.Number, Tag: name, End: f.lastLine(t, start, int(end)),
				Detail: fmt.Sprintf("task %d: <%s> has no </%s>", t.Number, name, name),
			})
		}
	}
	return found
}

// partAt returns the name of the part whose start tag begins the line at offset at, "" for none.
func partAt(body []byte, at int) string {
	line := body[skip(body, at, " \t"):]
	for _, name := range parts {
		if bytes.HasPrefix(line, []byte("<"+name+">")) {
			return name
		}
	}
	return ""
}

// taskEnd returns the line at whose end an unclosed task should be closed: the last line that ends with a part's end tag, else
// the last one of the task.
func (f *File) taskEnd(t Task) int {
	body := t.inner.of(f.src)
	if i := bytes.Index(body, []byte("</tasks>")); i >= 0 {
		body = body[:i]
	}
	last := -1
	for _, name := range parts {
		last = max(last, bytes.LastIndex(body, []byte("</"+name+">")))
	}
	if last >= 0 {
		return f.lineIn(t, int(t.inner.from)+last)
	}
	return f.lastLine(t, int(t.tag.from), int(t.inner.from)+len(body))
}

// lastLine returns the line of the last text between two offsets in a task.
func (f *File) lastLine(t Task, from, to int) int {
	return f.lineIn(t, from+len(bytes.TrimRight(f.src[from:to], space)))
}

// lineIn returns the line of an offset in a task.
func (f *File) lineIn(t Task, at int) int {
	return t.Line + bytes.Count(f.src[t.tag.from:at], []byte{'\n'})
}
