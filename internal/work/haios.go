package work

// haios.go: work items of HAIOS, docs/work/*/*/WORK.md, that were begun but not finished. HAIOS looked for
// `exited: null` anywhere and found 342 of 343 items, most of them closed or never begun. So three conditions must
// hold: an entry of node_history is open, the item is not finished, and it has begun.

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// Item is a work item of HAIOS that was begun but not finished. Its texts are one line each, without control characters, and
// empty if the file does not have them.
type Item struct {
	ID   string
	Node string // the last open node, or the phase if that node is only a queue
}

// ReadWork parses a WORK.md. It returns false unless the item was certainly begun but not finished, and so for a file
// whose front matter is not closed. Of two keys with the same name the last counts, as in HAIOS's parser.
func ReadWork(src []byte) (Item, bool) {
	front, _, closed := planfile.CutFrontMatter(src)
	if !closed {
		return Item{}, false
	}
	var w Item
	var status, phase string
	lines := bytes.Split(front, []byte{'\n'})
	for i, line := range lines {
		key, value, _ := strings.Cut(string(line), ":")
		switch key {
		case "id":
			w.ID = roadmap.OneLine(workScalar(value))
		case "status":
			status = workScalar(value)
		case "cycle_phase":
			phase = roadmap.OneLine(workScalar(value))
		case "node_history":
			w.Node = openNode(value, lines[i+1:])
		}
	}
	if begins(workFinished, status) || begins(workFinished, w.Node) || phase != "" && !begins(workPhases, phase) {
		return Item{}, false
	}
	if begins(workQueues, w.Node) {
		// HAIOS's set-cycle changes cycle_phase but leaves the history at `backlog`. Most real items in flight since
		// 2026-02 are like this: only the phase shows that they have begun.
		w.Node = phase
	}
	return w, w.Node != ""
}

// workScalar returns a value on the line of its key, without quotes and comment; it returns "" for null.
func workScalar(value string) string {
	s := strings.Trim(roadmap.CutYAMLComment(value), `"'`)
	if s == "~" || strings.EqualFold(s, "null") {
		return ""
	}
	return s
}

// openNode returns the node of the last entry of a node_history that was not exited, or "". HAIOS writes `exited:
// null`; an entry without the key or with an empty value was not exited either.
func openNode(first string, rest [][]byte) (open string) {
	if workScalar(first) != "" {
		return ""
	}
	var node, exited string
	end := func() {
		if node != "" && exited == "" {
			open = node
		}
		node, exited = "", ""
	}
	for _, line := range rest {
		if len(line) > 0 && strings.IndexByte(" \t\r-#", line[0]) < 0 {
			break
		}
		text, isItem := strings.CutPrefix(strings.TrimLeft(string(line), " \t"), "- ")
		if isItem {
			end()
		}
		switch key, value, _ := strings.Cut(strings.TrimLeft(text, " "), ":"); key {
		case "node":
			node = roadmap.OneLine(workScalar(value))
		case "exited":
			exited = workScalar(value)
		}
	}
	end()
	return open
}

// The words of work items, in lower case. A status may be followed by a remark: `complete (session 212)`.
var (
	// workFinished are HAIOS's own terminal statuses and others in real items, which are also names of final nodes.
	workFinished = []string{"complete", "completed", "done", "closed", "archived", "dismissed", "invalid", "deferred", "wontfix"}
	// workQueues are the nodes and phases of an item before it begins.
	workQueues = []string{"backlog", "ready", "parked"}
	// workPhases are the phases in which an item is worked on: HAIOS's own list (governance_events.py, WORK-251), but
	// in any case, because HAIOS requires capitals and so misses its own `cycle_phase: plan`.
	workPhases = []string{"plan", "do", "check", "done", "chain"}
)

// begins reports whether the first word of a text is one of the words, in any case.
func begins(words []string, text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return slices.Contains(words, strings.ToLower(strings.TrimRight(word, ",;:.")))
}
