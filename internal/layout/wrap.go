package layout

// wrap.go: text for people is broken into lines that fit, between words: never inside a command or a path, because somebody copies those.
// What cannot be broken is wider than that, and a terminal continues it on the next line.

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Wrap returns a line, which may have colours, broken into lines of at most n columns, as far as that is possible; 0 stands for any
// number. The lines after the first are indented by two more columns, or, if the line is a row of a table, to the last cell that begins
// in the left half.
func Wrap(line string, n int) string {
	if n > 0 && LineColumns(line) > n {
		pieces := piecesOf(line)
		line = wrapped(pieces, n, hangingIndent(pieces, n))
	}
	return strings.ReplaceAll(line, glue, " ")
}

// Paragraph returns a text in lines of at most n columns, as far as that is possible. Its own line ends count as blanks.
func Paragraph(text string, n int) string {
	return wrapped(piecesOf(strings.Join(strings.Fields(text), " ")), n, 0)
}

// glue stands for a blank at which no line is broken, until Wrap makes it one. No cleaned text has this character, so that one with a
// no-break space in it, such as a path, is printed as it is.
const glue = "\x1f"

// Unbroken returns a name, such as a path or a command, with blanks at which Wrap does not break it.
func Unbroken(name string) string { return strings.ReplaceAll(name, " ", glue) }

// WrapLines is Wrap for the lines of a text.
func WrapLines(lines string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		b.WriteString(Wrap(line, n))
	}
	return b.String()
}

// wrapped joins pieces to lines of at most n columns, and indents those after the first by so many columns. What is said of a command
// that is offered begins a line.
func wrapped(pieces []piece, n, hanging int) string {
	var b strings.Builder
	first := pieces[0]
	b.WriteString(first.blanks + first.text)
	at := LineColumns(first.blanks + first.text)
	indent := strings.Repeat(" ", hanging)
	for i, piece := range pieces[1:] {
		size := LineColumns(piece.text)
		if i == 0 && first.isOffer || at+len(piece.blanks)+size > n && at+len(piece.blanks) > len(indent) {
			b.WriteString("\n" + indent + piece.text)
			at = len(indent) + size
		} else {
			b.WriteString(piece.blanks + piece.text)
			at += len(piece.blanks) + size
		}
	}
	return b.String()
}

// A piece of a line is a word, or words that stay together, and the blanks before it.
type piece struct {
	blanks, text string
	isOffer      bool // it offers a command to run, as try: COMMAND does
}

// offer matches the beginning of a line that offers a command, up to the end of that.
var offer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ *(?:\x1b\[\d+m)?(?:try|fix)(?:\x1b\[0m)?: (?:\S| \S)+`)
})

// hangingIndent returns by how many columns the lines after the first are indented.
func hangingIndent(pieces []piece, n int) int {
	indent := len(pieces[0].blanks)
	if pieces[0].isOffer {
		return indent + len("try: ")
	}
	at, cell := 0, indent+2
	for i, piece := range pieces {
		if i > 0 && len(piece.blanks) > 1 && at+len(piece.blanks) <= n/2 {
			cell = at + len(piece.blanks)
		}
		at += len(piece.blanks) + LineColumns(piece.text)
	}
	return cell
}

// piecesOf takes a line apart into at least one piece.
func piecesOf(line string) []piece {
	var pieces []piece
	offered := offer().FindString(line)
	rest := line[len(offered):]
	if offered != "" {
		text := strings.TrimLeft(offered, " ")
		pieces = append(pieces, piece{offered[:len(offered)-len(text)], text, true})
	}
	var c commandWords
	from := len(offered) - len(strings.TrimLeft(offered, " ")) // where the text of the last piece begins in the line
	coded := false                                             // between backticks
	for rest != "" || len(pieces) == 0 {
		word := strings.TrimLeft(rest, " ")
		blanks := rest[:len(rest)-len(word)]
		end := strings.IndexByte(word, ' ')
		if end < 0 {
			end = len(word)
		}
		word, rest = word[:end], word[end:]
		inside := c.quoted || coded
		label := len(pieces) > 0 && (beginsLabel(word, rest) || Plain(word) == "") // the end of a colour comes before one
		stays := c.next(word) || inside || label
		if strings.Count(word, "`")%2 == 1 {
			coded = !coded && strings.Contains(rest, "`")
		}
		if stays && (inside || label || len(blanks) == 1) && len(pieces) > 0 {
			pieces[len(pieces)-1].text = line[from : len(line)-len(rest)] // all that is between them, too
		} else {
			from = len(line) - len(rest) - len(word)
			pieces = append(pieces, piece{blanks: blanks, text: word})
		}
	}
	return pieces
}

// A commandWords reads a sentence word by word, and recognises the commands of gsd and git in it. Where such a command ends is not
// certain; a word too many does no harm.
type commandWords struct {
	verb    string // the first word after gsd or git; empty outside of a command
	program bool   // the word before is gsd or git
	free    int    // how many more words belong to the command, whatever they are
	quoted  bool   // the command is inside of single quotes
}

// freeWords says how many words follow a verb that may be anything.
var freeWords = map[string]int{"run": 1, "config": 2, "mark": 2, "install": 1, "help": 1, "hook": 1, "-C": 2}

// valueFlags are the flags with a value that is a word of its own: those of gsd, which cmd/gsd tests, and those of hosts with which a
// conversation is resumed.
var valueFlags = []string{"-C", "--status", "--host", "--id", "--pid", "--scope", "--format", "--resume", "--session", "--keep", "--auto"}

// next reads a word. It reports whether the word belongs to the command before it, so that no line is broken between them.
func (c *commandWords) next(word string) bool {
	word = Plain(word)
	bare := strings.TrimLeft(word, "(\"`")
	stays := false
	switch {
	case c.quoted:
		stays = true
	case c.program:
		stays = isOperand(bare) || bare != "" && unicode.IsLower(rune(bare[0]))
		c.verb, c.free = bare, freeWords[bare]
	case isFlag(bare) && (c.verb != "" || word == bare):
		stays = true
		if slices.Contains(valueFlags, bare) {
			c.free = max(c.free, 1)
		}
	case c.verb != "" && c.free > 0:
		stays = true
		c.free--
	case c.verb != "" && isOperand(bare):
		stays = true
	default:
		c.verb = ""
	}
	c.program = !c.quoted && (bare == "gsd" || bare == "git")
	if c.quoted || c.verb != "" && strings.HasPrefix(bare, "'") {
		c.quoted = opensQuotes(bare, c.quoted)
	}
	if !c.quoted && strings.ContainsAny(word[max(0, len(word)-1):], ",;:.)`\"") {
		*c = commandWords{}
	}
	return stays
}

// opensQuotes reports whether what follows a word of a command is inside of single quotes; quoted says whether the word is.
func opensQuotes(word string, quoted bool) bool {
	for i := 0; i < len(word); i++ {
		switch {
		case word[i] == '\'':
			quoted = !quoted
		case word[i] == '\\' && !quoted:
			i++
		}
	}
	return quoted
}

func isFlag(word string) bool {
	return len(word) > 1 && word[0] == '-' && (word[1] == '-' || unicode.IsLetter(rune(word[1])))
}

// isOperand reports whether a word is no word of a sentence: a number, an id, a path, a quoted word, or a name in capitals that stands
// for one.
func isOperand(word string) bool {
	word = strings.TrimRight(word, ",;:.)`\"")
	return strings.ContainsAny(word, "0123456789/.'$") || isFlag(word) || word != "" && strings.ToUpper(word) == word
}

var colour = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;]*m") })

// Plain returns a text without the sequences that colour it.
func Plain(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	return colour().ReplaceAllString(s, "")
}

// LineColumns is Columns for a line as it is printed: it may have colours, and a line end.
func LineColumns(s string) int { return Columns(strings.TrimSuffix(Plain(s), "\n")) }
