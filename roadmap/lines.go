package roadmap

// lines.go: what of a Markdown file its reader would see. Fenced examples and HTML comments are dropped as CommonMark reads
// them, but one that its author never closed drops nothing: it is better to read an example than to lose the phases
// behind it. Every byte is looked at a bounded number of times.

import (
	"iter"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
)

// Visible gives the lines of src outside fenced code and comments, each with its number, from 1, and without its end
// and the comments in it; the first line of what is hidden is empty, the others are missing. Lines end in \n or \r\n, and
// a byte order mark is dropped.
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

// viewer walks over the lines of a file.
type viewer struct {
	raw []string
	at  int // the next line

	openFence, openComment bool // one does not end: no later one is looked for
}

// next gives what is seen of the next line, and goes on behind it and what it hides; what follows the end of a comment of
// several lines is dropped with it.
func (v *viewer) next() string {
	text := strings.TrimSuffix(v.raw[v.at], "\r")
	v.at++
	if open, ok := cutFence(text); ok {
		closes := func(s string) bool { f, ok := cutFence(s); return ok && f.Closes(open) }
		if v.skip(closes, &v.openFence) {
			return ""
		}
	}
	var seen strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<!--")
		seen.WriteString(before)
		if !found {
			return seen.String()
		}
		_, after, closed := strings.Cut(rest, "-->")
		if !closed {
			if !v.skip(func(s string) bool { return strings.Contains(s, "-->") }, &v.openComment) {
				seen.WriteString("<!--" + rest)
			}
			return seen.String()
		}
		text = after
	}
}

// skip goes on behind the first line that ends what was opened; where none does, it stays, and sets open.
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

// cutFence reads a fence, which may be indented or quoted; false for another line.
func cutFence(s string) (planfile.Fence, bool) {
	s = strings.TrimLeft(s, " \t>")
	if !strings.HasPrefix(s, "```") && !strings.HasPrefix(s, "~~~") {
		return planfile.Fence{}, false
	}
	return planfile.ParseFence([]byte(s))
}
