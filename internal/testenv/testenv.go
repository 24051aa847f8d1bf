// Package testenv says how much tests try, and what they do where something that they need is missing.
package testenv

import (
	"os"
	"testing"
)

// Thorough reports whether tests try all that they can, for minutes: GSD_THOROUGH=1 go test ./... It is asked while a test runs, not
// before, because go test otherwise takes the result of a quick run for that of a thorough one.
func Thorough() bool { return os.Getenv("GSD_THOROUGH") == "1" }

// OnlyThorough skips a test that takes too long between two edits.
func OnlyThorough(t testing.TB) {
	t.Helper()
	if !Thorough() {
		t.Skip("only with GSD_THOROUGH=1")
	}
}

// Missing skips a test that lacks something. Where the variable CI is set, nothing may be missing, so the test fails.
func Missing(t testing.TB, what ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what...)
	}
	t.Skip(what...)
}
