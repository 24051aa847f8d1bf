package progress

import (
	"github.com/gsd-cli/gsd/planfile"
)

// Words returns the tasks of a plan with what it says of them itself: people and agents write status="done" into the tags of a plan's tasks,
// too. Status is what a clear word means (planfile.ParseStatus), and empty for any other. A tag with two statuses says nothing, of which
// gsd doctor and gsd bootstrap tell. It returns nil if the plan says nothing.
func Words(plan *planfile.File) []Task {
	if !plan.HasStatus() {
		return nil
	}
	tasks, says := Describe(plan), false
	for _, problem := range plan.Problems() {
		if problem.Code == "status-duplicate" {
			tasks[problem.Task-1].Status = planfile.Pending
		}
	}
	for i := range tasks {
		t := &tasks[i]
		status, err := planfile.ParseStatus(string(t.Status))
		if status != planfile.Pending {
			t.Word = string(t.Status)
		}
		if t.Status = status; err != nil {
			t.Status = ""
		}
		says = says || t.Word != ""
	}
	if !says {
		return nil
	}
	return tasks
}

// AddWords gives the tasks that nobody has set, and of which commits show nothing certain, the statuses that the plan's own words mean; an
// unclear word is only named. said is what Words returns of the plan, and same says that it has the same bytes as theirs.
func AddWords(tasks, said []Task, same bool) {
	at, _ := Place(said, same, tasks)
	for i := range said {
		if said[i].Word == "" || at[i] == 0 || at[i] > len(tasks) {
			continue
		}
		switch t, status := &tasks[at[i]-1], said[i].Status; {
		case !t.Set.IsZero() || t.Shown():
		case Worked(status):
			t.Status, t.Commits, t.Word = status, nil, said[i].Word
		case !Worked(t.Status):
			t.Word = said[i].Word
		}
	}
}

// ForgetWords sets back the tasks of a record whose status is only what the plan's own word was when it was written: AddWords knows what it is.
func ForgetWords(tasks []Task) {
	for i := range tasks {
		if t := &tasks[i]; t.Set.IsZero() && t.Word != "" {
			t.Status, t.Word = planfile.Pending, ""
		}
	}
}
