package roadmap

// lines.go: what of a Markdown file its reader would see as the roadmap. Fenced examples and HTML
// comments are dropped, but a fence or comment that its author never closed drops nothing: it is better
// to read an example than to lose the phases behind it. Every byte is looked at a bounded number of
// times, whatever the file holds.

import "strings"

// line is one visible line without its end, comments cut out.
type line struct {
	no   int // 1-based
	text string
}

// visible lists the lines of src outside fenced code and comments. A byte order mark is dropped;
// lines end in \n or \r\n.
func visible(src string) []line {
	raw := strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n")
	for i, s := range raw {
		raw[i] = strings.TrimSuffix(s, "\r")
	}
	ends := fences(raw)
	var comments []int
	if strings.Contains(src, "<!--") {
		comments = closers(raw)
	}
	lines := make([]line, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if end := ends[i]; end > 0 {
			i = end
			continue
		}
		text, at := raw[i], i
		if strings.Contains(text, "<!--") {
			text, i = cutComments(raw, comments, i)
		}
		if text != "" {
			lines = append(lines, line{at + 1, text})
		}
	}
	return lines
}

// fence is a line of at least three backticks or tildes.
type fence struct {
	at, length int
	char       byte
	info       bool // something follows: it can only open
}

// fences answers for each line that opens a fenced block the line that closes it, and 0 for others. An
// opener whose block holds a line that can only be an opener was closed once too often by its author,
// or not at all, and is no fence; so is one that nothing closes.
func fences(raw []string) map[int]int {
	var all []fence
	for i, s := range raw {
		s = strings.TrimLeft(s, " \t>")
		if len(s) < 3 || s[0] != '`' && s[0] != '~' {
			continue
		}
		f := fence{at: i, char: s[0]}
		for f.length < len(s) && s[f.length] == f.char {
			f.length++
		}
		info := strings.TrimSpace(s[f.length:])
		if f.length < 3 || f.char == '`' && strings.Contains(info, "`") {
			continue
		}
		f.info = info != ""
		all = append(all, f)
	}
	ends := map[int]int{}
	next := nextFence(all)
	for i := 0; i < len(all); i++ {
		if j := next[i]; j > 0 && !all[j].info {
			ends[all[i].at] = all[j].at
			i = j
		}
	}
	return ends
}

// nextFence answers for each fence the next one of its character that is at least as long, 0 for none.
// Going backwards, only a fence that no earlier, longer one hides is kept.
func nextFence(all []fence) []int {
	next := make([]int, len(all))
	kept := map[byte][]int{}
	for i := len(all) - 1; i >= 0; i-- {
		f := all[i]
		stack := kept[f.char]
		for len(stack) > 0 && all[stack[len(stack)-1]].length < f.length {
			stack = stack[:len(stack)-1]
		}
		if len(stack) > 0 {
			next[i] = stack[len(stack)-1]
		}
		kept[f.char] = append(stack, i)
	}
	return next
}

// closers counts, for each line, the next line at or after it that holds `-->`; len(raw) for none.
func closers(raw []string) []int {
	next := make([]int, len(raw)+1)
	next[len(raw)] = len(raw)
	for i := len(raw) - 1; i >= 0; i-- {
		next[i] = next[i+1]
		if strings.Contains(raw[i], "-->") {
			next[i] = i
		}
	}
	return next
}

// cutComments answers line i without its comments, and the last line that it took to close them; what
// follows the end of a comment of several lines is dropped with it. A comment in which another one
// opens was not closed, nor was one in a code span opened.
func cutComments(raw []string, next []int, i int) (string, int) {
	var b strings.Builder
	text := raw[i]
	for {
		open := strings.Index(text, "<!--")
		if open < 0 {
			break
		}
		b.WriteString(text[:open])
		rest := text[open+4:]
		again := strings.Index(rest, "<!--")
		end := strings.Index(rest[:max(again, 0)], "-->")
		if again < 0 {
			end = strings.Index(rest, "-->")
		}
		switch {
		case open > 0 && text[open-1] == '`', again >= 0 && end < 0:
			b.WriteString("<!--")
			text = rest
		case end >= 0:
			text = rest[end+3:]
		default:
			if to := commentEnd(raw, next, i+1); to < len(raw) {
				return b.String(), to
			}
			b.WriteString("<!--")
			text = rest
		}
	}
	b.WriteString(text)
	return b.String(), i
}

// commentEnd is the line that closes a comment which is open at the start of line i; len(raw) if none
// does before another one opens.
func commentEnd(raw []string, next []int, i int) int {
	if i >= len(raw) || next[i] == len(raw) {
		return len(raw)
	}
	to := next[i]
	for j := i; j <= to; j++ {
		open := strings.Index(raw[j], "<!--")
		if open >= 0 && (j < to || open < strings.Index(raw[j], "-->")) {
			return len(raw)
		}
	}
	return to
}
