package hookinput

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	long, path := strings.Repeat("a", 513), "/"+strings.Repeat("a", 4095)
	for _, c := range []struct {
		name, text string
		want       Input
		err        error
	}{
		{"claude", `{"session_id":"s-1","transcript_path":"/t","cwd":"/p q","hook_event_name":"SessionStart","source":"startup","model":{"id":"m"}}`, Input{Conversation: "s-1", Log: "/t", CWD: "/p q", Event: "SessionStart", Source: "startup"}, nil},
		{"claude's subagent", `{"session_id":"s-1","cwd":"/p","hook_event_name":"SessionStart","source":"startup","agent_id":"a1","agent_type":"Explore"}`, Input{Conversation: "s-1", CWD: "/p", Event: "SessionStart", Source: "startup", Subagent: true}, nil},
		{"claude's executor", `{"hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"gsd-executor"}`, Input{Event: "SubagentStart", Subagent: true, Executes: true}, nil},
		{"a prompt", `{"session_id":"s-1","hook_event_name":"UserPromptSubmit","prompt":"Execute plan 01-02.\n"}`, Input{Conversation: "s-1", Event: "UserPromptSubmit", Prompt: "Execute plan 01-02.\n"}, nil},
		{"a command", `{"hook_event_name":"PreToolUse","permission_mode":"plan","tool_name":"Bash","tool_input":{"command":"gsd done"}}`, Input{Event: "PreToolUse", Mode: "plan", Shell: "gsd done"}, nil},
		{"claude's end", `{"session_id":"s-1","cwd":"/p","hook_event_name":"SessionEnd","reason":"prompt_input_exit"}`, Input{Conversation: "s-1", CWD: "/p", Event: "SessionEnd", Reason: "prompt_input_exit"}, nil},
		{"copilot", `{"timestamp":1,"sessionId":"s-2","cwd":"C:\\p","hookEventName":"sessionStart","source":"new"}`, Input{Conversation: "s-2", CWD: `C:\p`, Event: "sessionStart", Source: "new"}, nil},
		{"claude's status line", `{"session_id":"s-1","cwd":7,"workspace":{"current_dir":"/w","project_dir":"/p"}}`, Input{Conversation: "s-1", CWD: "/w"}, nil},
		{"cursor", `{"conversation_id":"c-3","generation_id":"g","hook_event_name":"sessionStart","workspace_roots":["/r","/s"]}`, Input{Conversation: "c-3", CWD: "/r", Event: "sessionStart"}, nil},
		{"all names at once", `{"conversation_id":"c","sessionId":"b","session_id":"a","workspace_roots":["/r"],"cwd":"/p","hookEventName":"y","hook_event_name":"x"}`, Input{Conversation: "a", CWD: "/p", Event: "x"}, nil},
		{"the first good one of them", `{"conversation_id":"c","sessionId":"$b","session_id":7,"workspace_roots":["/r"],"cwd":["/p"],"hookEventName":"y","hook_event_name":null}`, Input{Conversation: "c", CWD: "/r", Event: "y"}, nil},

		{"empty", "", Input{}, nil},
		{"byte order mark", "\ufeff{\"cwd\":\"/p\"}\r\n", Input{CWD: "/p"}, nil},
		{"unknown fields", `{"x":{"session_id":"a"},"y":[{"cwd":"/p"}]}`, Input{}, nil},
		{"names in another case", `{"SESSION_ID":"a","Cwd":"/p"}`, Input{}, nil},
		{"the same name twice", `{"cwd":"/p","cwd":"/q"}`, Input{CWD: "/q"}, nil},

		{"wrong types", `{"session_id":{"a":1},"cwd":false,"hook_event_name":1e99,"source":["s"],"reason":"r"}`, Input{Reason: "r"}, nil},
		{"wrong roots", `{"workspace_roots":"/r"}`, Input{}, nil},
		{"control characters", `{"cwd":"/p\u001b[31m","source":"a\nb","reason":"\u0085","hook_event_name":"a\u0000"}`, Input{}, nil},
		{"no UTF-8", "{\"cwd\":\"/p\xff\",\"source\":\"\\ud800\"}", Input{}, nil},
		{"the longest path", `{"cwd":"` + path + `"}`, Input{CWD: path}, nil},
		{"the longest first root", `{"workspace_roots":["` + path + `"]}`, Input{CWD: path}, nil},
		{"a path that is too long", `{"cwd":"` + path + `/","workspace_roots":["` + path + `b"]}`, Input{}, nil},
		{"too long", `{"reason":"` + long + `","hook_event_name":"` + long + `","session_id":"` + long[:129] + `","source":"` + long[:512] + `"}`, Input{Source: long[:512]}, nil},
		{"ids for a shell", `{"session_id":"$(touch x)"}`, Input{}, nil},

		{"text", "hello", Input{}, errInputNotJSON},
		{"torn", `{"session_id":"a"`, Input{}, errInputNotJSON},
		{"a list", `[{"session_id":"a"}]`, Input{}, errInputNotJSON},
		{"two objects", `{"cwd":"/p"}{"cwd":"/q"}`, Input{}, errInputNotJSON},
		{"deep inside", `{"cwd":"/p","x":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}", Input{}, errInputNotJSON},

		{"1 MiB", `{"cwd":"/p","answer":"` + strings.Repeat("x", maxInput-len(`{"cwd":"/p","answer":""}`)) + `"}`, Input{CWD: "/p"}, nil},
		{"more than 1 MiB", `{"cwd":"/p","prompt":"` + strings.Repeat("x", maxInput-len(`{"cwd":"/p","prompt":""}`)+1) + `"}`, Input{}, errInputTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for name, r := range map[string]io.Reader{
					"whole":       strings.NewReader(c.text),
					"in halves":   iotest.HalfReader(strings.NewReader(c.text)),
					"end at once": iotest.DataErrReader(strings.NewReader(c.text)),
				} {
					got, err := Read(r, time.Second)
					if !cmp.Equal(got, c.want) || !errors.Is(err, c.err) {
						t.Errorf("%s: %+v, %v", name, got, err)
					}
				}
			})
		})
	}
}

// A pipe that nobody closes holds nobody up for longer than was said.
func TestReadOpen(t *testing.T) {
	const whole = `{"session_id":"a"}`
	for _, c := range []struct {
		name string
		text []string // written with a second between them
		want Input
		err  error
		took time.Duration
	}{
		{"nothing comes", nil, Input{}, os.ErrDeadlineExceeded, 3500 * time.Millisecond},
		{"all comes, no end", []string{whole}, Input{Conversation: "a"}, nil, 50 * time.Millisecond},
		{"all comes in two parts, no end", []string{whole[:9], whole[9:]}, Input{Conversation: "a"}, nil, 1050 * time.Millisecond},
		{"half comes", []string{whole[:9]}, Input{}, os.ErrDeadlineExceeded, 3500 * time.Millisecond},
		{"the rest comes too late", []string{whole[:9], "", "", "", whole[9:]}, Input{}, os.ErrDeadlineExceeded, 3500 * time.Millisecond},
		{"blanks for ever", strings.Split(strings.Repeat(" ", 30), ""), Input{}, os.ErrDeadlineExceeded, 3500 * time.Millisecond},
		{"too much, no end", []string{strings.Repeat("{", maxInput+1)}, Input{}, errInputTooLarge, 3500 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var writer sync.WaitGroup
				defer writer.Wait()
				r, w := io.Pipe()
				defer r.Close() // ends what still reads or writes
				writer.Go(func() {
					for _, text := range c.text {
						if _, err := io.WriteString(w, text); err != nil {
							return
						}
						time.Sleep(time.Second) // of the bubble's clock
					}
				})
				begin := time.Now()
				got, err := Read(r, 3500*time.Millisecond)
				if took := time.Since(begin); took != c.took {
					t.Errorf("took %v", took)
				}
				if !cmp.Equal(got, c.want) || !errors.Is(err, c.err) {
					t.Errorf("%+v, %v", got, err)
				}
			})
		})
	}
}

// endless gives the same bytes for ever.
type endless string

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }

func TestReadBadReaders(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		r    io.Reader
		want error
	}{
		"too much":     {endless(strings.Repeat("{", 32<<10)), errInputTooLarge},
		"broken":       {iotest.ErrReader(broken), broken},
		"broken later": {io.MultiReader(strings.NewReader(`{"cwd":"/p"}`), iotest.ErrReader(broken)), broken},
	} {
		if got, err := Read(c.r, time.Hour); !cmp.Equal(got, Input{}) || !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// FuzzInput checks what holds for any bytes.
func FuzzInput(f *testing.F) {
	for _, s := range []string{
		`{"session_id":"s-1","cwd":"/p","hook_event_name":"SessionStart","source":"startup","reason":"clear"}`,
		"\ufeff{\"sessionId\":\"\\u001b\",\"workspace_roots\":[\"/r\"],\"hookEventName\":7}\n",
		`{"conversation_id":"a b","cwd":"\ud800","source":null}`, `[]`, `{"cwd":`, ` `, "{}{}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := Read(bytes.NewReader(text), time.Hour)
		again, err2 := Read(iotest.HalfReader(bytes.NewReader(text)), time.Hour)
		if !cmp.Equal(got, again) || !errors.Is(err2, err) {
			t.Fatalf("%+v, %v; in parts %+v, %v", got, err, again, err2)
		}
		if err != nil && !cmp.Equal(got, Input{}) {
			t.Fatalf("%+v beside %v", got, err)
		}
		if got.Conversation != "" && !ValidConversation(got.Conversation) {
			t.Fatalf("%q", got.Conversation)
		}
		texts := []string{got.Event, got.Source, got.Reason, got.CWD}
		for i, s := range texts {
			if len(s) > maxPath || i < 3 && len(s) > maxValue || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
				t.Fatalf("%q", s)
			}
		}
		trimmed := bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
		object := len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(trimmed)
		if len(text) <= maxInput && (err == nil) != (object || len(trimmed) == 0) {
			t.Fatalf("%v for %q", err, text)
		}
	})
}

func TestStartsSession(t *testing.T) {
	for _, test := range []struct {
		in   Input
		want bool
	}{
		{Input{Event: "SessionStart"}, true},
		{Input{Event: "sessionStart", Source: "resume"}, true},
		{Input{Source: "startup"}, true}, // Copilot
		{Input{}, false},
		{Input{Event: "UserPromptSubmit", Source: "startup"}, false},
		{Input{Event: "SessionStart", Subagent: true}, false},
	} {
		if got := test.in.StartsSession(); got != test.want {
			t.Errorf("%+v: %t", test.in, got)
		}
	}
}
