package evidence

// part.go: which commits do only a part of their task. Others follow, so the task is in progress.

import (
	"strings"
	"unicode"
)

// isPart reports whether an item does only a part of a task: tests that come before their code, as upstream's executor commits them
// for a test-driven task (`test(03-01): add failing test for …`). A task that names no files but tests is done by these; and tests
// that changed code that it names came with it, unless they are said to fail.
func (p *plan) isPart(it item, task int) bool {
	if it.Type != "test" || !p.on(RuleTests) || p.files.code[task] == 0 && p.files.count[task] > 0 {
		return false
	}
	hasCode := it.touched.of(task).code > 0
	if p.Tasks[task].TDD {
		return !hasCode || saysFailing(it.Text)
	}
	return !hasCode && saysFailing(it.Text)
}

// saysFailing reports whether a subject says that its tests fail so far: `failing`, or `RED`, the first phase of test-driven
// development.
func saysFailing(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if strings.EqualFold(word, "failing") || word == "RED" {
			return true
		}
	}
	return false
}
