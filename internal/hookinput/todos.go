package hookinput

import (
	"encoding/json"
	"slices"
	"strings"
)

// Todo is an item of the task list that a host keeps for its agent. It is in progress or done: one that is pending, deleted
// or cancelled says nothing about the plan.
type Todo struct {
	Subject string // as the agent wrote it: untrusted
	Done    bool
	ID      string // in Claude's list, if the hook was not told the subject; see agent.NameTodos
}

const (
	// maxTodos is how many items of a list are looked at.
	maxTodos = 200
	// maxSubject is the longest subject that is accepted, in bytes.
	maxSubject = 4 << 10
	// maxTaskID is the longest number of an item of Claude's list that is accepted, in digits.
	maxTaskID = 9
)

// todosOf finds the items. A completion is an event of its own (Claude's TaskCompleted, with task_subject), a start an item of
// Claude's TaskUpdate, with a number; or the whole list is what a tool was called with: todos of Claude's TodoWrite (content),
// Gemini's write_todos (description) and OpenCode's todo.updated (content), plan of Codex's update_plan (step).
func todosOf(f fields) []Todo {
	if strings.EqualFold(value(f["hook_event_name"], maxValue), "TaskCompleted") {
		if subject := value(f["task_subject"], maxSubject); subject != "" {
			return []Todo{{Subject: subject, Done: true}}
		}
		return nil
	}
	if failedCall(f["tool_response"]) {
		return nil
	}
	var call fields
	_ = json.Unmarshal(f["tool_input"], &call)
	if value(f["tool_name"], maxValue) == "TaskUpdate" {
		id := value(call["taskId"], maxTaskID)
		if todo, ok := todoOf(f["tool_input"]); ok && !todo.Done && id != "" && strings.Trim(id, "0123456789") == "" {
			return []Todo{{ID: id}}
		}
		return nil // of a completion, TaskCompleted tells
	}
	for _, list := range []json.RawMessage{f["todos"], call["todos"], call["plan"]} {
		var items []json.RawMessage
		if json.Unmarshal(list, &items) != nil || len(items) > maxTodos {
			continue
		}
		var found []Todo
		for _, item := range items {
			if todo, ok := todoOf(item); ok && todo.Subject != "" {
				found = append(found, todo)
			}
		}
		if len(found) > 0 {
			return slices.DeleteFunc(slices.Clone(found), func(t Todo) bool { // an item with two statuses says nothing
				other := func(o Todo) bool { return o.Subject == t.Subject && o.Done != t.Done }
				return slices.ContainsFunc(found, other)
			})
		}
	}
	return nil
}

// failedCall reports whether a tool did not do what it was called for.
func failedCall(answer json.RawMessage) bool {
	var f struct {
		Success *bool           `json:"success"`
		Error   json.RawMessage `json:"error"`
	}
	if json.Unmarshal(answer, &f) != nil {
		return false
	}
	return f.Success != nil && !*f.Success || len(f.Error) > 0 && string(f.Error) != "null"
}

// todoOf reads an item, and reports whether its status counts.
func todoOf(item json.RawMessage) (todo Todo, ok bool) {
	var f fields
	_ = json.Unmarshal(item, &f)
	status := value(f["status"], maxValue)
	todo.Done = status == "completed"
	for _, name := range []string{"content", "description", "step"} {
		if todo.Subject == "" {
			todo.Subject = value(f[name], maxSubject)
		}
	}
	return todo, todo.Done || status == "in_progress"
}

// SubjectIn returns the subject of an item of Claude's task list, as the file that holds the item has it; "" for none.
func SubjectIn(item []byte) string {
	var f fields
	_ = json.Unmarshal(item, &f)
	return value(f["subject"], maxSubject)
}
