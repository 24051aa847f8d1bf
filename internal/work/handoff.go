package work

// handoff.go: the notes that upstream's pause-work leaves for the one who continues, HANDOFF.json and .continue-here.md
// (gsd-core, workflows/pause-work.md). Models write them, so nothing is required.

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// maxStep is how many bytes of the next step are read; real ones have less than 2,000.
const maxStep = 8 << 10

// HandOff is what a hand-off note says. Its texts are one line each, and empty if the note does not have them.
type HandOff struct {
	Phase, Plan, Task string    // where the work stopped, in the note's own words: 12.5, 12.5-blueprint, UAT (05-05)
	Dir               string    // the directory of the phase, relative to the project
	Next              string    // what to do next
	Written           time.Time // when, by its own account; zero if it does not say
}

// ReadHandOff parses a hand-off note: HANDOFF.json if it is JSON, else .continue-here.md.
func ReadHandOff(src []byte) HandOff {
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte{'{'}) {
		return readHandOffJSON(src)
	}
	front := roadmap.MetaTexts(src)
	h := HandOff{Phase: front["phase"], Plan: front["plan"], Task: front["task"], Written: parseTime(front["lastupdated"])}
	for _, text := range []*string{&h.Phase, &h.Plan, &h.Task} {
		if *text == "null" { // as in twentythree-cli, where a note is about no phase
			*text = ""
		}
	}
	_, body, _ := planfile.CutFrontMatter(src)
	if _, after, ok := bytes.Cut(body, []byte("<next_action>")); ok {
		text, _, _ := bytes.Cut(after, []byte("</next_action>"))
		h.Next = roadmap.OneLine(string(text[:min(len(text), maxStep)]))
	}
	return h
}

func readHandOffJSON(src []byte) HandOff {
	var note map[string]json.RawMessage
	if json.Unmarshal(src, &note) != nil {
		return HandOff{}
	}
	text := func(key string) string { // a number or a string; others say nothing on one line
		raw := note[key]
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return roadmap.OneLine(s)
		}
		var n json.Number
		if json.Unmarshal(raw, &n) == nil {
			return roadmap.OneLine(n.String())
		}
		return ""
	}
	return HandOff{
		Phase: text("phase"), Plan: text("plan"), Task: text("task"), Dir: text("phase_dir"), Next: text("next_action"),
		Written: parseTime(text("timestamp")),
	}
}

func parseTime(s string) time.Time {
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t
		}
	}
	return time.Time{}
}
