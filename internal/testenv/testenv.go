// Package testenv says how much tests try, and what they do where something that they need is missing. What tests allocate is small and
// soon garbage, so it is collected seldom, which takes a quarter of their time off.
package testenv

import (
	"flag"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"
)

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(800)
	}
}

// Thorough reports whether tests try all that they can, for minutes: GSD_THOROUGH=1 go test ./... It is asked while a test runs, not
// before, because go test otherwise takes the result of a quick run for that of a thorough one.
func Thorough() bool { return os.Getenv("GSD_THOROUGH") == "1" }

// Count returns how many cases are tried, or must have been: the first where tests are quick, else the second.
func Count(quick, thorough int) int {
	if Thorough() {
		return thorough
	}
	return quick
}

// OnlyThorough skips a test that takes too long between two edits.
func OnlyThorough(t testing.TB) {
	t.Helper()
	if !Thorough() {
		t.Skip("only with GSD_THOROUGH=1")
	}
}

// Laws is for rapid.Check(testenv.Laws(t), …): a law is tried on a few random cases, or on many, unless the flag says on how many.
func Laws(t *testing.T) *testing.T {
	t.Helper()
	checks := strconv.Itoa(Count(20, 100))
	setChecks.Do(func() {
		if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
			_ = f.Value.Set(checks)
		}
	})
	return t
}

var setChecks sync.Once

// Missing skips a test that lacks something. Where the variable CI is set, nothing may be missing, so the test fails.
func Missing(t testing.TB, what ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what...)
	}
	t.Skip(what...)
}
