package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// Header is the header of a session file, in this form and order:
//
//	<!-- Session progress for USER -->
//	<!-- Plan: PATH -->
//	<!-- Started: RFC 3339 -->
//	<!-- Plan-Digest: sha256:HEX -->
//	<!-- Roadmap-Phase: N -->
//	<!-- Summary-Digest: sha256:HEX -->
//	<!-- Fresh: true -->
//
// followed by one blank line and the plan. Unknown lines are kept, because a change never touches the header. In a session, a title or
// front matter may stand above it.
//
// The last three lines state what was already so when the session began (docs/design.md, The verdict).
type Header struct {
	User    string
	Plan    string // relative to the project, with slashes
	Started string // as written; StartedAt reads it
	Digest  string // sha256:HEX of the plan's bytes when the session began
	Phase   string // the roadmap's current phase then, in words of its own if there was none; empty in a session of another program
	Summary string // sha256:HEX of the summary that the plan already had then; empty if it had none
	Fresh   bool   // earlier progress on the plan does not count
}

// StartedAt returns the time in the Started line, or false if it is missing or not in RFC 3339.
func (h Header) StartedAt() (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, h.Started)
	return t, err == nil
}

// Check returns an error for a header whose plan has a path that would end its comment or its line.
func (h Header) Check() error {
	if strings.Contains(h.Plan, "-->") || strings.IndexFunc(h.Plan, unicode.IsControl) >= 0 || strings.TrimSpace(h.Plan) != h.Plan {
		return errors.New("has a line break, a control character or --> in it")
	}
	return nil
}

// bytes returns the header with its blank line. Its lines end in a bare line feed whatever the plan uses, because shell
// scripts read them with grep and sed.
func (h Header) bytes() []byte {
	b := fmt.Appendf(nil, "<!-- Session progress for %s -->\n<!-- Plan: %s -->\n<!-- Started: %s -->\n", h.User, h.Plan, h.Started)
	for _, line := range []struct{ key, value string }{
		{"Plan-Digest", h.Digest}, {"Roadmap-Phase", h.Phase}, {"Summary-Digest", h.Summary},
	} {
		if line.value != "" {
			b = fmt.Appendf(b, "<!-- %s: %s -->\n", line.key, line.value)
		}
	}
	if h.Fresh {
		b = append(b, "<!-- "+freshLine+" -->\n"...)
	}
	return append(b, '\n')
}

const freshLine = "Fresh: true"

// parseHeader reads the leading comment lines and returns the offset after them and the blank line that follows. A byte
// order mark and blank lines before them are allowed. The first of two lines with the same key counts, as with grep
// -m1.
func parseHeader(src []byte) (h Header, after int) {
	if bytes.HasPrefix(src, []byte(bom)) {
		after = len(bom)
	}
	at, seen := after, false
	for line := range bytes.Lines(src[at:]) {
		at += len(line)
		line = trimLine(line)
		text, opened := bytes.CutPrefix(line, []byte("<!-- "))
		text, closed := bytes.CutSuffix(text, []byte("-->"))
		switch {
		case opened && closed:
			h.set(strings.TrimSpace(string(text)))
			after, seen = at, true
		case len(line) == 0 && seen:
			return h, at
		case len(line) > 0:
			return h, after
		}
	}
	return h, after
}

// headerBelow finds the header of a session that does not begin with it: the first comment lines with a Plan: line that stand before a
// limit, outside of fenced code. The original shell script, which greps, finds it there too. The front matter above it is still the
// plan's; a title is not.
func headerBelow(src []byte, limit int) (h Header, above span, after int) {
	_, rest, closed := markdown.CutFrontMatter(src)
	if closed {
		above = between(0, len(src)-len(rest))
	}
	var fence markdown.Fence
	for at := int(above.to); at < limit; {
		end := lineEnd(src, at)
		f, isFence := markdown.ParseFence(bytes.TrimLeft(src[at:end], " \t"))
		switch {
		case isFence && fence.Run == 0:
			fence = f
		case isFence && f.Closes(fence):
			fence = markdown.Fence{}
		case fence.Run == 0 && bytes.HasPrefix(src[at:end], []byte("<!-- ")):
			if h, after := parseHeader(src[at:]); h.Plan != "" {
				return h, above, at + after
			}
		}
		at = end
	}
	return Header{}, span{}, 0
}

func (h *Header) set(text string) {
	h.Fresh = h.Fresh || text == freshLine
	for _, field := range []struct {
		key  string
		into *string
	}{
		{"Session progress for ", &h.User},
		{"Plan: ", &h.Plan},
		{"Started: ", &h.Started},
		{"Plan-Digest: ", &h.Digest},
		{"Roadmap-Phase: ", &h.Phase},
		{"Summary-Digest: ", &h.Summary},
	} {
		if value, ok := strings.CutPrefix(text, field.key); ok && *field.into == "" {
			*field.into = strings.TrimSpace(value)
			return
		}
	}
}

// trimLine removes the white space at the end of a line.
func trimLine(line []byte) []byte { return bytes.TrimRight(line, " \t\r\n") }
