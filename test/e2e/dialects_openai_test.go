//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// dialects_openai_test.go: OpenAI's chat completions, which Copilot, OpenCode and Qwen Code speak to a provider of one's own.

func readCompletions(body []byte) (*talk, error) {
	var asked struct {
		Stream bool `json:"stream"`
		Tools  []struct {
			Function struct {
				Name       string `json:"name"`
				Parameters schema `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"` // a string or a list of parts
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		return nil, err
	}
	t := &talk{stream: asked.Stream}
	for _, o := range asked.Tools {
		t.tools = append(t.tools, tool{o.Function.Name, o.Function.Parameters})
	}
	for _, m := range asked.Messages {
		switch m.Role {
		case "tool":
			t.answered()
		case "user":
			_, text := content(m.Content, "")
			t.said(text)
		}
	}
	return t, nil
}

func writeCompletions(w http.ResponseWriter, t *talk, r reply) {
	message, reason := map[string]any{"role": "assistant", "content": r.text}, "stop"
	if r.tool != "" {
		call := map[string]any{
			"index": 0, "id": fmt.Sprintf("call_%02d", t.results), "type": "function",
			"function": map[string]any{"name": r.tool, "arguments": encode(r.input)},
		}
		message, reason = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}, "tool_calls"
	}
	chunk := func(object, key string, message map[string]any, reason any) map[string]any {
		return map[string]any{
			"id": fmt.Sprintf("chatcmpl-%02d", t.results), "object": object, "created": 1, "model": "stand-in",
			"choices": []any{map[string]any{"index": 0, key: message, "finish_reason": reason}},
			// Qwen does not compact what has few tokens.
			"usage": map[string]any{"prompt_tokens": 10000, "completion_tokens": 10, "total_tokens": 10010},
		}
	}
	if !t.stream {
		writeJSON(w, chunk("chat.completion", "message", message, reason))
		return
	}
	writeEvents(w,
		chunk("chat.completion.chunk", "delta", message, nil),
		chunk("chat.completion.chunk", "delta", map[string]any{}, reason),
	)
}
