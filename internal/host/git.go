package host

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"
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
	withLines, missingLines := withAttributes(attributes.Before)
	section := sectionOf(config.Before)
	if w.Program == "" && isOurDriver(section) { // as it calls us now
		wanted = section
	}
	switch {
	case missingLines == len(gitFiles) && section == "":
		p.State = Absent
	case missingLines > 0 || section == "":
		p.State = Partly
	case section != wanted:
		p.State = Outdated
	default:
		p.State = Complete
	}
	if section != "" && !isOurDriver(section) {
		p.note("%s has another %s", w.show(config.Path), gitSection)
	}
	if removal {
		attributes.After = withoutAttributes(attributes.Before)
		config.After = config.Before
		if isOurDriver(section) {
			config.After = cutBlock(config.Before, section)
		}
	} else {
		attributes.After = withLines
		if section == "" {
			config.After = appendBlock(config.Before, wanted)
		} else {
			config.After = bytes.Replace(config.Before, []byte(section), []byte(wanted), 1)
		}
	}
	p.add(attributes)
	p.add(config)
	return p, nil
}

// withAttributes adds the lines that are missing to a .gitattributes, and counts them.
func withAttributes(text []byte) (with []byte, missing int) {
	var lines strings.Builder
	for _, file := range gitFiles {
		if !hasAttribute(text, file) {
			missing++
			lines.WriteString(file + " merge=gsd\n")
		}
	}
	if missing == 0 {
		return text, 0
	}
	return appendBlock(text, lines.String()), missing
}

// hasAttribute reports whether a .gitattributes sets our driver for a pattern, in a line of its own.
func hasAttribute(text []byte, pattern string) bool {
	for line := range bytes.Lines(text) {
		if string(bytes.TrimRight(line, "\r\n")) == pattern+" merge=gsd" {
			return true
		}
	}
	return false
}

// withoutAttributes removes our lines. It returns nil if nothing is left.
func withoutAttributes(text []byte) []byte {
	for _, file := range gitFiles {
		if hasAttribute(text, file) {
			text = cutBlock(text, file+" merge=gsd\n")
		}
	}
	if len(text) == 0 {
		return nil
	}
	return text
}

// appendBlock adds lines at the end of a file, with its line ends. If the file has no line end at its end, neither has the
// result, so that cutBlock restores it.
func appendBlock(text []byte, block string) []byte {
	end := lineEnd(text)
	block = strings.ReplaceAll(block, "\n", end)
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		block = end + strings.TrimSuffix(block, end)
	}
	return append(bytes.Clone(text), block...)
}

// cutBlock removes lines that appendBlock added.
func cutBlock(text []byte, block string) []byte {
	end := lineEnd(text)
	if !strings.Contains(block, "\r\n") {
		block = strings.ReplaceAll(block, "\n", end)
	}
	if before, after, found := bytes.Cut(text, []byte(block)); found {
		return append(bytes.Clone(before), after...)
	}
	before, _ := bytes.CutSuffix(text, []byte(strings.TrimSuffix(block, end)))
	return bytes.TrimSuffix(bytes.Clone(before), []byte(end))
}

func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// sectionOf returns our section in a configuration, as it is there, up to the next one; empty if there is none.
func sectionOf(config []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(config) {
		trimmed := strings.TrimSpace(string(line))
		switch {
		case b.Len() == 0 && trimmed != gitSection:
			continue
		case b.Len() > 0 && strings.HasPrefix(trimmed, "["):
			return b.String()
		}
		b.Write(line)
	}
	return b.String()
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
