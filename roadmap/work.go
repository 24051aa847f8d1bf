package roadmap

// work.go: the work items of HAIOS, docs/work/*/*/WORK.md, as far as they began and were not finished (docs/design.md,
// Runs, "Incomplete work"). HAIOS looked for `exited: null` anywhere and found 342 of 343 items, all but a few
// of them closed or never begun. So the front matter is asked three questions: is an entry of node_history open, is the
// item not finished, did it begin.

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
)

// WorkItem is a work item that began and was not finished. Its texts are one line each, without control characters;
// one that the file does not tell is empty.
type WorkItem struct {
	ID   string
	Node string // where it stands: the last open node, or the phase where that node is only a queue
}

// ReadWork reads a WORK.md. It answers false for whatever is not certainly work that began and was not finished, and so
// for a file whose front matter is not closed. Of two keys with the same name the last counts, as HAIOS's parser lets it.
func ReadWork(src []byte) (WorkItem, bool) {
	front, _, closed := planfile.CutFrontMatter(src)
	if !closed {
		return WorkItem{}, false
	}
	var w WorkItem
	var status, phase string
	lines := bytes.Split(front, []byte{'\n'})
	for i, line := range lines {
		key, value, _ := strings.Cut(string(line), ":")
		v := metaValue{first: value, rest: lines[i+1:]}
		switch key {
		case "id":
			w.ID = OneLine(workScalar(value))
		case "status":
			status = workScalar(value)
		case "cycle_phase":
			phase = OneLine(workScalar(value))
		case "node_history":
			w.Node = v.openNode()
		}
	}
	if begins(workFinished, status) || begins(workFinished, w.Node) || phase != "" && !begins(workPhases, phase) {
		return WorkItem{}, false
	}
	if begins(workQueues, w.Node) {
		// HAIOS's set-cycle moves cycle_phase and leaves the history at `backlog`: of the real items in flight
		// since 2026-02 most look so, and only the phase tells that they began.
		w.Node = phase
	}
	return w, w.Node != ""
}

// workScalar is a value on the line of its key, without quotes and comment; null has none.
func workScalar(value string) string {
	s := strings.Trim(cutYAMLComment(value), `"'`)
	if s == "~" || strings.EqualFold(s, "null") {
		return ""
	}
	return s
}

// openNode is the node of the last entry of a node_history that was entered and not left. HAIOS writes
// `exited: null`; an entry without the key, or with an empty text in it, was not left either.
func (v metaValue) openNode() (open string) {
	if workScalar(v.first) != "" {
		return ""
	}
	var node, exited string
	end := func() {
		if node != "" && exited == "" {
			open = node
		}
		node, exited = "", ""
	}
	for _, line := range v.rest {
		if len(line) > 0 && strings.IndexByte(" \t\r-#", line[0]) < 0 {
			break
		}
		text, isItem := strings.CutPrefix(strings.TrimLeft(string(line), " \t"), "- ")
		if isItem {
			end()
		}
		switch key, value, _ := strings.Cut(strings.TrimLeft(text, " "), ":"); key {
		case "node":
			node = OneLine(workScalar(value))
		case "exited":
			exited = workScalar(value)
		}
	}
	end()
	return open
}

// The words of work items, in lower case. A status is followed by a remark at times: `complete (session 212)`.
var (
	// workFinished are HAIOS's own terminal statuses, and what stands in real items too; nodes of that name are where
	// items come to rest.
	workFinished = []string{"complete", "completed", "done", "closed", "archived", "dismissed", "invalid", "deferred", "wontfix"}
	// workQueues are the nodes and phases in which an item stands before it begins.
	workQueues = []string{"backlog", "ready", "parked"}
	// workPhases are those in which an item is worked on: HAIOS's own list (governance_events.py, WORK-251), in any case,
	// because HAIOS's, which wants capitals, misses its own `cycle_phase: plan`.
	workPhases = []string{"plan", "do", "check", "done", "chain"}
)

// begins reports whether a text begins with one of the words.
func begins(words []string, text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return slices.Contains(words, strings.ToLower(strings.TrimRight(word, ",;:.")))
}
