package planfile

import (
	"bytes"
	"hash/maphash"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// Indistinct returns, for each task, whether its work cannot be distinguished from other work on the plan, so that commits show that it was started and
// never that it is complete. So it is with the whole plan as one task (DialectPlan, also in a session), because what the plan consists of
// is not known, and with a task that has the name and the text of another one. A plan's only element is not of that kind: its author calls
// it a task.
func (f *File) Indistinct() []bool {
	same := make([]bool, len(f.Tasks))
	if len(f.Tasks) < 2 {
		for i := range same {
			same[i] = f.isWhole()
		}
		return same
	}
	first := make(map[uint64]int, len(f.Tasks))
	seed := maphash.MakeSeed()
	for i, t := range f.Tasks {
		sum := maphash.Bytes(seed, f.text(t))
		if was, ok := first[sum]; !ok {
			first[sum] = i
		} else if f.Name(i+1) == f.Name(was+1) {
			same[i], same[was] = true, true
		}
	}
	return same
}

// Inferred reports whether the tasks are headings or items of a list that do not call themselves tasks. Some documents are of that form, too,
// so that a commit completes such a task only if it has words or files of it: their order says nothing.
func (f *File) Inferred() bool { return f.inferred }

// isWhole reports whether the only task is the whole plan. In a session it is wrapped in a tag; so is a
// heading, and an element of the plan's own is elsewhere, or has parts.
func (f *File) isWhole() bool {
	if f.Dialect != DialectTask || !f.HasStatus() {
		return f.Dialect == DialectPlan
	}
	t := f.Tasks[0]
	_, rest, _ := markdown.CutFrontMatter(f.src[f.body:])
	if int(t.tag.from) != len(f.src)-len(rest) || t.Type != "auto" || len(bytes.TrimSpace(f.src[t.end:])) > 0 {
		return false
	}
	body := t.inner.of(f.src)
	for at := 0; at < len(body); at = lineEnd(body, at) {
		if partAt(body, at) != "" {
			return false
		}
	}
	return Parse(body).Dialect != DialectHeading
}
