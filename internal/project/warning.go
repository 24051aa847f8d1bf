package project

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/planfile"
)

// warnings are what a person should know of what was read.
type warnings struct{ warned []Warning }

// Warn adds a warning to the answer.
func (w *warnings) Warn(code, detail string) {
	w.warned = WithWarning(w.warned, Warning{code, detail})
}

// Warned returns the warnings so far, in their order.
func (w *warnings) Warned() []Warning { return w.warned }

// Stopped is the sentence of a warning that reading ended at a file.
func Stopped(name string) string {
	return fmt.Sprintf("gsd stopped reading at %s: it has reached its read limit, which GSD_MAX_FILE_MIB raises",
		name)
}

// OverBudget reports whether err means that the command has reached its read limit, and warns of that once.
func (w *warnings) OverBudget(err error, name string) bool {
	if !errors.Is(err, durable.ErrBudget) {
		return false
	}
	if !slices.ContainsFunc(w.warned, func(w Warning) bool { return w.Code == ReadingStopped }) {
		w.Warn(ReadingStopped, Stopped(name))
	}
	return true
}

// IsConflict reports whether a warning is about a file with conflict markers.
func (w Warning) IsConflict() bool { return w.Code == ConflictMarkers }

// UnreadWarning is the warning with a code about a file of the project, of at most limit bytes, that could not be read, or in which a
// merge left conflict markers, which has a code of its own.
func UnreadWarning(code, name string, limit int64, err error) Warning {
	if _, ok := errors.AsType[*planfile.ConflictError](err); ok {
		code = ConflictMarkers
	}
	return Warning{code, ReadFailed(name, limit, err).Text}
}

// HistoryWarning is the warning about an error with which reading git's history ended.
func HistoryWarning(err error) Warning {
	if errors.Is(err, durable.ErrBudget) {
		return Warning{ReadingStopped, Stopped("git's history")}
	}
	return Warning{HistoryUnreadable, err.Error()}
}

// The codes of the warnings about what could not be read, or not be relied on.
const (
	HistoryUnreadable   = "history-unreadable"   // the evidence is incomplete
	HistoryTruncated    = "history-truncated"    // the clone does not have all commits
	DirectoryUnreadable = "directory-unreadable" // the plans in it are unknown
	PlanUnreadable      = "plan-unreadable"
	RoadmapUnreadable   = "roadmap-unreadable"
	ConflictMarkers     = "conflict-markers"   // a merge left them in a file, from which no answer is made
	RoadmapCut          = "roadmap-cut"        // it is so long that only its beginning is read
	DirectoryRepeated   = "directory-repeated" // a link to a directory that was listed already
	ReadingStopped      = "reading-stopped"    // the command has reached its read limit
	TooMany             = "too-many"           // plans, users or workstreams; only the first are read
	WorkstreamUnknown   = "workstream-unknown" // the chosen one does not exist
)

// Warning is something that does not affect the answer, but that a person should know.
type Warning struct {
	Code   string `json:"code"`   // what it is about, in kebab-case, such as plan-edited; there may be new ones
	Detail string `json:"detail"` // the particulars, for a person
}

// MaxAlike is how many warnings of one code an answer may have: a hostile project could cause one for each of its files.
const MaxAlike = 20

// WithWarning adds a warning, unless it is there or there are enough like it, which one more then says.
func WithWarning(all []Warning, w Warning) []Warning {
	alike := 0
	for _, known := range all {
		if known == w {
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
		w.Detail = "more warnings of this kind were left out"
	}
	return append(all, w)
}
