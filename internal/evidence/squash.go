package evidence

// squash.go: what a squashed commit was made of, from its message.

import (
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// squashLine is one of the commits that a squashed one was made of.
type squashLine struct {
	id, subject string
	takes       []string
}

// squashedBy is what `git merge --squash` writes before the commits, the newest first, each as git log shows it.
const squashedBy = "Squashed commit of the following:"

// squashed returns the commits that a squashed commit was made of, the newest first: those of git's own message, or those
// that GitHub lists, `* feat(03-01): …`, if at least two have a scope. nil for any other commit.
func squashed(subject, body string) []squashLine {
	if _, list, ok := strings.Cut("\n"+subject+"\n"+body, "\n"+squashedBy); ok {
		return gitSquash(list)
	}
	if !strings.Contains(body, "(") {
		return nil
	}
	var lines []squashLine
	scoped := 0
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		text, ok := strings.CutPrefix(line, "* ")
		if !ok {
			text, ok = strings.CutPrefix(line, "- ")
		}
		if !ok {
			continue
		}
		switch s := planref.ParseSubject(text); {
		case s.Scoped:
			scoped++
			fallthrough
		case s.Reverts != "":
			lines = append(lines, squashLine{subject: text})
		}
	}
	if scoped < 2 {
		return nil
	}
	slices.Reverse(lines) // GitHub lists the oldest first
	return lines
}

func gitSquash(list string) []squashLine {
	var lines []squashLine
	for line := range strings.Lines(list) {
		line = strings.TrimRight(line, " \t\r\n")
		if id, ok := strings.CutPrefix(line, "commit "); ok {
			lines = append(lines, squashLine{id: id})
			continue
		}
		text, ok := strings.CutPrefix(line, "    ")
		if !ok || len(lines) == 0 {
			continue
		}
		of := &lines[len(lines)-1]
		if of.subject == "" {
			of.subject = text
		}
		of.takes = append(of.takes, revertedHashes(text)...)
	}
	return slices.DeleteFunc(lines, func(l squashLine) bool { return l.subject == "" })
}

// lines returns what the lines of a squashed commit say about the plan. A revert among them takes one of them back.
func (p *plan) lines(c *Commit, lines []squashLine, passed *Passed) (items []item) {
	own := false
	for _, line := range lines {
		s := planref.ParseSubject(line.subject)
		it := p.item(c, s, line.subject, line.id, line.takes)
		if !it.reverts() {
			if s.Writes() && s.Closes() || !p.owns(&it, passed) {
				continue
			}
			own = true
			it.commit.Reason += "lists what was squashed into it; "
		}
		items = append(items, it)
	}
	if own && !p.isWork(c, planref.Subject{Type: "feat"}, passed) {
		return nil
	}
	return items
}
