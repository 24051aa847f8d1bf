package planfile

import (
	"bytes"
	"strings"
)

// attr is one attribute of a start tag. value is the text between the quotes, the zero span if the attribute has no
// value. whole runs from the white space before the name to the closing quote.
type attr struct{ name, value, whole span }

func (a attr) hasValue() bool { return a.value != span{} }

// bracket describes the end of a start tag.
type bracket struct {
	end    int  // the offset after ">"
	empty  bool // "/>"
	broken bool // a quote is not closed; the attributes were read without regard to quotes
}

// startTag reads a start tag from at, the end of its name, and calls yield with each attribute. ok is false if this is
// not a tag but, for example, prose that begins with "<task " and never closes the bracket.
//
// Quotes may hold ">". A quote that the author forgot to close would swallow the plan up to the next one, so no value
// goes past a blank line or a line that begins with "<"; the tag then ends at the first ">" of its line.
func startTag(src []byte, at int, yield func(attr)) (b bracket, ok bool) {
	if b, ok = scanTag(src, at, yield, true); ok {
		return b, ok
	}
	return scanTag(src, at, yield, false)
}

// maxAttributes is the number of attributes that are read in one tag; real tags have up to five.
const maxAttributes = 256

func scanTag(src []byte, at int, yield func(attr), quotes bool) (bracket, bool) {
	blanks := "\t\r "
	if quotes {
		blanks = space
	}
	found := make([]attr, 0, 4)
	for {
		begin := at
		if at = skip(src, at, blanks); at == len(src) {
			return bracket{}, false
		}
		empty := bytes.HasPrefix(src[at:], []byte("/>"))
		switch c := src[at]; {
		case c == '>' || empty:
			for _, a := range found {
				yield(a)
			}
			return bracket{skip(src, at, "/") + 1, empty, !quotes}, true
		case c == '<' || c == '\n':
			return bracket{}, false
		case c == '/' || c == '=' || c == '"' || c == '\'':
			at++ // a typing error; skip it
			continue
		}
		a := attr{name: between(at, until(src, at, space+"=>/<\"'"))}
		at = int(a.name.to)
		if eq := skip(src, at, blanks); bytes.HasPrefix(src[eq:], []byte{'='}) {
			if a.value, at = attrValue(src, skip(src, eq+1, " \t"), quotes); at < 0 {
				return bracket{}, false
			}
		}
		a.whole = between(begin, at)
		if len(found) < maxAttributes {
			found = append(found, a)
		}
	}
}

// attrValue reads the attribute value at v. after is the offset after it, or -1 if its quote is not closed in the same
// paragraph.
func attrValue(src []byte, v int, quotes bool) (value span, after int) {
	if text := src[v:]; quotes && (bytes.HasPrefix(text, []byte{'"'}) || bytes.HasPrefix(text, []byte{'\''})) {
		inner, _, found := bytes.Cut(text[1:], text[:1])
		if !found {
			return span{}, -1
		}
		_, lines, _ := bytes.Cut(inner, []byte{'\n'})
		for line := range bytes.Lines(lines) {
			line = bytes.TrimLeft(line, " \t\r")
			if bytes.HasPrefix(line, []byte{'\n'}) || bytes.HasPrefix(line, []byte{'<'}) {
				return span{}, -1
			}
		}
		value = between(v+1, v+1+len(inner))
		return value, int(value.to) + 1
	}
	end := until(src, v, space+">")
	if rest := src[end:]; bytes.HasPrefix(rest, []byte{'>'}) && bytes.HasSuffix(src[v:end], []byte{'/'}) {
		end--
	}
	value = between(v, end)
	if !quotes { // an unpaired quote is not part of the value
		value.from = offset(skip(src[:end], v, `"'`))
		value.to = value.from + offset(len(bytes.TrimRight(src[value.from:end], `"'`)))
	}
	return value, end
}

const space = " \t\r\n"

// skip returns the offset of the first byte from at on that is not in set.
func skip(src []byte, at int, set string) int {
	for at < len(src) && strings.IndexByte(set, src[at]) >= 0 {
		at++
	}
	return at
}

// until returns the offset of the first byte from at on that is in set.
func until(src []byte, at int, set string) int {
	for at < len(src) && strings.IndexByte(set, src[at]) < 0 {
		at++
	}
	return at
}

// isName reports whether b equals the lower-case name, ignoring ASCII case as HTML does for tags and attributes.
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
