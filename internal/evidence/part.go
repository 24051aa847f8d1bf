package evidence

// part.go: which commits do only a part of their task. Others follow, so the task is in progress.

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

// isPart reports whether an item does only a part of a task:
//   - unfinished work (`wip(03-01): …`),
//   - a fix at a checkpoint, which has not been approved then,
//   - tests that come before their code, as upstream's executor commits them for a test-driven task (`test(03-01): add failing test …`).
//     But a task that names no files but tests is done by these, and tests that changed code that it names came with it, unless they
//     are said to fail.
func (p *plan) isPart(it item, task int) bool {
	if p.on(RuleUnfinished) && it.unfinished || p.on(RuleFixes) && it.Type == "fix" && p.Tasks[task].IsCheckpoint() {
		return true
	}
	if it.Type != "test" || !p.on(RuleTests) || p.files.code[task] == 0 && p.files.count[task] > 0 {
		return false
	}
	hasCode := it.touched.of(task).code > 0
	if p.Tasks[task].TDD {
		return !hasCode || it.failing
	}
	return !hasCode && it.failing
}

// unfinishedNote is a remark at the end of a subject that says so.
var unfinishedNote = regexp.MustCompile(`(?i)\((?:wip|partial|partly|unfinished|incomplete|not done|part \d)\b[^()]*\)$`)

// isUnfinished reports whether a subject says that the work continues: its type is wip, WIP is the first or the last word, or a remark at
// its end says so.
func isUnfinished(s planref.Subject) bool {
	words := strings.FieldsFunc(s.Text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' })
	return s.Type == "wip" || unfinishedNote.MatchString(s.Text) || len(words) > 0 && (strings.EqualFold(words[0], "wip") || strings.EqualFold(words[len(words)-1], "wip"))
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
