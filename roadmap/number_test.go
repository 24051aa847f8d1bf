package roadmap

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
)

// number is the number that a text is; zero for none.
func number(text string) planref.Number {
	n, _ := planref.ParseNumber(text)
	return n
}

func num(t testing.TB, text string) planref.Number {
	t.Helper()
	n, ok := planref.ParseNumber(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return n
}
