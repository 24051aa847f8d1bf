package hydrate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/planfile"
)

// sample returns a copy of a project with one plan done and one to do, and what removes it.
func sample() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "gsd")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS("../testdata/sample"))
	}
	if err != nil {
		panic(err)
	}
	return dir, func() { os.RemoveAll(dir) }
}

// A session from its start to the next one: an agent starts on a plan, completes a task and forgets everything; the next agent sees
// where to continue.
func Example() {
	dir, remove := sample()
	defer remove()
	ctx := context.Background()
	project, err := hydrate.Open(ctx, dir, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := project.Report()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict)

	started, err := project.Start(ctx, "", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(started.Plan, started.Verdict)
	marked, err := project.Mark(ctx, 1, planfile.Complete)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(marked.Task.Name, marked.Task.Status)

	report, err = project.Report() // or in another process
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict, report.Done, "of", report.Total)
	if report.Resume != nil { // nil if no task is left
		fmt.Println("next is", report.Resume.Name)
	}
	// Output:
	// none
	// .planning/phases/01-notes/01-02-PLAN.md resume
	// Task 1: Add a note complete
	// resume 1 of 3
	// next is Task 2: List notes
}

// What can be run next is a command, which names the project: it can be run from anywhere.
func ExampleProject_Next() {
	dir, remove := sample()
	defer remove()
	project, err := hydrate.Open(context.Background(), dir, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := project.Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(next.Next.ID, next.Next.Plan)
	for _, do := range next.Do {
		fmt.Println(do.Kind, do.Argv[:len(do.Argv)-2]) // -C and the directory come last
	}
	// Output:
	// 01-02 .planning/phases/01-notes/01-02-PLAN.md
	// start [gsd bootstrap 01-02]
}

// What has no field is in the JSON.
func ExampleProject_Status() {
	dir, remove := sample()
	defer remove()
	project, err := hydrate.Open(context.Background(), dir, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	status, err := project.Status()
	if err != nil {
		fmt.Println(err)
		return
	}
	at := status.Position
	fmt.Printf("%s: phase %s (%s), %d of %d plans\n", status.Project, at.Phase, at.PhaseName, at.AllPlansDone, at.AllPlans)
	text, err := json.Marshal(status)
	if err != nil {
		fmt.Println(err)
		return
	}
	var more struct {
		Roadmap string `json:"roadmap"`
	}
	if err := json.Unmarshal(text, &more); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(more.Roadmap)
	// Output:
	// Notes: phase 1 (Notes), 1 of 2 plans
	// .planning/ROADMAP.md
}

// An error has a kind to decide by, and says what helps.
func ExampleError() {
	dir, remove := sample()
	defer remove()
	project, err := hydrate.Open(context.Background(), dir, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = project.Start(context.Background(), "01-01", nil)
	if failed, ok := errors.AsType[*hydrate.Error](err); ok && failed.Kind == hydrate.Refused {
		fmt.Println(failed.Kind)
		fmt.Println(failed.Message)
		fmt.Println(failed.Hint)
	}
	// Output:
	// refused
	// .planning/phases/01-notes/01-01-PLAN.md is done: its summary is .planning/phases/01-notes/01-01-SUMMARY.md
	// --again starts a session on this one anyway
}
