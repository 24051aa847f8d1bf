package markdown

import "bytes"

// CutFrontMatter splits a document at its YAML front matter, which runs from a first line of three dashes, at byte 0 or
// after a byte order mark, to the next line of three dashes or dots. block is the text between these lines, and rest
// the text after the second.
//
// A line in it that begins with "<" means that the front matter was never closed and the document's own tags have
// started, because no line of YAML begins with it. If the front matter is not closed, perhaps because writing it was cut
// short, block ends at the first blank line or tag, and rest is the whole document. Without front matter block is nil.
func CutFrontMatter(src []byte) (block, rest []byte, closed bool) {
	text := bytes.TrimPrefix(src, []byte("\ufeff"))
	begin := lineEnd(text, 0)
	if string(trimLine(text[:begin])) != "---" {
		return nil, src, false
	}
	open := len(text) // where the block ends if nothing closes it
	for at := begin; at < len(text); {
		end := lineEnd(text, at)
		switch line := trimLine(text[at:end]); {
		case string(line) == "---" || string(line) == "...":
			return text[begin:at], text[end:], true
		case len(line) == 0:
			open = min(open, at)
		case line[0] == '<':
			return text[begin:min(open, at)], src, false
		}
		at = end
	}
	return text[begin:open], src, false
}

// trimLine removes the white space at the end of a line.
func trimLine(line []byte) []byte { return bytes.TrimRight(line, " \t\r\n") }
