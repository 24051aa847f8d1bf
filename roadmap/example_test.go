package roadmap_test

import (
	"fmt"
	"os"

	"github.com/gsd-cli/gsd/roadmap"
)

// A roadmap is read alone, such as from the buffer of an editor.
func ExampleParse() {
	r, err := roadmap.Parse([]byte("# Roadmap: Kiln\n\n- [x] **Phase 1: Clay** - dig it\n- [ ] **Phase 2: Fire** - burn it\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Title)
	for _, phase := range r.Phases {
		fmt.Println(phase.Number, phase.Title, phase.Status)
	}
	// Output:
	// Kiln
	// 1 Clay complete
	// 2 Fire not-started
}

// The roadmap and the files together say how far each phase is, and the project.
func ExampleRead() {
	dir, err := os.OpenRoot("../testdata/sample")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dir.Close()
	r, err := roadmap.Read(dir.FS(), ".planning")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, phase := range r.Phases {
		fmt.Println(phase.Number, phase.Title, phase.Status, phase.Done, "of", phase.Total)
		for _, plan := range phase.Plans {
			fmt.Println("  ", plan.ID, plan.Title, plan.Done())
		}
	}
	fmt.Println(*r.Progress.Percent, "%")
	// Output:
	// 1 Notes in-progress 1 of 2
	//    01-01 Store true
	//    01-02 Commands false
	// 2 Sharing not-started 0 of 0
	// 0 %
}
