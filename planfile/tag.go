package planfile

import "bytes"

// attr is one attribute of a start tag. value is the text between the quotes, the zero span where the attribute has
// no value. whole also takes in the white space before the name and the closing quote.
type attr struct{ name, value, whole span }

func (a attr) hasValue() bool { return a.value != span{} }

// bracket is where a start tag ends and how it was read.
type bracket struct {
	end    int  // the offset after ">"
	empty  bool // "/>"
	broken bool // a quote is not closed; attributes were read as if there were no quotes
}

// startTag reads a start tag from at on, where its name ends, and gives each attribute to yield. ok is false where
// this is no tag: prose that begins with "<task " but never closes the bracket.
//
// Quotes may hold ">". A quote that the author forgot to close would swallow the plan up to the next
// one, so no value goes past a blank line or a line that begins with "<"; the tag then ends at the first
// ">" of its line.
func startTag(src []byte, at int, yield func(attr)) (b bracket, ok bool) {
	if b, ok = scanTag(src, at, yield, true); ok {
		return b, ok
	}
	return scanTag(src, at, yield, false)
}

// mostAttributes is how many attributes of one tag are looked at; real ones have five.
const mostAttributes = 256

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
			at++ // a slip; go on behind it
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
		if len(found) < mostAttributes {
			found = append(found, a)
		}
	}
}

// attrValue reads a value at v and gives its extent and the offset behind it, -1 where its quote is
// not closed in the same paragraph.
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
	if !quotes { // the quote that is there on one side only is no part of the value
		value.from = offset(skip(src[:end], v, `"'`))
		value.to = value.from + offset(len(bytes.TrimRight(src[value.from:end], `"'`)))
	}
	return value, end
}

const space = " \t\r\n"

// skip gives the offset of the first byte from at on that is not in set.
func skip(src []byte, at int, set string) int { return len(src) - len(bytes.TrimLeft(src[at:], set)) }

// until gives the offset of the first byte from at on that is in set.
func until(src []byte, at int, set string) int {
	if i := bytes.IndexAny(src[at:], set); i >= 0 {
		return at + i
	}
	return len(src)
}

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
