package roadmap

// work.go: the work items of HAIOS, docs/work/*/*/WORK.md, as far as they began and were not finished (docs/design.md,
// Runs, "Incomplete work"). HAIOS looked for `exited: null` anywhere and found 342 of 343 items, all but a few
// of them closed or never begun (neighbours.md, lesson 6). So the front matter is read as YAML and asked three
// questions: is an entry of node_history open, is the item not finished, did it begin.

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gsd-cli/gsd/planfile"
)

// maxWorkFront is the length of the longest front matter of an item that is given to yaml, in bytes: yaml takes
// some 200 ms for each MiB.
const maxWorkFront = 64 << 10

// WorkItem is a work item that began and was not finished. Its texts are one line each, without control characters;
// one that the file does not tell is empty.
type WorkItem struct {
	ID   string
	Node string // where it stands: the last open node, or the phase where that node is only a queue
}

// ReadWork reads a WORK.md. It answers false for whatever is not certainly work that began and was not finished,
// and so for a file without front matter, or with one that is never closed, longer than 64 KiB or no YAML. Of two
// keys with the same name the last counts, as HAIOS's parser lets it. No alias is followed.
func ReadWork(src []byte) (WorkItem, bool) {
	front := workToRead(src)
	if front == nil {
		return WorkItem{}, false
	}
	root, ok := workNode(front)
	if !ok {
		return WorkItem{}, false
	}
	var w WorkItem
	var status, phase string
	var history *yaml.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		switch value := root.Content[i+1]; root.Content[i].Value {
		case "id":
			w.ID = OneLine(workScalar(value))
		case "status":
			status = OneLine(workScalar(value))
		case "cycle_phase":
			phase = OneLine(workScalar(value))
		case "node_history":
			history = value
		}
	}
	node, open := openNode(history)
	if !open || workFinished(status) || phase != "" && !workPhase(phase) || workFinished(node) {
		return WorkItem{}, false
	}
	w.Node = node
	if w.Node == "" || workWaits(w.Node) {
		// HAIOS's set-cycle moves cycle_phase and leaves the history at `backlog`: of the real items in flight
		// since 2026-02 most look so, and only the phase tells that they began.
		w.Node = phase
	}
	if w.Node == "" {
		return WorkItem{}, false
	}
	return w, true
}

// WorkCost is how many bytes of a WORK.md ReadWork reads as YAML, which takes some 200 ms for each MiB: none of an item
// that a plain line calls finished or waiting.
func WorkCost(src []byte) int { return len(workToRead(src)) }

// workToRead is the front matter of an item that may be open, nil for any other.
func workToRead(src []byte) []byte {
	front, _, closed := planfile.CutFrontMatter(src[:min(len(src), maxWorkFront+16)]) // half a document would be another one
	if !closed || len(front) > maxWorkFront || !workMayBeOpen(front) {
		return nil
	}
	return front
}

// workMayBeOpen is ReadWork's first look, without YAML, because a project has hundreds of items and nearly all
// are finished or wait: it answers false where a line at the left margin says so plainly, or there is no history.
// (A missing `exited:` says nothing: an entry without it is open.)
func workMayBeOpen(front []byte) bool {
	if !bytes.Contains(front, []byte("node_history")) {
		return false
	}
	finished, waits := false, false
	for len(front) > 0 {
		var line []byte
		line, front, _ = bytes.Cut(front, []byte("\n"))
		if len(line) == 0 {
			continue
		}
		switch line[0] {
		case 's':
			if value, ok := plainWorkValue(line, "status:"); ok {
				finished = workFinished(value)
			}
		case 'c':
			if value, ok := plainWorkValue(line, "cycle_phase:"); ok {
				waits = workWaits(value)
			}
		case '"', '\'', '?', '{':
			// A key in another dress may say otherwise.
			return true
		}
	}
	return !finished && !waits
}

// plainWorkValue is the value of a key on its line, without quotes and comment.
func plainWorkValue(line []byte, key string) (string, bool) {
	value, ok := bytes.CutPrefix(line, []byte(key))
	if !ok || len(value) > 0 && value[0] != ' ' && value[0] != '\t' && value[0] != '\r' {
		return "", false
	}
	s := cutYAMLComment(string(value))
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		s = s[1 : n-1]
	}
	return s, true
}

// yamlBreaks are line breaks for yaml but for nobody else: they would end a text in the middle.
var yamlBreaks = strings.NewReplacer("\r", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// workNode gives a front matter to yaml and returns its mapping. Nodes are asked for, so no alias is followed and no number
// is made of an id. A panic of the parser, of which yaml had some, is a text that it refuses.
func workNode(front []byte) (root *yaml.Node, ok bool) {
	defer func() {
		if recover() != nil {
			root, ok = nil, false
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(yamlBreaks.Replace(string(front))), &doc); err != nil {
		return nil, false
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, false
	}
	return doc.Content[0], true
}

// workScalar is the text of a scalar as it was written; null has none.
func workScalar(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return n.Value
}

// openNode is the node of the last entry of a node_history that was entered and not left. HAIOS writes
// `exited: null`; an entry without the key, or with an empty text in it, was not left either.
func openNode(history *yaml.Node) (node string, open bool) {
	if history == nil || history.Kind != yaml.SequenceNode {
		return "", false
	}
	for _, entry := range history.Content {
		if entry.Kind != yaml.MappingNode {
			continue
		}
		name, left := "", false
		for i := 0; i+1 < len(entry.Content); i += 2 {
			switch value := entry.Content[i+1]; entry.Content[i].Value {
			case "node":
				name = OneLine(workScalar(value))
			case "exited":
				left = value.Kind != yaml.ScalarNode || strings.TrimSpace(workScalar(value)) != ""
			}
		}
		if !left {
			node, open = name, true
		}
	}
	return node, open
}

// foldWork is a word as people mean it: no case, and nothing between its parts.
func foldWork(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-' ’", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// workFinished tells whether a status says that nobody goes on with the item, or a node is where such items come
// to rest. A remark may follow: `complete (session 212)`. Complete, archived, dismissed, invalid and deferred are
// HAIOS's own terminal statuses; `wontfix` and a node `complete` stand in real items too.
func workFinished(s string) bool {
	if workFinishedWord(foldWork(s)) {
		return true
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	return rest != "" && workFinishedWord(foldWork(strings.TrimRight(first, ",;:.")))
}

func workFinishedWord(folded string) bool {
	switch folded {
	case "complete", "completed", "done", "closed", "finished", "resolved", "merged", "shipped", "released",
		"archived", "dismissed", "invalid", "deferred", "cancelled", "canceled", "superseded", "rejected",
		"wontfix", "wontdo", "abandoned", "obsolete", "duplicate", "dropped", "declined", "withdrawn", "retired", "removed":
		return true
	}
	return false
}

// workWaits tells whether a node or a phase is a queue, in which an item stands before it begins. Real ones are
// `backlog` in nearly every item, `ready` and `parked`; a node such as plan, design or discovery is work.
func workWaits(s string) bool {
	switch foldWork(s) {
	case "backlog", "queue", "queued", "todo", "ready", "pending", "intake", "inbox", "icebox", "triage",
		"parked", "planned", "proposed", "new", "draft", "idea", "future", "upcoming", "notstarted", "unstarted":
		return true
	}
	return false
}

// workPhase tells whether a cycle_phase is one in which an item is worked on: HAIOS's own list
// (governance_events.py, WORK-251), in any case, because HAIOS's, which wants capitals, misses its own
// `cycle_phase: plan`.
func workPhase(s string) bool {
	switch foldWork(s) {
	case "plan", "do", "check", "done", "chain":
		return true
	}
	return false
}
