// Package markdown reads what plans, roadmaps and notes have in common: front matter, fenced code, and which lines are visible. All of it takes
// linear time.
package markdown

import (
	"bytes"
	"strings"
)

// Fence is a line of at least three backticks or tildes, which opens or closes a block of code.
type Fence struct {
	Char byte
	Bare bool // nothing follows, so it may close a block
	Run  int  // number of characters
}

// ParseFence reads a fence from a line without its indentation, as CommonMark does; ok is false for any other line.
func ParseFence(line []byte) (f Fence, ok bool) {
	if len(line) == 0 || line[0] != '`' && line[0] != '~' {
		return f, false
	}
	info := bytes.TrimLeft(line, string(line[:1]))
	f.Char, f.Run = line[0], len(line)-len(info)
	info = bytes.TrimSpace(info)
	f.Bare = len(info) == 0
	inline := f.Char == '`' && bytes.IndexByte(info, '`') >= 0
	return f, f.Run >= 3 && !inline
}

// Closes reports whether f closes a block that began with open.
func (f Fence) Closes(open Fence) bool { return f.Bare && f.Char == open.Char && f.Run >= open.Run }

// CutFence parses a fence, which may be indented or quoted; it returns false for any other line.
func CutFence(s string) (Fence, bool) {
	s = strings.TrimLeft(s, " \t>")
	if !strings.HasPrefix(s, "```") && !strings.HasPrefix(s, "~~~") {
		return Fence{}, false
	}
	return ParseFence([]byte(s))
}

// lineEnd returns the offset after the line that holds off, including its line feed.
func lineEnd(src []byte, off int) int {
	if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
		return off + i + 1
	}
	return len(src)
}
