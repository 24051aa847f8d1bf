//go:build linux

package main

// What the README and the pages of docs/ show of a terminal is what gsd prints.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// exampleStates are where an example begins that has the line "<!-- example: NAME -->" before it. The others begin where the
// example before them in the page ended, and the first one in the sample project.
var exampleStates = map[string][]act{
	"summary": {planned, begun, commit("feat(01-02): list notes", "list.go"), summary},
	"dead":    {deadRun},
	"lost":    {planned, begun, later(2 * time.Hour), lost},
	"archive": {begun},
	"commits": {planned, commit("feat(01-02): add a note", "add.go", "add_test.go"), commit("feat(01-02): list notes", "list.go")},
}

// anyValue finds what is different whenever it is printed: times, names of commits and of other things, numbers of processes.
var anyValue = lazyRegexp(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?(Z| UTC)?|\b[0-9a-f]{7,40}\b|\bpid \d+ on [\w.-]+|\b\d+ (minute|hour|day)s? ago|just now`)

// TestExamples: each block "console" of a page is run, line by line. In what it shows, "..." stands for lines that are left out.
func TestExamples(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		var s *scene
		before := ""
		for i, part := range strings.Split(string(text), "```") {
			block, isConsole := strings.CutPrefix(part, "console\n")
			if i%2 == 0 || !isConsole {
				before = part
				continue
			}
			_, name, marked := strings.Cut(before, "<!-- example: ")
			name, _, _ = strings.Cut(name, " -->")
			if s == nil || marked {
				s = newScene(t, filepath.Base(page)+" "+name)
				acts, ok := exampleStates[name]
				if marked && !ok {
					t.Fatalf("%s: no example %q", page, name)
				}
				for _, act := range acts {
					act(s)
				}
			}
			for example := range strings.SplitSeq("\n"+strings.TrimSuffix(block, "\n"), "\n$ ") {
				command, shown, _ := strings.Cut(example, "\n")
				if command == "" {
					continue
				}
				ran++
				line, ok := strings.CutPrefix(command, "gsd ")
				if !ok {
					t.Errorf("%s: %q is no command of gsd", page, command)
					continue
				}
				line, _, _ = strings.Cut(line, "  #")
				printed, _ := s.gsd(strings.TrimSpace(line), false)
				if !shows(shown, printed) {
					t.Errorf("%s: $ %s\nshown:\n%s\nprinted:\n%s", page, command, shown, printed)
				}
			}
		}
	}
	if ran < 10 {
		t.Errorf("only %d examples were found", ran)
	}
}

// shows reports whether a text is what was printed, but for values that change, for lines that are left out, and for where lines are
// broken, because the values are not equally long.
func shows(shown, printed string) bool {
	var form strings.Builder
	for line := range strings.Lines(strings.TrimSuffix(shown, "\n") + "\n") {
		if line == "...\n" {
			form.WriteString(`(?s:.*)`)
			continue
		}
		form.WriteString(regexp.QuoteMeta(oneLine(line)))
	}
	printed = oneLine(printed)
	return regexp.MustCompile("^" + form.String() + "$").MatchString(printed)
}

// oneLine returns a text on a line, with VALUE for what changes, and a blank after each word.
func oneLine(text string) string {
	var b strings.Builder
	for _, word := range strings.Fields(text) {
		b.WriteString(word + " ")
	}
	return anyValue().ReplaceAllString(b.String(), "VALUE")
}

// Every link of a page leads to a file, and to a heading of it.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	tops, err := filepath.Glob("../../*.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range append(pages, tops...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(found[1], "#")
			to := filepath.Join(filepath.Dir(page), file)
			if file == "" {
				to = page
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s leads nowhere", page, found[1])
				continue
			}
			if anchor != "" && !anchors(t, to)[anchor] {
				t.Errorf("%s: %s has no heading %q", page, file, anchor)
			}
		}
	}
}

// anchors returns the anchors of the headings of a page, as GitHub makes them.
func anchors(t *testing.T, page string) map[string]bool {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		level := strings.IndexFunc(line, func(r rune) bool { return r != '#' })
		if level < 1 || line[level] != ' ' {
			continue
		}
		name := strings.ToLower(strings.TrimSpace(line[level:]))
		name = regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(name, "")
		name = strings.ReplaceAll(name, " ", "-")
		for n := 0; all[name]; n++ {
			name = fmt.Sprintf("%s-%d", name, n+1)
		}
		all[name] = true
	}
	return all
}
