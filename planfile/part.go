package planfile

// part.go: what a plan says before its tasks, of the plan as a whole.

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// maxPreface is how many bytes of it are read. The longest objective of 1,576 real ones has 7,081.
const maxPreface = 64 << 10

// A Preface is what a plan says before its first task, in lines, without examples in fenced code and comments.
type Preface []string

// Preface returns what a plan says before its first task, at most that far.
func (f *File) Preface() (lines Preface) {
	end := len(f.src)
	if len(f.Tasks) > 0 {
		end = int(f.Tasks[0].tag.from)
	}
	_, preface, _ := markdown.CutFrontMatter(f.src[f.body:max(f.body, min(end, f.body+maxPreface))])
	for _, line := range markdown.Visible(string(preface)) {
		lines = append(lines, line)
	}
	return lines
}

// Part returns the text of the first element of a name, such as objective or context, that begins a line, or of the section of a heading of
// that name, as one plan in fifteen has. It is "" if there is none, or the element has no end.
func (p Preface) Part(name string) string {
	if text, ok := element(p, name); ok {
		return text
	}
	return section(p, name)
}

// element returns the text of the first element of a name that begins a line; false if there is none.
func element(lines []string, name string) (text string, ok bool) {
	closing := "</" + name + ">"
	for i, line := range lines {
		rest, begins := strings.CutPrefix(strings.TrimSpace(line), "<"+name)
		_, inner, isTag := strings.Cut(rest, ">")
		if !begins || !isTag || rest[0] != '>' && rest[0] != ' ' {
			continue
		}
		text, _, closed := strings.Cut(strings.Join(append([]string{inner}, lines[i+1:]...), "\n"), closing)
		if !closed {
			return "", true
		}
		return strings.TrimSpace(text), true
	}
	return "", false
}

// section returns the text below the first heading of a name, up to the next heading.
func section(lines []string, name string) string {
	isHeading := func(line string) bool {
		text := strings.TrimLeft(line, "#")
		return text != line && strings.HasPrefix(text, " ")
	}
	for i, line := range lines {
		if !isHeading(line) || !strings.EqualFold(strings.Trim(line, "#: \t"), name) {
			continue
		}
		var text []string
		for _, line := range lines[i+1:] {
			if isHeading(line) {
				break
			}
			text = append(text, line)
		}
		return strings.TrimSpace(strings.Join(text, "\n"))
	}
	return ""
}

// References returns the files that a plan tells its reader to read first: the lines of its context that begin with @, as @src/main.go
// does. What follows the name on its line is left out.
func (p Preface) References() (files []string) {
	seen := map[string]bool{}
	for line := range strings.SplitSeq(p.Part("context"), "\n") {
		line = strings.TrimLeft(line, "-* \t`")
		name, is := strings.CutPrefix(line, "@")
		if end := strings.IndexAny(name, " \t`,;"); end >= 0 {
			name = name[:end]
		}
		if is && name != "" && !seen[name] {
			seen[name] = true
			files = append(files, name)
		}
	}
	return files
}
