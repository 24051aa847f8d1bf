package run

import "slices"

// A run may have several processes and conversations: a conversation that is open in two terminals, or agents that the
// command of gsd exec starts. Its record lists them beside the owner. The run lives as long as any of its processes, and
// ends when the last of them reports its end, or gsd exec, which began it. After a bad end none of its conversations is
// offered.

// maxMembers is how many members a record keeps, the latest.
const maxMembers = 64

// all returns the members of a run, its owner first.
func (r *Record) all() []Member {
	return append([]Member{{Owner: r.Owner, Conversation: r.Token}}, r.Members...)
}

// processes returns the processes of a run.
func (r *Record) processes() []Owner {
	var all []Owner
	for _, m := range r.all() {
		if m.PID > 0 {
			all = append(all, m.Owner)
		}
	}
	return all
}

// living returns the processes of a run that are not known to be dead.
func (r *Record) living(p Processes) []Owner {
	return slices.DeleteFunc(r.processes(), func(o Owner) bool { return o.Liveness(p) == Dead })
}

// conversations returns the tokens of a run's conversations.
func (r *Record) conversations() []string {
	var all []string
	if r.Resume != "" {
		all = append(all, conversationToken(r.Resume))
	}
	for _, m := range r.all() {
		all = append(all, m.Conversation)
	}
	return all
}

// join adds the caller to a run, unless it is a member. If the run, which is the caller's own, named no process, the
// caller's is its owner from now on.
func (r *Record) join(c Caller, own bool) {
	if own && r.Owner.PID == 0 && c.PID > 0 {
		r.Owner = c.Owner
	}
	m := Member{Owner: c.Owner}
	if c.Conversation != "" {
		m.Conversation = conversationToken(c.Conversation)
	}
	known := slices.ContainsFunc(r.all(), func(k Member) bool {
		return (m.PID == 0 || m.Same(k.Owner)) && (m.Conversation == "" || m.Conversation == k.Conversation)
	})
	if known || m.PID == 0 && m.Conversation == "" {
		return
	}
	r.Members = append(slices.Clone(r.Members), m)
	r.Members = r.Members[max(0, len(r.Members)-maxMembers):]
}

// leave removes a process from a run. Its conversation stays: it is a part of the run. If it was the owner, another
// process that may live takes its place; without one it stays.
func (r *Record) leave(gone Owner, p Processes) {
	r.Members = slices.Clone(r.Members)
	for i := range r.Members {
		if m := &r.Members[i]; gone.Same(m.Owner) {
			m.Owner = Owner{}
		}
	}
	if !gone.Same(r.Owner) {
		return
	}
	for i := range r.Members {
		if m := &r.Members[i]; m.PID > 0 && m.Liveness(p) != Dead {
			r.Owner, m.Owner = m.Owner, Owner{}
			return
		}
	}
}

// leaver returns the process of a run that the caller speaks for: the one it names, else one it descends from.
func (r *Record) leaver(c Caller, p Processes) (Owner, bool) {
	for _, o := range r.processes() {
		if c.PID > 0 && c.runs(o) || c.PID == 0 && o.IsAncestor(p) {
			return o, true
		}
	}
	return Owner{}, false
}

// AddProcess adds a process that gsd exec started to its run.
func (r *Record) AddProcess(o Owner) { r.join(Caller{Owner: o}, false) }

// isMember reports whether the caller's conversation or process is a member of the run other than the owner.
func (r *Record) isMember(c Caller) bool {
	return slices.ContainsFunc(r.Members, func(m Member) bool {
		if c.Conversation != "" {
			return m.Conversation == conversationToken(c.Conversation)
		}
		return c.runs(m.Owner)
	})
}

// goesOnWithout reports whether another process of a run may live once one has left.
func (r *Run) goesOnWithout(gone Owner) bool {
	return slices.ContainsFunc(r.living, func(o Owner) bool { return !o.Same(gone) })
}
