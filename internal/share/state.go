package share

import (
	"cmp"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// A Session is a session in a worktree of a clone, as it is shared. Zero fields are absent.
type Session struct {
	Plan     string    `json:"-"` // its path below .planning/, which is the file's
	Worktree string    `json:"worktree"`
	Started  time.Time `json:"started,omitzero"` // whole seconds, UTC
	Ended    time.Time `json:"ended,omitzero"`   // zero while there is a session
	Changed  time.Time `json:"changed,omitzero"` // the file's
	Seen     time.Time `json:"seen,omitzero"`    // when the clone last synced, to a day
	Digest   string    `json:"digest,omitempty"` // of the plan, as in the session's header
	Blob     string    `json:"blob,omitempty"`   // the plan as an object of git
	Machine  string    `json:"machine,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	Head     string    `json:"head,omitempty"`  // the commit that HEAD is at
	Tasks    []Task    `json:"tasks,omitempty"` // in the order of the plan
}

// A Task is a task of a session, as it is shared.
type Task struct {
	ID     string          `json:"id"`
	Status planfile.Status `json:"status"`
	Set    time.Time       `json:"set,omitzero"`   // when somebody set the status; zero if nobody did
	Head   string          `json:"head,omitempty"` // the commit that HEAD was at then, in hex; empty for unknown
	By     string          `json:"by,omitempty"`   // the worktree in which it was set; empty for the session's
}

// Bounds. What is in them fits into one file of a plan.
const (
	MaxPlans  = 2048
	MaxTasks  = 2000
	MaxPlaces = 64       // sessions on a plan
	MaxFile   = 4 << 20  // bytes
	MaxState  = 16 << 20 // bytes of all files
)

// How long what ended is kept, and a clone that does not sync.
const (
	Keep     = 30 * 24 * time.Hour
	seenEach = 24 * time.Hour
)

// endOfTime is when times are those of no clock.
var endOfTime = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// valid returns t in UTC; a time that no clock shows is none.
func valid(t time.Time) time.Time {
	if t.Unix() <= 0 || !t.Before(endOfTime) {
		return time.Time{}
	}
	return t.UTC().Round(0)
}

// wholeSecond returns t as a header has it.
func wholeSecond(t time.Time) time.Time { return valid(t).Truncate(time.Second) }

// clean returns what can be shared of s.
func (s Session) clean() Session {
	s.Started, s.Ended, s.Changed, s.Seen = wholeSecond(s.Started), wholeSecond(s.Ended), valid(s.Changed), wholeSecond(s.Seen)
	s.Machine, s.Branch = cleanName(s.Machine), cleanName(s.Branch)
	if !isDigest(s.Digest) {
		s.Digest = ""
	}
	s.Blob, s.Head = cleanObject(s.Blob), cleanObject(s.Head)
	s.Tasks = slices.Clone(s.Tasks[:min(len(s.Tasks), MaxTasks)])
	for i := range s.Tasks {
		t := &s.Tasks[i]
		t.Set, t.Head = valid(t.Set), cleanObject(t.Head)
		if !isID(t.By) || t.By == s.Worktree {
			t.By = ""
		}
	}
	return s
}

// Count returns how many tasks have a status.
func (s Session) Count(status planfile.Status) (n int) {
	for i := range s.Tasks {
		if s.Tasks[i].Status == status {
			n++
		}
	}
	return n
}

// Setter returns the worktree in which a task of the session was set.
func (s Session) Setter(t Task) string { return cmp.Or(t.By, s.Worktree) }

// Record returns what the session says of tasks with these ids, of those that count, which i tells by their places; the others have no status.
func (s Session) Record(tasks []progress.Task, ids []string, counts func(i int, t Task) bool) progress.Record {
	its := progress.Record{Same: true, Tasks: slices.Clone(tasks)}
	said := make(map[string]*Task, len(s.Tasks))
	for i := range s.Tasks {
		said[s.Tasks[i].ID] = &s.Tasks[i]
	}
	for i, id := range ids {
		t := &its.Tasks[i]
		t.Status, t.Set, t.Head, t.Commits, t.Word, t.Run, t.Began, t.Ended = "", time.Time{}, "", nil, "", "", time.Time{}, time.Time{}
		if is, ok := said[id]; ok && counts(i, *is) {
			t.Status, t.Set, t.Head = is.Status, is.Set, cmp.Or(is.Head, s.Head)
		}
	}
	return its
}

// Merge returns the tasks of the session on a plan, of which own is known, with what was set later in sessions of the user's clones, as far as
// it counts here; and whether any was. The tasks have these ids.
func Merge(own progress.Record, plan string, ids []string, sessions []Session, counts func(Session, Task) bool) (merged []progress.Task, later bool) {
	own.Same = true
	records := []progress.Record{own}
	for _, s := range Once(sessions) {
		if s.Plan == plan {
			records = append(records, s.Record(own.Tasks, ids, func(_ int, t Task) bool { return !t.Set.IsZero() && counts(s, t) }))
		}
	}
	merged, from, _ := progress.Of(own.Tasks, false, records)
	for i := range merged {
		if from[i] <= 0 {
			merged[i] = own.Tasks[i]
			continue
		}
		later = true
		merged[i].From, merged[i].Changed = 0, false
	}
	return merged, later
}

// Stamped is progress.Stamped for a session that began afresh at the time fresh, zero if it did not: what differs from the record was set after
// that. What is as it was set last in a clone was taken over from there, and whoever did so was killed before it was recorded.
func Stamped(tasks, record []progress.Task, fresh, changed time.Time, plan string, ids []string, sessions []Session) (edited map[int]bool) {
	edited = progress.Stamped(tasks, record, changed)
	if len(edited) == 0 {
		return edited
	}
	own := progress.Record{Tasks: slices.Clone(tasks)}
	for i := range own.Tasks {
		t := &own.Tasks[i]
		if t.Set = fresh; i < len(record) && record[i].Name == t.Name && record[i].Set.After(fresh) {
			t.Set = record[i].Set
		}
	}
	last, _ := Merge(own, plan, ids, sessions, func(Session, Task) bool { return true })
	for i := range edited {
		if t := &tasks[i]; last[i].Status == t.Status && last[i].Set.After(own.Tasks[i].Set) {
			t.Set, t.Head = last[i].Set, last[i].Head
		} else {
			t.Set = progress.After(t.Set, fresh)
		}
	}
	return edited
}

// setting is a status as it was set.
type setting struct {
	plan, worktree, task string
	status               planfile.Status
	set                  int64
}

func (s Session) setting(worktree string, t Task) setting {
	return setting{s.Plan, worktree, t.ID, t.Status, t.Set.UnixNano()}
}

// Setters gives the tasks of sessions that were set in another session, and taken over, the worktree of that, as far as known tells.
func Setters(sessions, known []Session) []Session {
	by := map[setting]string{}
	for _, s := range known {
		for _, t := range s.Tasks {
			its := s.setting("", t)
			if at := s.Setter(t); !t.Set.IsZero() && (by[its] == "" || t.By == "" || at < by[its]) {
				by[its] = at
			}
		}
	}
	all := slices.Clone(sessions)
	for i, s := range all {
		all[i].Tasks = slices.Clone(s.Tasks)
		for n, t := range s.Tasks {
			if at := by[s.setting("", t)]; at != s.Worktree {
				all[i].Tasks[n].By = at
			}
		}
	}
	return all
}

// Once returns sessions without what they took over from each other.
func Once(sessions []Session) []Session {
	own := map[setting]bool{}
	for _, s := range sessions {
		for _, t := range s.Tasks {
			if t.By == "" {
				own[s.setting(s.Worktree, t)] = true
			}
		}
	}
	all := slices.Clone(sessions)
	for i, s := range all {
		all[i].Tasks = slices.DeleteFunc(slices.Clone(s.Tasks), func(t Task) bool { return t.By != "" && own[s.setting(t.By, t)] })
	}
	return all
}

// Renew returns what a clone shares next, after was: own are the sessions of the worktree that syncs, each on another plan. Its sessions that
// are not among them any more have ended, and so have those in worktrees that are gone; those of other worktrees stay as they are. What ended
// long ago is left out.
func Renew(was, own []Session, worktree string, isHere func(worktree string) bool, now time.Time) (all []Session) {
	seen := now
	for _, s := range was {
		if now.Sub(s.Seen).Abs() < seenEach {
			seen = s.Seen
		}
	}
	for _, s := range was {
		if s.Worktree == worktree && slices.ContainsFunc(own, func(o Session) bool { return o.Plan == s.Plan }) {
			continue
		}
		if s.Ended.IsZero() && (s.Worktree == worktree || !isHere(s.Worktree)) {
			s.Ended = now
		}
		all = append(all, s)
	}
	all = slices.DeleteFunc(append(all, own...), func(s Session) bool {
		last := s.Changed
		if s.Ended.After(last) {
			last = s.Ended
		}
		return !s.Ended.IsZero() && now.Sub(last) >= Keep
	})
	for i := range all {
		all[i].Seen = seen
	}
	return all
}

// IsGone reports whether a clone with these sessions has not synced for so long that its ref is dropped.
func IsGone(sessions []Session, now time.Time) bool {
	return len(sessions) > 0 && !slices.ContainsFunc(sessions, func(s Session) bool { return now.Sub(s.Seen) < Keep })
}
