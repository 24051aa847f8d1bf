package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/text"
)

// timeOf is the time in a brief.
var timeOf = lazyRegexp(`State of [-0-9: ]+ UTC`)

// hook runs a hook in the place as a host does, within this process, and holds it to its law: it ends with 0 and says
// nothing on standard error. env is added to what the place has. It gives what was printed.
func (p *place) hook(stdin io.Reader, env []string, words ...string) string {
	p.t.Helper()
	return p.hookAt(time.Now, stdin, env, words...)
}

// hookAt runs a hook at a time.
func (p *place) hookAt(now func() time.Time, stdin io.Reader, env []string, words ...string) string {
	p.t.Helper()
	var stdout, stderr bytes.Buffer
	a := &program{
		stdin: stdin, stdout: &stdout, stderr: &stderr, dir: p.dir, now: now,
		env: append(p.env(), env...),
	}
	if code := a.run(context.Background(), words); code != 0 || stderr.Len() > 0 {
		p.t.Fatalf("gsd %q: exit code %d, %s", words, code, &stderr)
	}
	return stdout.String()
}

// textIn takes the text out of what a hook printed for a host, which must be the host's envelope with the names that it
// has to have and no others. Nothing is no text. event is the name that the envelope is to carry.
func textIn(name, event, out string) (string, error) {
	if out == "" || name == "" || name == agent.OpenCode && out[0] != '{' { // bare
		return out, nil
	}
	type output struct {
		Event *string `json:"hookEventName"`
		Text  *string `json:"additionalContext"`
	}
	var envelope struct {
		Output  *output `json:"hookSpecificOutput"`
		Copilot *string `json:"additionalContext"`
		Cursor  *string `json:"additional_context"`
		Notice  *string `json:"systemMessage"` // what the person reads
	}
	dec := json.NewDecoder(strings.NewReader(out))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&envelope); err != nil {
		return "", err
	}
	if rest, _ := io.ReadAll(dec.Buffered()); strings.Count(out, "\n") != 1 || strings.TrimSpace(string(rest)) != "" || out[0] != '{' {
		return "", fmt.Errorf("not one object on one line")
	}
	if notice := envelope.Notice; notice != nil {
		switch {
		case name == agent.Copilot || name == agent.Cursor:
			return "", fmt.Errorf("a text for the person, which %s does not know", name)
		case !strings.HasPrefix(*notice, "gsd: ") || len([]rune(*notice)) > 200 || *notice != text.Defang(text.Cut(text.Line(*notice), 200)):
			return "", fmt.Errorf("the person is told %q", *notice)
		}
	}
	for _, text := range []*string{envelope.Copilot, envelope.Cursor} {
		if text == nil {
			continue
		}
		if (name == agent.Copilot || name == agent.OpenCode) == (text == envelope.Copilot) && (name == agent.Cursor) == (text == envelope.Cursor) &&
			envelope.Output == nil && (envelope.Copilot == nil || envelope.Cursor == nil) {
			return *text, nil
		}
		return "", fmt.Errorf("another host's envelope")
	}
	if !slices.Contains([]string{agent.Claude, agent.Codex, agent.Gemini, agent.Qwen}, name) || envelope.Output == nil || envelope.Output.Text == nil || envelope.Output.Event == nil {
		return "", fmt.Errorf("another host's envelope, or not all of it")
	}
	if *envelope.Output.Event != event {
		return "", fmt.Errorf("the event is %q", *envelope.Output.Event)
	}
	return *envelope.Output.Text, nil
}

// printers are the command lines that print a brief, by host; "" is bare.
func printers() map[string][]string {
	all := map[string][]string{"": {"hydrate", "--inline"}}
	for _, name := range agent.Names() {
		all[name] = []string{"hook", "start", "--host", name}
	}
	return all
}

// TestEnvelope: each host gets exactly what it reads, around the same text.
func TestEnvelope(t *testing.T) {
	p := newPlace(t)
	p.run("bootstrap 01-02")
	for _, test := range []struct{ input, event string }{
		{`{"hook_event_name":"SessionStart","source":"startup"}`, "SessionStart"},
		{`{"hook_event_name":"SessionStart","source":"compact"}`, "SessionStart"},
		{`{"hook_event_name":"UserPromptSubmit","prompt":"x"}`, "UserPromptSubmit"},
		{`{"hook_event_name":"SubagentStart"}`, "SubagentStart"},
		{`{"hook_event_name":"PreToolUse"}`, "SessionStart"}, // its answer has no place for a text
		{`{"hook_event_name":"sessionStart"}`, "SessionStart"},
		{`{"hook_event_name":"\u001b[31m"}`, "SessionStart"},
		{`{"hook_event_name":7}`, "SessionStart"},
		{"", "SessionStart"},
	} {
		texts := map[string]bool{}
		for name, words := range printers() {
			out := p.hook(strings.NewReader(test.input), nil, words...)
			text, err := textIn(name, test.event, out)
			if err != nil {
				t.Fatalf("%s, %s: %v: %s", name, test.input, err, out)
			}
			if !strings.HasPrefix(text, "## gsd: session on 01-02\n") || !strings.Contains(text, "\n- resume at task 1: Add a note\n") {
				t.Errorf("%s, %s: %q", name, test.input, text)
			}
			text, _, _ = strings.Cut(text, "\n- At work") // the first of them began a run
			texts[timeOf().ReplaceAllString(strings.TrimSpace(text), "")] = true
		}
		if len(texts) != 1 {
			t.Errorf("%s: %q", test.input, slices.Sorted(maps.Keys(texts)))
		}
	}
}

// TestHookInput: what a host may hand over, and where the project is looked for. Whatever it is, the brief is there in
// the project, and nothing outside of one.
func TestHookInput(t *testing.T) {
	p := newPlace(t)
	p.write("src/deep/x.go", "package x\n")
	outside := t.TempDir()
	project := p.dir
	input := func(name, value string) string {
		text, err := json.Marshal(map[string]any{name: value, "hook_event_name": "UserPromptSubmit", "unknown": []int{1}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	list := func(s string) string { return strings.Replace(s, `:"`, `:["`, 1) } // with one name, the first
	roots, err := json.Marshal(map[string]any{"workspace_roots": []string{project, outside}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, input string
		dir         string // where the hook runs
		env         []string
		flags       []string
		speaks      bool
	}{
		{"empty", "", project, nil, nil, true},
		{"torn", `{"cwd":"` + outside, project, nil, nil, true},
		{"with a byte order mark", "\ufeff" + input("cwd", project), outside, nil, nil, true},
		{"no input, outside", "", outside, nil, nil, false},
		{"cwd", input("cwd", project), outside, nil, nil, true},
		{"cwd in a sub-directory", input("cwd", filepath.Join(project, "src", "deep")), outside, nil, nil, true},
		{"cwd outside", input("cwd", outside), outside, nil, nil, false},
		{"cwd that is not there", input("cwd", filepath.Join(outside, "gone")), outside, []string{"CLAUDE_PROJECT_DIR=" + project}, nil, true},
		{"relative cwd", input("cwd", "."), outside, nil, nil, false},
		{"the host's own variable", "{}", outside, []string{"GEMINI_PROJECT_DIR=" + project}, nil, true},
		{"a relative variable", "{}", outside, []string{"CLAUDE_PROJECT_DIR=."}, nil, false},
		{"Cursor's roots", string(roots), outside, nil, nil, true},
		{"Cursor's roots, none", `{"workspace_roots":[]}`, outside, nil, nil, false},
		{"a list for a cwd", list(input("cwd", project)), outside, nil, nil, false},
		{"-C", input("cwd", outside), outside, nil, []string{"-C", project}, true},
		{"-C wins", input("cwd", project), project, nil, []string{"-C", outside}, false},
		{"over 1 MiB", `{"prompt":"` + strings.Repeat("x", 1<<20) + `","cwd":"` + outside + `"}`, project, nil, nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &place{t, test.dir, p.home}
			for name, words := range printers() {
				if name == "" {
					continue // it reads no input
				}
				out := p.hook(strings.NewReader(test.input), test.env, append(words, test.flags...)...)
				if strings.Contains(out, "## gsd: no session on a plan") != test.speaks || !test.speaks && out != "" {
					t.Errorf("%s: %q", name, out)
				}
			}
		})
	}
	if _, err := os.Stat(filepath.Join(project, ".planning", "sessions")); err == nil {
		t.Error("it left something behind")
	}
}

// TestHookWaits: the real program, on what it may be given as standard input; a pipe that nobody closes is no reason to
// wait for ever.
func TestHookWaits(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for deadlines")
	}
	t.Parallel()
	p := newPlace(t)
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, test := range []struct {
		name  string
		input string // what stands in the pipe; "-" for /dev/null
		words []string
		want  string
	}{
		{"nothing in an open pipe", "", []string{"hook", "start", "--host", "claude"}, "gsd: no session"},
		{"half of it in an open pipe", `{"session_id":"s"`, []string{"statusline"}, "no session"},
		{"an object in an open pipe", `{"session_id":"s"}`, []string{"hook", "start", "--host", "codex"}, "gsd: no session"},
		{"the end of a conversation in an open pipe", `{"session_id":"s"}`, []string{"hook", "end"}, ""},
		{"a device", "-", []string{"hook", "start", "--host", "gemini"}, "gsd: no session"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close() // when the program has ended
			if _, err := w.WriteString(strings.TrimPrefix(test.input, "-")); err != nil {
				t.Fatal(err)
			}
			var stderr bytes.Buffer
			cmd := exec.Command("gsd", test.words...)
			cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = p.dir, p.env(), r, &stderr
			if test.input == "-" {
				if cmd.Stdin, err = os.Open(os.DevNull); err != nil {
					t.Fatal(err)
				}
			}
			out, err := cmd.Output()
			if err != nil || stderr.Len() > 0 || !strings.Contains(string(out), test.want) || test.want == "" && len(out) > 0 {
				t.Errorf("%v, %q, %s", err, out, &stderr)
			}
		})
	}
}

// TestHookTwice: a start that two of gsd's hooks are called at is told once; later, and in another process, it is another start.
func TestHookTwice(t *testing.T) {
	p := newPlace(t)
	p.run("bootstrap 01-02")
	now := time.Now()
	for _, test := range []struct {
		name  string
		pid   int
		after time.Duration
		told  bool
	}{
		{"first", 1001, 0, true},
		{"twin", 1001, 0, false},
		{"another process", 1002, 0, true},
		{"later", 1002, time.Minute, true},
	} {
		at := now.Add(test.after)
		out := p.hookAt(func() time.Time { return at }, strings.NewReader(`{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}`), nil,
			"hook", "start", "--host", "claude", fmt.Sprintf("--pid=%d", test.pid))
		if (out != "") != test.told {
			t.Errorf("%s: %q", test.name, out)
		}
	}
}

// TestHookProcess: what is not a process's number is ignored.
func TestHookProcess(t *testing.T) {
	p := newPlace(t)
	p.run("bootstrap 01-02")
	for i, pid := range []string{"--pid=$PPID", "--pid=", "--pid=0", "--pid=1", "--pid=-5", "--pid=99999999999", "--pid=7 7", "--pid=\x1b[31m"} {
		input := fmt.Sprintf(`{"session_id":"s-%d","hook_event_name":"SessionStart"}`, i)
		out := p.hook(strings.NewReader(input), nil, "hook", "start", "--host", "claude", pid)
		if text, err := textIn(agent.Claude, "SessionStart", out); err != nil || !strings.HasPrefix(text, "## gsd: session on 01-02\n") {
			t.Errorf("%s: %v, %s", pid, err, out)
		}
		var runs jsonRuns
		if err := json.Unmarshal(p.run("run list --json"), &runs); err != nil || len(runs.Runs) != i+1 || runs.Runs[0].PID != 0 {
			t.Errorf("%s: %v, %+v", pid, err, runs.Runs)
		}
		p.hook(strings.NewReader(input), nil, "hook", "end", "--host", "claude", pid)
	}
}

// TestHookLaw: a hook whose command line is wrong, or of a later gsd, says nothing, and ends with 0.
func TestHookLaw(t *testing.T) {
	p := newPlace(t)
	p.run("bootstrap 01-02")
	for _, line := range []string{
		"hook start --host claude --frobnicate", "hook start --host=codex one", "hydrate --inline x", "--frobnicate hook start --host gemini",
		"statusline x", "statusline --frobnicate", "hook end x", "hook task --host claude --pid=1", "hook end --host claude --pid", "hook start --host claude --pid",
		"hook", "hook later", "hook later --host claude", "hook start --host later", "hook later --host later --pid=1 --later", "hook help",
		"hook --later", "-C . hook later", "hook start later --host later", "hook start --host", "statusline --host later", "statusline later --host",
		"hook end --frobnicate", "hook compact -C", "statusline -C", "hook end -C nowhere --host claude", "statusline -C nowhere",
	} {
		for _, input := range []string{`{"session_id":"s","hook_event_name":"SessionStart"}`, "", "[rubbish \x00\xff", strings.Repeat("{", 1<<20)} {
			if out := p.hook(strings.NewReader(input), nil, strings.Fields(line)...); out != "" {
				t.Errorf("%s: %q", line, out)
			}
		}
	}
}
