package gitlog

// commit.go: the bytes of commits. go-git's plumbing/object reads them too, and links openpgp for
// it, which every start of the program would pay.

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// parseCommit reads what a Commit needs. Headers it does not know, and the further lines of long ones
// (gpgsig, mergetag: they begin with a space), are passed over.
func parseCommit(data []byte) (*Commit, error) {
	c := &Commit{}
	headers, message, _ := bytes.Cut(data, []byte("\n\n"))
	c.Subject, _ = splitMessage(message)
	var err error
	c.tree, headers, err = cutHash(headers, "tree ")
	for err == nil && bytes.HasPrefix(headers, []byte("parent ")) {
		var parent plumbing.Hash
		parent, headers, err = cutHash(headers, "parent ")
		c.parents = append(c.parents, parent)
	}
	if err != nil {
		return nil, err
	}
	var committer []byte
	for line := range bytes.SplitSeq(headers, []byte("\n")) {
		if value, ok := bytes.CutPrefix(line, []byte("committer ")); ok {
			committer = value
		}
	}
	c.When = parseWhen(committer)
	return c, nil
}

// cutHash reads a line "header <40 digits>".
func cutHash(data []byte, header string) (h plumbing.Hash, rest []byte, err error) {
	line, rest, found := bytes.Cut(data, []byte("\n"))
	digits, ok := bytes.CutPrefix(line, []byte(header))
	if !found || !ok || !parseHash(digits, &h) {
		return h, nil, fmt.Errorf("%w: no line %q", errCorrupt, strings.TrimSpace(header))
	}
	return h, rest, nil
}

// parseHash reads the 40 digits of an object's name. All zeros name none.
func parseHash(digits []byte, h *plumbing.Hash) bool {
	if len(digits) != hex.EncodedLen(len(h)) {
		return false
	}
	_, err := hex.Decode(h[:], digits)
	return err == nil && !h.IsZero()
}

// parseWhen reads the end of a line "name <address> seconds zone". The epoch, as in git, for anything
// that is no time, and for one that a four-digit year cannot show.
func parseWhen(line []byte) time.Time {
	const end = 253402214399 // a day before that of the year 9999, which is later in some zones
	seconds, zone, _ := strings.Cut(strings.TrimSpace(string(line[bytes.LastIndexByte(line, '>')+1:])), " ")
	sec, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || sec < 0 || sec > end {
		return time.Unix(0, 0).UTC()
	}
	when := time.Unix(sec, 0).UTC()
	hours, err := strconv.Atoi(zone) // and minutes
	offset := (hours/100*60 + hours%100) * 60
	if err != nil || len(zone) != len("+0000") || offset == 0 || max(offset, -offset) >= 24*60*60 {
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
	_, body := splitMessage(message)
	return strings.TrimSpace(text(body))
}

// maxMessage is how much of a commit's message is read, in bytes. A squash of a whole plan has some KiB.
const maxMessage = 16 << 10

// splitMessage divides a message into its subject and the rest. As in git, a message ends at a zero byte, and the subject is
// %s: the first paragraph, without the blanks at the ends of its lines, joined by spaces.
func splitMessage(message []byte) (first string, rest []byte) {
	message, _, _ = bytes.Cut(message[:min(len(message), maxMessage)], []byte{0})
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
