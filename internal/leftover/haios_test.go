package leftover

import (
	"strings"
	"testing"
)

// workFile returns a WORK.md with the given front matter.
func workFile(front string) []byte {
	return []byte("---\n" + strings.TrimPrefix(front, "\n") + "---\n# Item\n\nstatus: complete\n- node: doing\n  exited: null\n")
}

const openDoing = "node_history:\n- node: doing\n  entered: 2026-01-26 10:00:00\n  exited: null\n"

func TestReadWork(t *testing.T) {
	for _, c := range []struct{ name, front, want string }{
		// From HAIOS's tests/test_orphan_detection.py and test_governance_events.py.
		{"seed: finds exited null", "id: E2-999\n" + openDoing, "E2-999|doing"},
		{"finds exited null", "id: E2-999\ntitle: Test Work Item\ncycle_phase: DO\n" + openDoing, "E2-999|doing"},
		{"no incomplete", "id: E2-888\ntitle: Complete Work Item\nnode_history:\n- node: doing\n  entered: 2026-01-26 10:00:00\n  exited: 2026-01-26 11:00:00\n", ""},

		// The forms of real items, oldest first.
		{"2025-12: never begun", "template: work_item\nid: E2-072\nstatus: active\nclosed: null\ncurrent_node: backlog\nnode_history:\n- node: backlog\n  entered: 2025-12-23 19:06:12\n  exited: null\ncycle_docs: {}\n", ""},
		{"2025-12: the same node over and over", "id: E2-160\nstatus: active\ncurrent_node: implement\nnode_history:\n- node: implement\n  entered: 2025-12-24 09:42:00\n  exited: null\n- node: implement\n  entered: 2025-12-24 09:42:00\n  exited: null\n", "E2-160|implement"},
		{"2025-12: won't fix", "id: E2-025\nstatus: wontfix\nnode_history:\n- node: backlog\n  exited: 2025-12-27 13:43:00\n- node: discovery\n  entered: 2025-12-27 13:43:00\n  exited: null\n", ""},
		{"2026-01: a plan was being written", "id: E2-274\nstatus: active\ncurrent_node: plan\nnode_history:\n- node: backlog\n  entered: 2026-01-05 21:34:54\n  exited: '2026-01-05T22:57:28.858316'\n- node: plan\n  entered: '2026-01-05T22:57:28.858316'\n  exited: null\n", "E2-274|plan"},
		{"2026-01: at rest, the status forgotten", "id: E2-295\nstatus: active\ncurrent_node: complete\nnode_history:\n- node: close\n  exited: '2026-01-17T12:01:22.230958'\n- node: complete\n  entered: '2026-01-17T12:01:22.230958'\n  exited: null\n", ""},
		{"2026-01: a template's braces", "id: --id\ntitle: \"WORK-055 --title Governance\"\ntype: {{TYPE}}\nstatus: active\ntraces_to: []  # REQUIRED: L4\n" + openDoing, "--id|doing"},
		{"2026-02: queue and phase with remarks", "id: WORK-129\nstatus: active\nqueue_position: backlog  # WORK-105: parked|backlog|ready|working|done\ncycle_phase: backlog     # WORK-066: backlog|plan|implement|check|done\nnode_history:\n  - node: backlog\n    entered: 2026-02-11T22:33:27\n    exited: null\n", ""},
		{"2026-02: only the phase moved", "id: WORK-225\nstatus: active\nqueue_position: ready\ncycle_phase: DO\ncurrent_node: DO\nnode_history:\n- node: backlog\n  entered: '2026-02-25T16:39:52.533618'\n  exited: null\n", "WORK-225|DO"},
		{"2026-02: phase and history apart", "id: WORK-224\nstatus: active\nqueue_position: working\ncycle_phase: DONE\nnode_history:\n- node: backlog\n  exited: 2026-02-25 12:57:00\n- node: PLAN\n  entered: 2026-02-25 12:57:00\n  exited: null\nqueue_history: []\n", "WORK-224|PLAN"},
		{"2026-02: only the queue is open", "id: WORK-214\nstatus: active\nqueue_position: done\ncycle_phase: CHAIN\nnode_history:\n- node: backlog\n  exited: '2026-02-24T22:23:16.971910'\nqueue_history:\n- position: done\n  node: doing\n  exited: null\n", ""},
		{"2026-03: never chained", "id: WORK-272\nstatus: active\ncycle_phase: CHAIN\ncurrent_node: CHAIN\nnode_history:\n- node: backlog\n  exited: null\nqueue_history:\n- position: working\n  exited: null\n", "WORK-272|CHAIN"},
		{"a follower: null phase", "id: CS-WORK-090\nstatus: active\ncycle_phase: null\nnode_history: []\n", ""},
		{"a follower: at rest", "id: CS-WORK-079\nstatus: active\ncycle_phase: done\nnode_history:\n  - node: done\n    entered: 2026-03-07T00:00:00\n    exited: null\n", ""},

		// HAIOS's filter misses what it wrote itself in lower case.
		{"phase in lower case", "id: WORK-122\nstatus: active\ncycle_phase: plan\nnode_history:\n- node: backlog\n  exited: null\n", "WORK-122|plan"},
		{"a phase of no lifecycle", "id: a\ncycle_phase: someday\n" + openDoing, ""},
		{"null phase", "id: a\ncycle_phase: ~\n" + openDoing, "a|doing"},

		// What counts as open.
		{"tilde", "id: a\nnode_history:\n- node: doing\n  exited: ~\n", "a|doing"},
		{"empty", "id: a\nnode_history:\n- node: doing\n  exited:\n", "a|doing"},
		{"empty text", "id: a\nnode_history:\n- node: doing\n  exited: \"\"\n", "a|doing"},
		{"capitals", "id: a\nnode_history:\n- node: doing\n  exited: NULL\n", "a|doing"},
		{"missing", "id: a\nnode_history:\n- node: doing\n  entered: 2026-01-01\n", "a|doing"},
		{"a comment", "id: a\nnode_history: # of the item\n- node: doing # now\n  exited: null # not yet\n", "a|doing"},
		{"quotes", "id: 'a'\nnode_history:\n- node: \"doing\"\n  exited: ''\n", "a|doing"},
		{"exited first", "id: a\nnode_history:\n- exited: null\n  node: doing\n", "a|doing"},
		{"the last open of several", "id: a\nnode_history:\n- node: plan\n  exited: null\n- node: doing\n  exited: null\n- node: check\n  exited: 2026-01-01\n", "a|doing"},
		{"the last open one waits", "id: a\nnode_history:\n- node: plan\n  exited: null\n- node: Backlog\n  exited: null\n", ""},
		{"no node", "id: a\nnode_history:\n- entered: 2026-01-01\n  exited: null\n", ""},
		{"flow style", "id: a\nnode_history:\n  - {node: plan, exited: 2026-01-01}\n  - {node: doing, entered: 2026-01-26 10:00:00, exited: null}\n", "a|doing"},
		{"flow style, exited", "id: a\nnode_history:\n- {node: doing, exited: '2026-01-17T12:01:22'}\n", ""},
		{"flow style, over lines", "id: a\nnode_history:\n- {node: doing,\nexited: null,\n   note: \"}, x: 'y\"}\n- {node: plan, exited: 2026-01-01}\n", "a|doing"},
		{"a list in flow style", "id: a\nnode_history: [{node: plan, exited: 2026-01-01}, {\"node\": \"doing\", exited: ~}] # now\nstatus: active\n", "a|doing"},
		{"a list in flow style, over lines", "id: a\nnode_history: [\n  {node: plan, exited: 2026-01-01},\n  {node: it's, by: {name: x}}\n]\nold: [{node: no}]\n", "a|it's"},
		{"a list in flow style, exited", "id: a\nnode_history: [{node: doing, exited: 2026-01-01}]\nold: [{node: no}]\n", ""},
		{"flow style without an end", "id: a\nnode_history:\n- {node: doing, exited: null\nstatus: active\n", ""},
		{"flow style in block style", "id: a\nnode_history:\n- node: doing\n  by: {exited: 2026-01-01}\n  exited: null\n", "a|doing"},
		{"an entry without a node after one", "id: a\nnode_history:\n- node: doing\n  exited: 2026-01-01\n- exited: null\n", ""},
		{"entries of other kinds", "id: a\nnode_history:\n- doing\n- [node, doing]\n- ~\n", ""},
		{"history is a list on its line", "id: a\nnode_history: [x]\n- node: doing\n  exited: null\n", ""},
		{"history is a text", "id: a\nnode_history: |\n  - node: doing\n    exited: null\n", ""},
		{"another key's history", "id: a\nold:\n  node_history:\n  - node: doing\n    exited: null\nnode_history: []\n", ""},
		{"exited in a text", "id: a\ntitle: \"node_history exited: null\"\nnode_history:\n- node: doing\n  exited: 2026-01-01\n", ""},
		{"a hundred entries", "id: a\nnode_history:\n" + strings.Repeat("- node: plan\n  entered: '2026-01-17T12:01:22.230958'\n  exited: '2026-01-17T12:01:22.230958'\n", 100) + "- node: doing\n  exited: null\n", "a|doing"},

		// Texts.
		{"no id", "title: x\n" + openDoing, "|doing"},
		{"id as it was written", "id: 0010\n" + openDoing, "0010|doing"},
		{"no escapes", "id: \"a\x1b[31m\u202eb\"\n" + openDoing, "a[31mb|doing"},
		{"a long node", "id: a\nnode_history:\n- node: " + strings.Repeat("n", 300) + "\n  exited: null\n", "a|" + strings.Repeat("n", 199) + "…"},
		{"nothing", "", ""},
		{"duplicate keys: the last history", "id: a\n" + openDoing + "node_history: []\n", ""},
		{"duplicate keys: the last status", "id: a\nstatus: complete\nstatus: active\n" + openDoing, "a|doing"},
		{"duplicate keys: the last of an entry", "id: a\nnode_history:\n- node: doing\n  exited: null\n  exited: 2026-01-01\n", ""},
		{"a template's braces for a phase", "id: a\ncycle_phase: {{PHASE}}\n" + openDoing, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, form := range []struct {
				name string
				src  []byte
			}{
				{"as it is", workFile(c.front)},
				{"CRLF", []byte(strings.ReplaceAll(string(workFile(c.front)), "\n", "\r\n"))},
				{"byte order mark", append([]byte("\ufeff"), workFile(c.front)...)},
				{"trailing blanks", []byte(strings.ReplaceAll(string(workFile(c.front)), "---\n", "--- \t\n"))},
				{"10 MB of text", append(workFile(c.front), make([]byte, 10<<20)...)},
			} {
				w, ok := readWork(form.src)
				got := ""
				if ok {
					got = w.ID + "|" + w.Node
				}
				if got != c.want {
					t.Errorf("%s: got %q, want %q", form.name, got, c.want)
				}
			}
		})
	}
}

// A file whose front matter is not closed is not a work item.
func TestReadWorkNotClosed(t *testing.T) {
	if w, ok := readWork([]byte("---\nid: a\n" + openDoing + "\n# Item\n")); ok {
		t.Errorf("%+v", w)
	}
}

func TestReadWorkStatus(t *testing.T) {
	for status, want := range map[string]bool{
		"complete": false, "Completed": false, "DONE": false, "closed": false, "archived": false, "dismissed": false, "invalid": false,
		"deferred": false, "wontfix": false, "\"complete\"": false, "'complete' # why": false, "complete # why": false,
		"complete (session 212)": false, "closed, see E2-1": false,
		"active": true, "blocked": true, "in_progress": true, "": true, "null": true, "~": true, "not complete": true, "incomplete": true,
	} {
		if _, got := readWork(workFile("status: " + status + "\n" + openDoing)); got != want {
			t.Errorf("%q: %v, want %v", status, got, want)
		}
	}
}

func TestReadWorkNode(t *testing.T) {
	for node, want := range map[string]bool{
		"doing": true, "DO": true, "plan": true, "implement": true, "discovery": true, "check": true, "close": true, "CHAIN": true,
		"backlog": false, "BACKLOG": false, "ready": false, "parked": false, "complete": false, "DONE": false, "~": false, "": false,
	} {
		front := "id: a\nnode_history:\n- node: " + node + "\n  exited: null\n"
		if _, got := readWork(workFile(front)); got != want {
			t.Errorf("open node %q: %v, want %v", node, got, want)
		}
	}
}
