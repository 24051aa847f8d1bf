package roadmap

import (
	"fmt"
	"strings"
	"testing"
)

// workFile is a WORK.md with this front matter.
func workFile(front string) []byte {
	return []byte("---\n" + strings.TrimPrefix(front, "\n") + "---\n# Item\n\nstatus: complete\n- node: doing\n  exited: null\n")
}

const openDoing = "node_history:\n- node: doing\n  entered: 2026-01-26 10:00:00\n  exited: null\n"

func TestReadWork(t *testing.T) {
	for _, c := range []struct{ name, front, want string }{
		// The seed's own case (seeds/000, "Test 3"), and what HAIOS's tests/test_orphan_detection.py and
		// test_governance_events.py made of it later.
		{"seed: finds exited null", "id: E2-999\n" + openDoing, "E2-999|doing"},
		{"finds exited null", "id: E2-999\ntitle: Test Work Item\ncycle_phase: DO\n" + openDoing, "E2-999|doing"},
		{"no incomplete", "id: E2-888\ntitle: Complete Work Item\nnode_history:\n- node: doing\n  entered: 2026-01-26 10:00:00\n  exited: 2026-01-26 11:00:00\n", ""},
		{"excludes complete status", "id: E2-TEST\nstatus: complete\ncurrent_node: complete\nnode_history:\n- node: complete\n  entered: 2026-01-01\n  exited: null\n", ""},
		{"excludes archived status", "id: E2-TEST\nstatus: archived\ncurrent_node: complete\nnode_history:\n- node: complete\n  entered: 2026-01-01\n  exited: null\n", ""},
		{"includes active status", "id: E2-TEST\nstatus: active\ncycle_phase: DO\ncurrent_node: DO\nnode_history:\n- node: DO\n  entered: 2026-01-01\n  exited: null\n", "E2-TEST|DO"},
		{"ignores backlog items", "id: WORK-TEST1\nstatus: active\ncycle_phase: backlog\ncurrent_node: backlog\nnode_history:\n- node: backlog\n  entered: 2026-01-01\n  exited: null\n", ""},
		{"mixed items: ready", "id: WORK-RD\nstatus: active\ncycle_phase: ready\ncurrent_node: ready\nnode_history:\n- node: ready\n  entered: 2026-01-01\n  exited: null\n", ""},
		{"missing cycle_phase not flagged", "id: WORK-OLD\nstatus: active\ncurrent_node: backlog\nnode_history:\n- node: backlog\n  entered: 2026-01-01\n  exited: null\n", ""},

		// The shapes of real items, oldest first.
		{"2025-12: never begun", "template: work_item\nid: E2-072\nstatus: active\nclosed: null\ncurrent_node: backlog\nnode_history:\n- node: backlog\n  entered: 2025-12-23 19:06:12\n  exited: null\ncycle_docs: {}\n", ""},
		{"2025-12: the same node over and over", "id: E2-160\nstatus: active\ncurrent_node: implement\nnode_history:\n- node: implement\n  entered: 2025-12-24 09:42:00\n  exited: null\n- node: implement\n  entered: 2025-12-24 09:42:00\n  exited: null\n", "E2-160|implement"},
		{"2025-12: won't fix", "id: E2-025\nstatus: wontfix\nnode_history:\n- node: backlog\n  exited: 2025-12-27 13:43:00\n- node: discovery\n  entered: 2025-12-27 13:43:00\n  exited: null\n", ""},
		{"2026-01: a plan was being written", "id: E2-274\nstatus: active\ncurrent_node: plan\nnode_history:\n- node: backlog\n  entered: 2026-01-05 21:34:54\n  exited: '2026-01-05T22:57:28.858316'\n- node: plan\n  entered: '2026-01-05T22:57:28.858316'\n  exited: null\n", "E2-274|plan"},
		{"2026-01: at rest, the status forgotten", "id: E2-295\nstatus: active\ncurrent_node: complete\nnode_history:\n- node: close\n  exited: '2026-01-17T12:01:22.230958'\n- node: complete\n  entered: '2026-01-17T12:01:22.230958'\n  exited: null\n", ""},
		{"2026-01: a template's braces", "id: --id\ntitle: \"WORK-055 --title Governance\"\ntype: {{TYPE}}\nstatus: active\ntraces_to: []  # REQUIRED: L4\n" + openDoing, "--id|doing"},
		{"2026-02: queue and phase with remarks", "id: WORK-129\nstatus: active\nqueue_position: backlog  # WORK-105: parked|backlog|ready|working|done\ncycle_phase: backlog     # WORK-066: backlog|plan|implement|check|done\nnode_history:\n  - node: backlog\n    entered: 2026-02-11T22:33:27\n    exited: null\n", ""},
		{"2026-02: parked", "id: WORK-101\nstatus: blocked\nqueue_position: parked\ncycle_phase: backlog\nnode_history:\n- node: backlog\n  exited: null\n", ""},
		{"2026-02: selected, not begun", "id: WORK-116\nstatus: active\nqueue_position: working\ncycle_phase: backlog\nnode_history:\n- node: backlog\n  exited: null\n", ""},
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
		{"flow style", "id: a\nnode_history: [{node: backlog, exited: 2026-01-01}, {node: doing, \"exited\": null}]\n", "a|doing"},
		{"the last open of several", "id: a\nnode_history:\n- node: plan\n  exited: null\n- node: doing\n  exited: null\n- node: check\n  exited: 2026-01-01\n", "a|doing"},
		{"the last open one waits", "id: a\nnode_history:\n- node: plan\n  exited: null\n- node: Backlog\n  exited: null\n", ""},
		{"no node", "id: a\nnode_history:\n- entered: 2026-01-01\n  exited: null\n", ""},
		{"no node, but a phase", "id: a\ncycle_phase: CHECK\nnode_history:\n- exited: null\n", "a|CHECK"},
		{"exited is a list", "id: a\nnode_history:\n- node: doing\n  exited: []\n", ""},
		{"entries of other kinds", "id: a\nnode_history:\n- doing\n- [node, doing]\n- ~\n", ""},
		{"history is a map", "id: a\nnode_history:\n  node: doing\n  exited: null\n", ""},
		{"history is a text", "id: a\nnode_history: |\n  - node: doing\n    exited: null\n", ""},
		{"another key's history", "id: a\nold:\n  node_history:\n  - node: doing\n    exited: null\nnode_history: []\n", ""},
		{"exited in a text", "id: a\ntitle: \"node_history exited: null\"\nnode_history:\n- node: doing\n  exited: 2026-01-01\n", ""},

		// Texts.
		{"no id", "title: x\n" + openDoing, "|doing"},
		{"id is no text", "id: [a]\n" + openDoing, "|doing"},
		{"id as it was written", "id: 0010\n" + openDoing, "0010|doing"},
		{"one line without escapes", "id: \"a\\e[31m\\u202e\\nb\"\n" + openDoing, "a[31m b|doing"},
		{"an id on two lines", "id: >-\n  two\n  lines\n" + openDoing, "two lines|doing"},
		{"a long node", "id: a\nnode_history:\n- node: " + strings.Repeat("n", 300) + "\n  exited: null\n", "a|" + strings.Repeat("n", 199) + "…"},
		{"line breaks of yaml alone", "id: x\u2028y\u0085z\n" + openDoing, "x y z|doing"},

		// What is no YAML, or more than YAML.
		{"tab for indentation", "id: a\nnode_history:\n\t- node: doing\n\t  exited: null\n", ""},
		{"tab as a blank", "id:\ta\nnode_history:\n- node:\tdoing\n  exited:\tnull\n", "a|doing"},
		{"unclosed quote", "id: \"a\n" + openDoing, ""},
		{"a list", "- id: a\n- node_history: [{node: doing}]\n", ""},
		{"a text", "node_history exited: null", ""},
		{"nothing", "", ""},
		{"duplicate keys: the last history", "id: a\n" + openDoing + "node_history: []\n", ""},
		{"duplicate keys: the last status", "id: a\nstatus: complete\nstatus: active\n" + openDoing, "a|doing"},
		{"duplicate keys: the last of an entry", "id: a\nnode_history:\n- node: doing\n  exited: null\n  exited: 2026-01-01\n", ""},
		{"anchors are fine", "id: &id a\nstatus: &s active\nnode_history: &h\n- &e\n  node: &n doing\n  exited: null\n", "a|doing"},
		{"aliases are not followed", "id: a\nh: &h\n- node: doing\n  exited: null\nnode_history: *h\n", ""},
		{"nor in an entry", "id: a\nh: &h {node: doing, exited: null}\nnode_history: [*h, {node: *h}]\n", ""},
		{"nor merged", "base: &b {node: doing, exited: null}\nid: a\n<<: *b\nnode_history:\n- <<: *b\n", ""},
		{"alias without anchor", "id: a\nnode_history: *nothing\n", ""},
		{"tags", "id: !!str a\nnode_history: !!seq\n- !!map {node: !x doing, exited: !!null \"\"}\n", "a|doing"},
		{"a template's braces for a phase", "id: a\ncycle_phase: {{PHASE}}\n" + openDoing, "a|doing"},
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
				w, ok := ReadWork(form.src)
				got := ""
				if ok {
					got = w.ID + "|" + w.Node
				} else if w != (WorkItem{}) {
					t.Errorf("%s: %+v beside false", form.name, w)
				}
				if got != c.want {
					t.Errorf("%s: got %q, want %q", form.name, got, c.want)
				}
			}
		})
	}
}

// A status that ends work ends it however it is written, by the first look or by the second.
func TestReadWorkStatus(t *testing.T) {
	for status, want := range map[string]bool{
		"complete": false, "Completed": false, "DONE": false, "closed": false, "archived": false, "dismissed": false, "invalid": false,
		"deferred": false, "cancelled": false, "Canceled": false, "superseded": false, "rejected": false, "wont-fix": false,
		"won_t fix": false, "\"complete\"": false, "'complete' # why": false, "complete # why": false, "complete (session 212)": false,
		"closed, see E2-1": false, "\n  complete": false, "!!str complete": false, "&s complete": false, "|\n  complete": false,
		"active": true, "blocked": true, "in_progress": true, "": true, "null": true, "~": true, "[complete]": true, "not complete": true,
		"incomplete": true, "undone": true, "reopened": true, "done?": true,
	} {
		for _, key := range []string{"status: ", "\"status\": ", "status : ", "? status\n: "} {
			front := key + status + "\n" + openDoing
			if _, got := ReadWork(workFile(front)); got != want {
				t.Errorf("%q: %v, want %v", front[:len(front)-len(openDoing)], got, want)
			}
		}
	}
}

func TestReadWorkNode(t *testing.T) {
	for node, want := range map[string]bool{
		"doing": true, "DO": true, "plan": true, "PLAN": true, "implement": true, "design": true, "discovery": true, "EXPLORE": true,
		"check": true, "close": true, "CHAIN": true, "in_progress": true, "blocked": true,
		"backlog": false, "BACKLOG": false, "queue": false, "Queued": false, "to-do": false, "ready": false, "pending": false,
		"intake": false, "parked": false, "Not Started": false, "complete": false, "DONE": false, "archived": false, "closed": false,
		"~": false, "": false,
	} {
		front := "id: a\nnode_history:\n- node: " + node + "\n  exited: null\n"
		if _, got := ReadWork(workFile(front)); got != want {
			t.Errorf("open node %q: %v, want %v", node, got, want)
		}
	}
}

// Where the front matter is.
func TestReadWorkFront(t *testing.T) {
	const front = "id: a\n" + openDoing
	pad := func(n int) string { return "x: " + strings.Repeat("y", n-len("x: \n")-len(front)) + "\n" }
	for _, c := range []struct {
		name, src string
		want      bool
	}{
		{"plain", "---\n" + front + "---\n", true},
		{"no end of the last line", "---\n" + front + "---", true},
		{"document end", "---\n" + front + "...\n", true},
		{"never closed", "---\n" + front + "\n# Item\n", false},
		{"never closed, a longer rule", "---\n" + front + "-----\n", false},
		{"no beginning", front + "---\n", false},
		{"not on the first line", "\n---\n" + front + "---\n", false},
		{"only the second block", "---\nid: b\n---\n\n---\n" + front + "---\n", false},
		{"64 KiB", "---\n" + front + pad(maxWorkFront) + "---\n", true},
		{"more than 64 KiB", "---\n" + front + pad(maxWorkFront+1) + "---\n", false},
		{"10 MB", "---\n" + front + pad(10<<20) + "---\n", false},
		{"10 MB of lines", "---\n" + front + strings.Repeat("x: y\n", 2<<20) + "---\n", false},
		{"empty", "", false},
		{"a rule alone", "---", false},
		{"two rules", "---\n---\n", false},
		{"text", "# Item\n\nnode_history: exited: null\n", false},
	} {
		if _, got := ReadWork([]byte(c.src)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What would be billions of nodes, were aliases followed.
func TestReadWorkBomb(t *testing.T) {
	front := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 30 {
		front += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	if _, ok := ReadWork(workFile(front + "id: *a30\nnode_history: *a30\n")); ok {
		t.Error("found in the bomb")
	}
	w, ok := ReadWork(workFile(front + "id: a\nstatus: *a30\n" + openDoing))
	if want := (WorkItem{ID: "a", Node: "doing"}); !ok || w != want {
		t.Errorf("%+v, %v beside the bomb, want %+v", w, ok, want)
	}
}

const finishedWork = `---
template: work_item
id: WORK-251
title: Coldstart recovery
type: implementation
status: complete
owner: Hephaestus
created: '2026-03-07'
spawned_by: null
spawned_children:
- WORK-272
closed: '2026-03-07'
priority: medium
effort: small
source_files:
- lib/governance_events.py
- lib/coldstart_orchestrator.py
acceptance_criteria:
- Coldstart detects unclosed sessions (SessionStarted without
  SessionEnded)
- 'Surfaces recovery items: uncommitted work, missing retros'
blocked_by: []
queue_position: done
cycle_phase: CHAIN
current_node: CHAIN
node_history:
- node: backlog
  entered: '2026-03-07T14:24:09.607712'
  exited: null
queue_history:
- position: backlog
  entered: '2026-03-07T14:24:09.607712'
  exited: '2026-03-07T17:25:37.953685'
- position: done
  entered: '2026-03-07T18:12:52.542179'
  exited: null
artifacts: []
memory_refs:
- 89755
- 89756
- 89757
version: '2.0'
last_updated: '2026-03-07T18:12:52.548547'
---
# WORK-251: Coldstart recovery
`

// BenchmarkReadWork is a project of 300 items, read whole.
func BenchmarkReadWork(b *testing.B) {
	body := strings.Repeat("- [x] **R1** a line of the item's text, as long as most of them are\n", 60)
	for _, c := range []struct{ name, src string }{
		{"finished", finishedWork},
		{"backlog", strings.NewReplacer("status: complete", "status: active", "cycle_phase: CHAIN", "cycle_phase: backlog").Replace(finishedWork)},
		{"no-history", strings.NewReplacer("status: complete", "status: active", "node_history", "history").Replace(finishedWork)},
		{"open", strings.Replace(finishedWork, "status: complete", "status: active", 1)},
	} {
		src := []byte(c.src + body)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for range 300 {
					ReadWork(src)
				}
			}
		})
	}
}

// BenchmarkReadWorkWorst is what one hostile file may cost.
func BenchmarkReadWorkWorst(b *testing.B) {
	for _, text := range []string{"[", "{a: ", "- ", "? ", "1,", "&a ", "\n- - - -", "\n- {exited: }", "\na: &a b", "\"", "\n# x", "\nstatus: x", "!!a ", "*a,"} {
		for _, open := range []string{"\nx: ", "\nx: ["} {
			src := []byte("---\n" + openDoing + open + strings.Repeat(text, (maxWorkFront-128)/len(text)) + "\n---\n")
			b.Run(open+text, func(b *testing.B) {
				for b.Loop() {
					ReadWork(src)
				}
			})
		}
	}
}
