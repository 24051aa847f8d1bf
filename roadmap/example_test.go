package roadmap_test

import (
	"fmt"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/roadmap"
)

// A roadmap is read, and its phases are listed.
func ExampleParse() {
	r := roadmap.Parse([]byte("# Roadmap: Kiln\n\n- [x] **Phase 1: Clay** - dig it\n- [ ] **Phase 2: Fire** - burn it\n"), "")
	fmt.Println(r.Title)
	for _, phase := range r.Phases() {
		fmt.Println(phase.Number, phase.Title, phase.Status)
	}
	// Output:
	// Kiln
	// 1 Clay complete
	// 2 Fire unknown
}

// The roadmap and the names of files together say how far each phase is, and the project.
func ExampleJoin() {
	files := []string{"01-clay/01-01-PLAN.md", "01-clay/01-01-SUMMARY.md", "02-fire/02-01-PLAN.md", "02-fire/02-02-PLAN.md"}
	list := func(dir string) (names []string) { // the names in a directory
		for _, file := range files {
			file = path.Join(".planning/phases", file)
			for at := file; at != "."; at = path.Dir(at) {
				if path.Dir(at) == dir && !slices.Contains(names, path.Base(at)) {
					names = append(names, path.Base(at))
				}
			}
		}
		return names
	}
	r := roadmap.Parse([]byte("- [ ] **Phase 1: Clay**\n- [ ] **Phase 2: Fire**\n"), "")
	var all roadmap.Progress
	for _, phase := range roadmap.Join(roadmap.ScanPhases(list, ".planning"), r) {
		fmt.Println(phase.Number, phase.Title, phase.Status, phase.Done, "of", phase.Total)
		all.Add(&phase)
	}
	percent, _ := all.Percent()
	fmt.Println(percent, "%")
	// Output:
	// 1 Clay complete 1 of 1
	// 2 Fire not started 0 of 2
	// 33 %
}
