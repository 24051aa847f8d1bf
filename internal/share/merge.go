package share

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Merge returns the state that has the changes of both: for each task and each place the later one. Plans and tasks that
// one side does not know stay, because that side may only have an older plan. It is commutative, associative and
// idempotent for all states that Decode returns and all that came from such.
func Merge(a, b State) State {
	merged := make(State, max(len(a), len(b)))
	maps.Copy(merged, a)
	for plan, s := range b {
		if t, ok := merged[plan]; ok {
			s = mergeSession(t, s)
		}
		merged[plan] = s
	}
	return merged
}

func mergeSession(a, b Session) Session {
	s := Session{Cut: later(a.Cut, b.Cut)}
	s.Tasks = mergeEntries(a.Tasks, b.Tasks, s.Cut, MaxTasks, Task.stamp, compareTasks)
	s.Places = mergeEntries(a.Places, b.Places, s.Cut, MaxPlaces, Place.stamp, comparePlaces)
	return s
}

func compareTasks(t, u Task) int {
	return cmp.Or(cmp.Compare(t.Status, u.Status), cmp.Compare(t.Head, u.Head))
}

func (t Task) stamp() Stamp  { return t.Stamp }
func (p Place) stamp() Stamp { return p.Stamp }

func later(s, t Stamp) Stamp {
	if s.Compare(t) < 0 {
		return t
	}
	return s
}

// mergeEntries merges two maps by the entries' stamps; content decides between equal stamps, which only a copied
// worktree makes, so that the result never depends on the order. Entries up to cut are gone. Of more than limit, the
// latest stay: an entry that is pushed out by that many later ones is pushed out in whichever order they come.
func mergeEntries[E any](a, b map[string]E, cut Stamp, limit int, stamp func(E) Stamp, content func(E, E) int) map[string]E {
	merged := make(map[string]E, max(len(a), len(b)))
	for _, m := range [...]map[string]E{a, b} {
		for id, e := range m {
			if stamp(e).Compare(cut) <= 0 {
				continue
			}
			if f, ok := merged[id]; ok && cmp.Or(stamp(e).Compare(stamp(f)), content(e, f)) <= 0 {
				continue
			}
			merged[id] = e
		}
	}
	if len(merged) <= limit {
		return merged
	}
	ids := slices.Collect(maps.Keys(merged))
	slices.SortFunc(ids, func(i, j string) int {
		return cmp.Or(stamp(merged[j]).Compare(stamp(merged[i])), cmp.Compare(i, j))
	})
	for _, id := range ids[limit:] {
		delete(merged, id)
	}
	return merged
}

func comparePlaces(p, q Place) int {
	return cmp.Or(p.Started.Compare(q.Started), p.Ended.Compare(q.Ended), cmp.Compare(p.Digest, q.Digest),
		cmp.Compare(p.Blob, q.Blob), cmp.Compare(p.Machine, q.Machine), cmp.Compare(p.Branch, q.Branch),
		cmp.Compare(p.Head, q.Head), cmp.Compare(p.Run, q.Run), slices.Compare(p.Tasks, q.Tasks))
}

// How long what ended is kept, and after which time a worktree that said nothing is taken for gone.
const (
	KeepEnded = 30 * 24 * time.Hour
	KeepLive  = 365 * 24 * time.Hour
)

// Prune returns the state without what ended long ago: sessions whose places all ended, or were silent for KeepLive, and
// in which nothing changed for KeepEnded. Of such a session only the last stamp is left, as Cut. That is a change like
// any other, so it spreads by merging, and nobody who still has the old entries can bring them back; only changes that
// are made from then on are kept.
func Prune(state State, now time.Time) State {
	pruned := maps.Clone(state)
	for plan, s := range state {
		last, live := Stamp{}, false
		for _, t := range s.Tasks {
			last = later(last, t.Stamp)
		}
		for _, p := range s.Places {
			last = later(last, p.Stamp)
			live = live || p.Ended.IsZero() && now.Sub(p.Stamp.Time()) < KeepLive
		}
		if !live && !last.IsZero() && now.Sub(last.Time()) >= KeepEnded {
			pruned[plan] = Session{Cut: last}
		}
	}
	return pruned
}
