package text

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Which angle brackets belong to a tag. Any name after an opening bracket makes a tag, because a list of the names that
// clients obey would go stale. The exceptions are listed: elements of HTML (html.go), type arguments of an identifier
// (types.go), addresses, and what is plainly an operator of code or of a shell. When in doubt it is a tag: everybody
// can read ‹.

// longestTag is how far after a name the bracket may be that closes its tag, in characters.
const longestTag = 1000

// tagAt reports whether the opening bracket at s[at:], of that many bytes, begins a tag that has to be disarmed, and
// where the bracket is that closes it, -1 if nowhere.
func tagAt(s string, at, size int) (closer int, ok bool) {
	before, text := s[:at], s[at+size:]
	isASCII := size == 1
	attached := isAttached(before)
	if isASCII && (isHTML(text) || attached && isTypeArguments(text) || addressForm().MatchString(text)) {
		return -1, false
	}
	l := readLead(text)
	name, compound := readName(text[l.size:])
	if name == 0 && !l.declares {
		return -1, false
	}
	end := at + size + l.size + name
	r := readRest(s[end:])
	if closer = r.closer; closer >= 0 {
		closer += end
	}
	switch {
	case l.declares, l.bar && !l.spaced: // <!-- x -->, <?xml ?>; <|anything| is a token to some model
		ok = true
	case isASCII && strings.HasSuffix(before, "<") && isHereDocument(text[l.size:]): // cat <<'EOF' >file
	case l.odd: // <"user">, but not <-user, x <- y, T <: U, <%= user %>
		ok = !l.spaced && (r.closed && r.attributes || compound && text[0] != '-')
	case compound:
		ok = true
	case l.spaced && isOperand(before): // a < user
		ok = r.closed && (r.attributes && r.bare || r.assigns && !r.lines)
	case l.spaced:
		ok = r.closed && (r.assigns || r.attributes)
	default: // not i<n && j>0
		ok = l.slashed || r.assigns || r.broken || r.closed && (r.attributes || r.bare || !attached && !r.lines)
	}
	return closer, ok
}

// lead is what is between a bracket and a name.
type lead struct {
	declares bool // it begins with ! or ?, as comments and declarations do
	bar      bool // it has the bar of a token
	spaced   bool // it begins with a blank, or has one among odd characters
	slashed  bool
	odd      bool
	size     int
}

func readLead(s string) lead {
	var l lead
	if s != "" && (s[0] == '!' || s[0] == '?') {
		r, _ := utf8.DecodeRuneInString(s[1:])
		l.declares = !unicode.IsSpace(r) && r != '=' && r != utf8.RuneError && !isBracket(r)
	}
	for l.size < len(s) {
		r, n := utf8.DecodeRuneInString(s[l.size:])
		switch {
		case isBar(r) && !l.odd && !l.bar:
			l.bar = true
		case l.bar && classOf(r) == separator: // <|_end|>
		case isSlash(r):
			l.slashed = true
		case isNoise(r):
			l.spaced = l.spaced || unicode.IsSpace(r) && (l.size == 0 || l.odd)
		case isOdd(r) && !l.bar:
			l.odd = true
		default:
			return l
		}
		l.size += n
	}
	return l
}

// rest is what follows a name, up to the bracket that closes its tag, or that opens another.
type rest struct {
	closer     int  // the bracket to replace: neither an arrow's nor at the beginning of a line; -1 if there is none
	closed     bool // there is a closing bracket of any kind
	bare       bool // no letter or digit is before it
	attributes bool // nothing is before it but what attributes are made of
	assigns    bool // the first that is not follows a name=
	lines      bool // the end of a line is before it
	broken     bool // another opening bracket or an ellipsis follows no more than attributes, on the same line
}

func readRest(s string) rest {
	r := rest{closer: -1, bare: true, attributes: true}
	count := 0
	newline := false // nothing but blanks since the end of a line
	named := false   // a name could end here
	for i, c := range s {
		if count++; count > longestTag {
			r.closed = r.closed || r.attributes // when in doubt
			break
		}
		opens := isOpener(c) || c == '‹' // which was an opener, too
		r.broken = r.broken || (opens || c == '…') && r.attributes && !r.lines
		if opens {
			break
		}
		r.closed = r.closed || isCloser(c)
		if isCloser(c) && !isArrow(s[:i]) && !newline {
			r.closer = i
			break
		}
		if !r.closed {
			is := classOf(c)
			r.lines = r.lines || c == '\n'
			r.bare = r.bare && is != wordy
			if c == '=' && named && r.attributes && i+1 < len(s) && s[i+1] != '=' && s[i+1] != '>' {
				r.assigns = true
			}
			if is == other && !isNoise(c) && !strings.ContainsRune("=\"'@#*,", c) {
				r.attributes = false
			}
			named = is != other || named && unicode.IsSpace(c)
		}
		newline = c == '\n' || newline && unicode.IsSpace(c)
	}
	return r
}

// isArrow reports whether a closing bracket after s makes an arrow of it, and not the end of a comment.
func isArrow(s string) bool {
	return strings.HasSuffix(s, "=") || strings.HasSuffix(s, "-") && !strings.HasSuffix(s, "--")
}

// isNoise reports whether r may be around a name: blanks, slashes, what was not UTF-8, and marks, which only decorate
// the bracket.
func isNoise(r rune) bool {
	return unicode.IsSpace(r) || isSlash(r) || r == utf8.RuneError || classOf(r) == mark
}

// isOdd reports whether r does not belong between a bracket and a name, but leaves a tag that everybody sees: <$user>,
// <"user">. Brackets and the bar are not odd, and <= is an operator.
func isOdd(r rune) bool {
	if unicode.IsSpace(r) || isBar(r) || isBracket(r) || r == '=' || unicode.In(r, unicode.Ps, unicode.Pe) {
		return false
	}
	c := classOf(r)
	return c != wordy && c != mark
}

// isAttached reports whether s ends in what may take type arguments.
func isAttached(s string) bool {
	s = strings.TrimSuffix(s, "::") // Vec::<T>
	r, _ := utf8.DecodeLastRuneInString(s)
	return isLetter(r) || r >= '0' && r <= '9' || r == '_' || r == '$'
}

// isOperand reports whether s ends in what may be compared or redirected: something that is no punctuation, on the
// same line.
func isOperand(s string) bool {
	s = strings.TrimRight(s, " \t")
	r, _ := utf8.DecodeLastRuneInString(s)
	c := classOf(r)
	return c == wordy || c == mark || strings.ContainsRune(")]}\"'`_", r)
}

// isHereDocument reports whether s, after <<, begins with a usual word that ends a here-document.
func isHereDocument(s string) bool {
	word, size := plainWord(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	return listed(" eof eot end ", word) && classOf(next) != wordy // not EOF2
}

// addressForm is an address after its <: <ada@example.org> or <https://example.org>.
var addressForm = sync.OnceValue(func() *regexp.Regexp {
	const link, name, part = `https?://[A-Za-z0-9@:/._+%#?=&~-]*`, `[A-Za-z0-9._+%-]+`, `[A-Za-z0-9_+%-]*`
	return regexp.MustCompile(`^(?:` + link + `|` + name + `@` + part + `(?:\.` + part + `)+)>`)
})
