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

// What comes next follows from the roadmap and the names of the files; what else is known is added to the question.
func ExampleNext() {
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
	r := roadmap.Parse([]byte("- [x] **Phase 1: Clay**\n- [ ] **Phase 2: Fire**\n"), "")
	disk := roadmap.ScanPhases(list, ".planning")
	answer := roadmap.Next(roadmap.Question{
		Disk: disk, Roadmap: r, Entries: roadmap.Join(disk, r), Path: ".planning/ROADMAP.md",
		Meta:  func(*roadmap.Plan) roadmap.Meta { return roadmap.Meta{} },
		Tasks: func(*roadmap.Plan) int { return 3 },
	})
	why := answer.Because[0]
	fmt.Println(answer.Plan.ID, why.Code, why.Phase, why.Path, why.Line)
	for _, plan := range answer.AlsoReady {
		fmt.Println("also", plan.ID)
	}
	// Output:
	// 02-01 roadmap-phase 2 .planning/ROADMAP.md 2
	// also 02-02
}
