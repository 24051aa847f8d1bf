package session

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/durable"
)

func TestForgetConversations(t *testing.T) {
	success := func(id, resume string) string { return ended(id, Success, CauseUser, resume) }
	for name, tt := range map[string]struct {
		lines  []string
		unsafe string   // ids of the runs that are unsafe
		want   []string // nil for lines
		n      int
		asked  string // the ids that were asked about
	}{
		"nothing":           {[]string{""}, "", nil, 0, ""},
		"safe":              {[]string{began("a"), success("a", "c1")}, "", nil, 0, "a"},
		"no conversation":   {[]string{began("a"), success("a", ""), began("b"), ended("b", Failure, CauseUser), "{torn", "\xff"}, "a b", nil, 0, ""},
		"a null one":        {[]string{`{"type":"run.end","of":"a","status":"failure","resume_id":null}`, `{"type":"run.end","of":"a","resume_id":""}`}, "a", nil, 0, ""},
		"one of two unsafe": {[]string{began("a"), success("a", "c1"), began("b"), success("b", "c2"), "torn"}, "b", []string{began("a"), success("a", "c1"), began("b"), success("b", ""), "torn"}, 1, "a b"},
		"no success, by another's hand": {
			[]string{
				began("a"), ` {"type":"run.end","of":"a", "status" : "failure" , "resume_id" : "c, \"}1" , "x":{"resume_id":"stays"}} ` + "\r",
				began("b"), `{"resume_id":"c2","type":"run.end","of":"b","status":"Success"}`,
				began("c"), `{"resume_id":"c3", "Resume_ID":"c4","type":"run.end","resume\u005fid":"c5","of":"c","cause":"x","re\u017fume_id":"c6"}`,
				began("d"), `{"type":"run.end","of":"d","status":"cancelled","cause":"user","at":"2026-03-04T10:00:07Z","resume_id":"c7"}`,
				began("e"), `{"type":"run.end","of":"e","status":"failure","resume_id":"hidden","resume_id":""}`,
			},
			"",
			[]string{
				began("a"), ` {"type":"run.end","of":"a", "status" : "failure" , "x":{"resume_id":"stays"}} ` + "\r",
				began("b"), `{"type":"run.end","of":"b","status":"Success"}`,
				began("c"), `{"type":"run.end","of":"c","cause":"x"}`,
				began("d"), `{"type":"run.end","of":"d","status":"cancelled","cause":"user","at":"2026-03-04T10:00:07Z"}`,
				began("e"), `{"type":"run.end","of":"e","status":"failure"}`,
			},
			5, "",
		},
		"every end of an unsafe run, asked once": {
			[]string{began("a"), success("a", "c1"), success("a", "c2"), success("a", "c3")},
			"a",
			[]string{began("a"), success("a", ""), success("a", ""), success("a", "")},
			3, "a",
		},
		"a success that came too late": { // the run was a failure before
			[]string{began("a"), ended("a", Failure, CauseUser), success("a", "c1")},
			"",
			[]string{began("a"), ended("a", Failure, CauseUser), success("a", "")},
			1, "",
		},
		"an end whose start is gone": {
			[]string{success("gone", "c1"), success("gone2", "c2")},
			"gone2",
			[]string{success("gone", "c1"), success("gone2", "")},
			1, "gone gone2",
		},
		"no end at all": {
			[]string{`{"type":"run.start","id":"a","resume_id":"x"}`, `{"type":"other","status":"failure","resume_id":"x"}`, `{"type":"run.end","resume_id":"x"}`}, "a", nil, 0, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, tail := range []string{"\n", ""} { // the last line may be without its newline
				project, d := newProject(t)
				g := lock(t, d)
				text := strings.Join(tt.lines, "\n") + tail
				putJournal(t, project, []byte(text))
				want := text
				if tt.want != nil {
					want = strings.Join(tt.want, "\n") + tail
				} else {
					g.write.Before = func(s durable.Step) error { t.Errorf("step %s", s); return nil }
				}
				before := wholeJournal(t, d)
				var asked []string
				unsafe := func(r Run) bool {
					if r.End == nil || r.End.Status != Success {
						t.Errorf("asked for %+v", r)
					}
					asked = append(asked, r.ID)
					return slices.Contains(strings.Fields(tt.unsafe), r.ID)
				}
				n, err := g.ForgetConversations(unsafe)
				if err != nil || n != tt.n {
					t.Errorf("%d, %v; want %d", n, err, tt.n)
				}
				if got := strings.Join(asked, " "); got != tt.asked {
					t.Errorf("asked for %q, want %q", got, tt.asked)
				}
				wantText(t, project, want)
				// All else is as it was.
				after := wholeJournal(t, d)
				for i := range before.Runs {
					if before.Runs[i].End != nil && slices.Contains(strings.Fields(tt.unsafe), before.Runs[i].ID) {
						before.Runs[i].End.ResumeID = ""
					}
				}
				if diff := cmp.Diff(before.Runs, after.Runs); diff != "" || before.Bad != after.Bad {
					t.Error(diff)
				}
				// Once is enough.
				g.write.Before = func(s durable.Step) error { t.Errorf("again: step %s", s); return nil }
				if n, err := g.ForgetConversations(unsafe); n != 0 || err != nil {
					t.Errorf("again: %d, %v", n, err)
				}
			}
		})
	}
}

func wantText(t *testing.T, project, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(project, journalPath))
	if err != nil || string(got) != want {
		t.Errorf("journal is\n%s, %v; want\n%s", got, err, want)
	}
}

func TestForgetConversationsFails(t *testing.T) {
	text := string(journalText(began("a"), ended("a", Success, CauseUser, "c1")))
	forgotten := string(journalText(began("a"), ended("a", Success, CauseUser)))
	unsafe := func(Run) bool { return true }
	for _, step := range []durable.Step{durable.StepCreate, durable.StepWrite, durable.StepSync, durable.StepRename, durable.StepSyncDir} {
		project, d := newProject(t)
		g := lock(t, d)
		putJournal(t, project, []byte(text))
		g.write.Before = func(s durable.Step) error {
			if s == step {
				return syscall.EIO
			}
			return nil
		}
		n, err := g.ForgetConversations(unsafe)
		wantErr(t, err, syscall.EIO)
		if errors.Is(err, durable.ErrUnsynced) { // it is forgotten all the same
			wantText(t, project, forgotten)
		} else {
			wantText(t, project, text)
		}
		if (n == 1) != (step == durable.StepSyncDir) {
			t.Errorf("%s: %d", step, n)
		}
		wantNames(t, project, journalFile)
	}
	project, d := newProject(t)
	g := lock(t, d)
	if n, err := g.ForgetConversations(unsafe); n != 0 || err != nil {
		t.Errorf("no journal: %d, %v", n, err)
	}
	putJournal(t, project, nil)
	if err := os.Truncate(filepath.Join(project, journalPath), journalLimit+1); err != nil {
		t.Fatal(err)
	}
	_, err := g.ForgetConversations(unsafe)
	wantErr(t, err, durable.ErrTooLarge)
}
