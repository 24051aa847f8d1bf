package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	journalLimit = recentBytes // of a journal that is rewritten in place
	resumeKey    = "resume_id"
)

// ForgetConversations takes the conversation's id out of the ends in the journal (not in its archives) whose run
// must not be resumed, and returns of how many lines. Those are the ends that are no success, or of a run whose end
// is none, though others may have written an id there; and those for which unsafe says so. It is asked at most once
// for a run; for an end whose start is not in the journal, with nothing of the run but its id and that end.
//
// All other bytes stay, and nothing is written where there is nothing to forget. What is no valid line is left
// alone: nobody reads an id from it. Errors are those of [Guard.Write], and durable.ErrTooLarge over 4 MiB.
func (g *Guard) ForgetConversations(unsafe func(Run) bool) (n int, err error) {
	was, err := durable.Look(g.dir, journalFile)
	if err != nil || was.IsZero() {
		return 0, g.named(err)
	}
	text, was, err := durable.Read(g.dir, journalFile, journalLimit)
	if err != nil {
		return 0, g.named(err)
	}
	chunks, n := forget(text, unsafe)
	if n == 0 {
		return 0, nil
	}
	err = g.write.Replace(g.dir, journalFile, chunks, filePerm, was)
	if err != nil && !errors.Is(err, durable.ErrUnsynced) {
		n = 0
	}
	return n, g.named(err)
}

// forget returns text without the ids to be forgotten, in pieces, and from how many lines one was taken.
func forget(text []byte, unsafe func(Run) bool) (chunks [][]byte, n int) {
	var all fold
	for line := range bytes.Lines(text) {
		all.add(string(bytes.TrimSuffix(line, []byte("\n"))))
	}
	asked := make(map[string]bool)
	refused := func(e End) bool {
		run := Run{Start: Start{ID: e.Of}, End: &e}
		if i, ok := all.at[e.Of]; ok {
			run = toRuns(all.runs[i : i+1])[0]
		}
		if e.Status != Success || run.End == nil || run.End.Status != Success {
			return true
		}
		says, ok := asked[e.Of]
		if !ok {
			says = unsafe(run)
			asked[e.Of] = says
		}
		return says
	}
	from, to := 0, 0 // of the bytes that stay as they are
	var r record
	for line := range bytes.Lines(text) {
		at := to
		to += len(line)
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > maxLine {
			continue
		}
		if r.parse(string(line)); r.kind != endRecord {
			continue
		}
		short := withoutResume(line)
		if short == nil || !refused(r.end) {
			continue
		}
		chunks = append(chunks, text[from:at], short)
		from = at + len(line)
		n++
	}
	return append(chunks, text[from:]), n
}

// withoutResume returns a line that is a JSON object without its resume_id, nil if it has none or an empty one. It
// knows the key however encoding/json would: in any case, with escapes, more than once.
func withoutResume(line []byte) []byte {
	members, open, ok := membersOf(line)
	if !ok {
		return nil
	}
	found, kept := false, 0
	out := bytes.Clone(line[:open])
	for _, m := range members {
		if strings.EqualFold(m.key, resumeKey) {
			found = found || m.value != `""` && m.value != "null"
			continue
		}
		text := line[m.from:m.to]
		if kept == 0 && m.from > open { // the first one now: without the comma before it
			text = text[bytes.IndexByte(text, ',')+1:]
		}
		out = append(out, text...)
		kept++
	}
	if !found {
		return nil
	}
	return append(out, line[members[len(members)-1].to:]...)
}

// A member of a JSON object.
type member struct {
	key, value string
	from, to   int // in its line, with the white space and the comma before it
}

// membersOf returns the members of the JSON object that line is, and where its first may stand.
func membersOf(line []byte) (all []member, open int, ok bool) {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, 0, false
	}
	open = int(d.InputOffset())
	for at := open; d.More(); {
		key, err := d.Token()
		if err != nil {
			return nil, 0, false
		}
		name, isName := key.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil || !isName {
			return nil, 0, false
		}
		to := int(d.InputOffset())
		all = append(all, member{name, string(value), at, to})
		at = to
	}
	return all, open, true
}
