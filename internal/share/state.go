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
	MaxPlaces = 64      // sessions on a plan
	MaxFile   = 2 << 20 // bytes
	MaxState  = 4 << 20 // bytes of all files of a clone, and of what is known of a user's clones: each hydrate reads that
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
	record := progress.Record{Same: true, Clone: true, Tasks: slices.Clone(tasks)}
	said := make(map[string]*Task, len(s.Tasks))
	for i := range s.Tasks {
		said[s.Tasks[i].ID] = &s.Tasks[i]
	}
	for i, id := range ids {
		t := &record.Tasks[i]
		t.Status, t.Set, t.Head, t.Commits, t.Word, t.Run, t.Began, t.Ended = "", time.Time{}, "", nil, "", "", time.Time{}, time.Time{}
		t.Guessed = false
		if is, ok := said[id]; ok && counts(i, *is) {
			t.Status, t.Set, t.Head = is.Status, is.Set, cmp.Or(is.Head, s.Head)
		}
	}
	return record
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
// that. What is as it was set last in a clone was taken over from there by a process that was killed before it recorded that. Of a session
// without a record, said is what this clone last shared of it, nil for nothing: what is as in that was set then, and what differs, since then.
func Stamped(tasks, record []progress.Task, fresh, changed time.Time, plan string, ids []string, sessions []Session, said *Session) (edited map[int]bool) {
	edited = progress.Stamped(tasks, record, changed)
	if len(record) == 0 && said != nil {
		for i := range tasks {
			t, n := &tasks[i], slices.IndexFunc(said.Tasks, func(t Task) bool { return t.ID == ids[i] })
			if n < 0 || said.Tasks[n].Set.IsZero() {
				continue
			}
			if was := said.Tasks[n]; was.Status == t.Status {
				t.Set, t.Head = was.Set, was.Head
			} else {
				t.Set, t.Head = was.Set.Add(1), ""
			}
			t.Guessed = false
			delete(edited, i)
		}
	}
	if len(edited) == 0 {
		return edited
	}
	own := progress.Record{Tasks: slices.Clone(tasks)}
	for i := range own.Tasks {
		t := &own.Tasks[i]
		if t.Set, t.Guessed = fresh, false; i < len(record) && record[i].Name == t.Name && record[i].Set.After(fresh) {
			t.Set = record[i].Set
		}
	}
	last, _ := Merge(own, plan, ids, sessions, func(Session, Task) bool { return true })
	for i := range edited {
		if t := &tasks[i]; last[i].Status == t.Status && last[i].Set.After(own.Tasks[i].Set) {
			t.Set, t.Head, t.Guessed = last[i].Set, last[i].Head, false
		} else if t.Set = progress.After(t.Set, fresh); t.Guessed && !fresh.IsZero() {
			t.Set, t.Guessed = fresh.Add(1), false // all were pending then
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
			set := s.setting("", t)
			if at := s.Setter(t); !t.Set.IsZero() && (by[set] == "" || t.By == "" || at < by[set]) {
				by[set] = at
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

// Clock returns how late it is for what is dropped because it is old: now, or if that is earlier, when a clone last synced, of those whose
// sessions are given, so that after a pause of months, or by a clock that is months fast, nothing is old at once.
func Clock(now time.Time, sessions []Session) time.Time {
	var last time.Time
	for _, s := range sessions {
		if s.Seen.After(last) {
			last = s.Seen
		}
	}
	if last.IsZero() || now.Before(last) {
		return now
	}
	return last
}

// Renew returns what a clone shares next, after was: own are the sessions of the worktree that syncs, each on another plan. Its sessions that
// are not among them any more have ended, and so have those in worktrees that are gone; those of other worktrees stay as they are, and so do
// those on plans of other projects. What ended long before the time clock is left out.
func Renew(was, own []Session, worktree string, isHere func(worktree string) bool, isOurs func(plan string) bool, now, clock time.Time) (all []Session) {
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
		if s.Ended.IsZero() && isOurs(s.Plan) && (s.Worktree == worktree || !isHere(s.Worktree)) {
			s.Ended = now
		}
		all = append(all, s)
	}
	all = slices.DeleteFunc(append(all, own...), func(s Session) bool {
		last := s.Changed
		if s.Ended.After(last) {
			last = s.Ended
		}
		return !s.Ended.IsZero() && clock.Sub(last) >= Keep
	})
	for i := range all {
		all[i].Seen = seen
	}
	return all
}

// IsGone reports whether the ref of a clone with these sessions can be dropped at the time clock: it has not synced for long, and but for plans
// that are done, there is one of the sessions in stay that has not ended on the plan of each that has not, and each status was set as late or
// later in such.
func IsGone(sessions, stay []Session, isDone func(plan string) bool, clock time.Time) bool {
	isFresh := func(s Session) bool { return clock.Sub(s.Seen) < Keep }
	if len(sessions) == 0 || slices.ContainsFunc(sessions, isFresh) {
		return false
	}
	last, plans := map[[2]string]Task{}, map[string]bool{}
	for _, s := range stay {
		if !s.Ended.IsZero() { // it is dropped itself when it is old
			continue
		}
		plans[s.Plan] = true
		for _, t := range s.Tasks {
			of := [2]string{s.Plan, t.ID}
			if by, ok := last[of]; !ok || cmp.Or(t.Set.Compare(by.Set), t.Status.Rank()-by.Status.Rank()) > 0 {
				last[of] = t
			}
		}
	}
	return !slices.ContainsFunc(sessions, func(s Session) bool {
		only := func(t Task) bool {
			by := last[[2]string{s.Plan, t.ID}]
			return !t.Set.IsZero() && cmp.Or(t.Set.Compare(by.Set), t.Status.Rank()-by.Status.Rank()) > 0
		}
		return !isDone(s.Plan) && (s.Ended.IsZero() && !plans[s.Plan] || slices.ContainsFunc(s.Tasks, only))
	})
}

// Without returns sessions without those that were forgotten, and what others took over from them.
func Without(sessions, forgotten []Session) (all []Session) {
	if len(forgotten) == 0 {
		return sessions
	}
	gone := map[setting]bool{}
	for _, s := range forgotten {
		for _, t := range s.Tasks {
			if t.By == "" && !t.Set.IsZero() {
				gone[s.setting(s.Worktree, t)] = true
			}
		}
	}
	for _, s := range sessions {
		if slices.ContainsFunc(forgotten, s.isSame) {
			continue
		}
		s.Tasks = slices.Clone(s.Tasks)
		for i := range s.Tasks {
			if t := &s.Tasks[i]; gone[s.setting(s.Setter(*t), *t)] {
				*t = Task{ID: t.ID, Status: planfile.Pending}
			}
		}
		all = append(all, s)
	}
	return all
}

func (s Session) isSame(t Session) bool {
	return s.Plan == t.Plan && s.Worktree == t.Worktree && s.Started.Equal(t.Started)
}

// Latest returns when something was last set or changed in sessions.
func Latest(sessions []Session) (last time.Time) {
	for _, s := range sessions {
		if s.Changed.After(last) {
			last = s.Changed
		}
		for _, t := range s.Tasks {
			if t.Set.After(last) {
				last = t.Set
			}
		}
	}
	return last
}
