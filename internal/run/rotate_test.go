package run

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

const archived = "journal.20260304100007.jsonl"

// longJournal returns a journal that is rotated, and what is carried over.
func longJournal() (text, carried string) {
	first := []string{began("open1"), began("closed"), "{torn", began("open2") + "\r", endedBy("closed", Success, CauseUser, "conv")}
	for n := range 100 {
		id := fmt.Sprint("r", n)
		first = append(first, began(id), endedBy(id, Success, CauseExit))
	}
	last := []string{
		`{"type":"task.done"}`, began("open1"), began("latest"), endedBy("latest", Interrupted, CauseSynthetic),
		endedBy("latest", Success, CauseExit, "conv"), endedBy("latest", Failure, CauseUser), endedBy("open1", Success, CauseUser)[:70],
	}
	text = string(journalText(first...)) + strings.Join(last, "\n")
	carried = string(journalText(began("open1"), began("open2")+"\r", began("latest"), endedBy("latest", Success, CauseExit, "conv")))
	return text, carried
}

func TestRotate(t *testing.T) {
	d := newDir(t)
	text, carried := longJournal()
	d.put(t, journalFile, []byte(text))
	f, j := d.opened(t)
	before := summary(j.Runs)
	name, err := f.Rotate(noon)
	if err != nil || name != "session/"+archived {
		t.Fatalf("%q, %v", name, err)
	}
	if d.text(journalFile) != carried || d.text(archived) != text {
		t.Errorf("%s", d.text(journalFile))
	}
	all, err := Open(d).History()
	if err != nil || summary(all.Runs) != before || all.Bad != 0 {
		t.Errorf("%s, %d bad, %v", summary(all.Runs), all.Bad, err)
	}
	// The archive is now a separate file, and Files knows what follows.
	noError(t, f.End(End{Of: "open1", Status: Success, Cause: CauseUser}))
	all, _ = Open(d).History()
	if known, _ := f.Journal(); d.text(archived) != text || all.Runs[0].End == nil || known.Runs[0].End == nil {
		t.Error("an end after the rotation does not close a run from before it")
	}
	if name, err := f.Rotate(noon); name != "" || err != nil { // short now
		t.Errorf("%q, %v", name, err)
	}
}

// TestRotateLeavesAlone: a short journal, and one of which most is carried over.
func TestRotateLeavesAlone(t *testing.T) {
	many := func(n, ended int) string {
		var lines []string
		for i := range n {
			id := fmt.Sprintf("r%06d", i)
			if lines = append(lines, began(id)); i < ended {
				lines = append(lines, endedBy(id, Success, CauseUser))
			}
		}
		return string(journalText(lines...))
	}
	exactly := many(60, 60)
	exactly += strings.Repeat(" ", maxJournal-len(exactly)-1) + "\n"
	for name, text := range map[string]string{
		"empty": "", "one line": began("x") + "\n", "as long as it may be": exactly, "all open": many(200, 0), "most of it open": many(200, 50),
	} {
		d := newDir(t)
		d.put(t, journalFile, []byte(text))
		d.Writer.Before = func(s durable.Step) error { t.Errorf("%s: step %s", name, s); return nil }
		f, j := d.opened(t)
		if archive, err := f.Rotate(noon); archive != "" || err != nil || j.Long() {
			t.Errorf("%s: %q, %v", name, archive, err)
		}
	}
	d := newDir(t)
	d.put(t, journalFile, []byte(exactly+"\n"))
	if _, j := d.opened(t); !j.Long() {
		t.Error("one byte more is not long")
	}
}

// TestRotateByAnyClock: the names of the archives sort as they were made, even if the clock stands still or goes back.
func TestRotateByAnyClock(t *testing.T) {
	d := newDir(t)
	var want []string
	for i, now := range []time.Time{noon, noon, noon.AddDate(-30, 0, 0), noon.Add(time.Second), noon, {}} {
		id := fmt.Sprint("gen", i)
		d.add(t, began(id)+"\n"+strings.Repeat(strings.Repeat("x", 99)+"\n", maxJournal/50))
		want = append(want, id+"=open")
		f, _ := d.opened(t)
		if name, err := f.Rotate(now); err != nil || name == "" {
			t.Fatalf("%q, %v", name, err)
		}
		_, now := d.opened(t)
		all, err := Open(d).History()
		if want := strings.Join(want, " "); err != nil || summary(now.Runs) != want || summary(all.Runs) != want {
			t.Errorf("%s, %s, %v", summary(now.Runs), summary(all.Runs), err)
		}
	}
	// An archive that is not a file is reported, and hides nothing else.
	d.Root.Mkdir("journal.20000101000000.jsonl", 0o755)
	j, err := Open(d).History()
	wantErr(t, err, durable.ErrNotRegular)
	if summary(j.Runs) != strings.Join(want, " ") {
		t.Error(summary(j.Runs))
	}
}

// TestRotateStops lets the n-th step fail, for every n, and looks at what a crash before it would leave: the old
// journal or the new one, which say the same of what is open, and the next Begin and Rotate go on. After a failure the
// old journal stays, alone, unless only the last sync failed, and then the error says so.
func TestRotateStops(t *testing.T) {
	text, carried := longJournal()
	for n, last := 0, false; !last; n++ {
		d := newDir(t)
		d.put(t, journalFile, []byte(text))
		crashed := openDir(t, t.TempDir())
		taken := 0
		last = true
		d.Writer.Before = func(s durable.Step) error {
			if taken++; taken-1 != n {
				return nil
			}
			last = false
			noError(t, os.CopyFS(crashed.Root.Name(), os.DirFS(d.Root.Name())))
			if d.text(archived) != "" && d.text(journalFile) == text { // one file with two names
				crashed.Root.Remove(archived)
				crashed.Root.Link(journalFile, archived)
			}
			return syscall.ENOSPC
		}
		f, whole := d.opened(t)
		want := summary(whole.Runs)
		name, err := f.Rotate(noon)
		switch {
		case d.text(journalFile) == carried: // unless it was the last sync, a copy was archived instead of a link
			if unsynced := errors.Is(err, durable.ErrUnsynced); err != nil && !unsynced || name != "session/"+archived || d.text(archived) != text {
				t.Errorf("step %d: %q, %v", n, name, err)
			}
			if known, _ := f.Journal(); len(known.Runs) != 3 {
				t.Errorf("step %d: %s is known", n, summary(known.Runs))
			}
		case !errors.Is(err, syscall.ENOSPC) || name != "" || d.text(journalFile) != text || len(d.names(t)) != 1:
			t.Errorf("step %d: %q, %v, %q", n, name, err, d.names(t))
		case !strings.Contains(err.Error(), "session/"+journalFile):
			t.Error(err)
		}
		if last {
			continue
		}
		f, _ = crashed.opened(t)
		if err := f.Begin(Start{ID: "after"}); err != nil {
			t.Error(err)
		}
		if _, err := f.Rotate(noon); err != nil {
			t.Error(err)
		}
		_, j := crashed.opened(t)
		if got := strings.Replace(summary(j.Runs), "latest=success/exit/conv ", "", 1); got != "open1=open open2=open after=open" {
			t.Errorf("a crash before step %d: %s", n, got)
		}
		if all, err := Open(crashed).History(); err != nil || summary(all.Runs) != want+" after=open" {
			t.Errorf("a crash before step %d: %s, %v", n, summary(all.Runs), err)
		}
	}
}

// TestRotateRefusesWhatChangesMeanwhile: a line that is added without the guard is not lost.
func TestRotateRefusesWhatChangesMeanwhile(t *testing.T) {
	text, _ := longJournal()
	for _, step := range []durable.Step{durable.StepLink, durable.StepCheck} {
		d := newDir(t)
		d.put(t, journalFile, []byte(text))
		done := false
		d.Writer.Before = func(s durable.Step) error {
			if s == step && !done {
				done = true
				d.add(t, "\n"+began("theirs")+"\n")
			}
			return nil
		}
		f, _ := d.opened(t)
		_, err := f.Rotate(noon)
		wantErr(t, err, durable.ErrChanged)
		if _, j := d.opened(t); j.Runs[len(j.Runs)-1].ID != "theirs" {
			t.Errorf("%s: %s", step, summary(j.Runs))
		}
	}
}

// TestRepair: a journal with bad lines is archived, and begun again with all that is understood or of another program.
func TestRepair(t *testing.T) {
	good := []string{began("a"), endedBy("a", Success, CauseUser, "conv"), `{"type":"task.done"}`, began("b")}
	d := newDir(t)
	text := strings.Join([]string{good[0], "{torn", good[1], "", good[2], good[3][:50], good[3]}, "\n")
	d.put(t, journalFile, []byte(text))
	f, j := d.opened(t)
	if j.Bad != 3 {
		t.Errorf("%d bad", j.Bad)
	}
	if name, err := f.Repair(noon); err != nil || name != "session/"+archived || d.text(archived) != text {
		t.Errorf("%q, %v", name, err)
	}
	if got := d.text(journalFile); got != string(journalText(good...)) {
		t.Errorf("%s", got)
	}
	if name, err := f.Repair(noon); name != "" || err != nil {
		t.Errorf("again: %q, %v", name, err)
	}
	if all, err := Open(d).History(); err != nil || all.Bad != 0 || summary(all.Runs) != "a=success/user/conv b=open" {
		t.Errorf("%s, %d bad, %v", summary(all.Runs), all.Bad, err)
	}
}

// TestRotateKeepsWorkers: who marked the tasks of a plan in work last is still known after the rotation, but no conversation of it
// is offered again because what outdated it is gone.
func TestRotateKeepsWorkers(t *testing.T) {
	task := func(run, plan string, n int) string {
		return fmt.Sprintf(`{"type":"run.task","of":%q,"plan":%q,"task":%d}`, run, plan, n)
	}
	d := newDir(t)
	lines := []string{
		began("elsewhere"), task("elsewhere", "b", 1), endedBy("elsewhere", Success, CauseUser),
		began("paused"), task("paused", "a", 1), endedBy("paused", Paused, CauseUser, "conv"),
	}
	for n := range 100 {
		id := fmt.Sprint("r", n)
		lines = append(lines, began(id), endedBy(id, Success, CauseExit))
	}
	d.put(t, journalFile, journalText(append(lines, began("latest"), task("latest", "a", 3))...))
	f, _ := d.opened(t)
	if name, err := f.Rotate(noon); err != nil || name == "" {
		t.Fatalf("%q, %v", name, err)
	}
	_, j := d.opened(t)
	if got := summary(j.Runs); got != "paused=paused/user latest=open" {
		t.Error(got)
	}
	a := Assess(Facts{LeaseFile: LeaseNone, Runs: j.Runs, Marks: j.Marks, Now: now, Processes: newMachine()})
	if its := a.Last("a", 1); its == nil || its.State != StatePaused {
		t.Errorf("%+v", its)
	}
}

// TestRotateKeepsWork: a run that went on to another plan than it started on is still on that one after the rotation.
func TestRotateKeepsWork(t *testing.T) {
	task := func(run, plan string, n int) string {
		return fmt.Sprintf(`{"type":"run.task","of":%q,"plan":%q,"task":%d}`, run, plan, n)
	}
	d := newDir(t)
	lines := []string{began("open"), task("open", "a", 9), task("open", "b", 1), began("other"), task("other", "a", 7), task("other", "c", 2)}
	for n := range 100 {
		id := fmt.Sprint("r", n)
		lines = append(lines, began(id), endedBy(id, Success, CauseExit))
	}
	d.put(t, journalFile, journalText(append(lines, began("latest"), task("latest", "a", 3))...))
	f, _ := d.opened(t)
	if name, err := f.Rotate(noon); err != nil || name == "" {
		t.Fatalf("%q, %v", name, err)
	}
	_, j := d.opened(t)
	plans := map[string]string{}
	for _, r := range j.Runs {
		plans[r.ID] = r.Worked
	}
	if plans["open"] != "b" || plans["other"] != "c" || plans["latest"] != "a" || j.Marks[Work{"a", 9}].Run != "open" {
		t.Errorf("%v, %v", plans, j.Marks)
	}
}
