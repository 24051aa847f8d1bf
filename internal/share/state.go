package share

import (
	"maps"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/planfile"
)

// A State is what one user shares: sessions by their plans' paths below .planning/.
type State map[string]Session

// A Session is the progress on one plan, as it is encoded. Zero fields are absent.
type Session struct {
	// Cut is the stamp up to which all entries were removed (see Prune).
	Cut Stamp `json:"cut,omitzero"`
	// Tasks has the status of each task that was ever changed. The others are pending.
	Tasks map[string]Task `json:"tasks,omitempty"`
	// Places has what each worktree says about its session.
	Places map[string]Place `json:"places,omitempty"`
}

// A Task is the status of a task, and when it was changed.
type Task struct {
	Status planfile.Status `json:"status"`
	Stamp  Stamp           `json:"stamp"`
	Head   string          `json:"head,omitempty"` // the commit that HEAD was at where it was set, in hex; empty for unknown
}

// A Place is one worktree's session on a plan.
type Place struct {
	Started time.Time `json:"started,omitzero"` // whole seconds, UTC
	Ended   time.Time `json:"ended,omitzero"`   // zero while there is a session
	Digest  string    `json:"digest,omitempty"` // of the plan, as in the session's header
	Blob    string    `json:"blob,omitempty"`   // the plan as an object of git
	Machine string    `json:"machine,omitempty"`
	Branch  string    `json:"branch,omitempty"`
	Head    string    `json:"head,omitempty"`  // the commit that HEAD is at
	Run     string    `json:"run,omitempty"`   // the state of the run at work on it
	Tasks   []string  `json:"tasks,omitempty"` // ids in the order of the plan
	Stamp   Stamp     `json:"stamp"`           // of the last change here: a status, or one of these
}

// Bounds. What is in them fits into one file of a plan.
const (
	MaxPlans  = 2048
	MaxTasks  = 2000
	MaxPlaces = 64
	MaxFile   = 4 << 20  // bytes
	MaxState  = 16 << 20 // bytes of all files
)

// same reports whether a and b say the same, whenever it was said.
func (p Place) same(q Place) bool {
	return p.Started.Equal(q.Started) && p.Ended.Equal(q.Ended) && p.Digest == q.Digest && p.Blob == q.Blob &&
		p.Machine == q.Machine && p.Branch == q.Branch && p.Head == q.Head && p.Run == q.Run &&
		slices.Equal(p.Tasks, q.Tasks)
}

// clean returns what can be encoded of p.
func (p Place) clean() Place {
	p.Started, p.Ended = wholeSecond(p.Started), wholeSecond(p.Ended)
	p.Machine, p.Branch, p.Run = cleanName(p.Machine), cleanName(p.Branch), cleanName(p.Run)
	if !isDigest(p.Digest) {
		p.Digest = ""
	}
	p.Blob, p.Head = cleanObject(p.Blob), cleanObject(p.Head)
	if len(p.Tasks) > MaxTasks {
		p.Tasks = p.Tasks[:MaxTasks]
	}
	return p
}

// wholeSecond returns t as it is encoded; a time that no clock shows is none.
func wholeSecond(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Second)
	if ms := t.UnixMilli(); ms <= 0 || ms > maxWall {
		return time.Time{}
	}
	return t
}

// Live returns the worktrees that have a session on the plan, the one with the latest change first.
func (s Session) Live() []string {
	var live []string
	for id, p := range s.Places {
		if p.Ended.IsZero() {
			live = append(live, id)
		}
	}
	slices.SortFunc(live, func(a, b string) int { return s.Places[b].Stamp.Compare(s.Places[a].Stamp) })
	return live
}

// Status returns the status of a task.
func (s Session) Status(id string) planfile.Status {
	if t, ok := s.Tasks[id]; ok {
		return t.Status
	}
	return planfile.Pending
}

// Count returns how many of the tasks of a place have a status.
func (s Session) Count(of Place, status planfile.Status) (n int) {
	for _, id := range of.Tasks {
		if s.Status(id) == status {
			n++
		}
	}
	return n
}

// Equal reports whether a and b are the same state.
func Equal(a, b State) bool {
	return maps.EqualFunc(a, b, func(s, t Session) bool {
		return s.Cut == t.Cut && maps.Equal(s.Tasks, t.Tasks) &&
			maps.EqualFunc(s.Places, t.Places, func(p, q Place) bool { return p.Stamp == q.Stamp && p.same(q) })
	})
}
