//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// reply is the stand-in's answer in one turn: a tool call, or text that ends the conversation.
type reply struct {
	shell string         // a command line for the client's own shell tool, whatever its name is there
	tool  string         // or the name of any other tool,
	input map[string]any // and what it is called with
	text  string         // or the last word
}

// request is one request of a client, with its content if it is a question to the model.
type request struct {
	method, path string
	body         []byte
	talk         *talk // nil if it is not a question to the model
}

// talk is a question to the model, independent of the dialect.
type talk struct {
	tools   []tool
	prompts []prompt
	results int // how many tool calls the conversation has had an answer to: the turn that it is in
	stream  bool
}

// prompt is something that the user said, or the client in the user's name.
type prompt struct {
	text    string
	results int // as in talk, when it was said
}

// said and answered are how a dialect tells what a conversation consists of, in its order.
func (t *talk) said(text string) { t.prompts = append(t.prompts, prompt{text, t.results}) }
func (t *talk) answered()        { t.results++ }

// turn returns how many tool calls have had an answer since a prompt with the phrase, and which prompt it is; -1 if
// there is none.
func (t *talk) turn(phrase string) (turn, at int) {
	for at, p := range slices.Backward(t.prompts) {
		if strings.Contains(p.text, phrase) {
			return t.results - p.results, at
		}
	}
	return -1, -1
}

// tool is a tool that a client offers to the model.
type tool struct {
	name   string
	schema schema
}

type schema struct {
	Properties map[string]struct {
		Type any `json:"type"`
	} `json:"properties"`
	Required []string `json:"required"`
}

// standIn is a model that answers from a script. It speaks the clients' dialects: Anthropic Messages, OpenAI
// Responses and Chat Completions, and Gemini generateContent. It keeps no conversation: the next line of the script follows from the number
// of tool results that the client sends with each request, as for real models, so a repeated request gets the same
// reply.
//
// In a conversation of several prompts, each prompt has its own script: see on.
type standIn struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
	arrived  chan struct{} // closed when the next request arrives
	script   []reply
	scripts  map[string][]reply // by a phrase of the prompt
}

// maxRequest limits the size of one request in bytes, and maxRequests their number, in case a client repeats a request
// for ever.
const (
	maxRequest  = 16 << 20
	maxRequests = 200
)

// startStandIn starts a stand-in on a free port of 127.0.0.1; the caller closes it.
func startStandIn(script ...reply) *standIn {
	s := &standIn{script: script, scripts: map[string][]reply{}, arrived: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.answer(readAnthropic, writeAnthropic))
	mux.HandleFunc("POST /v1/messages/count_tokens", s.constant(map[string]any{"input_tokens": 10}))
	mux.HandleFunc("POST /v1/responses", s.answer(readOpenAI, writeOpenAI))
	mux.HandleFunc("POST /v1/chat/completions", s.answer(readCompletions, writeCompletions))
	mux.HandleFunc("POST /v1beta/models/{call}", s.gemini())
	mux.HandleFunc("HEAD /", s.constant(nil))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.record(w, r, nil)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"type":"error","error":{"type":"not_found_error","message":"the stand-in has no such thing"}}`)
	})
	s.Server = httptest.NewServer(mux)
	return s
}

// record keeps the request, with its body and the result of read. It refuses requests past the limits and then returns
// false.
func (s *standIn) record(w http.ResponseWriter, r *http.Request, read func([]byte) (*talk, error)) (request, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return request{}, false
	}
	got := request{method: r.Method, path: r.URL.RequestURI(), body: body}
	if read != nil {
		if got.talk, err = read(body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return request{}, false
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) >= maxRequests {
		http.Error(w, "the stand-in has had enough", http.StatusForbidden)
		return request{}, false
	}
	s.requests = append(s.requests, got)
	close(s.arrived)
	s.arrived = make(chan struct{})
	return got, true
}

// on makes the script the answer to a prompt that contains the phrase. When it is over, the model says so.
func (s *standIn) on(phrase string, script ...reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts[phrase] = append(script, reply{text: "Answer to: " + phrase})
}

// wait waits until the model has been asked a question that fits, and returns the first one.
func (s *standIn) wait(t *testing.T, what string, fits func(request) bool) request {
	t.Helper()
	bound := time.After(waitTime)
	for seen := 0; ; {
		s.mu.Lock()
		got, arrived := s.requests[seen:], s.arrived
		seen = len(s.requests)
		s.mu.Unlock()
		for _, r := range got {
			if r.talk != nil && fits(r) {
				return r
			}
		}
		select {
		case <-arrived:
		case <-bound:
			t.Fatalf("%s did not reach the model in %v; it had %v, and offers %v", what, waitTime, paths(s.all()), s.offered())
		}
	}
}

// offered returns the names of all tools that the client offered.
func (s *standIn) offered() (names []string) {
	for _, r := range s.all() {
		if r.talk != nil {
			for _, o := range r.talk.tools {
				names = append(names, o.name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// prompted waits for the question to the model that a prompt with the phrase begins.
func (s *standIn) prompted(t *testing.T, phrase string) request {
	t.Helper()
	return s.wait(t, fmt.Sprintf("%q", phrase), func(r request) bool { return r.begins(phrase) })
}

// begins reports whether a request is the question that a prompt with the phrase begins.
func (r request) begins(phrase string) bool {
	if r.talk == nil || len(r.talk.tools) == 0 {
		return false
	}
	turn, _ := r.talk.turn(phrase)
	return turn == 0
}

func (s *standIn) constant(body any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, ok := s.record(w, r, nil); ok && body != nil {
			writeJSON(w, body)
		}
	}
}

// answer reads a question in one dialect and writes the script's reply.
func (s *standIn) answer(read func([]byte) (*talk, error), write func(http.ResponseWriter, *talk, reply)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if got, ok := s.record(w, r, read); ok {
			write(w, got.talk, s.turn(got.talk))
		}
	}
}

// turn returns the reply for the current turn of the conversation. A question without tools is not part of it (the
// client asks for a title or a classification): it gets one word and does not advance the script.
func (s *standIn) turn(t *talk) reply {
	script, at := s.script, t.results
	s.mu.Lock()
	latest := []int{-1}
	for phrase, replies := range s.scripts {
		turn, prompt := t.turn(phrase)
		if prompt < 0 {
			continue
		}
		// A prompt may hold what was said before: a summary of it does.
		if place := []int{prompt, strings.LastIndex(t.prompts[prompt].text, phrase)}; slices.Compare(place, latest) > 0 {
			script, at, latest = replies, turn, place
		}
	}
	s.mu.Unlock()
	if len(t.tools) == 0 || at >= len(script) {
		return reply{text: "done"}
	}
	next := script[at]
	if next.shell == "" {
		return next
	}
	name, input, ok := t.shell(next.shell)
	if !ok {
		return reply{text: "the client offers no shell"}
	}
	return reply{tool: name, input: input}
}

// shell finds the client's shell among its tools, and returns its name and the input that runs the command line.
func (t *talk) shell(line string) (name string, input map[string]any, ok bool) {
	for _, want := range []string{"Bash", "exec_command", "shell_command", "shell", "run_shell_command", "bash"} {
		at := slices.IndexFunc(t.tools, func(o tool) bool { return o.name == want })
		if at < 0 {
			continue
		}
		input = map[string]any{}
		for _, field := range t.tools[at].schema.Required {
			input[field] = "run a command" // a description, where one is asked for
		}
		for _, field := range []string{"cmd", "command"} {
			property, has := t.tools[at].schema.Properties[field]
			if has && property.Type == "array" {
				input[field] = []string{"sh", "-c", line}
			} else if has {
				input[field] = line
			}
		}
		return want, input, true
	}
	return "", nil, false
}

// all returns the requests so far, in order.
func (s *standIn) all() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// strings returns every string in the request's JSON, unescaped, one on each line: everything that a model could read.
func (r request) strings() string {
	var body any
	if json.Unmarshal(r.body, &body) != nil {
		return string(r.body)
	}
	var all strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			all.WriteString(v)
			all.WriteByte('\n')
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	walk(body)
	return all.String()
}

func writeJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// writeEvents writes server-sent events, each with the name in its "type" field, if it has one.
func writeEvents(w http.ResponseWriter, events ...map[string]any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		data, err := json.Marshal(event)
		if err != nil {
			panic(err) // maps of strings and numbers always marshal
		}
		if name, has := event["type"]; has {
			_, _ = fmt.Fprintf(w, "event: %s\n", name)
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
}
