package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/durable"
)

const journalArchive = ".planning/sessions/user/journal.20260304100007.jsonl"

// longJournal is one that is put away, and what is carried over of it.
func longJournal(t testing.TB) (text, carried string) {
	first := []string{began("open1"), began("closed"), "{torn", began("open2") + "\r", ended("closed", Success, CauseUser, "conv")}
	last := []string{
		`{"type":"task.done"}`, began("open1"), began("latest"), ended("latest", Interrupted, CauseSynthetic),
		ended("latest", Success, CauseExit, "conv"), ended("latest", Failure, CauseUser), ended("open1", Success, CauseUser)[:70],
	}
	text = string(journalText(first...)) + string(endedRuns(t, 350)) + strings.Join(last, "\n")
	carried = string(journalText(began("open1"), began("open2")+"\r", began("latest"), ended("latest", Success, CauseExit, "conv")))
	if len(text) <= journalMax {
		t.Fatal("too short")
	}
	return text, carried
}

func TestRotateJournal(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	text, carried := longJournal(t)
	putJournal(t, project, []byte(text))
	before, whole := turnJournal(t, d), wholeJournal(t, d)

	name, err := g.RotateJournal(noon)
	if err != nil || name != journalArchive {
		t.Fatalf("%q, %v", name, err)
	}
	wantFile(t, project, journalPath, carried)
	wantFile(t, project, journalArchive, text)
	after := turnJournal(t, d)
	if diff := cmp.Diff(before.Runs, after.Runs); diff != "" {
		t.Error(diff)
	}
	all, err := d.WholeJournal(true)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole.Runs, all.Runs); diff != "" {
		t.Error(diff)
	}

	// The archive is a file of its own by now.
	if err := g.End(End{Of: "open1", Status: Success, Cause: CauseUser}); err != nil {
		t.Fatal(err)
	}
	wantFile(t, project, journalArchive, text)
	all, _ = d.WholeJournal(true)
	if all.Runs[0].ID != "open1" || all.Runs[0].End == nil {
		t.Error("an end after the rotation does not close a run from before it")
	}
	// Short now: left alone.
	if name, err := g.RotateJournal(noon); name != "" || err != nil {
		t.Errorf("%q, %v", name, err)
	}
}

func TestRotateJournalLeavesAlone(t *testing.T) {
	line := began("x")
	many := func(n int, more func(id string) []string) string {
		var lines []string
		for i := range n {
			id := fmt.Sprintf("r%06d", i)
			lines = append(lines, append([]string{began(id)}, more(id)...)...)
		}
		return string(journalText(lines...))
	}
	none := func(string) []string { return nil }
	end := func(id string) []string { return []string{ended(id, Success, CauseUser)} }
	exactly := many(500, end)
	exactly += strings.Repeat("x", journalMax-len(exactly)-1) + "\n"
	for name, text := range map[string]string{
		"empty": "", "one line": line + "\n", "as long as it may be": exactly,
		"all open": many(1000, none),
		"most of it open": many(800, func(id string) []string {
			if id < "r000200" {
				return end(id)
			}
			return nil
		}),
	} {
		project, d := newProject(t)
		g := lock(t, d)
		putJournal(t, project, []byte(text))
		g.write.Before = func(s durable.Step) error { t.Errorf("%s: step %s", name, s); return nil }
		if archive, err := g.RotateJournal(noon); archive != "" || err != nil {
			t.Errorf("%s: %q, %v", name, archive, err)
		}
		wantFile(t, project, journalPath, text)
		wantNames(t, project, journalFile)
	}
	project, d := newProject(t)
	if name, err := lock(t, d).RotateJournal(noon); name != "" || err != nil {
		t.Errorf("%q, %v", name, err)
	}
	wantNames(t, project)
}

// TestRotateJournalByAnyClock: it stands still, goes on, goes back, and the archives' names tell their order.
func TestRotateJournalByAnyClock(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	var want []string
	for i, tt := range []struct {
		now  time.Time
		name string
	}{
		{noon, "20260304100007"},
		{noon, "20260304100007-2"},
		{noon.AddDate(-30, 0, 0), "20260304100007-3"},
		{noon.Add(time.Second), "20260304100008"},
		{noon, "20260304100008-2"},
		{time.Time{}, "20260304100008-3"},
	} {
		id := fmt.Sprintf("gen%d", i)
		appendRaw(t, project, string(journalText(began(id)))+strings.Repeat("x", journalMax)+"\n")
		want = append(want, id+"=open")
		name, err := g.RotateJournal(tt.now)
		if err != nil || filepath.Base(name) != "journal."+tt.name+".jsonl" {
			t.Fatalf("%q, %v; want %s", name, err, tt.name)
		}
		for _, read := range []func() (Journal, error){func() (Journal, error) { return d.Journal("") }, func() (Journal, error) { return d.WholeJournal(true) }} {
			if j, err := read(); err != nil || summary(j.Runs) != strings.Join(want, " ") {
				t.Errorf("%s, %v", summary(j.Runs), err)
			}
		}
	}
	// What has nearly such a name is none of ours.
	dir := filepath.Join(project, ".planning/sessions/user")
	for _, name := range []string{
		"journal.jsonl.jsonl", "journal.20260304100007-1.jsonl", "journal.20260304100007-02.jsonl", "journal.20260304100007-0.jsonl",
		"journal.20260304100007--3.jsonl", "journal.20261304100007.jsonl", "journal.20260304100007.5.jsonl", "journal.20260304100007.json",
		"journal.20260304100007-99999999999999999999.jsonl", "journal.99991231235959.jsonl.bak", "journal.20260304100007-x.jsonl",
	} {
		os.WriteFile(filepath.Join(dir, name), journalText(began("foreign")), 0o644)
	}
	if j, err := d.WholeJournal(true); err != nil || summary(j.Runs) != strings.Join(want, " ") {
		t.Errorf("%s, %v", summary(j.Runs), err)
	}
	// A second that has no name left.
	os.WriteFile(filepath.Join(dir, "journal.20260304100008-1000.jsonl"), nil, 0o644)
	appendRaw(t, project, strings.Repeat("x", journalMax)+"\n")
	if name, err := g.RotateJournal(noon); err != nil || filepath.Base(name) != "journal.20260304100009.jsonl" {
		t.Errorf("%q, %v", name, err)
	}
	// An archive that is no file is reported, and hides nothing else.
	os.Mkdir(filepath.Join(dir, "journal.20000101000000.jsonl"), 0o755)
	j, err := d.WholeJournal(true)
	wantErr(t, err, durable.ErrNotRegular)
	if summary(j.Runs) != strings.Join(want, " ") {
		t.Error(summary(j.Runs))
	}
}

// TestRotateJournalCrash takes a picture of the project before every step and after the last. In each there is the
// old journal or the new one, both say the same of what is open, and the next Lock, Begin and RotateJournal go on.
func TestRotateJournalCrash(t *testing.T) {
	for _, links := range []bool{true, false} {
		t.Run(fmt.Sprintf("links %v", links), func(t *testing.T) {
			project, d := newProject(t)
			g := lock(t, d)
			text, carried := longJournal(t)
			putJournal(t, project, []byte(text))
			want, whole := turnJournal(t, d), wholeJournal(t, d)
			var pictures, steps []string
			picture := func(s durable.Step) error {
				to := t.TempDir()
				if err := copyWithLinks(to, project); err != nil {
					t.Fatal(err)
				}
				pictures, steps = append(pictures, to), append(steps, string(s))
				return nil
			}
			g.write.Before = picture
			if !links {
				g.write.Before = withoutLinks(picture)
			}
			if _, err := g.RotateJournal(noon); err != nil {
				t.Fatal(err)
			}
			picture("end")
			t.Log("steps:", steps)
			olds, news := 0, 0
			for i, crashed := range pictures {
				d := openProject(t, crashed)
				g := lock(t, d)
				data, err := os.ReadFile(filepath.Join(crashed, journalPath))
				switch {
				case err == nil && string(data) == text:
					olds++
				case err == nil && string(data) == carried:
					news++
					wantFile(t, crashed, journalArchive, text)
				default:
					t.Errorf("%d %s: %d bytes, %v", i, steps[i], len(data), err)
				}
				if diff := cmp.Diff(want.Runs, turnJournal(t, d).Runs); diff != "" {
					t.Errorf("%d %s: %s", i, steps[i], diff)
				}
				if all, err := d.WholeJournal(true); err != nil || cmp.Diff(whole.Runs, all.Runs) != "" {
					t.Errorf("%d %s: %v, %s", i, steps[i], err, cmp.Diff(whole.Runs, all.Runs))
				}
				for _, name := range names(t, crashed) {
					if name != journalFile && name != filepath.Base(journalArchive) {
						t.Errorf("%d %s: %s is left", i, steps[i], name)
					}
				}
				// On from there: the archive may be a second name of the journal still.
				if err := g.Begin(Start{ID: "after"}); err != nil {
					t.Error(err)
				}
				if _, err := g.RotateJournal(noon); err != nil {
					t.Error(err)
				}
				runs := turnJournal(t, d).Runs
				if got := summary(runs); got != "open1=open open2=open after=open" {
					t.Errorf("%d %s: then %s", i, steps[i], got)
				}
				all, err := d.WholeJournal(true)
				if err != nil || len(all.Runs) != len(whole.Runs)+1 || cmp.Diff(whole.Runs, all.Runs[:len(whole.Runs)]) != "" {
					t.Errorf("%d %s: then %d runs, %v", i, steps[i], len(all.Runs), err)
				}
			}
			if olds == 0 || news == 0 {
				t.Errorf("%d pictures of the old journal, %d of the new one", olds, news)
			}
		})
	}
}

// copyWithLinks copies a tree in which two names may be one file, and keeps them so.
func copyWithLinks(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	journal, archive := filepath.Join(from, journalPath), filepath.Join(from, filepath.FromSlash(journalArchive))
	a, err1 := os.Lstat(journal)
	b, err2 := os.Lstat(archive)
	if err1 != nil || err2 != nil || !os.SameFile(a, b) {
		return nil
	}
	name := filepath.Join(to, filepath.FromSlash(journalArchive))
	if err := os.Remove(name); err != nil {
		return err
	}
	return os.Link(filepath.Join(to, journalPath), name)
}

// TestRotateJournalFails lets the n-th step fail, for every n: the old journal stays, alone, unless only the last
// sync failed, and then the error says so.
func TestRotateJournalFails(t *testing.T) {
	text, carried := longJournal(t)
	for n := 0; ; n++ {
		project, d := newProject(t)
		g := lock(t, d)
		putJournal(t, project, []byte(text))
		var failed durable.Step
		taken := 0
		g.write.Before = func(s durable.Step) error {
			if taken++; taken-1 == n {
				failed = s
				return syscall.ENOSPC
			}
			return nil
		}
		name, err := g.RotateJournal(noon)
		if failed == "" {
			if n < 8 {
				t.Errorf("only %d steps", n)
			}
			return
		}
		data, _ := os.ReadFile(filepath.Join(project, journalPath))
		switch {
		case failed == durable.StepLink: // copied instead
			if err != nil || name != journalArchive {
				t.Error(name, err)
			}
			wantFile(t, project, journalPath, carried)
			wantFile(t, project, journalArchive, text)
		case string(data) == carried: // the last sync
			wantErr(t, err, durable.ErrUnsynced, syscall.ENOSPC)
			if name != journalArchive {
				t.Errorf("archive %q", name)
			}
			wantFile(t, project, journalArchive, text)
		default:
			wantErr(t, err, syscall.ENOSPC)
			if name != "" || !strings.Contains(err.Error(), journalPath) {
				t.Errorf("%s: %q, %v", failed, name, err)
			}
			wantFile(t, project, journalPath, text)
			wantNames(t, project, journalFile)
		}
	}
}

// TestRotateJournalRefusesWhatChangesMeanwhile: somebody writes without the guard. Nothing of theirs is lost.
func TestRotateJournalRefusesWhatChangesMeanwhile(t *testing.T) {
	text, _ := longJournal(t)
	for _, step := range []durable.Step{durable.StepLink, durable.StepCreate, durable.StepCheck} {
		project, d := newProject(t)
		g := lock(t, d)
		putJournal(t, project, []byte(text))
		done := false
		g.write.Before = func(s durable.Step) error {
			if s == step && !done {
				done = true
				appendRaw(t, project, "\n"+began("theirs")+"\n")
			}
			return nil
		}
		_, err := g.RotateJournal(noon)
		wantErr(t, err, durable.ErrChanged)
		if j := turnJournal(t, d); j.Runs[len(j.Runs)-1].ID != "theirs" {
			t.Errorf("%s: %s", step, summary(j.Runs))
		}
	}
}

// TestRotationKeepsWhatMatters draws runs and ends with rotations in between, and reads the same as without.
func TestRotationKeepsWhatMatters(t *testing.T) {
	ids := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})
	causes := rapid.SampledFrom([]Cause{CauseUser, CauseExit, CauseSynthetic, CauseForced})
	filler := strings.Repeat("x", journalMax)
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		// Two users: one's journal is put away now and then, the other's never.
		project, err := os.MkdirTemp(dir, "")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(project)
		root, err := os.OpenRoot(project)
		if err != nil {
			rt.Fatal(err)
		}
		defer root.Close()
		rotated, plain := At(root, "user"), At(root, "other")
		g1, err1 := rotated.Lock(t.Context(), patience)
		g2, err2 := plain.Lock(t.Context(), patience)
		if err1 != nil || err2 != nil {
			rt.Fatal(err1, err2)
		}
		defer g1.Unlock()
		defer g2.Unlock()
		now := noon
		gone := map[string]bool{} // ended and put away: a fresh id never comes again, so these are not begun again
		for range rapid.IntRange(1, 30).Draw(rt, "n") {
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0, 1:
				if id := ids.Draw(rt, "start"); !gone[id] {
					err1, err2 = g1.Begin(Start{ID: id}), g2.Begin(Start{ID: id})
				}
			case 2, 3, 4:
				e := End{Of: ids.Draw(rt, "end"), Status: Success, Cause: causes.Draw(rt, "cause"), ResumeID: "conv"}
				err1, err2 = g1.End(e), g2.End(e)
			default:
				appendRaw(rt, project, filler+"\n")
				whole, err := rotated.WholeJournal(false)
				if err != nil {
					rt.Fatal(err)
				}
				for _, r := range whole.Runs {
					gone[r.ID] = true
				}
				now = now.Add(time.Duration(rapid.IntRange(-2, 2).Draw(rt, "clock")) * time.Second)
				if name, err := g1.RotateJournal(now); err != nil || name == "" {
					rt.Fatalf("%q, %v", name, err)
				}
			}
			if err1 != nil || err2 != nil {
				rt.Fatal(err1, err2)
			}
		}
		got, err1 := rotated.Journal("")
		want, err2 := plain.Journal("")
		if err1 != nil || err2 != nil {
			rt.Fatal(err1, err2)
		}
		if diff := cmp.Diff(want.Runs, got.Runs); diff != "" {
			rt.Fatal(diff)
		}
		all, err1 := rotated.WholeJournal(true)
		whole, err2 := plain.WholeJournal(true)
		if err1 != nil || err2 != nil {
			rt.Fatal(err1, err2)
		}
		if diff := cmp.Diff(whole.Runs, all.Runs); diff != "" {
			rt.Fatal("with archives:", diff)
		}
	})
}
