package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// call is one call of the stub.
type call struct {
	Dir   string
	Args  string // without the process's number
	Input map[string]any
}

func callsIn(t *testing.T, name, pid string) (calls []call) {
	t.Helper()
	each, err := filepath.Glob(name + ".*")
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for _, name := range append([]string{name}, each...) {
		part, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if word == "CALL" {
			calls = append(calls, call{Dir: rest})
			continue
		}
		last := &calls[len(calls)-1]
		switch word {
		case "ARG":
			last.Args = strings.TrimPrefix(last.Args+" "+strings.ReplaceAll(rest, pid, "PID"), " ")
		case "IN":
			if err := json.Unmarshal([]byte(rest), &last.Input); err != nil {
				t.Errorf("input %s: %v", rest, err)
			}
		default:
			t.Errorf("a line of an argument's own: %q", line)
		}
	}
	return calls
}

func TestOpenCodePlugin(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not here to run the plugin")
	}
	if filepath.Separator != '/' {
		t.Skip("the stub is a shell script")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(root, name) }
	// Of a gsd that never answers it has enough after five seconds; here one copy of it is hasty.
	hasty := strings.Replace(openCodePlugin, "HYDRATE_MS = 5000", "HYDRATE_MS = 50", 1)
	if hasty == openCodePlugin {
		t.Fatal("the plugin's patience has another name")
	}
	for name, text := range map[string]string{
		"gsd.mjs": openCodePlugin, "copy.mjs": openCodePlugin, "hasty.mjs": hasty,
		"driver.mjs": readTestdata(t, "opencode/driver.mjs"), "bin/gsd": readTestdata(t, "opencode/gsd"),
		"project/a": "", "other/a": "", "calls": "",
	} {
		put(t, at(name), []byte(text))
	}
	if err := os.Chmod(at("bin/gsd"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfifo", at("fifo")).CombinedOutput(); err != nil {
		t.Skipf("no FIFOs here: %v, %s", err, out)
	}
	cmd := exec.Command(node, "driver.mjs")
	cmd.Dir = root
	cmd.Env = []string{
		"PATH=" + at("bin") + ":/usr/bin:/bin", "HOME=" + root, "STUB_LOG=" + at("calls"), "STUB_FIFO=" + at("fifo"), "STUB_MODE=one",
		"PROJECT=" + at("project"), "OTHER=" + at("other"),
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Fatalf("node: %v\n%s\n%s", err, stderr.Bytes(), stdout.Bytes())
	}

	agent, one, two, three := "You are an agent.", "## the brief: one", "## the brief: two", "## the brief: three"
	type part struct{ Type, Text string }
	type report struct {
		Exports, Keys, Types, Hooks                    []string
		ID, SetupOfV1, Thrown                          string
		Title, First, Second, Copies                   []string
		AtOnce                                         [][]string
		Nested, Elsewhere, Unknown, Summary, Compacted []string
		Fail, Big, Stuck, Deaf, Missing                []string
		V2                                             [][]part
		Left                                           []string
	}
	want := report{
		Exports: []string{"default"}, Keys: []string{"id", "server", "setup"}, Types: []string{"function", "function"}, ID: "gsd",
		Hooks:     []string{"dispose", "event", "experimental.chat.system.transform", "experimental.session.compacting"},
		SetupOfV1: "nothing",
		Title:     []string{"You are a title generator. You output ONLY a thread title."},
		First:     []string{agent, one}, Second: []string{agent, one}, Copies: []string{"x", one},
		AtOnce: [][]string{{agent, two}, {agent, two}, {"x", two}},
		Nested: []string{agent}, Elsewhere: []string{agent, two}, Unknown: []string{agent, two},
		Summary: []string{agent}, Compacted: []string{agent, three},
		Fail: []string{agent}, Big: []string{agent}, Stuck: []string{"x"}, Deaf: []string{agent, "deaf"}, Missing: []string{agent},
		V2:   [][]part{{{"text", "x"}, {"text", one}}, {{"text", "x"}, {"text", one}}},
		Left: []string{"s1", "elsewhere", "unknown", "fail", "big", "stuck", "deafxxxxxxxxxxxxxxxx", "missing"},
	}
	var got report
	d := json.NewDecoder(&stdout)
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil || d.More() {
		t.Fatalf("it printed more than the report, or none: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got)\n%s", diff)
	}

	evil := "x\"; touch pwned; $(touch pwned) 'y' `touch pwned`"
	// gsd run list at home, where no project can put a program of its name; where the session is, it is told.
	start := func(id, dir, source string) call {
		return call{root, "hook start --host opencode --pid=PID", map[string]any{"hook_event_name": "SessionStart", "session_id": id, "cwd": dir, "source": source}}
	}
	task := func(id, dir string, todos ...any) call {
		return call{root, "hook task --host opencode --pid=PID", map[string]any{"hook_event_name": "TodoUpdated", "session_id": id, "cwd": dir, "todos": todos}}
	}
	end := func(id, dir string) call {
		return call{root, "hook end --host opencode --pid=PID", map[string]any{"hook_event_name": "SessionEnd", "session_id": id, "cwd": dir}}
	}
	project, other := at("project"), at("other")
	wantCalls := []call{
		start("s1", project, "startup"), start("many", project, "startup"), start("elsewhere", other, "startup"), start("unknown", project, "startup"),
		start("s1", project, "compact"), start("fail", project, "startup"), start("big", project, "startup"),
		start(evil, project, "startup"),
		task(evil, project, map[string]any{"content": evil, "status": "completed"}, map[string]any{"content": "b", "status": ""}),
		end(evil, project),
		start("v2", other, "startup"), task("v2", other, map[string]any{"content": "b", "status": "in_progress"}), end("v2", other),
		end("many", project),
	}
	calls := callsIn(t, at("calls"), fmt.Sprint(cmd.Process.Pid))
	if diff := cmp.Diff(wantCalls, calls[:min(len(wantCalls), len(calls))]); diff != "" {
		t.Errorf("calls (-want +got)\n%s", diff)
	}
	// What is left when it is disposed of ends at once, in no order, and the last one with the process.
	ended := map[string]int{}
	for _, c := range calls[min(len(wantCalls), len(calls)):] {
		id, _ := c.Input["session_id"].(string)
		if c.Args == start(id, project, "").Args && id == "last" {
			continue
		}
		ended[fmt.Sprintf("%.20s", id)]++
		dir := project
		if id == "elsewhere" {
			dir = other
		}
		if diff := cmp.Diff(end(id, dir), c); diff != "" {
			t.Errorf("then (-want +got)\n%s", diff)
		}
	}
	wantEnded := map[string]int{"last": 1}
	for _, id := range want.Left {
		wantEnded[id] = 1
	}
	if diff := cmp.Diff(wantEnded, ended); diff != "" {
		t.Errorf("ended (-want +got)\n%s", diff)
	}
	for _, pattern := range []string{"pwned", "*/pwned"} {
		if names, err := filepath.Glob(at(pattern)); len(names) > 0 || err != nil {
			t.Errorf("a shell read it: %q, %v", names, err)
		}
	}
}
