//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// dialects_test.go: the dialects. Each parses the parts of a question that the stand-in needs, and writes one
// reply, as a stream if the client asks for one.

func readAnthropic(body []byte) (*talk, error) {
	var asked struct {
		Stream bool `json:"stream"`
		Tools  []struct {
			Name        string `json:"name"`
			InputSchema schema `json:"input_schema"`
		} `json:"tools"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"` // a string or a list of blocks
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		return nil, err
	}
	t := &talk{stream: asked.Stream}
	for _, o := range asked.Tools {
		t.tools = append(t.tools, tool{o.Name, o.InputSchema})
	}
	for _, m := range asked.Messages {
		answers, text := content(m.Content, "tool_result")
		for range answers {
			t.answered()
		}
		if m.Role == "user" && answers == 0 {
			t.said(text)
		}
	}
	return t, nil
}

// content reads what a message says, which is a string or a list of blocks: how many blocks have the type, and the text
// of all.
func content(of json.RawMessage, kind string) (number int, text string) {
	var blocks []struct {
		Type, Text string
	}
	if json.Unmarshal(of, &text) == nil || json.Unmarshal(of, &blocks) != nil {
		return 0, text
	}
	for _, b := range blocks {
		if b.Type == kind {
			number++
		}
		text += b.Text + "\n"
	}
	return number, text
}

func writeAnthropic(w http.ResponseWriter, t *talk, r reply) {
	block, empty := map[string]any{"type": "text", "text": r.text}, map[string]any{"type": "text", "text": ""}
	delta, stop := map[string]any{"type": "text_delta", "text": r.text}, "end_turn"
	if r.tool != "" {
		id := fmt.Sprintf("toolu_%02d", t.results)
		block = map[string]any{"type": "tool_use", "id": id, "name": r.tool, "input": r.input}
		empty = map[string]any{"type": "tool_use", "id": id, "name": r.tool, "input": map[string]any{}}
		delta, stop = map[string]any{"type": "input_json_delta", "partial_json": encode(r.input)}, "tool_use"
	}
	message := map[string]any{
		"id": fmt.Sprintf("msg_%02d", t.results), "type": "message", "role": "assistant", "model": "stand-in",
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 10, "output_tokens": 1},
	}
	if !t.stream {
		message["content"], message["stop_reason"] = []any{block}, stop
		writeJSON(w, message)
		return
	}
	writeEvents(w,
		map[string]any{"type": "message_start", "message": message},
		map[string]any{"type": "content_block_start", "index": 0, "content_block": empty},
		map[string]any{"type": "content_block_delta", "index": 0, "delta": delta},
		map[string]any{"type": "content_block_stop", "index": 0},
		map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 10}},
		map[string]any{"type": "message_stop"},
	)
}

func readOpenAI(body []byte) (*talk, error) {
	var asked struct {
		Stream bool `json:"stream"`
		Tools  []struct {
			Type       string `json:"type"`
			Name       string `json:"name"`
			Parameters schema `json:"parameters"`
		} `json:"tools"`
		Input json.RawMessage `json:"input"` // a string or a list of items
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		return nil, err
	}
	t := &talk{stream: asked.Stream}
	for _, o := range asked.Tools {
		t.tools = append(t.tools, tool{o.Name, o.Parameters})
	}
	var items []struct {
		Type    string          `json:"type"`
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(asked.Input, &items)
	for _, i := range items {
		if i.Type == "function_call_output" {
			t.answered()
		}
		if i.Role == "user" {
			_, text := content(i.Content, "")
			t.said(text)
		}
	}
	return t, nil
}

func writeOpenAI(w http.ResponseWriter, t *talk, r reply) {
	item := map[string]any{
		"type": "message", "id": fmt.Sprintf("msg_%02d", t.results), "role": "assistant", "status": "completed",
		"content": []any{map[string]any{"type": "output_text", "text": r.text, "annotations": []any{}}},
	}
	if r.tool != "" {
		item = map[string]any{
			"type": "function_call", "id": fmt.Sprintf("fc_%02d", t.results), "call_id": fmt.Sprintf("call_%02d", t.results),
			"name": r.tool, "arguments": encode(r.input), "status": "completed",
		}
		if group, name, ok := strings.Cut(r.tool, "."); ok { // Codex groups some of its tools
			item["namespace"], item["name"] = group, name
		}
	}
	response := func(status string, output ...any) map[string]any {
		return map[string]any{
			"id": fmt.Sprintf("resp_%02d", t.results), "object": "response", "status": status, "model": "stand-in", "output": output,
			"usage": map[string]any{
				"input_tokens": 10, "input_tokens_details": map[string]any{"cached_tokens": 0},
				"output_tokens": 10, "output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": 20,
			},
		}
	}
	if !t.stream {
		writeJSON(w, response("completed", item))
		return
	}
	writeEvents(w,
		map[string]any{"type": "response.created", "response": response("in_progress")},
		map[string]any{"type": "response.output_item.added", "output_index": 0, "item": item},
		map[string]any{"type": "response.output_item.done", "output_index": 0, "item": item},
		map[string]any{"type": "response.completed", "response": response("completed", item)},
	)
}

// gemini answers models/NAME:METHOD. The method, not the body, says whether to stream.
func (s *standIn) gemini() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, method, _ := strings.Cut(r.PathValue("call"), ":")
		switch method {
		case "generateContent", "streamGenerateContent":
			s.answer(func(body []byte) (*talk, error) {
				t, err := readGemini(body)
				if err == nil {
					t.stream = method == "streamGenerateContent"
				}
				return t, err
			}, writeGemini)(w, r)
		case "countTokens":
			s.constant(map[string]any{"totalTokens": 10})(w, r)
		default:
			s.record(w, r, nil)
			http.NotFound(w, r)
		}
	}
}

func readGemini(body []byte) (*talk, error) {
	var asked struct {
		Tools []struct {
			Functions []struct {
				Name       string `json:"name"`
				Parameters schema `json:"parameters"`
				JSONSchema schema `json:"parametersJsonSchema"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
		Contents []struct {
			Role  string `json:"role"`
			Parts []struct {
				Text     string          `json:"text"`
				Response json.RawMessage `json:"functionResponse"`
			} `json:"parts"`
		} `json:"contents"`
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		return nil, err
	}
	t := &talk{}
	for _, group := range asked.Tools {
		for _, f := range group.Functions {
			one := tool{f.Name, f.JSONSchema}
			if len(one.schema.Properties) == 0 {
				one.schema = f.Parameters
			}
			t.tools = append(t.tools, one)
		}
	}
	for _, c := range asked.Contents {
		text, answers := "", 0
		for _, p := range c.Parts {
			text += p.Text + "\n"
			if p.Response != nil {
				answers++
				t.answered()
			}
		}
		if c.Role == "user" && answers == 0 {
			t.said(text)
		}
	}
	return t, nil
}

func writeGemini(w http.ResponseWriter, t *talk, r reply) {
	part := map[string]any{"text": r.text}
	if r.tool != "" {
		part = map[string]any{"functionCall": map[string]any{"id": fmt.Sprintf("call_%02d", t.results), "name": r.tool, "args": r.input}}
	}
	answer := map[string]any{
		"candidates": []any{map[string]any{
			"content": map[string]any{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0,
		}},
		// Gemini does not compact what has few tokens.
		"usageMetadata": map[string]any{"promptTokenCount": 10000, "candidatesTokenCount": 10, "totalTokenCount": 10010},
		"modelVersion":  "stand-in",
	}
	if t.stream {
		writeEvents(w, answer)
	} else {
		writeJSON(w, answer)
	}
}

func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings always marshal
	}
	return string(data)
}
