package leftover

// handoff.go: the notes that upstream's pause-work leaves for the one who continues, HANDOFF.json and .continue-here.md
// (gsd-core, workflows/pause-work.md), later also one for each role and session (gsd-core #4845). Models write them, so nothing is required.

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/text"
)

// maxStep is how many bytes of the next step are read; real ones have less than 2,000.
const maxStep = 8 << 10

// handOff is what a hand-off note says. Its texts are one line each, and empty if the note does not have them.
type handOff struct {
	Phase, Plan, Task string    // where the work stopped, in the note's own words: 12.5, 12.5-blueprint, UAT (05-05)
	Dir               string    // the directory of the phase, relative to the project
	Role              string    // for whom, where several sessions share a project
	Next              string    // what to do next
	Written           time.Time // when, by its own account; zero if it does not say
}

// readHandOff parses a hand-off note: HANDOFF.json if it is JSON, else .continue-here.md.
func readHandOff(src []byte) handOff {
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte{'{'}) {
		return readHandOffJSON(src)
	}
	front := frontmatter.Texts(src)
	h := handOff{Phase: front["phase"], Plan: front["plan"], Task: front["task"], Written: parseTime(front["lastupdated"])}
	for _, text := range []*string{&h.Phase, &h.Plan, &h.Task} {
		if *text == "null" { // as in twentythree-cli, where a note is about no phase
			*text = ""
		}
	}
	_, body, _ := markdown.CutFrontMatter(src)
	if _, after, ok := bytes.Cut(body, []byte("<next_action>")); ok {
		step, _, _ := bytes.Cut(after, []byte("</next_action>"))
		h.Next = text.OneLine(string(step[:min(len(step), maxStep)]))
	}
	return h
}

func readHandOffJSON(src []byte) handOff {
	var note map[string]json.RawMessage
	if json.Unmarshal(src, &note) != nil {
		return handOff{}
	}
	value := func(key string) string { // a number or a string; others say nothing on one line
		raw := note[key]
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return text.OneLine(s)
		}
		var n json.Number
		if json.Unmarshal(raw, &n) == nil {
			return text.OneLine(n.String())
		}
		return ""
	}
	return handOff{
		Phase: value("phase"), Plan: value("plan"), Task: value("task"), Dir: value("phase_dir"), Role: value("role"), Next: value("next_action"),
		Written: parseTime(value("timestamp")),
	}
}

// isHandOffJSON reports whether a file of that name in .planning is a hand-off note: HANDOFF.json or, where several sessions share a
// project, one with a key (gsd-core #4845).
func isHandOffJSON(name string) bool {
	key, ok := strings.CutPrefix(name, "HANDOFF.")
	return ok && (key == "json" || strings.HasSuffix(key, ".json"))
}

// keyOf returns for which role the name of a note says that it is, and the session that took it up; "" for none. The forms are
// HANDOFF.latest.ROLE.json, HANDOFF.claimed.ROLE.SESSION.json and, for the session that wrote it, HANDOFF.SESSION.json; those of
// .continue-here are alike.
func keyOf(name string) (role, claimed string) {
	name = strings.TrimSuffix(name, path.Ext(name))
	_, key, _ := strings.Cut(strings.TrimPrefix(name, "."), ".")
	switch kind, rest, _ := strings.Cut(key, "."); kind {
	case "latest":
		return rest, ""
	case "claimed":
		role, claimed, _ = strings.Cut(rest, ".")
	}
	return role, claimed
}

func parseTime(s string) time.Time {
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t
		}
	}
	return time.Time{}
}
