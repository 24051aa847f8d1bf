package planref

// label.go: the labels of tasks. Most plans number their tasks from 1, but others have 1.1 and 2.1 (wave and task), 2a, T-01, P1.2 or A. So a
// label is a text, and one that no task has names none: "Task 3.1" is not task 3.

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CutLabel cuts the label that a text begins with off it: a capital letter; or at most three letters, a dash, numbers with points between
// them, and a letter. It returns "" and the whole text if that begins with no label.
func CutLabel(text string) (label, rest string) {
	n := 0
	for n < 3 && n < len(text) && isLetter(text[n]) {
		n++
	}
	if n == 1 && isCapital(text[0]) && endsAt(text, 1) && !(len(text) > 2 && text[1] == '-' && isDigit(text[2])) {
		return text[:1], text[1:]
	}
	if n > 0 && n < len(text) && text[n] == '-' {
		n++
	}
	for {
		start := n
		for n < len(text) && isDigit(text[n]) {
			n++
		}
		if n == start {
			return "", text
		}
		if n+1 >= len(text) || text[n] != '.' || !isDigit(text[n+1]) {
			break
		}
		n++
	}
	if n < len(text) && isLetter(text[n]) && endsAt(text, n+1) {
		n++
	}
	if !endsAt(text, n) {
		return "", text
	}
	return text[:n], text[n:]
}

// endsAt reports whether no letter or digit follows in a text.
func endsAt(text string, n int) bool {
	r, _ := utf8.DecodeRuneInString(text[n:])
	return n == len(text) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
}

// LabelKey returns a label in the form in which it is compared: in lower case, and a plain number without leading zeros. A letter alone
// stays as it is, because "a" is a word.
func LabelKey(label string) string {
	switch {
	case len(label) == 1:
		return label
	case strings.Trim(label, "0123456789") == "":
		return cmp.Or(strings.TrimLeft(label, "0"), label[:min(len(label), 1)])
	}
	return strings.ToLower(label)
}

// NamedLabels returns the labels that a text names behind the word task, at most most of them, as ranges of their keys: "2" to "2" of
// `(Task 2)` and of `Task 2/5`, "2" to "4" of `tasks 2-4`, and two of `Tasks 1 and 3` and of `Task 1+3`.
func NamedLabels(text string, most int) (labels [][2]string) {
	for i := 0; i < len(text) && len(labels) < most; {
		end := taskWord(text, i)
		if end == 0 {
			i++
			continue
		}
		for i = end; len(labels) < most; {
			rest := strings.TrimLeft(text[i:], " #")
			label, after := CutLabel(rest)
			if label == "" {
				break
			}
			span := [2]string{LabelKey(label), LabelKey(label)}
			if rest, ok := cutDash(after); ok {
				if to, end := CutLabel(rest); to != "" {
					span[1], after = LabelKey(to), end
				}
			}
			if of, ok := strings.CutPrefix(after, "/"); ok { // of how many
				after = strings.TrimLeft(of, "0123456789")
			}
			labels = append(labels, span)
			joined := cutJoiner(after)
			if i = len(text) - len(joined); joined == after {
				break
			}
		}
	}
	return labels
}

// taskWord returns where the word task or tasks ends that begins at i, 0 if none does.
func taskWord(text string, i int) int {
	const word = "task"
	if len(text) < i+len(word) || !strings.EqualFold(text[i:i+len(word)], word) {
		return 0
	}
	if r, _ := utf8.DecodeLastRuneInString(text[:i]); i > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '/') {
		return 0
	}
	end := i + len(word)
	if end < len(text) && text[end]|0x20 == 's' {
		end++
	}
	if end < len(text) && text[end] != ' ' && text[end] != '#' {
		return 0
	}
	return end
}

// cutDash cuts the dash of a range.
func cutDash(text string) (string, bool) {
	for _, dash := range [...]string{"-", "\u2013"} {
		if rest, ok := strings.CutPrefix(text, dash); ok {
			return rest, true
		}
	}
	return text, false
}

// cutJoiner cuts what stands between two labels of a list.
func cutJoiner(text string) string {
	after := strings.TrimLeft(text, " ")
	rest := strings.TrimLeft(after, ",+&")
	rest = strings.TrimLeft(rest, " ")
	if and, ok := strings.CutPrefix(rest, "and "); ok {
		return and
	}
	if strings.TrimLeft(after, ",+&") == after {
		return text
	}
	return rest
}
