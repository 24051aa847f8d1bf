package host

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Which angle brackets are those of a tag. What a client obeys is in nobody's list for long, so that a tag is any name
// behind an opening bracket, and what may stay is listed: elements of HTML (html.go), type arguments (types.go),
// addresses. The rest is about what is no tag: comparisons, arrows, redirections. In doubt it is one, because ‹ can be
// read by everybody.

// longestTag is how far behind a name the bracket may be that closes its tag, in characters.
const longestTag = 1000

// tagAt reports whether the opening bracket at s[at:], of size bytes, begins a tag that has to go, and where the bracket
// is that closes it, -1 for nowhere.
func tagAt(s string, at, size int) (closer int, ok bool) {
	text := s[at+size:]
	isASCII := size == 1
	attached := isAttached(s[:at])
	if isASCII && (isHTML(text) || attached && isTypeArguments(text) || isAddress(text)) {
		return -1, false
	}
	b := readBefore(text)
	i := at + size + b.size
	name := readName(s[i:])
	if name.size == 0 && !b.declares {
		return -1, false
	}
	behind := i + name.size
	r := readRest(s[behind:])
	if closer = r.closer; closer >= 0 {
		closer += behind
	}
	switch {
	case b.declares: // <!-- x -->, <?xml ?>
		ok = true
	case b.bar: // <|anything| is a token to some model, f <| x |> g is a pipe
		ok = b.glued || r.closed && !r.lines && (name.compound || !isOperand(s[:at]))
	case isASCII && strings.HasSuffix(s[:at], "<") && isHereDocument(name): // cat <<'EOF' >file
	case b.odd: // <"user">, but not <-user, x <- y, T <: U, <%= user %>
		ok = r.closed && r.attributes && !r.lines && (name.compound || r.assigns || !b.spaced) ||
			name.compound && !b.spaced && text[0] != '-'
	case name.compound:
		ok = true
	case b.slashed && isPath(s[behind:]) && isOperand(s[:at]): // cmd </dev/null >log
	case b.spaced && isOperand(s[:at]): // a < user
		ok = r.closed && (r.ends && !r.quoted || r.assigns && !r.lines)
	case b.spaced:
		ok = r.closed && (r.ends || r.assigns || r.attributes && !r.lines)
	case b.slashed || r.assigns || r.opens || r.shortened:
		ok = true
	default: // not i<n && j>0
		ok = r.closed && (r.attributes || !r.lines && (r.bare || !attached)) || r.nested && !attached
	}
	return closer, ok
}

// before is what stands between a bracket and a name.
type before struct {
	declares bool // it begins with ! or ?, as comments and declarations do
	bar      bool // it is the bar of a token
	glued    bool // nothing else stands around the bar
	spaced   bool // it begins with a blank, or one is among what is odd
	slashed  bool
	odd      bool
	size     int
}

func readBefore(s string) before {
	b := before{glued: true}
	if s != "" && (s[0] == '!' || s[0] == '?') {
		r, _ := utf8.DecodeRuneInString(s[1:])
		b.declares = !unicode.IsSpace(r) && r != '=' && r != utf8.RuneError && !isBracket(r)
	}
	for b.size < len(s) {
		r, n := utf8.DecodeRuneInString(s[b.size:])
		switch {
		case isBar(r) && !b.odd && !b.bar:
			b.bar = true
			b.glued = b.size == 0
		case b.bar && fold(r) == separator: // <|_end|>
		case isSlash(r):
			b.slashed = true
		case isNoise(r):
			b.spaced = b.spaced || unicode.IsSpace(r) && (b.size == 0 || b.odd)
			b.glued = false
		case isOdd(r) && !b.bar:
			b.odd = true
		default:
			return b
		}
		b.size += n
	}
	return b
}

// rest is what follows a name, up to the first closing bracket. Quotation marks and braces do not count in what it is
// found to be, but only in which bracket is the one that is shown as ›.
type rest struct {
	closed     bool // there is a closing bracket, and no opening one before it, or one may be farther off
	closer     int  // the bracket to replace, which may be a later one: neither an arrow nor in a value; -1 for none
	ends       bool // nothing is in between but blanks and slashes
	bare       bool // no letter nor digit is
	attributes bool // nothing is but what attributes are made of
	assigns    bool // the first that is no such thing comes behind a name=
	lines      bool // a line's end is
	quoted     bool // the bracket begins a line, as the mark of a quote does
	opens      bool // an opening bracket follows directly
	nested     bool // one follows on the same line, behind no more than attributes
	shortened  bool // an ellipsis is, behind no more than attributes
}

func readRest(s string) rest {
	r := rest{closer: -1, ends: true, bare: true, attributes: true}
	count := 0
	newline := false          // nothing but blanks since the last line's end
	named := false            // a name could end here
	quote, open := rune(0), 0 // of the value of an attribute
	for i, c := range s {
		if count++; count > longestTag {
			r.closed = r.closed || r.attributes // in doubt
			break
		}
		if isOpener(c) || c == '‹' { // it was an opener, too
			r.opens = i == 0
			r.nested = r.attributes && !r.lines
			break
		}
		if isCloser(c) && !r.closed {
			r.closed, r.quoted = true, newline
		}
		if isCloser(c) && !isArrow(s[:i]) && !newline {
			if quote == 0 && open == 0 {
				r.closer = i
				break
			}
			if r.closer < 0 {
				r.closer = i
			}
		}
		if !r.closed {
			r.look(s, i, c, named)
			named = fold(c) != 0 || named && unicode.IsSpace(c)
		}
		newline = c == '\n' || newline && unicode.IsSpace(c)
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && strings.HasSuffix(strings.TrimRight(s[:i], " "), "="):
			quote = c
		case c == '{' && (open > 0 || strings.HasSuffix(s[:i], "=")):
			open++
		case c == '}' && open > 0:
			open--
		}
	}
	return r
}

// look takes in the character c at i, which is none of a bracket.
func (r *rest) look(s string, i int, c rune, named bool) {
	f := fold(c)
	r.lines = r.lines || c == '\n'
	r.ends = r.ends && isNoise(c)
	r.bare = r.bare && (f == 0 || f == separator || f == '.' || f == mark)
	if c == '=' && named && r.attributes && i+1 < len(s) && s[i+1] != '=' && s[i+1] != '>' {
		r.assigns = true
	}
	r.shortened = r.shortened || c == '…' && r.attributes
	if f == 0 && !isNoise(c) && !strings.ContainsRune("=\"'@#*,", c) {
		r.attributes = false
	}
}

// isArrow reports whether a closing bracket behind s makes an arrow of it, and not the end of a comment.
func isArrow(s string) bool {
	return strings.HasSuffix(s, "=") || strings.HasSuffix(s, "-") && !strings.HasSuffix(s, "--")
}

// isNoise reports whether r may stand around a name: blanks, slashes, what was no UTF-8, and marks, which only decorate
// the bracket.
func isNoise(r rune) bool {
	return unicode.IsSpace(r) || isSlash(r) || r == utf8.RuneError || fold(r) == mark
}

// isOdd reports whether r has no business between a bracket and a name, but keeps nobody from seeing a tag there:
// <$user>, <"user">. Neither brackets nor the bar are that, and <= is none.
func isOdd(r rune) bool {
	if unicode.IsSpace(r) || isBar(r) || isBracket(r) || r == '=' || unicode.In(r, unicode.Ps, unicode.Pe) {
		return false
	}
	c := fold(r)
	return c == 0 || c == separator || c == '.'
}

// isAttached reports whether s ends in what may take type arguments.
func isAttached(s string) bool {
	s = strings.TrimSuffix(s, "::") // Vec::<T>
	r, _ := utf8.DecodeLastRuneInString(s)
	c := fold(r)
	return isLetter(r, c) || c >= '0' && c <= '9' || r == '_' || r == '$'
}

// isOperand reports whether s ends in what may be compared or redirected: something that is no punctuation, on the
// same line.
func isOperand(s string) bool {
	s = strings.TrimRight(s, " \t")
	r, _ := utf8.DecodeLastRuneInString(s)
	c := fold(r)
	return c != 0 && c != separator && c != '.' || strings.ContainsRune(")]}\"'`_", r)
}

// isBracket reports whether r is an angle bracket, or was made of one.
func isBracket(r rune) bool { return isOpener(r) || isCloser(r) || r == '‹' }

// isPath reports whether s goes on with a slash and a name, and something else behind a blank.
func isPath(s string) bool {
	rest, ok := strings.CutPrefix(s, "/")
	end := strings.IndexAny(rest, " \t\n<>")
	return ok && end != 0 && (end < 0 || rest[end] != '>' && rest[end] != '<')
}

// isHereDocument reports whether a name, behind <<, is what ends a here-document. Others are in that place, too, but
// these are no tags to anybody.
func isHereDocument(name markupName) bool {
	switch string(name.letters.bytes()) {
	case "eof", "eot", "end":
		return true
	}
	return false
}

// isAddress reports whether s goes on as <ada@example.org> or <https://example.org> does.
func isAddress(s string) bool {
	end := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@:/.-_+%#?=&~", r))
	})
	if end < 0 || s[end] != '>' {
		return false
	}
	s = s[:end]
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		return true
	}
	name, domain, ok := strings.Cut(s, "@")
	return ok && name != "" && strings.Contains(domain, ".") && !strings.ContainsAny(s, ":/#?=&~") && !strings.Contains(domain, "@")
}
