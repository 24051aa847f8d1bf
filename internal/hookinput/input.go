// Package hookinput reads what a host tells a hook on its standard input: which conversation it is about, and an agent
// that is about to be started. Each host has names of its own for them.
//
// What a host says is not trusted: a value that is too long or malformed is dropped, never repaired, because half an id is another id.
package hookinput

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Input is what a host tells a hook on its standard input. A field that is missing, or of another form than it should
// be, is empty.
type Input struct {
	Conversation string      // by ValidConversation
	Log          string      // the file in which the host keeps it, an absolute path
	CWD          string      // the directory that the conversation is in, as the host writes it
	Event        string      // in the host's own spelling: SessionStart, sessionStart
	Source       string      // why a session starts: startup, resume, clear, compact
	Reason       string      // why one ends
	Prompt       string      // what a person, or a script, asks for: untrusted
	Subagent     bool        // it is about an agent that works for the conversation's own
	Executes     bool        // that is of a kind which carries out plans
	Delegation   *Delegation // the agent that is about to be started; nil for none
	Shell        string      // the command line that is about to be run: untrusted
	Mode         string      // what the person lets the agent do, as Claude calls it: default, plan, bypassPermissions
}

const (
	// maxInput is the size of the longest input that is accepted, in bytes. It may contain prompts and the answers of tools.
	maxInput = 1 << 20
	// maxDrained is how much of a longer one is read and discarded, in bytes: a host may take it for a failure of the
	// hook if its writes fail (Codex).
	maxDrained = 64 << 20
	// graceForEnd is how long a host that has written a whole object may take to close the pipe.
	graceForEnd = 50 * time.Millisecond
	// maxValue is the longest value that is accepted, in bytes; for paths it is maxPath, the limit of Linux.
	maxValue, maxPath = 512, 4 << 10
)

var (
	// errInputTooLarge means that the input is longer than 1 MiB.
	errInputTooLarge = errors.New("the hook's input is longer than 1 MiB")
	// errInputNotJSON means that the input is not one JSON object.
	errInputNotJSON = errors.New("the hook's input is not a JSON object")
)

// StartsSession reports whether a conversation begins, or continues after a pause or a compaction. Copilot names no
// event if its own spelling of the hook is used, but says why it starts. A subagent begins no conversation: it works in
// the run of the one it belongs to.
func (in Input) StartsSession() bool {
	return !in.Subagent && (strings.EqualFold(in.Event, "SessionStart") || in.Event == "" && in.Source != "")
}

// Read reads a hook's input to its end. If the host leaves the pipe open, it reads for as long as wait, and accepts the
// input if that is a complete object by then; once it is complete, Read does not wait much longer. An empty input is the
// zero Input and no error.
// Errors: an input that is too long or not one JSON object, those of r, and os.ErrDeadlineExceeded if time was up
// first.
//
// If time is up, a goroutine is left in r.Read until that returns, which does not matter to a program that is about to
// end. The caller must not pass a terminal, from which nothing comes until a person types.
func Read(r io.Reader, wait time.Duration) (Input, error) {
	f, err := readFields(r, wait)
	if err != nil {
		return Input{}, err
	}
	return inputOf(f), nil
}

// fields are those of a hook's input, not yet decoded.
type fields map[string]json.RawMessage

// readFields reads one JSON object, as Read says.
func readFields(r io.Reader, wait time.Duration) (fields, error) {
	text, err := collect(r, wait)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, err
	}
	if text = trimmed(text); len(text) == 0 {
		return nil, err
	}
	var f fields
	if text[0] != '{' || json.Unmarshal(text, &f) != nil {
		if err != nil {
			return nil, err // the rest of it did not come
		}
		return nil, errInputNotJSON // without the decoder's error, which may quote a prompt
	}
	return f, nil
}

func trimmed(text []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
}

// chunk is what one Read gave.
type chunk struct {
	text []byte
	err  error
}

// collect reads until the end, the limit, or the deadline, and returns what has come by then.
func collect(r io.Reader, wait time.Duration) ([]byte, error) {
	chunks, done := make(chan chunk), make(chan struct{})
	defer close(done)
	go func() {
		buf := make([]byte, 32<<10)
		for {
			n, err := r.Read(buf)
			select {
			case chunks <- chunk{bytes.Clone(buf[:n]), err}:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	var grace <-chan time.Time
	var all []byte
	for drained := 0; ; {
		select {
		case c := <-chunks:
			if drained == 0 {
				all = append(all, c.text...)
			}
			if drained > 0 || len(all) > maxInput {
				all, drained = nil, drained+len(c.text)+1
			}
			switch {
			case drained > maxDrained, drained > 0 && c.err != nil:
				return nil, errInputTooLarge
			case errors.Is(c.err, io.EOF):
				return all, nil
			case c.err != nil:
				return nil, fmt.Errorf("the hook's input: %w", c.err)
			}
			grace = nil
			if text := trimmed(all); len(text) > 0 && text[len(text)-1] == '}' && json.Valid(text) {
				grace = time.After(graceForEnd)
			}
		case <-grace:
			return all, nil
		case <-timer.C:
			if drained > 0 {
				return nil, errInputTooLarge
			}
			return all, fmt.Errorf("the hook's input did not end within %v: %w", wait, os.ErrDeadlineExceeded)
		}
	}
}

// inputOf reads the known fields of an input. Hosts write session_id (Claude, Codex, Gemini, Cursor), sessionId
// (Copilot) or conversation_id (Cursor's other hooks), and workspace_roots (Cursor) or workspace (Claude's status line)
// instead of cwd.
func inputOf(f fields) Input {
	var in Input
	for _, name := range []string{"session_id", "sessionId", "conversation_id"} {
		if id := value(f[name], maxConversation); in.Conversation == "" && ValidConversation(id) {
			in.Conversation = id
		}
	}
	var roots [1]json.RawMessage
	_ = json.Unmarshal(f["workspace_roots"], &roots)
	var workspace fields
	_ = json.Unmarshal(f["workspace"], &workspace)
	in.CWD = cmp.Or(value(f["cwd"], maxPath), value(roots[0], maxPath), value(workspace["current_dir"], maxPath))
	in.Event = cmp.Or(value(f["hook_event_name"], maxValue), value(f["hookEventName"], maxValue))
	if log := value(f["transcript_path"], maxPath); filepath.IsAbs(log) { // Claude and Codex
		in.Log = log
	}
	in.Source = value(f["source"], maxValue)
	in.Reason = value(f["reason"], maxValue)
	_ = json.Unmarshal(f["prompt"], &in.Prompt)
	in.Subagent = value(f["agent_id"], maxValue) != "" // only present in one (Claude and Codex)
	in.Executes = in.Subagent && executes(value(f["agent_type"], maxValue))
	in.Delegation = delegationOf(f)
	var tool struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(f["tool_input"], &tool)
	in.Shell, in.Mode = tool.Command, value(f["permission_mode"], maxValue)
	return in
}

// maxConversation is the length of the longest conversation id that is accepted, in bytes. UUIDs have 36.
const maxConversation = 128

// ValidConversation reports whether id may be the id of a conversation: 1 to 128 letters, digits, `.`, `_`, `:` and `-`
// of ASCII, and not a flag. Ids are stored, and shown where somebody may paste them into a shell.
func ValidConversation(id string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return id != "" && len(id) <= maxConversation && id[0] != '-' && strings.Trim(id, letters+"0123456789._:-") == ""
}

// value returns a string, or "" if it is missing, of another type, longer than limit bytes, or holds a control
// character or invalid UTF-8. encoding/json turns that into U+FFFD, which would make another path of it.
func value(raw json.RawMessage, limit int) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil || len(s) > limit {
		return ""
	}
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }) {
		return ""
	}
	return s
}
