package hookinput

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// patience is how long an input that is all there may take: far longer than any machine needs.
const patience = time.Minute

func TestTodos(t *testing.T) {
	done := func(subjects ...string) (all []Todo) {
		for _, s := range subjects {
			all = append(all, Todo{Subject: s, Done: true})
		}
		return all
	}
	both := []Todo{{Subject: "03-01 T1: alpha", Done: true}, {Subject: "b"}}
	call := func(input string) string {
		return `{"hook_event_name":"PostToolUse","tool_name":"x","tool_input":` + input + `}`
	}
	items := func(item string, n int) string {
		return `{"todos":[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + `]}`
	}
	const one = `{"content":"a","status":"completed"}`
	for _, c := range []struct {
		name, in string
		want     []Todo
	}{
		// What the real clients wrote: claude 2.1.329 (TaskCompleted, TaskUpdate) and 2.1.197 (TodoWrite), codex 0.169.0,
		// gemini 0.61.0; OpenCode's is what opencode.js writes.
		{"Claude's TaskCompleted", `{"session_id":"243523c0-0000","transcript_path":"/t.jsonl","cwd":"/p","prompt_id":"x","hook_event_name":"TaskCompleted","task_id":"1","task_subject":"03-01 T1: alpha","task_description":"d1"}`, done("03-01 T1: alpha")},
		{"Claude's TaskCreated", `{"session_id":"s","cwd":"/p","hook_event_name":"TaskCreated","task_id":"1","task_subject":"03-01 T1: alpha","task_description":"d1"}`, nil},
		{"Claude's TaskUpdate names no subject", `{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"TaskUpdate","tool_input":{"taskId":"12","status":"in_progress"},"tool_response":{"success":true,"taskId":"12","updatedFields":["status"],"statusChange":{"from":"pending","to":"in_progress"}}}`, []Todo{{ID: "12"}}},
		{"nor does one that failed", `{"tool_name":"TaskUpdate","tool_input":{"taskId":"1","status":"in_progress"},"tool_response":{"success":false,"taskId":"1"}}`, nil},
		{"nor is one a path", `{"tool_name":"TaskUpdate","tool_input":{"taskId":"../1","status":"in_progress"}}`, nil},
		{"Claude's TaskUpdate at the end", `{"session_id":"s","cwd":"/p","permission_mode":"default","effort":{"level":"high"},"hook_event_name":"PostToolUse","tool_name":"TaskUpdate","tool_input":{"taskId":"1","status":"completed"},"tool_response":{"success":true,"taskId":"1","updatedFields":["status"],"statusChange":{"from":"in_progress","to":"completed"}}}`, nil},
		{"Claude's TodoWrite", `{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"03-01 T1: alpha","status":"completed","activeForm":"x"},{"content":"b","status":"in_progress","activeForm":"y"},{"content":"c","status":"pending","activeForm":"z"}]},"tool_response":{"oldTodos":[],"newTodos":[{"content":"c","status":"completed"}]}}`, both},
		{"Codex's update_plan", `{"session_id":"s","turn_id":"t","hook_event_name":"PostToolUse","model":"gpt-5","permission_mode":"bypassPermissions","tool_name":"update_plan","tool_input":{"explanation":"e","plan":[{"status":"completed","step":"03-01 T1: alpha"},{"status":"in_progress","step":"b"}]},"tool_response":"Plan updated","tool_use_id":"call_00"}`, both},
		{"Gemini's write_todos", `{"session_id":"s","cwd":"/p","hook_event_name":"AfterTool","timestamp":"2026-11-20T17:47:56.008Z","tool_name":"write_todos","tool_input":{"todos":[{"description":"03-01 T1: alpha","status":"completed"},{"description":"b","status":"in_progress"}]},"tool_response":{"llmContent":"Successfully updated","returnDisplay":{"todos":[{"description":"c","status":"completed"}]}}}`, both},
		{"OpenCode's list", `{"hook_event_name":"TodoUpdated","session_id":"s","cwd":"/p","todos":[{"content":"03-01 T1: alpha","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c","status":"cancelled"}]}`, both},

		{"the event in another spelling", `{"hook_event_name":"taskCompleted","task_subject":"a"}`, done("a")},
		{"a completion of nothing, and a list", `{"hook_event_name":"TaskCompleted","task_subject":5,"todos":[` + one + `]}`, nil},
		{"a control character", "{\"hook_event_name\":\"TaskCompleted\",\"task_subject\":\"a\\u001b[31mb\"}", nil},
		{"no UTF-8", "{\"hook_event_name\":\"TaskCompleted\",\"task_subject\":\"a\xff\"}", nil},
		{"as long as can be", `{"hook_event_name":"TaskCompleted","task_subject":"` + strings.Repeat("a", maxSubject) + `"}`, done(strings.Repeat("a", maxSubject))},
		{"too long", `{"hook_event_name":"TaskCompleted","task_subject":"` + strings.Repeat("a", maxSubject+1) + `"}`, nil},

		{"wrong types of lists", call(`{"todos":{"a":` + one + `},"plan":"a"}`), nil},
		{"a wrong type, and then a list", call(`{"todos":5,"plan":[` + one + `]}`), done("a")},
		{"wrong types of items", call(`{"todos":[1,"a",null,[` + one + `],{},{"content":5,"status":"completed"},{"content":"b","status":["completed"]},{"status":"completed"},` + one + `]}`), done("a")},
		{"a name of another kind first", call(`{"todos":[{"content":7,"description":"a","status":"completed"}]}`), done("a")},
		{"other words", call(`{"todos":[{"content":"a","status":"Completed"},{"content":"b","status":"done"},{"content":"c"}]}`), nil},
		{"other names", call(`{"todos":[{"title":"a","status":"completed"}]}`), nil},
		{"the top first", `{"todos":[` + one + `],"tool_input":{"todos":[{"content":"b","status":"completed"}]}}`, done("a")},
		{"as many as can be", call(items(one, maxTodos)), done(strings.Split(strings.Repeat("a", maxTodos), "")...)},
		{"too many", call(items(one, maxTodos+1)), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read(strings.NewReader(c.in), patience)
			if diff := cmp.Diff(c.want, got.Todos); err != nil || diff != "" {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
		})
	}
}
