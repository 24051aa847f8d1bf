package host

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"
)

// Todo is an item of the task list that a host keeps for its agent.
type Todo struct {
	Subject string // as the agent wrote it: untrusted
	Status  TodoStatus
}

// TodoStatus is how far an item is.
type TodoStatus int

// The statuses that count: what is pending, deleted or cancelled says nothing about the plan.
const (
	TodoBegun TodoStatus = iota + 1
	TodoDone
)

const (
	// maxTodos is how many items of a list are looked at.
	maxTodos = 200
	// maxSubject is the longest subject that is believed, in bytes.
	maxSubject = 4 << 10
)

// ReadTodos reads what a hook is told of the host's task list, with the patience and errors of [ReadInput]. An input without
// one, or with one in an unknown form, has no items.
func ReadTodos(r io.Reader, wait time.Duration) (Input, []Todo, error) {
	f, err := readFields(r, wait)
	if err != nil {
		return Input{}, nil, err
	}
	return inputOf(f), todosOf(f), nil
}

// failedCall reports whether a tool did not do what it was called for.
func failedCall(answer json.RawMessage) bool {
	var f struct {
		Success *bool           `json:"success"`
		Error   json.RawMessage `json:"error"`
	}
	return json.Unmarshal(answer, &f) == nil && (f.Success != nil && !*f.Success || len(f.Error) > 0 && string(f.Error) != "null")
}

// certain leaves out items that have two statuses.
func certain(todos []Todo) []Todo {
	said := map[string]TodoStatus{}
	for _, t := range todos {
		if before, ok := said[t.Subject]; ok && before != t.Status {
			said[t.Subject] = 0
		} else {
			said[t.Subject] = t.Status
		}
	}
	return slices.DeleteFunc(todos, func(t Todo) bool { return said[t.Subject] == 0 })
}

// todosOf finds the items. A completion is an event of its own (Claude's TaskCompleted, with task_subject), or the whole
// list is what a tool was called with: todos of Claude's TodoWrite (content), Gemini's
// write_todos (description) and OpenCode's todo.updated (content), plan of Codex's update_plan (step).
func todosOf(f fields) []Todo {
	if strings.EqualFold(value(f["hook_event_name"], maxValue), "TaskCompleted") {
		if subject := value(f["task_subject"], maxSubject); subject != "" {
			return []Todo{{subject, TodoDone}}
		}
		return nil
	}
	if failedCall(f["tool_response"]) {
		return nil
	}
	lists := []json.RawMessage{f["todos"]}
	var call fields
	if json.Unmarshal(f["tool_input"], &call) == nil {
		lists = append(lists, call["todos"], call["plan"])
	}
	for _, list := range lists {
		var items []json.RawMessage
		if json.Unmarshal(list, &items) != nil || len(items) > maxTodos {
			continue
		}
		var found []Todo
		for _, item := range items {
			if todo, ok := todoOf(item); ok {
				found = append(found, todo)
			}
		}
		if len(found) > 0 {
			return certain(found)
		}
	}
	return nil
}

func todoOf(item json.RawMessage) (Todo, bool) {
	var f fields
	if json.Unmarshal(item, &f) != nil {
		return Todo{}, false
	}
	var todo Todo
	switch value(f["status"], maxValue) {
	case "completed":
		todo.Status = TodoDone
	case "in_progress":
		todo.Status = TodoBegun
	default:
		return Todo{}, false
	}
	for _, name := range []string{"content", "description", "step"} {
		if todo.Subject = value(f[name], maxSubject); todo.Subject != "" {
			return todo, true
		}
	}
	return Todo{}, false
}
