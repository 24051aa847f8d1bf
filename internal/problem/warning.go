package problem

import (
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// Warning is something that does not affect the answer, but that a person should know: a code, and the values that belong to it. Which
// values it has depends on its code. Texts are untrusted.
type Warning struct {
	Code string `json:"code"`           // what it is about, in kebab-case, such as plan-edited; there may be new ones
	Path string `json:"path,omitempty"` // the file or directory that it is about
	Line int    `json:"line,omitempty"` // the line in that file, from 1

	Other     string    `json:"other,omitempty"`      // another one of the kind, such as another directory, number, program or plan
	Name      string    `json:"name,omitempty"`       // what something is called
	Names     []string  `json:"names,omitempty"`      // what several are called
	Paths     []string  `json:"paths,omitempty"`      // several files
	Plan      string    `json:"plan,omitempty"`       // a plan
	Phase     string    `json:"phase,omitempty"`      // the number of a phase
	Wave      int       `json:"wave,omitempty"`       // the wave of the plan
	OtherWave int       `json:"other_wave,omitempty"` // the wave of the other plan
	Task      int       `json:"task,omitempty"`       // the number of a task
	Status    string    `json:"status,omitempty"`     // the status of the task
	ID        string    `json:"id,omitempty"`         // of a commit or a breadcrumb
	Subject   string    `json:"subject,omitempty"`    // the subject of the commit
	Host      string    `json:"host,omitempty"`       // an agent's host
	Scope     string    `json:"scope,omitempty"`      // where its hooks are installed
	User      string    `json:"user,omitempty"`       // whose session or claim it is
	Machine   string    `json:"machine,omitempty"`    // where that is, if it is in another clone
	Since     time.Time `json:"since,omitempty"`      // from when it is so
	Count     int       `json:"count,omitempty"`      // how many
	Of        int       `json:"of,omitempty"`         // of how many
	End       int       `json:"end,omitempty"`        // the line at whose end something is missing
	Committed bool      `json:"committed,omitempty"`  // git has the file as it was committed

	Run   *run.Run     `json:"run,omitempty"`   // the run that it is about
	Taken *next.Reason `json:"taken,omitempty"` // who has the plan, as in the reasons for which a plan is next

	Says string `json:"says,omitempty"` // the text of an error, or what git or another program said
	Hint string `json:"hint,omitempty"` // what helps, as in an error
	More bool   `json:"more,omitempty"` // there are more warnings of this code, which were left out; it has no other value
}

// The codes of the warnings about what could not be read, or not be relied on.
const (
	HistoryUnreadable   = "history-unreadable"   // the evidence is incomplete
	HistoryTruncated    = "history-truncated"    // the clone does not have all commits
	SubmoduleEmpty      = "submodule-empty"      // it was not checked out, so its plans are unknown
	DirectoryUnreadable = "directory-unreadable" // the plans in it are unknown
	DirectoryOutside    = "directory-outside"    // it leads out of the project
	PlanUnreadable      = "plan-unreadable"
	PlanUnusable        = "plan-unusable" // it cannot be offered
	RoadmapUnreadable   = "roadmap-unreadable"
	RoadmapUnrecognized = "roadmap-unrecognized" // no phase in it is recognised
	ConflictMarkers     = "conflict-markers"     // a merge left them in a file, from which no answer is made
	RoadmapCut          = "roadmap-cut"          // it is so long that only its beginning is read
	DirectoryRepeated   = "directory-repeated"   // a link to a directory that was listed already
	ReadingStopped      = "reading-stopped"      // the command has reached its read limit, at a file or in git's history
	TooManyUsers        = "too-many-users"       // only the first are read, as with the next four
	TooManyWorktrees    = "too-many-worktrees"
	TooManyRepositories = "too-many-repositories" // below the project
	TooManyRoots        = "too-many-workstreams"  // and sub-projects
	TooManyFiles        = "too-many-files"
	TooManyFindings     = "too-many-findings"  // of one code
	WorkstreamUnknown   = "workstream-unknown" // the name that Other, a variable or a file, chooses does not exist
)

// IsConflict reports whether a warning is about a file with conflict markers.
func (w Warning) IsConflict() bool { return w.Code == ConflictMarkers }

// IsUnread reports whether a warning says that there may be plans which were not read.
func (w Warning) IsUnread() bool {
	switch w.Code {
	case SubmoduleEmpty, DirectoryUnreadable, DirectoryOutside, ReadingStopped, TooManyRoots, WorkstreamUnknown:
		return true
	}
	return false
}

// UnreadWarning is the warning with a code about a file of the project, of at most limit bytes, that could not be read, or in which a
// merge left conflict markers, which has a code of its own.
func UnreadWarning(code, name string, limit int64, err error) Warning {
	if _, ok := errors.AsType[*planfile.ConflictError](err); ok {
		code = ConflictMarkers
	}
	text := ReadFailed(name, limit, err).Text
	return Warning{Code: code, Path: name, Says: strings.TrimLeft(strings.TrimPrefix(text, name), ": ")}
}

// HistoryWarning is the warning about an error with which reading git's history ended.
func HistoryWarning(err error) Warning {
	if errors.Is(err, durable.ErrBudget) {
		return Warning{Code: ReadingStopped}
	}
	return Warning{Code: HistoryUnreadable, Says: err.Error()}
}

// MaxAlike is how many warnings of one code an answer may have: a hostile project could cause one for each of its files.
const MaxAlike = 20

// WithWarning adds a warning, unless it is there or there are enough like it, which one more then says.
func WithWarning(all []Warning, w Warning) []Warning {
	alike := 0
	for _, known := range all {
		if reflect.DeepEqual(known, w) {
			return all
		}
		if known.Code == w.Code {
			alike++
		}
	}
	switch {
	case alike > MaxAlike:
		return all
	case alike == MaxAlike:
		w = Warning{Code: w.Code, More: true}
	}
	return append(all, w)
}
