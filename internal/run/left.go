package run

// MayBeLeft reports whether an open run may be that of a conversation that somebody left for the caller's: both are in one process, which
// may have several at a time, the run is the older one, and it has no task in hand. Whether it goes on, in another terminal or with another
// client of a server, is not known until it marks something. So it must not be called at work, though it may hold the lease: a person who
// starts a third conversation would be told of two colleagues who do not exist.
func (a *Assessment) MayBeLeft(r *Run) bool {
	if r.Own || !r.Open() || !a.caller.Shared || len(r.InProgress) > 0 || !a.caller.another(r) {
		return false
	}
	older := false
	for i := range a.Runs { // in the order of their starts; a command that the agent runs may not know its process
		own := &a.Runs[i]
		if own.Own && own.Open() {
			return older && own.Owner.Same(r.Owner)
		}
		older = older || own.ID == r.ID
	}
	return a.caller.Owner.Same(r.Owner)
}
