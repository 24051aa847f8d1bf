package planfile

import "bytes"

// CutFrontMatter cuts a document after its YAML front matter, which stands between a first line of three dashes, at
// byte 0 or after a byte order mark, and the next such line, or one of three dots. block is what stands between them,
// and rest what follows the second.
//
// A line that begins with < in it means that the block was never closed and that the document's own tags have begun: no
// line of YAML starts so at column 0. Of a block that is not closed, which may have been cut off while it was written,
// block is the lines up to the first blank one or the first tag, because any word may begin a line of what follows;
// and rest is the whole document. Without front matter block is nil.
func CutFrontMatter(src []byte) (block, rest []byte, closed bool) {
	text := bytes.TrimPrefix(src, []byte(bom))
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

// trimLine takes the white space off the end of a line.
func trimLine(line []byte) []byte { return bytes.TrimRight(line, " \t\r\n") }
