package planfile

import "bytes"

// headings returns the tasks that are written as headings of levels 2 to 4. A task ends at the next task, at the next heading of its own
// or a higher level, or at the end of the task list. A heading is a task by itself if it begins with a word for task and an id, "## Task 1"
// or "### Task P1.1 — x". In a plan that has none, a series of other headings is the tasks, and without one a list (series.go).
// These are inferred: nothing in them says that they are tasks.
func (x lexed) headings() (tasks []Task, inferred bool) {
	isTask := func(m mark) bool { return m.n < 0 }
	if !x.hasHeading(isTask) {
		inferred = true
		chosen, rank := x.series()
		if rank < 2 {
			if tasks := x.list(2); tasks != nil {
				return tasks, true
			}
		}
		if chosen == nil {
			return x.list(0), true
		}
		isTask = func(m mark) bool { return chosen[m.at.from] }
	}
	level := int32(0) // of the task that has not ended yet, 0 for none
	endAt := func(at offset) {
		if level > 0 {
			last := &tasks[len(tasks)-1]
			last.inner.to, last.end = at, at
			level = 0
		}
	}
	for _, m := range x.marks {
		task := m.kind == markHeading && isTask(m)
		if m.kind == markEnd || m.kind == markHeading && (task || m.level() <= level) {
			endAt(m.at.from)
		}
		if task {
			level = m.level()
			tasks = append(tasks, Task{Line: int(m.line), tag: m.at, inner: span{m.at.to, 0}})
		}
	}
	endAt(offset(len(x.src)))
	return tasks, inferred
}

// hasHeading reports whether a heading is of that kind.
func (x lexed) hasHeading(is func(mark) bool) bool {
	for _, m := range x.marks {
		if m.kind == markHeading && is(m) {
			return true
		}
	}
	return false
}

// level returns the level of a heading.
func (m mark) level() int32 { return max(m.n, -m.n) }

// headingText returns the text of a heading, without number signs.
func (x lexed) headingText(m mark) []byte {
	return bytes.TrimLeft(bytes.TrimSpace(m.at.of(x.src)), "#")
}
