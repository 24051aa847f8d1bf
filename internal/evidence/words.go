package evidence

// words.go: how much two texts are about the same. All words weigh the same: with weights by how many tasks have a word,
// fewer labelled commits find their task.

import (
	"slices"
	"strings"
	"unicode"
)

// wordSet is the words of a text, in order and each once.
type wordSet []string

// mostWords is how many words of a text are looked at. A name of a task has some ten, rarely more than thirty.
const mostWords = 64

// words returns what a text says: in lower case, without endings and numbers.
func (p *Plan) words(text string) wordSet {
	var set wordSet
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if w = p.stem(strings.ToLower(w)); w != "" && len(set) < mostWords {
			set = append(set, w)
		}
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// stem takes the commonest endings off a word; "" for a number, such as that of `Task 2:`.
func (p *Plan) stem(w string) string {
	if strings.Trim(w, "0123456789") == "" {
		return ""
	}
	if !p.on(RuleEndings) {
		return w
	}
	for _, ending := range []string{"ing", "ed", "es", "s"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) >= 3 && !strings.HasSuffix(rest, "s") {
			w = rest
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

// likeness returns how much of two texts is the same, 0 to 1: the mean of the share of both and of the share of the
// shorter, because a subject is shorter than the name of its task or longer as it comes. That words of the names of a task's files
// count as well moves no labelled commit to its task.
func likeness(a, b wordSet) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0.0
	for _, w := range a {
		if _, ok := slices.BinarySearch(b, w); ok {
			both++
		}
	}
	// One word in common of a text of two is no likeness yet: the shorter counts for at least three.
	return min(1, both/float64(len(a)+len(b))+both/float64(max(3, min(len(a), len(b))))/2)
}
