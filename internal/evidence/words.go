package evidence

// words.go: how much two texts are about the same. The words that all tasks of a plan share tell nothing about
// which of them is meant, so a word weighs less the more tasks have it.

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// wordSet is the words of a text, in order and each once, so that sums over them come out the same every time.
type wordSet []string

// mostWords is how many words of a text are looked at.
const mostWords = 100

// words lists what a text says: in lower case, names in camel case taken apart, endings and words that every
// text has left out.
func words(text string) wordSet {
	var set wordSet
	start, prev := -1, rune(0)
	flush := func(end int) {
		if start >= 0 && len(set) < mostWords {
			if w := stem(strings.ToLower(text[start:end])); w != "" {
				set = append(set, w)
			}
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
		case start >= 0 && unicode.IsUpper(r) && unicode.IsLower(prev):
			flush(i)
			start = i
		case start < 0:
			start = i
		}
		prev = r
	}
	flush(len(text))
	return set.sorted()
}

func (s wordSet) sorted() wordSet {
	slices.Sort(s)
	return slices.Compact(s)
}

func (s wordSet) has(w string) bool {
	_, ok := slices.BinarySearch(s, w)
	return ok
}

// stem takes the commonest endings off a word, so that `tests`, `testing` and `test` are one; empty for a word
// that says nothing.
func stem(w string) string {
	switch w {
	case "a", "an", "the", "and", "or", "of", "for", "to", "in", "on", "with", "from", "by", "into", "as", "at", "all", "is",
		"its", "via", "per", "add", "adds", "added", "adding", "create", "creates", "created", "implement", "implements",
		"implemented", "update", "updates", "updated", "task", "tasks", "plan", "phase", "new", "use", "using", "support":
		return ""
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

// weights gives what each word of some texts weighs: 1 for a word that only one of them has, less for others.
func weights(texts []wordSet) map[string]float64 {
	in := map[string]int{}
	for _, set := range texts {
		for _, w := range set {
			in[w]++
		}
	}
	weight := make(map[string]float64, len(in))
	for w, n := range in {
		weight[w] = math.Log(1+float64(len(texts))/float64(n)) / math.Log(1+float64(len(texts)))
	}
	return weight
}

// share gives how much of a, by weight, is in b.
func share(a, b wordSet, weight map[string]float64) float64 {
	var both, all float64
	for _, w := range a {
		of, ok := weight[w]
		if !ok {
			of = 1
		}
		all += of
		if b.has(w) {
			both += of
		}
	}
	return both / max(all, 1)
}

// likeness gives how much of two texts is the same, 0 to 1: the mean of the share of both and of the share of
// the shorter, because a subject is shorter than the name of its task or longer as it comes. more are words
// that go with b: those found there count half.
func likeness(a, b, more wordSet, weight map[string]float64) float64 {
	of := func(w string) float64 {
		if v, ok := weight[w]; ok {
			return v
		}
		return 1
	}
	var both, inA, inB float64
	for _, w := range a {
		inA += of(w)
		if b.has(w) {
			both += of(w)
		} else if more.has(w) {
			both += of(w) / 2
		}
	}
	for _, w := range b {
		inB += of(w)
	}
	if inA == 0 || inB == 0 {
		return 0
	}
	// One word in common of a text of two is no likeness yet: the shorter counts for at least three.
	return min(1, both/(inA+inB)+both/max(3, min(inA, inB))/2)
}
