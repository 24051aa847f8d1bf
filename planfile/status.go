package planfile

import (
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

// Known tells whether s is one of the three; a file may hold anything.
func (s Status) Known() bool { return s == Pending || s == InProgress || s == Complete }

// ErrStatus is returned by ParseStatus for a word that is no status.
var ErrStatus = errors.New("no such status")

// ParseStatus reads what a person or an agent calls a status; the aliases are those of docs/design.md.
func ParseStatus(word string) (Status, error) {
	switch strings.ToLower(word) {
	case "complete", "completed", "done":
		return Complete, nil
	case "in-progress", "in_progress", "started":
		return InProgress, nil
	case "pending", "todo":
		return Pending, nil
	}
	return "", fmt.Errorf("%w: %q", ErrStatus, word)
}

// ErrDuplicateStatus is returned for a tag with two status attributes: which one counts is not ours
// to decide.
var ErrDuplicateStatus = errors.New("the task has more than one status attribute")

// ErrNoElement is returned for a task that is no element and so has nowhere to keep a status.
var ErrNoElement = errors.New("the task is no <task> element")

var errRecorded = errors.New("planfile: SetStatus after Record")

// SetStatus gives the file with the status of task n set to s, as chunks to be written one after the
// other: two of them are the file's own bytes, so a large file is not copied. It returns nil where
// that is the status already. The errors are *NoTaskError, ErrNoElement and ErrDuplicateStatus.
func (f *File) SetStatus(n int, s Status) ([][]byte, error) { return f.SetStatuses([]int{n}, s) }

// SetStatuses is SetStatus for several tasks, in any order: what comes out is what setting one after the
// other gives, and costs one pass. With an error nothing is set.
func (f *File) SetStatuses(numbers []int, s Status) ([][]byte, error) {
	if !slices.IsSorted(numbers) {
		numbers = slices.Sorted(slices.Values(numbers))
	}
	var chunks [][]byte
	at := offset(0)
	for i, n := range numbers {
		t, err := f.Task(n)
		switch {
		case err != nil:
			return nil, err
		case f.recorded:
			return nil, errRecorded
		case !f.isElement():
			return nil, fmt.Errorf("line %d: %w", t.Line, ErrNoElement)
		case t.statuses > 1:
			return nil, fmt.Errorf("line %d: %w", t.Line, ErrDuplicateStatus)
		case t.Status == s, i > 0 && n == numbers[i-1]:
			continue
		}
		where, text := f.statusEdit(t, s)
		chunks = append(chunks, f.src[at:where.from], []byte(text))
		at = where.to
	}
	if chunks == nil {
		return nil, nil
	}
	return append(chunks, f.src[at:]), nil
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
func (f *File) statusEdit(t Task, s Status) (span, string) {
	quoted := func(at offset) string {
		if t.broken {
			return string(s) + f.gap(at)
		}
		return `"` + string(s) + `"`
	}
	switch {
	case t.statuses == 0:
		return span{t.typeEnd, t.typeEnd}, " status=" + quoted(t.typeEnd)
	case t.status.value.from < 0: // an attribute without a value
		return span{t.status.name.to, t.status.name.to}, "=" + quoted(t.status.name.to)
	}
	return t.status.value, string(s)
}

// gap is a blank where what stands in a tag at that offset, a slip such as a lone quote, would become part of a
// value without quotes that is put before it; else "".
func (f *File) gap(at offset) string {
	if c := f.src[at]; isSpace(c) || c == '>' {
		return ""
	}
	return " "
}
