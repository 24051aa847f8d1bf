package leftover

// haios.go: work items of HAIOS, docs/work/*/*/WORK.md, that were started but not finished. HAIOS looked for
// `exited: null` anywhere and found 342 of 343 items, most of them closed or never started. So three conditions must
// hold: an entry of node_history is open, the item is not finished, and it has started.

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/text"
)

// item is a work item of HAIOS that was started but not finished. Its texts are one line each, without control characters, and
// empty if the file does not have them.
type item struct {
	ID   string
	Node string // the last open node, or the phase if that node is only a queue
}

// readWork parses a WORK.md. It returns false unless the item was certainly started but not finished, and so for a file
// whose front matter is not closed. Of two keys with the same name the last counts, as in HAIOS's parser.
func readWork(src []byte) (item, bool) {
	front, _, closed := markdown.CutFrontMatter(src)
	if !closed {
		return item{}, false
	}
	var w item
	var status, phase string
	lines := bytes.Split(front, []byte{'\n'})
	for i, line := range lines {
		key, value, _ := strings.Cut(string(line), ":")
		switch key {
		case "id":
			w.ID = text.OneLine(workScalar(value))
		case "status":
			status = workScalar(value)
		case "cycle_phase":
			phase = text.OneLine(workScalar(value))
		case "node_history":
			w.Node = openNode(value, lines[i+1:])
		}
	}
	if begins(workFinished, status) || begins(workFinished, w.Node) || phase != "" && !begins(workPhases, phase) {
		return item{}, false
	}
	if begins(workQueues, w.Node) {
		// HAIOS's set-cycle changes cycle_phase but leaves the history at `backlog`. Most real items in flight since
		// 2026-02 are like this: only the phase shows that they have started.
		w.Node = phase
	}
	return w, w.Node != ""
}

// workScalar returns a value on the line of its key, without quotes and comment; it returns "" for null.
func workScalar(value string) string {
	s := strings.Trim(frontmatter.CutComment(value), `"'`)
	if s == "~" || strings.EqualFold(s, "null") {
		return ""
	}
	return s
}

// openNode returns the node of the last entry of a node_history that was not exited, or "". HAIOS writes `exited:
// null`; an entry without the key or with an empty value was not exited either. Entries are in block style, as HAIOS writes them, or in
// flow style, as other programs write them again: `- {node: doing, exited: null}`, `[{node: doing}]`.
func openNode(first string, rest [][]byte) (open string) {
	entry := map[string]string{}
	end := func(next map[string]string) {
		if entry["node"] != "" && entry["exited"] == "" {
			open = entry["node"]
		}
		entry = next
	}
	if strings.HasPrefix(strings.TrimSpace(first), "[") {
		list := first + "\n" + string(bytes.Join(rest, []byte{'\n'}))
		for next, after, ok := flowMap(list[strings.IndexByte(list, '[')+1:]); ok; next, after, ok = flowMap(strings.TrimLeft(after, ", \t\r\n")) {
			end(next)
		}
		end(nil)
		return open
	}
	if workScalar(first) != "" {
		return ""
	}
	for all := string(bytes.Join(rest, []byte{'\n'})); all != "" && strings.IndexByte(" \t\r\n-#", all[0]) >= 0; {
		line, after, _ := strings.Cut(all, "\n")
		text, isItem := strings.CutPrefix(strings.TrimLeft(line, " \t"), "- ")
		if isItem {
			end(map[string]string{})
		}
		text = strings.TrimLeft(text, " ")
		key, value, _ := strings.Cut(text, ":")
		entry[key] = entryValue(key, value)
		if isItem && strings.HasPrefix(text, "{") {
			var ok bool
			if entry, after, ok = flowMap(all[strings.IndexByte(line, '{'):]); !ok {
				return open
			}
			_, after, _ = strings.Cut(after, "\n")
		}
		all = after
	}
	end(nil)
	return open
}

// entryValue is the value of a key of an entry; "" for null.
func entryValue(key, value string) string {
	if value = workScalar(value); key == "node" {
		return text.OneLine(value)
	}
	return value
}

// flowMap reads a mapping in YAML's flow style, {node: doing, exited: null}, with which a text has to begin, and returns what follows it;
// false if there is none, or it has no end. Mappings in it are values.
func flowMap(s string) (entry map[string]string, after string, ok bool) {
	inner, ok := strings.CutPrefix(strings.TrimLeft(s, " \t\r\n"), "{")
	if !ok {
		return nil, "", false
	}
	entry = map[string]string{}
	depth, from, last := 1, 0, byte('{')
	var quote byte
	for i := range len(inner) {
		c := inner[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
			continue
		case (c == '"' || c == '\'') && strings.IndexByte("{[,:", last) >= 0:
			quote = c
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth == 0 || c == ',' && depth == 1 {
			key, value, _ := strings.Cut(inner[from:i], ":")
			key = strings.Trim(key, " \t\r\n\"'")
			entry[key], from = entryValue(key, value), i+1
		}
		if depth == 0 {
			return entry, inner[i+1:], true
		}
		if c > ' ' {
			last = c
		}
	}
	return nil, "", false
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
