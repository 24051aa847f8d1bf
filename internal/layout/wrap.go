package layout

// wrap.go: text for people is broken into lines that fit, between words, but never inside of a command or a path, because somebody copies
// those: between backticks, and at a blank of [Unbroken], nothing is broken. What cannot be broken is wider than that, and a terminal
// continues it on the next line.

import (
	"regexp"
	"strings"
	"sync"
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

// wrapped joins pieces to lines of at most n columns, and indents those after the first by so many columns.
func wrapped(pieces []piece, n, hanging int) string {
	var b strings.Builder
	at := 0
	indent := strings.Repeat(" ", hanging)
	for i, piece := range pieces {
		size := LineColumns(piece.text)
		if i > 0 && at+len(piece.blanks)+size > n && at+len(piece.blanks) > len(indent) {
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
type piece struct{ blanks, text string }

// hangingIndent returns by how many columns the lines after the first are indented.
func hangingIndent(pieces []piece, n int) int {
	at, cell := 0, len(pieces[0].blanks)+2
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
	from := 0      // where the text of the last piece begins in the line
	coded := false // between backticks
	for rest := line; rest != "" || len(pieces) == 0; {
		word := strings.TrimLeft(rest, " ")
		blanks := rest[:len(rest)-len(word)]
		end := strings.IndexByte(word, ' ')
		if end < 0 {
			end = len(word)
		}
		word, rest = word[:end], word[end:]
		if len(pieces) > 0 && (coded || beginsLabel(word, rest) || Plain(word) == "") { // the end of a colour comes before a label
			pieces[len(pieces)-1].text = line[from : len(line)-len(rest)] // all that is between them, too
		} else {
			from = len(line) - len(rest) - len(word)
			pieces = append(pieces, piece{blanks, word})
		}
		if strings.Count(word, "`")%2 == 1 {
			coded = !coded && strings.Contains(rest, "`")
		}
	}
	return pieces
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
