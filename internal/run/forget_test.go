package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
)

func TestForget(t *testing.T) {
	success := func(id, resume string) string { return endedBy(id, Success, CauseUser, resume) }
	const null = `{"type":"run.end","of":"a","status":"failure","resume_id":null}`
	for name, tt := range map[string]struct {
		lines  []string
		unsafe []string // conversations
		want   []string // nil for lines
		n      int
	}{
		"nothing":         {[]string{""}, nil, nil, 0},
		"safe":            {[]string{began("a"), success("a", "c1")}, nil, nil, 0},
		"no conversation": {[]string{began("a"), success("a", ""), began("b"), endedBy("b", Failure, CauseUser), "{torn", "\xff"}, []string{""}, nil, 0},
		"a null one":      {[]string{null, `{"type":"run.end","of":"a","resume_id":""}`}, nil, nil, 0},
		"one of two unsafe": {
			[]string{began("a"), success("a", "c1"), began("b"), success("b", "c2"), "torn"},
			[]string{"c2"},
			[]string{began("a"), success("a", "c1"), began("b"), success("b", ""), "torn"},
			1,
		},
		"no success, by another's hand": {
			[]string{
				began("a"), ` {"type":"run.end","cause":"user","of":"a", "status" : "failure" , "at":"2026-03-04T10:00:07Z","resume_id" : "c, \"}1"} ` + "\r",
				began("b"), `{"type":"run.end","of":"b","status":"cancelled","cause":"user","at":"2026-03-04T10:00:07Z","Resume_ID":"c7"}`,
			},
			nil,
			[]string{began("a"), endedBy("a", Failure, CauseUser), began("b"), endedBy("b", Cancelled, CauseUser)},
			2,
		},
		"a success that came too late": { // the run had failed before
			[]string{began("a"), endedBy("a", Failure, CauseUser), success("a", "c1")},
			nil,
			[]string{began("a"), endedBy("a", Failure, CauseUser), success("a", "")},
			1,
		},
		"an end whose start is gone": {
			[]string{success("gone", "c1"), success("gone2", "c2")}, []string{"c2"}, []string{success("gone", "c1"), success("gone2", "")}, 1,
		},
		"a time that UTC does not have": {
			[]string{`{"type":"run.end","of":"x","status":"success","cause":"user","at":"9999-12-31T23:59:59-01:00","resume_id":"c"}`},
			[]string{"c"},
			[]string{`{"type":"run.end","of":"x","status":"success","cause":"user","at":"0001-01-01T00:00:00Z"}`},
			1,
		},
		"no end at all": {
			[]string{`{"type":"run.start","id":"a","resume_id":"x"}`, `{"type":"other","status":"failure","resume_id":"x"}`, `{"type":"run.end","resume_id":"x"}`},
			[]string{"x"},
			nil, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDir(t)
			d.put(t, journalFile, journalText(tt.lines...))
			var tokens []string
			for _, id := range tt.unsafe {
				tokens = append(tokens, conversationToken(id))
			}
			steps := 0
			d.Writer.Before = func(durable.Step) error { steps++; return nil }
			f, j := d.opened(t)
			bad := j.Bad
			if n, err := f.Forget(tokens...); err != nil || n != tt.n || n == 0 && steps > 0 {
				t.Errorf("%d in %d steps, %v; want %d", n, steps, err, tt.n)
			}
			want := slices.Clone(tt.want)
			if want == nil {
				want = tt.lines
			}
			if got := d.text(journalFile); got != string(journalText(want...)) {
				t.Errorf("journal is\n%s; want\n%s", got, strings.Join(want, "\n"))
			}
			_, read := d.opened(t)
			if known, _ := f.Journal(); summary(known.Runs) != summary(read.Runs) || known.Bad != bad {
				t.Errorf("known: %s; read: %s", summary(known.Runs), summary(read.Runs))
			}
			if n, err := f.Forget(tokens...); n != 0 || err != nil { // once is enough
				t.Errorf("again: %d, %v", n, err)
			}
		})
	}
}

// TestForgetUnsafe: what an assessment offers stays, unless its conversation is named.
func TestForgetUnsafe(t *testing.T) {
	for _, named := range []bool{false, true} {
		d := newDir(t)
		d.put(t, journalFile, journalText(began("a"), endedBy("a", Success, CauseUser, "c1"), began("b"), endedBy("b", Success, CauseUser, "c2")))
		f, j := d.opened(t)
		a := Assess(Facts{LeaseFile: LeaseNone, Runs: j.Runs, Now: noon})
		a.Runs[0].ResumeID = ""
		want, tokens := "a=success/user b=success/user/c2", []string(nil)
		if named {
			want, tokens = "a=success/user b=success/user", []string{conversationToken("c2")}
		}
		if _, err := f.ForgetUnsafe(&a, tokens...); err != nil {
			t.Fatal(err)
		}
		if _, j := d.opened(t); summary(j.Runs) != want {
			t.Errorf("%s, want %s", summary(j.Runs), want)
		}
	}
}
