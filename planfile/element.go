package planfile

// elements returns the tasks that are written as elements.
//
// Authors forget end tags and write one too many. So tags are paired innermost first, as brackets are; a start tag
// without a partner ends where the next task begins, and an end tag without one is ignored. An element inside another
// is an example, unless the outer one is never closed.
func (x lexed) elements() []Task {
	closing := x.pair()
	tasks := x.tasks[:0] // safe in place: a task is only written at or before the index it is read from
	open := -1           // the last task, if it has no end tag
	endAt := func(at offset) {
		if open >= 0 {
			tasks[open].inner.to, tasks[open].end = at, at
			open = -1
		}
	}
	for i := 0; i < len(x.marks); i++ {
		m := x.marks[i]
		if m.kind != markOpen {
			continue
		}
		endAt(m.at.from)
		t := x.tasks[m.n]
		t.inner = span{m.at.to, m.at.to}
		switch partner := closing[m.n]; {
		case t.empty:
			t.end, t.closed = m.at.to, true
		case partner >= 0:
			t.inner.to, t.end, t.closed = x.marks[partner].at.from, x.marks[partner].at.to, true
			i = int(partner)
		default:
			open = len(tasks)
		}
		tasks = append(tasks, t)
	}
	endAt(offset(len(x.src)))
	return tasks
}

// pair returns, for each start tag, the index of the mark of its end tag, -1 if it has none.
func (x lexed) pair() []int32 {
	partner := make([]int32, len(x.tasks))
	var waiting []int32
	for i, m := range x.marks {
		switch m.kind {
		case markOpen:
			partner[m.n] = -1
			if !x.tasks[m.n].empty {
				waiting = append(waiting, m.n)
			}
		case markClose:
			if last := len(waiting) - 1; last >= 0 {
				partner[waiting[last]] = int32(i)
				waiting = waiting[:last]
			}
		}
	}
	return partner
}
