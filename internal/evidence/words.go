package evidence

// words.go: the similarity of two texts. All words have the same weight: weighting them by the number of tasks that
// contain them assigns fewer labelled commits correctly.

import (
	"slices"
	"strings"
	"unicode"
)

// wordSet is a sorted set of words.
type wordSet []string

// maxWords is the number of words of a text that count. Task names have about ten, rarely more than thirty.
const maxWords = 64

// words returns the words of a text, in lower case, without endings and numbers.
func (p *Plan) words(text string) wordSet { return p.someWords(text, maxWords) }

// someWords returns at most so many of them.
func (p *Plan) someWords(text string, most int) wordSet {
	var set wordSet
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if w = p.stem(strings.ToLower(w)); w != "" && len(set) < most {
			set = append(set, w)
		}
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// stem removes the most common endings from a word; it returns "" for a number, such as that of `Task 2:`.
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

// similarity returns the similarity of two texts from 0 to 1: the mean of the common words' shares of both texts and of
// the shorter one, because a subject may be shorter or longer than the name of its task. Counting the words in the
// names of a task's files, too, would assign no more labelled commits correctly.
func similarity(a, b wordSet) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0.0
	for _, w := range a {
		if _, ok := slices.BinarySearch(b, w); ok {
			both++
		}
	}
	// One common word in a text of two is not enough: the shorter text counts as at least three words.
	return min(1, both/float64(len(a)+len(b))+both/float64(max(3, min(len(a), len(b))))/2)
}
