package app_test

import (
	"context"
	"fmt"
	"os"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/planfile"
)

// A session from its start to the next one: an agent starts on a plan, completes a task and forgets everything; the next agent sees
// where to continue.
func Example() {
	dir, err := os.MkdirTemp("", "gsd")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS("../../testdata/sample")); err != nil {
		fmt.Println(err)
		return
	}

	project, err := app.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer project.Close()
	report, err := project.Hydrate("ada")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict)

	started, err := project.Bootstrap(context.Background(), app.BootstrapOptions{User: "ada"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(started.On, started.Verdict, started.Resume.Name)
	marked, err := project.Mark(context.Background(), app.MarkOptions{User: "ada", Number: 1, Status: planfile.Complete})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(marked.Task.Name, marked.Task.Status)

	again, err := app.Open(dir) // in another process
	if err != nil {
		fmt.Println(err)
		return
	}
	defer again.Close()
	report, err = again.Hydrate("ada")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %d of %d, next %s\n", report.Verdict, report.Done, report.Total, report.Resume.Name)
	// Output:
	// none
	// .planning/phases/01-notes/01-02-PLAN.md resume Task 1: Add a note
	// Task 1: Add a note complete
	// resume 1 of 3, next Task 2: List notes
}
