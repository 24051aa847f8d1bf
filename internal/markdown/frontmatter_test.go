package markdown

import (
	"bytes"
	"testing"
)

func TestCutFrontMatter(t *testing.T) {
	for _, test := range []struct {
		name, src, block, rest string
		closed                 bool
	}{
		{"dashes", "---\na: 1\n---\nx\n", "a: 1\n", "x\n", true},
		{"dots", "---\na: 1\n...\nx\n", "a: 1\n", "x\n", true},
		{"blanks and CRLF", "--- \r\na: 1\r\n---\t\r\nx", "a: 1\r\n", "x", true},
		{"byte order mark", "\xef\xbb\xbf---\na: 1\n---\n", "a: 1\n", "", true},
		{"nothing in it", "---\n---\nx", "", "x", true},
		{"a blank line in it", "---\na: 1\n\nb: 2\n---\nx", "a: 1\n\nb: 2\n", "x", true},
		{"dashes in a value", "---\na: |\n  ---\n----\n---\nx", "a: |\n  ---\n----\n", "x", true},
		{"a tag in a value", "---\na: |\n  <task>\n---\nx", "a: |\n  <task>\n", "x", true},
		{"the first end counts", "---\na: 1\n---\n---\n", "a: 1\n", "---\n", true},
		{"none", "a: 1\n---\n", "", "a: 1\n---\n", false},
		{"not at the beginning", "\n---\na: 1\n---\n", "", "\n---\na: 1\n---\n", false},
		{"four dashes", "----\na: 1\n---\n", "", "----\na: 1\n---\n", false},
		{"indented", " ---\na: 1\n---\n", "", " ---\na: 1\n---\n", false},
		{"never closed", "---\na: 1\nb: 2", "a: 1\nb: 2", "---\na: 1\nb: 2", false},
		{"never closed, then a blank line", "---\na: 1\n \nText: x\n\ny", "a: 1\n", "---\na: 1\n \nText: x\n\ny", false},
		{"never closed, then a tag", "---\na: 1\n<task>\n---\n", "a: 1\n", "---\na: 1\n<task>\n---\n", false},
		{"never closed, a blank line and a tag", "---\na: 1\n\nb: 2\n<task>\n", "a: 1\n", "---\na: 1\n\nb: 2\n<task>\n", false},
		{"nothing at all", "", "", "", false},
	} {
		block, rest, closed := CutFrontMatter([]byte(test.src))
		if string(block) != test.block || string(rest) != test.rest || closed != test.closed {
			t.Errorf("%s: %q, %q, %v", test.name, block, rest, closed)
		}
	}
}

func FuzzCutFrontMatter(f *testing.F) {
	f.Add([]byte("---\na: 1\n---\nx"))
	f.Add([]byte("\xef\xbb\xbf---\r\na\r\n\r\n<b>"))
	f.Fuzz(func(t *testing.T, src []byte) {
		block, rest, closed := CutFrontMatter(src)
		if !bytes.HasSuffix(src, rest) || !bytes.Contains(src, block) || !closed && len(rest) != len(src) {
			t.Fatalf("%q: %q, %q, %v", src, block, rest, closed)
		}
		again, _, _ := CutFrontMatter(append(append([]byte("---\n"), block...), "---\n"...))
		if closed && !bytes.Equal(again, block) {
			t.Fatalf("%q: the block is %q, and read again %q", src, block, again)
		}
	})
}
