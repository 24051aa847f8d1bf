package planfile

// headings returns the tasks that are written as "## Task N" headings of levels 2 to 4. A task ends at the next task,
// at the next heading of its own or a higher level, or at the end of the task list.
func (x lexed) headings() []Task {
	var tasks []Task
	level := int32(0) // of the task that has not ended yet, 0 for none
	endAt := func(at offset) {
		if level > 0 {
			last := &tasks[len(tasks)-1]
			last.inner.to, last.end = at, at
			level = 0
		}
	}
	for _, m := range x.marks {
		if m.kind == markEnd || m.kind == markHeading && m.n <= level {
			endAt(m.at.from)
		}
		if m.kind == markHeading && m.n < 0 {
			level = -m.n
			tasks = append(tasks, Task{Line: int(m.line), tag: m.at, inner: span{m.at.to, 0}})
		}
	}
	endAt(offset(len(x.src)))
	return tasks
}
