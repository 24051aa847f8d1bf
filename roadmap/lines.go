package roadmap

// lines.go: what of a Markdown file its reader would see as the roadmap. Fenced examples and HTML comments are
// dropped as CommonMark reads them, but one that its author never closed drops nothing: it is better to read an
// example than to lose the phases behind it. Every byte is looked at a bounded number of times.

import (
	"iter"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
)

// Visible gives the lines of src outside fenced code and comments, each with its number, from 1, and without its end
// and the comments in it; lines of which nothing is left are missing.
func Visible(src string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for _, l := range visible(src) {
			if !yield(l.no, l.text) {
				return
			}
		}
	}
}

// line is one visible line without its end, comments cut out.
type line struct {
	no   int // 1-based
	text string
}

// visible lists the lines of src outside fenced code and comments. A byte order mark is dropped; lines end in \n
// or \r\n.
func visible(src string) []line {
	raw := strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n")
	for i, s := range raw {
		raw[i] = strings.TrimSuffix(s, "\r")
	}
	v := viewer{raw: raw, lines: make([]line, 0, len(raw))}
	for v.at < len(raw) {
		if end := v.fenceEnd(); end > 0 {
			v.at = end + 1
			continue
		}
		no := v.at + 1
		if text := v.uncommented(); text != "" {
			v.lines = append(v.lines, line{no, text})
		}
	}
	return v.lines
}

// viewer walks over the lines of a file.
type viewer struct {
	raw   []string
	at    int // the line that is looked at
	lines []line

	openFence, openComment bool // one does not end: no later one is looked for
}

// fenceEnd is the index of the line that closes the fence which the current line opens; 0 where it opens none.
func (v *viewer) fenceEnd() int {
	open, ok := cutFence(v.raw[v.at])
	if !ok || v.openFence {
		return 0
	}
	for i := v.at + 1; i < len(v.raw); i++ {
		if f, ok := cutFence(v.raw[i]); ok && f.Closes(open) {
			return i
		}
	}
	v.openFence = true
	return 0
}

// cutFence reads a fence, which may be indented or quoted; false for another line.
func cutFence(s string) (planfile.Fence, bool) {
	if s = strings.TrimLeft(s, " \t>"); !strings.HasPrefix(s, "```") && !strings.HasPrefix(s, "~~~") {
		return planfile.Fence{}, false
	}
	return planfile.ParseFence([]byte(s))
}

// uncommented gives the current line without its comments, and goes on to the line behind those that the last of
// them takes; what follows the end of a comment of several lines is dropped with it.
func (v *viewer) uncommented() string {
	var b strings.Builder
	text := v.raw[v.at]
	v.at++
	for {
		before, rest, found := strings.Cut(text, "<!--")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if _, after, closed := strings.Cut(rest, "-->"); closed {
			text = after
			continue
		}
		for i := v.at; i < len(v.raw) && !v.openComment; i++ {
			if strings.Contains(v.raw[i], "-->") {
				v.at = i + 1
				return b.String()
			}
		}
		v.openComment = true
		b.WriteString("<!--" + rest)
		return b.String()
	}
}
