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
//   - It is done to a whole text, last, when nothing is decoded, joined or shortened any more: a tag may be formed by
//     what is printed side by side.
//   - A character is replaced by one character: angle brackets by ‹ and ›, square ones by round ones, a key's quotation
//     marks by single ones, the colon behind Human by a semicolon. No character or line comes or goes, what was written
//     can still be read, and since these are part of no such markup, doing it again changes nothing.
//   - A tag is any name behind an angle bracket, but for what tag.go lists. Only what is rarer than tags goes by name:
//     tokens in square brackets, keys, speakers.

// Defang takes the power from markup that agents or their models obey, in a text that was cleaned: tags like
// <system-reminder>, in any case, with blanks, attributes and look-alike letters or brackets; tokens like <|im_start|>,
// [INST] and <<SYS>>; Human: and Assistant: that begin a line, behind whatever is no letter; the quoted keys of hooks'
// answers. All other text is as it was, elements of HTML and type arguments among it: <div>, a < user, Vec<String>, x[i].
// The sequences by which a terminal shows colours are passed over and stay where they are.
func Defang(s string) string {
	if strings.IndexByte(s, 0x1b) >= 0 {
		return defangColoured(s)
	}
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
			d.replace(i, n, '›')
		case r == '"':
			n = max(n, d.key(i))
		case r == '[' || r == '［':
			n = max(n, d.token(i, n))
		case isOpener(r):
			if closer, ok := tagAt(s, i, n); ok {
				d.replace(i, n, '‹')
				d.closer = closer
			}
		}
		if end := strings.LastIndexByte(s[i:i+n], '\n'); end >= 0 { // a token may go over several lines
			d.turn(i + end + 1)
		}
		i += n
	}
	return d.result()
}

// defangColoured is [Defang] for a text with sequences of a terminal's colours. They are taken out, because a tag may
// be formed by what is shown in two colours, and put back behind as many characters as before.
func defangColoured(s string) string {
	var plain strings.Builder
	type sequence struct {
		text string
		at   int // in characters of the plain text
	}
	var all []sequence
	count := 0
	for s != "" {
		if s[0] == 0x1b {
			n := escapeSequence(s)
			all = append(all, sequence{s[:n], count})
			s = s[n:]
			continue
		}
		_, n := utf8.DecodeRuneInString(s)
		plain.WriteString(s[:n])
		count++
		s = s[n:]
	}
	s = Defang(plain.String())
	var b strings.Builder
	count = 0
	for _, q := range all {
		for ; count < q.at; count++ {
			_, n := utf8.DecodeRuneInString(s)
			b.WriteString(s[:n])
			s = s[n:]
		}
		b.WriteString(q.text)
	}
	b.WriteString(s)
	return b.String()
}

// defanger copies a text from its first replacement on.
type defanger struct {
	s      string
	b      strings.Builder
	copied int // how much of s is in b
	colon  int // where the colon is behind a speaker, -1 or behind if there is none
	closer int // where the bracket is that closes a tag that was replaced, -1 or behind if there is none
}

func (d *defanger) replace(at, size int, by rune) {
	if d.copied == 0 {
		d.b.Grow(len(d.s) + len(d.s)/16)
	}
	d.b.WriteString(d.s[d.copied:at])
	d.b.WriteRune(by)
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
	i += leading(d.s[i:], encloses)
	if r, _ := utf8.DecodeRuneInString(d.s[i:]); isColon(r) {
		d.colon = i
	}
}

// decorates reports whether r may stand before the name of who speaks on its line: quotes, bullets, numbers, the bar of
// a table, whatever is no letter.
func decorates(r rune) bool {
	c := fold(r)
	return r != '\n' && (c == 0 || c == separator || c == '.' || c == mark || unicode.IsNumber(r) || isBar(r))
}

// encloses reports whether r may stand between the name of who speaks and the colon: blanks, emphasis, brackets and
// quotation marks that open and close, but not those of JSON.
func encloses(r rune) bool {
	return r != '\n' && unicode.IsSpace(r) || r == '*' || r == '_' || isBracket(r) || unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf)
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

// Line is a text as one line of at most so many characters: cleaned, white space collapsed, cut with an ellipsis. No more
// of the text is read than it takes.
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
			return b.String()[:keep] + "…"
		case most - 1:
			keep = b.Len()
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
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
// each line cut to so many characters. Behind mostLines of them one more tells how many there were: "> (3 more lines)".
// A blank line is ">", every other begins with "> ". No text, no lines.
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
	switch more {
	case 0:
	case 1:
		lines = append(lines, "(1 more line)")
	default:
		lines = append(lines, fmt.Sprintf("(%d more lines)", more))
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " ")
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

// Fit joins blocks of text, the most important first, with a blank line between each two, and defangs the whole, so that
// all of it is at most so many bytes long. What does not fit is left off, from the first line on that does not, and more
// is added as the last line to say so; where not even one line fits, that is cut, with an ellipsis. Empty blocks are
// nothing. A note that is too long by itself is left off too. The result is valid UTF-8.
func Fit(blocks []string, most int, more string) string {
	const gap = "\n\n"
	whole := blocks[:0:0]
	for _, block := range blocks {
		if block = strings.Trim(strings.ToValidUTF8(block, "\ufffd"), "\n"); block != "" {
			whole = append(whole, block)
		}
	}
	text := Defang(strings.Join(whole, gap))
	if len(text) <= most {
		return text
	}
	if more = Defang(strings.ToValidUTF8(more, "\ufffd")); len(more) > most {
		more = ""
	}
	for room := most; ; { // less and less, because a bracket that is replaced takes more room
		head := ""
		left := room
		if more != "" {
			left -= len(gap) + len(more)
		}
		if left > 0 {
			head = strings.TrimRight(text[:1+strings.LastIndexByte(text[:left+1], '\n')], "\n")
			if head == "" {
				head = cutBytes(text, left)
			}
		}
		if head != "" && more != "" {
			head += gap
		}
		fitted := Defang(head + more)
		if len(fitted) <= most || room <= 0 {
			return fitted
		}
		room -= len(fitted) - most
	}
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
