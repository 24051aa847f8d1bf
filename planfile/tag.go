package planfile

import (
	"bytes"
	"strings"
)

// attr is one attribute of a start tag. value is the text between the quotes; its from is -1 where the
// attribute has no value. whole also takes in the white space before the name and the closing quote.
type attr struct{ name, value, whole span }

// bracket is where a start tag ends and how it was read.
type bracket struct {
	end    int  // the offset after ">"
	empty  bool // "/>"
	broken bool // a quote is not closed; attributes were read as if there were no quotes
}

// startTag reads the start tag that begins at off, where src holds "<" and a name of n bytes, and gives
// each attribute to yield. ok is false where this is no tag: prose that begins with "<task " but never
// closes the bracket.
//
// Quotes may hold ">". A quote that the author forgot to close would swallow the plan up to the next
// one, so no value goes past a blank line or a line that begins with "<"; the tag then ends at the first
// ">" of its line.
func startTag(src []byte, off, n int, yield func(attr)) (b bracket, ok bool) {
	if b, ok = scanTag(src, off+1+n, yield, true); ok {
		return b, ok
	}
	return scanTag(src, off+1+n, yield, false)
}

// mostAttributes is how many attributes of one tag are looked at; real ones have five.
const mostAttributes = 256

func scanTag(src []byte, at int, yield func(attr), quotes bool) (bracket, bool) {
	found := make([]attr, 0, 4)
	for at < len(src) {
		begin := at
		for at < len(src) && isSpace(src[at]) {
			if !quotes && src[at] == '\n' {
				return bracket{}, false
			}
			at++
		}
		if at == len(src) {
			break
		}
		switch c := src[at]; {
		case c == '>', c == '/' && at+1 < len(src) && src[at+1] == '>':
			for _, a := range found {
				yield(a)
			}
			if c == '/' {
				return bracket{at + 2, true, !quotes}, true
			}
			return bracket{at + 1, false, !quotes}, true
		case c == '<':
			return bracket{}, false
		case c == '/' || c == '=' || c == '"' || c == '\'':
			at++ // a slip; go on behind it
			continue
		}
		a := attr{value: span{-1, -1}}
		name := at
		for at < len(src) && !isSpace(src[at]) && strings.IndexByte(`=>/<"'`, src[at]) < 0 {
			at++
		}
		a.name = between(name, at)
		eq := at
		for eq < len(src) && isSpace(src[eq]) && (quotes || src[eq] != '\n') {
			eq++
		}
		if eq < len(src) && src[eq] == '=' {
			v := eq + 1
			for v < len(src) && (src[v] == ' ' || src[v] == '\t') {
				v++
			}
			if a.value, at = attrValue(src, v, quotes); at < 0 {
				return bracket{}, false
			}
		}
		a.whole = between(begin, at)
		if len(found) < mostAttributes {
			found = append(found, a)
		}
	}
	return bracket{}, false
}

// attrValue reads a value at v and gives its extent and the offset behind it, -1 where its quote is
// not closed in the same paragraph.
func attrValue(src []byte, v int, quotes bool) (value span, after int) {
	if v < len(src) && (src[v] == '"' || src[v] == '\'') && quotes {
		i := bytes.IndexByte(src[v+1:], src[v])
		if i < 0 {
			return span{}, -1
		}
		end := v + 1 + i
		for at := v + 1; at < end; {
			at = lineEnd(src[:end], at)
			if rest := bytes.TrimLeft(src[at:end], " \t\r"); len(rest) > 0 && (rest[0] == '\n' || rest[0] == '<') {
				return span{}, -1
			}
		}
		return between(v+1, end), end + 1
	}
	end := v
	for end < len(src) && !isSpace(src[end]) && src[end] != '>' && (src[end] != '/' || end+1 < len(src) && src[end+1] != '>') {
		end++
	}
	value = between(v, end)
	if !quotes { // the quote that is there on one side only is no part of the value
		for value.from < value.to && (src[value.from] == '"' || src[value.from] == '\'') {
			value.from++
		}
		for value.to > value.from && (src[value.to-1] == '"' || src[value.to-1] == '\'') {
			value.to--
		}
	}
	return value, end
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isName reports whether b is name, which is in lower case, in any case: tags and attributes are read as HTML's.
func isName(b []byte, name string) bool {
	if len(b) != len(name) {
		return false
	}
	for i, c := range b {
		if c != name[i] && (c < 'A' || c > 'Z' || c+'a'-'A' != name[i]) {
			return false
		}
	}
	return true
}
