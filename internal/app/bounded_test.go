package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
)

// A project is read with memory and time that its size on disk has little to do with: what is repeated by links or is
// far too large must not reach an agent's start.

// TestPlansAreNotKept: 200 plans of 2 MB cost no more memory than what is said of their order.
func TestPlansAreNotKept(t *testing.T) {
	p := projectOf(t, nil)
	at := filepath.Join(p.Dir, ".planning", "phases", "01-a")
	write(t, filepath.Join(at, "01-01-PLAN.md"), "---\nwave: 1\n---\n"+strings.Repeat(" ", 2<<20)+"\n<task></task>\n")
	for i := range 200 {
		if err := os.Symlink("01-01-PLAN.md", filepath.Join(at, fmt.Sprintf("01-%02d-PLAN.md", i+2))); err != nil {
			t.Skip("no links here:", err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, err := p.Next("ada")
	if err != nil || n.Next.ID != "01-01" || n.Next.Wave == nil || *n.Next.Wave != 1 {
		t.Fatalf("%+v, %v", n, err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 40<<20 { // the heads are 13 MB, the first plan is read whole
		t.Errorf("next allocated %d MB", grown>>20)
	}
}

// TestReadingStops: one command reads so much and no more, says where it stopped, and continues with what it has.
func TestReadingStops(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("phases/01-a/01-%02d-PLAN.md", i+1)] = "wave: 1\nabout: " + strings.Repeat("x", 400)
	}
	p := projectOf(t, files)
	p.Planning.Allow(1000, project.CommandFiles) // sixteen thousand in all, and a name costs 256
	n, err := p.Next("ada")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(n.Warnings, func(w problem.Warning) bool { return w.Code == problem.ReadingStopped })
	if i < 0 {
		t.Errorf("warnings %+v", n.Warnings)
	}
	if n.Next.ID != "01-01" {
		t.Errorf("next %+v", n.Next)
	}
}
