package share

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// A Replica is what one worktree remembers between syncs, in a file of its own.
//
// A sync is, with the session's guard held where it says so:
//
//  1. Look at the sessions (guarded): Observe, and save the replica. So what is fetched next was not known when the
//     changes were made that this look finds.
//  2. Fetch the user's state. Receive it and Observe again (guarded), because it may have been pruned of what is in use
//     here, and save. Prune a copy of Known; if it differs from what was fetched, push it by compare-and-swap. If that is
//     refused, begin this step again; if not, Receive it. What was pushed without an answer is pushed with the same
//     stamps again, and what was pruned without being pushed was not pruned.
//  3. Look again (guarded): Observe, put what Take returns into the session, Observe the result, save.
//
// A process may be killed anywhere: Known is saved before the session takes over what it says, so a status that was taken
// over is never mistaken for a change made here, and one that was not yet is offered again.
type Replica struct {
	Known State           // all that is known of the user's sessions
	Seen  map[string]Seen // this worktree's sessions at the last look, by plan
}

// Seen is what a session file said at the last look. What differs from it was changed here since; what differs only from
// Known was changed elsewhere. So a worktree that is merely behind never undoes anything.
type Seen struct {
	Started time.Time                  `json:"started"`
	Tasks   map[string]planfile.Status `json:"tasks"`
}

// Local is a session of this worktree as its file has it.
type Local struct {
	Plan    string    // its path below .planning/
	Place   Place     // without Tasks and Stamp; Ended is when the session was archived
	Fresh   bool      // begun with --fresh: what is pending in it was set back
	Changed time.Time // the file's; what changed is given this time rather than that of the sync
	Tasks   []progress.Task
	IDs     []string // of the tasks, as they are shared
	Set     []string // the tasks that were marked a moment ago, perhaps with the status that they had
}

// Observe returns the replica after a look at all sessions of the worktree. A task whose status is another than at the
// last look, or that was marked a moment ago, gets a new stamp, later than all that was known of it. A session that is not in locals any more has ended: so
// leave one out if its plan was completed, and do not call Observe if one cannot be read.
//
// At the first look at a session, a status counts if it was set, as the session's record says, after what is known. Where no record says
// when a task got its status, it may be old, carried over, or rebuilt from nothing after a loss: so a status that is behind what is known
// says nothing, and that a task is in progress or skipped is stamped right after what is known, before any change that may have been made
// elsewhere since: it may be complete by now. Only a Fresh session sets back.
func (r Replica) Observe(worktree string, locals []Local, now time.Time) Replica {
	changes, seen := State{}, maps.Clone(r.Seen)
	if seen == nil {
		seen = map[string]Seen{}
	}
	for _, l := range locals {
		if !IsPlan(l.Plan) {
			continue
		}
		changes[l.Plan] = r.Known[l.Plan].changes(worktree, l, seen[l.Plan], now)
		seen[l.Plan] = l.seen()
	}
	for plan, s := range r.Known {
		p, ok := s.Places[worktree]
		if _, still := changes[plan]; ok && !still && p.Ended.IsZero() {
			p.Ended = wholeSecond(now)
			p.Stamp = Next(now, worktree, p.Stamp)
			changes[plan] = Session{Places: map[string]Place{worktree: p}}
		}
	}
	known := Merge(r.Known, changes)
	maps.DeleteFunc(seen, func(plan string, _ Seen) bool { return known[plan].empty() })
	return Replica{Known: known, Seen: seen}
}

func (s Session) empty() bool { return len(s.Tasks)+len(s.Places) == 0 }

// tasks yields the ids and statuses that can be shared.
func (l Local) tasks(yield func(string, planfile.Status) bool) {
	for i, id := range l.IDs[:min(len(l.IDs), MaxTasks)] {
		if status := l.Tasks[i].Status; isTaskID(id) && status.Known() && !yield(id, status) {
			return
		}
	}
}

func (l Local) seen() Seen {
	return Seen{Started: wholeSecond(l.Place.Started), Tasks: maps.Collect(l.tasks)}
}

// changes returns the entries of a local session that are new.
func (s Session) changes(worktree string, l Local, seen Seen, now time.Time) Session {
	begun := !seen.Started.Equal(wholeSecond(l.Place.Started))
	when := now
	if !l.Changed.IsZero() && l.Changed.Before(now) {
		when = l.Changed
	}
	own, placed := s.Places[worktree]
	if !placed && !s.Cut.IsZero() {
		when = now // it was pruned: the same time again would be pruned again
	}
	recorded := map[string]*progress.Task{}
	for i, id := range l.IDs {
		recorded[id] = &l.Tasks[i]
	}
	changed := Session{Cut: s.Cut, Tasks: map[string]Task{}}
	place := l.Place.clean()
	place.Tasks = nil
	for id, status := range l.tasks {
		place.Tasks = append(place.Tasks, id)
		known, ok := s.Tasks[id]
		before, had := seen.Tasks[id]
		fresh, first, set := begun && l.Fresh, begun || !had, slices.Contains(l.Set, id)
		at := when
		switch {
		case set:
			at = now
		case fresh && status == planfile.Pending && l.Place.Started.Before(when): // it was set back when the session began
			at = l.Place.Started
		case (status == planfile.InProgress || status == planfile.Skipped) && first && !fresh:
			at = time.UnixMilli(0)
		}
		isDated := first && !fresh && !set && !recorded[id].Set.IsZero()
		if isDated {
			at = recorded[id].Set
		}
		switch {
		case set:
		case ok && known.Status == status: // nothing to say, or taken over since
			continue
		case isDated:
			if ok && !at.After(known.Stamp.Time()) {
				continue
			}
		case !ok: // never told, or pruned
			if status == planfile.Pending && !fresh {
				continue
			}
		case fresh:
		case status == before, first && status.Rank() < known.Status.Rank():
			continue
		}
		changed.Tasks[id] = Task{Status: status, Stamp: Next(at, worktree, later(known.Stamp, s.Cut)), Head: cleanObject(cmp.Or(recorded[id].Head, place.Head))}
	}
	if len(l.Set) > 0 {
		when = now
	}
	if !placed || len(changed.Tasks) > 0 || !own.same(place) {
		place.Stamp = Next(when, worktree, later(own.Stamp, s.Cut))
		changed.Places = map[string]Place{worktree: place}
	}
	return changed
}

// Receive returns the replica that knows a state from elsewhere, too. To push its Known is right in any case, and needed
// if it does not Equal that state.
func (r Replica) Receive(remote State) Replica {
	return Replica{Known: Merge(r.Known, remote), Seen: r.Seen}
}

// Remember returns the replica that knows of a plan what was known when a breadcrumb of a session on it was written. What
// is not a task or a status is left out.
func (r Replica) Remember(plan string, tasks map[string]Task) Replica {
	known := maps.Clone(tasks)
	maps.DeleteFunc(known, func(id string, t Task) bool { return !isTaskID(id) || !t.Status.Known() })
	if len(known) == 0 || !IsPlan(plan) {
		return r
	}
	return r.Receive(State{plan: {Tasks: known}})
}

// Round is what to push for a state that was fetched: Observe and Receive, and Observe again.
func (r Replica) Round(worktree string, remote State, locals []Local, now time.Time) Replica {
	return r.Observe(worktree, locals, now).Receive(remote).Observe(worktree, locals, now)
}

// Updates returns the statuses that a local session is to take over, by task. Call Observe first, with the same session.
func (r Replica) Updates(l Local) map[string]planfile.Status {
	take := map[string]planfile.Status{}
	known := r.Known[l.Plan]
	for id, status := range l.tasks {
		if t, ok := known.Tasks[id]; ok && t.Status != status {
			take[id] = t.Status
		}
	}
	return take
}

// Others returns the worktrees but this one that have a session on the plan, the one with the latest change first.
func (r Replica) Others(worktree, plan string) []string {
	return slices.DeleteFunc(r.Known[plan].Live(), func(id string) bool { return id == worktree })
}
