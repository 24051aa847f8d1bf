package run

import (
	"slices"
	"time"
)

// MayBeLeft reports whether an open run may be that of a conversation that somebody left for the caller's: both are in one process, which
// may have several at a time, the run is the older one, it has no task in progress, and it has marked nothing since the caller's began. Whether
// it continues, in another terminal or with another client of a server, is not known until it marks something. So it must not be called at
// work, though it may hold the lease: a person who starts a third conversation would hear of two colleagues who do not exist.
func (a *Assessment) MayBeLeft(r *Run) bool {
	if r.Own || !r.Open() || !a.caller.Shared || len(r.InProgress) > 0 || !a.caller.another(r) {
		return false
	}
	older := false
	for i := range a.Runs { // in the order of their starts; a command that the agent runs may not know its process
		own := &a.Runs[i]
		if own.Own && own.Open() {
			return older && own.Owner.Same(r.Owner) && !r.seenAfter(own.Started)
		}
		older = older || own.ID == r.ID
	}
	return a.caller.Owner.Same(r.Owner)
}

// seenAfter reports whether a run showed a sign of life, or marked a task, after the start of another one, which the records have in whole
// seconds. Its own start is no such sign: if the clock was set back since, it seems to come later.
func (r *Run) seenAfter(at time.Time) bool {
	at = at.Truncate(time.Second).Add(time.Second)
	return r.Seen.After(at) && r.Seen.Truncate(time.Second).After(r.Started) || slices.ContainsFunc(r.Tasks, func(t TaskTimes) bool { return t.Started.After(at) || t.Ended.After(at) })
}
