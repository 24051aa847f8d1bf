package planfile

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Name returns the name of task n on one line: its <name>, else its name or title attribute, else for a checkpoint its
// <what-built>, <decision> or <action>, else the first line of its text. It returns "Task N" if all of them are empty
// or n is out of range. A task has the same name in a plan and in a session, even if it is wrapped in tags there.
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

// SplitLabel splits a task's name into the label that most names begin with and the rest: "3" and "Add x" of "Task 3: Add x",
// "2.1" and "Add x" of "Task 2.1 — Add x", "T-01" and "Add x" of "T-01: Add x", "2" and "[BLOCKING]: Add x" of "Task 2 [BLOCKING]: Add x",
// "3" and "" of "Task 3". Labels are texts: plans have 1.1, 2a and P1.2 as well. It returns "" and the whole name if there is no label.
// Without the word task before it, a label has a digit, and more than digits, because many names begin with a number that counts something.
func SplitLabel(name string) (label, rest string) {
	const task = "task "
	after, led := name, len(name) >= len(task) && strings.EqualFold(name[:len(task)], task)
	if led {
		after = strings.TrimLeft(name[len(task):], " ")
	}
	label, rest = planref.CutLabel(after)
	if digits := strings.Trim(label, "0123456789"); label == "" || !led && (digits == "" || digits == label && len(label) == 1) {
		return "", name
	}
	switch separator := strings.TrimLeft(rest, " "); {
	case separator == "":
		if led {
			return label, ""
		}
	case separator[0] == ':':
		return label, strings.TrimSpace(separator[1:])
	case led && strings.ContainsRune("[(", rune(separator[0])):
		return label, separator
	default:
		for _, mark := range [...]string{". ", ") ", "- ", "– ", "— "} {
			if text, found := strings.CutPrefix(separator, mark); found {
				return label, strings.TrimSpace(text)
			}
		}
	}
	return "", name
}

// Title returns the name of task n as it is shown next to the task's number: without a number of its own that is another,
// which could be taken for that of another task. Inserted tasks and checkpoints shift them.
func (f *File) Title(n int) string {
	name := f.Name(n)
	switch label, rest := SplitLabel(name); {
	case !isOther(label, n):
		return name
	case rest == "":
		return fmt.Sprintf("Task %d", n)
	default:
		return rest
	}
}

// isOther reports whether a label is a number, and not n.
func isOther(label string, n int) bool {
	number, err := strconv.Atoi(label)
	return err == nil && number != n
}

// TestFirst reports whether task n is test-driven, so that committing tests alone does not complete it: it has the
// attribute tdd="true" or the type tdd, or is a <feature>. It returns false if n is out of range.
func (f *File) TestFirst(n int) bool {
	t, err := f.Task(n)
	return err == nil && (f.Dialect == DialectFeature || t.Type == "tdd" || strings.EqualFold(f.attribute(t, "tdd"), "true"))
}

// Tracker returns the attribute tracker-id of task n, on one line: upstream takes the task's text from there, if it can (gsd-core,
// lib/task-content-resolution.cjs). It is empty if there is none, or for a checkpoint, whose text is always the plan's.
func (f *File) Tracker(n int) string {
	t, err := f.Task(n)
	if err != nil || len(t.Type) >= len("checkpoint") && strings.EqualFold(t.Type[:len("checkpoint")], "checkpoint") {
		return ""
	}
	return f.attribute(t, "tracker-id")
}

// attribute returns the value of the last attribute of that name in a task's tag, or "".
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

// childText returns what read makes of the first child of that name, or "".
func childText(children []cut, body []byte, name string, read func([]byte) string) string {
	for _, c := range children {
		if c.name == name {
			return read(c.inner.of(body))
		}
	}
	return ""
}

// firstLine returns the first line with text of its own, without heading signs, bullet and check box; fences and lines of tags are skipped.
func firstLine(text []byte) string {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")) || bytes.HasPrefix(line, []byte("---")) {
			continue
		}
		line = withoutBox(bytes.TrimLeft(line, "#"))
		if name := oneLine(withoutTags(line)); name != "" {
			return name
		}
	}
	return ""
}

// withoutTags removes the tags at both ends of a line: "<title>Add x</title>".
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

// maxName is the length in bytes at which a name is cut off; real names have less than 200.
const maxName = 4 << 10

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&")

// oneLine folds white space and decodes the entities of XML.
func oneLine(text []byte) string {
	if len(text) > maxName {
		text = bytes.ToValidUTF8(text[:maxName], nil) // the cut may split a character
	}
	s := strings.Join(strings.Fields(string(text)), " ")
	return entities.Replace(s)
}
