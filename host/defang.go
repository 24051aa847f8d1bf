package host

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands in .planning/ goes into the conversations of agents, as data. Text there that looks like the markup by
// which an agent's client tells who is speaking could be taken for the client's own words, so it loses that look.
// The laws:
//
//   - A character is replaced by one character of ASCII: brackets by round ones, a key's quotation marks by single
//     ones, the colon behind Human by a semicolon. Nothing grows, no line comes or goes, and what was written can
//     still be read. Round brackets, single quotation marks and semicolons are part of no such markup, so that
//     nothing new is formed and doing it again changes nothing.
//   - First clean, then shorten or join, then defang. Cleaning joins what a zero-width space held apart, shortening
//     makes <user… of <userland>, and joining puts a bracket before the name that it was a line away from.
//   - A name that means something is defanged wherever it is a tag, also in code: List<User> becomes List(User).
//     The agent reads the plan itself where it needs the code to the letter.

// defang takes the power from markup that agents or their models obey, in a text that was cleaned: tags like
// <system-reminder>, in any case, closing or not closed, with blanks, attributes and look-alike letters or brackets, and
// with what is odd there where a bracket closes it: <!user>; tokens like <|im_start|>, [INST] and <<SYS>>; Human: and
// Assistant: that begin a line, behind whatever is no letter; the quoted keys of hooks' answers. All other text is as it was: <div>, a < user, Vec<String>, #include <map>, x[i].
func defang(s string) string {
	d := defanger{s: s, colon: -1, closer: -1}
	d.turn(0)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf && c != '<' && c != '>' && c != '[' && c != '"' && c != ':' && c != '\n' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case i == d.colon:
			d.replace(i, n, ';')
		case i == d.closer:
			d.replace(i, n, ')')
		case r == '"':
			n = max(n, d.key(i))
		case r == '[' || r == '［':
			n = max(n, d.token(i, n))
		case isOpener(r):
			d.tag(i, n)
		}
		if end := strings.LastIndexByte(s[i:i+n], '\n'); end >= 0 { // a token may go over several lines
			d.turn(i + end + 1)
		}
		i += n
	}
	return d.result()
}

// defanger copies a text from its first replacement on.
type defanger struct {
	s      string
	b      strings.Builder
	copied int // how much of s is in b
	colon  int // where the colon is behind a speaker, -1 or behind if there is none
	closer int // where the bracket is that closes a tag that was replaced, -1 or behind if there is none
}

func (d *defanger) replace(at, size int, by byte) {
	if d.copied == 0 {
		d.b.Grow(len(d.s))
	}
	d.b.WriteString(d.s[d.copied:at])
	d.b.WriteByte(by)
	d.copied = at + size
}

func (d *defanger) result() string {
	if d.copied == 0 {
		return d.s
	}
	d.b.WriteString(d.s[d.copied:])
	return d.b.String()
}

// turn looks at the beginning of a line.
func (d *defanger) turn(at int) {
	i := at + leading(d.s[at:], decorates)
	word, size := readWord(d.s[i:])
	if string(word.bytes()) != "human" && string(word.bytes()) != "assistant" {
		return
	}
	i += size
	i += leading(d.s[i:], func(r rune) bool { return r != '\n' && unicode.IsSpace(r) || r == '*' || r == '_' })
	if r, _ := utf8.DecodeRuneInString(d.s[i:]); isColon(r) {
		d.colon = i
	}
}

// decorates tells what may stand before the name of who speaks on its line: quotes, bullets, numbers, the bar of a
// table, whatever is no letter.
func decorates(r rune) bool {
	c := fold(r)
	return r != '\n' && (c == 0 || c == separator || c == '.' || c == mark || unicode.IsNumber(r) || isBar(r))
}

// readWord reads the letters that s begins with, and gives the bytes they take.
func readWord(s string) (buffer, int) {
	var word buffer
	for i, r := range s {
		c := fold(r)
		if isColon(r) || c == 0 || c == separator || c == '.' {
			return word, i
		}
		if c != mark {
			word.add(c)
		}
	}
	return word, len(s)
}

// leading is the length of the beginning of s whose characters are all ok.
func leading(s string, ok func(rune) bool) int {
	for i, r := range s {
		if !ok(r) {
			return i
		}
	}
	return len(s)
}

// key looks at a quotation mark, and gives the bytes from there that are done.
func (d *defanger) key(at int) int {
	name := readName(d.s[at+1:])
	if !isKey(name.letters.bytes()) {
		return 0
	}
	i := at + 1 + name.size
	i += leading(d.s[i:], func(r rune) bool { return r == '\\' })
	if !strings.HasPrefix(d.s[i:], `"`) {
		return 0
	}
	d.replace(at, 1, '\'')
	d.replace(i, 1, '\'')
	return i + 1 - at
}

// token looks at a square bracket of the size given, and gives the bytes from there that are done.
func (d *defanger) token(at, size int) int {
	i := at + size
	i += leading(d.s[i:], isNoise)
	name := readName(d.s[i:])
	if !isToken(name.letters.bytes()) {
		return 0
	}
	i += name.size
	i += leading(d.s[i:], isNoise)
	r, n := utf8.DecodeRuneInString(d.s[i:])
	if r != ']' && r != '］' {
		return 0
	}
	d.replace(at, size, '(')
	d.replace(i, n, ')')
	return i + n - at
}

// isNoise tells what may stand around a name: blanks, slashes, what was no UTF-8, and marks, which only decorate the
// bracket.
func isNoise(r rune) bool {
	return unicode.IsSpace(r) || isSlash(r) || r == utf8.RuneError || fold(r) == mark
}

// isOdd tells what has no business between a bracket and a name, and does not keep anybody from seeing a tag there:
// <!user>, <"user">. Brackets are not among it, nor the bar, which makes a token.
func isOdd(r rune) bool {
	if unicode.IsSpace(r) || isBar(r) || isOpener(r) || isCloser(r) || unicode.In(r, unicode.Ps, unicode.Pe) {
		return false
	}
	c := fold(r)
	return c == 0 || c == separator || c == '.'
}

// before is what stands between a bracket and a name.
type before struct {
	spaced  bool // it begins with a blank, or one is among what is odd
	slashed bool
	odd     bool
	size    int
}

func readBefore(s string) before {
	var b before
	for i, r := range s {
		switch {
		case isSlash(r):
			b.slashed = true
		case isNoise(r):
			b.spaced = b.spaced || unicode.IsSpace(r) && (i == 0 || b.odd)
		case isOdd(r):
			b.odd = true
		default:
			b.size = i
			return b
		}
	}
	b.size = len(s)
	return b
}

// tag looks at an opening bracket of the size given.
func (d *defanger) tag(at, size int) {
	i := at + size
	b := readBefore(d.s[i:])
	i += b.size
	glued := b.size == 0
	r, n := utf8.DecodeRuneInString(d.s[i:])
	bar := isBar(r) && !b.odd
	if bar {
		i += n
		blanks := leading(d.s[i:], isNoise)
		i, glued = i+blanks, glued && blanks == 0
		i += leading(d.s[i:], func(r rune) bool { return fold(r) == separator }) // <|_end|>
	}
	name := readName(d.s[i:])
	i += name.size
	opener, _ := utf8.DecodeRuneInString(d.s[at:])
	switch {
	case name.size == 0:
		return
	case bar && glued: // <|anything|> is a token to some model
	case !name.isTag(), glued && isAddress(d.s[i:]): // <user@example.org>
		return
	case isDouble(opener) && !name.compound:
		return // «system» is quoted
	case b.odd && b.spaced && !name.compound:
		return // <!-- context -->, <%= user %>
	case b.odd && !isClosed(line(d.s[i:])):
		return // <-user
	case (isDouble(opener) || b.spaced && !bar && !name.compound) && !isClosed(d.s[i:]):
		return // a < user
	case string(name.letters.bytes()) == "sys" && !b.slashed && !isClosed(d.s[i:]):
		return // <sys/types.h>
	}
	d.replace(at, size, '(')
	d.closer = closer(d.s, i)
}

// isAddress tells that a name goes on as an address of mail does.
func isAddress(s string) bool {
	if !strings.HasPrefix(s, "@") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[1:])
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// line is the first line of s.
func line(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// isClosed tells that a name is followed by a closing bracket or an attribute.
func isClosed(s string) bool {
	s = s[leading(s, func(r rune) bool { return r != '=' && isOdd(r) }):] // a => is an arrow
	blanks := leading(s, isNoise)
	s = s[blanks:]
	if r, _ := utf8.DecodeRuneInString(s); isCloser(r) {
		return true
	}
	name := readName(s)
	s = s[name.size:]
	return blanks > 0 && name.size > 0 && strings.HasPrefix(s[leading(s, unicode.IsSpace):], "=")
}

// closer finds the bracket that closes a tag whose name ends at i. It is replaced for the look of it only, so it
// is looked for on the same line and not for long.
func closer(s string, i int) int {
	const longest = 200
	for n, r := range s[i:min(len(s), i+longest)] {
		switch {
		case isCloser(r):
			return i + n
		case r == '\n', isOpener(r):
			return -1
		}
	}
	return -1
}

// Line is a text as one line of at most so many characters: cleaned, white space collapsed, cut with an ellipsis,
// defanged. No more of the text is read than it takes.
func Line(s string, most int) string {
	if most <= 0 {
		return ""
	}
	var b strings.Builder
	count, keep := 0, 0 // characters so far, and how many bytes of them stay when the ellipsis comes
	blank := false
	for s != "" {
		r, n := next(s)
		s = s[n:]
		if r == nothing {
			continue
		}
		if unicode.IsSpace(r) {
			blank = count > 0
			continue
		}
		if blank && count < most {
			if count == most-1 {
				keep = b.Len()
			}
			b.WriteByte(' ')
			count++
		}
		blank = false
		switch count {
		case most:
			return defang(b.String()[:keep] + "…")
		case most - 1:
			keep = b.Len()
		}
		b.WriteRune(r)
		count++
	}
	return defang(b.String())
}

// Code is [Line] as a code span of Markdown, "" where nothing is left. Its backticks are as many as the text has
// nowhere in a row, so that it cannot end the span (CommonMark 0.31, section 6.1). They come on top of most.
func Code(s string, most int) string {
	s = Line(s, most)
	if s == "" {
		return ""
	}
	fence := "`"
	for hasRun(s, len(fence)) {
		fence += "`"
	}
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// hasRun tells that s has so many backticks in a row, and neither more nor fewer.
func hasRun(s string, n int) bool {
	run := 0
	for i := range len(s) {
		if s[i] == '`' {
			run++
			continue
		}
		if run == n {
			return true
		}
		run = 0
	}
	return run == n
}

// Quote is a text of several lines as lines of a Markdown block quote: cleaned, without blank lines at its edges,
// each line cut to so many characters, defanged also across the lines' ends. Behind mostLines of them one more tells
// how many there were: "> (3 more lines)". A blank line is ">", every other begins with "> ". No text, no lines.
func Quote(s string, mostLines, mostPerLine int) []string {
	var lines []string
	more, blanks := 0, 0
	add := func(line string) {
		if len(lines) < mostLines {
			lines = append(lines, line)
		} else {
			more++
		}
	}
	for s != "" {
		var line string
		var blank bool
		if line, blank, s = cleanLine(s, mostPerLine); blank {
			blanks++
			continue
		}
		if lines == nil && more == 0 {
			blanks = 0
		}
		for range blanks {
			add("")
		}
		blanks = 0
		add(line)
	}
	if lines == nil && more == 0 {
		return nil
	}
	text := defang(strings.Join(lines, "\n"))
	switch more {
	case 0:
	case 1:
		text += "\n(1 more line)"
	default:
		text += fmt.Sprintf("\n(%d more lines)", more)
	}
	quoted := strings.ReplaceAll("> "+strings.TrimPrefix(text, "\n"), "\n", "\n> ")
	lines = strings.Split(defang(quoted), "\n") // again, because the mark of a quote is a bracket
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// cleanLine is the first line of s, cleaned and cut to so many characters, whether nobody sees anything in it, and
// what follows it.
func cleanLine(s string, most int) (line string, blank bool, rest string) {
	var b strings.Builder
	count, keep, end := 0, 0, 0 // characters; bytes that stay when the ellipsis comes; bytes up to the last that is seen
	long := false
	blank = true
	for s != "" {
		r, n := next(s)
		s = s[n:]
		if r == '\n' {
			break
		}
		if r == nothing {
			continue
		}
		seen := !unicode.IsSpace(r)
		blank = blank && !seen
		if count >= most {
			long = long || seen
			continue
		}
		if count == most-1 {
			keep = b.Len()
		}
		b.WriteRune(r)
		if count++; seen {
			end = b.Len()
		}
	}
	switch {
	case !long:
		return b.String()[:end], blank, s
	case most <= 0:
		return "", blank, s
	}
	return b.String()[:keep] + "…", blank, s
}

// Fit joins blocks of text, the most important first, with a blank line between each two, so that all of it is at
// most so many bytes long. What does not fit is left off, from the first line on that does not, and more is added
// as the last line to say so; where not even one line fits, that is cut, with an ellipsis. Empty blocks are nothing. A
// note that is too long by itself is left off too. The result is valid UTF-8 and defanged as a whole.
func Fit(blocks []string, most int, more string) string {
	const gap = "\n\n"
	whole := blocks[:0:0]
	for _, block := range blocks {
		if block = strings.Trim(strings.ToValidUTF8(block, "\ufffd"), "\n"); block != "" {
			whole = append(whole, block)
		}
	}
	text := strings.Join(whole, gap)
	if len(text) <= most {
		return defang(text)
	}
	if more = strings.ToValidUTF8(more, "\ufffd"); len(more) > most {
		more = ""
	}
	room := most
	if more != "" {
		room -= len(gap) + len(more)
	}
	head := ""
	if room > 0 {
		head = strings.TrimRight(text[:1+strings.LastIndexByte(text[:room+1], '\n')], "\n")
		if head == "" {
			head = cutBytes(text, room)
		}
	}
	if head != "" && more != "" {
		head += gap
	}
	return defang(head + more)
}

// cutBytes cuts a text that is longer to at most so many bytes, an ellipsis among them if there is room.
func cutBytes(s string, most int) string {
	tail := "…"
	if most < len(tail) {
		tail = ""
	}
	most -= len(tail)
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + tail
}
