package hydrate

import (
	"slices"

	"github.com/gsd-cli/gsd/session"
)

// One run may have several processes and conversations: a conversation that is open in two terminals, agents that
// the command of gsd exec starts. The lease lists them beside the owner. The run lives as long as any of its
// processes does, and ends when the last of them says so, or gsd exec, which began it; and after a bad end none of
// its conversations is offered to anybody.

// maxMembers is how many members a lease remembers, the latest.
const maxMembers = 64

// join adds the caller to a lease, unless it is there.
func join(l *session.Lease, c Claim) {
	m := session.Member{Owner: c.owner}
	if c.Conversation != "" {
		m.Conversation = conversationToken(c.Conversation)
	}
	known := func(k session.Member) bool {
		return (m.PID == 0 || m.Same(k.Owner)) && (m.Conversation == "" || m.Conversation == k.Conversation)
	}
	if m.PID == 0 && m.Conversation == "" || known(session.Member{Owner: l.Owner, Conversation: l.Token}) || slices.ContainsFunc(l.Members, known) {
		return
	}
	l.Members = append(l.Members, m)
	l.Members = l.Members[max(0, len(l.Members)-maxMembers):]
}

// leave takes a process out of a lease. What it was talking about stays: its conversation is a part of the run. Where
// it was the owner, another that may live takes its place; without one it stays.
func leave(l *session.Lease, gone session.Owner, p session.Processes) {
	for i := range l.Members {
		if m := &l.Members[i]; gone.Same(m.Owner) {
			m.Owner = session.Owner{}
		}
	}
	if !gone.Same(l.Owner) {
		return
	}
	for i := range l.Members {
		if m := &l.Members[i]; m.PID > 0 && m.Liveness(p) != session.Dead {
			l.Owner, m.Owner = m.Owner, session.Owner{}
			return
		}
	}
}

// processes lists those of a lease.
func processes(l *session.Lease) []session.Owner {
	all := []session.Owner{l.Owner}
	for _, m := range l.Members {
		all = append(all, m.Owner)
	}
	return slices.DeleteFunc(all, func(o session.Owner) bool { return o.PID <= 0 })
}

// leaver tells which process of a lease the caller speaks for: the one that it names, else the one that started it.
func leaver(l *session.Lease, c Claim, p session.Processes) (session.Owner, bool) {
	for _, o := range processes(l) {
		if c.PID > 0 && (c.owner.Same(o) || c.past(o)) || c.PID == 0 && o.IsAncestor(p) {
			return o, true
		}
	}
	return session.Owner{}, false
}

// living lists the processes of a lease that are not known to be dead.
func living(l *session.Lease, p session.Processes) []session.Owner {
	return slices.DeleteFunc(processes(l), func(o session.Owner) bool { return o.Liveness(p) == session.Dead })
}

// goesOnWithout tells whether another process of a run may live when one has left.
func (r *Run) goesOnWithout(gone session.Owner) bool {
	return slices.ContainsFunc(r.living, func(o session.Owner) bool { return !o.Same(gone) })
}

// unsaid lists what the conversations of a lease go by whose processes never said that they are over: they were
// killed, or are still at it. The one that speaks now is none of them, and neither is the command of gsd exec.
func unsaid(l *session.Lease, speaker session.Owner, command int) []string {
	var all []string
	for _, m := range append([]session.Member{{Owner: l.Owner, Conversation: l.Token}}, l.Members...) {
		if m.PID > 0 && m.PID != command && !m.Same(speaker) {
			all = append(all, m.Conversation)
		}
	}
	return all
}

// conversations lists what the conversations of a lease go by.
func conversations(l *session.Lease) []string {
	if l.Run == "" {
		return nil
	}
	all := []string{l.Token}
	if l.Conversation != "" {
		all = append(all, conversationToken(l.Conversation))
	}
	for _, m := range l.Members {
		all = append(all, m.Conversation)
	}
	return all
}

// isMember tells a caller whose conversation or process is a member of the run, and not the run itself.
func isMember(l *session.Lease, c Claim) bool {
	return slices.ContainsFunc(l.Members, func(m session.Member) bool {
		if c.Conversation != "" {
			return m.Conversation == conversationToken(c.Conversation)
		}
		return c.owner.Same(m.Owner) || c.past(m.Owner)
	})
}
