package gitlog

// commit.go: parsing commits. go-git's plumbing/object would link openpgp, which costs time at every program start.

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// parseCommit parses a commit object. Unknown headers and the continuation lines of long ones (gpgsig, mergetag), which
// begin with a space, are ignored.
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

// cutHash parses a line "header <40 digits>".
func cutHash(data []byte, header string) (h plumbing.Hash, rest []byte, err error) {
	line, rest, found := bytes.Cut(data, []byte("\n"))
	digits, ok := bytes.CutPrefix(line, []byte(header))
	if !found || !ok || !parseHash(digits, &h) {
		return h, nil, fmt.Errorf("%w: no line %q", errCorrupt, strings.TrimSpace(header))
	}
	return h, rest, nil
}

// parseHash parses the 40 digits of an object name. All zeros are not a name.
func parseHash(digits []byte, h *plumbing.Hash) bool {
	if len(digits) != hex.EncodedLen(len(h)) {
		return false
	}
	_, err := hex.Decode(h[:], digits)
	return err == nil && !h.IsZero()
}

// parseWhen parses the time in a line "name <address> seconds zone". It returns the epoch, as git does, for anything
// that is not a time, and for years of more than four digits.
func parseWhen(line []byte) time.Time {
	const end = 253402214399 // a day before the end of the year 9999 in UTC, because some zones are ahead
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

// Body returns the commit message after the subject, like git's %b, trimmed and as valid UTF-8. A message of more than
// 16 KiB is cut off. The body is read from the repository at each call, to keep commits small; it is empty if that
// fails.
func (c *Commit) Body() string {
	o, err := c.repo.objects.getKind(c.id, plumbing.CommitObject)
	if err != nil {
		return ""
	}
	_, message, _ := bytes.Cut(o.data, []byte("\n\n"))
	_, body := splitMessage(message)
	return strings.TrimSpace(text(body))
}

// maxMessage is the number of bytes of a commit message that are read. A squash of a whole plan has a few KiB.
const maxMessage = 16 << 10

// splitMessage splits a message into its subject and the rest. As in git, a message ends at a zero byte, and the
// subject (%s) is the first paragraph, its lines trimmed at the end and joined by spaces.
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

// text returns b as valid UTF-8; it may be in another encoding.
func text(b []byte) string {
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
