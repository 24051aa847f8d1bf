package roadmap

import "github.com/gsd-cli/gsd/internal/planref"

// number is the number that a text is; zero for none.
func number(text string) planref.Number {
	n, _ := planref.ParseNumber(text)
	return n
}
