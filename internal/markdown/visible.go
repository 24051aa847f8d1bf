package markdown

// visible.go: the visible lines of a Markdown file. Fenced examples and HTML comments are dropped as in CommonMark,
// except that one without an end drops nothing: it is better to read an example than to lose the phases after it. The
// time is linear.

import (
	"iter"
	"slices"
	"strings"
)

// Visible returns the lines of src outside fenced code and comments, each with its number, from 1, and without its line
// ending and comments. Of a hidden block the first line is returned as empty, the others are left out. Lines end in \n
// or \r\n; a byte order mark is dropped.
func Visible(src string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		v := viewer{raw: strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n")}
		for v.at < len(v.raw) {
			no := v.at + 1
			if !yield(no, v.next()) {
				return
			}
		}
	}
}

// viewer iterates over the lines of a file.
type viewer struct {
	raw []string
	at  int // the next line

	openFence, openComment bool // one has no end, so none after it is looked for
}

// next returns the visible text of the next line and moves past it and any lines that it hides. The text after the end
// of a comment of several lines is dropped.
func (v *viewer) next() string {
	text := strings.TrimSuffix(v.raw[v.at], "\r")
	v.at++
	if open, ok := CutFence(text); ok {
		closes := func(s string) bool { f, ok := CutFence(s); return ok && f.Closes(open) }
		if v.skip(closes, &v.openFence) {
			return ""
		}
	}
	var visible strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<!--")
		visible.WriteString(before)
		if !found {
			return visible.String()
		}
		_, after, closed := strings.Cut(rest, "-->")
		if !closed {
			if !v.skip(func(s string) bool { return strings.Contains(s, "-->") }, &v.openComment) {
				visible.WriteString("<!--" + rest)
			}
			return visible.String()
		}
		text = after
	}
}

// skip moves past the first line for which ends returns true. If there is none it sets open and returns false.
func (v *viewer) skip(ends func(string) bool, open *bool) bool {
	if *open {
		return false
	}
	n := slices.IndexFunc(v.raw[v.at:], ends)
	if *open = n < 0; *open {
		return false
	}
	v.at += n + 1
	return true
}
