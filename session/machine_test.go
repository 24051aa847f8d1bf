package session

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const machineID = "0123456789abcdef0123456789abcdef"

func TestMachine(t *testing.T) {
	for text, want := range map[string]string{
		machineID:                          machineID,
		machineID + "\n":                   machineID,
		machineID + "\r\n":                 machineID,
		"":                                 "",
		"\n":                               "",
		machineID[1:] + "\n":               "",
		machineID + "0\n":                  "",
		"\n" + machineID:                   "",
		strings.ToUpper(machineID):         "",
		machineID[1:] + "g":                "",
		machineID + "\nmore":               "",
		machineID[:16] + "\n" + machineID:  "",
		strings.Repeat("\x00", 32):         "",
		machineID + strings.Repeat(" ", 9): "",
		machineID + strings.Repeat("\n", machineLimit): "",
	} {
		s, dir := newState(t)
		writeFile(t, filepath.Join(dir, machineFile), text)
		if got := s.Machine(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		// What is there is used or left alone, never overwritten.
		s.MakeMachine()
		if got := s.Machine(); got != want {
			t.Errorf("%q: made %q, want %q", text, got, want)
		}
		wantFile(t, dir, machineFile, text)
	}
}

func TestMakeMachine(t *testing.T) {
	s, dir := newState(t)
	if id := s.Machine(); id != "" {
		t.Errorf("without a directory: %q", id)
	}
	if _, err := os.Lstat(filepath.Dir(dir)); !os.IsNotExist(err) {
		t.Errorf("reading made a directory: %v", err)
	}
	s.MakeMachine()
	id := s.Machine()
	if len(id) != 32 {
		t.Fatalf("made %q", id)
	}
	s.MakeMachine()
	if again := s.Machine(); again != id {
		t.Errorf("made %q, then %q", id, again)
	}
	wantFile(t, dir, machineFile, id+"\n")
	wantDir(t, dir, machineFile)

	other, _ := newState(t)
	other.MakeMachine()
	if got := other.Machine(); got == id || got == "" {
		t.Errorf("two machines are %q", id)
	}
}

func TestMakeMachineAtOnce(t *testing.T) {
	for range 20 {
		s, dir := newState(t)
		ids := make([]string, 20)
		var start, done sync.WaitGroup
		start.Add(1)
		for i := range ids {
			done.Go(func() {
				start.Wait()
				s.MakeMachine()
				ids[i] = s.Machine()
			})
		}
		start.Done()
		done.Wait()
		for _, id := range ids {
			if len(id) != 32 || id != ids[0] {
				t.Fatalf("they made %q", ids)
			}
		}
		wantFile(t, dir, machineFile, ids[0]+"\n")
		wantDir(t, dir, machineFile)
	}
}

func TestMachineCannotBeMade(t *testing.T) {
	StateDir("").MakeMachine()
	if id := StateDir("").Machine(); id != "" {
		t.Errorf("nowhere: %q", id)
	}
	s, dir := newState(t)
	writeFile(t, dir, "a file where the directory should be")
	s.MakeMachine()
	if id := s.Machine(); id != "" {
		t.Errorf("in a file: %q", id)
	}
	s, dir = newState(t)
	mkdir(t, filepath.Join(dir, machineFile))
	s.MakeMachine()
	if id := s.Machine(); id != "" {
		t.Errorf("from a directory: %q", id)
	}
	wantDir(t, dir, machineFile)
}

func TestMachineFollowsNoLinkOut(t *testing.T) {
	outside := t.TempDir()
	s, dir := newState(t)
	link(t, filepath.Join(outside, "id"), filepath.Join(dir, machineFile))
	s.MakeMachine()
	if id := s.Machine(); id != "" {
		t.Errorf("made %q through a link to nothing", id)
	}
	wantDir(t, outside)
	writeFile(t, filepath.Join(outside, "id"), machineID)
	s.MakeMachine()
	if id := s.Machine(); id != "" {
		t.Errorf("read %q through a link", id)
	}
	wantFile(t, outside, "id", machineID)
}
