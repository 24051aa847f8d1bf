package gitlog

// commit.go: the bytes of commits and tags. go-git's plumbing/object reads them too, and links openpgp for
// it, which every start of the program would pay.

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// parseCommit reads what a Commit needs. Headers it does not know, and the further lines of long ones
// (gpgsig, mergetag: they begin with a space), are passed over.
func parseCommit(data []byte) (*Commit, error) {
	c := &Commit{root: &rootTree{}}
	rest, err := cutHash(data, "tree ", &c.root.tree)
	if err != nil {
		return nil, err
	}
	for n := 0; bytes.HasPrefix(rest, []byte("parent ")); n++ {
		var parent plumbing.Hash
		if rest, err = cutHash(rest, "parent ", &parent); err != nil {
			return nil, err
		}
		if n == 0 {
			c.parent = parent
		} else {
			c.merged = append(c.merged, parent)
		}
	}
	c.When = time.Unix(0, 0).UTC() // git's answer for a line that it cannot read
	for len(rest) > 0 && rest[0] != '\n' {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if committer, ok := bytes.CutPrefix(line, []byte("committer ")); ok {
			c.When = parseWhen(committer)
		}
	}
	c.Subject, _ = splitMessage(cutMessage(rest))
	return c, nil
}

// maxMessage is how much of a commit's message is read, in bytes. A squash of a whole plan has some KiB.
const maxMessage = 16 << 10

// cutMessage leaves of a message what is read. For git it ends at a zero byte.
func cutMessage(message []byte) []byte {
	message, _, _ = bytes.Cut(message[:min(len(message), maxMessage)], []byte{0})
	return message
}

// parseTag gives what a tag points to.
func parseTag(data []byte) (plumbing.Hash, error) {
	var to plumbing.Hash
	_, err := cutHash(data, "object ", &to)
	return to, err
}

// cutHash reads one line "header <40 digits>" into h.
func cutHash(data []byte, header string, h *plumbing.Hash) (rest []byte, err error) {
	line, rest, found := bytes.Cut(data, []byte("\n"))
	hex, ok := bytes.CutPrefix(line, []byte(header))
	if !found || !ok || !parseHash(string(hex), h) || h.IsZero() {
		return nil, fmt.Errorf("%w: no line %q", errCorrupt, strings.TrimSpace(header))
	}
	return rest, nil
}

// parseHash reads the 40 digits of an object's name.
func parseHash(hex string, h *plumbing.Hash) bool {
	if len(hex) != 2*len(h) {
		return false
	}
	for i := range h {
		hi, ok := digit(hex[2*i])
		lo, ok2 := digit(hex[2*i+1])
		if !ok || !ok2 {
			return false
		}
		h[i] = hi<<4 | lo
	}
	return true
}

func digit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// parseWhen reads the end of a line "name <address> seconds zone". The epoch, as in git, for anything
// that is no time, and for one that a four-digit year cannot show.
func parseWhen(line []byte) time.Time {
	const end = 253402300799 // of the year 9999
	fields := strings.Fields(string(line[bytes.LastIndexByte(line, '>')+1:]))
	if len(fields) == 0 {
		return time.Unix(0, 0).UTC()
	}
	sec, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil || sec < 0 || sec > end {
		return time.Unix(0, 0).UTC()
	}
	when := time.Unix(sec, 0).UTC()
	if len(fields) < 2 || len(fields[1]) != 5 {
		return when
	}
	zone, err := strconv.Atoi(fields[1])
	if err != nil || zone == 0 || fields[1][0] != '+' && fields[1][0] != '-' {
		return when
	}
	offset := (zone/100*60 + zone%100) * 60
	if offset <= -24*60*60 || offset >= 24*60*60 {
		return when
	}
	return when.In(time.FixedZone("", offset))
}

// Body is what follows the subject in the commit's message, like git's %b: valid UTF-8, without the blanks around it.
// Of a message of more than 16 KiB the end is missing. It is read again each time, so that commits are small; empty where
// that is no longer possible.
func (c *Commit) Body() string {
	o, err := c.repo.objects.getKind(c.id, plumbing.CommitObject)
	if err != nil {
		return ""
	}
	_, message, _ := bytes.Cut(o.data, []byte("\n\n"))
	_, body := splitMessage(cutMessage(message))
	return strings.TrimSpace(text(body))
}

// splitMessage gives the subject of a message, and what follows it. The subject is git's %s: the lines up to the first
// blank one behind the blank ones at the start, without the blanks at their ends, joined by one each.
func splitMessage(message []byte) (first string, rest []byte) {
	var parts []string
	for len(message) > 0 {
		var line []byte
		line, message, _ = bytes.Cut(message, []byte("\n"))
		line = bytes.TrimRight(line, " \t\r\n")
		if len(line) > 0 {
			parts = append(parts, text(line))
		} else if parts != nil {
			break
		}
	}
	return strings.Join(parts, " "), message
}

// text makes valid UTF-8 of what may be in another encoding.
func text(b []byte) string {
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
