package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns a text as one line: cleaned, white space collapsed.
func Line(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// Cut returns a text cut to at most most characters, the last of them an ellipsis if some were left out.
func Cut(s string, most int) string {
	switch {
	case utf8.RuneCountInString(s) <= most:
		return s
	case most <= 0:
		return ""
	}
	return string([]rune(s)[:most-1]) + "…"
}

// OneLine returns a text as one line that can be written to a file: each run of white space becomes one space, control,
// bidirectional and zero-width characters are removed, and a space is inserted into the delimiters of comments. It is cut to
// 200 characters, because STATE.md is meant to be a digest (templates/state.md, size_constraint).
func OneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), unicode.IsSpace), " ")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	s = strings.ReplaceAll(s, "<!--", "<! --")
	s = strings.ReplaceAll(s, "-->", "-- >")
	return strings.TrimSpace(Cut(s, 200))
}

// Code returns the text as a code span of Markdown: cleaned, on one line and cut, but with all its spaces, because it may be
// a path or a command; "" if nothing is left. A run of as many backticks as it begins with is nowhere in the text, so nothing
// in it can end the span (CommonMark 0.31, section 6.1). They are not counted in most.
func Code(s string, most int) string {
	line := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, Clean(s))
	s = Cut(strings.TrimSpace(line), most)
	if s == "" {
		return ""
	}
	runs := strings.FieldsFunc(s, func(r rune) bool { return r != '`' })
	fence := "`"
	for slices.Contains(runs, fence) {
		fence += "`"
	}
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// FitBytes joins blocks of text, the most important first, with a blank line between them, and defangs the whole, so that it
// is at most that many bytes long. It leaves out everything from the first line that does not fit, and adds more as
// the last line to say so; if not even one line fits, that line is cut with an ellipsis. Empty blocks are ignored, and
// so is a note that is too long by itself. The result is valid UTF-8.
func FitBytes(blocks []string, most int, more string) string {
	const gap = "\n\n"
	var whole []string
	for _, block := range blocks {
		if block = strings.Trim(strings.ToValidUTF8(block, "\ufffd"), "\n"); block != "" {
			whole = append(whole, block)
		}
	}
	all := Defang(strings.Join(whole, gap))
	if len(all) <= most {
		return all
	}
	if more = Defang(strings.ToValidUTF8(more, "\ufffd")); len(more) > most {
		more = ""
	}
	for room := most; ; { // less each time, because a bracket that is replaced takes more room
		head := ""
		left := room
		if more != "" {
			left -= len(gap) + len(more)
		}
		if left > 0 {
			head = strings.TrimRight(all[:1+strings.LastIndexByte(all[:left+1], '\n')], "\n")
			if head == "" {
				head = cutBytes(all, left)
			}
		}
		if head != "" && more != "" {
			head += gap
		}
		fitted := Defang(head + more)
		if len(fitted) <= most || room <= 0 {
			return fitted
		}
		room -= len(fitted) - most
	}
}

// cutBytes cuts a text that is longer to at most that many bytes, including an ellipsis if there is room for one.
func cutBytes(s string, most int) string {
	tail := "…"
	if most < len(tail) {
		tail = ""
	}
	most -= len(tail)
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + tail
}
