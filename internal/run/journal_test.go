package run

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/progress"
	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

var noon = time.Date(2026, 3, 4, 12, 0, 7, 89, time.FixedZone("", 2*60*60))

// newDir is a session's directory whose guard the test holds.
func newDir(t testing.TB) Dir {
	t.Helper()
	return openDir(t, t.TempDir())
}

func openDir(t testing.TB, path string) Dir {
	t.Helper()
	root, err := os.OpenRoot(path)
	noError(t, err)
	t.Cleanup(func() { root.Close() })
	return Dir{Root: root, Path: "session"}
}

func (d Dir) put(t testing.TB, name string, text []byte) {
	t.Helper()
	noError(t, d.Root.WriteFile(name, text, 0o644))
}

func (d Dir) add(t interface{ Fatal(...any) }, text string) {
	f, err := d.Root.OpenFile(journalFile, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	noError(t, err)
}

func (d Dir) text(name string) string {
	text, _ := d.Root.ReadFile(name)
	return string(text)
}

func (d Dir) names(t testing.TB) []string {
	t.Helper()
	names, err := durable.Names(d.Root, ".")
	noError(t, err)
	slices.Sort(names)
	return names
}

// opened reads the journal.
func (d Dir) opened(t interface{ Fatal(...any) }) (*Files, *Journal) {
	f := Open(d)
	j, err := f.Journal()
	noError(t, err)
	return f, j
}

func wantErr(t testing.TB, err error, want ...error) {
	t.Helper()
	for _, w := range want {
		if !errors.Is(err, w) {
			t.Errorf("error is %v, want %v", err, w)
		}
	}
}

// began and endedBy return lines as they are written, at a fixed time.
func began(id string) string { return beganAt(id, noon) }

func beganAt(id string, at time.Time) string {
	line, err := Start{ID: id, Token: "t-" + id, Host: "claude", Plan: "p.md", Owner: Owner{PID: 7}, At: at, TTL: 3600}.encode()
	if err != nil {
		panic(err)
	}
	return string(line)
}

func endedBy(id string, s Status, c Cause, resume ...string) string {
	line, err := End{Of: id, Status: s, Cause: c, At: noon, ResumeID: strings.Join(resume, "")}.encode()
	if err != nil {
		panic(err)
	}
	return string(line)
}

func journalText(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

// summary describes runs in one line: "a=open b=success/user/conversation".
func summary(runs []Record) string {
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

// TestFolding: the runs that the lines of a journal amount to.
func TestFolding(t *testing.T) {
	const user, exit, signal = CauseUser, CauseExit, CauseSignal
	const superseded, synthetic, forced = CauseSuperseded, CauseSynthetic, CauseExpired
	for name, tt := range map[string]struct {
		lines []string
		want  string
		bad   int
	}{
		"nothing": {nil, "", 0},
		"an end at every turn": {
			[]string{began("a"), endedBy("a", Success, user), endedBy("a", Failure, user), endedBy("a", Cancelled, exit), began("b")},
			"a=success/user b=open", 0,
		},
		"a synthetic end hits a run that lived": {
			[]string{began("a"), endedBy("a", Interrupted, synthetic), began("b"), endedBy("a", Success, exit, "conv"), endedBy("b", Failure, exit)},
			"a=success/exit/conv b=failure/exit", 0,
		},
		"a synthetic end after a real one": {
			[]string{began("a"), endedBy("a", Success, signal, "conv"), endedBy("a", Interrupted, synthetic)},
			"a=success/signal/conv", 0,
		},
		"a failure after a success": {
			[]string{began("a"), endedBy("a", Success, user, "conv"), endedBy("a", Failure, user)},
			"a=success/user", 0,
		},
		"a synthetic end twice, then two real ones": {
			[]string{began("a"), endedBy("a", Interrupted, synthetic), endedBy("a", Aborted, synthetic), endedBy("a", Cancelled, superseded), endedBy("a", Success, user)},
			"a=success/user", 0,
		},
		"a run that was given up, and lived": {
			[]string{
				began("a"), endedBy("a", Interrupted, forced), began("b"), endedBy("b", Interrupted, forced), endedBy("b", Interrupted, synthetic),
				began("c"), endedBy("c", Failure, user), endedBy("c", Interrupted, forced), endedBy("a", Success, exit, "conv"),
			},
			"a=success/exit/conv b=interrupted/expired c=failure/user", 0,
		},
		"an id started three times and ended once is one run": {
			[]string{began("a"), began("a"), began("a"), endedBy("a", Success, user)},
			"a=success/user", 0,
		},
		"a conversation begun three times and ended once is three runs": {
			[]string{began("a1"), began("a2"), began("a3"), endedBy("a2", Success, user, "conv")},
			"a1=open a2=success/user/conv a3=open", 0,
		},
		"an id ended and begun again stays ended": {
			[]string{began("a"), endedBy("a", Success, user), began("a"), began("b")},
			"a=success/user b=open", 0,
		},
		"every crashed run, not only the latest": {
			[]string{began("a"), began("b"), endedBy("b", Success, exit), began("c"), began("d"), endedBy("d", Failure, exit)},
			"a=open b=success/exit c=open d=failure/exit", 0,
		},
		"a clock that goes backwards": {
			[]string{beganAt("a", noon), beganAt("b", noon.AddDate(-5, 0, 0)), endedBy("a", Success, user), beganAt("c", time.Time{})},
			"a=success/user b=open c=open", 0,
		},
		"a line torn and closed again": {
			[]string{began("a"), endedBy("a", Success, user, "conv")[:60], began("b"), began("c")[:80], began("d")},
			"a=open b=open d=open", 2,
		},
		"bad lines of every kind": {
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
				strings.Replace(endedBy("a", Success, user), "T10:", "T25:", 1), strings.Repeat("[", 20_000), strings.Repeat("x", 100_000),
				"\x00\x00" + endedBy("a", Success, user), endedBy("a", Success, user) + "\x00", endedBy("a", Success, user) + endedBy("a", Success, user),
				began("b"),
			},
			"a=open b=open", 45,
		},
		"twice is the same as once": {
			[]string{began("a"), endedBy("a", Interrupted, synthetic), endedBy("a", Interrupted, synthetic), began("b")},
			"a=interrupted/synthetic b=open", 0,
		},
		"what rotation leaves": { // the ends of runs that are in an archive
			[]string{began("open"), endedBy("gone", Success, exit), began("b"), endedBy("gone2", Failure, exit)},
			"open=open b=open", 0,
		},
		"an end before its start": {
			[]string{endedBy("a", Success, user), began("a"), endedBy("b", Success, user)},
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
				began("a"), `{"type":"run.end","of":"a","status":"success","cause":"~solar \u001b[31m ` + strings.Repeat("x", 99) + `"}`, endedBy("a", Failure, user),
				began("b"), endedBy("b", Interrupted, synthetic), `{"type":"run.end","of":"b","status":"success","cause":"later"}`,
			},
			"a=success/" + ("~solar[31m" + strings.Repeat("x", 99))[:32] + " b=interrupted/synthetic", 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var j Journal
			j.addText(journalText(tt.lines...))
			if tt.lines == nil {
				j = Journal{}
			}
			if got := summary(j.Runs); got != tt.want || j.Bad != tt.bad {
				t.Errorf("got  %s, %d bad\nwant %s, %d bad", got, j.Bad, tt.want, tt.bad)
			}
		})
	}
}

func TestBeginAndEnd(t *testing.T) {
	d := newDir(t)
	f := Open(d)
	s := Start{
		ID: NewID(), Token: "token", Host: "claude", Plan: ".planning/phases/01-a/01-01-PLAN.md",
		Owner: Owner{PID: 4711, StartTime: "123", BootID: "boot", Namespace: "pid:[4026531836]", Machine: "m", HostName: "h"},
		At:    noon, TTL: 3600,
	}
	e := End{Of: s.ID, Status: Success, Cause: CauseUser, At: noon, ResumeID: "conv"}
	b := End{Of: "b", Status: Failure, Cause: CauseExit, At: noon, ResumeID: "conv"}
	var synced []int // the lines that the disk was waited for
	f.dir.Writer.Before = func(s durable.Step) error {
		if s == durable.StepSync {
			synced = append(synced, strings.Count(d.text(journalFile), "\n"))
		}
		return nil
	}
	noError(t, errors.Join(f.Begin(s), f.Begin(Start{ID: "b", At: noon, TTL: -1}), f.End(e, b)))
	if !slices.Equal(synced, []int{4}) {
		t.Errorf("synced after lines %v", synced)
	}
	want := `{"type":"run.start","id":"` + s.ID + `","token":"token","host":"claude","plan":".planning/phases/01-a/01-01-PLAN.md",` +
		`"owner":{"pid":4711,"start_time":"123","boot_id":"boot","pid_namespace":"pid:[4026531836]","machine":"m","host_name":"h"},` +
		`"at":"2026-03-04T10:00:07Z","ttl":3600}
{"type":"run.start","id":"b","token":"","host":"","plan":"","owner":{},"at":"2026-03-04T10:00:07Z","ttl":0}
{"type":"run.end","of":"` + s.ID + `","status":"success","cause":"user","at":"2026-03-04T10:00:07Z","resume_id":"conv"}
{"type":"run.end","of":"b","status":"failure","cause":"exit","at":"2026-03-04T10:00:07Z"}
`
	if got := d.text(journalFile); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	// Files knows what it wrote without reading it again.
	known, _ := f.Journal()
	_, read := d.opened(t)
	at := noon.UTC().Truncate(time.Second)
	s.At, e.At, b.At, b.ResumeID = at, at, at, ""
	runs := []Record{{Start: s, End: &e}, {Start: Start{ID: "b", At: at}, End: &b}}
	for _, j := range []*Journal{known, read} {
		if j.size != int64(len(want)) {
			t.Errorf("%d bytes, want %d", j.size, len(want))
		}
		if diff := cmp.Diff(runs, j.Runs, cmpopts.IgnoreUnexported(Record{})); diff != "" {
			t.Error(diff)
		}
	}
	for _, err := range []error{
		f.Begin(Start{}), f.Begin(Start{ID: "A"}), f.Begin(Start{ID: "a b"}), f.Begin(Start{ID: strings.Repeat("a", maxID+1)}),
		f.Begin(Start{ID: "a", Plan: strings.Repeat("p", maxLine)}),
		f.End(End{Status: Success, Cause: CauseUser}), f.End(End{Of: "a", Cause: CauseUser}), f.End(End{Of: "a", Status: "x", Cause: CauseUser}),
		f.End(End{Of: "a", Status: Success}), f.End(End{Of: "a", Status: Success, Cause: "x"}),
	} {
		wantErr(t, err, fs.ErrInvalid)
	}
	const rest = len(`{"type":"run.start","id":"a","token":"","host":"","plan":"","owner":{},"at":"0001-01-01T00:00:00Z","ttl":0}`)
	for more, ok := range []bool{true, false} {
		if _, err := (Start{ID: "a", Plan: strings.Repeat("p", maxLine-rest+more)}).encode(); (err == nil) != ok {
			t.Errorf("a line that is %d too long: %v", more, err)
		}
	}
	for id, ok := range map[string]bool{strings.Repeat("a", 128): true, strings.Repeat("a", 129): false, "": false, "-a": false, "a b": false} {
		if validConversation(id) != ok {
			t.Errorf("conversation %q: %v", id, !ok)
		}
	}
	if err := f.Begin(Start{ID: "a", At: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
		t.Error("a time that cannot be read again was written")
	}
	if got := d.text(journalFile); got != want {
		t.Errorf("refused, and written: %s", got)
	}
	if a, b := NewID(), NewID(); a == b || len(a) != 12 || !validID(a) {
		t.Error(a, b)
	}
}

// TestNoJournal: a missing journal is empty; anything but a file is an error.
func TestNoJournal(t *testing.T) {
	d := newDir(t)
	for _, read := range []func(*Files) (*Journal, error){(*Files).Journal, (*Files).History} {
		if j, err := read(Open(d)); err != nil || j.Runs != nil || j.Long() {
			t.Errorf("%+v, %v", j, err)
		}
	}
	if n, err := Open(d).Forget("x"); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if names := d.names(t); len(names) > 0 {
		t.Errorf("reading made %v", names)
	}
	d.Root.Mkdir(journalFile, 0o755)
	for _, read := range []func(*Files) (*Journal, error){(*Files).Journal, (*Files).History} {
		_, err := read(Open(d))
		wantErr(t, err, durable.ErrNotRegular)
	}
	err := Open(d).Begin(Start{ID: "a"})
	wantErr(t, err, durable.ErrNotRegular)
	if !strings.Contains(err.Error(), "session/"+journalFile+": ") {
		t.Error(err)
	}
}

// TestHugeJournal: only the newest part of a long journal is read. A rotation keeps the whole, and carries over the
// open runs of that part.
func TestHugeJournal(t *testing.T) {
	d := newDir(t)
	d.put(t, journalFile, journalText(began("lost")))
	if err := os.Truncate(filepath.Join(d.Root.Name(), journalFile), 20<<30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	d.add(t, "\n"+began("last")+"\n")
	within := func(n int64) *Files {
		return Read(func(name string, do func(*os.Root, string) error) error { return do(d.Root, name) }, durable.NewBudget(n))
	}
	if j, err := within(maxTurn).Journal(); err != nil || summary(j.Runs) != "last=open" || !j.Cut {
		t.Errorf("%s, cut %v, %v", summary(j.Runs), j.Cut, err)
	}
	for _, read := range []func(*Files) (*Journal, error){(*Files).Journal, (*Files).History} {
		j, err := read(within(maxBytes).Whole())
		if err != nil || summary(j.Runs) != "last=open" || !j.Cut || j.ArchivesCut || !j.Long() {
			t.Errorf("%s, cut %v and %v, %v", summary(j.Runs), j.Cut, j.ArchivesCut, err)
		}
	}
	_, err := within(maxTurn - 1).Journal()
	wantErr(t, err, durable.ErrBudget)

	f, _ := d.opened(t)
	if n, err := f.Forget("x"); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	name, err := f.Rotate(noon)
	if err != nil || name != "session/"+archived {
		t.Fatalf("%q, %v", name, err)
	}
	if got := d.text(journalFile); got != began("last")+"\n" {
		t.Error(got)
	}
	if info, err := d.Root.Stat(archived); err != nil || info.Size() < 20<<30 {
		t.Error(info, err)
	}
	if j, err := within(2 * maxHistory).History(); err != nil || summary(j.Runs) != "last=open" || j.Cut || !j.ArchivesCut {
		t.Errorf("%s, cut %v and %v, %v", summary(j.Runs), j.Cut, j.ArchivesCut, err)
	}
}

// TestLimits: a file as long as the limit is read whole.
func TestLimits(t *testing.T) {
	for more, cut := range []bool{false, true} {
		d := newDir(t)
		line := began("a") + "\n"
		d.put(t, journalFile, []byte(line+strings.Repeat(" ", maxBytes-len(line)+more-1)+"\n"))
		if _, j := d.opened(t); j.Cut != cut || (len(j.Runs) == 0) != cut {
			t.Errorf("%d more: cut %v, %d runs", more, j.Cut, len(j.Runs))
		}
		d = newDir(t)
		for earlier := range 2 {
			d.put(t, "journal.20260101000001.jsonl", []byte(line+strings.Repeat(" ", maxHistory-len(line)+more-1)+"\n"))
			if j, err := Open(d).History(); err != nil || j.ArchivesCut != (cut || earlier > 0) || (len(j.Runs) == 0) != cut {
				t.Errorf("%d more, %d earlier: cut %v, %d runs, %v", more, earlier, j.ArchivesCut, len(j.Runs), err)
			}
			d.put(t, "journal.20260101000000.jsonl", []byte(began("b")+"\n"))
		}
	}
}

// TestNewest: the newest runs count, whichever file they are in.
func TestNewest(t *testing.T) {
	d := newDir(t)
	put := func(name string, from, to int) {
		var lines []string
		for n := from; n < to; n++ {
			lines = append(lines, fmt.Sprintf(`{"type":"run.start","id":"r%06d"}`, n))
		}
		d.put(t, name, journalText(lines...))
	}
	const line, n = 36, 1000
	const all = maxHistory/line + 2*n // more than fit
	put("journal.20260101000000.jsonl", 0, all-n)
	put("journal.20260101000001.jsonl", all-n, all)
	put(journalFile, all, all+n)
	first := fmt.Sprintf("r%06d", all-maxHistory/line)
	j, err := Open(d).History()
	if err != nil || len(j.Runs) != maxHistory/line+n || j.Runs[0].ID != first || j.Cut || !j.ArchivesCut {
		t.Errorf("%d runs from %s on, want %s; cut %v and %v, %v", len(j.Runs), j.Runs[0].ID, first, j.Cut, j.ArchivesCut, err)
	}
	// Archives of next to nothing are not all opened.
	d = newDir(t)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	const most = maxHistory / minArchive
	for n := range most + 5 {
		put("journal."+at.Add(time.Duration(n)*time.Second).Format("20060102150405")+".jsonl", n, n+1)
	}
	if j, err := Open(d).History(); err != nil || len(j.Runs) != most || j.Runs[0].ID != "r000005" || !j.ArchivesCut {
		t.Errorf("%d runs from %s on, cut %v, %v", len(j.Runs), j.Runs[0].ID, j.ArchivesCut, err)
	}
}

// TestWorkers: who marked a task last, before a rotation and afterwards.
func TestWorkers(t *testing.T) {
	task := func(of, plan string, n int) string {
		line, _ := Task{Of: of, Plan: plan, Task: n}.encode()
		return string(line)
	}
	found, err := Start{ID: "c", Plan: "p.md", Found: []int{1, 2}}.encode()
	noError(t, err)
	d := newDir(t)
	lines := []string{
		began("a"), task("a", "p.md", 1), task("a", "q.md", 1), task("a", "p.md", 3), began("b"), task("b", "p.md", 1), string(found),
		task("c", "p.md", 2), task("", "p.md", 4), task("c", "p.md", 0), task("c", "p.md", -1),
	}
	d.put(t, journalFile, append(bytes.Repeat([]byte(`{"type":"other"}`+"\n"), maxJournal/16), journalText(lines...)...))
	f, j := d.opened(t)
	if j.Bad != 3 {
		t.Errorf("%d bad lines", j.Bad)
	}
	if archived, err := f.Rotate(noon); archived == "" || err != nil {
		t.Fatal(archived, err)
	}
	_, after := d.opened(t)
	for _, w := range []struct {
		Work
		run   string
		known bool
	}{{Work{"p.md", 1}, "", true}, {Work{"p.md", 2}, "c", true}, {Work{"p.md", 3}, "a", true}, {Work{"p.md", 4}, "", false}} {
		for _, all := range []Marks{j.Marks, after.Marks} {
			if got, known := all[w.Work]; got.Run != w.run || known != w.known {
				t.Errorf("%v: %v, %v", w, got, known)
			}
		}
	}
	if _, known := after.Marks[Work{"q.md", 1}]; known {
		t.Error("a task of another plan than the latest run's was kept")
	}
}

// TestTimes: when tasks began and ended, before a rotation and afterwards.
func TestTimes(t *testing.T) {
	at := func(minutes int) time.Time {
		return time.Date(2026, 3, 4, 12, minutes, 0, 0, time.UTC)
	}
	mark := func(n int, status string, minutes int) string {
		line, err := Task{Of: "a", Plan: "p", Task: n, Status: status, At: at(minutes)}.encode()
		noError(t, err)
		return string(line)
	}
	taken := func(n int) string { return fmt.Sprintf(`{"type":"run.task","of":"b","plan":"p","task":%d}`, n) }
	d := newDir(t)
	lines := []string{
		began("a"), began("b"),
		mark(1, "in-progress", 1), taken(1), mark(1, "complete", 2), // another run took it over
		mark(2, "in-progress", 3), mark(2, "complete", 4), mark(2, "in-progress", 5), // again
		mark(3, "in-progress", 6), mark(3, "pending", 7), // set back
		mark(4, "complete", 8), mark(5, "skipped", 9), // without a beginning
		mark(6, "in-progress", 10), taken(6),
		taken(7),
	}
	d.put(t, journalFile, append(bytes.Repeat([]byte(`{"type":"other"}`+"\n"), maxJournal/16), journalText(lines...)...))
	f, before := d.opened(t)
	if archived, err := f.Rotate(noon); archived == "" || err != nil {
		t.Fatal(archived, err)
	}
	_, after := d.opened(t)
	for n, want := range map[int]progress.Task{
		1: {Began: at(1), Ended: at(2)}, 2: {Began: at(5)}, 3: {}, 4: {Ended: at(8)}, 5: {Ended: at(9)}, 6: {Began: at(10)}, 7: {},
	} {
		for i, j := range []*Journal{before, after} {
			if got := j.Marks[Work{"p", n}]; got.Began != want.Began || got.Ended != want.Ended {
				t.Errorf("task %d, rotated %v: %v, want %v", n, i > 0, got, want)
			}
		}
	}
	a := Assess(Facts{LeaseFile: LeaseNone, Runs: after.Runs, Marks: after.Marks, Now: now, Processes: newMachine()})
	want := []TaskTimes{
		{Plan: "p", Number: 1, Started: at(1), Ended: at(2), Took: time.Minute},
		{Plan: "p", Number: 2, Started: at(5)},
		{Plan: "p", Number: 4, Ended: at(8)},
		{Plan: "p", Number: 5, Ended: at(9)},
	}
	if diff := cmp.Diff(want, a.Runs[0].Tasks); diff != "" {
		t.Error(diff)
	}
}

// TestOwnLines: lines that are written are read back unchanged.
func TestOwnLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[0-9a-z][0-9a-z-]{0,63}`)
		text := rapid.OneOf(rapid.StringMatching(`[ !#-;=?-\[\]-~é日]{0,40}`), rapid.String())
		at := rapid.Map(rapid.Int64Range(-62135596800, 253402300799), func(n int64) time.Time { return time.Unix(n, 0).UTC() })
		s := Start{
			ID: id.Draw(t, "id"), Token: text.Draw(t, "token"), Host: text.Draw(t, "host"), Plan: text.Draw(t, "plan"),
			Owner: Owner{PID: rapid.IntRange(0, 999).Draw(t, "pid"), StartTime: text.Draw(t, "start time"), HostName: text.Draw(t, "host name")},
			At:    at.Draw(t, "at"), TTL: rapid.Int64Range(0, 999_999_999).Draw(t, "ttl"),
			Found: rapid.SampledFrom([][]int{nil, {3}, {1, 2}}).Draw(t, "found"), Conversation: rapid.SampledFrom([]string{"", "244"}).Draw(t, "conversation"),
		}
		e := End{
			Of: id.Draw(t, "of"), Status: rapid.SampledFrom(Statuses()).Draw(t, "status"), Cause: CauseExit, At: at.Draw(t, "ended"), Plan: text.Draw(t, "plan at the end"), ResumeID: text.Draw(t, "resume id"),
		}
		line, err1 := s.encode()
		what, _ := parse(line)
		start := what.start
		endLine, err2 := e.encode()
		if !e.Status.Resumable() || !validConversation(e.ResumeID) {
			e.ResumeID = ""
		}
		ended, _ := parse(endLine)
		end := ended.end
		if err1 != nil || err2 != nil || cmp.Diff(&s, start) != "" || cmp.Diff(&e, end) != "" {
			t.Fatalf("%v, %v, %s%s", err1, err2, cmp.Diff(&s, start), cmp.Diff(&e, end))
		}
		// No part of the line is a line, nor is the line with another byte.
		for _, torn := range [][]byte{line[:len(line)-1], line[1:], append(slices.Clone(line), '}')} {
			if _, ok := parse(torn); ok {
				t.Errorf("%q is taken for a line", torn)
			}
		}
	})
}

// FuzzJournal: whatever bytes a journal is, nothing panics, forgetting changes nothing that anybody reads but
// conversations, mending loses no run, and a run that begins now is found.
func FuzzJournal(f *testing.F) {
	for _, text := range []string{
		"", "\n", "123\nnull\n", "\x00\x00\x00\x00", "\xff\xfe\n", "{\"type\":\"run.start\",\"id\":7}\n", strings.Repeat("[", 100),
		began("a") + "\n" + endedBy("a", Success, CauseUser, "conv") + "\n", began("a") + "\n" + endedBy("a", Interrupted, CauseSynthetic),
		began("a")[:70] + "\n" + endedBy("a", Success, CauseUser) + "\n" + began("a"), "\n\n" + began("b") + "\r\n" + began("a") + began("c"),
		`{"type":"run.end","of":"x","status":"","cause":"","at":"0000-00-00T24:60:60Z","resume_id":"\"}"}`,
		`{"type":"run.end","of":"x","status":"success","at":"9999-12-31T23:59:59-01:00","resume_id":"c"}`,
	} {
		f.Add([]byte(text))
	}
	d := newDir(f)
	d.Writer.Lazy = true // what a power cut leaves is asked elsewhere
	f.Fuzz(func(t *testing.T, text []byte) {
		d.put(t, journalFile, text)
		const id = "the-run-that-begins-now"
		if bytes.Contains(text, []byte(id)) || bytes.Contains(text, []byte(`\u`)) {
			return
		}
		files, whole := d.opened(t)
		before, bad := summary(whole.Runs), whole.Bad
		noError(t, files.Begin(Start{ID: id}))
		want := strings.TrimSpace(before + " " + id + "=open")
		if _, after := d.opened(t); summary(after.Runs) != want || after.Bad != bad {
			t.Errorf("before: %s, %d bad; after: %s, %d bad", before, bad, summary(after.Runs), after.Bad)
		}
		all := Assessment{}
		if _, err := files.ForgetUnsafe(&all); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Repair(noon); err != nil {
			t.Fatal(err)
		}
		_, after := d.opened(t)
		known, _ := files.Journal()
		for _, r := range whole.Runs {
			if r.End != nil {
				r.End.ResumeID = ""
			}
		}
		if want := summary(whole.Runs); summary(after.Runs) != want || summary(known.Runs) != want || after.Bad != 0 {
			t.Errorf("after forgetting and mending: %s, known: %s, %d bad; want %s", summary(after.Runs), summary(known.Runs), after.Bad, want)
		}
		if n, err := files.ForgetUnsafe(&all); n != 0 || err != nil {
			t.Errorf("forgotten twice: %d, %v", n, err)
		}
		for _, name := range d.names(t) {
			d.Root.Remove(name)
		}
	})
}

// noError ends a test that cannot go on after an error.
func noError(t interface{ Fatal(args ...any) }, err error) {
	if t, ok := t.(interface{ Helper() }); ok {
		t.Helper()
	}
	if err != nil {
		t.Fatal(err)
	}
}
