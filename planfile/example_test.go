package planfile_test

import (
	"bytes"
	"fmt"

	"github.com/gsd-cli/gsd/planfile"
)

const plan = `---
phase: 02-clay
plan: 01
---
<task type="auto">
  <name>Task 1: Dig</name>
</task>
<task type="auto" status="pending">
  <name>Task 2: Burn</name>
</task>
`

// A plan is read, and its tasks are listed.
func ExampleParse() {
	file := planfile.Parse([]byte(plan))
	for _, task := range file.Tasks {
		fmt.Printf("line %d: %s (%s)\n", task.Line, file.Name(task.Number), task.Status)
	}
	// Output:
	// line 5: Task 1: Dig ()
	// line 8: Task 2: Burn (pending)
}

// Setting a status changes no byte outside that attribute.
func ExampleFile_SetStatus() {
	file := planfile.Parse([]byte(plan))
	chunks, err := file.SetStatus(planfile.Complete, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for number, line := range bytes.Split(bytes.Join(chunks, nil), []byte("\n")) {
		if before := bytes.Split([]byte(plan), []byte("\n"))[number]; !bytes.Equal(line, before) {
			fmt.Printf("-%s\n+%s\n", before, line)
		}
	}
	// Output:
	// -<task type="auto" status="pending">
	// +<task type="auto" status="complete">
}
