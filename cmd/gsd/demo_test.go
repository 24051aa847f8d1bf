package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestDayInSample: what gsd demo --keep says to type works there, one after the other.
func TestDayInSample(t *testing.T) { // not in parallel: the library's help flag is a shared variable
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	a, _ := ada(t, time.Now())
	a.dir = t.TempDir()
	said := do(t, a, "demo", "--keep", "notes")
	a.dir += "/notes"
	for _, step := range dayInSample {
		if !strings.Contains(said, "\n  "+step.command+" ") {
			t.Errorf("it does not say %s", step.command)
		}
		do(t, a, strings.Fields(step.command)[1:]...)
	}
	if out := do(t, a, "hydrate", "--porcelain"); out != "2\n" {
		t.Errorf("after the day: %s", out)
	}
}
