package roadmap

// state_text.go: names come from files that anybody wrote. What of them is written into STATE.md is one line
// that cannot open a comment, end one, or hide what it shows.

import "strings"

// maxStateValue is the length of the longest value that is looked into, in bytes. Real ones have at most some
// hundred; more is text of another kind.
const maxStateValue = 4096

// stateSame tells whether a and b are the same words.
func stateSame(a, b string) bool {
	x, y := strings.Join(wordsOf(a), " "), strings.Join(wordsOf(b), " ")
	return x == y && (x != "" || a == b)
}

// statePlaceholder tells whether a value says that there is none.
func statePlaceholder(s string) bool {
	words := wordsOf(s)
	if len(words) == 0 {
		return strings.Trim(s, "—–-_?. ()[]") == ""
	}
	switch words[0] {
	case "none", "na", "tbd", "unknown", "between", "undefined", "null", "never":
		return true
	case "n":
		return len(words) > 1 && words[1] == "a"
	case "not":
		return len(words) > 1 && (words[1] == "started" || words[1] == "yet" || words[1] == "planned")
	case "no":
		return len(words) > 1 && words[1] == "active"
	}
	return strings.HasPrefix(s, "— (") || strings.HasPrefix(s, "- (")
}

// stateDashes are the marks before a remark.
var stateDashes = []string{" — ", " – ", " -- ", " - "}

// cutStateDash cuts a dash off the start of s.
func cutStateDash(s string) (dash, rest string, ok bool) {
	for _, d := range stateDashes {
		if after, found := strings.CutPrefix(s, d); found {
			return d, after, true
		}
	}
	return "", s, false
}

// stateStop is where in s a dash or a bracket after a space begins; len(s) for nowhere.
func stateStop(s string) int {
	stop := len(s)
	for _, mark := range append([]string{" ("}, stateDashes...) {
		if i := strings.Index(s, mark); i >= 0 {
			stop = min(stop, i)
		}
	}
	return stop
}

// cutStateBracket cuts a bracket with all that it holds off the start of s, blanks before it included.
func cutStateBracket(s string) (lead, inner, rest string, ok bool) {
	open := len(s) - len(strings.TrimLeft(s, " \t"))
	if open == len(s) || s[open] != '(' {
		return "", "", s, false
	}
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return s[:open], s[open+1 : i], s[i+1:], true
			}
		}
	}
	return "", "", s, false
}

// stateTail goes through what follows a position: remarks in brackets, after dashes, and bare words. keep
// decides on each; what is left comes back as it was.
func stateTail(s string, keep func(mark, text string) bool) string {
	var b strings.Builder
	for s != "" {
		if _, inner, rest, ok := cutStateBracket(s); ok {
			if keep("(", inner) {
				b.WriteString(s[:len(s)-len(rest)])
			}
			s = rest
			continue
		}
		mark, after, ok := cutStateDash(s)
		if !ok {
			mark, after = "", s
		}
		text := after[:max(stateStop(after), min(1, len(after)))]
		if ok && !hasDash(after) && unbalanced(text) {
			text = after
		}
		if keep(strings.TrimSpace(mark), strings.TrimSpace(text)) {
			b.WriteString(mark + text)
		}
		s = after[len(text):]
	}
	return b.String()
}

func hasDash(s string) bool {
	for _, d := range stateDashes {
		if strings.Contains(s, d) {
			return true
		}
	}
	return false
}

func unbalanced(s string) bool { return strings.Count(s, "(") != strings.Count(s, ")") }

// nests tells whether each bracket in s is closed, and none before it opens.
func nests(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// stateFree tells whether a remark says nothing of a position: no number, no word of status.
func stateFree(s string) bool {
	if strings.ContainsAny(s, "0123456789") || firstSign(s) != Unknown {
		return false
	}
	for _, w := range wordsOf(s) {
		if word(w) != Unknown {
			return false
		}
		switch w {
		case "passed", "approved", "gap", "reviewed", "discussed", "merged", "human", "tested", "gathered":
			return false
		}
	}
	return true
}
