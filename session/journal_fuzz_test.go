package session

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var awkward = []string{
	strings.Replace(ended("a", Success, CauseUser), `"at":"2`, `"at":"d`, 1), // FuzzLine: taken for the year 52000 once
	"", "\n", "123\nnull\n", "\x00\x00\x00\x00", "\xff\xfe\n", "{\"type\":\"run.start\",\"id\":7}\n", strings.Repeat("[", 100),
	began("a") + "\n" + ended("a", Success, CauseUser, "conv") + "\n", began("a") + "\n" + ended("a", Interrupted, CauseSynthetic),
	began("a")[:70] + "\n" + ended("a", Success, CauseUser) + "\n" + began("a"), "\n\n" + began("b") + "\r\n" + began("a") + began("c"),
	`{"type":"run.start","id":"x","token":"","host":"","plan":"` + "é\u2028" + `","owner":{"pid":1,"host_name":"h"},"at":"2024-02-29T23:59:59Z","ttl":0}`,
	`{"type":"run.start","id":"x","token":"","host":"","plan":"","owner":{},"at":"2023-02-29T00:00:00Z","ttl":0}`,
	`{"type":"run.start","id":"x","token":"","host":"","plan":"","owner":{"pid":01},"at":"2024-02-29T00:00:00Z","ttl":00}`,
	`{"type":"run.end","of":"x","status":"","cause":"","at":"0000-00-00T24:60:60Z","resume_id":"\"}"}`,
}

// FuzzJournal: whatever bytes a journal is, nothing panics, both readings say the same, forgetting changes nothing
// that anybody reads but conversations, and a run that begins now is found.
func FuzzJournal(f *testing.F) {
	for _, text := range awkward {
		f.Add([]byte(text))
	}
	project, d := newProject(f)
	g := lock(f, d)
	g.write = g.write.Lazily() // what a power cut leaves is asked elsewhere
	f.Fuzz(func(t *testing.T, text []byte) {
		putJournal(t, project, text)
		whole, turn := wholeJournal(t, d), turnJournal(t, d)
		if !turn.Cut {
			if diff := cmp.Diff(Journal{Runs: lastingOf(whole.Runs), Bad: whole.Bad}, turn); diff != "" {
				t.Error(diff)
			}
		}
		// Closing what is torn turns no part of a line into a whole one, nor hides another.
		const id = "the-run-that-begins-now"
		if bytes.Contains(text, []byte(id)) || bytes.Contains(text, []byte(`\u`)) {
			return
		}
		if err := g.Begin(Start{ID: id}); err != nil {
			t.Fatal(err)
		}
		after := wholeJournal(t, d)
		last := len(after.Runs) - 1
		if last < 0 || after.Runs[last].ID != id || after.Runs[last].End != nil || after.Bad != whole.Bad ||
			!cmp.Equal(whole.Runs, after.Runs[:last], cmpopts.EquateEmpty()) {
			t.Errorf("before: %s, %d bad; after: %s, %d bad", summary(whole.Runs), whole.Bad, summary(after.Runs), after.Bad)
		}
		runs := turnJournal(t, d).Runs
		if n := len(runs); n == 0 || runs[n-1].ID != id || runs[n-1].End != nil {
			t.Errorf("at a turn: %s", summary(runs))
		}
		if _, err := g.ForgetConversations(func(Run) bool { return true }); err != nil {
			t.Fatal(err)
		}
		forgotten := wholeJournal(t, d)
		for _, r := range after.Runs {
			if r.End != nil {
				r.End.ResumeID = ""
			}
		}
		if diff := cmp.Diff(after, forgotten); diff != "" {
			t.Error("after forgetting:", diff)
		}
		if n, err := g.ForgetConversations(func(Run) bool { return true }); n != 0 || err != nil {
			t.Errorf("forgotten twice: %d, %v", n, err)
		}
	})
}

// FuzzLine: a line that is taken for our own writing says to encoding/json the very same.
func FuzzLine(f *testing.F) {
	for _, text := range awkward {
		for line := range strings.Lines(text) {
			f.Add(strings.TrimSuffix(line, "\n"))
		}
	}
	f.Fuzz(func(t *testing.T, line string) {
		var fast, slow record
		if !fast.scan(line) {
			return
		}
		slow.decode(line)
		if diff := cmp.Diff(slow, fast, cmp.AllowUnexported(record{})); diff != "" {
			t.Error(diff)
		}
	})
}

// TestOwnLines: what is written is read again as it was, and without encoding/json wherever no string needs an
// escape. That is all that makes reading fast.
func TestOwnLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[0-9a-z-]{1,64}`)
		text := rapid.OneOf(rapid.StringMatching(`[ !#-;=?-\[\]-~é日]{0,40}`), rapid.String())
		at := rapid.Map(rapid.Int64Range(-62135596800, 253402300799), func(n int64) time.Time { return time.Unix(n, 0).UTC() })
		s := Start{
			ID: id.Draw(t, "id"), Token: text.Draw(t, "token"), Host: text.Draw(t, "host"), Plan: text.Draw(t, "plan"),
			Owner: Owner{
				PID: rapid.IntRange(0, 999_999_999).Draw(t, "pid"), StartTime: text.Draw(t, "start time"), BootID: text.Draw(t, "boot id"),
				Namespace: text.Draw(t, "namespace"), Machine: text.Draw(t, "machine"), HostName: text.Draw(t, "host name"),
			},
			At: at.Draw(t, "at"), TTL: time.Duration(rapid.IntRange(0, 999_999_999).Draw(t, "ttl")) * time.Second,
		}
		e := End{
			Of: id.Draw(t, "of"), Status: rapid.SampledFrom([]Status{Success, Failure, Cancelled, Interrupted, Aborted}).Draw(t, "status"),
			Cause: rapid.SampledFrom([]Cause{CauseUser, CauseExit, CauseSignal, CauseSuperseded, CauseSynthetic, CauseForced}).Draw(t, "cause"),
			At:    at.Draw(t, "ended"), ResumeID: text.Draw(t, "resume id"),
		}
		kept := e
		if e.Status != Success || !validConversation(kept.ResumeID) {
			kept.ResumeID = ""
		}
		for _, tt := range []struct {
			line func() ([]byte, error)
			want record
		}{
			{s.encode, record{kind: startRecord, start: s}},
			{e.encode, record{kind: endRecord, end: kept}},
		} {
			line, err := tt.line()
			if err != nil {
				t.Fatal(err)
			}
			var got record
			fast := got.scan(string(line))
			if simple := !bytes.ContainsRune(line, '\\'); fast != simple {
				t.Errorf("fast %v, simple %v: %s", fast, simple, line)
			}
			got.parse(string(line))
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(record{})); diff != "" {
				t.Error(diff)
			}
			// Nothing less than the line is a record, and no byte more is the line.
			for _, torn := range []string{string(line[:len(line)-1]), string(line[1:]), string(line) + "}"} {
				if got.parse(torn); got.kind != badRecord {
					t.Errorf("%q is taken for a line", torn)
				}
			}
		}
	})
}

func TestSimple(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.OneOf(rapid.ByteRange(' ', '~'), rapid.ByteRange(' ', '~'), rapid.Byte())).Draw(t, "bytes")
		want := utf8.Valid(b) && !bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' || r == '\\' })
		if got := simple(string(b)); got != want {
			t.Errorf("%q: %v", b, got)
		}
		// It is what encoding/json takes as it stands, between quotes.
		if want && !bytes.ContainsRune(b, '"') && !json.Valid([]byte(`"`+string(b)+`"`)) {
			t.Errorf("%q is no string", b)
		}
	})
}
