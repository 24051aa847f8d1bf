package planfile

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A label is what the heading of a task or of a step begins with: "Task P1.1 — ", "Step 2: ", "T-01: ", "3. ".
type label struct {
	form string // the word, in lower case; "" for a bare id
	id   string
	sure bool // a word for task and an id, so that the heading is a task whatever is around it
}

// Words for task and for step, in lower case, as the languages that plans are written in have them; and other words of a heading below which
// tasks are.
var (
	taskWords = words(`task tarefa tarea tasca tâche tache aufgabe compito taak zadanie úkol задача задание завдання uppgift opgave oppgave
		tehtävä görev feladat tugas 任务 任務 タスク 작업 태스크 مهمة`)
	stepWords    = words(`step passo paso étape schritt stap krok шаг steg adım 步骤 步驟 ステップ 手順 단계`)
	sectionWords = words(`tasks tarefas tareas tâches taches aufgaben compiti taken zadania úkoly задачи задания uppgifter opgaver oppgaver
		tehtävät görevler feladatok steps passos pasos étapes schritte passi stappen kroki kroky шаги adımlar`)
	executionWords = words(`implementation execution`)
	besideWords    = words(`breakdown list order plan`)
)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// isTaskLabel reports whether a heading's text makes it a task by itself.
func isTaskLabel(text []byte) bool {
	l, ok := parseLabel(text)
	return ok && l.sure
}

// maxID is the length in bytes of an id, and of the word before it.
const maxID = 64

// parseLabel reads the label that a heading's text begins with, after a check box if there is one. An id is a number, with further numbers
// and letters in it, such as 1, 1.2 or 2a; after a word also a capital letter, or letters and a number, such as P1.1. A colon, a full stop, a dash
// or nothing must follow it, except after the word for task, where a number is enough.
func parseLabel(text []byte) (l label, ok bool) {
	text = withoutBox(text)
	word, rest := cutLetters(text)
	if len(word) > maxID {
		return l, false
	}
	l.form = strings.ToLower(string(word))
	task := taskWords[l.form]
	spaced := bytes.TrimLeft(rest, " \t")
	id := spaced
	if n := bytes.IndexFunc(id, func(r rune) bool { return r != '.' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }); n >= 0 {
		id = id[:n]
	}
	after := bytes.TrimLeft(spaced[len(id):], " \t")
	trimmed := bytes.TrimRight(id, ".-")
	ends := len(trimmed) < len(id) || len(bytes.TrimSpace(after)) == 0 || isSeparator(after)
	id = bytes.TrimLeft(trimmed, "-") // T-01
	if len(id) == 0 || len(id) > maxID {
		return l, false
	}
	l.id = string(id)
	number := id[0] >= '0' && id[0] <= '9'
	apart := len(word) == 0 || len(spaced) < len(rest) // the id is a word of its own
	switch {
	case task && number:
		l.sure = true
		return l, true
	case !ends:
		return l, false
	case number:
		return l, true
	case len(word) == 0 || !apart:
		return l, false
	}
	capital := len(id) == 1 && id[0] >= 'A' && id[0] <= 'Z'
	l.sure = task
	return l, capital || bytes.ContainsAny(id, "0123456789")
}

// isSeparator reports whether what follows an id is a mark between it and a name.
func isSeparator(after []byte) bool {
	r, _ := utf8.DecodeRune(after)
	return strings.ContainsRune(":)-–—：、）", r)
}

// cutLetters cuts the letters that a text begins with.
func cutLetters(text []byte) (letters, rest []byte) {
	rest = bytes.TrimLeftFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) })
	return text[:len(text)-len(rest)], rest
}

// bullet returns the length of an item's bullet at the beginning of a line, with the blanks around it, and 0 for none.
func bullet(line []byte) int {
	text := bytes.TrimLeft(line, " \t")
	if len(text) < 2 || strings.IndexByte("-*+", text[0]) < 0 || text[1] != ' ' && text[1] != '\t' {
		return 0
	}
	return len(line) - len(bytes.TrimLeft(text[1:], " \t"))
}

// withoutBox removes blanks, an item's bullet, and a check box from the beginning of a line: "- [x] Add x". The number of an item stays:
// "1. [ ] Add x" becomes "1. Add x".
func withoutBox(line []byte) []byte {
	line = bytes.TrimLeft(line[bullet(line):], " \t")
	number := 0
	if id, ok := parseItem(line); ok && id != "" {
		number = len(id) + len(". ")
	}
	if n := boxLen(line[number:]); n > 0 {
		return slices.Concat(line[:number], bytes.TrimLeft(line[number+n:], " \t"))
	}
	return line
}

// boxLen returns the length of the check box that a text begins with, "[ ]" or "[x]", and 0 for none.
func boxLen(text []byte) int {
	const box = len("[x] ")
	if len(text) < box || text[0] != '[' || strings.IndexByte(" xX", text[1]) < 0 || text[2] != ']' || text[3] != ' ' {
		return 0
	}
	return box
}

// sectionRank returns how surely a heading's text says that tasks follow: 2 if it names tasks or steps, as "Implementation Tasks" and "Task
// Breakdown" do, 1 if only their execution, and 0 if it has any other word.
func sectionRank(text []byte) (rank int) {
	if len(text) > 4*maxID { // it is read for each heading below it
		return 0
	}
	n := 0
	for word := range strings.FieldsFuncSeq(string(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		switch word = strings.ToLower(word); {
		case n == 4:
			return 0
		case taskWords[word], sectionWords[word]:
			rank = 2
		case stepWords[word], executionWords[word]:
			rank = max(rank, 1)
		case !besideWords[word]:
			return 0
		}
		n++
	}
	return rank
}

// follows reports whether an id comes after another one in order, number by number: 2 after 1, 10 after 9, B after A, P1.2 after P1.1.
func follows(id, before string) bool {
	for id != "" && before != "" {
		a, b := digits(id), digits(before)
		if a == "" || b == "" {
			if id[0] != before[0] {
				return id[0] > before[0]
			}
			id, before = id[1:], before[1:]
			continue
		}
		id, before = id[len(a):], before[len(b):]
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		if len(a) != len(b) {
			return len(a) > len(b)
		}
		if a != b {
			return a > b
		}
	}
	return id != "" // 1a after 1
}

// digits returns the digits that a text begins with.
func digits(text string) string { return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))] }
