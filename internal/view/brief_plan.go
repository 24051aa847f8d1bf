package view

// brief_plan.go: what an agent has to know of the plan around the task to resume. After a /clear it has lost that, too. It comes last,
// in the room that the rest leaves, and what is left out says where to read on.

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/planfile"
)

const (
	maxObjective  = 3000 // bytes; of 1,576 real ones, half have at most 520 and one in a hundred has more than 3,250
	maxReferences = 3000 // bytes for the files that a plan names; at most 33 in real plans
	planMargin    = 600  // bytes for the envelope, the note that a brief was cut, and how gsd is called
)

// A planView is the plan around a task to resume.
type planView struct {
	task   *hydrate.ResumePoint
	file   string                      // which has its text
	naming string                      // how its commits are named; "" if that is not known
	list   action.Action               // lists its tasks
	status func(n int) planfile.Status // of a task
	by     func(n int) string          // what shows that status, after a space; nil for nothing
}

// plan adds what the plan says as a whole, the other tasks, and how its commits are named.
func (b *brief) plan(v *planView) {
	task := v.task
	if task == nil || task.Of == nil {
		return
	}
	room := agent.MaxText - planMargin
	for _, block := range *b {
		room -= weight(block)
	}
	add := func(lines ...string) bool {
		size := weight(strings.Join(lines, "\n"))
		if room < size {
			return false
		}
		b.add(lines...)
		room -= size
		return true
	}
	head := "About the plan as a whole, from " + code(v.file) + ", which has all of it:"
	if !add(head) {
		return
	}
	if v.naming != "" {
		add("- Its commits are named as in " + code(v.naming+" …") + ".")
	}
	add(v.otherTasks(room / 2)...)
	preface := task.Of.Preface()
	if line := referenceLine(preface.References(), min(maxReferences, room/2)); line != "" {
		add(line)
	}
	objective := cmp.Or(preface.Part("objective"), preface.Part("goal"))
	if quoted := quoteWithin(objective, min(maxObjective, room-100)); len(quoted) > 0 {
		add(append([]string{"The objective:"}, quoted...)...)
	}
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

// otherTasks names the other tasks and their statuses, from a few before the one to resume on.
func (v *planView) otherTasks(room int) (lines []string) {
	task, total := v.task, len(v.task.Of.Tasks)
	if total < 2 {
		return nil
	}
	first := max(1, min(task.Number-mostOther/2, total-mostOther))
	for n := first; n <= total && len(lines) < mostOther; n++ {
		if n == task.Number {
			continue
		}
		is := cmp.Or(name(string(v.status(n))), string(planfile.Pending))
		if v.by != nil {
			is += v.by(n)
		}
		line := fmt.Sprintf("- Task %d is %s: %s", n, is, name(TaskTitle(task.Of.Title(n), n)))
		if room -= weight(line); room < 0 {
			break
		}
		lines = append(lines, line)
	}
	if more := total - 1 - len(lines); more > 0 {
		lines = append(lines, "- "+Count(more, "more task")+"; "+code(v.list.Line())+" lists them all.")
	}
	return lines
}

// referenceLine names the files that a plan tells its reader to read, as far as there is room.
func referenceLine(files []string, room int) string {
	var named []string
	for i, file := range files {
		span := code(file)
		if room -= weight(span); room < 0 {
			named = append(named, fmt.Sprintf("and %d more", len(files)-i))
			break
		}
		named = append(named, span)
	}
	if len(named) == 0 {
		return ""
	}
	return "- Files that it names as context: " + strings.Join(named, ", ") + "."
}

// quoteWithin quotes the first lines of a text that have room, and says what is left out.
func quoteWithin(s string, room int) (quoted []string) {
	all := text.Quote(s)
	for i, line := range all {
		left := room - weight(line)
		switch {
		case left >= 0:
		case i == 0 && room < 100:
			return nil
		case i == 0: // a paragraph on one line
			for n := room; weight(line) > room; n /= 2 {
				line = text.Cut(line, n)
			}
			return []string{line, "(the objective is cut)"}
		default:
			return append(quoted, fmt.Sprintf("(%s more of the objective)", Count(len(all)-i, "line")))
		}
		room, quoted = left, append(quoted, line)
	}
	return quoted
}

// planOf adds the plan of the task to resume: that of the session, else that of the next plan.
func (b *brief) planOf(r *hydrate.Report) {
	list := action.Action{Kind: action.ListTasks}
	switch {
	case r.Resume != nil:
		status := func(n int) planfile.Status { return r.Session.Tasks[n-1].Status }
		b.plan(&planView{task: r.Resume, file: r.Path, naming: r.Naming, list: list, status: status})
	case r.Next != nil && r.Next.Progress != nil:
		its := r.Next.Progress
		list.Plan = r.Next.Name()
		status := func(n int) planfile.Status { return its.Tasks[n-1].Status }
		b.plan(&planView{task: its.At, file: r.Next.Plan, naming: its.Naming, list: list, status: status})
	}
}
