package view

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/planfile"
)

// innerTags are the elements in a task's children that the authors of the 33 shared projects use, found by reading them. Everything
// else with a start and an end tag there is code. <option>, <note> and others may be code, too: HTML's and XML's elements.
var innerTags = []string{
	"automated", "criterion", "file", "human-check", "manual", "note", "option", "sampling_rate", "source_assertion", "pros", "cons",
}

// TestReplayParts counts which elements there are in the children of real tasks, and how many reach an agent as markup: in what
// gsd hydrate prints, and in the brief. Every task of every version of a plan is the one to resume once.
func TestReplayParts(t *testing.T) {
	t.Parallel()
	type count struct{ written, hydrate, brief, labels int }
	counts := map[string]*count{}
	pair := func(open, name, close string) *regexp.Regexp {
		return regexp.MustCompile(`(?is)` + open + name + `(?:\s[^<>‹›]*)?` + close + `.*?` + open + `/` + name + close)
	}
	type patterns struct{ written, markup, label *regexp.Regexp }
	find := map[string]patterns{}
	for _, name := range innerTags {
		counts[name] = &count{}
		find[name] = patterns{pair("<", name, ">"), pair("‹", name, "›"), regexp.MustCompile(`(?m)^  \S+,.* ` + name + `( .*)?:`)}
	}
	plans, tasks := 0, 0
	for _, bundle := range replay.Bundles(t, "full", "more") {
		objects := replay.Open(t, bundle)
		for line := range strings.Lines(objects.Git("rev-list", "--objects", "--all")) {
			id, path, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !strings.Contains(path, ".planning/") || !planref.IsPlan(filepath.Base(path)) {
				continue
			}
			src, _ := objects.Get(id)
			plans++
			f := planfile.Parse(src)
			for _, task := range f.Tasks {
				tasks++
				r := &answer.Report{
					Verdict: answer.Resume, User: "replay", Path: "current-plan.md", On: path, Total: len(f.Tasks),
					Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: task.Number, Name: f.Title(task.Number)}, Type: task.Type, Line: task.Line}},
					Facts:  answer.Facts{Session: f},
				}
				r.AddText()
				source, err := f.Source(task.Number)
				if err != nil {
					t.Fatal(err)
				}
				text, brief := text.Defang(printed(printer.Style{}, func(p *Printer) { p.Report(r) })), text.FitBytes((&Briefer{}).Report(r, ""), 1<<20, "")
				for name, p := range find {
					c := counts[name]
					c.written += len(p.written.FindAllIndex(source, -1))
					c.hydrate += len(p.markup.FindAllStringIndex(text, -1))
					c.brief += len(p.markup.FindAllStringIndex(brief, -1))
					c.labels += len(p.label.FindAllStringIndex(text, -1))
				}
			}
		}
	}
	table := fmt.Sprintf("%d plans, %d tasks\n%-17s written  hydrate  brief  labels\n", plans, tasks, "")
	for _, name := range slices.Sorted(slices.Values(innerTags)) {
		c := counts[name]
		table += fmt.Sprintf("%-17s %7d  %7d  %5d  %6d\n", name, c.written, c.hydrate, c.brief, c.labels)
		if c.hydrate+c.brief > 0 {
			t.Errorf("<%s> reaches an agent as markup", name)
		}
	}
	t.Log(table)
}
