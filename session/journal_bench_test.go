package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// endedRuns writes journal lines of n runs that have ended, as a day's work leaves them.
func endedRuns(t testing.TB, n int) []byte {
	t.Helper()
	var text bytes.Buffer
	at := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	for i := range n {
		id := fmt.Sprintf("%012x", i)
		for _, line := range [][]byte{
			lineOf(t, Start{
				ID: id, Token: id + id, Host: "claude", Plan: ".planning/phases/03-journal/03-01-PLAN.md", At: at, TTL: time.Hour,
				Owner: Owner{
					PID: 4711, StartTime: "123456789", BootID: "2f6c1d5e-5b9f-4b07-9f0d-9a4c8f2f3a11", Namespace: "pid:[4026531836]",
					Machine: "9a4c8f2f3a11", HostName: "workstation",
				},
			}),
			lineOf(t, End{Of: id, Status: Success, Cause: CauseExit, At: at.Add(time.Minute), ResumeID: "2f6c1d5e-5b9f-4b07-9f0d-9a4c8f2f3a11"}),
		} {
			text.Write(line)
			text.WriteByte('\n')
		}
		at = at.Add(time.Hour)
	}
	return text.Bytes()
}

// lineOf gives the line of a Start or an End.
func lineOf(t testing.TB, v interface{ encode() ([]byte, error) }) []byte {
	t.Helper()
	line, err := v.encode()
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// putJournal makes text the journal of a project.
func putJournal(t testing.TB, project string, text []byte) {
	t.Helper()
	dir := filepath.Join(project, ".planning/sessions/user")
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, journalFile), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func BenchmarkJournal(b *testing.B) {
	project, d := newProject(b)
	text := endedRuns(b, 1000)
	text = text[:bytes.LastIndexByte(text[:journalMax], '\n')+1]
	putJournal(b, project, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if j, err := d.Journal(""); err != nil || len(j.Runs) != 1 || j.Bad != 0 {
			b.Fatal(len(j.Runs), j.Bad, err)
		}
	}
}

func BenchmarkWholeJournal(b *testing.B) {
	const runs = recentLines / 2
	project, d := newProject(b)
	text := endedRuns(b, runs)
	putJournal(b, project, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if j, err := d.WholeJournal(true); err != nil || len(j.Runs) != runs || j.Bad != 0 {
			b.Fatal(len(j.Runs), j.Bad, err)
		}
	}
}
