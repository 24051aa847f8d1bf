package run

import "slices"

// A run may have several processes and conversations: a conversation that is open in two terminals, or agents that the
// command of gsd exec starts. The lease lists them beside the owner. The run lives as long as any of its processes, and
// ends when the last of them reports its end, or gsd exec, which began it. After a bad end none of its conversations is
// offered.

// maxMembers is how many members a lease keeps, the latest.
const maxMembers = 64

// all returns the members of a lease, its owner first.
func (l *Lease) all() []Member {
	return append([]Member{{Owner: l.Owner, Conversation: l.Token}}, l.Members...)
}

// processes returns the processes of a lease.
func (l *Lease) processes() []Owner {
	var all []Owner
	for _, m := range l.all() {
		if m.PID > 0 {
			all = append(all, m.Owner)
		}
	}
	return all
}

// living returns the processes of a lease that are not known to be dead.
func (l *Lease) living(p Processes) []Owner {
	return slices.DeleteFunc(l.processes(), func(o Owner) bool { return o.Liveness(p) == Dead })
}

// conversations returns the tokens of a lease's conversations.
func (l *Lease) conversations() []string {
	if l.Run == "" {
		return nil
	}
	var all []string
	if l.Conversation != "" {
		all = append(all, conversationToken(l.Conversation))
	}
	for _, m := range l.all() {
		all = append(all, m.Conversation)
	}
	return all
}

// join adds the caller to a lease, unless it is a member. If the run, which is the caller's own, named no process, the
// caller's is its owner from now on.
func (l *Lease) join(c Caller, own bool) {
	if own && l.PID == 0 && c.PID > 0 {
		l.Owner = c.Owner
	}
	m := Member{Owner: c.Owner}
	if c.Conversation != "" {
		m.Conversation = conversationToken(c.Conversation)
	}
	known := slices.ContainsFunc(l.all(), func(k Member) bool {
		return (m.PID == 0 || m.Same(k.Owner)) && (m.Conversation == "" || m.Conversation == k.Conversation)
	})
	if known || m.PID == 0 && m.Conversation == "" {
		return
	}
	l.Members = append(slices.Clone(l.Members), m)
	l.Members = l.Members[max(0, len(l.Members)-maxMembers):]
}

// leave removes a process from a lease. Its conversation stays: it is a part of the run. If it was the owner, another
// process that may live takes its place; without one it stays.
func (l *Lease) leave(gone Owner, p Processes) {
	l.Members = slices.Clone(l.Members)
	for i := range l.Members {
		if m := &l.Members[i]; gone.Same(m.Owner) {
			m.Owner = Owner{}
		}
	}
	if !gone.Same(l.Owner) {
		return
	}
	for i := range l.Members {
		if m := &l.Members[i]; m.PID > 0 && m.Liveness(p) != Dead {
			l.Owner, m.Owner = m.Owner, Owner{}
			return
		}
	}
}

// leaver returns the process of a lease that the caller speaks for: the one it names, else one it descends from.
func (l *Lease) leaver(c Caller, p Processes) (Owner, bool) {
	for _, o := range l.processes() {
		if c.PID > 0 && c.runs(o) || c.PID == 0 && o.IsAncestor(p) {
			return o, true
		}
	}
	return Owner{}, false
}

// AddProcess adds a process that gsd exec started to the lease of its run.
func (l *Lease) AddProcess(o Owner) { l.join(Caller{Owner: o}, false) }

// isMember reports whether the caller's conversation or process is a member of the run other than the owner.
func (l *Lease) isMember(c Caller) bool {
	return slices.ContainsFunc(l.Members, func(m Member) bool {
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
