package roadmap

// digits is how many bytes at the start of s are ASCII digits.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// isWord reports whether c goes on with a word.
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }
