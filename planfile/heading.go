package planfile

// headings finds the tasks that are written as "## Task N" headings, levels 2 to 4. A task goes on to
// the next task, to the next heading of its own or a higher level, or to the end of the list of tasks.
func headings(src []byte, start int) []Task {
	// Tags are noted too, although no task of theirs is left to find: they decide which fences hide anything,
	// and must do so as they will in the session, where the tasks are wrapped.
	x := lex(src, start, "task", true)
	var tasks []Task
	level := int32(0) // of the task that is still open, 0 for none
	marks, _ := x.hide()
	for _, m := range marks {
		if m.kind != markHeading && m.kind != markEnd {
			continue
		}
		if level > 0 && (m.kind == markEnd || m.n <= level) {
			last := &tasks[len(tasks)-1]
			last.inner.to, last.end = m.at.from, m.at.from
			level = 0
		}
		if m.kind == markHeading && m.n < 0 {
			level = -m.n
			tasks = append(tasks, Task{Line: int(m.line), tag: m.at, inner: span{m.at.to, 0}})
		}
	}
	if level > 0 {
		last := &tasks[len(tasks)-1]
		last.inner.to, last.end = offset(len(src)), offset(len(src))
	}
	return tasks
}
