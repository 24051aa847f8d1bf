package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What is in .planning/ goes into the conversations of agents, as data. Text that looks like the markup by which an
// agent's client shows who is speaking could be taken for the client's own words, so it must not look like it:
//
//   - This is the last step, for a whole text, after everything is decoded, joined and shortened: texts that are
//     printed side by side may form a tag.
//   - One character replaces one: ‹ and › angle brackets, round brackets square ones, single quotation marks those of a
//     key, a semicolon the colon after Human. No character or line is added or removed, the text remains readable, and
//     doing it again changes nothing, since these are part of no such markup.
//   - Any name after an angle bracket is a tag, except what tag.go lists. Only rarer markup is known by name: tokens in
//     square brackets, keys, speakers.

// Defang disarms markup that agents or their models obey, in a text that was cleaned: tags like <system-reminder>, in
// any case, with blanks, attributes and look-alike letters or brackets; tokens like <|im_start|>, [INST] and <<SYS>>;
// Human: and Assistant: at the beginning of a line, after anything but letters; the quoted keys of hooks' answers. All
// other text is unchanged, including elements of HTML and type arguments: <div>, a < user, Vec<String>, x[i]. The
// sequences that colour a terminal are ignored and stay where they are.
func Defang(s string) string {
	if strings.IndexByte(s, 0x1b) >= 0 {
		return defangColoured(s)
	}
	d := defanger{s: s}
	closer := -1 // the offset of the bracket that closes the last tag that was replaced
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf && c != '<' && c != '>' && c != '[' && c != '"' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case i == closer:
			d.replace(i, n, '›')
		case r == '"':
			n = max(n, d.pair(i, keys, isBackslash, `"`, '\'', '\''))
		case r == '[':
			n = max(n, d.pair(i, tokens, isNoise, "]", '(', ')'))
		case isOpener(r):
			if at, ok := tagAt(s, i, n); ok {
				d.replace(i, n, '‹')
				closer = at
			}
		}
		i += n
	}
	return muteSpeakers(d.result())
}

// muteSpeakers replaces the colons after the name of a speaker who begins a line. Quotes, bullets, numbers, the bar of
// a table, anything but letters may be before the name; blanks, emphasis and brackets after it, but no quotation mark
// as in JSON.
func muteSpeakers(s string) string {
	d := defanger{s: s}
	end := 0
	for line := range strings.Lines(s) {
		i := end + leading(line, func(r rune) bool { return !isLetter(r) })
		end += len(line)
		word, size := plainWord(s[i:end])
		if word != "human" && word != "assistant" {
			continue
		}
		for i += size; i < end; { // every colon, so that what is left is not a speaker's either
			r, n := utf8.DecodeRuneInString(s[i:end])
			if r == '"' || isLetter(r) || unicode.IsNumber(r) {
				break
			}
			if isColon(r) {
				d.replace(i, n, ';')
			}
			i += n
		}
	}
	return d.result()
}

// defangColoured is [Defang] for a text with a terminal's colours. Their sequences are taken out, because a tag may be
// formed by what is shown in two colours, and put back after as many characters as before.
func defangColoured(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	harmless := []rune(Defang(escapes().ReplaceAllString(s, "")))
	var b strings.Builder
	end := 0
	for _, at := range append(escapes().FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
		n := utf8.RuneCountInString(s[end:at[0]])
		b.WriteString(string(harmless[:n]) + s[at[0]:at[1]])
		harmless, end = harmless[n:], at[1]
	}
	return b.String()
}

// defanger copies a text from its first replacement on.
type defanger struct {
	s      string
	b      strings.Builder
	copied int // how much of s is in b
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

// leading returns the length of the prefix of s whose characters are all ok.
func leading(s string, ok func(rune) bool) int {
	for i, r := range s {
		if !ok(r) {
			return i
		}
	}
	return len(s)
}

// plainWord returns the letters of ASCII that s begins with, in lower case and without dashes and underscores, and how
// many bytes of s they take.
func plainWord(s string) (word string, size int) {
	size = leading(s, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r == '-' || r == '_' })
	word = strings.ToLower(s[:size])
	return strings.ReplaceAll(strings.ReplaceAll(word, "_", ""), "-", ""), size
}

// pair replaces the character at at, and the closing one, by open and shut if nothing but a listed word, perhaps with
// noise around it, is between them. It returns how many bytes that takes; 0 if there is something else.
func (d *defanger) pair(at int, list string, noise func(rune) bool, closing string, open, shut rune) int {
	i := at + 1
	i += leading(d.s[i:], noise)
	word, size := plainWord(d.s[i:])
	i += size
	i += leading(d.s[i:], noise)
	if !listed(list, word) || !strings.HasPrefix(d.s[i:], closing) {
		return 0
	}
	d.replace(at, 1, open)
	d.replace(i, 1, shut)
	return i + 1 - at
}

func isBackslash(r rune) bool { return r == '\\' }

// tokens are those in square brackets. They have to be few: [user] is in many a file.
const tokens = " inst systemprompt systemmessage systemreminder availabletools toolcalls toolresults toolcontent "

// keys are those of hooks' answers that are not ordinary words, such as decision, continue and reason.
const keys = " " +
	"hookspecificoutput hookeventname additionalcontext systemmessage permissiondecision permissiondecisionreason " +
	"suppressoutput stopreason updatedinput updatedmcptooloutput initialusermessage sessiontitle watchpaths " +
	"reloadskills usermessage agentmessage followupmessage "

// listed reports whether a word is in a list, in which a blank precedes and follows each word.
func listed(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }
