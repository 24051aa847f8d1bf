package evidence

// squash.go: what a squashed commit was made of, from its message. Each of its lines counts as a commit of its own,
// and a line that reverts another takes that one back.

import (
	"slices"
	"strings"
)

// squashLine is one of the commits that a squashed one was made of.
type squashLine struct {
	id, subject string
	takesIDs    []string
}

// squashLines lists the commits that a squashed commit was made of, the newest first: those that GitHub lists,
// `* feat(03-01): …`, if at least two have a plan's scope, or one of several where the commit itself has none; or those of
// git's own message. nil for any other commit.
func squashLines(c *Work) []squashLine {
	if c.Subject == squashedBy || strings.HasPrefix(c.Body, squashedBy) || strings.Contains(c.Body, "\n"+squashedBy) {
		return gitSquash(c.Body)
	}
	if !strings.Contains(c.Body, "(") && !strings.Contains(c.Body, "[") {
		return nil
	}
	var lines []squashLine
	scoped, listed := 0, 0
	for line := range strings.Lines(c.Body) {
		line = strings.TrimSpace(line)
		text, ok := strings.CutPrefix(line, "* ")
		if !ok {
			text, ok = strings.CutPrefix(line, "- ")
		}
		if !ok {
			continue
		}
		listed++
		s := ParseSubject(text)
		if s.Scoped && s.Reverts == "" {
			scoped++
		}
		if s.Scoped || s.Reverts != "" {
			lines = append(lines, squashLine{subject: text})
		}
	}
	if scoped < 2 && (scoped == 0 || listed == 1 || ParseSubject(c.Subject).Scoped) {
		return nil
	}
	// GitHub lists the oldest first; the walk has the newest first.
	slices.Reverse(lines)
	return lines
}

// squashedBy is what `git merge --squash` writes before the commits, the newest first, each as git log shows it.
const squashedBy = "Squashed commit of the following:"

func gitSquash(body string) []squashLine {
	var lines []squashLine
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, " \t\r\n")
		if id, ok := strings.CutPrefix(line, "commit "); ok {
			lines = append(lines, squashLine{id: id})
			continue
		}
		said, ok := strings.CutPrefix(line, "    ")
		if !ok || len(lines) == 0 {
			continue
		}
		of := &lines[len(lines)-1]
		if of.subject == "" {
			of.subject = said
		} else if ids := revertedIDs(said); len(ids) > 0 {
			of.takesIDs = append(of.takesIDs, ids...)
		}
	}
	return slices.DeleteFunc(lines, func(l squashLine) bool { return l.subject == "" })
}
