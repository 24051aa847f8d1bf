package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Status is how far a task is, as current-plan.md writes it.
type Status string

// The three statuses that there are.
const (
	Pending    Status = "pending"
	InProgress Status = "in-progress"
	Complete   Status = "complete"
)

// Known reports whether s is one of the three; a file may hold anything.
func (s Status) Known() bool { return s == Pending || s == InProgress || s == Complete }

// ParseStatus reads what a person or an agent calls a status, in any case.
func ParseStatus(word string) (Status, error) {
	switch strings.ToLower(word) {
	case "complete", "completed", "done":
		return Complete, nil
	case "in-progress", "in_progress", "started":
		return InProgress, nil
	case "pending", "todo":
		return Pending, nil
	}
	return "", fmt.Errorf("no such status: %q", word)
}

// ErrDuplicateStatus is returned for a tag with two status attributes: which one counts is not ours
// to decide.
var ErrDuplicateStatus = errors.New("the task has more than one status attribute")

// ErrOpenQuote is returned for a tag in which a quote is not closed, so that what is written into it would be read
// otherwise.
var ErrOpenQuote = errors.New("a quote in the task's tag is not closed")

// SetStatus gives the file with the status of some tasks, in any order, set to s, as chunks to be written one after
// the other: the file's own bytes are not copied, however large it is. It returns nil where they have that status
// already. It fails for a task that is not there or is no element, and with ErrDuplicateStatus and ErrOpenQuote;
// then nothing is set.
func (f *File) SetStatus(s Status, numbers ...int) ([][]byte, error) {
	if !slices.IsSorted(numbers) {
		numbers = slices.Sorted(slices.Values(numbers))
	}
	var chunks [][]byte
	at := offset(0)
	broken := 0 // the line of a tag with a quote that is not closed
	for i, n := range numbers {
		t, err := f.Task(n)
		switch {
		case err != nil:
			return nil, err
		case f.recorded:
			return nil, errors.New("planfile: SetStatus after Record")
		case !f.isElement():
			return nil, fmt.Errorf("line %d: the task is no <task> element, and has no place for a status", t.Line)
		case t.statuses > 1:
			return nil, fmt.Errorf("line %d: %w", t.Line, ErrDuplicateStatus)
		case t.Status == s, i > 0 && n == numbers[i-1]:
			continue
		}
		if t.broken {
			broken = t.Line
		}
		where, text := t.statusEdit(s)
		chunks = append(chunks, f.src[at:where.from], []byte(text))
		at = where.to
	}
	if chunks == nil {
		return nil, nil
	}
	chunks = append(chunks, f.src[at:])
	if broken > 0 {
		changed := Parse(bytes.Join(chunks, nil))
		other := func(n int) bool { return changed.Tasks[n-1].Status != s }
		if len(changed.Tasks) != len(f.Tasks) || slices.ContainsFunc(numbers, other) {
			return nil, fmt.Errorf("line %d: %w", broken, ErrOpenQuote)
		}
	}
	return chunks, nil
}

// Record notes that task n has the status s now, once the chunks of SetStatus are on disk, so that a large
// file need not be parsed again. From then on f is for looking at: Bytes goes on giving what was parsed, and
// SetStatus refuses, because it would splice into that.
func (f *File) Record(n int, s Status) {
	f.Tasks[n-1].Status, f.Tasks[n-1].statuses = s, 1
	f.recorded = true
}

// statusEdit gives the bytes to replace, and with what, so that the tag says s: the value of the status that
// is there, else a new attribute right after the type. In a tag with a quote that is not closed the new one
// goes without quotes, which would pair with it.
func (t Task) statusEdit(s Status) (span, string) {
	text := `"` + string(s) + `"`
	if t.broken {
		text = string(s)
	}
	switch {
	case t.statuses == 0:
		return span{t.typeEnd, t.typeEnd}, " status=" + text
	case !t.status.hasValue(): // an attribute without a value
		return span{t.status.name.to, t.status.name.to}, "=" + text
	}
	return t.status.value, string(s)
}
