package evidence

// squash.go: the commits that a squashed commit was made of, as listed in its message.

import (
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// squashLine is one of the commits that a squashed commit was made of.
type squashLine struct {
	id, subject string
	reverts     []string
}

// squashHeader is the line that `git merge --squash` writes before the commits, which it lists as git log does, newest
// first.
const squashHeader = "Squashed commit of the following:"

// squashed returns the commits that a squashed commit was made of, newest first: those of git's own message, or those
// of a list such as GitHub's, `* feat(03-01): …`, if at least two name a plan in their scopes. It returns nil for any
// other commit.
func squashed(subject, body string, named planref.Named) []squashLine {
	if _, list, ok := strings.Cut("\n"+subject+"\n"+body, "\n"+squashHeader); ok {
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
		switch s := planref.ParseSubject(text, named); {
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
	slices.Reverse(lines) // GitHub lists the oldest commit first
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
		last := &lines[len(lines)-1]
		if last.subject == "" {
			last.subject = text
		}
		last.reverts = append(last.reverts, revertedHashes(text)...)
	}
	return slices.DeleteFunc(lines, func(l squashLine) bool { return l.subject == "" })
}

// lines returns the items of a squashed commit for the plan. A revert among them applies to them.
func (p *plan) lines(c *Commit, lines []squashLine, excluded *Excluded) (items []item) {
	own := false
	for _, line := range lines {
		s := planref.ParseSubject(line.subject, p.Named)
		it := p.item(c, s, line.subject, line.id, line.reverts)
		if !it.isRevert() {
			if s.IsBookkeeping() && s.Closes() || !p.owns(&it, excluded) {
				continue
			}
			own = true
			it.commit.Reason += "lists what was squashed into it; "
		}
		items = append(items, it)
	}
	if own && !p.isWork(c, excluded) {
		return nil
	}
	return items
}
