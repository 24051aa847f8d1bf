package agent

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/hookinput"
)

// TestNameTodos finds the subjects of items in Claude's list, and none where there is no such file.
func TestNameTodos(t *testing.T) {
	home := t.TempDir()
	at := filepath.Join(home, ".claude", "tasks", "c-1")
	for name, text := range map[string]string{
		"1.json": `{"id":"1","subject":"01-02 T1: Write it","description":"d","status":"in_progress"}`,
		"2.json": `{"subject":"a` + "\\n" + `b"}`, "3.json": "torn {", "4.json": strings.Repeat(" ", maxTaskFile) + "{}",
	} {
		put(t, filepath.Join(at, name), []byte(text))
	}
	env := map[string]string{}
	get := func(key string) string { return env[key] }
	for _, c := range []struct{ conversation, id, want string }{
		{"c-1", "1", "01-02 T1: Write it"},
		{"c-1", "2", ""},
		{"c-1", "3", ""},
		{"c-1", "4", ""},
		{"c-1", "5", ""},
		{"c-2", "1", ""},
		{"", "1", ""},
		{"..", "1", ""},
		{"a/../c-1", "1", ""},
	} {
		todos := []hookinput.Todo{{ID: c.id}}
		if NameTodos(Claude, get, home, c.conversation, todos); todos[0].Subject != c.want {
			t.Errorf("%s, %s: %q, want %q", c.conversation, c.id, todos[0].Subject, c.want)
		}
	}
	env = map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(home, ".claude")}
	todos := []hookinput.Todo{{Subject: "named", ID: "1"}, {ID: "1"}}
	if NameTodos(Claude, get, "", "c-1", todos); todos[0].Subject != "named" || todos[1].Subject != "01-02 T1: Write it" {
		t.Errorf("%v", todos)
	}
}
