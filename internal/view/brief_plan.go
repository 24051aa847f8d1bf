package view

// brief_plan.go: what an agent has to know of the plan around the task to resume. After a /clear it has lost that, too. It comes last,
// in the room that the rest leaves, and what is left out says where to read on.

import (
	"cmp"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/planfile"
)

const (
	maxObjective  = 3000 // bytes; of 1,576 real ones, half have at most 520 and one in a hundred has more than 3,250
	maxReferences = 3000 // bytes for the files that a plan names; at most 33 in real plans
	planMargin    = 600  // bytes for the envelope, the note that a brief was cut, and how gsd is called
)

// A planView is the plan around a task to resume.
type planView struct {
	task   *answer.ResumePoint
	file   string                      // which has its text
	naming string                      // how its commits are named; "" if that is not known
	list   action.Action               // lists its tasks
	status func(n int) planfile.Status // of a task
	by     func(n int) string          // what shows that status, after a space; nil for nothing
}

// plan prints what the plan says as a whole, the other tasks, and how its commits are named, as far as there is room.
func (b brief) plan(v *planView) {
	task := v.task
	if task == nil || task.Of == nil {
		return
	}
	room := agent.MaxText - planMargin
	for _, block := range b.blocks() {
		room -= weight(block)
	}
	add := func(print func(b brief)) bool { // as a block
		more := b
		more.out = &printer.Buffer{}
		more.Printer = &Printer{Writer: b.To(more.out), brief: true}
		print(more)
		size := 0
		for _, block := range more.blocks() {
			size += weight(block)
		}
		if room < size {
			return false
		}
		b.Gap()
		b.Put(more.out.Lines()...)
		room -= size
		return true
	}
	isAdded := add(func(b brief) {
		b.Printf("About the plan as a whole, from %s, which has all of it:\n", printer.Unbroken(v.file))
	})
	if !isAdded {
		return
	}
	if v.naming != "" {
		add(func(b brief) { b.Item("its commits are named as in %s", printer.Unbroken(v.naming+" …")) })
	}
	add(func(b brief) { v.otherTasks(b, room/2) })
	preface := task.Of.Preface()
	add(func(b brief) { b.references(preface.References(), min(maxReferences, room/2)) })
	objective := cmp.Or(preface.Part("objective"), preface.Part("goal"))
	add(func(b brief) { b.objective(objective, min(maxObjective, room-100)) })
}

// weight is how many bytes a block takes in a brief, in the envelope of a host that takes JSON.
func weight(block string) int {
	size := len(block) + 4
	for i := range len(block) {
		switch block[i] {
		case '\n', '"', '\\', '\t':
			size++
		case '<', '>', '&': // which are escaped, or shown as other brackets
			size += 5
		}
	}
	return size
}

// mostOther is how many other tasks a brief names: real plans have two to four, and no more than 20.
const mostOther = 20

// otherTasks prints the other tasks and their statuses, from a few before the one to resume on.
func (v *planView) otherTasks(b brief, room int) {
	task, total := v.task, len(v.task.Of.Tasks)
	if total < 2 {
		return
	}
	shown := 0
	first := max(1, min(task.Number-mostOther/2, total-mostOther))
	for n := first; n <= total && shown < mostOther; n++ {
		if n == task.Number {
			continue
		}
		is := cmp.Or(statusWord(v.status(n)), string(planfile.Pending))
		if v.by != nil {
			is += v.by(n)
		}
		name := TaskTitle(task.Of.Title(n), n)
		if room -= weight(is) + weight(name) + len("- task 10 is : "); room < 0 {
			break
		}
		b.Item("task %d is %s: %s", n, is, name)
		shown++
	}
	if more := total - 1 - shown; more > 0 {
		b.Item("%s; %s lists them all", Count(more, "more task"), typed(v.list))
	}
}

// references prints the files that a plan tells its reader to read, as far as there is room.
func (b brief) references(files []string, room int) {
	var named []printer.Text
	for i, file := range files {
		if room -= weight(file) + len("``, "); room < 0 {
			named = append(named, printer.Sprintf("and %d more", len(files)-i))
			break
		}
		named = append(named, printer.Unbroken(file))
	}
	if len(named) > 0 {
		b.Item("files that it names as context: %s", printer.Join(named, ", "))
	}
}

// objective prints the first lines of a plan's objective that have room, and says what is left out.
func (b brief) objective(s string, room int) {
	all := printer.Lines(s)
	if len(all) == 0 || room < 100 {
		return
	}
	b.Printf("The objective:\n")
	for i, line := range all {
		size := weight(line.String()) + len("> ")
		switch left := room - size; {
		case left >= 0:
			b.Quote("", line)
			room = left
			continue
		case i == 0: // a paragraph on one line
			for n := room; size > room; n /= 2 {
				line = printer.Cut(line, n)
				size = weight(line.String()) + len("> ")
			}
			b.Quote("", line)
			b.Printf("(the objective is cut)\n")
		default:
			b.Printf("(%s more of the objective)\n", Count(len(all)-i, "line"))
		}
		return
	}
}

// planOf prints the plan of the task to resume: that of the session, else that of the next plan.
func (b brief) planOf(r *answer.Report) {
	list := action.Action{Kind: action.ListTasks}
	switch {
	case r.Resume != nil:
		status := func(n int) planfile.Status { return r.Session.Tasks[n-1].Status }
		b.plan(&planView{task: r.Resume, file: r.Path, naming: r.Naming, list: list, status: status})
	case r.Next != nil && r.Next.Progress != nil:
		progress := r.Next.Progress
		list.Plan = r.Next.Name()
		status := func(n int) planfile.Status { return progress.Tasks[n-1].Status }
		b.plan(&planView{task: progress.Resume, file: r.Next.Plan, naming: progress.Naming, list: list, status: status})
	}
}
