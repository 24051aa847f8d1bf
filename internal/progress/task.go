// Package progress decides how far a plan is. It recognises the tasks of one version of a plan in another (Place), tells which statuses
// of a session file somebody has set, and when (Stamped), and merges what several sources say of a plan (Of). It is pure.
package progress

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/gsd-cli/gsd/planfile"
)

// A Task is the state of one task of a plan: in a record that is stored, as in every answer. planfile.Task has its text.
type Task struct {
	Number int             `json:"number"` // counted from 1, in the order of the plan
	Name   string          `json:"name"`   // what the task is called, on one line
	Status planfile.Status `json:"status"`
	// Set is when somebody set the status, in UTC. It is zero if nobody did: the task is pending since the session began, or commits or
	// the plan's own words say otherwise.
	Set time.Time `json:"set,omitzero"`
	// Guessed means that nobody knows when: there is no record of the session, and Set is its file's time.
	Guessed bool `json:"guessed,omitempty" answer:"-"`
	// Head is the commit that HEAD was at then, or when commits said so, as a hash; empty for unknown.
	Head string `json:"head,omitempty"`
	// Commits are the IDs of the commits that show the status, the oldest first, where nobody has set it: none for a checkpoint that later
	// tasks have passed. Those of any other task seem to have started it, or to have carried it out since it was set.
	Commits []string `json:"commits,omitzero"`
	// Word is what the plan itself says of the task, as it is written there, where nobody has set the status and no commit certainly shows it.
	// The status is what it means; a word that is unclear means nothing.
	Word  string    `json:"word,omitempty"`
	Run   string    `json:"run,omitempty"`  // the id of the run that marked it last; empty for unknown
	Began time.Time `json:"began,omitzero"` // when work on it began, in UTC; zero for unknown
	Ended time.Time `json:"ended,omitzero"` // and when it ended

	From     int             `json:"from,omitempty"`     // the task's number in the session that the status is from
	Changed  bool            `json:"changed,omitempty"`  // the task has another name or text than there: check that the status is still true
	Why      Mismatch        `json:"why,omitempty"`      // why no task of the plan took the status; Number is that of the other session then
	Previous planfile.Status `json:"previous,omitempty"` // what it was before a command changed it: a status, any other text, or nothing

	// Branch is the other branch on which it was set, to Previous: that does not count here before the branch is merged.
	Branch string `json:"branch,omitempty"`

	Key    string `json:"-"`                           // the name without its number, by which it is recognised in another version of the plan
	Digest string `json:"digest,omitempty" answer:"-"` // a hash of the rest of it, for the same; empty if that is unknown or says nothing
}

// Shown reports whether the status is what commits show, or the plan itself says, because nobody has set one.
func (t *Task) Shown() bool {
	return t.Set.IsZero() && (t.Commits != nil || t.Word != "") && Worked(t.Status)
}

// IsUnclear reports whether the plan itself says of the task what means no status.
func (t *Task) IsUnclear() bool { return t.Word != "" && !Worked(t.Status) }

// Seems reports whether there are commits that seem to have started the task, or to have carried it out since its status was set: its
// worker may know.
func (t *Task) Seems() bool { return len(t.Commits) > 0 && !t.Shown() }

// Count is how many tasks have a status.
func Count(tasks []Task, status planfile.Status) (n int) {
	for i := range tasks {
		if tasks[i].Status == status {
			n++
		}
	}
	return n
}

// ShownBy returns the IDs of the commits that completed tasks, in the order of the tasks, each once.
func ShownBy(tasks []Task) (ids []string) {
	for i := range tasks {
		for _, id := range tasks[i].Commits {
			if tasks[i].Status == planfile.Complete && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Worked reports whether a status says that somebody has worked on the task, or has skipped it.
func Worked(s planfile.Status) bool { return s == planfile.InProgress || s.Settled() }

// Advances reports whether a change of status is progress.
func Advances(from, to planfile.Status) bool { return from.Rank() >= 0 && from.Rank() < to.Rank() }

// Describe returns the tasks of a plan or a session as the file has them.
func Describe(f *planfile.File) []Task {
	all := make([]Task, len(f.Tasks))
	for i, t := range f.Tasks {
		name := f.Title(t.Number)
		text := strings.Replace(f.Body(t.Number), f.Name(t.Number), "", 1) // another name does not make another text
		if saysAnything(text) {
			sum := sha256.Sum256([]byte(text))
			text = hex.EncodeToString(sum[:8])
		} else {
			text = ""
		}
		all[i] = Task{Number: t.Number, Name: name, Key: BareName(name), Digest: text, Status: t.Status}
	}
	return all
}

// Numbered returns the tasks of a record that was stored, with their numbers and keys.
func Numbered(stored []Task) []Task {
	all := slices.Clone(stored)
	for i := range all {
		all[i].Number, all[i].Key = i+1, BareName(all[i].Name)
	}
	return all
}

// Stamped adds to the tasks of a session file when they were set. record is what gsd stored of the session after it last wrote the file; it
// may be empty. Where the file differs from it, or there is none, somebody else wrote the file, at the time changed: a person, another
// program, or gsd before it was killed; edited has the indexes of these tasks. A file's time stands for nothing else.
func Stamped(tasks, record []Task, changed time.Time) (edited map[int]bool) {
	edited = map[int]bool{}
	for i := range tasks {
		t := &tasks[i]
		if i < len(record) && record[i].Name == t.Name {
			was := &record[i]
			t.Run, t.Began, t.Ended = was.Run, was.Began, was.Ended
			if t.Set, t.Head, t.Guessed = was.Set, was.Head, was.Guessed; was.Status != t.Status {
				t.Set, t.Head, t.Guessed, edited[i] = After(changed, was.Set), "", false, true
			} else if t.Set.IsZero() {
				t.Word = was.Word
			}
		} else if Worked(t.Status) {
			t.Set, t.Guessed, edited[i] = changed.UTC(), len(record) == 0, true
		}
	}
	return edited
}

// Known returns when a task was set, for a comparison with what other clones say: one of which that is not known is earlier than everything that
// somebody is known to have set, since a file's time is new where a directory was copied. Among themselves, files' times decide.
func (t *Task) Known() time.Time {
	if !t.Guessed || t.Set.Before(guesses.Add(time.Hour)) {
		return t.Set
	}
	return guesses.Add(time.Duration(t.Set.UnixMilli()))
}

var guesses = time.Unix(1, 0).UTC()

// After returns the time of a change that was made after another one, whatever the clock says.
func After(now, was time.Time) time.Time {
	if now = now.UTC(); !now.After(was) {
		return was.Add(1)
	}
	return now
}

// saysAnything reports whether there are words in a text besides its tags.
func saysAnything(text string) bool {
	inTag := false
	return strings.ContainsFunc(text, func(r rune) bool {
		inTag = r == '<' || inTag && r != '>'
		return !inTag && (unicode.IsLetter(r) || unicode.IsDigit(r))
	})
}

// subjectForm matches a task's name: a plan's ID, a task's number, and the rest. The names of most tasks begin with "Task 2:".
var subjectForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:([0-9][0-9A-Za-z.]*-[0-9]+)(?:[\s:,]+|$))?(?:(?:T|Task\s+)([0-9]{1,6})(?:\s*[:.)–—-]\s*|\s+|$))?(.*)$`)
})

// BareName returns a task's name without the number that most names begin with.
func BareName(name string) string {
	m := subjectForm().FindStringSubmatch(strings.Join(strings.Fields(name), " "))
	if m == nil || m[3] == "" {
		return name
	}
	return m[3]
}
