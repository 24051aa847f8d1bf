package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/durable"
)

const journalPath = ".planning/sessions/user/" + journalFile

// began and ended give lines in our own writing, at a fixed time.
func began(id string) string { return beganAt(id, noon) }

func beganAt(id string, at time.Time) string {
	line, err := Start{ID: id, Token: "t-" + id, Host: "claude", Plan: "p.md", Owner: Owner{PID: 7}, At: at, TTL: time.Hour}.encode()
	if err != nil {
		panic(err)
	}
	return string(line)
}

func ended(id string, s Status, c Cause, resume ...string) string {
	line, err := End{Of: id, Status: s, Cause: c, At: noon, ResumeID: strings.Join(resume, "")}.encode()
	if err != nil {
		panic(err)
	}
	return string(line)
}

func journalText(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

// summary tells runs in a line: "a=open b=success/user/conversation".
func summary(runs []Run) string {
	var all []string
	for _, r := range runs {
		s := r.ID + "=open"
		if r.End != nil {
			s = fmt.Sprintf("%s=%s/%s", r.ID, r.End.Status, r.End.Cause)
			if r.End.ResumeID != "" {
				s += "/" + r.End.ResumeID
			}
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

// lastingOf picks the runs that [Dir.Journal] gives out of all.
func lastingOf(all []Run) []Run {
	var runs []Run
	for i, r := range all {
		if r.End == nil || i == len(all)-1 {
			runs = append(runs, r)
		}
	}
	return runs
}

func wholeJournal(t testing.TB, d Dir) Journal {
	t.Helper()
	j, err := d.WholeJournal(false)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func turnJournal(t testing.TB, d Dir) Journal {
	t.Helper()
	j, err := d.Journal("")
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// The lessons and traps are those of neighbours.md.
func TestFolding(t *testing.T) {
	const user, exit, signal = CauseUser, CauseExit, CauseSignal
	const superseded, synthetic, forced = CauseSuperseded, CauseSynthetic, CauseForced
	for name, tt := range map[string]struct {
		lines []string
		want  string
		bad   int
	}{
		"nothing": {nil, "", 0},
		"lesson 1: an end at every turn": {
			[]string{began("a"), ended("a", Success, user), ended("a", Failure, user), ended("a", Cancelled, exit), began("b")},
			"a=success/user b=open", 0,
		},
		"lesson 3: a synthetic end hits a run that lived": {
			[]string{began("a"), ended("a", Interrupted, synthetic), began("b"), ended("a", Success, exit, "conv"), ended("b", Failure, exit)},
			"a=success/exit/conv b=failure/exit", 0,
		},
		"a synthetic end after a real one": {
			[]string{began("a"), ended("a", Success, signal, "conv"), ended("a", Interrupted, synthetic)},
			"a=success/signal/conv", 0,
		},
		"a synthetic end twice, then two real ones": {
			[]string{began("a"), ended("a", Interrupted, synthetic), ended("a", Aborted, synthetic), ended("a", Cancelled, superseded), ended("a", Success, user)},
			"a=success/user", 0,
		},
		"a run that was given up, and lived": {
			[]string{
				began("a"), ended("a", Interrupted, forced), began("b"), ended("b", Interrupted, forced), ended("b", Interrupted, synthetic),
				began("c"), ended("c", Failure, user), ended("c", Interrupted, forced), ended("a", Success, exit, "conv"),
			},
			"a=success/exit/conv b=interrupted/forced c=failure/user", 0,
		},
		"lesson 4: an id started three times and ended once is one run": {
			[]string{began("a"), began("a"), began("a"), ended("a", Success, user)},
			"a=success/user", 0,
		},
		"lesson 4: a conversation begun three times and ended once is three runs": {
			[]string{began("a1"), began("a2"), began("a3"), ended("a2", Success, user, "conv")},
			"a1=open a2=success/user/conv a3=open", 0,
		},
		"lesson 4: an id ended and begun again stays ended": {
			[]string{began("a"), ended("a", Success, user), began("a"), began("b")},
			"a=success/user b=open", 0,
		},
		"lesson 5: every orphan, not only the latest": {
			[]string{began("a"), began("b"), ended("b", Success, exit), began("c"), began("d"), ended("d", Failure, exit)},
			"a=open b=success/exit c=open d=failure/exit", 0,
		},
		"trap 5: a clock that goes backwards": {
			[]string{beganAt("a", noon), beganAt("b", noon.AddDate(-5, 0, 0)), ended("a", Success, user), beganAt("c", time.Time{})},
			"a=success/user b=open c=open", 0,
		},
		"trap 6: a line torn and closed again": {
			[]string{began("a"), ended("a", Success, user, "conv")[:60], began("b"), began("c")[:80], began("d")},
			"a=open b=open d=open", 2,
		},
		"trap 6: bad lines of every kind": {
			[]string{
				began("a"), "123", "null", "true", `"run.start"`, "[]", "{}", "", " ", "{", "\x00\x00\x00", "\xff\xfe", "plain text",
				`{"type":7}`, `{"type":null}`, `{"type":""}`, `{"type":"run.start"}`, `{"type":"run.start","id":7}`, `{"type":"run.start","id":null}`,
				`{"type":"run.start","id":""}`, `{"type":"run.start","id":["x"]}`, `{"type":"run.start","id":"x y"}`, `{"type":"run.start","id":"\u001b[31m"}`,
				`{"type":"run.start","id":"` + strings.Repeat("x", maxID+1) + `"}`, `{"type":"run.start","id":"x","ttl":"1h"}`,
				`{"type":"run.start","id":"x","ttl":1.5}`, `{"type":"run.start","id":"x","at":"yesterday"}`, `{"type":"run.start","id":"x","owner":7}`,
				`{"type":"run.start","id":"x","owner":{"pid":"7"}}`, "{\"type\":\"run.start\",\"id\":\"x\",\"host\":\"\xff\"}",
				"{\"type\":\"run.start\",\"id\":\"x\",\"host\":\"a\x00b\"}", `{"type":"run.start","id":"x"}}`, `{"type":"run.start","id":"x"} x`,
				`{"type":"run.end"}`, `{"type":"run.end","of":"","status":"success"}`, `{"type":"run.end","of":7}`, `{"type":"run.end","of":"a","status":7}`,
				`{"type":"run.end","of":"a","at":17}`, `{"type":"run.end","of":"a","resume_id":7}`, "{\"type\":\"run.end\",\"of\":\"a\",\"cause\":\"\xff\"}",
				strings.Replace(ended("a", Success, user), "T10:", "T25:", 1), strings.Repeat("[", 20_000), strings.Repeat("x", 100_000),
				"\x00\x00" + ended("a", Success, user), ended("a", Success, user) + "\x00", ended("a", Success, user) + ended("a", Success, user),
				began("b"),
			},
			"a=open b=open", 45,
		},
		"trap 7: twice is the same as once": {
			[]string{began("a"), ended("a", Interrupted, synthetic), ended("a", Interrupted, synthetic), began("b")},
			"a=interrupted/synthetic b=open", 0,
		},
		"trap 8: what rotation leaves": { // the ends of runs that are in an archive
			[]string{began("open"), ended("gone", Success, exit), began("b"), ended("gone2", Failure, exit)},
			"open=open b=open", 0,
		},
		"an end before its start": {
			[]string{ended("a", Success, user), began("a"), ended("b", Success, user)},
			"a=open", 0,
		},
		"lines of others": {
			[]string{`{"type":"task.done","id":7,"of":{},"at":[]}`, began("a"), `{"type":"run.renewed","id":"a"}`, `{"type":"RUN.END","of":"a"}`},
			"a=open", 0,
		},
		"unknown keys, another order, white space, CRLF": {
			[]string{
				`{ "id" : "a", "later": {"type":"run.end"}, "type" : "run.start" }` + "\r",
				"\t" + `{"resume_id":"conv","cause":"user","status":"success","of":"a","type":"run.end","x":[1]}`, began("b") + "\r",
			},
			"a=success/user/conv b=open", 0,
		},
		"unknown statuses are never a success": {
			[]string{
				began("a"), `{"type":"run.end","of":"a","status":"SUCCESS","cause":"user","resume_id":"conv"}`,
				began("b"), `{"type":"run.end","of":"b"}`,
				began("c"), `{"type":"run.end","of":"c","status":"success ","cause":"exit","at":"2026-03-04T10:00:07Z","resume_id":"conv"}`,
			},
			"a=interrupted/user b=interrupted/? c=interrupted/exit", 0,
		},
		"only a success keeps its conversation": {
			[]string{
				began("a"), `{"type":"run.end","of":"a","status":"failure","cause":"user","resume_id":"conv"}`,
				began("b"), `{"type":"run.end","of":"b","status":"interrupted","cause":"exit","at":"2026-03-04T10:00:07Z","resume_id":"conv"}`,
			},
			"a=failure/user b=interrupted/exit", 0,
		},
		"an unknown cause is kept, short and printable": {
			[]string{
				began("a"), `{"type":"run.end","of":"a","status":"success","cause":"solar \u001b[31m ` + strings.Repeat("x", 99) + `"}`, ended("a", Failure, user),
				began("b"), ended("b", Interrupted, synthetic), `{"type":"run.end","of":"b","status":"success","cause":"later"}`,
			},
			"a=success/" + ("solar[31m" + strings.Repeat("x", 99))[:32] + " b=interrupted/synthetic", 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			project, d := newProject(t)
			putJournal(t, project, journalText(tt.lines...))
			if tt.lines == nil {
				putJournal(t, project, nil)
			}
			whole, turn := wholeJournal(t, d), turnJournal(t, d)
			if got := summary(whole.Runs); got != tt.want || whole.Bad != tt.bad {
				t.Errorf("got  %s, %d bad\nwant %s, %d bad", got, whole.Bad, tt.want, tt.bad)
			}
			if diff := cmp.Diff(Journal{Runs: lastingOf(whole.Runs), Bad: tt.bad}, turn); diff != "" {
				t.Error("at a turn:", diff)
			}
		})
	}
}

// TestTornLines tears the last line at every byte: it is no start and no end before it is whole, and the next line
// is not touched by it.
func TestTornLines(t *testing.T) {
	project, d := newProject(t)
	// What ends a line also stands inside it.
	tricky := `{"type":"run.end","of":"a","status":"success","cause":"user","at":"2026-03-04T10:00:07Z","resume_id":"x\"}y"}`
	for _, last := range []string{ended("a", Success, CauseUser), ended("a", Success, CauseUser, "conv"), tricky, began("b")} {
		for n := range len(last) + 1 {
			putJournal(t, project, []byte(began("a")+"\n"+last[:n]))
			want, bad := "a=open", 1
			switch {
			case n == 0:
				bad = 0
			case n == len(last):
				bad = 0
				var whole fold
				whole.add(began("a"))
				whole.add(last)
				want = summary(toRuns(whole.runs))
				if want == "a=open" {
					t.Fatal("the whole line says nothing")
				}
			}
			for _, j := range []Journal{wholeJournal(t, d), turnJournal(t, d)} {
				all := want
				if len(j.Runs) == 1 && strings.Contains(want, " ") {
					all = strings.Fields(want)[1]
				}
				if got := summary(j.Runs); got != all || j.Bad != bad {
					t.Fatalf("%q: %s, %d bad; want %s, %d", last[:n], got, j.Bad, all, bad)
				}
			}
		}
	}
}

func TestBeginAndEnd(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	s := Start{
		ID: NewRunID(), Token: "token", Host: "claude", Plan: ".planning/phases/01-a/01-01-PLAN.md",
		Owner: Owner{PID: 4711, StartTime: "123", BootID: "boot", Namespace: "pid:[4026531836]", Machine: "m", HostName: "h"},
		At:    noon, TTL: time.Hour + time.Millisecond,
	}
	e := End{Of: s.ID, Status: Success, Cause: CauseUser, At: noon, ResumeID: "conv"}
	for _, err := range []error{
		g.Begin(s), g.End(e), g.Begin(Start{ID: "b", At: noon}), g.End(End{Of: "b", Status: Failure, Cause: CauseExit, At: noon, ResumeID: "conv"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	wantFile(t, project, journalPath, `{"type":"run.start","id":"`+s.ID+`","token":"token","host":"claude","plan":".planning/phases/01-a/01-01-PLAN.md",`+
		`"owner":{"pid":4711,"start_time":"123","boot_id":"boot","pid_namespace":"pid:[4026531836]","machine":"m","host_name":"h"},`+
		`"at":"2026-03-04T10:00:07Z","ttl":3600}
{"type":"run.end","of":"`+s.ID+`","status":"success","cause":"user","at":"2026-03-04T10:00:07Z","resume_id":"conv"}
{"type":"run.start","id":"b","token":"","host":"","plan":"","owner":{},"at":"2026-03-04T10:00:07Z","ttl":0}
{"type":"run.end","of":"b","status":"failure","cause":"exit","at":"2026-03-04T10:00:07Z"}
`)
	s.At, s.TTL, e.At = noon.UTC().Truncate(time.Second), time.Hour, noon.UTC().Truncate(time.Second)
	b := Run{Start: Start{ID: "b", At: s.At}, End: &End{Of: "b", Status: Failure, Cause: CauseExit, At: s.At}}
	if diff := cmp.Diff(Journal{Runs: []Run{{Start: s, End: &e}, b}}, wholeJournal(t, d)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Journal{Runs: []Run{b}}, turnJournal(t, d)); diff != "" {
		t.Error(diff)
	}
	was, _ := os.ReadFile(filepath.Join(project, journalPath))
	for _, err := range []error{
		g.Begin(Start{}), g.Begin(Start{ID: "A"}), g.Begin(Start{ID: "a b"}), g.Begin(Start{ID: strings.Repeat("a", 65)}),
		g.Begin(Start{ID: "a", Plan: strings.Repeat("p", maxOwn)}),
		g.End(End{Status: Success, Cause: CauseUser}), g.End(End{Of: "a", Cause: CauseUser}), g.End(End{Of: "a", Status: "x", Cause: CauseUser}),
		g.End(End{Of: "a", Status: Success}), g.End(End{Of: "a", Status: Success, Cause: "x"}),
	} {
		wantErr(t, err, fs.ErrInvalid)
	}
	if err := g.Begin(Start{ID: "a", At: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
		t.Error("a time that cannot be read again was written")
	}
	wantFile(t, project, journalPath, string(was))
	if a, b := NewRunID(), NewRunID(); a == b || len(a) != 12 || !validID(a) {
		t.Error(a, b)
	}
}

// TestAppendingFails: the errno comes through and names the journal, and what was there stays.
func TestAppendingFails(t *testing.T) {
	for _, step := range []durable.Step{durable.StepCreate, durable.StepCheck, durable.StepAppend, durable.StepSync, durable.StepClose} {
		project, d := newProject(t)
		g := lock(t, d)
		putJournal(t, project, journalText(began("a")))
		g.write.Before = func(s durable.Step) error {
			if s == step {
				return syscall.ENOSPC
			}
			return nil
		}
		failed := []error{g.End(End{Of: "a", Status: Failure, Cause: CauseUser})}
		if began := g.Begin(Start{ID: "b"}); step != durable.StepSync { // which a start does without
			failed = append(failed, began)
		}
		for _, err := range failed {
			wantErr(t, err, syscall.ENOSPC)
			if !strings.HasPrefix(err.Error(), "append to "+journalPath+": ") {
				t.Error(err)
			}
		}
		if text, _ := os.ReadFile(filepath.Join(project, journalPath)); !bytes.HasPrefix(text, journalText(began("a"))) {
			t.Errorf("%s: %q", step, text)
		}
		g.write.Before = nil
		if err := g.Begin(Start{ID: "c"}); err != nil {
			t.Error(err)
		}
		if j := wholeJournal(t, d); j.Bad != 0 || j.Runs[len(j.Runs)-1].ID != "c" {
			t.Errorf("%s: %s, %d bad", step, summary(j.Runs), j.Bad)
		}
	}
}

func TestNoJournal(t *testing.T) {
	project, d := newProject(t)
	for _, read := range []func() (Journal, error){
		func() (Journal, error) { return d.Journal("") }, func() (Journal, error) { return d.WholeJournal(false) }, func() (Journal, error) { return d.WholeJournal(true) },
	} {
		if j, err := read(); err != nil || !cmp.Equal(j, Journal{}) {
			t.Errorf("%+v, %v", j, err)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(project, ".planning")); len(entries) != 0 {
		t.Errorf("reading made %v", entries)
	}
	bad := At(d.root, "../x")
	_, err1 := bad.Journal("")
	_, err2 := bad.WholeJournal(true)
	wantErr(t, err1, fs.ErrInvalid)
	wantErr(t, err2, fs.ErrInvalid)

	// What is no file is an error, and no empty journal.
	os.MkdirAll(filepath.Join(project, journalPath), 0o755)
	_, err1 = d.Journal("")
	_, err2 = d.WholeJournal(false)
	wantErr(t, err1, durable.ErrNotRegular)
	wantErr(t, err2, durable.ErrNotRegular)
	g := lock(t, d)
	_, err := g.RotateJournal(noon)
	_, err2 = g.ForgetConversations(nil)
	for _, err := range []error{err, err2, g.Begin(Start{ID: "a"})} {
		wantErr(t, err, durable.ErrNotRegular)
		if !strings.Contains(err.Error(), journalPath+": ") {
			t.Error(err)
		}
	}
}

func TestJournalLinksLeadNowhere(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	outside := t.TempDir()
	target := filepath.Join(outside, "target")
	os.WriteFile(target, journalText(began("a")), 0o644)
	os.WriteFile(filepath.Join(project, ".planning/sessions/user", fileName), []byte(old), 0o644)
	for _, to := range []string{target, fileName} {
		path := filepath.Join(project, journalPath)
		os.Remove(path)
		if err := os.Symlink(to, path); err != nil {
			t.Skip("no symbolic links here:", err)
		}
		_, err := g.RotateJournal(noon)
		_, err2 := g.ForgetConversations(func(Run) bool { return true })
		for _, err := range []error{err, err2, g.Begin(Start{ID: "b"}), g.End(End{Of: "a", Status: Success, Cause: CauseUser})} {
			wantErr(t, err, durable.ErrNotRegular)
		}
		if to == target {
			_, err := d.Journal("")
			wantErr(t, err, durable.ErrEscapes)
		}
	}
	wantFile(t, outside, "target", string(journalText(began("a"))))
	wantSession(t, d, old)
}

// TestCut: of a long journal the end is read, from the beginning of a line.
func TestCut(t *testing.T) {
	project, d := newProject(t)
	lines := []string{began("lost"), began("ended-later")}
	for n := range 2000 {
		id := "r" + strconv.Itoa(n)
		lines = append(lines, began(id), ended(id, Success, CauseExit))
	}
	lines = append(lines, began("kept"), ended("ended-later", Success, CauseUser), began("last"), ended("last", Failure, CauseSignal))
	putJournal(t, project, journalText(lines...))
	j := turnJournal(t, d)
	if got, want := summary(j.Runs), "kept=open last=failure/signal"; got != want || !j.Cut || j.Bad != 0 {
		t.Errorf("%s, cut: %v, %d bad", got, j.Cut, j.Bad)
	}
	whole := wholeJournal(t, d)
	if len(whole.Runs) != 2004 || whole.Cut || whole.Runs[0].ID != "lost" || whole.Runs[2003].ID != "last" {
		t.Errorf("%d runs, cut: %v", len(whole.Runs), whole.Cut)
	}

	// A line that takes all that is read at a turn, and one that nobody reads.
	for size, bad := range map[int]int{journalTail + 1: 1, maxLine: 1, maxLine + 1: 1, maxLine + journalTail: 1} {
		long := strings.Repeat("x", size)
		putJournal(t, project, journalText(began("a"), long, began("b")))
		if j := turnJournal(t, d); summary(j.Runs) != "b=open" || !j.Cut || j.Bad != 0 {
			t.Errorf("%d: %s, cut: %v, %d bad", size, summary(j.Runs), j.Cut, j.Bad)
		}
		if j := wholeJournal(t, d); summary(j.Runs) != "a=open b=open" || j.Bad != bad {
			t.Errorf("%d: %s, %d bad", size, summary(j.Runs), j.Bad)
		}
		putJournal(t, project, []byte(began("a")+"\n"+long)) // and nothing behind it
		if j := turnJournal(t, d); j.Runs != nil || !j.Cut {
			t.Errorf("%d: %s", size, summary(j.Runs))
		}
		if j := wholeJournal(t, d); summary(j.Runs) != "a=open" || j.Bad != bad {
			t.Errorf("%d: %s, %d bad", size, summary(j.Runs), j.Bad)
		}
	}
	// The longest line that is read: valid with so much white space.
	pad := strings.Repeat(" ", maxLine-len(began("b")))
	for more, want := range map[string]string{"": "a=open b=open c=open", " ": "a=open c=open"} {
		putJournal(t, project, journalText(began("a"), began("b")+pad+more, began("c")))
		if j := wholeJournal(t, d); summary(j.Runs) != want || j.Bad != len(more) {
			t.Errorf("%s, %d bad", summary(j.Runs), j.Bad)
		}
	}
}

// TestHugeJournal: what is read of a journal has an end, however long it is.
func TestHugeJournal(t *testing.T) {
	project, d := newProject(t)
	within := func(n int64) Dir { return d.Within(durable.NewBudget(n)) }
	sparse := func(name string) {
		path := filepath.Join(project, filepath.Dir(journalPath), name)
		if err := os.Truncate(path, 20<<30); err != nil {
			t.Skip("no sparse files here:", err)
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		f.WriteString("\n" + began("last") + "\n")
	}
	putJournal(t, project, journalText(began("lost")))
	sparse(journalFile)
	if j, err := within(journalTail).Journal(""); err != nil || summary(j.Runs) != "last=open" || !j.Cut {
		t.Errorf("%s, cut %v, %v", summary(j.Runs), j.Cut, err)
	}
	for _, archives := range []bool{false, true} {
		j, err := within(recentBytes).WholeJournal(archives)
		if err != nil || summary(j.Runs) != "last=open" || !j.Cut || j.ArchivesCut {
			t.Errorf("%s, cut %v, %v", summary(j.Runs), j.Cut, err)
		}
	}
	_, err := within(recentBytes - 1).WholeJournal(false)
	wantErr(t, err, durable.ErrBudget)

	// One that is put away is kept, and what matters of its newest part goes on.
	g := lock(t, d)
	name, err := g.RotateJournal(noon)
	if err != nil || name != journalArchive {
		t.Fatalf("%q, %v", name, err)
	}
	wantFile(t, project, journalPath, began("last")+"\n")
	if info, err := os.Stat(filepath.Join(project, journalArchive)); err != nil || info.Size() < 20<<30 {
		t.Error(info, err)
	}
	if j, err := within(2 * recentBytes).WholeJournal(true); err != nil || summary(j.Runs) != "last=open" || j.Cut || !j.ArchivesCut {
		t.Errorf("%s, cut %v and %v, %v", summary(j.Runs), j.Cut, j.ArchivesCut, err)
	}
}

// TestRecent: of many runs the newest count, whichever file they are in.
func TestRecent(t *testing.T) {
	project, d := newProject(t)
	put := func(name string, from, to int) {
		var lines []string
		for n := from; n < to; n++ {
			lines = append(lines, `{"type":"run.start","id":"r`+strconv.Itoa(n)+`"}`)
		}
		putJournal(t, project, journalText(lines...))
		if name != journalFile {
			dir := filepath.Join(project, filepath.Dir(journalPath))
			if err := os.Rename(filepath.Join(dir, journalFile), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	const all = 4 * recentLines
	put("journal.20260101000000.jsonl", 0, all/8)
	put("journal.20260101000001.jsonl", all/8, all-all/8)
	put(journalFile, all-all/8, all)
	j, err := d.WholeJournal(true)
	if err != nil || len(j.Runs) != recentLines || j.Runs[0].ID != "r"+strconv.Itoa(all-recentLines) || j.Cut || !j.ArchivesCut {
		t.Errorf("%d runs from %s on, cut %v and %v, %v", len(j.Runs), j.Runs[0].ID, j.Cut, j.ArchivesCut, err)
	}
	put(journalFile, 0, recentLines)
	if j := wholeJournal(t, d); len(j.Runs) != recentLines || j.Cut {
		t.Errorf("%d runs, cut %v", len(j.Runs), j.Cut)
	}
	put(journalFile, 0, recentLines+1)
	if j := wholeJournal(t, d); len(j.Runs) != recentLines || j.Runs[0].ID != "r1" || !j.Cut {
		t.Errorf("%d runs, cut %v", len(j.Runs), j.Cut)
	}

	// Files that hold next to nothing are opened no more than so many times.
	project, d = newProject(t)
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range maxArchived + 5 {
		put("journal."+first.Add(time.Duration(n)*time.Second).Format(archiveTime)+".jsonl", n, n+1)
	}
	if j, err := d.WholeJournal(true); err != nil || len(j.Runs) != maxArchived || j.Runs[0].ID != "r5" || !j.ArchivesCut {
		t.Errorf("%d runs from %s on, cut %v, %v", len(j.Runs), j.Runs[0].ID, j.ArchivesCut, err)
	}
}

// TestJournalsAgree draws starts, ends and garbage, and holds both readings against the rules, told once more in the
// slowest way.
func TestJournalsAgree(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	ids := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
	statuses := rapid.SampledFrom([]Status{Success, Failure, Cancelled, Interrupted, Aborted})
	causes := rapid.SampledFrom([]Cause{CauseUser, CauseExit, CauseSignal, CauseSuperseded, CauseSynthetic, CauseForced})
	garbage := rapid.SampledFrom([]string{"", "123", "null", "{", "\xff", "\x00", began("a")[:50], ended("a", Success, CauseUser)[:40], `{"type":"run.start","id":7}`})
	rapid.Check(t, func(t *rapid.T) {
		os.Remove(filepath.Join(project, journalPath))
		type event struct {
			id  string
			end *End
		}
		var events []event
		bad, torn := 0, false
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			var err error
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0, 1, 2:
				e := event{id: ids.Draw(t, "start")}
				err = g.Begin(Start{ID: e.id, At: noon})
				events = append(events, e)
			case 3, 4, 5:
				end := End{Of: ids.Draw(t, "end"), Status: statuses.Draw(t, "status"), Cause: causes.Draw(t, "cause"), ResumeID: "conv"}
				err = g.End(end)
				if end.Status != Success {
					end.ResumeID = ""
				}
				events = append(events, event{end.Of, &end})
			default:
				text := garbage.Draw(t, "garbage")
				closed := rapid.Bool().Draw(t, "closed")
				if !torn || text != "" { // nothing behind a torn tail is still that tail
					bad++
				}
				if torn && text != "" {
					bad-- // the two are one line
				}
				if text == "" && !closed && !torn {
					bad-- // nothing at all
				}
				torn = !closed && (torn || text != "")
				if closed {
					text += "\n"
				}
				appendRaw(t, project, text)
				continue
			}
			torn = false
			if err != nil {
				t.Fatal(err)
			}
		}
		var want []Run
		for i, e := range events {
			if e.end != nil || slices.ContainsFunc(want, func(r Run) bool { return r.ID == e.id }) {
				continue
			}
			run := Run{Start: Start{ID: e.id}}
			for _, later := range events[i:] { // the first that somebody saw, else the first
				if later.id == e.id && later.end != nil && !later.end.Cause.Concluded() {
					run.End = later.end
					break
				}
			}
			for _, later := range events[i:] {
				if later.id == e.id && later.end != nil && run.End == nil {
					run.End = later.end
				}
			}
			want = append(want, run)
		}
		whole, err1 := d.WholeJournal(false)
		turn, err2 := d.Journal("")
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if summary(whole.Runs) != summary(want) || whole.Bad != bad {
			t.Fatalf("got  %s, %d bad\nwant %s, %d bad", summary(whole.Runs), whole.Bad, summary(want), bad)
		}
		if diff := cmp.Diff(Journal{Runs: lastingOf(whole.Runs), Bad: bad}, turn); diff != "" {
			t.Fatal(diff)
		}
	})
}

func appendRaw(t interface{ Fatal(...any) }, project, text string) {
	f, err := os.OpenFile(filepath.Join(project, journalPath), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// beginMany begins n runs and ends every second, each under a guard of its own.
func beginMany(d Dir, prefix string, n int) error {
	for i := range n {
		g, err := d.Lock(context.Background(), patience)
		if err != nil {
			return err
		}
		id := prefix + "-" + strconv.Itoa(i)
		err = g.Begin(Start{ID: id, At: time.Now(), Plan: strings.Repeat("p", 1000)})
		if err == nil && i%2 == 1 {
			err = g.End(End{Of: id, Status: Success, Cause: CauseExit, At: time.Now()})
		}
		if err == nil {
			_, err = g.RotateJournal(time.Now())
		}
		if err = errors.Join(err, g.Unlock()); err != nil {
			return err
		}
	}
	return nil
}

// TestManyWriters: processes and goroutines, with the journal put away under their hands. No line is lost or torn,
// and a reader finds no moment without a journal.
func TestManyWriters(t *testing.T) {
	project, d := newProject(t)
	const each = 60
	if err := beginMany(d, "first", 1); err != nil {
		t.Fatal(err)
	}
	var children []*child
	for n := range 3 {
		children = append(children, spawn(t, "begin", project, "p"+strconv.Itoa(n), strconv.Itoa(each)))
	}
	var wg sync.WaitGroup
	for n := range 3 {
		mine := openProject(t, project)
		wg.Go(func() {
			if err := beginMany(mine, "g"+strconv.Itoa(n), each); err != nil {
				t.Error(err)
			}
		})
	}
	done := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() {
		for {
			if j, err := d.Journal(""); err != nil || len(j.Runs) == 0 {
				t.Errorf("no journal at some moment: %v", err)
			}
			if j, err := d.WholeJournal(true); err != nil || len(j.Runs) == 0 || j.Runs[0].ID != "first-0" {
				t.Errorf("not whole at some moment: %v", err)
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	wg.Wait()
	for _, c := range children {
		c.wait()
	}
	close(done)
	reader.Wait()
	j, err := d.WholeJournal(true)
	if err != nil || j.Bad != 0 || len(j.Runs) != 1+6*each {
		t.Errorf("%d runs, %d bad, %v", len(j.Runs), j.Bad, err)
	}
	if len(names(t, project)) < 2 {
		t.Error("the journal was never put away: ", names(t, project))
	}
	open := 0
	for _, r := range j.Runs {
		if r.End == nil {
			open++
		}
	}
	if open != 1+3*each {
		t.Errorf("%d open", open)
	}
}
