package run

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

// newDir is a session's directory whose guard the test holds.
func newDir(t testing.TB) Dir {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	noError(t, err)
	t.Cleanup(func() { root.Close() })
	return Dir{Root: root, Path: "session"}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error is %v, want %v", err, want)
	}
}

func (d Dir) text() string {
	text, _ := d.Root.ReadFile(runsFile)
	return string(text)
}

// summary describes runs in one line: "a=open b=success/user/conversation".
func summary(r *Records) string {
	var all []string
	for _, r := range r.Runs {
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

// TestFinish: which of several ends of a run counts.
func TestFinish(t *testing.T) {
	end := func(of string, status Status, cause Cause, resume ...string) End {
		return End{Of: of, Status: status, Cause: cause, At: now, ResumeID: strings.Join(resume, "")}
	}
	const user, exit, signal = CauseUser, CauseExit, CauseSignal
	const superseded, synthetic, expired = CauseSuperseded, CauseSynthetic, CauseExpired
	for name, tt := range map[string]struct {
		runs string
		ends []End
		want string
	}{
		"an end at every turn": {
			"a b", []End{end("a", Success, user), end("a", Failure, user), end("a", Cancelled, exit)}, "a=success/user b=open",
		},
		"a synthetic end hits a run that lived": {
			"a b", []End{end("a", Interrupted, synthetic), end("a", Success, exit, "conv"), end("b", Failure, exit)}, "a=success/exit/conv b=failure/exit",
		},
		"a synthetic end after a real one": {"a", []End{end("a", Success, signal, "conv"), end("a", Interrupted, synthetic)}, "a=success/signal/conv"},
		"a failure after a success":        {"a", []End{end("a", Success, user, "conv"), end("a", Failure, user)}, "a=success/user"},
		"a synthetic end twice, then two real ones": {
			"a", []End{end("a", Interrupted, synthetic), end("a", Aborted, synthetic), end("a", Cancelled, superseded), end("a", Success, user)}, "a=success/user",
		},
		"runs that were given up": {
			"a b c", []End{
				end("a", Interrupted, expired), end("b", Interrupted, expired), end("b", Interrupted, synthetic), end("c", Failure, user),
				end("c", Interrupted, expired), end("a", Success, exit, "conv"),
			}, "a=success/exit/conv b=interrupted/expired c=failure/user",
		},
		"of nobody":              {"a", []End{end("b", Success, user), end("", Success, user)}, "a=open"},
		"only a success resumes": {"a b", []End{end("a", Failure, user, "conv"), end("b", Paused, user, "conv")}, "a=failure/user b=paused/user/conv"},
	} {
		r := Records{Holder: "a"}
		for _, id := range strings.Fields(tt.runs) {
			r.Begin(startOf(id, ownerAt(200)))
		}
		r.Finish(tt.ends...)
		if got := summary(&r); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
		if record := r.Find("a"); (r.Holder == "a") != (record.End == nil) {
			t.Errorf("%s: the lease is that of %q", name, r.Holder)
		}
	}
}

// TestSet: who works on a task, since when, and on which plan a run works.
func TestSet(t *testing.T) {
	r := Records{}
	r.Begin(startOf("a", ownerAt(100)))
	first := startOf("b", ownerAt(200))
	first.Plan = "p"
	r.Begin(first, 1, 2)
	at := now.Add(300 * time.Millisecond)
	is := func(what string, task int, want progress.Task, known bool) {
		t.Helper()
		got, ok := r.Marks[Work{"p", task}]
		if diff := cmp.Diff(want, got); diff != "" || ok != known {
			t.Errorf("%s: %v %s", what, ok, diff)
		}
	}
	is("found", 1, progress.Task{}, true)
	r.Set(Work{"p", 1}, "a", planfile.InProgress, at)
	is("begun", 1, progress.Task{Run: "a", Began: now}, true)
	if record := r.Find("a"); record.Plan != "p" || !record.Marked || r.Find("b").Marked {
		t.Errorf("%+v", record)
	}
	r.Set(Work{"p", 1}, "b", "", at)
	is("taken over", 1, progress.Task{Run: "b", Began: now}, true)
	r.Set(Work{"p", 1}, "b", planfile.Skipped, at.Add(time.Minute))
	is("ended", 1, progress.Task{Run: "b", Began: now, Ended: now.Add(time.Minute)}, true)
	r.Set(Work{"p", 1}, "a", planfile.InProgress, at.Add(time.Hour))
	is("begun again", 1, progress.Task{Run: "a", Began: now.Add(time.Hour)}, true)
	r.Set(Work{"p", 1}, "a", planfile.Pending, at)
	is("set back", 1, progress.Task{}, false)
	r.Set(Work{"q", 1}, "nobody", planfile.Complete, at)
	if r.Marks[Work{"q", 1}].Run != "nobody" {
		t.Error("a run that is not recorded marked nothing")
	}
}

// TestPrune: what is kept of the runs that have ended, and of their tasks.
func TestPrune(t *testing.T) {
	r := Records{}
	begin := func(id, plan string, at time.Time, over bool) {
		s := startOf(id, ownerAt(100))
		s.Plan, s.Started = plan, at
		r.Begin(s)
		r.Set(Work{plan, 1}, id, planfile.InProgress, at)
		if over {
			r.Finish(End{Of: id, Status: Success, Cause: CauseUser, At: at})
		}
	}
	long := now.Add(-40 * 24 * time.Hour)
	begin("open", "o", long, false)
	begin("forgotten", "f", long, true)
	begin("older", "p", now, true)
	begin("latest", "p", now, true)
	for i := range keptEnded + 5 {
		begin(fmt.Sprint("r", i), "q", now, true)
	}
	begin("now", "q", now, false)
	var ids []string
	for _, record := range r.Runs {
		ids = append(ids, record.ID)
	}
	if len(ids) != keptEnded+3 || ids[0] != "open" || ids[1] != "latest" || ids[2] != "r5" || ids[len(ids)-1] != "now" {
		t.Errorf("%q", ids)
	}
	for plan, want := range map[string]bool{"o": true, "f": false, "p": true, "q": true} {
		if _, got := r.Marks[Work{plan, 1}]; got != want {
			t.Errorf("the task of %s is kept: %v", plan, got)
		}
	}
	for i := range 2 * keptTotal {
		begin(fmt.Sprint("s", i), fmt.Sprint("plan ", i), now, true)
	}
	if len(r.Runs) > keptTotal+3 {
		t.Errorf("%d runs", len(r.Runs))
	}
}

// TestShrink: however much there is to say of the runs, another one can start, and what is dropped for it are the earliest that have ended.
func TestShrink(t *testing.T) {
	d := newDir(t)
	f := Open(d)
	full := func(id string, end *End) Record {
		record := startOf(id, ownerAt(300))
		record.End, record.Token = end, conversationToken(id)
		for i := range maxMembers {
			record.Members = append(record.Members, Member{Owner: ownerAt(1000 + i), Conversation: conversationToken(fmt.Sprint(id, i))})
		}
		return record
	}
	f.Change(func(r *Records) {
		r.Runs = append(r.Runs, full("first", nil), full("holder", nil))
		r.Holder = "holder"
		r.Runs = append(r.Runs, full("bad", &End{Of: "bad", Status: Failure, Cause: CauseUser, At: now}))
		for i := range keptTotal {
			r.Runs = append(r.Runs, full(fmt.Sprint("ended", i), &End{Status: Success, Cause: CauseUser, At: now, ResumeID: "bad"}))
		}
	})
	for i := range 3 {
		id := fmt.Sprint("now", i)
		f.Change(func(r *Records) { r.Begin(full(id, nil)) })
		noError(t, f.Flush())
		read, err := Open(d).Records()
		noError(t, err)
		if read.Holder != "holder" || read.Find("first") == nil || read.Find(id) == nil || read.Find("ended63") == nil || read.Find("bad") != nil {
			t.Errorf("%d: %s", i, summary(read))
		}
		if record := read.Find("ended63"); record != nil && record.End.ResumeID != "" {
			t.Error("a conversation is safe again")
		}
	}
	f.Change(func(r *Records) {
		for i := range keptOpen {
			r.Begin(full(fmt.Sprint("open", i), nil))
		}
		for n := range keptMarks {
			r.Set(Work{strings.Repeat("p", longestPath), n + 1}, "holder", planfile.Complete, now.Add(time.Duration(n)*time.Second))
		}
	})
	noError(t, f.Flush())
	read, err := Open(d).Records()
	noError(t, err)
	if read.Holder != "holder" || read.Find("first") != nil || read.Find("open499") == nil {
		t.Errorf("%d bytes: %s", len(d.text()), summary(read))
	}
	if _, latest := read.Marks[Work{strings.Repeat("p", longestPath), keptMarks}]; !latest || len(read.Marks) == keptMarks {
		t.Errorf("%d marks", len(read.Marks))
	}
}

// TestPruneKeeps: after many later runs of its host on its plan, a run that left a task in progress is known, and a conversation that a run made
// unsafe is not offered.
func TestPruneKeeps(t *testing.T) {
	r := Records{}
	begin := func(id, plan, token string, end End) {
		s := startOf(id, ownerAt(300))
		s.Plan, s.Token = plan, token
		r.Begin(s)
		end.Of, end.At = id, now
		r.Finish(end)
	}
	begin("paused", "p", "t1", End{Status: Paused, Cause: CauseUser})
	r.Set(Work{"p", 1}, "paused", planfile.InProgress, now)
	begin("well", "q", conversationToken("c"), End{Status: Success, Cause: CauseUser, ResumeID: "c"})
	begin("badly", "p", conversationToken("c"), End{Status: Cancelled, Cause: CauseUser})
	for i := range 2 * keptEnded {
		begin(fmt.Sprint("r", i), "p", fmt.Sprint("t", i), End{Status: Success, Cause: CauseUser})
	}
	if r.Find("paused") == nil || r.Marks[Work{"p", 1}].Run != "paused" {
		t.Error("nobody knows who left the task in progress")
	}
	if record := r.Find("well"); record == nil || record.End.ResumeID != "" || r.Find("badly") != nil {
		t.Errorf("%+v", record)
	}
	if a := Assess(Facts{Records: r, Now: now, Processes: newMachine()}); len(a.Unfinished("p", []int{1})) > 0 {
		t.Error("what was paused on purpose would be set back")
	}
}

// TestForget: the conversations with a token go, and those that an assessment does not offer.
func TestForget(t *testing.T) {
	make := func() *Records {
		r := &Records{}
		for id, resume := range map[string]string{"a": "c1", "b": "c2", "c": ""} {
			r.Begin(startOf(id, ownerAt(100)))
			r.Finish(End{Of: id, Status: Success, Cause: CauseUser, ResumeID: resume})
		}
		r.Begin(startOf("open", ownerAt(100)))
		slices.SortFunc(r.Runs, func(a, b Record) int { return strings.Compare(a.ID, b.ID) })
		return r
	}
	r := make()
	if n := r.Forget(); n != 0 || r.Forget("c2") != 0 {
		t.Errorf("%d of none", n)
	}
	if n := r.Forget(conversationToken("c2"), conversationToken("")); n != 1 || summary(r) != "a=success/user/c1 b=success/user c=success/user open=open" {
		t.Errorf("%d: %s", n, summary(r))
	}
	r = make()
	a := Assess(Facts{Records: *r, Now: now})
	a.Runs[0].ResumeID, a.Runs[1].ResumeID = "", "c2"
	if n := r.ForgetUnsafe(&a); n != 1 || summary(r) != "a=success/user b=success/user/c2 c=success/user open=open" {
		t.Errorf("%d: %s", n, summary(r))
	}
	r.Runs[3].Owner, r.Runs[3].Token = ownerAt(404), conversationToken("c2") // it crashed
	a = Assess(Facts{Records: *r, Now: now, Processes: newMachine()})
	if over, n := r.Close(&a, now); n != 1 || len(over) != 1 || over[0].Status != "" || summary(r) != "a=success/user b=success/user c=success/user open=interrupted/synthetic" {
		t.Errorf("%d of %d: %s", n, len(over), summary(r))
	}
}

// TestFile: records are read as they were written, once, and what is known is what was written.
func TestFile(t *testing.T) {
	d := newDir(t)
	f := Open(d)
	if r, err := f.Records(); err != nil || len(r.Runs) > 0 || r.Holder != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	noError(t, f.Flush())
	if d.text() != "" {
		t.Error("there is a file, and nothing to say")
	}
	steps, synced := 0, 0
	f.dir.Writer.Before = func(s durable.Step) error {
		if steps++; s == durable.StepSync {
			synced++
		}
		return nil
	}
	s := startOf(NewID(), ownerAt(100))
	s.Members, s.Conversation, s.Resume, s.Supervised, s.Plan = []Member{{Owner: ownerAt(200), Conversation: "c"}}, "x", "y", true, "p"
	f.Change(func(r *Records) {
		r.Begin(s, 3)
		r.Holder = s.ID
		r.Begin(startOf("b", Owner{}))
		r.Set(Work{"p", 1}, s.ID, planfile.Complete, now)
	})
	noError(t, f.Flush())
	if synced > 0 {
		t.Error("the start of a run waits for the disk")
	}
	steps = 0
	if noError(t, f.Flush()); steps > 0 {
		t.Errorf("%d steps to change nothing", steps)
	}
	f.Change(func(r *Records) { r.Finish(End{Of: "b", Status: Failure, Cause: CauseExit, At: now, Plan: "q"}) })
	if noError(t, f.Flush()); synced == 0 {
		t.Error("the end of a run does not wait for the disk")
	}
	synced = 0
	f.Change(func(r *Records) { r.Finish(End{Of: s.ID, Status: Interrupted, Cause: CauseSynthetic, At: now}) })
	if noError(t, f.Flush()); synced > 0 {
		t.Error("an end that will be concluded again waits for the disk")
	}
	known, _ := f.Records()
	read, err := Open(d).Records()
	noError(t, err)
	if diff := cmp.Diff(known, read, cmpopts.IgnoreUnexported(Records{})); diff != "" {
		t.Error(diff)
	}
	if read.Holder != "" || len(strings.Split(d.text(), "\n")) != 10 {
		t.Errorf("%s", d.text())
	}
	none := Open(d)
	none.Change(func(r *Records) { r.Runs, r.Marks = nil, nil })
	noError(t, none.Flush())
	if r, err := Open(d).Records(); err != nil || len(r.Runs) > 0 {
		t.Errorf("they were all removed: %+v, %v", r, err)
	}
	// What was read under the guard stays known.
	f.Release(func(string, func(*os.Root, string) error) error { return fs.ErrNotExist }, nil)
	if r, err := f.Records(); err != nil || len(r.Runs) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestChangeCopiesOnce: records that were handed out stay as they were, and are copied only once for all changes that follow.
func TestChangeCopiesOnce(t *testing.T) {
	f := Open(newDir(t))
	f.Change(func(r *Records) { r.Begin(startOf("a", ownerAt(100)), 1) })
	at := func() (record *Record) {
		f.Change(func(r *Records) { record = r.Find("a") })
		return record
	}
	handed, _ := f.Records()
	was := *handed
	first := at()
	if first == &was.Runs[0] || at() != first {
		t.Error("what was handed out would be changed, or is copied with each change")
	}
	f.Change(func(r *Records) {
		r.Set(Work{"p", 1}, "a", planfile.Complete, now)
		r.Finish(End{Of: "a", Status: Success, Cause: CauseUser, At: now})
	})
	if was.Runs[0].End != nil || !was.Marks[Work{"p", 1}].Ended.IsZero() {
		t.Errorf("%+v", was)
	}
	if f.Records(); at() == first {
		t.Error("what was handed out last would be changed")
	}
}

// TestFileFails: a write that fails leaves the file, and what is known is what it says.
func TestFileFails(t *testing.T) {
	d := newDir(t)
	f := Open(d)
	f.Change(func(r *Records) { r.Begin(startOf("a", ownerAt(100))) })
	noError(t, f.Flush())
	was := d.text()
	failed := errors.New("no space left")
	f.dir.Writer.Before = func(s durable.Step) error {
		if s == durable.StepRename {
			return failed
		}
		return nil
	}
	f.Change(func(r *Records) { r.Begin(startOf("b", ownerAt(100))) })
	wantErr(t, f.Flush(), failed)
	if r, err := f.Records(); err != nil || summary(r) != "a=open" || d.text() != was {
		t.Errorf("%s, %v", summary(r), err)
	}
	// Nor is a change of somebody else undone.
	f.dir.Writer.Before = nil
	f.Change(func(r *Records) { r.Begin(startOf("c", ownerAt(100))) })
	noError(t, d.Root.WriteFile(runsFile, []byte(strings.Replace(was, `"a"`, `"other"`, 1)), 0o644))
	wantErr(t, f.Flush(), durable.ErrChanged)
	if r, _ := f.Records(); summary(r) != "other=open" {
		t.Error(summary(r))
	}
}

// runsText is the text of records of one run, with other fields added.
func runsText(fields string) string {
	return `{"runs": [{"id": "r1", "token": "t", "ttl": 60` + fields + `}]}`
}

// TestParse: what gsd would not have written is refused as a whole, and what it could not rely on is cleaned.
func TestParse(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "torn": `{"runs": [{"id": "r1`, "null": "nul", "a list": "[]", "a word": `"x"`, "fields of other kinds": `{"holder": 7}`,
		"no token": runsText(`, "token": ""`), "no id": runsText(`, "id": ""`), "a command for an id": runsText(`, "id": "$(touch x)"`),
		"a terminal's code for an id": runsText(`, "id": "\u001b[31m"`), "an id that is too long": runsText(`, "id": "` + strings.Repeat("a", maxID+1) + `"`),
		"a word for a pid": runsText(`, "owner": {"pid": "z"}`), "a number for a time": runsText(`, "started": 1`), "a time to live beyond all": runsText(`, "ttl": 1e400`),
		"one twice": `{"runs": [{"id": "a", "token": "t"}, {"id": "a", "token": "t"}]}`, "task 0": `{"tasks": [{"plan": "p", "task": 0}]}`,
	} {
		if r, err := parse([]byte(text)); !errors.Is(err, ErrUnreadable) || len(r.Runs) > 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	const end = `, "end": {"status": "success", "cause": "user", "resume_id": "conv"`
	for fields, want := range map[string]Record{
		`, "later": {"of": ["any", "kind"]}`:       {TTL: 60},
		`, "ttl": -60`:                             {},
		fmt.Sprintf(`, "ttl": %d`, math.MaxInt64):  {TTL: math.MaxInt64 / int64(time.Second)},
		`, "conversation": "a b", "resume": "-x"`:  {TTL: 60},
		`, "started": "9999-12-31T23:59:59-01:00"`: {TTL: 60},
		end + `}`:                      {TTL: 60, End: &End{Of: "r1", Status: Success, Cause: CauseUser, ResumeID: "conv"}},
		end + `, "status": "SUCCESS"}`: {TTL: 60, End: &End{Of: "r1", Status: Interrupted, Cause: CauseUser}},
		end + `, "status": "failure"}`: {TTL: 60, End: &End{Of: "r1", Status: Failure, Cause: CauseUser}},
		end + `, "resume_id": "$(x)"}`: {TTL: 60, End: &End{Of: "r1", Status: Success, Cause: CauseUser}},
		end + `, "cause": "~\u001b[31m ` + strings.Repeat("x", 99) + `"}`: {TTL: 60, End: &End{Of: "r1", Status: Success, Cause: Cause(("~[31m" + strings.Repeat("x", 99))[:maxCause]), ResumeID: "conv"}},
		end + `, "cause": ""}`: {TTL: 60, End: &End{Of: "r1", Status: Success, Cause: "?", ResumeID: "conv"}},
	} {
		r, err := parse([]byte(runsText(fields)))
		noError(t, err)
		want.ID, want.Token = "r1", "t"
		if diff := cmp.Diff([]Record{want}, r.Runs, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", fields, diff)
		}
	}
	for holder, want := range map[string]string{"r1": "r1", "r2": "", "over": ""} {
		r, err := parse([]byte(fmt.Sprintf(`{"holder": %q, "runs": [{"id": "r1", "token": "t"}, {"id": "over", "token": "t", "end": {}}]}`, holder)))
		if err != nil || r.Holder != want {
			t.Errorf("%s: the lease is that of %q, %v", holder, r.Holder, err)
		}
	}
	for id, ok := range map[string]bool{strings.Repeat("a", 128): true, strings.Repeat("a", 129): false, "": false, "-a": false, "a b": false} {
		if validConversation(id) != ok {
			t.Errorf("conversation %q: %v", id, !ok)
		}
	}
	if a, b := NewID(), NewID(); a == b || len(a) != 12 || !validID(a) {
		t.Error(a, b)
	}
}

// oddThings put anything but a regular file in the place of the records, on every system that supports it.
var oddThings = map[string]func(d Dir) error{
	"a directory": func(d Dir) error { return d.Root.Mkdir(runsFile, 0o755) },
	"a full directory": func(d Dir) error {
		return errors.Join(d.Root.Mkdir(runsFile, 0o755), d.Root.WriteFile(runsFile+"/in", nil, 0o644))
	},
	"a link inside": func(d Dir) error {
		return errors.Join(d.Root.WriteFile("target", []byte(runsText("")), 0o644), d.Root.Symlink("target", runsFile))
	},
	"a link out":        func(d Dir) error { return d.Root.Symlink("../"+runsFile, runsFile) },
	"a link to nothing": func(d Dir) error { return d.Root.Symlink("nothing", runsFile) },
	"a torn file":       func(d Dir) error { return d.Root.WriteFile(runsFile, []byte("{"), 0o644) },
	"a file too long":   func(d Dir) error { return d.Root.WriteFile(runsFile, make([]byte, runsLimit+1), 0o644) },
}

// TestOddThings: what contains no records is nobody's run, is not overwritten, and is put aside unchanged.
func TestOddThings(t *testing.T) {
	for what, odd := range oddThings {
		t.Run(what, func(t *testing.T) {
			d := newDir(t)
			if odd(d) != nil {
				t.Skip("no symbolic links")
			}
			was, _ := d.Root.Lstat(runsFile)
			f := Open(d)
			r, err := f.Records()
			if wantErr(t, err, ErrUnreadable); len(r.Runs) > 0 {
				t.Errorf("%+v", r)
			}
			f.Change(func(*Records) { t.Error("it may be changed") })
			noError(t, f.Flush())
			if is, err := d.Root.Lstat(runsFile); err != nil || is.Mode() != was.Mode() || is.Size() != was.Size() {
				t.Error(is, err)
			}
			wantAside(t, d)
		})
	}
	d := newDir(t)
	if aside, err := Open(d).PutAside(); aside != "" || err != nil {
		t.Errorf("nothing is put aside: %q, %v", aside, err)
	}
}

// wantAside puts an odd thing aside, and wants that a run can start then, and that a sweep takes it away if it is empty.
func wantAside(t *testing.T, d Dir) {
	t.Helper()
	was, err := d.Root.Lstat(runsFile)
	noError(t, err)
	f := Open(d)
	aside, err := f.PutAside()
	noError(t, err)
	is, err := d.Root.Lstat(path.Base(aside))
	if ok, _ := path.Match("session/"+OddFiles, aside); !ok || err != nil || is.Mode() != was.Mode() {
		t.Errorf("%q: %v, %v", aside, is, err)
	}
	f.Change(func(r *Records) { r.Begin(startOf("a", ownerAt(100))) })
	noError(t, f.Flush())
	if r, err := Open(d).Records(); err != nil || summary(r) != "a=open" {
		t.Errorf("%s, %v", summary(r), err)
	}
	full := 0
	if is.IsDir() {
		names, _ := durable.Names(d.Root, path.Base(aside))
		full = min(len(names), 1)
	}
	for _, dry := range []bool{true, false} {
		if swept, left := SweepOdd(d.Root, ".", dry); swept != 1-full || left != full {
			t.Errorf("swept %d, left %d", swept, left)
		}
	}
}

// FuzzRecords: any text is read or refused; what is read is safe to show and to compute with, and is written as it is read.
func FuzzRecords(f *testing.F) {
	for _, text := range []string{
		"", "null", "{}", "[]", `{"runs": [{"id": "a`, runsText(""), runsText(`, "ttl": 9223372036854775807`), runsText(`, "id": "$(x)"`),
		runsText(`, "members": [{"pid": -1}, {}], "owner": {"pid": 7}, "seen": "9999-12-31T23:59:59Z", "end": {"status": "success", "resume_id": "x"}`),
		`{"holder": "a", "runs": [{"id": "a", "token": "t"}], "tasks": [{"plan": "p", "task": 1, "run": "a", "began": "2026-01-02T03:04:05Z"}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parse(text)
		if err != nil {
			if !errors.Is(err, ErrUnreadable) || len(r.Runs)+len(r.Marks) > 0 {
				t.Errorf("%+v, %v", r, err)
			}
			return
		}
		for _, record := range r.Runs {
			if live := lasting(record.TTL); !validID(record.ID) || record.Token == "" || live < 0 || int64(live/time.Second) != record.TTL {
				t.Errorf("%+v", record)
			}
			if e := record.End; e != nil && (e.ResumeID != "" && !e.Status.Resumable() || !slices.Contains(Statuses(), e.Status) || len(e.Cause) > maxCause) {
				t.Errorf("%+v", e)
			}
		}
		again, err := r.encode()
		noError(t, err)
		if r2, err := parse(again); err != nil || cmp.Diff(r, r2, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Records{})) != "" {
			t.Errorf("%s is read as %+v, %v", again, r2, err)
		}
	})
}

// TestRecordsLaws: whatever begins, ends and is marked, no open run is lost, the lease is that of an open run or of nobody, and what is
// written is read as it is.
func TestRecordsLaws(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		r, open := Records{}, map[string]bool{}
		for i := range rapid.IntRange(1, 150).Draw(t, "steps") {
			of := "r" + fmt.Sprint(rapid.IntRange(0, i).Draw(t, "of"))
			at := now.Add(time.Duration(rapid.IntRange(-1e6, 1e6).Draw(t, "at")) * time.Second)
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				s := startOf("r"+fmt.Sprint(i), ownerAt(100))
				s.Plan, s.Host, s.Started = rapid.SampledFrom([]string{"", "p", "q"}).Draw(t, "plan"), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "host"), at
				r.Begin(s)
				open[s.ID] = true
				if rapid.Bool().Draw(t, "holds") {
					r.Holder = s.ID
				}
			case 2:
				r.Finish(End{Of: of, Status: rapid.SampledFrom(Statuses()).Draw(t, "status"), Cause: CauseUser, At: at, ResumeID: "x"})
				delete(open, of)
			case 3:
				r.Set(Work{rapid.SampledFrom([]string{"p", "q"}).Draw(t, "plan"), 1 + i%3}, of, rapid.SampledFrom([]planfile.Status{planfile.Pending, planfile.InProgress, planfile.Complete, planfile.Skipped}).Draw(t, "to"), at)
			}
			for id := range open {
				if record := r.Find(id); record == nil || record.End != nil {
					t.Fatalf("%s is lost", id)
				}
			}
			if record := r.Find(r.Holder); r.Holder != "" && (record == nil || record.End != nil) {
				t.Fatalf("the lease is that of %s", r.Holder)
			}
		}
		text, err := r.encode()
		read, failed := parse(text)
		if diff := cmp.Diff(r, read, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Records{})); err != nil || failed != nil || diff != "" {
			t.Fatal(err, failed, diff)
		}
	})
}

// TestWhy: each reason is shown once, the last one whole.
func TestWhy(t *testing.T) {
	long := strings.Repeat("x", longestReason)
	for _, test := range []struct {
		said, given string
		status      Status
		want        string
	}{
		{"", "", Failure, ""},
		{"", "a", Failure, "a"},
		{"a", "", Failure, "a"},
		{"a", "b", Failure, "a; b"},
		{"a; b", "b", Failure, "a; b"},
		{"ab", "b", Failure, "ab; b"},
		{"a", "", Success, ""},
		{"a", "b", Success, "b"},
		{long, "b", Failure, long[3:] + "; b"},
		{"a", long, Failure, long},
		{"a", long + "y", Failure, long},
	} {
		if got := (&Record{Reason: test.said}).why(test.status, test.given); got != test.want {
			t.Errorf("%q after %q, %s: %q, want %q", test.given, test.said, test.status, got, test.want)
		}
	}
	records := Records{Runs: []Record{{ID: "a", Reason: "no database"}}}
	records.Conclude(&Run{ID: "a", rec: &records.Runs[0]}, Interrupted, CauseSynthetic, now)
	if end := records.Runs[0].End; end == nil || end.Reason != "no database" {
		t.Errorf("%+v", end)
	}
}
