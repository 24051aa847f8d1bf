//go:build e2e

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
)

// A reply is what the stand-in answers in one turn: a call of a tool, or text that ends the
// conversation.
type reply struct {
	shell string         // a command line for the client's own shell tool, whatever its name is there
	tool  string         // or the name of any other tool,
	input map[string]any // and what it is called with
	text  string         // or the last word
}

// A request is one thing that a client sent, and when it is a question to the model, what it holds.
type request struct {
	method, path string
	body         []byte
	talk         *talk // nil for what is not a question to the model
}

// A talk is a question to the model, in words that the three dialects share.
type talk struct {
	tools   []tool
	results int // how many tool calls the conversation has had an answer to: the turn that it is in
	stream  bool
}

// A tool is what a client offers to the model.
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

// A standIn is a model that answers from a script. It speaks what the three clients speak: Anthropic
// Messages, OpenAI Responses and Gemini generateContent. It keeps no conversation: which line of the
// script comes next it counts from the answers that the client sends back with each request, as the
// real models see them, so a repeated request gets the same reply.
type standIn struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
	script   []reply
}

// maxRequest bounds one request in bytes, and maxRequests all of them: a client that asks the same
// thing for ever is told no.
const (
	maxRequest  = 16 << 20
	maxRequests = 200
)

// startStandIn starts a stand-in on a free port of 127.0.0.1; the caller closes it.
func startStandIn(script ...reply) *standIn {
	s := &standIn{script: script}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.answer(readAnthropic, writeAnthropic))
	mux.HandleFunc("POST /v1/messages/count_tokens", s.constant(map[string]any{"input_tokens": 10}))
	mux.HandleFunc("POST /v1/responses", s.answer(readOpenAI, writeOpenAI))
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

// record keeps the request, with its body and what read makes of it. A client past the bounds is
// refused, and false comes back.
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
	return got, true
}

func (s *standIn) constant(body any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, ok := s.record(w, r, nil); ok && body != nil {
			writeJSON(w, body)
		}
	}
}

// answer takes a question in one dialect and writes the script's reply to it.
func (s *standIn) answer(read func([]byte) (*talk, error), write func(http.ResponseWriter, *talk, reply)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if got, ok := s.record(w, r, read); ok {
			write(w, got.talk, s.turn(got.talk))
		}
	}
}

// turn gives the reply for where the conversation is. A question without tools is one that the client
// asks aside (a title, a classification): it gets a word and does not move the script.
func (s *standIn) turn(t *talk) reply {
	if len(t.tools) == 0 || t.results >= len(s.script) {
		return reply{text: "done"}
	}
	next := s.script[t.results]
	if next.shell == "" {
		return next
	}
	name, input, ok := t.shell(next.shell)
	if !ok {
		return reply{text: "the client offers no shell"}
	}
	return reply{tool: name, input: input}
}

// shell finds the client's shell among its tools, and gives the name and the input that runs the
// command line in it.
func (t *talk) shell(line string) (name string, input map[string]any, ok bool) {
	for _, want := range []string{"Bash", "exec_command", "shell_command", "shell", "run_shell_command"} {
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

// all gives what was asked so far, in order.
func (s *standIn) all() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// strings gives every string in the request's JSON, unescaped, a line each: what a model could read.
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

// writeEvents writes server-sent events, each with the name in its "type" field where it has one.
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
