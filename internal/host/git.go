package host

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Git is what gsd install git names: not a host, but it is installed, checked and removed in the same way. gsd becomes the
// merge driver of STATE.md and ROADMAP.md: lines in .gitattributes, which belong in git, say for which files, and a section in
// the repository's own configuration says how. Where that section is missing, git merges as it does without a driver.
const Git = "git"

// gitFiles are the patterns of the files with a merge driver, in every root of a project.
var gitFiles = []string{".planning/**/STATE.md", ".planning/**/ROADMAP.md"}

// gitSection begins the section of the driver in git's configuration.
const gitSection = `[merge "gsd"]`

// gitConfig is that section. git takes a driver that fails for a conflict and leaves our version of the file without markers, so
// the command runs git's own merge if gsd is missing or fails. gsd ends with 0 without and with 1 with conflicts.
func gitConfig(bin string) string {
	command := bin + ` state merge %O %A %B %P %L %S %X %Y; case $? in 0) ;; 1) exit 1;; *) ` +
		`git merge-file --marker-size=%L %A %O %B;; esac`
	command = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(command)
	return gitSection + "\n\tname = gsd: progress in STATE.md and ROADMAP.md\n\tdriver = \"" + command + "\"\n"
}

// planGit plans the installation of the merge driver, or its removal.
func planGit(w Where, removal bool) (*Plan, error) {
	usage := func(text, hint string) (*Plan, error) { return nil, &Error{Kind: Usage, Text: text, Hint: hint} }
	switch {
	case w.Scope != Project:
		return usage("git has no scope "+string(w.Scope), "--scope project")
	case w.Project == "":
		return usage("not in a project", "run it in one, or name one with -C DIR")
	case w.GitDir == "":
		return usage("the project is not in a git repository", "git init")
	}
	p := &Plan{Where: w}
	attributes := Change{Path: filepath.Join(w.Project, ".gitattributes"), dir: w.Project, name: ".gitattributes"}
	config := Change{Path: filepath.Join(w.GitDir, "config"), dir: w.GitDir, name: "config"}
	for _, c := range []*Change{&attributes, &config} {
		if err := c.read(); err != nil {
			return nil, w.failed("read", c.Path, err)
		}
	}
	wanted := gitConfig(program)
	if w.Program != "" {
		wanted = gitConfig(w.Program)
	}
	withLines, lines := withAttributes(attributes.Before)
	section := findSection(config.Before)
	if w.Program == "" && section.ours != nil { // as it calls us now
		wanted = string(unix(section.ours))
	}
	there := section.ours != nil || section.foreign
	switch {
	case lines == 0 && !there:
		p.State = Absent
	case lines < len(gitFiles) || !there:
		p.State = Partly
	case section.foreign || strings.TrimSuffix(string(unix(section.ours)), "\n") != strings.TrimSuffix(wanted, "\n"):
		p.State = Outdated
	default:
		p.State = Complete
	}
	if section.foreign {
		p.note("%s has another %s", w.show(config.Path), gitSection)
	}
	if removal {
		attributes.After, config.After = cutLines(attributes.Before, pairIn(attributes.Before)), config.Before
		if _, left := withAttributes(attributes.After); left > 0 {
			p.Kept = true
			p.note("%s has lines with merge=gsd that are not as gsd writes them, and are left alone", w.show(attributes.Path))
		}
		switch {
		case section.more:
			p.note("%s has more in %s than gsd wrote, so the section is left alone; git config --remove-section merge.gsd removes it",
				w.show(config.Path), gitSection)
		case section.ours != nil:
			config.After = cutLines(config.Before, section.ours)
		}
		p.Kept = p.Kept || section.more || section.foreign
		p.add(attributes)
		p.add(config)
		return p, nil
	}
	if section.foreign {
		p.refused = &Error{
			Kind: Refused, Text: config.Path + " has another " + gitSection,
			Hint: "if you don't need it: git config --remove-section merge.gsd; nothing was changed",
		}
		return p, nil
	}
	attributes.After = withLines
	if section.ours == nil {
		config.After = appendBlock(config.Before, wanted)
	} else {
		config.After = replaceLines(config.Before, section.ours, wanted)
	}
	p.add(attributes)
	p.add(config)
	return p, nil
}

// withAttributes adds our lines to a .gitattributes, unless both are there, and counts those that are. They are always added
// together: that tells them from a line of the user's own.
func withAttributes(text []byte) (with []byte, there int) {
	var lines strings.Builder
	for _, file := range gitFiles {
		if hasAttribute(text, file) {
			there++
		}
		lines.WriteString(file + " merge=gsd\n")
	}
	if there == len(gitFiles) {
		return text, there
	}
	return appendBlock(text, lines.String()), there
}

// hasAttribute reports whether a .gitattributes sets our driver for a pattern, in a line of its own.
func hasAttribute(text []byte, pattern string) bool {
	for line := range bytes.Lines(text) {
		if isDriverLine(line, pattern) {
			return true
		}
	}
	return false
}

func isDriverLine(line []byte, pattern string) bool {
	return string(bytes.TrimRight(line, "\r\n")) == pattern+" merge=gsd"
}

// pairIn returns the last place in a .gitattributes where our lines are, one after the other; nil if there is none.
func pairIn(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	end := len(text)
	for i := len(lines) - 1; i > 0; i-- {
		start := end - len(lines[i]) - len(lines[i-1])
		if isDriverLine(lines[i-1], gitFiles[0]) && isDriverLine(lines[i], gitFiles[1]) {
			return text[start:end:end]
		}
		end -= len(lines[i])
	}
	return nil
}

// appendBlock adds lines at the end of a file, with its line ends. If the file has no line end at its end, neither has the
// result, so that cutLines restores it; an empty file has none.
func appendBlock(text []byte, block string) []byte {
	end := lineEnd(text)
	block = strings.ReplaceAll(block, "\n", end)
	if text != nil && !bytes.HasSuffix(text, []byte("\n")) {
		block = end + strings.TrimSuffix(block, end)
	}
	return append(bytes.Clone(text), block...)
}

// cutLines removes lines that appendBlock added, which are a part of text. It returns nil if the file was created for them.
func cutLines(text, lines []byte) []byte {
	if len(lines) == 0 {
		return text
	}
	at := offset(text, lines)
	before, after := bytes.Clone(text[:at]), text[at+len(lines):]
	if bytes.HasSuffix(lines, []byte("\n")) {
		if len(before)+len(after) == 0 {
			return nil
		}
		return append(before, after...)
	}
	return append([]byte{}, bytes.TrimSuffix(before, []byte(lineEnd(lines)))...) // which appendBlock put before them
}

// replaceLines writes others in place of lines, which are a part of text, with the same line ends.
func replaceLines(text, lines []byte, block string) []byte {
	at, end := offset(text, lines), lineEnd(lines)
	block = strings.ReplaceAll(block, "\n", end)
	if !bytes.HasSuffix(lines, []byte("\n")) {
		block = strings.TrimSuffix(block, end)
	} else if !strings.HasSuffix(block, end) {
		block += end
	}
	return slices.Concat(text[:at], []byte(block), text[at+len(lines):])
}

// offset returns where whole lines of a text begin, the last time that they are there.
func offset(text, lines []byte) int {
	at := bytes.LastIndex(text, lines)
	for at > 0 && text[at-1] != '\n' {
		at = bytes.LastIndex(text[:at+len(lines)-1], lines)
	}
	return at
}

func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// gitDriver is what a configuration says about our driver.
type gitDriver struct {
	ours    []byte // the lines of our section, up to the last key that we wrote
	more    bool   // somebody added other keys to it
	foreign bool   // another section, or another key of ours, which git would use instead
}

// gitHeader finds the header of a section for our driver, in any spelling; a comment or a key may come after it.
var gitHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\x{feff})?\s*\[\s*(?i:merge\s+"(?-i:gsd)"|merge\.gsd)\s*\]`)
})

// findSection looks for sections of our driver in a configuration.
func findSection(config []byte) (d gitDriver) {
	lines := bytes.SplitAfter(config, []byte("\n"))
	inOurs := false
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(string(lines[i]))
		switch {
		case gitHeader().Match(lines[i]):
			three := bytes.Join(lines[i:min(i+3, len(lines))], nil)
			if inOurs = d.ours == nil && isOurDriver(string(three)); inOurs {
				d.ours = three
				i += 2
			} else {
				d.foreign = true
			}
		case strings.HasPrefix(line, "["):
			inOurs = false
		case !inOurs || line == "" || line[0] == '#' || line[0] == ';':
		default:
			d.more = true
			key, _, _ := strings.Cut(line, "=")
			d.foreign = d.foreign || strings.EqualFold(strings.TrimSpace(key), "driver")
		}
	}
	return d
}

// isOurDriver reports whether a section is as some version of gsd wrote it.
func isOurDriver(section string) bool {
	lines := strings.Split(strings.ReplaceAll(section, "\r\n", "\n"), "\n")
	if len(lines) != 3 && len(lines) != 4 || strings.TrimSpace(lines[0]) != gitSection {
		return false
	}
	_, command, ok := strings.Cut(lines[2], "driver = \"")
	bin, _, found := strings.Cut(command, " state merge %O ")
	name := path.Base(strings.Trim(strings.NewReplacer(`\\`, `/`, `\"`, `"`).Replace(bin), `"'`))
	return ok && found && strings.HasPrefix(strings.TrimSpace(lines[1]), "name = gsd") && strings.TrimSuffix(name, ".exe") == program
}
