package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Status is the progress of a task, as written in current-plan.md.
type Status string

// The valid statuses.
const (
	Pending    Status = "pending"
	InProgress Status = "in-progress"
	Complete   Status = "complete"
	Skipped    Status = "skipped" // a person has decided that the task is not to be done
)

// Known reports whether s is one of the valid statuses; a file may hold anything.
func (s Status) Known() bool { return s == Pending || s == InProgress || s.Settled() }

// Settled reports whether nothing is left to do: the task is complete, or it was skipped.
func (s Status) Settled() bool { return s == Complete || s == Skipped }

// Rank orders statuses by progress: pending, in-progress, skipped, complete. What was done counts for more than what was skipped, and that
// for more than what nobody has finished. It is -1 for any other text.
func (s Status) Rank() int {
	return slices.Index([]Status{Pending, InProgress, Skipped, Complete}, s)
}

// ParseStatus parses a status as a person or an agent may write it, in any case.
func ParseStatus(word string) (Status, error) {
	switch strings.ToLower(word) {
	case "complete", "completed", "done":
		return Complete, nil
	case "in-progress", "in_progress", "started":
		return InProgress, nil
	case "pending", "todo":
		return Pending, nil
	case "skipped", "skip":
		return Skipped, nil
	}
	return "", fmt.Errorf("%w: %q", ErrStatus, word)
}

// ErrStatus is returned for a status that is not one of the valid ones.
var ErrStatus = errors.New("no such status")

// check returns ErrStatus for any text but a valid status: in a tag it could be taken for another attribute.
func (s Status) check() error {
	if !s.Known() {
		return fmt.Errorf("%w: %q", ErrStatus, string(s))
	}
	return nil
}

// ErrTask is returned for the number of a task that does not exist.
var ErrTask = errors.New("no task")

// Count returns how many tasks have the status s.
func (f *File) Count(s Status) (n int) {
	for i := range f.Tasks {
		if f.Tasks[i].Status == s {
			n++
		}
	}
	return n
}

// ErrDuplicateStatus is returned for a tag with two status attributes: gsd cannot know which one is right.
var ErrDuplicateStatus = errors.New("the task has more than one status attribute")

// ErrOpenQuote is returned for a tag with an unclosed quote in which a new status would be misread.
var ErrOpenQuote = errors.New("a quote in the task's tag is not closed")

// SetStatus returns nil chunks, not those of the file, if all of the numbered tasks already have the status s: then the file stays as it is,
// and a caller who wrote them would empty it. Else it returns the file with the status of those tasks set to s, as chunks to be written one
// after the other, so that the bytes of a large file are not copied. It fails with ErrStatus, ErrTask, ErrDuplicateStatus or ErrOpenQuote,
// and if a task is not an element. f is not changed.
func (f *File) SetStatus(s Status, numbers ...int) ([][]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if !slices.IsSorted(numbers) {
		numbers = slices.Sorted(slices.Values(numbers))
	}
	var chunks [][]byte
	at := offset(0)
	broken := 0 // the line of a tag with an unclosed quote
	for i, n := range numbers {
		t, err := f.Task(n)
		switch {
		case err != nil:
			return nil, err
		case f.recorded:
			return nil, errors.New("planfile: SetStatus after Record")
		case !f.isElement():
			return nil, fmt.Errorf("line %d: the task is not a <task> element, so it cannot have a status", t.Line)
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

// SetStatuses returns a session with other statuses, by the numbers of tasks; f itself if they have those. It fails as SetStatus does. f is not
// changed.
func (f *File) SetStatuses(statuses map[int]Status) (*File, error) {
	numbers := map[Status][]int{}
	for n, s := range statuses {
		numbers[s] = append(numbers[s], n)
	}
	for _, s := range slices.Sorted(maps.Keys(numbers)) {
		chunks, err := f.SetStatus(s, numbers[s]...)
		if err != nil {
			return nil, err
		}
		if chunks != nil {
			f = ParseSession(slices.Concat(chunks...))
		}
	}
	return f, nil
}

// Record sets the status of task n to s once the chunks of SetStatus are on disk, so that a large file need not be
// parsed again. From then on f is read-only: Bytes still returns the bytes that were parsed, and SetStatus fails,
// because it would splice into those. It fails with ErrStatus or ErrTask, and f stays as it is.
func (f *File) Record(n int, s Status) error {
	if _, err := f.Task(n); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	f.Tasks[n-1].Status, f.Tasks[n-1].statuses = s, 1
	f.recorded = true
	return nil
}

// With returns the file as it would be with other statuses, by the numbers of tasks, for those who only read it: Bytes still returns the
// bytes of f, and SetStatus fails.
func (f *File) With(statuses map[int]Status) *File {
	other := *f
	other.Tasks, other.recorded = slices.Clone(f.Tasks), true
	for n, s := range statuses {
		other.Tasks[n-1].Status = s
	}
	return &other
}

// statusEdit returns the bytes to replace, and their replacement, to give the tag the status s: the value of the
// existing attribute, else a new attribute right after the type. In a tag with an unclosed quote the new value is not
// quoted, because its quotes would pair with that one.
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
